/* SPDX-License-Identifier: Apache-2.0 */
/* Images of EGL as graphics resources, its fences as events. */
#include "driver/internal.h"

#include "cudaEGL.h"

CUresult cuGraphicsEGLRegisterImage(CUgraphicsResource *pCudaResource,
                                    EGLImageKHR image, unsigned int flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (!err && !pCudaResource)
        err = CUDA_ERROR_INVALID_VALUE;
    return err ? err
               : graphics_register_egl_image(ctx, image, flags, pCudaResource);
}

/* Red comes first in memory, and names of formats begin with the highest byte.
 */
static CUeglColorFormat color_format(unsigned channels)
{
    return channels == 1   ? CU_EGL_COLOR_FORMAT_R
           : channels == 2 ? CU_EGL_COLOR_FORMAT_RG
                           : CU_EGL_COLOR_FORMAT_ABGR;
}

CUresult cuGraphicsResourceGetMappedEglFrame(CUeglFrame *eglFrame,
                                             CUgraphicsResource resource,
                                             unsigned int index,
                                             unsigned int mipLevel)
{
    CUarray a;
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult err = drv_check_context();
    if (!err && !eglFrame)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = graphics_array(resource, index, mipLevel, &a);
    if (!err)
        err = array_describe(a, &d);
    if (err)
        return err;
    *eglFrame = (CUeglFrame){
        .frame.pArray = {a},
        .width = (unsigned)d.Width,
        .height = (unsigned)d.Height,
        .depth = (unsigned)d.Depth,
        .planeCount = 1,
        .numChannels = d.NumChannels,
        .frameType = CU_EGL_FRAME_TYPE_ARRAY,
        .eglColorFormat = color_format(d.NumChannels),
        .cuFormat = d.Format,
    };
    return CUDA_SUCCESS;
}

CUresult cuEventCreateFromEGLSync(CUevent *phEvent, EGLSyncKHR eglSync,
                                  unsigned int flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (!err && !phEvent)
        err = CUDA_ERROR_INVALID_VALUE;
    return err ? err : graphics_egl_event(ctx, eglSync, flags, phEvent);
}
