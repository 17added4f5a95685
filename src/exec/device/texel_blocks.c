/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of two colors or two values and what lies between: BC1 to BC5.
 *
 * Source: Khronos Data Format Specification, "S3TC Compressed Texture Image
 * Formats", "RGTC Compressed Texture Image Formats"; what an H200 answers where
 * these leave a choice.
 */
#include "exec/device/texel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static uint64_t bits_of(const uint8_t *block, unsigned first, unsigned count)
{
    uint64_t v;
    assert(first + count <= 64 && count < 64);
    memcpy(&v, block, sizeof v);
    return v >> first & ((UINT64_C(1) << count) - 1);
}

/* Five or six bits widened to eight, the highest ones repeated. */
static int widened_to_8(unsigned v, unsigned bits)
{
    return (int)(v << (8 - bits) | v >> (2 * bits - 8));
}

/* Between two end points of five or six bits, as an H200 computes it: a third
 * of the way to the second, or the middle. In 1 / 255. */
static int third_of_five(int a, int b)
{
    return (2 * a + b) * 22 / 8;
}

static int half_of_five(int a, int b)
{
    return (a + b) * 33 / 8;
}

static int part_of_six(int a, int b, int part)
{
    int first = widened_to_8((unsigned)a, 6),
        way = widened_to_8((unsigned)b, 6) - first;
    return (256 * first + (way >> 2) + 128 + way * part) >> 8;
}

/* Red, green or blue of one of a block's four colors. */
static float color_channel(const uint8_t *block, unsigned i, unsigned color,
                           bool has_four)
{
    static const uint8_t first[] = {11, 5, 0}, count[] = {5, 6, 5};
    int a = (int)bits_of(block, first[i], count[i]);
    int b = (int)bits_of(block, 16u + first[i], count[i]);
    if (color & 1) { /* counted from the other end */
        int swapped = a;
        a = b;
        b = swapped;
    }
    if (color < 2)
        return (float)widened_to_8((unsigned)a, count[i]) / 255;
    if (has_four)
        return (float)(count[i] == 5 ? third_of_five(a, b)
                                     : part_of_six(a, b, 80)) /
               255;
    if (color == 3)
        return 0;
    return (float)(count[i] == 5 ? half_of_five(a, b)
                                 : part_of_six(a, b, 128)) /
           255;
}

static int end_of_ramp(uint8_t raw, bool is_signed)
{
    int v = is_signed ? (int8_t)raw : raw;
    return v < -127 ? -127 : v;
}

/* An end point in sixteen bits. */
static int widened_end(int v, bool is_signed)
{
    return is_signed ? (int)lrintf((float)v * 32767 / 127) : v * 257;
}

/* How a texel of a ramp is reached: from the nearer end point towards the
 * other, by a step of an H200's own. */
struct ramp_step {
    int from, to;
    int step; /* in 1 / 256; 0: there already */
};

static struct ramp_step find_step(const int end[2], unsigned index,
                                  bool is_signed)
{
    static const struct {
        uint8_t step;
        bool is_from_second;
    } eight[] = {{36, 0}, {72, 0}, {144, 1}, {144, 0}, {72, 1}, {36, 1}},
      six[] = {{48, 0}, {96, 0}, {96, 1}, {48, 1}};
    bool has_eight = end[0] > end[1];
    if (index < 2)
        return (struct ramp_step){end[index], 0, 0};
    if (!has_eight && index > 5) {
        int most = is_signed ? 127 : 255, least = is_signed ? -127 : 0;
        return (struct ramp_step){index == 7 ? most : least, 0, 0};
    }
    bool from = has_eight ? eight[index - 2].is_from_second
                          : six[index - 2].is_from_second;
    return (struct ramp_step){
        .from = end[from],
        .to = end[!from],
        .step = has_eight ? eight[index - 2].step : six[index - 2].step,
    };
}

static struct ramp_step step_of(const uint8_t *block, unsigned texel,
                                bool is_signed)
{
    int end[2] = {end_of_ramp(block[0], is_signed),
                  end_of_ramp(block[1], is_signed)};
    unsigned index = (unsigned)bits_of(block, 16 + 3 * texel, 3);
    return find_step(end, index, is_signed);
}

/* A texel of BC4 or BC5, in sixteen bits. */
float texel_of_ramp(const uint8_t *block, unsigned texel, bool is_signed)
{
    struct ramp_step r = step_of(block, texel, is_signed);
    float one = is_signed ? 32767 : 65535;
    int v = widened_end(r.from, is_signed) + (r.to - r.from) * r.step;
    return (float)v / one;
}

/* BC3's alpha is a byte, reached by steps of three more bits. */
static float alpha_of_ramp(const uint8_t *block, unsigned texel)
{
    struct ramp_step r = step_of(block, texel, false);
    int step = 8 * r.step + r.step / 36;
    int way = (abs(r.to - r.from) * step + 1024) >> 11;
    return (float)(r.to < r.from ? r.from - way : r.from + way) / 255;
}

void texel_of_colors(enum texel_layout layout, const uint8_t *block,
                     unsigned texel, float out[4])
{
    const uint8_t *colors = layout == TEXEL_BC1 ? block : block + 8;
    unsigned color = (unsigned)bits_of(colors, 32 + 2 * texel, 2);
    bool has_four =
        layout != TEXEL_BC1 || bits_of(colors, 0, 16) > bits_of(colors, 16, 16);
    for (unsigned i = 0; i < 3; i++)
        out[i] = color_channel(colors, i, color, has_four);
    out[3] = has_four || color < 3 ? 1 : 0;
    if (layout == TEXEL_BC2)
        out[3] = (float)bits_of(block, 4 * texel, 4) / 15;
    if (layout == TEXEL_BC3)
        out[3] = alpha_of_ramp(block, texel);
}
