// SPDX-License-Identifier: Apache-2.0
//
// Vector addition with page-locked host memory and asynchronous copies: the
// host thread queues copy, kernel and copy, and waits once at the end. The
// time is that of the whole round trip.
#include "common/example.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 1 << 22;
    const size_t size = n * sizeof(float);
    float *a, *b, *c;
    CHECK(cudaMallocHost(&a, size));
    CHECK(cudaHostAlloc(&b, size, cudaHostAllocWriteCombined));
    CHECK(cudaHostAlloc(&c, size, cudaHostAllocPortable));
    for (int i = 0; i < n; i++) {
        a[i] = sample(i);
        b[i] = sample(i + n);
    }

    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, size));
    CHECK(cudaMalloc(&d_b, size));
    CHECK(cudaMalloc(&d_c, size));

    double ms = best_ms([&] {
        CHECK(cudaMemcpyAsync(d_a, a, size, cudaMemcpyHostToDevice, 0));
        CHECK(cudaMemcpyAsync(d_b, b, size, cudaMemcpyHostToDevice, 0));
        add<<<blocks_for(n, 256), 256>>>(d_a, d_b, d_c, n);
        CHECK(cudaMemcpyAsync(c, d_c, size, cudaMemcpyDeviceToHost, 0));
    });

    std::printf("copied in, added and copied out %d floats: ", n);
    bool ok = all_close(
        c, n, [&](size_t i) { return a[i] + b[i]; }, 0, 0);

    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    CHECK(cudaFreeHost(c));
    // Three copies read and write, the kernel reads two and writes one.
    return report({"vector_add_pinned", ok, ms, 9.0 * size, 0});
}
