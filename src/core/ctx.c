/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The primary context: what belongs to the device as long as nobody resets
 * it, and the error that sticks to it after a kernel failed.
 */
#include "core/grid.h"

#include <stdlib.h>

static struct CUctx_st primary = {.lock = PTHREAD_MUTEX_INITIALIZER};
static atomic_bool is_made;

/* A child process has a copy of the context but none of the threads that work
 * for it. As on hardware, CUDA is then closed to it; a process that forks
 * before its first call may use CUDA in both. */
static atomic_bool is_lost;

static void note_fork(void)
{
    if (atomic_load(&is_made))
        atomic_store(&is_lost, true);
}

bool ctx_is_lost(void)
{
    return atomic_load_explicit(&is_lost, memory_order_relaxed);
}

bool ctx_is_made(void)
{
    return atomic_load_explicit(&is_made, memory_order_acquire);
}

static CUresult make_primary(void)
{
    CUresult err = CUDA_SUCCESS;
    if (device_count() == 0)
        return CUDA_ERROR_NO_DEVICE;
    ctx_lock(&primary);
    if (atomic_load(&is_made))
        goto unlock;
    err = CUDA_ERROR_OUT_OF_MEMORY;
    if (!exec_start())
        goto unlock;
    exec_on_device_call(grid_device_call);
    list_init(&primary.streams);
    list_init(&primary.events);
    list_init(&primary.modules);
    map_init_pointers(&primary.handles);
    primary.legacy = stream_new(&primary, CU_STREAM_DEFAULT, 0);
    if (!primary.legacy)
        goto unlock;
    primary.legacy->is_legacy = true;
    pthread_atfork(NULL, NULL, note_fork);
    atomic_store_explicit(&is_made, true, memory_order_release);
    err = CUDA_SUCCESS;
unlock:
    ctx_unlock(&primary);
    return err;
}

CUresult ctx_primary(CUcontext *out)
{
    *out = &primary;
    if (ctx_is_lost())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!atomic_load_explicit(&is_made, memory_order_acquire)) {
        CUresult err = make_primary();
        if (err)
            return err;
    }
    return ctx_sticky(&primary);
}

/* What the kernel had printed before it failed comes before the error: nobody
 * has to synchronise to see either. */
CUresult ctx_sticky(CUcontext ctx)
{
    /* pairs with the exchange in ctx_fail */
    CUresult err =
        (CUresult)atomic_load_explicit(&ctx->sticky, memory_order_acquire);
    if (err)
        exec_printf_flush();
    return err;
}

void ctx_lock(CUcontext ctx)
{
    pthread_mutex_lock(&ctx->lock);
}

void ctx_unlock(CUcontext ctx)
{
    pthread_mutex_unlock(&ctx->lock);
}

static CUresult result_of_fault(enum exec_fault fault)
{
    static const CUresult results[] = {
        [EXEC_OK] = CUDA_SUCCESS,
        [EXEC_FAULT_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
        [EXEC_FAULT_TRAP] = CUDA_ERROR_LAUNCH_FAILED,
        [EXEC_FAULT_ASSERT] = CUDA_ERROR_ASSERT,
        [EXEC_FAULT_STACK] = CUDA_ERROR_LAUNCH_FAILED,
        [EXEC_FAULT_ARITHMETIC] = CUDA_ERROR_LAUNCH_FAILED,
        [EXEC_FAULT_ILLEGAL] = CUDA_ERROR_ILLEGAL_INSTRUCTION,
        [EXEC_FAULT_PC] = CUDA_ERROR_INVALID_PC,
        [EXEC_FAULT_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
    };
    return results[fault];
}

/* True: it is the first. */
static bool fail_first(CUcontext ctx, CUresult err)
{
    int none = CUDA_SUCCESS;
    return atomic_compare_exchange_strong(&ctx->sticky, &none, (int)err);
}

void ctx_fail(CUcontext ctx, CUresult err)
{
    fail_first(ctx, err);
}

void ctx_task_done(void *ctx, enum exec_fault fault)
{
    if (fault && fail_first(ctx, result_of_fault(fault)))
        explain_fault(fault);
}

/* ---- handles ---------------------------------------------------------- */

bool handle_add(CUcontext ctx, const void *handle, intptr_t what)
{
    return map_put(&ctx->handles, handle, (void *)what);
}

bool handle_is(CUcontext ctx, const void *handle, intptr_t what)
{
    return (intptr_t)map_find(&ctx->handles, handle) == what;
}

/* ---- waiting for all -------------------------------------------------- */

enum { TAILS_AT_ONCE = 64 };

/* The unfinished work of the streams as they stand, a reference to each; what
 * other threads launch later is not waited for. At most TAILS_AT_ONCE. */
static unsigned take_unfinished(CUcontext ctx, struct exec_task **tails)
{
    unsigned count = 0;
    ctx_lock(ctx);
    list_for_each(struct CUstream_st, s, &ctx->streams, in_ctx)
    {
        if (count < TAILS_AT_ONCE && s->tail && !exec_task_is_done(s->tail))
            tails[count++] = exec_task_ref(s->tail);
    }
    ctx_unlock(ctx);
    return count;
}

/* How many streams were not done. */
static unsigned wait_for_all(CUcontext ctx)
{
    struct exec_task *tails[TAILS_AT_ONCE];
    unsigned count, all = 0;
    do {
        count = take_unfinished(ctx, tails);
        for (unsigned i = 0; i < count; i++) {
            exec_wait(tails[i], EXEC_WAIT_HELP);
            exec_task_unref(tails[i]);
        }
        all += count;
    } while (count == TAILS_AT_ONCE);
    exec_printf_flush();
    return all;
}

CUresult ctx_wait(CUcontext ctx)
{
    wait_for_all(ctx);
    pool_release_unused();
    return ctx_sticky(ctx);
}

CUresult ctx_synchronize(CUcontext ctx)
{
    CUresult err = capture_check_all();
    return err ? err : ctx_wait(ctx);
}

CUresult ctx_reset(void)
{
    if (ctx_is_lost())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (device_count() == 0)
        return CUDA_ERROR_NO_DEVICE;
    if (!atomic_load_explicit(&is_made, memory_order_acquire))
        return CUDA_SUCCESS;
    CUcontext ctx = &primary;
    while (wait_for_all(ctx) > 0)
        ; /* until nobody launches any more */
    ctx_storage_end(ctx);
    ctx_lock(ctx);
    event_free_all(ctx);
    stream_free_all(ctx);
    array_free_all();
    pool_free_all();
    virtual_free_all();
    mem_release_all();
    ctx->generation++;
    list_for_each(struct CUmod_st, m, &ctx->modules, in_ctx)
        module_set_globals(m);
    device_limits_reset();
    atomic_store(&ctx->sticky, CUDA_SUCCESS);
    ctx_unlock(ctx);
    return CUDA_SUCCESS;
}
