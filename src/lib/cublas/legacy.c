/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS's first API: one handle for the process, which cublasInit makes, and
 * routines that keep their error for cublasGetError. */
#include "internal.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "cublas.h"
#pragma GCC visibility pop
#include "core/core.h"

static _Atomic(cublasHandle_t) shared;
static _Atomic int last_error;

static void keep_error(cublasStatus_t status)
{
    if (status)
        atomic_store(&last_error, (int)status);
}

cublasStatus cublasInit(void)
{
    cublasHandle_t made, none = NULL;
    if (atomic_load(&shared))
        return CUBLAS_STATUS_SUCCESS;
    cublasStatus_t status = cublasCreate_v2(&made);
    if (!status && !atomic_compare_exchange_strong(&shared, &none, made))
        cublasDestroy_v2(made);
    return status;
}

cublasStatus cublasShutdown(void)
{
    cublasHandle_t handle = atomic_exchange(&shared, NULL);
    return handle ? cublasDestroy_v2(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus cublasGetError(void)
{
    return (cublasStatus)atomic_exchange(&last_error, 0);
}

cublasStatus cublasGetVersion(int *version)
{
    return cublasGetVersion_v2(shared, version);
}

cublasStatus cublasSetKernelStream(cudaStream_t stream)
{
    return cublasSetStream_v2(shared, stream);
}

cublasStatus cublasAlloc(int n, int elemSize, void **devicePtr)
{
    if (n <= 0 || elemSize <= 0 || !devicePtr)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!shared)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    CUcontext ctx;
    CUdeviceptr p;
    CUresult err = ctx_of_thread(&ctx);
    if (!err)
        err = mem_alloc(ctx, &p, (size_t)n * (size_t)elemSize);
    if (err)
        return CUBLAS_STATUS_ALLOC_FAILED;
    *devicePtr = (void *)p;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus cublasFree(void *devicePtr)
{
    if (!shared)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    CUcontext ctx;
    CUresult err = ctx_of_thread(&ctx);
    if (!err)
        err = ctx_wait(ctx);
    if (!err)
        err = mem_free(ctx, (CUdeviceptr)devicePtr);
    return err ? CUBLAS_STATUS_INTERNAL_ERROR : CUBLAS_STATUS_SUCCESS;
}

/* ---- letters ---------------------------------------------------------- */

/* Which of the letters c is, in any case; 99, a wrong value of any enumeration,
 * if none. */
static int letter_index(const char *letters, char c)
{
    const char *at = strchr(letters, toupper((unsigned char)c));
    return c && at ? (int)(at - letters) : 99;
}

#define OP(c)   (cublasOperation_t) letter_index("NTC", c)
#define FILL(c) (cublasFillMode_t) letter_index("LU", c)
#define SIDE(c) (cublasSideMode_t) letter_index("LR", c)
#define DIAG(c) (cublasDiagType_t) letter_index("NU", c)

/* ---- routines --------------------------------------------------------- */

#define V2(name)         name##_v2
#define WITH_HANDLE(...) (shared, __VA_ARGS__)
#define LEGACY(name, parameters, arguments)                                    \
    void name parameters                                                       \
    {                                                                          \
        keep_error(CUBLAS_EXPAND(V2, name) WITH_HANDLE arguments);             \
    }
#define LEGACY_OF(type, name, parameters, arguments)                           \
    type name parameters                                                       \
    {                                                                          \
        type result;                                                           \
        memset(&result, 0, sizeof result);                                     \
        keep_error(CUBLAS_EXPAND(V2, name) WITH_HANDLE arguments);             \
        return result;                                                         \
    }
#define CUBLAS_ROWS "weft/cublas_legacy.def"
#include "weft/cublas_types.h"
