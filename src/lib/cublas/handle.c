/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, the settings that they keep, and the checks of arguments. */
#include "internal.h"

#include <stdlib.h>

#include "core/core.h"

enum { MAGIC = 0x626c6173 };

cublasStatus_t cublas_status(CUresult err)
{
    switch (err) {
    case CUDA_SUCCESS:
        return CUBLAS_STATUS_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return CUBLAS_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
        return CUBLAS_STATUS_NOT_INITIALIZED;
    default:
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

cublasStatus_t cublas_check_handle(cublasHandle_t handle)
{
    return handle && handle->magic == MAGIC ? CUBLAS_STATUS_SUCCESS
                                            : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    if (lib_start() != CUDA_SUCCESS)
        return CUBLAS_END(CUBLAS_STATUS_NOT_INITIALIZED);
    struct cublasContext *h = calloc(1, sizeof *h);
    if (!h)
        return CUBLAS_END(CUBLAS_STATUS_ALLOC_FAILED);
    h->magic = MAGIC;
    h->special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
    *handle = h;
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

/* Waits for the stream, as NVIDIA's does. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    cublasStatus_t status = cublas_check_handle(handle);
    if (status)
        return CUBLAS_END(status);
    if (!lib_is_capturing(handle->stream))
        lib_synchronize(handle->stream);
    handle->magic = 0;
    free(handle);
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    cublasStatus_t status =
        version ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
    (void)handle; /* may be NULL, as with NVIDIA's library */
    if (!status)
        *version = LIB_MAJOR == 13 ? 130100 : CUBLAS_VERSION;
    return CUBLAS_END(status);
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    int version = LIB_MAJOR == 13 ? 130100 : CUBLAS_VERSION;
    if (!value)
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    switch (type) {
    case MAJOR_VERSION:
        *value = version / 10000;
        break;
    case MINOR_VERSION:
        *value = version / 100 % 100;
        break;
    case PATCH_LEVEL:
        *value = version % 100;
        break;
    default:
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    }
    return CUBLAS_END(CUBLAS_STATUS_SUCCESS);
}

size_t cublasGetCudartVersion(void)
{
    return LIB_MAJOR == 13 ? 13000 : 12080;
}

/* As documented, the workspace is the library's own again; none is used. */
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId)
{
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status) {
        handle->stream = (CUstream)streamId;
        handle->workspace = NULL;
        handle->workspace_bytes = 0;
    }
    return CUBLAS_END(status);
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                     size_t workspaceSizeInBytes)
{
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status) {
        handle->workspace = workspace;
        handle->workspace_bytes = workspaceSizeInBytes;
    }
    return CUBLAS_END(status);
}

/* ---- settings --------------------------------------------------------- */

#define GETTER(name, type, field)                                              \
    cublasStatus_t name(cublasHandle_t handle, type *value)                    \
    {                                                                          \
        cublasStatus_t status = cublas_check_handle(handle);                   \
        if (!status && !value)                                                 \
            status = CUBLAS_STATUS_INVALID_VALUE;                              \
        if (!status)                                                           \
            *value = handle->field;                                            \
        return CUBLAS_END(status);                                             \
    }

#define SETTER(name, type, field, is_valid)                                    \
    cublasStatus_t name(cublasHandle_t handle, type value)                     \
    {                                                                          \
        cublasStatus_t status = cublas_check_handle(handle);                   \
        if (!status && !(is_valid))                                            \
            status = CUBLAS_STATUS_INVALID_VALUE;                              \
        if (!status)                                                           \
            handle->field = value;                                             \
        return CUBLAS_END(status);                                             \
    }

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *streamId)
{
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status && !streamId)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (!status)
        *streamId = (cudaStream_t)handle->stream;
    return CUBLAS_END(status);
}

static bool is_math_mode(cublasMath_t mode)
{
    return ((unsigned)mode & ~16u) <= 15;
}

GETTER(cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode)
SETTER(cublasSetPointerMode_v2, cublasPointerMode_t, pointer_mode,
       (unsigned)value <= CUBLAS_POINTER_MODE_DEVICE)
