/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cvt in all combinations of integer and floating types. Out-of-range floats
 * clamp to the integer's limits; NaN gives 0 for float to a 32-bit type or
 * less, and the top bit alone for 64-bit and double cases, as hardware does.
 */
#include "emu/internal.h"

#include <fenv.h>
#include <math.h>

static unsigned width(enum ptx_type t)
{
    return ptx_type_size(t) * 8;
}

static double round_integral(enum ptx_rnd rnd, double v)
{
    switch (rnd) {
    case PTX_RND_rni:
        return nearbyint(v);
    case PTX_RND_rzi:
        return trunc(v);
    case PTX_RND_rmi:
        return floor(v);
    case PTX_RND_rpi:
        return ceil(v);
    default:
        return v;
    }
}

static double limit_low(enum ptx_type t)
{
    return ptx_type_is_signed(t) ? -ldexp(1, (int)width(t) - 1) : 0;
}

static double limit_high(enum ptx_type t) /* the first number beyond */
{
    return ldexp(1, (int)width(t) - (ptx_type_is_signed(t) ? 1 : 0));
}

static emu_bits float_to_integer(const struct ptx_inst *in, double v)
{
    enum ptx_type to = in->type[0], from = in->type[1];
    bool is_wide = width(to) == 64 || from == PTX_TYPE_f64;

    if (isnan(v))
        return is_wide ? UINT64_C(1) << (width(to) - 1) : 0;
    v = round_integral(in->rnd, v);
    if (v < limit_low(to))
        return ptx_type_is_signed(to) ? UINT64_C(1) << (width(to) - 1) : 0;
    if (v >= limit_high(to))
        return emu_truncate(to, ptx_type_is_signed(to)
                                    ? (UINT64_C(1) << (width(to) - 1)) - 1
                                    : ~UINT64_C(0));
    return ptx_type_is_signed(to) ? (emu_bits)(int64_t)v : (emu_bits)v;
}

static int host_rounding(enum ptx_rnd rnd)
{
    switch (rnd) {
    case PTX_RND_rz:
        return FE_TOWARDZERO;
    case PTX_RND_rm:
        return FE_DOWNWARD;
    case PTX_RND_rp:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

static emu_bits integer_to_float(const struct ptx_inst *in, emu_bits a)
{
    enum ptx_type to = in->type[0], from = in->type[1];
    volatile int64_t s = emu_signed(from, a);
    volatile uint64_t u = emu_truncate(from, a);
    bool is_signed = ptx_type_is_signed(from);
    emu_bits v;

    fesetround(host_rounding(in->rnd));
    if (to == PTX_TYPE_f32) { /* directly: one rounding */
        volatile float f = is_signed ? (float)s : (float)u;
        v = emu_from_double(to, f);
    } else if (to == PTX_TYPE_f64) {
        volatile double d = is_signed ? (double)s : (double)u;
        v = emu_from_double(to, d);
    } else { /* f16: more than 2^53 overflows anyway */
        v = emu_from_double(to, is_signed ? (double)s : (double)u);
    }
    fesetround(FE_TONEAREST);
    return v;
}

static double flush(const struct ptx_inst *in, enum ptx_type t, double v)
{
    bool is_tiny = fabs(v) < 0x1p-126;

    return (in->flags & PTX_FLAG_ftz) && t == PTX_TYPE_f32 && is_tiny
               ? copysign(0, v)
               : v;
}

static emu_bits one_float(const struct ptx_inst *in, enum ptx_type to,
                          enum ptx_type from, emu_bits a)
{
    double v = flush(in, from, emu_to_double(from, a));
    bool is_nan = isnan(v);

    v = round_integral(in->rnd, v);
    if (in->flags & PTX_FLAG_sat)
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    if ((in->flags & PTX_FLAG_relu) && v < 0)
        v = 0;
    if (is_nan && !(in->flags & PTX_FLAG_sat) && to == PTX_TYPE_f32)
        return from == PTX_TYPE_f32 ? a : 0x7fffffff;
    fesetround(host_rounding(in->rnd));
    emu_bits r = emu_from_double(to, v);
    fesetround(FE_TONEAREST);
    if (to == PTX_TYPE_f32 && (in->flags & PTX_FLAG_ftz) &&
        (r & 0x7f800000) == 0)
        r &= 0x80000000;
    return r;
}

static emu_bits float_to_float(const struct ptx_inst *in, emu_bits a,
                               emu_bits b)
{
    enum ptx_type to = in->type[0], from = in->type[1];

    if (to == PTX_TYPE_f16x2 || to == PTX_TYPE_bf16x2) {
        enum ptx_type element =
            to == PTX_TYPE_f16x2 ? PTX_TYPE_f16 : PTX_TYPE_bf16;
        return one_float(in, element, from, a) << 16 |
               one_float(in, element, from, b); /* a is the upper half */
    }
    return one_float(in, to, from, a);
}

static emu_bits integer_to_integer(const struct ptx_inst *in, emu_bits a)
{
    enum ptx_type to = in->type[0], from = in->type[1];
    __int128 v = ptx_type_is_signed(from) ? (__int128)emu_signed(from, a)
                                          : (__int128)emu_truncate(from, a);

    if (in->flags & PTX_FLAG_sat) {
        __int128 hi =
            ((__int128)1 << (width(to) - (ptx_type_is_signed(to) ? 1 : 0))) - 1;
        __int128 lo = ptx_type_is_signed(to) ? -hi - 1 : 0;
        v = v > hi ? hi : v < lo ? lo : v;
    }
    /* The result is extended to the register as its type says. */
    return ptx_type_is_signed(to) ? (emu_bits)emu_signed(to, (emu_bits)v)
                                  : emu_truncate(to, (emu_bits)v);
}

emu_bits emu_convert(const struct ptx_inst *in, emu_bits a, emu_bits b)
{
    bool to_float = ptx_type_is_float(in->type[0]);
    bool from_float = ptx_type_is_float(in->type[1]);

    if (to_float && from_float)
        return float_to_float(in, a, b);
    if (to_float)
        return integer_to_float(in, a);
    if (from_float) {
        double v = flush(in, in->type[1], emu_to_double(in->type[1], a));
        emu_bits r = float_to_integer(in, v);
        return ptx_type_is_signed(in->type[0])
                   ? (emu_bits)emu_signed(in->type[0], r)
                   : r;
    }
    return integer_to_integer(in, a);
}
