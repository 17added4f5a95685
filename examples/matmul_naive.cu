// SPDX-License-Identifier: Apache-2.0
//
// Matrix product, one thread per element of the result: every thread walks a
// row of A and a column of B in global memory.
#include "common/matrix.h"

__global__ void multiply(matrix A, matrix B, matrix C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= C.height || column >= C.width)
        return;

    float sum = 0;
    for (int i = 0; i < A.width; i++)
        sum +=
            A.elements[row * A.stride + i] * B.elements[i * B.stride + column];
    C.elements[row * C.stride + column] = sum;
}

int main()
{
    const int m = 500, n = 700, k = 600; // C is m x n, A is m x k
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

    dim3 block(16, 16);
    dim3 grid(blocks_for(n, block.x), blocks_for(m, block.y));
    double ms = best_ms([&] { multiply<<<grid, block>>>(A, B, C); });

    CHECK(cudaMemcpy(c.data(), C.elements, size_bytes(C),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(A.elements));
    CHECK(cudaFree(B.elements));
    CHECK(cudaFree(C.elements));

    std::printf("multiplied %d x %d by %d x %d from global memory: ", m, k, k,
                n);
    bool ok = is_product(c, a, b, m, n, k);
    return report({"matmul_naive", ok, ms, 0, 2.0 * m * n * k});
}
