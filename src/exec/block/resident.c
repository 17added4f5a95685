/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several blocks of a kernel at a time on one SM, each in a slot of its own.
 * What comes and goes is a cluster of blocks; mostly of one.
 *
 * A kernel whose loops wait for memory to change begins with one block. When
 * all that could run does nothing but wait, the next block comes to its side:
 * it may be the one that the others wait for. Barriers that complete are no
 * sign that something gets on, if there are many and no warp ends. So blocks
 * that wait for each other get on, on however few SMs, and no memory is spent
 * on the many kernels where one block after the other is enough. What was
 * waited for may as well have been on its way on another SM: so when a block
 * ends, its slot is given up again, unless that soon proves wrong. If a thread
 * loses its core for a while, the others begin very many; half of those slots
 * are given up whenever a number of blocks began and none was needed.
 *
 * A kernel whose loops stride far through memory begins with several blocks,
 * neighbours in the grid; a turn goes through the warps of all of them, which
 * together read memory in order.
 */
#include "exec/internal.h"

#include <sched.h>
#include <stdlib.h>

#include "base/size.h"

/* Limits, except for cooperative launches, which need all their blocks. */
#define PLACES_MAX 512
#define FIBERS_MAX 8192
/* Block slots of all SMs, the spares' included: a slot is four mappings, and a
 * process may have 65,530. */
#define BLOCK_SLOTS_ALL WEFT_SIZE(8192, 512)
/* How many fibers take turns. More blocks read memory together in longer runs,
 * as long as what they keep meanwhile stays in the first-level cache. 2^26
 * floats, turns of 4 places: on 16 cores of a Xeon 1.0 ms with 16 fibers, 1.1
 * with 32, 2.0 with 128; on 2 of an EPYC 9.8, 9.1 and 8.9. */
#define TURN_FIBERS WEFT_SIZE(32, 1)
#define TURN_BYTES  (512 * 1024)
/* Yields before an SM counts as idle: so many for all, and for each fiber.
 * More, IDLE_PATIENT for each block here, where what is waited for is mostly
 * under way on another SM: no further block was needed, and in the last kernel
 * that waited fewer than one in SOON_BLOCKS; or a block has ended since one
 * was. Else one stall, of a thread that lost its core, would have each wait
 * begin a further block for as long as the kernel runs. */
#define IDLE_BASE    WEFT_SIZE(64, 1)
#define IDLE_EACH    4
#define IDLE_PATIENT WEFT_SIZE(4096, 1)
#define SOON_BLOCKS  WEFT_SIZE(64, 1)
#define NAP_ROUNDS   WEFT_SIZE(64, 1)

struct resident {
    const struct exec_kernel *kernel;
    struct block_source *source;
    const struct sm_host *host;
    uint32_t fibers;    /* of a block */
    uint32_t in_use;    /* block slots */
    uint32_t kept;      /* of these, those that take the next block */
    uint32_t kept_least;
    uint64_t begun;     /* blocks, or clusters */
    uint64_t needed;    /* blocks that others waited for, or for nothing */
    uint64_t soon_end;  /* another one is "soon" while fewer have begun */
    struct block_slot *last; /* in the circle */
    unsigned idle_rounds;
    bool has_ended; /* a block has, since one more was needed */
};

static void warp_main(void *data);

/* ---- block slots ------------------------------------------------------ */

/* Finds a free slot, from number *at on. */
static struct block_slot *free_slot(struct sm *sm, uint32_t *at)
{
    while (*at < sm->block_slot_count) {
        struct block_slot *p = sm->block_slots[(*at)++];
        if (!p->next)
            return p;
    }
    assert(*at == sm->block_slot_count);
    size_t bytes = (sm->block_slot_count + 1) * sizeof *sm->block_slots;
    struct block_slot **slots = realloc(sm->block_slots, bytes);
    if (!slots)
        return NULL;
    sm->block_slots = slots;
    struct block_slot *p = block_slot_create(sm);
    if (p)
        sm->block_slots[sm->block_slot_count++] = p;
    *at = sm->block_slot_count;
    return p;
}

static void set_all_ready(struct block_slot *p, uint64_t block)
{
    assert(p->count > 0 && p->count <= WARPS_MAX);
    barrier_forget_arrivals(p);
    collective_forget(p);
    p->block = block;
    p->exited_count = p->finished_count = 0;
    set_fill(&p->ready, p->count);
    set_clear(&p->exited, p->words);
    set_clear(&p->cluster_parked, p->words);
}

