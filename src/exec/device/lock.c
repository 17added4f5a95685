/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks that kernels take inside helpers: the heap's, printf's. Held for a
 * moment; a fault meanwhile releases them (fault.c). The acquire in
 * helper_lock pairs with the release in helper_unlock, or in a fault.
 */
#include "exec/internal.h"

#include <sched.h>

void helper_lock(struct sm *sm, atomic_flag *lock)
{
    assert(!sm || !sm->held_lock); /* one at a time */
    /* Pairs with helper_unlock. */
    for (unsigned spins = 0;
         atomic_flag_test_and_set_explicit(lock, memory_order_acquire);) {
        if (++spins % 128)
            cpu_relax();
        else
            sched_yield(); /* its holder may want this core */
    }
    if (sm)
        sm->held_lock = lock;
}

void helper_unlock(struct sm *sm, atomic_flag *lock)
{
    assert(!sm || sm->held_lock == lock);
    if (sm)
        sm->held_lock = NULL;
    /* Pairs with helper_lock. */
    atomic_flag_clear_explicit(lock, memory_order_release);
}
