/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of signed bytes, exact modulo 2^32: bytes become 16-bit numbers in
 * pairs along k, of which one instruction adds two products to each sum.
 */
#ifndef WEFT_LIB_BYTES_H
#define WEFT_LIB_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Byte (i, k) of op(A), or (k, j) of op(B), is at[i * step + k * step_k]; one
 * of the steps is 1. */
struct bytes {
    const int8_t *at;
    int64_t step, step_k;
};

/* Does this processor have the instructions? */
bool bytes_supported(void);
/* Memory for the packed operands of m x n sums over k products. */
size_t bytes_room(int64_t m, int64_t n, int64_t k);
/* sums (m x n, ld m) += op(A) op(B). room: aligned to 64. */
void bytes_multiply(int64_t m, int64_t n, int64_t k, struct bytes a,
                    struct bytes b, int32_t *sums, void *room);

#endif
