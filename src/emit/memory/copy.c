/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that PTX completes later: cp.async, cp.async.bulk, cp.reduce.async,
 * st.async, red.async. Here they are made at once, so that there is never
 * anything to wait for, and mbarriers are told at once. Addresses of
 * shared::cluster count from the same place as those of a block's own memory.
 */
#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

/* Bytes from `used` on are zero; if none is used, nothing is read. */
static LLVMValueRef load_used(struct emit *e, LLVMTypeRef t, LLVMValueRef from,
                              LLVMValueRef instead, LLVMValueRef used)
{
    LLVMValueRef is_none = ir_icmp(e, LLVMIntEQ, used, ir_int(used, 0));
    LLVMValueRef v = ir_load(e, t, ir_select(e, is_none, instead, from), 4);
    LLVMValueRef bits = ir_resize(e, used, t, false);
    unsigned width = LLVMGetIntTypeWidth(t);

    bits = ir_mul(e, bits, ir_int(bits, 8));
    LLVMValueRef is_all = ir_icmp(e, LLVMIntUGE, bits, ir_int(bits, width));
    LLVMValueRef safe = ir_and(e, bits, ir_int(bits, width - 1));
    LLVMValueRef low =
        ir_sub(e, ir_shl(e, ir_int(bits, 1), safe), ir_int(bits, 1));
    return ir_select(e, is_all, v, ir_and(e, v, low));
}

static enum ptx_space window_of(enum ptx_space space)
{
    return space == PTX_SPACE_shared_cluster ? PTX_SPACE_shared : space;
}

static LLVMValueRef spilled_pointers(struct emit *e,
                                     const struct ptx_operand *o,
                                     enum ptx_space space)
{
    return emit_spill(e,
                      emit_pointer(e, o, window_of(space), EMIT_ALL_LANES, 0));
}

/* How many bytes cp.async reads, if it names them: a number, or none where a
 * predicate holds. */
static LLVMValueRef used_bytes(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = &inst->operand[3];

    if (inst->operand_count <= 3 || o->kind == PTX_OPERAND_none)
        return NULL;
    if (o->kind != PTX_OPERAND_reg ||
        e->f->k->func->regs[o->reg].type != PTX_TYPE_pred)
        return emit_read_vector(e, o, PTX_TYPE_u32);
    LLVMValueRef ignores = emit_read_vector(e, o, PTX_TYPE_pred);
    LLVMValueRef size = ir_zext(e, ignores, e->i32);
    return ir_select(e, ignores, ir_int(size, 0),
                     ir_int(size, inst->operand[2].imm));
}

static void copy_lanes(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, 8 * (unsigned)o[2].imm);
    LLVMValueRef to = spilled_pointers(e, &o[0], PTX_SPACE_shared);
    LLVMValueRef from = spilled_pointers(e, &o[1], PTX_SPACE_global);
    LLVMValueRef used = used_bytes(e, inst);
    struct emit_lane_loop loop;

    if (used)
        used = emit_spill(e, used);
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef d = emit_spilled_lane(e, to, e->ptr, loop.lane);
    LLVMValueRef s = emit_spilled_lane(e, from, e->ptr, loop.lane);
    LLVMValueRef v;
    if (used)
        v = load_used(e, t, s, d,
                      emit_spilled_lane(e, used, e->i32, loop.lane));
    else
        v = ir_load(e, t, s, 4);
    ir_store(e, v, d, 4);
    emit_lane_loop_end(e, &loop);
}

/* ---- bulk copies ------------------------------------------------------- */

/* for (at = 0; at < bytes; at += step): runs the code emitted in between. */
struct byte_loop {
    LLVMBasicBlockRef head, body, done;
    LLVMValueRef at_var, at;
    unsigned step;
};

static void byte_loop_begin(struct emit *e, struct byte_loop *l,
                            LLVMValueRef bytes, unsigned step)
{
    assert(step > 0);
    l->step = step;
    l->at_var = emit_alloca(e, e->i64, 0, "at");
    ir_store(e, ir_int(bytes, 0), l->at_var, 0);
    l->head = emit_new_block(e, "copy.head");
    l->body = emit_new_block(e, "copy.body");
    l->done = emit_new_block(e, "copy.done");
    emit_goto_new(e, l->head);
    l->at = ir_load(e, e->i64, l->at_var, 0);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntULT, l->at, bytes), l->body,
                    l->done);
    LLVMPositionBuilderAtEnd(e->b, l->body);
}

