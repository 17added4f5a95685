/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams: the order between pieces of work. A stream is no queue: it knows
 * the last task submitted to it, and a new one depends on that. The default
 * ("legacy") stream and the blocking streams depend on each other besides:
 *
 *     work in the default stream  waits for the last of every blocking stream
 *     work in a blocking stream   waits for the last of the default stream
 *
 * CUDA C++ Programming Guide, "Default Stream", "Implicit Synchronization".
 */
#include "core/capture_hooks.h"
#include "core/orphans.h"
#include "exec/plan.h"

#include <stdlib.h>

#define PRIORITY_GREATEST (-5)
#define PRIORITY_LEAST    0

/* How many times streams have ended: what a thread knows of handles is as old
 * as this. */
static atomic_uint end_count;

/* ---- making and ending streams ---------------------------------------- */

int stream_clamp_priority(int priority)
{
    return priority < PRIORITY_GREATEST ? PRIORITY_GREATEST
           : priority > PRIORITY_LEAST  ? PRIORITY_LEAST
                                        : priority;
}

CUstream stream_new(CUcontext ctx, unsigned flags, int priority)
{
    CUstream s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    if (!handle_add(ctx, s, HANDLE_STREAM)) {
        free(s);
        return NULL;
    }
    s->ctx = ctx;
    s->flags = flags;
    s->priority = stream_clamp_priority(priority);
    static atomic_ullong last_id;
    s->id = atomic_fetch_add(&last_id, 1) + 1;
    s->tail = ctx->gate ? exec_task_ref(ctx->gate) : NULL;
    list_push(&ctx->streams, &s->in_ctx);
    return s;
}

static void stream_fini(CUstream s)
{
    assert(!s->point && (!s->tail || exec_task_is_done(s->tail)));
    list_remove(&s->in_ctx);
    exec_task_unref(s->tail);
}

static void stream_free(CUstream s)
{
    stream_fini(s);
    free(s);
}

CUresult stream_create(CUcontext ctx, unsigned flags, int priority,
                       CUstream *out)
{
    if (!out || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING))
        return CUDA_ERROR_INVALID_VALUE;
    ctx_lock(ctx);
    CUstream s = stream_new(ctx, flags, priority);
    ctx_unlock(ctx);
    if (!s)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *out = s;
    return CUDA_SUCCESS;
}

static bool is_finished(const struct exec_task *t)
{
    return !t || exec_task_is_done(t);
}

/* Destroyed streams whose work has ended since. */
static void free_finished(CUcontext ctx)
{
    list_for_each(struct CUstream_st, s, &ctx->streams, in_ctx)
    {
        if (s->is_destroyed && is_finished(s->tail))
            stream_free(s);
    }
}

CUresult stream_destroy(CUstream s)
{
    CUcontext ctx = s->ctx;
    if (s->is_legacy)
        return CUDA_ERROR_INVALID_HANDLE;
    capture_forget_stream(s);
    ctx_lock(ctx);
    map_remove(&ctx->handles, s);
    atomic_fetch_add(&end_count, 1);
    s->is_destroyed = true;
    free_finished(ctx);
    ctx_unlock(ctx);
    return CUDA_SUCCESS;
}

void stream_free_all(CUcontext ctx)
{
    atomic_fetch_add(&end_count, 1);
    list_for_each(struct CUstream_st, s, &ctx->streams, in_ctx)
    {
        if (s->is_legacy)
            continue;
        map_remove(&ctx->handles, s);
        stream_fini(s);
        if (ctx_is_primary(ctx)) /* a reset; the context stays */
            free(s);
        else
            orphan_keep(s);
    }
    exec_task_unref(ctx->gate);
    ctx->gate = NULL;
}

void stream_free_legacy(CUcontext ctx)
{
    if (ctx->legacy)
        stream_free(ctx->legacy);
    ctx->legacy = NULL;
}

/* ---- handles ---------------------------------------------------------- */

/* CU_STREAM_PER_THREAD of this thread, in each context that it was asked for
 * in, as it was then: after a reset its address may be another stream's. */
struct own_stream {
    struct own_stream *next;
    CUcontext ctx;
    unsigned long long id;
    unsigned generation;
    CUstream stream;
};
#define NO_CONTEXT (~0ull)
static __thread struct own_stream *own_streams;
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

/* Takes the context's lock. */
static bool is_own_alive(const struct own_stream *o)
{
    ctx_lock(o->ctx);
    bool alive = ctx_id(o->ctx) == o->id && o->generation == o->ctx->generation;
    ctx_unlock(o->ctx);
    return alive;
}