static void set_idle_limit(struct sm *sm)
{
    const struct resident *r = sm->resident;
    /* The interpreter yields seldom, and only after it has looked at other
     * warps. */
    if (r->kernel->is_whole_block)
        sm->idle_limit = r->in_use;
    else if (r->has_ended || (r->needed == 0 && !sm->needs_blocks))
        sm->idle_limit = IDLE_PATIENT * r->in_use;
    else
        sm->idle_limit = IDLE_BASE + IDLE_EACH * r->in_use * r->fibers;
}

/* A block, or cluster, has ended: what those here wait for comes from other
 * SMs. */
static void note_end(struct sm *sm)
{
    struct resident *r = sm->resident;
    if (r->has_ended)
        return;
    r->has_ended = true;
    set_idle_limit(sm);
}

static void link_slot(struct resident *r, struct block_slot *p)
{
    assert(!p->next); /* it is in no circle */
    p->next = r->last ? r->last->next : p;
    if (r->last)
        r->last->next = p;
    r->last = p;
    r->in_use++;
    set_idle_limit(p->sm);
}

/* Takes the slot out of the circle. Returns its successor; NULL: it was the
 * only one. */
static struct block_slot *unlink_slot(struct resident *r, struct block_slot *p)
{
    struct block_slot *before = p, *next = p->next;
    assert(next && r->in_use > 0);
    while (before->next != p)
        before = before->next;
    before->next = next;
    p->next = NULL;
    r->in_use--;
    set_idle_limit(p->sm);
    if (next == p)
        next = NULL;
    if (r->last == p)
        r->last = next ? before : NULL;
    return next;
}

/* Provides slots for one more cluster, which is mostly one block. */
static struct cluster *provide_cluster(struct sm *sm)
{
    struct resident *r = sm->resident;
    uint32_t size = r->kernel->launch.cluster_blocks, at = 0;
    struct block_slot *member[WEFT_CLUSTER_MAX];
    assert(size > 0 && size <= WEFT_CLUSTER_MAX);
    for (uint32_t i = 0; i < size; i++) {
        struct block_slot *p = member[i] = free_slot(sm, &at);
        if (!p || !block_slot_provide(p, r->kernel, r->fibers))
            return NULL;
    }
    if (size == 1)
        cluster_alone(member[0]);
    else if (!cluster_join(member, size))
        return NULL;
    return member[0]->cluster;
}

/* A block that is alone in its cluster: its calls may go on with the next
 * block themselves, which is cheaper than to start again. Their last block is
 * set so far away that they ask before each. */
static bool goes_on(const struct resident *r)
{
    const struct exec_kernel *k = r->kernel;
    return k->launch.cluster_blocks == 1 && k->launch.lane_count > 1 &&
           k->has_barrier && !k->is_whole_block;
}

/* While one block runs at a time, its warps may run in step mode. */
static void step_if_alone(struct sm *sm, struct block_slot *p)
{
    const struct resident *r = sm->resident;
    if (r->in_use == 1 && r->fibers > 1 && goes_on(r))
        barrier_start_step(sm, p);
}

static bool take_block(struct resident *r, enum source_hurry hurry,
                       uint64_t *number)
{
    if (!r->host->take(r->source, hurry, number))
        return false;
    if (++r->begun >= r->soon_end && r->kept > r->kept_least) {
        r->kept = r->kept / 2 > r->kept_least ? r->kept / 2 : r->kept_least;
        r->soon_end = r->begun + SOON_BLOCKS;
    }
    return true;
}

/* A cooperative grid has all its blocks resident: one that there is no memory
 * for ends it, else the others would wait for ever. The running warp asks. */
static void give_up_if_cooperative(struct sm *sm)
{
    struct resident *r = sm->resident;
    uint64_t number;
    if (r->kernel->is_cooperative && take_block(r, SOURCE_URGENT, &number))
        fault_raise(sm, EXEC_FAULT_STACK);
}

/* Begins one more cluster. False: there is none, or no memory for it. */
static bool admit_cluster(struct sm *sm, enum source_hurry hurry)
{
    struct resident *r = sm->resident;
    uint64_t number;
    struct cluster *c = provide_cluster(sm);
    if (!c && hurry == SOURCE_URGENT)
        give_up_if_cooperative(sm);
    if (!c || !take_block(r, hurry, &number))
        return false;
    assert(c->size == r->kernel->launch.cluster_blocks);
    cluster_start(c, r->fibers);
    for (uint32_t i = 0; i < c->size; i++) {
        struct block_slot *p = c->member[i];
        uint64_t block = cluster_block(&r->kernel->launch, number, i);
        barrier_forget_arrivals(p);
        p->color = r->in_use * r->fibers;
        if (sm->step.slots == p->slots)
            sm->step.slots = NULL; /* their phases begin again */
        block_slot_start(p, r->kernel, r->fibers, warp_main, block,
                         goes_on(r) ? r->kernel->launch.block_count
                                    : block + 1);
        set_all_ready(p, block);
        link_slot(r, p);
    }
    return true;
}

