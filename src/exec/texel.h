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

/* ... and integers in memory stand for fractions of 1, or floats lie there. */
static inline bool texel_is_fraction(const struct exec_texture *t)
{
    return t->kind >= TEXEL_UNSIGNED_NORMALIZED;
}

/* Halves lie in memory. */
static inline bool texel_is_half(const struct exec_texture *t)
{
    return t->kind == TEXEL_FLOAT && t->channel_bytes == 2;
}

/* Integers of 32 bits lie in memory, one for each channel. */
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

/* Fractions between levels go through the filter, even if it is of points. */
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

/* Do filters add aligned floats, halves, or colors of sRGB (mix.c)? */
static inline bool texel_is_aligned(const struct exec_texture *t, unsigned c)
{
    return t->kind == TEXEL_FLOAT || texel_is_color(t, c);
}

/* Does a fetch filter, in a level or between two? */
static inline bool texel_mixes(const struct exec_texture *t)
{
    return t->is_linear || (t->is_mip_linear && t->level_count > 1);
}

/* And adds any channels so? */
static inline bool texel_mixes_aligned(const struct exec_texture *t)
{
    return (t->kind == TEXEL_FLOAT || t->is_srgb) && texel_mixes(t);
}

/* What a filter of signed bytes gives, of 256 times their sum: 16 bits, the
 * highest of them repeated at the end. */
static inline int32_t texel_of_signed_sum(int32_t sum)
{
    int32_t v = sum + ((sum + 16 * (sum >> 12) + 64) >> 7);
    return v < -32767 ? -32767 : v;
}

/* What an H200 makes of a byte of sRGB: the upper half of a float. One more, so
 * that all can be read as words. */
extern const uint16_t texel_of_srgb[257];
/* The same as floats, by bytes, whose lowest byte is the exponent that filters
 * add them with, biased as a float's; 0 for nothing. Any thread. */
const uint32_t *texel_color_words(void);

/* Texel (x, y) of slice z, which lies in the level. The least signed fraction
 * is less than -1: filters take it so, results are limited. */
void texel_read(const struct exec_texture *t, const struct texture_level *l,
                uint32_t x, uint32_t y, uint32_t z, uint32_t out[4]);
/* What the border's color is in the texture's format, or as a filter takes
 * it. */
void texel_border(const struct exec_texture *t, bool is_filtered,
                  uint32_t out[4]);

/* A texel of a block of 4 x 4, number 4 * y + x. */
void texel_of_colors(enum texel_layout layout, const uint8_t *block,
                     unsigned texel, float out[4]); /* BC1, BC2, BC3 */
float texel_of_ramp(const uint8_t *block, unsigned texel,
                    bool is_signed); /* BC4, BC5 */
void texel_of_half_block(const uint8_t *block, unsigned texel, bool is_signed,
                         float out[4]); /* BC6H */
void texel_of_wide_block(const uint8_t *block, unsigned texel,
                         float out[4]); /* BC7 */

#endif
