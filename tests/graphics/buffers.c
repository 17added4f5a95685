/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of OpenGL in kernels:  buffers egl|es|glx|osmesa */
#include "../runtime/check.h"
#include "../runtime/kernels.h"
#include "opengl.h"

#include <cuda.h>
#include <cuda_gl_interop.h>
#include <cudaGL.h>

enum {
    ARRAY_BUFFER = 0x8892,
    ARRAY_BUFFER_BINDING = 0x8894,
    STATIC_DRAW = 0x88E4,
    COUNT = 1024,
    BYTES = COUNT * 4
};

static void bind(unsigned buffer)
{
    GL(void, glBindBuffer, unsigned, unsigned)(ARRAY_BUFFER, buffer);
}

static unsigned make_buffer(unsigned value)
{
    unsigned buffer = 0, data[COUNT];
    for (unsigned i = 0; i < COUNT; i++)
        data[i] = value + i;
    GL(void, glGenBuffers, int, unsigned *)(1, &buffer);
    bind(buffer);
    GL(void, glBufferData, unsigned, intptr_t, const void *, unsigned)
    (ARRAY_BUFFER, BYTES, data, STATIC_DRAW);
    bind(0);
    return buffer;
}

/* Every element is the one before, plus `step`. */
static bool buffer_is(unsigned buffer, unsigned first, unsigned step)
{
    bind(buffer);
    const unsigned *p = GL(void *, glMapBufferRange, unsigned, intptr_t,
                           intptr_t, unsigned)(ARRAY_BUFFER, 0, BYTES, 1);
    bool ok = p != NULL;
    for (unsigned i = 0; i < COUNT && ok; i++)
        ok = p[i] == first + i * step;
    if (p)
        GL(unsigned char, glUnmapBuffer, unsigned)(ARRAY_BUFFER);
    bind(0);
    return ok;
}

static void *mapped(cudaGraphicsResource_t r)
{
    void *p = NULL;
    size_t size = 0;
    OK(cudaGraphicsMapResources(1, &r, 0));
    OK(cudaGraphicsResourceGetMappedPointer(&p, &size, r));
    CHECK(size == BYTES);
    return p;
}

/* What is there is seen, what is written arrives, and OpenGL's own state stays
 * as it was. */
static void check_both_ways(void)
{
    unsigned buffer = make_buffer(100), other = make_buffer(1), host[COUNT];
    cudaGraphicsResource_t r;
    struct cudaPointerAttributes a;
    int bound = 0;
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, cudaGraphicsRegisterFlagsNone));
    bind(other);
    void *p = mapped(r);
    OK(cudaMemcpy(host, p, BYTES, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 100 && host[COUNT - 1] == 100 + COUNT - 1);
    OK(cudaPointerGetAttributes(&a, p));
    CHECK(a.type == cudaMemoryTypeDevice);
    OK(launch_store(p, 7, COUNT, 0));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    GL(void, glGetIntegerv, unsigned, int *)(ARRAY_BUFFER_BINDING, &bound);
    CHECK((unsigned)bound == other);
    CHECK(buffer_is(buffer, 7, 0));
    CHECK(mapped(r) == p);
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    OK(cudaGraphicsUnregisterResource(r));
    CHECK(buffer_is(buffer, 7, 0));
}

/* Flags say that one way need not be copied. */
static void check_flags(void)
{
    unsigned buffer = make_buffer(5);
    cudaGraphicsResource_t r;
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer,
                                    cudaGraphicsRegisterFlagsReadOnly));
    OK(launch_store(mapped(r), 9, COUNT, 0));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    CHECK(buffer_is(buffer, 5, 1)); /* nothing came back */
    OK(cudaGraphicsUnregisterResource(r));
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, cudaGraphicsRegisterFlagsNone));
    OK(cudaGraphicsResourceSetMapFlags(r, cudaGraphicsMapFlagsReadOnly));
    OK(launch_store(mapped(r), 9, COUNT, 0));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    CHECK(buffer_is(buffer, 5, 1));
    OK(cudaGraphicsResourceSetMapFlags(r, cudaGraphicsMapFlagsWriteDiscard));
    OK(launch_store(mapped(r), 9, COUNT, 0));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    CHECK(buffer_is(buffer, 9, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsResourceSetMapFlags(r, 3));
    OK(cudaGraphicsUnregisterResource(r));
}

