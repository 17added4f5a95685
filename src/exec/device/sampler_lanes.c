/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.c for eight lanes at a time that read the same texture: coordinates,
 * levels, weights and sums, bit by bit the same. What is rare is left to that:
 * filters of sRGB and of 32-bit integers, and texels that are not finite; and
 * lane by lane go the edges of seamless cubes.
 */
#include "exec/device/sampler.h"

#if defined(__x86_64__)
#include "exec/device/mix_lanes.h"

#include <float.h>
#include <math.h>

#include "exec/device/texel.h"

/* Places of eight lanes. */
struct spots {
    double at[3][EIGHT];
    double offset[3][EIGHT]; /* in texels, of `offsets` coordinates */
    unsigned offsets;
    ints slice;     /* where layers and cubes begin, and the face */
    unsigned dims;  /* coordinates that are filtered */
    bool is_across; /* a filter goes on across the edges of a cube */
    bool has_reference;
    floats reference; /* of a depth comparison */
};

/* ---- coordinates -------------------------------------------------------- */

static doubles load_doubles(const double *p)
{
    return _mm256_loadu_pd(p);
}

static doubles floor_of(doubles v)
{
    return _mm256_floor_pd(v);
}

static doubles magnitude_of(doubles v)
{
    return _mm256_andnot_pd(doubles_of(-0.0), v);
}

static doubles is_less(doubles a, doubles b)
{
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
}

/* As cut_off and in_texels in sampler.c. */
static doubles in_texels(const struct exec_texture *t, unsigned axis, doubles x,
                         uint32_t size)
{
    enum texture_address mode = t->address[axis];
    bool repeats = mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR;
    doubles zero = doubles_of(0);
    doubles u = doubles_select(_mm256_cmp_pd(x, x, _CMP_ORD_Q), x, zero);
    if (t->is_normalized) {
        double grain = (double)(INT64_C(1) << texture_grain(size));
        if (repeats) {
            doubles is_far = is_less(doubles_of(FAR), magnitude_of(u));
            doubles near = u - 2 * floor_of(u / 2);
            near = doubles_select(
                is_less(magnitude_of(u), doubles_of(INFINITY)), near, zero);
            u = doubles_select(is_far, near, u);
        }
        u = floor_of(u * grain) * (1 / grain) * (double)size;
        if (repeats)
            return u;
    }
    double limit = 4.0 * size + 16;
    u = _mm256_max_pd(u, doubles_of(-limit));
    return _mm256_min_pd(u, doubles_of(limit));
}

/* i modulo period, at least 0. */
static doubles remainder_of(doubles i, double period)
{
    doubles zero = doubles_of(0), all = doubles_of(period);
    doubles r = i - all * floor_of(i / all);
    r = doubles_select(is_less(r, zero), r + all, r);
    return doubles_select(is_less(r, all), r, r - all);
}

/* As wrapped_place in sampler.c. */
static doubles wrapped_places(enum texture_address mode, bool is_normalized,
                              doubles i, double size)
{
    doubles zero = doubles_of(0), last = doubles_of(size - 1);
    if (mode == TEXTURE_BORDER) {
        doubles is_outside = _mm256_or_pd(is_less(i, zero), is_less(last, i));
        return doubles_select(is_outside, doubles_of(-1), i);
    }
    if (!is_normalized || mode == TEXTURE_CLAMP)
        return _mm256_min_pd(_mm256_max_pd(i, zero), last);
    if (mode == TEXTURE_WRAP)
        return remainder_of(i, size);
    doubles r = remainder_of(i, 2 * size);
    return doubles_select(is_less(r, doubles_of(size)), r, 2 * size - 1 - r);
}

/* Along one axis of a fetch: both texels, and the weight of the second. */
struct taps {
    ints first, second, weight;
};

struct four_taps {
    __m128i first, second, weight;
};

