/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Teams: threads that share kernels of some microseconds, one after the other,
 * without the scheduler in between. A leader publishes a kernel and works on it
 * until all of it is done; helpers look at one word for the next.
 *
 *     claim: generation, chunks left --last chunk finished--> the next kernel
 */
#ifndef WEFT_EXEC_TEAM_H
#define WEFT_EXEC_TEAM_H

#include "exec/internal.h"

struct team {
    /* generation << 32 | chunks not taken yet. What follows it describes the
     * kernel, and stays as it is until the last chunk is finished. */
    _Alignas(CACHE_LINE) _Atomic uint64_t claim;
    _Atomic(const struct exec_kernel *) kernel;
    _Atomic uint64_t first, end, chunk; /* blocks */
    atomic_uint count;                  /* chunks */
    _Atomic(const atomic_int *) cancel;
    _Alignas(CACHE_LINE) atomic_uint unfinished; /* chunks */
    _Atomic(enum exec_fault) fault;
    _Alignas(CACHE_LINE) atomic_uint helpers; /* that look at it now */
    atomic_bool is_led;
};

/* True: this thread is the leader, until team_lead returns. */
bool team_take_lead(struct team *t);
/* Runs the blocks from `first` on, `chunk` at a time, with whoever helps; `sm`
 * is this thread's. *cycles: what one thread would have taken, about. */
enum exec_fault team_lead(struct team *t, struct sm *sm,
                          const struct exec_kernel *k, uint64_t first,
                          uint64_t chunk, const atomic_int *cancel,
                          uint64_t *cycles);

/* Helps until nothing has come for a while, or is_over() says so. */
void team_help(struct team *t, struct sm *sm, bool (*is_over)(void *data),
               void *data);

static inline unsigned team_helpers(const struct team *t)
{
    return atomic_load_explicit(&t->helpers, memory_order_relaxed);
}

#endif
