/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, versions, the log. As documented, a handle of cuBLAS may stand for
 * one of cuBLASLt: functions only ask that it is not NULL. */
#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "lib/product/statuses.h"

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
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
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
    return product_status_name(status);
}

const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return product_status_text(status);
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

/* The lock guards all; only calls read the level without it. */
static struct {
    pthread_mutex_t lock;
    _Atomic int level; /* 0: off, 1: errors, 5: all calls */
    bool is_disabled;
    FILE *file;
    bool is_own; /* the file is closed when it is not the log's any more */
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

static cublasStatus_t set_file(FILE *file, bool is_own)
{
    pthread_mutex_lock(&logger.lock);
    FILE *old = logger.is_own ? logger.file : NULL;
    logger.file = file;
    logger.is_own = is_own;
    pthread_mutex_unlock(&logger.lock);
    if (old)
        fclose(old);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetFile(FILE *file)
{
    return set_file(file, false);
}

cublasStatus_t cublasLtLoggerOpenFile(const char *logFile)
{
    FILE *file = logFile ? fopen(logFile, "ae") : NULL;
    return file ? set_file(file, true) : CUBLAS_STATUS_INVALID_VALUE;
}

static cublasStatus_t set_level(int level, bool disables)
{
    pthread_mutex_lock(&logger.lock);
    if (!logger.is_disabled)
        atomic_store_explicit(&logger.level, level, memory_order_relaxed);
    logger.is_disabled |= disables;
    pthread_mutex_unlock(&logger.lock);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetLevel(int level)
{
    return level < 0 || level > 5 ? CUBLAS_STATUS_INVALID_VALUE
                                  : set_level(level, false);
}

cublasStatus_t cublasLtLoggerSetMask(int mask)
{
    return set_level(mask & ~1 ? 5 : mask, false);
}

cublasStatus_t cublasLtLoggerForceDisable(void)
{
    return set_level(0, true);
}
