/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock of all graphs, and which of their handles are alive: graphs, nodes,
 * instances, user objects, nodes that kernels may change.
 */
#include "core/graph/graph.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map alive; /* handle -> what it is */

void graph_lock(void)
{
    pthread_mutex_lock(&lock);
}

void graph_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

bool graph_is_alive(const void *handle, intptr_t what)
{
    return handle && (intptr_t)map_find(&alive, handle) == what;
}

bool graph_note_alive(const void *handle, intptr_t what)
{
    assert(handle && what);
    return map_put(&alive, handle, (void *)what);
}

void graph_note_dead(const void *handle)
{
    map_remove(&alive, handle);
}
