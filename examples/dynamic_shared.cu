// SPDX-License-Identifier: Apache-2.0
//
// Shared memory whose size is chosen at the launch. All `extern __shared__`
// arrays start at the same address, so the kernel carves one piece of memory
// into three arrays of different types by hand, the most aligned first.
#include <vector>

#include "common/example.h"

// Sorts each block's keys by counting the smaller ones, and moves the values
// along with them.
__global__ void rank_sort(const float *keys, const short *values,
                          float *sorted_keys, short *sorted_values)
{
    extern __shared__ double memory[];
    int n = blockDim.x;
    double *key = memory;
    int *rank = (int *)&key[n];
    short *value = (short *)&rank[n];

    int i = threadIdx.x;
    size_t first = (size_t)blockIdx.x * n;
    key[i] = keys[first + i];
    value[i] = values[first + i];
    __syncthreads();

    int smaller = 0;
    for (int k = 0; k < n; k++)
        smaller += key[k] < key[i] || (key[k] == key[i] && k < i);
    rank[smaller] = i;
    __syncthreads();

    sorted_keys[first + i] = (float)key[rank[i]];
    sorted_values[first + i] = value[rank[i]];
}

int main()
{
    const int block = 192, blocks = 500, n = block * blocks;
    std::vector<float> keys(n), sorted_keys(n);
    std::vector<short> values(n), sorted_values(n);
    for (int i = 0; i < n; i++) {
        keys[i] = std::floor(sample(i) * 1000);
        values[i] = (short)(i % block);
    }

    float *d_keys, *d_sorted_keys;
    short *d_values, *d_sorted_values;
    CHECK(cudaMalloc(&d_keys, n * sizeof(float)));
    CHECK(cudaMalloc(&d_sorted_keys, n * sizeof(float)));
    CHECK(cudaMalloc(&d_values, n * sizeof(short)));
    CHECK(cudaMalloc(&d_sorted_values, n * sizeof(short)));
    CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(float),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(short),
                     cudaMemcpyHostToDevice));

    size_t shared = block * (sizeof(double) + sizeof(int) + sizeof(short));
    double ms = best_ms([&] {
        rank_sort<<<blocks, block, shared>>>(d_keys, d_values, d_sorted_keys,
                                             d_sorted_values);
    });

    CHECK(cudaMemcpy(sorted_keys.data(), d_sorted_keys, n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sorted_values.data(), d_sorted_values, n * sizeof(short),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_keys));
    CHECK(cudaFree(d_sorted_keys));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_sorted_values));

    // Sorted, stable, and every value still beside its key.
    bool ok = true;
    for (int i = 0; i < n; i++) {
        int first = i / block * block;
        ok = ok && keys[first + sorted_values[i]] == sorted_keys[i];
        if (i == first)
            continue;
        ok = ok && (sorted_keys[i - 1] < sorted_keys[i] ||
                    (sorted_keys[i - 1] == sorted_keys[i] &&
                     sorted_values[i - 1] < sorted_values[i]));
    }
    std::printf("sorted %d pieces of %d keys in %zu bytes each: ", blocks,
                block, shared);
    return report({"dynamic_shared", ok, ms, 0, 0});
}
