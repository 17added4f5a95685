// SPDX-License-Identifier: Apache-2.0
// Textures, surfaces and arrays used wrongly, by the runtime: each mistake has
// CUDA's error or, where a GPU has none, its result; the next one starts on a
// new context. The driver's: tests/driver/texture_shapes.c, texture_faults.c.
#include "check.h"

static int *out;

__global__ void fetch(cudaTextureObject_t t, int *out)
{
    *out = tex2D<int>(t, 1.5f, 1.5f);
}

__global__ void fetch_element(cudaTextureObject_t t, int i, int *out)
{
    *out = tex1Dfetch<int>(t, i);
}

__global__ void load(cudaSurfaceObject_t s, int x, int *out)
{
    *out = surf2Dread<int>(s, x, 1);
}

__global__ void store(cudaSurfaceObject_t s, int x)
{
    surf2Dwrite(7, s, x, 1);
}

static cudaArray_t make_array()
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<int>();
    const int texels[16] = {0, 1, 2, 3, 10, 11, 12, 13};
    cudaArray_t a;
    CHECK(cudaMallocArray(&a, &c, 4, 4, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, texels, 16, 16, 4,
                              cudaMemcpyHostToDevice));
    return a;
}

static cudaResourceDesc resource_of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &r)
{
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static cudaSurfaceObject_t surface_of(cudaArray_t a)
{
    cudaResourceDesc r = resource_of(a);
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

// What the last kernel wrote, once it ended well.
static void expect_value(int want)
{
    int got = -1;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT_EQ(got, want);
}

static void expect_fault()
{
    EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

// ---- arrays that ended -----------------------------------------------------

static void texture_of_freed_array()
{
    cudaArray_t a = make_array();
    cudaTextureObject_t t = texture_of(resource_of(a));
    fetch<<<1, 1>>>(t, out);
    expect_value(11);
    CHECK(cudaFreeArray(a));
    fetch<<<1, 1>>>(t, out);
    expect_fault();
}

static void surface_of_freed_array()
{
    cudaArray_t a = make_array();
    cudaSurfaceObject_t s = surface_of(a);
    CHECK(cudaFreeArray(a));
    load<<<1, 1>>>(s, 4, out);
    expect_fault();
}

static void drawing_on_freed_array()
{
    cudaArray_t a = make_array();
    cudaSurfaceObject_t s = surface_of(a);
    CHECK(cudaFreeArray(a));
    store<<<1, 1>>>(s, 4);
    expect_fault();
}

static void texture_of_freed_mipmap()
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<int>();
    cudaMipmappedArray_t m;
    cudaArray_t level;
    CHECK(cudaMallocMipmappedArray(&m, &c, make_cudaExtent(8, 8, 0), 3));
    CHECK(cudaGetMipmappedArrayLevel(&level, m, 1));
    cudaTextureObject_t t = texture_of(resource_of(level));
    EXPECT_ERROR(cudaGetMipmappedArrayLevel(&level, m, 3),
                 cudaErrorInvalidValue);
    CHECK(cudaFreeMipmappedArray(m));
    fetch<<<1, 1>>>(t, out);
    expect_fault();
}

static void objects_of_freed_array()
{
    cudaArray_t a = make_array();
    cudaResourceDesc r = resource_of(a);
    cudaTextureDesc d = {};
    cudaTextureObject_t t = 5;
    cudaSurfaceObject_t s = 5;
    CHECK(cudaFreeArray(a));
    EXPECT_ERROR(cudaCreateTextureObject(&t, &r, &d, nullptr),
                 cudaErrorInvalidValue);
    EXPECT(cudaCreateSurfaceObject(&s, &r) != cudaSuccess);
    (void)cudaGetLastError();
    EXPECT(t == 5 && s == 5);
    EXPECT(cudaFreeArray(a) != cudaSuccess);
    (void)cudaGetLastError();
}

// ---- objects that ended, and of the other kind -----------------------------

static void destroyed_texture()
{
    cudaArray_t a = make_array();
    cudaTextureObject_t t = texture_of(resource_of(a));
    CHECK(cudaDestroyTextureObject(t));
    fetch<<<1, 1>>>(t, out);
    expect_value(0);
    CHECK(cudaFreeArray(a));
}

static void wrong_kinds()
{
    cudaArray_t a = make_array();
    cudaTextureObject_t t = texture_of(resource_of(a));
    cudaSurfaceObject_t s = surface_of(a);
    fetch<<<1, 1>>>(s, out);
    expect_value(0);
    load<<<1, 1>>>(t, 4, out);
    expect_value(0);
    store<<<1, 1>>>(t, 4);
    load<<<1, 1>>>(s, 4, out);
    expect_value(11);
    fetch_element<<<1, 1>>>(t, 1, out); // an array is no linear memory
    expect_value(0);
    fetch<<<1, 1>>>(0, out);
    expect_value(0);
    CHECK(cudaFreeArray(a));
}

static void no_handle()
{
    fetch<<<1, 1>>>(0xdeadbeef, out);
    expect_fault();
}

// ---- places that are outside -----------------------------------------------

static void outside_of_surface()
{
    cudaSurfaceObject_t s = surface_of(make_array());
    load<<<1, 1>>>(s, 16, out);
    expect_fault();
}

static void before_a_surface()
{
    cudaSurfaceObject_t s = surface_of(make_array());
    store<<<1, 1>>>(s, -4);
    expect_fault();
}

static void between_elements()
{
    cudaSurfaceObject_t s = surface_of(make_array());
    load<<<1, 1>>>(s, 2, out);
    EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
}

__global__ void load_four(cudaSurfaceObject_t s, int x, int *out)
{
    *out = surf2Dread<int4>(s, x, 1, cudaBoundaryModeZero).x;
}

// Partly outside, where a wide element cannot begin.
static void between_wide_elements()
{
    cudaSurfaceObject_t s = surface_of(make_array());
    load_four<<<1, 1>>>(s, 16, out);
    expect_value(0);
    load_four<<<1, 1>>>(s, 8, out);
    EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
}

// Objects end with their context.
static void texture_of_another_life()
{
    cudaTextureObject_t t = texture_of(resource_of(make_array()));
    fetch<<<1, 1>>>(t, out);
    expect_value(11);
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&out, sizeof *out));
    fetch<<<1, 1>>>(t, out);
    expect_value(0);
}