/* Work of the stream is done before OpenGL sees the buffer. */
static void check_stream_order(void)
{
    unsigned buffer = make_buffer(1);
    cudaGraphicsResource_t r;
    cudaStream_t s;
    void *p;
    size_t size;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, cudaGraphicsRegisterFlagsNone));
    for (unsigned i = 0; i < 20; i++) {
        OK(cudaGraphicsMapResources(1, &r, s));
        OK(cudaGraphicsResourceGetMappedPointer(&p, &size, r));
        OK(launch_store(p, i + 1, COUNT, s));
        OK(launch_store(p, i, COUNT, s));
        OK(cudaGraphicsUnmapResources(1, &r, s));
        CHECK(buffer_is(buffer, i, 0));
    }
    OK(cudaGraphicsUnregisterResource(r));
    OK(cudaStreamDestroy(s));
}

/* A program may give a buffer another size while it is registered. */
static void check_new_size(void)
{
    unsigned buffer = make_buffer(1);
    cudaGraphicsResource_t r;
    void *p;
    size_t size = 0;
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, cudaGraphicsRegisterFlagsNone));
    bind(buffer);
    GL(void, glBufferData, unsigned, intptr_t, const void *, unsigned)
    (ARRAY_BUFFER, 4 * BYTES, NULL, STATIC_DRAW);
    OK(cudaGraphicsMapResources(1, &r, 0));
    OK(cudaGraphicsResourceGetMappedPointer(&p, &size, r));
    CHECK(size == 4 * BYTES);
    OK(cudaMemset(p, 0, 4 * BYTES));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    OK(cudaGraphicsUnregisterResource(r));
}

/* What OpenGL alone may change is written by a copy of its own. */
static void check_storage(void)
{
    if (!opengl_lookup("glBufferStorage"))
        return;
    unsigned buffer = 0;
    cudaGraphicsResource_t r;
    GL(void, glGenBuffers, int, unsigned *)(1, &buffer);
    bind(buffer);
    GL(void, glBufferStorage, unsigned, intptr_t, const void *, unsigned)
    (ARRAY_BUFFER, BYTES, NULL, 1 /* GL_MAP_READ_BIT */);
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, cudaGraphicsRegisterFlagsNone));
    OK(launch_store(mapped(r), 3, COUNT, 0));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    CHECK(buffer_is(buffer, 3, 0));
    OK(cudaGraphicsUnregisterResource(r));
}

