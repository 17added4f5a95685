/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation in stream order. */
#include "driver/internal.h"

/* pool NULL: the device's current one. */
static CUresult allocate_from(CUdeviceptr *dptr, size_t size_bytes,
                              CUmemoryPool pool, CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream_outside(handle, &ctx, &s);
    if (err)
        return err;
    if (!dptr)
        return CUDA_ERROR_INVALID_VALUE;
    if (size_bytes)
        return pool_alloc(pool, s, size_bytes, dptr);
    *dptr = 0;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
    return allocate_from(dptr, bytesize, NULL, hStream);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize,
                                 CUmemoryPool pool, CUstream hStream)
{
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    return allocate_from(dptr, bytesize, pool, hStream);
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream_outside(hStream, &ctx, &s);
    return err ? err : mem_free_later(s, dptr);
}
