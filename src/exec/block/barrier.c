/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers between the warps of a block. All run on one thread, so plain
 * integers do.
 *
 * PTX ISA, "bar, barrier": a barrier counts threads in full warps of 32;
 * without a thread count all of the block that have not exited take part. What
 * the manual calls undefined an H200 does not execute: other counts, and those
 * who wait for each other with another number or in another kind of barrier.
 * What is called a warp here is one call of the kernel with lane_count lanes.
 */
#include "exec/internal.h"

#include <stdio.h>

static uint32_t barrier_bit(uint32_t i)
{
    return UINT32_C(1) << i;
}

enum { COUNT_END = 4096 };

static uint32_t in_full_warps(uint32_t threads)
{
    return (threads + 31) / 32 * 32;
}

/* How many threads a warp's arrival counts for. The last one counts for those
 * as well that fill the block up to full warps of 32. */
static uint32_t arrival_weight(const struct block_slot *p, uint32_t warp)
{
    return warp + 1 < p->count ? p->lane_count
                               : p->thread_count - warp * p->lane_count;
}

_Noreturn void barrier_report_deadlock(struct sm *sm)
{
    const struct exec_warp *w = sm->current;
    const struct block_slot *p =
        sm->has_fibers ? slot_of(sm->current)->block_slot : sm->block_slots[0];
    if (p->active) {
        uint32_t id = (uint32_t)__builtin_ctz(p->active);
        fprintf(stderr,
                "weft: block %llu waits for ever at barrier %u: %u of %u "
                "threads arrived, no warp can run\n",
                (unsigned long long)w->block_current, id,
                p->barrier[id].arrived, p->barrier[id].needed);
    } else if (p->cluster->missing < p->cluster->alive) {
        fprintf(stderr,
                "weft: block %llu waits for ever at barrier.cluster: %u of %u "
                "warps arrived, no warp can run\n",
                (unsigned long long)w->block_current,
                p->cluster->alive - p->cluster->missing, p->cluster->alive);
    } else {
        fprintf(stderr,
                "weft: block %llu waits for ever: lanes of a warp wait for "
                "others that do not come\n",
                (unsigned long long)w->block_current);
    }
    fault_raise(sm, EXEC_FAULT_TRAP);
}

/* ---- arriving --------------------------------------------------------- */

/* The thread count as the instruction takes it: 12 bits. */
static uint32_t count_of(struct sm *sm, uint32_t thread_count)
{
    uint32_t count = thread_count % COUNT_END;
    if (count % WEFT_WARP_LANES)
        fault_raise(sm, EXEC_FAULT_ILLEGAL);
    return count;
}

/* Adds what this arrival names to the barrier: all that meet there must name
 * the same thread count, or none. */
static void join_barrier(struct block_slot *p, struct barrier *b,
                         uint32_t count, enum exec_barrier_kind kind)
{
    if (b->arrived && (b->named != count || b->kind != kind))
        fault_raise(p->sm, EXEC_FAULT_ILLEGAL);
    b->named = count;
    b->kind = kind;
    b->needed = count ? count : p->thread_count;
    b->is_whole = b->needed == p->thread_count;
}

/* Threads of warps that have exited without having arrived at b. */
static uint32_t absent_threads(const struct block_slot *p,
                               const struct barrier *b)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < p->words; i++) {
        uint64_t absent = p->exited.word[i] & ~b->arrived_by.word[i];
        threads += (uint32_t)__builtin_popcountll(absent) * p->lane_count;
    }
    uint32_t last = p->count - 1;
    if (set_has(&p->exited, last) && !set_has(&b->arrived_by, last))
        threads += arrival_weight(p, last) - p->lane_count;
    return threads;
}

static bool is_complete(const struct block_slot *p, const struct barrier *b)
{
    if (b->arrived >= b->needed)
        return true;
    return b->is_whole && p->exited_count &&
           b->arrived + absent_threads(p, b) >= b->needed;
}

static void clear_barrier(struct block_slot *p, uint32_t id)
{
    struct barrier *b = &p->barrier[id];
    set_clear(&b->parked, p->words);
    set_clear(&b->arrived_by, p->words);
    b->arrived = b->votes = b->voters = 0;
    b->has_votes = false;
    p->active &= ~barrier_bit(id);
}

