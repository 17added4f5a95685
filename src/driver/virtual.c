/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual memory management: reserving addresses, creating memory, mapping it
 * there, access. */
#include "driver/internal.h"

/* The primary context, even if it has failed. */
static CUresult check_with_context(const void *given, CUcontext *ctx)
{
    CUresult err = drv_initialised_for(given);
    return err ? err : drv_primary(ctx);
}

/* ---- addresses ----------------------------------------------------------- */

/* `addr`, the address that the caller wishes for, is not granted. */
CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment,
                             CUdeviceptr addr, unsigned long long flags)
{
    CUcontext ctx;
    CUresult err = check_with_context(flags ? NULL : ptr, &ctx);
    return err ? err : virtual_reserve(size, alignment, addr, ptr);
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
    CUresult err = drv_initialised();
    return err ? err : virtual_free(ptr, size);
}

/* ---- memory -------------------------------------------------------------- */

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *prop, unsigned long long flags)
{
    CUcontext ctx;
    CUresult err = check_with_context(prop && !flags ? handle : NULL, &ctx);
    return err ? err : virtual_create(size, prop, handle);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    CUresult err = drv_initialised();
    return err ? err : virtual_release(handle);
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle,
                                     void *addr)
{
    CUresult err = drv_initialised_for(handle);
    return err ? err : virtual_retain((CUdeviceptr)(uintptr_t)addr, handle);
}

CUresult cuMemGetAllocationGranularity(size_t *granularity,
                                       const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option)
{
    CUresult err = drv_initialised_for(prop ? granularity : NULL);
    return err ? err : virtual_granularity(option, granularity);
}

CUresult
cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                       CUmemGenericAllocationHandle handle)
{
    CUresult err = drv_initialised_for(prop);
    return err ? err : virtual_props(handle, prop);
}

/* ---- other processes ----------------------------------------------------- */

static bool is_of_other_systems(CUmemAllocationHandleType type)
{
    return type == CU_MEM_HANDLE_TYPE_WIN32 ||
           type == CU_MEM_HANDLE_TYPE_WIN32_KMT;
}

static CUresult check_handle_type(CUmemAllocationHandleType type)
{
    return type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemExportToShareableHandle(void *shareableHandle,
                                      CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType,
                                      unsigned long long flags)
{
    CUresult err = drv_initialised_for(flags ? NULL : shareableHandle);
    if (!err)
        err = check_handle_type(handleType);
    return err ? err : virtual_export(handle, shareableHandle);
}

/* The handle is a file descriptor, passed as a pointer. */
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle,
                                        void *osHandle,
                                        CUmemAllocationHandleType shHandleType)
{
    CUcontext ctx;
    CUresult err = check_with_context(handle, &ctx);
    if (!err && !osHandle)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = is_of_other_systems(shHandleType)
                  ? CUDA_ERROR_NOT_SUPPORTED
                  : check_handle_type(shHandleType);
    return err ? err : virtual_import(ctx, (int)(intptr_t)osHandle, handle);
}

/* ---- mappings ------------------------------------------------------------ */

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    return flags ? CUDA_ERROR_INVALID_VALUE
                 : virtual_map(ptr, size, offset, handle);
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)
{
    CUcontext ctx;
    CUresult err = drv_initialised();
    if (err)
        return err;
    ctx_primary(&ctx);
    return virtual_unmap(ctx, ptr, size);
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size,
                        const CUmemAccessDesc *desc, size_t count)
{
    CUresult err = drv_initialised_for(desc);
    return err ? err : virtual_set_access(ptr, size, desc, count);
}

CUresult cuMemGetAccess(unsigned long long *flags,
                        const CUmemLocation *location, CUdeviceptr ptr)
{
    CUresult err = drv_initialised_for(location ? flags : NULL);
    return err ? err : virtual_get_access(ptr, location, flags);
}
