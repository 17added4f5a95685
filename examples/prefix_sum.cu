// SPDX-License-Identifier: Apache-2.0
//
// The running sums of a vector. A warp scans its elements with shuffles, a
// block scans its warps' sums in shared memory, the blocks' sums are scanned
// the same way, and a last kernel adds what came before each block.
#include <vector>

#include "common/example.h"

const int block_size = 512, warp_size = 32;

__device__ int scan_warp(int value)
{
    int lane = threadIdx.x % warp_size;
    for (int d = 1; d < warp_size; d *= 2) {
        int before = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d)
            value += before;
    }
    return value;
}

__device__ int scan_block(int value)
{
    __shared__ int sums[warp_size];
    int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    value = scan_warp(value);
    if (lane == warp_size - 1)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        sums[lane] = scan_warp(lane < block_size / warp_size ? sums[lane] : 0);
    __syncthreads();
    return warp > 0 ? value + sums[warp - 1] : value;
}

// Scans each block's part of the data; block_sums may be NULL.
__global__ void scan_blocks(int *data, int n, int *block_sums)
{
    int i = blockIdx.x * block_size + threadIdx.x;
    int value = scan_block(i < n ? data[i] : 0);
    if (i < n)
        data[i] = value;
    if (block_sums && threadIdx.x == block_size - 1)
        block_sums[blockIdx.x] = value;
}

__global__ void add_before(int *data, int n, const int *scanned_sums)
{
    int i = blockIdx.x * block_size + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        data[i] += scanned_sums[blockIdx.x - 1];
}

// Level 0 is the data, level k + 1 the block sums of level k.
static void scan(int *data, int n, int *const *levels)
{
    int blocks = blocks_for(n, block_size);
    if (blocks == 1) {
        scan_blocks<<<1, block_size>>>(data, n, nullptr);
        return;
    }
    scan_blocks<<<blocks, block_size>>>(data, n, levels[0]);
    scan(levels[0], blocks, levels + 1);
    add_before<<<blocks, block_size>>>(data, n, levels[0]);
}

int main()
{
    const int n = 6000017;
    std::vector<int> data(n), want(n), got(n);
    for (int i = 0; i < n; i++) {
        data[i] = (int)(sample(i) * 200) - 99;
        want[i] = data[i] + (i > 0 ? want[i - 1] : 0);
    }

    int *d_source, *d_data, *levels[4];
    CHECK(cudaMalloc(&d_source, n * sizeof(int)));
    CHECK(cudaMalloc(&d_data, n * sizeof(int)));
    int count = n;
    for (int *&level : levels) {
        count = blocks_for(count, block_size);
        CHECK(cudaMalloc(&level, count * sizeof(int)));
    }
    CHECK(cudaMemcpy(d_source, data.data(), n * sizeof(int),
                     cudaMemcpyHostToDevice));

    double ms = best_ms([&] {
        CHECK(cudaMemcpyAsync(d_data, d_source, n * sizeof(int),
                              cudaMemcpyDeviceToDevice));
        scan(d_data, n, levels);
    });

    CHECK(cudaMemcpy(got.data(), d_data, n * sizeof(int),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_source));
    CHECK(cudaFree(d_data));
    for (int *level : levels)
        CHECK(cudaFree(level));

    std::printf("summed up %d ints, the last sum is %d: ", n, got[n - 1]);
    bool ok = all_close(
        got.data(), n, [&](size_t i) { return want[i]; }, 0, 0);
    // The copy, the scan and the last kernel each read and write everything.
    return report({"prefix_sum", ok, ms, 6.0 * n * sizeof(int), 0});
}
