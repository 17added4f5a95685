/* SPDX-License-Identifier: Apache-2.0 */
/* Images of EGL in the runtime API. No EGL implementation on the CPU has
 * streams, so that the functions for streams return cudaErrorNotSupported.
 *
 * Threads, errors, owners and units are as cuda_runtime_api.h says. */
#ifndef WEFT_CUDA_EGL_INTEROP_H
#define WEFT_CUDA_EGL_INTEROP_H
/* Programs ask for this name to know whether the header was included. */
#define __CUDA_EGL_INTEROP_H__

#include "cuda_runtime_api.h"

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

#define CUDA_EGL_MAX_PLANES 3

typedef enum cudaEglFrameType_enum {
    cudaEglFrameTypeArray = 0,
    cudaEglFrameTypePitch = 1
} cudaEglFrameType;

typedef enum cudaEglResourceLocationFlags_enum {
    cudaEglResourceLocationSysmem = 0x00,
    cudaEglResourceLocationVidmem = 0x01
} cudaEglResourceLocationFlags;

typedef enum cudaEglColorFormat_enum {
#define WEFT_EGL_FORMAT(number, driver_name, name)                             \
    cudaEglColorFormat##name = number,
#define WEFT_EGL_FORMAT_OF_DRIVER(number, name)
#include "weft/egl_formats.h"
} cudaEglColorFormat;

typedef struct cudaEglPlaneDesc_st {
    unsigned int width;
    unsigned int height;
    unsigned int depth;
    unsigned int pitch;
    unsigned int numChannels;
    struct cudaChannelFormatDesc channelDesc;
    unsigned int reserved[4];
} cudaEglPlaneDesc;

typedef struct cudaEglFrame_st {
    union {
        cudaArray_t pArray[CUDA_EGL_MAX_PLANES];
        struct cudaPitchedPtr pPitch[CUDA_EGL_MAX_PLANES];
    } frame;
    cudaEglPlaneDesc planeDesc[CUDA_EGL_MAX_PLANES];
    unsigned int planeCount;
    cudaEglFrameType frameType;
    cudaEglColorFormat eglColorFormat;
} cudaEglFrame;

typedef struct CUeglStreamConnection_st *cudaEglStreamConnection;

cudaError_t CUDARTAPI cudaGraphicsEGLRegisterImage(
    struct cudaGraphicsResource **pCudaResource, EGLImageKHR image,
    unsigned int flags);
cudaError_t CUDARTAPI cudaGraphicsResourceGetMappedEglFrame(
    cudaEglFrame *eglFrame, cudaGraphicsResource_t resource, unsigned int index,
    unsigned int mipLevel);
cudaError_t CUDARTAPI cudaEGLStreamConsumerConnect(
    cudaEglStreamConnection *conn, EGLStreamKHR eglStream);
cudaError_t CUDARTAPI cudaEGLStreamConsumerConnectWithFlags(
    cudaEglStreamConnection *conn, EGLStreamKHR eglStream, unsigned int flags);
cudaError_t CUDARTAPI
cudaEGLStreamConsumerDisconnect(cudaEglStreamConnection *conn);
cudaError_t CUDARTAPI cudaEGLStreamConsumerAcquireFrame(
    cudaEglStreamConnection *conn, cudaGraphicsResource_t *pCudaResource,
    cudaStream_t *pStream, unsigned int timeout);
cudaError_t CUDARTAPI cudaEGLStreamConsumerReleaseFrame(
    cudaEglStreamConnection *conn, cudaGraphicsResource_t pCudaResource,
    cudaStream_t *pStream);
cudaError_t CUDARTAPI cudaEGLStreamProducerConnect(
    cudaEglStreamConnection *conn, EGLStreamKHR eglStream, EGLint width,
    EGLint height);
cudaError_t CUDARTAPI
cudaEGLStreamProducerDisconnect(cudaEglStreamConnection *conn);
cudaError_t CUDARTAPI
cudaEGLStreamProducerPresentFrame(cudaEglStreamConnection *conn,
                                  cudaEglFrame eglframe, cudaStream_t *pStream);
cudaError_t CUDARTAPI
cudaEGLStreamProducerReturnFrame(cudaEglStreamConnection *conn,
                                 cudaEglFrame *eglframe, cudaStream_t *pStream);
cudaError_t CUDARTAPI cudaEventCreateFromEGLSync(cudaEvent_t *phEvent,
                                                 EGLSyncKHR eglSync,
                                                 unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif
