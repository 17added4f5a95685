/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks whose texels belong to one of up to three regions, each with two end
 * points: BC6H (halves) and BC7 (colors with alpha).
 *
 * Source: Khronos Data Format Specification, "BPTC Compressed Texture Image
 * Formats".
 */
#include "exec/device/texel.h"

/* Reads a block from its lowest bit on. */
struct bit_reader {
    uint64_t low, high;
};

static struct bit_reader start_reading(const uint8_t *block)
{
    struct bit_reader r;
    memcpy(&r.low, block, sizeof r.low);
    memcpy(&r.high, block + 8, sizeof r.high);
    return r;
}

/* Reads up to 32 bits. */
static unsigned read_bits(struct bit_reader *r, unsigned count)
{
    if (!count)
        return 0;
    unsigned v = (unsigned)(r->low & ((UINT64_C(1) << count) - 1));
    r->low = r->low >> count | r->high << (64 - count);
    r->high >>= count;
    return v;
}

static unsigned read_backwards(struct bit_reader *r, unsigned count)
{
    unsigned v = 0;
    while (count--)
        v = v << 1 | read_bits(r, 1);
    return v;
}

/* ---- regions ------------------------------------------------------------ */

/* The region of each texel, in one bit and in two bits; and which texels
 * besides the first have an index of one bit less. */
static const uint16_t pairs[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
    0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
    0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
    0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
    0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
    0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
    0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
    0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};
static const uint8_t pair_anchor[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 2,  8,  2,  2,  8,  8,  15, 2,  8,  2,  2,  8,  8,  2,  2,
    15, 15, 6,  8,  2,  8,  15, 15, 2,  8,  2,  2,  2,  15, 15, 6,
    6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2,  15,
};
static const uint32_t triples[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050,
    0x5555a0a0, 0x5a5a5050, 0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090,
    0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250, 0xa5945040, 0x0a425054,
    0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414,
    0x50a4a450, 0x6a5a0200, 0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424,
    0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50, 0x500aa550, 0xaaaa4444,
    0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580,
    0xaa141414, 0x96960000, 0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000,
    0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};
static const uint8_t triple_anchor[2][64] = {
    {
        3, 3,  15, 15, 8, 3,  15, 15, 8,  8,  6,  6,  6,  5,  3,  3,
        3, 3,  8,  15, 3, 3,  6,  10, 5,  8,  8,  6,  8,  5,  15, 15,
        8, 15, 3,  5,  6, 10, 8,  15, 15, 3,  15, 5,  15, 15, 15, 15,
        3, 15, 5,  5,  5, 8,  5,  10, 5,  10, 8,  13, 15, 12, 3,  3,
    },
    {
        15, 8, 8,  3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,
        15, 8, 15, 3,  15, 8,  15, 8,  3,  15, 6,  10, 15, 15, 10, 8,
        15, 3, 15, 10, 10, 8,  9,  10, 6,  15, 8,  15, 3,  6,  6,  8,
        15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
    },
};

static unsigned region_of(unsigned regions, unsigned partition, unsigned texel)
{
    return regions == 1   ? 0
           : regions == 2 ? pairs[partition] >> texel & 1
                          : triples[partition] >> 2 * texel & 3;
}

static bool is_anchor(unsigned regions, unsigned partition, unsigned texel)
{
    return texel == 0 || (regions == 2 && texel == pair_anchor[partition]) ||
           (regions == 3 && (texel == triple_anchor[0][partition] ||
                             texel == triple_anchor[1][partition]));
}

/* The index of a texel, when the indices of all texels come next in the
 * block. */
static unsigned read_index(struct bit_reader *r, unsigned bits,
                           unsigned regions, unsigned partition, unsigned texel)
{
    unsigned index = 0;
    for (unsigned i = 0; i < 16; i++) {
        unsigned v = read_bits(r, bits - is_anchor(regions, partition, i));
        index = i == texel ? v : index;
    }
    return index;
}

/* The weight of the second end point, in 1 / 64. */
static int weight_of(unsigned bits, unsigned index)
{
    static const uint8_t weights[3][16] = {
        {0, 21, 43, 64},
        {0, 9, 18, 27, 37, 46, 55, 64},
        {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
    };
    return weights[bits - 2][index];
}

static int color_between(int a, int b, int weight)
{
    return (a * (64 - weight) + b * weight + 32) >> 6;
}

/* ---- BC7 ---------------------------------------------------------------- */

static const struct wide_mode {
    uint8_t regions, partition_bits, rotation_bits, choice_bits;
    uint8_t color_bits, alpha_bits;
    uint8_t low_bits;    /* one for each end point */
    uint8_t shared_bits; /* one for both end points of a region */
    uint8_t index_bits, second_bits;
} wide_modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* Reads end points channel by channel, as they are stored. */
static void read_ends(struct bit_reader *r, const struct wide_mode *m,
                      int end[4][6])
{
    unsigned count = 2u * m->regions;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < count; i++)
            end[c][i] =
                (int)read_bits(r, c < 3 ? m->color_bits : m->alpha_bits);
    if (!m->low_bits && !m->shared_bits)
        return;
    for (unsigned i = 0; i < count; i += m->shared_bits ? 2 : 1) {
        int bit = (int)read_bits(r, 1);
        for (unsigned c = 0; c < 4; c++) {
            end[c][i] = end[c][i] << 1 | bit;
            if (m->shared_bits)
                end[c][i + 1] = end[c][i + 1] << 1 | bit;
        }
    }
}

/* Widens end points to eight bits. */
static void widen_ends(const struct wide_mode *m, int end[4][6])
{
    unsigned low = m->low_bits || m->shared_bits;
    for (unsigned i = 0; i < 2u * m->regions; i++) {
        for (unsigned c = 0; c < 4; c++) {
            unsigned bits = (c < 3 ? m->color_bits : m->alpha_bits) + low;
            int v = end[c][i] << (8 - bits);
            end[c][i] = v | v >> bits;
        }
        if (!m->alpha_bits)
            end[3][i] = 255;
    }
}

void texel_of_wide_block(const uint8_t *block, unsigned texel, float out[4])
{
    struct bit_reader r = start_reading(block);
    unsigned mode = 0;
    while (mode < 8 && !read_bits(&r, 1))
        mode++;
    out[0] = out[1] = out[2] = out[3] = 0;
    if (mode == 8)
        return;
    const struct wide_mode *m = &wide_modes[mode];
    unsigned partition = read_bits(&r, m->partition_bits);
    unsigned rotation = read_bits(&r, m->rotation_bits);
    unsigned choice = read_bits(&r, m->choice_bits);
    int end[4][6];
    read_ends(&r, m, end);
    widen_ends(m, end);
    unsigned index =
        read_index(&r, m->index_bits, m->regions, partition, texel);
    int color = weight_of(m->index_bits, index), alpha = color;
    if (m->second_bits)
        alpha = weight_of(m->second_bits,
                          read_index(&r, m->second_bits, 1, 0, texel));
    unsigned first = 2 * region_of(m->regions, partition, texel);
    for (unsigned c = 0; c < 4; c++)
        out[c] = (float)color_between(end[c][first], end[c][first + 1],
                                      (c == 3) != choice ? alpha : color) /
                 255;
    if (rotation) {
        float swapped = out[rotation - 1];
        out[rotation - 1] = out[3];
        out[3] = swapped;
    }
}

/* ---- BC6H --------------------------------------------------------------- */

enum { R, G, B };
struct half_part {
    uint8_t channel, end, first, count;
    bool is_backwards;
};
#define HALF_PARTS_MAX 24

