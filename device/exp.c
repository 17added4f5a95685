/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exponentials: x = k ln2 + r with |r| <= ln2/2, a polynomial in r, and 2^k
 * into the exponent.
 */
#include "device.h"

#define LOG2_E      0x1.71547652b82fep+0
#define LN2_HI32    0x1.62e43p-1f
#define LN2_LO32    -0x1.05c61p-29f
#define LN2_HI64    0x1.62e42fefa39efp-1
#define LN2_LO64    0x1.abc9e3b39803fp-56
#define LOG2_10     0x1.a934f0979a371p+1
#define LOG10_2HI32 0x1.344136p-2f
#define LOG10_2LO32 -0x1.ec10cp-27f
#define LOG10_2HI64 0x1.34413509f79ffp-2
#define LOG10_2LO64 -0x1.9dc1da994fd21p-59
#define LN_10       0x1.26bb1bbb55516p+1
#define LN_10_LO    -0x1.f48ad494ea3e9p-53

/* (e^r - 1 - r) / r^2 for |r| <= ln2/2 */
static const float exp32[] = {
    0x1p-1f, 0x1.5554dcp-3f, 0x1.5554b8p-5f, 0x1.120b86p-7f, 0x1.6d755ap-10f,
};
static const float expm1_32[] = {
    0x1p-1f,        0x1.555556p-3f,  0x1.5554e8p-5f,
    0x1.1110acp-7f, 0x1.6d4382p-10f, 0x1.a17e6ep-13f,
};
static const double exp64[] = {
    0x1.0000000000001p-1,  0x1.5555555555558p-3,  0x1.5555555553d5dp-5,
    0x1.111111110f7fep-7,  0x1.6c16c1788e2f1p-10, 0x1.a01a01b00e9fdp-13,
    0x1.a019b90453d8p-16,  0x1.71ddf6ad02c9fp-19, 0x1.28918faea5341p-22,
    0x1.af6337e63ab96p-26,
};

/* (10^r - 1) / r for |r| <= log10(2)/2 */
static const float exp10_32[] = {
    0x1.26bb1cp+1f, 0x1.53524cp+1f, 0x1.046fb4p+1f,
    0x1.2bd698p+0f, 0x1.155a08p-1f, 0x1.a9c014p-3f,
};

INLINE float clamp_exp32(float y, float x, float low, float high)
{
    y = x > high ? INF32 : y;
    return x < low ? 0.0f : y;
}

INLINE double clamp_exp64(double y, double x, double low, double high)
{
    y = x > high ? INF64 : y;
    return x < low ? 0.0 : y;
}

/* e^x * 2^scale */
float weft_exp32(float x, int scale)
{
    float t = fma32(x, (float)LOG2_E, ROUND32);
    float k = t - ROUND32;
    float r = fma32(k, -LN2_LO32, fma32(k, -LN2_HI32, x));
    float p = fma32(r * r, poly32(r, exp32), r) + 1.0f;
    int n = (int)(bits32(t) - bits32(ROUND32)) + scale;
    return clamp_exp32(scale32(p, n), x, -126.0f, 126.0f);
}

float __nv_expf(float x)
{
    return weft_exp32(x, 0);
}

float __nv_exp2f(float x)
{
    return FTZ(__nvvm_ex2_approx_ftz_f(x), __nvvm_ex2_approx_f(x));
}

float __nv_exp10f(float x)
{
    float t = fma32(x, (float)LOG2_10, ROUND32);
    float k = t - ROUND32;
    float r = fma32(k, -LOG10_2LO32, fma32(k, -LOG10_2HI32, x));
    float p = fma32(r, poly32(r, exp10_32), 1.0f);
    int n = (int)(bits32(t) - bits32(ROUND32));
    return clamp_exp32(scale32(p, n), x, -46.0f, 39.0f);
}

/* 2^k (e^r - 1) + (2^k - 1); one factor of 2 is kept back for the largest k.
 */
