/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices of signed bytes (sums exact modulo 2^32) and of bfloat16
 * (sums in float). Numbers that are neighbours along k are packed into a lane
 * of 32 bits; one instruction multiplies two lanes number by number and adds
 * the products to a sum. Any thread may call.
 */
#ifndef WEFT_LIB_NARROW_H
#define WEFT_LIB_NARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum narrow_kind { NARROW_BYTES, NARROW_BFLOATS, NARROW_KINDS };

/* Element (i, k) of op(A) is at[i * step + k * step_k], and (k, j) of op(B)
 * at[j * step + k * step_k]; one of the steps is 1. */
struct narrow {
    const void *at;
    int64_t step, step_k;
};

/* Where sums go: in column order, columns ld sums apart. */
struct narrow_sums {
    int32_t *at; /* of bfloat16: floats */
    int64_t ld;
    bool adds; /* they are added to what is there */
};

/* With which instructions. NARROW_TILES is AMX's method in C, for tests. */
enum narrow_way {
    NARROW_BEST, /* of this processor */
    NARROW_AMX,
    NARROW_AVX512,
    NARROW_AVX2,
    NARROW_TILES,
    NARROW_WAYS
};

/* Does this processor have the instructions? Only then may the functions below
 * be called. */
bool narrow_has(enum narrow_kind kind, enum narrow_way way);
/* Rows of a block of D of the best kernel: tiles are best multiples of it. */
int64_t narrow_rows(enum narrow_kind kind);
/* Bytes for the packed operands of m x n sums over k products. */
size_t narrow_room(enum narrow_kind kind, enum narrow_way way, int64_t m,
                   int64_t n, int64_t k);
/* to, m x n, = op(A) op(B), or that is added (to.adds). room: narrow_room
 * bytes, aligned to 64. */
void narrow_multiply(enum narrow_kind kind, enum narrow_way way, int64_t m,
                     int64_t n, int64_t k, struct narrow a, struct narrow b,
                     struct narrow_sums to, void *room);

#endif
