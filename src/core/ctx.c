/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A context: handles of what was made in it, its sticky error, and waiting for
 * all of its work.
 */
#include "core/capture_hooks.h"
#include "core/external_lost.h"
#include "core/grid.h"

#include <stdlib.h>

#include "base/size.h"

unsigned long long ctx_id(CUcontext ctx)
{
    /* Pairs with the store in ctx_come_alive. */
    return atomic_load_explicit(&ctx->id, memory_order_acquire);
}

/* What a kernel printed before it failed is written before its error is
 * returned: nobody has to synchronise to see either. */
CUresult ctx_sticky(CUcontext ctx)
{
    /* pairs with the exchange in ctx_fail */
    CUresult err =
        (CUresult)atomic_load_explicit(&ctx->sticky, memory_order_acquire);
    if (err) {
        exec_printf_flush();
        external_log_lost();
    }
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
    assert(fault != EXEC_OK);
    static const CUresult results[] = {
        [EXEC_OK] = CUDA_SUCCESS,
#define EXEC_FAULT(name, text, error, exception)                               \
    [EXEC_FAULT_##name] = CUDA_ERROR_##error,
#include "exec/faults.def"
    };
    return results[fault];
}

void ctx_fail(CUcontext ctx, CUresult err)
{
    assert(err != CUDA_SUCCESS);
    int none = CUDA_SUCCESS;
    atomic_compare_exchange_strong(&ctx->sticky, &none, (int)err);
}

bool ctx_begin_fault(CUcontext ctx, enum exec_fault fault)
{
    if (!fault || ctx_sticky(ctx) || atomic_exchange(&ctx->is_failing, true))
        return false;
    explain_fault(fault);
    return true;
}

/* The error becomes visible once everything about it has been written, as a
 * program may end when it sees one. Only a second fault beside the first
 * may make it visible earlier, since whoever waits for that one must not
 * miss it. */
void ctx_end_fault(CUcontext ctx, enum exec_fault fault, bool is_first)
{
    if (is_first)
        ctx->on_first_fault(ctx, fault);
    if (!fault)
        return;
    ctx_fail(ctx, result_of_fault(fault));
    /* As on hardware, whatever device the others are on. One with a fault of
     * its own that is being written makes that one visible itself. */
    for (unsigned i = 0; i < ctx_place_end(); i++) {
        CUcontext other = ctx_at(i);
        if (other && !atomic_load(&other->is_failing))
            ctx_fail(other, result_of_fault(fault));
    }
}

void ctx_task_done(void *ctx, enum exec_fault fault)
{
    ctx_end_fault(ctx, fault, ctx_begin_fault(ctx, fault));
}

/* ---- handles ---------------------------------------------------------- */

bool handle_add(CUcontext ctx, const void *handle, intptr_t what)
{
    assert(handle && what);
    return map_put(&ctx->handles, handle, (void *)what);
}

bool handle_is(CUcontext ctx, const void *handle, intptr_t what)
{
    assert(what);
    return (intptr_t)map_find(&ctx->handles, handle) == what;
}

/* Streams and events may be used in any context: finds the one that a handle
 * is of. Programs with one context find it at the first try. */
CUcontext handle_lock_owner(CUcontext likely, const void *handle, intptr_t what)
{
    if (likely) {
        ctx_lock(likely);
        if (handle_is(likely, handle, what))
            return likely;
        ctx_unlock(likely);
    }
    for (unsigned i = 0; i < ctx_place_end(); i++) {
        CUcontext ctx = ctx_at(i);
        if (!ctx || ctx == likely)
            continue;
        ctx_lock(ctx);
        if (handle_is(ctx, handle, what))
            return ctx;
        ctx_unlock(ctx);
    }
    return NULL;
}

/* ---- waiting for all -------------------------------------------------- */

enum { TAILS_AT_ONCE = WEFT_SIZE(64, 1) };

/* Takes a reference to the unfinished work of each stream, at most
 * TAILS_AT_ONCE. Later launches of other threads are not waited for. */
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

unsigned ctx_drain(CUcontext ctx)
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

static bool is_idle(CUcontext ctx)
{
    list_for_each(struct CUstream_st, s, &ctx->streams, in_ctx)
    {
        if (s->tail && !exec_task_is_done(s->tail))
            return false;
    }
    return true;
}

void ctx_lock_idle(CUcontext ctx)
{
    for (;;) {
        ctx_drain(ctx);
        ctx_lock(ctx);
        if (is_idle(ctx))
            return;
        ctx_unlock(ctx);
    }
}

static _Atomic(ctx_waited_fn *) on_wait;

void ctx_on_wait(ctx_waited_fn *fn)
{
    assert(fn);
    atomic_store(&on_wait, fn);
}

void ctx_note_wait(void)
{
    ctx_waited_fn *fn = atomic_load(&on_wait);
    if (fn)
        fn();
}

/* The green contexts whose home ctx is. */
static void drain_parts(CUcontext ctx)
{
    for (unsigned i = 0; ctx_is_primary(ctx) && i < ctx_place_end(); i++) {
        CUcontext other = ctx_at(i);
        if (other && other != ctx && ctx_home(other) == ctx)
            ctx_drain(other);
    }
}

CUresult ctx_wait(CUcontext ctx)
{
    ctx_drain(ctx);
    drain_parts(ctx);
    ctx_note_wait();
    return ctx_sticky(ctx);
}

CUresult ctx_synchronize(CUcontext ctx)
{
    CUresult err = capture_check_all(ctx);
    return err ? err : ctx_wait(ctx);
}
