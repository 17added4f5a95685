/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform numbers: above 0, up to 1. Part of curand_kernel.h. */
#ifndef CURAND_UNIFORM_H_
#define CURAND_UNIFORM_H_

#include "curand_globals.h"
#include "curand_mrg32k3a.h"
#include "curand_mtgp32_kernel.h"
#include "curand_philox4x32_x.h"

QUALIFIERS float _curand_uniform(unsigned int x)
{
    return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
}

QUALIFIERS float _curand_uniform(unsigned long long x)
{
    return _curand_uniform((unsigned int)(x >> 32));
}

QUALIFIERS float4 _curand_uniform4(uint4 x)
{
    return make_float4(_curand_uniform(x.x), _curand_uniform(x.y),
                       _curand_uniform(x.z), _curand_uniform(x.w));
}

QUALIFIERS double _curand_uniform_double(unsigned int x)
{
    return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}

QUALIFIERS double _curand_uniform_double(unsigned long long x)
{
    return (x >> 11) * CURAND_2POW53_INV_DOUBLE +
           CURAND_2POW53_INV_DOUBLE / 2.0;
}

/* A uniform double from 53 bits of two words. */
QUALIFIERS double _curand_uniform_double_hq(unsigned int x, unsigned int y)
{
    unsigned long long z = x ^ (unsigned long long)y << 21;
    return z * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
}

/* Uniform numbers from one word each. */
#define WEFT_UNIFORM(state_t)                             \
    QUALIFIERS float curand_uniform(state_t *state)       \
    {                                                     \
        return _curand_uniform(curand(state));            \
    }
#define WEFT_UNIFORM_DOUBLE(state_t)                      \
    QUALIFIERS double curand_uniform_double(state_t *state) \
    {                                                     \
        return _curand_uniform_double(curand(state));     \
    }
WEFT_UNIFORM(curandStateTest_t)
WEFT_UNIFORM_DOUBLE(curandStateTest_t)
WEFT_UNIFORM(curandStateXORWOW_t)
WEFT_UNIFORM(curandStatePhilox4_32_10_t)
WEFT_UNIFORM_DOUBLE(curandStatePhilox4_32_10_t)
WEFT_UNIFORM(curandStateMtgp32_t)
WEFT_UNIFORM_DOUBLE(curandStateMtgp32_t)
WEFT_UNIFORM(curandStateSobol32_t)
WEFT_UNIFORM_DOUBLE(curandStateSobol32_t)
WEFT_UNIFORM(curandStateScrambledSobol32_t)
WEFT_UNIFORM_DOUBLE(curandStateScrambledSobol32_t)
WEFT_UNIFORM(curandStateSobol64_t)
WEFT_UNIFORM_DOUBLE(curandStateSobol64_t)
WEFT_UNIFORM(curandStateScrambledSobol64_t)
WEFT_UNIFORM_DOUBLE(curandStateScrambledSobol64_t)
#undef WEFT_UNIFORM
#undef WEFT_UNIFORM_DOUBLE

QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *state)
{
    unsigned int x = curand(state);
    return _curand_uniform_double_hq(x, curand(state));
}

QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)(curand_MRG32k3a(state) * MRG32K3A_NORM);
}

QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return curand_MRG32k3a(state) * MRG32K3A_NORM;
}

QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    return _curand_uniform4(curand4(state));
}

QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    return make_double2(_curand_uniform_double_hq(x.x, x.y),
                        _curand_uniform_double_hq(x.z, x.w));
}

QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    double2 a = curand_uniform2_double(state);
    double2 b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

#endif
