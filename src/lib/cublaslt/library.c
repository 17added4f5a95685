/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, versions, the log. As documented, a handle of cuBLAS may stand for
 * one of cuBLASLt: functions only ask that it is not NULL. */
#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { VERSION = LIB_MAJOR == 13 ? 130100 : CUBLAS_VERSION };

cublasStatus_t cublasLtCreate(cublasLtHandle_t *lightHandle)
{
    if (!lightHandle)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (lib_start() != CUDA_SUCCESS)
        return LT_END(CUBLAS_STATUS_NOT_INITIALIZED);
    cublasLtHandle_t made = malloc(16);
    if (!made)
        return LT_END(CUBLAS_STATUS_ALLOC_FAILED);
    *lightHandle = made;
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle)
{
    if (!lightHandle)
        return LT_END(CUBLAS_STATUS_NOT_INITIALIZED);
    free(lightHandle);
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

size_t cublasLtGetVersion(void)
{
    return VERSION;
}

size_t cublasLtGetCudartVersion(void)
{
    return LIB_MAJOR == 13 ? 13000 : 12080;
}

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value)
{
    static const int part[] = {VERSION / 10000, VERSION / 100 % 100,
                               VERSION % 100};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    *value = part[type];
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

const char *cublasLtGetStatusName(cublasStatus_t status)
{
    switch (status) {
#define STATUS(name, text)                                                     \
    case name:                                                                 \
        return #name;
#include "lib/product/statuses.def"
    }
    return "CUBLAS_UNKNOWN_STATUS";
}

const char *cublasLtGetStatusString(cublasStatus_t status)
{
    switch (status) {
#define STATUS(name, text)                                                     \
    case name:                                                                 \
        return text;
#include "lib/product/statuses.def"
    }
    return "unknown status";
}

/* There is one algorithm, so there is no cache of heuristics. */
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity)
{
    if (!capacity)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    *capacity = 0;
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity)
{
    (void)capacity;
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

unsigned cublasLtDisableCpuInstructionsSetMask(unsigned mask)
{
    static _Atomic unsigned kept;
    return atomic_exchange(&kept, mask);
}

/* ---- the log ---------------------------------------------------------- */

/* The lock guards file and callback. */
static struct {
    pthread_mutex_t lock;
    _Atomic int level; /* 0: off, 1: errors, 5: all calls */
    bool is_disabled;
    FILE *file;
    cublasLtLoggerCallback_t callback;
} logger = {.lock = PTHREAD_MUTEX_INITIALIZER};

cublasStatus_t lt_end(const char *name, cublasStatus_t status)
{
    int severity = status ? 1 : 5;
    if (atomic_load_explicit(&logger.level, memory_order_relaxed) < severity)
        return status;
    pthread_mutex_lock(&logger.lock);
    cublasLtLoggerCallback_t callback = logger.callback;
    if (logger.file)
        fprintf(logger.file, "[cublasLt][%s] %s\n", name,
                cublasLtGetStatusName(status));
    pthread_mutex_unlock(&logger.lock);
    if (callback)
        callback(severity, name, cublasLtGetStatusName(status));
    return status;
}

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback)
{
    pthread_mutex_lock(&logger.lock);
    logger.callback = callback;
    pthread_mutex_unlock(&logger.lock);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetFile(FILE *file)
{
    pthread_mutex_lock(&logger.lock);
    logger.file = file;
    pthread_mutex_unlock(&logger.lock);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerOpenFile(const char *logFile)
{
    FILE *file = logFile ? fopen(logFile, "a") : NULL;
    return file ? cublasLtLoggerSetFile(file) : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtLoggerSetLevel(int level)
{
    if (level < 0 || level > 5)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!logger.is_disabled)
        atomic_store(&logger.level, level);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetMask(int mask)
{
    if (mask < 0 || mask > 31)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!logger.is_disabled)
        atomic_store(&logger.level, mask > 1 ? 5 : mask);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerForceDisable(void)
{
    logger.is_disabled = true;
    atomic_store(&logger.level, 0);
    return CUBLAS_STATUS_SUCCESS;
}
