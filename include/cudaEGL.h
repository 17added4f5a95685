/* SPDX-License-Identifier: Apache-2.0 */
/* Images of EGL in the driver API. No EGL implementation on the CPU has
 * streams, so that the functions for streams return
 * CUDA_ERROR_NOT_SUPPORTED.
 *
 * Threads, errors, owners and units are as cuda.h says. */
#ifndef WEFT_CUDAEGL_H
#define WEFT_CUDAEGL_H
/* Programs ask for this name to know whether the header was included. */
#define CUDAEGL_H

#include "cuda.h"

#if defined(__has_include)
#if __has_include(<EGL/eglext.h>)
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif
#endif
#ifndef EGL_VERSION_1_0
typedef int EGLint;
typedef void *EGLImageKHR;
typedef void *EGLStreamKHR;
typedef void *EGLSyncKHR;
#endif

#if defined(__cplusplus)
extern "C" {
#endif

#define MAX_PLANES                3
#define CUDA_EGL_INFINITE_TIMEOUT 0xFFFFFFFF

typedef enum CUeglFrameType_enum {
    CU_EGL_FRAME_TYPE_ARRAY = 0,
    CU_EGL_FRAME_TYPE_PITCH = 1
} CUeglFrameType;

typedef enum CUeglResourceLocationFlags_enum {
    CU_EGL_RESOURCE_LOCATION_SYSMEM = 0x00,
    CU_EGL_RESOURCE_LOCATION_VIDMEM = 0x01
} CUeglResourceLocationFlags;

typedef enum CUeglColorFormat_enum {
#define WEFT_EGL_FORMAT(number, name, runtime_name)                            \
    CU_EGL_COLOR_FORMAT_##name = number,
#define WEFT_EGL_FORMAT_OF_DRIVER(number, name)                                \
    CU_EGL_COLOR_FORMAT_##name = number,
#include "weft/egl_formats.h"
    CU_EGL_COLOR_FORMAT_MAX
} CUeglColorFormat;

typedef struct CUeglFrame_st {
    union {
        CUarray pArray[MAX_PLANES];
        void *pPitch[MAX_PLANES];
    } frame;
    unsigned int width;
    unsigned int height;
    unsigned int depth;
    unsigned int pitch;
    unsigned int planeCount;
    unsigned int numChannels;
    CUeglFrameType frameType;
    CUeglColorFormat eglColorFormat;
    CUarray_format cuFormat;
} CUeglFrame_v1;
typedef CUeglFrame_v1 CUeglFrame;

typedef struct CUeglStreamConnection_st *CUeglStreamConnection;

CUresult CUDAAPI cuGraphicsEGLRegisterImage(CUgraphicsResource *pCudaResource,
                                            EGLImageKHR image,
                                            unsigned int flags);
CUresult CUDAAPI cuGraphicsResourceGetMappedEglFrame(
    CUeglFrame *eglFrame, CUgraphicsResource resource, unsigned int index,
    unsigned int mipLevel);
CUresult CUDAAPI cuEGLStreamConsumerConnect(CUeglStreamConnection *conn,
                                            EGLStreamKHR stream);
CUresult CUDAAPI cuEGLStreamConsumerConnectWithFlags(
    CUeglStreamConnection *conn, EGLStreamKHR stream, unsigned int flags);
CUresult CUDAAPI cuEGLStreamConsumerDisconnect(CUeglStreamConnection *conn);
CUresult CUDAAPI cuEGLStreamConsumerAcquireFrame(
    CUeglStreamConnection *conn, CUgraphicsResource *pCudaResource,
    CUstream *pStream, unsigned int timeout);
CUresult CUDAAPI
cuEGLStreamConsumerReleaseFrame(CUeglStreamConnection *conn,
                                CUgraphicsResource pCudaResource,
                                CUstream *pStream);
CUresult CUDAAPI cuEGLStreamProducerConnect(CUeglStreamConnection *conn,
                                            EGLStreamKHR stream, EGLint width,
                                            EGLint height);
CUresult CUDAAPI cuEGLStreamProducerDisconnect(CUeglStreamConnection *conn);
CUresult CUDAAPI cuEGLStreamProducerPresentFrame(CUeglStreamConnection *conn,
                                                 CUeglFrame eglframe,
                                                 CUstream *pStream);
CUresult CUDAAPI cuEGLStreamProducerReturnFrame(CUeglStreamConnection *conn,
                                                CUeglFrame *eglframe,
                                                CUstream *pStream);
CUresult CUDAAPI cuEventCreateFromEGLSync(CUevent *phEvent, EGLSyncKHR eglSync,
                                          unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif
