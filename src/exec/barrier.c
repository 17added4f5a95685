/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The warps of one block as a ring of fibers, and the barriers between them.
 * All on one thread, so plain integers do: a set of warps is a bit mask.
 *
 * PTX ISA, "bar, barrier": a barrier counts warps, not lanes; without a
 * thread count all warps of the block that have not exited take part.
 */
#include "exec/internal.h"

#include <stdio.h>

static uint32_t bit(uint32_t i)
{
    return UINT32_C(1) << i;
}

static uint32_t popcount(uint32_t x)
{
    return (uint32_t)__builtin_popcount(x);
}

/* The next ready warp after `current`, so that warps take turns. */
static uint32_t next_in_turn(uint32_t ready, uint32_t current)
{
    uint32_t later = ready & ~(bit(current) | (bit(current) - 1));
    return (uint32_t)__builtin_ctz(later ? later : ready);
}

static void switch_to(struct sm *sm, uint32_t warp)
{
    struct ring *r = &sm->ring;
    uint32_t from = r->current;
    if (from == warp)
        return;
    r->current = warp;
    fiber_switch(&sm->warps[from], &sm->warps[warp]);
}

static _Noreturn void report_deadlock(struct sm *sm)
{
    const struct ring *r = &sm->ring;
    char text[160];
    uint32_t id = r->active ? (uint32_t)__builtin_ctz(r->active) : 0;
    const struct barrier *b = &r->barrier[id];
    int n = snprintf(text, sizeof text,
                     "weft: block %llu waits for ever at barrier %u: %u of %u "
                     "warps arrived, no warp can run\n",
                     (unsigned long long)r->warp[r->current].block_current, id,
                     b->arrived, b->needed);
    fwrite(text, 1, (size_t)n, stderr);
    fault_raise(sm, EXEC_FAULT_TRAP);
}

/* The running warp cannot go on. */
static void run_another(struct sm *sm)
{
    struct ring *r = &sm->ring;
    if (!r->ready)
        report_deadlock(sm);
    switch_to(sm, next_in_turn(r->ready, r->current));
}

/* ---- barriers -------------------------------------------------------------- */

static bool is_complete(const struct ring *r, const struct barrier *b)
{
    uint32_t exited = (r->ended | r->finished) & ~b->arrived_mask;
    if (!exited || !b->is_whole)
        return b->arrived >= b->needed;
    return b->arrived + popcount(exited) >= b->needed;
}

static void release(struct ring *r, uint32_t id)
{
    struct barrier *b = &r->barrier[id];
    if (b->has_votes) {
        for (uint32_t set = b->arrived_mask; set; set &= set - 1) {
            uint32_t warp = (uint32_t)__builtin_ctz(set);
            r->result_votes[warp] = b->votes;
            r->result_lanes[warp] = b->lanes;
        }
    }
    r->ready |= b->parked;
    r->active &= ~bit(id);
    *b = (struct barrier){ 0 };
}

/* Counts the running warp in. True: the barrier was completed by it. */
static bool arrive(struct sm *sm, uint32_t id, uint32_t thread_count)
{
    struct ring *r = &sm->ring;
    struct barrier *b = &r->barrier[id];
    uint32_t needed = thread_count ? (thread_count + 31) / 32 : r->count;
    b->needed = needed;
    b->is_whole = needed == r->count;
    b->arrived++;
    b->arrived_mask |= bit(r->current);
    r->active |= bit(id);
    if (!is_complete(r, b))
        return false;
    release(r, id);
    return true;
}

static void park(struct sm *sm, uint32_t id)
{
    struct ring *r = &sm->ring;
    r->barrier[id].parked |= bit(r->current);
    r->ready &= ~bit(r->current);
    run_another(sm);
}

/* A kernel whose block is one warp runs without a ring: a barrier is either
 * complete at once or never. */
static void check_alone(struct sm *sm, uint32_t id, uint32_t thread_count)
{
    if (thread_count <= WEFT_WARP_LANES)
        return;
    sm->ring.active = bit(id);
    sm->ring.barrier[id] = (struct barrier){
        .arrived = 1,
        .needed = (thread_count + 31) / 32,
    };
    report_deadlock(sm);
}

