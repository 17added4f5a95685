// SPDX-License-Identifier: Apache-2.0
//
// Matrix product with shared memory: a block of 16 x 16 threads computes one
// tile of C and walks along a row of tiles of A and a column of tiles of B.
// It loads each pair of tiles once, so global memory is read 16 times less.
#include "common/matrix.h"

const int tile = 16;

// The part of `m` that starts at tile (row, column); no element is copied.
__device__ matrix sub_matrix(matrix m, int row, int column)
{
    matrix part = {tile, tile, m.stride,
                   m.elements + (row * m.stride + column) * tile};
    return part;
}

__device__ float &element(matrix m, int row, int column)
{
    return m.elements[row * m.stride + column];
}

__global__ void multiply(matrix A, matrix B, matrix C)
{
    __shared__ float a[tile][tile];
    __shared__ float b[tile][tile];
    int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;

    for (int t = 0; t < A.width / tile; t++) {
        a[row][column] = element(sub_matrix(A, blockIdx.y, t), row, column);
        b[row][column] = element(sub_matrix(B, t, blockIdx.x), row, column);
        __syncthreads(); // the tiles are complete

        for (int i = 0; i < tile; i++)
            sum += a[row][i] * b[i][column];
        __syncthreads(); // nobody needs them any more
    }
    element(sub_matrix(C, blockIdx.y, blockIdx.x), row, column) = sum;
}

int main()
{
    const int m = 1024, n = 1024, k = 1024; // multiples of the tile
    std::vector<float> a = random_elements(m * k, 1);
    std::vector<float> b = random_elements(k * n, 2);
    std::vector<float> c(m * n);

    matrix A = device_matrix(m, k);
    matrix B = device_matrix(k, n);
    matrix C = device_matrix(m, n);
    CHECK(cudaMemcpy(A.elements, a.data(), size_bytes(A),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(B.elements, b.data(), size_bytes(B),
                     cudaMemcpyHostToDevice));

    dim3 block(tile, tile);
    dim3 grid(n / tile, m / tile);
    double ms = best_ms([&] { multiply<<<grid, block>>>(A, B, C); });

    CHECK(cudaMemcpy(c.data(), C.elements, size_bytes(C),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(A.elements));
    CHECK(cudaFree(B.elements));
    CHECK(cudaFree(C.elements));

    std::printf("multiplied %d x %d by %d x %d with 16 x 16 tiles: ", m, k, k,
                n);
    bool ok = is_product(c, a, b, m, n, k);
    return report({"matmul_shared", ok, ms, 0, 2.0 * m * n * k});
}