float __nv_expm1f(float x)
{
    float t = fma32(x, (float)LOG2_E, ROUND32);
    float k = t - ROUND32;
    float r_hi = fma32(k, -LN2_HI32, x);
    float r = fma32(k, -LN2_LO32, r_hi);
    float r_lo = fma32(k, -LN2_LO32, r_hi - r);
    /* p + p_lo = e^r - 1 */
    float tail = fma32(r * r, poly32(r, expm1_32), r_lo);
    float p = r + tail, p_lo = tail - (p - r);
    int n = (int)(bits32(t) - bits32(ROUND32));
    float half = exp2i32(n - 1);
    float y = 2.0f * (fma32(half, p, half - 0.5f) + half * p_lo);
    y = n == 0 ? p : y;
    y = x > 89.0f ? INF32 : y;
    y = x < -17.5f ? -1.0f : y;
    return x == 0.0f ? x : y;
}

/* e^(hi + lo) * 2^scale, lo small against hi */
INLINE double exp_core(double hi, double lo, int scale)
{
    double t = fma64(hi, LOG2_E, ROUND64);
    double k = t - ROUND64;
    double r = fma64(k, -LN2_LO64, fma64(k, -LN2_HI64, hi)) + lo;
    double p = fma64(r, fma64(r, poly64(r, exp64), 1.0), 1.0);
    double y = scale64(p, (int)(uint32_t)bits64(t) + scale);
    return clamp_exp64(y, hi, -800.0, 800.0);
}

double __nv_exp(double x)
{
    return exp_core(x, 0.0, 0);
}

double weft_exp_dd(struct dd x, int scale)
{
    return exp_core(x.hi, x.lo, scale);
}

/* 2^x = e^(r ln2), r the fraction; the product carries its rest along. */
double __nv_exp2(double x)
{
    double t = add64(x, ROUND64);
    double r = add64(x, ROUND64 - t);
    double hi = mul64(r, LN2_HI64);
    double lo = fma64(r, LN2_LO64, fma64(r, LN2_HI64, -hi));
    double p = fma64(hi * hi, poly64(hi, exp64), hi);
    p = p + fma64(lo, p, lo) + 1.0;
    double y = scale64(p, (int)(uint32_t)bits64(t));
    return clamp_exp64(y, x, -1080.0, 1030.0);
}

double __nv_exp10(double x)
{
    double t = fma64(x, LOG2_10, ROUND64);
    double k = t - ROUND64;
    double r = fma64(k, -LOG10_2LO64, fma64(k, -LOG10_2HI64, x));
    double hi = mul64(r, LN_10);
    double lo = fma64(r, LN_10_LO, fma64(r, LN_10, -hi));
    double p = fma64(hi * hi, poly64(hi, exp64), hi);
    p = p + fma64(lo, p, lo) + 1.0;
    double y = scale64(p, (int)(uint32_t)bits64(t));
    return clamp_exp64(y, x, -330.0, 310.0);
}

double __nv_expm1(double x)
{
    double t = fma64(x, LOG2_E, ROUND64);
    double k = t - ROUND64;
    double r_hi = fma64(k, -LN2_HI64, x);
    double r = fma64(k, -LN2_LO64, r_hi);
    double r_lo = fma64(k, -LN2_LO64, r_hi - r);
    /* p + p_lo = e^r - 1 */
    double tail = fma64(r * r, poly64(r, exp64), r_lo);
    double p = r + tail, p_lo = tail - (p - r);
    int n = (int)(uint32_t)bits64(t);
    double half = exp2i64(n - 1);
    double base = half - 0.5;
    double sum = fma64(half, p, base);
    double y = 2.0 * (sum + half * p_lo);
    y = n == 0 ? p : y;
    y = x > 710.0 ? INF64 : y;
    y = x < -38.0 ? -1.0 : y;
    return x == 0.0 ? x : y;
}
