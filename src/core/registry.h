/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The living objects of one kind: what programs hand in as a handle is one of
 * them, or nothing that may be looked into.
 */
#ifndef WEFT_CORE_REGISTRY_H
#define WEFT_CORE_REGISTRY_H

#include <pthread.h>

#include "base/base.h"
#include "core/exports.h"

struct registry {
    pthread_mutex_t lock;
    struct map alive;
};
#define REGISTRY_INIT                                                          \
    {                                                                          \
        .lock = PTHREAD_MUTEX_INITIALIZER                                      \
    }

#pragma GCC visibility push(default)

bool registry_add(struct registry *r, const void *handle); /* false: memory */
/* Is it alive? Of any value; another thread may remove it right after. */
bool registry_has(struct registry *r, const void *handle);
/* False: it was not alive. Of two callers one removes it. */
bool registry_remove(struct registry *r, const void *handle);

#pragma GCC visibility pop

/* Adds to a list of living objects, such as those that end with a context,
 * which `lock` guards. */
static inline void list_push_locked(pthread_mutex_t *lock, struct list *all,
                                    struct list *item)
{
    assert(item != all);
    pthread_mutex_lock(lock);
    list_push(all, item);
    pthread_mutex_unlock(lock);
}

#endif