static struct four_taps find_four(const struct exec_texture *t, unsigned axis,
                                  const double *at, const double *offset,
                                  uint32_t size, bool is_linear, bool is_across)
{
    enum texture_address mode = t->address[axis];
    doubles u = in_texels(t, axis, load_doubles(at), size);
    doubles i = floor_of(u), weight = doubles_of(0);
    if (is_linear) {
        doubles fixed = floor_of((u - 0.5) * ONE + 0.5);
        i = floor_of(fixed / ONE);
        weight = fixed - i * ONE;
    }
    if (offset)
        i += load_doubles(offset);
    if (is_across)
        return (struct four_taps){
            .first = _mm256_cvtpd_epi32(i),
            .second = _mm256_cvtpd_epi32(i + 1),
            .weight = _mm256_cvtpd_epi32(weight),
        };
    if (mode == TEXTURE_CLAMP ||
        (!t->is_normalized && mode != TEXTURE_BORDER)) {
        doubles is_beyond = _mm256_or_pd(is_less(i, doubles_of(0)),
                                         is_less(doubles_of(size - 2.0), i));
        weight = doubles_select(is_beyond, doubles_of(0), weight);
    }
    doubles first = wrapped_places(mode, t->is_normalized, i, size);
    doubles second = wrapped_places(mode, t->is_normalized, i + 1, size);
    return (struct four_taps){
        .first = _mm256_cvtpd_epi32(first),
        .second = _mm256_cvtpd_epi32(second),
        .weight = _mm256_cvtpd_epi32(weight),
    };
}

static ints joined_halves(__m128i low, __m128i high)
{
    return (ints)_mm256_set_m128i(high, low);
}

static struct taps find_taps(const struct exec_texture *t,
                             const struct spots *s, unsigned axis,
                             uint32_t size, bool is_linear)
{
    const double *at = s->at[axis];
    const double *offset = axis < s->offsets ? s->offset[axis] : NULL;
    bool is_across = is_linear && s->is_across;
    struct four_taps low =
        find_four(t, axis, at, offset, size, is_linear, is_across);
    struct four_taps high =
        find_four(t, axis, at + 4, offset ? offset + 4 : NULL, size, is_linear,
                  is_across);
    return (struct taps){
        .first = joined_halves(low.first, high.first),
        .second = joined_halves(low.second, high.second),
        .weight = joined_halves(low.weight, high.weight),
    };
}

/* ---- one level ---------------------------------------------------------- */

static ints weight_products(ints a, ints b, int32_t half)
{
    return (a * b + half) >> WEIGHT_BITS;
}

static void plane_weights(const struct taps tap[3], ints whole, ints weight[4])
{
    ints right = weight_products(whole, tap[0].weight, HALF_UP);
    ints left = whole - right;
    weight[2] = weight_products(left, tap[1].weight, HALF_DOWN);
    weight[3] = weight_products(right, tap[1].weight, HALF_UP);
    weight[0] = left - weight[2];
    weight[1] = right - weight[3];
}

static void corner_weights(const struct taps tap[3], unsigned dims, ints whole,
                           ints weight[8])
{
    ints far = ints_of(0);
    if (dims == 3)
        far = weight_products(whole, tap[2].weight, HALF_DOWN);
    plane_weights(tap, whole - far, weight);
    if (dims == 3)
        plane_weights(tap, far, weight + 4);
}

/* Weighted sums of the texels read so far. */
struct sums {
    struct texel_lanes texel; /* the last one */
    struct mix_lanes real[4];
    ints fraction[4]; /* of 16 bits, times ONE */
    floats compared[4];
    bool is_finite; /* all reals are */
};

/* By hand: GCC's loops and memset of this size cost more than all the sums. */
static void clear_sums(struct sums *s)
{
    ints zero = ints_of(0);
    s->texel = (struct texel_lanes){{zero, zero, zero, zero}};
    for (unsigned c = 0; c < 4; c++)
        mix_lanes_clear(&s->real[c]);
    s->is_finite = true;
    s->fraction[0] = s->fraction[1] = zero;
    s->fraction[2] = s->fraction[3] = zero;
    s->compared[0] = s->compared[1] = (floats)zero;
    s->compared[2] = s->compared[3] = (floats)zero;
}

/* Is channel c filtered as 16 bits? Colors of sRGB are not. */
static bool is_fraction(const struct exec_texture *t, unsigned c)
{
    return texel_is_fraction(t) && !texel_is_color(t, c);
}