static const struct half_mode {
    uint8_t code, bits, difference_bits[3];
    struct half_part part[HALF_PARTS_MAX]; /* up to one of no bits */
} half_modes[] = {
#define PART(channel, end, first, count) {channel, end, first, count, false},
#define BACK(channel, end, first, count) {channel, end, first, count, true},
#define BC6H_MODE(code, bits, red, green, blue, parts)                         \
    {code, bits, {red, green, blue}, {parts}},
#include "exec/bc6h_modes.def"
#undef PART
#undef BACK
};

/* The mode whose code comes next; NULL: a reserved one. */
static const struct half_mode *read_half_mode(struct bit_reader *r)
{
    unsigned code = read_bits(r, 2);
    if (code > 1)
        code |= read_bits(r, 3) << 2;
    for (size_t i = 0; i < sizeof half_modes / sizeof half_modes[0]; i++)
        if (half_modes[i].code == code)
            return &half_modes[i];
    return NULL;
}

static int extended_bits(int v, unsigned bits)
{
    return (int)((unsigned)v << (32 - bits)) >> (32 - bits);
}

static int whole_half(int v, unsigned bits, bool is_signed)
{
    if (!is_signed) {
        if (bits >= 15 || v == 0)
            return v;
        return v == (1 << bits) - 1 ? 0xffff : ((v << 16) + 0x8000) >> bits;
    }
    if (bits >= 16 || v == 0)
        return v;
    int size = v < 0 ? -v : v;
    size = size >= (1 << (bits - 1)) - 1
               ? 0x7fff
               : ((size << 15) + 0x4000) >> (bits - 1);
    return v < 0 ? -size : size;
}

static void read_half_ends(struct bit_reader *r, const struct half_mode *m,
                           unsigned count, bool is_signed, int end[3][4])
{
    memset(end, 0, 3 * sizeof end[0]);
    for (const struct half_part *p = m->part; p->count; p++) {
        unsigned v = p->is_backwards ? read_backwards(r, p->count)
                                     : read_bits(r, p->count);
        end[p->channel][p->end] |= (int)(v << p->first);
    }
    /* Modes 3 and 30 have no differences. */
    bool has_differences = m->code != 3 && m->code != 30;
    for (unsigned c = 0; c < 3; c++) {
        if (is_signed)
            end[c][0] = extended_bits(end[c][0], m->bits);
        for (unsigned i = 1; i < count; i++) {
            if (has_differences || is_signed)
                end[c][i] = extended_bits(end[c][i], m->difference_bits[c]);
            if (!has_differences)
                continue;
            end[c][i] = (end[c][i] + end[c][0]) & ((1 << m->bits) - 1);
            if (is_signed)
                end[c][i] = extended_bits(end[c][i], m->bits);
        }
        for (unsigned i = 0; i < count; i++)
            end[c][i] = whole_half(end[c][i], m->bits, is_signed);
    }
}

static uint16_t finished_half(int v, bool is_signed)
{
    if (!is_signed)
        return (uint16_t)(v * 31 >> 6);
    int size = (v < 0 ? -v : v) * 31 >> 5;
    return (uint16_t)(v < 0 && size ? 0x8000 | size : size);
}

void texel_of_half_block(const uint8_t *block, unsigned texel, bool is_signed,
                         float out[4])
{
    struct bit_reader r = start_reading(block);
    const struct half_mode *m = read_half_mode(&r);
    int end[3][4];
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    if (!m)
        return;
    unsigned regions = (m->code & 3) == 3 ? 1 : 2;
    read_half_ends(&r, m, 2 * regions, is_signed, end);
    unsigned partition = regions == 2 ? read_bits(&r, 5) : 0;
    unsigned index_bits = regions == 2 ? 3 : 4;
    unsigned index = read_index(&r, index_bits, regions, partition, texel);
    unsigned first = 2 * region_of(regions, partition, texel);
    int weight = weight_of(index_bits, index);
    for (unsigned c = 0; c < 3; c++)
        out[c] = half_of_bits(finished_half(
            color_between(end[c][first], end[c][first + 1], weight),
            is_signed));
}
