// SPDX-License-Identifier: Apache-2.0
//
// Threads that gather so much that they go one after the other, and others, in
// blocks of many threads: the last block not full, lanes with ways of their
// own, an array of each thread's own, a function that is not inlined, atomics
// with and without their old value, blocks of one and two dimensions.
#include "check.h"

__host__ __device__ static unsigned next(unsigned s)
{
    return s * 1664525u + 1013904223u;
}

__host__ __device__ __noinline__ int pick(const int *x, int at)
{
    int a = x[at] + x[at + 20] + x[at + 40] + x[at + 60] + x[at + 80];
    return a + x[at + 100] + x[at + 120] + x[at + 140] + x[at + 160];
}

// A sparse product; how long a row is differs from thread to thread.
__global__ void rows(int *out, const int *first, const int *column,
                     const int *x, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    int sum = 0;
    for (int j = first[i]; j < first[i + 1]; j++) {
        int c = column[j];
        sum ^= pick(x, c);
    }
    out[i] = sum;
}

const int TABLE = 1024;

__host__ __device__ __noinline__ int step(const int *x, int at)
{
    int a = x[at], b = x[at + 100], c = x[at + 200], d = x[at + 300];
    return (a ^ b ^ c ^ d ^ x[a & (TABLE - 1)]) & (TABLE - 1);
}

// A walk that marks where it was, in an array of its own and for all.
__global__ void walks(int *out, unsigned *seen, unsigned *count, const int *x,
                      int n, int steps)
{
    int i = thread_in_grid(), at = i;
    int own[8] = {0};
    if (i >= n)
        return;
    for (int s = 0; s < steps; s++) {
        at = step(x, at);
        own[at & 7]++;
        if ((at & 3) == 0)
            atomicAdd(&seen[at], 1u);
    }
    unsigned ticket = atomicAdd(count, 1u);
    int most = 0;
    for (int k = 1; k < 8; k++)
        if (own[k] > own[most])
            most = k;
    out[i] = most * 1000 + at + (ticket < (unsigned)n ? 0 : 1000000);
}

static std::vector<int> numbers(int n, unsigned seed)
{
    std::vector<int> v(n);
    for (int &x : v)
        x = (int)((seed = next(seed)) >> 8);
    return v;
}

static void check_rows(int n, dim3 block)
{
    std::vector<int> lengths = numbers(n, 7), first(n + 1), want(n);
    for (int i = 0; i < n; i++)
        first[i + 1] = first[i] + lengths[i] % 32;
    std::vector<int> column = numbers(first[n] + 1, 8), x = numbers(n + 200, 9);
    for (int &c : column)
        c %= n;
    for (int i = 0; i < n; i++)
        for (int j = first[i]; j < first[i + 1]; j++)
            want[i] ^= pick(x.data(), column[j]);
    buffer<int> first_there(first), column_there(column), x_there(x), out(n);
    int threads = (int)(block.x * block.y);
    rows<<<(n + threads - 1) / threads, block>>>(
        out.device, first_there.device, column_there.device, x_there.device, n);
    out.download();
    expect_same("rows", out, want);
}

static void check_walks(int n, dim3 block)
{
    const int steps = 20;
    std::vector<int> x = numbers(TABLE + 300, 11), want(n);
    std::vector<unsigned> seen(TABLE), count = {(unsigned)n};
    for (int i = 0; i < n; i++) {
        int at = i, own[8] = {}, most = 0;
        for (int s = 0; s < steps; s++) {
            at = step(x.data(), at);
            own[at & 7]++;
            seen[at] += (at & 3) == 0;
        }
        for (int k = 1; k < 8; k++)
            most = own[k] > own[most] ? k : most;
        want[i] = most * 1000 + at;
    }
    buffer<int> x_there(x), out(n);
    buffer<unsigned> seen_there(TABLE, 0), count_there(1, 0);
    int threads = (int)(block.x * block.y);
    walks<<<(n + threads - 1) / threads, block>>>(out.device, seen_there.device,
                                                  count_there.device,
                                                  x_there.device, n, steps);
    out.download();
    seen_there.download();
    count_there.download();
    expect_same("walks", out, want);
    expect_same("marks of walks", seen_there, seen);
    expect_same("tickets of walks", count_there, count);
}

int main()
{
    for (int n : {1000, 97}) {
        for (dim3 block : {dim3(256), dim3(16, 16), dim3(65), dim3(32)}) {
            check_rows(n, block);
            check_walks(n, block);
        }
    }
    return finish();
}
