/* SPDX-License-Identifier: Apache-2.0 */
/* Square and cube roots, and lengths of vectors. */
#include "device.h"

float __nv_sqrtf(float x)
{
    return __builtin_sqrtf(x);
}

double __nv_sqrt(double x)
{
    return __builtin_sqrt(x);
}

float __nv_rsqrtf(float x)
{
    return FTZ(__nvvm_rsqrt_approx_ftz_f(x), __nvvm_rsqrt_approx_f(x));
}

double __nv_rsqrt(double x)
{
    return 1.0 / __builtin_sqrt(x);
}

/* A third of the exponent, then Halley's iteration (the error cubes) and one
 * step of Newton's with the residual of y^3 in two parts. */
INLINE float cbrt_positive32(float x)
{
    float y = float32(bits32(x) / 3 + 0x2a512ce3u);
    for (int i = 0; i < 2; i++) {
        float cube = y * y * y;
        y = y * ((cube + x + x) / (cube + cube + x));
    }
    float square = mul32(y, y), square_lo = fma32(y, y, -square);
    float residual = fma32(square, y, -x) + square_lo * y;
    return y - residual / (3.0f * square);
}

INLINE double cbrt_positive64(double x)
{
    uint32_t high = (uint32_t)(bits64(x) >> 32) / 3 + 0x2a9f7893u;
    double y = float64((uint64_t)high << 32);
    for (int i = 0; i < 3; i++) {
        double cube = y * y * y;
        y = y * ((cube + x + x) / (cube + cube + x));
    }
    double square = mul64(y, y), square_lo = fma64(y, y, -square);
    double residual = fma64(square, y, -x) + square_lo * y;
    return y - residual / (3.0 * square);
}

/* Scaled to the middle of the range, by a cube. */
float __nv_cbrtf(float x)
{
    float a = abs32(x);
    float up = a < 0x1p-60f ? 0x1p90f : a > 0x1p60f ? 0x1p-60f : 1.0f;
    float down = a < 0x1p-60f ? 0x1p-30f : a > 0x1p60f ? 0x1p20f : 1.0f;
    float y = sign32(cbrt_positive32(a * up) * down, x);
    return a < INF32 && a != 0.0f ? y : x + x;
}

double __nv_cbrt(double x)
{
    double a = abs64(x);
    double up = a < 0x1p-300 ? 0x1p600 : a > 0x1p300 ? 0x1p-600 : 1.0;
    double down = a < 0x1p-300 ? 0x1p-200 : a > 0x1p300 ? 0x1p200 : 1.0;
    double y = sign64(cbrt_positive64(a * up) * down, x);
    return a < INF64 && a != 0.0 ? y : x + x;
}

/* 1 / y with a step of Newton's, on r^3 x = 1 with r^3 in two parts. */
INLINE float rcbrt_positive32(float x)
{
    float r = 1.0f / cbrt_positive32(x);
    float square = mul32(r, r), square_lo = fma32(r, r, -square);
    float cube = mul32(square, r);
    float cube_lo = fma32(square, r, -cube) + square_lo * r;
    float rest = fma32(-x, cube, 1.0f) - x * cube_lo;
    return fma32(r * rest, 1.0f / 3.0f, r);
}

INLINE double rcbrt_positive64(double x)
{
    double r = 1.0 / cbrt_positive64(x);
    double square = mul64(r, r), square_lo = fma64(r, r, -square);
    double cube = mul64(square, r);
    double cube_lo = fma64(square, r, -cube) + square_lo * r;
    double rest = fma64(-x, cube, 1.0) - x * cube_lo;
    return fma64(r * rest, 1.0 / 3.0, r);
}

float __nv_rcbrtf(float x)
{
    float a = abs32(x);
    float up = a < 0x1p-60f ? 0x1p90f : a > 0x1p60f ? 0x1p-60f : 1.0f;
    float back = a < 0x1p-60f ? 0x1p30f : a > 0x1p60f ? 0x1p-20f : 1.0f;
    float y = sign32(rcbrt_positive32(a * up) * back, x);
    return a < INF32 && a != 0.0f ? y : 1.0f / x;
}

double __nv_rcbrt(double x)
{
    double a = abs64(x);
    double up = a < 0x1p-300 ? 0x1p600 : a > 0x1p300 ? 0x1p-600 : 1.0;
    double back = a < 0x1p-300 ? 0x1p200 : a > 0x1p300 ? 0x1p-200 : 1.0;
    double y = sign64(rcbrt_positive64(a * up) * back, x);
    return a < INF64 && a != 0.0 ? y : 1.0 / x;
}

/*
 * Lengths: the largest component's exponent is taken out first. An infinite
 * component makes the length infinite, whatever the others are.
 */
INLINE float unit32(float most)
{
    int e = (int)(bits32(most) >> 23);
    e = e < 2 ? 2 : e > 252 ? 252 : e;
    return float32((uint32_t)(254 - e) << 23);
}

INLINE double unit64(double most)
{
    int e = (int)(bits64(most) >> 52);
    e = e < 2 ? 2 : e > 2044 ? 2044 : e;
    return float64((uint64_t)(2046 - e) << 52);
}

/* Skips a NaN, so that an infinity beside it wins. */
INLINE float max32(float a, float b)
{
    return a > b || b != b ? a : b;
}

INLINE double max64(double a, double b)
{
    return a > b || b != b ? a : b;
}

/* The sum of the squares of (a, b, c, d) * scale, scale = unit32(...); of
 * doubles in two parts, so that 1 / norm4d() has the bound of 1 ulp. */
