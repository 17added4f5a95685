/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sharing a kernel among threads that are there already: see team.h. A kernel
 * of 10,000 threads takes some microseconds; to find a worker in the
 * scheduler's way, and the way back to who goes on, would take as long.
 */
#include "exec/sched/team.h"

#include <sched.h>

#include "base/size.h"

#define BLOCK_BITS      20
#define LATE_CYCLES     WEFT_SIZE(4000, 0)
#define HELP_NS         WEFT_SIZE(30000, 0) /* a helper waits so long */
#define QUICK_SPINS     WEFT_SIZE(100, 1)  /* without a pause */
#define SPINS_TO_YIELD  WEFT_SIZE(4000, 1) /* a helper's core may be taken */

/* A published kernel as one thread has read it. */
struct job {
    uint64_t generation; /* even */
    uint32_t count, grain, most;
    bool is_open;
    uint64_t first;
    uint32_t mask;
    uint32_t kernel_count;
    const struct exec_kernel *const *kernels;
    const atomic_int *cancel;
};

/* Packs a generation and a number of blocks into a word. Generations last for
 * 100 days of kernels of 1 us. */
static uint64_t pack_progress(uint64_t generation, uint64_t blocks)
{
    assert(blocks <= TEAM_BLOCKS_MAX);
    return generation << BLOCK_BITS | blocks;
}

/* The number of blocks in a packed word, if it is of that generation; else
 * 0. */
static uint64_t blocks_of(uint64_t packed, uint64_t generation)
{
    bool is_of_it =
        packed >> BLOCK_BITS == generation << BLOCK_BITS >> BLOCK_BITS;
    return is_of_it ? packed & TEAM_BLOCKS_MAX : 0;
}

static bool is_newer(uint64_t packed, uint64_t generation)
{
    uint64_t own = packed & ~(uint64_t)TEAM_BLOCKS_MAX;
    return (int64_t)(own - pack_progress(generation, 0)) > 0;
}

static uint32_t bit_of(unsigned slot)
{
    assert(slot < TEAM_MAX);
    return UINT32_C(1) << slot;
}

/* Reads the published kernel. False: there is none, or it has changed. */
static bool read_job(struct team *t, struct job *j)
{
    /* Each load pairs with its store in publish: who sees what follows the word
     * sees that the word has changed. */
    j->generation = atomic_load_explicit(&t->word, memory_order_acquire);
    if (j->generation & 1)
        return false;
    j->count = atomic_load_explicit(&t->count, memory_order_acquire);
    j->grain = atomic_load_explicit(&t->grain, memory_order_acquire);
    j->most = atomic_load_explicit(&t->most, memory_order_acquire);
    j->first = atomic_load_explicit(&t->first, memory_order_acquire);
    /* These pair with publish, too. */
    j->mask = atomic_load_explicit(&t->mask, memory_order_acquire);
    j->is_open = atomic_load_explicit(&t->is_open, memory_order_acquire);
    j->kernel_count =
        atomic_load_explicit(&t->kernel_count, memory_order_acquire);
    j->kernels = atomic_load_explicit(&t->kernels, memory_order_acquire);
    j->cancel = atomic_load_explicit(&t->cancel, memory_order_acquire);
    return atomic_load_explicit(&t->word, memory_order_relaxed) ==
           j->generation;
}

/* ---- parts ------------------------------------------------------------ */

/* The block at which the part of a slot begins; for one rank more than there
 * are, the end. */
static uint64_t part_start(const struct job *j, unsigned rank)
{
    unsigned parts = (unsigned)__builtin_popcount(j->mask);
    return (uint64_t)j->count * rank / parts;
}

/* Each call of a kernel's code costs some hundred cycles, so of a short one
 * most is taken at once; and a rest of less than a grain is taken along. */
static uint64_t next_chunk(const struct job *j, uint64_t left)
{
    uint64_t take = j->is_open ? left / 2 : left - left / 4;
    take = take > j->most ? j->most : take < j->grain ? j->grain : take;
    return take + j->grain <= left ? take : left;
}

