/* SPDX-License-Identifier: Apache-2.0 */
/* Graphics resources; buffers and images of OpenGL. Mapping in stream order is
 * in graphics_map.c. */
#include "driver/internal.h"

#include "cudaGL.h"

/* ---- any resource -------------------------------------------------------- */

CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource)
{
    CUresult err = drv_initialised();
    return err ? err : graphics_unregister(resource);
}

CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource,
                                       unsigned int flags)
{
    CUresult err = drv_initialised();
    return err ? err : graphics_set_map_flags(resource, flags);
}

CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *pDevPtr, size_t *pSize,
                                            CUgraphicsResource resource)
{
    CUresult err = drv_initialised();
    return err ? err : graphics_pointer(resource, pDevPtr, pSize);
}

CUresult cuGraphicsSubResourceGetMappedArray(CUarray *pArray,
                                             CUgraphicsResource resource,
                                             unsigned int arrayIndex,
                                             unsigned int mipLevel)
{
    CUresult err = drv_initialised();
    return err ? err : graphics_array(resource, arrayIndex, mipLevel, pArray);
}

CUresult
cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *pMipmappedArray,
                                          CUgraphicsResource resource)
{
    CUresult err = drv_initialised();
    return err ? err : graphics_mipmap(resource, pMipmappedArray);
}

/* ---- OpenGL -------------------------------------------------------------- */

CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource,
                                    GLuint buffer, unsigned int Flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (!err && !pCudaResource)
        err = CUDA_ERROR_INVALID_VALUE;
    return err ? err
               : graphics_register_buffer(ctx, buffer, Flags, pCudaResource);
}

CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource,
                                   GLuint image, GLenum target,
                                   unsigned int Flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (!err && !pCudaResource)
        err = CUDA_ERROR_INVALID_VALUE;
    return err ? err
               : graphics_register_image(ctx, image, target, Flags,
                                         pCudaResource);
}

/* OpenGL and all devices share the CPU's memory; the thread's device is given.
 */
CUresult cuGLGetDevices(unsigned int *pCudaDeviceCount, CUdevice *pCudaDevices,
                        unsigned int cudaDeviceCount, CUGLDeviceList deviceList)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!pCudaDeviceCount || (cudaDeviceCount && !pCudaDevices) ||
        deviceList < CU_GL_DEVICE_LIST_ALL ||
        deviceList > CU_GL_DEVICE_LIST_NEXT_FRAME)
        return CUDA_ERROR_INVALID_VALUE;
    err = graphics_gl_check();
    if (err)
        return err;
    if (cudaDeviceCount)
        pCudaDevices[0] = ctx_device_of_thread();
    *pCudaDeviceCount = 1;
    return CUDA_SUCCESS;
}

CUresult cuGLCtxCreate(CUcontext *pCtx, unsigned int Flags, CUdevice device)
{
    CUresult err = drv_initialised();
    if (!err)
        err = graphics_gl_check();
    return err ? err : cuCtxCreate(pCtx, Flags, device);
}

CUresult cuGLInit(void)
{
    CUresult err = drv_check_context();
    return err ? err : graphics_gl_check();
}

/* ---- buffers by their names ---------------------------------------------- */

CUresult cuGLRegisterBufferObject(GLuint buffer)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    return err ? err : graphics_register_by_name(ctx, buffer);
}

CUresult cuGLUnregisterBufferObject(GLuint buffer)
{
    CUgraphicsResource r;
    CUresult err = drv_check_context();
    if (!err)
        err = graphics_find_by_name(buffer, &r);
    return err ? err : graphics_unregister(r);
}

CUresult cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned int Flags)
{
    CUgraphicsResource r;
    CUresult err = drv_check_context();
    if (!err)
        err = graphics_find_by_name(buffer, &r);
    return err ? err : graphics_set_map_flags(r, Flags);
}

CUresult cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUgraphicsResource r;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (!err)
        err = graphics_find_by_name(buffer, &r);
    return err ? err : graphics_unmap(s, &r, 1);
}

CUresult cuGLUnmapBufferObject(GLuint buffer)
{
    return cuGLUnmapBufferObjectAsync(buffer, NULL);
}

/* ---- old forms with the same meaning ------------------------------------- */

#undef cuGraphicsResourceSetMapFlags
#undef cuGLGetDevices
#undef cuGLCtxCreate

CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource,
                                       unsigned int flags);
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource,
                                       unsigned int flags)
{
    return cuGraphicsResourceSetMapFlags_v2(resource, flags);
}

CUresult cuGLGetDevices(unsigned int *pCudaDeviceCount, CUdevice *pCudaDevices,
                        unsigned int cudaDeviceCount,
                        CUGLDeviceList deviceList);
CUresult cuGLGetDevices(unsigned int *pCudaDeviceCount, CUdevice *pCudaDevices,
                        unsigned int cudaDeviceCount, CUGLDeviceList deviceList)
{
    return cuGLGetDevices_v2(pCudaDeviceCount, pCudaDevices, cudaDeviceCount,
                             deviceList);
}

CUresult cuGLCtxCreate(CUcontext *pCtx, unsigned int Flags, CUdevice device);
CUresult cuGLCtxCreate(CUcontext *pCtx, unsigned int Flags, CUdevice device)
{
    return cuGLCtxCreate_v2(pCtx, Flags, device);
}
