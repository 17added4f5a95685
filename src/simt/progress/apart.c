/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where else lanes of a warp may stand while some stand at a block: less than
 * the schedule's pending sets say. Those are of one order in which a warp in
 * step takes the blocks; lanes that it takes through a barrier of the block
 * first wait behind it, but lanes that wait for the others of their own warp in
 * front of it never see them there.
 *
 *    if (whole) bar.sync;        // here, or on their way there,
 *    else bar.warp.sync mask;    // while others are here, but no further
 *    ...
 *    if (whole) bar.sync;
 *    else bar.warp.sync mask;    // so these two never belong together
 *
 * Pairs of blocks where lanes may stand at once: the successors of a branch
 * that splits, and what is reached from a pair when the lanes of one go on.
 * Where one block has a barrier its lanes wait, unless the other has one, too.
 * Lanes of both that come to one block go on together, and where the schedule
 * joins them, they wait there for each other.
 *
 * Lanes that have returned from a function are taken to wait for those inside.
 *
 * Needs:  the schedule.
 * Leaves: apart.
 */
#include "simt/progress/progress.h"

/* For larger functions the pending sets are used as they are. */
enum { BLOCKS_MAX = 2048 };

struct pair {
    uint32_t a, b;
};

struct pairs {
    const struct simt_kernel *k;
    uint64_t *stops; /* blocks with a barrier of the block */
    struct pair *work;
    size_t count, room;
};

static bool is_apart_in_schedule(const struct simt_kernel *k, uint32_t a,
                                 uint32_t b)
{
    return bits_has(k->blocks[a].pending, b) ||
           bits_has(k->blocks[b].pending, a);
}

static void add_pair(struct pairs *p, uint32_t a, uint32_t b)
{
    if (a >= p->k->block_count || b >= p->k->block_count || a == b ||
        bits_has(p->k->blocks[a].apart, b) || !is_apart_in_schedule(p->k, a, b))
        return;
    bits_add(p->k->blocks[a].apart, b);
    bits_add(p->k->blocks[b].apart, a);
    if (p->count == p->room) {
        size_t room = p->room ? 2 * p->room : 256;
        struct pair *more = arena_array(p->k->arena, struct pair, room);
        if (p->count)
            memcpy(more, p->work, p->count * sizeof *more);
        p->work = more;
        p->room = room;
    }
    p->work[p->count++] = (struct pair){a, b};
}

/* Lanes at `a` go on, those at `b` stay. */
static void advance_pair(struct pairs *p, uint32_t a, uint32_t b)
{
    const struct simt_block *bb = &p->k->blocks[a];

    if (bits_has(p->stops, a) && !bits_has(p->stops, b))
        return;
    for (unsigned e = 0; e < bb->edge_count; e++)
        add_pair(p, bb->edges[e].to, b);
}

static void add_splits(struct pairs *p)
{
    for (uint32_t b = 0; b < p->k->block_count; b++) {
        const struct simt_block *bb = &p->k->blocks[b];
        if (bb->kind != SIMT_END_VARYING && bb->kind != SIMT_END_SWITCH_VARYING)
            continue;
        for (unsigned e = 0; e < bb->edge_count; e++)
            for (unsigned other = 0; other < e; other++)
                add_pair(p, bb->edges[e].to, bb->edges[other].to);
    }
}

static bool find_stops(struct pairs *p)
{
    bool any = false;

    for (uint32_t b = 0; b < p->k->block_count; b++)
        for (uint32_t i = p->k->blocks[b].first; i < p->k->blocks[b].end; i++)
            if (simt_is_block_barrier(&p->k->func->insts[i])) {
                bits_add(p->stops, b);
                any = true;
            }
    return any;
}

void simt_find_apart(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    struct pairs p = {.k = k};

    for (uint32_t b = 0; b < k->block_count; b++)
        k->blocks[b].apart = k->blocks[b].pending;
    if (k->block_count > BLOCKS_MAX)
        return;
    p.stops = arena_array(k->arena, uint64_t, w->block_words);
    if (!find_stops(&p))
        return;
    for (uint32_t b = 0; b < k->block_count; b++)
        k->blocks[b].apart = arena_array(k->arena, uint64_t, w->block_words);
    add_splits(&p);
    while (p.count) {
        struct pair pair = p.work[--p.count];
        advance_pair(&p, pair.a, pair.b);
        advance_pair(&p, pair.b, pair.a);
    }
    /* If lanes of one block wait for those at another, only the latter see the
     * former there. */
    for (uint32_t b = 0; b < k->block_count; b++)
        for (size_t i = 0; i < w->block_words; i++)
            k->blocks[b].apart[i] &= k->blocks[b].pending[i];
}
