/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface objects and references: what they say of themselves, and
 * each mistake. What fetches give: tests/device/textures.cu. */
#include "check.h"

#include <texture_types.h>

static cudaArray_t make_array(unsigned flags)
{
    struct cudaChannelFormatDesc channels =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t a = NULL;
    OK(cudaMallocArray(&a, &channels, 8, 4, flags));
    return a;
}

static struct cudaResourceDesc of_array(cudaArray_t a)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeArray};
    r.res.array.array = a;
    return r;
}

static struct cudaResourceDesc of_linear(void *p, size_t size_bytes)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeLinear};
    r.res.linear.devPtr = p;
    r.res.linear.sizeInBytes = size_bytes;
    r.res.linear.desc =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    return r;
}

static struct cudaResourceDesc of_pitched(void *p, size_t width, size_t pitch)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypePitch2D};
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = 2;
    r.res.pitch2D.pitchInBytes = pitch;
    r.res.pitch2D.desc =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    return r;
}

static void check_descriptions(cudaArray_t a)
{
    struct cudaResourceDesc r = of_array(a), r2;
    struct cudaTextureDesc d = {
        .addressMode = {cudaAddressModeMirror, cudaAddressModeBorder},
        .filterMode = cudaFilterModeLinear,
        .borderColor = {1, 2, 3, 4},
        .normalizedCoords = 1,
        .maxMipmapLevelClamp = 2,
    };
    struct cudaTextureDesc d2;
    struct cudaResourceViewDesc view;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &r, &d, NULL));
    OK(cudaGetTextureObjectResourceDesc(&r2, t));
    CHECK(r2.resType == cudaResourceTypeArray && r2.res.array.array == a);
    OK(cudaGetTextureObjectTextureDesc(&d2, t));
    CHECK(!memcmp(&d, &d2, sizeof d));
    OK(cudaGetTextureObjectResourceViewDesc(&view, t)); /* as an H200's */
    CHECK(view.format == cudaResViewFormatNone && !view.width);
    OK(cudaDestroyTextureObject(t));
    GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(t));
    GIVES(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&d2, t));
    GIVES(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(NULL, t));
    OK(cudaDestroyTextureObject(0));
}

/* What cannot be a texture: nothing is made. */
static void check_mistakes(cudaArray_t a)
{
    char *p;
    OK(cudaMalloc((void **)&p, 4096));
    const struct {
        struct cudaResourceDesc resource;
        struct cudaTextureDesc texture;
        cudaError_t error;
    } rows[] = {
        {of_array(NULL), .error = cudaErrorInvalidResourceHandle},
        {of_array(a), .texture = {.filterMode = 7},
         .error = cudaErrorInvalidValue},
        {of_array(a), .texture = {.addressMode = {9}},
         .error = cudaErrorInvalidValue},
        {of_linear(NULL, 64), .error = cudaErrorInvalidValue},
        {of_linear(p + 4, 64), .error = cudaErrorInvalidValue},
        {of_linear(p, 0), .error = cudaSuccess}, /* so says an H200 */
        {of_linear(p, 64), .error = cudaSuccess},
        {of_pitched(p, 8, 16), .error = cudaErrorInvalidValue},
        {of_pitched(p, 8, 40), .error = cudaErrorInvalidValue},
        {of_pitched(p, 0, 64), .error = cudaSuccess},
        {of_pitched(p, 64, 32), .error = cudaSuccess},
        {of_pitched(p, 64, 1 << 21), .error = cudaErrorInvalidValue},
        {of_array(a), .texture = {.seamlessCubemap = 1},
         .error = cudaErrorInvalidValue},
        {of_array(a), .texture = {.addressMode = {0, 0, 9}},
         .error = cudaSuccess},
        {of_pitched(p, 8, 64), .error = cudaSuccess},
        {{.resType = 9}, .error = cudaErrorInvalidValue},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cudaTextureObject_t t = 77;
        cudaError_t err = cudaCreateTextureObject(&t, &rows[i].resource,
                                                  &rows[i].texture, NULL);
        cudaGetLastError();
        if (err != rows[i].error)
            printf("row %zu: %s\n", i, cudaGetErrorName(err));
        CHECK(err == rows[i].error && (err ? t == 77 : t != 77));
        if (!err)
            OK(cudaDestroyTextureObject(t));
    }
    OK(cudaFree(p));
}

