/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule order of blocks. Lanes of a warp wait for each other at the
 * earliest block in this order, so it decides where they meet again: a block
 * stands after every block that can lead to it (loops aside), hence after
 * everything that lanes on another path still have to do before they join.
 *
 * The graph is split into strongly connected regions, ordered topologically,
 * text order breaking ties. A region with a cycle is a loop: its header goes
 * first and the rest is ordered in the same way without the edges to the
 * header. Any graph can be ordered so, also an irreducible one; there the
 * header is merely the first of several entries.
 *
 * Source: Steensgaard, "Sequentializing program dependence graphs", 1993, for
 * the nesting of irreducible loops.
 */
#include "simt/internal.h"

#include <stdlib.h>

struct layout {
    struct simt_work *w;
    uint32_t count;  /* blocks in text order */
    uint32_t *order; /* result: text index by position */
    uint32_t placed;
    struct simt_loop **loop_of; /* by text index */
    /* Tarjan's algorithm, over the blocks whose region is `region`. */
    uint32_t *region, *number, *low, *component, *stack;
    bool *on_stack;
    uint32_t stack_count, next_number, next_region;
    uint32_t *stamped, stamp;
    /* An explicit call stack: kernels can be long chains. */
    struct frame {
        uint32_t block;
        unsigned edge;
    } * frames;
};

static bool edge_stays(const struct layout *l, uint32_t to, uint32_t region,
                       uint32_t header)
{
    return to != SIMT_NO_BLOCK && to != header && l->region[to] == region;
}

/* Numbers components in reverse topological order. Returns their number. */
static uint32_t find_components(struct layout *l, const uint32_t *members,
                                uint32_t member_count, uint32_t region,
                                uint32_t header)
{
    struct simt_block *blocks = l->w->k->blocks;
    uint32_t components = 0;

    l->next_number = 1;
    for (uint32_t i = 0; i < member_count; i++)
        l->number[members[i]] = 0;
    for (uint32_t i = 0; i < member_count; i++) {
        if (l->number[members[i]])
            continue;
        uint32_t depth = 0;
        l->frames[depth++] = (struct frame){members[i], 0};
        while (depth > 0) {
            struct frame *f = &l->frames[depth - 1];
            uint32_t b = f->block;
            if (f->edge == 0 && !l->number[b]) {
                l->number[b] = l->low[b] = l->next_number++;
                l->stack[l->stack_count++] = b;
                l->on_stack[b] = true;
            }
            if (f->edge < blocks[b].edge_count) {
                uint32_t to = blocks[b].edges[f->edge++].to;
                if (!edge_stays(l, to, region, header))
                    continue;
                if (!l->number[to])
                    l->frames[depth++] = (struct frame){to, 0};
                else if (l->on_stack[to] && l->number[to] < l->low[b])
                    l->low[b] = l->number[to];
                continue;
            }
            depth--;
            if (depth > 0) {
                uint32_t up = l->frames[depth - 1].block;
                if (l->low[b] < l->low[up])
                    l->low[up] = l->low[b];
            }
            if (l->low[b] != l->number[b])
                continue;
            uint32_t top;
            do {
                top = l->stack[--l->stack_count];
                l->on_stack[top] = false;
                l->component[top] = components;
            } while (top != b);
            components++;
        }
    }
    return components;
}

/* A strongly connected region at this level of nesting. */
struct region_info {
    uint32_t *members;
    /* waiting: edges from regions that are not placed yet */
    uint32_t count, waiting;
    uint32_t first;          /* lowest text index */
    bool is_cycle;
};

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static struct region_info *collect_regions(struct layout *l,
                                           const uint32_t *members,
                                           uint32_t member_count,
                                           uint32_t components, uint32_t region,
                                           uint32_t header)
{
    struct arena *a = l->w->k->arena;
    struct simt_block *blocks = l->w->k->blocks;
    struct region_info *r = arena_array(a, struct region_info, components);

    for (uint32_t i = 0; i < member_count; i++)
        r[l->component[members[i]]].count++;
    for (uint32_t c = 0; c < components; c++) {
        r[c].members = arena_array(a, uint32_t, r[c].count);
        r[c].count = 0;
        r[c].first = UINT32_MAX;
    }
    for (uint32_t i = 0; i < member_count; i++) {
        uint32_t b = members[i];
        struct region_info *own = &r[l->component[b]];
        own->members[own->count++] = b;
        if (b < own->first)
            own->first = b;
        for (unsigned e = 0; e < blocks[b].edge_count; e++) {
            uint32_t to = blocks[b].edges[e].to;
            if (!edge_stays(l, to, region, header))
                continue;
            if (l->component[to] == l->component[b])
                own->is_cycle = true;
            else
                r[l->component[to]].waiting++;
        }
    }
    return r;
}

