/* SPDX-License-Identifier: Apache-2.0 */
/* What a filter adds up, lane by lane. */
#ifndef WEFT_EXEC_MIX_H
#define WEFT_EXEC_MIX_H

#include "abi/texture.h"

/* Texels and their weights, of one level or of two. */
struct mix {
    uint32_t texel[16][4];
    int32_t weight[16]; /* in 1 / 256 */
    bool is_border[16];
    unsigned count;
    unsigned first_count; /* of the first level */
};

/* Is channel c of each texel that counts a number? */
bool mix_is_finite(const struct mix *m, unsigned c);
/* Floats, halves and colors of sRGB, bit by bit as an H200 adds them; all
 * finite. */
float mixed_aligned(const struct exec_texture *t, const struct mix *m,
                    unsigned c);
/* The exponent that a color of sRGB, which is not 0, is added with. */
int color_exponent(float color);

#endif
