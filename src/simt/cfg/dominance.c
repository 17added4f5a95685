/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Immediate dominators and post-dominators.
 *
 * Source: Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm", 2001.
 */
#include "simt/internal.h"

/* The graph in the form that the algorithm needs: nodes in an order in which
 * each is behind its predecessors, loops aside; node 0 is the root. */
struct dom_graph {
    struct simt_work *w;
    uint32_t count;
    uint32_t **preds;
    uint32_t *pred_count;
    uint32_t *idom;
};

static uint32_t intersect_dominators(const struct dom_graph *g, uint32_t a,
                                     uint32_t b)
{
    uint64_t steps = 1;

    while (a != b) {
        for (; a > b; steps++)
            a = g->idom[a];
        for (; b > a; steps++)
            b = g->idom[b];
    }
    simt_can_go_on(g->w, steps);
    return a;
}

static void solve_dominators(struct dom_graph *g)
{
    bool changed = true;

    for (uint32_t i = 0; i < g->count; i++)
        g->idom[i] = UINT32_MAX;
    g->idom[0] = 0;
    while (changed && simt_can_go_on(g->w, g->count)) {
        changed = false;
        for (uint32_t i = 1; i < g->count && simt_can_go_on(g->w, 0); i++) {
            uint32_t best = UINT32_MAX;
            for (uint32_t p = 0; p < g->pred_count[i]; p++) {
                uint32_t from = g->preds[i][p];
                if (g->idom[from] == UINT32_MAX)
                    continue;
                best = best == UINT32_MAX ? from
                                          : intersect_dominators(g, best, from);
            }
            if (best != g->idom[i]) {
                g->idom[i] = best;
                changed = true;
            }
        }
    }
}

static void find_idoms(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    uint32_t n = k->block_count;
    struct dom_graph g = {.w = w,
                          .count = n,
                          .preds = arena_array(k->arena, uint32_t *, n),
                          .pred_count = arena_array(k->arena, uint32_t, n),
                          .idom = arena_array(k->arena, uint32_t, n)};

    for (uint32_t b = 0; b < n; b++) {
        g.preds[b] = k->blocks[b].preds;
        g.pred_count[b] = k->blocks[b].pred_count;
    }
    solve_dominators(&g);
    for (uint32_t b = 0; b < n; b++)
        k->blocks[b].idom = b == 0 ? SIMT_NO_BLOCK : g.idom[b];
}

/* Node 0 is the function's end, node i is block n - i. A block that never
 * reaches the end (endless loops, traps) counts as leading to it. */
static void find_ipdoms(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    uint32_t n = k->block_count;
    struct dom_graph g = {.w = w,
                          .count = n + 1,
                          .preds = arena_array(k->arena, uint32_t *, n + 1),
                          .pred_count = arena_array(k->arena, uint32_t, n + 1),
                          .idom = arena_array(k->arena, uint32_t, n + 1)};
    bool *reaches = arena_array(k->arena, bool, n);

    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = n; b-- > 0;)
            for (unsigned e = 0; e < k->blocks[b].edge_count; e++) {
                uint32_t to = k->blocks[b].edges[e].to;
                if (!reaches[b] && (to == SIMT_NO_BLOCK || reaches[to]))
                    reaches[b] = changed = true;
            }
    }
    for (uint32_t b = 0; b < n; b++) {
        const struct simt_block *bb = &k->blocks[b];
        uint32_t node = n - b, count = 0;
        g.preds[node] = arena_array(k->arena, uint32_t, bb->edge_count + 1);
        for (unsigned e = 0; e < bb->edge_count; e++)
            g.preds[node][count++] =
                bb->edges[e].to == SIMT_NO_BLOCK ? 0 : n - bb->edges[e].to;
        if (!reaches[b])
            g.preds[node][count++] = 0;
        g.pred_count[node] = count;
    }
    solve_dominators(&g);
    for (uint32_t b = 0; b < n; b++) {
        uint32_t up = g.idom[n - b];
        k->blocks[b].ipdom =
            up == 0 || up == UINT32_MAX ? SIMT_NO_BLOCK : n - up;
    }
}

bool simt_find_dominators(struct simt_work *w)
{
    find_idoms(w);
    find_ipdoms(w);
    return simt_can_go_on(w, 0);
}

bool simt_dominates(const struct simt_kernel *k, uint32_t a, uint32_t b)
{
    assert(a < k->block_count && b < k->block_count);
    while (b != a) {
        uint32_t above = k->blocks[b].idom;
        if (above >= k->block_count || above == b)
            return false;
        b = above;
    }
    return true;
}

bool simt_is_only_way(const struct simt_kernel *k, uint32_t from, uint32_t to)
{
    const struct simt_block *bb = &k->blocks[to];

    assert(from < k->block_count && to < k->block_count);
    for (unsigned i = 0; i < bb->pred_count; i++)
        if (bb->preds[i] != from && !simt_dominates(k, to, bb->preds[i]))
            return false;
    return true;
}
