/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: a mark in a stream's order that remembers when it was passed. The
 * mark is a task that does nothing; the event holds the last one recorded.
 */
#include "core/capture_hooks.h"
#include "core/ipc.h"
#include "core/orphans.h"

#include <stdlib.h>

static const unsigned known_flags =
    CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

/* Takes over `shared` if it succeeds. */
static CUresult event_make(CUcontext ctx, unsigned flags,
                           struct ipc_event *shared, CUevent *out)
{
    assert(out);
    CUevent e = calloc(1, sizeof *e);
    if (!e)
        return CUDA_ERROR_OUT_OF_MEMORY;
    e->ctx = ctx;
    e->flags = flags;
    e->shared = shared;
    ctx_lock(ctx);
    bool ok = handle_add(ctx, e, HANDLE_EVENT);
    if (ok)
        list_push(&ctx->events, &e->in_ctx);
    ctx_unlock(ctx);
    if (!ok) {
        free(e);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = e;
    return CUDA_SUCCESS;
}

CUresult event_create(CUcontext ctx, unsigned flags, CUevent *out)
{
    struct ipc_event *shared = NULL;
    if (!out || (flags & ~known_flags))
        return CUDA_ERROR_INVALID_VALUE;
    if ((flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING))
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_EVENT_INTERPROCESS) {
        shared = ipc_event_create();
        if (!shared)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult err = event_make(ctx_home(ctx), flags, shared, out);
    if (err)
        ipc_event_unref(shared);
    return err;
}

static void event_fini(CUevent e)
{
    assert(!e->point);
    ipc_event_unref(e->shared);
    map_remove(&e->ctx->handles, e);
    list_remove(&e->in_ctx);
    exec_task_unref(e->task);
}

static void event_free(CUevent e)
{
    event_fini(e);
    free(e);
}

/* Locks the event's context. False: e is not alive. */
static bool lock_event(CUevent e)
{
    CUcontext ctx;
    return e && handle_lock_owner(ctx_current(&ctx) ? NULL : ctx, e,
                                  HANDLE_EVENT) != NULL;
}

static CUresult check_alive(CUevent e)
{
    if (!lock_event(e))
        return orphan_error(e);
    ctx_unlock(e->ctx);
    return CUDA_SUCCESS;
}

bool event_has_time(CUevent e)
{
    if (!lock_event(e))
        return false;
    bool has_time = !(e->flags & CU_EVENT_DISABLE_TIMING);
    ctx_unlock(e->ctx);
    return has_time;
}

CUcontext event_context(CUevent e)
{
    if (!lock_event(e))
        return NULL;
    CUcontext ctx = e->ctx;
    ctx_unlock(ctx);
    return ctx;
}

CUresult event_destroy(CUevent e)
{
    CUresult err = check_alive(e);
    if (err)
        return err;
    capture_forget_event(e);
    if (!lock_event(e))
        return orphan_error(e);
    CUcontext ctx = e->ctx;
    event_free(e);
    ctx_unlock(ctx);
    return CUDA_SUCCESS;
}

void event_free_all(CUcontext ctx)
{
    list_for_each(struct CUevent_st, e, &ctx->events, in_ctx)
    {
        event_fini(e);
        orphan_keep(e);
    }
}

/* ---- other processes --------------------------------------------------- */

/* The part of the event that other processes share, with a reference; NULL:
 * there is none, or e is no event. */
static struct ipc_event *get_shared(CUevent e)
{
    if (!lock_event(e))
        return NULL;
    struct ipc_event *shared = e->shared ? ipc_event_ref(e->shared) : NULL;
    ctx_unlock(e->ctx);
    return shared;
}

CUresult event_export(CUevent e, CUipcEventHandle *out)
{
    struct ipc_event *shared = get_shared(e);
    if (!shared)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult err = ipc_event_export(shared, out);
    ipc_event_unref(shared);
    return err;
}

CUresult event_open(CUcontext ctx, const CUipcEventHandle *handle, CUevent *out)
{
    struct ipc_event *shared;
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = ipc_event_open(handle, &shared);
    if (err)
        return err;
    err = event_make(ctx, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING,
                     shared, out);
    if (err)
        ipc_event_unref(shared);
    return err;
}

/* True: other processes may record the event, and the stream waits for
 * that. */
bool event_wait_shared(CUevent e, CUstream s, CUresult *err)
{
    struct ipc_event *shared = get_shared(e);
    if (!shared)
        return false;
    *err = ipc_event_is_done(shared) ? ctx_sticky(s->ctx)
                                     : ipc_event_wait(shared, s);
    ipc_event_unref(shared);
    return true;
}

/* ---- recording and waiting --------------------------------------------- */

/* The task that marks a record; *shared: the record for other processes, or
 * NULL. */
static struct exec_task *make_mark(CUevent e, struct record **shared)
{
    assert(shared);
    struct ipc_event *with = get_shared(e);
    struct exec_task *t = exec_task_nothing();
    *shared = NULL;
    if (t && with && !ipc_event_mark(with, t, shared)) {
        exec_task_unref(t);
        t = NULL;
    }
    ipc_event_unref(with);
    return t;
}

CUresult event_record(CUevent e, CUstream s)
{
    struct record *shared;
    struct frees after;
    CUresult err = check_alive(e);
    if (err || capture_record(e, s, false, &err))
        return err;
    stream_frees(s, &after); /* what is freed meanwhile does not count */
    struct exec_task *t = make_mark(e, &shared);
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = stream_submit(s, t);
    if (err && shared)
        ipc_event_drop(shared);
    if (!err && !lock_event(e))
        err = orphan_error(e);
    if (!err && ctx_home(e->ctx) != ctx_home(s->ctx)) {
        ctx_unlock(e->ctx);
        err = CUDA_ERROR_INVALID_HANDLE;
    }
    if (err) {
        exec_task_unref(t);
        return err;
    }
    exec_task_unref(e->task);
    e->task = t;
    atomic_store_explicit(&e->after.count, 0, memory_order_relaxed);
    frees_merge(&e->after, &after);
    ctx_unlock(e->ctx);
    return CUDA_SUCCESS;
}

CUresult event_task(CUevent e, struct exec_task **out)
{
    if (!lock_event(e))
        return orphan_error(e);
    *out = e->task ? exec_task_ref(e->task) : NULL;
    ctx_unlock(e->ctx);
    return CUDA_SUCCESS;
}

/* Does a capture take care of the wait? Then *err is what came of it. False
 * also if e is no event. */
static bool is_captured_wait(CUstream s, CUevent e, CUresult *err)
{
    return event_context(e) && capture_wait(s, e, false, err);
}

/* Work in s now comes after the record, and after whatever that came after. */
static void follow_frees(CUstream s, CUevent e)
{
    struct frees after = {0};
    if (!lock_event(e))
        return;
    frees_merge(&after, &e->after);
    ctx_unlock(e->ctx);
    if (!atomic_load_explicit(&after.count, memory_order_relaxed))
        return;
    ctx_lock(s->ctx);
    frees_merge(&s->after, &after);
    ctx_unlock(s->ctx);
}

CUresult stream_wait_event(CUstream s, CUevent e)
{
    struct exec_task *recorded, *t = NULL;
    CUresult err;
    if (is_captured_wait(s, e, &err))
        return err;
    if (event_wait_shared(e, s, &err))
        return err;
    err = event_task(e, &recorded);
    if (err)
        return err;
    bool is_over = !recorded || exec_task_is_done(recorded);
    if (is_over && !s->is_legacy) { /* where other streams wait for the wait */
        err = ctx_sticky(s->ctx);
        goto unref;
    }
    err = CUDA_ERROR_OUT_OF_MEMORY;
    t = exec_task_nothing();
    if (t && (is_over || exec_task_depend(t, recorded)))
        err = stream_submit(s, t);
unref:
    exec_task_unref(t);
    exec_task_unref(recorded);
    if (!err)
        follow_frees(s, e);
    return err;
}

static CUresult synchronize_shared(CUevent e, struct ipc_event *shared)
{
    assert(shared);
    CUresult err = ipc_event_synchronize(e->ctx, shared);
    ipc_event_unref(shared);
    return err;
}

/* The task of the last record, for a wait or a query, with a reference; NULL:
 * the event was never recorded. */
static CUresult asked_task(CUevent e, struct exec_task **out)
{
    CUresult err = check_alive(e);
    if (!err)
        err = capture_check_event(e);
    return err ? err : event_task(e, out);
}

CUresult event_synchronize(CUevent e)
{
    struct exec_task *t;
    CUresult err = asked_task(e, &t);
    if (err)
        return err;
    if (t) {
        exec_wait(t, e->flags & CU_EVENT_BLOCKING_SYNC ? EXEC_WAIT_BLOCK
                                                       : EXEC_WAIT_HELP);
        exec_task_unref(t);
    }
    exec_printf_flush();
    ctx_note_wait();
    struct ipc_event *shared = get_shared(e);
    return shared ? synchronize_shared(e, shared) : ctx_sticky(e->ctx);
}

CUresult event_query(CUevent e)
{
    struct exec_task *t;
    CUresult err = asked_task(e, &t);
    if (err)
        return err;
    if (t)
        exec_let_finish(t);
    struct ipc_event *shared = get_shared(e);
    bool done = shared ? ipc_event_is_done(shared) : !t || exec_task_is_done(t);
    ipc_event_unref(shared);
    exec_task_unref(t);
    if (!done)
        exec_poke();
    err = ctx_sticky(e->ctx);
    return err ? err : done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

/* Time of the record in *ns; 0: not passed yet. */
static CUresult get_time(CUevent e, uint64_t *ns)
{
    struct exec_task *t = NULL;
    CUresult err = event_task(e, &t);
    if (err)
        return err;
    if (!t || (e->flags & CU_EVENT_DISABLE_TIMING)) {
        err = CUDA_ERROR_INVALID_HANDLE;
    } else {
        exec_let_finish(t);
        *ns = exec_task_done_ns(t);
    }
    exec_task_unref(t);
    return err;
}

static CUresult check_not_captured(CUevent e)
{
    CUresult err = check_alive(e);
    return err ? err : capture_check_time(e);
}

/* Have both the same home? Events of green contexts are their primary
 * context's. */
static bool are_together(CUevent a, CUevent b)
{
    CUcontext of_a = event_context(a), of_b = event_context(b);
    return of_a && of_b && ctx_home(of_a) == ctx_home(of_b);
}

CUresult event_elapsed(float *ms, CUevent start, CUevent end)
{
    uint64_t start_ns, end_ns;
    if (!ms)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = check_not_captured(start);
    if (!err)
        err = check_not_captured(end);
    if (!err)
        err = get_time(start, &start_ns);
    if (!err)
        err = get_time(end, &end_ns);
    if (!err && !are_together(start, end))
        err = CUDA_ERROR_INVALID_HANDLE;
    if (err)
        return err;
    if (!start_ns || !end_ns)
        return CUDA_ERROR_NOT_READY;
    *ms = (float)((double)(int64_t)(end_ns - start_ns) * 1e-6);
    return CUDA_SUCCESS;
}

/* ---- in graphs --------------------------------------------------------- */

CUresult event_set_mark(CUevent e, struct exec_task **mark)
{
    assert(mark);
    struct exec_task *t = exec_task_nothing();
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (lock_event(e)) {
        exec_task_unref(e->task);
        e->task = exec_task_ref(t);
        ctx_unlock(e->ctx);
    }
    *mark = t; /* without an event, nothing waits for it */
    return CUDA_SUCCESS;
}

CUresult event_get_mark(CUevent e, struct exec_task **mark)
{
    assert(mark);
    *mark = NULL;
    if (lock_event(e)) {
        *mark = e->task ? exec_task_ref(e->task) : NULL;
        ctx_unlock(e->ctx);
    }
    return CUDA_SUCCESS;
}

CUresult event_record_external(CUevent e, CUstream s)
{
    CUresult err = check_alive(e);
    if (!err)
        capture_record(e, s, true, &err);
    return err;
}

CUresult stream_wait_event_external(CUstream s, CUevent e)
{
    CUresult err = check_alive(e);
    if (!err)
        capture_wait(s, e, true, &err);
    return err;
}
