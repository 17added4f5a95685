// SPDX-License-Identifier: Apache-2.0
// also: WEFT_WARPS=8
// also: WEFT_LANES=1
//
// Blocks that wait for others in loops with a barrier in them: that the
// barrier completes does not mean that anything gets on. What they wait for
// is in the blocks that start last.
#include "check.h"

// Block b waits for block b + 1; the barrier is only there for speed.
__global__ void down(volatile int *flag)
{
    int tid = threadIdx.x, b = blockIdx.x;
    bool is_done = false;
    while (!is_done) {
        int next = b + 1 < gridDim.x ? flag[(b + 1) * blockDim.x + tid] : 1;
        if (next > 0) {
            flag[b * blockDim.x + tid] = next + 1;
            is_done = true;
        }
        __syncthreads();
    }
}

static void check_down(int blocks, int size)
{
    buffer<int> flag(blocks * size, 0);
    std::vector<int> want(blocks * size);
    for (int i = 0; i < blocks * size; i++)
        want[i] = blocks - i / size + 1;
    down<<<blocks, size>>>(flag.device);
    flag.download();
    expect_same("down", flag, want);
}

// One thread looks, the block hears of it.
__global__ void told(volatile int *flag, int *out)
{
    __shared__ int seen;
    if (threadIdx.x == 0) {
        seen = 0;
        if (blockIdx.x == gridDim.x - 1)
            flag[0] = 7;
    }
    __syncthreads();
    while (seen == 0) {
        __syncthreads();
        if (threadIdx.x == 0)
            seen = flag[0];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

static void check_told(int blocks, int size)
{
    buffer<int> flag(1, 0), out(blocks * size, 0);
    told<<<blocks, size>>>(flag.device, out.device);
    out.download();
    expect_same("told", out, std::vector<int>(blocks * size, 7));
}

// All look, and the barrier counts.
__global__ void counted(int *flag, int *out)
{
    if (blockIdx.x == gridDim.x - 1)
        atomicExch(flag, 3);
    int v;
    do
        v = atomicAdd(flag, 0);
    while (!__syncthreads_or(v));
    out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(flag, 0);
}

static void check_counted(int blocks, int size)
{
    buffer<int> flag(1, 0), out(blocks * size, 0);
    counted<<<blocks, size>>>(flag.device, out.device);
    out.download();
    expect_same("counted", out, std::vector<int>(blocks * size, 3));
}

// One warp to a block: its lanes meet in every round.
__global__ void met(volatile int *flag, int *out)
{
    if (blockIdx.x == gridDim.x - 1)
        flag[0] = 9;
    int v;
    do {
        v = threadIdx.x == 0 ? flag[0] : 0;
        __syncwarp();
        v = __shfl_sync(~0u, v, 0);
    } while (v == 0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

static void check_met(int blocks)
{
    buffer<int> flag(1, 0), out(blocks * 32, 0);
    met<<<blocks, 32>>>(flag.device, out.device);
    out.download();
    expect_same("met", out, std::vector<int>(blocks * 32, 9));
}

int main()
{
    check_down(20, 96);
    check_told(20, 96);
    check_counted(20, 96);
    check_met(20);
    return finish();
}
