/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making contexts and ending them: whatever is made in a context goes with it,
 * so this stands above all of it.
 *
 *   primary   made when somebody first wants it; emptied by a reset, or when
 * the last who holds it lets go created   emptied and gone when it is destroyed
 */
#include "core/capture_hooks.h"
#include "core/check.h"
#include "core/coredump.h"
#include "core/graph/reach.h"
#include "core/grid.h"
#include "core/ipc.h"
#include "core/texture.h"

#include <stdlib.h>

/* Guards which places are taken, and the holds on primary contexts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned next_place; /* the one that was given away longest ago */

/* ---- making -------------------------------------------------------------- */

/* Starts what all contexts need. The lock is held. */
static bool start_engine(void)
{
    static bool is_started;
    if (!exec_start())
        return false;
    if (is_started)
        return true;
    exec_on_device_call(grid_device_call);
    exec_on_reach(kernel_reach);
    check_start();
    ctx_watch_forks();
    is_started = true;
    return true;
}

/* Makes a context in its place. The lock is held. */
static CUresult make_context(CUcontext ctx, int device)
{
    assert(!ctx->legacy && !ctx_id(ctx));
    if (!start_engine())
        return CUDA_ERROR_OUT_OF_MEMORY;
    ctx_lock(ctx);
    list_init(&ctx->streams);
    list_init(&ctx->events);
    list_init(&ctx->modules);
    map_init_pointers(&ctx->handles);
    memset(ctx->peers, 0, sizeof ctx->peers);
    atomic_store(&ctx->is_failing, false);
    atomic_store(&ctx->sticky, CUDA_SUCCESS);
    ctx->on_first_fault = coredump_on_fault;
    ctx->device = device;
    ctx->device_sms = device_sm_count();
    ctx->part = device_part(device, 0, ctx->device_sms);
    ctx->use_count = 0;
    ctx->legacy = stream_new(ctx, CU_STREAM_DEFAULT, 0);
    if (ctx->legacy)
        ctx->legacy->is_legacy = true;
    ctx_unlock(ctx);
    return ctx->legacy ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Destroys all that was made in the context. No thread may launch any more. */
static void destroy_contents(CUcontext ctx)
{
    while (ctx_drain(ctx) > 0)
        ;
    ctx_storage_end(ctx);
    coredump_forget(ctx);
    capture_forget_all(ctx);
    graphics_free_all(ctx);
    ctx_lock(ctx);
    event_free_all(ctx);
    stream_free_all(ctx);
    texture_free_all(ctx);
    array_free_all(ctx);
    external_memory_free_all(ctx);
    external_semaphore_free_all(ctx);
    check_leaks(ctx);
    mem_release_all(ctx);
    ctx->generation++;
    ctx_unlock(ctx);
}

/* ---- primary ones -------------------------------------------------------- */

/* Makes a primary context. The lock is held. */
static CUresult make_primary(CUcontext ctx)
{
    assert(ctx_is_primary(ctx));
    if (ctx_id(ctx))
        return CUDA_SUCCESS;
    int device = (int)ctx_place(ctx);
    CUresult err = compute_mode_enter(device);
    if (err)
        return err;
    if (!ctx->legacy)
        err = make_context(ctx, device);
    if (err)
        compute_mode_leave(device);
    else
        ctx_come_alive(ctx);
    return err;
}

static CUresult check_device(int device)
{
    if (ctx_is_lost())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (device_count() == 0)
        return device_missing();
    if (!ctx_note_used())
        return CUDA_ERROR_OUT_OF_MEMORY;
    return device_exists(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult hold_primary(int device, bool for_runtime, CUcontext *out)
{
    CUresult err = check_device(device);
    if (err)
        return err;
    CUcontext ctx = ctx_at_place((unsigned)device);
    pthread_mutex_lock(&lock);
    err = make_primary(ctx);
    if (!err && for_runtime)
        ctx->is_runtimes = true;
    else if (!err)
        ctx->holder_count++;
    pthread_mutex_unlock(&lock);
    *out = ctx;
    return err;
}

CUresult ctx_primary_of(int device, CUcontext *out)
{
    CUresult err = check_device(device);
    if (err)
        return err;
    *out = ctx_at_place((unsigned)device);
    if (!ctx_id(*out) || !(*out)->is_runtimes) {
        err = hold_primary(device, true, out);
        if (err)
            return err;
    }
    return ctx_sticky(*out);
}

CUresult ctx_primary_retain(int device, CUcontext *out)
{
    return hold_primary(device, false, out);
}

static void empty_primary(CUcontext ctx)
{
    assert(ctx_is_primary(ctx));
    destroy_contents(ctx);
    pool_free_all(ctx->device);
    if (device_count() == 1) {
        virtual_free_all();
        ipc_free_all();
    }
    ctx_lock(ctx);
    list_for_each(struct CUmod_st, m, &ctx->modules, in_ctx)
        module_set_globals(m);
    memset(ctx->peers, 0, sizeof ctx->peers);
    atomic_store(&ctx->is_failing, false);
    atomic_store(&ctx->sticky, CUDA_SUCCESS);
    ctx_unlock(ctx);
    device_limits_reset();
}

/* The context is none any more until somebody wants it again. */
static void end_primary(CUcontext ctx)
{
    assert(ctx_is_primary(ctx));
    atomic_store(&ctx->flags, 0);
    if (atomic_exchange(&ctx->id, 0))
        compute_mode_leave(ctx->device);
}

CUresult ctx_primary_release(int device)
{
    CUcontext ctx = ctx_at_place((unsigned)device);
    bool is_last = false;
    CUresult err = CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    if (ctx->holder_count || ctx->is_runtimes) {
        if (ctx->holder_count)
            ctx->holder_count--;
        else
            ctx->is_runtimes = false;
        is_last = !ctx->holder_count && !ctx->is_runtimes;
        err = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    if (is_last && ctx_id(ctx)) {
        empty_primary(ctx);
        end_primary(ctx);
    }
    return err;
}

bool ctx_primary_is_active(int device)
{
    return ctx_id(ctx_at_place((unsigned)device)) != 0;
}

unsigned ctx_primary_flags(int device)
{
    return ctx_flags(ctx_at_place((unsigned)device));
}

void ctx_primary_set_flags(int device, unsigned flags)
{
    ctx_set_flags(ctx_at_place((unsigned)device), flags);
}

/* The context is empty until it is used again. */
CUresult ctx_primary_reset(int device)
{
    CUresult err = check_device(device);
    if (err || !ctx_primary_is_active(device))
        return err;
    CUcontext ctx = ctx_at_place((unsigned)device);
    empty_primary(ctx);
    pthread_mutex_lock(&lock);
    ctx->is_runtimes = false; /* others hold it as before */
    end_primary(ctx);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* ---- created ones -------------------------------------------------------- */

/* Takes the place that has been free for longest, so that old handles of it
 * give errors, not another context. The lock is held. */
static CUcontext take_place(void)
{
    const unsigned count = CTX_PLACE_COUNT - DEVICE_COUNT_MAX;
    for (unsigned i = 0; i < count; i++) {
        unsigned place = DEVICE_COUNT_MAX + (next_place + i) % count;
        if (ctx_at_place(place)->is_taken)
            continue;
        next_place = place - DEVICE_COUNT_MAX + 1;
        ctx_at_place(place)->is_taken = true;
        return ctx_at_place(place);
    }
    return NULL;
}

CUresult ctx_create(int device, unsigned flags, CUcontext *out)
{
    CUresult err = check_device(device);
    if (!err)
        err = compute_mode_enter(device);
    if (err)
        return err;
    pthread_mutex_lock(&lock);
    CUcontext ctx = take_place();
    err = ctx ? make_context(ctx, device) : CUDA_ERROR_OUT_OF_MEMORY;
    if (ctx)
        ctx->is_green = false;
    if (!err) {
        ctx_set_flags(ctx, flags);
        ctx_come_alive(ctx);
        *out = ctx;
    } else if (ctx) {
        map_fini(&ctx->handles);
        ctx->is_taken = false;
    }
    pthread_mutex_unlock(&lock);
    if (err)
        compute_mode_leave(device);
    return err;
}

CUresult ctx_create_green(int device, unsigned sm_first, unsigned sm_count,
                          CUcontext *out)
{
    CUcontext primary;
    CUresult err = ctx_primary_retain(device, &primary);
    if (err)
        return err;
    err = ctx_create(device, 0, out);
    if (err) {
        ctx_primary_release(device);
        return err;
    }
    (*out)->is_green = true;
    (*out)->part = device_part(device, sm_first, sm_count);
    return CUDA_SUCCESS;
}

CUresult ctx_attach(CUcontext ctx)
{
    pthread_mutex_lock(&lock);
    ctx->use_count++;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

bool ctx_detach(CUcontext ctx)
{
    pthread_mutex_lock(&lock);
    bool is_used = ctx->use_count != 0;
    ctx->use_count -= is_used;
    pthread_mutex_unlock(&lock);
    return is_used;
}

static void unload_all(CUcontext ctx)
{
    assert(!ctx_is_primary(ctx));
    while (!list_is_empty(&ctx->modules))
        module_unload(container_of(ctx->modules.next, struct CUmod_st, in_ctx));
}

CUresult ctx_destroy(CUcontext ctx)
{
    if (!ctx_is_alive(ctx) || ctx_is_primary(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    destroy_contents(ctx);
    unload_all(ctx);
    atomic_store(&ctx->id, 0);
    compute_mode_leave(ctx->device);
    ctx_lock(ctx);
    stream_free_legacy(ctx);
    map_fini(&ctx->handles);
    map_init_pointers(&ctx->handles); /* for who still looks */
    ctx_unlock(ctx);
    pthread_mutex_lock(&lock);
    ctx->is_taken = false;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* ---- of a thread --------------------------------------------------------- */

CUresult ctx_of_thread(CUcontext *out)
{
    CUresult err = ctx_current(out);
    if (!err)
        return ctx_sticky(*out);
    if (err == CUDA_ERROR_CONTEXT_IS_DESTROYED && !ctx_is_primary(*out))
        return err;
    *out = NULL;
    int device = ctx_device_of_thread();
    err = ctx_primary_of(device, out);
    while (err == CUDA_ERROR_DEVICE_UNAVAILABLE &&
           (device = ctx_next_device(device)) >= 0)
        err = ctx_primary_of(device, out);
    if (*out && ctx_is_alive(*out))
        ctx_replace_current(*out);
    return err;
}

CUresult ctx_primary(CUcontext *out)
{
    return ctx_primary_of(ctx_device_of_thread(), out);
}

CUresult ctx_choose_device(int device)
{
    CUcontext ctx = NULL;
    CUresult err = ctx_primary_of(device, &ctx);
    if (!ctx)
        return err;
    ctx_note_device(device);
    ctx_set_current(ctx);
    return err == ctx_sticky(ctx) ? CUDA_SUCCESS : err;
}
