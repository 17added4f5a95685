/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cvt in all combinations of integer and floating types. Out-of-range floats
 * clamp to the integer's limits; NaN gives 0 for float to a 32-bit type or
 * less, and the top bit alone for 64-bit and double cases, as hardware does.
 */
#include "emu/internal.h"

#include <fenv.h>
#include <math.h>

static unsigned width_bits(enum ptx_type t)
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
    return ptx_type_is_signed(t) ? -ldexp(1, (int)width_bits(t) - 1) : 0;
}

static double limit_high(enum ptx_type t) /* the first number beyond */
{
    return ldexp(1, (int)width_bits(t) - (ptx_type_is_signed(t) ? 1 : 0));
}

static emu_bits float_to_integer(const struct ptx_inst *in, double v)
{
    enum ptx_type to = in->type[0], from = in->type[1];
    bool is_wide = width_bits(to) == 64 || from == PTX_TYPE_f64;

    if (isnan(v))
        return is_wide ? UINT64_C(1) << (width_bits(to) - 1) : 0;
    v = round_integral(in->rnd, v);
    if (v < limit_low(to))
        return ptx_type_is_signed(to) ? UINT64_C(1) << (width_bits(to) - 1) : 0;
    if (v >= limit_high(to))
        return emu_truncate(to, ptx_type_is_signed(to)
                                    ? (UINT64_C(1) << (width_bits(to) - 1)) - 1
                                    : ~UINT64_C(0));
    return ptx_type_is_signed(to) ? (emu_bits)(int64_t)v : (emu_bits)v;
}

int emu_host_rounding(enum ptx_rnd rnd)
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

/* An integer as a double, rounded to odd, so that a second rounding to fewer
 * bits is right: rounds to zero, then sets the last bit if bits were lost. */
static double double_of(bool is_signed, int64_t s, uint64_t u)
{
    bool is_negative = is_signed && s < 0;
    uint64_t size = is_negative ? 0 - (uint64_t)s : is_signed ? (uint64_t)s : u;
    unsigned lost = size >> 53 ? 11 - (unsigned)__builtin_clzll(size) : 0;
    uint64_t kept = size >> lost;

    if (kept << lost != size)
        kept |= 1;
    double v = ldexp((double)kept, (int)lost);
    return is_negative ? -v : v;
}

static double saturate_float(const struct ptx_inst *in, double v)
{
    return !(in->flags & PTX_FLAG_sat) ? v : v > 0 ? (v < 1 ? v : 1) : 0;
}

static emu_bits integer_to_float(const struct ptx_inst *in, emu_bits a)
{
    enum ptx_type to = in->type[0], from = in->type[1];
    volatile int64_t s = emu_signed(from, a);
    volatile uint64_t u = emu_truncate(from, a);
    bool is_signed = ptx_type_is_signed(from);
    emu_bits v;

    fesetround(emu_host_rounding(in->rnd));
    if (to == PTX_TYPE_f32) { /* directly: one rounding */
        volatile float f = is_signed ? (float)s : (float)u;
        v = emu_from_double(to, saturate_float(in, f));
    } else if (to == PTX_TYPE_f64) {
        volatile double d = is_signed ? (double)s : (double)u;
        v = emu_from_double(to, saturate_float(in, d));
    } else {
        v = emu_from_double(to, saturate_float(in, double_of(is_signed, s, u)));
    }
    fesetround(FE_TONEAREST);
    return v;
}

static double flush_single(const struct ptx_inst *in, enum ptx_type t, double v)
{
    bool is_tiny = fabs(v) < 0x1p-126;

    return (in->flags & PTX_FLAG_ftz) && t == PTX_TYPE_f32 && is_tiny
               ? copysign(0, v)
               : v;
}

/* tf32 is f32 with 13 bits fewer, in the high end. */
static emu_bits to_tf32(const struct ptx_inst *in, uint32_t v)
{
    bool is_nan = (v & 0x7fffffff) > 0x7f800000;
    uint32_t size = v & 0x7fffffff, sign = v & 0x80000000;
    bool is_finite = size < 0x7f800000;
    uint32_t half = in->rnd == PTX_RND_rz   ? 0
                    : in->rnd == PTX_RND_rn ? 0xfff + (size >> 13 & 1)
                                            : 0x1000;

    if (is_nan && in->rnd != PTX_RND_rna)
        return 0x7fffe000;
    if (in->flags & PTX_FLAG_relu && sign)
        return 0;
    /* .rna cuts a NaN off like a number, and may make infinity of it */
    size = (is_finite ? size + half : size) & ~UINT32_C(0x1fff);
    if (in->flags & PTX_FLAG_satfinite && size >= 0x7f800000)
        size -= 0x2000;
    return sign | size;
}

