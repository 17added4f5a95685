// SPDX-License-Identifier: Apache-2.0
//
// Blocks of one warp and less. With barriers one call runs the whole block,
// and a barrier is nothing; without them, 2 to 16 threads that look into
// tables run one after the other. What they compute is the same.
#include "check.h"

#define BLOCKS 6

// A tree of sums, some threads gone before it; a vote; memory that the launch
// sizes, read by other threads than wrote it, in a loop.
__global__ void meet(int *out, const int *in, int alive)
{
    __shared__ int sums[32];
    extern __shared__ int ring[];
    int t = threadIdx.x, n = blockDim.x, v = 0;
    sums[t] = 0;
    if (t >= alive)
        return;
    sums[t] = in[blockIdx.x * n + t];
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) {
        if (t < d && t + d < n)
            sums[t] += sums[t + d];
        __syncthreads();
    }
    for (int i = 0; i < 3; i++) {
        ring[t] = sums[0] * i + t;
        __syncthreads();
        v += ring[(t + 1) % alive];
        v = 3 * v + __syncthreads_count(ring[t] & 1);
    }
    out[blockIdx.x * n + t] = v;
}

static void meet_on_host(int *out, const int *in, int n, int alive)
{
    int sum = 0, ring[32];
    for (int t = 0; t < alive; t++)
        sum += in[t];
    for (int t = 0; t < alive; t++)
        out[t] = 0;
    for (int i = 0; i < 3; i++) {
        int odd = 0;
        for (int t = 0; t < alive; t++) {
            ring[t] = sum * i + t;
            odd += ring[t] & 1;
        }
        for (int t = 0; t < alive; t++)
            out[t] = 3 * (out[t] + ring[(t + 1) % alive]) + odd;
    }
    for (int t = alive; t < n; t++)
        out[t] = -1;
}

// A walk through a table that ends at different times, counts of its own, and
// a shared counter.
__host__ __device__ int walk(const int *table, int at, int *steps)
{
    int seen[8] = {0}, most = 0;
    for (*steps = 0; table[at] % 11 != 5 && *steps < 40; ++*steps) {
        seen[table[at] & 7]++;
        at = (at + table[at]) & 63;
    }
    for (int i = 0; i < 8; i++)
        most = most * 3 + seen[i];
    return most;
}

__global__ void wander(int *out, const int *table, int *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, steps;
    out[i] = walk(table, i & 63, &steps);
    atomicAdd(total, steps);
}

static void check_meet(int n, int alive)
{
    buffer<int> in(BLOCKS * n), out(BLOCKS * n);
    for (int i = 0; i < BLOCKS * n; i++) {
        in.host[i] = (i * 7919) % 101 - 50;
        out.host[i] = -1;
    }
    in.upload();
    out.upload();
    meet<<<BLOCKS, n, 32 * sizeof(int)>>>(out.device, in.device, alive);
    out.download();
    for (int b = 0; b < BLOCKS; b++) {
        int want[32];
        meet_on_host(want, &in.host[b * n], n, alive);
        for (int t = 0; t < n; t++)
            EXPECT_EQ(out.host[b * n + t], want[t]);
    }
}

static void check_wander(int n)
{
    buffer<int> table(64), out(BLOCKS * n), total(1);
    int want = 0;
    for (int i = 0; i < 64; i++)
        table.host[i] = (i * 37 + 11) % 59;
    total.host[0] = 0;
    table.upload();
    total.upload();
    wander<<<BLOCKS, n>>>(out.device, table.device, total.device);
    out.download();
    total.download();
    for (int i = 0; i < BLOCKS * n; i++) {
        int steps;
        EXPECT_EQ(out.host[i], walk(table.host.data(), i & 63, &steps));
        want += steps;
    }
    EXPECT_EQ(total.host[0], want);
}

int main()
{
    const int sizes[] = {1, 2, 3, 7, 16, 31, 32};
    for (int n : sizes) {
        check_meet(n, n);
        check_meet(n, (n + 1) / 2);
        check_wander(n);
    }
    return finish();
}
