// SPDX-License-Identifier: Apache-2.0
//
// Adding two vectors, the first program of every guide: "Kernels" (one block)
// and "Device Memory" (as many blocks as the vectors need, the last one with
// threads that have nothing to do).
#include "../check.h"

__global__ void add_in_block(const float *a, const float *b, float *sum)
{
    sum[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void add(const float *a, const float *b, float *sum, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

// One thread per element, as long as a block has so many.
static void one_block()
{
    for (int n : {1, 31, 256, 1000, 1024}) {
        buffer<float> a(n), b(n), sum(n);
        std::vector<float> want(n);
        for (int i = 0; i < n; i++) {
            a[i] = i * 0.5f;
            b[i] = 3.0f - i;
            want[i] = a[i] + b[i];
        }
        a.upload();
        b.upload();
        add_in_block<<<1, n>>>(a.device, b.device, sum.device);
        sum.download();
        expect_same("one block", sum, want);
    }

    buffer<float> a(1025), b(1025), sum(1025);
    add_in_block<<<1, 1025>>>(a.device, b.device, sum.device);
    EXPECT_ERROR(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

// The whole program: host and device memory, copies, a rounded up grid.
static void host_program()
{
    const int n = 50001, threads = 256;
    size_t bytes = n * sizeof(float);
    float *host_a = (float *)malloc(bytes), *host_b = (float *)malloc(bytes);
    float *host_sum = (float *)malloc(bytes);
    for (int i = 0; i < n; i++) {
        host_a[i] = 1.0f / (i + 1);
        host_b[i] = (float)(i % 77);
    }

    float *a, *b, *sum;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&sum, bytes));
    CHECK(cudaMemcpy(a, host_a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, host_b, bytes, cudaMemcpyHostToDevice));
    add<<<(n + threads - 1) / threads, threads>>>(a, b, sum, n);
    CHECK(cudaMemcpy(host_sum, sum, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(host_sum[i] == host_a[i] + host_b[i]);

    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(sum));
    free(host_a);
    free(host_b);
    free(host_sum);
}

int main()
{
    one_block();
    host_program();
    return finish();
}
