/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by collectives for 32 lanes and for one lane to a call: the source
 * lane of a shuffle, votes, reductions.
 */
#include "emit/core/values.h"
#include "emit/ops/ops.h"
#include "emit/warp/warp.h"

LLVMValueRef emit_source_lane(struct emit *e, enum ptx_sub mode,
                              LLVMValueRef lane, LLVMValueRef b, LLVMValueRef c,
                              LLVMValueRef *in)
{
    LLVMValueRef low = ir_int(b, 31);
    LLVMValueRef segment = ir_and(e, ir_lshr(e, c, ir_int(c, 8)), low);
    LLVMValueRef outside = ir_not(e, segment);
    LLVMValueRef min = ir_and(e, lane, segment);
    LLVMValueRef max = ir_or(e, min, ir_and(e, ir_and(e, c, low), outside));
    LLVMValueRef j;

    b = ir_and(e, b, low);
    switch (mode) {
    case PTX_SUB_up:
        j = ir_sub(e, lane, b);
        break;
    case PTX_SUB_down:
        j = ir_add(e, lane, b);
        break;
    case PTX_SUB_bfly:
        j = ir_xor(e, lane, b);
        break;
    default:
        j = ir_or(e, min, ir_and(e, b, outside));
        break;
    }
    *in = ir_icmp(e, mode == PTX_SUB_up ? LLVMIntSGE : LLVMIntSLE, j, max);
    return ir_select(e, *in, j, lane);
}

/* bits, all: for each lane its own, or one for all of them. */
void emit_write_vote(struct emit *e, const struct ptx_inst *inst,
                     LLVMValueRef bits, LLVMValueRef all)
{
    const struct ptx_operand *d = &inst->operand[0];
    LLVMValueRef none = ir_icmp(e, LLVMIntEQ, bits, ir_int(bits, 0));
    LLVMValueRef every = ir_icmp(e, LLVMIntEQ, bits, all);
    LLVMValueRef v = inst->sub == PTX_SUB_ballot ? bits
                     : inst->sub == PTX_SUB_all  ? every
                     : inst->sub == PTX_SUB_any  ? ir_not(e, none)
                                                 : ir_or(e, none, every);
    enum ptx_type type =
        inst->sub == PTX_SUB_ballot ? PTX_TYPE_b32 : PTX_TYPE_pred;

    assert(inst->op == PTX_OP_vote);
    if (LLVMGetTypeKind(LLVMTypeOf(bits)) == LLVMVectorTypeKind)
        emit_write_vector(e, d, v, type);
    else
        emit_write_uniform(e, d, v, type);
}

static const char *reduction_name(enum ptx_sub sub, bool is_signed)
{
    switch (sub) {
    case PTX_SUB_and:
        return "llvm.vector.reduce.and";
    case PTX_SUB_or:
        return "llvm.vector.reduce.or";
    case PTX_SUB_xor:
        return "llvm.vector.reduce.xor";
    case PTX_SUB_min:
        return is_signed ? "llvm.vector.reduce.smin"
                         : "llvm.vector.reduce.umin";
    case PTX_SUB_max:
        return is_signed ? "llvm.vector.reduce.smax"
                         : "llvm.vector.reduce.umax";
    default:
        return "llvm.vector.reduce.add";
    }
}

/* What an absent lane contributes. */
LLVMValueRef emit_identity(LLVMValueRef v, enum ptx_sub sub, bool is_signed)
{
    uint64_t top = UINT64_C(1) << (ir_bits(v) - 1);

    switch (sub) {
    case PTX_SUB_and:
        return ir_int(v, -1);
    case PTX_SUB_min:
        return ir_int(v, is_signed ? (int64_t)(top - 1) : -1);
    case PTX_SUB_max:
        return ir_int(v, is_signed ? (int64_t)top : 0);
    default:
        return ir_int(v, 0);
    }
}

/* A sum in any order, as no program can rely on one. */
static LLVMValueRef reduce_float_sum(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef zero = ir_real(v, -0.0);
    LLVMTypeRef t = LLVMTypeOf(v);

    if (e->f->at.mask)
        v = ir_select(e, e->f->at.mask, v, zero);
    LLVMValueRef args[] = {LLVMConstReal(ir_element(v), -0.0), v};
    LLVMValueRef sum =
        ir_intrinsic(e, "llvm.vector.reduce.fadd", &t, 1, args, 2);
    LLVMSetFastMathFlags(sum, LLVMFastMathAllowReassoc);
    return sum;
}

LLVMValueRef emit_reduce(struct emit *e, enum ptx_sub sub, enum ptx_type type,
                         LLVMValueRef v)
{
    bool is_signed = ptx_type_is_signed(type);

    assert(ir_is_vector(v));
    if (ptx_type_is_float(type))
        return reduce_float_sum(e, v);
    if (e->f->at.mask)
        v = ir_select(e, e->f->at.mask, v, emit_identity(v, sub, is_signed));
    return ir_unary(e, reduction_name(sub, is_signed), v);
}

/* min or max of floats: a NaN counts as absent unless .NaN is given. */
static LLVMValueRef reduce_float_min_max(struct emit *e,
                                         const struct ptx_inst *inst,
                                         LLVMValueRef v)
{
    bool is_max = inst->sub == PTX_SUB_max;
    bool is_nan = inst->flags & PTX_FLAG_NaN;
    LLVMValueRef absent = ir_bits_real(e, v, is_max ? 0xff800000 : 0x7f800000);

    if (inst->flags & PTX_FLAG_abs)
        v = ir_fabs(e, v);
    if (e->f->at.mask)
        v = ir_select(e, e->f->at.mask, v, absent);
    for (unsigned n = LLVMGetVectorSize(LLVMTypeOf(v)) / 2; n > 0; n /= 2)
        v = emit_float_min_max(e, ir_slice(e, v, 0, n), ir_slice(e, v, n, n),
                               is_max, is_nan);
    return ir_extract(e, v, 0);
}

LLVMValueRef emit_redux_of(struct emit *e, const struct ptx_inst *inst,
                           LLVMValueRef v, LLVMValueRef mask)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef own = e->f->at.mask;

    assert(inst->op == PTX_OP_redux);
    e->f->at.mask = mask;
    v = type == PTX_TYPE_f32 ? reduce_float_min_max(e, inst, v)
                             : emit_reduce(e, inst->sub, type, v);
    e->f->at.mask = own;
    return v;
}
