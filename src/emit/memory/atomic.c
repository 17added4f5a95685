/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atom and red for all lanes. Each active lane does its own operation (rmw.c),
 * the lowest lane first. If all lanes have one address, they are combined into
 * one operation; a lane that uses the old value gets what memory held, with
 * the operands of the lanes below it applied.
 */
#include "emit/memory/atomic.h"
#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "emit/warp/warp.h"

/* ---- all lanes --------------------------------------------------------- */

/* The operands of the lanes: in memory, or as a scalar if all are the same. */
struct brought {
    LLVMValueRef scalar, memory;
};

static struct brought bring_operand(struct emit *e, const struct ptx_operand *o,
                                    enum ptx_type type)
{
    if (!o)
        return (struct brought){0};
    if (emit_is_uniform(e, o))
        return (struct brought){.scalar = emit_read_lane(e, o, type, 0)};
    return (struct brought){.memory =
                                emit_spill(e, emit_read_vector(e, o, type))};
}

static LLVMValueRef brought_by(struct emit *e, const struct atomic *a,
                               struct brought b, LLVMValueRef lane)
{
    return b.memory ? emit_spilled_lane(e, b.memory, a->t, lane) : b.scalar;
}

struct lanes {
    LLVMValueRef pointers; /* in memory; offsets in the shared window */
    struct brought b, c;
    LLVMValueRef into; /* where old values go; may be NULL */
};

static bool is_by_offset(const struct atomic *a)
{
    return a->space == PTX_SPACE_shared && a->address->reg != PTX_NO_REG;
}

/* Pointers, or offsets if the lanes' addresses are offsets. */
static LLVMValueRef all_pointers(struct emit *e, const struct atomic *a)
{
    if (!is_by_offset(a))
        return emit_pointer(e, a->address, a->space, EMIT_ALL_LANES, a->offset);
    LLVMValueRef v = ir_as_int(e, emit_read_reg(e, a->address->reg));
    v = ir_resize(e, v, e->i32, false);
    return ir_add(e, v, ir_int(v, a->address->imm + a->offset));
}

static LLVMValueRef pointer_of_lane(struct emit *e, const struct atomic *a,
                                    LLVMValueRef memory, LLVMValueRef lane)
{
    assert(LLVMTypeOf(lane) == e->i32);
    if (!is_by_offset(a))
        return emit_spilled_lane(e, memory, e->ptr, lane);
    LLVMValueRef offset = emit_spilled_lane(e, memory, e->i32, lane);
    return ir_offset_by(e, e->f->env.shared, ir_zext(e, offset, e->i64));
}

static void at_lane(struct emit *e, const struct atomic *a,
                    const struct lanes *l, LLVMValueRef lane)
{
    LLVMValueRef old = emit_atomic_one_lane(
        e, a, pointer_of_lane(e, a, l->pointers, lane),
        brought_by(e, a, l->b, lane), brought_by(e, a, l->c, lane));
    if (l->into)
        emit_store_lane(e, l->into, a->t, lane, old);
}

enum { AT_ONCE = 2 };

/* In the block's own memory an atomic is two or three instructions; if all
 * lanes are active, a plain loop is cheaper than finding them. Few at once: a
 * processor learns for each instruction which loads depend on which stores,
 * and 32 in a row took five times as long for a contended histogram. */
static LLVMBasicBlockRef count_through(struct emit *e, const struct atomic *a,
                                       const struct lanes *l)
{
    LLVMBasicBlockRef all = emit_new_block(e, "all.lanes");
    LLVMBasicBlockRef some = emit_new_block(e, "some.lanes");
    LLVMBasicBlockRef done = emit_new_block(e, "lanes.done");

    assert(e->lanes % AT_ONCE == 0);
    emit_branch(e, emit_all(e, emit_mask(e)), all, some, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, all);
    LLVMValueRef var = emit_alloca(e, e->i32, 0, "lane");
    LLVMBasicBlockRef again = emit_new_block(e, "next.lanes");
    ir_store(e, LLVMConstInt(e->i32, 0, 0), var, 0);
    emit_goto_new(e, again);
    LLVMValueRef lane = ir_load(e, e->i32, var, 0);
    for (unsigned i = 0; i < AT_ONCE; i++)
        at_lane(e, a, l, ir_add(e, lane, ir_int(lane, i)));
    lane = ir_add(e, lane, ir_int(lane, AT_ONCE));
    ir_store(e, lane, var, 0);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntULT, lane, ir_int(lane, e->lanes)),
                    again, done);
    LLVMPositionBuilderAtEnd(e->b, some);
    return done;
}

/* The operand to add: a scalar if it is the same for all lanes. */
static LLVMValueRef operand_of(struct emit *e, const struct atomic *a)
{
    return emit_is_uniform(e, a->b) ? emit_read_lane(e, a->b, a->type, 0)
                                    : emit_read_vector(e, a->b, a->type);
}

static void each_lane(struct emit *e, const struct atomic *a)
{
    bool is_short = a->space == PTX_SPACE_shared &&
                    !emit_atomic_is_half(a->type) && e->lanes % AT_ONCE == 0;
    LLVMValueRef pointers = all_pointers(e, a);
    LLVMBasicBlockRef done = NULL;
    struct emit_lane_loop loop;

    if (is_by_offset(a) &&
        emit_count_in_histogram(e, pointers, operand_of(e, a)))
        return;
    struct lanes l = {.pointers = emit_spill(e, pointers),
                      .b = bring_operand(e, a->b, a->type),
                      .c = bring_operand(e, a->c, a->type)};
    if (a->dest)
        l.into = emit_alloca(e, LLVMVectorType(a->t, e->lanes), 64, "old");
    if (is_short)
        done = count_through(e, a, &l);
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    at_lane(e, a, &l, loop.lane);
    emit_lane_loop_end(e, &loop);
    if (done)
        emit_goto_new(e, done);
    if (l.into)
        emit_write_vector(e, a->dest, emit_unspill(e, l.into, a->t), a->type);
}

/* ---- one address ------------------------------------------------------- */

/* All active lanes have address p: one atomic for all. Returns the old values
 * if they are used. */
static LLVMValueRef atomic_of_lanes(struct emit *e, const struct atomic *a,
                                    LLVMValueRef p)
{
    LLVMValueRef v = emit_read_vector(e, a->b, a->type), before = NULL, all;

    assert(LLVMTypeOf(p) == e->ptr);
    if (a->dest)
        all = emit_scan(e, a->inst->sub, a->type, v, &before);
    else
        all = emit_reduce(e, a->inst->sub, a->type, v);
    if (e->f->plan->insts[e->f->at.index].privatised == SIMT_SUM_OF_CALL) {
        emit_add_privately(e, p, all);
        return NULL;
    }
    LLVMValueRef old = emit_atomic_one_lane(e, a, p, all, NULL);
    return a->dest
               ? emit_atomic_new_value(e, a, emit_splat(e, old), before, NULL)
               : NULL;
}

/* Tests whether the lanes have one address. */
static void together_or_each(struct emit *e, const struct atomic *a)
{
    LLVMValueRef pointers =
        emit_pointer(e, a->address, a->space, EMIT_ALL_LANES, a->offset);
    LLVMTypeRef i64s = LLVMVectorType(e->i64, e->lanes);
    LLVMValueRef address = LLVMBuildPtrToInt(e->b, pointers, i64s, "");
    LLVMValueRef first = emit_last_active(e, address);
    LLVMValueRef other = ir_icmp(e, LLVMIntNE, address, emit_splat(e, first));
    LLVMValueRef is_one =
        ir_not(e, emit_any(e, emit_and_mask(e, e->f->at.mask, other)));
    LLVMBasicBlockRef one = emit_new_block(e, "one.address");
    LLVMBasicBlockRef many = emit_new_block(e, "addresses");
    LLVMBasicBlockRef done = emit_new_block(e, "atomic.done");

    emit_branch(e, is_one, one, many, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, one);
    LLVMValueRef p = LLVMBuildIntToPtr(e->b, first, e->ptr, "");
    LLVMValueRef old = atomic_of_lanes(e, a, p);
    if (old)
        emit_write_vector(e, a->dest, old, a->type);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, many);
    each_lane(e, a);
    emit_goto_new(e, done);
}

static void keep_or_each(struct emit *e, const struct atomic *a)
{
    assert(!a->dest);
    LLVMBasicBlockRef done = emit_add_lanes_privately(
        e, emit_pointer(e, a->address, a->space, 0, a->offset),
        emit_read_vector(e, a->b, a->type));

    each_lane(e, a);
    emit_goto_new(e, done);
}

static void combined_atomic(struct emit *e, const struct atomic *a)
{
    LLVMValueRef p = emit_pointer(e, a->address, a->space, 0, a->offset);
    LLVMValueRef old = atomic_of_lanes(e, a, p);

    assert(simt_is_uniform(e->f->k->address[e->f->at.index]));
    if (old)
        emit_write_vector(e, a->dest, old, a->type);
}

/* As the plan says: simt/plan/atomic.c. */
static void perform_atomic(struct emit *e, const struct atomic *a)
{
    assert(ptx_is_atomic(a->inst));
    switch (e->f->plan->insts[e->f->at.index].atomic[a->dest != NULL]) {
    case SIMT_ATOMIC_EACH:
        each_lane(e, a);
        break;
    case SIMT_ATOMIC_COMBINED:
        combined_atomic(e, a);
        break;
    case SIMT_ATOMIC_IF_ONE:
        together_or_each(e, a);
        break;
    case SIMT_ATOMIC_KEPT:
        keep_or_each(e, a);
        break;
    }
}

void emit_atom(struct emit *e, const struct ptx_inst *inst)
{
    bool is_red = inst->op == PTX_OP_red;
    const struct ptx_operand *o = inst->operand + !is_red;
    bool is_cas = inst->sub == PTX_SUB_cas;
    bool is_unused = is_red || e->f->k->inst_flags[e->f->at.index] & SIMT_DEAD;
    unsigned count = ptx_vector_width(inst);

    if (inst->flags & PTX_FLAG_async) {
        emit_store_async(e, inst);
        return;
    }
    struct atomic a = {
        .inst = inst,
        .address = &o[0],
        .c = is_cas ? &o[2] : NULL,
        .space = ptx_space_of(&o[0], inst->space),
        .type = inst->type[0],
        .t = emit_type(e, inst->type[0]),
    };

    /* one thread runs all blocks of a cluster */
    if (a.space == PTX_SPACE_shared_cluster)
        a.space = PTX_SPACE_shared;
    emit_fence_before(e, inst->sem);
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *d =
            is_unused ? NULL : ptx_operand_item(&inst->operand[0], i);
        a.dest = d && d->kind == PTX_OPERAND_reg ? d : NULL;
        a.b = ptx_operand_item(&o[1], i);
        a.offset = (int64_t)i * ptx_type_size(a.type);
        perform_atomic(e, &a);
    }
    emit_fence_after(e, inst->sem);
}
