/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The warps of one block as a ring of fibers, and the barriers between them.
 * All on one thread, so plain integers do: a set of warps is a bit mask.
 *
 * PTX ISA, "bar, barrier": a barrier counts threads in full warps of 32;
 * without a thread count all of the block that have not exited take part.
 * What is called a warp here is one call of the kernel with lane_count lanes.
 */
#include "exec/internal.h"

#include <stdio.h>

static uint32_t bit(uint32_t i)
{
    return UINT32_C(1) << i;
}

/* The next ready warp after `current`, so that warps take turns. */
static uint32_t next_in_turn(uint32_t ready, uint32_t current)
{
    uint32_t later = ready & ~(bit(current) | (bit(current) - 1));
    return (uint32_t)__builtin_ctz(later ? later : ready);
}

static struct warp_slot *slot_of(struct exec_warp *w)
{
    return container_of(w, struct warp_slot, warp);
}

static void switch_to(struct sm *sm, struct exec_warp *self, uint32_t warp)
{
    struct warp_slot *to = &sm->slots[warp];
    if (&to->warp == self)
        return;
    sm->ring.current = warp;
    fiber_switch(&slot_of(self)->fiber, &to->fiber);
}

__attribute__((cold)) static _Noreturn void report_deadlock(struct sm *sm)
{
    const struct ring *r = &sm->ring;
    uint32_t id = r->active ? (uint32_t)__builtin_ctz(r->active) : 0;
    const struct barrier *b = &r->barrier[id];
    fprintf(stderr,
            "weft: block %llu waits for ever at barrier %u: %u of %u threads "
            "arrived, no warp can run\n",
            (unsigned long long)sm_current_warp(sm)->block_current, id,
            b->arrived, b->needed);
    fault_raise(sm, EXEC_FAULT_TRAP);
}

static void run_any(struct sm *sm, struct exec_warp *self)
{
    struct ring *r = &sm->ring;
    if (!r->ready)
        report_deadlock(sm);
    switch_to(sm, self, next_in_turn(r->ready, self->warp_first));
}

/* The running warp cannot go on. Its neighbour is tried first: where that
 * one lies follows from `self` alone, so the processor starts loading its
 * registers while it still checks. */
static inline void run_another(struct sm *sm, struct exec_warp *self)
{
    uint32_t next = self->warp_first + 1;
    if (next == WARPS_PER_BLOCK || !(sm->ring.ready >> next & 1)) {
        run_any(sm, self);
        return;
    }
    struct warp_slot *slot = slot_of(self);
    sm->ring.current = next;
    fiber_switch(&slot[0].fiber, &slot[1].fiber);
}

/* ---- barriers --------------------------------------------------------- */

static uint32_t in_full_warps(uint32_t threads)
{
    return (threads + 31) / 32 * 32;
}

/* With how many threads a warp arrives: the last one with those as well that
 * fill the block up to full warps of 32. */
static uint32_t weight(const struct ring *r, uint32_t warp)
{
    return warp + 1 < r->count ? r->lane_count
                               : r->thread_count - warp * r->lane_count;
}

static bool is_complete(const struct ring *r, const struct barrier *b)
{
    uint32_t exited = (r->ended | r->finished) & ~b->arrived_mask;
    uint32_t arrived = b->arrived;
    if (b->is_whole)
        for (; exited; exited &= exited - 1)
            arrived += weight(r, (uint32_t)__builtin_ctz(exited));
    return arrived >= b->needed;
}

static void release(struct ring *r, uint32_t id)
{
    struct barrier *b = &r->barrier[id];
    if (b->has_votes) {
        for (uint32_t set = b->arrived_mask; set; set &= set - 1) {
            uint32_t warp = (uint32_t)__builtin_ctz(set);
            r->result_votes[warp] = b->votes;
            r->result_voters[warp] = b->voters;
        }
    }
    r->ready |= b->parked;
    r->active &= ~bit(id);
    *b = (struct barrier){0};
}

