/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All contexts: the primary context of each device and those that programs
 * create. Each has a place in one table, so that a handle is the address of a
 * place or invalid. A context's id, which no other context ever has, tells
 * whether a place still holds the context that somebody remembers. ctx_life.c
 * makes and ends contexts.
 */
#include "core/ctx.h"

#include <stdlib.h>

/* Places of the primary contexts come first, by the device's number. */
static struct CUctx_st table[CTX_PLACE_COUNT];
/* Behind the last that has ever been used. To look at all places takes as long
 * as a launch. */
static atomic_uint place_end;

static atomic_bool is_made; /* A context has been made, by a call. */
static atomic_bool is_initialised;
/* The program has made no call yet; its managed variables have contexts. */
static atomic_bool is_early;
static __thread bool is_registering;

/* A forked child has a copy of the contexts but none of the threads that work
 * for them. As on hardware it cannot use CUDA. A process that forks before its
 * first call may use CUDA in both processes, though its registration has made
 * contexts. */
static atomic_bool is_lost;

static void note_fork(void)
{
    if (atomic_load(&is_made))
        atomic_store(&is_lost, true);
    else if (atomic_load(&is_early))
        exec_forget_threads();
}

void ctx_registration_begin(void)
{
    is_registering = true;
}

void ctx_registration_end(void)
{
    is_registering = false;
    if (atomic_load(&is_early)) /* the program has chosen no context */
        ctx_set_current(NULL);
}

bool ctx_note_used(void)
{
    if (!atomic_load_explicit(&is_early, memory_order_relaxed) ||
        is_registering)
        return true;
    if (!exec_start()) /* a child has no threads yet */
        return false;
    /* Pairs with the load in ctx_is_initialised. */
    atomic_store_explicit(&is_made, true, memory_order_release);
    atomic_store(&is_early, false);
    process_announce();
    return true;
}

void ctx_watch_forks(void)
{
    pthread_atfork(NULL, NULL, note_fork);
}

bool ctx_is_lost(void)
{
    return atomic_load_explicit(&is_lost, memory_order_relaxed);
}

void ctx_note_initialised(void)
{
    ctx_note_used(); /* without memory, the first use of a context fails */
    if (atomic_load_explicit(&is_initialised, memory_order_relaxed))
        return;
    atomic_store_explicit(&is_initialised, true, memory_order_relaxed);
    process_announce();
}

bool ctx_is_initialised(void)
{
    /* Pairs with the store in ctx_come_alive. */
    return atomic_load_explicit(&is_initialised, memory_order_relaxed) ||
           atomic_load_explicit(&is_made, memory_order_acquire);
}

static void note_place(unsigned place)
{
    unsigned end = atomic_load(&place_end);
    while (end <= place &&
           !atomic_compare_exchange_weak(&place_end, &end, place + 1))
        ;
}

unsigned ctx_place_end(void)
{
    return atomic_load(&place_end);
}

void ctx_come_alive(CUcontext ctx)
{
    assert(!atomic_load(&ctx->id));
    note_place(ctx_place(ctx));
    static atomic_ullong last_id;
    atomic_store(&ctx->cache_config, CU_FUNC_CACHE_PREFER_NONE);
    /* Pair with the loads in ctx_id and ctx_is_initialised. */
    atomic_store_explicit(&ctx->id, atomic_fetch_add(&last_id, 1) + 1,
                          memory_order_release);
    if (is_registering && !atomic_load(&is_made)) {
        atomic_store(&is_early, true);
    } else {
        atomic_store_explicit(&is_made, true, memory_order_release);
        process_announce();
    }
    atomic_store(&ctx->was_alive, true);
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

bool ctx_is_gone(CUcontext ctx)
{
    return is_place(ctx) && !ctx_id(ctx) && atomic_load(&ctx->was_alive);
}

bool ctx_is_primary(CUcontext ctx)
{
    return is_place(ctx) && ctx - table < DEVICE_COUNT_MAX;
}

unsigned ctx_place(CUcontext ctx)
{
    assert(is_place(ctx));
    return (unsigned)(ctx - table);
}

CUcontext ctx_at(unsigned place)
{
    bool is_one = place < CTX_PLACE_COUNT && ctx_id(&table[place]);
    return is_one ? &table[place] : NULL;
}

CUcontext ctx_at_place(unsigned place)
{
    assert(place < CTX_PLACE_COUNT);
    return &table[place];
}

int ctx_device(CUcontext ctx)
{
    return ctx->device;
}

bool ctx_are_flags(unsigned flags)
{
    unsigned schedule = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) &&
           !(schedule & (schedule - 1));
}

CUcontext ctx_home(CUcontext ctx)
{
    return ctx && ctx->is_green ? &table[ctx->device] : ctx;
}

unsigned ctx_flags(CUcontext ctx)
{
    return atomic_load(&ctx->flags);
}

void ctx_set_flags(CUcontext ctx, unsigned flags)
{
    atomic_store(&ctx->flags, flags);
}

CUfunc_cache ctx_cache_config(CUcontext ctx)
{
    return (CUfunc_cache)atomic_load(&ctx->cache_config);
}

CUresult ctx_set_cache_config(CUcontext ctx, CUfunc_cache config)
{
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = capture_check_call();
    if (!err)
        atomic_store(&ctx->cache_config, (int)config);
    return err;
}

/* ---- access between them ------------------------------------------------- */

bool ctx_is_peer(CUcontext ctx, CUcontext peer)
{
    ctx = ctx_home(ctx);
    unsigned place = ctx_place(ctx_home(peer));
    ctx_lock(ctx);
    bool is = ctx->peers[place / 64] >> place % 64 & 1;
    ctx_unlock(ctx);
    return is;
}

void ctx_set_peer(CUcontext ctx, CUcontext peer, bool is_peer)
{
    ctx = ctx_home(ctx);
    unsigned place = ctx_place(ctx_home(peer));
    uint64_t bit = UINT64_C(1) << place % 64;
    static_assert(sizeof ctx->peers * 8 >= CTX_PLACE_COUNT, "a bit for each");
    ctx_lock(ctx);
    if (is_peer)
        ctx->peers[place / 64] |= bit;
    else
        ctx->peers[place / 64] &= ~bit;
    ctx_unlock(ctx);
}
