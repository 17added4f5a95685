/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches. Each is a run of the instance's plan, and comes after the run
 * before. Launches that are over are reused, so that in the long run a launch
 * allocates nothing. A change of an instance with runs under way waits until
 * the next launch begins.
 */
#include "core/graph/updatable.h"

#include <stdlib.h>

/* ---- changes ----------------------------------------------------------- */

/* The task that later work waits for. */
static struct exec_task *end_of(const struct graph_launch *l)
{
    return l->whole ? l->whole : l->run;
}

bool exec_is_idle(CUgraphExec e)
{
    return !e->last || exec_task_is_done(end_of(e->last));
}

struct exec_task *exec_last_end(CUgraphExec e)
{
    return exec_is_idle(e) ? NULL : end_of(e->last);
}

static void apply_to_condition(const struct graph_patch *p)
{
    struct graph_condition *c = p->condition;
    c->alias = p->becomes.handle;
    c->default_value = p->becomes.default_value;
    c->flags = p->becomes.flags;
}

static void apply_to_step(CUgraphExec e, const struct graph_patch *p)
{
    struct exec_step *step = exec_plan_step(e->plan, p->step);
    struct exec_task *old = step->task;
    uint32_t section = step->section;
    if (old == p->as.task)
        old = NULL; /* only whether the step is skipped changes */
    *step = p->as;
    step->section = section;
    kernel_step_installed(step);
    exec_task_unref(old);
}

static void apply_patch(CUgraphExec e, const struct graph_patch *p)
{
    if (p->condition)
        apply_to_condition(p);
    else
        apply_to_step(e, p);
}

static void apply_all(CUgraphExec e, struct graph_patch *patches)
{
    while (patches) {
        struct graph_patch *next = patches->next;
        apply_patch(e, patches);
        free(patches);
        patches = next;
    }
}

static struct graph_patch *take_patches(CUgraphExec e)
{
    struct graph_patch *patches = e->patches;
    e->patches = NULL;
    e->patch_end = &e->patches;
    return patches;
}

static CUresult add_patch(CUgraphExec e, const struct graph_patch *patch)
{
    assert(!patch->next);
    e->is_uploaded = false;
    if (exec_is_idle(e)) {
        apply_all(e, take_patches(e));
        apply_patch(e, patch);
        return CUDA_SUCCESS;
    }
    struct graph_patch *p = malloc(sizeof *p);
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *p = *patch;
    *e->patch_end = p;
    e->patch_end = &p->next;
    return CUDA_SUCCESS;
}

CUresult exec_patch(CUgraphExec e, uint32_t step, const struct exec_step *as)
{
    const struct graph_patch p = {.step = step, .as = *as};
    return add_patch(e, &p);
}

CUresult exec_patch_condition(CUgraphExec e, struct graph_condition *c,
                              const struct graph_condition *becomes)
{
    const struct graph_patch p = {.condition = c, .becomes = *becomes};
    return add_patch(e, &p);
}

/* ---- a launch's life --------------------------------------------------- */

struct exec_task *exec_take_mark(CUgraphNode n)
{
    assert(n->exec->running && n->mark < n->exec->events.count);
    struct exec_task **mark = &n->exec->running->marks[n->mark];
    struct exec_task *t = *mark;
    *mark = NULL;
    return t;
}

/* Called on the thread that begins the run. */
static void begin_graph_run(void *data)
{
    assert(((struct graph_launch *)data)->exec);
    struct graph_launch *l = data;
    CUgraphExec e = l->exec;
    struct graph_patch *patches = l->patches;
    if (patches)
        l->patches = NULL;
    if (e->running != l)
        e->running = l;
    apply_all(e, patches);
    for (size_t i = 0; i < e->conditions.count; i++) {
        struct graph_condition *c = &e->conditions.data[i];
        if (c->flags & CU_GRAPH_COND_ASSIGN_DEFAULT)
            c->value = c->default_value;
    }
}

/* Event records that were skipped or cancelled still count as passed. */
static void end_launch(void *data, enum exec_fault fault)
{
    struct graph_launch *l = data;
    CUgraphExec e = l->exec;
    ctx_task_done(e->ctx, fault);
    for (size_t i = 0; i < e->events.count; i++) {
        struct exec_task *mark = l->marks[i];
        l->marks[i] = NULL;
        if (mark &&
            e->events.data[i]->work.type == CU_GRAPH_NODE_TYPE_EVENT_RECORD)
            exec_submit(mark);
        exec_task_unref(mark);
    }
    exec_unref(e);
}

