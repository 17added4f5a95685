/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values that instructions are tried with: the edges of each format (zero,
 * one, limits, NaNs with payloads, subnormals, halfway cases, neighbours of
 * powers of two) and random ones, drawn from a fixed seed.
 */
#include "truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { /* formats, as kinds.def names them */
       BOOL,
       INT16,
       INT16X2,
       INT32,
       INT64,
       F16,
       F16X2,
       BF16,
       BF16X2,
       F32,
       F64,
       SHIFT,
       LANE,
       FEW,
       NEAR1,
       ANGLE,
       SMALL16,
       SMALL16B,
       SMALLF,
       SMALLD,
       MILD16,
       MILD16B,
       MILDD,
       FP8X2,
       SMALL8,
       META,
       META2
};

static const struct truth_kind kinds[] = {
#define KIND(name, bits, format) {#name, bits, format},
#include "kinds.def"
};

const struct truth_kind *truth_kind_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].name) == length &&
            memcmp(kinds[i].name, name, length) == 0)
            return &kinds[i];
    return NULL;
}

/* ---- edges -------------------------------------------------------------- */

struct floats {
    int exponent_bits, fraction_bits;
};
static const struct floats formats[] = {
    [F16] = {5, 10}, [BF16] = {8, 7}, [F32] = {8, 23}, [F64] = {11, 52}};

static uint64_t sign_of(struct floats f)
{
    return UINT64_C(1) << (f.exponent_bits + f.fraction_bits);
}

/* The bits of d, which is positive; cut off where the format ends. */
static uint64_t float_bits(struct floats f, double d)
{
    int bias = (1 << (f.exponent_bits - 1)) - 1, e;
    uint64_t top = (UINT64_C(1) << f.exponent_bits) - 1;

    frexp(d, &e);
    e--;
    if (d == 0 || e < 1 - bias - f.fraction_bits)
        return 0;
    if (e > bias)
        return top << f.fraction_bits;
    if (e < 1 - bias)
        return (uint64_t)ldexp(d, bias - 1 + f.fraction_bits);
    return (uint64_t)ldexp(d, f.fraction_bits - e) +
           ((uint64_t)(e + bias - 1) << f.fraction_bits);
}

/* Numbers where some conversion or rounding turns. */
static const double turns[] = {
    1,
    2,
    4,
    0.5,
    1.5,
    2.5,
    3.5,
    0.25,
    0.75,
    3,
    10,
    127,
    127.5,
    128,
    128.5,
    255,
    255.5,
    256,
    32767,
    32767.5,
    32768,
    32768.5,
    65535,
    65535.5,
    65536,
    0x1p31,
    0x1p31 - 1,
    0x1p31 - 0.5,
    0x1p32,
    0x1p32 - 0.5,
    0x1p63,
    0x1p64,
    0x1p23,
    0x1p24,
    0x1p52,
    0x1p53,
    65504,
    65520,
    61440,
    57344,
    448,
    464,
    480,
    0x1p-24,
    0x1p-25,
    0x1.8p-24,
    0x1.8p-25,
    0x1p-14,
    0x1.ffcp-15,
    0x1.ffep-15,
    0x1p-9,
    0x1p-10,
    0x1.8p-9,
    0x1.8p-10,
    0x1p-6,
    0x1p-16,
    0x1p-17,
    0x1.8p-17,
    0x1p-126,
    0x1p-127,
    0x1p-149,
    0x1p-150,
    0x1.8p-149,
    0x1p-133,
    0x1p-134,
    0x1.8p-133,
    0x1p127,
    0x1p126,
    0x1p-125,
    0x1.fffffep127,
    0x1.ffffffp127,
    0x1.fep127,
    0x1.ffp127,
    0x1p128,
    0x1p-64,
    0x1p64,
    3.14159265358979,
    0x1.004p0,
    0x1.006p0,
    0x1.002p0,
    0x1.01p0,
    0x1.02p0,
    0x1.03p0,
    0x1.000001p0,
    0x1.000003p0,
    0x1.001p0,
    0x1.003p0,
    1.0 / 3,
    0x1p-1022,
    0x1p-1000,
    0x1p1000,
    0x1p-500,
    0x1p500,
    0x1p-74,
    0x1p-63,
};

static void add_edge(uint64_t *edges, size_t *n, uint64_t v)
{
    edges[(*n)++] = v;
}

