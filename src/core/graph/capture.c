/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of captures. What each illegal call returns, and whether it
 * invalidates the capture, was read off an H200 (tests/runtime/captures.c).
 */
#include "core/graph/capture.h"

#include <stdlib.h>

/* captures that have not ended */
static struct list all = {&all, &all};
static __thread CUstreamCaptureMode thread_mode; /* GLOBAL at first */

/* ---- points ------------------------------------------------------------ */

static void capture_unref(struct capture *c)
{
    assert(c->refs > 0);
    if (--c->refs)
        return;
    vec_fini(&c->streams);
    vec_fini(&c->left);
    free(c);
}

static void point_free(struct capture_point *p)
{
    if (!p)
        return;
    capture_unref(p->capture);
    vec_fini(&p->links);
    vec_fini(&p->nodes);
    vec_fini(&p->data);
    free(p);
}

static struct capture_point *point_new(struct capture *c)
{
    struct capture_point *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->capture = c;
    c->refs++;
    return p;
}

/* Two different edges from one node are a full one. */
static bool add_link(struct capture_point *p, const struct graph_link *link)
{
    for (size_t i = 0; i < p->links.count; i++) {
        struct graph_link *there = &p->links.data[i];
        if (there->node != link->node)
            continue;
        if (memcmp(&there->data, &link->data, sizeof link->data))
            there->data = (CUgraphEdgeData){0};
        return true;
    }
    return vec_push(&p->links, *link);
}

static bool add_links(struct capture_point *to,
                      const struct capture_point *from)
{
    for (size_t i = 0; i < from->links.count; i++)
        if (!add_link(to, &from->links.data[i]))
            return false;
    return true;
}

static struct capture_point *point_copy(const struct capture_point *p)
{
    struct capture_point *copy = point_new(p->capture);
    if (copy && add_links(copy, p))
        return copy;
    point_free(copy);
    return NULL;
}