/* Counts the running warp in. True: the barrier was completed by it. */
static inline bool arrive(struct sm *sm, uint32_t self, uint32_t id,
                          uint32_t thread_count)
{
    struct ring *r = &sm->ring;
    struct barrier *b = &r->barrier[id];
    uint32_t needed =
        thread_count ? in_full_warps(thread_count) : r->thread_count;
    b->needed = needed;
    b->is_whole = needed == r->thread_count;
    b->arrived += weight(r, self);
    b->arrived_mask |= bit(self);
    r->active |= bit(id);
    if (!is_complete(r, b))
        return false;
    release(r, id);
    return true;
}

static inline void park(struct sm *sm, struct exec_warp *self, uint32_t id)
{
    struct ring *r = &sm->ring;
    r->barrier[id].parked |= bit(self->warp_first);
    r->ready &= ~bit(self->warp_first);
    run_another(sm, self);
}

/* A kernel whose block is one warp runs without a ring: a barrier is either
 * complete at once or never. */
static void check_alone(struct sm *sm, uint32_t id, uint32_t thread_count)
{
    const uint32_t *block = sm->solo_warp->launch->block;
    uint32_t threads = in_full_warps(block[0] * block[1] * block[2]);
    if (thread_count <= threads)
        return;
    sm->ring.active = bit(id);
    sm->ring.barrier[id] = (struct barrier){
        .arrived = threads,
        .needed = in_full_warps(thread_count),
    };
    report_deadlock(sm);
}

/* ---- in step
 * ----------------------------------------------------------------- */

static void start_step(struct ring *r)
{
    r->is_in_step = true;
    r->step_arrived = 0;
}

/* Writes down who waits, for everything that needs to know. */
static void leave_step(struct sm *sm)
{
    struct ring *r = &sm->ring;
    uint32_t parked = 0, arrived = 0;
    if (!r->is_in_step)
        return;
    r->is_in_step = false;
    if (r->step_arrived == 0)
        return;
    for (uint32_t i = 0; i < r->count; i++)
        if (sm->slots[i].phase != r->phase) {
            sm->slots[i].phase = r->phase;
            parked |= bit(i);
            arrived += weight(r, i);
        }
    r->barrier[0] = (struct barrier){
        .parked = parked,
        .arrived_mask = parked,
        .arrived = arrived,
        .needed = r->thread_count,
        .is_whole = true,
    };
    r->active |= bit(0);
    r->ready &= ~parked;
}

/* The next warp of the circle that does not wait; `self` if there is none
 * but itself. */
ALWAYS_INLINE void next_in_step(struct sm *sm, struct warp_slot *self)
{
    struct ring *r = &sm->ring;
    struct warp_slot *next = self;
    do {
        next = next->warp.warp_end == r->count ? sm->slots : next + 1;
        if (next == self)
            return;
    } while (next->phase != r->phase);
    r->current = next->warp.warp_first;
    fiber_switch(&self->fiber, &next->fiber);
}

/* The whole block meets. */
ALWAYS_INLINE void arrive_in_step(struct sm *sm, struct exec_warp *w)
{
    struct ring *r = &sm->ring;
    struct warp_slot *self = slot_of(w);
    self->phase++;
    if (++r->step_arrived == r->count) {
        r->step_arrived = 0;
        r->phase++;
        return;
    }
    next_in_step(sm, self);
}

__attribute__((noinline)) static void
barrier_sync_any(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    id %= BARRIERS_PER_BLOCK;
    leave_step(sm);
    if (!sm->ring.is_running) {
        check_alone(sm, id, thread_count);
        return;
    }
    if (!arrive(sm, w->warp_first, id, thread_count))
        park(sm, w, id);
}

void barrier_sync(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    if ((id | thread_count) == 0 && sm->ring.is_in_step) {
        arrive_in_step(sm, w);
        return;
    }
    barrier_sync_any(w, id, thread_count);
}

void barrier_arrive(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    leave_step(sm);
    if (sm->ring.is_running)
        arrive(sm, w->warp_first, id % BARRIERS_PER_BLOCK, thread_count);
}

