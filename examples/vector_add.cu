// SPDX-License-Identifier: Apache-2.0
//
// Vector addition, the first program of every guide: copy two vectors to the
// device, add them there with one thread per element, copy the sum back.
#include <vector>

#include "common/example.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 10000019; // a prime: the last block is not full
    const size_t size = n * sizeof(float);
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = sample(i);
        b[i] = sample(i + n);
    }

    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, size));
    CHECK(cudaMalloc(&d_b, size));
    CHECK(cudaMalloc(&d_c, size));
    CHECK(cudaMemcpy(d_a, a.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), size, cudaMemcpyHostToDevice));

    int block = 256;
    double ms = best_ms(
        [&] { add<<<blocks_for(n, block), block>>>(d_a, d_b, d_c, n); });

    CHECK(cudaMemcpy(c.data(), d_c, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));

    std::printf("added two vectors of %d floats, %d threads a block: ", n,
                block);
    bool ok = all_close(
        c.data(), n, [&](size_t i) { return a[i] + b[i]; }, 0, 0);
    return report({"vector_add", ok, ms, 3.0 * size, 0});
}
