/* SPDX-License-Identifier: Apache-2.0 */
/* A job whose tiles a function runs; how levels 2 and 3 are launched. */
#ifndef WEFT_CUBLAS_TILES_H
#define WEFT_CUBLAS_TILES_H

#include "internal.h"

typedef void tile_fn(const struct job *j, int64_t tile);

struct tiles_args {
    tile_fn *run;
    struct job job;
};

extern const struct native_kernel tiles_kernel;

/* NOT_SUPPORTED: a size does not fit OpenBLAS's integers. */
cublasStatus_t tiles_run(cublasHandle_t handle, tile_fn *run,
                         const struct job *j, uint64_t tiles);

/* The job as OpenBLAS takes it; scalars are read. */
struct blas_job {
    const struct blas *blas;
    char uplo, op, diag, side;
    int m, n, k, kl, ku, lda, ldb, ldc, incx, incy;
    union blas_number alpha, beta;
};
struct blas_job blas_job(const struct job *j);

#endif