/* v in the type `to`, in the rounding mode that is set. With .satfinite, what
 * is beyond the largest number is that number. */
static emu_bits round_float(const struct ptx_inst *in, enum ptx_type to,
                            double v)
{
    static const double largest[PTX_TYPE_COUNT] = {
        [PTX_TYPE_f16] = 0x1.ffcp15,     [PTX_TYPE_bf16] = 0x1.fep127,
        [PTX_TYPE_f32] = 0x1.fffffep127, [PTX_TYPE_e4m3] = 448,
        [PTX_TYPE_e5m2] = 57344,
    };
    emu_bits r = emu_from_double(to, v);

    if (!(in->flags & PTX_FLAG_satfinite) || isnan(v))
        return r;
    double got = emu_to_double(to, r);
    if (isinf(got) || isnan(got) || fabs(got) > largest[to])
        r = emu_from_double(to, copysign(largest[to], v));
    return r;
}

/* What a NaN becomes, as observed on hardware. Sign and payload stay, as far as
 * they fit, in conversions from f64, from halves to f64, from bf16 to f32, and
 * in those from f32 without rounding and .ftz; all others give the one NaN of
 * the destination. */
static emu_bits nan_of(const struct ptx_inst *in, enum ptx_type to,
                       enum ptx_type from, emu_bits a)
{
    emu_bits wide, quiet = UINT64_C(1) << 51;
    bool is_plain = in->rnd == PTX_RND_none && !(in->flags & PTX_FLAG_ftz);

    switch (to) {
    case PTX_TYPE_f64:
        if (from == PTX_TYPE_f64)
            return is_plain ? a : a | quiet;
        if (from == PTX_TYPE_f32 && !is_plain)
            return UINT64_C(0x7fffffffe0000000);
        if (from == PTX_TYPE_f32) {
            wide = a >> 31 << 63 | (a & 0x7fffff) << 29;
        } else {
            unsigned shift = from == PTX_TYPE_f16 ? 42 : 45;
            emu_bits fraction = from == PTX_TYPE_f16 ? a & 0x3ff : a & 0x7f;
            wide = (a >> 15 & 1) << 63 | fraction << shift;
        }
        return wide | UINT64_C(0x7ff) << 52 | quiet;
    case PTX_TYPE_f32:
        if (from == PTX_TYPE_f64)
            return a >> 63 << 31 | 0x7fc00000 | (a >> 29 & 0x7fffff);
        if (from == PTX_TYPE_bf16)
            return a << 16;
        return from == PTX_TYPE_f32 && is_plain ? a : 0x7fffffff;
    case PTX_TYPE_f16:
        return from == PTX_TYPE_f64 ? a >> 63 << 15 | 0x7e00 | (a >> 42 & 0x3ff)
                                    : 0x7fff;
    case PTX_TYPE_bf16:
        return from == PTX_TYPE_f64 ? a >> 63 << 15 | 0x7fc0 | (a >> 45 & 0x7f)
                                    : 0x7fff;
    default:
        return emu_from_double(to, NAN);
    }
}

static emu_bits one_float(const struct ptx_inst *in, enum ptx_type to,
                          enum ptx_type from, emu_bits a)
{
    /* .ftz is for results and sources that are f32, but not for halves of
     * them: cvt.rp.ftz.f16.f32 of a subnormal is the smallest f16. */
    double v = emu_to_double(from, a);
    bool is_nan = isnan(v);

    if (to != PTX_TYPE_f16)
        v = flush_single(in, from, v);
    if (to == PTX_TYPE_tf32)
        return to_tf32(in, (uint32_t)a);
    v = round_integral(in->rnd, v);
    v = saturate_float(in, v);
    if ((in->flags & PTX_FLAG_relu) && v <= 0)
        v = 0;
    if (is_nan && !(in->flags & PTX_FLAG_sat))
        return nan_of(in, to, from, a);
    fesetround(emu_host_rounding(in->rnd));
    emu_bits r = round_float(in, to, v);
    if (to == PTX_TYPE_f32 && (in->flags & PTX_FLAG_ftz)) {
        volatile float larger = (float)(v * 0x1p100); /* is it tiny? */
        if (larger > -0x1p-26f && larger < 0x1p-26f)
            r &= 0x80000000;
    }
    fesetround(FE_TONEAREST);
    return r;
}

