/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that clients keep with a context, under keys of their own. NVIDIA's
 * runtime, where it is linked into a program, keeps its modules here and
 * learns so that a context ends.
 */
#include "core/internal.h"

#include <stdlib.h>

struct stored {
    struct list in_all;
    CUcontext ctx;
    const void *key;
    void *value;
    ctx_storage_end_fn *end;
};

/* All contexts' values; few. Guards the list, not the values. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

/* Under lock; NULL: there is none. */
static struct stored *find(CUcontext ctx, const void *key)
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
    struct stored *old = find(ctx, key);
    if (old)
        list_remove(&old->in_all);
    list_push(&all, &fresh->in_all);
    pthread_mutex_unlock(&lock);
    free(old);
    return CUDA_SUCCESS;
}

CUresult ctx_storage_get(CUcontext ctx, const void *key, void **value)
{
    pthread_mutex_lock(&lock);
    struct stored *s = find(ctx, key);
    if (s)
        *value = s->value;
    pthread_mutex_unlock(&lock);
    return s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult ctx_storage_delete(CUcontext ctx, const void *key)
{
    pthread_mutex_lock(&lock);
    struct stored *s = find(ctx, key);
    if (s)
        list_remove(&s->in_all);
    pthread_mutex_unlock(&lock);
    free(s);
    return s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* NULL stands for any context, or any key. */
static struct stored *take(CUcontext ctx, const void *key)
{
    struct stored *taken = NULL;
    pthread_mutex_lock(&lock);
    list_for_each(struct stored, s, &all, in_all)
    {
        if ((!ctx || s->ctx == ctx) && (!key || s->key == key))
            taken = s;
    }
    if (taken)
        list_remove(&taken->in_all);
    pthread_mutex_unlock(&lock);
    return taken;
}

/* The clients' functions run without the lock: they may come back here. */
static void end(CUcontext ctx, const void *key)
{
    struct stored *s;
    while ((s = take(ctx, key)) != NULL) {
        if (s->end)
            s->end(s->ctx, (void *)s->key, s->value);
        free(s);
    }
}

void ctx_storage_end(CUcontext ctx)
{
    end(ctx, NULL);
}

void ctx_storage_end_key(const void *key)
{
    end(NULL, key);
}