static void check_mistakes(void)
{
    cudaGraphicsResource_t r = NULL, both[2];
    cudaArray_t a;
    cudaMipmappedArray_t m;
    void *p;
    size_t size;
    unsigned buffer = make_buffer(1), empty;
    GL(void, glGenBuffers, int, unsigned *)(1, &empty);
    bind(empty);
    bind(0);
    GIVES(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(NULL, buffer, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(&r, buffer, 3));
    GIVES(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(&r, empty, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(&r, 0, 0));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphicsGLRegisterBuffer(&r, 4242, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphicsMapResources(1, &r, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphicsUnregisterResource(r));
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, 0));
    both[0] = both[1] = r;
    GIVES(cudaErrorInvalidValue, cudaGraphicsMapResources(0, &r, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphicsMapResources(-1, &r, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsMapResources(1, NULL, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphicsMapResources(2, both, 0));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphicsMapResources(1, &r, (cudaStream_t)&r));
    GIVES(cudaErrorUnknown, cudaGraphicsUnmapResources(1, &r, 0));
    GIVES(cudaErrorUnknown, cudaGraphicsResourceGetMappedPointer(&p, &size, r));
    OK(cudaGraphicsMapResources(1, &r, 0));
    GIVES(cudaErrorUnknown, cudaGraphicsMapResources(1, &r, 0));
    GIVES(cudaErrorUnknown, cudaGraphicsResourceSetMapFlags(r, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsResourceGetMappedPointer(NULL, &size, r));
    OK(cudaGraphicsResourceGetMappedPointer(&p, NULL, r));
    GIVES(cudaErrorUnknown, cudaGraphicsSubResourceGetMappedArray(&a, r, 0, 0));
    GIVES(cudaErrorUnknown, cudaGraphicsResourceGetMappedMipmappedArray(&m, r));
    GIVES(cudaErrorInvalidValue, cudaFree(p));
    OK(cudaGraphicsUnregisterResource(r)); /* mapped: as it is */
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphicsUnregisterResource(r));
    CHECK(buffer_is(buffer, 1, 1));
}

/* What the program does to a buffer meanwhile. */
static void check_meanwhile(void)
{
    unsigned buffer = make_buffer(1);
    cudaGraphicsResource_t r;
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, 0));
    bind(buffer);
    GL(void *, glMapBufferRange, unsigned, intptr_t, intptr_t, unsigned)
    (ARRAY_BUFFER, 0, BYTES, 1);
    bind(0);
    GIVES(cudaErrorMapBufferObjectFailed, cudaGraphicsMapResources(1, &r, 0));
    bind(buffer);
    GL(unsigned char, glUnmapBuffer, unsigned)(ARRAY_BUFFER);
    bind(0);
    OK(cudaGraphicsMapResources(1, &r, 0));
    GL(void, glDeleteBuffers, int, const unsigned *)(1, &buffer);
    GIVES(cudaErrorUnmapBufferObjectFailed,
          cudaGraphicsUnmapResources(1, &r, 0));
    CHECK(!GL(unsigned char, glIsBuffer, unsigned)(buffer));
    OK(cudaGraphicsUnregisterResource(r));
}

/* In the driver API, errors say more. */
static void check_driver(void)
{
    CUgraphicsResource r;
    CUdeviceptr p;
    size_t size;
    CUarray a;
    unsigned buffer = make_buffer(1);
    CHECK(cuGraphicsGLRegisterBuffer(&r, buffer, 0) == CUDA_SUCCESS);
    CHECK(cuGraphicsUnmapResources(1, &r, 0) == CUDA_ERROR_NOT_MAPPED);
    CHECK(cuGraphicsResourceGetMappedPointer(&p, &size, r) ==
          CUDA_ERROR_NOT_MAPPED);
    CHECK(cuGraphicsMapResources(1, &r, 0) == CUDA_SUCCESS);
    CHECK(cuGraphicsMapResources(1, &r, 0) == CUDA_ERROR_ALREADY_MAPPED);
    CHECK(cuGraphicsResourceSetMapFlags(r, 0) == CUDA_ERROR_ALREADY_MAPPED);
    CHECK(cuGraphicsSubResourceGetMappedArray(&a, r, 0, 0) ==
          CUDA_ERROR_NOT_MAPPED_AS_ARRAY);
    CHECK(cuGraphicsResourceGetMappedPointer(&p, &size, r) == CUDA_SUCCESS);
    CHECK(cuMemsetD32(p, 6, COUNT) == CUDA_SUCCESS);
    CHECK(cuGraphicsUnmapResources(1, &r, 0) == CUDA_SUCCESS);
    CHECK(buffer_is(buffer, 6, 0));
    CHECK(cuGraphicsUnregisterResource(r) == CUDA_SUCCESS);
    CHECK(cuGraphicsUnregisterResource(r) == CUDA_ERROR_INVALID_HANDLE);
}

/* Of toolkits before 3.0. */
static void check_by_name(void)
{
    unsigned buffer = make_buffer(1);
    void *p;
    CUdeviceptr d;
    size_t size;
    OK(cudaGLSetGLDevice(0));
    GIVES(cudaErrorInvalidValue, cudaGLMapBufferObject(&p, buffer));
    OK(cudaGLRegisterBufferObject(buffer));
    GIVES(cudaErrorInvalidValue, cudaGLRegisterBufferObject(buffer));
    OK(cudaGLSetBufferObjectMapFlags(buffer, cudaGLMapFlagsWriteDiscard));
    OK(cudaGLMapBufferObject(&p, buffer));
    OK(launch_store(p, 2, COUNT, 0));
    OK(cudaGLUnmapBufferObject(buffer));
    CHECK(buffer_is(buffer, 2, 0));
    OK(cudaGLMapBufferObjectAsync(&p, buffer, cudaStreamPerThread));
    OK(launch_store(p, 8, COUNT, cudaStreamPerThread));
    OK(cudaGLUnmapBufferObjectAsync(buffer, cudaStreamPerThread));
    CHECK(buffer_is(buffer, 8, 0));
    GIVES(cudaErrorUnknown, cudaGLUnmapBufferObject(buffer));
    OK(cudaGLUnregisterBufferObject(buffer));
    GIVES(cudaErrorInvalidValue, cudaGLUnregisterBufferObject(buffer));
    CHECK(cuGLInit() == CUDA_SUCCESS);
    CHECK(cuGLSetBufferObjectMapFlags(buffer, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGLRegisterBufferObject(buffer) == CUDA_SUCCESS);
    CHECK(cuGLSetBufferObjectMapFlags(buffer, 9) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGLSetBufferObjectMapFlags(
              buffer, CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD) == CUDA_SUCCESS);
    CHECK(cuGLMapBufferObject(&d, &size, buffer) == CUDA_SUCCESS);
    CHECK(size == BYTES && cuMemsetD32(d, 4, COUNT) == CUDA_SUCCESS);
    CHECK(cuGLUnmapBufferObject(buffer) == CUDA_SUCCESS);
    CHECK(buffer_is(buffer, 4, 0));
    size = 0;
    CHECK(cuGLMapBufferObjectAsync(&d, &size, buffer, CU_STREAM_PER_THREAD) ==
          CUDA_SUCCESS);
    CHECK(size == BYTES);
    CHECK(cuMemsetD32Async(d, 9, COUNT, CU_STREAM_PER_THREAD) == CUDA_SUCCESS);
    CHECK(cuGLUnmapBufferObjectAsync(buffer, CU_STREAM_PER_THREAD) ==
          CUDA_SUCCESS);
    CHECK(buffer_is(buffer, 9, 0));
    CHECK(cuGLUnmapBufferObjectAsync(buffer, NULL) == CUDA_ERROR_NOT_MAPPED);
    CHECK(cuGLUnregisterBufferObject(buffer) == CUDA_SUCCESS);
}

static void check_devices(void)
{
    unsigned count = 0;
    int device = -1;
    OK(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll));
    CHECK(count == 1 && device == 0);
    GIVES(cudaErrorInvalidValue,
          cudaGLGetDevices(NULL, &device, 1, cudaGLDeviceListAll));
    GIVES(cudaErrorInvalidValue,
          cudaGLGetDevices(&count, &device, 1, (enum cudaGLDeviceList)9));
    CUdevice d = -1;
    CUcontext before, made;
    count = 0;
    CHECK(cuGLGetDevices(&count, &d, 1, CU_GL_DEVICE_LIST_ALL) == CUDA_SUCCESS);
    CHECK(count == 1 && d == 0);
    CHECK(cuGLGetDevices(NULL, &d, 1, CU_GL_DEVICE_LIST_ALL) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuCtxGetCurrent(&before) == CUDA_SUCCESS);
    CHECK(cuGLCtxCreate(&made, 0, 7) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuGLCtxCreate(&made, 0, 0) == CUDA_SUCCESS && made != before);
    CHECK(cuCtxDestroy(made) == CUDA_SUCCESS);
    CHECK(cuCtxGetCurrent(&made) == CUDA_SUCCESS && made == before);
}

/* Nothing is registered in streams that are captured. */
static void check_capture(void)
{
    unsigned buffer = make_buffer(1);
    cudaGraphicsResource_t r;
    cudaGraph_t g;
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, 0));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorStreamCaptureUnsupported,
          cudaGraphicsMapResources(1, &r, s));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    OK(cudaGraphicsUnregisterResource(r));
    OK(cudaStreamDestroy(s));
}