/* Of all SMs together. */
static bool is_out_of_slots(const struct sm *sm)
{
    return sm->resident->in_use >= sm->block_slot_count &&
           block_slot_total() >= BLOCK_SLOTS_ALL;
}

static bool may_admit(const struct sm *sm)
{
    const struct resident *r = sm->resident;
    if (r->kernel->is_cooperative)
        return true;
    return r->in_use < PLACES_MAX && r->in_use * r->fibers < FIBERS_MAX &&
           !is_out_of_slots(sm);
}

/* ---- nothing but waiting ---------------------------------------------- */

static bool release_gatherings(struct sm *sm)
{
    struct resident *r = sm->resident;
    struct block_slot *p = r->last;
    bool any = false;
    assert(p); /* who asks runs in a slot */
    if (r->kernel->launch.lane_count != 1)
        return false;
    do {
        any |= collective_release_gatherings(p);
        p = p->next;
    } while (p != r->last);
    return any;
}

/* Another SM's fault has ended the kernel: what the blocks here wait for may
 * never come. */
static void leave_if_cancelled(struct sm *sm)
{
    if (!sm->host->is_cancelled(sm->resident->source))
        return;
    assert(sm->in_kernel);
    sm->in_kernel = 0;
    fiber_escape(&sm->home);
}

/* Begins one more block, because all others wait. */
static bool admit_needed(struct sm *sm)
{
    struct resident *r = sm->resident;
    if (!admit_cluster(sm, SOURCE_URGENT))
        return false;
    r->needed++;
    r->has_ended = false;
    set_idle_limit(sm);
    if (r->begun < r->soon_end)
        r->kept = r->in_use;
    r->soon_end = r->begun + SOON_BLOCKS;
    return true;
}

bool resident_unblock(struct sm *sm)
{
    return release_gatherings(sm) || admit_needed(sm);
}

void resident_idle(struct sm *sm)
{
    struct resident *r = sm->resident;
    resident_note_progress(sm);
    if (release_gatherings(sm) || (may_admit(sm) && admit_needed(sm)))
        return;
    leave_if_cancelled(sm);
    if (++r->idle_rounds % NAP_ROUNDS)
        return;
    /* It may be another kernel, or a thread on this core. */
    sm->host->relieve(r->source, is_out_of_slots(sm));
    sched_yield();
}

/* ---- running ---------------------------------------------------------- */

static void restart_warps(struct block_slot *p, uint64_t block)
{
    for (uint32_t i = 0; i < p->count; i++) {
        struct exec_warp *w = &p->slots[i].warp;
        w->block_first = w->block_current = block;
        if (!goes_on(p->sm->resident))
            w->block_end = block + 1;
        w->warp_current = w->warp_first;
        p->slots[i].cluster_lanes = 0;
    }
    set_all_ready(p, block);
}

/* Numbers the block, or cluster, that follows in the slot of one that has
 * ended. False: none does. */
static bool take_next(struct resident *r, uint64_t *number)
{
    return r->in_use <= r->kept && take_block(r, SOURCE_PATIENT, number);
}

/* Ends a warp of a block of several: waits for the others. */
static uint64_t end_together(struct sm *sm, struct exec_warp *w)
{
    struct warp_slot *self = slot_of(w);
    struct block_slot *p = self->block_slot;
    uint64_t number;
    resident_note_progress(sm);
    if (!warp_end_block(sm, self))
        return p->block - w->block_current;
    note_end(sm);
    bool is_more = take_next(sm->resident, &number);
    if (is_more && sm->step.state != STEP_OFF) {
        p->block = number;
    } else {
        sm->step.state = STEP_OFF;
        cluster_start(p->cluster, p->count);
        set_all_ready(p, is_more ? number : w->block_end);
    }
    if (is_more) {
        step_if_alone(sm, p);
        warp_switch(sm, self, &p->slots[0]);
    }
    return p->block - w->block_current;
}

uint64_t resident_block_end(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    struct resident *r = sm->resident;
    uint64_t number;
    assert(w->block_current < w->block_end);
    if (!goes_on(r))
        return 1;
    if (r->fibers > 1)
        return end_together(sm, w);
    resident_note_progress(sm);
    note_end(sm);
    if (!take_next(r, &number))
        return w->block_end - w->block_current;
    slot_of(w)->block_slot->block = number;
    return number - w->block_current;
}

/* Blocks in other slots wait, and perhaps only one more block helps. The last
 * warp of the ended cluster stands on a stack of its slot, so that the new
 * block has to begin in that slot. */
