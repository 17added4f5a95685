/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Poisson numbers. Sequences of their own take as many uniform numbers as they
 * need: Knuth's products for small means (The Art of Computer Programming 2,
 * 3.4.1), rejection under an approximate incomplete gamma function for middle
 * ones, a normal for large ones. The others invert the distribution: one number
 * from each. Part of curand_kernel.h.
 */
#ifndef CURAND_POISSON_H_
#define CURAND_POISSON_H_

#include "curand_normal.h"

/* ---- the approximate incomplete gamma function ------------------------ */

QUALIFIERS float __weft_fast_rsqrt(float x)
{
#ifdef __CUDA_ARCH__
    asm("rsqrt.approx.f32.ftz %0, %0;" : "+f"(x));
    return x;
#else
    return 1.0f / sqrtf(x);
#endif
}

QUALIFIERS float __weft_fast_exp(float x)
{
#ifdef __CUDA_ARCH__
    x = (float)(x * 1.4426950408889634074);
    asm("ex2.approx.f32.ftz %0, %0;" : "+f"(x));
    return x;
#else
    return expf(x);
#endif
}

QUALIFIERS float __weft_fast_log(float x)
{
#ifdef __CUDA_ARCH__
    asm("lg2.approx.f32.ftz %0, %0;" : "+f"(x));
    return (float)(x * 0.69314718055994530942);
#else
    return logf(x);
#endif
}

QUALIFIERS float __weft_fast_reciprocal(float x)
{
#ifdef __CUDA_ARCH__
    asm("rcp.approx.f32.ftz %0, %0;" : "+f"(x));
    return x;
#else
    return 1.0f / x;
#endif
}

/* P(a, x) is about 1 / (1 + e^(alpha (a - x) - beta))^2. */
QUALIFIERS float __weft_gamma_alpha(float a)
{
    return 1.43248035075540910f * __weft_fast_rsqrt(a - 0.12400979329415655f) +
           0.00025361074907033f;
}

QUALIFIERS float __weft_gamma_beta(float a)
{
    return 0.21096734870196546f * __weft_fast_rsqrt(a - 1.97381164089999420f) +
           0.94201734077887530f;
}

QUALIFIERS float __weft_gamma(float a, float x)
{
    float t = __weft_gamma_alpha(a) * (a - x) - __weft_gamma_beta(a);
    t = 1.0f + __weft_fast_exp(t);
    return __weft_fast_reciprocal(t * t);
}

QUALIFIERS float __weft_gamma_inverse(float a, float y)
{
    float alpha = __weft_gamma_alpha(a), beta = __weft_gamma_beta(a);
    float t = beta + __weft_fast_log(__weft_fast_rsqrt(y) - 1.0f);
    return -t * __weft_fast_reciprocal(alpha) + a;
}

/* log (n - 1)!: Stirling's series as in Hart et al., "Computer Approximations",
 * 5404, but for small n. */
QUALIFIERS double __weft_log_gamma(int n)
{
    const double small[] = {0.000000000000000000e-1, 0.000000000000000000e-1,
                            6.931471805599453094e-1, 1.791759469228055001e0,
                            3.178053830347945620e0,  4.787491742782045994e0,
                            6.579251212010100995e0,  8.525161361065414300e0,
                            1.060460290274525023e1};
    double a = fabs((float)n);
    if (n <= 8)
        return small[(int)a - 1];
    double s = 1.0 / a, t = s * s;
    double sum = -0.1633436431e-2;
    sum = sum * t + 0.83645878922e-3;
    sum = sum * t - 0.5951896861197e-3;
    sum = sum * t + 0.793650576493454e-3;
    sum = sum * t - 0.277777777735865004e-2;
    sum = sum * t + 0.833333333333331018375e-1;
    sum = sum * s + 0.918938533204672;
    double power = 0.5 * log(a) * (a - 0.5);
    return (power - a) + (power + sum);
}

/* ---- as many uniform numbers as it takes ------------------------------ */

