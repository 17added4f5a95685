/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a texture unit does with coordinates: addressing, filtering, levels.
 * Weights have 8 bits behind the binary point, as in hardware.
 *
 * Source: CUDA C++ Programming Guide, "Texture Fetching"; what an H200
 * answers where that is silent.
 */
#include "exec/device/sampler.h"

#include "exec/internal.h"
#include "exec/device/mix.h"
#include "exec/device/texel.h"

#include <float.h>
#include <math.h>

/* ---- coordinates -------------------------------------------------------- */

/* The texel that coordinate i means in a row of `size`; -1: it is outside and
 * gets the border's color. */
static int64_t wrapped_place(enum texture_address mode, bool is_normalized,
                             int64_t i, int64_t size)
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
    assert(i >= 0 && i < period);
    return i < size ? i : period - 1 - i;
}

/* Cuts a normalised coordinate off to so many bits behind the binary point: at
 * least 21, and 8 within a texel. */
static double cut_off(double u, uint32_t size)
{
    double grain = ldexp(1, texture_grain(size));
    return floor(u * grain) / grain;
}

/* A coordinate in texels. A NaN, and what is far outside, becomes something
 * near that means the same. */
static double in_texels(const struct exec_texture *t, unsigned axis, double x,
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
        u = cut_off(u, size) * size;
    }
    if (t->is_normalized && mode != TEXTURE_CLAMP && mode != TEXTURE_BORDER)
        return u;
    double limit = 4.0 * size + 16;
    return u < -limit ? -limit : u > limit ? limit : u;
}

/* Along one axis of a fetch: the first texel, and the weight of the second. */
struct tap {
    int64_t first, second;
    uint32_t weight; /* of the second, in 1 / 256 */
};

/* The tap for a coordinate and an offset in texels, without addressing. */
static struct tap tap_of(const struct exec_texture *t, unsigned axis, double x,
                         int32_t offset, uint32_t size, bool is_linear)
{
    double u = in_texels(t, axis, x, size);
    if (!is_linear) {
        int64_t i = (int64_t)floor(u) + offset;
        return (struct tap){i, i, 0};
    }
    double scaled = floor((u - 0.5) * ONE + 0.5);
    int64_t fixed = (int64_t)scaled;
    int64_t i = (fixed >> WEIGHT_BITS) + offset;
    return (struct tap){i, i + 1, (uint32_t)(fixed & (ONE - 1))};
}

/* With addressing. Beyond a clamped edge both texels are one, with the whole
 * weight. */
static struct tap placed_tap(const struct exec_texture *t, unsigned axis,
                             struct tap tap, uint32_t size)
{
    enum texture_address mode = t->address[axis];
    bool is_clamped =
        mode == TEXTURE_CLAMP || (!t->is_normalized && mode != TEXTURE_BORDER);
    if (is_clamped && (tap.first < 0 || tap.first + 1 >= size))
        tap.weight = 0;
    tap.first = wrapped_place(mode, t->is_normalized, tap.first, size);
    tap.second = wrapped_place(mode, t->is_normalized, tap.second, size);
    return tap;
}

static bool is_outside(const int64_t at[3])
{
    return at[0] < 0 || at[1] < 0 || at[2] < 0;
}

static void read_at(const struct exec_texture *t, const struct texture_level *l,
                    const struct spot *s, const int64_t at[3], uint32_t out[4])
{
    if (is_outside(at))
        texel_border(t, s->is_filtered, out);
    else
        texel_read(t, l, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2],
                   out);
}

/* ---- one level ---------------------------------------------------------- */

/* a * b in 1 / 256; ties go up or down, as `half` says. */
static int32_t weight_product(int32_t a, uint32_t b, int32_t half)
{
    return (a * (int32_t)b + half) >> WEIGHT_BITS;
}
/* Weights of a plane's four corners, numbered by the bits of x and y; they
 * add up to `whole`. The part of the second place along an axis is rounded:
 * ties up, but down on the left along y, and along z. An H200 does so, to
 * the bit. */
static void plane_weights(const struct tap tap[3], int32_t whole,
                          int32_t weight[4])
{
    int32_t right = weight_product(whole, tap[0].weight, HALF_UP);
    int32_t left = whole - right;
    weight[2] = weight_product(left, tap[1].weight, HALF_DOWN);
    weight[3] = weight_product(right, tap[1].weight, HALF_UP);
    weight[0] = left - weight[2];
    weight[1] = right - weight[3];
    assert(weight[0] + weight[1] + weight[2] + weight[3] == whole);
}

