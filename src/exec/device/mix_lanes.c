/* SPDX-License-Identifier: Apache-2.0 */
/* mix.c for eight lanes: sums of floats and halves, computed in doubles. */
#if defined(__x86_64__)
#include "exec/device/mix_lanes.h"

#include "exec/device/texel.h"

enum {
    FLOAT_BIAS = 127,
    DOUBLE_BIAS = 1023,
    LEAST_HALF = FLOAT_BIAS - 14,
};

static int bits_of(const struct exec_texture *t)
{
    return texel_is_half(t) ? TEXTURE_SUM_HALF_BITS : TEXTURE_SUM_FLOAT_BITS;
}

static __m128i half_of(ints v, unsigned half)
{
    return half ? _mm256_extracti128_si256((__m256i)v, 1)
                : _mm256_castsi256_si128((__m256i)v);
}

/* 2^power for four of the lanes. */
static doubles powers_of(ints power, unsigned half)
{
    __m256i biased = _mm256_cvtepi32_epi64(half_of(power + DOUBLE_BIAS, half));
    return _mm256_castsi256_pd(_mm256_slli_epi64(biased, 52));
}

void mix_lanes_clear(struct mix_lanes *m)
{
    m->value[0] = m->value[1] = doubles_of(-0.0);
    m->exponent = ints_of(0);
}

static ints larger_of(ints a, ints b)
{
    return (ints)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

/* The texels' bits without the sign; 0 where the weight is 0. */
static ints size_of(ints texel, ints weight)
{
    ints size = texel & ints_of(INT32_MAX);
    return size & (weight != 0);
}

/* Denormal floats are zeros. */
static ints flushed_lanes(ints texel)
{
    ints is_denormal = (texel & ints_of(INT32_MAX)) < (1 << 23);
    return texel & ~(is_denormal & ints_of(INT32_MAX));
}

/* The sum of up to four texels. */
static struct mix_lanes sum_of(const struct exec_texture *t, unsigned count,
                               const ints *texel, const ints *weight)
{
    struct mix_lanes sum;
    ints most = ints_of(0);
    int bits = bits_of(t);
    mix_lanes_clear(&sum);
    for (unsigned i = 0; i < count; i++)
        most = larger_of(most, size_of(flushed_lanes(texel[i]), weight[i]));
    sum.exponent =
        larger_of(most >> 23, ints_of(texel_is_half(t) ? LEAST_HALF : 1));
    for (unsigned half = 0; half < 2; half++) {
        ints power = ints_of(FLOAT_BIAS + bits - 1) - sum.exponent;
        doubles scale = powers_of(power, half), back = powers_of(-power, half);
        for (unsigned i = 0; i < count; i++) {
            ints counts = weight[i] != 0;
            __m128 v = _mm_castsi128_ps(
                half_of(flushed_lanes(texel[i]) & counts, half));
            doubles x = _mm256_cvtps_pd(v) * scale;
            x = _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            doubles w = _mm256_cvtepi32_pd(half_of(weight[i], half));
            __m256i mask = _mm256_cvtepi32_epi64(half_of(counts, half));
            x = doubles_select((doubles)mask, x * w, doubles_of(-0.0));
            sum.value[half] += x;
        }
        sum.value[half] *= back * (1.0 / 256);
    }
    return sum;
}

/* Cut off downwards to a multiple of the grid. */
static doubles on_grid(doubles v, ints grid, unsigned half)
{
    doubles fine = powers_of(grid, half), coarse = powers_of(-grid, half);
    return _mm256_floor_pd(v * fine) * coarse;
}

bool mix_lanes_add(const struct exec_texture *t, unsigned count,
                   const ints *texel, const ints *weight, struct mix_lanes *m)
{
    struct mix_lanes far,
        near = sum_of(t, count < 4 ? count : 4, texel, weight);
    ints is_odd = near.exponent == 255;
    ints exponent = larger_of(m->exponent, near.exponent);
    mix_lanes_clear(&far);
    if (count > 4) {
        far = sum_of(t, count - 4, texel + 4, weight + 4);
        exponent = larger_of(exponent, far.exponent);
        is_odd |= far.exponent == 255;
    }
    ints grid = ((exponent - (FLOAT_BIAS - 3)) & ~3);
    grid = ints_of(bits_of(t) + TEXTURE_SUM_GRID_BITS) - grid;
    for (unsigned half = 0; half < 2; half++)
        m->value[half] = on_grid(m->value[half], grid, half) +
                         on_grid(near.value[half], grid, half) +
                         on_grid(far.value[half], grid, half);
    m->exponent = exponent;
    return !ints_any(is_odd);
}

/* To floats, ties away from zero. */
static doubles nearest_float(doubles v, unsigned dropped)
{
    __m256i one = _mm256_set1_epi64x(INT64_C(1) << dropped);
    __m256i bits =
        _mm256_add_epi64(_mm256_castpd_si256(v), _mm256_srli_epi64(one, 1));
    __m256i kept = _mm256_sub_epi64(_mm256_setzero_si256(), one);
    return _mm256_castsi256_pd(_mm256_and_si256(bits, kept));
}

static doubles nearest_half(doubles v)
{
    doubles sign = _mm256_and_pd(v, doubles_of(-0.0));
    doubles size = _mm256_andnot_pd(doubles_of(-0.0), v);
    doubles is_small = _mm256_cmp_pd(size, doubles_of(0x1p-14), _CMP_LT_OQ);
    doubles small = _mm256_floor_pd(size * 0x1p24 + 0.5) * 0x1p-24;
    size = doubles_select(is_small, small, nearest_float(size, 52 - 10));
    return _mm256_or_pd(size, sign);
}

ints mix_lanes_result(const struct exec_texture *t, const struct mix_lanes *m)
{
    __m128 part[2];
    bool is_half = texel_is_half(t);
    for (unsigned half = 0; half < 2; half++)
        part[half] =
            _mm256_cvtpd_ps(is_half ? nearest_half(m->value[half])
                                    : nearest_float(m->value[half], 52 - 23));
    ints v = (ints)_mm256_set_m128(part[1], part[0]);
    return is_half ? v : flushed_lanes(v);
}
#endif
