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

#endif
