/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels of detail: which levels of a mipmap a fetch reads, and how their
 * values are blended. Levels count in 1 / 256, cut off.
 *
 * Source: CUDA C++ Programming Guide, "Texture Fetching"; what an H200 answers
 * where that is silent. Anisotropy: OpenGL, EXT_texture_filter_anisotropic, and
 * where an H200's probes were seen to lie.
 */
#include "exec/internal.h"
#include "exec/device/sampler.h"
#include "exec/device/texel.h"

#include <math.h>
#include <pthread.h>

#define LEVEL_ONE  256
#define PROBES_MAX 16

/* Gradients in texels of level 0, and their lengths. */
struct footprint {
    double along[2][3];
    double length[2];
    bool is_across; /* of a cube: edges lie between */
};

/* ---- short floats ------------------------------------------------------- */

/*
 * Gradients are floats of 10 significant bits; what does not fit is cut off. A
 * product with a constant gets something in its last place, as of a multiplier
 * that leaves out the lowest digits of its partial products.
 */
enum { SHORT_BITS = 9, SPARE_BITS = 3 };

static double masked_bits(double v, uint64_t mask)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits &= mask;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* The value of the last place. v is no denormal double, as gradients are
 * floats. */
static double last_place(double v)
{
    return masked_bits(v, UINT64_C(0x7ff) << 52) * (1.0 / (1 << SHORT_BITS));
}

double lod_cut_short(double v)
{
    return masked_bits(v, ~((UINT64_C(1) << (52 - SHORT_BITS)) - 1));
}

/* v * factor / 512, plus `more` / 512 of v's last place. */
static double part_of(double v, int factor, int more)
{
    if (v == 0 || !isfinite(v))
        return v;
    return lod_cut_short(v * factor / 512 + last_place(v) * more / 512);
}

/* v * size, added up digit by digit of the size; three bits more than the
 * result has are kept, and 7/8 of its last place added. */
static double times_size(double v, uint32_t size)
{
    if (v == 0 || !isfinite(v))
        return v;
    if (!(size & (size - 1)))
        return lod_cut_short(v) * size;
    int exponent = 31 - __builtin_clz(size);
    double unit = last_place(v);
    uint64_t digits = (uint64_t)fabs(trunc(v / unit)) << SPARE_BITS;
    uint64_t product = (1 << SPARE_BITS) - 1;
    for (int i = 0; i <= SHORT_BITS && i <= exponent; i++)
        if (size >> (exponent - i) & 1)
            product += digits >> i;
    double scale = (double)(UINT64_C(1) << exponent) / (1 << SPARE_BITS);
    double exact = (double)product * unit * scale;
    return copysign(lod_cut_short(exact), v);
}

/* The product of two gradients, by the same multiplier. */
static double product_of(double a, double b)
{
    if (a == 0 || b == 0 || !isfinite(a) || !isfinite(b))
        return a * b;
    double unit = last_place(b);
    double size = fabs(trunc(b / unit)); /* of SHORT_BITS + 1 bits */
    assert(size >= 1 << SHORT_BITS && size < 2 << SHORT_BITS);
    return times_size(a, (uint32_t)size) * copysign(unit, b);
}

/* The sum; both operands have one bit more than the larger one keeps. */
static double sum_of(double a, double b)
{
    double most = fmax(fabs(a), fabs(b));
    if (most == 0 || !isfinite(a) || !isfinite(b))
        return a + b;
    double unit = last_place(most) / 2;
    return lod_cut_short((trunc(a / unit) + trunc(b / unit)) * unit);
}

/* ---- gradients ---------------------------------------------------------- */

struct sides {
    double longest, middle, shortest;
};

static struct sides sorted_sides(const double v[3])
{
    double a = fabs(v[0]), b = fabs(v[1]), c = fabs(v[2]);
    return (struct sides){
        .longest = fmax(a, fmax(b, c)),
        .middle = fmax(fmin(a, b), fmin(fmax(a, b), c)),
        .shortest = fmin(a, fmin(b, c)),
    };
}

