/* SPDX-License-Identifier: Apache-2.0 */
/* Log-normal numbers: e to a normal's power. Part of curand_kernel.h. */
#ifndef CURAND_LOGNORMAL_H_
#define CURAND_LOGNORMAL_H_

#include "curand_normal.h"

QUALIFIERS float __weft_exp(float normal, float mean, float stddev)
{
    return weft_exp(fmaf(stddev, normal, mean));
}

QUALIFIERS double __weft_exp(double normal, double mean, double stddev)
{
    return exp(mean + stddev * normal);
}

#define WEFT_LOG_NORMAL(state_t)                                              \
    QUALIFIERS float2 curand_log_normal2(state_t *state, float mean,          \
                                         float stddev)                        \
    {                                                                         \
        float2 n = curand_normal2(state);                                     \
        return make_float2(__weft_exp(n.x, mean, stddev),                     \
                           __weft_exp(n.y, mean, stddev));                    \
    }                                                                         \
    QUALIFIERS double2 curand_log_normal2_double(state_t *state, double mean, \
                                                 double stddev)               \
    {                                                                         \
        double2 n = curand_normal2_double(state);                             \
        return make_double2(__weft_exp(n.x, mean, stddev),                    \
                            __weft_exp(n.y, mean, stddev));                   \
    }                                                                         \
    QUALIFIERS float curand_log_normal(state_t *state, float mean,            \
                                       float stddev)                          \
    {                                                                         \
        if (state->boxmuller_flag == EXTRA_FLAG_LOG_NORMAL) {                 \
            state->boxmuller_flag = 0;                                        \
            return state->boxmuller_extra;                                    \
        }                                                                     \
        float2 n = curand_normal2(state);                                     \
        state->boxmuller_extra = __weft_exp(n.y, mean, stddev);               \
        state->boxmuller_flag = EXTRA_FLAG_LOG_NORMAL;                        \
        return __weft_exp(n.x, mean, stddev);                                 \
    }                                                                         \
    QUALIFIERS double curand_log_normal_double(state_t *state, double mean,   \
                                               double stddev)                 \
    {                                                                         \
        if (state->boxmuller_flag_double == EXTRA_FLAG_LOG_NORMAL) {          \
            state->boxmuller_flag_double = 0;                                 \
            return state->boxmuller_extra_double;                             \
        }                                                                     \
        double2 n = curand_normal2_double(state);                             \
        state->boxmuller_extra_double = __weft_exp(n.y, mean, stddev);        \
        state->boxmuller_flag_double = EXTRA_FLAG_LOG_NORMAL;                 \
        return __weft_exp(n.x, mean, stddev);                                 \
    }
WEFT_LOG_NORMAL(curandStateXORWOW_t)
WEFT_LOG_NORMAL(curandStatePhilox4_32_10_t)
WEFT_LOG_NORMAL(curandStateMRG32k3a_t)
#undef WEFT_LOG_NORMAL

#define WEFT_LOG_NORMAL(state_t)                                            \
    QUALIFIERS float curand_log_normal(state_t *state, float mean,          \
                                       float stddev)                        \
    {                                                                       \
        return __weft_exp(curand_normal(state), mean, stddev);              \
    }                                                                       \
    QUALIFIERS double curand_log_normal_double(state_t *state, double mean, \
                                               double stddev)               \
    {                                                                       \
        return __weft_exp(curand_normal_double(state), mean, stddev);       \
    }
WEFT_LOG_NORMAL(curandStateMtgp32_t)
WEFT_LOG_NORMAL(curandStateSobol32_t)
WEFT_LOG_NORMAL(curandStateScrambledSobol32_t)
WEFT_LOG_NORMAL(curandStateSobol64_t)
WEFT_LOG_NORMAL(curandStateScrambledSobol64_t)
#undef WEFT_LOG_NORMAL

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *state,
                                     float mean, float stddev)
{
    float4 n = curand_normal4(state);
    return make_float4(
        __weft_exp(n.x, mean, stddev), __weft_exp(n.y, mean, stddev),
        __weft_exp(n.z, mean, stddev), __weft_exp(n.w, mean, stddev));
}

QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state,
                                             double mean, double stddev)
{
    double4 n = curand_normal4_double(state);
    return make_double4(
        __weft_exp(n.x, mean, stddev), __weft_exp(n.y, mean, stddev),
        __weft_exp(n.z, mean, stddev), __weft_exp(n.w, mean, stddev));
}

#endif
