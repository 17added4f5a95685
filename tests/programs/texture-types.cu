// SPDX-License-Identifier: Apache-2.0
// Texels of every type: fetched from an array, from pitched and from linear
// memory, through references, as fractions, and read and written by surfaces.
// The functions of other geometries: texture-functions.cu.
#include "check.h"

#include <cmath>
#include <cuda_fp16.h>

enum { WIDTH = 16, HEIGHT = 4, TEXELS = WIDTH * HEIGHT };

// A type, its name as part of another, its scalar.
#define NARROW(X)                                                              \
    X(char, char, signed char)                                                 \
    X(signed char, schar, signed char)                                         \
    X(char1, char1, signed char)                                               \
    X(char2, char2, signed char)                                               \
    X(char4, char4, signed char)                                               \
    X(unsigned char, uchar, unsigned char)                                     \
    X(uchar1, uchar1, unsigned char)                                           \
    X(uchar2, uchar2, unsigned char)                                           \
    X(uchar4, uchar4, unsigned char)                                           \
    X(short, short, short)                                                     \
    X(short1, short1, short)                                                   \
    X(short2, short2, short)                                                   \
    X(short4, short4, short)                                                   \
    X(unsigned short, ushort, unsigned short)                                  \
    X(ushort1, ushort1, unsigned short)                                        \
    X(ushort2, ushort2, unsigned short)                                        \
    X(ushort4, ushort4, unsigned short)
#define WIDE(X)                                                                \
    X(int, int, int)                                                           \
    X(int1, int1, int)                                                         \
    X(int2, int2, int)                                                         \
    X(int4, int4, int)                                                         \
    X(unsigned int, uint, unsigned int)                                        \
    X(uint1, uint1, unsigned int)                                              \
    X(uint2, uint2, unsigned int)                                              \
    X(uint4, uint4, unsigned int)                                              \
    X(float, float, float)                                                     \
    X(float1, float1, float)                                                   \
    X(float2, float2, float)                                                   \
    X(float4, float4, float)
// What only surfaces have, and the type of such an array.
#define LONG(X)                                                                \
    X(long long, longlong, int2)                                               \
    X(longlong1, longlong1, int2)                                              \
    X(longlong2, longlong2, int4)                                              \
    X(unsigned long long, ulonglong, uint2)                                    \
    X(ulonglong1, ulonglong1, uint2)                                           \
    X(ulonglong2, ulonglong2, uint4)

#define X(type, name, ...)                                                     \
    texture<type, cudaTextureType2D> plane_##name;                             \
    texture<type, cudaTextureType1D> row_##name;
NARROW(X)
WIDE(X)
#undef X
#define X(type, name, ...)                                                     \
    texture<type, cudaTextureType2D, cudaReadModeNormalizedFloat>              \
        fraction_##name;
NARROW(X)
#undef X

struct handles {
    cudaTextureObject_t array, pitched, linear;
    cudaSurfaceObject_t from, to;
};

// ---- elements --------------------------------------------------------------

// Copies of the texels: five ways to fetch, and by surfaces.
template <typename T>
__device__ void copy_texel(const handles &h, T by_reference, T by_number,
                           T *out)
{
    int x = threadIdx.x, y = threadIdx.y, i = y * WIDTH + x;
    out[i] = tex2D<T>(h.array, x + 0.5f, y + 0.5f);
    out[TEXELS + i] = tex2D<T>(h.pitched, x + 0.5f, y + 0.5f);
    out[2 * TEXELS + i] = tex1Dfetch<T>(h.linear, i);
    out[3 * TEXELS + i] = by_reference;
    out[4 * TEXELS + i] = by_number;
}

template <typename T>
static __device__ void copy_element(const handles &h, T *out)
{
    int x = threadIdx.x, y = threadIdx.y, i = y * WIDTH + x;
    out[i] = surf2Dread<T>(h.from, x * sizeof(T), y);
    surf2Dwrite(out[i], h.to, x * sizeof(T), y);
}