static void byte_loop_end(struct emit *e, struct byte_loop *l)
{
    ir_store(e, ir_add(e, l->at, ir_int(l->at, l->step)), l->at_var, 0);
    LLVMBuildBr(e->b, l->head);
    LLVMPositionBuilderAtEnd(e->b, l->done);
}

/* Sizes and addresses of bulk copies are multiples of 16. */
static void copy_bytes(struct emit *e, LLVMValueRef to, LLVMValueRef from,
                       LLVMValueRef bytes)
{
    LLVMTypeRef t = LLVMVectorType(e->i64, 2);
    struct byte_loop l;

    assert(LLVMTypeOf(to) == e->ptr && LLVMTypeOf(from) == e->ptr);
    byte_loop_begin(e, &l, bytes, 16);
    LLVMValueRef v = ir_load(e, t, ir_offset_by(e, from, l.at), 16);
    ir_store(e, v, ir_offset_by(e, to, l.at), 16);
    byte_loop_end(e, &l);
}

static void reduce_bytes(struct emit *e, const struct ptx_inst *inst,
                         LLVMValueRef to, LLVMValueRef from, LLVMValueRef bytes)
{
    enum ptx_type type = inst->type[0];
    unsigned size = ptx_type_size(type);
    struct byte_loop l;

    byte_loop_begin(e, &l, bytes, size);
    LLVMValueRef v =
        ir_load(e, emit_type(e, type), ir_offset_by(e, from, l.at), size);
    emit_atomic_at(e, inst, window_of(inst->space), ir_offset_by(e, to, l.at),
                   v);
    byte_loop_end(e, &l);
}

/* The mask of blocks that get the copy and are told; without clusters there is
 * only the first. */
static LLVMValueRef receiver_mask(struct emit *e, const struct ptx_operand *o)
{
    LLVMValueRef mask = emit_read_vector(e, o, PTX_TYPE_u16);
    mask = ir_zext(e, mask, e->i32);
    return e->spec.is_cluster ? mask : ir_and(e, mask, ir_int(mask, 1));
}

/* Sizes in memory: of other sizes than multiples of 16 hardware moves as much
 * as there is of those, and an mbarrier that expects more goes on waiting. */
static LLVMValueRef spilled_sizes(struct emit *e, const struct ptx_operand *o)
{
    LLVMValueRef sizes = emit_read_vector(e, o, PTX_TYPE_u32);
    return emit_spill(e, ir_and(e, sizes, ir_int(sizes, -16)));
}

/* [to], [from], bytes, [mbarrier], blocks */
static void copy_to_blocks(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    LLVMValueRef to = spilled_pointers(e, &o[0], inst->space);
    LLVMValueRef from = spilled_pointers(e, &o[1], inst->space2);
    LLVMValueRef sizes = spilled_sizes(e, &o[2]);
    LLVMValueRef mbarriers = spilled_pointers(e, &o[3], PTX_SPACE_shared);
    LLVMValueRef masks = emit_spill(e, receiver_mask(e, &o[4]));
    struct emit_lane_loop loop, blocks;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef d = emit_spilled_lane(e, to, e->ptr, loop.lane);
    LLVMValueRef s = emit_spilled_lane(e, from, e->ptr, loop.lane);
    LLVMValueRef m = emit_spilled_lane(e, mbarriers, e->ptr, loop.lane);
    LLVMValueRef bytes =
        ir_zext(e, emit_spilled_lane(e, sizes, e->i32, loop.lane), e->i64);
    emit_bit_loop_begin(e, &blocks,
                        emit_spilled_lane(e, masks, e->i32, loop.lane));
    copy_bytes(e, emit_in_block(e, d, blocks.lane), s, bytes);
    emit_mbarrier_complete_tx(e, emit_in_block(e, m, blocks.lane), bytes);
    emit_lane_loop_end(e, &blocks);
    emit_lane_loop_end(e, &loop);
}