/* As wide_fraction in sampler.c, but signed bytes stay as they are. */
static ints wide_fraction(const struct exec_texture *t, floats v)
{
    if (t->layout == TEXEL_1010102) {
        ints ten = to_ints(v * 1023);
        return ten << 6 | ten >> 4;
    }
    return to_ints(v * (float)texel_unit(t, texel_is_signed_byte(t) ? 1 : 2));
}

/* As texel_of_signed_sum, and what becomes of sums of other fractions. */
static ints of_sum(const struct exec_texture *t, ints sum)
{
    if (!texel_is_signed_byte(t))
        return (sum + ONE / 2) >> 8;
    return sum + ((sum + 16 * (sum >> 12) + 64) >> 7);
}

/* As sampler.c's mixed_floats. */
static void add_compared(unsigned count, const struct texel_lanes *texel,
                         const ints *weight, struct sums *s)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < 4; c++) {
            floats part = to_floats(weight[i]) / ONE;
            floats sum = s->compared[c] + part * (floats)texel[i].channel[c];
            s->compared[c] = (floats)ints_select(weight[i] != 0, (ints)sum,
                                                 (ints)s->compared[c]);
        }
}

/* Adds texels of one level. */
static void add_texels(const struct exec_texture *t, unsigned count,
                       const struct texel_lanes *texel, const ints *weight,
                       struct sums *s)
{
    for (unsigned c = 0; c < 4; c++) {
        ints v[8];
        for (unsigned i = 0; i < count; i++)
            v[i] = texel[i].channel[c];
        for (unsigned i = 0; is_fraction(t, c) && i < count; i++)
            s->fraction[c] += weight[i] * wide_fraction(t, (floats)v[i]);
        for (unsigned i = 0; !texel_is_float(t) && i < count; i++)
            s->fraction[c] += weight[i] * v[i];
        if (texel_is_aligned(t, c) && c < t->channels)
            s->is_finite &= mix_lanes_add(t, count, v, weight, &s->real[c]);
    }
}

/* A texel, or how it compares with the reference. */
static void read_worth(const struct exec_texture *t,
                       const struct texture_level *l, const struct spots *s,
                       const ints at[3], ints mask, struct texel_lanes *out)
{
    texel_lanes_read(t, l, at, mask, out);
    if (s->has_reference)
        out->channel[0] =
            (s->reference <= (floats)out->channel[0]) & (ints)floats_of(1);
}

/* ---- across the edges of a cube ----------------------------------------- */

static ints is_outside(const ints at[3], int32_t size)
{
    return (at[0] < 0) | (at[0] >= size) | (at[1] < 0) | (at[1] >= size);
}

/* As sampler.c's read_seamless. */
static void cross_lane(uint32_t size, unsigned lane, ints weight[4],
                       ints at[4][3])
{
    unsigned missing = 4;
    int32_t w[4];
    for (unsigned i = 0; i < 4; i++) {
        int64_t place[3] = {at[i][0][lane], at[i][1][lane], at[i][2][lane]};
        w[i] = weight[i][lane];
        if (!cube_cross_edge(size, place)) {
            missing = i;
            place[0] = place[1] = 0;
        }
        for (unsigned d = 0; d < 3; d++)
            at[i][d][lane] = (int32_t)place[d];
    }
    if (missing == 4)
        return;
    cube_share_corner(w, missing);
    for (unsigned i = 0; i < 4; i++)
        weight[i][lane] = w[i];
}

static void cross_edges(uint32_t size, ints weight[4], ints at[4][3])
{
    ints outside = ints_of(0);
    for (unsigned i = 0; i < 4; i++)
        outside |= is_outside(at[i], (int32_t)size);
    for (unsigned lane = 0; ints_any(outside) && lane < EIGHT; lane++)
        if (outside[lane])
            cross_lane(size, lane, weight, at);
}

/* ---- levels' parts ------------------------------------------------------ */

