// SPDX-License-Identifier: Apache-2.0
// weftcc: -lcuda
//
// Fetches where a texture unit does not do what one would think, as an H200
// answers them: a bias without a level, levels below 0 and a bias beyond 15, a
// place on the edge of a cube's face, anisotropy far away, colors of formats
// that have none, linear memory of no texel, formats of fractions.
#include "check.h"

#include <cmath>
#include <cuda.h>
#include <vector>

static float4 *out;

static float4 result()
{
    float4 got;
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    return got;
}

// ---- levels ----------------------------------------------------------------

__global__ void fetch_levels(cudaTextureObject_t t, float x, float4 *out)
{
    const float2 dx = make_float2(0.1f, 0.2f), dy = make_float2(0.05f, 0.3f);
    *out = make_float4(tex2D<float>(t, x, 0.3f), tex2DLod<float>(t, x, 0.3f, 0),
                       tex2DGrad<float>(t, x, 0.3f, dx, dy),
                       tex2DGrad<float>(t, 0, 0.3f, dx, dy));
}

// Level k is k everywhere, the first one also has its columns' numbers.
static cudaTextureObject_t make_levels(float bias, unsigned anisotropy)
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t m;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    CHECK(cudaMallocMipmappedArray(&m, &c, make_cudaExtent(16, 16, 0), 4));
    for (unsigned k = 0; k < 4; k++) {
        unsigned side = 16 >> k;
        float texels[16 * 16];
        cudaArray_t level;
        for (unsigned i = 0; i < side * side; i++)
            texels[i] = k ? k : 0.01f * (i % side) * (i / side);
        CHECK(cudaGetMipmappedArrayLevel(&level, m, k));
        CHECK(cudaMemcpy2DToArray(level, 0, 0, texels, 4 * side, 4 * side, side,
                                  cudaMemcpyHostToDevice));
    }
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    d.normalizedCoords = 1;
    d.maxMipmapLevelClamp = 3;
    d.mipmapLevelBias = bias;
    d.maxAnisotropy = anisotropy;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static void levels()
{
    fetch_levels<<<1, 1>>>(make_levels(1.6f, 0), 0, out);
    float4 got = result();
    EXPECT(got.x == 0 && got.y == 2); // without a level there is no bias
    fetch_levels<<<1, 1>>>(make_levels(-2.3f, 4), -1e30f, out);
    got = result();
    EXPECT(got.z == got.w && got.z > 0.01f); // repetitions do not count
}

// Levels are cut off towards 0 before the bias is added, of which 15 is kept. A
// bias that is no number is as much. The texture's level k is 256 k.
__global__ void fetch_at(cudaTextureObject_t t, float level, float *out)
{
    *out = tex2DLod<float>(t, 0.5f, 0.5f, level);
}

static cudaMipmappedArray_t make_numbered()
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t m;
    CHECK(cudaMallocMipmappedArray(&m, &c, make_cudaExtent(1024, 1024, 0), 11));
    for (int k = 0; k < 11; k++) {
        size_t side = 1024 >> k;
        std::vector<float> texels(side * side, 256.f * k);
        cudaArray_t level;
        CHECK(cudaGetMipmappedArrayLevel(&level, m, k));
        CHECK(cudaMemcpy2DToArray(level, 0, 0, texels.data(), 4 * side,
                                  4 * side, side, cudaMemcpyHostToDevice));
    }
    return m;
}

