/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atom and red. All warps of a block run on one thread, so that shared memory
 * needs no atomic instruction: each lane loads, computes and stores. Elsewhere
 * each active lane performs its own machine atomic, lowest lane first; where
 * all lanes hit one address and nobody wants the old value, the lanes are
 * combined first.
 */
#include "emit/internal.h"

struct atomic {
    const struct ptx_inst *inst;
    const struct ptx_operand *dest; /* NULL: red */
    const struct ptx_operand *address, *b, *c;
    enum ptx_space space;
    enum ptx_type type;
    LLVMTypeRef t; /* the type of values: an integer, f32 or f64 */
};

static LLVMAtomicOrdering ordering(enum ptx_sem sem)
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

static bool is_half(enum ptx_type t)
{
    return t == PTX_TYPE_f16 || t == PTX_TYPE_bf16 || t == PTX_TYPE_f16x2 ||
           t == PTX_TYPE_bf16x2;
}

/* ---- the new value from the old one ------------------------------------ */

static LLVMValueRef add_half(struct emit *e, enum ptx_type type, LLVMValueRef a,
                             LLVMValueRef b)
{
    bool is_bf16 = type == PTX_TYPE_bf16 || type == PTX_TYPE_bf16x2;

    if (type == PTX_TYPE_f16x2 || type == PTX_TYPE_bf16x2) {
        enum ptx_type one = is_bf16 ? PTX_TYPE_bf16 : PTX_TYPE_f16;
        LLVMValueRef n = ir_int(a, 16);
        LLVMValueRef low =
            add_half(e, one, ir_trunc(e, a, e->i16), ir_trunc(e, b, e->i16));
        LLVMValueRef high =
            add_half(e, one, ir_trunc(e, ir_lshr(e, a, n), e->i16),
                     ir_trunc(e, ir_lshr(e, b, n), e->i16));
        return ir_or(e, ir_zext(e, low, e->i32),
                     ir_shl(e, ir_zext(e, high, e->i32), n));
    }
    if (is_bf16)
        return emit_float_to_bf16(
            e, ir_fadd(e, emit_bf16_to_float(e, a), emit_bf16_to_float(e, b)),
            PTX_RND_rn);
    return emit_float_to_half(
        e, ir_fadd(e, emit_half_to_float(e, a), emit_half_to_float(e, b)),
        PTX_RND_rn);
}

static LLVMValueRef pick(struct emit *e, LLVMIntPredicate p, LLVMValueRef a,
                         LLVMValueRef b)
{
    return ir_select(e, ir_icmp(e, p, a, b), a, b);
}

