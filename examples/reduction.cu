// SPDX-License-Identifier: Apache-2.0
//
// The sum of a vector: every thread adds up many elements, a block adds its
// threads' sums in shared memory, halving the number of threads in each step,
// and an atomic addition collects the blocks' sums.
#include <vector>

#include "common/example.h"

const int block_size = 256;

__global__ void sum(const float *data, int n, double *total)
{
    __shared__ float partial[block_size];
    int stride = gridDim.x * blockDim.x;
    float mine = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        mine += data[i];
    partial[threadIdx.x] = mine;
    __syncthreads();

    for (int half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(total, (double)partial[0]);
}

int main()
{
    const int n = 20000003;
    const size_t size = n * sizeof(float);
    std::vector<float> data(n);
    double want = 0;
    for (int i = 0; i < n; i++) {
        data[i] = sample(i);
        want += data[i];
    }

    float *d_data;
    double *d_total, total;
    CHECK(cudaMalloc(&d_data, size));
    CHECK(cudaMalloc(&d_total, sizeof(double)));
    CHECK(cudaMemcpy(d_data, data.data(), size, cudaMemcpyHostToDevice));

    const int blocks = 512;
    double ms = best_ms([&] {
        CHECK(cudaMemsetAsync(d_total, 0, sizeof(double)));
        sum<<<blocks, block_size>>>(d_data, n, d_total);
    });

    CHECK(cudaMemcpy(&total, d_total, sizeof(total), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_total));

    std::printf("the sum of %d floats is %.3f, should be %.3f: ", n, total,
                want);
    return report(
        {"reduction", is_close(total, want, 1e-6), ms, 1.0 * size, 1.0 * n});
}
