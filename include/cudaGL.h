/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and images of OpenGL in the driver API.
 *
 * Threads, errors, owners and units are as cuda.h says. */
#ifndef WEFT_CUDAGL_H
#define WEFT_CUDAGL_H
/* Programs ask for this name to know whether the header was included. */
#define CUDAGL_H

#include "cuda.h"

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif
#ifndef GL_VERSION
typedef unsigned int GLenum;
typedef unsigned int GLuint;
#endif

#define cuGLCtxCreate  cuGLCtxCreate_v2
#define cuGLGetDevices cuGLGetDevices_v2
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM) ||                           \
    defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define cuGLMapBufferObject      cuGLMapBufferObject_v2_ptds
#define cuGLMapBufferObjectAsync cuGLMapBufferObjectAsync_v2_ptsz
#else
#define cuGLMapBufferObject      cuGLMapBufferObject_v2
#define cuGLMapBufferObjectAsync cuGLMapBufferObjectAsync_v2
#endif

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum CUGLDeviceList_enum {
    CU_GL_DEVICE_LIST_ALL = 1,
    CU_GL_DEVICE_LIST_CURRENT_FRAME = 2,
    CU_GL_DEVICE_LIST_NEXT_FRAME = 3
} CUGLDeviceList;

CUresult CUDAAPI cuGLGetDevices(unsigned int *pCudaDeviceCount,
                                CUdevice *pCudaDevices,
                                unsigned int cudaDeviceCount,
                                CUGLDeviceList deviceList);
CUresult CUDAAPI cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource,
                                            GLuint buffer, unsigned int Flags);
CUresult CUDAAPI cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource,
                                           GLuint image, GLenum target,
                                           unsigned int Flags);
CUresult CUDAAPI cuGLCtxCreate(CUcontext *pCtx, unsigned int Flags,
                               CUdevice device);

typedef enum CUGLmap_flags_enum {
    CU_GL_MAP_RESOURCE_FLAGS_NONE = 0,
    CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
    CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} CUGLmap_flags;

/* The functions of toolkits before 3.0: they name a buffer by OpenGL's
 * number. */
CUresult CUDAAPI cuGLInit(void);
CUresult CUDAAPI cuGLRegisterBufferObject(GLuint buffer);
CUresult CUDAAPI cuGLMapBufferObject(CUdeviceptr *dptr, size_t *size,
                                     GLuint buffer);
CUresult CUDAAPI cuGLUnmapBufferObject(GLuint buffer);
CUresult CUDAAPI cuGLUnregisterBufferObject(GLuint buffer);
CUresult CUDAAPI cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned int Flags);
CUresult CUDAAPI cuGLMapBufferObjectAsync(CUdeviceptr *dptr, size_t *size,
                                          GLuint buffer, CUstream hStream);
CUresult CUDAAPI cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream hStream);

#if defined(__cplusplus)
}
#endif

#endif
