/* SPDX-License-Identifier: Apache-2.0 */
/* Images of EGL as graphics resources, its fences as events. */
#include "runtime/texture.h"

#include "cuda_egl_interop.h"

cudaError_t
cudaGraphicsEGLRegisterImage(struct cudaGraphicsResource **pCudaResource,
                             EGLImageKHR image, unsigned int flags)
{
    CUcontext ctx;
    CUgraphicsResource r;
    if (!pCudaResource)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(graphics_register_egl_image(ctx, image, flags, &r));
    if (!err)
        *pCudaResource = (struct cudaGraphicsResource *)r;
    return rt_return(err);
}

/* Red comes first in memory, and names of formats begin with the highest byte.
 */
static cudaEglColorFormat color_format(unsigned channels)
{
    return channels == 1   ? cudaEglColorFormatR
           : channels == 2 ? cudaEglColorFormatRG
                           : cudaEglColorFormatABGR;
}

static cudaEglFrame frame_of(CUarray a, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    return (cudaEglFrame){
        .frame.pArray = {(cudaArray_t)a},
        .planeDesc = {{.width = (unsigned)d->Width,
                       .height = (unsigned)d->Height,
                       .depth = (unsigned)d->Depth,
                       .numChannels = d->NumChannels,
                       .channelDesc =
                           rt_channels_of(d->Format, d->NumChannels)}},
        .planeCount = 1,
        .frameType = cudaEglFrameTypeArray,
        .eglColorFormat = color_format(d->NumChannels),
    };
}

cudaError_t
cudaGraphicsResourceGetMappedEglFrame(cudaEglFrame *eglFrame,
                                      cudaGraphicsResource_t resource,
                                      unsigned int index, unsigned int mipLevel)
{
    CUcontext ctx;
    CUarray a;
    CUDA_ARRAY3D_DESCRIPTOR d;
    if (!eglFrame)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(
            graphics_array((CUgraphicsResource)resource, index, mipLevel, &a));
    if (err == (cudaError_t)CUDA_ERROR_NOT_MAPPED ||
        err == (cudaError_t)CUDA_ERROR_NOT_MAPPED_AS_ARRAY)
        err = cudaErrorUnknown; /* as for other resources: graphics.c */
    if (!err)
        err = rt_error(array_describe(a, &d));
    if (!err)
        *eglFrame = frame_of(a, &d);
    return rt_return(err);
}

cudaError_t cudaEventCreateFromEGLSync(cudaEvent_t *phEvent, EGLSyncKHR eglSync,
                                       unsigned int flags)
{
    CUcontext ctx;
    if (!phEvent)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(graphics_egl_event(ctx, eglSync, flags, phEvent));
    return rt_return(err);
}
