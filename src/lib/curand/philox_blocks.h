/* SPDX-License-Identifier: Apache-2.0 */
/* Philox4x32-10 over many counters at once. */
#ifndef WEFT_CURAND_PHILOX_BLOCKS_H
#define WEFT_CURAND_PHILOX_BLOCKS_H

#include <stdint.h>

/* Where blocks begin: a counter of a lane, and the key of all. */
struct place {
    uint64_t counter, lane;
    uint32_t key[2];
};

/* Words that may be written behind the last block. */
enum { PHILOX_SLACK = 128 };

/* Blocks of n neighbouring lanes, `each` (1 or 2) of a lane with one counter
 * after the other: 4 words each. */
typedef void philox_blocks_fn(const struct place *at, uint32_t each,
                              uint32_t *out, uint32_t n);

/* The same as uniform numbers, written past the caches: out aligned to 64
 * bytes, n * each a multiple of PHILOX_STEP. */
enum { PHILOX_STEP = 16 };
typedef void philox_floats_fn(const struct place *at, uint32_t each, float *out,
                              uint32_t n);

/* NULL: no faster than words that are converted. */
philox_floats_fn *philox_floats(void);

/* The widest that the processor has. */
philox_blocks_fn *philox_blocks(void);

#endif
