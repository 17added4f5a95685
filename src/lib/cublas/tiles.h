/* SPDX-License-Identifier: Apache-2.0 */
/* How levels 2 and 3 and the extensions are launched: a job, and a function
 * that an SM thread calls for each of its tiles. */
#ifndef WEFT_CUBLAS_TILES_H
#define WEFT_CUBLAS_TILES_H

#include "internal.h"

typedef void tile_fn(const struct job *j, int64_t tile);

struct tiles_args {
    tile_fn *run;
    struct job job;
};

extern const struct native_kernel tiles_kernel;

/* Puts the job into the handle's stream as `tiles` tiles; *j is copied.
 * NOT_SUPPORTED: a size does not fit OpenBLAS's 32-bit integers. */
cublasStatus_t tiles_run(cublasHandle_t handle, tile_fn *run,
                         const struct job *j, uint64_t tiles);

/* The job in OpenBLAS's terms. For kernels: the scalars are read now. */
struct blas_job {
    const struct blas *blas;
    char uplo, op, diag, side;
    int m, n, k, kl, ku, lda, ldb, ldc, incx, incy;
    union blas_number alpha, beta;
};
struct blas_job blas_job(const struct job *j);

/* Where element i of a vector of n elements is, whose ld is its increment. */
static inline void *vector_entry(enum blas_type type, const struct matrix *x,
                                 int64_t n, int64_t i)
{
    int64_t index = x->ld < 0 ? (i - n + 1) * x->ld : i * x->ld;
    return (char *)x->at + index * (int64_t)blas_bytes(type);
}

/* The part of column c that is in the job's triangle: its first row, its rows,
 * and where it begins in packed form, in elements. */
struct triangle_column {
    int64_t row, rows, packed;
};
static inline struct triangle_column triangle_column(const struct job *j,
                                                     int64_t c)
{
    return j->is_upper ? (struct triangle_column){0, c + 1, c * (c + 1) / 2}
                       : (struct triangle_column){c, j->n - c,
                                                  c * j->n - c * (c - 1) / 2};
}

#endif