/*
 * The next chunk of a slot's part, counted from the job's first block. False:
 * all are taken. A job is not over while a block of it is untaken; so where
 * this takes some, the job is the current one and stays as described.
 */
static bool take_blocks(struct team *t, const struct job *j, unsigned slot,
                        uint64_t *first, uint64_t *end)
{
    _Atomic uint64_t *at = &t->slot[slot].taken;
    unsigned rank = (unsigned)__builtin_popcount(j->mask & (bit_of(slot) - 1));
    uint64_t start = part_start(j, rank);
    uint64_t size = part_start(j, rank + 1) - start;
    uint64_t was = atomic_load_explicit(at, memory_order_relaxed);
    uint64_t taken, take;
    assert(j->mask & bit_of(slot));
    do {
        taken = blocks_of(was, j->generation);
        if (taken >= size || is_newer(was, j->generation))
            return false;
        take = next_chunk(j, size - taken);
    } while (!atomic_compare_exchange_weak_explicit(
        at, &was, pack_progress(j->generation, taken + take),
        memory_order_relaxed, memory_order_relaxed));
    *first = start + taken;
    *end = *first + take;
    return true;
}

static bool is_given_up(struct team *t, const struct job *j)
{
    return atomic_load_explicit(&t->fault, memory_order_relaxed) ||
           (j->cancel && atomic_load_explicit(j->cancel, memory_order_relaxed));
}

static void run_blocks(struct team *t, struct sm *sm, const struct job *j,
                       uint64_t first, uint64_t end)
{
    assert(first < end && end <= j->count && j->kernel_count > 0);
    for (uint32_t i = 0; i < j->kernel_count && !is_given_up(t, j); i++) {
        enum exec_fault fault =
            sm_run(sm, j->kernels[i], j->first + first, j->first + end);
        if (!fault)
            continue;
        atomic_store_explicit(&t->fault_kernel, i, memory_order_relaxed);
        atomic_store_explicit(&t->fault, fault, memory_order_relaxed);
    }
}

/* Runs blocks of a slot's part until none is left. Returns how many. */
static uint64_t run_part(struct team *t, struct sm *sm, const struct job *j,
                         unsigned slot)
{
    uint64_t first, end, done = 0;
    while (take_blocks(t, j, slot, &first, &end)) {
        run_blocks(t, sm, j, first, end);
        done += end - first;
    }
    return done;
}

/* Runs what is left of other slots' parts, from the next slot on. */
static uint64_t run_others(struct team *t, struct sm *sm, const struct job *j,
                           unsigned slot)
{
    uint32_t behind = j->mask & ~(bit_of(slot) - 1);
    uint64_t done = 0;
    for (uint32_t left = behind; left; left &= left - 1)
        done += run_part(t, sm, j, (unsigned)__builtin_ctz(left));
    for (uint32_t left = j->mask & ~behind; left; left &= left - 1)
        done += run_part(t, sm, j, (unsigned)__builtin_ctz(left));
    return done;
}

/* ---- the leader ------------------------------------------------------- */

/* The leader's slot and the first of the slots in use, with at least one block
 * each. */
static uint32_t choose_members(struct team *t, unsigned members,
                               uint64_t blocks)
{
    uint32_t left = atomic_load_explicit(&t->present, memory_order_relaxed);
    uint32_t mask = 1;
    if (members > blocks)
        members = (unsigned)blocks;
    for (; left && members > 1; left &= left - 1, members--)
        mask |= left & -left;
    return mask;
}

/* Slots without a part in the last job may have counters so old that they look
 * newer. Nobody takes from them now, as all jobs are over. */
static void renew_slots(struct team *t, uint32_t mask, uint64_t generation)
{
    for (uint32_t left = mask & ~t->last_mask; left; left &= left - 1)
        atomic_store_explicit(&t->slot[__builtin_ctz(left)].taken,
                              pack_progress(generation, 0),
                              memory_order_relaxed);
    t->last_mask = mask;
}

/* Publishes a kernel. Returns how many blocks the leader has taken already:
 * later that would be an atomic operation on a line that other cores hold. */
