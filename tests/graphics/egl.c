/* SPDX-License-Identifier: Apache-2.0 */
/* Images of EGL in arrays; what EGL on the CPU has not. */
#include "../runtime/check.h"
#include "opengl.h"

#include <cuda.h>
#include <cudaEGL.h>
#include <cuda_egl_interop.h>

#include <unistd.h>

enum {
    TEXTURE_2D = 0x0DE1,
    WIDTH = 20,
    HEIGHT = 12,
    BYTES = WIDTH * HEIGHT * 4
};

static unsigned make_texture(const void *data)
{
    unsigned texture = 0;
    GL(void, glGenTextures, int, unsigned *)(1, &texture);
    GL(void, glBindTexture, unsigned, unsigned)(TEXTURE_2D, texture);
    GL(void, glTexImage2D, unsigned, int, int, int, int, int, unsigned,
       unsigned, const void *)
    (TEXTURE_2D, 0, 0x8058 /* RGBA8 */, WIDTH, HEIGHT, 0, 0x1908, 0x1401, data);
    return texture;
}

static void *make_image(unsigned texture)
{
    void *(*create)(void *, void *, unsigned, void *, const int *) =
        (void *(*)(void *, void *, unsigned, void *, const int *))opengl_find(
            "eglCreateImageKHR");
    return create(egl_display, egl_context, 0x30B1 /* EGL_GL_TEXTURE_2D */,
                  (void *)(uintptr_t)texture, NULL);
}

static void read_texture(unsigned texture, void *out)
{
    GL(void, glBindTexture, unsigned, unsigned)(TEXTURE_2D, texture);
    GL(void, glGetTexImage, unsigned, int, unsigned, unsigned, void *)
    (TEXTURE_2D, 0, 0x1908, 0x1401, out);
}

static void check_frame(void *image, const uint8_t *before)
{
    uint8_t found[BYTES];
    cudaGraphicsResource_t r;
    cudaEglFrame frame;
    CUeglFrame other;
    OK(cudaGraphicsEGLRegisterImage(&r, image, 0));
    GIVES(cudaErrorUnknown,
          cudaGraphicsResourceGetMappedEglFrame(&frame, r, 0, 0));
    OK(cudaGraphicsMapResources(1, &r, 0));
    OK(cudaGraphicsResourceGetMappedEglFrame(&frame, r, 0, 0));
    CHECK(frame.planeCount == 1 && frame.frameType == cudaEglFrameTypeArray);
    CHECK(frame.planeDesc[0].width == WIDTH &&
          frame.planeDesc[0].channelDesc.x == 8);
    CHECK(frame.eglColorFormat == cudaEglColorFormatABGR);
    OK(cudaMemcpy2DFromArray(found, WIDTH * 4, frame.frame.pArray[0], 0, 0,
                             WIDTH * 4, HEIGHT, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(found, before, BYTES));
    CHECK(!cuGraphicsResourceGetMappedEglFrame(&other, (CUgraphicsResource)r, 0,
                                               0));
    CHECK((cudaArray_t)other.frame.pArray[0] == frame.frame.pArray[0] &&
          other.height == HEIGHT && other.numChannels == 4 &&
          other.cuFormat == CU_AD_FORMAT_UNSIGNED_INT8);
    memset(found, 77, BYTES);
    OK(cudaMemcpy2DToArray(frame.frame.pArray[0], 0, 0, found, WIDTH * 4,
                           WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    OK(cudaGraphicsUnregisterResource(r));
}

static void check_mistakes(void *image)
{
    cudaGraphicsResource_t r;
    cudaEglStreamConnection c;
    GIVES(cudaErrorInvalidValue, cudaGraphicsEGLRegisterImage(NULL, image, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsEGLRegisterImage(&r, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsEGLRegisterImage(&r, image, 64));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphicsEGLRegisterImage(&r, (void *)&r, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsResourceGetMappedEglFrame(NULL, NULL, 0, 0));
    GIVES(cudaErrorNotSupported, cudaEGLStreamConsumerConnect(&c, NULL));
    CHECK(cuGraphicsEGLRegisterImage(NULL, image, 0) ==
          CUDA_ERROR_INVALID_VALUE);
}

/* Fences that are signalled by hand: the event comes with them. */
static void check_fence(void)
{
    enum { REUSABLE = 0x30FA, SIGNALED = 0x30F2, UNSIGNALED = 0x30F3 };
    void *(*create)(void *, unsigned, const int *) =
        (void *(*)(void *, unsigned, const int *))opengl_find(
            "eglCreateSyncKHR");
    unsigned (*signal)(void *, void *, unsigned) =
        (unsigned (*)(void *, void *, unsigned))opengl_find("eglSignalSyncKHR");
    void *sync = create(egl_display, REUSABLE, NULL);
    cudaEvent_t e;
    CUevent other;
    cudaStream_t s;
    GIVES(cudaErrorInvalidValue, cudaEventCreateFromEGLSync(NULL, sync, 0));
    GIVES(cudaErrorInvalidValue, cudaEventCreateFromEGLSync(&e, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaEventCreateFromEGLSync(&e, sync, 64));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaEventCreateFromEGLSync(&e, &sync, 0));
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreateFromEGLSync(&e, sync, cudaEventBlockingSync));
    CHECK(!cuEventCreateFromEGLSync(&other, sync, 0));
    OK(cudaStreamWaitEvent(s, e, 0));
    usleep(3000);
    GIVES(cudaErrorNotReady, cudaEventQuery(e));
    GIVES(cudaErrorNotReady, cudaStreamQuery(s));
    CHECK(signal(egl_display, sync, SIGNALED));
    OK(cudaStreamSynchronize(s));
    OK(cudaEventSynchronize(e));
    CHECK(!cuEventSynchronize(other));
    OK(cudaEventDestroy(e));
    OK(cudaEventDestroy((cudaEvent_t)other));
    OK(cudaStreamDestroy(s));
}

int main(void)
{
    uint8_t data[BYTES], after[BYTES];
    opengl_make("egl");
    for (unsigned i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i * 3);
    unsigned texture = make_texture(data);
    void *image = make_image(texture);
    if (!image)
        opengl_skip("images of EGL");
    check_frame(image, data);
    read_texture(texture, after);
    CHECK(after[0] == 77 && after[BYTES - 1] == 77);
    check_mistakes(image);
    check_fence();
    return check_result();
}
