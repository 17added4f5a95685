/* SPDX-License-Identifier: Apache-2.0 */
/* The plain reference: matrices of double complex numbers, products by three
 * loops, with the sums of absolute values that error bounds need. */
#ifndef WEFT_TESTS_CUBLAS_DENSE_H
#define WEFT_TESTS_CUBLAS_DENSE_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cublas_v2.h"
#include "cuda_runtime_api.h"

#include "../exec/check.h"

typedef double complex number;

struct dense {
    int rows, columns;
    number *at; /* column order */
};

static inline struct dense dense_make(int rows, int columns)
{
    return (struct dense){rows, columns,
                          calloc((size_t)(rows * columns + 1), sizeof(number))};
}

static inline number *dense_at(struct dense m, int r, int c)
{
    return &m.at[r + c * m.rows];
}

static inline double random_part(void)
{
    static unsigned state = 1;
    state = state * 1664525 + 1013904223;
    return (double)(int)(state >> 8 & 0xffff) / 32768 - 1;
}

static number op_number(cublasOperation_t op, number x)
{
    return op == CUBLAS_OP_C || op == CUBLAS_OP_CONJG ? conj(x) : x;
}

/* op(m); m is freed. */
static inline struct dense dense_op(cublasOperation_t op, struct dense m)
{
    bool turns = op == CUBLAS_OP_T || op == CUBLAS_OP_C;
    struct dense out =
        turns ? dense_make(m.columns, m.rows) : dense_make(m.rows, m.columns);
    for (int c = 0; c < m.columns; c++) {
        for (int r = 0; r < m.rows; r++)
            *(turns ? dense_at(out, c, r) : dense_at(out, r, c)) =
                op_number(op, *dense_at(m, r, c));
    }
    free(m.at);
    return out;
}

/* alpha a b + beta c, and in `bound` the sum of the absolute values. */
static inline struct dense dense_product(number alpha, struct dense a,
                                         struct dense b, number beta,
                                         struct dense c, struct dense *bound)
{
    struct dense out = dense_make(a.rows, b.columns);
    *bound = dense_make(a.rows, b.columns);
    for (int j = 0; j < b.columns; j++) {
        for (int k = 0; k < a.columns; k++) {
            number factor = alpha * *dense_at(b, k, j);
            for (int i = 0; i < a.rows; i++) {
                *dense_at(out, i, j) += *dense_at(a, i, k) * factor;
                *dense_at(*bound, i, j) +=
                    cabs(*dense_at(a, i, k)) * cabs(factor);
            }
        }
        for (int i = 0; c.at && i < a.rows; i++) {
            *dense_at(out, i, j) += beta * *dense_at(c, i, j);
            *dense_at(*bound, i, j) += cabs(beta * *dense_at(c, i, j));
        }
    }
    return out;
}

/* ---- memory that kernels use: a stack, empty when all is freed -------- */

static struct {
    char *at;
    size_t used;
    int count;
} arena;

enum { ARENA_BYTES = 96 << 20 };

static void *arena_take(size_t bytes)
{
    if (!arena.at)
        CHECK_EQUAL(cudaMallocManaged((void **)&arena.at, ARENA_BYTES,
                                      cudaMemAttachGlobal),
                    cudaSuccess);
    void *p = arena.at + arena.used;
    arena.used += (bytes + 255) & ~(size_t)255;
    arena.count++;
    if (arena.used > ARENA_BYTES)
        abort();
    return p;
}

static void arena_free(void *p)
{
    (void)p;
    if (--arena.count == 0) {
        cudaDeviceSynchronize();
        arena.used = 0;
    }
}

/* Which elements of a matrix a routine looks at. */
enum shape { FULL, BAND, UPPER, LOWER, UPPER_UNIT, LOWER_UNIT };

static inline number shaped(enum shape shape, int kl, int ku, int r, int c,
                            number x)
{
    bool is_unit = shape == UPPER_UNIT || shape == LOWER_UNIT;
    bool is_upper = shape == UPPER || shape == UPPER_UNIT;
    if (shape == BAND)
        return r - c > kl || c - r > ku ? 0 : x;
    if (shape == FULL)
        return x;
    if (r == c)
        return is_unit ? 1 : x;
    return (r < c) == is_upper ? x : 0;
}

/* The whole of a symmetric or Hermitian matrix from a triangle. */
static inline struct dense dense_mirror(struct dense m, bool is_upper,
                                        bool is_hermitian)
{
    for (int c = 0; c < m.columns; c++) {
        for (int r = 0; r <= c; r++) {
            number kept = is_upper ? *dense_at(m, r, c) : *dense_at(m, c, r);
            number other = is_hermitian ? conj(kept) : kept;
            if (r == c)
                kept = other = is_hermitian ? creal(kept) : kept;
            *dense_at(m, r, c) = is_upper ? kept : other;
            *dense_at(m, c, r) = is_upper ? other : kept;
        }
    }
    return m;
}

#endif