static void add_filtered(const struct exec_texture *t,
                         const struct texture_level *l, const struct spots *s,
                         const struct taps tap[3], ints whole, struct sums *sum)
{
    ints weight[8], at[8][3];
    struct texel_lanes texel[8];
    unsigned count = 1u << s->dims;
    if (s->dims == 1)
        weight[2] = weight[3] = ints_of(0);
    corner_weights(tap, s->dims, whole, weight);
    for (unsigned corner = 0; corner < count; corner++) {
        at[corner][1] = ints_of(0);
        at[corner][2] = s->slice;
        for (unsigned d = 0; d < s->dims; d++)
            at[corner][d] = corner >> d & 1 ? tap[d].second : tap[d].first;
    }
    if (s->is_across)
        cross_edges(l->width, weight, at);
    for (unsigned corner = 0; corner < count; corner++)
        read_worth(t, l, s, at[corner], weight[corner] != 0, &texel[corner]);
    if (s->has_reference)
        add_compared(count, texel, weight, sum);
    else
        add_texels(t, count, texel, weight, sum);
}

/* Adds a level's texels for the lanes in `mask`, with weights that add up to
 * `whole`. */
static void add_level(const struct exec_texture *t, unsigned level,
                      const struct spots *s, ints mask, ints whole,
                      struct sums *sum)
{
    const struct texture_level *l = &t->level[level];
    const uint32_t size[3] = {l->width, l->height, l->depth};
    bool is_linear = t->is_linear;
    struct taps tap[3];
    tap[1].weight = ints_of(0); /* of a row in layers */
    for (unsigned d = 0; d < s->dims; d++)
        tap[d] = find_taps(t, s, d, size[d], is_linear);
    if (is_linear) {
        add_filtered(t, l, s, tap, whole & mask, sum);
        return;
    }
    ints at[3] = {ints_of(0), ints_of(0), s->slice};
    struct texel_lanes before = sum->texel;
    ints part = whole & mask;
    for (unsigned d = 0; d < s->dims; d++)
        at[d] = tap[d].first;
    read_worth(t, l, s, at, mask, &sum->texel);
    if (s->has_reference)
        add_compared(1, &sum->texel, &part, sum);
    else if (t->level_count > 1)
        add_texels(t, 1, &sum->texel, &part, sum);
    for (unsigned c = 0; c < 4; c++)
        sum->texel.channel[c] =
            ints_select(mask, sum->texel.channel[c], before.channel[c]);
}

/* Turns sums into texels. Lanes that have read a single texel keep it. */
static void finish_sums(const struct exec_texture *t, bool is_compared,
                        ints is_single, struct sums *sum)
{
    float one = (float)texel_unit(t, 2);
    for (unsigned c = 0; c < 4; c++) {
        floats compared = sum->compared[c];
        ints mixed;
        if (is_compared) { /* one NaN stands for all */
            mixed = ints_select(compared == compared, (ints)compared,
                                ints_of(0x7fffffff));
        } else if (!texel_is_float(t)) {
            mixed = (sum->fraction[c] + ONE / 2) >> 8;
        } else if (is_fraction(t, c)) {
            floats part = to_floats(of_sum(t, sum->fraction[c])) / one;
            mixed = (ints)_mm256_max_ps(part, floats_of(-1));
        } else {
            mixed = c < t->channels ? mix_lanes_result(t, &sum->real[c])
                                    : ints_of(0);
        }
        sum->texel.channel[c] =
            ints_select(is_single, sum->texel.channel[c], mixed);
    }
}

/* Blends `next` / 256 of the level behind each lane's, for the lanes in `left`.
 * Levels are visited in order, each once for all lanes that read it. */
static void sample_between_lanes(const struct exec_texture *t, ints level,
                                 ints next, ints left, const struct spots *s,
                                 struct sums *sum)
{
    ints none = ints_of(0);
    bool is_widened = texel_is_widened(t) && !s->has_reference;
    for (unsigned i = 0; i < t->level_count && ints_any(left); i++) {
        ints is_first = left & (level == (int32_t)i);
        ints is_second = left & (level == (int32_t)i - 1) & (next != 0);
        ints mask = is_first | is_second;
        if (ints_any(mask))
            add_level(t, i, s, mask, ints_select(is_first, ONE - next, next),
                      sum);
        left &= ~(is_second | (is_first & (next == 0)));
    }
    finish_sums(t, s->has_reference,
                t->is_linear || is_widened ? none : next == 0, sum);
}

/* ---- levels ------------------------------------------------------------- */

