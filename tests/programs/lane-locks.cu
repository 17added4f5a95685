// SPDX-License-Identifier: Apache-2.0
//
// Lanes of one warp that wait for each other: a spin lock per bucket that all
// lanes contend for, and a chain of lanes handing on a value. Both need the
// forward progress of every thread, which a warp in step does not give.
#include "check.h"

__global__ void buckets(int *locks, int *count, int *sum, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    int b = i % 5;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[b], 0, 1) == 0) {
            volatile int *c = &count[b], *s = &sum[b];
            *c = *c + 1;
            *s = *s + i;
            __threadfence();
            atomicExch(&locks[b], 0);
            done = true;
        }
    }
}

static void check_buckets()
{
    const int n = 500;
    buffer<int> locks(5, 0), count(5, 0), sum(5, 0);
    std::vector<int> want_count(5), want_sum(5);
    for (int i = 0; i < n; i++) {
        want_count[i % 5]++;
        want_sum[i % 5] += i;
    }
    buckets<<<4, 128>>>(locks.device, count.device, sum.device, n);
    count.download();
    sum.download();
    expect_same("count", count, want_count);
    expect_same("sum", sum, want_sum);
}

// Lane k waits until lane k + 1 has written.
__global__ void chain(volatile int *data)
{
    int i = threadIdx.x;
    if (i < (int)blockDim.x - 1)
        while (data[i + 1] == 0)
            ;
    data[i] = i < (int)blockDim.x - 1 ? data[i + 1] + i : 1000;
}

static void check_chain(int n)
{
    buffer<int> data(n, 0);
    std::vector<int> want(n);
    for (int i = n - 1; i >= 0; i--)
        want[i] = i < n - 1 ? want[i + 1] + i : 1000;
    chain<<<1, n>>>(data.device);
    data.download();
    expect_same("chain", data, want);
}

int main()
{
    check_buckets();
    check_chain(32);
    check_chain(100);
    return finish();
}
