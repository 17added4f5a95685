/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error functions. erf near 0 is a polynomial; everything else comes from
 * the scaled complement e^(x^2) erfc(x) = P(t) / (1 + 2x) with
 * t = (x - K) / (x + K), which maps [0, infinity) to [-1, 1).
 */
#include "device.h"

/* erf(x) / x in x^2, |x| <= 1 */
static const float erf32[] = {
    0x1.20dd74p+0f, -0x1.81273ep-2f,  0x1.ce2d2p-4f,   -0x1.b7fbb6p-6f,
    0x1.5419fap-8f, -0x1.a485f8p-11f, 0x1.4ae4c6p-14f,
};
static const double erf64[] = {
    0x1.20dd750429b6dp+0,   -0x1.812746b0379c2p-2,  0x1.ce2f21a041018p-4,
    -0x1.b82ce312062bcp-6,  0x1.565bccfa9a825p-8,   -0x1.c02db072f3fdep-11,
    0x1.f9a2bf73f0c35p-14,  -0x1.f4ca94990c8bfp-17, 0x1.b9827b18846c5p-20,
    -0x1.5c16e30fa81d3p-23, 0x1.d7849365e1051p-27,  -0x1.acdff90af3887p-31,
};

/* P for K = 2 and K = 4 */
static const float erfcx32[] = {
    0x1.46e80ep+0f,   -0x1.7bf5dcp-4f,  -0x1.5407bcp-3f, 0x1.4ff93p-3f,
    -0x1.bc2c5p-5f,   -0x1.06c6bp-7f,   0x1.1de5fp-7f,   0x1.3f550cp-10f,
    -0x1.7ff1aap-10f, -0x1.7815dep-12f, 0x1.d1a58ep-13f, 0x1.0aeb92p-14f,
    -0x1.564e6cp-16f,
};
static const double erfcx64[] = {
    0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a287p-3,  0x1.f7f5df66fd612p-7,
    0x1.16ecefcfa4d8bp-4,   -0x1.9ddb23c3e85ffp-4,  0x1.7fee004e1e27cp-4,
    -0x1.0fb06dfe57066p-4,  0x1.3079edf52adc5p-5,   -0x1.09623882db192p-6,
    0x1.49c672ddb2367p-8,   -0x1.8d4a9b87cdc1fp-11, -0x1.a1df5c859a066p-13,
    0x1.3be0539b258a5p-13,  -0x1.99539e9cf298ep-16, -0x1.788742f2863eep-17,
    0x1.7ef76171333bbp-18,  0x1.39bb074b8fd56p-22,  -0x1.b8d8397e09b2ap-21,
    0x1.4bc7808c33883p-24,  0x1.c8d9d9210cbb3p-24,  -0x1.5eb24db4d7f83p-26,
    -0x1.a8a7103dcf031p-27, 0x1.abe1acfb46543p-29,  0x1.008a68f115ff4p-30,
    -0x1.1a12630aebfb4p-32,
};

/* a >= 0 */
INLINE float scaled32(float a)
{
    float under = a + 2.0f;
    float t = (a - 2.0f) / under;
    /* give back what the quotient and its parts lost */
    float rest = fma32(-t, a, (a - 2.0f) - 2.0f * t);
    t = t + rest / under;
    t = a > 0x1p60f ? 1.0f : t;
    return 0.5f * poly32(t, erfcx32) / (a + 0.5f);
}

INLINE double scaled64(double a)
{
    double under = a + 4.0;
    double t = (a - 4.0) / under;
    double rest = fma64(-t, a, (a - 4.0) - 4.0 * t);
    t = t + rest / under;
    t = a > 0x1p500 ? 1.0 : t;
    return 0.5 * poly64(t, erfcx64) / (a + 0.5);
}

/* erfc(a), a >= 0; the exponential is scaled up by 2^32, so that a small
 * result is rounded once. */
INLINE float complement32(float a)
{
    float square = mul32(a, a), lost = fma32(a, a, -square);
    float y = scaled32(a) * weft_exp32(-square, 32);
    y = fma32(-lost, y, y) * 0x1p-32f;
    return a > 10.1f ? 0.0f : y;
}

/* erfc(a + low) */
INLINE double complement64(double a, double low)
{
    double square = mul64(a, a), lost = fma64(a, a, -square);
    lost = fma64(a + a, low, lost);
    double y = scaled64(a) * weft_exp_dd((struct dd){-square, -lost}, 64);
    return a > 27.3 ? 0.0 : y * 0x1p-64;
}

float __nv_erff(float x)
{
    float a = abs32(x), z = x * x;
    float near = a * poly32(z, erf32);
    float far = 1.0f - complement32(a);
    return x != x ? x : sign32(a < 1.0f ? near : far, x);
}

double __nv_erf(double x)
{
    double a = abs64(x), z = x * x;
    double near = a * poly64(z, erf64);
    double far = 1.0 - complement64(a, 0.0);
    return x != x ? x : sign64(a < 1.0 ? near : far, x);
}

