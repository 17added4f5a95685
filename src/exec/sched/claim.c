/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dividing a grid among SMs. The blocks are cut into one contiguous range per
 * SM, and each SM takes chunks from the front of its range: large ones first,
 * so that a big grid costs a few claims only, small ones at the end, so that
 * all finish together. An SM begins with the range of its own number, so that
 * in the next launch it finds the same memory in its core's caches; but who
 * comes first begins with range 0, and the SM whose range that is with the
 * first one's. An SM whose range is used up takes the lowest one that nobody
 * has begun, then from the front of others'. So the lowest unfinished block is
 * always in work: a block may wait for lower ones.
 * Where blocks are known to wait for others, all SMs take one after the other
 * from a single range. Of a grid of clusters, it is those that are counted
 * and handed out: a block is a cluster here.
 */
#include "exec/internal.h"

#define CHUNK_DIVISOR 8
/* The first chunk of a range is small: after it, others are woken. */
#define FIRST_DIVISOR 64

void claim_init(struct exec_task *t, unsigned sm_count, uint64_t first)
{
    const struct exec_launch *l = &t->kernel.launch;
    assert(sm_count > 0 && l->cluster_blocks > 0);
    assert(first <= l->block_count / l->cluster_blocks);
    uint64_t blocks = l->block_count / l->cluster_blocks - first;
    /* The interpreter's blocks take turns on one SM, in an order that does not
     * depend on time. */
    t->is_shared = sm_count > 1 && blocks > 1 && !t->kernel.is_whole_block;
    t->is_ordered = t->kernel.has_waits;
    unsigned range_count = t->is_ordered ? 1 : sm_count;
    if (range_count > blocks)
        range_count = blocks ? (unsigned)blocks : 1;
    uint64_t each = blocks / range_count, rest = blocks % range_count;
    uint64_t next = first;
    t->range_count = range_count;
    for (unsigned i = 0; i < range_count; i++) {
        atomic_init(&t->range[i].next, next);
        next += each + (i < rest);
        t->range[i].end = next;
    }
    assert(next == first + blocks);
    atomic_init(&t->first_sm, NO_SM);
    for (unsigned i = 0; i * WORD_BITS < range_count; i++)
        atomic_init(&t->begun[i], 0);
    atomic_init(&t->unclaimed, blocks ? range_count : 0);
    atomic_init(&t->unfinished, blocks);
}

/* A range has no blocks left. True: no range has any. */
static bool close_range(struct exec_task *t)
{
    return atomic_fetch_sub_explicit(&t->unclaimed, 1, memory_order_relaxed) ==
           1;
}

static bool take_chunk(struct range *r, uint64_t divisor, uint64_t *first,
                       uint64_t *end)
{
    uint64_t next = atomic_load_explicit(&r->next, memory_order_relaxed);
    uint64_t chunk;
    do {
        if (next >= r->end)
            return false;
        chunk = (r->end - next) / divisor;
        if (chunk == 0)
            chunk = 1;
    } while (!atomic_compare_exchange_weak_explicit(
        &r->next, &next, next + chunk, memory_order_relaxed,
        memory_order_relaxed));
    assert(next + chunk <= r->end);
    *first = next;
    *end = next + chunk;
    return true;
}

/* Takes one block of the only range by one atomic addition: one cache line,
 * not two, moves between cores for a block. */
static bool take_one(struct range *r, uint64_t *first, uint64_t *end)
{
    uint64_t next =
        atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
    if (next >= r->end)
        return false;
    *first = next;
    *end = next + 1;
    return true;
}

/* Takes a chunk of another SM's range, from the next neighbour on, so that SMs
 * that look for blocks spread out. Returns the range's number; range_count:
 * all are empty. */
static unsigned steal_chunk(struct exec_task *t, unsigned thief,
                            uint64_t *first, uint64_t *end)
{
    for (unsigned i = 1; i <= t->range_count; i++) {
        /* One line instead of those of all ranges, at the end of a kernel: a
         * thief that still looks has not yet counted what it has done. */
        if (!atomic_load_explicit(&t->unclaimed, memory_order_relaxed))
            break;
        unsigned k = (thief + i) % t->range_count;
        if (take_chunk(&t->range[k], CHUNK_DIVISOR, first, end))
            return k;
    }
    return t->range_count;
}

