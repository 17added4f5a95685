/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to the context: made at the first call that needs it, refused
 * inside host functions of streams.
 */
#include "runtime/internal.h"

#include <stdatomic.h>

/* Set once rt_context has made the context; its sticky error can be asked for
 * without making one. */
static _Atomic(CUcontext) known;

static __thread bool is_in_host_function;

cudaError_t rt_context(CUcontext *out)
{
    if (is_in_host_function)
        return cudaErrorNotPermitted;
    CUcontext ctx = NULL;
    CUresult err = ctx_primary(&ctx);
    if (ctx)
        atomic_store_explicit(&known, ctx, memory_order_release);
    *out = ctx;
    return rt_error(err);
}

cudaError_t rt_sticky(void)
{
    CUcontext ctx = atomic_load_explicit(&known, memory_order_acquire);
    return ctx ? rt_error(ctx_sticky(ctx)) : cudaSuccess;
}

void rt_forget_context(void)
{
    atomic_store_explicit(&known, NULL, memory_order_release);
}

void rt_call_host_function(void (*fn)(void *data), void *data)
{
    is_in_host_function = true;
    fn(data);
    is_in_host_function = false;
}
