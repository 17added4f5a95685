// SPDX-License-Identifier: Apache-2.0
//
// Blocks that work together: the last block to finish adds up, blocks hand a
// value on in order (a look-back chain), a lock taken by one thread of each
// block, flags between two warps of a block, volatile reads.
#include "check.h"

__device__ unsigned finished;

__global__ void last_block_sums(float *total, volatile float *partial,
                                const float *in, int n)
{
    __shared__ float values[128];
    __shared__ bool is_last;
    int me = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * 128 + me; i < n; i += gridDim.x * 128)
        sum += in[i];
    values[me] = sum;
    __syncthreads();
    if (me == 0) {
        for (int i = 1; i < 128; i++)
            sum += values[i];
        partial[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && me == 0) {
        sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += partial[i];
        *total = sum;
    }
}

static void check_last_block()
{
    const int n = 40000, blocks = 23;
    buffer<float> in(n), partial(blocks), total(1);
    float want = 0;
    for (int i = 0; i < n; i++)
        want += in[i] = (float)(scramble(i) % 10); // exact below 2^24
    in.upload();
    for (int round = 0; round < 3; round++) { // the counter wraps by itself
        total[0] = -1;
        total.upload();
        last_block_sums<<<blocks, 128>>>(total.device, partial.device,
                                         in.device, n);
        total.download();
        EXPECT(total[0] == want);
    }
}

// Each block waits for the one before it.
__global__ void chain(int *ticket, volatile int *flags, volatile int *sums)
{
    __shared__ int mine;
    if (threadIdx.x != 0)
        return;
    mine = atomicAdd(ticket, 1);
    int before = 0;
    if (mine > 0) {
        while (flags[mine - 1] == 0)
            ;
        __threadfence();
        before = sums[mine - 1];
    }
    sums[mine] = before + mine * 2 + 1;
    __threadfence();
    flags[mine] = 1;
}

static void check_chain()
{
    const int blocks = 200;
    buffer<int> ticket(1, 0), flags(blocks, 0), sums(blocks);
    std::vector<int> want(blocks);
    for (int i = 0; i < blocks; i++)
        want[i] = (i + 1) * (i + 1);
    chain<<<blocks, 64>>>(ticket.device, flags.device, sums.device);
    sums.download();
    expect_same("chain", sums, want);
}

__device__ int lock;

__global__ void locked(int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence();
        volatile int *p = data;
        int x = p[0];
        p[1] += x;
        p[0] = x + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

static void check_lock()
{
    const int blocks = 300;
    buffer<int> data(2, 0);
    locked<<<blocks, 32>>>(data.device);
    data.download();
    EXPECT_EQ(data[0], blocks);
    EXPECT_EQ(data[1], blocks * (blocks - 1) / 2);
}

// One warp produces, the other consumes, without a barrier.
__global__ void two_warps(int *out, int n)
{
    __shared__ volatile int slot, full;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        full = 0;
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < n; k++) {
        if (lane == 0) {
            if (warp == 0) {
                while (full)
                    ;
                slot = k * 3 + blockIdx.x;
                __threadfence_block();
                full = 1;
            } else {
                while (!full)
                    ;
                __threadfence_block();
                sum = sum * 3 + slot;
                __threadfence_block();
                full = 0;
            }
        }
        __syncwarp();
    }
    if (threadIdx.x == 32)
        out[blockIdx.x] = sum;
}

static void check_two_warps()
{
    const int blocks = 4, n = 30;
    buffer<int> out(blocks);
    std::vector<int> want(blocks);
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < n; k++)
            want[b] = (int)((unsigned)want[b] * 3u + (unsigned)(k * 3 + b));
    two_warps<<<blocks, 64>>>(out.device, n);
    out.download();
    expect_same("two warps", out, want);
}

int main()
{
    check_last_block();
    check_chain();
    check_lock();
    check_two_warps();
    return finish();
}