static LLVMValueRef new_value(struct emit *e, const struct atomic *a,
                              LLVMValueRef old, LLVMValueRef b, LLVMValueRef c)
{
    bool is_signed = ptx_type_is_signed(a->type);
    bool is_float = a->t == e->f32 || a->t == e->f64;

    switch (a->inst->sub) {
    case PTX_SUB_and:
        return ir_and(e, old, b);
    case PTX_SUB_or:
        return ir_or(e, old, b);
    case PTX_SUB_xor:
        return ir_xor(e, old, b);
    case PTX_SUB_add:
        if (is_half(a->type))
            return add_half(e, a->type, old, b);
        return is_float ? ir_fadd(e, old, b) : ir_add(e, old, b);
    case PTX_SUB_exch:
        return b;
    case PTX_SUB_cas:
        return ir_select(e, ir_icmp(e, LLVMIntEQ, old, b), c, old);
    case PTX_SUB_min:
        if (is_float)
            return emit_float_min_max(e, old, b, false, false);
        return pick(e, is_signed ? LLVMIntSLT : LLVMIntULT, old, b);
    case PTX_SUB_max:
        if (is_float)
            return emit_float_min_max(e, old, b, true, false);
        return pick(e, is_signed ? LLVMIntSGT : LLVMIntUGT, old, b);
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

/* ---- one lane ---------------------------------------------------------- */

static LLVMValueRef plain(struct emit *e, const struct atomic *a,
                          LLVMValueRef p, LLVMValueRef b, LLVMValueRef c)
{
    LLVMValueRef old = ir_load(e, a->t, p, ptx_type_size(a->type));
    emit_set_alias(e, old, a->space);
    LLVMValueRef s =
        ir_store(e, new_value(e, a, old, b, c), p, ptx_type_size(a->type));
    emit_set_alias(e, s, a->space);
    return old;
}

/* What has no machine instruction: compare and swap until nobody came
 * between. LLVM expands its own such operations in the same way. */
static LLVMValueRef swap_loop(struct emit *e, const struct atomic *a,
                              LLVMValueRef p, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, 8 * ptx_type_size(a->type));
    LLVMValueRef var = emit_alloca(e, t, 0, "seen");
    LLVMBasicBlockRef again = emit_new_block(e, "swap");
    LLVMBasicBlockRef done = emit_new_block(e, "swapped");

    ir_store(e, ir_load(e, t, p, ptx_type_size(a->type)), var, 0);
    emit_goto_new(e, again);
    LLVMValueRef old = ir_load(e, t, var, 0);
    LLVMValueRef v = new_value(e, a, ir_as(e, old, a->t), b, NULL);
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

    if (is_half(a->type))
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

static LLVMValueRef one_lane(struct emit *e, const struct atomic *a,
                             LLVMValueRef p, LLVMValueRef b, LLVMValueRef c)
{
    LLVMAtomicOrdering order = ordering(a->inst->sem);
    bool is_float = a->t == e->f32 || a->t == e->f64;
    LLVMAtomicRMWBinOp op;

    if (a->space == PTX_SPACE_shared)
        return plain(e, a, p, b, c);
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
    if (!machine_op(a, is_float, &op))
        return swap_loop(e, a, p, b);
    LLVMValueRef old = LLVMBuildAtomicRMW(e->b, op, p, b, order, 0);
    LLVMSetAlignment(old, ptx_type_size(a->type));
    return old;
}

/* ---- all lanes --------------------------------------------------------- */

static void each_lane(struct emit *e, const struct atomic *a)
{
    LLVMValueRef pointers =
        emit_pointer(e, a->address, a->space, EMIT_ALL_LANES, 0);
    LLVMValueRef p = emit_spill(e, pointers), c = NULL, into = NULL;
    LLVMValueRef b = emit_spill(e, emit_read_vector(e, a->b, a->type));
    struct emit_lane_loop loop;

    if (a->c)
        c = emit_spill(e, emit_read_vector(e, a->c, a->type));
    if (a->dest)
        into = emit_alloca(e, LLVMVectorType(a->t, e->lanes), 64, "old");
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef old =
        one_lane(e, a, emit_spilled_lane(e, p, e->ptr, loop.lane),
                 emit_spilled_lane(e, b, a->t, loop.lane),
                 c ? emit_spilled_lane(e, c, a->t, loop.lane) : NULL);
    if (into)
        emit_store_lane(e, into, a->t, loop.lane, old);
    emit_lane_loop_end(e, &loop);
    if (into)
        emit_write_vector(e, a->dest, emit_unspill(e, into, a->t), a->type);
}

/* One address, nobody reads: combine the active lanes' values. NULL: this
 * operation cannot be combined. */
static LLVMValueRef combined(struct emit *e, const struct atomic *a)
{
    LLVMValueRef v = emit_read_vector(e, a->b, a->type);
    enum ptx_sub sub = a->inst->sub;

    if (sub == PTX_SUB_inc || sub == PTX_SUB_dec || sub == PTX_SUB_exch ||
        sub == PTX_SUB_cas || is_half(a->type))
        return NULL;
    if ((a->t == e->f32 || a->t == e->f64) && sub != PTX_SUB_add)
        return NULL;
    return emit_reduce(e, sub, a->type, v);
}

void emit_atom(struct emit *e, const struct ptx_inst *inst)
{
    bool is_red = inst->op == PTX_OP_red;
    const struct ptx_operand *o = inst->operand + !is_red;
    bool is_cas = inst->sub == PTX_SUB_cas;
    bool is_unused = e->f->k->inst_flags[e->f->index] & SIMT_DEAD;
    struct atomic a = {
        .inst = inst,
        .dest = is_red || is_unused || inst->operand[0].kind != PTX_OPERAND_reg
                    ? NULL
                    : &inst->operand[0],
        .address = &o[0],
        .b = &o[1],
        .c = is_cas ? &o[2] : NULL,
        .space = emit_effective_space(&o[0], inst->space),
        .type = inst->type[0],
        .t = emit_type(e, inst->type[0]),
    };

    if (inst->vector > 1 || ptx_type_size(a.type) > 8) {
        emit_refuse(e, "vector and 128-bit atomics are not supported");
        return;
    }
    emit_fence_before(e, inst->sem);
    LLVMValueRef all = NULL;
    if (!a.dest && simt_is_uniform(e->f->k->address[e->f->index]))
        all = combined(e, &a);
    if (all)
        one_lane(e, &a, emit_pointer(e, a.address, a.space, 0, 0), all, NULL);
    else
        each_lane(e, &a);
    emit_fence_after(e, inst->sem);
}
