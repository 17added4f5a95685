/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefetching managed memory, in stream order. Host and device share one
 * memory, so only the arguments are checked.
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
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(range_prefetch(s, (CUdeviceptr)(uintptr_t)devPtr, count,
                                      rt_core_location(location)));
    return rt_return(err);
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                 int dstDevice, cudaStream_t stream)
{
    return rt_forward(cudaMemPrefetchAsync_v2(
        devPtr, count, rt_location_of(dstDevice), 0, stream));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                     size_t length, unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(range_attach(s, (CUdeviceptr)(uintptr_t)devPtr, length,
                                    flags));
    return rt_return(err);
}
