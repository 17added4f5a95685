/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and semaphores of other APIs. Signals and waits in stream order are in
 * external_order.c, those of graphs in graph_nodes.c. */
#include "runtime/texture.h"

/* Both APIs number the kinds of handles alike. */
static_assert(
    (int)cudaExternalMemoryHandleTypeNvSciBuf ==
            (int)CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF &&
        (int)cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd ==
            (int)CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD,
    "one numbering");

cudaError_t cudaImportExternalMemory(
    cudaExternalMemory_t *extMem_out,
    const struct cudaExternalMemoryHandleDesc *memHandleDesc)
{
    CUcontext ctx;
    CUexternalMemory m;
    if (!extMem_out || !memHandleDesc)
        return rt_return(cudaErrorInvalidValue);
    const CUDA_EXTERNAL_MEMORY_HANDLE_DESC d = {
        .type = (CUexternalMemoryHandleType)memHandleDesc->type,
        .handle.win32 = {memHandleDesc->handle.win32.handle,
                         memHandleDesc->handle.win32.name},
        .size = memHandleDesc->size,
        .flags = memHandleDesc->flags,
    };
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(external_memory_import(ctx, &d, &m));
    if (!err)
        *extMem_out = (cudaExternalMemory_t)m;
    return rt_return(err);
}

cudaError_t cudaExternalMemoryGetMappedBuffer(
    void **devPtr, cudaExternalMemory_t extMem,
    const struct cudaExternalMemoryBufferDesc *bufferDesc)
{
    CUcontext ctx;
    CUdeviceptr p;
    if (!devPtr || !extMem || !bufferDesc)
        return rt_return(cudaErrorInvalidValue);
    const CUDA_EXTERNAL_MEMORY_BUFFER_DESC d = {
        .offset = bufferDesc->offset,
        .size = bufferDesc->size,
        .flags = bufferDesc->flags,
    };
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err =
            rt_error(external_memory_buffer((CUexternalMemory)extMem, &d, &p));
    if (!err)
        *devPtr = (void *)(uintptr_t)p;
    return rt_return(err);
}

static cudaError_t
mipmapped_desc(const struct cudaExternalMemoryMipmappedArrayDesc *given,
               CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *out)
{
    *out = (CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC){
        .offset = given->offset,
        .numLevels = given->numLevels,
        .arrayDesc = {.Width = given->extent.width,
                      .Height = given->extent.height,
                      .Depth = given->extent.depth,
                      .Flags = given->flags},
    };
    return rt_format_of(&given->formatDesc, &out->arrayDesc.Format,
                        &out->arrayDesc.NumChannels);
}

cudaError_t cudaExternalMemoryGetMappedMipmappedArray(
    cudaMipmappedArray_t *mipmap, cudaExternalMemory_t extMem,
    const struct cudaExternalMemoryMipmappedArrayDesc *mipmapDesc)
{
    CUcontext ctx;
    CUmipmappedArray m;
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC d;
    if (!mipmap || !mipmapDesc)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = mipmapped_desc(mipmapDesc, &d);
    if (!err)
        err =
            rt_error(external_memory_mipmap((CUexternalMemory)extMem, &d, &m));
    if (!err)
        *mipmap = (cudaMipmappedArray_t)m;
    return rt_return(err);
}

cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem)
{
    CUcontext ctx;
    cudaError_t err = rt_context_for(extMem, &ctx);
    if (!err)
        err = rt_error(external_memory_destroy((CUexternalMemory)extMem));
    return rt_return(err);
}

cudaError_t cudaImportExternalSemaphore(
    cudaExternalSemaphore_t *extSem_out,
    const struct cudaExternalSemaphoreHandleDesc *semHandleDesc)
{
    CUcontext ctx;
    CUexternalSemaphore sem;
    if (!extSem_out || !semHandleDesc)
        return rt_return(cudaErrorInvalidValue);
    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d = {
        .type = (CUexternalSemaphoreHandleType)semHandleDesc->type,
        .handle.win32 = {semHandleDesc->handle.win32.handle,
                         semHandleDesc->handle.win32.name},
        .flags = semHandleDesc->flags,
    };
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(external_semaphore_import(ctx, &d, &sem));
    if (!err)
        *extSem_out = (cudaExternalSemaphore_t)sem;
    return rt_return(err);
}

cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem)
{
    CUcontext ctx;
    cudaError_t err = rt_context_for(extSem, &ctx);
    if (!err)
        err = rt_error(external_semaphore_destroy((CUexternalSemaphore)extSem));
    return rt_return(err);
}
