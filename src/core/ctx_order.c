/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Order of a whole context: an event or a call that waits for all its streams,
 * and a wait of all its streams, later ones included.
 */
#include "core/capture_hooks.h"

#include <stdlib.h>

/* Makes t depend on the last work of all streams. False: out of memory. The
 * lock is held. */
static bool follow_all(struct exec_task *t, CUcontext ctx)
{
    list_for_each(struct CUstream_st, s, &ctx->streams, in_ctx)
    {
        if (s->tail && !exec_task_depend(t, s->tail))
            return false;
    }
    return true;
}

CUresult ctx_record_event(CUcontext ctx, CUevent e)
{
    struct exec_task *mark;
    CUcontext owner = event_context(e);
    if (!owner || ctx_home(owner) != ctx_home(ctx))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult err = capture_check_all(ctx);
    if (!err)
        err = event_set_mark(e, &mark);
    if (err)
        return err;
    ctx_lock(ctx);
    if (!follow_all(mark, ctx))
        err = CUDA_ERROR_OUT_OF_MEMORY;
    ctx_unlock(ctx);
    exec_submit(mark);
    exec_task_unref(mark);
    return err;
}

/* Makes the stream's next work wait for t too. The lock is held. */
static bool hold_back(CUstream s, struct exec_task *t)
{
    assert(s && t);
    struct exec_task *meet = exec_task_nothing();
    if (!meet || !exec_task_depend(meet, t) ||
        (s->tail && !exec_task_depend(meet, s->tail))) {
        exec_task_unref(meet);
        return false;
    }
    exec_submit(meet);
    exec_task_unref(s->tail);
    s->tail = meet;
    return true;
}

CUresult ctx_wait_event(CUcontext ctx, CUevent e)
{
    struct exec_task *t;
    if (!event_context(e))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult err = capture_check_all(ctx);
    if (!err)
        err = event_get_mark(e, &t);
    if (err)
        return err;
    ctx_lock(ctx);
    if (t) {
        list_for_each(struct CUstream_st, s, &ctx->streams, in_ctx)
        {
            if (!err && !hold_back(s, t))
                err = CUDA_ERROR_OUT_OF_MEMORY;
        }
        exec_task_unref(ctx->gate);
        ctx->gate = exec_task_ref(t);
    }
    ctx_unlock(ctx);
    exec_task_unref(t);
    return err;
}

void ctx_when_done(CUcontext ctx, ctx_done_fn *fn, void *data)
{
    assert(fn);
    struct exec_task *mark = exec_task_nothing();
    bool follows = mark != NULL;
    if (mark) {
        exec_task_on_done(mark, fn, data);
        ctx_lock(ctx);
        follows = follow_all(mark, ctx);
        ctx_unlock(ctx);
    }
    if (!follows) /* no memory to remember it with */
        ctx_wait(ctx);
    if (!mark) {
        fn(data, EXEC_OK);
        return;
    }
    exec_submit(mark);
    exec_task_unref(mark);
}
