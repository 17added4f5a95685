/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Complex numbers of C's CUDA interface: cuFloatComplex and cuDoubleComplex,
 * for host and device, from C and C++. Quotient and absolute value scale, so
 * that they neither overflow nor underflow before the result does.
 */
/* The guard is the one that programs test for. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>
#include "vector_types.h"

#define WEFT_COMPLEX static __host__ __device__ __inline__

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* suffix of the functions, real type, complex type, C's functions' suffix */
#define WEFT_COMPLEX_TYPE(f, real, complex, fabs_, sqrt_, fma_)                \
    WEFT_COMPLEX real cuCreal##f(complex x)                                    \
    {                                                                          \
        return x.x;                                                            \
    }                                                                          \
    WEFT_COMPLEX real cuCimag##f(complex x)                                    \
    {                                                                          \
        return x.y;                                                            \
    }                                                                          \
    WEFT_COMPLEX complex weft_make_complex##f(real r, real i)                  \
    {                                                                          \
        complex z;                                                             \
        z.x = r;                                                               \
        z.y = i;                                                               \
        return z;                                                              \
    }                                                                          \
    WEFT_COMPLEX complex cuConj##f(complex x)                                  \
    {                                                                          \
        return weft_make_complex##f(x.x, -x.y);                                \
    }                                                                          \
    WEFT_COMPLEX complex cuCadd##f(complex x, complex y)                       \
    {                                                                          \
        return weft_make_complex##f(x.x + y.x, x.y + y.y);                     \
    }                                                                          \
    WEFT_COMPLEX complex cuCsub##f(complex x, complex y)                       \
    {                                                                          \
        return weft_make_complex##f(x.x - y.x, x.y - y.y);                     \
    }                                                                          \
    WEFT_COMPLEX complex cuCmul##f(complex x, complex y)                       \
    {                                                                          \
        return weft_make_complex##f(x.x * y.x - x.y * y.y,                     \
                                    x.x * y.y + x.y * y.x);                    \
    }                                                                          \
    WEFT_COMPLEX complex cuCdiv##f(complex x, complex y)                       \
    {                                                                          \
        real scale = (real)1 / (fabs_(y.x) + fabs_(y.y));                      \
        real a = x.x * scale, b = x.y * scale;                                 \
        real c = y.x * scale, d = y.y * scale;                                 \
        real square = (real)1 / (c * c + d * d);                               \
        return weft_make_complex##f((a * c + b * d) * square,                  \
                                    (b * c - a * d) * square);                 \
    }                                                                          \
    WEFT_COMPLEX real cuCabs##f(complex x)                                     \
    {                                                                          \
        real a = fabs_(x.x), b = fabs_(x.y);                                   \
        real most = a > b ? a : b, least = a > b ? b : a;                      \
        if (most == 0 || !(most + least < (real)__builtin_huge_val()))         \
            return most + least;                                               \
        real ratio = least / most;                                             \
        return most * sqrt_((real)1 + ratio * ratio);                          \
    }                                                                          \
    WEFT_COMPLEX complex cuCfma##f(complex x, complex y, complex d)            \
    {                                                                          \
        real r = fma_(x.x, y.x, d.x), i = fma_(x.x, y.y, d.y);                 \
        return weft_make_complex##f(fma_(-x.y, y.y, r), fma_(x.y, y.x, i));    \
    }
WEFT_COMPLEX_TYPE(f, float, cuFloatComplex, fabsf, sqrtf, fmaf)
WEFT_COMPLEX_TYPE(, double, cuDoubleComplex, fabs, sqrt, fma)
#undef WEFT_COMPLEX_TYPE

WEFT_COMPLEX cuFloatComplex make_cuFloatComplex(float r, float i)
{
    return weft_make_complexf(r, i);
}
WEFT_COMPLEX cuDoubleComplex make_cuDoubleComplex(double r, double i)
{
    return weft_make_complex(r, i);
}
WEFT_COMPLEX cuComplex make_cuComplex(float r, float i)
{
    return weft_make_complexf(r, i);
}
WEFT_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return weft_make_complex((double)c.x, (double)c.y);
}
WEFT_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return weft_make_complexf((float)c.x, (float)c.y);
}

#undef WEFT_COMPLEX

#endif
