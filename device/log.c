/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logarithms: x = 2^k m with m in [sqrt(1/2), sqrt(2)), a polynomial in
 * f = m - 1 (single) or in s = f / (2 + f) (double).
 */
#include "device.h"

#define LN2_HI32    0x1.62e43p-1f
#define LN2_LO32    -0x1.05c61p-29f
#define LN2_HI64    0x1.62e42fefa39efp-1
#define LN2_LO64    0x1.abc9e3b39803fp-56
#define LOG2_EHI64  0x1.71547652b82fep+0
#define LOG2_ELO64  0x1.777d0ffda0d24p-56
#define LOG2_EHI32  0x1.715476p+0f
#define LOG2_ELO32  0x1.4ae0cp-26f
#define LOG10_EHI64 0x1.bcb7b1526e50ep-2
#define LOG10_ELO64 0x1.95355baaafad3p-57
#define LOG10_EHI32 0x1.bcb7b2p-2f
#define LOG10_ELO32 -0x1.5b235ep-27f
#define LOG10_2HI64 0x1.34413509f79ffp-2
#define LOG10_2LO64 -0x1.9dc1da994fd21p-59
#define LOG10_2_32  0x1.344136p-2f

/* (log(1 + f) - f + f^2/2) / f^3 */
static const float log32[] = {
    0x1.55555p-2f,  -0x1.0000bcp-2f, 0x1.99a378p-3f, -0x1.54dbccp-3f,
    0x1.229d4cp-3f, -0x1.09148p-3f,  0x1.06223p-3f,  -0x1.543962p-4f,
};

/* (log((1 + s) / (1 - s)) - 2 s) / s^3 in s^2 */
static const double log64[] = {
    0x1.5555555555555p-1, 0x1.9999999999a3ap-2, 0x1.249249247681dp-2,
    0x1.c71c7201d3bbcp-3, 0x1.745cf8d4c851p-3,  0x1.3b1c3ee5e22b5p-3,
    0x1.0fbda3f75b792p-3, 0x1.0c0d02b0381a5p-3,
};

#define SQRT_HALF32 0x3f3504f3u
#define SQRT_HALF64 0x3fe6a09eu

/* x = 2^k (1 + f); x positive and finite */
INLINE float split32(float x, float *k)
{
    bool is_tiny = x < 0x1p-126f;
    uint32_t u = bits32(is_tiny ? x * 0x1p24f : x) - SQRT_HALF32;
    *k = (float)((int)u >> 23) - (is_tiny ? 24.0f : 0.0f);
    return float32((u & 0x7fffffu) + SQRT_HALF32) - 1.0f;
}

INLINE double split64(double x, double *k)
{
    bool is_tiny = x < 0x1p-1022;
    uint64_t u =
        bits64(is_tiny ? x * 0x1p54 : x) - ((uint64_t)SQRT_HALF64 << 32);
    *k = (double)((int)(u >> 32) >> 20) - (is_tiny ? 54.0 : 0.0);
    return float64((u & 0xfffffffffffffu) + ((uint64_t)SQRT_HALF64 << 32)) -
           1.0;
}

INLINE float special32(float y, float x)
{
    y = x == INF32 ? INF32 : y;
    y = x == 0.0f ? -INF32 : y;
    return x < 0.0f || x != x ? NAN32 : y;
}

INLINE double special64(double y, double x)
{
    y = x == INF64 ? INF64 : y;
    y = x == 0.0 ? -INF64 : y;
    return x < 0.0 || x != x ? NAN64 : y;
}

/* log(1 + f) - f */
INLINE float tail32(float f)
{
    float square = f * f;
    return square * fma32(f, poly32(f, log32), -0.5f);
}

float __nv_logf(float x)
{
    float k, f = split32(x, &k);
    float y = fma32(k, LN2_LO32, tail32(f)) + f;
    return special32(fma32(k, LN2_HI32, y), x);
}

float __nv_log2f(float x)
{
    float k, f = split32(x, &k);
    float y = fma32(tail32(f), LOG2_EHI32, f * LOG2_ELO32);
    return special32(fma32(f, LOG2_EHI32, y) + k, x);
}

float __nv_log10f(float x)
{
    float k, f = split32(x, &k);
    float y = fma32(tail32(f), LOG10_EHI32, f * LOG10_ELO32);
    y = fma32(f, LOG10_EHI32, y);
    return special32(fma32(k, LOG10_2_32, y), x);
}

