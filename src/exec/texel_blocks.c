/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of two colors or two values and what lies between: BC1 to BC5.
 *
 * Source: Khronos Data Format Specification, "S3TC Compressed Texture Image
 * Formats", "RGTC Compressed Texture Image Formats".
 */
#include "exec/texel.h"

static uint64_t bits_of(const uint8_t *block, unsigned first, unsigned count)
{
    uint64_t v;
    memcpy(&v, block, sizeof v);
    return v >> first & ((UINT64_C(1) << count) - 1);
}

/* Five and six bits in eight, the highest ones repeated. */
static int widened(unsigned v, unsigned bits)
{
    return (int)(v << (8 - bits) | v >> (2 * bits - 8));
}

/* Red, green or blue of color 0 to 3 of a block. */
static float color_channel(const uint8_t *block, unsigned i, unsigned color,
                           bool has_four)
{
    static const uint8_t first[] = {11, 5, 0}, count[] = {5, 6, 5};
    int a = widened((unsigned)bits_of(block, first[i], count[i]), count[i]);
    int b = widened((unsigned)bits_of(block + 2, first[i], count[i]), count[i]);
    float sum = 0;
    switch (color) {
    case 0:
        return (float)a / 255;
    case 1:
        return (float)b / 255;
    case 2:
        sum = has_four ? (float)(2 * a + b) / 3 : (float)(a + b) / 2;
        break;
    default:
        sum = has_four ? (float)(a + 2 * b) / 3 : 0;
    }
    return sum / 255;
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
        out[3] = texel_of_ramp(block, texel, false);
}

static int end_of_ramp(uint8_t raw, bool is_signed)
{
    int v = is_signed ? (int8_t)raw : raw;
    return v < -127 ? -127 : v;
}

float texel_of_ramp(const uint8_t *block, unsigned texel, bool is_signed)
{
    float one = is_signed ? 127 : 255;
    int a = end_of_ramp(block[0], is_signed);
    int b = end_of_ramp(block[1], is_signed);
    int index = (int)bits_of(block, 16 + 3 * texel, 3);
    bool has_eight = a > b;
    int steps = has_eight ? 7 : 5;
    if (index < 2)
        return (float)(index ? b : a) / one;
    if (index > steps)
        return index == 7 ? 1 : is_signed ? -1 : 0;
    int sum = a * (steps + 1 - index) + b * (index - 1);
    return (float)sum / ((float)steps * one);
}
