/* SPDX-License-Identifier: Apache-2.0 */
/* What filters of floats and halves add up, for eight lanes. */
#ifndef WEFT_EXEC_MIX_LANES_H
#define WEFT_EXEC_MIX_LANES_H

#include "exec/lanes.h"

/* A sum so far. */
struct mix_lanes {
    doubles value[2]; /* of four lanes each */
    ints exponent;    /* biased as a float's */
};

/* To 0, in all lanes. */
void mix_lanes_clear(struct mix_lanes *m);
/* Texels of a level, eight at most, and their weights in 1 / 256. False: one
 * that counts is not finite. */
bool mix_lanes_add(const struct exec_texture *t, unsigned count,
                   const ints *texel, const ints *weight, struct mix_lanes *m);
/* As the bits of floats. */
ints mix_lanes_result(const struct exec_texture *t, const struct mix_lanes *m);

#endif
