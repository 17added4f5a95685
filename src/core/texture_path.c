/* SPDX-License-Identifier: Apache-2.0 */
/* Which textures code in kernels may read by itself (abi/texture.h). */
#include "core/texture.h"

#include <math.h>

#include "exec/device/sampler.h"
#include "exec/device/texel.h"

static enum texture_path kind_of(const struct exec_texture *t)
{
    if (t->layout != TEXEL_CHANNELS || t->channels == 3)
        return 0;
    if (t->channel_bytes == 4)
        return t->is_buffer ? TEXTURE_PATH_ELEMENTS : TEXTURE_PATH_WORDS;
    if (t->is_buffer)
        return 0;
    if (t->kind >= TEXEL_FLOAT && t->is_srgb)
        return TEXTURE_PATH_COLORS;
    bool is_byte = t->channel_bytes == 1 && t->channels != 2;
    switch ((enum texel_kind)t->kind) {
    case TEXEL_FLOAT:
        return TEXTURE_PATH_HALVES;
    case TEXEL_UNSIGNED:
        return is_byte ? TEXTURE_PATH_BYTES : 0;
    case TEXEL_UNSIGNED_NORMALIZED:
        return is_byte ? TEXTURE_PATH_UNITS : TEXTURE_PATH_FRACTIONS;
    case TEXEL_SIGNED_NORMALIZED:
        return TEXTURE_PATH_FRACTIONS;
    default:
        return 0;
    }
}

static bool is_small(const struct exec_texture *t)
{
    const struct texture_level *l = &t->level[0];
    uint64_t bytes =
        l->slice_bytes ? l->slice_bytes * l->depth : l->pitch_bytes * l->height;
    return l->width <= TEXTURE_PATH_SIDE_MAX &&
           l->height <= TEXTURE_PATH_SIDE_MAX &&
           l->depth <= TEXTURE_PATH_SIDE_MAX && bytes < INT32_MAX;
}

static struct texture_side side_of(const struct exec_texture *t, unsigned axis,
                                   uint32_t texels)
{
    assert(axis < 3);
    int32_t size = (int32_t)texels;
    /* Others are not cut off: so small a grain makes no difference. */
    float grain = ldexpf(1, t->is_normalized ? texture_grain(texels) : 60);
    struct texture_side s = {
        .size = size,
        .grain = grain,
        .unit = 1 / grain,
        .scale = t->is_normalized ? (float)size : 1,
        .behind = size - 1,
    };
    if (t->address[axis] == TEXTURE_BORDER)
        s.border = ~0u;
    if (!t->is_normalized || t->address[axis] == TEXTURE_CLAMP || s.border)
        return s;
    s.keep = ~0u;
    if (t->address[axis] == TEXTURE_WRAP) {
        s.before = size;
        s.behind = -size;
    } else { /* mirrored: -1 - i, 2 * size - 1 - i */
        s.flip = ~0u;
        s.behind = 2 * size;
    }
    return s;
}

static bool is_power_of_two(uint32_t size)
{
    return (size & (size - 1)) == 0;
}

static void set_sides(struct exec_texture *t)
{
    assert(t->dims >= 1 && t->dims <= 3);
    t->has_exact_sides = t->is_normalized;
    for (unsigned i = 0; i < t->level_count; i++) {
        struct texture_level *l = &t->level[i];
        const uint32_t size[3] = {l->width, l->height, l->depth};
        for (unsigned d = 0; d < 3; d++) {
            l->side[d] = side_of(t, d, size[d]);
            if (d < t->dims)
                t->has_exact_sides &= is_power_of_two(size[d]);
        }
    }
    for (unsigned d = 0; d < t->dims; d++)
        if (t->address[d] == TEXTURE_BORDER)
            t->beyond = TEXTURE_BEYOND_BORDER;
    if (t->is_cube && t->is_seamless)
        t->beyond = TEXTURE_BEYOND_CUBE;
}

/* ---- the border --------------------------------------------------------- */

/* The word that stands for a color of sRGB. */
static uint32_t color_word(uint32_t bits)
{
    const uint32_t *words = texel_color_words();
    for (unsigned i = 0; i < 256; i++)
        if (words[i] >> 16 == bits >> 16)
            return words[i];
    return 0;
}

