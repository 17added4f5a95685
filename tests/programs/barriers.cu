// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// __syncthreads in straight code, in uniform loops, in loops whose count comes
// from memory, in a device function, twice in a row; and its counting forms.
// A missing or doubled barrier changes a result.
#include "check.h"

const int size = 160; // five warps

// Rotates the block's values by one place `turns` times.
__global__ void rotate(int *data, int turns)
{
    __shared__ int values[size];
    int me = threadIdx.x, base = blockIdx.x * size;
    values[me] = data[base + me];
    __syncthreads();
    for (int t = 0; t < turns; t++) {
        int next = values[(me + 1) % size];
        __syncthreads();
        values[me] = next;
        __syncthreads();
    }
    data[base + me] = values[me];
}

__device__ __noinline__ int exchange(int *values, int me, int mine)
{
    values[me] = mine;
    __syncthreads();
    int got = values[blockDim.x - 1 - me];
    __syncthreads();
    return got;
}

__global__ void in_function(int *data, const int *turns)
{
    __shared__ int values[size];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = data[i];
    for (int t = 0; t < turns[blockIdx.x]; t++)
        x = exchange(values, threadIdx.x, x + t);
    data[i] = x;
}

// An odd-even transposition sort: the barrier count depends on the data, in
// the same way for all threads of a block.
__global__ void sort(int *data, int *rounds)
{
    __shared__ int values[size];
    __shared__ int swapped;
    int me = threadIdx.x, base = blockIdx.x * size;
    values[me] = data[base + me];
    int round = 0, quiet = 0;
    __syncthreads();
    while (quiet < 2) {
        if (me == 0)
            swapped = 0;
        __syncthreads();
        int left = 2 * me + round % 2;
        if (left + 1 < size && values[left] > values[left + 1]) {
            int t = values[left];
            values[left] = values[left + 1];
            values[left + 1] = t;
            swapped = 1;
        }
        __syncthreads();
        quiet = swapped ? 0 : quiet + 1;
        round++;
        __syncthreads();
    }
    data[base + me] = values[me];
    if (me == 0)
        rounds[blockIdx.x] = round;
}

__global__ void counting(int *count, int *all, int *any, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    count[i] = __syncthreads_count(threadIdx.x % 3 == 0);
    all[i] = __syncthreads_and((int)threadIdx.x < limit) != 0;
    any[i] = __syncthreads_or((int)threadIdx.x == limit) != 0;
}

// The values of one phase are read in the next, with two buffers and one
// barrier per phase.
__global__ void two_buffers(int *out, int phases)
{
    __shared__ int values[2][size];
    int me = threadIdx.x;
    values[0][me] = me + blockIdx.x;
    for (int p = 0; p < phases; p++) {
        __syncthreads();
        int *from = values[p % 2], *to = values[1 - p % 2];
        to[me] = from[(me + 37) % size] + from[me];
    }
    out[blockIdx.x * size + me] = values[phases % 2][me];
}

// A barrier that only some blocks reach.
__global__ void in_uniform_branch(int *out, int which)
{
    __shared__ int values[size];
    int me = threadIdx.x;
    int x = me;
    if ((int)blockIdx.x == which) {
        values[me] = me * 10;
        __syncthreads();
        x = values[size - 1 - me];
    }
    out[blockIdx.x * size + me] = x;
}

static void check_rotate(int turns)
{
    const int blocks = 3;
    buffer<int> data(blocks * size);
    std::vector<int> want(blocks * size);
    for (int i = 0; i < blocks * size; i++)
        data[i] = i * 11;
    for (int i = 0; i < blocks * size; i++)
        want[i] = data[i / size * size + (i + turns) % size];
    data.upload();
    rotate<<<blocks, size>>>(data.device, turns);
    data.download();
    expect_same("rotate", data, want);
}

static void check_in_function()
{
    const int blocks = 4;
    buffer<int> data(blocks * size), turns(blocks);
    for (int i = 0; i < blocks * size; i++)
        data[i] = i;
    for (int i = 0; i < blocks; i++)
        turns[i] = i * 3;
    std::vector<int> want = data.host;
    for (int b = 0; b < blocks; b++) {
        int *v = &want[b * size];
        for (int t = 0; t < turns[b]; t++) {
            std::vector<int> old(v, v + size);
            for (int i = 0; i < size; i++)
                v[i] = old[size - 1 - i] + t;
        }
    }
    data.upload();
    turns.upload();
    in_function<<<blocks, size>>>(data.device, turns.device);
    data.download();
    expect_same("in a function", data, want);
}

static int host_sort(int *v)
{
    int round = 0, quiet = 0;
    while (quiet < 2) {
        bool swapped = false;
        for (int left = round % 2; left + 1 < size; left += 2) {
            if (v[left] > v[left + 1]) {
                int t = v[left];
                v[left] = v[left + 1];
                v[left + 1] = t;
                swapped = true;
            }
        }
        quiet = swapped ? 0 : quiet + 1;
        round++;
    }
    return round;
}

static void check_sort()
{
    const int blocks = 4;
    buffer<int> data(blocks * size), rounds(blocks);
    for (int i = 0; i < blocks * size; i++)
        data[i] = i < size ? i : (int)(scramble(i) % 1000);
    std::vector<int> want = data.host, want_rounds(blocks);
    for (int b = 0; b < blocks; b++)
        want_rounds[b] = host_sort(&want[b * size]);
    data.upload();
    sort<<<blocks, size>>>(data.device, rounds.device);
    data.download();
    rounds.download();
    expect_same("sort", data, want);
    expect_same("rounds", rounds, want_rounds);
}

static void check_counting(int threads, int limit)
{
    buffer<int> count(2 * threads), all(2 * threads), any(2 * threads);
    counting<<<2, threads>>>(count.device, all.device, any.device, limit);
    count.download();
    all.download();
    any.download();
    std::vector<int> n(2 * threads, (threads + 2) / 3);
    expect_same("count", count, n);
    expect_same("and", all, std::vector<int>(2 * threads, limit >= threads));
    expect_same("or", any, std::vector<int>(2 * threads, limit < threads));
}

static void check_two_buffers(int phases)
{
    const int blocks = 5;
    buffer<int> out(blocks * size);
    std::vector<int> want;
    for (int b = 0; b < blocks; b++) {
        std::vector<int> v(size), next(size);
        for (int i = 0; i < size; i++)
            v[i] = i + b;
        for (int p = 0; p < phases; p++) {
            for (int i = 0; i < size; i++)
                next[i] = v[(i + 37) % size] + v[i];
            v = next;
        }
        want.insert(want.end(), v.begin(), v.end());
    }
    two_buffers<<<blocks, size>>>(out.device, phases);
    out.download();
    expect_same("two buffers", out, want);
}

static void check_in_uniform_branch()
{
    const int blocks = 6;
    buffer<int> out(blocks * size);
    std::vector<int> want(blocks * size);
    for (int i = 0; i < blocks * size; i++)
        want[i] = i / size == 4 ? (size - 1 - i % size) * 10 : i % size;
    in_uniform_branch<<<blocks, size>>>(out.device, 4);
    out.download();
    expect_same("in a uniform branch", out, want);
}

int main()
{
    for (int turns : {0, 1, 7, 200})
        check_rotate(turns);
    check_in_function();
    check_sort();
    check_counting(65, 65);
    check_counting(65, 64);
    check_counting(256, 0);
    check_counting(32, 31);
    check_counting(7, 9);
    check_two_buffers(1);
    check_two_buffers(12);
    check_in_uniform_branch();
    return finish();
}