/* An H200's estimate of a length: the longest side, 11/32 of the next and a
 * quarter of the shortest. */
static double length_of(const double v[3])
{
    struct sides s = sorted_sides(v);
    return lod_cut_short(s.longest + part_of(s.middle, 176, 64) +
                         part_of(s.shortest, 128, 0));
}

/* The same estimate for 11/16 of the gradient. */
static double shorter_length_of(const double v[3])
{
    struct sides s = sorted_sides(v);
    return lod_cut_short(part_of(s.longest, 352, 128) +
                         part_of(s.middle, 121, 32) +
                         part_of(s.shortest, 88, 32));
}

/* How far the ellipse that both gradients span reaches: along each of them or,
 * unless a cube's edge lies between, between them, where a circle would have
 * 0.707 of their sum, and an H200 has 11/16. The vector is that. */
struct reach {
    double length, along[3];
};

static void reach_further(struct reach *r, double length, const double v[3],
                          double part)
{
    if (!(length > r->length))
        return;
    r->length = length;
    for (unsigned d = 0; d < 3; d++)
        r->along[d] = v[d] * part;
}

static struct reach reach_of(const struct footprint *f)
{
    struct reach r = {0};
    double sum[3], difference[3];
    const double between = 11.0 / 16;
    reach_further(&r, f->length[0], f->along[0], 1);
    reach_further(&r, f->length[1], f->along[1], 1);
    if (f->is_across)
        return r;
    for (unsigned d = 0; d < 3; d++) {
        sum[d] = sum_of(f->along[0][d], f->along[1][d]);
        difference[d] = sum_of(f->along[0][d], -f->along[1][d]);
    }
    reach_further(&r, shorter_length_of(sum), sum, between);
    reach_further(&r, shorter_length_of(difference), difference, between);
    return r;
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
    struct footprint f = {0};
    for (unsigned i = 0; i < 2 * dims; i++)
        given[i] = float_of_bits(r->lod[i][lane]);
    if (r->form.is_cube) {
        for (unsigned d = 0; d < 3; d++)
            at[d] = float_of_bits(r->at[d + r->form.has_index][lane]);
        f.is_across = cube_turn_gradients(at, given, turned);
        g = turned;
        dims = 2;
    }
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned d = 0; d < dims; d++)
            f.along[k][d] =
                times_size(g[k * dims + d], t->is_normalized ? size[d] : 1);
        f.length[k] = length_of(f.along[k]);
    }
    return f;
}

/* log2(1 + i / 256) in 1 / 256 as an H200 has it: within one of the value for
 * the middle between i and i + 1. */
static const uint8_t logarithm[256] = {
    0,   2,   4,   5,   6,   8,   9,   11,  12,  13,  15,  16,  18,  19,  20,
    22,  23,  24,  26,  27,  28,  30,  31,  32,  34,  35,  36,  38,  39,  40,
    42,  43,  44,  45,  47,  48,  49,  50,  52,  53,  54,  55,  57,  58,  59,
    60,  62,  63,  64,  65,  66,  68,  69,  70,  71,  72,  74,  75,  76,  77,
    78,  79,  81,  82,  83,  84,  85,  86,  88,  89,  90,  91,  92,  93,  94,
    95,  97,  98,  99,  100, 101, 102, 103, 104, 105, 106, 107, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126,
    127, 128, 129, 130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141,
    142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156,
    157, 158, 159, 160, 161, 162, 162, 163, 164, 165, 166, 167, 168, 169, 170,
    171, 172, 173, 173, 174, 175, 176, 177, 178, 179, 180, 181, 181, 182, 183,
    184, 185, 186, 187, 188, 188, 189, 190, 191, 192, 193, 194, 195, 195, 196,
    197, 198, 199, 200, 200, 201, 202, 203, 204, 205, 205, 206, 207, 208, 209,
    210, 210, 211, 212, 213, 214, 214, 215, 216, 217, 218, 218, 219, 220, 221,
    222, 222, 223, 224, 225, 226, 226, 227, 228, 229, 229, 230, 231, 232, 233,
    233, 234, 235, 236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244,
    245, 245, 246, 247, 248, 248, 249, 250, 251, 251, 252, 253, 253, 254, 255,
    255,
};

