/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of halves and of colors of sRGB. A texture unit adds four texels at a
 * time: their fractions are shifted to the largest exponent among those that
 * have a weight, and what does not fit 15 bits (halves) or 8 (colors) is cut
 * off. Sums of fours are brought to a common grid, whose exponent is a multiple
 * of four, and cut off downwards. The result is a half; what lies in the middle
 * goes away from zero.
 *
 * Source: 120,000 answers of an H200, all of them.
 */
#include "exec/mix.h"

#include <math.h>
#include <pthread.h>

#include "exec/texel.h"

enum {
    HALF_BITS = 15,
    COLOR_BITS = 8,
    GRID_BITS = 10,       /* behind those, at an exponent of 0 */
    LEAST_EXPONENT = -14, /* of a half */
    NO_EXPONENT = -1000,  /* of nothing */
};

/* Four texels or less: what they add up to, and their exponent. */
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
    /* From here on a color counts for one exponent more: those of the bytes 32,
     * 48, 64, 96, 136, 184 and 248, with 8 bits. */
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
        int exponent = color_exponent(texel_float(bits));
        color_words[i] = bits | (uint32_t)(exponent + 127);
    }
}

const uint32_t *texel_color_words(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_color_words);
    return color_words;
}

static double aligned(float v, int exponent, int bits)
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
        float v = texel_float(m->texel[i][c]);
        if (!m->weight[i] || v == 0)
            continue;
        int e = bits == HALF_BITS ? half_exponent(v) : color_exponent(v);
        q.exponent = e > q.exponent ? e : q.exponent;
    }
    for (unsigned i = first; i < end; i++)
        if (m->weight[i])
            q.sum += m->weight[i] *
                     aligned(texel_float(m->texel[i][c]), q.exponent, bits);
    q.sum = ldexp(q.sum, q.exponent - (bits - 1) - 8);
    return q;
}

static double on_grid(double sum, int exponent, int bits)
{
    int grid = bits + GRID_BITS - 4 * (int)ceil(exponent / 4.0);
    if (exponent == NO_EXPONENT)
        return sum;
    return ldexp(floor(ldexp(sum, grid)), -grid);
}

/* The texels of a level join what there is. */
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

bool mix_is_finite(const struct mix *m, unsigned c)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->weight[i] && !isfinite(texel_float(m->texel[i][c])))
            return false;
    return true;
}

float mixed_aligned(const struct exec_texture *t, const struct mix *m,
                    unsigned c)
{
    int bits = texel_is_half(t) ? HALF_BITS : COLOR_BITS;
    struct quad all = {-0.0, NO_EXPONENT};
    add_quads(m, 0, m->first_count, c, bits, &all);
    if (m->first_count < m->count)
        add_quads(m, m->first_count, m->count, c, bits, &all);
    return nearest_half(all.sum);
}
