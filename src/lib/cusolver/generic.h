/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the functions of 64-bit sizes share (generic*.c). Any thread may
 * call. */
#ifndef WEFT_CUSOLVER_GENERIC_H
#define WEFT_CUSOLVER_GENERIC_H

#include "internal.h"

/* The type of a matrix; false: there is none, or `compute` is another. */
bool generic_type(cudaDataType type, cudaDataType compute, enum blas_type *out);
/* Is it the type of the singular values and eigenvalues of such a matrix? */
bool generic_is_real(cudaDataType real, enum blas_type type);

/* May `a` be an n x n matrix, an m x n matrix, or nrhs right-hand sides of n
 * numbers, with this leading dimension? Sizes fit int; only an empty matrix may
 * be NULL. */
bool generic_square(const void *a, int64_t n, int64_t lda);
bool generic_full(const void *a, int64_t m, int64_t n, int64_t lda);
bool generic_right(const void *b, int64_t n, int64_t nrhs, int64_t ldb);

/* Every bufferSize function's: as solver_size, in bytes, of which the host
 * needs none. */
cusolverStatus_t generic_size(cusolverDnHandle_t handle, bool is_valid,
                              cusolverDnParams_t params, size_t *device,
                              size_t *host);

#define BUFFERS_OUT                                                            \
    cudaDataType computeType, size_t *workspaceInBytesOnDevice,                \
        size_t *workspaceInBytesOnHost
#define BUFFERS_IN                                                             \
    cudaDataType computeType, void *bufferOnDevice,                            \
        size_t workspaceInBytesOnDevice, void *bufferOnHost,                   \
        size_t workspaceInBytesOnHost
#define NO_BUFFERS                                                             \
    (void)params, (void)bufferOnDevice, (void)workspaceInBytesOnDevice,        \
        (void)bufferOnHost, (void)workspaceInBytesOnHost
#define SIZE(is_valid)                                                         \
    generic_size(handle, is_valid, params, workspaceInBytesOnDevice,           \
                 workspaceInBytesOnHost)

#endif
