// SPDX-License-Identifier: Apache-2.0
// Sums over the threads of a group that keep step, as lanes of a warp do: each
// reads its neighbour's number before that one's sum takes its place, with no
// barrier in between. The group's sync is one of the warp or one of the block,
// which only the run knows, and stands in a function of its own: that is no
// reason to take the lanes one by one.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static const int THREADS = 96, WIDTH = 16;

// With the barrier of the block first; with that of the warp first.
struct threads_of_mask {
    unsigned mask;
    __device__ void sync() const
    {
        if (__builtin_expect(mask == 0, 1))
            __syncthreads();
        else
            __syncwarp(mask);
    }
};

template <typename Group>
__device__ __noinline__ void sum_in_step(const int *from, int *sums,
                                         int threads, Group group)
{
    int lane = threadIdx.x % WIDTH;
    if ((int)threadIdx.x < threads) {
        sums[lane] = from[threadIdx.x] * from[threadIdx.x] + blockIdx.x;
        group.sync();
        for (int step = WIDTH / 2; step > 0; step /= 2) {
            sums[lane] += sums[lane ^ step];
            group.sync();
        }
        int sum = sums[lane];
        group.sync();
        sums[(lane + 1) % WIDTH] = sum * (lane + 1);
        group.sync();
        sums[lane] += sums[lane ^ 1];
    }
}

__global__ void sums_of_groups(const int *in, int *out, bool whole_block,
                               bool uses_mask)
{
    __shared__ int sums[THREADS];
    cg::thread_block block = cg::this_thread_block();
    int first = threadIdx.x / WIDTH * WIDTH;

    sums[threadIdx.x] = threadIdx.x;
    int threads = whole_block ? THREADS : 3 * WIDTH;
    threads_of_mask mask = {whole_block ? 0 : 0xffffu << (threadIdx.x & WIDTH)};
    cg::thread_group group = whole_block ? cg::thread_group(block)
                                         : cg::tiled_partition(block, WIDTH);
    if (uses_mask)
        sum_in_step(in, sums + first, threads, mask);
    else
        sum_in_step(in, sums + first, threads, group);
    block.sync();
    out[blockIdx.x * THREADS + threadIdx.x] = sums[(threadIdx.x + 1) % THREADS];
}

static void sum_on_host(unsigned *sums, int lanes)
{
    unsigned sum = 0, scaled[WIDTH];
    for (int i = 0; i < lanes; i++)
        sum += sums[i];
    for (int i = 0; i < lanes; i++)
        scaled[(i + 1) % lanes] = sum * (i + 1);
    for (int i = 0; i < lanes; i++)
        sums[i] = scaled[i] + scaled[i ^ 1];
}

static void compare(bool whole_block, bool uses_mask)
{
    const int blocks = 3, summed = whole_block ? THREADS : 3 * WIDTH;
    buffer<int> in(THREADS), out(blocks * THREADS);
    for (int t = 0; t < THREADS; t++)
        in[t] = (int)scramble(t);
    in.upload();
    sums_of_groups<<<blocks, THREADS>>>(in.device, out.device, whole_block,
                                        uses_mask);
    out.download();
    for (int b = 0; b < blocks; b++) {
        unsigned sums[THREADS];
        for (int t = 0; t < THREADS; t++)
            sums[t] = t < summed ? scramble(t) * scramble(t) + b : t;
        for (int t = 0; t < summed; t += WIDTH)
            sum_on_host(sums + t, WIDTH);
        for (int t = 0; t < THREADS; t++)
            EXPECT_EQ(out[b * THREADS + t], (int)sums[(t + 1) % THREADS]);
    }
}

int main()
{
    compare(false, false);
    compare(false, true);
    compare(true, false);
    compare(true, true);
    return finish();
}