INLINE float squares32(float a, float b, float c, float d, float *scale)
{
    a = abs32(a), b = abs32(b), c = abs32(c), d = abs32(d);
    float most = max32(max32(a, b), max32(c, d));
    float s = unit32(most);
    *scale = s;
    a *= s, b *= s, c *= s, d *= s;
    float sum = fma32(a, a, fma32(b, b, fma32(c, c, d * d)));
    return most == INF32 ? INF32 : sum;
}

INLINE double squares64(double a, double b, double c, double d, double *scale)
{
    a = abs64(a), b = abs64(b), c = abs64(c), d = abs64(d);
    double most = max64(max64(a, b), max64(c, d));
    double s = unit64(most);
    *scale = s;
    a *= s, b *= s, c *= s, d *= s;
    struct dd aa = dd_product(a, a), bb = dd_product(b, b);
    struct dd cc = dd_product(c, c), dd = dd_product(d, d);
    struct dd ab = dd_sum(aa.hi, bb.hi), cd = dd_sum(cc.hi, dd.hi);
    struct dd sum = dd_sum(ab.hi, cd.hi);
    double rest = (aa.lo + bb.lo) + (cc.lo + dd.lo) + (ab.lo + cd.lo);
    return most == INF64 ? INF64 : sum.hi + (sum.lo + rest);
}

INLINE float norm32(float a, float b, float c, float d)
{
    float s, sum = squares32(a, b, c, d, &s);
    return __builtin_sqrtf(sum) / s;
}

INLINE double norm64(double a, double b, double c, double d)
{
    double s, sum = squares64(a, b, c, d, &s);
    return __builtin_sqrt(sum) / s;
}

/* 1 / sqrt(x) with a step of Newton's against its two roundings. */
INLINE float rsqrt_close32(float x)
{
    float r = 1.0f / __builtin_sqrtf(x);
    float rest = fma32(mul32(r, x), -r, 1.0f);
    float better = fma32(0.5f * r, rest, r);
    return x > 0.0f && x < INF32 ? better : r;
}

INLINE double rsqrt_close64(double x)
{
    double r = 1.0 / __builtin_sqrt(x);
    struct dd p = dd_product(r, x);
    double rest = fma64(p.hi, -r, 1.0) - p.lo * r;
    double better = fma64(0.5 * r, rest, r);
    return x > 0.0 && x < INF64 ? better : r;
}

INLINE float rnorm32(float a, float b, float c, float d)
{
    float s, sum = squares32(a, b, c, d, &s);
    return s * rsqrt_close32(sum);
}

INLINE double rnorm64(double a, double b, double c, double d)
{
    double s, sum = squares64(a, b, c, d, &s);
    return s * rsqrt_close64(sum);
}

float __nv_hypotf(float a, float b)
{
    return norm32(a, b, 0.0f, 0.0f);
}

double __nv_hypot(double a, double b)
{
    return norm64(a, b, 0.0, 0.0);
}

float __nv_rhypotf(float a, float b)
{
    return rnorm32(a, b, 0.0f, 0.0f);
}

double __nv_rhypot(double a, double b)
{
    return rnorm64(a, b, 0.0, 0.0);
}

float __nv_norm3df(float a, float b, float c)
{
    return norm32(a, b, c, 0.0f);
}

double __nv_norm3d(double a, double b, double c)
{
    return norm64(a, b, c, 0.0);
}

float __nv_rnorm3df(float a, float b, float c)
{
    return rnorm32(a, b, c, 0.0f);
}

double __nv_rnorm3d(double a, double b, double c)
{
    return rnorm64(a, b, c, 0.0);
}

float __nv_norm4df(float a, float b, float c, float d)
{
    return norm32(a, b, c, d);
}

double __nv_norm4d(double a, double b, double c, double d)
{
    return norm64(a, b, c, d);
}

float __nv_rnorm4df(float a, float b, float c, float d)
{
    return rnorm32(a, b, c, d);
}

double __nv_rnorm4d(double a, double b, double c, double d)
{
    return rnorm64(a, b, c, d);
}

/* The same of n components. */
INLINE float squares_of32(int n, const float *p, float *scale)
{
    float most = 0.0f;
    for (int i = 0; i < n; i++)
        most = max32(most, abs32(p[i]));
    float s = unit32(most), sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum = fma32(p[i] * s, p[i] * s, sum);
    *scale = s;
    return most == INF32 ? INF32 : sum;
}

INLINE double squares_of64(int n, const double *p, double *scale)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = max64(most, abs64(p[i]));
    double s = unit64(most), sum = 0.0, rest = 0.0;
    for (int i = 0; i < n; i++) {
        struct dd square = dd_product(p[i] * s, p[i] * s);
        struct dd next = dd_sum(sum, square.hi);
        sum = next.hi;
        rest += next.lo + square.lo;
    }
    *scale = s;
    return most == INF64 ? INF64 : sum + rest;
}

float __nv_normf(int n, const float *p)
{
    float s, sum = squares_of32(n, p, &s);
    return __builtin_sqrtf(sum) / s;
}

double __nv_norm(int n, const double *p)
{
    double s, sum = squares_of64(n, p, &s);
    return __builtin_sqrt(sum) / s;
}

float __nv_rnormf(int n, const float *p)
{
    float s, sum = squares_of32(n, p, &s);
    return s * rsqrt_close32(sum);
}

double __nv_rnorm(int n, const double *p)
{
    double s, sum = squares_of64(n, p, &s);
    return s * rsqrt_close64(sum);
}