/* As bounded_lod and sample_at_lod in lod.c. */
static void find_levels(const struct exec_texture *t, floats lod, ints *level,
                        ints *next)
{
    float most = (float)(t->level_count - 1);
    int32_t last = (int32_t)t->level_count - 1;
    most = t->lod_max < most ? t->lod_max : most;
    lod = _mm256_min_ps(floats_of(most), lod);
    lod = _mm256_max_ps(lod, floats_of(t->lod_min));
    lod =
        _mm256_max_ps(_mm256_min_ps(lod, floats_of((float)last)), floats_of(0));
    *next = ints_of(0);
    if (!t->is_mip_linear) {
        *level = to_ints(_mm256_floor_ps(lod + 0.5f));
        return;
    }
    ints fixed = to_ints(_mm256_floor_ps(lod * 256));
    *level = fixed >> 8;
    *next = (fixed & ints_of(255)) & (*level < last);
}

static floats unbiased_lods(const struct exec_texture *t,
                            const struct exec_texture_request *r,
                            unsigned first)
{
    float lod[EIGHT];
    ints given = (ints)_mm256_loadu_si256((const void *)&r->lod[0][first]);
    if (r->form.lod == TEXTURE_LOD_GIVEN)
        return r->form.is_integer ? to_floats(given) : (floats)given;
    for (unsigned i = 0; i < EIGHT; i++)
        lod[i] = lod_of_gradients(t, r, first + i);
    return _mm256_loadu_ps(lod);
}

