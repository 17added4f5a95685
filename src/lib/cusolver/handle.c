/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, versions, and parameter objects. */
#include "internal.h"
#include "jacobi.h"

#include <stdlib.h>

enum { MAGIC = 0x736f6c76, JACOBI = 0x6a61636f, PARAMS = 0x70617261 };

cusolverStatus_t solver_check_handle(cusolverDnHandle_t handle)
{
    return handle && handle->magic == MAGIC ? CUSOLVER_STATUS_SUCCESS
                                            : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (lib_start() != CUDA_SUCCESS)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    struct cusolverDnContext *h = calloc(1, sizeof *h);
    if (!h)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    h->magic = MAGIC;
    h->determinism = CUSOLVER_DETERMINISTIC_RESULTS;
    h->math = CUSOLVER_DEFAULT_MATH;
    *handle = h;
    return CUSOLVER_STATUS_SUCCESS;
}

/* Waits for the stream, as NVIDIA's does. */
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (status)
        return status;
    if (!lib_is_capturing(handle->stream))
        lib_synchronize(handle->stream);
    handle->magic = 0;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle,
                                     cudaStream_t streamId)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status)
        handle->stream = (CUstream)streamId;
    return status;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle,
                                     cudaStream_t *streamId)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && !streamId)
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        *streamId = (cudaStream_t)handle->stream;
    return status;
}

/* Results are the same every time in both modes. */
cusolverStatus_t
cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                               cusolverDeterministicMode_t mode)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && mode != CUSOLVER_DETERMINISTIC_RESULTS &&
        mode != CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS)
        status = CUSOLVER_STATUS_INTERNAL_ERROR;
    if (!status)
        handle->determinism = mode;
    return status;
}

cusolverStatus_t
cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                               cusolverDeterministicMode_t *mode)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && !mode)
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        *mode = handle->determinism;
    return status;
}

cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t handle,
                                       cusolverMathMode_t mode)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && mode != CUSOLVER_DEFAULT_MATH &&
        mode != CUSOLVER_FP32_EMULATED_BF16X9_MATH)
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        handle->math = mode;
    return status;
}

cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t handle,
                                       cusolverMathMode_t *mode)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && !mode)
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        *mode = handle->math;
    return status;
}

/* Kept to be asked for: products are not emulated. */
cusolverStatus_t
cusolverDnSetEmulationStrategy(cusolverDnHandle_t handle,
                               cudaEmulationStrategy_t strategy)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && (unsigned)strategy > CUDA_EMULATION_STRATEGY_EAGER)
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        handle->strategy = strategy;
    return status;
}

cusolverStatus_t
cusolverDnGetEmulationStrategy(cusolverDnHandle_t handle,
                               cudaEmulationStrategy_t *strategy)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && !strategy)
        status = CUSOLVER_STATUS_INVALID_VALUE;
    if (!status)
        *strategy = handle->strategy;
    return status;
}

/* ---- versions --------------------------------------------------------- */

static const int versions[][3] = {[12] = {11, 7, 3}, [13] = {12, 0, 4}};

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value)
{
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *value = versions[LIB_MAJOR][type];
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int *version)
{
    const int *v = versions[LIB_MAJOR];
    if (!version)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *version = v[0] * 1000 + v[1] * 100 + v[2];
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- parameters ------------------------------------------------------- */

/* The parameters of Jacobi's methods change nothing: jacobi.c. All three
 * objects begin with the same fields. */
struct syevjInfo {
    uint32_t magic;
    double tolerance;
    int max_sweeps, is_sorted;
    struct jacobi_result *result;
};
struct gesvdjInfo {
    struct syevjInfo as;
};
struct cusolverDnParams {
    struct syevjInfo as;
    cusolverAlgMode_t mode[3]; /* by cusolverDnFunction_t; of no effect */
};

static cusolverStatus_t create_params(void *out, size_t bytes, uint32_t magic)
{
    if (!out)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct syevjInfo *p = calloc(1, bytes);
    if (!p)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    *p = (struct syevjInfo){magic, 0, 100, 1, NULL};
    if (magic == JACOBI && !(p->result = jacobi_result_new())) {
        free(p);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *(struct syevjInfo **)out = p;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t destroy_params(void *params, uint32_t magic)
{
    struct syevjInfo *p = params;
    if (!p)
        return CUSOLVER_STATUS_SUCCESS;
    if (p->magic != magic)
        return CUSOLVER_STATUS_INVALID_VALUE;
    p->magic = 0;
    if (p->result)
        jacobi_result_drop(p->result);
    free(p);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t set_jacobi(void *params, bool is_valid,
                                   double tolerance, int max_sweeps,
                                   int is_sorted)
{
    struct syevjInfo *p = params;
    if (!p || p->magic != JACOBI || !is_valid)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *p =
        (struct syevjInfo){JACOBI, tolerance, max_sweeps, is_sorted, p->result};
    return CUSOLVER_STATUS_SUCCESS;
}

#define JACOBI_PARAMS(Create, Destroy, prefix, type)                           \
    cusolverStatus_t Create(type##_t *info)                                    \
    {                                                                          \
        return create_params(info, sizeof(struct type), JACOBI);               \
    }                                                                          \
    cusolverStatus_t Destroy(type##_t info)                                    \
    {                                                                          \
        return destroy_params(info, JACOBI);                                   \
    }                                                                          \
    cusolverStatus_t prefix##SetTolerance(type##_t info, double tolerance)     \
    {                                                                          \
        struct syevjInfo *p = (struct syevjInfo *)info;                        \
        return p ? set_jacobi(p, true, tolerance, p->max_sweeps, p->is_sorted) \
                 : CUSOLVER_STATUS_INVALID_VALUE;                              \
    }                                                                          \
    cusolverStatus_t prefix##SetMaxSweeps(type##_t info, int max_sweeps)       \
    {                                                                          \
        struct syevjInfo *p = (struct syevjInfo *)info;                        \
        return p ? set_jacobi(p, true, p->tolerance, max_sweeps, p->is_sorted) \
                 : CUSOLVER_STATUS_INVALID_VALUE;                              \
    }                                                                          \
    cusolverStatus_t prefix##SetSortEig(type##_t info, int sorted)             \
    {                                                                          \
        struct syevjInfo *p = (struct syevjInfo *)info;                        \
        return p ? set_jacobi(p, true, p->tolerance, p->max_sweeps, sorted)    \
                 : CUSOLVER_STATUS_INVALID_VALUE;                              \
    }
JACOBI_PARAMS(cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo,
              cusolverDnXsyevj, syevjInfo)
JACOBI_PARAMS(cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo,
              cusolverDnXgesvdj, gesvdjInfo)

struct jacobi_result *jacobi_of_eigen(syevjInfo_t params)
{
    return params && params->magic == JACOBI ? params->result : NULL;
}

struct jacobi_result *jacobi_of_singular(gesvdjInfo_t params)
{
    return params ? jacobi_of_eigen(&params->as) : NULL;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params)
{
    return create_params(params, sizeof(struct cusolverDnParams), PARAMS);
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params)
{
    return destroy_params(params, PARAMS);
}

/* There is one algorithm. */
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params,
                                         cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo)
{
    if (!params || params->as.magic != PARAMS || (unsigned)function > 2 ||
        (unsigned)algo > CUSOLVER_ALG_2)
        return CUSOLVER_STATUS_INVALID_VALUE;
    params->mode[function] = algo;
    return CUSOLVER_STATUS_SUCCESS;
}