static uint64_t publish_kernel(struct team *t, struct job *j)
{
    uint64_t word = atomic_load_explicit(&t->word, memory_order_relaxed);
    assert(!(word & 1) && j->count > 0);
    j->generation = word + 2;
    renew_slots(t, j->mask, j->generation);
    uint64_t mine = next_chunk(j, part_start(j, 1));
    atomic_store_explicit(&t->slot[0].taken, pack_progress(j->generation, mine),
                          memory_order_relaxed);
    /* Each pairs with its load in read_job. */
    atomic_store_explicit(&t->word, word + 1, memory_order_relaxed);
    atomic_store_explicit(&t->count, j->count, memory_order_release);
    atomic_store_explicit(&t->grain, j->grain, memory_order_release);
    atomic_store_explicit(&t->most, j->most, memory_order_release);
    atomic_store_explicit(&t->first, j->first, memory_order_release);
    /* These pair with read_job, too. */
    atomic_store_explicit(&t->mask, j->mask, memory_order_release);
    atomic_store_explicit(&t->is_open, j->is_open, memory_order_release);
    atomic_store_explicit(&t->kernel_count, j->kernel_count,
                          memory_order_release);
    atomic_store_explicit(&t->kernels, j->kernels, memory_order_release);
    atomic_store_explicit(&t->cancel, j->cancel, memory_order_release);
    atomic_store_explicit(&t->word, word + 2, memory_order_release);
    return mine;
}

bool team_take_lead(struct team *t)
{
    /* Pairs with the last leader's store. */
    if (!atomic_load_explicit(&t->is_led, memory_order_relaxed) &&
        !atomic_exchange_explicit(&t->is_led, true, memory_order_acquire))
        return true;
    atomic_store_explicit(&t->is_lead_wanted, true, memory_order_relaxed);
    return false;
}

void team_give_lead_up(struct team *t)
{
    if (team_is_lead_wanted(t))
        atomic_store_explicit(&t->is_lead_wanted, false, memory_order_relaxed);
    /* Pairs with the next leader's exchange. */
    atomic_store_explicit(&t->is_led, false, memory_order_release);
}

static uint64_t done_by_others(struct team *t, uint64_t generation)
{
    /* Pairs with join_team: who has run blocks is known. */
    uint32_t left = atomic_load_explicit(&t->known, memory_order_acquire);
    uint64_t done = 0;
    for (; left; left &= left - 1) {
        const struct team_slot *s = &t->slot[__builtin_ctz(left)];
        /* Pairs with note_done: the blocks' writes are seen. */
        done += blocks_of(atomic_load_explicit(&s->done, memory_order_acquire),
                          generation);
    }
    return done;
}

/* Blocks of a short kernel are left to their owners, unless these are late: a
 * look at what is left of a part costs its owner more than it gains. */
static void wait_for_others(struct team *t, struct sm *sm, const struct job *j,
                            uint64_t mine, uint64_t start)
{
    uint64_t now = cycles_now(), late = now + (now - start) / 4 + LATE_CYCLES;
    bool has_looked = mine == j->count;
    for (unsigned spins = 0;
         mine < j->count && mine + done_by_others(t, j->generation) < j->count;
         spins++) {
        if (!has_looked && (j->is_open || cycles_now() > late)) {
            mine += run_others(t, sm, j, 0);
            has_looked = true;
        } else if (spins >= SPINS_TO_YIELD) {
            sched_yield();
        } else if (spins >= QUICK_SPINS) {
            cpu_relax();
        }
    }
}

/* Members that are still on their way have no parts: leaves blocks for
 * them. */
static void leave_some_for_late_ones(struct job *j, unsigned members)
{
    uint32_t most = j->count / (4 * members);
    j->is_open = true;
    if (j->most > most)
        j->most = most > j->grain ? most : j->grain;
}