static void biased()
{
    const struct {
        float bias, level, answer;
    } rows[] = {{1.5f, -95 / 1024.f, 361},
                {1, -1 / 1024.f, 256},
                {0.25f, -94 / 1024.f, 41},
                {7.9f, -89 / 1024.f, 2000},
                {1.5f, 0.5f + 1 / 1024.f, 512},
                {15.99f, -12.5f, 640},
                {20, -12.5f, 640},
                {INFINITY, -12.5f, 640},
                {NAN, -12.5f, 640},
                {NAN, 0, 2560},
                {-15.99f, 16, 256},
                {-INFINITY, 16, 256}};
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = make_numbered();
    for (const auto &row : rows) {
        cudaTextureDesc d = {};
        cudaTextureObject_t t;
        d.normalizedCoords = 1;
        d.mipmapFilterMode = cudaFilterModeLinear;
        d.maxMipmapLevelClamp = 99;
        d.mipmapLevelBias = row.bias;
        CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
        fetch_at<<<1, 1>>>(t, row.level, &out->x);
        EXPECT_EQ(result().x, row.answer);
        fetch_at<<<1, 32>>>(t, row.level, &out->x);
        EXPECT_EQ(result().x, row.answer);
    }
}

// ---- cubes -----------------------------------------------------------------

__global__ void fetch_cube(cudaTextureObject_t t, float3 v, float4 *out)
{
    out->x = texCubemap<float>(t, v.x, v.y, v.z);
}

// A place on a face is a product with the reciprocal of the longest side: 3.7
// over 3.7 is less than 1, and the last row; 4 over 4 is behind it.
static void cubes()
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    cudaMemcpy3DParms m = {};
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    float texels[6 * 64];
    for (int i = 0; i < 6 * 64; i++)
        texels[i] = i;
    CHECK(
        cudaMalloc3DArray(&a, &c, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
    m.srcPtr = make_cudaPitchedPtr(texels, 32, 8, 8);
    m.dstArray = a;
    m.extent = make_cudaExtent(8, 8, 6);
    m.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&m));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.normalizedCoords = 1; // and it wraps
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    fetch_cube<<<1, 1>>>(t, make_float3(0.9f, -3.7f, -3.7f), out);
    EXPECT_EQ(result().x, 5 * 64 + 7 * 8 + 3);
    fetch_cube<<<1, 1>>>(t, make_float3(0.9f, -4, -4), out);
    EXPECT_EQ(result().x, 5 * 64 + 3);
    fetch_cube<<<1, 1>>>(t, make_float3(0, -0x1p-140f, -0x1p-140f), out);
    EXPECT_EQ((int)result().x / 64, 5);
}

// ---- colors ----------------------------------------------------------------

__global__ void fetch_floats(cudaTextureObject_t t, float4 *out)
{
    *out = tex2D<float4>(t, 0, 0);
}

// A texel of 0x40 bytes, read with these flags.
static float4 read_as(CUarray_format format, unsigned channels, unsigned bytes,
                      unsigned flags)
{
    const unsigned char side = format >= CU_AD_FORMAT_BC1_UNORM ? 4 : 1;
    CUDA_ARRAY3D_DESCRIPTOR a = {};
    CUDA_RESOURCE_DESC r = {};
    CUDA_TEXTURE_DESC d = {};
    CUtexObject t;
    unsigned char texel[16];
    memset(texel, 0x40, sizeof texel);
    a.Width = a.Height = side;
    a.Format = format;
    a.NumChannels = channels;
    EXPECT_EQ(cuArray3DCreate(&r.res.array.hArray, &a), CUDA_SUCCESS);
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = texel;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.dstArray = r.res.array.hArray;
    c.WidthInBytes = bytes;
    c.Height = 1;
    EXPECT_EQ(cuMemcpy2D(&c), CUDA_SUCCESS);
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    d.flags = flags;
    EXPECT_EQ(cuTexObjectCreate(&t, &r, &d, nullptr), CUDA_SUCCESS);
    fetch_floats<<<1, 1>>>(t, out);
    float4 got = result();
    EXPECT_EQ(cuTexObjectDestroy(t), CUDA_SUCCESS);
    EXPECT_EQ(cuArrayDestroy(r.res.array.hArray), CUDA_SUCCESS);
    return got;
}

