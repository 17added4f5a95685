/* SPDX-License-Identifier: Apache-2.0 */
/* Finding phases: see phase.h. */
#include "exec/sched/plan_internal.h"

#include <stdlib.h>

#include "base/size.h"
#include "exec/reach.h"

/* To look takes as long as some runs of a small graph; what programs change
 * before each launch is not looked at. */
#define CALM_FIRST WEFT_SIZE(8, 1)
#define CALM_MOST  WEFT_SIZE(4096, 1)

void phases_start(struct phase_state *s)
{
    *s = (struct phase_state){.changes = 1, .calm_wanted = CALM_FIRST};
}

void phases_change(struct phase_state *s)
{
    if (s->calm >= s->calm_wanted && s->calm_wanted < CALM_MOST)
        s->calm_wanted *= 2;
    s->calm = 0;
    s->changes++;
}

void phases_begin_run(struct phase_state *s)
{
    uint64_t now = exec_reach_epoch();
    if (now != s->epoch)
        phases_change(s);
    s->epoch = now;
    if (s->calm < s->calm_wanted)
        s->calm++;
}

/* ---- finding one -------------------------------------------------------- */

/* A phase as far as it is known, and what its kernels touch. */
struct finding {
    struct exec_plan *plan;
    struct phase *phase;
    struct exec_reach reach[PHASE_KERNELS];
    uint32_t early_count; /* with those behind the last kernel */
};

/* The step that comes next and behind nothing else; NULL: none is. */
static struct plan_step *next_in_chain(struct exec_plan *p,
                                       const struct plan_step *s)
{
    if (s->successor_count != 1)
        return NULL;
    struct plan_step *n = &p->steps[p->successors[s->first_successor]];
    assert(n->wait_count > 0);
    return n->wait_count == 1 && n->as.section == s->as.section ? n : NULL;
}

static bool is_apart_from_all(const struct finding *f,
                              const struct exec_reach *reach)
{
    for (uint32_t i = 0; i < f->phase->kernel_count; i++)
        if (!exec_reach_is_apart(&f->reach[i], reach))
            return false;
    return true;
}

static bool is_kernel(const struct plan_step *s)
{
    return s->as.kind == EXEC_STEP_TASK && !s->as.is_skipped &&
           s->next == EXEC_NO_STEP && s->as.task->kind == EXEC_TASK_KERNEL &&
           !sched_is_resident(&s->as.task->kernel);
}

static uint64_t block_count(const struct plan_step *s)
{
    return s->as.task->kernel.launch.block_count;
}

static bool add_kernel(struct finding *f, struct plan_step *s)
{
    struct phase *ph = f->phase;
    const struct exec_kernel *k = &s->as.task->kernel;
    struct exec_reach *reach = &f->reach[ph->kernel_count];
    if (!is_kernel(s) || ph->kernel_count == PHASE_KERNELS || s->cycles == 0 ||
        k->is_whole_block ||
        (ph->kernel_count &&
         block_count(s) != block_count(&f->plan->steps[ph->step[0]])) ||
        !exec_reach_of(k, reach) || !is_apart_from_all(f, reach))
        return false;
    assert(s >= f->plan->steps);
    ph->step[ph->kernel_count++] = (uint32_t)(s - f->plan->steps);
    ph->cycles += s->cycles;
    ph->early_count = f->early_count;
    return true;
}

static struct exec_touch touch_of(const struct exec_span *s, bool writes)
{
    return (struct exec_touch){s->low, s->high, 0,
                               s->low, s->high, .writes = writes};
}

/* A copy or a fill of which it is known what it touches: none of that is the
 * kernels'. */
static bool may_be_early(const struct finding *f, const struct exec_step *as)
{
    const struct exec_reach reach = {
        .count = 2,
        .touch = {touch_of(&as->reads, false), touch_of(&as->writes, true)}};
    return as->kind == EXEC_STEP_TASK && as->is_spanned &&
           is_apart_from_all(f, &reach);
}

/* It, or several that are one step. */
static bool add_early(struct finding *f, struct plan_step *s)
{
    struct exec_plan *p = f->plan;
    if (f->early_count == PHASE_EARLY)
        return false;
    for (uint32_t i = (uint32_t)(s - p->steps); i != EXEC_NO_STEP;
         i = p->steps[i].next)
        if (!may_be_early(f, &p->steps[i].as))
            return false;
    f->phase->early[f->early_count++] = (uint32_t)(s - p->steps);
    return true;
}

/* Behind copies and fills at most. */
static bool has_kernel_behind(struct exec_plan *p, const struct plan_step *s)
{
    do
        s = next_in_chain(p, s);
    while (s && s->as.is_spanned);
    return s && is_kernel(s);
}

static void find_phase(struct exec_plan *p, struct plan_step *s,
                       struct phase *ph)
{
    struct finding f = {.plan = p, .phase = ph};
    *ph = (struct phase){.changes = p->phases.changes};
    if (!add_kernel(&f, s))
        return;
    while ((s = next_in_chain(p, s)) != NULL)
        if (!(s->as.is_spanned ? add_early(&f, s) : add_kernel(&f, s)))
            return;
}

struct phase *phase_of(struct exec_plan *p, struct plan_step *s)
{
    if (p->phases.calm < p->phases.calm_wanted || s->cycles == 0 ||
        p->team_kernels == 0 || /* none is worth it */
        !has_kernel_behind(p, s))
        return NULL;
    if (!s->phase)
        s->phase = calloc(1, sizeof *s->phase);
    if (!s->phase)
        return NULL;
    if (s->phase->changes != p->phases.changes)
        find_phase(p, s, s->phase);
    assert(s->phase->early_count <= PHASE_EARLY &&
           s->phase->kernel_count <= PHASE_KERNELS);
    return s->phase->kernel_count > 1 ? s->phase : NULL;
}
