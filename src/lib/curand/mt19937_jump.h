/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_CURAND_MT19937_JUMP_H
#define WEFT_CURAND_MT19937_JUMP_H

#include <stdint.h>

enum { MT_N = 624, MT_M = 397 };

/* Appends the next n words to the state x, which has room for MT_N + n. */
void mt_extend(uint32_t *x, uint32_t n);

/* Moves the state (MT_N words) 2^2048 * 2^log2_times steps; log2_times < 13.
 * Any thread; the first call makes tables. */
void mt_jump(uint32_t x[MT_N], unsigned log2_times);

#endif
