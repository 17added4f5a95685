/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which contexts there are: the primary one of each device, made when somebody
 * first wants it, and those that programs create. All have their place in one
 * table, so that a handle is either the address of a place or none; the id of a
 * context, which no other ever has, tells whether it still is the one that
 * somebody remembers.
 *
 *   primary   emptied by a reset, or when the last who holds it lets go
 *   created   emptied and gone when it is destroyed
 */
#include "core/grid.h"
#include "core/ipc.h"

#include <stdlib.h>

/* Places of the primary contexts come first, by the device's number. */
static struct CUctx_st table[CTX_PLACE_COUNT];
static unsigned next_place; /* the one that was given away longest ago */

/* Guards which places are taken, and who holds primary contexts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_made; /* some context */
static atomic_ullong last_id;

/* A child process has a copy of the contexts but none of the threads that work
 * for them. As on hardware, CUDA is then closed to it; a process that forks
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
    /* Pairs with the store in come_alive. */
    return atomic_load_explicit(&is_made, memory_order_acquire);
}

/* ---- what a handle is ---------------------------------------------------- */

static bool is_place(CUcontext ctx)
{
    uintptr_t offset = (uintptr_t)ctx - (uintptr_t)table;
    return offset < sizeof table && offset % sizeof table[0] == 0;
}

bool ctx_is_alive(CUcontext ctx)
{
    return is_place(ctx) && ctx_id(ctx) != 0;
}

bool ctx_is_primary(CUcontext ctx)
{
    return is_place(ctx) && ctx - table < DEVICE_COUNT_MAX;
}

unsigned ctx_place(CUcontext ctx)
{
    return (unsigned)(ctx - table);
}

CUcontext ctx_at(unsigned place)
{
    return place < CTX_PLACE_COUNT && ctx_id(&table[place]) ? &table[place] : NULL;
}

CUcontext ctx_at_place(unsigned place)
{
    return &table[place];
}

int ctx_device(CUcontext ctx)
{
    return ctx->device;
}

unsigned ctx_flags(CUcontext ctx)
{
    return atomic_load(&ctx->flags);
}

void ctx_set_flags(CUcontext ctx, unsigned flags)
{
    atomic_store(&ctx->flags, flags);
}

/* ---- making -------------------------------------------------------------- */

/* Under lock: what all of them need. */
static bool start(void)
{
    static bool is_started;
    if (is_started)
        return true;
    if (!exec_start())
        return false;
    exec_on_device_call(grid_device_call);
    pthread_atfork(NULL, NULL, note_fork);
    is_started = true;
    return true;
}

static void come_alive(CUcontext ctx)
{
    /* Pair with the loads in ctx_id and ctx_is_made. */
    atomic_store_explicit(&ctx->id, atomic_fetch_add(&last_id, 1) + 1,
                          memory_order_release);
    atomic_store_explicit(&is_made, true, memory_order_release);
}

