/* SPDX-License-Identifier: Apache-2.0 */
/* The error log, which works before cuInit. */
#include "driver/internal.h"

#include "core/error_log.h"

/* Returns `err`, and logs why if it is an error. */
static CUresult end_call(CUresult err, const char *why)
{
    if (err)
        error_log_add(CU_LOG_LEVEL_ERROR, "%s", why);
    return err;
}

CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void *userData,
                                CUlogsCallbackHandle *callback_out)
{
    if (!callbackFunc || !callback_out)
        return end_call(CUDA_ERROR_INVALID_VALUE,
                        "function and handle cannot be NULL");
    return end_call(error_log_register(callbackFunc, userData, callback_out),
                    "there are too many callbacks");
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback)
{
    return end_call(error_log_unregister(callback),
                    "no callback has this handle");
}

CUresult cuLogsCurrent(CUlogIterator *iterator_out, unsigned int flags)
{
    (void)flags;
    if (!iterator_out)
        return end_call(CUDA_ERROR_INVALID_VALUE, "iterator cannot be NULL");
    *iterator_out = error_log_next();
    return CUDA_SUCCESS;
}

CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile,
                          unsigned int flags)
{
    if (!pathToFile || flags)
        return end_call(CUDA_ERROR_INVALID_VALUE,
                        pathToFile ? "flags must be 0" : "path cannot be NULL");
    return end_call(error_log_dump_file(iterator, pathToFile),
                    "the file cannot be written");
}

CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size,
                            unsigned int flags)
{
    if (!buffer || !size || flags)
        return end_call(CUDA_ERROR_INVALID_VALUE,
                        !buffer ? "buffer cannot be NULL"
                        : !size ? "size cannot be NULL"
                                : "flags must be 0");
    return end_call(error_log_dump(iterator, buffer, size),
                    "the buffer has no room for a line");
}
