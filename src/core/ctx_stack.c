/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calling thread's stack of contexts, the top one of which is current.
 * Both APIs use it. The runtime API makes the primary context of the thread's
 * device current by itself.
 */
#include "core/ctx.h"

enum { DEPTH = 64 };

static __thread struct {
    /* Each with the id that its context had then: see contexts.c. */
    struct {
        CUcontext ctx;
        unsigned long long id;
    } at[DEPTH];
    int count;
    int device;     /* of the runtime API */
    bool is_chosen; /* by the program: the current context, or its device */
    /* Of these the first that may be used is taken, if none is chosen; 0: of
     * all. */
    int preferred[DEVICE_COUNT_MAX], preferred_count;
} stack;

#define ID_OF_GONE (~0ull)

/* True: the context is the one that had this id; a primary context also after
 * a reset. */
static bool is_as_it_was(CUcontext ctx, unsigned long long id)
{
    unsigned long long now = ctx_id(ctx);
    return now == id || (now && ctx_is_primary(ctx));
}

CUresult ctx_current(CUcontext *out)
{
    if (ctx_is_lost())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!stack.count)
        return CUDA_ERROR_INVALID_CONTEXT;
    *out = stack.at[stack.count - 1].ctx;
    if (!ctx_note_used())
        return CUDA_ERROR_OUT_OF_MEMORY;
    return is_as_it_was(*out, stack.at[stack.count - 1].id)
               ? CUDA_SUCCESS
               : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

static bool push_context(CUcontext ctx)
{
    assert(ctx && stack.count >= 0 && stack.count <= DEPTH);
    if (stack.count == DEPTH)
        return false;
    stack.at[stack.count].ctx = ctx;
    unsigned long long id = ctx_id(ctx);
    stack.at[stack.count++].id = id ? id : ID_OF_GONE;
    return true;
}

bool ctx_push(CUcontext ctx)
{
    stack.is_chosen = true;
    return push_context(ctx);
}

CUcontext ctx_pop(void)
{
    return stack.count ? stack.at[--stack.count].ctx : NULL;
}

void ctx_set_current(CUcontext ctx)
{
    ctx_pop();
    if (ctx)
        ctx_push(ctx);
}

void ctx_replace_current(CUcontext ctx)
{
    assert(ctx_is_alive(ctx));
    ctx_pop();
    push_context(ctx);
}

void ctx_note_device(int device)
{
    assert(device >= 0);
    stack.device = device;
}

void ctx_prefer_devices(const int *list, int count)
{
    assert(count >= 0 && count <= DEVICE_COUNT_MAX);
    if (stack.is_chosen)
        return;
    for (int i = 0; i < count; i++)
        stack.preferred[i] = list[i];
    stack.preferred_count = count;
    stack.device = count ? list[0] : 0;
    ctx_pop();
}

int ctx_next_device(int device)
{
    const int *list = stack.preferred;
    int i = 0, count = stack.preferred_count;
    if (stack.is_chosen)
        return -1;
    if (!count)
        return device + 1 < device_count() ? device + 1 : -1;
    while (i < count && list[i] != device)
        i++;
    return i + 1 < count ? list[i + 1] : -1;
}

int ctx_device_of_thread(void)
{
    CUcontext ctx;
    return ctx_current(&ctx) ? stack.device : ctx_device(ctx);
}

unsigned ctx_place_of_thread(void)
{
    CUcontext ctx;
    return ctx_current(&ctx) ? (unsigned)stack.device
                             : ctx_place(ctx_home(ctx));
}

static __thread bool is_in_host_function;

void ctx_call_host_function(void (*fn)(void *data), void *data)
{
    assert(fn && !is_in_host_function);
    is_in_host_function = true;
    fn(data);
    is_in_host_function = false;
}

bool ctx_is_in_host_function(void)
{
    return is_in_host_function;
}

CUresult ctx_sticky_of_thread(void)
{
    CUcontext ctx;
    if (ctx_current(&ctx))
        ctx = ctx_at((unsigned)stack.device);
    return ctx ? ctx_sticky(ctx) : CUDA_SUCCESS;
}
