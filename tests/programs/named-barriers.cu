// SPDX-License-Identifier: Apache-2.0
//
// Barriers of some of a block's warps: who only arrives goes on at once, even
// to a barrier that the others come to first; who stays is woken while another
// warp is busy looking.
#include "check.h"

__device__ void sync_some(int id, int count)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}

__device__ void arrive(int id, int count)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}

// The first warp's arrival at 1 completes after both have met at 2.
__global__ void crossed(int *out)
{
    if (threadIdx.x < 32) {
        arrive(1, 64);
        sync_some(2, 64);
    } else {
        sync_some(2, 64);
        sync_some(1, 64);
    }
    out[threadIdx.x] = 1;
}

// Warps 1 and 2 meet and then write what warp 0 looks for.
__global__ void beside_a_watcher(volatile int *flag, int *out)
{
    int warp = threadIdx.x / 32;
    if (warp == 0) {
        while (!*flag)
            ;
    } else {
        for (int i = 0; i < 10; i++)
            sync_some(3, 64);
        if (threadIdx.x == 32)
            *flag = 1;
    }
    out[threadIdx.x] = 1;
}

// Two slots; half of the warps fill them, the others empty them.
__global__ void slots(int *sum, int rounds)
{
    __shared__ int slot[2][256];
    int half = blockDim.x / 2, me = threadIdx.x % half;
    bool fills = (int)threadIdx.x < half;
    int total = 0;
    for (int i = 0; i < rounds; i++) {
        int full = 1 + i % 2, empty = 3 + i % 2;
        if (fills) {
            if (i >= 2)
                sync_some(empty, blockDim.x);
            slot[i % 2][me] = i * half + me;
            __threadfence_block();
            arrive(full, blockDim.x);
        } else {
            sync_some(full, blockDim.x);
            total += slot[i % 2][half - 1 - me];
            if (i + 2 < rounds)
                arrive(empty, blockDim.x);
        }
    }
    if (!fills)
        atomicAdd(sum, total);
}

// Warps pass through one after the other, each told by the one before.
__global__ void in_order(int *out, int rounds)
{
    __shared__ int count;
    int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (warp == warps - 1)
        arrive(1, 64);
    for (int i = 0; i < rounds; i++) {
        sync_some(1 + warp, 64);
        if (threadIdx.x % 32 == 0)
            out[warp * rounds + i] = count++;
        __threadfence_block();
        if (warp + 1 < warps || i + 1 < rounds)
            arrive(1 + (warp + 1) % warps, 64);
    }
}

// Half of the first warp arrives; the other half ends, and so comes no more.
__global__ void some_end(int *out)
{
    if (threadIdx.x >= 32)
        asm volatile("barrier.sync 5, 64;" ::: "memory");
    else if (threadIdx.x < 16)
        asm volatile("barrier.arrive 5, 64;" ::: "memory");
    out[threadIdx.x] = 2;
}

int main()
{
    const int rounds = 9;
    int *out, *flag;
    CHECK(cudaMallocManaged(&out, 512 * sizeof(int)));
    CHECK(cudaMallocManaged(&flag, sizeof(int)));
    *flag = 0;
    crossed<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(out[i], 1);

    beside_a_watcher<<<1, 96>>>(flag, out + 100);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 96; i++)
        EXPECT_EQ(out[100 + i], 1);

    for (int block : {64, 256, 512}) {
        *flag = 0;
        slots<<<3, block>>>(flag, rounds);
        CHECK(cudaDeviceSynchronize());
        int n = rounds * block / 2;
        EXPECT_EQ(*flag, 3 * (n * (n - 1) / 2));
    }

    in_order<<<1, 160>>>(out, rounds);
    CHECK(cudaDeviceSynchronize());
    for (int warp = 0; warp < 5; warp++)
        for (int i = 0; i < rounds; i++)
            EXPECT_EQ(out[warp * rounds + i], i * 5 + warp);

    some_end<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(out[i], 2);
    CHECK(cudaFree(out));
    CHECK(cudaFree(flag));
    return finish();
}