static floats lods_of(const struct exec_texture *t,
                      const struct exec_texture_request *r, unsigned first)
{
    if (r->form.lod == TEXTURE_LOD_NONE)
        return floats_of(0);
    floats lod = unbiased_lods(t, r, first);
    lod = (floats)((ints)lod & (ints)(lod == lod));
    lod = _mm256_round_ps(lod * 256, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    return (lod + floats_of(truncf(t->lod_bias * 256))) / 256;
}

/* ---- where lanes look --------------------------------------------------- */

/* A denormal counts as 0, except for the faces of cubes. */
static doubles doubles_of_coordinates(__m128i bits,
                                      const struct texture_form *f)
{
    if (f->is_integer)
        return _mm256_cvtps_pd(_mm_cvtepi32_ps(bits));
    doubles v = _mm256_cvtps_pd(_mm_castsi128_ps(bits));
    if (f->is_cube)
        return v;
    return _mm256_andnot_pd(is_less(magnitude_of(v), doubles_of(FLT_MIN)), v);
}

static void load_coordinates(const uint32_t *from, const struct texture_form *f,
                             double to[EIGHT])
{
    for (unsigned i = 0; i < EIGHT; i += 4) {
        __m128i bits = _mm_loadu_si128((const void *)(from + i));
        _mm256_storeu_pd(to + i, doubles_of_coordinates(bits, f));
    }
}

static void load_offsets(const uint32_t *from, double to[EIGHT])
{
    for (unsigned i = 0; i < EIGHT; i += 4)
        _mm256_storeu_pd(to + i, _mm256_cvtepi32_pd(_mm_loadu_si128(
                                     (const void *)(from + i))));
}

/* As in cube.c. */
static doubles before_middle(doubles v)
{
    doubles least = doubles_of(-CUBE_LEAST);
    doubles is_before =
        _mm256_and_pd(is_less(v, doubles_of(0)), is_less(least, v));
    doubles moved = doubles_select(is_before, least, v);
    doubles is_nothing =
        _mm256_cmp_pd(magnitude_of(v), doubles_of(CUBE_NOTHING), _CMP_LE_OQ);
    return _mm256_andnot_pd(is_nothing, moved);
}

static doubles as_floats(doubles v)
{
    return _mm256_cvtps_pd(_mm256_cvtpd_ps(v));
}

/* Finds the faces of four directions, which become coordinates on them. */
static __m128i find_faces(double at[3][EIGHT], unsigned first)
{
    doubles x = load_doubles(at[0] + first), y = load_doubles(at[1] + first);
    doubles z = load_doubles(at[2] + first), zero = doubles_of(0);
    doubles far = doubles_of(CUBE_FAR);
    doubles is_short =
        _mm256_and_pd(_mm256_cmp_pd(magnitude_of(x), far, _CMP_LE_OQ),
                      _mm256_cmp_pd(magnitude_of(y), far, _CMP_LE_OQ));
    is_short = _mm256_and_pd(is_short,
                             _mm256_cmp_pd(magnitude_of(z), far, _CMP_LE_OQ));
    x = _mm256_and_pd(x, is_short);
    y = _mm256_and_pd(y, is_short);
    z = _mm256_and_pd(z, is_short);
    doubles ax = magnitude_of(x), ay = magnitude_of(y), az = magnitude_of(z);
    doubles is_z = _mm256_and_pd(_mm256_cmp_pd(az, ax, _CMP_GE_OQ),
                                 _mm256_cmp_pd(az, ay, _CMP_GE_OQ));
    doubles is_y = _mm256_andnot_pd(is_z, _mm256_cmp_pd(ay, ax, _CMP_GE_OQ));
    doubles axis = doubles_select(is_z, z, doubles_select(is_y, y, x));
    doubles is_below = is_less(axis, zero), major = magnitude_of(axis);
    major = doubles_select(is_less(zero, major), major, doubles_of(1));
    doubles sign = doubles_select(is_below, doubles_of(-1), doubles_of(1));
    doubles u =
        doubles_select(is_z, sign * x, doubles_select(is_y, x, -sign * z));
    doubles v = doubles_select(is_y, sign * z, -y);
    doubles face = doubles_select(is_z, doubles_of(4),
                                  doubles_select(is_y, doubles_of(2), zero));
    face += doubles_select(is_below, doubles_of(1), zero);
    doubles up = doubles_select(is_less(major, doubles_of(CUBE_SHORT)),
                                doubles_of(1 / CUBE_SHORT), doubles_of(1));
    doubles over = as_floats(1 / (major * up)) * up;
    u = as_floats(u * over);
    v = as_floats(v * over);
    _mm256_storeu_pd(at[0] + first, (before_middle(u) + 1) / 2);
    _mm256_storeu_pd(at[1] + first, (before_middle(v) + 1) / 2);
    return _mm256_cvtpd_epi32(face);
}

static ints layers_of(const struct exec_texture *t, const uint32_t *index)
{
    __m256i i = _mm256_loadu_si256((const void *)index);
    return (ints)_mm256_min_epu32(i, _mm256_set1_epi32((int)t->layers - 1));
}

static void find_spots(const struct exec_texture *t,
                       const struct exec_texture_request *r, unsigned first,
                       struct spots *s)
{
    const struct texture_form *f = &r->form;
    s->slice = ints_of(0);
    s->offsets = f->offsets;
    s->is_across = f->is_cube && t->is_seamless && f->op == TEXTURE_FETCH;
    s->has_reference = f->has_reference;
    s->reference = _mm256_loadu_ps((const float *)&r->reference[first]);
    bool is_row = f->dims == 1 && !f->has_index;
    for (unsigned i = 0; f->dims == 1 && i < EIGHT; i += 4)
        _mm256_storeu_pd(s->at[1] + i, doubles_of(0));
    s->dims = f->is_cube || is_row ? 2 : f->dims;
    for (unsigned d = 0; d < f->dims; d++)
        load_coordinates(&r->at[d + f->has_index][first], f, s->at[d]);
    for (unsigned d = 0; d < f->offsets; d++)
        load_offsets(&r->offset[d][first], s->offset[d]);
    if (f->has_index)
        s->slice = layers_of(t, &r->at[0][first]) * (f->is_cube ? 6 : 1);
    if (f->is_cube) {
        __m128i low = find_faces(s->at, 0), high = find_faces(s->at, 4);
        s->slice += joined_halves(low, high);
    }
}

/* ---- fetches ------------------------------------------------------------ */

static void fetch_elements(const struct exec_texture *t,
                           const struct exec_texture_request *r, unsigned first,
                           struct texel_lanes *out)
{
    int32_t width = (int32_t)t->level[0].width;
    ints at[3] = {ints_of(0), ints_of(0), ints_of(0)};
    const uint32_t *x = r->at[r->form.has_index];
    at[0] = (ints)_mm256_loadu_si256((const void *)&x[first]);
    ints inside = (at[0] >= 0) & (at[0] < width);
    texel_lanes_read(t, &t->level[0], at, inside, out);
    for (unsigned c = 0; c < 4; c++)
        out->channel[c] &= inside;
}

/* ---- anisotropy --------------------------------------------------------- */

/* Probes of eight lanes, in one of their levels. */
struct along {
    const struct probes *probes;
    double x[EIGHT], y[EIGHT]; /* from probe to probe */
    ints level;                /* -1: of none */
    float weight[EIGHT];
};

static struct along find_along(const struct exec_texture *t,
                               const struct probes *p, ints lanes, bool is_next)
{
    struct along a = {.probes = p};
    for (unsigned i = 0; i < EIGHT; i++) {
        bool is_read = lanes[i] && !(is_next && !(p[i].part > 0));
        a.level[i] = is_read ? (int32_t)(p[i].level + is_next) : -1;
        if (!is_read)
            continue;
        const struct texture_level *l = &t->level[a.level[i]];
        a.weight[i] = is_next ? p[i].part : 1 - p[i].part;
        double step = is_next ? PROBES_NEXT_STEP : 1;
        a.x[i] = p[i].x * step / (t->is_normalized ? l->width : 1);
        a.y[i] = p[i].y * step / (t->is_normalized ? l->height : 1);
    }
    return a;
}

/* As lod.c's sample_along. */
static bool sample_along_lanes(const struct exec_texture *t,
                               const struct along *a, const struct spots *s,
                               floats total[4])
{
    bool is_finite = true;
    ints left = a->level >= 0;
    for (unsigned i = 0; ints_any(left); i++) {
        struct spots probe = *s;
        struct sums sum;
        floats factor = floats_of(0);
        ints mask = left;
        for (unsigned lane = 0; lane < EIGHT; lane++) {
            double at;
            float share;
            if (!left[lane])
                continue;
            if (!lod_place_probe(&a->probes[lane], i, &at, &share)) {
                left[lane] = mask[lane] = 0;
                continue;
            }
            mask[lane] = share > 0 ? -1 : 0;
            probe.at[0][lane] =
                lod_first_period(t, 0, s->at[0][lane]) + a->x[lane] * at;
            probe.at[1][lane] =
                lod_first_period(t, 1, s->at[1][lane]) + a->y[lane] * at;
            factor[lane] = a->weight[lane] * share;
        }
        if (!ints_any(mask))
            continue;
        clear_sums(&sum);
        sample_between_lanes(t, a->level, ints_of(0), mask, &probe, &sum);
        is_finite &= sum.is_finite;
        for (unsigned c = 0; c < 4; c++) {
            floats more = total[c] + factor * (floats)sum.texel.channel[c];
            total[c] = (floats)ints_select(mask, (ints)more, (ints)total[c]);
        }
    }
    return is_finite;
}

static bool fetch_probes(const struct exec_texture *t,
                         const struct exec_texture_request *r, unsigned first,
                         const struct spots *s, struct texel_lanes *out)
{
    struct probes p[EIGHT];
    floats total[4] = {floats_of(0), floats_of(0), floats_of(0), floats_of(0)};
    ints lanes = ints_of(0);
    for (unsigned i = 0; i < EIGHT; i++)
        if (r->lanes >> (first + i) & 1) {
            lanes[i] = -1;
            lod_find_probes(t, r, first + i, &p[i]);
        }
    struct along near = find_along(t, p, lanes, false);
    struct along next = find_along(t, p, lanes, true);
    bool is_finite = sample_along_lanes(t, &near, s, total) &&
                     sample_along_lanes(t, &next, s, total);
    for (unsigned c = 0; c < 4; c++)
        out->channel[c] = (ints)total[c];
    return is_finite;
}

/* ---- texels ------------------------------------------------------------- */

/* False: filters meet values that are not finite. */
static bool fetch_texels(const struct exec_texture *t,
                         const struct exec_texture_request *r, unsigned first,
                         struct texel_lanes *out)
{
    struct sums sum;
    struct spots s;
    ints level = ints_of(0), next = level;
    find_spots(t, r, first, &s);
    if (lod_is_anisotropic(t, r))
        return fetch_probes(t, r, first, &s, out);
    clear_sums(&sum);
    if (t->level_count > 1)
        find_levels(t, lods_of(t, r, first), &level, &next);
    sample_between_lanes(t, level, next, ~ints_of(0), &s, &sum);
    *out = sum.texel;
    return sum.is_finite;
}

/* Gathers one component of the four texels. */
static void gather_texels(const struct exec_texture *t,
                          const struct exec_texture_request *r, unsigned first,
                          struct texel_lanes *out)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct texture_level *l = &t->level[0];
    struct spots s;
    find_spots(t, r, first, &s);
    struct taps x = find_taps(t, &s, 0, l->width, true);
    struct taps y = find_taps(t, &s, 1, l->height, true);
    for (unsigned i = 0; i < 4; i++) {
        struct texel_lanes texel;
        ints at[3] = {order[i][0] ? x.second : x.first,
                      order[i][1] ? y.second : y.first, s.slice};
        unsigned c = s.has_reference ? 0 : r->form.component;
        read_worth(t, l, &s, at, ~ints_of(0), &texel);
        ints v = texel.channel[c];
        if (!s.has_reference && is_fraction(t, c))
            v = (ints)(to_floats(of_sum(t, wide_fraction(t, (floats)v) * ONE)) /
                       (float)texel_unit(t, 2));
        out->channel[i] = v;
    }
}