GETTER(cublasGetAtomicsMode, cublasAtomicsMode_t, atomics)
SETTER(cublasSetAtomicsMode, cublasAtomicsMode_t, atomics,
       (unsigned)value <= CUBLAS_ATOMICS_ALLOWED)
GETTER(cublasGetMathMode, cublasMath_t, math)
SETTER(cublasSetMathMode, cublasMath_t, math, is_math_mode(value))
GETTER(cublasGetSmCountTarget, int, sm_target)
SETTER(cublasSetSmCountTarget, int, sm_target, value >= 0 && value <= 4096)
GETTER(cublasGetEmulationStrategy, cublasEmulationStrategy_t, strategy)
SETTER(cublasSetEmulationStrategy, cublasEmulationStrategy_t, strategy,
       (unsigned)value <= CUBLAS_EMULATION_STRATEGY_EAGER)
GETTER(cublasGetEmulationSpecialValuesSupport,
       cudaEmulationSpecialValuesSupport, special_values)
SETTER(cublasSetEmulationSpecialValuesSupport,
       cudaEmulationSpecialValuesSupport, special_values, (int)value >= 0)
GETTER(cublasGetFixedPointEmulationMantissaControl,
       cudaEmulationMantissaControl, mantissa)
SETTER(cublasSetFixedPointEmulationMantissaControl,
       cudaEmulationMantissaControl, mantissa,
       (unsigned)value <= CUDA_EMULATION_MANTISSA_CONTROL_FIXED)
GETTER(cublasGetFixedPointEmulationMaxMantissaBitCount, int, mantissa_bits)
SETTER(cublasSetFixedPointEmulationMaxMantissaBitCount, int, mantissa_bits,
       value >= 0)
GETTER(cublasGetFixedPointEmulationMantissaBitOffset, int, mantissa_offset)
SETTER(cublasSetFixedPointEmulationMantissaBitOffset, int, mantissa_offset,
       true)
GETTER(cublasGetFixedPointEmulationMantissaBitCountPointer, int *,
       mantissa_count)
SETTER(cublasSetFixedPointEmulationMantissaBitCountPointer, int *,
       mantissa_count, true)

/* ---- checks of arguments ---------------------------------------------- */

bool check_op(cublasOperation_t op)
{
    return (unsigned)op <= CUBLAS_OP_CONJG;
}

bool check_fill(cublasFillMode_t uplo)
{
    return (unsigned)uplo <= CUBLAS_FILL_MODE_UPPER;
}

bool check_side(cublasSideMode_t side)
{
    return (unsigned)side <= CUBLAS_SIDE_RIGHT;
}

bool check_diag(cublasDiagType_t diag)
{
    return (unsigned)diag <= CUBLAS_DIAG_UNIT;
}

bool check_ld(int64_t ld, int64_t rows)
{
    return ld >= (rows > 1 ? rows : 1);
}

bool check_triangle(cublasFillMode_t uplo, cublasOperation_t op,
                    cublasDiagType_t diag)
{
    return check_fill(uplo) && (unsigned)op <= CUBLAS_OP_C && check_diag(diag);
}

enum product_op rank_op(bool is_hermitian, cublasOperation_t op)
{
    if (op == CUBLAS_OP_N)
        return PRODUCT_N;
    return is_hermitian ? PRODUCT_C : PRODUCT_T;
}

bool check_product(enum product_op op_a, enum product_op op_b, int64_t m,
                   int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc)
{
    return (unsigned)op_a <= PRODUCT_C && (unsigned)op_b <= PRODUCT_C &&
           m >= 0 && n >= 0 && k >= 0 &&
           check_ld(lda, product_as_stored(op_a) ? m : k) &&
           check_ld(ldb, product_as_stored(op_b) ? k : n) && check_ld(ldc, m);
}

struct scalar cublas_scalar(cublasHandle_t handle, cudaDataType_t type,
                            const void *at)
{
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return (struct scalar){.device = at, .type = type};
    return (struct scalar){.type = type, .value = element_load(type, at)};
}

bool cublas_is_value(const struct scalar *s, double value)
{
    return !s->device && s->value.re == value && s->value.im == 0;
}
