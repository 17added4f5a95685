/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and images of OpenGL in the runtime API.
 *
 * Threads, errors, owners and units are as cuda_runtime_api.h says. */
#ifndef WEFT_CUDA_GL_INTEROP_H
#define WEFT_CUDA_GL_INTEROP_H
/* Programs ask for this name to know whether the header was included. */
#define __CUDA_GL_INTEROP_H__

#include "cuda_runtime_api.h"

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif
#ifndef GL_VERSION
typedef unsigned int GLenum;
typedef unsigned int GLuint;
#endif

#if defined(__cplusplus)
extern "C" {
#endif

enum cudaGLDeviceList {
    cudaGLDeviceListAll = 1,
    cudaGLDeviceListCurrentFrame = 2,
    cudaGLDeviceListNextFrame = 3
};

enum cudaGLMapFlags {
    cudaGLMapFlagsNone = 0,
    cudaGLMapFlagsReadOnly = 1,
    cudaGLMapFlagsWriteDiscard = 2
};

cudaError_t CUDARTAPI cudaGLGetDevices(unsigned int *pCudaDeviceCount,
                                       int *pCudaDevices,
                                       unsigned int cudaDeviceCount,
                                       enum cudaGLDeviceList deviceList);
cudaError_t CUDARTAPI
cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource,
                            GLuint image, GLenum target, unsigned int flags);
cudaError_t CUDARTAPI cudaGraphicsGLRegisterBuffer(
    struct cudaGraphicsResource **resource, GLuint buffer, unsigned int flags);
cudaError_t CUDARTAPI cudaGLSetGLDevice(int device);
cudaError_t CUDARTAPI cudaGLRegisterBufferObject(GLuint bufObj);
cudaError_t CUDARTAPI cudaGLMapBufferObject(void **devPtr, GLuint bufObj);
cudaError_t CUDARTAPI cudaGLUnmapBufferObject(GLuint bufObj);
cudaError_t CUDARTAPI cudaGLUnregisterBufferObject(GLuint bufObj);
cudaError_t CUDARTAPI cudaGLSetBufferObjectMapFlags(GLuint bufObj,
                                                    unsigned int flags);
cudaError_t CUDARTAPI cudaGLMapBufferObjectAsync(void **devPtr, GLuint bufObj,
                                                 cudaStream_t stream);
cudaError_t CUDARTAPI cudaGLUnmapBufferObjectAsync(GLuint bufObj,
                                                   cudaStream_t stream);

#if defined(__cplusplus)
}
#endif

#endif
