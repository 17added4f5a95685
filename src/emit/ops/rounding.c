/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of floating-point arithmetic: flushing, saturating, directed
 * rounding, minimum and maximum.
 */
#include "emit/ops/ops.h"

/* Subnormals become zeros of the same sign. Halves, which are integers here,
 * and constants stay. */
LLVMValueRef emit_flush(struct emit *e, LLVMValueRef v)
{
    bool is_single = ir_element(v) == e->f32;
    if (LLVMIsConstant(v) || (!is_single && ir_element(v) != e->f64))
        return v;
    LLVMValueRef bits = ir_as_int(e, v);
    LLVMValueRef exponent = ir_and(
        e, bits, ir_int(bits, is_single ? 0x7f800000 : 0x7ff0000000000000));
    LLVMValueRef is_small = ir_icmp(e, LLVMIntEQ, exponent, ir_int(bits, 0));
    LLVMValueRef sign =
        ir_and(e, bits, ir_int(bits, is_single ? INT32_MIN : INT64_MIN));
    return ir_as(e, ir_select(e, is_small, sign, bits), ir_element(v));
}

/* NaN and -0 become +0. */
LLVMValueRef emit_saturate(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef zero = ir_real(v, 0), one = ir_real(v, 1);

    v = ir_select(e, ir_fcmp(e, LLVMRealOGT, v, zero), v, zero);
    return ir_select(e, ir_fcmp(e, LLVMRealOLT, v, one), v, one);
}

/* The neighbour of r by one step of its bits, away from zero or towards it. */
static LLVMValueRef neighbour_of(struct emit *e, LLVMValueRef bits, int step)
{
    assert(step == 1 || step == -1);
    return ir_add(e, bits, ir_int(bits, step));
}

/* The next float above (or below) r. */
static LLVMValueRef next_float(struct emit *e, LLVMValueRef r, bool is_up)
{
    LLVMValueRef bits = ir_as_int(e, r);
    unsigned width = ir_bits(bits);
    LLVMValueRef is_negative = ir_icmp(e, LLVMIntSLT, bits, ir_int(bits, 0));
    LLVMValueRef is_zero = ir_fcmp(e, LLVMRealOEQ, r, ir_real(r, 0));
    LLVMValueRef grow = neighbour_of(e, bits, 1),
                 shrink = neighbour_of(e, bits, -1);
    LLVMValueRef v = is_up ? ir_select(e, is_negative, shrink, grow)
                           : ir_select(e, is_negative, grow, shrink);
    int64_t tiny = is_up ? 1 : (int64_t)((UINT64_C(1) << (width - 1)) | 1);
    v = ir_select(e, is_zero, ir_int(bits, tiny), v);
    return ir_as(e, v, ir_element(r));
}

/*
 * r is a value rounded to nearest, `error` has the sign of value - r. The
 * error of an overflow to infinity is NaN or infinite; towards zero the
 * result is then the largest finite number, which next_float gives too.
 */
LLVMValueRef emit_round_directed(struct emit *e, LLVMValueRef r,
                                 LLVMValueRef error, enum ptx_rnd rnd)
{
    LLVMValueRef zero = ir_real(r, 0);
    LLVMValueRef below = ir_fcmp(e, LLVMRealOLT, error, ir_real(error, 0));
    LLVMValueRef above = ir_fcmp(e, LLVMRealOGT, error, ir_real(error, 0));
    LLVMValueRef is_negative = ir_fcmp(e, LLVMRealOLT, r, zero);
    LLVMValueRef is_positive = ir_fcmp(e, LLVMRealOGT, r, zero);
    LLVMValueRef down = next_float(e, r, false), up = next_float(e, r, true);

    assert(ptx_is_directed(rnd));
    if (rnd == PTX_RND_rm)
        return ir_select(e, below, down, r);
    if (rnd == PTX_RND_rp)
        return ir_select(e, above, up, r);
    r = ir_select(e, ir_and(e, below, is_positive), down, r);
    return ir_select(e, ir_and(e, above, is_negative), up, r);
}

LLVMValueRef emit_quiet_nan(struct emit *e, LLVMValueRef like)
{
    return ir_bits_real(e, like,
                        ir_element(like) == e->f32
                            ? UINT64_C(0x7fffffff)
                            : UINT64_C(0x7fffffffffffffff));
}

/* A number wins over a NaN, -0 is below +0. With .NaN, NaN wins. Of two NaNs
 * f64 keeps the second's payload. */
LLVMValueRef emit_float_min_max(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                                bool is_max, bool is_nan)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    LLVMValueRef v =
        ir_binary(e, is_max ? "llvm.maximumnum" : "llvm.minimumnum", a, b);
    LLVMValueRef bad = is_nan ? ir_fcmp(e, LLVMRealUNO, a, b) : ir_is_nan(e, v);
    LLVMValueRef nan = emit_quiet_nan(e, v);
    if (ir_element(v) == e->f64) {
        LLVMValueRef bits = ir_as_int(e, b);
        nan = ir_as(e, ir_or(e, bits, ir_int(bits, INT64_C(1) << 51)), e->f64);
    }
    return ir_select(e, bad, nan, v);
}

/* rcp and rsqrt of f64 with .approx.ftz read and give the upper half only: PTX
 * ISA, "rcp.approx.ftz.f64". */
LLVMValueRef emit_upper_half(struct emit *e, LLVMValueRef v)
{
    assert(ir_bits(v) == 64);
    LLVMValueRef bits = ir_as_int(e, v);
    return ir_as(e, ir_and(e, bits, ir_int(bits, ~INT64_C(0xffffffff))),
                 e->f64);
}