/* As a filter of this kind takes it. */
static uint32_t term_of(const struct exec_texture *t, enum texture_path kind,
                        unsigned c, uint32_t bits)
{
    bool is_byte = t->channel_bytes == 1;
    if (kind == TEXTURE_PATH_COLORS && texel_is_color(t, c))
        return color_word(bits);
    if (kind == TEXTURE_PATH_UNITS)
        return (uint32_t)rintf(float_of_bits(bits) * 255);
    if (kind != TEXTURE_PATH_FRACTIONS && kind != TEXTURE_PATH_COLORS)
        return bits;
    bool is_signed_byte = is_byte && t->kind == TEXEL_SIGNED_NORMALIZED;
    float one = (float)texel_unit(t, is_signed_byte ? 1 : 2);
    return bits_of_float(rintf(float_of_bits(bits) * one));
}

static void set_border(struct exec_texture *t, enum texture_path kind)
{
    uint32_t bits[4];
    texel_border(t, false, bits);
    for (unsigned c = 0; c < 4; c++) {
        t->border_texel[c] =
            kind == TEXTURE_PATH_UNITS ? term_of(t, kind, c, bits[c]) : bits[c];
        t->border_term[c] = term_of(t, kind, c, bits[c]);
    }
}

/* ---- levels ------------------------------------------------------------- */

static float clamp_between(float v, float least, float most)
{
    return v < least ? least : v > most ? most : v;
}

/* As exec/device/lod.c takes them. False: no number is among them. */
static bool set_levels(struct exec_texture *t)
{
    float last = (float)(t->level_count - 1);
    if (t->level_count == 1)
        return true; /* all zeros */
    t->lod_more = truncf(t->lod_bias * 256) / 256;
    t->lod_low = clamp_between(t->lod_min, 0, last);
    t->lod_high = clamp_between(t->lod_max, 0, last);
    t->is_between = t->is_mip_linear && t->level_count > 1;
    return isfinite(t->lod_more) && t->lod_min == t->lod_min &&
           t->lod_max == t->lod_max;
}

/* Of a fetch that names none: it has no bias either. False: between two
 * levels. */
static bool set_start(struct exec_texture *t)
{
    float lod = fmaxf(fminf(0, t->lod_high), t->lod_low);
    float level = floorf(t->is_between ? lod : lod + 0.5f);
    t->start = t->level[(unsigned)level];
    return !t->is_between || floorf(lod * 256) == level * 256;
}

static uint32_t path_of(const struct exec_texture *t, enum texture_path kind)
{
    bool is_elements = kind == TEXTURE_PATH_ELEMENTS;
    bool is_linear = t->is_linear && !is_elements;
    if (is_linear && t->kind < TEXEL_FLOAT)
        return 0;
    /* A row has its border above it, too. */
    if (t->dims == 1 && is_linear && t->address[1] == TEXTURE_BORDER)
        return 0;
    /* Points that go through the filter. */
    if (!t->is_linear && texel_is_widened(t) &&
        (t->is_srgb ||
         (t->kind == TEXEL_SIGNED_NORMALIZED && t->channel_bytes == 1)))
        return 0;
    unsigned dims = t->dims + (t->is_layered ? TEXTURE_PATH_LAYERED : 0);
    if (t->is_cube)
        dims = t->dims + TEXTURE_PATH_LAYERED + TEXTURE_PATH_CUBE;
    return TEXTURE_PATH(kind, t->channels, dims, is_linear);
}

/* Faces count whole multiples of 2^-21, and are read as layers. */
static bool is_readable_cube(const struct exec_texture *t)
{
    return t->is_normalized && texture_grain(t->level[0].width) == 21;
}

void texture_choose_path(struct exec_texture *t)
{
    enum texture_path kind = kind_of(t);
    t->path = t->level_path = t->row_path = 0;
    t->colors = texel_color_words();
    t->logarithms = lod_logarithms();
    t->start = t->level[0];
    if (!kind || t->is_surface ||
        (kind != TEXTURE_PATH_ELEMENTS && !is_small(t)) ||
        (t->is_cube && !is_readable_cube(t)))
        return;
    set_sides(t);
    set_border(t, kind);
    if (!set_levels(t))
        return;
    bool is_at_level = set_start(t);
    uint32_t path = path_of(t, kind);
    t->path = is_at_level ? path : 0;
    if (t->start.side[0].grain > (float)TEXTURE_GRAIN_EXACT)
        t->row_path = t->path;
    if (kind == TEXTURE_PATH_ELEMENTS ||
        (t->is_between && t->kind < TEXEL_FLOAT))
        path = 0;
    t->level_path = path;
}