#define X(type, name, ...)                                                     \
    __global__ void copy_##name(handles h, type *out)                          \
    {                                                                          \
        int x = threadIdx.x, y = threadIdx.y, i = y * WIDTH + x;               \
        copy_texel<type>(h, tex2D(plane_##name, x + 0.5f, y + 0.5f),           \
                         tex1Dfetch(row_##name, i), out);                      \
        copy_element(h, out + 5 * TEXELS);                                     \
    }
NARROW(X)
WIDE(X)
#undef X
#define X(type, name, ...)                                                     \
    __global__ void copy_##name(handles h, type *out)                          \
    {                                                                          \
        copy_element(h, out);                                                  \
    }
LONG(X)
#undef X

// ---- fractions -------------------------------------------------------------

static __device__ void put(float *out, float v)
{
    out[0] = v;
}
static __device__ void put(float *out, float1 v)
{
    out[0] = v.x;
}
static __device__ void put(float *out, float2 v)
{
    out[0] = v.x, out[1] = v.y;
}
static __device__ void put(float *out, float4 v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}

enum type_name {
#define X(type, name, ...) TYPE_##name,
    NARROW(X)
#undef X
};

// Through an object one asks for four floats of any texel. One kernel, so that
// the code for filters of floats is compiled once.
__global__ void divide(enum type_name name, cudaTextureObject_t t, float *out)
{
    int x = threadIdx.x, y = threadIdx.y, i = y * WIDTH + x;
    put(out + 8 * i + 4, tex2D<float4>(t, x + 0.5f, y + 0.5f));
    switch (name) {
#define X(type, name, scalar)                                                  \
    case TYPE_##name:                                                          \
        put(out + 8 * i, tex2D(fraction_##name, x + 0.5f, y + 0.5f));          \
        break;
        NARROW(X)
#undef X
    }
}

// ---- the host --------------------------------------------------------------

// All bits, but no floats that are no number.
template <typename T> static std::vector<T> random_texels()
{
    static unsigned state = 1;
    std::vector<T> v(TEXELS);
    unsigned char *p = (unsigned char *)v.data();
    for (size_t i = 0; i < TEXELS * sizeof(T); i++) {
        state = state * 1664525u + 1013904223u;
        p[i] = (unsigned char)(state >> 24);
        if (i % 4 == 3)
            p[i] &= 0xbf;
    }
    return v;
}

template <typename T>
static cudaArray_t make_array(const cudaChannelFormatDesc &c,
                              const std::vector<T> &texels)
{
    cudaArray_t a;
    CHECK(cudaMallocArray(&a, &c, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, texels.data(), WIDTH * sizeof(T),
                              WIDTH * sizeof(T), HEIGHT,
                              cudaMemcpyHostToDevice));
    return a;
}

static cudaTextureObject_t object_of(const cudaResourceDesc &r,
                                     cudaTextureReadMode mode)
{
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    d.readMode = mode;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static cudaResourceDesc array_resource(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

static cudaSurfaceObject_t surface_of(cudaArray_t a)
{
    cudaSurfaceObject_t s;
    cudaResourceDesc r = array_resource(a);
    CHECK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

template <typename T>
static void expect_copies(const char *name, buffer<T> &got,
                          const std::vector<T> &texels, cudaArray_t to)
{
    std::vector<T> drawn(TEXELS);
    got.download();
    for (size_t i = 0; i < got.host.size(); i += TEXELS)
        expect_same(name, &got.host[i], texels.data(), TEXELS);
    CHECK(cudaMemcpy2DFromArray(drawn.data(), WIDTH * sizeof(T), to, 0, 0,
                                WIDTH * sizeof(T), HEIGHT,
                                cudaMemcpyDeviceToHost));
    expect_same(name, drawn.data(), texels.data(), TEXELS);
}

template <typename T, typename Plane, typename Row>
static void check_elements(const char *name, Plane &plane, Row &row,
                           void (*kernel)(handles, T *))
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<T>();
    std::vector<T> texels = random_texels<T>();
    cudaArray_t from = make_array(c, texels);
    cudaArray_t to = make_array(c, std::vector<T>(TEXELS));
    buffer<T> linear(texels), got(6 * TEXELS);
    handles h;
    cudaResourceDesc r = array_resource(from);
    h.array = object_of(r, cudaReadModeElementType);
    r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = linear.device;
    r.res.linear.desc = c;
    r.res.linear.sizeInBytes = linear.bytes();
    h.linear = object_of(r, cudaReadModeElementType);
    char *pitched;
    size_t pitch;
    CHECK(cudaMallocPitch(&pitched, &pitch, WIDTH * sizeof(T), HEIGHT));
    CHECK(cudaMemcpy2D(pitched, pitch, texels.data(), WIDTH * sizeof(T),
                       WIDTH * sizeof(T), HEIGHT, cudaMemcpyHostToDevice));
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = pitched;
    r.res.pitch2D.desc = c;
    r.res.pitch2D.width = WIDTH;
    r.res.pitch2D.height = HEIGHT;
    r.res.pitch2D.pitchInBytes = pitch;
    h.pitched = object_of(r, cudaReadModeElementType);
    h.from = surface_of(from);
    h.to = surface_of(to);
    CHECK(cudaBindTextureToArray(plane, from));
    CHECK(cudaBindTexture(nullptr, row, linear.device, linear.bytes()));
    kernel<<<1, dim3(WIDTH, HEIGHT)>>>(h, got.device);
    expect_copies(name, got, texels, to);
    CHECK(cudaFree(pitched));
    CHECK(cudaFreeArray(from));
    CHECK(cudaFreeArray(to));
}

template <typename T, typename As>
static void check_long(const char *name, void (*kernel)(handles, T *))
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<As>();
    std::vector<T> texels = random_texels<T>();
    cudaArray_t from = make_array(c, texels);
    cudaArray_t to = make_array(c, std::vector<T>(TEXELS));
    buffer<T> got(TEXELS);
    handles h = {};
    h.from = surface_of(from);
    h.to = surface_of(to);
    kernel<<<1, dim3(WIDTH, HEIGHT)>>>(h, got.device);
    expect_copies(name, got, texels, to);
    CHECK(cudaFreeArray(from));
    CHECK(cudaFreeArray(to));
}

// A fraction of the type's largest number, and not below -1.
template <typename S> static float fraction_of(S v)
{
    const int bits = 8 * sizeof(S) - ((S)-1 < 0);
    return fmaxf((float)v / (float)((1 << bits) - 1), -1);
}

template <typename T, typename S, typename Reference>
static void check_fractions(const char *name, Reference &reference,
                            enum type_name number)
{
    const unsigned channels = sizeof(T) / sizeof(S);
    std::vector<T> texels = random_texels<T>();
    memset((void *)&texels[3], 0x80, sizeof(T)); // the least, or near to it
    cudaArray_t a = make_array(cudaCreateChannelDesc<T>(), texels);
    cudaTextureObject_t t =
        object_of(array_resource(a), cudaReadModeNormalizedFloat);
    buffer<float> got(TEXELS * 8, 0);
    CHECK(cudaBindTextureToArray(reference, a));
    divide<<<1, dim3(WIDTH, HEIGHT)>>>(number, t, got.device);
    got.download();
    for (unsigned i = 0; i < TEXELS * 8; i++) {
        const S *texel = (const S *)&texels[i / 8];
        unsigned channel = i % 4;
        float want = channel < channels ? fraction_of(texel[channel]) : 0;
        if (got[i] != want)
            FAIL("%s as fractions: texel %u, value %u is %g, should be %g",
                 name, i / 8, i % 8, got[i], want);
    }
    CHECK(cudaFreeArray(a));
}

__global__ void widen(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.x] = tex2D<float4>(t, threadIdx.x % WIDTH + 0.5f,
                                     threadIdx.x / WIDTH + 0.5f);
}

static void check_halves(const char *name, const cudaChannelFormatDesc &c,
                         int channels)
{
    std::vector<__half> texels(TEXELS * channels);
    for (int i = 0; i < TEXELS * channels; i++)
        texels[i] = __float2half((i - 30) * 0.125f);
    cudaArray_t a;
    size_t row_bytes = WIDTH * channels * sizeof(__half);
    CHECK(cudaMallocArray(&a, &c, WIDTH, HEIGHT));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, texels.data(), row_bytes, row_bytes,
                              HEIGHT, cudaMemcpyHostToDevice));
    cudaTextureObject_t t =
        object_of(array_resource(a), cudaReadModeElementType);
    buffer<float4> got(TEXELS);
    widen<<<1, TEXELS>>>(t, got.device);
    got.download();
    for (int i = 0; i < TEXELS * 4; i++) {
        int texel = i / 4, channel = i % 4;
        float want =
            channel < channels ? (texel * channels + channel - 30) * 0.125f : 0;
        if (((float *)got.host.data())[i] != want)
            FAIL("%s: texel %d, channel %d", name, texel, channel);
    }
    CHECK(cudaFreeArray(a));
}

int main()
{
#define X(type, name, ...)                                                     \
    check_elements<type>(#type, plane_##name, row_##name, copy_##name);
    NARROW(X)
    WIDE(X)
#undef X
#define X(type, name, as) check_long<type, as>(#type, copy_##name);
    LONG(X)
#undef X
#define X(type, name, scalar)                                                  \
    check_fractions<type, scalar>(#type, fraction_##name, TYPE_##name);
    NARROW(X)
#undef X
    check_halves("half", cudaCreateChannelDescHalf(), 1);
    check_halves("half2", cudaCreateChannelDescHalf2(), 2);
    check_halves("half4", cudaCreateChannelDescHalf4(), 4);
    return finish();
}
