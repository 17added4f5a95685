/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and renderbuffers of OpenGL in arrays:  images egl|glx|osmesa */
#include "../runtime/check.h"
#include "opengl.h"

#include <cuda.h>
#include <cudaGL.h>
#include <cuda_gl_interop.h>

enum {
    TEXTURE_2D = 0x0DE1,
    TEXTURE_3D = 0x806F,
    TEXTURE_RECTANGLE = 0x84F5,
    TEXTURE_CUBE_MAP = 0x8513,
    TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515,
    TEXTURE_2D_ARRAY = 0x8C1A,
    RENDERBUFFER = 0x8D41,
    FRAMEBUFFER = 0x8D40,
    COLOR_ATTACHMENT0 = 0x8CE0,
    UNPACK_ALIGNMENT = 0x0CF5,
    PACK_ALIGNMENT = 0x0D05,
    WIDTH = 37, /* rows are no multiple of anything */
    HEIGHT = 10,
    DEPTH = 6,
    BYTES_MAX = WIDTH * HEIGHT * DEPTH * 16
};

/* A format, as OpenGL and as CUDA know it. */
static const struct format {
    const char *name;
    unsigned internal, format, type;
    int channels, bits;
    enum cudaChannelFormatKind kind;
    bool is_drawn; /* renderbuffers have it */
} formats[] = {
    {"R8", 0x8229, 0x1903, 0x1401, 1, 8, cudaChannelFormatKindUnsigned, true},
    {"RG8", 0x822B, 0x8227, 0x1401, 2, 8, cudaChannelFormatKindUnsigned, true},
    {"RGBA8", 0x8058, 0x1908, 0x1401, 4, 8, cudaChannelFormatKindUnsigned,
     true},
    {"RGBA", 0x1908, 0x1908, 0x1401, 4, 8, cudaChannelFormatKindUnsigned, true},
    {"RGBA16", 0x805B, 0x1908, 0x1403, 4, 16, cudaChannelFormatKindUnsigned,
     true},
    {"R16F", 0x822D, 0x1903, 0x140B, 1, 16, cudaChannelFormatKindFloat, true},
    {"RGBA16F", 0x881A, 0x1908, 0x140B, 4, 16, cudaChannelFormatKindFloat,
     true},
    {"R32F", 0x822E, 0x1903, 0x1406, 1, 32, cudaChannelFormatKindFloat, true},
    {"RG32F", 0x8230, 0x8227, 0x1406, 2, 32, cudaChannelFormatKindFloat, true},
    {"RGBA32F", 0x8814, 0x1908, 0x1406, 4, 32, cudaChannelFormatKindFloat,
     true},
    {"RGBA8UI", 0x8D7C, 0x8D99, 0x1401, 4, 8, cudaChannelFormatKindUnsigned,
     true},
    {"R16I", 0x8233, 0x8D94, 0x1402, 1, 16, cudaChannelFormatKindSigned, true},
    {"R32UI", 0x8236, 0x8D94, 0x1405, 1, 32, cudaChannelFormatKindUnsigned,
     true},
    {"RGBA32I", 0x8D82, 0x8D99, 0x1404, 4, 32, cudaChannelFormatKindSigned,
     true},
    {"LUMINANCE8", 0x8040, 0x1909, 0x1401, 1, 8, cudaChannelFormatKindUnsigned,
     false},
    {"ALPHA8", 0x803C, 0x1906, 0x1401, 1, 8, cudaChannelFormatKindUnsigned,
     false},
    {"LUMINANCE8_ALPHA8", 0x8045, 0x190A, 0x1401, 2, 8,
     cudaChannelFormatKindUnsigned, false},
    {"INTENSITY32F", 0x8817, 0x1903, 0x1406, 1, 32, cudaChannelFormatKindFloat,
     false},
};

static const struct target {
    const char *name;
    unsigned target;
    int height, slices;
} targets[] = {
    {"2D", TEXTURE_2D, HEIGHT, 1},
    {"RECTANGLE", TEXTURE_RECTANGLE, HEIGHT, 1},
    {"3D", TEXTURE_3D, HEIGHT, DEPTH},
    {"2D_ARRAY", TEXTURE_2D_ARRAY, HEIGHT, DEPTH},
    {"CUBE_MAP", TEXTURE_CUBE_MAP, WIDTH, 6},
};

static size_t texel_bytes(const struct format *f)
{
    return (size_t)(f->channels * f->bits / 8);
}

