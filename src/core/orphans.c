/* SPDX-License-Identifier: Apache-2.0 */
#include "core/orphans.h"

#include "core/registry.h"

#include <stdlib.h>

static struct registry all = REGISTRY_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *ring[1024];
static size_t next;

void orphan_keep(void *object)
{
    assert(object);
    pthread_mutex_lock(&lock);
    void **place = &ring[next++ % ARRAY_COUNT(ring)];
    assert(*place != object); /* it ends once */
    void *oldest = *place;
    *place = object;
    registry_add(&all, object); /* no memory: it is not told, then */
    pthread_mutex_unlock(&lock);
    if (oldest)
        registry_remove(&all, oldest);
    free(oldest);
}

CUresult orphan_error(const void *handle)
{
    return registry_has(&all, handle) ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                      : CUDA_ERROR_INVALID_HANDLE;
}
