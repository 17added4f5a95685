/* SPDX-License-Identifier: Apache-2.0 */
/* Making plans: steps, the edges behind each, the roots of each section. */
#define _GNU_SOURCE
#include "exec/sched/plan_internal.h"

#include "exec/sched/coalesce.h"

#include <stdlib.h>

static uint32_t ring_size(uint32_t count)
{
    uint32_t size = 1;
    while (size < count)
        size *= 2;
    return size;
}

struct exec_plan *exec_plan_ref(struct exec_plan *p)
{
    atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
    return p;
}

void exec_plan_unref(struct exec_plan *p)
{
    /* Each pairs with the others: the last sees what all wrote. */
    if (!p || atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (uint32_t i = 0; p->steps && i < p->step_count; i++) {
        exec_task_unref(p->steps[i].as.task);
        free(p->steps[i].phase);
    }
    pthread_mutex_destroy(&p->lock);
    free(p->steps);
    free(p->successors);
    free(p->roots);
    free(p->sections);
    free(p->queue);
    free(p);
}

static struct exec_plan *plan_alloc(uint32_t steps, size_t edges,
                                    uint32_t sections)
{
    struct exec_plan *p = aligned_alloc(CACHE_LINE, sizeof *p);
    if (!p)
        return NULL;
    memset(p, 0, sizeof *p);
    atomic_init(&p->refs, 1);
    pthread_mutexattr_t attributes; /* it is held for some ten cycles */
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&p->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    p->step_count = steps;
    p->section_count = sections;
    phases_start(&p->phases);
    p->mask = ring_size(steps) - 1;
    p->steps = calloc(steps + 1, sizeof *p->steps);
    p->successors = calloc(edges + 1, sizeof *p->successors);
    p->roots = calloc(steps + 1, sizeof *p->roots);
    p->sections = calloc(sections, sizeof *p->sections);
    p->queue = calloc((size_t)p->mask + 1, sizeof *p->queue);
    if (p->steps && p->successors && p->roots && p->sections && p->queue)
        return p;
    exec_plan_unref(p);
    return NULL;
}

/* Writes the successors of all steps side by side, in the order of the
 * edges. */
static void add_edges(struct exec_plan *p, const struct exec_plan_edge *edges,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        p->steps[edges[i].from].successor_count++;
        p->steps[edges[i].to].wait_count++;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->step_count; i++) {
        struct plan_step *s = &p->steps[i];
        s->first_successor = at;
        at += s->successor_count;
        s->successor_count = 0;
        atomic_init(&s->waiting, s->wait_count);
    }
    for (size_t i = 0; i < count; i++) {
        struct plan_step *s = &p->steps[edges[i].from];
        p->successors[s->first_successor + s->successor_count++] = edges[i].to;
    }
}

/* Sorts by priority; steps of equal priority keep their order. */
static void sort_steps(const struct exec_plan *p, uint32_t *list,
                       uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t step = list[i], j = i;
        int priority = p->steps[step].as.priority;
        for (; j > 0 && p->steps[list[j - 1]].as.priority > priority; j--)
            list[j] = list[j - 1];
        list[j] = step;
    }
}

static void find_roots(struct exec_plan *p)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < p->section_count; k++) {
        struct section *section = &p->sections[k];
        section->first_root = at;
        section->owner = EXEC_NO_STEP;
        for (uint32_t i = 0; i < p->step_count; i++) {
            const struct plan_step *s = &p->steps[i];
            if (s->as.section != k || s->is_follower)
                continue;
            if (s->wait_count == 0)
                p->roots[at++] = i;
            if (s->successor_count == 0)
                section->sink_count++;
        }
        section->root_count = at - section->first_root;
        sort_steps(p, p->roots + section->first_root, section->root_count);
    }
}

static void add_steps(struct exec_plan *p, const struct exec_step *steps,
                      const uint32_t *next)
{
    for (uint32_t i = 0; i < p->step_count; i++) {
        p->steps[i].as = steps[i];
        p->steps[i].plan = p;
        p->steps[i].next = next[i];
        if (next[i] != EXEC_NO_STEP)
            p->steps[next[i]].is_follower = true;
    }
}

static struct exec_plan *no_plan(const struct exec_step *steps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        exec_task_unref(steps[i].task);
    return NULL;
}

struct exec_plan *exec_plan_create(const struct exec_step *steps,
                                   uint32_t step_count,
                                   const struct exec_plan_edge *all_edges,
                                   size_t edge_count, uint32_t section_count)
{
    task_fill_reserve();
    struct exec_plan *p = plan_alloc(step_count, edge_count, section_count);
    struct exec_plan_edge *edges = calloc(edge_count + 1, sizeof *edges);
    uint32_t *next = calloc((size_t)step_count + 1, sizeof *next);
    if (edges && edge_count)
        memcpy(edges, all_edges, edge_count * sizeof *edges);
    if (!p || !edges || !next ||
        !plan_coalesce(steps, step_count, edges, &edge_count, next)) {
        exec_plan_unref(p);
        free(edges);
        free(next);
        return no_plan(steps, step_count);
    }
    add_steps(p, steps, next);
    add_edges(p, edges, edge_count);
    free(edges);
    free(next);
    for (uint32_t i = 0; i < step_count; i++)
        sort_steps(p, p->successors + p->steps[i].first_successor,
                   p->steps[i].successor_count);
    find_roots(p);
    return p;
}

struct exec_step *exec_plan_step(struct exec_plan *p, uint32_t step)
{
    assert(step < p->step_count);
    phases_change(&p->phases);
    return &p->steps[step].as;
}

void exec_plan_on_fault(struct exec_plan *p,
                        void (*fn)(void *data, enum exec_fault fault,
                                   uint32_t step),
                        void *data)
{
    p->on_fault = fn;
    p->fault_data = data;
}
