/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and semaphores of other APIs. Signals and waits in stream order are in
 * external_order.c, those of graphs in graph_nodes.c. */
#include "driver/internal.h"

CUresult
cuImportExternalMemory(CUexternalMemory *extMem_out,
                       const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc)
{
    CUcontext ctx;
    CUresult err =
        drv_context_for(extMem_out && memHandleDesc ? extMem_out : NULL, &ctx);
    return err ? err : external_memory_import(ctx, memHandleDesc, extMem_out);
}

CUresult cuExternalMemoryGetMappedBuffer(
    CUdeviceptr *devPtr, CUexternalMemory extMem,
    const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc)
{
    CUcontext ctx;
    CUresult err = drv_context_for(extMem && bufferDesc ? devPtr : NULL, &ctx);
    return err ? err : external_memory_buffer(extMem, bufferDesc, devPtr);
}

CUresult cuExternalMemoryGetMappedMipmappedArray(
    CUmipmappedArray *mipmap, CUexternalMemory extMem,
    const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc)
{
    CUcontext ctx;
    CUresult err = drv_context_for(extMem && mipmapDesc ? mipmap : NULL, &ctx);
    return err ? err : external_memory_mipmap(extMem, mipmapDesc, mipmap);
}

CUresult cuDestroyExternalMemory(CUexternalMemory extMem)
{
    CUresult err = drv_initialised();
    if (!err && !extMem)
        err = CUDA_ERROR_INVALID_VALUE;
    return err ? err : external_memory_destroy(extMem);
}

CUresult cuImportExternalSemaphore(
    CUexternalSemaphore *extSem_out,
    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc)
{
    CUcontext ctx;
    CUresult err =
        drv_context_for(extSem_out && semHandleDesc ? extSem_out : NULL, &ctx);
    return err ? err
               : external_semaphore_import(ctx, semHandleDesc, extSem_out);
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore extSem)
{
    CUresult err = drv_initialised();
    if (!err && !extSem)
        err = CUDA_ERROR_INVALID_VALUE;
    return err ? err : external_semaphore_destroy(extSem);
}
