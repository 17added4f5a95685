/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Teams: threads that share kernels of some microseconds, one after the other,
 * without the scheduler in between. A leader publishes a kernel and works on it
 * until all of it is done; members look at one word for the next.
 *
 * Each member has a part of the blocks of its own, by its place in the team:
 * the same of each kernel, so that what one kernel writes is in the cache of
 * the core whose blocks of the next one read it. Who has ended its part takes
 * from others' parts.
 *
 *     word: 2 g --publish--> 2 g + 1 --described--> 2 g + 2 --all blocks
 * done-->
 */
#ifndef WEFT_EXEC_TEAM_H
#define WEFT_EXEC_TEAM_H

#include "exec/internal.h"

#define TEAM_MAX        32 /* members */
#define TEAM_BLOCKS_MAX ((1u << 20) - 1)

/* A generation, with a number of its blocks; counts as 0 for other
 * generations. A line that two cores write costs 0.2 us and more each time, so
 * each counter has its own. */
struct team_slot {
    /* Blocks taken of this slot's part, by any member. */
    _Alignas(CACHE_LINE) _Atomic uint64_t taken;
    /* Blocks that this slot's member has finished, of any part. */
    _Alignas(CACHE_LINE) _Atomic uint64_t done;
};

struct team {
    /* The state above, and what is to be done. Written by the leader between
     * kernels. */
    _Alignas(CACHE_LINE) _Atomic uint64_t word;
    _Atomic uint64_t first;
    _Atomic uint32_t mask;          /* the slots with a part */
    atomic_uint count, grain, most; /* blocks; see team_work */
    atomic_bool is_open;
    atomic_uint kernel_count;
    _Atomic(const struct exec_kernel *const *) kernels;
    _Atomic(const atomic_int *) cancel;
    /* Seldom written. */
    _Alignas(CACHE_LINE) _Atomic uint32_t present; /* slots in use */
    _Atomic uint32_t known;                        /* that ever were */
    _Atomic(enum exec_fault) fault;
    atomic_uint fault_kernel; /* of the job's: written before `fault` */
    atomic_bool is_lead_wanted;
    /* Written by leaders only. */
    _Alignas(CACHE_LINE) atomic_bool is_led;
    uint32_t last_mask;
    struct team_slot slot[TEAM_MAX]; /* 0: the leader's */
};

/* Blocks of kernels from `first` on, and how they are shared. Several kernels
 * have equally many blocks, and a block of one waits at most for the block of
 * the same number of those before it. */
struct team_work {
    const struct exec_kernel *const *kernels;
    uint32_t kernel_count;
    const atomic_int *cancel; /* or NULL */
    uint64_t first;
    unsigned members;     /* that should share it, the leader included */
    uint32_t grain, most; /* blocks that are taken at once, about */
    bool is_open;         /* who has no part may come, too: it is a long one */
};

/* True: this thread is now the leader, until it calls team_give_lead_up. It
 * should when team_is_lead_wanted says that others want to be. */
bool team_take_lead(struct team *t);
void team_give_lead_up(struct team *t);
static inline bool team_is_lead_wanted(const struct team *t)
{
    return atomic_load_explicit(&t->is_lead_wanted, memory_order_relaxed);
}

struct team_fault {
    enum exec_fault fault; /* the last one; or none */
    uint32_t kernel;       /* that had one */
};

/* Runs the blocks with whoever helps; `sm` is this thread's. *cycles: what one
 * thread would have taken, estimated; 0: unknown. */
struct team_fault team_lead(struct team *t, struct sm *sm,
                            const struct team_work *work, uint64_t *cycles);

/* Helps with published kernels until there has been none for a while, or
 * is_over(). */
void team_help(struct team *t, struct sm *sm, bool (*is_over)(void *data),
               void *data);

/* Number of members besides the leader. */
static inline unsigned team_helpers(const struct team *t)
{
    return (unsigned)__builtin_popcount(
        atomic_load_explicit(&t->present, memory_order_relaxed));
}

#endif