static size_t float_edges(struct floats f, uint64_t *edges)
{
    uint64_t top = ((UINT64_C(1) << f.exponent_bits) - 1) << f.fraction_bits;
    uint64_t one = UINT64_C(1) << f.fraction_bits;
    size_t n = 0;

    const uint64_t bits[] = {0,
                             1,
                             2,
                             one - 1,
                             one,
                             one + 1,
                             one / 2,
                             one / 2 + 1,
                             top - 1,
                             top - 2,
                             top,
                             top | 1,
                             top | (one / 2 - 1),
                             top | one / 2,
                             top | one / 2 | 1,
                             top | (one - 1),
                             top | one / 4};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        add_edge(edges, &n, bits[i]);
        add_edge(edges, &n, bits[i] | sign_of(f));
    }
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        for (int d = -1; d <= 1; d++) {
            uint64_t v = float_bits(f, turns[i]);
            if (v == 0 || v >= top)
                continue;
            v += (uint64_t)(int64_t)d;
            add_edge(edges, &n, i % 2 == (d == 0) ? v | sign_of(f) : v);
            if (d == 0)
                add_edge(edges, &n, i % 2 ? v : v | sign_of(f));
        }
    return n;
}

static size_t int_edges(unsigned bits, uint64_t *edges)
{
    static const unsigned powers[] = {0,  1,  2,  3,  4,  7,  8,  15, 16, 23,
                                      24, 30, 31, 32, 33, 47, 48, 62, 63};
    size_t n = 0;

    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        if (powers[i] >= bits)
            continue;
        uint64_t v = UINT64_C(1) << powers[i];
        add_edge(edges, &n, v);
        add_edge(edges, &n, v - 1);
        add_edge(edges, &n, v + 1);
        add_edge(edges, &n, 0 - v);
        add_edge(edges, &n, ~(0 - v));
        add_edge(edges, &n, 0 - v - 1);
    }
    static const uint64_t others[] = {0x5555555555555555,
                                      0xaaaaaaaaaaaaaaaa,
                                      0x0123456789abcdef,
                                      0xfedcba9876543210,
                                      0x00ff00ff00ff00ff,
                                      0xff00ff00ff00ff00,
                                      0x7fffffff80000000,
                                      0x80007fff00018000,
                                      0x8000000000000000,
                                      0x7fffffffffffffff,
                                      10,
                                      100};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add_edge(edges, &n, others[i]);
    return n;
}

/* ---- drawing ------------------------------------------------------------ */

/* splitmix64: Steele, Lea, Flood, 2014 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t random_float(struct floats f, uint64_t *state)
{
    uint64_t r = draw(state), mask = sign_of(f) * 2 - 1;

    if (draw(state) % 3 == 0)
        return r & mask;
    /* exponents around 1 */
    uint64_t bias = (UINT64_C(1) << (f.exponent_bits - 1)) - 1;
    uint64_t e = bias + draw(state) % 17 - 8;
    return (r & ((UINT64_C(1) << f.fraction_bits) - 1)) | e << f.fraction_bits |
           (r >> 63 ? sign_of(f) : 0);
}

static uint64_t random_int(uint64_t *state)
{
    uint64_t r = draw(state), how = draw(state);

    switch (how % 4) {
    case 0:
        return (uint64_t)((int64_t)r >> (how >> 8) % 64);
    case 1:
        return (r >> 32) >> (how >> 8) % 32;
    default:
        return r;
    }
}

/* One element; turn counts through the edges where there is one operand. */
static uint64_t element(unsigned format, unsigned turn, bool is_first,
                        uint64_t *state)
{
    uint64_t edges[512];
    bool is_float =
        format == F16 || format == BF16 || format == F32 || format == F64;
    size_t n = is_float ? float_edges(formats[format], edges)
                        : int_edges(format == INT64   ? 64
                                    : format == INT32 ? 32
                                                      : 16,
                                    edges);
    if (is_first && turn < n)
        return edges[turn];
    if (draw(state) % 2)
        return edges[draw(state) % n];
    return is_float ? random_float(formats[format], state) : random_int(state);
}

static uint64_t pair(unsigned format, unsigned turn, bool is_first,
                     uint64_t *state)
{
    uint64_t low = element(format, turn, is_first, state) & 0xffff;
    uint64_t high = element(format, turn, false, state) & 0xffff;

    return turn % 2 && !is_first ? low << 16 | high : high << 16 | low;
}