struct team_fault team_lead(struct team *t, struct sm *sm,
                            const struct team_work *work, uint64_t *cycles)
{
    uint64_t start = cycles_now(), all = work->kernels[0]->launch.block_count;
    struct job j = {
        .count = (uint32_t)(all - work->first),
        .grain = work->grain,
        .most = work->most,
        .first = work->first,
        .mask = choose_members(t, work->members, all - work->first),
        .is_open = work->is_open,
        .kernel_count = work->kernel_count,
        .kernels = work->kernels,
        .cancel = work->cancel,
    };
    assert(t->is_led && work->first < all && all <= TEAM_BLOCKS_MAX);
    if ((unsigned)__builtin_popcount(j.mask) < work->members)
        leave_some_for_late_ones(&j, work->members);
    if (atomic_load_explicit(&t->fault, memory_order_relaxed))
        atomic_store_explicit(&t->fault, EXEC_OK, memory_order_relaxed);
    uint64_t mine = publish_kernel(t, &j);
    run_blocks(t, sm, &j, 0, mine);
    mine += run_part(t, sm, &j, 0);
    *cycles = mine ? (cycles_now() - start) * all / mine : 0;
    wait_for_others(t, sm, &j, mine, start);
    return (struct team_fault){
        atomic_load_explicit(&t->fault, memory_order_relaxed),
        atomic_load_explicit(&t->fault_kernel, memory_order_relaxed)};
}

/* ---- helpers ---------------------------------------------------------- */

/* Takes a slot; TEAM_MAX: all are in use. */
static unsigned join_team(struct team *t)
{
    uint32_t present = atomic_load_explicit(&t->present, memory_order_relaxed);
    unsigned slot;
    do {
        if ((present | 1) == UINT32_MAX)
            return TEAM_MAX;
        slot = (unsigned)__builtin_ctz(~(present | 1));
        /* Pairs with leave_team: what the slot's last owner did is seen. */
    } while (!atomic_compare_exchange_weak_explicit(
        &t->present, &present, present | bit_of(slot), memory_order_acquire,
        memory_order_relaxed));
    /* Pairs with the load in done_by_others. */
    atomic_fetch_or_explicit(&t->known, bit_of(slot), memory_order_release);
    return slot;
}

static void leave_team(struct team *t, unsigned slot)
{
    /* Pairs with the next join_team. */
    atomic_fetch_and_explicit(&t->present, ~bit_of(slot), memory_order_release);
}

/* Notes finished blocks. The slot's last owner may have finished some of the
 * same job. */
static void note_done(struct team *t, unsigned slot, uint64_t generation,
                      uint64_t blocks)
{
    _Atomic uint64_t *at = &t->slot[slot].done;
    if (blocks == 0)
        return;
    blocks +=
        blocks_of(atomic_load_explicit(at, memory_order_relaxed), generation);
    /* Pairs with the load in done_by_others: the blocks' writes are seen. */
    atomic_store_explicit(at, pack_progress(generation, blocks),
                          memory_order_release);
}

/* Has a kernel been published since `seen`? */
static bool is_next_there(struct team *t, uint64_t seen)
{
    uint64_t word = atomic_load_explicit(&t->word, memory_order_relaxed);
    return word != seen && !(word & 1);
}

/* Waits for the next kernel. True: there is one. */
static bool wait_for_next(struct team *t, uint64_t seen,
                          bool (*is_over)(void *data), void *data)
{
    uint64_t end_ns = clock_now_ns() + HELP_NS;
    do {
        for (unsigned i = 0; i < SPINS_PER_CLOCK; i++) {
            if (is_next_there(t, seen))
                return true;
            cpu_relax();
        }
        if (is_over(data))
            return false;
    } while (clock_now_ns() < end_ns);
    return is_next_there(t, seen);
}

static uint64_t help_with(struct team *t, struct sm *sm, const struct job *j,
                          unsigned slot)
{
    uint64_t done = 0;
    if (j->mask & bit_of(slot))
        done = run_part(t, sm, j, slot);
    return j->is_open ? done + run_others(t, sm, j, slot) : done;
}

void team_help(struct team *t, struct sm *sm, bool (*is_over)(void *data),
               void *data)
{
    unsigned slot = join_team(t);
    struct job j = {.generation = 1}; /* none */
    if (slot == TEAM_MAX)
        return;
    do {
        if (read_job(t, &j))
            note_done(t, slot, j.generation, help_with(t, sm, &j, slot));
    } while (!is_over(data) && wait_for_next(t, j.generation, is_over, data));
    leave_team(t, slot);
}
