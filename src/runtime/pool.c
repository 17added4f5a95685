/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation in stream order. The memory is there at once, which is earlier
 * than promised; it goes when the stream's earlier work is done.
 */
#include "runtime/internal.h"

/* What waits to be freed is waited for when there is so much of it: memory
 * that was used just now is faster than new one. */
#define WAITING_BYTES_MAX ((size_t)256 << 20)

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    CUcontext ctx;
    CUstream s;
    CUdeviceptr p = 0;
    if (!devPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err && size && mem_waiting_to_be_freed() > WAITING_BYTES_MAX)
        err = rt_error(stream_synchronize(s));
    if (!err && size)
        err = rt_error(mem_alloc(ctx, &p, size));
    if (err == cudaErrorMemoryAllocation && mem_waiting_to_be_freed()) {
        err = rt_error(ctx_synchronize(ctx));
        if (!err)
            err = rt_error(mem_alloc(ctx, &p, size));
    }
    if (!err)
        *devPtr = (void *)(uintptr_t)p;
    return rt_return(err);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err && devPtr)
        err = rt_error(mem_free_later(s, (CUdeviceptr)(uintptr_t)devPtr));
    return rt_return(err);
}
