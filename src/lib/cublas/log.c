/* SPDX-License-Identifier: Apache-2.0 */
/* Names of statuses, and the log: a line for each call, to a callback, to
 * stdout, to stderr or to a file. CUBLAS_LOGINFO_DBG=1 switches it on and
 * CUBLAS_LOGDEST_DBG (stdout, stderr or a file) says where it goes. */
#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/product/statuses.h"

const char *cublasGetStatusName(cublasStatus_t status)
{
    return product_status_name(status);
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return product_status_text(status);
}

/* ---- the log ---------------------------------------------------------- */

/* The lock guards all but is_on, which calls read without it: a call that
 * misses a change by another thread is logged, or not, as before. */
static struct {
    pthread_mutex_t lock;
    pthread_once_t once;
    atomic_bool is_on;
    bool to_stdout, to_stderr;
    FILE *file;
    cublasLogCallback callback;
} logger = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void configure_from_environment(void)
{
    static const char destination[] = "CUBLAS_LOGDEST_DBG";
    const char *on = getenv("CUBLAS_LOGINFO_DBG");
    const char *to = getenv(destination);
    if (!on || strcmp(on, "1") != 0)
        return;
    logger.to_stdout = !to || !strcmp(to, "stdout");
    logger.to_stderr = to && !strcmp(to, "stderr");
    if (to && !logger.to_stdout && !logger.to_stderr)
        logger.file = secure_getenv(destination) ? fopen(to, "a") : NULL;
    logger.is_on = true;
}

/* The caller holds the lock. */
static void write_line(const char *line)
{
    FILE *outputs[] = {logger.to_stdout ? stdout : NULL,
                       logger.to_stderr ? stderr : NULL, logger.file};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        if (outputs[i])
            fputs(line, outputs[i]);
    }
}

cublasStatus_t cublas_end(const char *name, cublasStatus_t status)
{
    char line[256];
    pthread_once(&logger.once, configure_from_environment);
    if (!atomic_load_explicit(&logger.is_on, memory_order_relaxed))
        return status;
    snprintf(line, sizeof line, "I! cuBLAS (weft) %s: %s\n", name,
             cublasGetStatusName(status));
    pthread_mutex_lock(&logger.lock);
    cublasLogCallback callback = logger.callback;
    write_line(line);
    pthread_mutex_unlock(&logger.lock);
    if (callback)
        callback(line);
    return status;
}

cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut,
                                     int logToStdErr, const char *logFileName)
{
    FILE *file = NULL;
    pthread_once(&logger.once, configure_from_environment);
    if (logFileName && !(file = fopen(logFileName, "a")))
        return CUBLAS_STATUS_INVALID_VALUE;
    pthread_mutex_lock(&logger.lock);
    FILE *old = logger.file;
    logger.file = file;
    logger.to_stdout = logToStdOut;
    logger.to_stderr = logToStdErr;
    atomic_store(&logger.is_on, logIsOn != 0);
    pthread_mutex_unlock(&logger.lock);
    if (old)
        fclose(old);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback)
{
    pthread_once(&logger.once, configure_from_environment);
    pthread_mutex_lock(&logger.lock);
    logger.callback = userCallback;
    pthread_mutex_unlock(&logger.lock);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback)
{
    if (!userCallback)
        return CUBLAS_STATUS_INVALID_VALUE;
    pthread_mutex_lock(&logger.lock);
    *userCallback = logger.callback;
    pthread_mutex_unlock(&logger.lock);
    return CUBLAS_STATUS_SUCCESS;
}

/* Programs call it to report a wrong argument. */
void cublasXerbla(const char *srName, int info)
{
    char line[128];
    snprintf(line, sizeof line, "%s: argument %d has a wrong value",
             srName ? srName : "?", info);
    cublas_end(line, CUBLAS_STATUS_INVALID_VALUE);
}
