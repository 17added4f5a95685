/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_CURAND_MT19937_JUMP_H
#define WEFT_CURAND_MT19937_JUMP_H

#include <stdint.h>

enum { MT_N = 624, MT_M = 397 };

/* The next n words of x, from x[MT_N] on: x has room for them. */
void mt_extend(uint32_t *x, uint32_t n);

/* Moves the state (MT_N words) 2^2048 * 2^log2_times steps; log2_times < 13. */
void mt_jump(uint32_t x[MT_N], unsigned log2_times);

#endif
