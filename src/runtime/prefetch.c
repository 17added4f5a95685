/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving managed memory ahead of its use, in stream order. There is one
 * memory, so that it has always arrived already; arguments are checked.
 */
#include "runtime/internal.h"

cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count,
                                    struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    if (flags != 0)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_check_location(location);
    if (!err)
        err = rt_check_managed(devPtr, count);
    if (!err)
        err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_refuse(s));
    return rt_return(err);
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                 int dstDevice, cudaStream_t stream)
{
    return cudaMemPrefetchAsync_v2(devPtr, count, rt_location_of(dstDevice), 0,
                                   stream);
}

/* Which stream may touch managed memory is not restricted here; it is attached
 * in one piece. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                     size_t length, unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
        flags != cudaMemAttachSingle)
        return rt_return(cudaErrorInvalidValue);
    /* Of one stream, not of all that the default stream waits for. */
    if (flags == cudaMemAttachSingle &&
        (stream ? stream : RT_DEFAULT_STREAM) == CU_STREAM_LEGACY)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_check_managed(devPtr, 1);
    if (!err)
        err = rt_error(capture_refuse(s));
    if (err)
        return rt_return(err);
    struct mem_info whole = mem_query(devPtr);
    bool is_whole = whole.base == (uintptr_t)devPtr &&
                    (length == 0 || length == whole.size_bytes);
    return rt_return(is_whole ? cudaSuccess : cudaErrorInvalidValue);
}
