/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The warps of a block as a ring of fibers: whose turn is next, and blocks
 * one after the other. Several blocks at a time are in resident.c.
 */
#include "exec/internal.h"

void warp_switch(struct sm *sm, struct warp_slot *self, struct warp_slot *to)
{
    if (to == self)
        return;
    sm->current = &to->warp;
    fiber_switch(&self->fiber, &to->fiber);
}

void warp_park(struct warp_slot *self)
{
    set_remove(&self->block_slot->ready, self->warp.warp_first);
}

/* The next warp that is ready: later in the block, in the blocks behind it,
 * then from the block's beginning. NULL: none is. */
static inline struct warp_slot *next_in_turn(struct warp_slot *self)
{
    struct block_slot *p = self->block_slot;
    uint32_t i = self->warp.warp_first + 1;
    assert(i <= p->count && p->count <= p->slot_capacity);
    if (i < p->count && set_has(&p->ready, i))
        return self + 1;
    i = set_next(&p->ready, p->words, i);
    if (i != WARP_NONE)
        return &p->slots[i];
    do {
        p = p->next;
        i = set_next(&p->ready, p->words, 0);
        if (i != WARP_NONE)
            return &p->slots[i];
    } while (p != self->block_slot);
    return NULL;
}

/* Prefetches the top of a stack: with many warps their stacks are not in the
 * first-level cache. */
ALWAYS_INLINE void fetch_stack(const struct warp_slot *slot)
{
    const char *sp = slot->fiber.sp;
    __builtin_prefetch(sp);
    __builtin_prefetch(sp + CACHE_LINE);
    __builtin_prefetch(sp + 2 * CACHE_LINE);
    __builtin_prefetch(sp + 3 * CACHE_LINE);
}

bool warp_take_turn(struct sm *sm, struct warp_slot *self)
{
    struct warp_slot *next = next_in_turn(self);
    if (!next || next == self)
        return false;
    warp_switch(sm, self, next);
    return true;
}

void warp_run_another(struct sm *sm, struct warp_slot *self)
{
    struct warp_slot *next;
    uint32_t behind = self->warp.warp_first + 2;
    assert(sm->has_fibers && self->block_slot->sm == sm);
    if (behind < self->block_slot->count)
        fetch_stack(&self[2]);
    while (!(next = next_in_turn(self))) {
        if (!sm->is_resident || !resident_unblock(sm))
            barrier_report_deadlock(sm);
    }
    warp_switch(sm, self, next);
}

void warp_leave(struct sm *sm, struct warp_slot *self, struct block_slot *from)
{
    for (;;) {
        struct block_slot *p = from;
        do {
            uint32_t i = set_next(&p->ready, p->words, 0);
            if (i != WARP_NONE)
                warp_switch(sm, self, &p->slots[i]);
            p = p->next;
        } while (p != from);
        if (!resident_unblock(sm)) {
            sm->current = &from->slots[0].warp; /* of a block that waits */
            barrier_report_deadlock(sm);
        }
    }
}

/* ---- yields ----------------------------------------------------------- */

bool warp_try_yield(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    if (sm->step.state != STEP_OFF && !resident_note_yield(sm))
        return barrier_next_in_step(w);
    if (!sm->has_fibers) {
        sm->host
            ->poke(); /* what it waits for may be in a block not yet taken */
        return false;
    }
    if (resident_note_yield(sm)) {
        barrier_leave_step(sm);
        resident_idle(sm);
    }
    return warp_take_turn(sm, slot_of(w));
}

void warp_yield(struct exec_warp *w)
{
    warp_try_yield(w);
}

void warp_turn(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    struct warp_slot *self = slot_of(w);
    if (sm->step.state != STEP_OFF) {
        barrier_next_in_step(w);
        return;
    }
    if (!sm->has_fibers)
        return;
    struct block_slot *p = self->block_slot;
    uint32_t next = w->warp_first + 1;
    if (next + 1 < p->count)
        fetch_stack(self + 2);
    else
        fetch_stack(&p->next->slots[0]);
    if (next < p->count && set_has(&p->ready, next)) {
        sm->current = &self[1].warp;
        fiber_switch(&self[0].fiber, &self[1].fiber);
    } else {
        warp_take_turn(sm, self);
    }
}

