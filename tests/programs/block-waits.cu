// SPDX-License-Identifier: Apache-2.0
// also: WEFT_WARPS=8
//
// Warps and blocks that wait for each other: flags, a look-back scan, a
// barrier of the whole grid made by hand, a producer in the last block.
#include "check.h"

// Warp w waits for warp w + 1, thread 0 of each for the others.
__global__ void warps(volatile int *flag, int *out)
{
    int warp = threadIdx.x / 32, count = blockDim.x / 32;
    int *f = (int *)flag + blockIdx.x * count;
    if (threadIdx.x % 32 == 0) {
        if (warp + 1 < count)
            while (((volatile int *)f)[warp + 1] == 0)
                ;
        int next = warp + 1 < count ? ((volatile int *)f)[warp + 1] : 0;
        out[blockIdx.x * count + warp] = next + 1;
        __threadfence();
        ((volatile int *)f)[warp] = next + 1;
    }
}

static void check_warps()
{
    const int blocks = 3, count = 8;
    buffer<int> flag(blocks * count, 0), out(blocks * count, 0);
    std::vector<int> want(blocks * count);
    for (int i = 0; i < blocks * count; i++)
        want[i] = count - i % count;
    warps<<<blocks, count * 32>>>(flag.device, out.device);
    out.download();
    expect_same("warps", out, want);
}

// Each block adds what the blocks before it have published.
__global__ void scan(const int *in, volatile unsigned long long *state,
                     int *out)
{
    __shared__ int part[4], before;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = in[i];
    for (int d = 1; d < 32; d *= 2) {
        int up = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += up;
    }
    if (lane == 31)
        part[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        v += part[w];
    // 1: the block's own sum; 2: with all before it.
    if (threadIdx.x == blockDim.x - 1) {
        state[blockIdx.x] =
            (unsigned long long)v << 2 | (blockIdx.x == 0 ? 2 : 1);
        int sum = 0;
        for (int b = (int)blockIdx.x - 1; b >= 0; b--) {
            unsigned long long s;
            while (((s = state[b]) & 3) == 0)
                ;
            sum += (int)(s >> 2);
            if ((s & 3) == 2)
                break;
        }
        before = sum;
        state[blockIdx.x] = (unsigned long long)(sum + v) << 2 | 2;
    }
    __syncthreads();
    out[i] = v + before;
}

static void check_scan(int blocks)
{
    const int size = 128, n = blocks * size;
    buffer<int> in(std::vector<int>(n, 1)), out(n, 0);
    buffer<unsigned long long> state(blocks, 0);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        want[i] = i + 1;
    scan<<<blocks, size>>>(in.device, state.device, out.device);
    out.download();
    expect_same("scan", out, want);
}

// Sixteen lanes look at sixteen blocks' flags at a time, and vote.
__global__ void scan_by_votes(volatile int *state, int *out)
{
    int lane = threadIdx.x, sum = 0;
    if (lane == 0)
        state[blockIdx.x] = 1;
    for (int b = (int)blockIdx.x - 1 - lane; __any_sync(~0u, b >= 0); b -= 32) {
        int s;
        do {
            s = b >= 0 ? state[b] : 1;
        } while (__any_sync(~0u, s == 0));
        sum += __popc(__ballot_sync(~0u, b >= 0 && s == 1));
    }
    if (lane == 0)
        out[blockIdx.x] = sum;
}

static void check_votes(int blocks)
{
    buffer<int> state(blocks, 0), out(blocks, 0);
    std::vector<int> want(blocks);
    for (int i = 0; i < blocks; i++)
        want[i] = i;
    scan_by_votes<<<blocks, 32>>>(state.device, out.device);
    out.download();
    expect_same("scan by votes", out, want);
}

__device__ unsigned int arrived;

__global__ void grid_barrier(int *a, int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = gridDim.x * blockDim.x;
    a[i] = i;
    for (int round = 1; round <= 4; round++) {
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(&arrived, 1u);
            while (*(volatile unsigned int *)&arrived < round * gridDim.x)
                ;
        }
        __syncthreads();
        int *from = round % 2 ? a : b, *to = round % 2 ? b : a;
        to[i] = ((volatile int *)from)[(i + 1) % n] + 1;
    }
}

static void check_grid_barrier(int blocks, int size)
{
    int n = blocks * size;
    unsigned int zero = 0;
    buffer<int> a(n, 0), b(n, 0);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        want[i] = (i + 4) % n + 4;
    CHECK(cudaMemcpyToSymbol(arrived, &zero, sizeof zero));
    grid_barrier<<<blocks, size>>>(a.device, b.device);
    a.download();
    expect_same("grid barrier", a, want);
}

// All wait for the block that starts last.
__global__ void last_block(int *flag, int *out)
{
    if (blockIdx.x == gridDim.x - 1) {
        atomicExch(flag, 5);
    } else {
        while (__ldcg(flag) == 0)
            __nanosleep(50);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        blockIdx.x == gridDim.x - 1 ? 5 : *(volatile int *)flag;
}

static void check_last_block(int blocks)
{
    buffer<int> flag(1, 0), out(blocks * 32, 0);
    last_block<<<blocks, 32>>>(flag.device, out.device);
    out.download();
    expect_same("last block", out, std::vector<int>(blocks * 32, 5));
}

int main()
{
    check_warps();
    check_scan(50);
    check_votes(40);
    check_grid_barrier(1, 64);
    check_grid_barrier(24, 64);
    check_last_block(30);
    return finish();
}
