/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sin, cos, lg2, ex2, tanh and rsqrt of PTX's .approx kind: polynomials and
 * bits, inline, so that they vectorise like everything else. Errors stay
 * within the PTX ISA's bounds (the coefficients are least-maximum fits, their
 * error is noted where they stand); special values are those of the manual.
 */
#include "emit/core/emitters.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"

static LLVMValueRef horner_sum(struct emit *e, LLVMValueRef x,
                               const double *coefficients, unsigned count)
{
    LLVMValueRef v = ir_real(x, coefficients[0]);
    for (unsigned i = 1; i < count; i++)
        v = ir_fma(e, v, x, ir_real(x, coefficients[i]));
    return v;
}

static LLVMValueRef infinity_like(struct emit *e, LLVMValueRef like)
{
    return ir_bits_real(e, like, 0x7f800000);
}

static LLVMValueRef nan_like(struct emit *e, LLVMValueRef like)
{
    return ir_bits_real(e, like, 0x7fffffff);
}

static LLVMValueRef to_int(struct emit *e, LLVMValueRef v)
{
    return ir_cast(e, LLVMFPToSI, v, e->i32);
}

/* Added to a number of up to 2^21 it rounds to an integer, which then stands in
 * the low bits: three operations fewer than rint and a conversion. */
#define ROUNDER 12582912.0

/* Between low and high; NaN becomes low. */
static LLVMValueRef clamp_to(struct emit *e, LLVMValueRef v, double low,
                             double high)
{
    LLVMValueRef l = ir_real(v, low), h = ir_real(v, high);
    v = ir_select(e, ir_fcmp(e, LLVMRealOGT, v, l), v, l);
    return ir_select(e, ir_fcmp(e, LLVMRealOLT, v, h), v, h);
}

/* 2^n for n in [-126, 127]. */
static LLVMValueRef power_of_2(struct emit *e, LLVMValueRef n)
{
    LLVMValueRef bits = ir_shl(e, ir_add(e, n, ir_int(n, 127)), ir_int(n, 23));
    return ir_as(e, bits, e->f32);
}

/* ---- ex2 --------------------------------------------------------------- */

/* 2^f on [-1/2, 1/2], within 2^-28. */
static const double exp2_terms[] = {
    1.5461445e-4, 1.3400428e-3, 9.6180567e-3, 5.5503272e-2,
    2.4022651e-1, 6.9314721e-1, 1.0,
};

static LLVMValueRef approx_ex2(struct emit *e, LLVMValueRef x)
{
    LLVMValueRef t = clamp_to(e, x, -160, 130);
    LLVMValueRef border = ir_real(x, ROUNDER);
    LLVMValueRef moved = ir_fadd(e, t, border);
    LLVMValueRef f = ir_fsub(e, t, ir_fsub(e, moved, border));
    LLVMValueRef p = horner_sum(e, f, exp2_terms, ARRAY_COUNT(exp2_terms));
    /* In two steps, since 2^n may lie outside the normal range. */
    LLVMValueRef bits = ir_as_int(e, moved);
    LLVMValueRef n = ir_sub(e, bits, ir_int(bits, 0x4b400000));
    LLVMValueRef half = ir_ashr(e, n, ir_int(n, 1));
    p = ir_fmul(e, p, power_of_2(e, half));
    p = ir_fmul(e, p, power_of_2(e, ir_sub(e, n, half)));
    return ir_select(e, ir_is_nan(e, x), nan_like(e, x), p);
}

/* ---- lg2 --------------------------------------------------------------- */

/* log2(1 + f) / f on [sqrt(1/2) - 1, sqrt(2) - 1], within 2^-27. */
static const double log2_terms[] = {
    -0.10749789, 0.18476033,  -0.19138838, 0.20485765,  -0.23960812,
    0.28855256,  -0.36069654, 0.48089852,  -0.72134735, 1.44269504,
};

static LLVMValueRef approx_lg2(struct emit *e, LLVMValueRef x)
{
    LLVMValueRef bits = ir_as_int(e, x);
    LLVMValueRef is_tiny =
        ir_icmp(e, LLVMIntULT, bits, ir_int(bits, 0x00800000));
    LLVMValueRef scaled = ir_as_int(e, ir_fmul(e, x, ir_real(x, 16777216.0)));
    LLVMValueRef b = ir_select(e, is_tiny, scaled, bits);
    /* Mantissa in [sqrt(1/2), sqrt(2)): move the exponent's border there. */
    LLVMValueRef border = ir_int(b, 0x3f3504f3);
    LLVMValueRef moved = ir_sub(e, b, border);
    LLVMValueRef n = ir_ashr(e, moved, ir_int(b, 23));
    LLVMValueRef m = ir_add(e, ir_and(e, moved, ir_int(b, 0x007fffff)), border);
    LLVMValueRef f = ir_fsub(e, ir_as(e, m, e->f32), ir_real(x, 1));
    n = ir_sub(e, n, ir_select(e, is_tiny, ir_int(n, 24), ir_int(n, 0)));
    LLVMValueRef p = horner_sum(e, f, log2_terms, ARRAY_COUNT(log2_terms));
    LLVMValueRef v = ir_fma(e, f, p, ir_cast(e, LLVMSIToFP, n, e->f32));
    LLVMValueRef zero = ir_real(x, 0);
    v = ir_select(e, ir_fcmp(e, LLVMRealOEQ, x, infinity_like(e, x)), x, v);
    v = ir_select(e, ir_fcmp(e, LLVMRealOEQ, x, zero),
                  ir_fneg(e, infinity_like(e, x)), v);
    return ir_select(e, ir_fcmp(e, LLVMRealUGE, x, zero),
                     ir_select(e, ir_is_nan(e, x), nan_like(e, x), v),
                     nan_like(e, x));
}

