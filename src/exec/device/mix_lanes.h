/* SPDX-License-Identifier: Apache-2.0 */
/* Filter sums of floats and halves, for eight lanes. */
#ifndef WEFT_EXEC_MIX_LANES_H
#define WEFT_EXEC_MIX_LANES_H

#include "exec/device/lanes.h"

/* A partial sum. */
struct mix_lanes {
    doubles value[2]; /* of four lanes each */
    ints exponent;    /* biased as a float's */
};

/* Sets all lanes to 0. */
void mix_lanes_clear(struct mix_lanes *m);
/* Adds up to eight texels of one level with their weights, in 1 / 256. False:
 * a texel with a weight is not finite. */
bool mix_lanes_add(const struct exec_texture *t, unsigned count,
                   const ints *texel, const ints *weight, struct mix_lanes *m);
/* The sum as bits of floats. */
ints mix_lanes_result(const struct exec_texture *t, const struct mix_lanes *m);

#endif
