// SPDX-License-Identifier: Apache-2.0
//
// Vector addition in managed memory: one pointer, valid on the host and on the
// device. The length lives in a managed variable that both sides name.
#include "common/example.h"

__managed__ int length;

__global__ void add(const float *a, const float *b, float *c)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < length)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 5000011;
    const size_t size = n * sizeof(float);
    float *a, *b, *c;
    CHECK(cudaMallocManaged(&a, size));
    CHECK(cudaMallocManaged(&b, size));
    CHECK(cudaMallocManaged(&c, size));
    for (int i = 0; i < n; i++) {
        a[i] = sample(i);
        b[i] = sample(i + n);
    }

    length = n;
    double ms = best_ms([&] { add<<<blocks_for(n, 256), 256>>>(a, b, c); });

    std::printf("added %d floats in managed memory: ", n);
    bool ok = all_close(
        c, n, [&](size_t i) { return a[i] + b[i]; }, 0, 0);

    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return report({"vector_add_managed", ok, ms, 3.0 * size, 0});
}
