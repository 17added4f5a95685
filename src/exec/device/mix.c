/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of floats, halves and colors of sRGB. A texture unit adds four texels at
 * a time: their fractions are shifted to the largest exponent among those that
 * have a weight, and what does not fit 28 bits (floats), 15 (halves) or 8
 * (colors) is cut off. Sums of fours are brought to a common grid, whose
 * exponent is a multiple of four, and cut off downwards. The result is a float,
 * or else a half; what lies in the middle goes away from zero.
 *
 * Source: 120,000 answers of an H200 for halves and colors, 800,000 for floats,
 * all of them.
 */
#include "exec/device/mix.h"

#include <float.h>
#include <math.h>
#include <pthread.h>

#include "exec/device/texel.h"

enum {
    LEAST_EXPONENT = -14, /* of a half */
    NO_EXPONENT = -1000,  /* of nothing */
};

/* The sum of up to four texels, and its exponent. */
struct quad {
    double sum;
    int exponent;
};

static int half_exponent(float v)
{
    int e = ilogbf(v);
    return e < LEAST_EXPONENT ? LEAST_EXPONENT : e;
}

int color_exponent(float color)
{
    /* From these values on (with 8 bits), a color is taken to have one
     * exponent more: they belong to the bytes 32, 48, 64, 96, 136, 184 and
     * 248. */
    static const uint8_t beyond[] = {236, 242, 210, 240, 252, 246, 240};
    int e = ilogbf(color);
    if (e < -7 || e > -1)
        return e;
    return e + (ldexpf(color, 7 - e) >= beyond[e + 7]);
}

static uint32_t color_words[256];

static void make_color_words(void)
{
    for (unsigned i = 1; i < 256; i++) {
        uint32_t bits = (uint32_t)texel_of_srgb[i] << 16;
        int exponent = color_exponent(float_of_bits(bits));
        color_words[i] = bits | (uint32_t)(exponent + 127);
    }
}

const uint32_t *texel_color_words(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_color_words);
    return color_words;
}

static int exponent_of(float v, int bits)
{
    return bits == TEXTURE_SUM_FLOAT_BITS  ? ilogbf(v)
           : bits == TEXTURE_SUM_HALF_BITS ? half_exponent(v)
                                           : color_exponent(v);
}

/* Denormal floats are zeros. */
static float flushed_float(float v)
{
    return fabsf(v) < FLT_MIN ? copysignf(0, v) : v;
}

static float term_of(const struct mix *m, unsigned i, unsigned c, int bits)
{
    float v = float_of_bits(m->texel[i][c]);
    return bits == TEXTURE_SUM_FLOAT_BITS ? flushed_float(v) : v;
}

static double aligned_to(float v, int exponent, int bits)
{
    if (v == 0)
        return (double)v;
    return trunc(ldexp((double)v, bits - 1 - exponent));
}

static struct quad quad_of(const struct mix *m, unsigned first, unsigned end,
                           unsigned c, int bits)
{
    struct quad q = {-0.0, NO_EXPONENT};
    for (unsigned i = first; i < end; i++) {
        float v = term_of(m, i, c, bits);
        if (!m->weight[i] || v == 0)
            continue;
        int e = exponent_of(v, bits);
        q.exponent = e > q.exponent ? e : q.exponent;
    }
    for (unsigned i = first; i < end; i++)
        if (m->weight[i])
            q.sum += m->weight[i] *
                     aligned_to(term_of(m, i, c, bits), q.exponent, bits);
    q.sum = ldexp(q.sum, q.exponent - (bits - 1) - 8);
    return q;
}

static double on_grid(double sum, int exponent, int bits)
{
    int grid = bits + TEXTURE_SUM_GRID_BITS - 4 * (int)ceil(exponent / 4.0);
    if (exponent == NO_EXPONENT)
        return sum;
    return ldexp(floor(ldexp(sum, grid)), -grid);
}

/* Adds the texels of one level, in fours, to the sum so far. */
static void add_quads(const struct mix *m, unsigned first, unsigned end,
                      unsigned c, int bits, struct quad *all)
{
    struct quad q[2] = {{-0.0, NO_EXPONENT}, {-0.0, NO_EXPONENT}};
    int exponent = all->exponent;
    for (unsigned i = first; i < end; i += 4) {
        unsigned n = (i - first) / 4;
        q[n] = quad_of(m, i, i + 4 < end ? i + 4 : end, c, bits);
        exponent = q[n].exponent > exponent ? q[n].exponent : exponent;
    }
    all->sum = on_grid(all->sum, exponent, bits);
    for (unsigned n = 0; n < 2; n++)
        all->sum += on_grid(q[n].sum, exponent, bits);
    all->exponent = exponent;
}

static float nearest_half(double v)
{
    if (v == 0)
        return (float)v;
    int e = ilogb(v);
    e = 10 - (e < LEAST_EXPONENT ? LEAST_EXPONENT : e);
    return (float)copysign(ldexp(floor(ldexp(fabs(v), e) + 0.5), -e), v);
}

/* To a float. Whatever is left of a sum fits a double: 28 bits, 8 of the
 * weights, 10 of the grid. */
static float nearest_float(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits = (bits + (UINT64_C(1) << 28)) & ~UINT64_C(0x1fffffff);
    memcpy(&v, &bits, sizeof v);
    return flushed_float((float)v);
}

bool mix_is_finite(const struct mix *m, unsigned c)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->weight[i] && !isfinite(float_of_bits(m->texel[i][c])))
            return false;
    return true;
}

float mixed_aligned(const struct exec_texture *t, const struct mix *m,
                    unsigned c)
{
    int bits = texel_is_color(t, c) ? TEXTURE_SUM_COLOR_BITS
               : texel_is_half(t)   ? TEXTURE_SUM_HALF_BITS
                                    : TEXTURE_SUM_FLOAT_BITS;
    struct quad all = {-0.0, NO_EXPONENT};
    add_quads(m, 0, m->first_count, c, bits, &all);
    if (m->first_count < m->count)
        add_quads(m, m->first_count, m->count, c, bits, &all);
    return bits == TEXTURE_SUM_FLOAT_BITS ? nearest_float(all.sum)
                                          : nearest_half(all.sum);
}