/* The element of a packed type, else none. */
static enum ptx_type element_of(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_f16x2:
        return PTX_TYPE_f16;
    case PTX_TYPE_bf16x2:
        return PTX_TYPE_bf16;
    case PTX_TYPE_e4m3x2:
        return PTX_TYPE_e4m3;
    case PTX_TYPE_e5m2x2:
        return PTX_TYPE_e5m2;
    default:
        return PTX_TYPE_none;
    }
}

/* To one number; to a pair, from two numbers (a gives the upper half) or from
 * the two halves of a. */
static emu_bits float_to_float(const struct ptx_inst *in, emu_bits a,
                               emu_bits b)
{
    enum ptx_type to = in->type[0], from = in->type[1];
    enum ptx_type each = element_of(to), source = element_of(from);

    if (!each)
        return one_float(in, to, from, a);
    unsigned to_bits = width_bits(each),
             from_bits = source ? width_bits(source) : 0;
    emu_bits high = source ? emu_truncate(source, a >> from_bits) : a;
    emu_bits low = source ? emu_truncate(source, a) : b;
    if (!source)
        source = from;
    return one_float(in, each, source, high) << to_bits |
           one_float(in, each, source, low);
}

static emu_bits integer_to_integer(const struct ptx_inst *in, emu_bits a)
{
    enum ptx_type to = in->type[0], from = in->type[1];
    __int128 v = ptx_type_is_signed(from) ? (__int128)emu_signed(from, a)
                                          : (__int128)emu_truncate(from, a);

    if (in->flags & PTX_FLAG_sat) {
        __int128 hi = ((__int128)1
                       << (width_bits(to) - (ptx_type_is_signed(to) ? 1 : 0))) -
                      1;
        __int128 lo = ptx_type_is_signed(to) ? -hi - 1 : 0;
        v = v > hi ? hi : v < lo ? lo : v;
    }
    /* The result is extended to the register as its type says. */
    return ptx_type_is_signed(to) ? (emu_bits)emu_signed(to, (emu_bits)v)
                                  : emu_truncate(to, (emu_bits)v);
}

/* cvt.pack.sat: a and b clamped and side by side, b lowest; above them the low
 * bits of c. */
static emu_bits pack_integers(const struct ptx_inst *in, const emu_bits *a)
{
    enum ptx_type to = in->type[0];
    unsigned bits = to == PTX_TYPE_u4 || to == PTX_TYPE_s4   ? 4
                    : to == PTX_TYPE_u2 || to == PTX_TYPE_s2 ? 2
                                                             : width_bits(to);
    int64_t hi = (INT64_C(1) << (bits - (ptx_type_is_signed(to) ? 1 : 0))) - 1;
    int64_t lo = ptx_type_is_signed(to) ? -hi - 1 : 0;
    emu_bits v = bits < 16 ? a[2] << 2 * bits : 0;

    for (unsigned i = 0; i < 2; i++) {
        int64_t x = emu_signed(in->type[1], a[1 - i]);
        x = x < lo ? lo : x > hi ? hi : x;
        v |= ((emu_bits)x & ((UINT64_C(1) << bits) - 1)) << bits * i;
    }
    return (uint32_t)v;
}

emu_bits emu_convert(const struct ptx_inst *in, const emu_bits *source)
{
    emu_bits a = source[0], b = source[1];
    bool to_float = ptx_type_is_float(in->type[0]);
    bool from_float = ptx_type_is_float(in->type[1]);

    if (in->flags & PTX_FLAG_pack)
        return pack_integers(in, source);
    if (to_float && from_float)
        return float_to_float(in, a, b);
    if (to_float)
        return integer_to_float(in, a);
    if (from_float) {
        double v = flush_single(in, in->type[1], emu_to_double(in->type[1], a));
        emu_bits r = float_to_integer(in, v);
        return ptx_type_is_signed(in->type[0])
                   ? (emu_bits)emu_signed(in->type[0], r)
                   : r;
    }
    return integer_to_integer(in, a);
}
