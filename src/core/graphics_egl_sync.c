/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are done when a fence of EGL is. A stream of its own polls the
 * fence (until.c), and the event is recorded behind that.
 */
#include "core/graphics_resource.h"

#include <stdlib.h>

#include "core/until.h"

enum {
    EGL_FALSE = 0,
    EGL_TIMEOUT_EXPIRED = 0x30F5 /* the fence is not signalled yet */
};

typedef void *current_display_fn(void);
typedef int client_wait_fn(void *display, void *sync, int flags,
                           uint64_t timeout_ns);

struct fence {
    client_wait_fn *wait;
    void *display, *sync;
};

static int look_at_fence(const struct fence *f)
{
    return f->wait(f->display, f->sync, 0, 0);
}

/* A fence that was destroyed counts as signalled. */
static bool has_come(const void *fence)
{
    return look_at_fence(fence) != EGL_TIMEOUT_EXPIRED;
}

static CUresult find_fence(void *sync, struct fence *out)
{
    current_display_fn *display =
        (current_display_fn *)gl_find_egl("eglGetCurrentDisplay");
    client_wait_fn *wait =
        (client_wait_fn *)gl_find_egl("eglClientWaitSyncKHR");
    if (!display || !wait)
        return CUDA_ERROR_OPERATING_SYSTEM;
    *out = (struct fence){wait, display(), sync};
    if (!out->display)
        return CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
    return look_at_fence(out) == EGL_FALSE ? CUDA_ERROR_INVALID_HANDLE
                                           : CUDA_SUCCESS;
}

static CUresult record_behind(CUcontext ctx, CUevent e, const struct fence *f)
{
    CUstream s;
    struct fence *own = malloc(sizeof *own);
    if (!own)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *own = *f;
    const struct until u = {.holds = has_come, .end = free, .data = own};
    CUresult err = stream_create(ctx, CU_STREAM_NON_BLOCKING, 0, &s);
    if (err) {
        free(own);
        return err;
    }
    err = stream_wait_until(s, &u);
    if (err)
        free(own);
    else
        err = event_record(e, s);
    stream_destroy(s); /* it ends when its work is done */
    return err;
}

CUresult graphics_egl_event(CUcontext ctx, void *sync, unsigned flags,
                            CUevent *out)
{
    struct fence f;
    CUevent e;
    if (!sync || (flags & ~(unsigned)CU_EVENT_BLOCKING_SYNC))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = find_fence(sync, &f);
    if (!err)
        err = event_create(ctx, flags | CU_EVENT_DISABLE_TIMING, &e);
    if (err)
        return err;
    err = record_behind(ctx, e, &f);
    if (err)
        event_destroy(e);
    else
        *out = e;
    return err;
}
