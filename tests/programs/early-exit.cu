// SPDX-License-Identifier: Apache-2.0
//
// Threads that return before the others: single lanes, whole warps, whole
// blocks, from inside loops and from before barriers that the rest still uses.
#include "check.h"

__global__ void lanes(int *out, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    out[i] = 1;
    if (i % 3 == 0)
        return;
    out[i] = 2;
    for (int k = 0; k < 10; k++) {
        if (k == i % 12)
            return;
        out[i] += 10;
    }
    out[i] += 1000;
}

static void check_lanes(int block)
{
    const int n = 500;
    buffer<int> out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) {
        int k = i % 12;
        want[i] = i % 3 == 0 ? 1 : k < 10 ? 2 + 10 * k : 1102;
    }
    lanes<<<(n + block - 1) / block, block>>>(out.device, n);
    out.download();
    expect_same("lanes", out, want);
}

// The upper warps leave; the rest goes on with barriers.
__global__ void warps(int *out, int active)
{
    __shared__ int values[256];
    int me = threadIdx.x;
    values[me] = me;
    __syncthreads();
    if (me >= active)
        return;
    for (int k = 0; k < 4; k++) {
        int x = values[(me + 1) % active];
        __syncthreads();
        values[me] = x + 1;
        __syncthreads();
    }
    out[blockIdx.x * 256 + me] = values[me];
}

static void check_warps(int active)
{
    const int blocks = 3;
    buffer<int> out(blocks * 256);
    std::vector<int> want = out.host;
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < active; i++)
            want[b * 256 + i] = (i + 4) % active + 4;
    warps<<<blocks, 256>>>(out.device, active);
    out.download();
    expect_same("warps", out, want);
}

// As every guide's bounds check before a block-wide sum: the last block has
// threads that left.
__global__ void last_block(const int *in, int *sums, int n)
{
    __shared__ int total;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (i >= n)
        return;
    atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

static void check_last_block(int n)
{
    const int block = 128, blocks = (n + block - 1) / block;
    buffer<int> in(n), sums(blocks);
    std::vector<int> want(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = i % 91;
        want[i / block] += in[i];
    }
    in.upload();
    last_block<<<blocks, block>>>(in.device, sums.device, n);
    sums.download();
    expect_same("last block", sums, want);
}

// Whole blocks leave at once.
__global__ void blocks(int *out)
{
    if (blockIdx.x % 2)
        return;
    if (blockIdx.y > 2 && threadIdx.x > 5)
        return;
    out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] =
        blockIdx.x * 100 + blockIdx.y;
}

static void check_blocks()
{
    const int gx = 9, gy = 5, size = 40;
    buffer<int> out(gx * gy * size);
    std::vector<int> want = out.host;
    for (int y = 0; y < gy; y++)
        for (int x = 0; x < gx; x += 2)
            for (int t = 0; t < (y > 2 ? 6 : size); t++)
                want[(y * gx + x) * size + t] = x * 100 + y;
    blocks<<<dim3(gx, gy), size>>>(out.device);
    out.download();
    expect_same("blocks", out, want);
}

// A lane leaves from two calls down.
__device__ __noinline__ bool inner(int *out, int i)
{
    if (i % 7 == 2)
        return false;
    out[i] = i;
    return true;
}

__device__ __noinline__ bool outer(int *out, int i)
{
    if (i % 5 == 4 || !inner(out, i))
        return false;
    out[i] += 500;
    return true;
}

__global__ void from_functions(int *out, int n)
{
    int i = thread_in_grid();
    if (i >= n || !outer(out, i))
        return;
    out[i] *= 2;
}

static void check_from_functions()
{
    const int n = 300;
    buffer<int> out(n);
    std::vector<int> want = out.host;
    for (int i = 0; i < n; i++)
        if (i % 5 != 4 && i % 7 != 2)
            want[i] = (i + 500) * 2;
    from_functions<<<(n + 63) / 64, 64>>>(out.device, n);
    out.download();
    expect_same("from functions", out, want);
}

int main()
{
    for (int block : {32, 65, 128})
        check_lanes(block);
    for (int active : {32, 96, 100, 1, 256})
        check_warps(active);
    for (int n : {128, 129, 500, 511, 31})
        check_last_block(n);
    check_blocks();
    check_from_functions();
    return finish();
}