static float logarithms[LEVEL_ONE];

static void make_logarithms(void)
{
    for (unsigned i = 0; i < LEVEL_ONE; i++)
        logarithms[i] = (float)logarithm[i] / LEVEL_ONE;
}

const float *lod_logarithms(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_logarithms);
    return logarithms;
}

/* The level for a length, of which 8 bits behind the leading one count. */
static float lod_of_length(double length)
{
    if (!(length > 0) || isinf(length))
        return length > 0 ? INFINITY : -INFINITY;
    int exponent;
    double part = frexp(length, &exponent); /* in [1/2, 1) */
    int i = (int)((2 * part - 1) * LEVEL_ONE);
    assert(i >= 0 && i < LEVEL_ONE);
    return (float)(exponent - 1) + (float)logarithm[i] / LEVEL_ONE;
}

float lod_of_gradients(const struct exec_texture *t,
                       const struct exec_texture_request *r, unsigned lane)
{
    struct footprint f = footprint_of(t, r, lane);
    return lod_of_length(reach_of(&f).length);
}

/* With the bias. A NaN becomes 0. Both are cut off towards 0. */
static float biased_lod(const struct exec_texture *t, float lod)
{
    float cut = lod == lod ? truncf(lod * LEVEL_ONE) : 0;
    return (cut + truncf(t->lod_bias * LEVEL_ONE)) / LEVEL_ONE;
}

/* Clamped to the texture's bounds. */
static float bounded_lod(const struct exec_texture *t, float lod)
{
    float most = (float)(t->level_count - 1);
    most = t->lod_max < most ? t->lod_max : most;
    lod = lod > most ? most : lod;
    lod = lod > t->lod_min ? lod : t->lod_min;
    return fmaxf(0, fminf(lod, (float)(t->level_count - 1)));
}

/* A fetch at a level of detail. */
static void sample_at_lod(const struct exec_texture *t, float lod,
                          const struct spot *s, uint32_t out[4])
{
    lod = bounded_lod(t, lod);
    if (!t->is_mip_linear) {
        sample_between(t, (unsigned)floorf(lod + 0.5f), 0, s, out);
        return;
    }
    uint32_t fixed = (uint32_t)floorf(lod * LEVEL_ONE);
    unsigned level = fixed / LEVEL_ONE, part = fixed % LEVEL_ONE;
    assert(level < t->level_count);
    sample_between(t, level, level + 1 < t->level_count ? part : 0, s, out);
}

/* ---- anisotropy --------------------------------------------------------- */

/* The ellipse that both gradients span, in texels: twice half its length and
 * width, and its direction, a vector of length 64. It is as long as the
 * gradients reach; its width is the area of their parallelogram over that. */
struct ellipse {
    double length, area, x, y;
};

#define DIRECTION_ONE 64

/* The direction of a vector whose sides are cut off to three bits behind the
 * longer one's first. The shorter side is left out if it has none of these, and
 * three places more are 0. */
static void find_direction(const double v[3], struct ellipse *e)
{
    enum { PLACES = 3, LEFT_OUT = 6 };
    double x = fabs(v[0]), y = fabs(v[1]);
    int first, second, most;
    frexp(x, &first);
    frexp(y, &second);
    most = x > y ? first : second;
    double i = floor(ldexp(x, PLACES + 1 - most)) + 0.5;
    double j = floor(ldexp(y, PLACES + 1 - most)) + 0.5;
    if (x == 0 || most - first >= LEFT_OUT)
        i = 0;
    if (y == 0 || most - second >= LEFT_OUT)
        j = 0;
    double length = hypot(i, j);
    e->x = copysign(rint(DIRECTION_ONE * i / length), v[0]);
    e->y = copysign(rint(DIRECTION_ONE * j / length), v[1]);
}