/* ---- sin, cos ---------------------------------------------------------- */

/* On [-pi/4, pi/4]: sin(x) = x + x^3 s(x^2), cos(x) = 1 + x^2 c(x^2). */
static const double sin_terms[] = {-1.9515295891e-4, 8.3321608736e-3,
                                   -1.6666654611e-1};
static const double cos_terms[] = {2.443315711809948e-5, -1.388731625493765e-3,
                                   4.166664568298827e-2, -0.5};

/* pi/2 in three parts, exact products for the quadrants of interest. */
static LLVMValueRef reduce_angle(struct emit *e, LLVMValueRef x,
                                 LLVMValueRef *quadrant)
{
    LLVMValueRef k = ir_unary(e, "llvm.rint",
                              ir_fmul(e, x, ir_real(x, 0.63661977236758134)));
    k = clamp_to(e, k, -1e9, 1e9);
    *quadrant = to_int(e, k);
    LLVMValueRef minus = ir_fneg(e, k);
    LLVMValueRef r = ir_fma(e, minus, ir_real(x, 1.57079625129699707), x);
    r = ir_fma(e, minus, ir_real(x, 7.54978941586159635e-8), r);
    r = ir_fma(e, minus, ir_real(x, 5.39030295995763e-15), r);
    /* Beyond 2^30 or so nothing is promised but a result within [-1, 1]. */
    LLVMValueRef is_far =
        ir_fcmp(e, LLVMRealUGT, ir_fabs(e, r), ir_real(r, 1.1));
    return ir_select(e, is_far, ir_real(r, 0), r);
}

static LLVMValueRef sin_of_quadrant(struct emit *e, LLVMValueRef x,
                                    LLVMValueRef r, LLVMValueRef quadrant)
{
    LLVMValueRef r2 = ir_fmul(e, r, r);
    LLVMValueRef s = horner_sum(e, r2, sin_terms, ARRAY_COUNT(sin_terms));
    s = ir_fma(e, ir_fmul(e, s, r2), r, r);
    LLVMValueRef c = horner_sum(e, r2, cos_terms, ARRAY_COUNT(cos_terms));
    c = ir_fma(e, c, r2, ir_real(r, 1));
    LLVMValueRef one = ir_int(quadrant, 1);
    LLVMValueRef is_odd =
        ir_icmp(e, LLVMIntNE, ir_and(e, quadrant, one), ir_int(quadrant, 0));
    LLVMValueRef v = ir_select(e, is_odd, c, s);
    LLVMValueRef sign = ir_shl(e, ir_and(e, quadrant, ir_int(quadrant, 2)),
                               ir_int(quadrant, 30));
    v = ir_as(e, ir_xor(e, ir_as_int(e, v), sign), e->f32);
    LLVMValueRef is_finite =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, x), infinity_like(e, x));
    return ir_select(e, is_finite, v, nan_like(e, x));
}

static LLVMValueRef approx_sin(struct emit *e, LLVMValueRef x)
{
    LLVMValueRef quadrant;
    LLVMValueRef r = reduce_angle(e, x, &quadrant);
    LLVMValueRef v = sin_of_quadrant(e, x, r, quadrant);
    LLVMValueRef is_zero = ir_fcmp(e, LLVMRealOEQ, x, ir_real(x, 0));
    return ir_select(e, is_zero, x, v);
}

static LLVMValueRef approx_cos(struct emit *e, LLVMValueRef x)
{
    LLVMValueRef quadrant;
    LLVMValueRef r = reduce_angle(e, x, &quadrant);
    return sin_of_quadrant(e, x, r, ir_add(e, quadrant, ir_int(quadrant, 1)));
}

/* ---- tanh -------------------------------------------------------------- */

/* Below 0.55: x + x^3 t(x^2); above: 1 - 2 / (2^(2 x log2 e) + 1). */
static const double tanh_terms[] = {2.1869488e-2, -5.3968254e-2, 1.3333333e-1,
                                    -3.3333333e-1};

