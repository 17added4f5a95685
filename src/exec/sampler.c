/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a texture unit does with coordinates: addressing, filtering, levels.
 * Weights have 8 bits behind the binary point, as in hardware.
 *
 * Source: CUDA C++ Programming Guide, "Texture Fetching"; what an H200
 * answers where that is silent.
 */
#include "exec/internal.h"

#include <math.h>

#define FRACTION_BITS 8
/* Coordinates beyond are brought near before they count texels. */
#define FAR 1048576.0
#define ONE (1 << FRACTION_BITS)

/* ---- texels ----------------------------------------------------------------
 */

static float half_value(uint16_t bits)
{
    _Float16 h;
    memcpy(&h, &bits, sizeof h);
    return (float)h;
}

static uint32_t float_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static float bits_float(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static float srgb_to_linear(float v)
{
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

static int32_t sign_extend(uint32_t v, unsigned bytes)
{
    unsigned shift = 32 - 8 * bytes;
    return (int32_t)(v << shift) >> shift;
}

static uint32_t channel(const struct exec_texture *t, uint32_t raw)
{
    unsigned bytes = t->channel_bytes;
    switch ((enum texel_kind)t->kind) {
    case TEXEL_SIGNED:
        return (uint32_t)sign_extend(raw, bytes);
    case TEXEL_FLOAT:
        return bytes == 2 ? float_bits(half_value((uint16_t)raw)) : raw;
    case TEXEL_UNSIGNED_NORMALIZED:
        return float_bits((float)raw / (float)((1u << 8 * bytes) - 1));
    case TEXEL_SIGNED_NORMALIZED: {
        float v = (float)sign_extend(raw, bytes) /
                  (float)((1 << (8 * bytes - 1)) - 1);
        return float_bits(v < -1 ? -1 : v);
    }
    default:
        return raw;
    }
}

static bool is_float(const struct exec_texture *t)
{
    return t->kind >= TEXEL_FLOAT;
}

void texel_read(const struct exec_texture *t, const uint8_t *element,
                uint32_t out[4])
{
    out[0] = out[1] = out[2] = 0;
    out[3] = is_float(t) ? float_bits(1) : 1;
    for (unsigned i = 0; i < t->channels; i++) {
        uint32_t raw = 0;
        memcpy(&raw, element + i * t->channel_bytes, t->channel_bytes);
        out[i] = channel(t, raw);
        if (t->is_srgb && i < 3)
            out[i] = float_bits(srgb_to_linear(bits_float(out[i])));
    }
}

static bool is_fraction(const struct exec_texture *t)
{
    return t->kind >= TEXEL_UNSIGNED_NORMALIZED;
}

/* The largest value of a channel that holds fractions. */
static int32_t unit(const struct exec_texture *t, unsigned bytes)
{
    return t->kind == TEXEL_UNSIGNED_NORMALIZED ? (1 << 8 * bytes) - 1
                                                : (1 << (8 * bytes - 1)) - 1;
}

/* The border's color is what the format can hold of it, cut off. */
static uint32_t border_channel(const struct exec_texture *t, float v)
{
    if (!is_float(t)) { /* the bits that fit */
        unsigned shift = 32 - 8 * t->channel_bytes;
        uint32_t bits = float_bits(v) << shift;
        return t->kind == TEXEL_SIGNED ? (uint32_t)((int32_t)bits >> shift)
                                       : bits >> shift;
    }
    if (!is_fraction(t))
        return float_bits(v);
    float least = t->kind == TEXEL_SIGNED_NORMALIZED ? -1 : 0;
    float one = (float)unit(t, t->channel_bytes);
    v = v > 1 ? 1 : v > least ? v : least;
    return float_bits(truncf(v * one) / one);
}

static void border(const struct exec_texture *t, uint32_t out[4])
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = border_channel(t, t->border[i]);
}

/* ---- coordinates ------------------------------------------------------------
 */

/* Where a texel of row `size` is, or -1: outside, in the border's color. */
static int64_t place(enum texture_address mode, bool is_normalized, int64_t i,
                     int64_t size)
{
    if (i >= 0 && i < size)
        return i;
    if (mode == TEXTURE_BORDER)
        return -1;
    if (!is_normalized || mode == TEXTURE_CLAMP)
        return i < 0 ? 0 : size - 1;
    int64_t period = mode == TEXTURE_WRAP ? size : 2 * size;
    i %= period;
    i += i < 0 ? period : 0;
    return i < size ? i : period - 1 - i;
}

/* In texels; what is no number or far away is brought near, where it means the
 * same. */
static double in_texels(const struct exec_texture *t, unsigned axis, float x,
                        uint32_t size)
{
    enum texture_address mode = t->address[axis];
    double u = x;
    if (!(x == x))
        return 0;
    if (t->is_normalized) {
        if (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR) {
            if (fabs(u) > FAR)
                u = isinf(u) ? 0 : u - 2 * floor(u / 2);
        }
        u *= size;
    }
    if (t->is_normalized && mode != TEXTURE_CLAMP && mode != TEXTURE_BORDER)
        return u;
    double limit = 4.0 * size + 16;
    return u < -limit ? -limit : u > limit ? limit : u;
}

/* One direction of a fetch: the texel, and how much of the next. */
struct tap {
    int64_t first, second;
    uint32_t weight; /* of the second, in 1 / 256 */
};

static struct tap tap_of(const struct exec_texture *t, unsigned axis, float x,
                         uint32_t size, bool is_linear)
{
    enum texture_address mode = t->address[axis];
    double u = in_texels(t, axis, x, size);
    if (!is_linear) {
        int64_t i = place(mode, t->is_normalized, (int64_t)floor(u), size);
        return (struct tap){i, i, 0};
    }
    double scaled = floor((u - 0.5) * ONE + 0.5);
    int64_t fixed = (int64_t)scaled;
    int64_t i = fixed >> FRACTION_BITS;
    return (struct tap){
        place(mode, t->is_normalized, i, size),
        place(mode, t->is_normalized, i + 1, size),
        (uint32_t)(fixed & (ONE - 1)),
    };
}

static void read_at(const struct exec_texture *t, const struct texture_level *l,
                    int64_t x, int64_t y, int64_t z, uint32_t out[4])
{
    if (x < 0 || y < 0 || z < 0) {
        border(t, out);
        return;
    }
    texel_read(t,
               l->data + (uint64_t)z * l->slice_bytes +
                   (uint64_t)y * l->pitch_bytes +
                   (uint64_t)x * t->channels * t->channel_bytes,
               out);
}

/* ---- one level --------------------------------------------------------------
 */

/* The slice that layers and cubes begin with, and the coordinates in it. */
struct spot {
    float at[3];
    int64_t slice;
    unsigned dims; /* of them that are filtered */
};

static int32_t product(int32_t a, int32_t b)
{
    return (a * b + ONE / 2) >> FRACTION_BITS;
}

/* Weights of the corners of a cell, by the bits of x, y and z; they add up to
 * ONE. Hardware rounds products of weights, and takes the others as what is
 * left: so an H200 answers, to the bit in one and two dimensions, but for some
 * halves in three. */
static void corner_weights(const struct tap tap[3], unsigned dims,
                           int32_t weight[8])
{
    int32_t x = (int32_t)tap[0].weight;
    int32_t y = dims > 1 ? (int32_t)tap[1].weight : 0;
    int32_t z = dims > 2 ? (int32_t)tap[2].weight : 0;
    int32_t xy = product(x, y), xz = product(x, z), yz = product(y, z);
    int32_t xyz = product(xy, z);
    weight[0] = ONE - x - y - z + xy + xz + yz - xyz;
    weight[1] = x - xy - xz + xyz;
    weight[2] = y - xy - yz + xyz;
    weight[3] = xy - xyz;
    weight[4] = z - xz - yz + xyz;
    weight[5] = xz - xyz;
    weight[6] = yz - xyz;
    weight[7] = xyz;
}

/* Fractions are filtered as 16 bits, whatever the format's width. */
static float blended_fractions(const struct exec_texture *t,
                               const int32_t weight[8], uint32_t (*texel)[4],
                               unsigned count, unsigned c)
{
    float one = (float)unit(t, 2);
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        if (weight[i])
            sum += weight[i] * (int64_t)rintf(bits_float(texel[i][c]) * one);
    return (float)((sum + ONE / 2) >> FRACTION_BITS) / one;
}

static float blended_floats(const int32_t weight[8], uint32_t (*texel)[4],
                            unsigned count, unsigned c)
{
    float sum = 0;
    for (unsigned i = 0; i < count; i++)
        if (weight[i])
            sum += (float)weight[i] / ONE * bits_float(texel[i][c]);
    return sum;
}

static void blend(const struct exec_texture *t, const struct texture_level *l,
                  const struct spot *s, const struct tap tap[3],
                  uint32_t out[4])
{
    unsigned count = 1u << s->dims;
    uint32_t texel[8][4];
    int32_t weight[8];
    corner_weights(tap, s->dims, weight);
    for (unsigned corner = 0; corner < count; corner++) {
        int64_t at[3] = {0, 0, s->slice};
        for (unsigned d = 0; d < s->dims; d++)
            at[d] = corner >> d & 1 ? tap[d].second : tap[d].first;
        if (weight[corner])
            read_at(t, l, at[0], at[1], at[2], texel[corner]);
    }
    for (unsigned c = 0; c < 4; c++)
        out[c] = float_bits(is_fraction(t) && !t->is_srgb
                                ? blended_fractions(t, weight, texel, count, c)
                                : blended_floats(weight, texel, count, c));
}

static void sample_level(const struct exec_texture *t, unsigned level,
                         const struct spot *s, uint32_t out[4])
{
    const struct texture_level *l = &t->level[level];
    const uint32_t size[3] = {l->width, l->height, l->depth};
    bool is_linear = t->is_linear && is_float(t);
    struct tap tap[3] = {0};
    for (unsigned d = 0; d < s->dims; d++)
        tap[d] = tap_of(t, d, s->at[d], size[d], is_linear);
    if (!is_linear) {
        read_at(t, l, tap[0].first, s->dims > 1 ? tap[1].first : 0,
                s->dims > 2 ? tap[2].first : s->slice, out);
        return;
    }
    blend(t, l, s, tap, out);
}

/* ---- levels of detail -------------------------------------------------------
 */

static float gradient_lod(const struct exec_texture *t,
                          const struct exec_texture_request *r, unsigned lane)
{
    const struct texture_level *l = &t->level[0];
    const uint32_t size[3] = {l->width, l->height, l->depth};
    unsigned dims = r->form.lod_words / 2;
    double longest = 0;
    for (unsigned k = 0; k < 2; k++) {
        double sum = 0;
        for (unsigned d = 0; d < dims; d++) {
            double g = bits_float(r->lod[k * dims + d][lane]);
            g *= t->is_normalized ? size[d] : 1;
            sum += g * g;
        }
        longest = sum > longest ? sum : longest;
    }
    return longest > 0 ? (float)(0.5 * log2(longest)) : -INFINITY;
}

static float lod_of(const struct exec_texture *t,
                    const struct exec_texture_request *r, unsigned lane)
{
    float lod = r->form.lod == TEXTURE_LOD_NONE    ? 0
                : r->form.lod == TEXTURE_LOD_GIVEN ? bits_float(r->lod[0][lane])
                                                   : gradient_lod(t, r, lane);
    lod += t->lod_bias;
    float most = (float)(t->level_count - 1);
    most = t->lod_max < most ? t->lod_max : most;
    lod = lod > most ? most : lod;
    return lod > t->lod_min ? lod : t->lod_min; /* a NaN too */
}

static void sample_levels(const struct exec_texture *t,
                          const struct exec_texture_request *r, unsigned lane,
                          const struct spot *s, uint32_t out[4])
{
    if (t->level_count == 1) {
        sample_level(t, 0, s, out);
        return;
    }
    float lod = lod_of(t, r, lane);
    if (!t->is_mip_linear || !is_float(t)) {
        int nearest = (int)floorf(lod + 0.5f);
        int last = (int)t->level_count - 1;
        sample_level(t, (unsigned)(nearest > last ? last : nearest), s, out);
        return;
    }
    uint32_t fixed = (uint32_t)floorf(lod * ONE + 0.5f);
    unsigned level = fixed >> FRACTION_BITS;
    float weight = (float)(fixed & (ONE - 1)) / (1 << FRACTION_BITS);
    sample_level(t, level, s, out);
    if (weight == 0 || level + 1 >= t->level_count)
        return;
    uint32_t next[4];
    sample_level(t, level + 1, s, next);
    for (unsigned c = 0; c < 4; c++)
        out[c] = float_bits(bits_float(out[c]) * (1 - weight) +
                            bits_float(next[c]) * weight);
}

/* ---- where a lane looks -----------------------------------------------------
 */

/* The face, and the coordinates on it: guide, "Cubemap Textures". */
static void turn_to_face(struct spot *s, float x, float y, float z)
{
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, u, v;
    unsigned face;
    if (ax >= ay && ax >= az) {
        face = x < 0;
        m = ax, u = x < 0 ? z : -z, v = -y;
    } else if (ay >= az) {
        face = 2 + (y < 0);
        m = ay, u = x, v = y < 0 ? -z : z;
    } else {
        face = 4 + (z < 0);
        m = az, u = z < 0 ? -x : x, v = -y;
    }
    s->at[0] = (u / m + 1) / 2;
    s->at[1] = (v / m + 1) / 2;
    s->slice += face;
    s->dims = 2;
}

static int64_t layer_of(const struct exec_texture *t, uint32_t index)
{
    return index < t->layers ? index : t->layers - 1; /* -1: the last one */
}

static float coordinate(const struct exec_texture_request *r, unsigned i,
                        unsigned lane)
{
    uint32_t bits = r->at[i][lane];
    return r->form.is_integer ? (float)(int32_t)bits : bits_float(bits);
}

static struct spot spot_of(const struct exec_texture *t,
                           const struct exec_texture_request *r, unsigned lane)
{
    const struct texture_form *f = &r->form;
    /* A row is a plane of one row: its border lies above it, too. */
    struct spot s = {.dims = f->dims == 1 ? 2 : f->dims};
    if (f->has_index)
        s.slice = layer_of(t, r->at[0][lane]) * (f->is_cube ? 6 : 1);
    for (unsigned d = 0; d < f->dims; d++)
        s.at[d] = coordinate(r, d + f->has_index, lane);
    if (f->is_cube)
        turn_to_face(&s, s.at[0], s.at[1], s.at[2]);
    return s;
}

static void give(struct exec_texture_request *r, unsigned lane,
                 const uint32_t value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        r->value[c][lane] = value[c];
        if (r->form.result == TEXTURE_RESULT_HALF) {
            _Float16 h = (_Float16)bits_float(value[c]);
            uint16_t bits;
            memcpy(&bits, &h, sizeof bits);
            r->value[c][lane] = bits;
        }
    }
}

