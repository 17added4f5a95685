/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and mipmapped arrays: making, ending, what they are. */
#include "driver/internal.h"

CUresult cuArray3DCreate(CUarray *pHandle,
                         const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
    CUcontext ctx;
    CUresult err =
        drv_context_for(pHandle && pAllocateArray ? pHandle : NULL, &ctx);
    return err ? err : array_create(ctx, pAllocateArray, pHandle);
}

CUresult cuArrayCreate(CUarray *pHandle,
                       const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)
{
    CUcontext ctx;
    CUresult err =
        drv_context_for(pHandle && pAllocateArray ? pHandle : NULL, &ctx);
    if (err)
        return err;
    const CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = pAllocateArray->Width,
        .Height = pAllocateArray->Height,
        .Format = pAllocateArray->Format,
        .NumChannels = pAllocateArray->NumChannels,
    };
    return array_create(ctx, &d, pHandle);
}

/* Of calls that an array answers, whatever context is current. */
static CUresult check_array_call(const void *given)
{
    CUcontext ctx;
    CUresult err = drv_context_anywhere(&ctx);
    return err ? err : given ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuArrayDestroy(CUarray hArray)
{
    CUcontext ctx;
    CUresult err = drv_context_or_none(&ctx);
    return err ? err : array_destroy(ctx, hArray);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor,
                                CUarray hArray)
{
    CUresult err = check_array_call(pArrayDescriptor);
    return err ? err : array_describe(hArray, pArrayDescriptor);
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor,
                              CUarray hArray)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult err = check_array_call(pArrayDescriptor);
    if (!err)
        err = array_describe(hArray, &d);
    if (err)
        return err;
    *pArrayDescriptor = (CUDA_ARRAY_DESCRIPTOR){
        .Width = d.Width,
        .Height = d.Height,
        .Format = d.Format,
        .NumChannels = d.NumChannels,
    };
    return CUDA_SUCCESS;
}

/* ---- mipmapped arrays ---------------------------------------------------- */

CUresult
cuMipmappedArrayCreate(CUmipmappedArray *pHandle,
                       const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                       unsigned int numMipmapLevels)
{
    CUcontext ctx;
    CUresult err =
        drv_context_for(pHandle && pMipmappedArrayDesc ? pHandle : NULL, &ctx);
    return err ? err
               : mipmap_create(ctx, pMipmappedArrayDesc, numMipmapLevels,
                               pHandle);
}

CUresult cuMipmappedArrayGetLevel(CUarray *pLevelArray,
                                  CUmipmappedArray hMipmappedArray,
                                  unsigned int level)
{
    CUresult err = check_array_call(pLevelArray);
    return err ? err : mipmap_level(hMipmappedArray, level, pLevelArray);
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray)
{
    CUcontext ctx;
    CUresult err = drv_context_or_none(&ctx);
    return err ? err : mipmap_destroy(ctx, hMipmappedArray);
}

CUresult cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray,
                         unsigned int planeIdx)
{
    CUcontext ctx;
    CUresult err = drv_context_anywhere(&ctx);
    return err ? err : array_plane(hArray, planeIdx, pPlaneArray);
}

/* ---- sparse and deferred arrays ------------------------------------------ */

/* We have neither; of an array that is none CUDA says INVALID_VALUE. */
static CUresult has_none(CUarray array)
{
    CUcontext ctx;
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult err = drv_context(&ctx);
    if (!err)
        err = array_describe(array, &d);
    return err ? err : CUDA_ERROR_INVALID_VALUE;
}

static CUresult has_none_mipmapped(CUmipmappedArray mipmap)
{
    CUcontext ctx;
    CUarray level;
    CUresult err = drv_context(&ctx);
    if (!err)
        err = mipmap_level(mipmap, 0, &level);
    return err ? err : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
                           CUarray array)
{
    (void)sparseProperties;
    return array ? has_none(array) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMipmappedArrayGetSparseProperties(
    CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUmipmappedArray mipmap)
{
    (void)sparseProperties;
    return mipmap ? has_none_mipmapped(mipmap) : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                             CUarray array, CUdevice device)
{
    (void)memoryRequirements, (void)device;
    return array ? has_none(array) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMipmappedArrayGetMemoryRequirements(
    CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements, CUmipmappedArray mipmap,
    CUdevice device)
{
    (void)memoryRequirements, (void)device;
    return mipmap ? has_none_mipmapped(mipmap) : CUDA_ERROR_INVALID_VALUE;
}
