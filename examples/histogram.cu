// SPDX-License-Identifier: Apache-2.0
//
// A histogram of bytes: a block counts in shared memory with atomic additions
// and adds its counts to those in global memory once, at its end.
#include <vector>

#include "common/example.h"

const int bins = 256;

__global__ void count(const unsigned char *data, int n, unsigned *histogram)
{
    __shared__ unsigned local[bins];
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        local[i] = 0;
    __syncthreads();

    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();

    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        if (local[i])
            atomicAdd(&histogram[i], local[i]);
}

int main()
{
    const int n = 8000009;
    std::vector<unsigned char> data(n);
    std::vector<unsigned> want(bins), got(bins);
    for (int i = 0; i < n; i++) { // the sum of two: not every byte is as likely
        data[i] = (unsigned char)(127.9f * (sample(2 * i) + sample(2 * i + 1)));
        want[data[i]]++;
    }

    unsigned char *d_data;
    unsigned *d_histogram;
    CHECK(cudaMalloc(&d_data, n));
    CHECK(cudaMalloc(&d_histogram, bins * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));

    double ms = best_ms([&] {
        CHECK(cudaMemsetAsync(d_histogram, 0, bins * sizeof(unsigned)));
        count<<<128, 256>>>(d_data, n, d_histogram);
    });

    CHECK(cudaMemcpy(got.data(), d_histogram, bins * sizeof(unsigned),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_histogram));

    std::printf("counted %d bytes into %d bins: ", n, bins);
    bool ok = all_close(
        got.data(), bins, [&](size_t i) { return want[i]; }, 0, 0);
    return report({"histogram", ok, ms, 1.0 * n, 0});
}