/* ---- blocks, one after the other -------------------------------------- */

static void start_block(struct block_slot *p)
{
    assert(p->finished_count <= p->exited_count);
    assert(p->exited_count <= p->count);
    barrier_forget_arrivals(p);
    cluster_start(p->cluster, p->count - p->finished_count);
    for (uint32_t i = 0; i < p->words; i++)
        p->ready.word[i] = p->exited.word[i] & ~p->finished.word[i];
    for (uint32_t i = 0; i < p->words; i++)
        p->exited.word[i] = p->finished.word[i];
    p->exited_count = p->finished_count;
}

bool warp_end_block(struct sm *sm, struct warp_slot *self)
{
    struct block_slot *p = self->block_slot;
    bool is_last;
    if (barrier_end_in_step(sm, self, &is_last))
        return is_last;
    barrier_leave_step(sm);
    assert(!set_has(&p->exited, self->warp.warp_first));
    assert(p->exited_count < p->count);
    set_add(&p->exited, self->warp.warp_first);
    if (++p->exited_count == p->count)
        return true;
    warp_park(self);
    barrier_note_exit(p);
    cluster_note_exit(self);
    warp_run_another(sm, self);
    return false;
}

uint64_t warp_block_end(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    if (!sm->has_fibers)
        return 1;
    if (sm->is_resident)
        return resident_block_end(w);
    struct warp_slot *self = slot_of(w);
    struct block_slot *p = self->block_slot;
    if (!warp_end_block(sm, self))
        return 1;
    if (sm->step.state == STEP_OFF)
        start_block(p);
    if (!p->finished_count)
        barrier_start_step(sm, p);
    /* The next block starts with its first warp: memory in address order. */
    warp_switch(sm, self, &p->slots[set_next(&p->ready, p->words, 0)]);
    return 1;
}

/* The function of a warp's fiber. */
static void warp_main(void *data)
{
    struct exec_warp *w = data;
    struct sm *sm = w->owner;
    struct warp_slot *self = slot_of(w);
    struct block_slot *p = self->block_slot;

    exec_call_kernel(sm->fn, w);

    barrier_leave_step(sm);
    set_add(&p->finished, w->warp_first);
    set_add(&p->exited, w->warp_first);
    warp_park(self);
    p->exited_count++;
    if (++p->finished_count == p->count)
        fiber_switch(&self->fiber, &sm->home);
    barrier_note_exit(p);
    cluster_note_exit(self);
    if (p->exited_count == p->count)
        start_block(p);
    warp_run_another(sm, self);
    __builtin_unreachable();
}

void warp_run_all(struct sm *sm, const struct exec_kernel *k, uint64_t first,
                  uint64_t end)
{
    struct block_slot *p = sm->block_slots[0];
    uint32_t count = k->launch.warps_per_block;

    barrier_forget_arrivals(p);
    cluster_alone(p);
    cluster_start(p->cluster, count);
    block_slot_start(p, k, count, warp_main, first, end);
    p->next = p;
    p->exited_count = p->finished_count = 0;
    set_fill(&p->ready, count);
    set_clear(&p->exited, p->words);
    set_clear(&p->finished, p->words);
    set_clear(&p->cluster_parked, p->words);
    sm->step.slots = NULL; /* the phases of its warps begin again */
    barrier_start_step(sm, p);
    sm->current = &p->slots[0].warp;
    sm->has_fibers = true;
    fiber_switch(&sm->home, &p->slots[0].fiber);
}

/* See switch.h. */
EXEC_RETURN_BY_JUMP(helper_block_end, warp_block_end);
EXEC_RETURN_BY_JUMP(helper_yield, warp_yield);
EXEC_RETURN_BY_JUMP(helper_turn, warp_turn);
