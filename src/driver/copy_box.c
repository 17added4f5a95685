/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that a structure describes: of rows and boxes, in memory and arrays.
 */
#include "driver/internal.h"

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy)
{
    return drv_copy_box(pCopy, COPY_SYNC, NULL);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream)
{
    return drv_copy_box(pCopy, COPY_ASYNC, hStream);
}

/* ---- rows ---------------------------------------------------------------- */

static CUresult copy_2d(const CUDA_MEMCPY2D *c, enum copy_manner manner,
                        CUstream handle)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_MEMCPY3D box = {
        .srcXInBytes = c->srcXInBytes,
        .srcY = c->srcY,
        .srcMemoryType = c->srcMemoryType,
        .srcHost = c->srcHost,
        .srcDevice = c->srcDevice,
        .srcArray = c->srcArray,
        .srcPitch = c->srcPitch,
        .dstXInBytes = c->dstXInBytes,
        .dstY = c->dstY,
        .dstMemoryType = c->dstMemoryType,
        .dstHost = c->dstHost,
        .dstDevice = c->dstDevice,
        .dstArray = c->dstArray,
        .dstPitch = c->dstPitch,
        .WidthInBytes = c->WidthInBytes,
        .Height = c->Height,
        .Depth = 1,
    };
    return drv_copy_box(&box, manner, handle);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
    return copy_2d(pCopy, COPY_SYNC, NULL);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
    return copy_2d(pCopy, COPY_SYNC, NULL);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
    return copy_2d(pCopy, COPY_ASYNC, hStream);
}

/* ---- between contexts ---------------------------------------------------- */

static CUresult copy_3d_between(const CUDA_MEMCPY3D_PEER *c,
                                enum copy_manner manner, CUstream handle)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    if (!c->WidthInBytes || !c->Height || !c->Depth)
        return CUDA_SUCCESS; /* whatever the contexts */
    err = drv_check_other(c->dstContext);
    if (!err)
        err = drv_check_other(c->srcContext);
    if (!err && manner == COPY_ASYNC)
        err = drv_refuse_captured(handle);
    if (err)
        return err;
    const CUDA_MEMCPY3D box = {
        .srcXInBytes = c->srcXInBytes,
        .srcY = c->srcY,
        .srcZ = c->srcZ,
        .srcLOD = c->srcLOD,
        .srcMemoryType = c->srcMemoryType,
        .srcHost = c->srcHost,
        .srcDevice = c->srcDevice,
        .srcArray = c->srcArray,
        .srcPitch = c->srcPitch,
        .srcHeight = c->srcHeight,
        .dstXInBytes = c->dstXInBytes,
        .dstY = c->dstY,
        .dstZ = c->dstZ,
        .dstLOD = c->dstLOD,
        .dstMemoryType = c->dstMemoryType,
        .dstHost = c->dstHost,
        .dstDevice = c->dstDevice,
        .dstArray = c->dstArray,
        .dstPitch = c->dstPitch,
        .dstHeight = c->dstHeight,
        .WidthInBytes = c->WidthInBytes,
        .Height = c->Height,
        .Depth = c->Depth,
    };
    return drv_copy_box(&box, manner, handle);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)
{
    return copy_3d_between(pCopy, COPY_SYNC, NULL);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
    return copy_3d_between(pCopy, COPY_ASYNC, hStream);
}
