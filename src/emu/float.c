/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating-point instructions, through the host's IEEE arithmetic with its
 * rounding mode set as the instruction says. Half precision computes in
 * double and rounds once, which is exact for single operations. The .approx
 * forms give the correctly rounded result: inside every bound of the manual.
 */
#include "emu/internal.h"

#include <fenv.h>
#include <limits.h>
#include <math.h>

/* IEEE binary16 or bfloat16: exponent and fraction widths. */
struct small_format {
    int exponent_bits, fraction_bits;
};
static const struct small_format half_format = {5, 10};
static const struct small_format bfloat_format = {8, 7};
static const struct small_format e5m2_format = {5, 2};

/* e4m3 has no infinity: its largest exponent is one of numbers, and all ones
 * is NaN. */
static double e4m3_to_double(unsigned v)
{
    int exponent = (int)(v >> 3) & 15, fraction = (int)v & 7;
    double d =
        exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);

    if ((v & 0x7f) == 0x7f)
        d = NAN;
    return v & 0x80 ? -d : d;
}

/* Rounds in the current rounding mode; beyond the largest number is NaN. */
static unsigned e4m3_from_double(double d)
{
    unsigned sign = signbit(d) ? 0x80 : 0;
    int e;

    if (isnan(d))
        return 0x7f;
    if (isinf(d) || fabs(d) > 480)
        return sign | 0x7f;
    if (d == 0)
        return sign;
    frexp(d, &e);
    int ulp = (e - 1 < -6 ? -6 : e - 1) - 3;
    double steps = fabs(nearbyint(ldexp(d, -ulp)));
    unsigned v = (unsigned)steps;
    if (ulp > -9) /* normal: the hidden bit counts up the exponent */
        v += (unsigned)(ulp + 9) << 3;
    return sign | (v > 0x7f ? 0x7f : v);
}

static double small_to_double(struct small_format f, unsigned v)
{
    int bias = (1 << (f.exponent_bits - 1)) - 1;
    int most = (1 << f.exponent_bits) - 1;
    int exponent = (int)(v >> f.fraction_bits) & most;
    int fraction = (int)(v & ((1u << f.fraction_bits) - 1));
    bool sign = v >> (f.exponent_bits + f.fraction_bits) & 1;
    double d;

    if (exponent == most)
        d = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        d = ldexp(fraction, 1 - bias - f.fraction_bits);
    else
        d = ldexp(fraction + (1 << f.fraction_bits),
                  exponent - bias - f.fraction_bits);
    return sign ? -d : d;
}

/* Rounds in the current rounding mode. */
static unsigned small_from_double(struct small_format f, double d)
{
    int bias = (1 << (f.exponent_bits - 1)) - 1;
    unsigned most = (1u << f.exponent_bits) - 1;
    unsigned sign = signbit(d) ? 1u << (f.exponent_bits + f.fraction_bits) : 0;
    int e;

    if (isnan(d))
        return (1u << (f.exponent_bits + f.fraction_bits)) - 1;
    if (isinf(d))
        return sign | most << f.fraction_bits;
    if (d == 0)
        return sign;
    frexp(d, &e);
    int ulp = (e - 1 < 1 - bias ? 1 - bias : e - 1) - f.fraction_bits;
    double steps = fabs(nearbyint(ldexp(d, -ulp)));
    d = ldexp(steps, ulp);
    if (d == 0)
        return sign;
    if (isinf(d))
        e = INT_MAX;
    else
        frexp(d, &e);
    if (e - 1 > bias) /* rounded up out of range, or the largest number */
        return sign | (fegetround() == FE_TONEAREST ||
                               (fegetround() == FE_UPWARD && !sign) ||
                               (fegetround() == FE_DOWNWARD && sign)
                           ? most << f.fraction_bits
                           : (most << f.fraction_bits) - 1);
    if (e - 1 < 1 - bias)
        return sign | (unsigned)ldexp(d, bias - 1 + f.fraction_bits);
    unsigned fraction = (unsigned)ldexp(d, f.fraction_bits - (e - 1));
    return sign + ((unsigned)(e - 1 + bias - 1) << f.fraction_bits) + fraction;
}