static void give_votes(struct block_slot *p, const struct barrier *b)
{
    for (uint32_t i = 0;
         (i = set_next(&b->arrived_by, p->words, i)) != WARP_NONE; i++) {
        p->slots[i].votes = b->votes;
        p->slots[i].voters = b->voters;
    }
}

static void release_warps(struct block_slot *p, uint32_t id)
{
    struct barrier *b = &p->barrier[id];
    assert(p->active & barrier_bit(id));
    if (b->has_votes)
        give_votes(p, b);
    set_add_all(&p->ready, &b->parked, p->words);
    clear_barrier(p, id);
    resident_note_sync(p->sm);
}

/* Counts the running warp in. True: its arrival has completed the barrier. */
static inline bool arrive_at(struct warp_slot *self, uint32_t id,
                             uint32_t thread_count, enum exec_barrier_kind kind)
{
    struct block_slot *p = self->block_slot;
    struct barrier *b = &p->barrier[id];
    uint32_t index = self->warp.warp_first;
    assert(id < BARRIERS_PER_BLOCK && index < p->count);
    join_barrier(p, b, count_of(p->sm, thread_count), kind);
    b->arrived += arrival_weight(p, index);
    set_add(&b->arrived_by, index);
    p->active |= barrier_bit(id);
    if (!is_complete(p, b))
        return false;
    release_warps(p, id);
    return true;
}

static inline void park_warp(struct warp_slot *self, uint32_t id)
{
    assert(set_has(&self->block_slot->barrier[id].arrived_by,
                   self->warp.warp_first));
    set_add(&self->block_slot->barrier[id].parked, self->warp.warp_first);
    warp_park(self);
    warp_run_another(self->block_slot->sm, self);
}

/* A kernel whose block is one warp runs without fibers: its barrier is
 * complete at once, or never. */
static void check_alone(struct sm *sm, uint32_t id, uint32_t thread_count)
{
    const uint32_t *block = sm->current->launch->block;
    uint32_t threads = in_full_warps(block[0] * block[1] * block[2]);
    uint32_t count = count_of(sm, thread_count);
    if (count <= threads)
        return;
    struct block_slot *p = sm->block_slots[0];
    p->active = barrier_bit(id);
    p->barrier[id].arrived = threads;
    p->barrier[id].needed = count;
    barrier_report_deadlock(sm);
}

void barrier_note_exit(struct block_slot *p)
{
    for (uint32_t set = p->active; set; set &= set - 1) {
        uint32_t id = (uint32_t)__builtin_ctz(set);
        if (is_complete(p, &p->barrier[id]))
            release_warps(p, id);
    }
}

void barrier_forget_arrivals(struct block_slot *p)
{
    while (p->active)
        clear_barrier(p, (uint32_t)__builtin_ctz(p->active));
}

/* ---- in step ---------------------------------------------------------- */

/* A block starts in step: no warp waits at a barrier. */
void barrier_start_step(struct sm *sm, struct block_slot *p)
{
    struct step *step = &sm->step;
    assert(p->active == 0);
    if (step->slots != p->slots) {
        step->phase = 0;
        for (uint32_t i = 0; i < p->count; i++)
            p->slots[i].phase = 0;
    }
    step->state = STEP_BARRIER;
    step->arrived = 0;
    step->count = p->count;
    step->block_slot = p;
    step->slots = p->slots;
}

static void note_waiting(struct block_slot *p, uint32_t i)
{
    struct barrier *b = &p->barrier[0];
    set_add(&b->parked, i);
    set_add(&b->arrived_by, i);
    b->arrived += arrival_weight(p, i);
    b->needed = p->thread_count;
    b->named = 0;
    b->kind = EXEC_BARRIER_sync;
    b->is_whole = true;
    p->active |= barrier_bit(0);
}

static void note_ended(struct block_slot *p, uint32_t i)
{
    assert(!set_has(&p->exited, i) && p->exited_count < p->count);
    set_add(&p->exited, i);
    p->exited_count++;
    cluster_note_exit(&p->slots[i]);
}

/* Ends step mode: the warps that wait are entered into the sets that
 * everything else reads. */