template <typename T>
QUALIFIERS unsigned int __weft_poisson_products(T *state, float start)
{
    unsigned int k = 0;
    float product = start;
    do {
        k++;
        product *= curand_uniform(state);
    } while (product > 1.0f);
    return k - 1;
}

template <typename T>
QUALIFIERS unsigned int curand_poisson_knuth(T *state, float lambda)
{
    return __weft_poisson_products(state, expf(lambda));
}

template <typename T>
QUALIFIERS uint4 curand_poisson_knuth4(T *state, float lambda)
{
    uint4 result;
    float start = expf(lambda);
    result.x = __weft_poisson_products(state, start);
    result.y = __weft_poisson_products(state, start);
    result.z = __weft_poisson_products(state, start);
    result.w = __weft_poisson_products(state, start);
    return result;
}

template <typename T>
QUALIFIERS unsigned int curand_poisson_gammainc(T state, float lambda)
{
    float log_lambda = __weft_fast_log(lambda);
    for (;;) {
        float x =
            floorf(__weft_gamma_inverse(lambda, curand_uniform(state)));
        float z = curand_uniform(state);
        float bound = (__weft_gamma(lambda, x + 1.0f) -
                       __weft_gamma(lambda, x)) *
                      1.3f;
        float density =
            __weft_fast_exp(-lambda + x * log_lambda -
                            (float)__weft_log_gamma((int)(1.0f + x)));
        if (z * bound < density && bound >= 1e-20)
            return (unsigned int)x;
    }
}

template <typename T>
QUALIFIERS uint4 curand_poisson_gammainc4(T state, float lambda)
{
    uint4 result;
    result.x = curand_poisson_gammainc(state, lambda);
    result.y = curand_poisson_gammainc(state, lambda);
    result.z = curand_poisson_gammainc(state, lambda);
    result.w = curand_poisson_gammainc(state, lambda);
    return result;
}

/* A normal number rounded to the nearest integer, as a Poisson number. */
QUALIFIERS unsigned int __weft_poisson_of(double normal, double lambda)
{
    return (unsigned int)(sqrt(lambda) * normal + lambda + 0.5);
}

template <typename STATE>
QUALIFIERS unsigned int curand_poisson_from_normal(STATE state, double lambda)
{
    return __weft_poisson_of(curand_normal(state), lambda);
}

template <typename STATE>
QUALIFIERS uint4 curand_poisson_from_normal4(STATE state, double lambda)
{
    float4 n = curand_normal4(state);
    return make_uint4(
        __weft_poisson_of(n.x, lambda), __weft_poisson_of(n.y, lambda),
        __weft_poisson_of(n.z, lambda), __weft_poisson_of(n.w, lambda));
}

#define WEFT_POISSON(state_t)                                             \
    QUALIFIERS unsigned int curand_poisson(state_t *state, double lambda) \
    {                                                                     \
        if (lambda < 64)                                                  \
            return curand_poisson_knuth(state, (float)lambda);            \
        if (lambda > 4000)                                                \
            return __weft_poisson_of(curand_normal_double(state), lambda); \
        return curand_poisson_gammainc(state, (float)lambda);             \
    }
WEFT_POISSON(curandStateXORWOW_t)
WEFT_POISSON(curandStatePhilox4_32_10_t)
WEFT_POISSON(curandStateMRG32k3a_t)
#undef WEFT_POISSON

QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *state,
                                 double lambda)
{
    if (lambda < 64)
        return curand_poisson_knuth4(state, (float)lambda);
    if (lambda <= 4000)
        return curand_poisson_gammainc4(state, (float)lambda);
    double4 n = curand_normal4_double(state);
    return make_uint4(
        __weft_poisson_of(n.x, lambda), __weft_poisson_of(n.y, lambda),
        __weft_poisson_of(n.z, lambda), __weft_poisson_of(n.w, lambda));
}

/* ---- one word each ---------------------------------------------------- */