/* The region's lowest block with an edge from outside; *is_irreducible: there
 * are several. */
static uint32_t choose_header(struct layout *l, const struct region_info *r,
                              bool *is_irreducible)
{
    const struct simt_block *blocks = l->w->k->blocks;
    uint32_t header = UINT32_MAX, entries = 0;

    l->stamp++;
    for (uint32_t i = 0; i < r->count; i++)
        l->stamped[r->members[i]] = l->stamp;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t b = r->members[i];
        bool is_entry = b == 0;
        for (unsigned p = 0; p < blocks[b].pred_count; p++)
            is_entry |= l->stamped[blocks[b].preds[p]] != l->stamp;
        if (!is_entry)
            continue;
        entries++;
        if (b < header)
            header = b;
    }
    *is_irreducible = entries > 1;
    return header == UINT32_MAX ? r->first : header;
}

/* Regions that wait for none, as a heap with the first in text order on
 * top. */
struct ready {
    const struct region_info *regions;
    uint32_t *heap, count;
};

static bool is_before(const struct ready *h, uint32_t i, uint32_t j)
{
    return h->regions[h->heap[i]].first < h->regions[h->heap[j]].first;
}

static void swap_ready(struct ready *h, uint32_t i, uint32_t j)
{
    uint32_t c = h->heap[i];
    h->heap[i] = h->heap[j];
    h->heap[j] = c;
}

static void ready_push(struct ready *h, uint32_t component)
{
    uint32_t i = h->count++;

    h->heap[i] = component;
    for (; i > 0 && is_before(h, i, (i - 1) / 2); i = (i - 1) / 2)
        swap_ready(h, i, (i - 1) / 2);
}

static uint32_t ready_pop(struct ready *h)
{
    uint32_t top = h->heap[0];

    assert(h->count > 0);
    h->heap[0] = h->heap[--h->count];
    for (uint32_t i = 0, child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && is_before(h, child + 1, child))
            child++;
        if (!is_before(h, child, i))
            break;
        swap_ready(h, i, child);
    }
    return top;
}

static void place_members(struct layout *l, uint32_t *members, uint32_t count,
                          uint32_t region, uint32_t header,
                          struct simt_loop *loop);

static void place_region(struct layout *l, struct region_info *r,
                         struct simt_loop *loop)
{
    if (!r->is_cycle) {
        l->loop_of[r->members[0]] = loop;
        l->order[l->placed++] = r->members[0];
        return;
    }
    struct simt_loop *inner = arena_new(l->w->k->arena, struct simt_loop);
    inner->parent = loop;
    inner->first = l->placed;
    uint32_t header = choose_header(l, r, &inner->is_irreducible);
    l->loop_of[header] = inner;
    l->order[l->placed++] = header;

    uint32_t region = l->next_region++, rest = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->members[i] == header)
            continue;
        l->region[r->members[i]] = region;
        r->members[rest++] = r->members[i];
    }
    place_members(l, r->members, rest, region, header, inner);
    inner->last = l->placed - 1;
}

/* Orders `members`, which are all in `region`, without the edges to
 * `header`. */
static void place_members(struct layout *l, uint32_t *members, uint32_t count,
                          uint32_t region, uint32_t header,
                          struct simt_loop *loop)
{
    struct simt_block *blocks = l->w->k->blocks;

    /* Done once at each depth of loops: some hundred bytes for each block, and
     * a few looks at its edges. */
    for (uint32_t i = 0; i < count; i++)
        simt_can_go_on(l->w, 1000 + 20 * blocks[members[i]].edge_count);
    if (count == 0 || !simt_can_go_on(l->w, 0))
        return;
    qsort(members, count, sizeof *members, compare_u32);
    uint32_t components = find_components(l, members, count, region, header);
    struct region_info *r =
        collect_regions(l, members, count, components, region, header);
    struct ready ready = {
        .regions = r,
        .heap = arena_array(l->w->k->arena, uint32_t, components)};
    for (uint32_t c = 0; c < components; c++)
        if (r[c].waiting == 0)
            ready_push(&ready, c);

    while (ready.count > 0) {
        uint32_t component = ready_pop(&ready);
        struct region_info *best = &r[component];
        /* The regions that wait for this one; noted before its blocks move,
         * while their component numbers are still valid. */
        for (uint32_t i = 0; i < best->count; i++) {
            uint32_t b = best->members[i];
            for (unsigned e = 0; e < blocks[b].edge_count; e++) {
                uint32_t to = blocks[b].edges[e].to;
                if (edge_stays(l, to, region, header) &&
                    l->component[to] != component &&
                    --r[l->component[to]].waiting == 0)
                    ready_push(&ready, l->component[to]);
            }
        }
        place_region(l, best, loop);
    }
}

