/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions of 64-bit sizes share: generic.c, generic_more.c. */
#ifndef WEFT_CUSOLVER_GENERIC_H
#define WEFT_CUSOLVER_GENERIC_H

#include "internal.h"

/* Of the matrix, if it is computed with in its own type. */
bool generic_type(cudaDataType type, cudaDataType compute, enum blas_type *out);
/* Singular values and eigenvalues. */
bool generic_is_real(cudaDataType real, enum blas_type type);

/* May it be n x n, m x n, or nrhs right-hand sides, with that leading
 * dimension (in elements)? NULL may stand for an empty one only. */
bool generic_square(const void *a, int64_t n, int64_t lda);
bool generic_full(const void *a, int64_t m, int64_t n, int64_t lda);
bool generic_right(const void *b, int64_t n, int64_t nrhs, int64_t ldb);

/* Of bufferSize functions. */
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