/* A uniform number below 1: with 1 the sum in the next function would not
 * end. */
QUALIFIERS double __weft_below_one(unsigned int x)
{
    return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2.0;
}

QUALIFIERS double __weft_below_one(unsigned long long x)
{
    return (x >> 11) * CURAND_2POW53_INV_DOUBLE +
           CURAND_2POW53_INV_DOUBLE / 4.0;
}

/* Sums up probabilities, e^-lambda being applied in parts of e^-500. */
template <typename T>
QUALIFIERS unsigned int _curand_poisson_ITR_double(T x, double lambda)
{
    const double part = 500.0;
    double u = __weft_below_one(x);
    double p = 1.0, sum = 1.0;
    unsigned int k = 0;
    int applied = 0;
    do {
        double factor = lambda > applied + part ? exp(-part)
                                                : exp(applied - lambda);
        p *= factor;
        sum *= factor;
        applied += (int)part;
        while (u > sum) {
            k++;
            p *= lambda / k;
            sum += p;
        }
    } while (applied < lambda);
    return k;
}

template <typename T>
QUALIFIERS unsigned int _curand_poisson(T x, double lambda)
{
    if (lambda < 1000)
        return _curand_poisson_ITR_double(x, lambda);
    return __weft_poisson_of(_curand_normal_icdf_double(x), lambda);
}

template <typename T>
QUALIFIERS unsigned int _curand_poisson_from_normal(T x, double lambda)
{
    return __weft_poisson_of(_curand_normal_icdf(x), lambda);
}

#define WEFT_POISSON(state_t)                                             \
    QUALIFIERS unsigned int curand_poisson(state_t *state, double lambda) \
    {                                                                     \
        return _curand_poisson(curand(state), lambda);                    \
    }
WEFT_POISSON(curandStateMtgp32_t)
WEFT_POISSON(curandStateSobol32_t)
WEFT_POISSON(curandStateScrambledSobol32_t)
WEFT_POISSON(curandStateSobol64_t)
WEFT_POISSON(curandStateScrambledSobol64_t)
#undef WEFT_POISSON

/* ---- tables ----------------------------------------------------------- */

template <typename T>
QUALIFIERS unsigned int
_curand_M2_double(T x, curandDistributionM2Shift_t distributionM2)
{
    double u = _curand_uniform_double(x);
    int j = (int)floor(distributionM2->length * u);
    if (u < distributionM2->histogram->V[j])
        return distributionM2->shift + j;
    return distributionM2->shift + distributionM2->histogram->K[j];
}

template <typename T>
QUALIFIERS uint4 _curand_M2_double4(T x,
                                    curandDistributionM2Shift_t distributionM2)
{
    return make_uint4(_curand_M2_double(x.x, distributionM2),
                      _curand_M2_double(x.y, distributionM2),
                      _curand_M2_double(x.z, distributionM2),
                      _curand_M2_double(x.w, distributionM2));
}

template <typename STATE>
QUALIFIERS unsigned int
curand_M2_double(STATE *state, curandDistributionM2Shift_t distributionM2)
{
    return _curand_M2_double(curand(state), distributionM2);
}

template <typename STATE>
QUALIFIERS uint4 curand_M2_double4(STATE *state,
                                   curandDistributionM2Shift_t distributionM2)
{
    return _curand_M2_double4(curand4(state), distributionM2);
}

template <typename T>
QUALIFIERS unsigned int
_curand_binary_search_double(T x, curandDistributionShift_t distribution)
{
    double u = _curand_uniform_double(x);
    int low = 0, high = distribution->length - 1;
    do {
        int middle = (low + high) / 2;
        if (u <= distribution->probability[middle])
            high = middle;
        else
            low = middle + 1;
    } while (low < high);
    return distribution->shift + low;
}

template <typename STATE>
QUALIFIERS unsigned int
curand_binary_search_double(STATE *state,
                            curandDistributionShift_t distribution)
{
    return _curand_binary_search_double(curand(state), distribution);
}

#endif