static void store_channels(const struct texel_lanes *v, unsigned first,
                           struct exec_texture_request *r)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < EIGHT; i += 4) {
            __m128i four;
            memcpy(&four, (const char *)&v->channel[c] + 4 * i, sizeof four);
            _mm256_storeu_si256((void *)&r->value[c][first + i],
                                _mm256_cvtepu32_epi64(four));
        }
}

static void store_halves(const struct texel_lanes *v, unsigned first,
                         struct exec_texture_request *r)
{
    bool is_pairs = r->form.result == TEXTURE_RESULT_HALVES;
    uint16_t half[4][EIGHT];
    for (unsigned c = 0; c < 4; c++)
        _mm_storeu_si128((void *)half[c],
                         _mm256_cvtps_ph((floats)v->channel[c], 0));
    for (unsigned i = 0; i < EIGHT; i++)
        for (unsigned c = 0; c < 4; c++)
            r->value[c][first + i] =
                !is_pairs ? half[c][i]
                : c < 2   ? half[2 * c][i] | (uint64_t)half[2 * c + 1][i] << 16
                          : 0;
}

static void limit_fractions(const struct exec_texture *t, struct texel_lanes *v)
{
    for (unsigned c = 0; t->kind == TEXEL_SIGNED_NORMALIZED && c < 4; c++)
        v->channel[c] =
            (ints)_mm256_max_ps((floats)v->channel[c], floats_of(-1));
}

