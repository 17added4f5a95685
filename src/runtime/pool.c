/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation in stream order. */
#include "runtime/internal.h"

/* pool NULL: the device's current one. */
static cudaError_t allocate_from(void **devPtr, size_t size, cudaMemPool_t pool,
                                 cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    CUdeviceptr p = 0;
    if (!devPtr)
        return cudaErrorInvalidValue;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err && size)
        err = rt_error(pool_alloc(pool, s, size, &p));
    if (!err)
        *devPtr = (void *)(uintptr_t)p;
    return err;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    return rt_return(allocate_from(devPtr, size, NULL, hStream));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size,
                                    cudaMemPool_t memPool, cudaStream_t stream)
{
    if (!memPool)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(allocate_from(ptr, size, memPool, stream));
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err)
        err = rt_error(mem_free_later(s, (CUdeviceptr)(uintptr_t)devPtr));
    return rt_return(err);
}