float __nv_erfcf(float x)
{
    float y = complement32(abs32(x));
    y = x < 0.0f ? 2.0f - y : y;
    return x != x ? x : y;
}

double __nv_erfc(double x)
{
    double y = complement64(abs64(x), 0.0), z = x * x;
    double near = fma64(-x, poly64(z, erf64), 1.0);
    y = x < 0.0 ? 2.0 - y : y;
    y = abs64(x) < 0.5 ? near : y;
    return x != x ? x : y;
}

/* For a negative argument 2 e^(x^2) - the same of -x. */
double __nv_erfcx(double x)
{
    double y = scaled64(abs64(x));
    double square = mul64(x, x), lost = fma64(x, x, -square);
    double twice = weft_exp_dd((struct dd){square, lost}, 1);
    y = x < 0.0 ? twice - y : y;
    return x != x ? x : x == -INF64 ? INF64 : y;
}

float __nv_erfcxf(float x)
{
    return (float)__nv_erfcx((double)x);
}

/* erfc(-x / sqrt(2)) / 2, the quotient in two parts */
double __nv_normcdf(double x)
{
    double a = abs64(x);
    a = a > 60.0 ? 60.0 : a;
    struct dd t = dd_product(a, 0x1.6a09e667f3bcdp-1);
    t.lo = fma64(a, -0x1.bdd3413b26456p-55, t.lo);
    double z = t.hi * t.hi;
    double part = 0.5 * t.hi * poly64(z, erf64);
    double far = 0.5 * complement64(t.hi, t.lo);
    double near = x > 0.0 ? 0.5 + part : 0.5 - part;
    double y = x > 0.0 ? 1.0 - far : far;
    y = a < 0.5 ? near : y;
    return x != x ? x : y;
}

float __nv_normcdff(float x)
{
    return (float)__nv_normcdf((double)x);
}

/* erfinv(x) / x in x^2, |x| <= 1/2 */
static const double erfinv64[] = {
    0x1.c5bf891b4ef6bp-1,  0x1.db29fb2fee5e5p-3, 0x1.053c2c0ab9057p-3,
    0x1.62847c47f54a3p-4,  0x1.0a13189606c4p-4,  0x1.a7c85ea254538p-5,
    0x1.5eeae3caed6f6p-5,  0x1.2abed70814608p-5, 0x1.035fa7e9e45ap-5,
    0x1.cec3e2d3fc45ep-6,  0x1.7b476c317e9c9p-6, 0x1.0816e5c2974aep-5,
    -0x1.dfb0162225d17p-7, 0x1.b7265342b1e2fp-4, -0x1.f349324bfba9cp-4,
    0x1.08da8b7e30f96p-3,
};

/* erfcinv(y) / s in 1 / s, s = sqrt(-log y), y <= 1/2: to 2^-13 */
static const double erfcinv_start[] = {
    0x1.0042f5c27e5d8p+0,  -0x1.d8ca7b84e768p-5,  -0x1.22551109ddfa3p+0,
    0x1.c121ad633f562p+0,  -0x1.848b32a2fc065p+0, 0x1.80d55034056cep-1,
    -0x1.4962dd5577a93p-3,
};

double __nv_log(double x);

/* y in (0, 1/2]: Newton's method on log erfcx(x) - x^2 - log y = 0, which
 * has no range to underflow in. */
RARE double erfcinv_tail(double y)
{
    double log_y = __nv_log(y), s = __builtin_sqrt(-log_y);
    double x = s * poly64(1.0 / s, erfcinv_start);
    for (int i = 0; i < 2; i++) {
        double e = scaled64(x);
        double miss = (__nv_log(e) - log_y) - x * x;
        x = fma64(miss * e, 0x1.c5bf891b4ef6bp-1, x);
    }
    return x;
}

INLINE double erfinv_middle(double x)
{
    return x * poly64(x * x, erfinv64);
}

double __nv_erfinv(double x)
{
    double a = abs64(x);
    if (a <= 0.5)
        return erfinv_middle(x);
    if (!(a < 1.0))
        return a == 1.0 ? sign64(INF64, x) : NAN64;
    return sign64(erfcinv_tail(1.0 - a), x);
}

double __nv_erfcinv(double y)
{
    if (y >= 0.5 && y <= 1.5)
        return erfinv_middle(1.0 - y);
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? INF64 : y == 2.0 ? -INF64 : NAN64;
    return y < 1.0 ? erfcinv_tail(y) : -erfcinv_tail(2.0 - y);
}

double __nv_normcdfinv(double p)
{
    return 0.0 - 0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2.0 * p);
}

float __nv_erfinvf(float x)
{
    return (float)__nv_erfinv((double)x);
}

float __nv_erfcinvf(float y)
{
    return (float)__nv_erfcinv((double)y);
}

float __nv_normcdfinvf(float p)
{
    return (float)__nv_normcdfinv((double)p);
}