static struct ellipse ellipse_of(const struct footprint *f)
{
    const double *u = f->along[0], *v = f->along[1];
    struct reach r = reach_of(f);
    struct ellipse e = {.length = r.length, .x = DIRECTION_ONE};
    if (!(r.length > 0) || isinf(r.length))
        return e;
    e.area = fabs(sum_of(product_of(u[0], v[1]), -product_of(u[1], v[0])));
    find_direction(r.along, &e);
    return e;
}

/* The most probes for the texture. An H200 knows 2, 4, 6, 8, 10, 12 and 16. */
static unsigned probes_most(const struct exec_texture *t)
{
    unsigned most = t->max_anisotropy;
    return most >= PROBES_MAX ? PROBES_MAX : most > 12 ? 12 : most & ~1u;
}

bool lod_is_anisotropic(const struct exec_texture *t,
                        const struct exec_texture_request *r)
{
    return r->form.lod == TEXTURE_LOD_GRADIENT && r->form.dims == 2 &&
           texel_is_float(t) && probes_most(t) > 1;
}

/* Between two levels an H200 changes faster than linearly, and stays longer at
 * each. With few probes it turns a little before the middle. */
static float quicker_lod(const struct exec_texture *t, unsigned most, float lod)
{
    float more = most >= 8 ? 1 : most >= 4 ? 0.75f : 0.5f;
    float middle = most >= 8 ? 128 : 126;
    float level = floorf(lod), part = (lod - level) * LEVEL_ONE;
    if (t->is_exactly_trilinear || isinf(lod))
        return lod;
    part = floorf(part + more * (part - middle));
    return level + fminf(fmaxf(part, 0), LEVEL_ONE) / LEVEL_ONE;
}

#define WEIGHTS_HALF 512 /* of each side of the middle */

bool lod_place_probe(const struct probes *p, unsigned i, double *at,
                     float *share)
{
    int pairs = (int)p->pairs, number = (int)i - pairs - 1;
    assert(pairs <= PROBES_MAX && p->pairs * p->inner <= WEIGHTS_HALF);
    if (number > pairs)
        return false;
    bool is_outer = number < -pairs || number == pairs;
    unsigned weight = is_outer ? WEIGHTS_HALF - p->pairs * p->inner : p->inner;
    *share = (float)weight / (2 * WEIGHTS_HALF);
    *at = number + 0.5;
    return true;
}

/* Rounded to a whole number, halves up. */
static double rounded_up(double v)
{
    return floor(v + 0.5);
}

/* Probes lie a texel of their level apart, symmetric about the middle: as many
 * as the ellipse's width goes into its length. The outermost two have the
 * weight of what it covers of them; if there are only two, they move together
 * instead. An H200 knows the logarithm of width over length alone, with eight
 * bits, and rounds what that means to eight bits. */
static void place_probes(const struct ellipse *e, float ratio, struct probes *p)
{
    unsigned fixed = (unsigned)(ratio * LEVEL_ONE);
    unsigned whole = fixed / LEVEL_ONE;
    double part = (double)(fixed % LEVEL_ONE) / LEVEL_ONE;
    unsigned inverse = (unsigned)floor(exp2(-part) * LEVEL_ONE + 0.5);
    p->inner = whole ? inverse * 4 >> whole : 0;
    p->pairs = p->inner ? WEIGHTS_HALF / p->inner : 0;
    p->x = e->x / DIRECTION_ONE;
    p->y = e->y / DIRECTION_ONE;
    if (whole)
        return;
    double apart = (LEVEL_ONE - inverse) / 128.0;
    p->x = rounded_up(apart * e->x) / DIRECTION_ONE;
    p->y = rounded_up(apart * e->y) / DIRECTION_ONE;
}