void barrier_sync(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    id %= BARRIERS_PER_BLOCK;
    if (!sm->ring.is_running) {
        check_alone(sm, id, thread_count);
        return;
    }
    if (!arrive(sm, id, thread_count))
        park(sm, id);
}

void barrier_arrive(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    if (sm->ring.is_running)
        arrive(sm, id % BARRIERS_PER_BLOCK, thread_count);
}

uint32_t barrier_red(struct exec_warp *w, uint32_t id, uint32_t thread_count,
                     uint32_t votes, uint32_t lanes, uint32_t *total)
{
    struct sm *sm = w->owner;
    struct ring *r = &sm->ring;
    id %= BARRIERS_PER_BLOCK;
    if (!r->is_running) {
        check_alone(sm, id, thread_count);
        *total = popcount(lanes);
        return popcount(votes & lanes);
    }
    uint32_t warp = r->current;
    struct barrier *b = &r->barrier[id];
    b->has_votes = true;
    b->votes += popcount(votes & lanes);
    b->lanes += popcount(lanes);
    if (!arrive(sm, id, thread_count))
        park(sm, id);
    *total = r->result_lanes[warp];
    return r->result_votes[warp];
}

/* ---- blocks ------------------------------------------------------------------ */

/* A warp that exits may be the one that others waited for. */
static void release_completed(struct ring *r)
{
    for (uint32_t set = r->active; set; set &= set - 1) {
        uint32_t id = (uint32_t)__builtin_ctz(set);
        if (is_complete(r, &r->barrier[id]))
            release(r, id);
    }
}

/* Arrivals nobody waited for do not reach into the next block. */
static void forget_arrivals(struct ring *r)
{
    for (; r->active; r->active &= r->active - 1)
        r->barrier[__builtin_ctz(r->active)] = (struct barrier){ 0 };
}

void barrier_block_end(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    struct ring *r = &sm->ring;
    if (!r->is_running)
        return;
    r->ended |= bit(r->current);
    if ((r->ended | r->finished) != r->all) {
        r->ready &= ~bit(r->current);
        if (r->active)
            release_completed(r);
        run_another(sm);
        return;
    }
    forget_arrivals(r);
    r->ready = r->ended;
    r->ended = 0;
    /* The next block starts with its first warp: memory in address order. */
    switch_to(sm, (uint32_t)__builtin_ctz(r->ready));
}

void ring_yield(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    if (sm->ring.is_running)
        switch_to(sm, next_in_turn(sm->ring.ready, sm->ring.current));
    else
        cpu_relax();
}

/* What a warp's fiber runs. */
static void warp_main(void *data)
{
    struct exec_warp *w = data;
    struct sm *sm = w->owner;
    struct ring *r = &sm->ring;

    sm->fn(w);

    uint32_t self = r->current;
    r->finished |= bit(self);
    r->ready &= ~bit(self);
    if (r->finished == r->all)
        fiber_switch(&sm->warps[self], &sm->home);
    if (r->active)
        release_completed(r);
    if (!r->ready && (r->ended | r->finished) == r->all) {
        r->ready = r->ended;
        r->ended = 0;
    }
    run_another(sm);
    __builtin_unreachable();
}

void ring_run(struct sm *sm, const struct exec_kernel *k, uint64_t first,
              uint64_t end)
{
    struct ring *r = &sm->ring;
    uint32_t count = k->launch.warps_per_block;
    assert(count >= 1 && count <= WARPS_PER_BLOCK);

    forget_arrivals(r);
    r->count = count;
    r->all = r->ready = count == 32 ? UINT32_MAX : bit(count) - 1;
    r->ended = r->finished = 0;
    for (uint32_t i = 0; i < count; i++) {
        r->warp[i] = (struct exec_warp){
            .launch = &k->launch,
            .shared = sm->shared,
            .stack_base = sm->warps[i].stack.low,
            .block_first = first,
            .block_end = end,
            .warp_first = i,
            .warp_end = i + 1,
            .sm_id = sm->id,
            .owner = sm,
            .block_current = first,
            .warp_current = i,
        };
        fiber_prepare(&sm->warps[i], warp_main, &r->warp[i], i);
    }
    r->current = 0;
    r->is_running = true;
    fiber_switch(&sm->home, &sm->warps[0]);
    r->is_running = false;
}