/* Numbers that every format keeps as they are. */
static void fill(const struct format *f, uint8_t *out, size_t bytes, int seed)
{
    size_t each = (size_t)f->bits / 8;
    for (size_t i = 0; i < bytes / each; i++) {
        uint32_t n = (uint32_t)i * 7 + (uint32_t)seed;
        float x = (float)(n % 1000) * 0.25f;
        if (f->kind == cudaChannelFormatKindFloat && f->bits == 32)
            memcpy(&n, &x, sizeof n);
        else if (f->kind == cudaChannelFormatKindFloat)
            n = 0x3000 + n % 0x1000;
        memcpy(out + i * each, &n, each);
    }
}

static void bind(unsigned target, unsigned texture)
{
    GL(void, glBindTexture, unsigned, unsigned)(target, texture);
}

static void set_alignment(void)
{
    GL(void, glPixelStorei, unsigned, int)(UNPACK_ALIGNMENT, 1);
    GL(void, glPixelStorei, unsigned, int)(PACK_ALIGNMENT, 1);
}

static void upload(const struct target *t, const struct format *f, int level,
                   int width, int height, int slices, const uint8_t *data)
{
    size_t slice_bytes = (size_t)width * (size_t)height * texel_bytes(f);
    if (t->target == TEXTURE_3D || t->target == TEXTURE_2D_ARRAY) {
        GL(void, glTexImage3D, unsigned, int, int, int, int, int, int, unsigned,
           unsigned, const void *)
        (t->target, level, (int)f->internal, width, height, slices, 0,
         f->format, f->type, data);
        return;
    }
    unsigned first = t->target == TEXTURE_CUBE_MAP
                         ? (unsigned)TEXTURE_CUBE_MAP_POSITIVE_X
                         : t->target;
    for (int i = 0; i < slices; i++)
        GL(void, glTexImage2D, unsigned, int, int, int, int, int, unsigned,
           unsigned, const void *)
    (first + (unsigned)i, level, (int)f->internal, width, height, 0, f->format,
     f->type, data + (size_t)i * slice_bytes);
}

static void download(const struct target *t, const struct format *f, int level,
                     int width, int height, int slices, uint8_t *data)
{
    size_t slice_bytes = (size_t)width * (size_t)height * texel_bytes(f);
    bool is_cube = t->target == TEXTURE_CUBE_MAP;
    for (int i = 0; i < (is_cube ? slices : 1); i++)
        GL(void, glGetTexImage, unsigned, int, unsigned, unsigned, void *)
    (is_cube ? TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)i : t->target, level,
     f->format, f->type, data + (size_t)i * slice_bytes);
}

/* A slice of the array, or the whole of a 3-D one. */
static void copy(cudaArray_t a, const struct target *t, const struct format *f,
                 int width, int height, uint8_t *host, enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = {.kind = kind};
    size_t row = (size_t)width * texel_bytes(f);
    p.extent.width = (size_t)width;
    p.extent.height = (size_t)height;
    p.extent.depth = t->target == TEXTURE_3D ? (size_t)t->slices : 1;
    struct cudaPitchedPtr at = {host, row, (size_t)width, (size_t)height};
    if (kind == cudaMemcpyDeviceToHost) {
        p.srcArray = a;
        p.dstPtr = at;
    } else {
        p.srcPtr = at;
        p.dstArray = a;
    }
    OK(cudaMemcpy3D(&p));
}

static void check_array(cudaArray_t a, const struct format *f)
{
    struct cudaChannelFormatDesc d;
    struct cudaExtent e;
    unsigned flags;
    OK(cudaArrayGetInfo(&d, &e, &flags, a));
    CHECK(d.f == f->kind && d.x == f->bits);
    CHECK(!d.y == (f->channels < 2) && !d.w == (f->channels < 4));
    CHECK(e.width == WIDTH);
    GIVES(cudaErrorArrayIsMapped, cudaFreeArray(a));
}

static cudaArray_t array_of(cudaGraphicsResource_t r, unsigned index,
                            unsigned level)
{
    cudaArray_t a = NULL;
    OK(cudaGraphicsSubResourceGetMappedArray(&a, r, index, level));
    return a;
}

static void exchange(cudaGraphicsResource_t r, const struct target *t,
                     const struct format *f, uint8_t *host,
                     enum cudaMemcpyKind kind)
{
    size_t slice = (size_t)WIDTH * (size_t)t->height * texel_bytes(f);
    unsigned count = t->target == TEXTURE_3D ? 1 : (unsigned)t->slices;
    for (unsigned i = 0; i < count; i++) {
        cudaArray_t a = array_of(r, i, 0);
        check_array(a, f);
        copy(a, t, f, WIDTH, t->height, host + i * slice, kind);
    }
}