double emu_to_double(enum ptx_type t, emu_bits v)
{
    switch (t) {
    case PTX_TYPE_f16:
        return small_to_double(half_format, (unsigned)v & 0xffff);
    case PTX_TYPE_bf16:
        return small_to_double(bfloat_format, (unsigned)v & 0xffff);
    case PTX_TYPE_e4m3:
        return e4m3_to_double((unsigned)v & 0xff);
    case PTX_TYPE_e5m2:
        return small_to_double(e5m2_format, (unsigned)v & 0xff);
    case PTX_TYPE_f64:
        return double_of_bits(v);
    default:
        return float_of_bits(v);
    }
}

emu_bits emu_from_double(enum ptx_type t, double d)
{
    switch (t) {
    case PTX_TYPE_f16:
        return small_from_double(half_format, d);
    case PTX_TYPE_bf16:
        return small_from_double(bfloat_format, d);
    case PTX_TYPE_e4m3:
        return e4m3_from_double(d);
    case PTX_TYPE_e5m2:
        return small_from_double(e5m2_format, d);
    case PTX_TYPE_f64:
        return bits_of_double(d);
    default:
        return bits_of_float((float)d);
    }
}

/* Sets the instruction's rounding mode. False: that is to nearest, the mode
 * outside of instructions. */
static bool set_rounding(enum ptx_rnd rnd)
{
    switch (rnd) {
    case PTX_RND_rz:
        fesetround(FE_TOWARDZERO);
        return true;
    case PTX_RND_rm:
        fesetround(FE_DOWNWARD);
        return true;
    case PTX_RND_rp:
        fesetround(FE_UPWARD);
        return true;
    default:
        return false;
    }
}

/* ---- one instruction in one of two host types --------------------------- */

struct floats {
    enum ptx_type t;
    double a, b, c; /* exact values of the operands */
};

static double flush_subnormal(const struct ptx_inst *in, enum ptx_type t,
                              double v)
{
    double least = t == PTX_TYPE_f32   ? 0x1p-126
                   : t == PTX_TYPE_f16 ? 0x1p-14
                   : t == PTX_TYPE_f64 ? 0x1p-1022
                                       : 0x1p-126;

    if ((in->flags & PTX_FLAG_ftz) && fabs(v) < least)
        return copysign(0, v);
    return v;
}

static double quiet_nan(double nan)
{
    return double_of_bits(bits_of_double(nan) | UINT64_C(1) << 51);
}

static double min_max(const struct ptx_inst *in, double a, double b)
{
    bool is_min = in->op == PTX_OP_min;

    if (isnan(a) || isnan(b))
        return (in->flags & PTX_FLAG_NaN) || (isnan(a) && isnan(b))
                   ? quiet_nan(isnan(b) ? b : a)
               : isnan(a) ? b
                          : a;
    if (a == b)
        return signbit(a) == is_min ? a : b;
    return (a < b) == is_min ? a : b;
}

/* Two or three operands; .xorsign.abs: the magnitudes', with the sign that
 * the product of the operands would have. */
static double min_max_all(const struct ptx_inst *in, const struct floats *f)
{
    double a = f->a, b = f->b, c = f->c;
    bool sign = signbit(a) ^ signbit(b);

    if (in->flags & (PTX_FLAG_xorsign_abs | PTX_FLAG_abs)) {
        a = fabs(a);
        b = fabs(b);
        c = fabs(c);
    }
    double v = min_max(in, a, b);
    if (in->operand_count > 3 && in->operand[3].kind != PTX_OPERAND_none) {
        sign ^= signbit(f->c);
        v = min_max(in, v, c);
    }
    return in->flags & PTX_FLAG_xorsign_abs && sign ? -v : v;
}

/* Single precision through float arithmetic: one rounding each. */
static double single_op(const struct ptx_inst *in, const struct floats *f)
{
    volatile float a = (float)f->a, b = (float)f->b, c = (float)f->c, r;

    switch (in->op) {
    case PTX_OP_add:
        r = a + b;
        return r;
    case PTX_OP_sub:
        r = a - b;
        return r;
    case PTX_OP_mul:
        r = a * b;
        return r;
    case PTX_OP_fma:
    case PTX_OP_mad:
        r = fmaf(a, b, c);
        return r;
    case PTX_OP_div: /* .approx: by a reciprocal that is 0 beyond 2^126 */
        r = in->flags & PTX_FLAG_approx && fabsf(b) > 0x1p126f
                ? a * copysignf(0, b)
                : a / b;
        return r;
    case PTX_OP_rcp:
        r = 1 / a;
        return r;
    case PTX_OP_sqrt:
        r = sqrtf(a);
        return r;
    default:
        assert(!"float_op chose it");
        return 0;
    }
}

