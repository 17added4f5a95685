/* SPDX-License-Identifier: Apache-2.0 */
/* Normals by the inverse of the distribution. Part of curand_kernel.h. */
#ifndef CURAND_NORMAL_STATIC_H
#define CURAND_NORMAL_STATIC_H

#include "curand_globals.h"

/* Host code: no C library has these two, so that a host program that calls
 * them does not link. */
#ifndef __CUDACC__
extern "C" float erfcinvf(float);
extern "C" double erfcinv(double);
#endif

/* The upper half of the distribution mirrors the lower one, so that no digits
 * are lost near 1. */
QUALIFIERS float _curand_normal_icdf(unsigned int x)
{
    bool is_upper = x > 0x80000000u;
    if (is_upper)
        x = 0xffffffffu - x;
    float p = x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
    return (is_upper ? -CURAND_SQRT2 : CURAND_SQRT2) * erfcinvf(2.0f * p);
}

QUALIFIERS float _curand_normal_icdf(unsigned long long x)
{
    return _curand_normal_icdf((unsigned int)(x >> 32));
}

QUALIFIERS double _curand_normal_icdf_double(unsigned int x)
{
    bool is_upper = x > 0x80000000u;
    if (is_upper)
        x = 0xffffffffu - x;
    double p = x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2.0;
    return (is_upper ? -CURAND_SQRT2_DOUBLE : CURAND_SQRT2_DOUBLE) *
           erfcinv(2.0 * p);
}

QUALIFIERS double _curand_normal_icdf_double(unsigned long long x)
{
    x >>= 11;
    bool is_upper = x > 0x10000000000000ull;
    if (is_upper)
        x = 0x1fffffffffffffull - x;
    double p = x * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
    return (is_upper ? -CURAND_SQRT2_DOUBLE : CURAND_SQRT2_DOUBLE) *
           erfcinv(2.0 * p);
}

#endif
