// SPDX-License-Identifier: Apache-2.0
//
// A 3-D array in pitched memory: cudaMalloc3D pads its rows, cudaMemcpy3D
// copies a box, and a kernel finds an element from the pitched pointer, which
// it gets by value together with the extent.
#include <vector>

#include "common/example.h"

// The mean of a voxel and its neighbours in z; each thread walks along z.
__global__ void smooth(cudaPitchedPtr out, cudaPitchedPtr in, int width,
                       int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;

    size_t slice = in.pitch * height;
    const char *from = (const char *)in.ptr + y * in.pitch;
    char *to = (char *)out.ptr + y * out.pitch;
    for (int z = 0; z < depth; z++) {
        int below = z > 0 ? z - 1 : z;
        int above = z < depth - 1 ? z + 1 : z;
        float sum = ((const float *)(from + below * slice))[x] +
                    ((const float *)(from + z * slice))[x] +
                    ((const float *)(from + above * slice))[x];
        ((float *)(to + z * out.pitch * height))[x] = sum * (1.0f / 3.0f);
    }
}

static void copy(cudaPitchedPtr to, cudaPitchedPtr from, cudaExtent extent,
                 cudaMemcpyKind kind)
{
    cudaMemcpy3DParms parameters = {};
    parameters.srcPtr = from;
    parameters.dstPtr = to;
    parameters.extent = extent;
    parameters.kind = kind;
    CHECK(cudaMemcpy3D(&parameters));
}

int main()
{
    const int width = 201, height = 150, depth = 100;
    const int n = width * height * depth;
    std::vector<float> data(n), result(n);
    for (int i = 0; i < n; i++)
        data[i] = sample(i);

    // The width of an extent of linear memory is in bytes.
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr in, out;
    CHECK(cudaMalloc3D(&in, extent));
    CHECK(cudaMalloc3D(&out, extent));
    size_t row = width * sizeof(float);
    copy(in, make_cudaPitchedPtr(data.data(), row, width, height), extent,
         cudaMemcpyHostToDevice);

    dim3 block(32, 8);
    dim3 grid(blocks_for(width, block.x), blocks_for(height, block.y));
    double ms = best_ms(
        [&] { smooth<<<grid, block>>>(out, in, width, height, depth); });

    copy(make_cudaPitchedPtr(result.data(), row, width, height), out, extent,
         cudaMemcpyDeviceToHost);
    size_t pitch = in.pitch;
    CHECK(cudaFree(in.ptr));
    CHECK(cudaFree(out.ptr));

    int slice = width * height;
    auto want = [&](size_t i) {
        int z = (int)i / slice;
        int below = z > 0 ? -slice : 0, above = z < depth - 1 ? slice : 0;
        return (data[i + below] + data[i] + data[i + above]) / 3.0;
    };
    std::printf("smoothed %d x %d x %d floats along z, pitch %zu: ", width,
                height, depth, pitch);
    bool ok = all_close(result.data(), n, want, 1e-6);
    return report({"pitched_3d", ok, ms, 2.0 * n * sizeof(float), 0});
}
