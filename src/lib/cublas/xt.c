/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cublasXt: cuBLAS's calls, which are waited for. Matrices may be the host's or
 * the device's: it is one memory. All devices share the processor's threads, so
 * one of them does the work, whichever were selected.
 */
#include "internal.h"

#include <stdlib.h>

/* Leaves out cublas_v2.h, whose macros would rename the functions here. */
#define WEFT_CUBLAS_V2_H
#pragma GCC visibility push(default)
#include "cublasXt.h"
#pragma GCC visibility pop
#include "core/core.h"

struct cublasXtContext {
    cublasHandle_t blas;
    int block_dim;
    bool has_devices; /* selected, once for all */
    cublasXtPinnedMemMode_t pinning;
};

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle)
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    struct cublasXtContext *h = calloc(1, sizeof *h);
    if (!h)
        return CUBLAS_END(CUBLAS_STATUS_ALLOC_FAILED);
    cublasStatus_t status = cublasCreate_v2(&h->blas);
    if (status) {
        free(h);
        return CUBLAS_END(status);
    }
    h->block_dim = 1024;
    *handle = h;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle)
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    cublasStatus_t status = cublasDestroy_v2(handle->blas);
    free(handle);
    return CUBLAS_END(status);
}

static bool are_devices(int count, const int *devices)
{
    for (int i = 0; devices && i < count; i++) {
        if (!device_exists(devices[i]))
            return false;
    }
    return count > 0 && devices;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices,
                                    int deviceId[])
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if (handle->has_devices || !are_devices(nbDevices, deviceId) ||
        nbDevices > device_count())
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    handle->has_devices = true;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[],
                                    int *nbBoards)
{
    if (nbDevices < 0)
        return CUBLAS_END(CUBLAS_STATUS_ALLOC_FAILED);
    if (!nbBoards || !deviceId)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    *nbBoards = nbDevices;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasXtMaxBoards(int *nbGpuBoards)
{
    if (!nbGpuBoards)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    *nbGpuBoards = device_count();
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim)
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if (blockDim <= 0)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    handle->block_dim = blockDim;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim)
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if (!blockDim)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    *blockDim = handle->block_dim;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t mode)
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if ((unsigned)mode > CUBLASXT_PINNING_ENABLED)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    handle->pinning = mode;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t *mode)
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if (!mode)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    *mode = handle->pinning;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

/* Programs ask to leave a part of the work to the host's processor, which is
 * the device: arguments are checked and change nothing. */
static cublasStatus_t check_share(cublasXtHandle_t handle,
                                  cublasXtBlasOp_t blasOp,
                                  cublasXtOpType_t type, bool is_valid)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return is_valid && (unsigned)blasOp < CUBLASXT_ROUTINE_MAX &&
                   (unsigned)type <= CUBLASXT_DOUBLECOMPLEX
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle,
                                     cublasXtBlasOp_t blasOp,
                                     cublasXtOpType_t type, void *blasFunctor)
{
    (void)blasFunctor;
    return CUBLAS_END(check_share(handle, blasOp, type, true));
}

cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle,
                                   cublasXtBlasOp_t blasOp,
                                   cublasXtOpType_t type, float ratio)
{
    return CUBLAS_END(
        check_share(handle, blasOp, type, ratio >= 0 && ratio <= 1));
}

/* ---- routines --------------------------------------------------------- */

/* handle: not NULL if status is a success. */
static cublasStatus_t wait_for(cublasXtHandle_t handle, cublasStatus_t status)
{
    if (status)
        return status;
    return cublas_status(lib_synchronize(handle->blas->stream));
}

/* NULL, which is NOT_INITIALIZED, before devices are selected. */
static cublasHandle_t blas_of(cublasXtHandle_t handle)
{
    return handle && handle->has_devices ? handle->blas : NULL;
}

#define S(size)         (int64_t)(size)
#define PARAMETERS(...) (cublasXtHandle_t handle, __VA_ARGS__)
#define ARGUMENTS(...)  (blas_of(handle), __VA_ARGS__)
#define V2_64(name)     CUBLAS_EXPAND(CUBLAS_V2_64, name)
#define V1_64(name)     CUBLAS_EXPAND(CUBLAS_V1_64, name)
#define XT(name, version, parameters, arguments)                               \
    cublasStatus_t CUBLAS_XT(name)                                             \
    PARAMETERS parameters                                                      \
    {                                                                          \
        return CUBLAS_END(wait_for(handle, version##_64(CUBLAS_S(name))        \
                                               ARGUMENTS arguments));          \
    }
#define CUBLAS_ROWS "weft/cublasxt.def"
#include "weft/cublas_types.h"

/* spmm unpacks the symmetric matrix, then calls symm. */
#define SPMM(letter, type)                                                     \
    cublasStatus_t cublasXt##letter##spmm(                                     \
        cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
        size_t m, size_t n, const type *alpha, const type *AP, const type *B,  \
        size_t ldb, const type *beta, type *C, size_t ldc)                     \
    {                                                                          \
        size_t size = side == CUBLAS_SIDE_LEFT ? m : n;                        \
        if (!blas_of(handle))                                                  \
            return CUBLAS_END(CUBLAS_STATUS_NOT_INITIALIZED);                  \
        if (size > INT32_MAX)                                                  \
            return CUBLAS_END(CUBLAS_STATUS_NOT_SUPPORTED);                    \
        type *full = reallocarray(NULL, size ? size * size : 1, sizeof *full); \
        if (!full)                                                             \
            return CUBLAS_END(CUBLAS_STATUS_ALLOC_FAILED);                     \
        int ld = size ? (int)size : 1;                                         \
        cublasStatus_t status = cublas##letter##tpttr(                         \
            handle->blas, uplo, (int)size, AP, full, ld);                      \
        if (!status)                                                           \
            status = cublas##letter##symm_v2_64(handle->blas, side, uplo,      \
                                                S(m), S(n), alpha, full, ld,   \
                                                B, S(ldb), beta, C, S(ldc));   \
        cublasStatus_t waited = wait_for(handle, CUBLAS_STATUS_SUCCESS);       \
        free(full);                                                            \
        return CUBLAS_END(status ? status : waited);                           \
    }
SPMM(S, float)
SPMM(D, double)
SPMM(C, cuComplex)
SPMM(Z, cuDoubleComplex)