double lod_first_period(const struct exec_texture *t, unsigned dim, double at)
{
    assert(dim < 3);
    bool repeats =
        t->address[dim] == TEXTURE_WRAP || t->address[dim] == TEXTURE_MIRROR;
    return repeats && t->is_normalized && isfinite(at) ? fmod(at, 2) : at;
}

static void sample_along(const struct exec_texture *t, const struct probes *p,
                         unsigned level, const struct spot *s, float weight,
                         float sum[4])
{
    assert(level < t->level_count);
    const struct texture_level *l = &t->level[level];
    double step = level == p->level ? 1 : PROBES_NEXT_STEP;
    double x = p->x * step / (t->is_normalized ? l->width : 1);
    double y = p->y * step / (t->is_normalized ? l->height : 1);
    double at;
    float share;
    for (unsigned i = 0; lod_place_probe(p, i, &at, &share); i++) {
        uint32_t texel[4];
        if (share <= 0)
            continue;
        struct spot probe = *s;
        probe.at[0] = lod_first_period(t, 0, s->at[0]) + x * at;
        probe.at[1] = lod_first_period(t, 1, s->at[1]) + y * at;
        sample_between(t, level, 0, &probe, texel);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += weight * share * float_of_bits(texel[c]);
    }
}

static void find_probes(const struct exec_texture *t, const struct footprint *f,
                        struct probes *p)
{
    struct ellipse e = ellipse_of(f);
    unsigned most = probes_most(t);
    float fewer = floorf(log2f((float)most) * 16) / 16;
    float length = lod_of_length(e.length);
    float width = fminf(lod_of_length(e.area) - length, length);
    width = fmaxf(width, length - fewer);
    float lod = bounded_lod(t, biased_lod(t, quicker_lod(t, most, width)));
    float ratio = fminf(length - fmaxf(width, 0), fewer);
    *p = (struct probes){.level = (unsigned)lod};
    place_probes(&e, ratio > 0 ? ratio : 0, p);
    p->part = floorf((lod - (float)p->level) * LEVEL_ONE) / LEVEL_ONE;
    if (!t->is_mip_linear) {
        p->level = (unsigned)floorf(lod + 0.5f);
        p->part = 0;
    }
    /* Between levels the step grows with them. */
    p->x *= exp2(p->part);
    p->y *= exp2(p->part);
}

void lod_find_probes(const struct exec_texture *t,
                     const struct exec_texture_request *r, unsigned lane,
                     struct probes *p)
{
    struct footprint f = footprint_of(t, r, lane);
    find_probes(t, &f, p);
}

static void sample_ellipse(const struct exec_texture *t,
                           const struct footprint *f, const struct spot *s,
                           uint32_t out[4])
{
    struct probes p;
    find_probes(t, f, &p);
    float sum[4] = {0};
    sample_along(t, &p, p.level, s, 1 - p.part, sum);
    if (p.part > 0)
        sample_along(t, &p, p.level + 1, s, p.part, sum);
    for (unsigned c = 0; c < 4; c++)
        out[c] = bits_of_float(sum[c]);
}

void sample_levels(const struct exec_texture *t,
                   const struct exec_texture_request *r, unsigned lane,
                   const struct spot *s, uint32_t out[4])
{
    float lod = 0;
    if (r->form.lod == TEXTURE_LOD_GIVEN)
        lod = r->form.is_integer ? (float)(int32_t)r->lod[0][lane]
                                 : float_of_bits(r->lod[0][lane]);
    if (r->form.lod == TEXTURE_LOD_GRADIENT) {
        struct footprint f = footprint_of(t, r, lane);
        if (lod_is_anisotropic(t, r)) {
            sample_ellipse(t, &f, s, out);
            return;
        }
        lod = lod_of_length(reach_of(&f).length);
    }
    /* A fetch without a level has no bias, on an H200. */
    if (r->form.lod != TEXTURE_LOD_NONE)
        lod = biased_lod(t, lod);
    if (t->level_count == 1)
        sample_between(t, 0, 0, s, out);
    else
        sample_at_lod(t, lod, s, out);
}