/* Under lock. */
static CUresult make(CUcontext ctx, int device)
{
    if (!start())
        return CUDA_ERROR_OUT_OF_MEMORY;
    ctx_lock(ctx);
    list_init(&ctx->streams);
    list_init(&ctx->events);
    list_init(&ctx->modules);
    map_init_pointers(&ctx->handles);
    memset(ctx->peers, 0, sizeof ctx->peers);
    atomic_store(&ctx->sticky, CUDA_SUCCESS);
    ctx->device = device;
    ctx->use_count = 0;
    ctx->legacy = stream_new(ctx, CU_STREAM_DEFAULT, 0);
    if (ctx->legacy)
        ctx->legacy->is_legacy = true;
    ctx_unlock(ctx);
    return ctx->legacy ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* What was made in it goes, when nobody launches any more. */
static void empty(CUcontext ctx)
{
    while (ctx_drain(ctx) > 0)
        ;
    ctx_storage_end(ctx);
    capture_forget_all(ctx);
    graphics_free_all(ctx);
    ctx_lock(ctx);
    event_free_all(ctx);
    stream_free_all(ctx);
    array_free_all(ctx);
    external_memory_free_all(ctx);
    external_semaphore_free_all(ctx);
    mem_release_all(ctx);
    ctx->generation++;
    ctx_unlock(ctx);
}

/* ---- primary ones -------------------------------------------------------- */

/* Under lock. */
static CUresult make_primary(CUcontext ctx)
{
    if (ctx_id(ctx))
        return CUDA_SUCCESS;
    if (!ctx->legacy) {
        CUresult err = make(ctx, (int)ctx_place(ctx));
        if (err)
            return err;
    }
    come_alive(ctx);
    return CUDA_SUCCESS;
}

static CUresult check_device(int device)
{
    if (ctx_is_lost())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (device_count() == 0)
        return CUDA_ERROR_NO_DEVICE;
    return device >= 0 && device < device_count() ? CUDA_SUCCESS
                                                  : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult hold(int device, bool for_runtime, CUcontext *out)
{
    CUresult err = check_device(device);
    if (err)
        return err;
    CUcontext ctx = &table[device];
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
    *out = &table[device];
    if (!ctx_id(*out) || !(*out)->is_runtimes) {
        err = hold(device, true, out);
        if (err)
            return err;
    }
    return ctx_sticky(*out);
}

CUresult ctx_primary_retain(int device, CUcontext *out)
{
    return hold(device, false, out);
}

static void empty_primary(CUcontext ctx)
{
    empty(ctx);
    pool_free_all(ctx->device);
    if (device_count() == 1) {
        virtual_free_all();
        ipc_free_all();
    }
    ctx_lock(ctx);
    list_for_each(struct CUmod_st, m, &ctx->modules, in_ctx)
        module_set_globals(m);
    memset(ctx->peers, 0, sizeof ctx->peers);
    atomic_store(&ctx->sticky, CUDA_SUCCESS);
    ctx_unlock(ctx);
    device_limits_reset();
}

CUresult ctx_primary_release(int device)
{
    CUcontext ctx = &table[device];
    bool is_last = false;
    CUresult err = CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    if (ctx->holder_count) {
        is_last = --ctx->holder_count == 0 && !ctx->is_runtimes;
        err = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    if (is_last) {
        empty_primary(ctx);
        atomic_store(&ctx->id, 0);
    }
    return err;
}

bool ctx_primary_is_active(int device)
{
    return ctx_id(&table[device]) != 0;
}

unsigned ctx_primary_flags(int device)
{
    return ctx_flags(&table[device]);
}

void ctx_primary_set_flags(int device, unsigned flags)
{
    ctx_set_flags(&table[device], flags);
}

/* Who holds it goes on with it, empty. */
CUresult ctx_primary_reset(int device)
{
    CUresult err = check_device(device);
    if (err || !ctx_primary_is_active(device))
        return err;
    CUcontext ctx = &table[device];
    empty_primary(ctx);
    pthread_mutex_lock(&lock);
    ctx->is_runtimes = false;
    if (!ctx->holder_count) {
        atomic_store(&ctx->flags, 0);
        atomic_store(&ctx->id, 0);
    }
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* ---- created ones -------------------------------------------------------- */

/* Under lock. The place that is free for longest: who still has a handle of
 * what was there gets an error, not another's context. */
static CUcontext take_place(void)
{
    const unsigned count = CTX_PLACE_COUNT - DEVICE_COUNT_MAX;
    for (unsigned i = 0; i < count; i++) {
        unsigned place = DEVICE_COUNT_MAX + (next_place + i) % count;
        if (table[place].is_taken)
            continue;
        next_place = place - DEVICE_COUNT_MAX + 1;
        table[place].is_taken = true;
        return &table[place];
    }
    return NULL;
}

CUresult ctx_create(int device, unsigned flags, CUcontext *out)
{
    CUresult err = check_device(device);
    if (err)
        return err;
    pthread_mutex_lock(&lock);
    CUcontext ctx = take_place();
    err = ctx ? make(ctx, device) : CUDA_ERROR_OUT_OF_MEMORY;
    if (!err) {
        ctx_set_flags(ctx, flags);
        come_alive(ctx);
        *out = ctx;
    } else if (ctx) {
        map_fini(&ctx->handles);
        ctx->is_taken = false;
    }
    pthread_mutex_unlock(&lock);
    return err;
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
    while (!list_is_empty(&ctx->modules))
        module_unload(
            container_of(ctx->modules.next, struct CUmod_st, in_ctx));
}

CUresult ctx_destroy(CUcontext ctx)
{
    if (!ctx_is_alive(ctx) || ctx_is_primary(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    empty(ctx);
    unload_all(ctx);
    atomic_store(&ctx->id, 0);
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

/* ---- access between them ------------------------------------------------- */

bool ctx_is_peer(CUcontext ctx, CUcontext peer)
{
    unsigned place = ctx_place(peer);
    ctx_lock(ctx);
    bool is = ctx->peers[place / 64] >> place % 64 & 1;
    ctx_unlock(ctx);
    return is;
}

void ctx_set_peer(CUcontext ctx, CUcontext peer, bool is_peer)
{
    unsigned place = ctx_place(peer);
    uint64_t bit = UINT64_C(1) << place % 64;
    static_assert(sizeof ctx->peers * 8 >= CTX_PLACE_COUNT, "a bit for each");
    ctx_lock(ctx);
    if (is_peer)
        ctx->peers[place / 64] |= bit;
    else
        ctx->peers[place / 64] &= ~bit;
    ctx_unlock(ctx);
}