bool sampler_has_lanes(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}

bool sampler_lanes_can_read(const struct exec_texture *t,
                            const struct texture_form *f)
{
    bool mixes_colors = t->is_srgb && texel_mixes_aligned(t);
    bool mixes_words = texel_is_wide_integer(t) && texel_mixes(t);
    bool mixes_blocks = texel_mixes_aligned(t) && t->layout != TEXEL_CHANNELS;
    return !mixes_colors && !mixes_words && !mixes_blocks &&
           !(t->is_buffer && (f->offsets || f->op != TEXTURE_FETCH)) &&
           texel_lanes_can_read(t);
}

bool sampler_read_lanes(const struct exec_texture *t,
                        struct exec_texture_request *r)
{
    for (unsigned first = 0; first < TEXTURE_LANES; first += EIGHT) {
        struct texel_lanes v;
        if (!(r->lanes >> first & 255))
            continue;
        if (r->form.op == TEXTURE_GATHER)
            gather_texels(t, r, first, &v);
        else if (t->is_buffer)
            fetch_elements(t, r, first, &v);
        else if (!fetch_texels(t, r, first, &v))
            return false;
        limit_fractions(t, &v);
        if (r->form.result == TEXTURE_RESULT_32)
            store_channels(&v, first, r);
        else
            store_halves(&v, first, r);
    }
    return true;
}
#else
bool sampler_has_lanes(void)
{
    return false;
}

bool sampler_lanes_can_read(const struct exec_texture *t,
                            const struct texture_form *f)
{
    (void)t;
    (void)f;
    return false;
}

bool sampler_read_lanes(const struct exec_texture *t,
                        struct exec_texture_request *r)
{
    (void)t;
    (void)r;
    return false;
}
#endif
