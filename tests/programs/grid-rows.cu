// SPDX-License-Identifier: Apache-2.0
// also: WEFT_ISA=avx2
//
// Blocks of several rows, those side by side in the grid: every thread runs
// once with its coordinates, whatever the order; and fetches along the rows of
// a texture, where coordinates are made from integers, inside, at and beyond
// its edges.
#include "check.h"

#include <cmath>

static const int width = 100, height = 37, pitch = 7 * 32;

__global__ void count(int *out, int blocks_y)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = (blockIdx.z * blocks_y + blockIdx.y) * blockDim.y + threadIdx.y;
    int at = y * gridDim.x * blockDim.x + x;
    out[at] = out[at] * 2 + at + 1;
}

static void each_once(dim3 grid, dim3 block)
{
    int size = grid.x * grid.y * grid.z * block.x * block.y;
    buffer<int> out(size, 0);
    count<<<grid, block>>>(out.device, grid.y);
    out.download();
    for (int i = 0; i < size; i++)
        if (out.host[i] != i + 1)
            FAIL("%ux%u blocks of %ux%u: %d at %d", grid.x, grid.y, block.x,
                 block.y, out.host[i], i);
}

enum way { PLAIN, HALF, BEFORE, BEHIND, MOST, SOME, CHANGED, UNSIGNED, WAYS };

__global__ void look(cudaTextureObject_t t, way how, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float v = -1, w;
    switch (how) {
    case PLAIN:
        v = tex2D<float>(t, x, y);
        break;
    case HALF:
        v = tex2D<float>(t, x + 0.5f, y + 0.25f);
        break;
    case BEFORE:
        v = tex2D<float>(t, x - 40, y - 5);
        break;
    case BEHIND:
        v = tex2D<float>(t, x + 60 + 0.5f, y + 30);
        break;
    case MOST: // of a texel: rounded, it is the next one
        v = tex2D<float>(t, x + 0.99999994f, y);
        break;
    case SOME:
        if (x % 3)
            v = tex2D<float>(t, x, y);
        break;
    case CHANGED: // the integer, when it has become a float
        asm volatile("{\n\t.reg .s32 i;\n\t.reg .f32 x, b, c, d, s;\n\t"
                     "mov.s32 i, %2;\n\tcvt.rn.f32.s32 x, i;\n\t"
                     "add.s32 i, i, 7;\n\t"
                     "tex.2d.v4.f32.f32 {%0, b, c, d}, [%1, {x, %3}];\n\t"
                     "cvt.rn.f32.s32 s, i;\n\tadd.f32 %0, %0, s;\n\t}"
                     : "=f"(v)
                     : "l"(t), "r"(x), "f"((float)y));
        v -= x + 7;
        break;
    default:
        w = (float)(unsigned)(x - 3);
        v = tex2D<float>(t, w, (float)(unsigned)y);
    }
    out[y * pitch + x] = v;
}

static float texel(int x, int y)
{
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < 0 ? 0 : y < height ? y : height - 1;
    return (float)(y * 128 + x);
}

static float wanted(way how, int x, int y)
{
    switch (how) {
    case BEFORE:
        return texel(x - 40, y - 5);
    case BEHIND:
        return texel(x + 60, y + 30);
    case MOST: // floats of 16 and more have no such part
        return texel((int)floorf(x + 0.99999994f), y);
    case SOME:
        return x % 3 ? texel(x, y) : -1;
    case UNSIGNED: // less than nothing is very much
        return texel(x < 3 ? width : x - 3, y);
    default:
        return texel(x, y);
    }
}

static cudaTextureObject_t make_texture()
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    std::vector<float> texels(width * height);
    for (int i = 0; i < width * height; i++)
        texels[i] = texel(i % width, i / width);
    r.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(&r.res.array.array, &c, width, height));
    CHECK(cudaMemcpy2DToArray(r.res.array.array, 0, 0, texels.data(), width * 4,
                              width * 4, height, cudaMemcpyHostToDevice));
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static void all_ways(dim3 block)
{
    static cudaTextureObject_t t = make_texture();
    const int rows = 64;
    for (int how = 0; how < WAYS; how++) {
        buffer<float> out(pitch * rows, 0);
        look<<<dim3(pitch / block.x, rows / block.y), block>>>(t, (way)how,
                                                               out.device);
        out.download();
        for (int i = 0; i < pitch * rows; i++) {
            float want = wanted((way)how, i % pitch, i / pitch);
            if (out.host[i] != want)
                FAIL("way %d, blocks of %u: %g at %d, %d, not %g", how, block.x,
                     out.host[i], i % pitch, i / pitch, want);
        }
    }
}

int main()
{
    each_once(dim3(67, 3, 2), dim3(32, 3));
    each_once(dim3(1, 9, 1), dim3(32, 8));
    each_once(dim3(300, 2, 3), dim3(8, 8));
    each_once(dim3(5, 5, 1), dim3(16, 4));
    each_once(dim3(131, 1, 1), dim3(32, 4));
    each_once(dim3(64, 256, 1), dim3(32, 2)); // many rows at once
    all_ways(dim3(32, 8));
    all_ways(dim3(8, 8));
    all_ways(dim3(16, 16));
    all_ways(dim3(224, 1));
    return finish();
}
