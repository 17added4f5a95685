/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device math beyond clang's headers: the float overloads of <cmath>'s
 * functions that __clang_cuda_math_forward_declares.h promises, and those of
 * CUDA's own functions (rsqrt, sinpi ...), for the host too.
 */
#ifndef WEFT_DEVICE_MATH_H
#define WEFT_DEVICE_MATH_H

#define WEFT_DEVICE static __device__ __inline__ __attribute__((always_inline))

#define WEFT_FLOAT_1(name)                                                     \
    WEFT_DEVICE float name(float x)                                            \
    {                                                                          \
        return ::name##f(x);                                                   \
    }
#define WEFT_FLOAT_2(name)                                                     \
    WEFT_DEVICE float name(float x, float y)                                   \
    {                                                                          \
        return ::name##f(x, y);                                                \
    }
WEFT_FLOAT_1(acosh)
WEFT_FLOAT_1(asinh)
WEFT_FLOAT_1(atanh)
WEFT_FLOAT_1(cbrt)
WEFT_FLOAT_1(erf)
WEFT_FLOAT_1(erfc)
WEFT_FLOAT_1(exp2)
WEFT_FLOAT_1(expm1)
WEFT_FLOAT_1(lgamma)
WEFT_FLOAT_1(log1p)
WEFT_FLOAT_1(log2)
WEFT_FLOAT_1(logb)
WEFT_FLOAT_1(nearbyint)
WEFT_FLOAT_1(rint)
WEFT_FLOAT_1(round)
WEFT_FLOAT_1(tgamma)
WEFT_FLOAT_1(trunc)
WEFT_FLOAT_2(copysign)
WEFT_FLOAT_2(fdim)
WEFT_FLOAT_2(fmax)
WEFT_FLOAT_2(fmin)
WEFT_FLOAT_2(hypot)
WEFT_FLOAT_2(nextafter)
WEFT_FLOAT_2(remainder)

WEFT_DEVICE float fma(float x, float y, float z)
{
    return ::fmaf(x, y, z);
}
WEFT_DEVICE int ilogb(float x)
{
    return ::ilogbf(x);
}
WEFT_DEVICE long long llrint(float x)
{
    return ::llrintf(x);
}
WEFT_DEVICE long long llround(float x)
{
    return ::llroundf(x);
}
WEFT_DEVICE long lrint(float x)
{
    return ::lrintf(x);
}
WEFT_DEVICE long lround(float x)
{
    return ::lroundf(x);
}
WEFT_DEVICE float remquo(float x, float y, int *quotient)
{
    return ::remquof(x, y, quotient);
}
WEFT_DEVICE float scalbln(float x, long n)
{
    return ::scalblnf(x, n);
}
WEFT_DEVICE float scalbn(float x, int n)
{
    return ::scalbnf(x, n);
}
WEFT_DEVICE double nan(const char *tag)
{
    return __nv_nan((const signed char *)tag);
}
WEFT_DEVICE float nanf(const char *tag)
{
    return __nv_nanf((const signed char *)tag);
}

/* A float to a whole power is a double, as in C++11 and with nvcc; clang's
 * header says float, and loses to this one by the attribute. */
static __device__ inline double pow(float x, int n)
    __attribute__((enable_if(true, "")))
{
    return ::pow((double)x, (double)n);
}

/* CUDA's own, with a float argument. */
WEFT_FLOAT_1(rsqrt)
WEFT_FLOAT_1(rcbrt)
WEFT_FLOAT_1(exp10)
WEFT_FLOAT_1(sinpi)
WEFT_FLOAT_1(cospi)
WEFT_FLOAT_1(erfinv)
WEFT_FLOAT_1(erfcinv)
WEFT_FLOAT_1(erfcx)
WEFT_FLOAT_1(normcdf)
WEFT_FLOAT_1(normcdfinv)
WEFT_FLOAT_1(j0)
WEFT_FLOAT_1(j1)
WEFT_FLOAT_1(y0)
WEFT_FLOAT_1(y1)
WEFT_FLOAT_1(cyl_bessel_i0)
WEFT_FLOAT_1(cyl_bessel_i1)
WEFT_FLOAT_2(fdivide)
WEFT_FLOAT_2(rhypot)
WEFT_DEVICE void sincos(float x, float *s, float *c)
{
    ::sincosf(x, s, c);
}
WEFT_DEVICE void sincospi(float x, float *s, float *c)
{
    ::sincospif(x, s, c);
}
WEFT_DEVICE float jn(int n, float x)
{
    return ::jnf(n, x);
}
WEFT_DEVICE float yn(int n, float x)
{
    return ::ynf(n, x);
}
WEFT_DEVICE double copysign(double x, float y)
{
    return ::copysign(x, (double)y);
}
WEFT_DEVICE double copysign(float x, double y)
{
    return ::copysign((double)x, y);
}
#undef WEFT_FLOAT_1
#undef WEFT_FLOAT_2
#undef WEFT_DEVICE

#include "host_math.h"

#endif