static bool take_for_others(struct sm *sm, const struct cluster *c,
                            uint64_t *number)
{
    struct resident *r = sm->resident;
    struct block_slot *p = r->last;
    assert(r->in_use >= c->size);
    if (r->in_use == c->size)
        return false;
    do {
        if (set_next(&p->ready, p->words, 0) != WARP_NONE)
            return false;
        p = p->next;
    } while (p != r->last);
    return !release_gatherings(sm) && take_block(r, SOURCE_URGENT, number);
}

/* The cluster has ended. Its last warp, the running one, takes the next
 * cluster in the same slots, or leaves for good. */
static void next_cluster(struct sm *sm, struct warp_slot *self)
{
    struct resident *r = sm->resident;
    struct cluster *c = self->block_slot->cluster;
    struct block_slot *next = NULL;
    uint64_t number;
    note_end(sm);
    if (take_next(r, &number) || take_for_others(sm, c, &number)) {
        cluster_start(c, r->fibers);
        for (uint32_t i = 0; i < c->size; i++)
            restart_warps(c->member[i],
                          cluster_block(&r->kernel->launch, number, i));
        step_if_alone(sm, c->member[0]);
        warp_switch(sm, self, &c->member[0]->slots[0]);
        return;
    }
    for (uint32_t i = 0; i < c->size; i++)
        next = unlink_slot(r, c->member[i]);
    if (!next)
        fiber_switch(&self->fiber, &sm->home);
    warp_leave(sm, self, next);
}

static void warp_main(void *data)
{
    struct exec_warp *w = data;
    struct sm *sm = w->owner;
    struct warp_slot *self = slot_of(w);
    struct block_slot *p = self->block_slot;
    for (;;) {
        exec_call_kernel(sm->fn, w);
        barrier_leave_step(sm);
        set_add(&p->exited, w->warp_first);
        warp_park(self);
        resident_note_progress(sm);
        assert(p->exited_count < p->count);
        if (++p->exited_count == p->count &&
            ++p->cluster->finished == p->cluster->size) {
            next_cluster(sm, self);
            continue;
        }
        barrier_note_exit(p);
        cluster_note_exit(self);
        collective_note_exit(self);
        warp_run_another(sm, self);
    }
}

static uint32_t slots_for_turns(const struct exec_kernel *k, uint32_t fibers)
{
    const struct exec_launch *l = &k->launch;
    size_t bytes = l->static_shared_bytes + l->dynamic_shared_bytes +
                   fibers * k->stack_bytes + 1;
    size_t most = TURN_BYTES / bytes;
    return most < TURN_FIBERS / fibers ? (uint32_t)most : TURN_FIBERS / fibers;
}

/* Limits the slots that an SM begins with to its share of the grid: otherwise
 * the first SM would leave nothing to the others. Blocks that begin in order
 * are in one range, and the share is all of them. */
static uint32_t slots_to_begin(const struct exec_kernel *k, uint32_t fibers,
                                const struct exec_task *t)
{
    if (!k->takes_turns)
        return 1;
    uint32_t most = slots_for_turns(k, fibers);
    uint64_t blocks = k->launch.block_count / k->launch.cluster_blocks;
    assert(t->range_count > 0);
    uint64_t share = (blocks + t->range_count - 1) / t->range_count;
    return share < most ? (uint32_t)share : most;
}

void resident_run(struct sm *sm, const struct exec_kernel *k,
                  struct block_source *source)
{
    uint32_t fibers = k->is_whole_block ? 1 : k->launch.warps_per_block;
    struct resident r = {
        .kernel = k, .source = source, .host = sm->host, .fibers = fibers};
    for (uint32_t i = 0; i < sm->block_slot_count; i++)
        sm->block_slots[i]->next = NULL;
    sm->resident = &r;
    sm->step.slots = NULL;
    resident_note_progress(sm);
    sm->is_resident = sm->has_fibers = true;
    if (!provide_cluster(sm)) {
        sm->fault = EXEC_FAULT_STACK;
        return;
    }
    if (!admit_cluster(sm, SOURCE_PATIENT))
        return;
    uint32_t most = slots_to_begin(k, fibers, source->task);
    while (r.in_use < most && admit_cluster(sm, SOURCE_PATIENT))
        ;
    assert(r.in_use > 0 && r.last);
    r.kept = r.kept_least = r.in_use;
    step_if_alone(sm, r.last->next);
    struct warp_slot *first = &r.last->next->slots[0];
    sm->current = &first->warp;
    fiber_switch(&sm->home, &first->fiber);
    sm->needs_blocks = r.needed * SOON_BLOCKS > r.begun;
}