static LLVMValueRef approx_tanh(struct emit *e, LLVMValueRef x)
{
    LLVMValueRef size = ir_fabs(e, x), x2 = ir_fmul(e, x, x);
    LLVMValueRef p = horner_sum(e, x2, tanh_terms, ARRAY_COUNT(tanh_terms));
    LLVMValueRef small = ir_fma(e, ir_fmul(e, p, x2), x, x);
    LLVMValueRef power =
        approx_ex2(e, ir_fmul(e, size, ir_real(x, 2.8853900817779268)));
    LLVMValueRef one = ir_real(x, 1);
    LLVMValueRef big =
        ir_fsub(e, one, ir_fdiv(e, ir_real(x, 2), ir_fadd(e, power, one)));
    LLVMValueRef is_small = ir_fcmp(e, LLVMRealOLT, size, ir_real(x, 0.55));
    LLVMValueRef v = ir_select(e, is_small, small, big);
    v = ir_binary(e, "llvm.copysign", v, x);
    return ir_select(e, ir_is_nan(e, x), nan_like(e, x), v);
}

/* ---- rsqrt ------------------------------------------------------------- */

/* x86 only: an estimate of 14 bits, sixteen lanes at a time. */
static LLVMValueRef estimate_avx512(struct emit *e, LLVMValueRef x)
{
    LLVMValueRef parts[EMIT_MAX_LANES / 16];
    unsigned count = e->lanes / 16;

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef part = ir_slice(e, x, 16 * i, 16);
        LLVMValueRef args[] = {part, LLVMConstNull(LLVMTypeOf(part)),
                               LLVMConstAllOnes(e->i16)};
        parts[i] =
            ir_intrinsic(e, "llvm.x86.avx512.rsqrt14.ps.512", NULL, 0, args, 3);
    }
    return ir_concat(e, parts, count);
}

/* One step of Newton's doubles the bits. For 0 and infinity it gives NaN where
 * the estimate is right already. */
static LLVMValueRef refine_root(struct emit *e, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef half = ir_fmul(e, ir_fmul(e, x, y), ir_real(x, 0.5));
    LLVMValueRef rest = ir_fma(e, ir_fneg(e, half), y, ir_real(x, 0.5));
    LLVMValueRef v = ir_fma(e, y, rest, y);
    return ir_select(e, ir_is_nan(e, v), y, v);
}

static LLVMValueRef approx_rsqrt(struct emit *e, LLVMValueRef x)
{
    if (e->target->has_avx512 && ir_is_vector(x) && e->lanes % 16 == 0 &&
        ir_element(x) == e->f32)
        return refine_root(e, x, estimate_avx512(e, x));
    return ir_fdiv(e, ir_real(x, 1), ir_unary(e, "llvm.sqrt", x));
}

/* ---- opcodes ----------------------------------------------------------- */

typedef LLVMValueRef approx_fn(struct emit *e, LLVMValueRef x);

/* Where .ftz can be seen: of a subnormal argument 2^x and cos x are 1, sin x
 * and tanh x are subnormal themselves; lg2 and rsqrt never give one. */
enum flush { FLUSH_NOTHING, FLUSH_ARGUMENT, FLUSH_RESULT };

static void on_float(struct emit *e, const struct ptx_inst *inst, approx_fn *fn,
                     enum flush flush)
{
    if (!(inst->flags & PTX_FLAG_ftz))
        flush = FLUSH_NOTHING;
    LLVMValueRef x =
        flush == FLUSH_ARGUMENT
            ? emit_read_flushed(e, &inst->operand[1], inst->type[0])
            : emit_read(e, &inst->operand[1], inst->type[0]);
    LLVMValueRef v = fn(e, x);
    if (flush == FLUSH_RESULT)
        v = emit_flush(e, v);
    emit_write(e, &inst->operand[0], v, inst->type[0]);
}

void emit_sin(struct emit *e, const struct ptx_inst *inst)
{
    on_float(e, inst, approx_sin, FLUSH_RESULT);
}

void emit_cos(struct emit *e, const struct ptx_inst *inst)
{
    on_float(e, inst, approx_cos, FLUSH_NOTHING);
}

void emit_lg2(struct emit *e, const struct ptx_inst *inst)
{
    on_float(e, inst, approx_lg2, FLUSH_ARGUMENT);
}

void emit_rsqrt(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->type[0] == PTX_TYPE_f64 && inst->flags & PTX_FLAG_ftz) {
        LLVMValueRef x = emit_read(e, &inst->operand[1], PTX_TYPE_f64);
        x = approx_rsqrt(e, emit_flush(e, emit_upper_half(e, x)));
        x = emit_upper_half(e, emit_flush(e, x));
        emit_write(e, &inst->operand[0], x, PTX_TYPE_f64);
        return;
    }
    on_float(e, inst, approx_rsqrt, FLUSH_ARGUMENT);
}

void emit_ex2(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->type[0] == PTX_TYPE_f32)
        on_float(e, inst, approx_ex2, FLUSH_RESULT);
    else
        emit_half_approx(e, inst, approx_ex2);
}

void emit_tanh(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->type[0] == PTX_TYPE_f32)
        on_float(e, inst, approx_tanh, FLUSH_RESULT);
    else
        emit_half_approx(e, inst, approx_tanh);
}
