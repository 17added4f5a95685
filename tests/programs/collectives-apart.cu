// SPDX-License-Identifier: Apache-2.0
// A collective waits for the lanes that its mask names, at whatever place of
// the program they execute it: in two branches, in loops of different length,
// in functions.
#include "check.h"

__device__ __noinline__ unsigned vote_there(unsigned mask, int p)
{
    return __ballot_sync(mask, p);
}

__device__ __noinline__ unsigned vote_twice_there(int t)
{
    if (t & 4)
        return __ballot_sync(~0u, t & 1);
    return ~__ballot_sync(~0u, t & 2);
}

__device__ __noinline__ unsigned sum_there(int t)
{
    return __reduce_add_sync(~0u, t);
}

__device__ __noinline__ unsigned negative_sum_there(int t)
{
    return -__reduce_add_sync(~0u, 100 + t);
}

typedef unsigned sum_fn(int);
__device__ sum_fn *sums[2] = {sum_there, negative_sum_there};

__global__ void branches(unsigned *out)
{
    int t = threadIdx.x;
    if (t % 3 == 0)
        out[t] = __ballot_sync(~0u, t & 1);
    else
        out[t] = __ballot_sync(~0u, t & 2) + 1;
}

__global__ void halves(unsigned *out)
{
    int t = threadIdx.x;
    unsigned mask = t < 16 ? 0xffff : 0xffff0000;
    if (t % 3 == 0)
        out[t] = __shfl_xor_sync(mask, t, 1);
    else
        out[t] = __shfl_xor_sync(mask, 100 + t, 1);
}

__global__ void loops(unsigned *out, int n)
{
    int t = threadIdx.x;
    unsigned r = 0;
    for (int i = 0; i < n + t % 3; i++)
        r = r * 5 + __shfl_sync(~0u, t + i, i);
    for (int i = n + t % 3; i < n + 4; i++)
        r = r * 7 + __shfl_sync(~0u, t * i, i);
    out[t] = r;
}

__global__ void iterations(unsigned *out, int n)
{
    int t = threadIdx.x;
    unsigned r = 0;
    for (int i = 0; i < n; i++)
        if ((i + t) & 1)
            r = r * 3 + __match_any_sync(~0u, (t + i) & 3);
    out[t] = r;
}

__global__ void functions(unsigned *out)
{
    int t = threadIdx.x;
    if (t % 3 == 0)
        out[t] = vote_there(~0u, t & 1);
    else
        out[t] = __ballot_sync(~0u, t & 2) + 1;
    out[t] ^= vote_twice_there(t);
}

__global__ void pointers(unsigned *out)
{
    out[threadIdx.x] = sums[threadIdx.x % 5 == 0](threadIdx.x);
}

__global__ void warp_barriers(unsigned *out)
{
    __shared__ unsigned s[32];
    int t = threadIdx.x;
    if (t & 1) {
        s[t] = t;
        __syncwarp();
        out[t] = s[t ^ 1];
    } else {
        s[t] = 100 + t;
        __syncwarp();
        out[t] = s[t ^ 1];
    }
}

// Of a mask that is made where it is used, lanes elsewhere are no part.
__global__ void own_masks(unsigned *out)
{
    int t = threadIdx.x;
    if (t % 3 == 0)
        out[t] = __ballot_sync(__activemask(), t & 1);
    else
        out[t] = __ballot_sync(__activemask(), t & 2);
}

static unsigned *out;

static unsigned bits(int (*has)(int))
{
    unsigned r = 0;
    for (int t = 0; t < 32; t++)
        r |= (unsigned)(has(t) != 0) << t;
    return r;
}

static int votes(int t)
{
    return t % 3 == 0 ? t & 1 : t & 2;
}

static int votes_there(int t)
{
    return t & 4 ? t & 1 : t & 2;
}

// What lane t puts into the i-th shuffle of `loops`.
static unsigned offered(int t, int i, int n)
{
    return i < n + t % 3 ? t + i : t * i;
}

static unsigned result_of_loops(int t, int n)
{
    unsigned r = 0;
    for (int i = 0; i < n + 4; i++)
        r = r * (i < n + t % 3 ? 5 : 7) + offered(i, i, n);
    return r;
}

// The i-th match of lane t is in its iteration 2 i + !(t & 1).
static unsigned result_of_iterations(int t, int n)
{
    unsigned r = 0;
    for (int i = 0; i < n / 2; i++) {
        unsigned same = 0;
        for (int u = 0; u < 32; u++)
            same |= (unsigned)(((u + 2 * i + !(u & 1)) & 3) ==
                               ((t + 2 * i + !(t & 1)) & 3)) << u;
        r = r * 3 + same;
    }
    return r;
}

int main()
{
    CHECK(cudaMallocManaged(&out, 128));
    unsigned b = bits(votes), there = bits(votes_there);

    branches<<<1, 32>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)(b + (t % 3 != 0)));
    halves<<<1, 32>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)((t ^ 1) + ((t ^ 1) % 3 == 0 ? 0 : 100)));
    loops<<<1, 32>>>(out, 5);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)(result_of_loops(t, 5)));
    iterations<<<1, 32>>>(out, 6);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)(result_of_iterations(t, 6)));
    functions<<<1, 32>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)((b + (t % 3 != 0) ^ (t & 4 ? there : ~there))));
    pointers<<<1, 32>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)((t % 5 == 0 ? -(496 + 700) : 496 + 700)));
    warp_barriers<<<1, 32>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)((t & 1 ? 100 + (t ^ 1) : t ^ 1)));
    own_masks<<<1, 32>>>(out);
    CHECK_KERNEL();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], (unsigned)((t % 3 == 0 ? b & 0x49249249 : b & ~0x49249249)));
    return finish();
}
