/* SPDX-License-Identifier: Apache-2.0 */
/* Which textures code in kernels may read by itself (abi/texture.h). */
#include "core/texture.h"

#include <math.h>

#include "exec/texel.h"

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
    if (!t->is_normalized || t->address[axis] == TEXTURE_CLAMP)
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

void texture_choose_path(struct exec_texture *t)
{
    const struct texture_level *l = &t->level[0];
    const uint32_t size[3] = {l->width, l->height, l->depth};
    enum texture_path kind = kind_of(t);
    bool is_elements = kind == TEXTURE_PATH_ELEMENTS;
    t->path = 0;
    t->colors = texel_color_words();
    if (!kind || t->level_count != 1 || t->is_cube || t->is_surface ||
        (!is_elements && !is_small(t)))
        return;
    for (unsigned d = 0; d < 3; d++) {
        t->side[d] = side_of(t, d, size[d]);
        t->has_border |= d < t->dims && t->address[d] == TEXTURE_BORDER;
    }
    bool is_linear = t->is_linear && t->kind >= TEXEL_FLOAT && !is_elements;
    /* Eight aligned texels are for the helper. */
    if (t->dims == 3 && is_linear && texel_mixes_aligned(t))
        return;
    /* A row has its border above it, too. */
    if (t->dims == 1 && is_linear && t->address[1] == TEXTURE_BORDER)
        return;
    unsigned dims = t->dims + (t->is_layered ? TEXTURE_PATH_LAYERED : 0);
    t->path = TEXTURE_PATH(kind, t->channels, dims, is_linear);
}
