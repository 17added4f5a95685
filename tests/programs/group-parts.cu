// SPDX-License-Identifier: Apache-2.0
//
// Cooperative groups beyond tiles of a warp: wide tiles, partitions by label,
// scans that update an atomic, copies, functions for one thread.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

template <unsigned int Size> __global__ void wide(int *out)
{
    __shared__ cg::block_tile_memory<512> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<Size>(block);
    int i = block.thread_rank(), n = block.size();
    out[i] = cg::reduce(tile, i, cg::plus<int>());
    out[n + i] = cg::inclusive_scan(tile, 1 + i % 7, cg::plus<int>());
    out[2 * n + i] = cg::exclusive_scan(tile, 1 + i % 7);
    out[3 * n + i] = tile.any(i == 70) * 10 + tile.all(i != 70);
    out[4 * n + i] = tile.shfl(i * 2, 33);
    out[5 * n + i] = tile.meta_group_rank() * 100 + tile.meta_group_size() +
                     tile.thread_rank() * 10000;
}

// Tiles of several warps that are parts of larger ones.
__global__ void nested(int *out)
{
    __shared__ cg::block_tile_memory<512> memory;
    auto block = cg::this_thread_block(memory);
    auto half = cg::tiled_partition<128>(block);
    auto quarter = cg::tiled_partition<64>(half);
    auto warp = cg::tiled_partition<32>(quarter);
    int i = block.thread_rank(), n = block.size();
    out[i] = cg::reduce(quarter, i, cg::plus<int>());
    out[n + i] = cg::exclusive_scan(half, 1) + 1000 * warp.meta_group_rank();
    out[2 * n + i] = quarter.meta_group_rank() * 10 + quarter.meta_group_size();
}

static void check_nested()
{
    const int n = 256;
    buffer<int> out(3 * n);
    nested<<<1, n>>>(out.device);
    out.download();
    for (int i = 0; i < n; i++) {
        EXPECT_EQ(out[i], 64 * (i / 64 * 64) + 63 * 32);
        EXPECT_EQ(out[n + i], i % 128 + 1000 * (i % 64 / 32));
        EXPECT_EQ(out[2 * n + i], i % 128 / 64 * 10 + 2);
    }
}

template <unsigned int Size> static void check_wide()
{
    const int n = 256;
    buffer<int> out(6 * n);
    wide<Size><<<1, n>>>(out.device);
    out.download();
    for (int i = 0, sum = 0; i < n; i++) {
        int first = i / Size * Size, last = first + Size - 1;
        if (i == first)
            sum = 0;
        EXPECT_EQ(out[2 * n + i], sum);
        sum += 1 + i % 7;
        EXPECT_EQ(out[i], (first + last) * (int)Size / 2);
        EXPECT_EQ(out[n + i], sum);
        EXPECT_EQ(out[3 * n + i], first <= 70 && 70 <= last ? 10 : 1);
        EXPECT_EQ(out[4 * n + i], (first + 33) * 2);
        EXPECT_EQ(out[5 * n + i], i / Size * 100 + n / Size + i % Size * 10000);
    }
}

__global__ void labels(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    auto part = cg::labeled_partition(warp, i % 3);
    out[i] = part.thread_rank() + 100 * part.size() +
             10000 * part.meta_group_rank() + 100000 * part.meta_group_size();
    auto half = cg::binary_partition(warp, i < 10);
    out[32 + i] = cg::reduce(half, i, cg::greater<int>()) + 100 * half.size();
}

struct shares {
    cuda::atomic<int, cuda::thread_scope_device> next, sum;
};

__global__ void updates(shares *s, int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = thread_in_grid();
    out[i] = cg::exclusive_scan_update(tile, s->next, 2, cg::plus<int>());
    cg::reduce_update_async(tile, s->sum, i, cg::plus<int>());
    int seen = 0;
    cg::invoke_one(tile, [&] { seen = 7; });
    int told = cg::invoke_one_broadcast(tile, [&] { return i + 1; });
    out[gridDim.x * blockDim.x + i] =
        told * 10 + (tile.thread_rank() == 0 ? seen : 7);
}

__global__ void copies(int *out, const int *in)
{
    __shared__ int staged[100];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, staged, in, 100 * sizeof(int));
    cg::wait(block);
    out[threadIdx.x] = staged[99 - threadIdx.x];
    block.sync();
    cg::memcpy_async(block, staged, 100, in + 1, 50);
    cg::wait(block);
    out[64 + threadIdx.x] = staged[threadIdx.x % 50];
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
}

// Tiles of a size that only the run knows, the last of them with fewer threads.
__global__ void last_tile(int *out, unsigned size)
{
    auto tile = cg::tiled_partition(cg::this_thread_block(), size);
    tile.sync();
    out[threadIdx.x] = tile.size() * 100 + tile.thread_rank();
}

static void check_last_tile()
{
    buffer<int> out(77);
    last_tile<<<1, 77>>>(out.device, 16);
    out.download();
    for (int i = 0; i < 77; i++)
        EXPECT_EQ(out[i], (i < 64 ? 16 : 13) * 100 + i % 16);
}

int main()
{
    check_last_tile();
    check_wide<64>();
    check_wide<128>();
    check_nested();
    check_wide<256>();

    buffer<int> out(1024);
    labels<<<1, 32>>>(out.device);
    out.download();
    for (int i = 0; i < 32; i++) {
        int size = i % 3 == 2 ? 10 : 11;
        EXPECT_EQ(out[i], i / 3 + 100 * size + 10000 * (i % 3) + 300000);
        EXPECT_EQ(out[32 + i], i < 10 ? 1009 : 2231);
    }

    shares *s;
    CHECK(cudaMallocManaged(&s, sizeof *s));
    new (s) shares;
    s->next = 0;
    s->sum = 0;
    updates<<<4, 64>>>(s, out.device);
    out.download();
    std::vector<int> taken(256);
    for (int i = 0; i < 256; i++) {
        if (out[i] % 2 || out[i] < 0 || out[i] >= 512)
            FAIL("thread %d has %d", i, out[i]);
        else
            taken[out[i] / 2]++;
        EXPECT_EQ(out[256 + i], (i / 32 * 32 + 1) * 10 + 7);
    }
    for (int i = 0; i < 256; i++)
        EXPECT_EQ(taken[i], 1);
    EXPECT_EQ(s->next, 512);
    EXPECT_EQ(s->sum, 255 * 128);
    CHECK(cudaFree(s));

    std::vector<int> numbers(200);
    for (int i = 0; i < 200; i++)
        numbers[i] = i * 5;
    buffer<int> in(numbers);
    copies<<<1, 64>>>(out.device, in.device);
    out.download();
    for (int i = 0; i < 64; i++) {
        EXPECT_EQ(out[i], (99 - i) * 5);
        EXPECT_EQ(out[64 + i], (i % 50 + 1) * 5);
    }
    return finish();
}
