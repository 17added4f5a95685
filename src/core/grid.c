/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grids that may launch grids: their life, and the order of their children.
 *
 * A child begins with a task that compiles its kernel if need be, since the
 * launching thread is a fiber with a small stack. That task makes the kernel's
 * task. The child's body waits for both, so that it is also done when they are
 * cancelled.
 */
#include "core/grid.h"

#include <stdlib.h>

struct child {
    CUfunction f;
    struct launch_config config;
    uint8_t *params;   /* the grid's, until a task takes them over */
    struct grid *grid; /* the child's own */
    CUcontext ctx;
};

/* Number of grids, on the whole device, that are launched and have not
 * begun. */
static atomic_size_t pending;

/* ---- life ------------------------------------------------------------- */

static void free_tails(struct grid *g)
{
    while (g->tails) {
        struct grid_tail *next = g->tails->next;
        exec_task_unref(g->tails->start);
        exec_task_unref(g->tails->end);
        free(g->tails);
        g->tails = next;
    }
}

void grid_destroy(struct grid *g)
{
    free_tails(g);
    while (g->objects) {
        struct grid_object *next = g->objects->next;
        exec_task_unref(g->objects->task);
        free(g->objects);
        g->objects = next;
    }
    map_fini(&g->handles);
    map_fini(&g->null_streams);
    map_fini(&g->errors);
    exec_task_unref(g->body);
    exec_task_unref(g->end);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

static void end_is_done(void *data, enum exec_fault fault)
{
    (void)fault; /* of a mark: none */
    grid_destroy(data);
}

struct grid *grid_create(CUcontext ctx, CUmodule m, const void *order,
                         int priority, unsigned depth)
{
    assert(m && depth <= GRID_MAX_DEPTH);
    struct grid *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->ctx = ctx;
    g->module = m;
    g->order = order;
    g->priority = priority;
    g->depth = depth;
    g->last_tail = &g->tails;
    pthread_mutex_init(&g->lock, NULL);
    map_init_pointers(&g->handles);
    map_init_pointers(&g->null_streams);
    map_init_pointers(&g->errors);
    g->body = exec_task_nothing();
    g->end = exec_task_nothing();
    if (!g->body || !g->end || !exec_task_depend(g->end, g->body)) {
        grid_destroy(g);
        return NULL;
    }
    exec_task_set_order(g->body, order);
    exec_task_set_order(g->end, order);
    exec_task_on_done(g->end, end_is_done, g);
    return g;
}

/* ---- its way to the end ----------------------------------------------- */

/* Chains the tail launches between body and end. The body still waits for the
 * kernel, which is now ending. */
static bool chain_tails(struct grid *g)
{
    struct exec_task *last = g->body;
    bool ok = true;
    for (struct grid_tail *t = g->tails; t; t = t->next) {
        ok &= exec_task_depend(t->start, last);
        last = t->end;
    }
    return last == g->body || (exec_task_depend(g->end, last) && ok);
}

static void kernel_done(void *data, enum exec_fault fault)
{
    struct grid *g = data;
    if (g->exec)
        g->note_fault(g->exec, fault, g->step);
    else
        ctx_task_done(g->ctx, fault);
    if (!chain_tails(g))
        ctx_fail(g->ctx, CUDA_ERROR_OUT_OF_MEMORY);
    for (struct grid_tail *t = g->tails; t; t = t->next)
        exec_submit(t->start);
    free_tails(g);
}

bool grid_set_kernel(struct grid *g, struct exec_task *kernel)
{
    assert(kernel && kernel != g->body && kernel != g->end);
    exec_task_on_done(kernel, kernel_done, g);
    return exec_task_depend(g->body, kernel);
}

void grid_submit(struct grid *g)
{
    struct exec_task *end = exec_task_ref(g->end); /* g is freed with it */
    exec_submit(g->body);
    exec_submit(end);
    exec_task_unref(end);
}

/* ---- what its threads have made --------------------------------------- */

static struct grid_object *add_object(struct grid *g,
                                      enum grid_object_kind kind, size_t bytes)
{
    assert(bytes >= sizeof(struct grid_object));
    bytes = (bytes + 63) & ~(size_t)63;
    struct grid_object *o = aligned_alloc(64, bytes);
    if (!o)
        return NULL;
    *o = (struct grid_object){.kind = kind};
    if (!map_put(&g->handles, o, o)) {
        free(o);
        return NULL;
    }
    o->next = g->objects;
    o->link = &g->objects;
    if (o->next)
        o->next->link = &o->next;
    g->objects = o;
    return o;
}

struct grid_object *grid_add_object(struct grid *g, enum grid_object_kind kind,
                                    size_t size_bytes)
{
    pthread_mutex_lock(&g->lock);
    struct grid_object *o = add_object(g, kind, size_bytes);
    pthread_mutex_unlock(&g->lock);
    return o;
}

void grid_free_buffer(struct grid *g, struct grid_buffer *b)
{
    assert(b->object.kind == GRID_BUFFER && *b->object.link == &b->object);
    struct grid_object *o = &b->object;
    pthread_mutex_lock(&g->lock);
    map_remove(&g->handles, o);
    *o->link = o->next;
    if (o->next)
        o->next->link = o->link;
    pthread_mutex_unlock(&g->lock);
    free(b);
}

struct grid_object *grid_find(struct grid *g, uint64_t handle,
                              enum grid_object_kind kind)
{
    const void *key = (const void *)(uintptr_t)handle;
    struct grid_object *o = key ? map_find(&g->handles, key) : NULL;
    return o && o->kind == kind ? o : NULL;
}

void grid_set_task(struct grid_object *o, struct exec_task *t)
{
    struct exec_task *old = o->task;
    o->task = t ? exec_task_ref(t) : NULL;
    exec_task_unref(old);
}

struct grid_object *grid_null_stream(struct grid *g, uint64_t block)
{
    const void *key = (const void *)(uintptr_t)(block + 1);
    struct grid_object *o = map_find(&g->null_streams, key);
    if (o)
        return o;
    o = add_object(g, GRID_STREAM, sizeof *o);
    if (!o)
        return NULL;
    map_remove(&g->handles, o); /* its address was not given out */
    return map_put(&g->null_streams, key, o) ? o : NULL;
}

/* ---- children --------------------------------------------------------- */

bool grid_order(struct grid *g, struct grid_object *stream,
                struct exec_task *start, struct exec_task *end)
{
    exec_task_set_order(start, g->order);
    exec_task_set_priority(start, g->priority);
    if ((stream && stream->task && !exec_task_depend(start, stream->task)) ||
        !exec_task_depend(g->body, end))
        return false;
    if (stream)
        grid_set_task(stream, end);
    return true;
}

static void start_child(void *data)
{
    struct child *c = data;
    struct grid *g = c->grid;
    struct exec_task *t;
    CUresult err = launch_task(c->f, &c->config, c->ctx, c->params, g, &t);
    if (err) {
        ctx_fail(c->ctx, err);
        return;
    }
    c->params = NULL;
    exec_task_set_order(t, g->order);
    exec_task_set_priority(t, g->priority);
    if (grid_set_kernel(g, t))
        exec_submit(t);
    else
        ctx_fail(c->ctx, CUDA_ERROR_OUT_OF_MEMORY);
    exec_task_unref(t);
}

/* Called also when the start was cancelled. */
static void child_started(void *data, enum exec_fault fault)
{
    struct child *c = data;
    (void)fault;
    atomic_fetch_sub(&pending, 1);
    free(c->params);
    free(c);
}

static bool take_pending(void)
{
    size_t limit = 0;
    device_limit_get(&limit, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
    if (atomic_fetch_add(&pending, 1) < limit)
        return true;
    atomic_fetch_sub(&pending, 1);
    return false;
}

static struct exec_task *make_child(struct grid *g, CUfunction f,
                                    const struct launch_config *config,
                                    const void *packed, struct child **out)
{
    struct child *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->f = f;
    c->config = *config;
    c->ctx = g->ctx;
    c->params = launch_copy_packed(f, packed);
    c->grid =
        grid_create(g->ctx, g->module, g->order, g->priority, g->depth + 1);
    if (c->grid) {
        c->grid->exec = g->exec;
        c->grid->step = g->step;
        c->grid->note_fault = g->note_fault;
    }
    struct exec_task *t = exec_task_call(start_child, c);
    if (!c->params || !c->grid || !t || !exec_task_depend(c->grid->body, t)) {
        free(c->params);
        if (c->grid)
            grid_destroy(c->grid);
        exec_task_unref(t);
        free(c);
        return NULL;
    }
    exec_task_on_done(t, child_started, c);
    exec_task_cancel_if(t, &g->ctx->sticky);
    *out = c;
    return t;
}

static bool add_tail(struct grid *g, struct exec_task *start,
                     struct exec_task *end)
{
    struct grid_tail *t = calloc(1, sizeof *t);
    if (!t)
        return false;
    exec_task_set_order(start, g->order);
    exec_task_set_priority(start, g->priority);
    t->start = exec_task_ref(start);
    t->end = exec_task_ref(end);
    *g->last_tail = t;
    g->last_tail = &t->next;
    return true;
}

CUresult grid_launch(struct grid *g, CUfunction f,
                     const struct launch_config *config, const void *packed,
                     enum grid_place place, struct grid_object *stream)
{
    struct child *c;
    if (g->depth >= GRID_MAX_DEPTH)
        return DEVICE_ERROR_TOO_DEEP;
    if (!take_pending())
        return DEVICE_ERROR_TOO_MANY_PENDING;
    struct exec_task *start = make_child(g, f, config, packed, &c);
    if (!start) {
        atomic_fetch_sub(&pending, 1);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&g->lock);
    bool ok = place == GRID_TAIL ? add_tail(g, start, c->grid->end)
                                 : grid_order(g, stream, start, c->grid->end);
    pthread_mutex_unlock(&g->lock);
    if (!ok)
        ctx_fail(g->ctx, CUDA_ERROR_OUT_OF_MEMORY); /* its order is lost */
    /* it still waits for the start */
    grid_submit(c->grid);
    if (!ok || place != GRID_TAIL)
        exec_submit(start);
    exec_task_unref(start);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
