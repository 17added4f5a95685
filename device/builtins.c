/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C's functions by their own names: what clang makes of __builtin_acos(x) in
 * device code, which templates of C++ libraries use on both sides. A GPU has no
 * C library to call; these pass the call on.
 */
#include "device.h"

#define PASS_ON(result, name, parameters, own, arguments)                      \
    result __nv_##own parameters;                                              \
    result name parameters                                                     \
    {                                                                          \
        return __nv_##own arguments;                                           \
    }
#define UNARY(name)                                                            \
    PASS_ON(double, name, (double x), name, (x))                               \
    PASS_ON(float, name##f, (float x), name##f, (x))
#define BINARY(name)                                                           \
    PASS_ON(double, name, (double x, double y), name, (x, y))                  \
    PASS_ON(float, name##f, (float x, float y), name##f, (x, y))
#define WITH_INT(name)                                                         \
    PASS_ON(double, name, (double x, int n), name, (x, n))                     \
    PASS_ON(float, name##f, (float x, int n), name##f, (x, n))

UNARY(acos)
UNARY(acosh)
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanh)
UNARY(cbrt)
UNARY(cos)
UNARY(cosh)
UNARY(erf)
UNARY(erfc)
UNARY(exp)
UNARY(exp10)
UNARY(exp2)
UNARY(expm1)
UNARY(lgamma)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(logb)
UNARY(sin)
UNARY(sinh)
UNARY(sqrt)
UNARY(tan)
UNARY(tanh)
UNARY(tgamma)
BINARY(atan2)
BINARY(fdim)
BINARY(fmod)
BINARY(hypot)
BINARY(nextafter)
BINARY(pow)
BINARY(remainder)
WITH_INT(ldexp)
WITH_INT(scalbn)

/* By another name, or with another type. */
PASS_ON(int, ilogb, (double x), ilogb, (x))
PASS_ON(int, ilogbf, (float x), ilogbf, (x))
PASS_ON(double, frexp, (double x, int *e), frexp, (x, e))
PASS_ON(float, frexpf, (float x, int *e), frexpf, (x, e))
PASS_ON(double, modf, (double x, double *i), modf, (x, i))
PASS_ON(float, modff, (float x, float *i), modff, (x, i))
PASS_ON(double, remquo, (double x, double y, int *q), remquo, (x, y, q))
PASS_ON(float, remquof, (float x, float y, int *q), remquof, (x, y, q))

double scalbln(double x, long n)
{
    return scalbn(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n);
}
float scalblnf(float x, long n)
{
    return scalbnf(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n);
}

PASS_ON(double, fma, (double x, double y, double z), fma, (x, y, z))
PASS_ON(float, fmaf, (float x, float y, float z), fmaf, (x, y, z))

void __nv_sincos(double x, double *sine, double *cosine);
void __nv_sincosf(float x, float *sine, float *cosine);
void sincos(double x, double *sine, double *cosine)
{
    __nv_sincos(x, sine, cosine);
}
void sincosf(float x, float *sine, float *cosine)
{
    __nv_sincosf(x, sine, cosine);
}

#define TO_LONG(name)                                                          \
    long long __nv_ll##name(double x);                                         \
    long long __nv_ll##name##f(float x);                                       \
    long l##name(double x)                                                     \
    {                                                                          \
        return __nv_ll##name(x);                                               \
    }                                                                          \
    long l##name##f(float x)                                                   \
    {                                                                          \
        return __nv_ll##name##f(x);                                            \
    }                                                                          \
    long long ll##name(double x)                                               \
    {                                                                          \
        return __nv_ll##name(x);                                               \
    }                                                                          \
    long long ll##name##f(float x)                                             \
    {                                                                          \
        return __nv_ll##name##f(x);                                            \
    }
TO_LONG(rint)
TO_LONG(round)
