/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools: creating and destroying them, attributes, other processes. */
#include "runtime/internal.h"

/* A context, even one that has failed, can be had, and `given` is not NULL. */
static cudaError_t check_pool_call(const void *given)
{
    cudaError_t err = rt_context_of_any_state();
    return err ? err : given ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- the pools of a device ----------------------------------------------- */

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = rt_error(pool_default(device, memPool));
    return rt_return(err);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    cudaError_t err = check_pool_call(memPool);
    /* cudaDeviceGetDefaultMemPool gives an error of its own. */
    if (!err && !rt_is_device(device))
        err = cudaErrorInvalidValue;
    if (!err)
        err = rt_error(pool_current(device, memPool));
    return rt_return(err);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = rt_error(pool_set_current(device, memPool));
    return rt_return(err);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool,
                                     struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = rt_error(pool_default_at((const CUmemLocation *)location,
                                       (CUmemAllocationType)type, memPool));
    return rt_return(err);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool,
                              struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = rt_error(pool_current_at((const CUmemLocation *)location,
                                       (CUmemAllocationType)type, memPool));
    return rt_return(err);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location,
                              enum cudaMemAllocationType type,
                              cudaMemPool_t memPool)
{
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = rt_error(pool_set_current_at((const CUmemLocation *)location,
                                           (CUmemAllocationType)type, memPool));
    return rt_return(err);
}

/* ---- one pool ------------------------------------------------------------ */

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool,
                              const struct cudaMemPoolProps *poolProps)
{
    static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps),
                  "one layout in both APIs");
    cudaError_t err = check_pool_call(memPool && poolProps ? memPool : NULL);
    if (!err)
        err = rt_error(pool_create((const CUmemPoolProps *)poolProps, memPool));
    return rt_return(err);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = rt_error(capture_check_call());
    if (!err)
        err = rt_error(pool_destroy(memPool));
    return rt_return(err);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = rt_error(pool_trim(memPool, minBytesToKeep));
    return rt_return(err);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    cudaError_t err = check_pool_call(value);
    if (!err)
        err = rt_error(pool_get(memPool, (CUmemPool_attribute)attr, value));
    return rt_return(err);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    cudaError_t err = check_pool_call(value);
    if (!err)
        err = rt_error(pool_set(memPool, (CUmemPool_attribute)attr, value));
    return rt_return(err);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool,
                                 const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    cudaError_t err = check_pool_call(count ? (const void *)descList : memPool);
    if (!err)
        err = rt_error(
            pool_set_access(memPool, (const CUmemAccessDesc *)descList, count));
    return rt_return(err);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    cudaError_t err = check_pool_call(flags && location ? flags : NULL);
    if (!err)
        err = rt_error(capture_check_call());
    if (!err)
        err = rt_error(pool_get_access(memPool, (const CUmemLocation *)location,
                                       (CUmemAccess_flags *)flags));
    return rt_return(err);
}

/* ---- other processes ----------------------------------------------------- */

static cudaError_t check_handle_type(enum cudaMemAllocationHandleType type,
                                     unsigned flags)
{
    return flags ? cudaErrorInvalidValue
                 : rt_error(
                       pool_check_handle_type((CUmemAllocationHandleType)type));
}

cudaError_t
cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                   enum cudaMemAllocationHandleType handleType,
                                   unsigned int flags)
{
    cudaError_t err = check_pool_call(shareableHandle);
    if (!err)
        err =
            rt_error(pool_export(memPool, (CUmemAllocationHandleType)handleType,
                                 flags, shareableHandle));
    return rt_return(err);
}

/* The handle is a file descriptor, passed as a pointer. */
cudaError_t cudaMemPoolImportFromShareableHandle(
    cudaMemPool_t *memPool, void *shareableHandle,
    enum cudaMemAllocationHandleType handleType, unsigned int flags)
{
    CUcontext ctx;
    cudaError_t err = check_pool_call(memPool);
    if (!err)
        err = check_handle_type(handleType, flags);
    if (!err)
        err = rt_context(&ctx);
    if (!err)
        err =
            rt_error(pool_import(ctx, (int)(intptr_t)shareableHandle, memPool));
    return rt_return(err);
}

cudaError_t
cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr)
{
    static_assert(sizeof *exportData == sizeof(CUmemPoolPtrExportData),
                  "one layout in both APIs");
    cudaError_t err = check_pool_call(exportData);
    if (!err)
        err = rt_error(pool_export_pointer(
            (CUdeviceptr)(uintptr_t)ptr, (CUmemPoolPtrExportData *)exportData));
    return rt_return(err);
}

cudaError_t
cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool,
                         struct cudaMemPoolPtrExportData *exportData)
{
    CUdeviceptr p;
    cudaError_t err = check_pool_call(ptr && exportData ? ptr : NULL);
    if (!err)
        err = rt_error(pool_import_pointer(
            memPool, (const CUmemPoolPtrExportData *)exportData, &p));
    if (!err)
        *ptr = (void *)(uintptr_t)p;
    return rt_return(err);
}