void barrier_leave_step(struct sm *sm)
{
    struct step *step = &sm->step;
    struct block_slot *p = step->block_slot;
    bool is_ending = step->state == STEP_ENDING;
    if (step->state == STEP_OFF)
        return;
    assert(step->arrived < step->count && step->count == p->count);
    step->state = STEP_OFF;
    for (uint32_t i = 0; step->arrived && i < p->count; i++) {
        if (p->slots[i].phase == step->phase)
            continue;
        p->slots[i].phase = step->phase;
        set_remove(&p->ready, i);
        if (is_ending)
            note_ended(p, i);
        else
            note_waiting(p, i);
    }
}

/* Switches to the next warp of the circle that does not wait. False: all
 * others do, and `self` goes on. */
ALWAYS_INLINE bool next_in_step(struct sm *sm, struct warp_slot *self)
{
    struct step *step = &sm->step;
    struct warp_slot *next = self;
    do {
        next = next->warp.warp_end == step->count ? step->slots : next + 1;
        if (next == self)
            return false;
    } while (next->phase != step->phase);
    sm->current = &next->warp;
    fiber_switch(&self->fiber, &next->fiber);
    return true;
}

bool barrier_next_in_step(struct exec_warp *w)
{
    return next_in_step(w->owner, slot_of(w));
}

/* Arrives at barrier 0. True: this was the last warp, and all have met;
 * otherwise returns when they have. */
ALWAYS_INLINE bool arrive_in_step(struct sm *sm, struct warp_slot *self)
{
    struct step *step = &sm->step;
    assert(self->phase == step->phase && step->arrived < step->count);
    self->phase++;
    if (++step->arrived == step->count) {
        step->arrived = 0;
        step->phase++;
        return true;
    }
    next_in_step(sm, self);
    return false;
}

bool barrier_end_in_step(struct sm *sm, struct warp_slot *self, bool *is_last)
{
    struct step *step = &sm->step;
    if (step->state == STEP_OFF ||
        (step->state == STEP_BARRIER && step->arrived > 0))
        return false;
    step->state = STEP_ENDING;
    *is_last = arrive_in_step(sm, self);
    return true;
}

/* ---- what compiled code calls ------------------------------------------ */

__attribute__((noinline)) static void
barrier_sync_any(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    id %= BARRIERS_PER_BLOCK;
    barrier_leave_step(sm);
    if (!sm->has_fibers) {
        check_alone(sm, id, thread_count);
        return;
    }
    if (!arrive_at(slot_of(w), id, thread_count, EXEC_BARRIER_sync))
        park_warp(slot_of(w), id);
}

void barrier_sync(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    if ((id | thread_count) == 0 && sm->step.state == STEP_BARRIER) {
        if (arrive_in_step(sm, slot_of(w)))
            resident_note_sync(sm);
        return;
    }
    barrier_sync_any(w, id, thread_count);
}

void barrier_arrive(struct exec_warp *w, uint32_t id, uint32_t thread_count)
{
    struct sm *sm = w->owner;
    barrier_leave_step(sm);
    if (count_of(sm, thread_count) == 0)
        fault_raise(sm, EXEC_FAULT_ILLEGAL);
    if (sm->has_fibers)
        arrive_at(slot_of(w), id % BARRIERS_PER_BLOCK, thread_count,
                  EXEC_BARRIER_sync);
}

uint32_t barrier_red(struct exec_warp *w, uint32_t id, uint32_t thread_count,
                     uint32_t votes, uint32_t voters, uint32_t *total)
{
    struct sm *sm = w->owner;
    enum exec_barrier_kind kind = EXEC_BARRIER_KIND(id);
    id = id % EXEC_BARRIER(0, 1) % BARRIERS_PER_BLOCK;
    if (!sm->has_fibers) {
        check_alone(sm, id, thread_count);
        *total = voters;
        return votes;
    }
    barrier_leave_step(sm);
    struct warp_slot *self = slot_of(w);
    struct barrier *b = &self->block_slot->barrier[id];
    b->has_votes = true;
    b->votes += votes;
    b->voters += voters;
    if (!arrive_at(self, id, thread_count, kind))
        park_warp(self, id);
    *total = self->voters;
    return self->votes;
}

/* See switch.h. */
EXEC_RETURN_BY_JUMP(helper_barrier_sync, barrier_sync);
EXEC_RETURN_BY_JUMP(helper_barrier_red, barrier_red);