static uint32_t mark_reachable(struct layout *l, bool *is_reachable)
{
    struct simt_block *blocks = l->w->k->blocks;
    uint32_t count = 0, depth = 0;

    is_reachable[0] = true;
    l->stack[depth++] = 0;
    while (depth > 0) {
        uint32_t b = l->stack[--depth];
        count++;
        for (unsigned e = 0; e < blocks[b].edge_count; e++) {
            uint32_t to = blocks[b].edges[e].to;
            if (to != SIMT_NO_BLOCK && !is_reachable[to]) {
                is_reachable[to] = true;
                l->stack[depth++] = to;
            }
        }
    }
    return count;
}

static void find_preds(struct simt_kernel *k)
{
    uint32_t *filled = arena_array(k->arena, uint32_t, k->block_count);

    for (uint32_t b = 0; b < k->block_count; b++)
        k->blocks[b].pred_count = 0;
    for (uint32_t b = 0; b < k->block_count; b++)
        for (unsigned e = 0; e < k->blocks[b].edge_count; e++)
            if (k->blocks[b].edges[e].to != SIMT_NO_BLOCK)
                k->blocks[k->blocks[b].edges[e].to].pred_count++;
    for (uint32_t b = 0; b < k->block_count; b++)
        k->blocks[b].preds =
            arena_array(k->arena, uint32_t, k->blocks[b].pred_count);
    for (uint32_t b = 0; b < k->block_count; b++)
        for (unsigned e = 0; e < k->blocks[b].edge_count; e++) {
            uint32_t to = k->blocks[b].edges[e].to;
            if (to != SIMT_NO_BLOCK)
                k->blocks[to].preds[filled[to]++] = b;
        }
}

/* Moves blocks to their positions and renumbers all references to them. */
static void apply_order(struct layout *l)
{
    struct simt_kernel *k = l->w->k;
    uint32_t *position = arena_array(k->arena, uint32_t, l->count);
    struct simt_block *blocks =
        arena_array(k->arena, struct simt_block, l->placed);
    struct simt_loop **loops =
        arena_array(k->arena, struct simt_loop *, l->placed);

    for (uint32_t i = 0; i < l->placed; i++)
        position[l->order[i]] = i;
    for (uint32_t i = 0; i < l->placed; i++) {
        blocks[i] = k->blocks[l->order[i]];
        loops[i] = l->loop_of[l->order[i]];
        for (unsigned e = 0; e < blocks[i].edge_count; e++) {
            uint32_t *to = &blocks[i].edges[e].to;
            if (*to != SIMT_NO_BLOCK)
                *to = position[*to];
        }
    }
    k->blocks = blocks;
    k->block_count = l->placed;
    l->w->loop_of = loops;
    for (uint32_t i = 0; i < l->placed; i++) {
        struct simt_loop *loop = loops[i];
        blocks[i].loop_header = loop ? loop->first : SIMT_NO_BLOCK;
        blocks[i].loop_depth = 0;
        for (; loop; loop = loop->parent)
            blocks[i].loop_depth++;
    }
    find_preds(k);
}

bool simt_order_blocks(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    struct arena *a = k->arena;
    uint32_t n = k->block_count;
    struct layout l = {
        .w = w,
        .count = n,
        .order = arena_array(a, uint32_t, n),
        .loop_of = arena_array(a, struct simt_loop *, n),
        .region = arena_array(a, uint32_t, n),
        .number = arena_array(a, uint32_t, n),
        .low = arena_array(a, uint32_t, n),
        .component = arena_array(a, uint32_t, n),
        .stack = arena_array(a, uint32_t, n + 1),
        .stamped = arena_array(a, uint32_t, n),
        .on_stack = arena_array(a, bool, n),
        .frames = arena_array(a, struct frame, n + 1),
        .next_region = 2,
    };
    bool *is_reachable = arena_array(a, bool, n);
    uint32_t count = mark_reachable(&l, is_reachable);

    find_preds(k);
    uint32_t *members = arena_array(a, uint32_t, n);
    uint32_t m = 0;
    for (uint32_t b = 0; b < n; b++) {
        if (!is_reachable[b])
            continue;
        l.region[b] = 1;
        members[m++] = b;
    }
    place_members(&l, members, m, 1, SIMT_NO_BLOCK, NULL);
    if (!simt_can_go_on(w, 0))
        return false;
    assert(l.placed == count);
    (void)count;
    apply_order(&l);
    return true;
}