/* Arrays that were made for no surface have one all the same, as on an H200. */
static void check_plain_surface(cudaArray_t plain)
{
    struct cudaResourceDesc r = of_array(plain);
    cudaSurfaceObject_t s;
    OK(cudaCreateSurfaceObject(&s, &r));
    OK(cudaDestroySurfaceObject(s));
}

static void check_level_surface(void)
{
    struct cudaChannelFormatDesc channels =
        cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    cudaMipmappedArray_t m;
    cudaArray_t level;
    OK(cudaMallocMipmappedArray(&m, &channels, make_cudaExtent(8, 8, 0), 2, 0));
    OK(cudaGetMipmappedArrayLevel(&level, m, 1));
    check_plain_surface(level);
    OK(cudaFreeMipmappedArray(m));
}

static void check_surfaces(cudaArray_t a)
{
    cudaArray_t plain = make_array(0);
    struct cudaResourceDesc r = of_array(a), r2;
    cudaSurfaceObject_t s;
    OK(cudaCreateSurfaceObject(&s, &r));
    OK(cudaGetSurfaceObjectResourceDesc(&r2, s));
    CHECK(r2.res.array.array == a);
    GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(s));
    OK(cudaDestroySurfaceObject(s));
    GIVES(cudaErrorInvalidValue, cudaDestroySurfaceObject(s));
    GIVES(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(&r2, s));
    check_plain_surface(plain);
    GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(&s, NULL));
    GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(NULL, &r));
    OK(cudaFreeArray(plain));
}

/* Variables that no module has registered. */
static void check_references(cudaArray_t a)
{
    static struct textureReference t;
    const struct textureReference *found;
    const struct surfaceReference *surface;
    struct cudaChannelFormatDesc channels =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    size_t offset;
    void *p;
    OK(cudaMalloc(&p, 4096));
    offset = 99;
    GIVES(cudaErrorInvalidTexture,
          cudaBindTexture(&offset, &t, (char *)p + 4, &channels, 4092));
    GIVES(cudaErrorInvalidTexture,
          cudaBindTexture2D(&offset, &t, (char *)p + 4, &channels, 8, 2, 64));
    CHECK(offset == 99);
    GIVES(cudaErrorInvalidTexture, cudaBindTextureToArray(&t, a, &channels));
    GIVES(cudaErrorInvalidValue,
          cudaBindTextureToMipmappedArray(&t, NULL, &channels));
    GIVES(cudaErrorInvalidValue,
          cudaBindTexture(&offset, NULL, p, &channels, 4));
    GIVES(cudaErrorInvalidTexture, cudaUnbindTexture(NULL));
    GIVES(cudaErrorInvalidTextureBinding,
          cudaGetTextureAlignmentOffset(&offset, &t));
    GIVES(cudaErrorInvalidTexture, cudaGetTextureReference(&found, &t));
    GIVES(cudaErrorInvalidSurface, cudaGetSurfaceReference(&surface, &t));
    GIVES(cudaErrorInvalidValue, cudaBindSurfaceToArray(NULL, a, &channels));
    OK(cudaFree(p));
}

static void check_widths(void)
{
    struct cudaChannelFormatDesc d =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    struct cudaChannelFormatDesc odd =
        cudaCreateChannelDesc(24, 0, 0, 0, cudaChannelFormatKindFloat);
    size_t width = 0;
    OK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &d, 0));
    CHECK(width == 1 << 30);
    GIVES(cudaErrorInvalidValue,
          cudaDeviceGetTexture1DLinearMaxWidth(NULL, &d, 0));
    GIVES(cudaErrorInvalidDevice,
          cudaDeviceGetTexture1DLinearMaxWidth(&width, &d, 99));
    GIVES(cudaErrorInvalidChannelDescriptor,
          cudaDeviceGetTexture1DLinearMaxWidth(&width, &odd, 0));
}

int main(void)
{
    cudaArray_t a = make_array(cudaArraySurfaceLoadStore);
    check_descriptions(a);
    check_mistakes(a);
    check_surfaces(a);
    check_level_surface();
    check_references(a);
    check_widths();
    OK(cudaFreeArray(a));
    return check_result();
}