/* ---- which range ------------------------------------------------------- */

/* False: another SM has begun it. */
static bool begin_range(struct exec_task *t, unsigned range)
{
    assert(range < t->range_count);
    uint64_t bit = UINT64_C(1) << range % WORD_BITS;
    if (atomic_fetch_or_explicit(&t->begun[range / WORD_BITS], bit,
                                 memory_order_relaxed) &
        bit)
        return false;
    return true;
}

bool claim_is_range_left(const struct exec_task *t)
{
    for (unsigned k = 0; k * WORD_BITS < t->range_count; k++) {
        unsigned count = t->range_count - k * WORD_BITS;
        uint64_t all =
            count < WORD_BITS ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
        if (all & ~atomic_load_explicit(&t->begun[k], memory_order_relaxed))
            return true;
    }
    return false;
}

/* Begins the lowest range that nobody has begun; range_count: there is none. */
static unsigned begin_lowest(struct exec_task *t)
{
    for (unsigned k = 0; k * WORD_BITS < t->range_count; k++) {
        for (;;) {
            uint64_t begun =
                atomic_load_explicit(&t->begun[k], memory_order_relaxed);
            if (begun == UINT64_MAX)
                break;
            unsigned range = k * WORD_BITS + (unsigned)__builtin_ctzll(~begun);
            if (range >= t->range_count)
                break;
            if (begin_range(t, range))
                return range;
        }
    }
    return t->range_count;
}

/* The range that an SM begins with, range_count or more: it has none. */
static unsigned home_range(struct exec_task *t, uint32_t sm_id)
{
    unsigned mine = sm_id - t->sms.first;
    /* Whoever goes on with what one SM has left does so in order. */
    if (!t->is_shared)
        return t->range_count;
    /* To try to write would take the line from all others. */
    unsigned first = atomic_load_explicit(&t->first_sm, memory_order_relaxed);
    if (first == NO_SM && atomic_compare_exchange_strong_explicit(
                              &t->first_sm, &first, mine, memory_order_relaxed,
                              memory_order_relaxed))
        return 0;
    return mine == 0 ? first : mine;
}

static unsigned next_range(struct exec_task *t, uint32_t sm_id, unsigned range)
{
    if (range == UINT_MAX) {
        unsigned home = home_range(t, sm_id);
        if (home < t->range_count && begin_range(t, home))
            return home;
    }
    return begin_lowest(t);
}

/* Claims the next chunk for an SM. Returns the number of the range that it
 * came from; range_count: nothing is left. */
static unsigned claim_chunk(struct exec_task *t, uint32_t sm_id,
                            unsigned *range, uint64_t *first, uint64_t *end)
{
    if (t->is_ordered)
        return take_one(&t->range[0], first, end) ? 0 : t->range_count;
    if (*range < t->range_count &&
        take_chunk(&t->range[*range], CHUNK_DIVISOR, first, end))
        return *range;
    if (!atomic_load_explicit(&t->unclaimed, memory_order_relaxed))
        return t->range_count;
    while ((*range = next_range(t, sm_id, *range)) < t->range_count) {
        if (take_chunk(&t->range[*range], FIRST_DIVISOR, first, end))
            return *range;
    }
    return steal_chunk(t, sm_id, first, end);
}

bool claim_blocks(struct exec_task *t, uint32_t sm_id, unsigned *range,
                  uint64_t *first, uint64_t *end, bool *is_last)
{
    if (atomic_load_explicit(&t->is_cancelled, memory_order_relaxed))
        return false;
    unsigned k = claim_chunk(t, sm_id, range, first, end);
    if (k == t->range_count)
        return false;
    assert(*first < *end && *end <= t->range[k].end);
    *is_last = *end == t->range[k].end && close_range(t);
    return true;
}

uint64_t claim_rest(struct exec_task *t, bool *is_last)
{
    uint64_t blocks = 0;
    for (unsigned i = 0; i < t->range_count; i++) {
        struct range *r = &t->range[i];
        uint64_t next =
            atomic_exchange_explicit(&r->next, r->end, memory_order_relaxed);
        if (next >= r->end)
            continue;
        blocks += r->end - next;
        *is_last |= close_range(t);
    }
    return blocks;
}