static CUresult set_links(CUstream s, const CUgraphNode *nodes,
                          const CUgraphEdgeData *data, size_t count)
{
    assert(s->point);
    struct capture_point *p = s->point;
    for (size_t i = 0; i < count; i++) {
        struct graph_link link = {.node = nodes[i]};
        if (data)
            link.data = data[i];
        if (!add_link(p, &link))
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* The lock is held. */
static void forget_point(CUevent e)
{
    point_free(e->point);
    e->point = NULL;
}

/* The event's point, if its capture is still going on. */
static struct capture_point *point_of(CUevent e)
{
    return e->point && !e->point->capture->has_ended ? e->point : NULL;
}

/* True: the event was recorded in a capture that is over, and not again. */
static bool is_stale(CUevent e)
{
    return e->point && e->point->capture->has_ended;
}

/* Its capture is over, or will give no graph. */
static bool is_lost(CUevent e)
{
    return is_stale(e) || (e->point && e->point->capture->is_invalid);
}

/* ---- what is legal ----------------------------------------------------- */

void capture_invalidate(struct capture *c)
{
    c->is_invalid = true;
}

static bool has_blocking_stream(const struct capture *c)
{
    for (size_t i = 0; i < c->streams.count; i++)
        if (!(c->streams.data[i]->flags & CU_STREAM_NON_BLOCKING))
            return true;
    return false;
}

/* The operation is in the legacy stream, which would wait for captured
 * work. */
static bool is_implicit(CUstream s, bool invalidates)
{
    bool found = false;
    if (!s->is_legacy)
        return false;
    list_for_each(struct capture, c, &all, in_all)
    {
        if (c->ctx != s->ctx || !has_blocking_stream(c))
            continue;
        found = true;
        if (invalidates)
            capture_invalidate(c);
    }
    return found;
}

CUresult capture_enter(CUstream s, struct capture **out)
{
    *out = NULL;
    if (is_implicit(s, true))
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (!s->point)
        return CUDA_SUCCESS;
    if (s->point->capture->is_invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    *out = s->point->capture;
    return CUDA_SUCCESS;
}

static CUresult check_validity(CUstream s)
{
    graph_lock();
    bool is_lost = s->point && s->point->capture->is_invalid;
    graph_unlock();
    return is_lost ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

static CUresult refuse_capture(CUstream s)
{
    struct capture *c;
    graph_lock();
    CUresult err = capture_enter(s, &c);
    if (s->point) { /* valid or not */
        capture_invalidate(s->point->capture);
        err = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    graph_unlock();
    return err;
}

/* A capture forbids unsafe calls to all threads, to its own, or to none until
 * it ends, whether it is valid or not; and so does the calling thread's own
 * mode. The guide, "Prohibited and Unhandled Operations". */
static bool forbids_unsafe(const struct capture *c)
{
    bool is_here = pthread_equal(c->thread, pthread_self());
    if (c->mode == CU_STREAM_CAPTURE_MODE_RELAXED ||
        thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
        return false;
    return is_here || (c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                       thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
}

static CUresult check_call(void)
{
    CUresult err = CUDA_SUCCESS;
    graph_lock();
    list_for_each(struct capture, c, &all, in_all)
    {
        if (!forbids_unsafe(c))
            continue;
        capture_invalidate(c);
        err = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    graph_unlock();
    return err;
}

static CUresult check_all(CUcontext ctx)
{
    CUresult err = CUDA_SUCCESS;
    graph_lock();
    list_for_each(struct capture, c, &all, in_all)
    {
        if (c->ctx != ctx)
            continue;
        capture_invalidate(c);
        err = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    graph_unlock();
    return err;
}

CUresult capture_exchange_mode(CUstreamCaptureMode *mode)
{
    if (!mode) /* any other value is accepted, as by a GPU's driver */
        return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode old = thread_mode;
    thread_mode = *mode;
    *mode = old;
    return CUDA_SUCCESS;
}

/* ---- streams come and go ----------------------------------------------- */

static bool join_stream(struct capture *c, CUstream s)
{
    assert(!s->point && !c->has_ended);
    s->point = point_new(c);
    if (!s->point || !vec_push(&c->streams, s)) {
        point_free(s->point);
        s->point = NULL;
        return false;
    }
    atomic_fetch_add(&capture_count, 1);
    return true;
}

static void leave_stream(CUstream s)
{
    assert(s->point && atomic_load(&capture_count) > 0);
    point_free(s->point);
    s->point = NULL;
    atomic_fetch_sub(&capture_count, 1);
}

/* All streams leave the capture. A graph that was made for it is destroyed,
 * unless the caller gets it. */
static void finish_capture(struct capture *c, bool keeps_graph)
{
    assert(!c->has_ended && c->graph->has_capture);
    c->has_ended = true;
    c->graph->has_capture = false;
    if (c->is_own && !keeps_graph)
        graph_free(c->graph);
    for (size_t i = 0; i < c->streams.count; i++)
        leave_stream(c->streams.data[i]);
    list_remove(&c->in_all);
    capture_unref(c);
}

/* What the stream did in the capture still comes before what the origin does
 * next. */
static void forget_stream(CUstream s)
{
    assert(s->point);
    graph_lock();
    struct capture *c = s->point->capture;
    bool ok = true;
    for (size_t i = 0; i < s->point->links.count && ok; i++)
        ok = vec_push(&c->left, s->point->links.data[i].node);
    if (!ok)
        capture_invalidate(c);
    for (size_t i = 0; i < c->streams.count; i++)
        if (c->streams.data[i] == s)
            c->streams.data[i] = c->streams.data[--c->streams.count];
    leave_stream(s);
    if (c->origin == s)
        /* no stream is left that could end the capture */
        finish_capture(c, false);
    graph_unlock();
}

static void forget_all(CUcontext ctx)
{
    graph_lock();
    list_for_each(struct capture, c, &all, in_all)
    {
        if (c->ctx == ctx)
            finish_capture(c, false);
    }
    ctx_lock(ctx);
    list_for_each(struct CUevent_st, e, &ctx->events, in_ctx)
        forget_point(e);
    ctx_unlock(ctx);
    graph_unlock();
}

static void forget_event(CUevent e)
{
    assert(e->point);
    graph_lock();
    forget_point(e);
    graph_unlock();
}

/* ---- end --------------------------------------------------------------- */

/* Counts in n->waiting the nodes before those of `p`, and those of `p`. */
static void mark_before(const struct capture_point *p, CUgraphNode *stack)
{
    assert(stack);
    size_t count = 0;
    for (size_t i = 0; i < p->links.count; i++) {
        if (!p->links.data[i].node->waiting++)
            stack[count++] = p->links.data[i].node;
    }
    while (count) {
        CUgraphNode n = stack[--count];
        for (size_t i = 0; i < n->before.count; i++)
            if (!n->before.data[i].node->waiting++)
                stack[count++] = n->before.data[i].node;
    }
}

/* Everything that other streams have done has to come before the origin's last
 * node. */
static CUresult check_joined(const struct capture *c)
{
    assert(c->origin->point);
    CUgraphNode *stack = calloc(c->graph->node_count + 1, sizeof *stack);
    bool ok = true;
    if (!stack)
        return CUDA_ERROR_OUT_OF_MEMORY;
    list_for_each(struct CUgraphNode_st, n, &c->graph->nodes, in_graph)
        n->waiting = 0;
    mark_before(c->origin->point, stack);
    for (size_t i = 0; i < c->streams.count; i++) {
        const struct capture_point *p = c->streams.data[i]->point;
        for (size_t k = 0; k < p->links.count; k++)
            ok &= p->links.data[k].node->waiting != 0;
    }
    for (size_t i = 0; i < c->left.count; i++)
        ok &= c->left.data[i]->waiting != 0;
    free(stack);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

static CUresult check_end(const struct capture *c)
{
    if (c->is_invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
        !pthread_equal(c->thread, pthread_self()))
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    return check_joined(c);
}

static CUresult end_capture(CUstream s, CUgraph *out)
{
    if (!s->point)
        return is_implicit(s, true) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                    : CUDA_ERROR_ILLEGAL_STATE;
    struct capture *c = s->point->capture;
    if (c->origin != s) {
        capture_invalidate(c);
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    CUresult err = check_end(c);
    CUgraph g = c->graph;
    finish_capture(c, !err);
    if (!err)
        *out = g;
    return err;
}

/* A capture into a caller's graph need not return it. A new graph that the
 * caller does not want is destroyed. */
CUresult capture_end(CUstream s, CUgraph *out)
{
    CUgraph ended = NULL;
    graph_lock();
    bool is_own = s->point && s->point->capture->is_own;
    CUresult err = end_capture(s, &ended);
    if (ended && !out && is_own)
        graph_free(ended);
    graph_unlock();
    if (out)
        *out = ended;
    return err;
}

/* ---- questions --------------------------------------------------------- */

static CUstreamCaptureStatus status_of(CUstream s)
{
    return !s->point ? CU_STREAM_CAPTURE_STATUS_NONE
           : s->point->capture->is_invalid
               ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
               : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult capture_status(CUstream s, CUstreamCaptureStatus *status)
{
    struct capture_facts facts;
    CUresult err = capture_info(s, &facts);
    if (!err)
        *status = facts.status;
    return err;
}

static bool show_links(struct capture_point *p)
{
    bool ok = true;
    p->nodes.count = p->data.count = 0;
    for (size_t i = 0; i < p->links.count && ok; i++)
        ok = vec_push(&p->nodes, p->links.data[i].node) &&
             vec_push(&p->data, p->links.data[i].data);
    return ok;
}

static CUresult show_capture(struct capture_point *p, struct capture_facts *out)
{
    static const CUgraphEdgeData plain;
    if (!show_links(p))
        return CUDA_ERROR_OUT_OF_MEMORY;
    out->id = p->capture->id;
    out->graph = p->capture->graph;
    out->dependencies = p->nodes.data;
    out->data = p->data.data;
    out->count = p->nodes.count;
    for (size_t i = 0; i < out->count; i++)
        out->has_data |= memcmp(&out->data[i], &plain, sizeof plain) != 0;
    return CUDA_SUCCESS;
}

CUresult capture_info(CUstream s, struct capture_facts *out)
{
    *out = (struct capture_facts){.status = CU_STREAM_CAPTURE_STATUS_NONE};
    CUresult err = CUDA_SUCCESS;
    if (!capture_is_on())
        return err;
    graph_lock();
    out->status = status_of(s);
    if (is_implicit(s, false))
        err = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    else if (out->status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
        err = show_capture(s->point, out);
    graph_unlock();
    return err;
}

CUresult capture_update(CUstream s, const CUgraphNode *dependencies,
                        const CUgraphEdgeData *data, size_t count,
                        unsigned flags)
{
    struct capture *c;
    if (flags != CU_STREAM_ADD_CAPTURE_DEPENDENCIES &&
        flags != CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        return CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    CUresult err = capture_enter(s, &c);
    if (!err && !c)
        err = CUDA_ERROR_ILLEGAL_STATE;
    if (!err)
        err = edge_check_ends(c->graph, dependencies, data, count);
    if (!err && flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        s->point->links.count = 0;
    if (!err)
        err = set_links(s, dependencies, data, count);
    graph_unlock();
    return err;
}

/* ---- events: forks and joins ------------------------------------------- */

/* Records an event. The lock is held. */
static CUresult record_captured(CUevent e, CUstream s)
{
    assert(s->point);
    struct capture_point *p = point_copy(s->point);
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    point_free(e->point);
    e->point = p;
    return CUDA_SUCCESS;
}

/* A launch has recorded the event: it comes behind a port of the kernel. */
static void mark_event(CUevent e, CUgraphEdgeData edge)
{
    graph_lock();
    struct capture_point *p = point_of(e);
    for (size_t i = 0; p && i < p->links.count; i++)
        p->links.data[i].data = edge;
    graph_unlock();
}

static CUresult add_event(CUstream s, CUgraphNodeType type, CUevent e)
{
    struct graph_work work = {.type = type, .event = e};
    return capture_add(s, &work);
}

static bool record_event(CUevent e, CUstream s, bool is_external, CUresult *err)
{
    struct capture *c;
    graph_lock();
    *err = capture_enter(s, &c);
    if (!*err && !c && is_external)
        *err = CUDA_ERROR_ILLEGAL_STATE;
    else if (c)
        *err = is_external ? add_event(s, CU_GRAPH_NODE_TYPE_EVENT_RECORD, e)
                           : record_captured(e, s);
    bool is_done = *err || c;
    if (!is_done)
        forget_point(e);
    graph_unlock();
    return is_done;
}

/* A captured stream waits for what an event will be when the graph runs. An
 * event that a capture has recorded, and ended, is none then. */
static CUresult wait_external(struct capture *c, CUstream s, CUevent e)
{
    if (!is_stale(e))
        return add_event(s, CU_GRAPH_NODE_TYPE_WAIT_EVENT, e);
    capture_invalidate(c);
    return CUDA_ERROR_INVALID_VALUE;
}

/* A captured stream waits for an event. */
static CUresult wait_inside(struct capture *c, CUstream s, CUevent e)
{
    struct capture_point *p = point_of(e);
    if (is_stale(e)) {
        capture_invalidate(c);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!p && !e->task)
        return CUDA_SUCCESS; /* it was never recorded */
    if (!p) {
        capture_invalidate(c);
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (p->capture != c) {
        capture_invalidate(c);
        capture_invalidate(p->capture);
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    return add_links(s->point, p) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* A stream that is not captured waits for a captured event: it joins the
 * capture. */
static CUresult wait_outside(CUstream s, struct capture_point *p)
{
    assert(!s->point);
    if (p->capture->is_invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!join_stream(p->capture, s) || !add_links(s->point, p))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

static bool wait_for_event(CUstream s, CUevent e, bool is_external,
                           CUresult *err)
{
    struct capture *c;
    graph_lock();
    *err = capture_enter(s, &c);
    bool is_done = *err || c || e->point || is_external;
    if (!*err && c)
        *err = is_external ? wait_external(c, s, e) : wait_inside(c, s, e);
    else if (!*err && is_external)
        *err = CUDA_ERROR_ILLEGAL_STATE;
    else if (!*err && is_stale(e))
        *err = CUDA_ERROR_INVALID_VALUE;
    else if (!*err && e->point)
        *err = wait_outside(s, e->point);
    graph_unlock();
    return is_done;
}

static CUresult check_time(CUevent e)
{
    graph_lock();
    CUresult err = is_lost(e)    ? CUDA_ERROR_INVALID_VALUE
                   : point_of(e) ? CUDA_ERROR_CAPTURED_EVENT
                                 : CUDA_SUCCESS;
    graph_unlock();
    return err;
}

static CUresult check_event(CUevent e)
{
    graph_lock();
    struct capture_point *p = point_of(e);
    bool lost = is_lost(e);
    if (p)
        capture_invalidate(p->capture);
    graph_unlock();
    if (lost)
        return CUDA_ERROR_INVALID_VALUE;
    return p ? CUDA_ERROR_CAPTURED_EVENT : capture_check_call();
}

/* ---- begin ------------------------------------------------------------- */

static const struct capture_hooks hooks = {
    .kernel = capture_node_kernel,
    .node = capture_node_params,
    .copy = capture_node_copy,
    .fill = capture_node_fill,
    .alloc = capture_node_alloc,
    .free = capture_node_free,
    .memops = capture_node_memops,
    .record = record_event,
    .mark = mark_event,
    .wait = wait_for_event,
    .refuse = refuse_capture,
    .check_valid = check_validity,
    .check_call = check_call,
    .check_all = check_all,
    .check_event = check_event,
    .check_time = check_time,
    .forget_stream = forget_stream,
    .forget_event = forget_event,
    .forget_all = forget_all,
};

static CUresult begin_capture(CUstream s, CUgraph g, bool is_own,
                              CUstreamCaptureMode mode)
{
    static cuuint64_t last_id;
    struct capture *c = calloc(1, sizeof *c);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    c->refs = 1;
    c->graph = g;
    c->is_own = is_own;
    c->mode = mode;
    c->thread = pthread_self();
    c->origin = s;
    c->ctx = s->ctx;
    c->id = ++last_id;
    capture_set_hooks(&hooks);
    list_push(&all, &c->in_all);
    if (!join_stream(c, s)) {
        list_remove(&c->in_all);
        capture_unref(c);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    g->has_capture = true;
    return CUDA_SUCCESS;
}

static CUresult check_begin(CUstream s, CUstreamCaptureMode mode)
{
    if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (s->is_legacy) {
        CUresult err = capture_refuse(s);
        return err ? err : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return s->point ? CUDA_ERROR_ILLEGAL_STATE : CUDA_SUCCESS;
}

CUresult capture_begin(CUstream s, CUstreamCaptureMode mode)
{
    CUgraph g;
    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = check_begin(s, mode);
    if (!err)
        err = graph_create(s->ctx, &g);
    if (err)
        return err;
    graph_lock();
    err = begin_capture(s, g, true, mode);
    if (err)
        graph_free(g);
    graph_unlock();
    return err;
}

CUresult capture_begin_to_graph(CUstream s, CUgraph g,
                                const CUgraphNode *dependencies,
                                const CUgraphEdgeData *data, size_t count,
                                CUstreamCaptureMode mode)
{
    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = check_begin(s, mode);
    if (err)
        return err;
    graph_lock();
    if (!graph_is_alive(g, ALIVE_GRAPH))
        err = CUDA_ERROR_INVALID_VALUE;
    else if (g->has_capture)
        err = CUDA_ERROR_ILLEGAL_STATE;
    if (!err)
        err = edge_check(g, dependencies, data, count);
    if (!err)
        err = begin_capture(s, g, false, mode);
    if (!err)
        err = set_links(s, dependencies, data, count);
    graph_unlock();
    return err;
}