/* [to], [from], bytes, and [mbarrier] if an mbarrier completes it. */
static void copy_bulk(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    bool has_mbarrier = !(inst->flags & PTX_FLAG_bulk_group);
    LLVMValueRef to = spilled_pointers(e, &o[0], inst->space);
    LLVMValueRef from = spilled_pointers(e, &o[1], inst->space2);
    LLVMValueRef sizes = spilled_sizes(e, &o[2]);
    LLVMValueRef mbarriers =
        has_mbarrier ? spilled_pointers(e, &o[3], PTX_SPACE_shared) : NULL;
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef d = emit_spilled_lane(e, to, e->ptr, loop.lane);
    LLVMValueRef s = emit_spilled_lane(e, from, e->ptr, loop.lane);
    LLVMValueRef bytes =
        ir_zext(e, emit_spilled_lane(e, sizes, e->i32, loop.lane), e->i64);
    if (inst->flags & PTX_FLAG_reduce)
        reduce_bytes(e, inst, d, s, bytes);
    else
        copy_bytes(e, d, s, bytes);
    if (has_mbarrier)
        emit_mbarrier_complete_tx(
            e, emit_spilled_lane(e, mbarriers, e->ptr, loop.lane), bytes);
    emit_lane_loop_end(e, &loop);
}

/* cp.async.mbarrier.arrive: with .noinc an arrival; otherwise the barrier
 * first counts one more as pending, so that nothing changes. */
static void arrive_after_copies(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_lane_loop loop;

    if (!(inst->flags & PTX_FLAG_noinc))
        return;
    LLVMValueRef at = spilled_pointers(
        e, &inst->operand[0], ptx_space_of(&inst->operand[0], inst->space));
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    emit_mbarrier_arrive(e, emit_spilled_lane(e, at, e->ptr, loop.lane),
                         LLVMConstInt(e->i64, 1, 0));
    emit_lane_loop_end(e, &loop);
}

void emit_cp(struct emit *e, const struct ptx_inst *inst)
{
    if (ptx_only_orders_copies(inst))
        return;
    if (inst->sub == PTX_SUB_mbarrier) {
        arrive_after_copies(e, inst);
        return;
    }
    if (inst->flags & PTX_FLAG_cp_mask) {
        emit_refuse(e, "copies with a byte mask are not supported");
        return;
    }
    if (inst->sub == PTX_SUB_prefetch)
        return;
    if (inst->flags & PTX_FLAG_tensor)
        emit_tensor_copy(e, inst);
    else if (inst->flags & PTX_FLAG_multicast)
        copy_to_blocks(e, inst);
    else if (inst->flags & PTX_FLAG_bulk)
        copy_bulk(e, inst);
    else
        copy_lanes(e, inst);
}

/* ---- st.async, red.async ----------------------------------------------- */

/* [to], value, [mbarrier] */
void emit_store_async(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    enum ptx_type type = inst->type[0];
    LLVMTypeRef t = emit_type(e, type);
    unsigned size = ptx_type_size(type);
    unsigned count = ptx_operand_item_count(&o[1]);
    LLVMValueRef values[8];
    LLVMValueRef to = spilled_pointers(e, &o[0], PTX_SPACE_shared);
    LLVMValueRef mbarriers = spilled_pointers(e, &o[2], PTX_SPACE_shared);
    struct emit_lane_loop loop;

    assert(count <= ARRAY_COUNT(values));
    for (unsigned i = 0; i < count; i++)
        values[i] = emit_spill(
            e, emit_read_vector(e, ptx_operand_item(&o[1], i), type));
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef d = emit_spilled_lane(e, to, e->ptr, loop.lane);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef v = emit_spilled_lane(e, values[i], t, loop.lane);
        LLVMValueRef p = ir_offset(e, d, (int64_t)i * size);
        if (inst->op == PTX_OP_red)
            emit_atomic_at(e, inst, PTX_SPACE_shared, p, v);
        else
            ir_store(e, v, p, size);
    }
    emit_mbarrier_complete_tx(
        e, emit_spilled_lane(e, mbarriers, e->ptr, loop.lane),
        LLVMConstInt(e->i64, (uint64_t)size * count, 0));
    emit_lane_loop_end(e, &loop);
}
