// SPDX-License-Identifier: Apache-2.0
//
// Vector addition by a two-dimensional grid of two-dimensional blocks: a
// thread finds its element from both coordinates of its block and itself.
#include <vector>

#include "common/example.h"

__global__ void add(const int *a, const int *b, int *c, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x;
        c[i] = a[i] + b[i];
    }
}

int main()
{
    const int width = 3001, height = 2003;
    const int n = width * height;
    const size_t size = n * sizeof(int);
    std::vector<int> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 3 * i;
    }

    int *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, size));
    CHECK(cudaMalloc(&d_b, size));
    CHECK(cudaMalloc(&d_c, size));
    CHECK(cudaMemcpy(d_a, a.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), size, cudaMemcpyHostToDevice));

    dim3 block(32, 8);
    dim3 grid(blocks_for(width, block.x), blocks_for(height, block.y));
    double ms =
        best_ms([&] { add<<<grid, block>>>(d_a, d_b, d_c, width, height); });

    CHECK(cudaMemcpy(c.data(), d_c, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));

    std::printf("added %d x %d ints, blocks of %u x %u: ", width, height,
                block.x, block.y);
    bool ok = all_close(
        c.data(), n, [&](size_t i) { return a[i] + b[i]; }, 0, 0);
    return report({"vector_add_2d", ok, ms, 3.0 * size, 0});
}
