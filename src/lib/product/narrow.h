/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of narrow numbers whose sums have 32 bits: signed bytes, exact
 * modulo 2^32, and bfloat16, with sums in float. Neighbours along k share the
 * 32 bits of a lane, of which one instruction adds all products to a sum.
 */
#ifndef WEFT_LIB_NARROW_H
#define WEFT_LIB_NARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum narrow_kind { NARROW_BYTES, NARROW_BFLOATS, NARROW_KINDS };

/* Element (i, k) of op(A), or (k, j) of op(B), is at[i * step + k * step_k];
 * one of the steps is 1. */
struct narrow {
    const void *at;
    int64_t step, step_k;
};

/* Where sums go: columns of them, ld apart. */
struct narrow_sums {
    int32_t *at; /* or floats */
    int64_t ld;
    bool adds; /* to what is there */
};

/* With which instructions; TILES are AMX's tiles in C, for tests. */
enum narrow_way {
    NARROW_BEST, /* of this processor */
    NARROW_AMX,
    NARROW_AVX512,
    NARROW_AVX2,
    NARROW_TILES,
    NARROW_WAYS
};

/* Does this processor have the instructions? Whoever asks the others of this
 * header has asked this. */
bool narrow_has(enum narrow_kind kind, enum narrow_way way);
/* Rows of D that the best kernel makes together. */
int64_t narrow_rows(enum narrow_kind kind);
/* Memory for the packed operands of m x n sums over k products. */
size_t narrow_room(enum narrow_kind kind, enum narrow_way way, int64_t m,
                   int64_t n, int64_t k);
/* to (m x n) = op(A) op(B). room: aligned to 64. */
void narrow_multiply(enum narrow_kind kind, enum narrow_way way, int64_t m,
                     int64_t n, int64_t k, struct narrow a, struct narrow b,
                     struct narrow_sums to, void *room);

#endif
