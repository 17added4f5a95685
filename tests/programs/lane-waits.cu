// SPDX-License-Identifier: Apache-2.0
// also: WEFT_WARPS=8
//
// Lanes that wait for other lanes of their warp, in the forms that programs
// have: locks taken in several ways, tickets, flags between the branches of an
// if, a lock in a function of its own, waiting with operations of the warp
// around it. And a retry loop, which is no wait.
#include "check.h"

__device__ int lock_word, naive_word, spin_word, ticket_next, ticket_serving;
__device__ int totals[8];

__global__ void naive_lock()
{
    while (atomicCAS(&naive_word, 0, 1) != 0)
        ;
    volatile int *t = &totals[0];
    *t = *t + 1;
    __threadfence();
    atomicExch(&naive_word, 0);
}

__global__ void test_and_set()
{
    bool done = false;
    do {
        if (atomicExch(&spin_word, 1) == 0) {
            volatile int *t = &totals[1];
            *t = *t + 2;
            __threadfence();
            *(volatile int *)&spin_word = 0;
            done = true;
        }
    } while (!done);
}

// Looks before it tries.
__global__ void test_test_and_set()
{
    for (;;) {
        while (*(volatile int *)&lock_word != 0)
            ;
        if (atomicCAS(&lock_word, 0, 1) == 0)
            break;
    }
    totals[2] = *(volatile int *)&totals[2] + 3;
    __threadfence();
    atomicExch(&lock_word, 0);
}

__global__ void ticket_lock()
{
    int mine = atomicAdd(&ticket_next, 1);
    while (atomicAdd(&ticket_serving, 0) != mine)
        ;
    volatile int *t = &totals[3];
    *t = *t + mine;
    __threadfence();
    atomicAdd(&ticket_serving, 1);
}

__device__ __noinline__ void take(int *word)
{
    while (atomicCAS(word, 0, 1) != 0)
        ;
}
__device__ __noinline__ void give(int *word)
{
    __threadfence();
    atomicExch(word, 0);
}
__global__ void lock_functions()
{
    take(&lock_word);
    volatile int *t = &totals[4];
    *t = *t + 1;
    give(&lock_word);
}

// The branch that waits may come first or second.
__global__ void two_branches(volatile int *flag, int *out)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    volatile int *f = flag + 2 * warp;
    if (lane == 7) {
        while (f[0] == 0)
            ;
        out[warp * 2] = 1;
        f[1] = 1;
    } else if (lane == 20) {
        f[0] = 1;
        while (f[1] == 0)
            ;
        out[warp * 2 + 1] = 2;
    }
}

// With operations of the warp before and behind.
__global__ void among_warp_ops(volatile int *flags, int *out)
{
    int i = threadIdx.x, lane = i % 32;
    int sum = __shfl_xor_sync(0xffffffff, i, 1) + i;
    __syncwarp();
    if (lane != 0)
        while (flags[i - 1] == 0)
            ;
    flags[i] = 1 + (lane ? flags[i - 1] : 0);
    int votes = __popc(__ballot_sync(0xffffffff, lane % 2 == 0));
    unsigned same = __match_any_sync(0xffffffff, lane / 4);
    int most = __reduce_max_sync(0xffffffff, flags[i]);
    __syncthreads();
    out[i] = sum * 1000 + votes + __popc(same) + most;
}

// Locks without compare-and-swap or exchange. The loops stand at the kernel's
// very beginning.
__device__ int odd_word[4] = {0, 0, 1, 0}, odd_totals[4];

__device__ void count_one(int which)
{
    volatile int *t = &odd_totals[which];
    *t = *t + 1;
    __threadfence();
}

__global__ void lock_by_or()
{
    while (atomicOr(&odd_word[0], 1) != 0)
        ;
    count_one(0);
    atomicAnd(&odd_word[0], 0);
}

__global__ void lock_by_max()
{
    while (atomicMax(&odd_word[1], 1) != 0)
        ;
    count_one(1);
    atomicExch(&odd_word[1], 0);
}

__global__ void lock_by_min()
{
    while (atomicMin(&odd_word[2], 0) != 1)
        ;
    count_one(2);
    atomicExch(&odd_word[2], 1);
}

// Gives the number back if it was not the first.
__global__ void lock_by_adding()
{
    while (atomicAdd(&odd_word[3], 1) != 0)
        atomicSub(&odd_word[3], 1);
    count_one(3);
    atomicSub(&odd_word[3], 1);
}

static void check_odd_locks()
{
    lock_by_or<<<2, 64>>>();
    lock_by_max<<<2, 64>>>();
    lock_by_min<<<2, 64>>>();
    lock_by_adding<<<2, 64>>>();
    CHECK_KERNEL();
    int got[4];
    CHECK(cudaMemcpyFromSymbol(got, odd_totals, sizeof got));
    for (int i = 0; i < 4; i++)
        EXPECT_EQ(got[i], 128);
}

// No lane waits for another one: a swap fails when somebody else succeeded.
__global__ void retry(float *total)
{
    int *p = (int *)total, old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed,
                        __float_as_int(__int_as_float(assumed) + 1.0f));
    } while (assumed != old);
}

static void check_locks()
{
    naive_lock<<<2, 64>>>();
    test_and_set<<<2, 64>>>();
    test_test_and_set<<<2, 50>>>();
    ticket_lock<<<2, 64>>>();
    lock_functions<<<2, 64>>>();
    CHECK_KERNEL();
    int got[8];
    CHECK(cudaMemcpyFromSymbol(got, totals, sizeof got));
    EXPECT_EQ(got[0], 128);
    EXPECT_EQ(got[1], 256);
    EXPECT_EQ(got[2], 300);
    EXPECT_EQ(got[3], 127 * 64);
    EXPECT_EQ(got[4], 128);
}

static void check_flags()
{
    const int n = 64;
    buffer<int> flag(n, 0), out(n, 0), flags(n, 0), sums(n, 0);
    two_branches<<<1, n>>>(flag.device, out.device);
    among_warp_ops<<<1, n>>>(flags.device, sums.device);
    CHECK_KERNEL();
    out.download();
    sums.download();
    std::vector<int> want(n);
    for (int w = 0; w < 2; w++) {
        want[w * 2] = 1;
        want[w * 2 + 1] = 2;
    }
    expect_same("two branches", out, want);
    for (int i = 0; i < n; i++)
        want[i] = (i + (i ^ 1)) * 1000 + 16 + 4 + 32;
    expect_same("among warp operations", sums, want);
}

int main()
{
    check_locks();
    check_odd_locks();
    check_flags();
    buffer<float> total(1, 0);
    retry<<<4, 128>>>(total.device);
    CHECK_KERNEL();
    total.download();
    expect_same("retry", total, std::vector<float>{512.0f});
    return finish();
}
