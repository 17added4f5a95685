// SPDX-License-Identifier: Apache-2.0
//
// Pointers to device functions: in a table in constant memory, from which each
// thread picks by its data, and as a kernel argument that the host has read
// from a device variable.
#include <vector>

#include "common/example.h"

typedef float (*operation)(float, float);

__host__ __device__ float plus(float a, float b)
{
    return a + b;
}

__host__ __device__ float times(float a, float b)
{
    return a * b;
}

__host__ __device__ float larger(float a, float b)
{
    return a > b ? a : b;
}

__host__ __device__ float mean(float a, float b)
{
    return 0.5f * (a + b);
}

__constant__ operation table[] = {plus, times, larger, mean};
__device__ operation chosen = larger;

__global__ void calculate(float *c, const float *a, const float *b,
                          const unsigned char *code, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = table[code[i]](a[i], b[i]);
}

__global__ void combine(float *c, const float *a, int n, operation op)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = op(c[i], a[i]);
}

int main()
{
    const int n = 1 << 20;
    const size_t size = n * sizeof(float);
    const operation host_table[] = {plus, times, larger, mean};
    std::vector<float> a(n), b(n), c(n);
    std::vector<unsigned char> code(n);
    for (int i = 0; i < n; i++) {
        a[i] = sample(i) - 0.5f;
        b[i] = sample(i + n) - 0.5f;
        code[i] = (unsigned char)(sample(i + 2 * n) * 4);
    }

    float *d_a, *d_b, *d_c;
    unsigned char *d_code;
    CHECK(cudaMalloc(&d_a, size));
    CHECK(cudaMalloc(&d_b, size));
    CHECK(cudaMalloc(&d_c, size));
    CHECK(cudaMalloc(&d_code, n));
    CHECK(cudaMemcpy(d_a, a.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), size, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_code, code.data(), n, cudaMemcpyHostToDevice));

    double ms = best_ms([&] {
        calculate<<<blocks_for(n, 256), 256>>>(d_c, d_a, d_b, d_code, n);
    });
    operation op; // means nothing on the host, everything on the device
    CHECK(cudaMemcpyFromSymbol(&op, chosen, sizeof(op)));
    combine<<<blocks_for(n, 256), 256>>>(d_c, d_a, n, op);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(c.data(), d_c, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    CHECK(cudaFree(d_code));

    std::printf("%d calls through a table of 4 device functions: ", n);
    bool ok = all_close(
        c.data(), n,
        [&](size_t i) { return larger(host_table[code[i]](a[i], b[i]), a[i]); },
        0, 0);
    return report({"function_pointers", ok, ms, 3.0 * size + n, 0});
}