static void corner_weights(const struct tap tap[3], unsigned dims,
                           int32_t whole, int32_t weight[8])
{
    int32_t far =
        dims < 3 ? 0 : weight_product(whole, tap[2].weight, HALF_DOWN);
    plane_weights(tap, whole - far, weight);
    if (dims == 3)
        plane_weights(tap, far, weight + 4);
}

/* A fraction in 16 bits. One of ten bits, or seven, repeats its highest bits
 * at the end. The border's color has all 16. */
static int64_t wide_fraction(const struct exec_texture *t, float v,
                             bool is_border)
{
    if (t->layout == TEXEL_1010102 && !is_border) {
        int64_t ten = (int64_t)rintf(v * 1023);
        return ten << 6 | ten >> 4;
    }
    if (texel_is_signed_byte(t))
        return texel_of_signed_sum((int32_t)rintf(v * 127) * ONE);
    return (int64_t)rintf(v * (float)texel_unit(t, 2));
}

static float mixed_signed_bytes(const struct mix *m, unsigned c)
{
    int32_t sum = 0;
    for (unsigned i = 0; i < m->count; i++)
        if (m->weight[i])
            sum += m->weight[i] *
                   (int32_t)rintf(float_of_bits(m->texel[i][c]) * 127);
    return (float)texel_of_signed_sum(sum) / 32767;
}

/* Filters fractions as 16 bits, whatever the format's width. */
static float mixed_fractions(const struct exec_texture *t, const struct mix *m,
                             unsigned c)
{
    float one = (float)texel_unit(t, 2);
    int64_t sum = 0;
    for (unsigned i = 0; i < m->count; i++)
        if (m->weight[i])
            sum +=
                m->weight[i] * wide_fraction(t, float_of_bits(m->texel[i][c]),
                                             m->is_border[i]);
    return fmaxf((float)((sum + ONE / 2) >> WEIGHT_BITS) / one, -1);
}

/* Every NaN becomes the same one. */
static uint32_t mixed_floats(const struct mix *m, unsigned c)
{
    float sum = 0;
    for (unsigned i = 0; i < m->count; i++)
        if (m->weight[i])
            sum += (float)m->weight[i] / ONE * float_of_bits(m->texel[i][c]);
    return sum == sum ? bits_of_float(sum) : 0x7fffffff;
}

/* Sums of integers are rounded, ties up; those of 32 bits are cut off. */
static uint32_t mixed_integers(const struct exec_texture *t,
                               const struct mix *m, unsigned c)
{
    int64_t sum = texel_is_wide_integer(t) ? 0 : ONE / 2;
    for (unsigned i = 0; i < m->count; i++)
        if (m->weight[i])
            sum += m->weight[i] * (t->kind == TEXEL_SIGNED
                                       ? (int64_t)(int32_t)m->texel[i][c]
                                       : (int64_t)m->texel[i][c]);
    return (uint32_t)(sum >> WEIGHT_BITS);
}

static uint32_t mixed_channel(const struct exec_texture *t, const struct mix *m,
                              unsigned c)
{
    if (!texel_is_float(t))
        return mixed_integers(t, m, c);
    if (texel_is_aligned(t, c) && mix_is_finite(m, c))
        return bits_of_float(mixed_aligned(t, m, c));
    if (texel_is_half(t)) /* infinite, or no number */
        return mixed_floats(m, c) & ~UINT32_C(0x1fff);
    if (texel_is_signed_byte(t))
        return bits_of_float(mixed_signed_bytes(m, c));
    if (texel_is_fraction(t))
        return bits_of_float(mixed_fractions(t, m, c));
    return mixed_floats(m, c);
}

/* Reads a texel, or the result of its comparison with the reference. */
static void read_worth(const struct exec_texture *t,
                       const struct texture_level *l, const struct spot *s,
                       const int64_t at[3], uint32_t out[4])
{
    read_at(t, l, s, at, out);
    if (s->has_reference)
        out[0] =
            bits_of_float(float_of_bits(s->reference) <= float_of_bits(out[0]));
}