uint32_t barrier_red(struct exec_warp *w, uint32_t id, uint32_t thread_count,
                     uint32_t votes, uint32_t voters, uint32_t *total)
{
    struct sm *sm = w->owner;
    struct ring *r = &sm->ring;
    id %= BARRIERS_PER_BLOCK;
    if (!r->is_running) {
        check_alone(sm, id, thread_count);
        *total = voters;
        return votes;
    }
    leave_step(sm);
    uint32_t warp = w->warp_first;
    struct barrier *b = &r->barrier[id];
    b->has_votes = true;
    b->votes += votes;
    b->voters += voters;
    if (!arrive(sm, w->warp_first, id, thread_count))
        park(sm, w, id);
    *total = r->result_voters[warp];
    return r->result_votes[warp];
}

/* ---- blocks ----------------------------------------------------------- */

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
        r->barrier[__builtin_ctz(r->active)] = (struct barrier){0};
}

void barrier_block_end(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    struct ring *r = &sm->ring;
    if (!r->is_running)
        return;
    leave_step(sm);
    r->ended |= bit(w->warp_first);
    if ((r->ended | r->finished) != r->all) {
        r->ready &= ~bit(w->warp_first);
        if (r->active)
            release_completed(r);
        run_another(sm, w);
        return;
    }
    forget_arrivals(r);
    r->ready = r->ended;
    r->ended = 0;
    if (!r->finished)
        start_step(r);
    /* The next block starts with its first warp: memory in address order. */
    switch_to(sm, w, (uint32_t)__builtin_ctz(r->ready));
}

void ring_yield(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    if (sm->ring.is_in_step) {
        next_in_step(sm, slot_of(w));
    } else if (sm->ring.is_running) {
        switch_to(sm, w, next_in_turn(sm->ring.ready, w->warp_first));
    } else
        exec_poke(); /* what it waits for may be in a block not yet taken */
}

/* What compiled code calls: see switch.h. */
EXEC_RETURN_BY_JUMP(helper_barrier_sync, barrier_sync);
EXEC_RETURN_BY_JUMP(helper_barrier_red, barrier_red);
EXEC_RETURN_BY_JUMP(helper_block_end, barrier_block_end);
EXEC_RETURN_BY_JUMP(helper_yield, ring_yield);

/* What a warp's fiber runs. */
CALLS_KERNEL static void warp_main(void *data)
{
    struct exec_warp *w = data;
    struct sm *sm = w->owner;
    struct ring *r = &sm->ring;

    sm->fn(w);

    leave_step(sm);
    r->finished |= bit(w->warp_first);
    r->ready &= ~bit(w->warp_first);
    if (r->finished == r->all)
        fiber_switch(&slot_of(w)->fiber, &sm->home);
    if (r->active)
        release_completed(r);
    if (!r->ready && (r->ended | r->finished) == r->all) {
        r->ready = r->ended;
        r->ended = 0;
    }
    run_another(sm, w);
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
    r->lane_count = k->launch.lane_count;
    r->thread_count = in_full_warps(k->launch.block[0] * k->launch.block[1] *
                                    k->launch.block[2]);
    r->all = r->ready = count == 32 ? UINT32_MAX : bit(count) - 1;
    r->ended = r->finished = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct warp_slot *slot = &sm->slots[i];
        slot->phase = r->phase;
        slot->warp = (struct exec_warp){
            .launch = &k->launch,
            .shared = sm->shared,
            .stack_base = slot->fiber.stack.low,
            .block_first = first,
            .block_end = end,
            .warp_first = i,
            .warp_end = i + 1,
            .sm_id = sm->id,
            .owner = sm,
            .block_current = first,
            .warp_current = i,
        };
        fiber_prepare(&slot->fiber, warp_main, &slot->warp, i);
    }
    r->current = 0;
    r->is_running = true;
    start_step(r);
    fiber_switch(&sm->home, &sm->slots[0].fiber);
    r->is_running = r->is_in_step = false;
}
