/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of boxes, between pitched memory and arrays. */
#include "runtime/internal.h"

static cudaError_t copy_box(const struct cudaMemcpy3DParms *p,
                            enum copy_manner manner, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    CUDA_MEMCPY3D box;
    if (!p)
        return cudaErrorInvalidValue;
    cudaError_t err = rt_check_direction(p->kind);
    if (!err)
        err = rt_stream(stream, &ctx, &s);
    if (err || !p->extent.width || !p->extent.height || !p->extent.depth)
        return err;
    err = rt_describe_box(p, &box);
    return err ? err : rt_error(copy_run_box(s, &box, manner));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return rt_return(copy_box(p, COPY_SYNC, NULL));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                              cudaStream_t stream)
{
    return rt_return(copy_box(p, COPY_ASYNC, stream));
}

/* ---- between devices ----------------------------------------------------- */

static cudaError_t
copy_box_between_devices(const struct cudaMemcpy3DPeerParms *p,
                         cudaStream_t stream)
{
    if (!p)
        return cudaErrorInvalidValue;
    if (!rt_is_device(p->srcDevice) || !rt_is_device(p->dstDevice))
        return rt_no_such_device();
    cudaError_t err = rt_refuse_captured(stream);
    if (err)
        return err;
    struct cudaMemcpy3DParms same = {
        .srcArray = p->srcArray,
        .srcPos = p->srcPos,
        .srcPtr = p->srcPtr,
        .dstArray = p->dstArray,
        .dstPos = p->dstPos,
        .dstPtr = p->dstPtr,
        .extent = p->extent,
        .kind = cudaMemcpyDeviceToDevice,
    };
    return copy_box(&same, COPY_ASYNC, stream);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return rt_return(copy_box_between_devices(p, NULL));
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                  cudaStream_t stream)
{
    return rt_return(copy_box_between_devices(p, stream));
}
