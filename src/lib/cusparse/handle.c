/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, statuses, the log, and legacy descriptions of matrices. */
#include "internal.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { MAGIC = 0x73707273 };

cusparseStatus_t cusparse_status(CUresult err)
{
    switch (err) {
    case CUDA_SUCCESS:
        return CUSPARSE_STATUS_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return CUSPARSE_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    default:
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    }
}

cusparseStatus_t cusparse_check_handle(cusparseHandle_t handle)
{
    return handle && handle->magic == MAGIC ? CUSPARSE_STATUS_SUCCESS
                                            : CUSPARSE_STATUS_NOT_INITIALIZED;
}

/* Generic functions answer INVALID_VALUE to what is no handle. */
cusparseStatus_t cusparse_check_generic(cusparseHandle_t handle)
{
    return cusparse_check_handle(handle) ? CUSPARSE_STATUS_INVALID_VALUE
                                         : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    if (!handle)
        return CUSPARSE_END(CUSPARSE_STATUS_INVALID_VALUE);
    if (lib_start() != CUDA_SUCCESS)
        return CUSPARSE_END(CUSPARSE_STATUS_NOT_INITIALIZED);
    struct cusparseContext *h = calloc(1, sizeof *h);
    if (!h)
        return CUSPARSE_END(CUSPARSE_STATUS_ALLOC_FAILED);
    h->magic = MAGIC;
    *handle = h;
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    if (!handle)
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return CUSPARSE_END(status);
    if (!lib_is_capturing(handle->stream))
        lib_synchronize(handle->stream);
    handle->magic = 0;
    free(handle);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (!status && !version)
        status = CUSPARSE_STATUS_INVALID_VALUE;
    if (!status)
        *version = CUSPARSE_VERSION;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR,
                                CUSPARSE_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUSPARSE_END(CUSPARSE_STATUS_INVALID_VALUE);
    *value = parts[type];
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle,
                                   cudaStream_t streamId)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (!status)
        handle->stream = (CUstream)streamId;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle,
                                   cudaStream_t *streamId)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (!status && !streamId)
        status = CUSPARSE_STATUS_INVALID_VALUE;
    if (!status)
        *streamId = (cudaStream_t)handle->stream;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t *mode)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (!status && !mode)
        status = CUSPARSE_STATUS_INVALID_VALUE;
    if (!status)
        *mode = handle->pointer_mode;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t mode)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (!status && (unsigned)mode > CUSPARSE_POINTER_MODE_DEVICE)
        status = CUSPARSE_STATUS_INVALID_VALUE;
    if (!status)
        handle->pointer_mode = mode;
    return CUSPARSE_END(status);
}

/* ---- statuses --------------------------------------------------------- */

static const struct {
    const char *name, *text;
} statuses[] = {
#define STATUS(name, text)                                                     \
    [CUSPARSE_STATUS_##name] = {"CUSPARSE_STATUS_" #name, text}
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "initialization error"),
    STATUS(ALLOC_FAILED, "out of memory"),
    STATUS(INVALID_VALUE, "invalid value"),
    STATUS(ARCH_MISMATCH, "architecture mismatch"),
    STATUS(MAPPING_ERROR, "texture memory mapping error"),
    STATUS(EXECUTION_FAILED, "kernel launch failure"),
    STATUS(INTERNAL_ERROR, "internal error"),
    STATUS(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported"),
    STATUS(ZERO_PIVOT, "zero pivot"),
    STATUS(NOT_SUPPORTED, "operation not supported"),
    STATUS(INSUFFICIENT_RESOURCES, "insufficient resources"),
};

static bool is_status(cusparseStatus_t status)
{
    return (unsigned)status < sizeof statuses / sizeof *statuses;
}

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return is_status(status) ? statuses[status].name
                             : "unrecognized error code";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return is_status(status) ? statuses[status].text
                             : "unrecognized error code";
}

/* ---- the log: calls that fail ----------------------------------------- */

static _Atomic(cusparseLoggerCallback_t) log_callback;
static _Atomic(FILE *) log_file;
static atomic_int log_level, log_mask;
static atomic_bool log_is_off;

cusparseStatus_t cusparse_end(const char *name, cusparseStatus_t status)
{
    if (!status || log_is_off || (log_level < 1 && !(log_mask & 1)))
        return status;
    cusparseLoggerCallback_t callback = log_callback;
    FILE *file = log_file;
    if (callback)
        callback(1, name, cusparseGetErrorName(status));
    if (file)
        fprintf(file, "%s: %s\n", name, cusparseGetErrorName(status));
    return status;
}

cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t callback)
{
    log_callback = callback;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetFile(FILE *file)
{
    log_file = file;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerOpenFile(const char *logFile)
{
    FILE *file = logFile ? fopen(logFile, "w") : NULL;
    if (!file)
        return CUSPARSE_STATUS_INVALID_VALUE;
    log_file = file;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetLevel(int level)
{
    if (level < 0 || level > 5)
        return CUSPARSE_STATUS_INVALID_VALUE;
    log_level = level;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetMask(int mask)
{
    log_mask = mask;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerForceDisable(void)
{
    log_is_off = true;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- legacy descriptions ---------------------------------------------- */

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descrA)
{
    if (!descrA)
        return CUSPARSE_END(CUSPARSE_STATUS_INVALID_VALUE);
    *descrA = calloc(1, sizeof **descrA);
    return CUSPARSE_END(*descrA ? CUSPARSE_STATUS_SUCCESS
                                : CUSPARSE_STATUS_ALLOC_FAILED);
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descrA)
{
    free(descrA);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

#define PROPERTY(Name, type_t, field, last)                                    \
    cusparseStatus_t cusparseSet##Name(cusparseMatDescr_t descrA, type_t v)    \
    {                                                                          \
        if (!descrA)                                                           \
            return CUSPARSE_END(CUSPARSE_STATUS_NOT_INITIALIZED);              \
        if ((unsigned)v > last)                                                \
            return CUSPARSE_END(CUSPARSE_STATUS_INVALID_VALUE);                \
        descrA->field = v;                                                     \
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);                          \
    }                                                                          \
    type_t cusparseGet##Name(const cusparseMatDescr_t descrA)                  \
    {                                                                          \
        return descrA ? descrA->field : (type_t)-1;                            \
    }

PROPERTY(MatType, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
PROPERTY(MatFillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
PROPERTY(MatDiagType, cusparseDiagType_t, diag, CUSPARSE_DIAG_TYPE_UNIT)
PROPERTY(MatIndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)
