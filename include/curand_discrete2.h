/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a discrete distribution. Part of curand_kernel.h. */
#ifndef CURAND_DISCRETE_H_
#define CURAND_DISCRETE_H_

#include "curand_poisson.h"

/* A normal number rounded to the nearest integer of the distribution. */
QUALIFIERS unsigned int __weft_discrete_of(double normal,
                                           curandDiscreteDistribution_t d)
{
    return (unsigned int)(d->stddev * normal + d->mean + 0.5);
}

template <typename T>
QUALIFIERS unsigned int
_curand_discrete(T x, curandDiscreteDistribution_t discrete_distribution)
{
    if (discrete_distribution->method == CURAND_M2)
        return _curand_M2_double(x, discrete_distribution->M2);
    return __weft_discrete_of(_curand_normal_icdf_double(x),
                              discrete_distribution);
}

template <typename STATE>
QUALIFIERS unsigned int
curand__discrete(STATE state,
                 curandDiscreteDistribution_t discrete_distribution)
{
    if (discrete_distribution->method == CURAND_M2)
        return curand_M2_double(state, discrete_distribution->M2);
    return __weft_discrete_of(curand_normal_double(state),
                              discrete_distribution);
}

template <typename STATE>
QUALIFIERS uint4 curand__discrete4(
    STATE state, curandDiscreteDistribution_t discrete_distribution)
{
    if (discrete_distribution->method == CURAND_M2)
        return curand_M2_double4(state, discrete_distribution->M2);
    double4 n = curand_normal4_double(state);
    return make_uint4(__weft_discrete_of(n.x, discrete_distribution),
                      __weft_discrete_of(n.y, discrete_distribution),
                      __weft_discrete_of(n.z, discrete_distribution),
                      __weft_discrete_of(n.w, discrete_distribution));
}

#define WEFT_DISCRETE(state_t)                                               \
    QUALIFIERS unsigned int curand_discrete(                                 \
        state_t *state, curandDiscreteDistribution_t discrete_distribution)  \
    {                                                                        \
        return curand__discrete(state, discrete_distribution);               \
    }
WEFT_DISCRETE(curandStateXORWOW_t)
WEFT_DISCRETE(curandStatePhilox4_32_10_t)
WEFT_DISCRETE(curandStateMRG32k3a_t)
WEFT_DISCRETE(curandStateMtgp32_t)
WEFT_DISCRETE(curandStateSobol32_t)
WEFT_DISCRETE(curandStateScrambledSobol32_t)
WEFT_DISCRETE(curandStateSobol64_t)
WEFT_DISCRETE(curandStateScrambledSobol64_t)
#undef WEFT_DISCRETE

QUALIFIERS uint4
curand_discrete4(curandStatePhilox4_32_10_t *state,
                 curandDiscreteDistribution_t discrete_distribution)
{
    return curand__discrete4(state, discrete_distribution);
}

#endif
