/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools: creating and destroying them, attributes, other processes. */
#include "driver/internal.h"

/* ---- the pools of a device ----------------------------------------------- */

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)
{
    CUresult err = drv_initialised_for(pool_out);
    return err ? err : pool_default(dev, pool_out);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
    CUresult err = drv_initialised_for(pool);
    if (err)
        return err;
    /* As an H200's driver, which returns INVALID_DEVICE for the default pool.
     */
    return drv_check_device(dev) ? CUDA_ERROR_INVALID_VALUE
                                 : pool_current(dev, pool);
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
    CUresult err = drv_initialised_for(pool);
    return err ? err : pool_set_current(dev, pool);
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location,
                                CUmemAllocationType type)
{
    CUresult err = drv_initialised_for(pool_out);
    return err ? err : pool_default_at(location, type, pool_out);
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location,
                         CUmemAllocationType type)
{
    CUresult err = drv_initialised_for(pool);
    return err ? err : pool_current_at(location, type, pool);
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type,
                         CUmemoryPool pool)
{
    CUresult err = drv_initialised_for(pool);
    return err ? err : pool_set_current_at(location, type, pool);
}

/* ---- one pool ------------------------------------------------------------ */

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
    CUcontext ctx;
    CUresult err = drv_initialised_for(pool && poolProps ? pool : NULL);
    if (!err)
        err = drv_primary(&ctx);
    return err ? err : pool_create(poolProps, pool);
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    CUresult err = drv_initialised_for(pool);
    if (!err)
        err = capture_check_call();
    return err ? err : pool_destroy(pool);
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
    CUresult err = drv_initialised_for(pool);
    return err ? err : pool_trim(pool, minBytesToKeep);
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                               void *value)
{
    CUresult err = drv_initialised_for(value);
    return err ? err : pool_get(pool, attr, value);
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                               void *value)
{
    CUresult err = drv_initialised_for(value);
    return err ? err : pool_set(pool, attr, value);
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map,
                            size_t count)
{
    CUresult err = drv_initialised_for(map);
    return err ? err : pool_set_access(pool, map, count);
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool,
                            CUmemLocation *location)
{
    CUresult err = drv_initialised_for(flags && location ? flags : NULL);
    if (!err)
        err = capture_check_call();
    return err ? err : pool_get_access(memPool, location, flags);
}

/* ---- other processes ----------------------------------------------------- */

CUresult cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool,
                                          CUmemAllocationHandleType handleType,
                                          unsigned long long flags)
{
    CUresult err = drv_initialised_for(handle_out);
    return err ? err : pool_export(pool, handleType, flags, handle_out);
}

/* The handle is a file descriptor, passed as a pointer. */
CUresult
cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
                                   CUmemAllocationHandleType handleType,
                                   unsigned long long flags)
{
    CUcontext ctx;
    CUresult err = drv_initialised_for(pool_out);
    if (!err)
        err = flags ? CUDA_ERROR_INVALID_VALUE
                    : pool_check_handle_type(handleType);
    if (!err)
        err = ctx_primary(&ctx);
    return err ? err : pool_import(ctx, (int)(intptr_t)handle, pool_out);
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out,
                                CUdeviceptr ptr)
{
    CUresult err = drv_initialised_for(shareData_out);
    return err ? err : pool_export_pointer(ptr, shareData_out);
}

CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool,
                                CUmemPoolPtrExportData *shareData)
{
    CUresult err = drv_initialised_for(ptr_out && shareData ? ptr_out : NULL);
    return err ? err : pool_import_pointer(pool, shareData, ptr_out);
}
