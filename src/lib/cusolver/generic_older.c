/* SPDX-License-Identifier: Apache-2.0 */
/* The 64-bit functions of CUDA 11.0, which 12 still has: the same as those with
 * an X in their name, but without a workspace of the host. */
#include "generic.h"

#define SIZE_OUT cudaDataType computeType, size_t *workspaceInBytes

#define ROOM_IN cudaDataType computeType, void *pBuffer, size_t workspaceInBytes
#define ROOM    computeType, pBuffer, workspaceInBytes, NULL, 0
#define HOST_SIZE                                                              \
    &(size_t)                                                                  \
    {                                                                          \
        0                                                                      \
    }

cusolverStatus_t cusolverDnPotrf_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, SIZE_OUT)
{
    return cusolverDnXpotrf_bufferSize(handle, params, uplo, n, dataTypeA, A,
                                       lda, computeType, workspaceInBytes,
                                       HOST_SIZE);
}

cusolverStatus_t cusolverDnPotrf(cusolverDnHandle_t handle,
                                 cusolverDnParams_t params,
                                 cublasFillMode_t uplo, int64_t n,
                                 cudaDataType dataTypeA, void *A, int64_t lda,
                                 ROOM_IN, int *info)
{
    return cusolverDnXpotrf(handle, params, uplo, n, dataTypeA, A, lda, ROOM,
                            info);
}

cusolverStatus_t cusolverDnPotrs(cusolverDnHandle_t handle,
                                 cusolverDnParams_t params,
                                 cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                 cudaDataType dataTypeA, const void *A,
                                 int64_t lda, cudaDataType dataTypeB, void *B,
                                 int64_t ldb, int *info)
{
    return cusolverDnXpotrs(handle, params, uplo, n, nrhs, dataTypeA, A, lda,
                            dataTypeB, B, ldb, info);
}

cusolverStatus_t
cusolverDnGeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                           int64_t m, int64_t n, cudaDataType dataTypeA,
                           const void *A, int64_t lda, cudaDataType dataTypeTau,
                           const void *tau, SIZE_OUT)
{
    return cusolverDnXgeqrf_bufferSize(handle, params, m, n, dataTypeA, A, lda,
                                       dataTypeTau, tau, computeType,
                                       workspaceInBytes, HOST_SIZE);
}

cusolverStatus_t cusolverDnGeqrf(cusolverDnHandle_t handle,
                                 cusolverDnParams_t params, int64_t m,
                                 int64_t n, cudaDataType dataTypeA, void *A,
                                 int64_t lda, cudaDataType dataTypeTau,
                                 void *tau, ROOM_IN, int *info)
{
    return cusolverDnXgeqrf(handle, params, m, n, dataTypeA, A, lda,
                            dataTypeTau, tau, ROOM, info);
}

cusolverStatus_t
cusolverDnGetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                           int64_t m, int64_t n, cudaDataType dataTypeA,
                           const void *A, int64_t lda, SIZE_OUT)
{
    return cusolverDnXgetrf_bufferSize(handle, params, m, n, dataTypeA, A, lda,
                                       computeType, workspaceInBytes,
                                       HOST_SIZE);
}

cusolverStatus_t cusolverDnGetrf(cusolverDnHandle_t handle,
                                 cusolverDnParams_t params, int64_t m,
                                 int64_t n, cudaDataType dataTypeA, void *A,
                                 int64_t lda, int64_t *ipiv, ROOM_IN, int *info)
{
    return cusolverDnXgetrf(handle, params, m, n, dataTypeA, A, lda, ipiv, ROOM,
                            info);
}

cusolverStatus_t cusolverDnGetrs(cusolverDnHandle_t handle,
                                 cusolverDnParams_t params,
                                 cublasOperation_t trans, int64_t n,
                                 int64_t nrhs, cudaDataType dataTypeA,
                                 const void *A, int64_t lda,
                                 const int64_t *ipiv, cudaDataType dataTypeB,
                                 void *B, int64_t ldb, int *info)
{
    return cusolverDnXgetrs(handle, params, trans, n, nrhs, dataTypeA, A, lda,
                            ipiv, dataTypeB, B, ldb, info);
}

cusolverStatus_t
cusolverDnSyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                           cusolverEigMode_t jobz, cublasFillMode_t uplo,
                           int64_t n, cudaDataType dataTypeA, const void *A,
                           int64_t lda, cudaDataType dataTypeW, const void *W,
                           SIZE_OUT)
{
    return cusolverDnXsyevd_bufferSize(handle, params, jobz, uplo, n, dataTypeA,
                                       A, lda, dataTypeW, W, computeType,
                                       workspaceInBytes, HOST_SIZE);
}

cusolverStatus_t cusolverDnSyevd(cusolverDnHandle_t handle,
                                 cusolverDnParams_t params,
                                 cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                 int64_t n, cudaDataType dataTypeA, void *A,
                                 int64_t lda, cudaDataType dataTypeW, void *W,
                                 ROOM_IN, int *info)
{
    return cusolverDnXsyevd(handle, params, jobz, uplo, n, dataTypeA, A, lda,
                            dataTypeW, W, ROOM, info);
}

cusolverStatus_t cusolverDnSyevdx_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, void *vl,
    void *vu, int64_t il, int64_t iu, int64_t *h_meig, cudaDataType dataTypeW,
    const void *W, SIZE_OUT)
{
    return cusolverDnXsyevdx_bufferSize(
        handle, params, jobz, range, uplo, n, dataTypeA, A, lda, vl, vu, il, iu,
        h_meig, dataTypeW, W, computeType, workspaceInBytes, HOST_SIZE);
}

cusolverStatus_t
cusolverDnSyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 cusolverEigMode_t jobz, cusolverEigRange_t range,
                 cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                 void *A, int64_t lda, void *vl, void *vu, int64_t il,
                 int64_t iu, int64_t *meig64, cudaDataType dataTypeW, void *W,
                 ROOM_IN, int *info)
{
    return cusolverDnXsyevdx(handle, params, jobz, range, uplo, n, dataTypeA, A,
                             lda, vl, vu, il, iu, meig64, dataTypeW, W, ROOM,
                             info);
}

cusolverStatus_t cusolverDnGesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA,
    const void *A, int64_t lda, cudaDataType dataTypeS, const void *S,
    cudaDataType dataTypeU, const void *U, int64_t ldu, cudaDataType dataTypeVT,
    const void *VT, int64_t ldvt, SIZE_OUT)
{
    return cusolverDnXgesvd_bufferSize(
        handle, params, jobu, jobvt, m, n, dataTypeA, A, lda, dataTypeS, S,
        dataTypeU, U, ldu, dataTypeVT, VT, ldvt, computeType, workspaceInBytes,
        HOST_SIZE);
}

cusolverStatus_t cusolverDnGesvd(cusolverDnHandle_t handle,
                                 cusolverDnParams_t params, signed char jobu,
                                 signed char jobvt, int64_t m, int64_t n,
                                 cudaDataType dataTypeA, void *A, int64_t lda,
                                 cudaDataType dataTypeS, void *S,
                                 cudaDataType dataTypeU, void *U, int64_t ldu,
                                 cudaDataType dataTypeVT, void *VT,
                                 int64_t ldvt, ROOM_IN, int *info)
{
    return cusolverDnXgesvd(handle, params, jobu, jobvt, m, n, dataTypeA, A,
                            lda, dataTypeS, S, dataTypeU, U, ldu, dataTypeVT,
                            VT, ldvt, ROOM, info);
}
