/* SPDX-License-Identifier: Apache-2.0 */
/* The error log. These calls need no context. */
#include "core/error_log.h"
#include "runtime/internal.h"

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc,
                                     void *userData,
                                     cudaLogsCallbackHandle *callback_out)
{
    cudaLogsCallbackHandle unwanted;
    if (!callbackFunc)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(rt_error(
        error_log_register((CUlogsCallback)(void *)callbackFunc, userData,
                           callback_out ? callback_out : &unwanted)));
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback)
{
    return rt_return(rt_error(error_log_unregister(callback)));
}

cudaError_t cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned int flags)
{
    (void)flags; /* not looked at by CUDA either */
    if (!iterator_out)
        return rt_return(cudaErrorInvalidValue);
    *iterator_out = error_log_next();
    return cudaSuccess;
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator,
                               const char *pathToFile, unsigned int flags)
{
    if (!pathToFile || flags)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(rt_error(error_log_dump_file(iterator, pathToFile)));
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer,
                                 size_t *size, unsigned int flags)
{
    if (!buffer || !size || flags)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(rt_error(error_log_dump(iterator, buffer, size)));
}
