/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sharing a kernel among threads that are there already: see team.h. A kernel
 * of 10,000 threads takes some microseconds; to find a worker in the
 * scheduler's way, and the way back to who goes on, would take as long.
 */
#include "exec/team.h"

#include <sched.h>

#include "base/size.h"

#define HELP_NS         WEFT_SIZE(30000, 0) /* a helper waits so long */
#define SPINS_PER_CLOCK 64
#define SPINS_TO_YIELD  WEFT_SIZE(4000, 1) /* a helper's core may be taken */

struct chunk {
    const struct exec_kernel *kernel;
    const atomic_int *cancel;
    uint64_t first, end;
};

static uint32_t left_of(uint64_t claim)
{
    return (uint32_t)claim;
}

/* False: nothing is left. */
static bool take_chunk(struct team *t, struct chunk *out)
{
    /* Pairs with the store in publish: what describes the kernel is seen. */
    uint64_t claim = atomic_load_explicit(&t->claim, memory_order_acquire);
    while (left_of(claim)) {
        unsigned count = atomic_load_explicit(&t->count, memory_order_relaxed);
        uint64_t size = atomic_load_explicit(&t->chunk, memory_order_relaxed);
        uint64_t end = atomic_load_explicit(&t->end, memory_order_relaxed);
        uint64_t first = atomic_load_explicit(&t->first, memory_order_relaxed) +
                         (count - left_of(claim)) * size;
        *out = (struct chunk){
            .kernel = atomic_load_explicit(&t->kernel, memory_order_relaxed),
            .cancel = atomic_load_explicit(&t->cancel, memory_order_relaxed),
            .first = first,
            .end = first + size < end ? first + size : end,
        };
        /* Of the same generation still, then: a chunk that is not finished
         * keeps the description as it is. Pairs with publish, as above. */
        if (atomic_compare_exchange_weak_explicit(&t->claim, &claim, claim - 1,
                                                  memory_order_acquire,
                                                  memory_order_acquire))
            return true;
    }
    return false;
}

static bool is_given_up(struct team *t, const struct chunk *c)
{
    return atomic_load_explicit(&t->fault, memory_order_relaxed) ||
           (c->cancel && atomic_load_explicit(c->cancel, memory_order_relaxed));
}

static void run_chunk(struct team *t, struct sm *sm, const struct chunk *c)
{
    assert(c->first < c->end);
    enum exec_fault fault =
        is_given_up(t, c) ? EXEC_OK : sm_run(sm, c->kernel, c->first, c->end);
    if (fault)
        atomic_store_explicit(&t->fault, fault, memory_order_relaxed);
    /* Pairs with the load in wait_for_all: the blocks' writes are seen. */
    unsigned before =
        atomic_fetch_sub_explicit(&t->unfinished, 1, memory_order_release);
    assert(before > 0);
    (void)before;
}

/* ---- the leader ------------------------------------------------------- */

static void publish(struct team *t, const struct exec_kernel *k, uint64_t first,
                    uint64_t chunk, const atomic_int *cancel)
{
    uint64_t claim = atomic_load_explicit(&t->claim, memory_order_relaxed);
    uint64_t end = k->launch.block_count;
    unsigned count = (unsigned)((end - first + chunk - 1) / chunk);
    assert(left_of(claim) == 0);
    atomic_store_explicit(&t->kernel, k, memory_order_relaxed);
    atomic_store_explicit(&t->cancel, cancel, memory_order_relaxed);
    atomic_store_explicit(&t->first, first, memory_order_relaxed);
    atomic_store_explicit(&t->end, end, memory_order_relaxed);
    atomic_store_explicit(&t->chunk, chunk, memory_order_relaxed);
    atomic_store_explicit(&t->count, count, memory_order_relaxed);
    atomic_store_explicit(&t->fault, EXEC_OK, memory_order_relaxed);
    atomic_store_explicit(&t->unfinished, count, memory_order_relaxed);
    /* Pairs with the loads in take_chunk. */
    atomic_store_explicit(&t->claim, ((claim >> 32) + 1) << 32 | count,
                          memory_order_release);
}

bool team_take_lead(struct team *t)
{
    /* Pairs with the last leader's store. */
    return !atomic_load_explicit(&t->is_led, memory_order_relaxed) &&
           !atomic_exchange_explicit(&t->is_led, true, memory_order_acquire);
}

static void wait_for_all(struct team *t)
{
    unsigned spins = 0;
    /* Pairs with the end of each chunk. */
    while (atomic_load_explicit(&t->unfinished, memory_order_acquire)) {
        if (++spins < SPINS_TO_YIELD)
            cpu_relax();
        else
            sched_yield();
    }
}

enum exec_fault team_lead(struct team *t, struct sm *sm,
                          const struct exec_kernel *k, uint64_t first,
                          uint64_t chunk, const atomic_int *cancel,
                          uint64_t *cycles)
{
    uint64_t start = cycles_now(), mine = 0, all = k->launch.block_count;
    struct chunk c;
    assert(t->is_led && first < all && chunk > 0);
    publish(t, k, first, chunk, cancel);
    while (take_chunk(t, &c)) {
        run_chunk(t, sm, &c);
        mine += c.end - c.first;
    }
    *cycles = mine ? (cycles_now() - start) * all / mine : 0;
    wait_for_all(t);
    enum exec_fault fault =
        atomic_load_explicit(&t->fault, memory_order_relaxed);
    /* Pairs with the next leader's exchange. */
    atomic_store_explicit(&t->is_led, false, memory_order_release);
    return fault;
}

/* ---- helpers ---------------------------------------------------------- */

static bool has_chunks(struct team *t)
{
    return left_of(atomic_load_explicit(&t->claim, memory_order_relaxed)) != 0;
}

/* True: something came. */
static bool wait_for_chunks(struct team *t, bool (*is_over)(void *data),
                            void *data)
{
    uint64_t end_ns = clock_now_ns() + HELP_NS;
    do {
        for (unsigned i = 0; i < SPINS_PER_CLOCK; i++) {
            if (has_chunks(t))
                return true;
            cpu_relax();
        }
        if (is_over(data))
            return false;
    } while (clock_now_ns() < end_ns);
    return has_chunks(t);
}

void team_help(struct team *t, struct sm *sm, bool (*is_over)(void *data),
               void *data)
{
    struct chunk c;
    atomic_fetch_add_explicit(&t->helpers, 1, memory_order_relaxed);
    do {
        while (take_chunk(t, &c))
            run_chunk(t, sm, &c);
    } while (!is_over(data) && wait_for_chunks(t, is_over, data));
    atomic_fetch_sub_explicit(&t->helpers, 1, memory_order_relaxed);
}
