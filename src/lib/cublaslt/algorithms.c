/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms: there is one, for every product that is supported. Other numbers
 * are accepted, since programs keep those that they once measured as fastest.
 */
#include "internal.h"

#include <string.h>

enum { ONLY_ID = 0, MOST_IDS = 100 };

static void fill_result(cublasLtMatmulHeuristicResult_t *r)
{
    *r = (cublasLtMatmulHeuristicResult_t){.state = CUBLAS_STATUS_SUCCESS,
                                           .wavesCount = 1};
    struct algo only = {.id = ONLY_ID, .split_k = 1};
    memcpy(&r->algo, &only, sizeof only);
}

/* What both forms do, with a stream and without: all streams run alike. */
static cublasStatus_t
find_algorithm(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
               const cublasLtMatrixLayout_t *layouts,
               cublasLtMatmulPreference_t preference, int requested,
               cublasLtMatmulHeuristicResult_t *results, int *found)
{
    struct lt_product l;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!preference || requested <= 0 || !results || !found)
        return CUBLAS_STATUS_INVALID_VALUE;
    *found = 0;
    cublasStatus_t status =
        lt_plan(desc, layouts[0], layouts[1], layouts[2], layouts[3], &l);
    if (status)
        return status;
    fill_result(&results[0]);
    *found = 1;
    return CUBLAS_STATUS_SUCCESS;
}

#define LAYOUTS ((cublasLtMatrixLayout_t[]){Adesc, Bdesc, Cdesc, Ddesc})

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
    cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
    cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[],
    int *returnAlgoCount)
{
    return LT_END(find_algorithm(lightHandle, operationDesc, LAYOUTS,
                                 preference, requestedAlgoCount,
                                 heuristicResultsArray, returnAlgoCount));
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristicForStream(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
    cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
    cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[],
    int *returnAlgoCount, cudaStream_t stream)
{
    (void)stream;
    return LT_END(find_algorithm(lightHandle, operationDesc, LAYOUTS,
                                 preference, requestedAlgoCount,
                                 heuristicResultsArray, returnAlgoCount));
}

/* By the types of A, C and D; those of B and of scalars are not looked at. */
cublasStatus_t cublasLtMatmulAlgoGetIds(
    cublasLtHandle_t lightHandle, cublasComputeType_t computeType,
    cudaDataType_t scaleType, cudaDataType_t Atype, cudaDataType_t Btype,
    cudaDataType_t Ctype, cudaDataType_t Dtype, int requestedAlgoCount,
    int algoIdsArray[], int *returnAlgoCount)
{
    struct product_types types;
    (void)scaleType, (void)Btype;
    if (!lightHandle)
        return LT_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if (requestedAlgoCount <= 0 || !algoIdsArray || !returnAlgoCount)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    *returnAlgoCount = 0;
    if (!lt_find_types(computeType, Atype, Atype, Ctype, Dtype, &types) &&
        !lt_find_types(computeType, Atype, Atype, Dtype, Dtype, &types))
        return LT_END(CUBLAS_STATUS_NOT_SUPPORTED);
    algoIdsArray[0] = ONLY_ID;
    *returnAlgoCount = 1;
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasLtMatmulAlgoInit(
    cublasLtHandle_t lightHandle, cublasComputeType_t computeType,
    cudaDataType_t scaleType, cudaDataType_t Atype, cudaDataType_t Btype,
    cudaDataType_t Ctype, cudaDataType_t Dtype, int algoId,
    cublasLtMatmulAlgo_t *algo)
{
    cublasLtMatmulHeuristicResult_t r;
    struct product_types types;
    struct algo only;
    (void)scaleType;
    if (!lightHandle)
        return LT_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if (!algo || algoId < 0 || algoId >= MOST_IDS)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (!lt_find_types(computeType, Atype, Btype, Ctype, Dtype, &types))
        return LT_END(CUBLAS_STATUS_NOT_SUPPORTED);
    fill_result(&r);
    memcpy(&only, &r.algo, sizeof only);
    only.id = algoId;
    memcpy(&r.algo, &only, sizeof only);
    *algo = r.algo;
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

static cublasStatus_t check_algorithm(cublasLtHandle_t handle,
                                      cublasLtMatmulDesc_t desc,
                                      const cublasLtMatrixLayout_t *layouts,
                                      const cublasLtMatmulAlgo_t *algo,
                                      cublasLtMatmulHeuristicResult_t *result)
{
    struct lt_product l;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algo || !result)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status =
        lt_plan(desc, layouts[0], layouts[1], layouts[2], layouts[3], &l);
    if (status)
        return status;
    fill_result(result);
    result->algo = *algo;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
    cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
    cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result)
{
    return LT_END(
        check_algorithm(lightHandle, operationDesc, LAYOUTS, algo, result));
}

cublasStatus_t cublasLtMatmulAlgoCheckForStream(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
    cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
    cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result,
    cudaStream_t stream)
{
    (void)stream;
    return LT_END(
        check_algorithm(lightHandle, operationDesc, LAYOUTS, algo, result));
}

/* ---- capabilities ----------------------------------------------------- */

struct capability {
    size_t bytes;
    uint64_t value;
};

static const struct capability capabilities[] = {
    [CUBLASLT_ALGO_CAP_SPLITK_SUPPORT] = {4, 0},
    [CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK] = {4, 0},
    [CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT] = {4, 0},
    [CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT] = {4, 1},
    [CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT] = {4, 1},
    [CUBLASLT_ALGO_CAP_UPLO_SUPPORT] = {4, 0},
    [CUBLASLT_ALGO_CAP_TILE_IDS] = {4, CUBLASLT_MATMUL_TILE_UNDEFINED},
    [CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX] = {4, 0},
    [CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER] = {4, 0},
    [CUBLASLT_ALGO_CAP_POINTER_MODE_MASK] = {4, 31},
    [CUBLASLT_ALGO_CAP_EPILOGUE_MASK] = {4, 0x3ff},
    [CUBLASLT_ALGO_CAP_STAGES_IDS] = {4, CUBLASLT_MATMUL_STAGES_UNDEFINED},
    [CUBLASLT_ALGO_CAP_LD_NEGATIVE] = {4, 0},
    [CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS] =
        {8, CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES] = {4, 1},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES] = {4, 1},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES] = {4, 1},
    [CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES] = {4, 1},
    [CUBLASLT_ALGO_CAP_ATOMIC_SYNC] = {4, 0},
    [CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT] = {4, 1},
    [CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT] = {4, 0},
};

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(
    const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoCapAttributes_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten)
{
    size_t count = sizeof capabilities / sizeof *capabilities;
    if (!algo || (unsigned)attr >= count || capabilities[attr].bytes == 0 ||
        (sizeInBytes > 0 && !buf) || (sizeInBytes == 0 && !sizeWritten))
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    const struct capability *c = &capabilities[attr];
    if (sizeInBytes > 0 && sizeInBytes < c->bytes)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (sizeWritten)
        *sizeWritten = c->bytes;
    if (sizeInBytes > 0)
        memcpy(buf, &c->value, c->bytes);
    return LT_END(CUBLAS_STATUS_SUCCESS);
}