static uint64_t bits_of_float(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
static uint64_t bits_of_double(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

/* A number of moderate size. */
static double moderate(uint64_t *state)
{
    double d = (double)(int64_t)draw(state) / 0x1p63;
    return d * ldexp(1, (int)(draw(state) % 5) - 2);
}

static double small_integer(uint64_t *state)
{
    return (double)(draw(state) % 33) - 16;
}

static uint64_t signed_bits(struct floats f, double d)
{
    return d < 0 ? float_bits(f, -d) | sign_of(f) : float_bits(f, d);
}

static uint64_t angle(unsigned turn, uint64_t *state)
{
    static const float far[] = {0,       1e-30f,   1e-40f,    -1e-40f,
                                10,      100,      -1000,     0x1p20f,
                                0x1p30f, INFINITY, -INFINITY, NAN};
    if (turn < sizeof far / sizeof *far)
        return bits_of_float(far[turn]);
    double d = (double)(int64_t)draw(state) / 0x1p63;
    return bits_of_float((float)(d * 6.28318530717958647));
}

static uint64_t pick_each(const uint8_t *values, unsigned value_count,
                          unsigned bits, uint64_t *state)
{
    uint64_t v = 0;

    for (unsigned at = 0; at < 32; at += bits)
        v |= (uint64_t)values[draw(state) % value_count] << at;
    return v;
}

static uint64_t value(unsigned format, unsigned turn, bool is_first,
                      uint64_t *state)
{
    static const uint8_t small8[] = {0, 0x38, 0x40, 0xb8, 0xc0};
    static const uint8_t pairs[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe};
    static const uint8_t halves[] = {0x4, 0xe};
    struct floats half = formats[F16], bfloat = formats[BF16];
    double x, y;

    switch (format) {
    case BOOL:
        return draw(state) >> 17 & 1;
    case INT16X2:
        return pair(INT16, turn, is_first, state);
    case F16X2:
        return pair(F16, turn, is_first, state);
    case BF16X2:
        return pair(BF16, turn, is_first, state);
    case FP8X2: /* all numbers, and pairs of any */
        return turn < 256 ? turn | (255 - turn) << 8 : draw(state);
    case SMALL8:
        return pick_each(small8, 5, 8, state);
    case META:
        return pick_each(pairs, 6, 4, state);
    case META2:
        return pick_each(halves, 2, 4, state);
    case SHIFT:
        if (is_first && turn < 71)
            return turn;
        return draw(state) % 4 ? draw(state) % 71
                               : element(INT32, turn, false, state);
    case LANE:
        return draw(state) % 64;
    case FEW:
        return draw(state) % 4 * UINT64_C(0x4000000000000001);
    case ANGLE:
        return angle(turn, state);
    case NEAR1:
        return bits_of_float((float)moderate(state));
    case SMALLF:
        return bits_of_float((float)small_integer(state));
    case SMALLD:
        return bits_of_double(small_integer(state));
    case MILDD:
        return bits_of_double(moderate(state));
    case SMALL16:
    case SMALL16B:
        x = small_integer(state), y = small_integer(state);
        return format == SMALL16
                   ? signed_bits(half, x) << 16 | signed_bits(half, y)
                   : signed_bits(bfloat, x) << 16 | signed_bits(bfloat, y);
    case MILD16:
    case MILD16B:
        x = moderate(state), y = moderate(state);
        return format == MILD16
                   ? signed_bits(half, x) << 16 | signed_bits(half, y)
                   : signed_bits(bfloat, x) << 16 | signed_bits(bfloat, y);
    default:
        return element(format, turn, is_first, state);
    }
}

static uint64_t truncate_to(unsigned bits, uint64_t v)
{
    return bits < 64 ? v & ((UINT64_C(1) << bits) - 1) : v;
}

uint64_t *truth_inputs(const struct truth_form *form)
{
    unsigned n = form->in_count, samples = form->row->samples;
    uint64_t *in = calloc((size_t)samples * (n ? n : 1), sizeof *in);

    if (!in)
        abort();
    for (unsigned k = 0; k < n; k++) {
        const struct truth_kind *kind = form->in[k];
        uint64_t state = TRUTH_SEED * 1000003 + k * 257 + kind->format * 31;
        for (unsigned s = 0; s < samples; s++) {
            uint64_t v = value(kind->format, s, k == 0, &state);
            uint64_t how = draw(&state) % 32;
            /* neighbours of the first operand tell more than strangers */
            bool is_alike = k > 0 && kind->format < SHIFT &&
                            kind->format == form->in[0]->format;
            uint64_t a = in[(size_t)s * n];
            if (is_alike && how < 3)
                v = a;
            else if (is_alike && how < 5)
                v = how % 2 ? a + 1 : a - 1;
            else if (is_alike && how < 7)
                v = how % 2 ? a ^ UINT64_C(1) << (kind->bits - 1) : 0 - a;
            in[(size_t)s * n + k] = truncate_to(kind->bits, v);
        }
    }
    return in;
}