static void odd_descriptions()
{
    int *p;
    cudaTextureObject_t t = 0;
    cudaTextureDesc d = {};
    cudaResourceDesc r = {};
    cudaResourceViewDesc v = {};
    CHECK(cudaMalloc(&p, 64));
    r.resType = cudaResourceTypeMipmappedArray;
    d.normalizedCoords = 1;
    EXPECT_ERROR(cudaCreateTextureObject(&t, &r, &d, nullptr),
                 cudaErrorInvalidResourceHandle);
    d.normalizedCoords = 0;
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = 64;
    v.format = cudaResViewFormatFloat1;
    v.width = 16;
    CHECK(cudaCreateTextureObject(&t, &r, &d, &v));
    d.readMode = (cudaTextureReadMode)5;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    d.readMode = cudaReadModeNormalizedFloat;
    EXPECT_ERROR(cudaCreateTextureObject(&t, &r, &d, nullptr),
                 cudaErrorInvalidNormSetting);
}

static void outside_of_memory()
{
    cudaResourceDesc r = {};
    int *p;
    CHECK(cudaMalloc(&p, 64));
    CHECK(cudaMemset(p, 1, 64));
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = 64;
    cudaTextureObject_t t = texture_of(r);
    fetch_element<<<1, 1>>>(t, 16, out);
    expect_value(0);
    fetch_element<<<1, 1>>>(t, -1, out);
    expect_value(0);
    fetch_element<<<1, 1>>>(t, 15, out);
    expect_value(0x01010101);
    fetch<<<1, 1>>>(t, out); // tex2D of linear memory
    expect_value(0);
}

// ---- limits ----------------------------------------------------------------

static void beyond_limits()
{
    const struct {
        cudaExtent extent;
        unsigned flags, levels;
    } rows[] = {
        {{131073, 0, 0}, 0, 0},
        {{131073, 1, 0}, 0, 0},
        {{1, 65537, 0}, 0, 0},
        {{16385, 1, 1}, 0, 0},
        {{8193, 1, 16385}, 0, 0},
        {{1, 0, 2049}, cudaArrayLayered, 0},
        {{32769, 1, 1}, cudaArrayLayered, 0},
        {{8, 4, 6}, cudaArrayCubemap, 0},
        {{8, 8, 7}, cudaArrayCubemap, 0},
        {{8, 8, 9}, cudaArrayCubemap | cudaArrayLayered, 0},
        {{32769, 1, 0}, cudaArrayTextureGather, 0},
        {{8, 0, 0}, cudaArrayTextureGather, 0},
        {{32769, 1, 0}, 0, 1},
        {{32769, 0, 0}, 0, 1},
        {{0, 0, 0}, 0, 0},
        {{0, 4, 0}, 0, 0},
        {{4, 0, 4}, 0, 0},
    };
    cudaChannelFormatDesc c = cudaCreateChannelDesc<unsigned char>();
    for (auto &row : rows) {
        cudaArray_t a = nullptr;
        cudaMipmappedArray_t m = nullptr;
        cudaError_t err =
            row.levels
                ? cudaMallocMipmappedArray(&m, &c, row.extent, row.levels)
                : cudaMalloc3DArray(&a, &c, row.extent, row.flags);
        if (err != cudaErrorInvalidValue || a || m)
            FAIL("%zu x %zu x %zu: %s", row.extent.width, row.extent.height,
                 row.extent.depth, cudaGetErrorName(err));
        (void)cudaGetLastError();
    }
}

int main()
{
    void (*const all[])() = {texture_of_freed_array,
                             surface_of_freed_array,
                             drawing_on_freed_array,
                             texture_of_freed_mipmap,
                             objects_of_freed_array,
                             destroyed_texture,
                             wrong_kinds,
                             no_handle,
                             outside_of_surface,
                             before_a_surface,
                             between_elements,
                             between_wide_elements,
                             texture_of_another_life,
                             odd_descriptions,
                             outside_of_memory,
                             beyond_limits};
    for (auto mistake : all) {
        CHECK(cudaMalloc(&out, sizeof *out));
        mistake();
        CHECK(cudaDeviceReset());
    }
    return finish();
}
