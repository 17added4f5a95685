/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface objects. */
#include "driver/internal.h"

CUresult cuTexObjectCreate(CUtexObject *pTexObject,
                           const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)
{
    CUresult err = drv_check_given(pTexObject && pResDesc ? pTexDesc : NULL);
    return err ? err
               : texture_create(pResDesc, pTexDesc, pResViewDesc, pTexObject);
}

CUresult cuTexObjectDestroy(CUtexObject texObject)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (!err)
        err = capture_check_call();
    return err ? err : texture_destroy(texObject);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc,
                                    CUtexObject texObject)
{
    CUresult err = drv_check_given(pResDesc);
    return err ? err : texture_describe(texObject, pResDesc, NULL, NULL);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc,
                                   CUtexObject texObject)
{
    CUresult err = drv_check_given(pTexDesc);
    return err ? err : texture_describe(texObject, NULL, pTexDesc, NULL);
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc,
                                        CUtexObject texObject)
{
    CUresult err = drv_check_given(pResViewDesc);
    return err ? err : texture_describe(texObject, NULL, NULL, pResViewDesc);
}

CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject,
                            const CUDA_RESOURCE_DESC *pResDesc)
{
    CUresult err = drv_check_given(pSurfObject ? pResDesc : NULL);
    return err ? err : surface_create(pResDesc, pSurfObject);
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (!err)
        err = capture_check_call();
    return err ? err : surface_destroy(surfObject);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc,
                                     CUsurfObject surfObject)
{
    CUresult err = drv_check_given(pResDesc);
    return err ? err : surface_describe(surfObject, pResDesc);
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                            CUarray_format format,
                                            unsigned numChannels, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!maxWidthInElements)
        return CUDA_ERROR_INVALID_VALUE;
    return texture_linear_width(format, numChannels, maxWidthInElements);
}
