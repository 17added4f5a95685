/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping of graphics resources, in the order of a stream. */
#include "driver/internal.h"

#include "cudaGL.h"

CUresult cuGraphicsMapResources(unsigned int count,
                                CUgraphicsResource *resources, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream_outside(hStream, &ctx, &s);
    return err ? err : graphics_map(s, resources, count);
}

CUresult cuGraphicsUnmapResources(unsigned int count,
                                  CUgraphicsResource *resources,
                                  CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream_outside(hStream, &ctx, &s);
    return err ? err : graphics_unmap(s, resources, count);
}

CUresult cuGLMapBufferObjectAsync(CUdeviceptr *dptr, size_t *size,
                                  GLuint buffer, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUgraphicsResource r;
    CUdeviceptr p;
    size_t size_bytes;
    CUresult err = drv_stream_outside(hStream, &ctx, &s);
    if (!err && !dptr)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = graphics_find_by_name(buffer, &r);
    if (!err)
        err = graphics_map(s, &r, 1);
    if (!err)
        err = graphics_pointer(r, &p, &size_bytes);
    if (err)
        return err;
    *dptr = p;
    if (size)
        *size = size_bytes;
    return CUDA_SUCCESS;
}

CUresult cuGLMapBufferObject(CUdeviceptr *dptr, size_t *size, GLuint buffer)
{
    return cuGLMapBufferObjectAsync(dptr, size, buffer, NULL);
}
