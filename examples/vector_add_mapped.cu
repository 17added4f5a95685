// SPDX-License-Identifier: Apache-2.0
//
// Vector addition without a copy: the kernel works on host memory that is
// mapped into the device's address space ("zero copy").
#include "common/example.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    if (!properties.canMapHostMemory) {
        std::fprintf(stderr, "the device cannot map host memory\n");
        return 1;
    }

    const int n = 1 << 22;
    const size_t size = n * sizeof(float);
    float *a, *b, *c;
    CHECK(cudaHostAlloc(&a, size, cudaHostAllocMapped));
    CHECK(cudaHostAlloc(&b, size, cudaHostAllocMapped));
    c = (float *)std::aligned_alloc(4096, size);
    CHECK(cudaHostRegister(c, size, cudaHostRegisterMapped));
    for (int i = 0; i < n; i++) {
        a[i] = sample(i);
        b[i] = sample(i + n);
    }

    float *d_a, *d_b, *d_c;
    CHECK(cudaHostGetDevicePointer(&d_a, a, 0));
    CHECK(cudaHostGetDevicePointer(&d_b, b, 0));
    CHECK(cudaHostGetDevicePointer(&d_c, c, 0));
    double ms =
        best_ms([&] { add<<<blocks_for(n, 256), 256>>>(d_a, d_b, d_c, n); });

    std::printf("added %d floats in place in host memory: ", n);
    bool ok = all_close(
        c, n, [&](size_t i) { return a[i] + b[i]; }, 0, 0);

    CHECK(cudaHostUnregister(c));
    std::free(c);
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    return report({"vector_add_mapped", ok, ms, 3.0 * size, 0});
}
