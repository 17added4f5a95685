/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that clients keep with a context, under keys of their own. NVIDIA's
 * runtime, where it is linked into a program, keeps its modules here and
 * learns so that a context ends.
 */
#include "core/internal.h"

#include <stdatomic.h>
#include <stdlib.h>

struct stored {
    struct list in_all;
    CUcontext ctx;
    const void *key;
    void *value;
    ctx_storage_end_fn *end;
};

/* The values of all contexts. The lock guards the list and writes to the table
 * of those found last. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

/* ---- found without the lock ---------------------------------------------- */

/* Each launch of a library looks its kernel up. What was found last is in a
 * table, by hash; an entry's `version` tells whether it is being written. */
struct found {
    atomic_uint version; /* odd: being written */
    _Atomic(CUcontext) ctx;
    _Atomic(const void *) key;
    _Atomic(void *) value;
};
enum { FOUND_BITS = 8 };
static struct found table[1 << FOUND_BITS];

static struct found *entry_of(CUcontext ctx, const void *key)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h = ((uintptr_t)ctx * golden ^ (uintptr_t)key) * golden;

    return &table[h >> (64 - FOUND_BITS)];
}

/* Notes what was found; key NULL: empties the entry. The lock is held. */
static void remember_found(struct found *f, CUcontext ctx, const void *key,
                           void *value)
{
    unsigned version = atomic_load_explicit(&f->version, memory_order_relaxed);

    assert(version % 2 == 0);
    atomic_store_explicit(&f->version, version + 1, memory_order_relaxed);
    /* Each pairs with the load of the same field in is_remembered: who sees one
     * of these sees the odd version, too. */
    atomic_store_explicit(&f->ctx, ctx, memory_order_release);
    atomic_store_explicit(&f->key, key, memory_order_release);
    atomic_store_explicit(&f->value, value, memory_order_release);
    /* Pairs with the first load in is_remembered. */
    atomic_store_explicit(&f->version, version + 2, memory_order_release);
}

/* Looks into the table only. Any thread, without the lock. */
static bool is_remembered(CUcontext ctx, const void *key, void **value)
{
    struct found *f = entry_of(ctx, key);
    /* Pairs with the last store in remember. */
    unsigned version = atomic_load_explicit(&f->version, memory_order_acquire);
    /* Each pairs with the store to the same field there. */
    bool is_it = atomic_load_explicit(&f->ctx, memory_order_acquire) == ctx &&
                 atomic_load_explicit(&f->key, memory_order_acquire) == key;
    void *v = atomic_load_explicit(&f->value, memory_order_acquire);

    if (!is_it || version % 2 != 0 ||
        atomic_load_explicit(&f->version, memory_order_relaxed) != version)
        return false;
    *value = v;
    return true;
}

/* Takes s out of the list. The lock is held. */
static void unlink_stored(struct stored *s)
{
    struct found *f = entry_of(s->ctx, s->key);

    list_remove(&s->in_all);
    if (atomic_load_explicit(&f->ctx, memory_order_relaxed) == s->ctx &&
        atomic_load_explicit(&f->key, memory_order_relaxed) == s->key)
        remember_found(f, NULL, NULL, NULL);
}

/* ---- the list ------------------------------------------------------------ */

/* NULL: nothing is kept. The lock is held. */
static struct stored *find_stored(CUcontext ctx, const void *key)
{
    list_for_each(struct stored, s, &all, in_all)
    {
        if (s->ctx == ctx && s->key == key)
            return s;
    }
    return NULL;
}

CUresult ctx_storage_put(CUcontext ctx, const void *key, void *value,
                         ctx_storage_end_fn *end)
{
    struct stored *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *fresh =
        (struct stored){.ctx = ctx, .key = key, .value = value, .end = end};
    pthread_mutex_lock(&lock);
    struct stored *old = find_stored(ctx, key);
    if (old)
        unlink_stored(old);
    list_push(&all, &fresh->in_all);
    pthread_mutex_unlock(&lock);
    free(old);
    return CUDA_SUCCESS;
}

CUresult ctx_storage_get(CUcontext ctx, const void *key, void **value)
{
    if (is_remembered(ctx, key, value))
        return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    struct stored *s = find_stored(ctx, key);
    if (s) {
        *value = s->value;
        remember_found(entry_of(ctx, key), ctx, key, s->value);
    }
    pthread_mutex_unlock(&lock);
    return s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult ctx_storage_get_or_make(CUcontext ctx, const void *key,
                                 ctx_storage_make_fn *make, void **value)
{
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    CUresult err = CUDA_SUCCESS;
    if (ctx_storage_get(ctx, key, value) == CUDA_SUCCESS)
        return CUDA_SUCCESS;
    pthread_mutex_lock(&making); /* another thread may have made it by then */
    if (ctx_storage_get(ctx, key, value) != CUDA_SUCCESS) {
        err = make(ctx, key, value);
        if (!err)
            err = ctx_storage_put(ctx, key, *value, NULL);
    }
    pthread_mutex_unlock(&making);
    return err;
}

CUresult ctx_storage_delete(CUcontext ctx, const void *key)
{
    pthread_mutex_lock(&lock);
    struct stored *s = find_stored(ctx, key);
    if (s)
        unlink_stored(s);
    pthread_mutex_unlock(&lock);
    free(s);
    return s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Takes one value out of the list. NULL means any context, or any key. */
static struct stored *take_stored(CUcontext ctx, const void *key)
{
    struct stored *taken = NULL;
    pthread_mutex_lock(&lock);
    list_for_each(struct stored, s, &all, in_all)
    {
        if ((!ctx || s->ctx == ctx) && (!key || s->key == key))
            taken = s;
    }
    if (taken)
        unlink_stored(taken);
    pthread_mutex_unlock(&lock);
    return taken;
}

/* Clients' functions run without the lock, as they may call functions of this
 * file. */
static void end_stored(CUcontext ctx, const void *key)
{
    struct stored *s;
    while ((s = take_stored(ctx, key)) != NULL) {
        if (s->end)
            s->end(s->ctx, (void *)s->key, s->value);
        free(s);
    }
}

void ctx_storage_end(CUcontext ctx)
{
    end_stored(ctx, NULL);
}

void ctx_storage_end_key(const void *key)
{
    end_stored(NULL, key);
}