static void check_texture(const struct target *t, const struct format *f)
{
    static uint8_t before[16 * WIDTH * WIDTH * 6], after[sizeof before],
        found[sizeof before];
    size_t bytes =
        (size_t)WIDTH * (size_t)t->height * (size_t)t->slices * texel_bytes(f);
    cudaGraphicsResource_t r;
    unsigned texture = 0;
    int failed_before = failures, alignment = 0;
    fill(f, before, bytes, 1);
    fill(f, after, bytes, 1000);
    GL(void, glGenTextures, int, unsigned *)(1, &texture);
    bind(t->target, texture);
    upload(t, f, 0, WIDTH, t->height, t->slices, before);
    bind(t->target, 0);
    OK(cudaGraphicsGLRegisterImage(&r, texture, t->target,
                                   cudaGraphicsRegisterFlagsSurfaceLoadStore));
    OK(cudaGraphicsMapResources(1, &r, 0));
    memset(found, 0, bytes);
    exchange(r, t, f, found, cudaMemcpyDeviceToHost);
    CHECK(!memcmp(before, found, bytes));
    exchange(r, t, f, after, cudaMemcpyHostToDevice);
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    bind(t->target, texture);
    download(t, f, 0, WIDTH, t->height, t->slices, found);
    CHECK(!memcmp(after, found, bytes));
    GL(void, glGetIntegerv, unsigned, int *)(UNPACK_ALIGNMENT, &alignment);
    CHECK(alignment == 1);
    OK(cudaGraphicsUnregisterResource(r));
    GL(void, glDeleteTextures, int, const unsigned *)(1, &texture);
    if (failures > failed_before)
        printf("so for %s %s\n", t->name, f->name);
}

/* Every level of a mipmapped texture, as an array and as the whole. */
static void check_levels(void)
{
    const struct format *f = &formats[2];
    const struct target *t = &targets[0];
    static uint8_t data[64 * 32 * 4], found[sizeof data];
    cudaGraphicsResource_t r;
    cudaMipmappedArray_t m = NULL;
    cudaArray_t a, level;
    unsigned texture = 0;
    GL(void, glGenTextures, int, unsigned *)(1, &texture);
    bind(TEXTURE_2D, texture);
    for (int i = 0; i < 7; i++) {
        int w = 64 >> i, h = 32 >> i ? 32 >> i : 1;
        fill(f, data, (size_t)(w * h) * 4, i);
        upload(t, f, i, w, h, 1, data);
    }
    OK(cudaGraphicsGLRegisterImage(&r, texture, TEXTURE_2D, 0));
    OK(cudaGraphicsMapResources(1, &r, 0));
    OK(cudaGraphicsResourceGetMappedMipmappedArray(&m, r));
    CUmipmappedArray again = NULL;
    CHECK(cuGraphicsResourceGetMappedMipmappedArray(
              &again, (CUgraphicsResource)r) == CUDA_SUCCESS);
    CHECK((void *)again == (void *)m);
    GIVES(cudaErrorArrayIsMapped, cudaFreeMipmappedArray(m));
    for (unsigned i = 0; i < 7; i++) {
        int w = 64 >> i, h = 32 >> i ? 32 >> i : 1;
        size_t bytes = (size_t)(w * h) * 4;
        OK(cudaGetMipmappedArrayLevel(&level, m, i));
        OK(cudaGraphicsSubResourceGetMappedArray(&a, r, 0, i));
        CHECK(a == level);
        copy(a, t, f, w, h, found, cudaMemcpyDeviceToHost);
        fill(f, data, bytes, (int)i);
        CHECK(!memcmp(data, found, bytes));
    }
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsSubResourceGetMappedArray(&a, r, 0, 7));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsSubResourceGetMappedArray(&a, r, 1, 0));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    OK(cudaGraphicsUnregisterResource(r));
}

