// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17
// Texture and surface references of older programs, surface objects, and what
// is no such object.
#include "check.h"

#include <cstring>

texture<float, cudaTextureType1D> numbers;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> picture;
surface<void, cudaSurfaceType2D> drawing;

__global__ void fetch_numbers(float *out, int offset)
{
    out[threadIdx.x] = tex1Dfetch(numbers, threadIdx.x + offset);
}

__global__ void fetch_picture(float4 *out)
{
    out[threadIdx.y * 4 + threadIdx.x] =
        tex2D(picture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

__global__ void draw_reference()
{
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(make_short2(10 * y + x, -x), drawing, x * 4, y);
}

__global__ void draw_object(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = threadIdx.y;
    short2 v;
    surf2Dread(&v, s, x * 4, y);
    v.x += 1000;
    surf2Dwrite(v, s, x * 4, y);
    surf2Dwrite(v, s, 4 * 100 + x, y, cudaBoundaryModeZero); // nowhere
    surf2Dread(&v, s, -4, y, cudaBoundaryModeZero);
    if (v.x || v.y)
        surf2Dwrite(make_short2(-1, -1), s, 0, 0);
}

__global__ void read_far(cudaSurfaceObject_t s, int *out)
{
    *out = surf2Dread<int>(s, 4 * 1000, 0);
}

static void check_numbers()
{
    float host[64], got[32], *p, *out;
    size_t offset = 7;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    CHECK(cudaMalloc(&p, sizeof host));
    CHECK(cudaMalloc(&out, sizeof got));
    CHECK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    EXPECT_ERROR(cudaGetTextureAlignmentOffset(&offset, numbers),
                 cudaErrorInvalidTextureBinding);
    CHECK(cudaBindTexture(&offset, numbers, p, sizeof host));
    EXPECT_EQ(offset, 0);
    fetch_numbers<<<1, 32>>>(out, 3);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT_EQ(got[i], i + 3);
    // Not aligned: the offset says by how much.
    EXPECT_ERROR(cudaBindTexture(nullptr, numbers, p + 5, 128),
                 cudaErrorInvalidValue);
    CHECK(cudaBindTexture(&offset, numbers, p + 5, 128));
    EXPECT_EQ(offset, 5 * sizeof(float));
    fetch_numbers<<<1, 32>>>(out, offset / sizeof(float));
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT_EQ(got[i], i + 5);
    CHECK(cudaUnbindTexture(numbers));
    CHECK(cudaFree(p));
    CHECK(cudaFree(out));
}

static void check_picture()
{
    uchar4 host[16];
    float4 got[16], *out;
    cudaArray_t a;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
    for (int i = 0; i < 16; i++)
        host[i] = make_uchar4(i, 255 - i, 10 * i, 255);
    CHECK(cudaMallocArray(&a, &channels, 4, 4));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4,
                              cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&out, sizeof got));
    CHECK(cudaBindTextureToArray(picture, a));
    fetch_picture<<<1, dim3(4, 4)>>>(out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++)
        EXPECT(got[i].x == i / 255.0f && got[i].y == (255 - i) / 255.0f &&
               got[i].z == 10 * i / 255.0f && got[i].w == 1);
    CHECK(cudaUnbindTexture(picture));
    CHECK(cudaFree(out));
    CHECK(cudaFreeArray(a));
}

static void check_surfaces()
{
    short2 got[8 * 4];
    cudaArray_t a;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<short2>();
    CHECK(cudaMallocArray(&a, &channels, 8, 4, cudaArraySurfaceLoadStore));
    CHECK(cudaBindSurfaceToArray(drawing, a));
    draw_reference<<<1, dim3(8, 4)>>>();
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    draw_object<<<1, dim3(8, 4)>>>(s);
    CHECK(cudaMemcpy2DFromArray(got, 32, a, 0, 0, 32, 4,
                                cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT(got[i].x == 1000 + i / 8 * 10 + i % 8 && got[i].y == -(i % 8));
    cudaResourceDesc back;
    CHECK(cudaGetSurfaceObjectResourceDesc(&back, s));
    EXPECT(back.resType == cudaResourceTypeArray && back.res.array.array == a);
    CHECK(cudaDestroySurfaceObject(s));
    EXPECT_ERROR(cudaDestroySurfaceObject(s), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaGetSurfaceObjectResourceDesc(&back, s),
                 cudaErrorInvalidValue);
    CHECK(cudaFreeArray(a));
}

static void check_mistakes()
{
    cudaArray_t plain;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&plain, &channels, 8, 4));
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t = 0;
    cudaSurfaceObject_t s = 0;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = plain;
    d.filterMode = cudaFilterModeLinear; // of integers that stay integers
    EXPECT_ERROR(cudaCreateTextureObject(&t, &r, &d, nullptr),
                 cudaErrorInvalidFilterSetting);
    CHECK(cudaCreateSurfaceObject(&s, &r)); // without the array's flag
    CHECK(cudaDestroySurfaceObject(s));
    d.filterMode = cudaFilterModePoint;
    EXPECT_ERROR(cudaCreateTextureObject(nullptr, &r, &d, nullptr),
                 cudaErrorInvalidValue);
    EXPECT_ERROR(cudaCreateTextureObject(&t, nullptr, &d, nullptr),
                 cudaErrorInvalidValue);
    EXPECT_ERROR(cudaCreateTextureObject(&t, &r, nullptr, nullptr),
                 cudaErrorInvalidResourceHandle);
    r.resType = cudaResourceTypeLinear;
    EXPECT_ERROR(cudaCreateTextureObject(&t, &r, &d, nullptr),
                 cudaErrorInvalidChannelDescriptor);
    EXPECT_EQ(t, 0u);
    CHECK(cudaFreeArray(plain));
}

// Last: a surface's edge that traps ends the context.
static void check_trap()
{
    cudaArray_t a;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s;
    int *out;
    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMallocArray(&a, &channels, 8, 4, cudaArraySurfaceLoadStore));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    read_far<<<1, 1>>>(s, out);
    EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

int main()
{
    check_numbers();
    check_picture();
    check_surfaces();
    check_mistakes();
    check_trap();
    return failures != 0;
}
