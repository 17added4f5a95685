/* SPDX-License-Identifier: Apache-2.0 */
/* Hyperbolic functions and their inverses: polynomials near 0, exponentials
 * and logarithms elsewhere. */
#include "device.h"

float __nv_log1pf(float x);
double __nv_log1p(double x);

/* (sinh x - x) / x^3 in x^2, |x| <= 1 */
static const float sinh32[] = {
    0x1.555562p-3f,
    0x1.1103d6p-7f,
    0x1.a8e00ap-13f,
};
static const double sinh64[] = {
    0x1.5555555555555p-3,  0x1.11111111110fdp-7,  0x1.a01a01a01eee5p-13,
    0x1.71de3a4e0c5a5p-19, 0x1.ae646103fc7f4p-26, 0x1.611caeca2f772p-33,
    0x1.b413c8c8aa395p-41,
};

/* (tanh x - x) / x^3 in x^2, |x| <= 0.55 */
static const float tanh32[] = {
    -0x1.555554p-2f, 0x1.110fdap-3f,  -0x1.b99aa8p-5f,
    0x1.5cd89cp-6f,  -0x1.aef52ap-8f,
};
static const double tanh64[] = {
    -0x1.5555555555555p-2,  0x1.1111111110fd9p-3,  -0x1.ba1ba1b9f49e6p-5,
    0x1.664f487384560p-6,   -0x1.226e324ef7265p-7, 0x1.d6d318a012c9ep-9,
    -0x1.7d95d08f04614p-10, 0x1.34b253ea057a5p-11, -0x1.eb2f1f90d81f4p-13,
    0x1.6227bf9d410dfp-14,  -0x1.51eb0f790fd4cp-16,
};

/* (asinh x - x) / x^3 in x^2, |x| <= 1/2 */
static const float asinh32[] = {
    -0x1.555552p-3f, 0x1.332f0ep-4f,  -0x1.6ca1f2p-5f,
    0x1.d8092cp-6f,  -0x1.d5f74ep-7f,
};
static const double asinh64[] = {
    -0x1.5555555555555p-3,  0x1.33333333332fep-4,  -0x1.6db6db6db0efcp-5,
    0x1.f1c71c6da298ap-6,   -0x1.6e8ba227abd4ep-6, 0x1.1c4eaff4bfcfp-6,
    -0x1.c996aa521f582p-7,  0x1.7a6415c035bfep-7,  -0x1.3eb67911b5171p-7,
    0x1.0c347a70b74cfp-7,   -0x1.a8c497f99ce7dp-8, 0x1.0fe3d41dea07cp-8,
    -0x1.8ab5201777ecap-10,
};

INLINE double exp64(double x, int scale)
{
    return weft_exp_dd((struct dd){x, 0.0}, scale);
}

float __nv_sinhf(float x)
{
    float a = abs32(x), z = x * x;
    float near = fma32(a * z, poly32(z, sinh32), a);
    float e = weft_exp32(a, -1);
    float far = e - 0.25f / e;
    return sign32(a < 1.0f ? near : far, x);
}

float __nv_coshf(float x)
{
    float e = weft_exp32(abs32(x), -1);
    return e + 0.25f / e;
}

float __nv_tanhf(float x)
{
    float a = abs32(x), z = x * x;
    float near = fma32(a * z, poly32(z, tanh32), a);
    float far = 1.0f - 2.0f / (weft_exp32(a + a, 0) + 1.0f);
    return sign32(a < 0.55f ? near : far, x);
}

double __nv_sinh(double x)
{
    double a = abs64(x), z = x * x;
    double near = fma64(a * z, poly64(z, sinh64), a);
    double e = exp64(a, -1);
    double far = e - 0.25 / e;
    return sign64(a < 1.0 ? near : far, x);
}

double __nv_cosh(double x)
{
    double e = exp64(abs64(x), -1);
    return e + 0.25 / e;
}

double __nv_tanh(double x)
{
    double a = abs64(x), z = x * x;
    double near = fma64(a * z, poly64(z, tanh64), a);
    double far = 1.0 - 2.0 / (exp64(a + a, 0) + 1.0);
    return sign64(a < 0.55 ? near : far, x);
}

/* log(a + sqrt(a^2 + 1)) = log1p(a + a^2 / (1 + sqrt(a^2 + 1))); far out,
 * log(a) + log(2). */
float __nv_asinhf(float x)
{
    float a = abs32(x), z = x * x;
    float near = fma32(a * z, poly32(z, asinh32), a);
    bool is_far = a > 0x1p30f;
    float root = __builtin_sqrtf(fma32(a, a, 1.0f));
    float t = is_far ? a - 1.0f : a + z / (1.0f + root);
    float y = __nv_log1pf(t);
    y = is_far ? y + 0x1.62e43p-1f : y;
    y = a < 0.5f ? near : y;
    return sign32(a == INF32 ? a : y, x);
}

double __nv_asinh(double x)
{
    double a = abs64(x), z = x * x;
    double near = fma64(a * z, poly64(z, asinh64), a);
    bool is_far = a > 0x1p60;
    double root = __builtin_sqrt(fma64(a, a, 1.0));
    double t = is_far ? a : a + z / (1.0 + root);
    double y = __nv_log1p(t);
    y = is_far ? y + 0x1.62e42fefa39efp-1 : y;
    y = a < 0.5 ? near : y;
    return sign64(a == INF64 ? a : y, x);
}

/* log1p(t + sqrt(t (2 + t))), t = x - 1 */
float __nv_acoshf(float x)
{
    float t = add32(x, -1.0f);
    bool is_far = x > 0x1p30f;
    float root = __builtin_sqrtf(fma32(t, t, t + t));
    float y = __nv_log1pf(is_far ? x : t + root);
    y = is_far ? y + 0x1.62e43p-1f : y;
    return x < 1.0f ? NAN32 : y;
}

double __nv_acosh(double x)
{
    double t = add64(x, -1.0);
    bool is_far = x > 0x1p60;
    double root = __builtin_sqrt(fma64(t, t, t + t));
    double y = __nv_log1p(is_far ? x : t + root);
    y = is_far ? y + 0x1.62e42fefa39efp-1 : y;
    return x < 1.0 ? NAN64 : y;
}

/* log((1 + a) / (1 - a)) / 2 = log1p(2 a / (1 - a)) / 2 */
float __nv_atanhf(float x)
{
    float a = abs32(x);
    float y = 0.5f * __nv_log1pf((a + a) / (1.0f - a));
    return a > 1.0f ? NAN32 : sign32(y, x);
}

double __nv_atanh(double x)
{
    double a = abs64(x);
    double y = 0.5 * __nv_log1p((a + a) / (1.0 - a));
    return a > 1.0 ? NAN64 : sign64(y, x);
}
