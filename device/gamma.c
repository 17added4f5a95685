/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gamma function and its logarithm: around 2 a polynomial, from there by
 * the recurrence up to 9 (8 for the logarithm), beyond by Stirling's series,
 * and for negative arguments by reflection. Single precision goes through
 * double.
 */
#include "device.h"

double __nv_log(double x);
double __nv_log1p(double x);
double __nv_sinpi(double x);

/* lgamma(2 + d) / d and (gamma(2 + d) - 1) / d, |d| <= 1/2 */
static const double lgamma64[] = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa7p-2,   -0x1.13e001a55760cp-4,
    0x1.51322ac7d7fc1p-6,   -0x1.e404fc218c956p-8,  0x1.7add6eae5d72ap-9,
    -0x1.38ac5c2e0491ep-10, 0x1.0b36af3361f16p-11,  -0x1.d3fd4aee695eep-13,
    0x1.a127dd765cadcp-14,  -0x1.78deb09b1d024p-15, 0x1.5806cd661532fp-16,
    -0x1.3cb16bbddecdep-17, 0x1.26415761915a4p-18,  -0x1.129bac68a005p-19,
    0x1.ede623c8b312fp-21,  -0x1.cba40123654c8p-22, 0x1.2b649604d2adcp-22,
    -0x1.2465191cf9318p-23,
};
static const double tgamma64[] = {
    0x1.b0ee6072093cep-2,   0x1.a5b978b96bec2p-2,   0x1.4e2399846506cp-4,
    0x1.301fbb0f24e55p-4,   -0x1.17f3740dffbc2p-12, 0x1.6d7eeacb96cf4p-7,
    -0x1.75e6e90fa421dp-9,  0x1.13c448f37546ep-9,   -0x1.e21f185e580aep-11,
    0x1.011b0c060fbc9p-11,  -0x1.f94b57b7faaf2p-13, 0x1.fe4448e5728cfp-14,
    -0x1.fdd99df3d2a0ep-15, 0x1.004fd445c6c59p-15,  -0x1.00d2fcb773ef7p-16,
    0x1.e75cbb1726a11p-18,  -0x1.e11eaa8e4738ap-19, 0x1.5afadaed3b42bp-19,
    -0x1.6667c86c0c05fp-20,
};

/* x (lgamma(x) - (x - 1/2) log x + x - log(2 pi) / 2) in 1 / x^2, x >= 8 */
static const double stirling64[] = {
    0x1.5555555555555p-4,   -0x1.6c16c16c16b32p-9, 0x1.a01a019ee9ce1p-11,
    -0x1.38137ecdcaebcp-11, 0x1.b94f76e642b7p-11,  -0x1.f600ec7770c17p-10,
    0x1.96ef689160431p-8,   -0x1.560f990c5af9ep-6,
};

#define LOG_PI          0x1.250d048e7a1bdp+0
#define HALF_LOG_2PI    0x1.d67f1c864beb5p-1
#define HALF_LOG_2PI_LO -0x1.65b5a1b7ff5dfp-55

/* a > 0 */
RARE double lgamma_positive(double a)
{
    if (a >= 8.0) {
        double r = 1.0 / a;
        double tail = HALF_LOG_2PI + r * poly64(r * r, stirling64);
        double y = fma64(a - 0.5, __nv_log(a) - 1.0, tail - 0.5);
        return a > 0x1p1015 ? INF64 : y;
    }
    if (a < 0.5)
        return fma64(a, poly64(a, lgamma64), -__nv_log(fma64(a, a, a)));
    if (a < 1.5) {
        double d = a - 1.0;
        return fma64(d, poly64(d, lgamma64), -__nv_log1p(d));
    }
    double product = 1.0;
    while (a >= 2.5) {
        a -= 1.0;
        product *= a;
    }
    double d = a - 2.0;
    return fma64(d, poly64(d, lgamma64), __nv_log(product));
}

double __nv_lgamma(double x)
{
    double a = abs64(x);
    if (!(a < INF64))
        return a;
    if (a == 0.0)
        return INF64;
    double y = lgamma_positive(a);
    if (x > 0.0)
        return y;
    double s = abs64(__nv_sinpi(a));
    if (s == 0.0)
        return INF64;
    /* a sin(pi a) may be too small for its logarithm */
    return a < 0x1p-60 ? -__nv_log(a) : (LOG_PI - __nv_log(a * s)) - y;
}

/* log(gamma(a)) in two parts, a >= 8 */
INLINE struct dd stirling(double a)
{
    double r = 1.0 / a;
    struct dd p = dd_mul(weft_log_dd(a), (struct dd){a - 0.5, 0.0});
    p = dd_add(p, (struct dd){-a, r * poly64(r * r, stirling64)});
    return dd_add(p, (struct dd){HALF_LOG_2PI, HALF_LOG_2PI_LO});
}

/* 0 < a < 9 */
INLINE double gamma_small(double a)
{
    if (a < 0.5)
        return fma64(a, poly64(a, tgamma64), 1.0) / fma64(a, a, a);
    if (a < 1.5) {
        double d = a - 1.0;
        return fma64(d, poly64(d, tgamma64), 1.0) / a;
    }
    double product = 1.0;
    while (a >= 2.5) {
        a -= 1.0;
        product *= a;
    }
    double d = a - 2.0;
    return product * fma64(d, poly64(d, tgamma64), 1.0);
}

double __nv_tgamma(double x)
{
    double a = abs64(x);
    if (x != x || x == 0.0)
        return 1.0 / x;
    if (x > 0.0) {
        if (a < 9.0)
            return gamma_small(a);
        return a > 172.0 ? INF64 : weft_exp_dd(stirling(a), 0);
    }
    /* gamma(-a) = -pi / (a sin(pi a) gamma(a)) */
    double s = __nv_sinpi(a);
    if (s == 0.0 || a == INF64)
        return NAN64;
    if (a < 0x1p-60)
        return 1.0 / x;
    double turn = -0x1.921fb54442d18p+1 / (a * s);
    if (a < 9.0)
        return turn / gamma_small(a);
    if (a > 200.0)
        return sign64(0.0, turn);
    struct dd p = stirling(a);
    double inverse = weft_exp_dd((struct dd){-p.hi, -p.lo}, 64);
    return turn * inverse * 0x1p-64;
}

float __nv_lgammaf(float x)
{
    return (float)__nv_lgamma((double)x);
}

float __nv_tgammaf(float x)
{
    return (float)__nv_tgamma((double)x);
}
