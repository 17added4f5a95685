/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses are living functions or kernels; those launched lately are
 * found without the lock. */
#include "core/callable.h"

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

static struct {
    pthread_mutex_t lock;
    struct map alive;
    /* Handles known to be alive, indexed by place_of(handle). Written with the
     * lock held. */
    _Atomic(const void *) recent[256];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Atomic(const void *) *place_of(const void *handle)
{
    uintptr_t bits = (uintptr_t)handle >> 4;
    return &all.recent[(bits ^ bits >> 8) % ARRAY_COUNT(all.recent)];
}

bool callable_add(const void *first, size_t count, size_t size_bytes)
{
    assert(size_bytes);
    bool ok = true;
    pthread_mutex_lock(&all.lock);
    for (size_t i = 0; i < count && ok; i++)
        ok = map_put(&all.alive, (const char *)first + i * size_bytes, &all);
    pthread_mutex_unlock(&all.lock);
    return ok;
}

void callable_remove(const void *first, size_t count, size_t size_bytes)
{
    assert(size_bytes);
    pthread_mutex_lock(&all.lock);
    for (size_t i = 0; i < count; i++) {
        const void *handle = (const char *)first + i * size_bytes;
        if (*place_of(handle) == handle)
            *place_of(handle) = NULL;
        if (map_find(&all.alive, handle))
            map_remove(&all.alive, handle);
    }
    pthread_mutex_unlock(&all.lock);
}

bool callable_has(const void *handle)
{
    if (!handle)
        return false;
    /* Pairs with the stores of whoever notes or finds it. */
    if (atomic_load_explicit(place_of(handle), memory_order_acquire) == handle)
        return true;
    pthread_mutex_lock(&all.lock);
    bool has = map_find(&all.alive, handle) != NULL;
    if (has)
        *place_of(handle) = handle;
    pthread_mutex_unlock(&all.lock);
    return has;
}
