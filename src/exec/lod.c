/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels of detail: which levels of a mipmap a fetch reads, and how their
 * values are blended. Levels count in 1 / 256, cut off.
 *
 * Source: CUDA C++ Programming Guide, "Texture Fetching"; what an H200 answers
 * where that is silent. Lengths of gradients and the probes along the longer
 * one: OpenGL, EXT_texture_filter_anisotropic.
 */
#include "exec/sampler.h"
#include "exec/texel.h"

#include <math.h>

#define LEVEL_ONE  256
#define PROBES_MAX 16

/* The gradients in texels of level 0, and how long they are. */
struct footprint {
    double along[2][3];
    double length[2];
};

/* As long as an H200 takes it for: the longest side, 11/32 of the next and a
 * quarter of the shortest. */
static double length_of(const double v[3])
{
    double a = fabs(v[0]), b = fabs(v[1]), c = fabs(v[2]);
    double longest = fmax(a, fmax(b, c)), shortest = fmin(a, fmin(b, c));
    double middle = fmax(fmin(a, b), fmin(fmax(a, b), c));
    return longest + middle * 11 / 32 + shortest / 4;
}

/* How far the ellipse of both gradients reaches: along each of them, or between
 * them, where a circle would have 0.707 of their sum. */
static double reach_of(const struct footprint *f)
{
    double sum[3], difference[3];
    for (unsigned d = 0; d < 3; d++) {
        sum[d] = f->along[0][d] + f->along[1][d];
        difference[d] = f->along[0][d] - f->along[1][d];
    }
    double between = fmax(length_of(sum), length_of(difference)) * 11 / 16;
    return fmax(fmax(f->length[0], f->length[1]), between);
}

static struct footprint footprint_of(const struct exec_texture *t,
                                     const struct exec_texture_request *r,
                                     unsigned lane)
{
    const struct texture_level *l = &t->level[0];
    const uint32_t size[3] = {l->width, l->height, l->depth};
    unsigned dims = r->form.dims;
    double given[6] = {0}, turned[4], at[3] = {0};
    const double *g = given;
    for (unsigned i = 0; i < 2 * dims; i++)
        given[i] = texel_float(r->lod[i][lane]);
    if (r->form.is_cube) {
        for (unsigned d = 0; d < 3; d++)
            at[d] = texel_float(r->at[d + r->form.has_index][lane]);
        cube_turn_gradients(at, given, turned);
        g = turned;
        dims = 2;
    }
    struct footprint f = {0};
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned d = 0; d < dims; d++)
            f.along[k][d] = g[k * dims + d] * (t->is_normalized ? size[d] : 1);
        f.length[k] = length_of(f.along[k]);
    }
    return f;
}

static float lod_of_length(double length)
{
    return length > 0 ? (float)log2(length) : -INFINITY;
}

float lod_of_gradients(const struct exec_texture *t,
                       const struct exec_texture_request *r, unsigned lane)
{
    struct footprint f = footprint_of(t, r, lane);
    return lod_of_length(reach_of(&f));
}

/* The bias added, and kept within the texture's bounds. A NaN is 0. */
static float bounded(const struct exec_texture *t, float lod)
{
    lod = lod == lod ? lod : 0;
    lod += truncf(t->lod_bias * LEVEL_ONE) / LEVEL_ONE;
    float most = (float)(t->level_count - 1);
    most = t->lod_max < most ? t->lod_max : most;
    lod = lod > most ? most : lod;
    lod = lod > t->lod_min ? lod : t->lod_min;
    return fmaxf(0, fminf(lod, (float)(t->level_count - 1)));
}

/* One fetch with a level of detail. */
static void sample_at_lod(const struct exec_texture *t, float lod,
                          const struct spot *s, uint32_t out[4])
{
    lod = bounded(t, lod);
    if (!t->is_mip_linear || !texel_is_float(t)) {
        sample_between(t, (unsigned)floorf(lod + 0.5f), 0, s, out);
        return;
    }
    uint32_t fixed = (uint32_t)floorf(lod * LEVEL_ONE);
    unsigned level = fixed / LEVEL_ONE, part = fixed % LEVEL_ONE;
    sample_between(t, level, level + 1 < t->level_count ? part : 0, s, out);
}

/* ---- anisotropy -------------------------------------------------------------
 */

static unsigned probe_count(const struct exec_texture *t,
                            const struct footprint *f)
{
    unsigned most =
        t->max_anisotropy < PROBES_MAX ? t->max_anisotropy : PROBES_MAX;
    double longer = fmax(f->length[0], f->length[1]);
    double shorter = fmin(f->length[0], f->length[1]);
    if (most < 2 || !texel_is_float(t) || !(longer > 0))
        return 1;
    double ratio = shorter > 0 ? ceil(longer / shorter) : most;
    return ratio < most ? (unsigned)ratio : most;
}

/* The mean of probes along the longer gradient, each as wide as that over
 * their number. */
static void sample_along(const struct exec_texture *t,
                         const struct footprint *f, unsigned count,
                         const struct spot *s, uint32_t out[4])
{
    const struct texture_level *l = &t->level[0];
    const uint32_t size[3] = {l->width, l->height, l->depth};
    const unsigned k = f->length[1] > f->length[0];
    float lod = lod_of_length(f->length[k] / count);
    float sum[4] = {0};
    for (unsigned i = 0; i < count; i++) {
        struct spot probe = *s;
        for (unsigned d = 0; d < s->dims; d++)
            probe.at[d] += f->along[k][d] / (t->is_normalized ? size[d] : 1) *
                           ((i + 0.5) / count - 0.5);
        sample_at_lod(t, lod, &probe, out);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += texel_float(out[c]);
    }
    for (unsigned c = 0; c < 4; c++)
        out[c] = texel_bits(sum[c] / (float)count);
}

void sample_levels(const struct exec_texture *t,
                   const struct exec_texture_request *r, unsigned lane,
                   const struct spot *s, uint32_t out[4])
{
    float lod = 0;
    if (r->form.lod == TEXTURE_LOD_GIVEN)
        lod = r->form.is_integer ? (float)(int32_t)r->lod[0][lane]
                                 : texel_float(r->lod[0][lane]);
    if (r->form.lod == TEXTURE_LOD_GRADIENT) {
        struct footprint f = footprint_of(t, r, lane);
        unsigned count = probe_count(t, &f);
        if (count > 1) {
            sample_along(t, &f, count, s, out);
            return;
        }
        lod = lod_of_length(reach_of(&f));
    }
    if (t->level_count == 1)
        sample_between(t, 0, 0, s, out);
    else
        sample_at_lod(t, lod, s, out);
}
