// SPDX-License-Identifier: Apache-2.0
//
// Matrix transposition through a tile in shared memory, so that both reads and
// writes of global memory run along rows. The tile is one column wider than it
// must be, which on a GPU keeps its columns in different memory banks.
#include <vector>

#include "common/example.h"

const int tile = 32, rows_per_block = 8;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float part[tile][tile + 1];
    int x = blockIdx.x * tile + threadIdx.x;
    int y = blockIdx.y * tile + threadIdx.y;

    for (int k = 0; k < tile; k += rows_per_block)
        if (x < width && y + k < height)
            part[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();

    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile + threadIdx.y;
    for (int k = 0; k < tile; k += rows_per_block)
        if (x < height && y + k < width)
            out[(y + k) * height + x] = part[threadIdx.x][threadIdx.y + k];
}

int main()
{
    const int width = 2050, height = 1990;
    const int n = width * height;
    const size_t size = n * sizeof(float);
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = sample(i);

    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, size));
    CHECK(cudaMalloc(&d_out, size));
    CHECK(cudaMemcpy(d_in, in.data(), size, cudaMemcpyHostToDevice));

    dim3 block(tile, rows_per_block);
    dim3 grid(blocks_for(width, tile), blocks_for(height, tile));
    double ms = best_ms(
        [&] { transpose<<<grid, block>>>(d_out, d_in, width, height); });

    CHECK(cudaMemcpy(out.data(), d_out, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));

    auto want = [&](size_t i) { return in[(i % height) * width + i / height]; };
    std::printf("transposed a matrix of %d x %d floats: ", height, width);
    bool ok = all_close(out.data(), n, want, 0, 0);
    return report({"transpose", ok, ms, 2.0 * size, 0});
}