/* Single or half precision's a * b + c, rounded to odd, so that the rounding to
 * the format that follows sees what was lost. The product is exact. */
static double fma_to_odd(const struct floats *f)
{
    int mode = fegetround();

    fesetround(FE_TOWARDZERO);
    feclearexcept(FE_INEXACT);
    volatile double p = f->a * f->b;
    volatile double r = p + f->c;
    emu_bits v = bits_of_double(r) | (fetestexcept(FE_INEXACT) ? 1 : 0);
    fesetround(mode);
    return double_of_bits(v);
}

/* Does .ftz make the result zero? It does if the exact result, rounded with as
 * many bits as a normal number has, is below the normal numbers. Sums are not
 * asked: below the normal numbers they are exact. */
static bool is_tiny(const struct ptx_inst *in, const struct floats *f)
{
    double exact;

    if (!(in->flags & PTX_FLAG_ftz) || f->t == PTX_TYPE_f64)
        return false;
    switch (in->op) {
    case PTX_OP_mul:
        exact = f->a * f->b;
        break;
    case PTX_OP_fma:
    case PTX_OP_mad:
        exact = fma_to_odd(f);
        break;
    case PTX_OP_div:
        exact = f->a / f->b;
        break;
    case PTX_OP_rcp:
        exact = 1 / f->a;
        break;
    default:
        return false;
    }
    if (f->t == PTX_TYPE_f16)
        return fabs(emu_to_double(
                   f->t, emu_from_double(f->t, exact * 0x1p20))) < 0x1p6;
    volatile float rounded = (float)(exact * 0x1p100);
    return fabsf(rounded) < 0x1p-26f;
}

/* Is an operand a NaN? *nan: the one that the result keeps, if several are, as
 * observed on hardware. */
static bool has_nan(const struct ptx_inst *in, const struct floats *f,
                    double *nan)
{
    bool is_unary = in->op == PTX_OP_rcp || in->op == PTX_OP_sqrt;
    bool is_fused = in->op == PTX_OP_fma || in->op == PTX_OP_mad;
    double order[3] = {f->b, is_fused ? f->c : f->a, f->a};

    if (is_unary || (in->op == PTX_OP_div && isnan(f->a)))
        order[0] = order[1] = f->a;
    for (unsigned i = 0; i < 3; i++)
        if (isnan(order[i])) {
            *nan = quiet_nan(order[i]);
            return true;
        }
    return false;
}

static double double_op(const struct ptx_inst *in, const struct floats *f)
{
    volatile double r;

    switch (in->op) {
    case PTX_OP_add:
        r = f->a + f->b;
        return r;
    case PTX_OP_sub:
        r = f->a - f->b;
        return r;
    case PTX_OP_mul:
        r = f->a * f->b;
        return r;
    case PTX_OP_fma:
    case PTX_OP_mad:
        if (f->t != PTX_TYPE_f64)
            return fma_to_odd(f);
        r = fma(f->a, f->b, f->c);
        return r;
    case PTX_OP_div:
        r = f->a / f->b;
        return r;
    case PTX_OP_rcp:
        r = 1 / f->a;
        return r;
    case PTX_OP_sqrt:
        r = sqrt(f->a);
        return r;
    default:
        assert(!"float_op chose it");
        return 0;
    }
}

static bool is_arithmetic(enum ptx_op op)
{
    switch (op) {
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mul:
    case PTX_OP_fma:
    case PTX_OP_mad:
    case PTX_OP_div:
    case PTX_OP_rcp:
    case PTX_OP_sqrt:
        return true;
    default:
        return false;
    }
}

static double other_op(const struct ptx_inst *in, const struct floats *f)
{
    switch (in->op) {
    case PTX_OP_min:
    case PTX_OP_max:
        return min_max_all(in, f);
    case PTX_OP_rsqrt:
        return 1 / sqrt(f->a);
    case PTX_OP_sin:
        return sin(f->a);
    case PTX_OP_cos:
        return cos(f->a);
    case PTX_OP_lg2:
        return log2(f->a);
    case PTX_OP_ex2:
        return exp2(f->a);
    case PTX_OP_tanh:
        return tanh(f->a);
    default:
        assert(!"ops.def says that it is known");
        return 0;
    }
}

