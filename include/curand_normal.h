/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Normals: of a pair of uniform numbers by Box and Muller's transform where
 * threads have sequences of their own, by the inverse of the distribution else.
 * Part of curand_kernel.h.
 */
#ifndef CURAND_NORMAL_H_
#define CURAND_NORMAL_H_

#include "curand_mufu.h"
#include "curand_normal_static.h"
#include "curand_uniform.h"

/* u in (0, 1], v in (0, 2 pi] */
QUALIFIERS float2 __weft_box_muller(float u, float v)
{
    float2 result;
    float radius = sqrtf(-2.0f * weft_log(u));
    weft_sine_cosine(v, &result.x, &result.y);
    result.x *= radius;
    result.y *= radius;
    return result;
}

/* v in (0, 2] */
QUALIFIERS double2 __weft_box_muller_double(double u, double v)
{
    double2 result;
    double radius = sqrt(-2.0 * log(u));
#ifdef __CUDA_ARCH__
    sincospi(v, &result.x, &result.y);
#else
    result.x = sin(v * CURAND_PI_DOUBLE);
    result.y = cos(v * CURAND_PI_DOUBLE);
#endif
    result.x *= radius;
    result.y *= radius;
    return result;
}

QUALIFIERS float2 _curand_box_muller(unsigned int x, unsigned int y)
{
    return __weft_box_muller(
        x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2,
        fmaf(y, CURAND_2POW32_INV_2PI, CURAND_2POW32_INV_2PI / 2));
}

QUALIFIERS double2 _curand_box_muller_double(unsigned int x0, unsigned int x1,
                                             unsigned int y0, unsigned int y1)
{
    return __weft_box_muller_double(_curand_uniform_double_hq(x0, x1),
                                    _curand_uniform_double_hq(y0, y1) * 2.0);
}

QUALIFIERS float2 curand_box_muller_mrg(curandStateMRG32k3a_t *state)
{
    float x = curand_uniform(state);
    return __weft_box_muller(x, curand_uniform(state) * CURAND_2PI);
}

QUALIFIERS double2 curand_box_muller_mrg_double(curandStateMRG32k3a_t *state)
{
    double x = curand_uniform_double(state);
    return __weft_box_muller_double(x, curand_uniform_double(state) * 2.0);
}

template <typename R>
QUALIFIERS float2 curand_box_muller(R *state)
{
    unsigned int x = curand(state);
    return _curand_box_muller(x, curand(state));
}

template <typename R>
QUALIFIERS double2 curand_box_muller_double(R *state)
{
    unsigned int x0 = curand(state), x1 = curand(state);
    unsigned int y0 = curand(state);
    return _curand_box_muller_double(x0, x1, y0, curand(state));
}

template <typename R>
QUALIFIERS float4 curand_box_muller4(R *state)
{
    uint4 x = curand4(state);
    float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

template <typename R>
QUALIFIERS double2 curand_box_muller2_double(R *state)
{
    uint4 x = curand4(state);
    return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}

template <typename R>
QUALIFIERS double4 curand_box_muller4_double(R *state)
{
    double2 a = curand_box_muller2_double(state);
    double2 b = curand_box_muller2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

/* ---- in pairs --------------------------------------------------------- */

QUALIFIERS float2 curand_normal2(curandStateXORWOW_t *state)
{
    return curand_box_muller(state);
}

QUALIFIERS float2 curand_normal2(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller(state);
}

QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t *state)
{
    return curand_box_muller_mrg(state);
}

QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t *state)
{
    return curand_box_muller_double(state);
}

QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller2_double(state);
}

QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    return curand_box_muller_mrg_double(state);
}

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller4(state);
}

QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    return curand_box_muller4_double(state);
}

/* ---- one by one: the second of a pair is kept ------------------------- */

#define WEFT_NORMAL(state_t)                                          \
    QUALIFIERS float curand_normal(state_t *state)                    \
    {                                                                 \
        if (state->boxmuller_flag == EXTRA_FLAG_NORMAL) {             \
            state->boxmuller_flag = 0;                                \
            return state->boxmuller_extra;                            \
        }                                                             \
        float2 pair = curand_normal2(state);                          \
        state->boxmuller_extra = pair.y;                              \
        state->boxmuller_flag = EXTRA_FLAG_NORMAL;                    \
        return pair.x;                                                \
    }                                                                 \
    QUALIFIERS double curand_normal_double(state_t *state)            \
    {                                                                 \
        if (state->boxmuller_flag_double == EXTRA_FLAG_NORMAL) {      \
            state->boxmuller_flag_double = 0;                         \
            return state->boxmuller_extra_double;                     \
        }                                                             \
        double2 pair = curand_normal2_double(state);                  \
        state->boxmuller_extra_double = pair.y;                       \
        state->boxmuller_flag_double = EXTRA_FLAG_NORMAL;             \
        return pair.x;                                                \
    }
WEFT_NORMAL(curandStateXORWOW_t)
WEFT_NORMAL(curandStatePhilox4_32_10_t)
WEFT_NORMAL(curandStateMRG32k3a_t)
#undef WEFT_NORMAL

#define WEFT_NORMAL(state_t)                                \
    QUALIFIERS float curand_normal(state_t *state)          \
    {                                                       \
        return _curand_normal_icdf(curand(state));          \
    }                                                       \
    QUALIFIERS double curand_normal_double(state_t *state)  \
    {                                                       \
        return _curand_normal_icdf_double(curand(state));   \
    }
WEFT_NORMAL(curandStateMtgp32_t)
WEFT_NORMAL(curandStateSobol32_t)
WEFT_NORMAL(curandStateScrambledSobol32_t)
WEFT_NORMAL(curandStateSobol64_t)
WEFT_NORMAL(curandStateScrambledSobol64_t)
#undef WEFT_NORMAL

#endif
