/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Privatised reductions as in privatised.c, but with a sum for each lane: the
 * call keeps the sums, and which lanes have added something, for the first
 * place that it meets.
 */
#include "emit/core/lines.h"
#include "emit/core/masks.h"
#include "emit/memory/memory.h"

enum { ALIGN_BYTES = 64 };

struct emit_lane_sums {
    struct emit_lane_sums *next;
    const struct ptx_inst *inst;
    LLVMTypeRef type;
    /* In memory: address for the coarse warp's first lane, or NULL; the sum of
     * each lane; lanes that have added something, an i32 for each warp. */
    LLVMValueRef address, sums, lanes;
};

static unsigned warp_bytes(const struct emit *e, const struct emit_lane_sums *l)
{
    return e->lanes * ptx_type_size(l->inst->type[0]);
}

/* Makes all sums empty. */
static void reset_sums(struct emit *e, const struct emit_lane_sums *l)
{
    LLVMTypeRef sums = LLVMVectorType(l->type, e->lanes);

    assert(l->address && l->sums && l->lanes);
    ir_store(e, LLVMConstNull(e->ptr), l->address, 0);
    for (unsigned w = 0; w < e->f->warps; w++) {
        ir_store(e, LLVMConstInt(e->i32, 0, 0), ir_offset(e, l->lanes, 4 * w),
                 4);
        ir_store(e, LLVMConstNull(sums),
                 ir_offset(e, l->sums, (int64_t)w * warp_bytes(e, l)),
                 ALIGN_BYTES);
    }
}

static struct emit_lane_sums *kept_for(struct emit *e, LLVMTypeRef type)
{
    struct emit_lane_sums *l = e->f->kept.lane_sums;
    uint64_t lanes = (uint64_t)e->lanes * e->f->warps;

    while (l && l->inst != e->f->at.inst)
        l = l->next;
    if (l)
        return l;
    l = arena_new(e->arena, struct emit_lane_sums);
    l->inst = e->f->at.inst;
    l->type = type;
    l->address = emit_alloca(e, e->ptr, 0, "kept.address");
    l->sums = emit_alloca(e, LLVMArrayType2(type, lanes), ALIGN_BYTES, "kept");
    l->lanes = emit_alloca(e, LLVMArrayType2(e->i32, e->f->warps), 4, "keeps");
    l->next = e->f->kept.lane_sums;
    e->f->kept.lane_sums = l;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderBefore(
        e->b, LLVMGetBasicBlockTerminator(e->f->blocks.allocas));
    reset_sums(e, l);
    emit_go_back(e, here);
    return l;
}

/* Adds each lane's sum to memory. A loop over the warps, as there are many
 * lanes, and this is rare. */
static void release_sums(struct emit *e, const struct emit_lane_sums *l)
{
    LLVMValueRef var = emit_alloca(e, e->i32, 0, "warp");
    LLVMBasicBlockRef again = emit_new_block(e, "kept.warp");
    LLVMBasicBlockRef done = emit_new_block(e, "kept.done");
    unsigned bytes = ptx_type_size(l->inst->type[0]);
    struct emit_lane_loop loop;

    ir_store(e, LLVMConstInt(e->i32, 0, 0), var, 0);
    emit_goto_new(e, again);
    LLVMValueRef warp = ir_load(e, e->i32, var, 0);
    LLVMValueRef wide = ir_zext(e, warp, e->i64);
    LLVMValueRef bits_at = LLVMBuildGEP2(e->b, e->i32, l->lanes, &wide, 1, "");
    emit_bit_loop_begin(e, &loop, ir_load(e, e->i32, bits_at, 4));
    LLVMValueRef lane = ir_mul(e, wide, ir_int(wide, e->lanes));
    lane = ir_add(e, lane, ir_zext(e, loop.lane, e->i64));
    LLVMValueRef at = ir_mul(e, lane, ir_int(lane, bytes));
    LLVMValueRef p = ir_offset_by(e, ir_load(e, e->ptr, l->address, 0), at);
    LLVMValueRef sum = ir_load(e, l->type, ir_offset_by(e, l->sums, at), bytes);
    emit_atomic_at(e, l->inst, PTX_SPACE_global, p, sum);
    emit_lane_loop_end(e, &loop);
    warp = ir_add(e, warp, ir_int(warp, 1));
    ir_store(e, warp, var, 0);
    LLVMBuildCondBr(e->b,
                    ir_icmp(e, LLVMIntULT, warp, ir_int(warp, e->f->warps)),
                    again, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

static void add_kept(struct emit *e, const struct emit_lane_sums *l,
                     LLVMValueRef v)
{
    unsigned w = e->f->at.warp;
    LLVMValueRef bits_at = ir_offset(e, l->lanes, 4 * w);
    LLVMValueRef at = ir_offset(e, l->sums, (int64_t)w * warp_bytes(e, l));
    LLVMValueRef old = ir_load(e, LLVMTypeOf(v), at, ALIGN_BYTES);
    LLVMValueRef bits = ir_load(e, e->i32, bits_at, 4);

    assert(LLVMGetVectorSize(LLVMTypeOf(v)) == e->lanes);
    v = ir_select(e, emit_mask(e), v, LLVMConstNull(LLVMTypeOf(v)));
    ir_store(e, ir_add(e, old, v), at, ALIGN_BYTES);
    bits = ir_or(e, bits, emit_mask_bits(e, emit_mask(e)));
    ir_store(e, bits, bits_at, 4);
}

LLVMBasicBlockRef emit_add_lanes_privately(struct emit *e, LLVMValueRef first,
                                           LLVMValueRef v)
{
    const struct emit_lane_sums *l = kept_for(e, ir_element(v));
    LLVMBasicBlockRef keep = emit_new_block(e, "keep");
    LLVMBasicBlockRef other = emit_new_block(e, "keep.not");
    LLVMBasicBlockRef done = emit_new_block(e, "kept.or.not");
    LLVMValueRef known = ir_load(e, e->ptr, l->address, 0);

    assert(e->f->plan->insts[e->f->at.index].privatised == SIMT_SUM_OF_LANE);
    first = ir_offset(e, first, -(int64_t)e->f->at.warp * warp_bytes(e, l));
    LLVMValueRef is_new = ir_icmp(e, LLVMIntEQ, known, LLVMConstNull(e->ptr));
    LLVMValueRef is_same = ir_icmp(e, LLVMIntEQ, known, first);
    emit_branch(e, ir_or(e, is_new, is_same), keep, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, keep);
    ir_store(e, first, l->address, 0);
    add_kept(e, l, v);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, other);
    return done;
}

void emit_flush_lane_sums(struct emit *e)
{
    for (const struct emit_lane_sums *l = e->f->kept.lane_sums; l; l = l->next)
        release_sums(e, l);
}
