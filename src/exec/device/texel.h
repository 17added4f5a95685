/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texels: what lies in memory as what a texture unit makes of it. Values are
 * the bits of 32-bit floats or of integers, as the texture's kind says.
 */
#ifndef WEFT_EXEC_TEXEL_H
#define WEFT_EXEC_TEXEL_H

#include "abi/texture.h"
#include "base/bits.h"

/* A fetch gives floats, whatever lies in memory. */
static inline bool texel_is_float(const struct exec_texture *t)
{
    return t->kind >= TEXEL_FLOAT;
}

/* A fetch gives floats, and memory holds integers that stand for fractions, or
 * floats. */
static inline bool texel_is_fraction(const struct exec_texture *t)
{
    return t->kind >= TEXEL_UNSIGNED_NORMALIZED;
}

/* Memory holds halves. */
static inline bool texel_is_half(const struct exec_texture *t)
{
    return t->kind == TEXEL_FLOAT && t->channel_bytes == 2;
}

/* Memory holds signed bytes that stand for fractions. */
static inline bool texel_is_signed_byte(const struct exec_texture *t)
{
    return t->layout == TEXEL_CHANNELS && t->channel_bytes == 1 &&
           t->kind == TEXEL_SIGNED_NORMALIZED;
}

/* Memory holds one integer of 32 bits for each channel. */
static inline bool texel_is_wide_integer(const struct exec_texture *t)
{
    return !texel_is_float(t) && t->layout == TEXEL_CHANNELS &&
           t->channel_bytes == 4;
}

/* Is channel c a color of sRGB? Of two channels, the second is not. */
static inline bool texel_is_color(const struct exec_texture *t, unsigned c)
{
    return t->is_srgb && (c == 0 || (c < 3 && t->channels == 4));
}

/* Fractions go through the filter's rounding between levels, even if the
 * filter takes the nearest texel. */
static inline bool texel_is_widened(const struct exec_texture *t)
{
    return texel_is_fraction(t) && t->is_mip_linear && t->level_count > 1;
}

/* The largest value of a channel that holds fractions. */
static inline int32_t texel_unit(const struct exec_texture *t, unsigned bytes)
{
    return t->kind == TEXEL_UNSIGNED_NORMALIZED ? (1 << 8 * bytes) - 1
                                                : (1 << (8 * bytes - 1)) - 1;
}

/* Are sums of channel c made as in mix.c: of floats, halves, or colors of
 * sRGB? */
static inline bool texel_is_aligned(const struct exec_texture *t, unsigned c)
{
    return t->kind == TEXEL_FLOAT || texel_is_color(t, c);
}

/* Does a fetch filter, in a level or between two levels? */
static inline bool texel_mixes(const struct exec_texture *t)
{
    return t->is_linear || (t->is_mip_linear && t->level_count > 1);
}

/* Does it filter a channel as in mix.c? */
static inline bool texel_mixes_aligned(const struct exec_texture *t)
{
    return (t->kind == TEXEL_FLOAT || t->is_srgb) && texel_mixes(t);
}

/* The result of a filter for signed bytes, from 256 times their sum: 16 bits,
 * the highest ones repeated at the end. */
static inline int32_t texel_of_signed_sum(int32_t sum)
{
    int32_t v = sum + ((sum + 16 * (sum >> 12) + 64) >> 7);
    return v < -32767 ? -32767 : v;
}

/* The upper half of the float that an H200 makes of a byte of sRGB. One
 * element more, so that all can be read as words. */
extern const uint16_t texel_of_srgb[257];
/* The same as floats, indexed by byte; the lowest byte of each is the exponent
 * that filters add the color with, biased as a float's, and 0 for none. Any
 * thread. */
const uint32_t *texel_color_words(void);

/* Reads texel (x, y) of slice z, which is inside the level. The least signed
 * fraction is below -1 here: filters take it so, results are clamped later. */
void texel_read(const struct exec_texture *t, const struct texture_level *l,
                uint32_t x, uint32_t y, uint32_t z, uint32_t out[4]);
/* The border's color in the texture's format, or as a filter takes it. */
void texel_border(const struct exec_texture *t, bool is_filtered,
                  uint32_t out[4]);

/* One texel of a block of 4 x 4; its number is 4 * y + x. */
void texel_of_colors(enum texel_layout layout, const uint8_t *block,
                     unsigned texel, float out[4]); /* BC1, BC2, BC3 */
float texel_of_ramp(const uint8_t *block, unsigned texel,
                    bool is_signed); /* BC4, BC5 */
void texel_of_half_block(const uint8_t *block, unsigned texel, bool is_signed,
                         float out[4]); /* BC6H */
void texel_of_wide_block(const uint8_t *block, unsigned texel,
                         float out[4]); /* BC7 */

#endif
