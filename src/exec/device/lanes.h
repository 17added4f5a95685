/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight lanes of a warp at once, as AVX2 has them: what sampler_lanes.c finds
 * out of coordinates, and texel_lanes.c reads. All functions of a file that
 * includes it are for AVX2: to be called where the CPU has it
 * (sampler_has_lanes). Without FMA, so that sums round as sampler.c's do.
 */
#ifndef WEFT_EXEC_LANES_H
#define WEFT_EXEC_LANES_H

#include <immintrin.h>

#include "abi/texture.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))),             \
                             apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#define EIGHT 8

typedef int32_t ints __attribute__((vector_size(32)));
typedef float floats __attribute__((vector_size(32)));
typedef double doubles __attribute__((vector_size(32))); /* of four lanes */

/* A texel for each lane: bits of floats or integers, as in device/texel.h. */
struct texel_lanes {
    ints channel[4];
};

/* The same number in all lanes. */
static inline ints ints_of(int32_t v)
{
    return (ints)_mm256_set1_epi32(v);
}

/* The same of floats. */
static inline floats floats_of(float v)
{
    return _mm256_set1_ps(v);
}

/* The same of doubles, four of them. */
static inline doubles doubles_of(double v)
{
    return _mm256_set1_pd(v);
}

/* Elements of a where the mask is set, else of b. A mask has all bits of an
 * element set, or none. */
static inline ints ints_select(ints mask, ints a, ints b)
{
    return (mask & a) | (~mask & b);
}

/* The same of doubles; the mask has 64 bits for each. */
static inline doubles doubles_select(doubles mask, doubles a, doubles b)
{
    return _mm256_blendv_pd(b, a, mask);
}

/* Is a lane of the mask set? */
static inline bool ints_any(ints mask)
{
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
}

/* Floats to integers, rounded to nearest even, and back. */
static inline ints to_ints(floats v)
{
    return (ints)_mm256_cvtps_epi32(v);
}

/* Exact up to 2^24. */
static inline floats to_floats(ints v)
{
    return _mm256_cvtepi32_ps((__m256i)v);
}

/* ---- texel_lanes.c ------------------------------------------------------ */

/* Can texels of this texture be read eight at a time? */
bool texel_lanes_can_read(const struct exec_texture *t);
/* Reads texel (x, y) of slice z for the lanes in `mask`; a coordinate below 0
 * means the border's color. Other lanes get anything. */
void texel_lanes_read(const struct exec_texture *t,
                      const struct texture_level *l, const ints at[3],
                      ints mask, struct texel_lanes *out);

#endif
