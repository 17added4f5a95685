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
    GIVES(cudaErrorInvalidValue, cudaGraphicsEGLRegisterImage(NULL, image, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsEGLRegisterImage(&r, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsEGLRegisterImage(&r, image, 64));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphicsEGLRegisterImage(&r, (void *)&r, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsResourceGetMappedEglFrame(NULL, NULL, 0, 0));
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

/* ---- streams: Mesa makes none, so no function takes one ------------------ */

enum { STDERR = 2 };
static int stderr_before, stderr_pipe[2];

static void catch_stderr(void)
{
    CHECK(!pipe(stderr_pipe));
    stderr_before = dup(STDERR);
    dup2(stderr_pipe[1], STDERR);
}

/* Was this function's name written? */
static void check_stderr(const char *name)
{
    char text[512] = "";
    dup2(stderr_before, STDERR);
    close(stderr_pipe[1]);
    ssize_t n = read(stderr_pipe[0], text, sizeof text - 1);
    close(stderr_pipe[0]);
    close(stderr_before);
    if (n <= 0 || !strstr(text, name))
        printf("%s says: %s\n", name, text);
    CHECK(n > 0 && strstr(text, name));
}

#define REFUSES(function, ...)                                                 \
    do {                                                                       \
        catch_stderr();                                                        \
        cudaError_t got_ = function(__VA_ARGS__);                              \
        check_stderr(#function);                                               \
        CHECK(got_ == cudaErrorNotSupported);                                  \
        CHECK(cudaGetLastError() == cudaErrorNotSupported);                    \
    } while (0)

static void check_streams(void)
{
    cudaEglStreamConnection c = NULL;
    cudaGraphicsResource_t r = NULL;
    cudaStream_t s = NULL;
    cudaEglFrame frame = {0};
    int stream; /* of no EGL */
    void *(*find)(const char *) =
        (void *(*)(const char *))opengl_find("eglGetProcAddress");
    const char *(*text)(void *, int) =
        (const char *(*)(void *, int))opengl_find("eglQueryString");
    CHECK(!find("eglCreateStreamKHR"));
    CHECK(
        !strstr(text(egl_display, 0x3055 /* EXTENSIONS */), "EGL_KHR_stream"));
    REFUSES(cudaEGLStreamConsumerConnect, &c, &stream);
    REFUSES(cudaEGLStreamConsumerConnectWithFlags, &c, &stream, 0);
    REFUSES(cudaEGLStreamConsumerAcquireFrame, &c, &r, &s, 0);
    REFUSES(cudaEGLStreamConsumerReleaseFrame, &c, r, &s);
    REFUSES(cudaEGLStreamConsumerDisconnect, &c);
    REFUSES(cudaEGLStreamProducerConnect, &c, &stream, WIDTH, HEIGHT);
    REFUSES(cudaEGLStreamProducerPresentFrame, &c, frame, &s);
    REFUSES(cudaEGLStreamProducerReturnFrame, &c, &frame, &s);
    REFUSES(cudaEGLStreamProducerDisconnect, &c);
    CHECK(!c && !r && !s);
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
    check_streams();
    return check_result();
}
