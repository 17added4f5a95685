/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An atomic operation of one lane: the new value, and how it gets to memory.
 * All warps of a block run on one thread, so that shared memory needs no
 * atomic instruction: load, compute, store. Elsewhere it is an atomic
 * instruction, or a loop of compare-and-swap.
 */
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/atomic.h"
#include "emit/memory/memory.h"
#include "emit/ops/ops.h"

static LLVMAtomicOrdering llvm_ordering(enum ptx_sem sem)
{
    switch (sem) {
    case PTX_SEM_acquire:
        return LLVMAtomicOrderingAcquire;
    case PTX_SEM_release:
        return LLVMAtomicOrderingRelease;
    case PTX_SEM_acq_rel:
        return LLVMAtomicOrderingAcquireRelease;
    case PTX_SEM_sc:
        return LLVMAtomicOrderingSequentiallyConsistent;
    default:
        return LLVMAtomicOrderingMonotonic;
    }
}

bool emit_atomic_is_half(enum ptx_type t)
{
    return t == PTX_TYPE_f16 || t == PTX_TYPE_bf16 || t == PTX_TYPE_f16x2 ||
           t == PTX_TYPE_bf16x2;
}

/* add, min or max of one half. */
static LLVMValueRef of_half(struct emit *e, enum ptx_sub sub, bool is_bf16,
                            LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef x =
        is_bf16 ? emit_bf16_to_float(e, a) : emit_half_to_float(e, a);
    LLVMValueRef y =
        is_bf16 ? emit_bf16_to_float(e, b) : emit_half_to_float(e, b);
    LLVMValueRef v =
        sub == PTX_SUB_add
            ? ir_fadd(e, x, y)
            : emit_float_min_max(e, x, y, sub == PTX_SUB_max, false);

    assert(ir_bits(a) == 16 && ir_bits(b) == 16);
    return is_bf16 ? emit_float_to_bf16(e, v, PTX_RND_rn)
                   : emit_float_to_half(e, v, PTX_RND_rn);
}

static LLVMValueRef of_halves(struct emit *e, enum ptx_sub sub,
                              enum ptx_type type, LLVMValueRef a,
                              LLVMValueRef b)
{
    bool is_bf16 = type == PTX_TYPE_bf16 || type == PTX_TYPE_bf16x2;

    if (ptx_type_size(type) == 2)
        return of_half(e, sub, is_bf16, a, b);
    LLVMValueRef v = of_half(e, sub, is_bf16, ir_split(e, a, e->i16),
                             ir_split(e, b, e->i16));
    return ir_join(e, v, LLVMTypeOf(a));
}

static LLVMValueRef pick_extreme(struct emit *e, LLVMIntPredicate p,
                                 LLVMValueRef a, LLVMValueRef b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    return ir_select(e, ir_icmp(e, p, a, b), a, b);
}

/* Does the operation flush? Sums of singles in global memory do: PTX ISA,
 * "atom"; copies that add do not. A generic address is taken for a global
 * one. */
static bool flushes_sum(const struct emit *e, const struct atomic *a)
{
    return a->t == e->f32 && a->inst->sub == PTX_SUB_add &&
           a->space != PTX_SPACE_shared && !(a->inst->flags & PTX_FLAG_reduce);
}

/* Sums of singles are stored as numbers or as the canonical NaN. */
static LLVMValueRef as_stored(struct emit *e, const struct atomic *a,
                              LLVMValueRef v)
{
    bool is_sum = a->t == e->f32 && a->inst->sub == PTX_SUB_add;

    return is_sum ? emit_canonical_nan(e, v) : v;
}

LLVMValueRef emit_atomic_new_value(struct emit *e, const struct atomic *a,
                                   LLVMValueRef old, LLVMValueRef b,
                                   LLVMValueRef c)
{
    bool is_signed = ptx_type_is_signed(a->type);
    bool is_float = a->t == e->f32 || a->t == e->f64;

    assert(LLVMTypeOf(old) == LLVMTypeOf(b));
    if (emit_atomic_is_half(a->type) && a->inst->sub != PTX_SUB_exch &&
        a->inst->sub != PTX_SUB_cas)
        return of_halves(e, a->inst->sub, a->type, old, b);
    switch (a->inst->sub) {
    case PTX_SUB_and:
        return ir_and(e, old, b);
    case PTX_SUB_or:
        return ir_or(e, old, b);
    case PTX_SUB_xor:
        return ir_xor(e, old, b);
    case PTX_SUB_add:
        if (flushes_sum(e, a))
            return emit_flush(e,
                              ir_fadd(e, emit_flush(e, old), emit_flush(e, b)));
        return is_float ? ir_fadd(e, old, b) : ir_add(e, old, b);
    case PTX_SUB_exch:
        return b;
    case PTX_SUB_cas:
        return ir_select(e, ir_icmp(e, LLVMIntEQ, old, b), c, old);
    case PTX_SUB_min:
        if (is_float)
            return emit_float_min_max(e, old, b, false, false);
        return pick_extreme(e, is_signed ? LLVMIntSLT : LLVMIntULT, old, b);
    case PTX_SUB_max:
        if (is_float)
            return emit_float_min_max(e, old, b, true, false);
        return pick_extreme(e, is_signed ? LLVMIntSGT : LLVMIntUGT, old, b);
    case PTX_SUB_inc: {
        LLVMValueRef is_end = ir_icmp(e, LLVMIntUGE, old, b);
        return ir_select(e, is_end, ir_int(old, 0),
                         ir_add(e, old, ir_int(old, 1)));
    }
    case PTX_SUB_dec: {
        LLVMValueRef wraps =
            ir_or(e, ir_icmp(e, LLVMIntEQ, old, ir_int(old, 0)),
                  ir_icmp(e, LLVMIntUGT, old, b));
        return ir_select(e, wraps, b, ir_sub(e, old, ir_int(old, 1)));
    }
    default:
        emit_refuse(e, "this atomic operation is not supported");
        return old;
    }
}

static LLVMValueRef plain_rmw(struct emit *e, const struct atomic *a,
                              LLVMValueRef p, LLVMValueRef b, LLVMValueRef c)
{
    LLVMValueRef old = ir_load(e, a->t, p, ptx_type_size(a->type));
    emit_set_alias(e, old, a->space);
    LLVMValueRef v = as_stored(e, a, emit_atomic_new_value(e, a, old, b, c));
    LLVMValueRef s = ir_store(e, v, p, ptx_type_size(a->type));
    emit_set_alias(e, s, a->space);
    return old;
}

/* For operations without an instruction: compare-and-swap until no other came
 * between. LLVM expands its own such operations in the same way. */
static LLVMValueRef swap_loop(struct emit *e, const struct atomic *a,
                              LLVMValueRef p, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, 8 * ptx_type_size(a->type));
    LLVMValueRef var = emit_alloca(e, t, 0, "seen");
    LLVMBasicBlockRef again = emit_new_block(e, "swap");
    LLVMBasicBlockRef done = emit_new_block(e, "swapped");

    assert(a->space != PTX_SPACE_shared);
    ir_store(e, ir_load(e, t, p, ptx_type_size(a->type)), var, 0);
    emit_goto_new(e, again);
    LLVMValueRef old = ir_load(e, t, var, 0);
    LLVMValueRef v = as_stored(
        e, a, emit_atomic_new_value(e, a, ir_as(e, old, a->t), b, NULL));
    LLVMValueRef pair = LLVMBuildAtomicCmpXchg(
        e->b, p, old, ir_as(e, v, t), LLVMAtomicOrderingSequentiallyConsistent,
        LLVMAtomicOrderingSequentiallyConsistent, 0);
    LLVMSetAlignment(pair, ptx_type_size(a->type));
    LLVMValueRef seen = LLVMBuildExtractValue(e->b, pair, 0, "");
    LLVMValueRef is_done = LLVMBuildExtractValue(e->b, pair, 1, "");
    ir_store(e, seen, var, 0);
    LLVMBuildCondBr(e->b, is_done, done, again);
    LLVMPositionBuilderAtEnd(e->b, done);
    return ir_as(e, old, a->t);
}

static bool machine_op(const struct atomic *a, bool is_float,
                       LLVMAtomicRMWBinOp *op)
{
    bool is_signed = ptx_type_is_signed(a->type);

    if (emit_atomic_is_half(a->type))
        return false;
    switch (a->inst->sub) {
    case PTX_SUB_and:
        *op = LLVMAtomicRMWBinOpAnd;
        return true;
    case PTX_SUB_or:
        *op = LLVMAtomicRMWBinOpOr;
        return true;
    case PTX_SUB_xor:
        *op = LLVMAtomicRMWBinOpXor;
        return true;
    case PTX_SUB_add:
        *op = is_float ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
        return true;
    case PTX_SUB_exch:
        *op = LLVMAtomicRMWBinOpXchg;
        return true;
    case PTX_SUB_min:
        *op = is_signed ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
        return !is_float;
    case PTX_SUB_max:
        *op = is_signed ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
        return !is_float;
    default:
        return false;
    }
}

LLVMValueRef emit_atomic_one_lane(struct emit *e, const struct atomic *a,
                                  LLVMValueRef p, LLVMValueRef b,
                                  LLVMValueRef c)
{
    LLVMAtomicOrdering order = llvm_ordering(a->inst->sem);
    bool is_float = a->t == e->f32 || a->t == e->f64;
    LLVMAtomicRMWBinOp op;

    assert(LLVMTypeOf(p) == e->ptr);
    assert(LLVMTypeOf(b) == a->t);
    if (a->space == PTX_SPACE_shared)
        return plain_rmw(e, a, p, b, c);
    if (a->inst->sub == PTX_SUB_cas) {
        LLVMAtomicOrdering failure = order == LLVMAtomicOrderingRelease
                                         ? LLVMAtomicOrderingMonotonic
                                     : order == LLVMAtomicOrderingAcquireRelease
                                         ? LLVMAtomicOrderingAcquire
                                         : order;
        LLVMValueRef pair =
            LLVMBuildAtomicCmpXchg(e->b, p, b, c, order, failure, 0);
        LLVMSetAlignment(pair, ptx_type_size(a->type));
        return LLVMBuildExtractValue(e->b, pair, 0, "");
    }
    if (flushes_sum(e, a) || !machine_op(a, is_float, &op))
        return swap_loop(e, a, p, b);
    LLVMValueRef old = LLVMBuildAtomicRMW(e->b, op, p, b, order, 0);
    LLVMSetAlignment(old, ptx_type_size(a->type));
    return old;
}

void emit_atomic_at(struct emit *e, const struct ptx_inst *inst,
                    enum ptx_space space, LLVMValueRef p, LLVMValueRef b)
{
    assert(LLVMTypeOf(p) == e->ptr);
    const struct atomic a = {.inst = inst,
                             .space = space,
                             .type = inst->type[0],
                             .t = emit_type(e, inst->type[0])};
    emit_atomic_one_lane(e, &a, p, b, NULL);
}

LLVMValueRef emit_atomic_combine(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef a, LLVMValueRef b)
{
    const struct atomic op = {.inst = inst,
                              .space = PTX_SPACE_global,
                              .type = inst->type[0],
                              .t = emit_type(e, inst->type[0])};
    return emit_atomic_new_value(e, &op, a, b, NULL);
}