static void free_launch(struct graph_launch *l)
{
    while (l->patches) {
        struct graph_patch *next = l->patches->next;
        exec_task_unref(l->patches->as.task);
        free(l->patches);
        l->patches = next;
    }
    exec_task_unref(l->whole);
    exec_task_unref(l->run);
    free(l->marks);
    free(l);
}

void exec_free_launches(CUgraphExec e)
{
    apply_all(e, take_patches(e));
    list_for_each(struct graph_launch, l, &e->launches, in_exec) free_launch(l);
}

static struct graph_launch *new_launch(CUgraphExec e)
{
    struct graph_launch *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->exec = e;
    l->marks = calloc(e->events.count + 1, sizeof *l->marks);
    l->run = exec_task_plan(e->plan, begin_graph_run, l);
    if (!l->marks || !l->run) {
        free_launch(l);
        return NULL;
    }
    exec_task_on_done(l->run, end_launch, l);
    exec_task_cancel_if(l->run, &e->ctx->sticky);
    exec_task_set_part(l->run, &e->ctx->part);
    list_push(&e->launches, &l->in_exec);
    return l;
}

bool exec_make_launches(CUgraphExec e)
{
    /* Two launches under way, and one each that is over and that a thread
     * without a core still refers to; seldom all of them. */
    enum { LATE_MOST = 8 };
    unsigned late = exec_sm_count() < LATE_MOST ? exec_sm_count() : LATE_MOST;
    for (unsigned i = 0; i < late + 2; i++)
        if (!new_launch(e))
            return false;
    return true;
}

/* A launch that is over and that no stream or thread refers to any more, or a
 * new one. The oldest come first; one of them may still be held by a thread
 * that has no core at the moment. */
static struct graph_launch *get_launch(CUgraphExec e)
{
    enum { LOOKS = 16 };
    int looks = 0;
    list_for_each(struct graph_launch, l, &e->launches, in_exec)
    {
        if (looks++ == LOOKS)
            break;
        if (l == e->last || !exec_task_plan_again(l->run))
            continue;
        list_remove(&l->in_exec);
        list_push(&e->launches, &l->in_exec);
        return l;
    }
    return new_launch(e);
}

/* With a mark for the end of everything, if the instance may launch others. */
static struct graph_launch *begin_launch(CUgraphExec e)
{
    struct graph_launch *l = get_launch(e);
    if (!l)
        return NULL;
    exec_task_unref(l->whole);
    l->whole = NULL;
    l->last_tail = NULL;
    l->beside = l->tails = 0;
    l->is_repeated = false;
    if (!e->calls_device)
        return l;
    l->whole = exec_task_nothing();
    return l->whole && exec_task_depend(l->whole, l->run) ? l : NULL;
}

/* ---- events ------------------------------------------------------------ */

/* A record gets a mark, which is the event's from now on. A wait waits for the
 * event's present mark, which may be of a record in this launch. */
static CUresult take_marks(CUgraphExec e, struct graph_launch *l)
{
    assert(l->marks || e->events.count == 0);
    CUresult err = CUDA_SUCCESS;
    for (size_t i = 0; i < e->events.count && !err; i++) {
        const struct graph_work *w = &e->events.data[i]->work;
        if (w->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD)
            err = event_set_mark(w->event, &l->marks[i]);
        else
            err = event_get_mark(w->event, &l->marks[i]);
    }
    return err;
}

/* ---- launching --------------------------------------------------------- */

/* Orders the launch behind the one before, and does what it needs of the
 * host. */
static CUresult prepare_launch(CUgraphExec e, struct graph_launch *l,
                               struct exec_task *before)
{
    assert(l->run != before);
    if (before && !exec_task_depend(l->run, before))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err = blocks_launch(e);
    if (!err)
        err = take_marks(e, l);
    if (err)
        return err;
    if (exec_is_idle(e))
        apply_all(e, take_patches(e));
    l->patches = take_patches(e);
    return CUDA_SUCCESS;
}