static void check_renderbuffer(const struct format *f)
{
    static uint8_t before[WIDTH * HEIGHT * 16], found[sizeof before];
    size_t bytes = (size_t)WIDTH * HEIGHT * texel_bytes(f);
    const struct target *t = &targets[0];
    cudaGraphicsResource_t r;
    unsigned name = 0, frame = 0;
    int failed_before = failures;
    GL(void, glGenRenderbuffers, int, unsigned *)(1, &name);
    GL(void, glBindRenderbuffer, unsigned, unsigned)(RENDERBUFFER, name);
    GL(void, glRenderbufferStorage, unsigned, unsigned, int, int)
    (RENDERBUFFER, f->internal, WIDTH, HEIGHT);
    OK(cudaGraphicsGLRegisterImage(&r, name, RENDERBUFFER, 0));
    fill(f, before, bytes, 3);
    OK(cudaGraphicsMapResources(1, &r, 0));
    exchange(r, t, f, before, cudaMemcpyHostToDevice);
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    GL(void, glGenFramebuffers, int, unsigned *)(1, &frame);
    GL(void, glBindFramebuffer, unsigned, unsigned)(FRAMEBUFFER, frame);
    GL(void, glFramebufferRenderbuffer, unsigned, unsigned, unsigned, unsigned)
    (FRAMEBUFFER, COLOR_ATTACHMENT0, RENDERBUFFER, name);
    GL(void, glReadPixels, int, int, int, int, unsigned, unsigned, void *)
    (0, 0, WIDTH, HEIGHT, f->format, f->type, found);
    CHECK(!memcmp(before, found, bytes));
    GL(void, glBindFramebuffer, unsigned, unsigned)(FRAMEBUFFER, 0);
    OK(cudaGraphicsMapResources(1, &r, 0));
    memset(found, 0, bytes);
    exchange(r, t, f, found, cudaMemcpyDeviceToHost);
    CHECK(!memcmp(before, found, bytes));
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    OK(cudaGraphicsUnregisterResource(r));
    GL(void, glDeleteFramebuffers, int, const unsigned *)(1, &frame);
    GL(void, glDeleteRenderbuffers, int, const unsigned *)(1, &name);
    if (failures > failed_before)
        printf("so for a renderbuffer %s\n", f->name);
}

static unsigned make_plain(unsigned internal, unsigned format, unsigned type)
{
    unsigned texture = 0;
    GL(void, glGenTextures, int, unsigned *)(1, &texture);
    bind(TEXTURE_2D, texture);
    GL(void, glTexImage2D, unsigned, int, int, int, int, int, unsigned,
       unsigned, const void *)
    (TEXTURE_2D, 0, (int)internal, WIDTH, HEIGHT, 0, format, type, NULL);
    return texture;
}

static void check_mistakes(void)
{
    unsigned plain = make_plain(0x8058, 0x1908, 0x1401), empty = 0;
    unsigned three = make_plain(0x8051 /* RGB8 */, 0x1907, 0x1401);
    unsigned deep = make_plain(0x81A6 /* DEPTH_COMPONENT24 */, 0x1902, 0x1405);
    cudaGraphicsResource_t r = NULL;
    cudaArray_t a;
    void *p;
    size_t size;
    GL(void, glGenTextures, int, unsigned *)(1, &empty);
    bind(TEXTURE_2D, empty);
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsGLRegisterImage(NULL, plain, TEXTURE_2D, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsGLRegisterImage(&r, plain, TEXTURE_2D, 16));
    GIVES(cudaErrorInvalidValue, cudaGraphicsGLRegisterImage(&r, plain, 7, 0));
    CUgraphicsResource made;
    CHECK(cuGraphicsGLRegisterImage(&made, plain, 7, 0) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGraphicsGLRegisterImage(&made, plain, TEXTURE_2D, 0) ==
          CUDA_SUCCESS);
    CHECK(cuGraphicsUnregisterResource(made) == CUDA_SUCCESS);
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsGLRegisterImage(&r, plain, TEXTURE_3D, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsGLRegisterImage(&r, empty, TEXTURE_2D, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsGLRegisterImage(&r, three, TEXTURE_2D, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsGLRegisterImage(&r, deep, TEXTURE_2D, 0));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphicsGLRegisterImage(&r, 4711, TEXTURE_2D, 0));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphicsGLRegisterImage(&r, 4711, RENDERBUFFER, 0));
    OK(cudaGraphicsGLRegisterImage(&r, plain, TEXTURE_2D, 0));
    GIVES(cudaErrorUnknown, cudaGraphicsSubResourceGetMappedArray(&a, r, 0, 0));
    OK(cudaGraphicsMapResources(1, &r, 0));
    GIVES(cudaErrorUnknown, cudaGraphicsResourceGetMappedPointer(&p, &size, r));
    GIVES(cudaErrorInvalidValue,
          cudaGraphicsSubResourceGetMappedArray(NULL, r, 0, 0));
    GL(void, glDeleteTextures, int, const unsigned *)(1, &plain);
    GIVES(cudaErrorUnmapBufferObjectFailed,
          cudaGraphicsUnmapResources(1, &r, 0));
    CHECK(!GL(unsigned char, glIsTexture, unsigned)(plain));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphicsMapResources(1, &r, 0));
    OK(cudaGraphicsUnregisterResource(r));
}

int main(int argc, char **argv)
{
    opengl_make(argc > 1 ? argv[1] : "egl");
    set_alignment();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (size_t j = 0; j < sizeof targets / sizeof *targets; j++)
            check_texture(&targets[j], &formats[i]);
        if (formats[i].is_drawn)
            check_renderbuffer(&formats[i]);
    }
    check_levels();
    check_mistakes();
    OK(cudaDeviceReset());
    return check_result();
}
