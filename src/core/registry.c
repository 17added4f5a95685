/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that are alive, by address. */
#include "core/registry.h"

bool registry_add(struct registry *r, const void *handle)
{
    assert(handle);
    pthread_mutex_lock(&r->lock);
    bool ok = map_put(&r->alive, handle, r);
    pthread_mutex_unlock(&r->lock);
    return ok;
}

static bool has_locked(struct registry *r, const void *handle)
{
    return handle && map_find(&r->alive, handle);
}

bool registry_has(struct registry *r, const void *handle)
{
    pthread_mutex_lock(&r->lock);
    bool has = has_locked(r, handle);
    pthread_mutex_unlock(&r->lock);
    return has;
}

bool registry_remove(struct registry *r, const void *handle)
{
    pthread_mutex_lock(&r->lock);
    bool had = has_locked(r, handle);
    if (had)
        map_remove(&r->alive, handle);
    pthread_mutex_unlock(&r->lock);
    return had;
}
