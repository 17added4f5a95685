/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A barrier for arrivals and waits apart, in 64 bits:
 *
 *     63       43 42 40 39       20 19        0
 *     | tx-count | phase | pending | expected |
 *
 * which is what mbarrier instructions make of such a word (exec/mbarrier.h), so
 * that a program may use both on one barrier. Arriving subtracts from pending;
 * who makes it 0, while no transaction is open, starts the next phase with
 * pending = expected. Nobody else writes between the two, since all who may
 * arrive in the next phase wait for it. cuda::barrier, the primitives of
 * cuda_awbarrier.h and pipelines are made of it.
 */
#ifndef WEFT_BARRIER_WORD_H
#define WEFT_BARRIER_WORD_H

#include "weft/scoped_atomic.h"

#define WEFT_HD __host__ __device__ __forceinline__

namespace cuda
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

/* Arrives `count` times, `dropped` of them for good; returns the word before.
 * `complete` is called by the last to arrive, before the others go on. */
template <thread_scope Scope, typename Completion>
WEFT_HD barrier_word barrier_arrive(barrier_word *word, barrier_word count,
                                    barrier_word dropped, Completion &complete)
{
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

/* Whether the phase has ended that was the current one. */
template <thread_scope Scope>
WEFT_HD bool barrier_has_left(const barrier_word *word, unsigned int phase)
{
    return barrier_phase(atomic_load<Scope>(word, __ATOMIC_ACQUIRE)) != phase;
}
template <thread_scope Scope>
WEFT_HD bool barrier_has_left_parity(const barrier_word *word, bool parity)
{
    return (bool)(barrier_phase(atomic_load<Scope>(word, __ATOMIC_ACQUIRE)) &
                  1) != parity;
}

struct complete_nothing {
    WEFT_HD void operator()() const
    {
    }
};

} // namespace detail
} // namespace cuda

#undef WEFT_HD

#endif
