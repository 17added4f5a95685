/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coalescing. A copy of some bytes takes less time than to go from one step to
 * the next, so brief steps are put together:
 *
 *     a row, each with nothing but the other beside it      a -> b -> c
 *     a level, between the same two steps              p -> (a, b, c) -> s
 *
 * The first is their leader: it has their edges, and whoever runs it runs the
 * others behind it. Each stays a step that may be exchanged or skipped.
 */
#include "exec/sched/coalesce.h"

#include <stdlib.h>

enum { GROUP_MAX = 16 };

/* How a step came to be run by its leader. */
enum role { LEADER, IN_ROW, IN_LEVEL };

struct member {
    enum role role;
    uint32_t leader, tail, size;   /* size and tail: of a leader */
    uint32_t before_count, before; /* `before`: if it is one */
    uint32_t after_count, after;   /* the same of what comes behind */
    uint32_t level; /* of a step: the leader of the last level behind it */
};

struct coalescing {
    const struct exec_step *steps;
    uint32_t count;
    struct member *members; /* one more: what comes behind nothing */
    uint32_t *next;
};

static void note_edges(struct coalescing *c, const struct exec_plan_edge *edges,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct member *from = &c->members[edges[i].from];
        struct member *to = &c->members[edges[i].to];
        assert(edges[i].from < edges[i].to);
        from->after_count++;
        from->after = edges[i].to;
        to->before_count++;
        to->before = edges[i].from;
    }
}

static bool is_brief(const struct coalescing *c, uint32_t i)
{
    return c->steps[i].is_brief && c->steps[i].kind == EXEC_STEP_TASK;
}

/* Joins the group of leader i to the group of `leader`, behind its members. */
static bool unite_with(struct coalescing *c, uint32_t leader, uint32_t i,
                       enum role role)
{
    struct member *l = &c->members[leader], *m = &c->members[i];
    assert(leader < i && l->role == LEADER && m->role == LEADER);
    if (l->size + m->size > GROUP_MAX)
        return false;
    c->next[l->tail] = i;
    l->tail = m->tail;
    l->size += m->size;
    m->role = role;
    m->leader = leader;
    return true;
}

/* Joins step i to the one step before it, if that is brief and leads nowhere
 * else. */
static void try_row(struct coalescing *c, uint32_t i)
{
    struct member *m = &c->members[i];
    if (!is_brief(c, i) || m->before_count != 1)
        return;
    uint32_t before = m->before;
    if (c->members[before].role == IN_ROW)
        before = c->members[before].leader;
    struct member *l = &c->members[before];
    if (!is_brief(c, before) || l->after_count != 1 || l->after != i ||
        c->steps[before].section != c->steps[i].section ||
        !unite_with(c, before, i, IN_ROW))
        return;
    l->after_count = m->after_count;
    l->after = m->after;
}

/* Joins step i to another that lies between the same two steps, or at the same
 * end of the plan. */
static void try_level(struct coalescing *c, uint32_t i)
{
    struct member *m = &c->members[i];
    if (m->role != LEADER || !is_brief(c, i) || m->before_count > 1 ||
        m->after_count > 1)
        return;
    uint32_t *level = &c->members[m->before_count ? m->before : c->count].level;
    const struct member *l = &c->members[*level];
    if (*level != EXEC_NO_STEP && l->after_count == m->after_count &&
        (!m->after_count || l->after == m->after) &&
        c->steps[*level].section == c->steps[i].section &&
        unite_with(c, *level, i, IN_LEVEL))
        return;
    *level = i;
}

/* The leader whose edge an edge out of step i becomes; EXEC_NO_STEP: the edge
 * disappears. */
static uint32_t edge_origin(const struct coalescing *c, uint32_t i)
{
    if (c->members[i].role == IN_ROW)
        i = c->members[i].leader;
    assert(c->members[i].role != IN_ROW); /* rows have no leaders in rows */
    return c->members[i].role == IN_LEVEL ? EXEC_NO_STEP : i;
}

static size_t redirect_edges(const struct coalescing *c,
                             struct exec_plan_edge *edges, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t from = edge_origin(c, edges[i].from), to = edges[i].to;
        if (from != EXEC_NO_STEP && c->members[to].role == LEADER)
            edges[kept++] = (struct exec_plan_edge){from, to};
    }
    return kept;
}

bool plan_coalesce(const struct exec_step *steps, uint32_t step_count,
                   struct exec_plan_edge *edges, size_t *edge_count,
                   uint32_t *next)
{
    struct coalescing c = {.steps = steps, .count = step_count, .next = next};
    c.members = calloc((size_t)step_count + 1, sizeof *c.members);
    for (uint32_t i = 0; i < step_count; i++)
        next[i] = EXEC_NO_STEP;
    if (!c.members)
        return false;
    for (uint32_t i = 0; i <= step_count; i++) {
        c.members[i].tail = i;
        c.members[i].size = 1;
        c.members[i].level = EXEC_NO_STEP;
    }
    note_edges(&c, edges, *edge_count);
    for (uint32_t i = 0; i < step_count; i++)
        try_row(&c, i);
    for (uint32_t i = 0; i < step_count; i++)
        try_level(&c, i);
    *edge_count = redirect_edges(&c, edges, *edge_count);
    free(c.members);
    return true;
}
