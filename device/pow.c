/* SPDX-License-Identifier: Apache-2.0 */
/* Powers: e^(y log x) with the logarithm in two parts. */
#include "device.h"

INLINE bool is_integer64(double y)
{
    return __builtin_trunc(y) == y;
}

INLINE bool is_odd64(double y)
{
    double half = 0.5 * y;
    return is_integer64(y) && !is_integer64(half);
}

INLINE bool is_integer32(float y)
{
    return __builtin_truncf(y) == y;
}

INLINE bool is_odd32(float y)
{
    float half = 0.5f * y;
    return is_integer32(y) && !is_integer32(half);
}

double __nv_pow(double x, double y)
{
    double a = abs64(x);
    struct dd l = weft_log_dd(a);
    /* beyond this the result is 0 or infinity; keep the products finite */
    double z = abs64(y) > 0x1p66 ? sign64(0x1p66, y) : y;
    struct dd p = dd_product(l.hi, z);
    p.lo = fma64(l.lo, z, p.lo);
    p = dd_fast_sum(p.hi, p.lo);
    double r = weft_exp_dd(p, 0);

    bool is_odd = is_odd64(y);
    bool is_negative = (bits64(x) >> 63) != 0;
    double beyond = (a > 1.0) == (y > 0.0) ? INF64 : 0.0;
    r = abs64(y) == INF64 ? (a == 1.0 ? 1.0 : beyond) : r;
    r = a == 0.0 || a == INF64 ? ((a == 0.0) == (y < 0.0) ? INF64 : 0.0) : r;
    r = is_negative && is_odd ? -r : r;
    bool is_nan = x < 0.0 && a != INF64 && !is_integer64(y);
    r = is_nan ? NAN64 : r;
    r = x != x || y != y ? x + y : r;
    return y == 0.0 || x == 1.0 ? 1.0 : r;
}

/* (log(1 + s) - log(1 - s) - 2 s) / s^3 in s^2, s <= 0.172 */
static const float log_s32[] = {
    0x1.555556p-1f,
    0x1.9999ecp-2f,
    0x1.245c02p-2f,
    0x1.dddae4p-3f,
};
/* (2^r - 1) / r */
static const float exp2_32[] = {
    0x1.62e43p-1f,  0x1.ebfbep-3f,   0x1.c6af6cp-5f,
    0x1.3b29e4p-7f, 0x1.5f08c6p-10f, 0x1.446ca2p-13f,
};

/* The same in single precision, with log2 as hi + lo. */
float __nv_powf(float x, float y)
{
    float a = abs32(x);
    bool is_tiny = a < 0x1p-126f;
    uint32_t u = bits32(is_tiny ? a * 0x1p24f : a) - 0x3f3504f3u;
    float k = (float)((int)u >> 23) - (is_tiny ? 24.0f : 0.0f);
    float m = float32((u & 0x7fffffu) + 0x3f3504f3u);

    /* s = (m - 1) / (m + 1), two parts */
    float f = m - 1.0f, under = m + 1.0f, under_lo = m - (under - 1.0f);
    float s = f / under;
    float s_lo = fma32(-s, under_lo, fma32(-s, under, f)) / under;
    float z = s * s;
    /* log m = 2 s + s^3 P */
    float cube = s * z * poly32(z, log_s32);
    float twice = s + s;
    float l = twice + cube;
    float l_lo = (cube - (l - twice)) + (s_lo + s_lo);
    /* times log2(e), plus k */
    float g = mul32(l, 0x1.715476p+0f);
    float g_lo = fma32(l, 0x1.715476p+0f, -g);
    g_lo = fma32(l, 0x1.4ae0cp-26f, g_lo) + l_lo * 0x1.715476p+0f;
    float e = k + g;
    float e_lo = (k == 0.0f ? 0.0f : g - (e - k)) + g_lo;

    float w = abs32(y) > 0x1p40f ? sign32(0x1p40f, y) : y;
    float p = mul32(w, e);
    float p_lo = fma32(w, e, -p) + w * e_lo;
    p_lo = abs32(p) < 1000.0f ? p_lo : 0.0f;
    float q = p > 1000.0f ? 1000.0f : p < -1000.0f ? -1000.0f : p;
    float t = q + ROUND32;
    float r = (q - (t - ROUND32)) + p_lo;
    r = scale32(fma32(r, poly32(r, exp2_32), 1.0f),
                (int)(bits32(t) - bits32(ROUND32)));
    r = q > 129.0f ? INF32 : q < -151.0f ? 0.0f : r;

    bool is_odd = is_odd32(y);
    bool is_negative = bits32(x) >> 31;
    float beyond = (a > 1.0f) == (y > 0.0f) ? INF32 : 0.0f;
    r = abs32(y) == INF32 ? (a == 1.0f ? 1.0f : beyond) : r;
    r = a == 0.0f || a == INF32 ? ((a == 0.0f) == (y < 0.0f) ? INF32 : 0.0f)
                                : r;
    r = is_negative && is_odd ? -r : r;
    bool is_nan = x < 0.0f && a != INF32 && !is_integer32(y);
    r = is_nan ? NAN32 : r;
    r = x != x || y != y ? x + y : r;
    return y == 0.0f || x == 1.0f ? 1.0f : r;
}

/* Whole powers by repeated squaring; a constant exponent unrolls. */
float __nv_powif(float x, int n)
{
    unsigned left = n < 0 ? -(unsigned)n : (unsigned)n;
    float r = 1.0f;
    for (float square = x;; square *= square) {
        r = left & 1 ? r * square : r;
        left >>= 1;
        if (!left)
            break;
    }
    return n < 0 ? 1.0f / r : r;
}

double __nv_powi(double x, int n)
{
    unsigned left = n < 0 ? -(unsigned)n : (unsigned)n;
    double r = 1.0;
    for (double square = x;; square *= square) {
        r = left & 1 ? r * square : r;
        left >>= 1;
        if (!left)
            break;
    }
    return n < 0 ? 1.0 / r : r;
}