/* Enters a texel and its weight as number i of a mix. */
static void add_worth(const struct exec_texture *t,
                      const struct texture_level *l, const struct spot *s,
                      const int64_t at[3], unsigned i, struct mix *m)
{
    m->is_border[i] = is_outside(at);
    read_worth(t, l, s, at, m->texel[i]);
}

/* Reads the four texels of a face, and of the adjacent faces where they lie
 * there. */
static void read_seamless(const struct exec_texture *t,
                          const struct texture_level *l, const struct spot *s,
                          const struct tap tap[3], struct mix *m)
{
    unsigned missing = 4;
    for (unsigned corner = 0; corner < 4; corner++) {
        int64_t at[3] = {corner & 1 ? tap[0].second : tap[0].first,
                         corner & 2 ? tap[1].second : tap[1].first, s->slice};
        if (cube_cross_edge(l->width, at))
            add_worth(t, l, s, at, m->count + corner, m);
        else
            missing = corner;
    }
    if (missing < 4)
        cube_share_corner(m->weight + m->count, missing);
}

static void read_corners(const struct exec_texture *t,
                         const struct texture_level *l, const struct spot *s,
                         const struct tap tap[3], struct mix *m)
{
    for (unsigned corner = 0; corner < 1u << s->dims; corner++) {
        int64_t at[3] = {0, 0, s->slice};
        for (unsigned d = 0; d < s->dims; d++)
            at[d] = corner >> d & 1 ? tap[d].second : tap[d].first;
        if (m->weight[m->count + corner])
            add_worth(t, l, s, at, m->count + corner, m);
    }
}

static void add_filtered(const struct exec_texture *t,
                         const struct texture_level *l, const struct spot *s,
                         const struct tap tap[3], int32_t whole, struct mix *m)
{
    const uint32_t size[3] = {l->width, l->height, l->depth};
    struct tap in[3] = {0};
    if (s->is_cube && t->is_seamless) {
        corner_weights(tap, s->dims, whole, m->weight + m->count);
        read_seamless(t, l, s, tap, m);
    } else {
        for (unsigned d = 0; d < s->dims; d++)
            in[d] = placed_tap(t, d, tap[d], size[d]);
        corner_weights(in, s->dims, whole, m->weight + m->count);
        read_corners(t, l, s, in, m);
    }
    m->count += 1u << s->dims;
}

/* Adds a level's texels to a mix, with weights that add up to `whole`. */
static void add_level(const struct exec_texture *t, unsigned level,
                      const struct spot *s, int32_t whole, struct mix *m)
{
    const struct texture_level *l = &t->level[level];
    const uint32_t size[3] = {l->width, l->height, l->depth};
    bool is_linear = t->is_linear;
    struct tap tap[3] = {0};
    for (unsigned d = 0; d < s->dims; d++)
        tap[d] = tap_of(t, d, s->at[d], s->offset[d], size[d], is_linear);
    if (is_linear) {
        add_filtered(t, l, s, tap, whole, m);
        return;
    }
    int64_t at[3] = {0, 0, s->slice};
    for (unsigned d = 0; d < s->dims; d++)
        at[d] = placed_tap(t, d, tap[d], size[d]).first;
    add_worth(t, l, s, at, m->count, m);
    m->weight[m->count++] = whole;
}

