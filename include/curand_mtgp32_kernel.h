/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MTGP32 on the device: up to 256 threads of a block share a state, and all of
 * them draw at once. Part of curand_kernel.h.
 */
#ifndef CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H

#include "curand_globals.h"
#include "curand_mtgp32.h"

/* Host compilers read this too, and know no threads, even where a program says
 * __CUDACC__. */
#ifndef __CUDA__
struct __weft_one_thread {
    unsigned int x, y, z;
};
static const struct __weft_one_thread __weft_thread = {0, 0, 0};
static const struct __weft_one_thread __weft_block = {1, 1, 1};
#else
#define __weft_thread threadIdx
#define __weft_block blockDim
#endif

/* The next word of the sequence from its words 0, 1 and pos: X1, X2 and Y. */
QUALIFIERS unsigned int para_rec(mtgp32_kernel_params_t *k, unsigned int X1,
                                 unsigned int X2, unsigned int Y, int bid)
{
    unsigned int x = (X1 & k->mask[0]) ^ X2;
    x ^= x << k->sh1_tbl[bid];
    unsigned int y = x ^ (Y >> k->sh2_tbl[bid]);
    return y ^ k->param_tbl[bid][y & 15];
}

QUALIFIERS unsigned int __weft_mtgp_index(unsigned int t)
{
    t ^= t >> 16;
    t ^= t >> 8;
    return t & 15;
}

QUALIFIERS unsigned int temper(mtgp32_kernel_params_t *k, unsigned int V,
                               unsigned int T, int bid)
{
    return V ^ k->temper_tbl[bid][__weft_mtgp_index(T)];
}

/* Tempers a word to the bits of a float from 1 to 2. */
QUALIFIERS unsigned int temper_single(mtgp32_kernel_params_t *k, unsigned int V,
                                      unsigned int T, int bid)
{
    return (V >> 9) ^ k->single_temper_tbl[bid][__weft_mtgp_index(T)];
}

QUALIFIERS unsigned int &__weft_mtgp_word(curandStateMtgp32_t *state,
                                          unsigned int i)
{
    return state->s[(i + state->offset) & MTGP32_STATE_MASK];
}

/* The next word for thread t of the block; *far is the word that tempers
 * it. */
QUALIFIERS unsigned int __weft_mtgp_next(curandStateMtgp32_t *state,
                                         unsigned int t, unsigned int *far)
{
    unsigned int pos = state->k->pos_tbl[state->pIdx];
    *far = __weft_mtgp_word(state, t + pos - 1);
    return para_rec(state->k, __weft_mtgp_word(state, t),
                    __weft_mtgp_word(state, t + 1),
                    __weft_mtgp_word(state, t + pos), state->pIdx);
}

/* All threads have drawn: moves the state on by n words. */
QUALIFIERS void __weft_mtgp_advance(curandStateMtgp32_t *state, bool is_first,
                                    unsigned int n)
{
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
    if (is_first)
        state->offset = (state->offset + n) & MTGP32_STATE_MASK;
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
}

QUALIFIERS unsigned int __weft_mtgp_draw(curandStateMtgp32_t *state,
                                         unsigned int t, unsigned int n)
{
    unsigned int far, word = __weft_mtgp_next(state, t, &far);
    __weft_mtgp_word(state, t + MTGPDC_N) = word;
    unsigned int result = temper(state->k, word, far, state->pIdx);
    __weft_mtgp_advance(state, t == 0, n);
    return result;
}

QUALIFIERS unsigned int curand(curandStateMtgp32_t *state)
{
    unsigned int t = __weft_block.z * __weft_block.y * __weft_thread.z +
                     __weft_block.x * __weft_thread.y + __weft_thread.x;
    return __weft_mtgp_draw(state, t,
                            __weft_block.z * __weft_block.y * __weft_block.x);
}

/* The next word for a part of the block's threads: this is thread `index` of
 * n. */
QUALIFIERS unsigned int curand_mtgp32_specific(curandStateMtgp32_t *state,
                                               unsigned char index,
                                               unsigned char n)
{
    return __weft_mtgp_draw(state, index, n);
}

/* The next float from 1 to 2. The new word is stored where NVIDIA's code
 * stores it. */
QUALIFIERS float __weft_mtgp_single(curandStateMtgp32_t *state, unsigned int t,
                                    unsigned int n)
{
    unsigned int far, word = __weft_mtgp_next(state, t, &far);
    state->s[t] = word;
    unsigned int bits = temper_single(state->k, word, far, state->pIdx);
    __weft_mtgp_advance(state, __weft_thread.x == 0, n);
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

QUALIFIERS float curand_mtgp32_single(curandStateMtgp32_t *state)
{
    unsigned int rows = __weft_block.z * __weft_block.y;
    return __weft_mtgp_single(state, rows + __weft_thread.x,
                              rows * __weft_block.x);
}

QUALIFIERS float curand_mtgp32_single_specific(curandStateMtgp32_t *state,
                                               unsigned char index,
                                               unsigned char n)
{
    return __weft_mtgp_single(state, index, n);
}

#endif
