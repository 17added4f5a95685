/* SPDX-License-Identifier: Apache-2.0 */
/* Filter sums, for one lane. */
#ifndef WEFT_EXEC_MIX_H
#define WEFT_EXEC_MIX_H

#include "abi/texture.h"

/* Texels of one level or of two, and their weights. */
struct mix {
    uint32_t texel[16][4];
    int32_t weight[16]; /* in 1 / 256 */
    bool is_border[16];
    unsigned count;
    unsigned first_count; /* of the first level */
};

/* Is channel c finite in each texel with a weight? */
bool mix_is_finite(const struct mix *m, unsigned c);
/* The weighted sum of channel c as an H200 adds floats, halves and colors of
 * sRGB, bit by bit. All values are finite. */
float mixed_aligned(const struct exec_texture *t, const struct mix *m,
                    unsigned c);
/* The exponent with which an H200 adds a color of sRGB; not for 0. */
int color_exponent(float color);

#endif
