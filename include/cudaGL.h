/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and images of OpenGL in the driver API: declared, for programs that
 * have a path without. */
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

#if defined(__cplusplus)
}
#endif

#endif