// Are bytes and blocks colors, if the flag says so, and nothing else?
static void colors()
{
    const unsigned srgb = CU_TRSF_SRGB;
    const unsigned whole = CU_TRSF_READ_AS_INTEGER;
    const struct {
        CUarray_format format;
        unsigned channels, bytes;
        bool is_color;
    } rows[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, 4, 4, true},
        {CU_AD_FORMAT_UNSIGNED_INT16, 4, 8, false},
        {CU_AD_FORMAT_UNSIGNED_INT32, 1, 4, false},
        {CU_AD_FORMAT_UNSIGNED_INT32, 4, 16, false},
        {CU_AD_FORMAT_SIGNED_INT8, 4, 4, false},
        {CU_AD_FORMAT_FLOAT, 4, 16, false},
        {CU_AD_FORMAT_BC1_UNORM, 4, 8, true},
        {CU_AD_FORMAT_BC4_UNORM, 1, 8, false},
    };
    for (auto &row : rows) {
        float4 plain = read_as(row.format, row.channels, row.bytes, 0);
        float4 color = read_as(row.format, row.channels, row.bytes, srgb);
        EXPECT_EQ(memcmp(&plain, &color, 12) != 0, row.is_color);
        if (row.format == CU_AD_FORMAT_UNSIGNED_INT8) {
            plain = read_as(row.format, row.channels, row.bytes, whole);
            color = read_as(row.format, row.channels, row.bytes, whole | srgb);
            EXPECT_EQ(memcmp(&plain, &color, 16), 0);
        }
    }
}

// ---- memory and formats ----------------------------------------------------

__global__ void fetch_word(cudaTextureObject_t t, int i, float4 *out)
{
    out->x = tex1Dfetch<float>(t, i);
    out->y = tex1Dfetch<float>(t, i + 1);
}

// Less than one texel is one; a view of memory means nothing.
static void memory()
{
    const float words[] = {3, 4};
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaResourceViewDesc v = {};
    CHECK(cudaMalloc(&r.res.linear.devPtr, sizeof words));
    CHECK(cudaMemcpy(r.res.linear.devPtr, words, sizeof words,
                     cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypeLinear;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    v.format = cudaResViewFormatUnsignedChar4;
    for (size_t bytes : {0, 3, 4, 7}) {
        cudaTextureObject_t t;
        r.res.linear.sizeInBytes = bytes;
        CHECK(cudaCreateTextureObject(&t, &r, &d, &v));
        fetch_word<<<1, 1>>>(t, 0, out);
        float4 got = result();
        EXPECT(got.x == 3 && got.y == 0);
    }
}

// A format of fractions is read as such and as nothing else, one with 10 bits
// the other way round.
static void fractions()
{
    const struct {
        cudaChannelFormatDesc format;
        cudaError_t as_element, as_fraction;
    } rows[] = {
        {{8, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized8X1},
         cudaErrorInvalidNormSetting,
         cudaSuccess},
        {{16, 16, 0, 0, cudaChannelFormatKindSignedNormalized16X2},
         cudaErrorInvalidNormSetting,
         cudaSuccess},
        {{10, 10, 10, 2, cudaChannelFormatKindUnsignedNormalized1010102},
         cudaSuccess,
         cudaErrorInvalidNormSetting},
    };
    for (const auto &row : rows) {
        cudaResourceDesc r = {};
        cudaTextureDesc d = {};
        cudaTextureObject_t t;
        CHECK(cudaMallocArray(&r.res.array.array, &row.format, 4, 4));
        EXPECT_ERROR(cudaCreateTextureObject(&t, &r, &d, nullptr),
                     row.as_element);
        d.readMode = cudaReadModeNormalizedFloat;
        EXPECT_ERROR(cudaCreateTextureObject(&t, &r, &d, nullptr),
                     row.as_fraction);
    }
}

int main()
{
    CHECK(cudaMalloc(&out, sizeof *out));
    levels();
    biased();
    cubes();
    colors();
    memory();
    fractions();
    return finish();
}
