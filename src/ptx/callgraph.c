/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How deeply calls nest. Other code follows calls from a kernel recursively,
 * and a chain that no real program has would overflow its stack: the parser
 * refuses it.
 */
#include "ptx/internal.h"

#include <stdlib.h>

enum { CALL_DEPTH_MAX = 4000 };

/* Stands for all functions whose address is taken: the targets of indirect
 * calls. */
#define ANY_FUNC(g) ((uint32_t)(g)->m->func_count)

/* A function on the way from a root, and how far its calls have been
 * followed. */
struct step {
    uint32_t func;
    size_t next; /* instruction, or function for ANY_FUNC */
};

struct call_graph {
    const struct ptx_module *m;
    uint32_t *height; /* by function: depth of the calls below it */
    bool *is_seen;
    struct step *steps; /* each function at most once */
    size_t depth;
};

/* Finds the function's next call. False: there are no more. */
static bool next_call(const struct call_graph *g, struct step *s, uint32_t *to)
{
    const struct ptx_module *m = g->m;
    if (s->func == ANY_FUNC(g)) {
        while (s->next < m->func_count && !m->funcs[s->next]->is_address_taken)
            s->next++;
        *to = (uint32_t)s->next++;
        return *to < m->func_count;
    }
    const struct ptx_func *f = m->funcs[s->func];
    for (; s->next < f->inst_count; s->next++) {
        const struct ptx_call *call = f->insts[s->next].call;
        if (!call)
            continue;
        *to = call->func ? call->func->index : ANY_FUNC(g);
        s->next++;
        return true;
    }
    return false;
}

/* Measures the calls below `root`; calls back to a function on the way do not
 * count. */
static void measure_calls(struct call_graph *g, uint32_t root)
{
    uint32_t to;
    if (g->is_seen[root])
        return;
    g->is_seen[root] = true;
    g->steps[g->depth++] = (struct step){root, 0};
    while (g->depth > 0) {
        struct step *s = &g->steps[g->depth - 1];
        if (next_call(g, s, &to)) {
            if (!g->is_seen[to]) {
                g->is_seen[to] = true;
                g->steps[g->depth++] = (struct step){to, 0};
            } else if (g->height[to] + 1 > g->height[s->func]) {
                g->height[s->func] = g->height[to] + 1;
            }
            continue;
        }
        uint32_t height = g->height[s->func] + 1;
        if (--g->depth > 0 && height > g->height[s[-1].func])
            g->height[s[-1].func] = height;
    }
}

bool check_call_depth(const struct ptx_module *m, const char *name,
                      struct diag *diag)
{
    struct call_graph g = {.m = m};
    bool is_good = true;
    if (m->func_count <= CALL_DEPTH_MAX) /* nearly always */
        return true;
    struct arena *a = arena_create();
    g.height = arena_array(a, uint32_t, m->func_count + 1);
    g.is_seen = arena_array(a, bool, m->func_count + 1);
    g.steps = arena_array(a, struct step, m->func_count + 1);
    for (uint32_t i = 0; i < m->func_count && is_good; i++) {
        measure_calls(&g, i);
        is_good = g.height[i] <= CALL_DEPTH_MAX;
        if (!is_good)
            diag_error(
                diag, "%s:%u: error: calls in `%s` are nested deeper than %d",
                name, m->funcs[i]->line, m->funcs[i]->name, CALL_DEPTH_MAX);
    }
    arena_destroy(a);
    return is_good;
}
