// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Blocks, tiles of a warp, coalesced threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group g, int *scratch, int value)
{
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        scratch[rank] = value;
        g.sync();
        if (rank < i)
            value += scratch[rank + i];
        g.sync();
    }
    return value;
}

__global__ void groups(int *out)
{
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    int i = block.thread_rank(), n = block.size();
    int sum = sum_of(block, scratch, i);
    out[i] = i == 0 ? sum : 0;
    block.sync();

    auto tile = cg::tiled_partition<16>(block);
    sum = sum_of(tile, scratch + tile.meta_group_rank() * 16, i);
    out[n + i] = tile.thread_rank() == 0 ? sum : 0;
    out[2 * n + i] = cg::reduce(tile, i, cg::plus<int>());
    out[3 * n + i] = cg::inclusive_scan(tile, 1 + i % 3);
    out[4 * n + i] = tile.shfl_down(i, 3) * 100 + (int)tile.ballot(i % 5 == 0);
    out[5 * n + i] = tile.meta_group_rank() * 100 + tile.meta_group_size();
    auto warp = cg::tiled_partition<32>(block);
    out[6 * n + i] = (int)cg::reduce(warp, (double)i, cg::greater<double>());
    out[7 * n + i] = -1;
    if (i % 3 == 1) {
        cg::coalesced_group some = cg::coalesced_threads();
        out[7 * n + i] = some.size() * 10000 + some.thread_rank() * 100 +
                         some.shfl(i, 1);
    }
}

int main()
{
    const int n = 64;
    int *out, h[8 * n];
    cudaMalloc(&out, sizeof h);
    groups<<<1, n, n * sizeof(int)>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < n; i++)
            printf("%d%c", h[k * n + i], i == n - 1 ? '\n' : ' ');
    return cudaDeviceSynchronize();
}
