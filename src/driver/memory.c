/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of device, managed and pinned memory. */
#include "driver/internal.h"

/* ---- device memory ------------------------------------------------------- */

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    size_t free_bytes, total_bytes;
    CUresult err = drv_check_context();
    if (err)
        return err;
    device_free_memory(&free_bytes, &total_bytes);
    if (free)
        *free = free_bytes;
    if (total)
        *total = total_bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!dptr || !bytesize)
        return CUDA_ERROR_INVALID_VALUE;
    return mem_alloc(ctx, dptr, bytesize);
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes,
                         size_t Height, unsigned int ElementSizeBytes)
{
    size_t pitch, size_bytes;
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!dptr || !pPitch || !WidthInBytes || !Height ||
        (ElementSizeBytes != 4 && ElementSizeBytes != 8 &&
         ElementSizeBytes != 16) ||
        !mem_pitched_size(WidthInBytes, Height, &pitch, &size_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    err = cuMemAlloc(dptr, size_bytes);
    if (!err)
        *pPitch = pitch;
    return err;
}

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize,
                           unsigned int flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!dptr || !bytesize ||
        (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    return mem_alloc_managed(ctx, dptr, bytesize, flags);
}

static CUcontext context_of_memory(const void *p)
{
    struct mem_info info = mem_query(p);
    return mem_context(&info);
}

CUresult cuMemFree(CUdeviceptr dptr)
{
    CUcontext ctx;
    CUresult err = drv_context_or_none(&ctx);
    if (err)
        return err;
    if (!ctx)
        ctx = context_of_memory((const void *)(uintptr_t)dptr);
    return mem_free(ctx, dptr);
}

/* ---- pinned host memory -------------------------------------------------- */

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
    CUcontext ctx;
    const unsigned known = CU_MEMHOSTALLOC_PORTABLE |
                           CU_MEMHOSTALLOC_DEVICEMAP |
                           CU_MEMHOSTALLOC_WRITECOMBINED;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!pp || (Flags & ~known))
        return CUDA_ERROR_INVALID_VALUE;
    if (bytesize)
        return mem_alloc_host(ctx, pp, bytesize, Flags);
    *pp = NULL;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void **pp, size_t bytesize)
{
    return cuMemHostAlloc(pp, bytesize, 0);
}

CUresult cuMemFreeHost(void *p)
{
    CUcontext ctx;
    CUresult err = drv_context_or_none(&ctx);
    if (err)
        return err;
    if (!ctx && p)
        ctx = context_of_memory(p);
    return mem_free_host(ctx, p);
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p,
                                   unsigned int Flags)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!pdptr || !p || Flags)
        return CUDA_ERROR_INVALID_VALUE;
    enum mem_kind kind = mem_query(p).kind;
    if (kind != MEM_PINNED && kind != MEM_REGISTERED)
        return CUDA_ERROR_INVALID_VALUE;
    *pdptr = (CUdeviceptr)(uintptr_t)p;
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!p || !bytesize)
        return CUDA_ERROR_INVALID_VALUE;
    return mem_register_host(ctx, p, bytesize, Flags);
}

CUresult cuMemHostUnregister(void *p)
{
    CUcontext ctx;
    CUresult err = drv_context_or_none(&ctx);
    if (err)
        return err;
    if (!ctx)
        ctx = context_of_memory(p);
    return p ? mem_unregister_host(ctx, p) : CUDA_ERROR_INVALID_VALUE;
}
