/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers in shared memory with separate arrival and wait, as functions for C
 * and C++. CUDA C++ programming guide, "Memory Barrier Primitives Interface".
 */
#ifndef WEFT_CUDA_AWBARRIER_PRIMITIVES_H
#define WEFT_CUDA_AWBARRIER_PRIMITIVES_H

#include "weft/barrier_word.h"

#define WEFT_DEVICE static __device__ __forceinline__

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

/* What the interface promises; the barriers themselves count further. */
WEFT_DEVICE unsigned int __mbarrier_maximum_count()
{
    return (1 << 14) - 1;
}
WEFT_DEVICE void __mbarrier_init(__mbarrier_t *barrier, unsigned int expected)
{
    weft_cuda::detail::barrier_init<weft_cuda::thread_scope_block>(barrier,
                                                                   expected);
}
WEFT_DEVICE void __mbarrier_inval(__mbarrier_t *barrier)
{
    (void)barrier;
}
WEFT_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier)
{
    weft_cuda::detail::complete_nothing nothing;
    return weft_cuda::detail::barrier_arrive<weft_cuda::thread_scope_block>(
        barrier, 1, 0, nothing);
}
WEFT_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier)
{
    weft_cuda::detail::complete_nothing nothing;
    return weft_cuda::detail::barrier_arrive<weft_cuda::thread_scope_block>(
        barrier, 1, 1, nothing);
}
/* A token is the barrier's word as it was before the arrival. */
WEFT_DEVICE unsigned int
__mbarrier_token_pending_count(__mbarrier_token_t token)
{
    return (unsigned int)weft_cuda::detail::barrier_pending(token);
}
WEFT_DEVICE bool __mbarrier_test_wait(__mbarrier_t *barrier,
                                      __mbarrier_token_t token)
{
    return weft_cuda::detail::barrier_has_left<weft_cuda::thread_scope_block>(
        barrier, token);
}
WEFT_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity)
{
    return weft_cuda::detail::barrier_has_left_parity<
        weft_cuda::thread_scope_block>(barrier, parity);
}

WEFT_DEVICE unsigned long long weft_nanoseconds()
{
    unsigned long long ns;
    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}
WEFT_DEVICE bool __mbarrier_try_wait(__mbarrier_t *barrier,
                                     __mbarrier_token_t token,
                                     unsigned int max_sleep_nanosec)
{
    unsigned long long end = weft_nanoseconds() + max_sleep_nanosec;
    while (!__mbarrier_test_wait(barrier, token)) {
        if (weft_nanoseconds() >= end)
            return false;
        weft_cuda::detail::pause();
    }
    return true;
}
WEFT_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity,
                                            unsigned int max_sleep_nanosec)
{
    unsigned long long end = weft_nanoseconds() + max_sleep_nanosec;
    while (!__mbarrier_test_wait_parity(barrier, parity)) {
        if (weft_nanoseconds() >= end)
            return false;
        weft_cuda::detail::pause();
    }
    return true;
}

#undef WEFT_DEVICE

#endif