/* A context of OpenGL that is not current cannot be asked. */
static void check_not_current(void)
{
    unsigned buffer = make_buffer(1), count;
    int device;
    cudaGraphicsResource_t r, r2;
    OK(cudaGraphicsGLRegisterBuffer(&r, buffer, 0));
    egl_set_current(false);
    GIVES(cudaErrorInvalidGraphicsContext,
          cudaGraphicsGLRegisterBuffer(&r2, buffer, 0));
    GIVES(cudaErrorInvalidGraphicsContext, cudaGraphicsMapResources(1, &r, 0));
    GIVES(cudaErrorInvalidGraphicsContext,
          cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll));
    CHECK(cuGLInit() == CUDA_ERROR_INVALID_GRAPHICS_CONTEXT);
    OK(cudaGraphicsUnregisterResource(r));
    egl_set_current(true);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "egl";
    cudaGraphicsResource_t r;
    kernels_register();
    OK(cudaFree(0));
    /* Without OpenGL: as on an H200. */
    GIVES(cudaErrorOperatingSystem, cudaGraphicsGLRegisterBuffer(&r, 1, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(&r, 0, 0));
    GIVES(cudaErrorOperatingSystem,
          cudaGraphicsGLRegisterImage(&r, 1, 0x0DE1, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphicsGLRegisterImage(&r, 1, 77, 0));
    opengl_make(how);
    check_both_ways();
    check_flags();
    check_stream_order();
    check_new_size();
    check_storage();
    check_mistakes();
    check_meanwhile();
    check_driver();
    check_by_name();
    check_devices();
    check_capture();
    if (egl_context)
        check_not_current();
    OK(cudaDeviceReset());
    kernels_unregister();
    return check_result();
}
