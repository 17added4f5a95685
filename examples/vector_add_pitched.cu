// SPDX-License-Identifier: Apache-2.0
//
// Vector addition in pitched memory: rows start at aligned addresses, so a row
// of `width` elements occupies `pitch` bytes and the copies are 2-D.
#include <vector>

#include "common/example.h"

__device__ float *row_of(char *base, size_t pitch, int y)
{
    return (float *)(base + y * pitch);
}

__global__ void add(char *a, size_t pitch_a, char *b, size_t pitch_b, char *c,
                    size_t pitch_c, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    row_of(c, pitch_c, y)[x] =
        row_of(a, pitch_a, y)[x] + row_of(b, pitch_b, y)[x];
}

int main()
{
    const int width = 1999, height = 2001; // no multiple of any alignment
    const int n = width * height;
    const size_t row = width * sizeof(float);
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = sample(i);
        b[i] = sample(i + n);
    }

    char *d_a, *d_b, *d_c;
    size_t pitch_a, pitch_b, pitch_c;
    CHECK(cudaMallocPitch((void **)&d_a, &pitch_a, row, height));
    CHECK(cudaMallocPitch((void **)&d_b, &pitch_b, row, height));
    CHECK(cudaMallocPitch((void **)&d_c, &pitch_c, row, height));
    CHECK(cudaMemcpy2D(d_a, pitch_a, a.data(), row, row, height,
                       cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(d_b, pitch_b, b.data(), row, row, height,
                       cudaMemcpyHostToDevice));

    dim3 block(64, 4);
    dim3 grid(blocks_for(width, block.x), blocks_for(height, block.y));
    double ms = best_ms([&] {
        add<<<grid, block>>>(d_a, pitch_a, d_b, pitch_b, d_c, pitch_c, width,
                             height);
    });

    CHECK(cudaMemcpy2D(c.data(), row, d_c, pitch_c, row, height,
                       cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));

    std::printf("added %d rows of %zu bytes, %zu bytes apart: ", height, row,
                pitch_c);
    bool ok = all_close(
        c.data(), n, [&](size_t i) { return a[i] + b[i]; }, 0, 0);
    return report({"vector_add_pitched", ok, ms, 3.0 * n * sizeof(float), 0});
}