static void end_own(void *data)
{
    struct own_stream *o = data;
    while (o) {
        struct own_stream *next = o->next;
        if (!ctx_is_lost() && is_own_alive(o)) /* a reset may have ended it */
            stream_destroy(o->stream);
        free(o);
        o = next;
    }
}

static void make_own_key(void)
{
    pthread_key_create(&own_key, end_own);
}

static struct own_stream *find_own(CUcontext ctx)
{
    struct own_stream *o = own_streams;
    while (o && o->ctx != ctx)
        o = o->next;
    return o;
}

static struct own_stream *add_own(CUcontext ctx)
{
    assert(!find_own(ctx));
    struct own_stream *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    pthread_once(&own_once, make_own_key);
    *o = (struct own_stream){.next = own_streams, .ctx = ctx, .id = NO_CONTEXT};
    own_streams = o;
    pthread_setspecific(own_key, o);
    return o;
}

static CUresult resolve_per_thread(CUcontext ctx, CUstream *out)
{
    struct own_stream *o = find_own(ctx);
    if (!o || !is_own_alive(o)) {
        if (!o)
            o = add_own(ctx);
        if (!o)
            return CUDA_ERROR_OUT_OF_MEMORY;
        o->id = NO_CONTEXT; /* if this fails */
        CUresult err = stream_create(ctx, CU_STREAM_DEFAULT, 0, &o->stream);
        if (err)
            return err;
        o->id = ctx_id(ctx);
        o->generation = ctx->generation;
    }
    *out = o->stream;
    return CUDA_SUCCESS;
}

/* The last handle that this thread looked up: launches in a row look it up
 * without a lock. */
static __thread struct {
    CUstream handle;
    unsigned end_count;
} known;

static bool is_stream(CUcontext ctx, CUstream handle)
{
    /* Pairs with the additions, by those who end streams. */
    unsigned now = atomic_load_explicit(&end_count, memory_order_acquire);
    if (known.handle == handle && known.end_count == now)
        return true;
    CUcontext owner = handle_lock_owner(ctx, handle, HANDLE_STREAM);
    if (!owner)
        return false;
    ctx_unlock(owner);
    known.handle = handle;
    known.end_count = now;
    return true;
}

CUresult stream_resolve(CUcontext ctx, CUstream handle, CUstream *out)
{
    if (!handle || handle == CU_STREAM_LEGACY) {
        *out = ctx->legacy;
        return CUDA_SUCCESS;
    }
    if (handle == CU_STREAM_PER_THREAD)
        return resolve_per_thread(ctx, out);
    if (!is_stream(ctx, handle))
        return orphan_error(handle);
    *out = handle;
    return CUDA_SUCCESS;
}

CUcontext stream_context(CUstream s)
{
    return s->ctx;
}

unsigned stream_flags(CUstream s)
{
    return s->flags;
}

int stream_priority(CUstream s)
{
    return s->priority;
}

unsigned long long stream_id(CUstream s)
{
    return s->id;
}

/* ---- order ------------------------------------------------------------ */

static bool is_blocking(const struct CUstream_st *s)
{
    return !(s->flags & CU_STREAM_NON_BLOCKING);
}

static bool depend_on_tail(struct exec_task *t, CUstream s)
{
    assert(t != s->tail);
    return is_finished(s->tail) || exec_task_depend(t, s->tail);
}

/* All that work in `s` comes after. */
static bool depend_on_earlier(CUstream s, struct exec_task *t)
{
    assert(s->ctx->legacy);
    CUcontext ctx = s->ctx;
    if (!s->is_legacy) {
        return depend_on_tail(t, s) &&
               (!is_blocking(s) || depend_on_tail(t, ctx->legacy));
    }
    list_for_each(struct CUstream_st, other, &ctx->streams, in_ctx)
    {
        if (is_blocking(other) && !depend_on_tail(t, other))
            return false;
    }
    return true;
}

static void set_tail(CUstream s, struct exec_task *t)
{
    assert(t && t != s->tail);
    exec_task_unref(s->tail);
    s->tail = exec_task_ref(t);
}

/* The stream's last is `end` from here on; that is `t`, or comes of it. */
static CUresult submit_locked(CUstream s, struct exec_task *t,
                              struct exec_task *end)
{
    assert(t && end);
    CUresult err = ctx_sticky(s->ctx);
    if (err)
        return err;
    if (!depend_on_earlier(s, t))
        return CUDA_ERROR_OUT_OF_MEMORY;
    exec_task_set_priority(t, s->priority);
    exec_task_set_order(t, s);
    set_tail(s, end);
    exec_submit(t);
    return CUDA_SUCCESS;
}