/* 1 + x is rounded; what the rounding lost is added to the small terms. */
float __nv_log1pf(float x)
{
    float sum = 1.0f + x;
    float lost = x > 1.0f ? 1.0f - (sum - x) : x - (sum - 1.0f);
    uint32_t u = bits32(sum) - SQRT_HALF32;
    int n = (int)u >> 23;
    float k = (float)n;
    float f = float32((u & 0x7fffffu) + SQRT_HALF32) - 1.0f;
    lost = lost * exp2i32(-n > -126 ? -n : -126);
    /* log(1 + f + lost) = log(1 + f) + lost / (1 + f) */
    float tail = tail32(f) + fma32(-f, lost, lost);
    float y = fma32(k, LN2_LO32, tail) + f;
    y = special32(fma32(k, LN2_HI32, y), sum);
    return abs32(x) < 0x1p-24f ? x : y;
}

/* log(1 + f) as hi + lo. f - f^2/2 is taken with its rounding error; the
 * rest is s (f^2/2 + s^2 P(s^2)). */
INLINE struct dd log_parts(double f)
{
    double s = f / (2.0 + f), z = s * s;
    double half = 0.5 * f;
    double hi = fma64(-half, f, f);
    double lo = fma64(-half, f, f - hi);
    double rest = s * fma64(half, f, z * poly64(z, log64));
    return (struct dd){hi, lo + rest};
}

double __nv_log(double x)
{
    double k, f = split64(x, &k);
    struct dd m = log_parts(f);
    double whole = fma64(k, LN2_HI64, m.hi);
    double lost = fma64(k, LN2_HI64, -whole) + m.hi;
    double y = whole + (fma64(k, LN2_LO64, m.lo) + lost);
    return special64(y, x);
}

/* log(1 + f) times a constant of two parts */
INLINE struct dd log_scaled(double f, double scale_hi, double scale_lo)
{
    struct dd m = log_parts(f);
    struct dd p = dd_product(m.hi, scale_hi);
    p.lo += fma64(m.hi, scale_lo, m.lo * scale_hi);
    return p;
}

double __nv_log2(double x)
{
    double k, f = split64(x, &k);
    struct dd m = log_scaled(f, LOG2_EHI64, LOG2_ELO64);
    double whole = k + m.hi;
    return special64(whole + (m.lo + ((k - whole) + m.hi)), x);
}

double __nv_log10(double x)
{
    double k, f = split64(x, &k);
    struct dd m = log_scaled(f, LOG10_EHI64, LOG10_ELO64);
    struct dd e = dd_product(k, LOG10_2HI64);
    double whole = e.hi + m.hi;
    double lost = ((e.hi - whole) + m.hi) + fma64(k, LOG10_2LO64, e.lo);
    return special64(whole + (m.lo + lost), x);
}

double __nv_log1p(double x)
{
    double sum = 1.0 + x;
    double lost = x > 1.0 ? 1.0 - (sum - x) : x - (sum - 1.0);
    double k, f = split64(sum, &k);
    int n = (int)k;
    lost *= exp2i64(-n > -1022 ? -n : -1022);
    struct dd exact = dd_fast_sum(f == 0.0 ? lost : f, f == 0.0 ? 0.0 : lost);
    struct dd m = log_parts(exact.hi);
    double whole = fma64(k, LN2_HI64, m.hi);
    double rest = fma64(k, LN2_HI64, -whole) + m.hi;
    double slope = exact.lo / (1.0 + exact.hi);
    double y = whole + (fma64(k, LN2_LO64, m.lo + slope) + rest);
    y = special64(y, sum);
    return abs64(x) < 0x1p-54 ? x : y;
}

/*
 * log(x) to about 2^-66, for pow and gamma. s = f / (2 + f) and the leading
 * term of the series, 2 s^3 / 3, are carried in two parts.
 */
struct dd weft_log_dd(double x)
{
    static const struct dd two_thirds = {0x1.5555555555555p-1,
                                         0x1.5555555555555p-55};
    /* ((log((1 + s) / (1 - s)) - 2 s) / s^3 - 2/3) / s^2 in s^2 */
    static const double rest64[] = {
        0x1.999999999999fp-2, 0x1.249249248e46ep-2, 0x1.c71c71d80ed92p-3,
        0x1.745d09d9e4448p-3, 0x1.3b18bed583a24p-3, 0x1.1017f7ed21a29p-3,
        0x1.0880ca0dcdadfp-3,
    };
    double k, f = split64(x, &k);
    struct dd under = dd_sum(2.0, f);
    double s_hi = f / under.hi;
    double left = fma64(-s_hi, under.hi, f);
    left = fma64(-s_hi, under.lo, left);
    struct dd s = dd_fast_sum(s_hi, left / under.hi);
    struct dd z = dd_mul(s, s);
    struct dd t = dd_mul(z, two_thirds);
    t = dd_fast_sum(t.hi, fma64(z.hi * z.hi, poly64(z.hi, rest64), t.lo));
    t = dd_mul(t, s);
    struct dd m = dd_add((struct dd){2.0 * s.hi, 2.0 * s.lo}, t);
    struct dd e = dd_product(k, LN2_HI64);
    e.lo = fma64(k, LN2_LO64, e.lo);
    return dd_add(e, m);
}
