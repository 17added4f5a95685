/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host functions and callbacks of programs, in stream order. When the context
 * has failed, a host function is not called, and a callback gets the error.
 */
#include "core/internal.h"

#include <stdlib.h>

/* One of fn and callback is set. */
struct host_call {
    CUhostFn fn;
    CUstreamCallback callback;
    CUstream named; /* what the callback gets: the handle of the program's */
    void *data;
    CUcontext ctx;
};

static void call_program(void *data)
{
    const struct host_call *c = data;
    assert(!c->fn != !c->callback);
    CUresult sticky = ctx_sticky(c->ctx);
    if (c->callback)
        c->callback(c->named, sticky, c->data);
    else if (!sticky)
        c->fn(c->data);
}

static void run_host_call(void *data)
{
    ctx_call_host_function(call_program, data);
    free(data);
}

static CUresult add_host_call(CUstream s, struct host_call call)
{
    struct host_call *c = malloc(sizeof *c);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *c = call;
    c->ctx = stream_context(s);
    CUresult err = CUDA_ERROR_OUT_OF_MEMORY;
    struct exec_task *t = exec_task_host_function(run_host_call, c);
    if (t) {
        err = stream_submit(s, t);
        exec_task_unref(t);
    }
    if (err)
        free(c);
    return err;
}

CUresult stream_launch_host(CUstream s, CUhostFn fn, void *data)
{
    CUresult err;
    assert(fn);
    if (capture_host(s, fn, data, &err))
        return err;
    return add_host_call(s, (struct host_call){.fn = fn, .data = data});
}

CUresult stream_add_callback(CUstream s, CUstream named, CUstreamCallback fn,
                             void *data)
{
    assert(fn);
    return add_host_call(s, (struct host_call){
                                .callback = fn, .named = named, .data = data});
}
