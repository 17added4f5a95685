/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of device, managed and pinned memory; attributes of pointers. */
#include "runtime/internal.h"

bool rt_is_pitch(size_t pitch, size_t width_bytes, size_t row_count)
{
    if (row_count == 1) /* there is no distance to the next */
        return width_bytes <= pitch || pitch == 0;
    return width_bytes <= pitch &&
           pitch <= (size_t)rt_attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
}

/* As on hardware: InvalidValue for one row, and for more than fit in memory. */
cudaError_t rt_wrong_pitch(size_t pitch, size_t row_count)
{
    size_t size_bytes;
    return row_count == 1 ||
                   __builtin_mul_overflow(pitch, row_count, &size_bytes)
               ? cudaErrorInvalidValue
               : cudaErrorInvalidPitchValue;
}

/* ---- device memory ------------------------------------------------------- */

static cudaError_t alloc_device(void **out, size_t size_bytes)
{
    CUcontext ctx;
    CUdeviceptr p = 0;
    cudaError_t err = rt_context(&ctx);
    if (!err && size_bytes)
        err = rt_error(mem_alloc(ctx, &p, size_bytes));
    if (!err)
        *out = (void *)(uintptr_t)p;
    return err;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    if (!devPtr)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(alloc_device(devPtr, size));
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width,
                            size_t height)
{
    size_t row_bytes, size_bytes;
    if (!devPtr || !pitch)
        return rt_return(cudaErrorInvalidValue);
    if (!mem_pitched_size(width, height, &row_bytes, &size_bytes))
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = alloc_device(devPtr, size_bytes);
    if (!err)
        *pitch = size_bytes ? row_bytes : 0;
    return rt_return(err);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr,
                         struct cudaExtent extent)
{
    size_t row_count, row_bytes, size_bytes;
    void *p;
    if (!pitchedDevPtr)
        return rt_return(cudaErrorInvalidValue);
    if (__builtin_mul_overflow(extent.height, extent.depth, &row_count) ||
        !mem_pitched_size(extent.width, row_count, &row_bytes, &size_bytes))
        return rt_return(cudaErrorMemoryAllocation);
    cudaError_t err = alloc_device(&p, size_bytes);
    if (!err)
        *pitchedDevPtr = (struct cudaPitchedPtr){.ptr = p,
                                                 .pitch = row_bytes,
                                                 .xsize = extent.width,
                                                 .ysize = extent.height};
    return rt_return(err);
}

cudaError_t cudaFree(void *devPtr)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(devPtr ? mem_free(ctx, rt_device_pointer(devPtr))
                              : capture_check_call());
    return rt_return(err);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    CUcontext ctx;
    CUdeviceptr p;
    if (devPtr && !size) {
        *devPtr = NULL;
        return cudaSuccess; /* the driver API returns INVALID_VALUE */
    }
    if (!devPtr || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(mem_alloc_managed(ctx, &p, size, flags));
    if (!err)
        *devPtr = (void *)(uintptr_t)p;
    return rt_return(err);
}

/* ---- host memory --------------------------------------------------------- */

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped |
                           cudaHostAllocWriteCombined;
    CUcontext ctx;
    void *p = NULL;
    if (!pHost || (flags & ~known))
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err && size)
        err = rt_error(mem_alloc_host(ctx, &p, size, flags));
    if (!err)
        *pHost = p;
    return rt_return(err);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return rt_forward(cudaHostAlloc(ptr, size, cudaHostAllocDefault));
}

cudaError_t cudaFreeHost(void *ptr)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(mem_free_host(ctx, ptr));
    return rt_return(err);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    CUcontext ctx;
    cudaError_t err = rt_error(capture_check_call());
    if (err)
        return rt_return(err);
    if (!ptr || !size || (flags & ~known))
        return rt_return(cudaErrorInvalidValue);
    err = rt_context(&ctx);
    if (!err)
        err = rt_error(mem_register_host(ctx, ptr, size, flags));
    return rt_return(err);
}

cudaError_t cudaHostUnregister(void *ptr)
{
    CUcontext ctx;
    if (!ptr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(mem_unregister_host(ctx, ptr));
    return rt_return(err);
}

static bool is_pinned(enum mem_kind kind)
{
    return kind == MEM_PINNED || kind == MEM_REGISTERED;
}

/* Pinned memory has one address on host and device. */
cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost,
                                     unsigned int flags)
{
    CUcontext ctx;
    if (!pDevice || !pHost || flags != 0)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (err)
        return rt_return(err);
    enum mem_kind kind = mem_query(pHost).kind;
    if (!is_pinned(kind))
        return rt_return(cudaErrorInvalidValue);
    *pDevice = pHost;
    return rt_return(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    CUcontext ctx;
    if (!pFlags || !pHost)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (err)
        return rt_return(err);
    err = rt_error(pointer_host_flags(pHost, pFlags));
    /* All of it is portable, but 12's runtime does not report it. */
    if (!err && RT_VERSION < 13000)
        *pFlags &= ~(unsigned)cudaHostAllocPortable;
    return rt_return(err);
}

/* ---- pointers ------------------------------------------------------------ */

/* NULL: kernels of the current device may not use it. */
static void *device_pointer_of(void *p)
{
    CUdeviceptr at;
    CUresult err = pointer_get(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                               (CUdeviceptr)(uintptr_t)p);
    return err ? NULL : p;
}

static struct cudaPointerAttributes
describe_pointer(void *p, const struct mem_info *info)
{
    struct cudaPointerAttributes a = {.device = pointer_device(info)};
    switch (mem_seen_as(info)) {
    case MEM_UNKNOWN:
    case MEM_ARRAY:
    case MEM_CACHED:
        a.type = cudaMemoryTypeUnregistered;
        a.device = cudaInvalidDeviceId;
        a.hostPointer = p;
        break;
    case MEM_DEVICE:
    case MEM_MODULE:
    case MEM_POOL:
    case MEM_OPENED:
        a.type = cudaMemoryTypeDevice;
        a.devicePointer = device_pointer_of(p);
        break;
    case MEM_VIRTUAL:
        a.type =
            virtual_is_host(info) ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
        a.devicePointer = device_pointer_of(p);
        a.hostPointer = virtual_is_host(info) ? a.devicePointer : NULL;
        break;
    case MEM_MANAGED:
        a.type = cudaMemoryTypeManaged;
        a.devicePointer = a.hostPointer = p;
        break;
    case MEM_PINNED:
    case MEM_REGISTERED:
        a.type = cudaMemoryTypeHost;
        a.devicePointer = pointer_is_open(info, p) ? p : NULL;
        a.hostPointer = p;
        break;
    }
    return a;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *ptr)
{
    CUcontext ctx;
    if (!attributes)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    struct mem_info info = pointer_query(ptr);
    if (err && err == rt_sticky()) /* a failed context's memory still exists */
        err = cudaSuccess;
    if (!err)
        *attributes = describe_pointer((void *)(uintptr_t)ptr, &info);
    return rt_return(err);
}
