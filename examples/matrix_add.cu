// SPDX-License-Identifier: Apache-2.0
//
// Matrix addition: the kernel takes pointers to rows, so that it can index
// with [row][column] like C, and 16 x 16 blocks tile the matrix.
#include <vector>

#include "common/example.h"

const int N = 2000; // 125 tiles of 16

__global__ void add(const float A[][N], const float B[][N], float C[][N])
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && column < N)
        C[row][column] = A[row][column] + B[row][column];
}

int main()
{
    const size_t size = sizeof(float) * N * N;
    std::vector<float> a(N * N), b(N * N), c(N * N);
    for (int i = 0; i < N * N; i++) {
        a[i] = sample(i);
        b[i] = -0.5f * sample(i + 7);
    }

    float(*d_a)[N], (*d_b)[N], (*d_c)[N];
    CHECK(cudaMalloc((void **)&d_a, size));
    CHECK(cudaMalloc((void **)&d_b, size));
    CHECK(cudaMalloc((void **)&d_c, size));
    CHECK(cudaMemcpy(d_a, a.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), size, cudaMemcpyHostToDevice));

    dim3 block(16, 16);
    dim3 grid(blocks_for(N, block.x), blocks_for(N, block.y));
    double ms = best_ms([&] { add<<<grid, block>>>(d_a, d_b, d_c); });

    CHECK(cudaMemcpy(c.data(), d_c, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));

    std::printf("added two %d x %d matrices, 16 x 16 blocks: ", N, N);
    bool ok = all_close(
        c.data(), N * N, [&](size_t i) { return a[i] + b[i]; }, 0, 0);
    return report({"matrix_add", ok, ms, 3.0 * size, 0});
}