static emu_bits scalar_float(const struct ptx_inst *in, enum ptx_type t,
                             const emu_bits *a)
{
    struct floats f = {.t = t};
    double r;

    /* rcp and rsqrt of f64 with .approx.ftz see and give the upper half. */
    bool is_upper = t == PTX_TYPE_f64 && in->flags & PTX_FLAG_ftz;
    emu_bits whole = is_upper ? a[0] >> 32 << 32 : a[0];
    f.a = flush_subnormal(in, t, emu_to_double(t, whole));
    f.b = flush_subnormal(in, t, emu_to_double(t, a[1]));
    f.c = flush_subnormal(in, t, emu_to_double(t, a[2]));
    bool is_rounded = set_rounding(in->rnd);
    if (!is_arithmetic(in->op))
        r = other_op(in, &f);
    else
        r = t == PTX_TYPE_f32     ? single_op(in, &f)
            : has_nan(in, &f, &r) ? r
                                  : double_op(in, &f);
    if (is_tiny(in, &f))
        r = copysign(0, r);
    if (in->flags & PTX_FLAG_sat)
        r = r > 0 ? (r < 1 ? r : 1) : 0;
    if ((in->flags & PTX_FLAG_relu) && !(r > 0) && !isnan(r))
        r = 0;
    if (t != PTX_TYPE_f16) /* which is not rounded yet */
        r = flush_subnormal(in, t, r);
    emu_bits v =
        isnan(r) && t == PTX_TYPE_f32 ? 0x7fffffff : emu_from_double(t, r);
    if (is_rounded)
        fesetround(FE_TONEAREST);
    if (is_upper && !isnan(r))
        v = v >> 32 << 32;
    unsigned exponent = t == PTX_TYPE_f16 ? 0x7c00 : 0x7f80;
    if (ptx_type_size(t) == 2 && in->flags & PTX_FLAG_ftz &&
        (v & exponent) == 0)
        v &= 0x8000;
    return v;
}

static bool is_category(enum ptx_sub sub, double v, double smallest_normal)
{
    switch (sub) {
    case PTX_SUB_finite:
        return isfinite(v);
    case PTX_SUB_infinite:
        return isinf(v);
    case PTX_SUB_number:
        return !isnan(v);
    case PTX_SUB_notanumber:
        return isnan(v);
    case PTX_SUB_normal: /* zero is */
        return isfinite(v) && (fabs(v) >= smallest_normal || v == 0);
    default:
        return v != 0 && fabs(v) < smallest_normal;
    }
}

/* abs, neg, copysign and testp only look at bits. */
static bool bit_op(const struct ptx_inst *in, enum ptx_type t,
                   const emu_bits *a, emu_bits *result)
{
    emu_bits sign = UINT64_C(1) << (ptx_type_size(t) * 8 - 1);
    emu_bits v = a[0];

    if (flush_subnormal(in, t, emu_to_double(t, v)) == 0)
        v &= sign;
    switch (in->op) {
    case PTX_OP_abs:
    case PTX_OP_neg:
        if (isnan(emu_to_double(t, v))) /* f64: quiet, with its own sign */
            *result = t == PTX_TYPE_f64 ? v | UINT64_C(1) << 51 : sign - 1;
        else
            *result = in->op == PTX_OP_abs ? v & ~sign : v ^ sign;
        return true;
    case PTX_OP_copysign: /* the sign of a on b */
        *result = (a[1] & ~sign) | (a[0] & sign);
        return true;
    case PTX_OP_testp:
        *result = is_category(in->sub, emu_to_double(t, a[0]),
                              t == PTX_TYPE_f64 ? 0x1p-1022 : 0x1p-126);
        return true;
    default:
        return false;
    }
}

emu_bits emu_float(const struct ptx_inst *in, const emu_bits *a)
{
    enum ptx_type t = in->type[0];
    bool is_pair = t == PTX_TYPE_f16x2 || t == PTX_TYPE_bf16x2;
    enum ptx_type element = t == PTX_TYPE_f16x2    ? PTX_TYPE_f16
                            : t == PTX_TYPE_bf16x2 ? PTX_TYPE_bf16
                                                   : t;
    emu_bits result = 0;
    for (unsigned i = 0; i < (is_pair ? 2u : 1u); i++) {
        emu_bits part[3], r;
        for (unsigned j = 0; j < 3; j++)
            part[j] = is_pair ? a[j] >> (16 * i) & 0xffff : a[j];
        if (!bit_op(in, element, part, &r))
            r = scalar_float(in, element, part);
        result |= is_pair ? (r & 0xffff) << (16 * i) : r;
    }
    return result;
}
