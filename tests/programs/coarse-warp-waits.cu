// SPDX-License-Identifier: Apache-2.0
// also: WEFT_WARPS=8
//
// Warps of a block that wait for each other without a barrier, in kernels that
// have barriers elsewhere: such warps cannot run in step. And single threads
// that wait for other blocks, whose own blocks can.
#include "check.h"

const int warps = 8, size = 32 * warps;

// Each warp waits for the one before it, and tells the next.
__global__ void one_by_one(int *order)
{
    __shared__ volatile int turn;
    __shared__ int at;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        turn = at = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (turn != warps - 1 - warp)
            ;
        order[blockIdx.x * warps + at++] = warp;
        __threadfence_block();
        turn = turn + 1;
    }
}

// What thread 0 waits for is written behind the place where the others wait
// for it to come.
__global__ void behind(int *out)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        while (flag == 0)
            ;
    if (threadIdx.x == 77)
        flag = 7;
    __syncthreads();
    out[blockIdx.x * size + threadIdx.x] = flag;
}

// Warp 0 consumes what the others produce, each at its own pace.
__global__ void consumer(int *out, int rounds)
{
    __shared__ volatile int full[warps], value[warps];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        full[warp] = 0;
    __syncthreads();
    if (warp == 0) {
        int sum = 0;
        for (int r = 0; r < rounds; r++)
            for (int w = 1; w < warps; w++) {
                while (!full[w])
                    ;
                __threadfence_block();
                sum += value[w] * (lane + 1);
                __syncwarp();
                if (lane == 0)
                    full[w] = 0;
            }
        out[blockIdx.x * 32 + lane] = sum;
    } else if (lane == 0) {
        for (int r = 0; r < rounds; r++) {
            while (full[warp])
                ;
            value[warp] = warp + r;
            __threadfence_block();
            full[warp] = 1;
        }
    }
}

// One thread of each block waits for the block before it, on several blocks of
// any order; the others stand at a barrier.
__global__ void chain(volatile int *done, int *ticket, int *out)
{
    __shared__ int number, before;
    if (threadIdx.x == 0)
        number = atomicAdd(ticket, 1);
    __syncthreads();
    if (threadIdx.x == 5) {
        int seen = 1;
        while (number > 0 && (seen = done[number - 1]) == 0)
            ;
        before = seen;
        __threadfence();
        done[number] = seen + 1;
    }
    __syncthreads();
    out[number * size + threadIdx.x] = before + threadIdx.x;
}

// The first thread of each warp waits for another block.
__global__ void pairs(volatile int *flag, int *out)
{
    int warp = threadIdx.x / 32, other = blockIdx.x ^ 1;
    if (threadIdx.x % 32 == 0)
        flag[blockIdx.x * warps + warp] = 1 + warp;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        while (flag[other * warps + warp] == 0)
            ;
    __syncthreads();
    out[blockIdx.x * size + threadIdx.x] = flag[other * warps + warp];
}

static void check_one_by_one(int blocks)
{
    buffer<int> order(blocks * warps, 0);
    std::vector<int> want(blocks * warps);
    for (int i = 0; i < blocks * warps; i++)
        want[i] = warps - 1 - i % warps;
    one_by_one<<<blocks, size>>>(order.device);
    order.download();
    expect_same("one by one", order, want);
}

static void check_behind(int blocks)
{
    buffer<int> out(blocks * size, 0);
    behind<<<blocks, size>>>(out.device);
    out.download();
    expect_same("behind", out, std::vector<int>(blocks * size, 7));
}

static void check_consumer(int blocks, int rounds)
{
    buffer<int> out(blocks * 32, 0);
    std::vector<int> want(blocks * 32);
    for (int i = 0; i < blocks * 32; i++)
        for (int r = 0; r < rounds; r++)
            for (int w = 1; w < warps; w++)
                want[i] += (w + r) * (i % 32 + 1);
    consumer<<<blocks, size>>>(out.device, rounds);
    out.download();
    expect_same("consumer", out, want);
}

static void check_chain(int blocks)
{
    buffer<int> done(blocks, 0), ticket(1, 0), out(blocks * size, 0);
    std::vector<int> want(blocks * size);
    for (int i = 0; i < blocks * size; i++)
        want[i] = (i / size ? i / size + 1 : 1) + i % size;
    chain<<<blocks, size>>>(done.device, ticket.device, out.device);
    out.download();
    expect_same("chain", out, want);
}

static void check_pairs(int blocks)
{
    buffer<int> flag(blocks * warps, 0), out(blocks * size, 0);
    std::vector<int> want(blocks * size);
    for (int i = 0; i < blocks * size; i++)
        want[i] = 1 + i % size / 32;
    pairs<<<blocks, size>>>(flag.device, out.device);
    out.download();
    expect_same("pairs", out, want);
}

int main()
{
    check_one_by_one(3);
    check_behind(3);
    check_consumer(3, 5);
    check_chain(70);
    check_pairs(20);
    return finish();
}
