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
    CUlogsCallbackHandle unwanted;
    if (!callbackFunc)
        return end_call(CUDA_ERROR_INVALID_VALUE, "function cannot be NULL");
    return end_call(error_log_register(callbackFunc, userData,
                                       callback_out ? callback_out : &unwanted),
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
    (void)flags; /* no driver reads them */
    if (!pathToFile)
        return end_call(CUDA_ERROR_INVALID_VALUE, "path cannot be NULL");
    return end_call(error_log_dump_file(iterator, pathToFile),
                    "the file cannot be written");
}

CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size,
                            unsigned int flags)
{
    (void)flags;
    if (!buffer || !size)
        return end_call(CUDA_ERROR_INVALID_VALUE,
                        buffer ? "size cannot be NULL"
                               : "buffer cannot be NULL");
    return end_call(error_log_dump(iterator, buffer, size),
                    "the buffer has no room for a line");
}
