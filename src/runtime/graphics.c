/* SPDX-License-Identifier: Apache-2.0 */
/* Graphics resources: buffers and images of OpenGL. */
#include "runtime/internal.h"

#include "cuda_gl_interop.h"

/* The runtime API has one error for all that is wrong with mappings. */
static cudaError_t of_mapping(CUresult err)
{
    switch (err) {
    case CUDA_ERROR_ALREADY_MAPPED:
    case CUDA_ERROR_NOT_MAPPED:
    case CUDA_ERROR_NOT_MAPPED_AS_ARRAY:
    case CUDA_ERROR_NOT_MAPPED_AS_POINTER:
        return cudaErrorUnknown;
    default:
        return rt_error(err);
    }
}

/* The default stream is the legacy one, even per thread. */
static cudaError_t shared_stream(cudaStream_t handle, CUstream *out)
{
    CUcontext ctx;
    return rt_stream_or(handle, CU_STREAM_LEGACY, &ctx, out);
}

/* ---- any resource -------------------------------------------------------- */

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(graphics_unregister((CUgraphicsResource)resource));
    return rt_return(err);
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource,
                                            unsigned int flags)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = of_mapping(
            graphics_set_map_flags((CUgraphicsResource)resource, flags));
    return rt_return(err);
}

static cudaError_t
map_or_unmap(CUresult (*how)(CUstream s, const CUgraphicsResource *resources,
                             unsigned count),
             int count, cudaGraphicsResource_t *resources, cudaStream_t handle)
{
    CUstream s;
    if (count < 0) /* there are not so many */
        return cudaErrorInvalidResourceHandle;
    cudaError_t err = shared_stream(handle, &s);
    return err ? err
               : of_mapping(how(s, (const CUgraphicsResource *)resources,
                                (unsigned)count));
}

cudaError_t cudaGraphicsMapResources(int count,
                                     cudaGraphicsResource_t *resources,
                                     cudaStream_t stream)
{
    return rt_return(map_or_unmap(graphics_map, count, resources, stream));
}

cudaError_t cudaGraphicsUnmapResources(int count,
                                       cudaGraphicsResource_t *resources,
                                       cudaStream_t stream)
{
    return rt_return(map_or_unmap(graphics_unmap, count, resources, stream));
}

cudaError_t
cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size,
                                     cudaGraphicsResource_t resource)
{
    CUcontext ctx;
    CUdeviceptr p;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = of_mapping(graphics_pointer((CUgraphicsResource)resource,
                                          devPtr ? &p : NULL, size));
    if (!err)
        *devPtr = (void *)(uintptr_t)p;
    return rt_return(err);
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(
    cudaArray_t *array, cudaGraphicsResource_t resource,
    unsigned int arrayIndex, unsigned int mipLevel)
{
    CUcontext ctx;
    CUarray a;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = of_mapping(graphics_array((CUgraphicsResource)resource,
                                        arrayIndex, mipLevel,
                                        array ? &a : NULL));
    if (!err)
        *array = (cudaArray_t)a;
    return rt_return(err);
}

cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(
    cudaMipmappedArray_t *mipmappedArray, cudaGraphicsResource_t resource)
{
    CUcontext ctx;
    CUmipmappedArray m;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = of_mapping(graphics_mipmap((CUgraphicsResource)resource,
                                         mipmappedArray ? &m : NULL));
    if (!err)
        *mipmappedArray = (cudaMipmappedArray_t)m;
    return rt_return(err);
}

/* ---- OpenGL -------------------------------------------------------------- */

cudaError_t cudaGLGetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices,
                             unsigned int cudaDeviceCount,
                             enum cudaGLDeviceList deviceList)
{
    if (!pCudaDeviceCount || (cudaDeviceCount && !pCudaDevices) ||
        deviceList < cudaGLDeviceListAll ||
        deviceList > cudaGLDeviceListNextFrame)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(graphics_gl_check());
    if (err)
        return rt_return(err);
    if (cudaDeviceCount)
        pCudaDevices[0] = rt_current_device();
    *pCudaDeviceCount = 1;
    return rt_return(cudaSuccess);
}

cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource,
                                         GLuint buffer, unsigned int flags)
{
    CUcontext ctx;
    CUgraphicsResource r;
    if (!resource)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(graphics_register_buffer(ctx, buffer, flags, &r));
    if (!err)
        *resource = (struct cudaGraphicsResource *)r;
    return rt_return(err);
}

cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource,
                                        GLuint image, GLenum target,
                                        unsigned int flags)
{
    CUcontext ctx;
    CUgraphicsResource r;
    if (!resource)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(graphics_register_image(ctx, image, target, flags, &r));
    if (!err)
        *resource = (struct cudaGraphicsResource *)r;
    return rt_return(err);
}

/* All devices work with OpenGL. */
cudaError_t cudaGLSetGLDevice(int device)
{
    return rt_forward(cudaSetDevice(device));
}

/* ---- buffers by their names ---------------------------------------------- */

cudaError_t cudaGLRegisterBufferObject(GLuint bufObj)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(graphics_register_by_name(ctx, bufObj));
    return rt_return(err);
}

static cudaError_t find_buffer(GLuint buffer, CUgraphicsResource *out)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    return err ? err : rt_error(graphics_find_by_name(buffer, out));
}

cudaError_t cudaGLUnregisterBufferObject(GLuint bufObj)
{
    CUgraphicsResource r;
    cudaError_t err = find_buffer(bufObj, &r);
    if (!err)
        err = rt_error(graphics_unregister(r));
    return rt_return(err);
}

cudaError_t cudaGLSetBufferObjectMapFlags(GLuint bufObj, unsigned int flags)
{
    CUgraphicsResource r;
    cudaError_t err = find_buffer(bufObj, &r);
    if (!err)
        err = of_mapping(graphics_set_map_flags(r, flags));
    return rt_return(err);
}

cudaError_t cudaGLMapBufferObjectAsync(void **devPtr, GLuint bufObj,
                                       cudaStream_t handle)
{
    CUstream s;
    CUgraphicsResource r;
    CUdeviceptr p;
    size_t size_bytes;
    if (!devPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = shared_stream(handle, &s);
    if (!err)
        err = find_buffer(bufObj, &r);
    if (!err)
        err = of_mapping(graphics_map(s, &r, 1));
    if (!err)
        err = of_mapping(graphics_pointer(r, &p, &size_bytes));
    if (!err)
        *devPtr = (void *)(uintptr_t)p;
    return rt_return(err);
}

cudaError_t cudaGLMapBufferObject(void **devPtr, GLuint bufObj)
{
    return rt_forward(cudaGLMapBufferObjectAsync(devPtr, bufObj, NULL));
}

cudaError_t cudaGLUnmapBufferObjectAsync(GLuint bufObj, cudaStream_t handle)
{
    CUstream s;
    CUgraphicsResource r;
    cudaError_t err = shared_stream(handle, &s);
    if (!err)
        err = find_buffer(bufObj, &r);
    if (!err)
        err = of_mapping(graphics_unmap(s, &r, 1));
    return rt_return(err);
}

cudaError_t cudaGLUnmapBufferObject(GLuint bufObj)
{
    return rt_forward(cudaGLUnmapBufferObjectAsync(bufObj, NULL));
}
