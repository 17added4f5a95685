// SPDX-License-Identifier: Apache-2.0
//
// Lanes that arrive at one mbarrier in one instruction: each gets a state of
// its own, as if one came after the other, also when phases end in between,
// when only some lanes arrive, and when they leave for good.
//
// weftcc: -arch=sm_80
#include "check.h"

#include <algorithm>

__device__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned pending_of(unsigned long long state)
{
    unsigned n;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(state));
    return n;
}

// pending[t]: what thread t found pending. left[t]: whether its phase is over.
template <bool Drop>
__global__ void arrive(unsigned *pending, unsigned *left, unsigned expected,
                       unsigned every)
{
    __shared__ unsigned long long barrier;
    unsigned at = shared_address(&barrier), t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at),
                     "r"(expected)
                     : "memory");
    __syncthreads();
    bool arrives = t % every == 0;
    unsigned long long state = 0;
    pending[t] = left[t] = 0;
    if (arrives && Drop)
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                     : "=l"(state)
                     : "r"(at)
                     : "memory");
    else if (arrives)
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                     : "=l"(state)
                     : "r"(at)
                     : "memory");
    __syncthreads();
    if (!arrives)
        return;
    pending[t] = pending_of(state);
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(left[t])
                 : "r"(at), "l"(state)
                 : "memory");
}

// One warp; all have arrived when the first asks.
template <bool Drop> static void check(unsigned expected, unsigned every)
{
    buffer<unsigned> pending(32), left(32);
    arrive<Drop><<<1, 32>>>(pending.device, left.device, expected, every);
    pending.download();
    left.download();
    std::vector<unsigned> got = pending.host, want, over = left.host;
    unsigned now = expected, next = expected, arrivals = 0;
    for (unsigned t = 0; t < 32; t += every, arrivals++) {
        want.push_back(now);
        next -= Drop;
        if (--now == 0)
            now = next;
    }
    want.resize(32, 0);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    for (unsigned t = 0; t < 32; t++)
        if (got[t] != want[t])
            FAIL("%u expected, every %u: %u. pending is %u, should be %u",
                 expected, every, t, got[t], want[t]);
    // Phases count modulo a power of two, so no more than one ends here.
    if (arrivals < expected || (arrivals < 2 * expected && !Drop)) {
        unsigned ended = 0;
        for (unsigned t = 0; t < 32; t++)
            ended += over[t];
        EXPECT_EQ(ended, arrivals < expected ? 0 : expected);
    }
}

int main()
{
    for (unsigned expected : {1u, 5u, 16u, 20u, 31u, 32u, 33u, 100u})
        for (unsigned every : {1u, 2u, 3u})
            check<false>(expected, every);
    // Whoever leaves is expected no more.
    for (unsigned expected : {32u, 33u, 64u, 100u})
        for (unsigned every : {1u, 2u, 3u})
            check<true>(expected, every);
    return finish();
}
