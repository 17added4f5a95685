/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A barrier for arrivals and waits apart, in 64 bits:
 *
 *     63       43 42 40 39       20 19        0
 *     | tx-count | phase | pending | expected |
 *
 * which is what mbarrier instructions make of such a word (abi/mbarrier.h), so
 * that a program may use both on one barrier. Arriving subtracts from pending;
 * who makes it 0, while no transaction is open, starts the next phase with
 * pending = expected. Nobody else writes between the two, since all who may
 * arrive in the next phase wait for it. cuda::barrier, the primitives of
 * cuda_awbarrier.h and pipelines are made of it. Where the instructions can
 * do it, they do: they say what is waited for, and lanes that wait together
 * stay together then.
 */
#ifndef WEFT_BARRIER_WORD_H
#define WEFT_BARRIER_WORD_H

#include "scoped_atomic.h"

#define WEFT_HD __host__ __device__ __forceinline__

namespace weft_cuda
{
namespace detail
{

typedef unsigned long long barrier_word;

enum { barrier_shift = 20, barrier_phase_shift = 40, barrier_tx_shift = 43 };
static constexpr barrier_word barrier_count_mask = (1ull << barrier_shift) - 1;
static constexpr barrier_word barrier_max = barrier_count_mask;

WEFT_HD barrier_word barrier_new(barrier_word expected)
{
    return expected << barrier_shift | expected;
}
WEFT_HD unsigned int barrier_phase(barrier_word word)
{
    return (unsigned int)(word >> barrier_phase_shift) & 7u;
}
WEFT_HD barrier_word barrier_pending(barrier_word word)
{
    return word >> barrier_shift & barrier_count_mask;
}

/* The word that the last arrival of a phase leaves. */
WEFT_HD barrier_word barrier_next(barrier_word word)
{
    barrier_word expected = word & barrier_count_mask;
    barrier_word phase = (barrier_phase(word) + 1) & 7u;
    return phase << barrier_phase_shift | barrier_new(expected);
}

struct complete_nothing {
    WEFT_HD void operator()() const
    {
    }
};

template <typename Completion> struct completes_nothing {
    static constexpr bool value = false;
};
template <> struct completes_nothing<complete_nothing> {
    static constexpr bool value = true;
};

/* Whether instructions do what is asked: those of sm_80 know barriers of one
 * block, in its shared memory, that end a phase without calling anything. */
template <thread_scope Scope, typename Completion = complete_nothing>
WEFT_HD bool barrier_is_native(const barrier_word *word)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return Scope == thread_scope_block &&
           completes_nothing<Completion>::value && __isShared(word);
#else
    (void)word;
    return false;
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WEFT_NATIVE_BARRIER(instruction, outputs, ...)                         \
    __asm__ volatile(instruction : outputs : __VA_ARGS__ : "memory")
#else /* never comes here, see above */
#define WEFT_NATIVE_BARRIER(instruction, outputs, ...)
#endif
#define WEFT_OUTPUTS(...) __VA_ARGS__
#define WEFT_ADDRESS(word) "r"((unsigned int)__cvta_generic_to_shared(word))

template <thread_scope Scope, typename Completion = complete_nothing>
WEFT_HD void barrier_init(barrier_word *word, barrier_word expected)
{
    if (barrier_is_native<Scope, Completion>(word))
        WEFT_NATIVE_BARRIER("mbarrier.init.shared.b64 [%0], %1;",
                            WEFT_OUTPUTS(), WEFT_ADDRESS(word),
                            "r"((unsigned int)expected));
    else
        *word = barrier_new(expected);
}

/* Several arrivals in one instruction may not be a phase's last ones there. */
WEFT_HD barrier_word barrier_arrive_native(barrier_word *word,
                                           barrier_word count, bool is_last)
{
    barrier_word state = 0;
    if (count > 1)
        WEFT_NATIVE_BARRIER("mbarrier.arrive.noComplete.shared.b64 %0, [%1], "
                            "%2;",
                            WEFT_OUTPUTS("=l"(state)), WEFT_ADDRESS(word),
                            "r"((unsigned int)count - 1));
    if (is_last)
        WEFT_NATIVE_BARRIER("mbarrier.arrive_drop.shared.b64 %0, [%1];",
                            WEFT_OUTPUTS("=l"(state)), WEFT_ADDRESS(word));
    else
        WEFT_NATIVE_BARRIER("mbarrier.arrive.shared.b64 %0, [%1];",
                            WEFT_OUTPUTS("=l"(state)), WEFT_ADDRESS(word));
    return state;
}

/* Arrives `count` times, `dropped` of them, 0 or 1, for good; returns the word
 * before. `complete` is called by the last to arrive, before the others go on.
 */
template <thread_scope Scope, typename Completion>
WEFT_HD barrier_word barrier_arrive(barrier_word *word, barrier_word count,
                                    barrier_word dropped, Completion &complete)
{
    if (barrier_is_native<Scope, Completion>(word))
        return barrier_arrive_native(word, count, dropped != 0);
    barrier_word change = (count << barrier_shift) + dropped;
    barrier_word old = atomic_fetch_sub<Scope>(word, change, __ATOMIC_ACQ_REL);
    if (barrier_pending(old) == count && old >> barrier_tx_shift == 0) {
        complete();
        atomic_store<Scope>(word, barrier_next(old - change), __ATOMIC_RELEASE);
    }
    return old;
}

/* Opens transactions: the phase does not end before so many bytes arrive. */
template <thread_scope Scope>
WEFT_HD void barrier_expect(barrier_word *word, barrier_word bytes)
{
    atomic_fetch_add<Scope>(word, bytes << barrier_tx_shift, __ATOMIC_RELAXED);
}

/* Whether the phase has ended that arriving returned this word in. */
template <thread_scope Scope, typename Completion = complete_nothing>
WEFT_HD bool barrier_has_left(const barrier_word *word, barrier_word state)
{
    if (barrier_is_native<Scope, Completion>(word)) {
        unsigned int has_left = 0;
        WEFT_NATIVE_BARRIER("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, "
                            "[%1], %2; selp.u32 %0, 1, 0, p; }",
                            WEFT_OUTPUTS("=r"(has_left)), WEFT_ADDRESS(word),
                            "l"(state));
        return has_left;
    }
    return barrier_phase(atomic_load<Scope>(word, __ATOMIC_ACQUIRE)) !=
           barrier_phase(state);
}
template <thread_scope Scope, typename Completion = complete_nothing>
WEFT_HD bool barrier_has_left_parity(const barrier_word *word, bool parity)
{
    if (barrier_is_native<Scope, Completion>(word)) {
        unsigned int has_left = 0;
        WEFT_NATIVE_BARRIER("{ .reg .pred p; mbarrier.test_wait.parity.shared."
                            "b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }",
                            WEFT_OUTPUTS("=r"(has_left)), WEFT_ADDRESS(word),
                            "r"((unsigned int)parity));
        return has_left;
    }
    return (bool)(barrier_phase(atomic_load<Scope>(word, __ATOMIC_ACQUIRE)) &
                  1) != parity;
}

#undef WEFT_NATIVE_BARRIER
#undef WEFT_OUTPUTS
#undef WEFT_ADDRESS

} // namespace detail
} // namespace weft_cuda

#undef WEFT_HD

#endif