void sample_between(const struct exec_texture *t, unsigned level,
                    uint32_t next_part, const struct spot *s, uint32_t out[4])
{
    struct mix m = {.count = 0};
    add_level(t, level, s, ONE - (int32_t)next_part, &m);
    m.first_count = m.count;
    if (next_part)
        add_level(t, level + 1, s, (int32_t)next_part, &m);
    if (m.count == 1 && (!texel_is_widened(t) || s->has_reference)) {
        memcpy(out, m.texel[0], sizeof m.texel[0]);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        out[c] =
            s->has_reference ? mixed_floats(&m, c) : mixed_channel(t, &m, c);
}

/* ---- where a lane looks ------------------------------------------------- */

static int64_t layer_of(const struct exec_texture *t, uint32_t index)
{
    return index < t->layers ? index : t->layers - 1; /* -1: the last one */
}

static float coordinate_of(const struct exec_texture_request *r, unsigned i,
                           unsigned lane)
{
    uint32_t bits = r->at[i][lane];
    if (r->form.is_integer)
        return (float)(int32_t)bits;
    float v = float_of_bits(bits);
    /* A denormal counts as 0, except for the faces of cubes. */
    return fabsf(v) < FLT_MIN && !r->form.is_cube ? 0 : v;
}

static struct spot spot_of(const struct exec_texture *t,
                           const struct exec_texture_request *r, unsigned lane)
{
    const struct texture_form *f = &r->form;
    /* A row has a border above and below, as a plane of height 1 has; rows in
     * layers do not. */
    struct spot s = {
        .dims = f->dims == 1 && !f->has_index ? 2 : f->dims,
        .is_filtered =
            t->is_linear || texel_is_widened(t) || f->op == TEXTURE_GATHER,
        .has_reference = f->has_reference,
        .reference = r->reference[lane],
    };
    if (f->has_index)
        s.slice = layer_of(t, r->at[0][lane]) * (f->is_cube ? 6 : 1);
    for (unsigned d = 0; d < f->dims; d++)
        s.at[d] = coordinate_of(r, d + f->has_index, lane);
    for (unsigned d = 0; d < f->offsets; d++)
        s.offset[d] = (int32_t)r->offset[d][lane];
    if (f->is_cube)
        cube_find_face(&s);
    return s;
}

static uint64_t halves_of(uint32_t low, uint32_t high)
{
    return bits_of_half(float_of_bits(low)) |
           (uint64_t)bits_of_half(float_of_bits(high)) << 16;
}

static void give_texel(struct exec_texture_request *r, unsigned lane,
                       const uint32_t value[4])
{
    for (unsigned c = 0; c < 4; c++)
        r->value[c][lane] = r->form.result == TEXTURE_RESULT_HALF
                                ? bits_of_half(float_of_bits(value[c]))
                                : value[c];
    if (r->form.result != TEXTURE_RESULT_HALVES)
        return;
    r->value[0][lane] = halves_of(value[0], value[1]);
    r->value[1][lane] = halves_of(value[2], value[3]);
}

static void limit_fractions(const struct exec_texture *t, uint32_t value[4])
{
    for (unsigned c = 0; t->kind == TEXEL_SIGNED_NORMALIZED && c < 4; c++)
        value[c] = bits_of_float(fmaxf(float_of_bits(value[c]), -1));
}

/* Linear memory: fetches element number x; outside it is 0. Layers do not
 * matter. */
static void fetch_element(const struct exec_texture *t,
                          struct exec_texture_request *r, unsigned lane)
{
    uint32_t out[4] = {0};
    int64_t i = (int32_t)r->at[r->form.has_index][lane];
    if (r->form.offsets)
        i += (int32_t)r->offset[0][lane];
    if (i >= 0 && i < t->level[0].width)
        texel_read(t, &t->level[0], (uint32_t)i, 0, 0, out);
    limit_fractions(t, out);
    give_texel(r, lane, out);
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
    limit_fractions(t, out);
    give_texel(r, lane, out);
}

/* One component of a texel. Fractions of other widths are widened to 16
 * bits. */
static uint32_t gathered_component(const struct exec_texture *t,
                                   const struct spot *s, const int64_t at[3],
                                   const uint32_t texel[4], unsigned c)
{
    if (s->has_reference)
        return texel[0];
    if (!texel_is_fraction(t) || texel_is_color(t, c))
        return texel[c];
    int64_t wide = wide_fraction(t, float_of_bits(texel[c]), is_outside(at));
    return bits_of_float((float)wide / (float)texel_unit(t, 2));
}

/* The order of the texels: counter-clockwise from the lower left, (0,1) (1,1)
 * (1,0) (0,0). */
void sampler_gather(const struct exec_texture *t,
                    struct exec_texture_request *r, unsigned lane)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct texture_level *l = &t->level[0];
    struct spot s = spot_of(t, r, lane);
    struct tap x = tap_of(t, 0, s.at[0], s.offset[0], l->width, true);
    struct tap y = tap_of(t, 1, s.at[1], s.offset[1], l->height, true);
    x = placed_tap(t, 0, x, l->width);
    y = placed_tap(t, 1, y, l->height);
    uint32_t out[4];
    for (unsigned i = 0; i < 4; i++) {
        uint32_t texel[4];
        int64_t at[3] = {order[i][0] ? x.second : x.first,
                         order[i][1] ? y.second : y.first, s.slice};
        read_worth(t, l, &s, at, texel);
        out[i] = gathered_component(t, &s, at, texel, r->form.component);
    }
    limit_fractions(t, out);
    give_texel(r, lane, out);
}
