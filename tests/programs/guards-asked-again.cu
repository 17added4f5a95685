// SPDX-License-Identifier: Apache-2.0
//
// Rows of an unrolled loop whose bounds tests guard loads first and stores
// later, at every kind of end: between rows, within one, before the first. By
// each ordering, from below and from above, with lanes that have gone.
// also: WEFT_WARPS=1
// also: WEFT_ISA=avx2
#include "check.h"

const int rows = 4, threads = 64, tile = rows * threads;

__device__ bool passes(int i, int n, int order)
{
    switch (order) {
    case 0:
        return i < n;
    case 1:
        return i <= n - 1;
    case 2:
        return n > i;
    default:
        return (unsigned)i < (unsigned)n;
    }
}

// Each warp has `rows` rows of 32 behind each other.
template <int order>
__global__ void turn(const int *in, int *out, int n, int gone)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = blockIdx.x * tile + warp * rows * 32 + lane;
    int values[rows];
#pragma unroll
    for (int k = 0; k < rows; k++)
        values[k] = passes(first + 32 * k, n, order) ? in[first + 32 * k] : -7;
    __syncthreads();
    int sum = 0;
#pragma unroll
    for (int k = 0; k < rows; k++)
        sum += values[k];
    if (lane >= gone)
        return;
#pragma unroll
    for (int k = 0; k < rows; k++)
        if (passes(first + 32 * k, n, order))
            out[first + 32 * k] = sum + values[k];
}

// The same from the other end: lanes go down.
__global__ void downward(const int *in, int *out, int n, int gone)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = n - 1 - (blockIdx.x * tile + warp * rows * 32 + lane);
    int values[rows];
#pragma unroll
    for (int k = 0; k < rows; k++)
        values[k] = first - 32 * k >= 0 ? in[first - 32 * k] : -7;
    __syncthreads();
    int sum = 0;
#pragma unroll
    for (int k = 0; k < rows; k++)
        sum += values[k];
    if (lane >= gone)
        return;
#pragma unroll
    for (int k = 0; k < rows; k++)
        if (first - 32 * k >= 0)
            out[first - 32 * k] = sum + values[k];
}

static const int length = 2 * tile;

static int value_at(int i, int n)
{
    return i >= 0 && i < n ? 3 * i + 1 : -7;
}

// Element `place` of all that the threads have, counted as they go.
static int expected(int place, int n, int gone, bool is_down)
{
    int i = is_down ? n - 1 - place : place;
    int lane = place % 32, first = place / (rows * 32) * rows * 32 + lane;
    if (lane >= gone || i < 0 || i >= n)
        return 0;
    int sum = value_at(i, n);
    for (int k = 0; k < rows; k++)
        sum += value_at(is_down ? n - 1 - first - 32 * k : first + 32 * k, n);
    return sum;
}

static int *in, *out;

template <typename F> static void try_length(int n, int gone, bool is_down, F f)
{
    EXPECT(cudaMemset(out, 0, length * sizeof(int)) == cudaSuccess);
    f<<<2, threads>>>(in, out, n, gone);
    int host[length];
    EXPECT(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault) ==
           cudaSuccess);
    for (int place = 0; place < length; place++) {
        int i = is_down ? n - 1 - place : place;
        if (i < 0)
            continue;
        EXPECT_EQ(host[i], expected(place, n, gone, is_down));
    }
}

int main()
{
    static const int lengths[] = {0,   1,   31,  32,  33,  64,  97,  127, 128,
                                  129, 160, 255, 256, 257, 300, 511, 512};
    int host[length];
    for (int i = 0; i < length; i++)
        host[i] = value_at(i, length);
    EXPECT(cudaMalloc(&in, sizeof host) == cudaSuccess);
    EXPECT(cudaMalloc(&out, sizeof host) == cudaSuccess);
    EXPECT(cudaMemcpy(in, host, sizeof host, cudaMemcpyDefault) == cudaSuccess);
    for (int n : lengths)
        for (int gone : {32, 17}) {
            try_length(n, gone, false, turn<0>);
            try_length(n, gone, false, turn<1>);
            try_length(n, gone, false, turn<2>);
            try_length(n, gone, false, turn<3>);
            try_length(n, gone, true, downward);
        }
    return failures != 0;
}