/* Linear memory: by the element's number; nothing is outside but zeros. */
static void fetch_element(const struct exec_texture *t,
                          struct exec_texture_request *r, unsigned lane)
{
    uint32_t out[4] = {0};
    int64_t i = r->form.is_integer
                    ? (int32_t)r->at[0][lane]
                    : (int64_t)floor(in_texels(t, 0, coordinate(r, 0, lane),
                                               t->level[0].width));
    if (i >= 0 && i < t->level[0].width)
        read_at(t, &t->level[0], i, 0, 0, out);
    give(r, lane, out);
}

void sampler_fetch(const struct exec_texture *t, struct exec_texture_request *r,
                   unsigned lane)
{
    uint32_t out[4];
    if (t->is_buffer) {
        fetch_element(t, r, lane);
        return;
    }
    struct spot s = spot_of(t, r, lane);
    sample_levels(t, r, lane, &s, out);
    give(r, lane, out);
}

/* Counter-clockwise from the lower left: (0,1) (1,1) (1,0) (0,0). */
void sampler_gather(const struct exec_texture *t,
                    struct exec_texture_request *r, unsigned lane)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct texture_level *l = &t->level[0];
    struct spot s = spot_of(t, r, lane);
    struct tap x = tap_of(t, 0, s.at[0], l->width, true);
    struct tap y = tap_of(t, 1, s.at[1], l->height, true);
    uint32_t out[4];
    for (unsigned i = 0; i < 4; i++) {
        uint32_t texel[4];
        read_at(t, l, order[i][0] ? x.second : x.first,
                order[i][1] ? y.second : y.first, s.slice, texel);
        out[i] = texel[r->form.component];
    }
    give(r, lane, out);
}
