/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clusters: blocks that run at the same time and see each other's shared
 * memory. All blocks of a cluster are resident on one SM thread, so that their
 * accesses to each other's memory need no more than those of one block, and
 * barrier.cluster is a count of warps. A block of a grid without clusters is a
 * cluster for itself.
 *
 * PTX ISA, "barrier.cluster": arriving and waiting are two instructions, and
 * threads that have exited count as arrived.
 */
#include "exec/internal.h"

#include <sys/mman.h>

/* So far on both sides of the windows nothing can be accessed: an address off
 * by any 32-bit number, with its sign, faults. */
#define WINDOW_SIDE ((size_t)2 << 30)

/* ---- windows ---------------------------------------------------------- */

static bool map_window(struct block_slot *leader)
{
    if (leader->cluster_window)
        return true;
    uint8_t *map = mmap(NULL, 2 * WINDOW_SIDE, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return false;
    uint8_t *window = map + WINDOW_SIDE;
    for (size_t i = 0; i < WEFT_CLUSTER_MAX; i++) {
        if (mprotect(window + (i << WEFT_CLUSTER_SHIFT), EXEC_SHARED_BYTES,
                     PROT_READ | PROT_WRITE)) {
            munmap(map, 2 * WINDOW_SIDE);
            return false;
        }
    }
    leader->cluster_window = window;
    return true;
}

void cluster_free_window(struct block_slot *p)
{
    if (p->cluster_window)
        munmap(p->cluster_window - WINDOW_SIDE, 2 * WINDOW_SIDE);
    p->cluster_window = NULL;
}

void cluster_alone(struct block_slot *p)
{
    p->shared = p->own_shared;
    p->cluster_rank = 0;
    p->cluster = &p->own_cluster;
    p->own_cluster.size = 1;
    p->own_cluster.member[0] = p;
}

bool cluster_join(struct block_slot *const *member, uint32_t size)
{
    assert(size >= 1 && size <= WEFT_CLUSTER_MAX);
    struct block_slot *leader = member[0];
    struct cluster *c = &leader->own_cluster;
    if (!map_window(leader))
        return false;
    c->size = size;
    for (uint32_t i = 0; i < size; i++) {
        struct block_slot *p = c->member[i] = member[i];
        p->shared = leader->cluster_window + ((size_t)i << WEFT_CLUSTER_SHIFT);
        p->cluster_rank = i;
        p->cluster = c;
    }
    return true;
}

/* ---- which blocks ----------------------------------------------------- */

/* Blocks and clusters are numbered x fastest: clusters within the grid, blocks
 * within their cluster. */
uint64_t cluster_block(const struct exec_launch *l, uint64_t cluster,
                       uint32_t rank)
{
    uint64_t block = 0, pitch = 1;
    if (l->cluster_blocks == 1)
        return cluster;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t n = l->cluster[i], clusters = l->grid[i] / n;
        block += pitch * (cluster % clusters * n + rank % n);
        pitch *= l->grid[i];
        cluster /= clusters;
        rank /= n;
    }
    return block;
}

/* ---- the barrier ------------------------------------------------------ */

void cluster_start(struct cluster *c, uint32_t warps_per_block)
{
    c->phase++; /* arrivals of the blocks before are of no use */
    c->finished = 0;
    c->alive = c->missing = c->size * warps_per_block;
}

static void complete_barrier(struct cluster *c)
{
    assert(c->missing == 0);
    c->phase++;
    c->missing = c->alive;
    for (uint32_t i = 0; i < c->size; i++) {
        struct block_slot *p = c->member[i];
        set_add_all(&p->ready, &p->cluster_parked, p->words);
        set_clear(&p->cluster_parked, p->words);
    }
    resident_note_sync(c->member[0]->sm);
}

static bool has_arrived(const struct warp_slot *s)
{
    return (int32_t)(s->cluster_arrivals - s->block_slot->cluster->phase) > 0;
}

static void count_in(struct warp_slot *self)
{
    struct cluster *c = self->block_slot->cluster;
    assert(c->missing > 0 && c->missing <= c->alive);
    self->cluster_arrivals = c->phase + 1;
    self->cluster_lanes = 0;
    if (--c->missing == 0)
        complete_barrier(c);
}

void cluster_note_exit(struct warp_slot *self)
{
    struct cluster *c = self->block_slot->cluster;
    assert(c->alive > 0 && c->missing <= c->alive);
    c->alive--;
    if (!has_arrived(self) && --c->missing == 0)
        complete_barrier(c);
}

/* The lanes of the warp that stand for threads: those of 32 or, with lane
 * count 1, the only one. */
static uint32_t existing_lanes(const struct warp_slot *s)
{
    const struct exec_launch *l = s->warp.launch;
    const struct block_slot *p = s->block_slot;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    uint32_t left = threads - s->warp.warp_first * p->lane_count;
    if (p->lane_count == 1)
        return 1;
    return left >= 32 || p->count == 1 ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

void cluster_arrive(struct exec_warp *w, uint32_t lanes)
{
    struct sm *sm = w->owner;
    if (!sm->has_fibers)
        return; /* the block's only warp */
    barrier_leave_step(sm);
    struct warp_slot *self = slot_of(w);
    if (has_arrived(self))
        return;
    self->cluster_lanes |= lanes;
    if ((existing_lanes(self) & ~self->cluster_lanes) == 0)
        count_in(self);
}

void cluster_wait(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    if (!sm->has_fibers)
        return;
    barrier_leave_step(sm);
    struct warp_slot *self = slot_of(w);
    if (self->cluster_lanes) /* its other lanes have exited */
        count_in(self);
    if (!has_arrived(self))
        return;
    set_add(&self->block_slot->cluster_parked, w->warp_first);
    warp_park(self);
    warp_run_another(sm, self);
}

uint32_t cluster_is_over(struct exec_warp *w)
{
    struct sm *sm = w->owner;
    return !sm->has_fibers || !has_arrived(slot_of(w));
}

/* See switch.h. */
EXEC_RETURN_BY_JUMP(helper_cluster_wait, cluster_wait);