static CUresult submit_launch(CUgraphExec e, struct graph_launch *l, CUstream s)
{
    assert(l->exec == e);
    CUresult err = prepare_launch(e, l, exec_last_end(e));
    if (err)
        return err;
    atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
    err = stream_submit_until(s, l->run, end_of(l));
    if (err) {
        atomic_fetch_sub_explicit(&e->refs, 1, memory_order_relaxed);
        return err;
    }
    e->last = l;
    e->is_uploaded = true;
    if (l->whole)
        exec_submit(l->whole);
    return CUDA_SUCCESS;
}

/* Is a launch behind another nothing but the same once more? */
static bool is_repeatable(CUgraphExec e)
{
    return e->last && !e->patches && !e->calls_device && !e->events.count &&
           !e->blocks.count && !e->freed.count &&
           !(e->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
}

static CUresult launch_instance(CUgraphExec e, CUstream s)
{
    CUresult err = ctx_sticky(e->ctx);
    if (err)
        return err;
    if (is_repeatable(e) && stream_repeat(s, e->last->run))
        return CUDA_SUCCESS;
    struct graph_launch *l = begin_launch(e);
    return l ? submit_launch(e, l, s) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult graph_exec_launch(CUgraphExec e, CUstream s)
{
    exec_printf_flush();
    CUresult err = capture_refuse(s);
    if (err)
        return err;
    graph_lock();
    err = graph_is_alive(e, ALIVE_EXEC) ? launch_instance(e, s)
                                        : CUDA_ERROR_INVALID_VALUE;
    graph_unlock();
    return err;
}

/* ---- launches by kernels ----------------------------------------------- */

/* `parent` is under way, so that dependencies may still be added to what
 * follows it. */
static CUresult submit_inside(struct graph_launch *parent, CUgraphExec e,
                              enum graph_place place)
{
    assert(parent->whole);
    struct graph_launch *l = begin_launch(e);
    if (!l)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct exec_task *before = NULL;
    if (place == GRAPH_TAIL)
        before = parent->last_tail ? parent->last_tail : parent->run;
    else
        before = exec_last_end(e);
    CUresult err = prepare_launch(e, l, before);
    if (err)
        return err;
    if (!exec_task_depend(parent->whole, end_of(l)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    parent->is_repeated |= parent->exec == e;
    parent->beside += place == GRAPH_BESIDE;
    parent->tails += place == GRAPH_TAIL;
    if (place == GRAPH_TAIL)
        parent->last_tail = end_of(l);
    atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
    e->last = l;
    exec_task_set_order(l->run, exec_task_order(parent->run));
    if (l->whole)
        exec_submit(l->whole);
    exec_submit(l->run);
    return CUDA_SUCCESS;
}

/* A launch has so many by its kernels, as on an H200. */
static bool has_room_for(const struct graph_launch *l, enum graph_place place)
{
    enum { BESIDE_MOST = 120, TAILS_MOST = 255 };
    return place == GRAPH_TAIL ? l->tails < TAILS_MOST
                               : l->beside < BESIDE_MOST;
}

/* An instance is under way at most once; it may launch itself behind itself,
 * once. */
static bool may_launch(CUgraphExec from, CUgraphExec e, enum graph_place place)
{
    if (!(e->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) ||
        !e->is_uploaded || !from->running || !from->running->whole ||
        !has_room_for(from->running, place))
        return false;
    return from == e ? place == GRAPH_TAIL && !e->running->is_repeated
                     : exec_is_idle(e);
}

CUresult graph_exec_launch_inside(CUgraphExec from, CUgraphExec e,
                                  enum graph_place place)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (from && graph_is_alive(e, ALIVE_EXEC) && may_launch(from, e, place))
        err = submit_inside(from->running, e, place);
    graph_unlock();
    return err;
}

/* Nothing to copy, as there is one memory. Allocations count from here. */
CUresult graph_exec_upload(CUgraphExec e, CUstream s)
{
    CUresult err = capture_refuse(s);
    if (err)
        return err;
    graph_lock();
    err = graph_is_alive(e, ALIVE_EXEC) ? ctx_sticky(s->ctx)
                                        : CUDA_ERROR_INVALID_VALUE;
    if (!err) {
        blocks_reserve(e);
        e->is_uploaded = true;
    }
    graph_unlock();
    return err;
}