CUresult stream_submit_until(CUstream s, struct exec_task *t,
                             struct exec_task *end)
{
    mem_close_freed();
    ctx_lock(s->ctx);
    CUresult err = submit_locked(s, t, end);
    ctx_unlock(s->ctx);
    return err;
}

bool stream_repeat(CUstream s, struct exec_task *run)
{
    mem_close_freed();
    ctx_lock(s->ctx);
    bool ok = s->tail == run && !ctx_sticky(s->ctx) &&
              exec_task_plan_repeat(run, s->priority);
    ctx_unlock(s->ctx);
    return ok;
}

CUresult stream_submit(CUstream s, struct exec_task *t)
{
    CUresult err = capture_refuse(s);
    return err ? err : stream_submit_until(s, t, t);
}

/* ---- memory that was freed before -------------------------------------- */

void stream_frees(CUstream s, struct frees *out)
{
    unsigned long long own =
        atomic_load_explicit(&s->freed, memory_order_relaxed);
    atomic_store_explicit(&out->count, 0, memory_order_relaxed);
    if (atomic_load_explicit(&s->after.count, memory_order_relaxed)) {
        ctx_lock(s->ctx);
        frees_merge(out, &s->after);
        ctx_unlock(s->ctx);
    }
    if (own)
        frees_add(out, (struct frees_of){s->id, own});
}

/* ---- waiting ---------------------------------------------------------- */

/* Something unfinished that the next work in `s` would wait for. */
static struct exec_task *unfinished_locked(CUstream s)
{
    if (!is_finished(s->tail))
        return s->tail;
    if (!s->is_legacy)
        return NULL;
    list_for_each(struct CUstream_st, other, &s->ctx->streams, in_ctx)
    {
        if (is_blocking(other) && !is_finished(other->tail))
            return other->tail;
    }
    return NULL;
}

bool stream_is_idle(CUstream s)
{
    ctx_lock(s->ctx);
    bool idle = !unfinished_locked(s) &&
                (!is_blocking(s) || is_finished(s->ctx->legacy->tail));
    ctx_unlock(s->ctx);
    return idle;
}

static bool is_tail_enough(CUstream s)
{
    return !s->is_legacy &&
           (!is_blocking(s) || is_finished(s->ctx->legacy->tail));
}

bool stream_mark(CUstream s, struct exec_task **out)
{
    *out = NULL;
    ctx_lock(s->ctx);
    bool is_known = is_tail_enough(s);
    if (is_known && !is_finished(s->tail)) {
        exec_task_close(s->tail);
        *out = exec_task_ref(s->tail);
    }
    bool is_idle =
        !is_known && !unfinished_locked(s) && is_finished(s->ctx->legacy->tail);
    ctx_unlock(s->ctx);
    if (is_known || is_idle)
        return true;
    *out = exec_task_nothing();
    if (*out && !stream_submit(s, *out))
        return true;
    exec_task_unref(*out);
    return false;
}

CUresult stream_wait_task(CUstream s, struct exec_task *t)
{
    assert(t);
    struct exec_task *meet = exec_task_nothing();
    CUresult err = CUDA_ERROR_OUT_OF_MEMORY;
    if (meet && exec_task_depend(meet, t))
        err = stream_submit(s, meet);
    exec_task_unref(meet);
    return err;
}

/* Waiting for a stream, or asking for its state. */
static CUresult check_waiting(CUstream s)
{
    CUresult err = capture_refuse(s);
    return err ? err : capture_check_call();
}

CUresult stream_synchronize(CUstream s)
{
    CUcontext ctx = s->ctx;
    CUresult err = check_waiting(s);
    if (err)
        return err;
    for (;;) {
        ctx_lock(ctx);
        struct exec_task *t = unfinished_locked(s);
        if (t)
            exec_task_ref(t);
        ctx_unlock(ctx);
        if (!t)
            break;
        exec_wait(t, EXEC_WAIT_HELP);
        exec_task_unref(t);
        /* All before it is done too; what another thread adds meanwhile need
         * not be. */
        if (!s->is_legacy)
            break;
    }
    exec_printf_flush();
    ctx_note_wait();
    return ctx_sticky(ctx);
}

CUresult stream_query(CUstream s)
{
    CUresult err = check_waiting(s);
    if (err)
        return err;
    ctx_lock(s->ctx);
    struct exec_task *t = unfinished_locked(s);
    bool busy = t != NULL;
    if (busy)
        exec_task_close(t);
    ctx_unlock(s->ctx);
    if (busy)
        exec_poke();
    err = ctx_sticky(s->ctx);
    return err ? err : busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}
