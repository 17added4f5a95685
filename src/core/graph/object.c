/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User objects that graphs keep alive: a count, and a function that is called
 * when it reaches zero. Graphs, clones and instances each hold references of
 * their own. The function runs on the thread of host functions, without a
 * lock, since it may be any code.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

struct CUuserObject_st {
    void *p;
    CUhostFn destroy;
    uint64_t count; /* under the graphs' lock */
};

static void run_destructor(void *data)
{
    CUuserObject o = data;
    o->destroy(o->p);
    free(o);
}

/* The lock is held. */
static void drop_references(CUuserObject o, unsigned count)
{
    assert(count > 0 && o->count >= count);
    o->count -= count;
    if (o->count)
        return;
    graph_note_dead(o);
    struct exec_task *t = exec_task_host_function(run_destructor, o);
    if (!t)
        return; /* out of memory: it is never destroyed */
    exec_submit(t);
    exec_task_unref(t);
}

CUresult object_create(void *p, CUhostFn destroy, unsigned count,
                       unsigned flags, CUuserObject *out)
{
    if (!out || !destroy || !count || count > INT32_MAX ||
        flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    CUuserObject o = malloc(sizeof *o);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *o = (struct CUuserObject_st){.p = p, .destroy = destroy, .count = count};
    graph_lock();
    bool ok = graph_note_alive(o, ALIVE_OBJECT);
    graph_unlock();
    if (!ok) {
        free(o);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = o;
    return CUDA_SUCCESS;
}

static CUresult check_object(CUuserObject o, unsigned count)
{
    return graph_is_alive(o, ALIVE_OBJECT) && count && count <= INT32_MAX
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult object_retain(CUuserObject o, unsigned count)
{
    graph_lock();
    CUresult err = check_object(o, count);
    if (!err)
        o->count += count;
    graph_unlock();
    return err;
}

CUresult object_release(CUuserObject o, unsigned count)
{
    graph_lock();
    CUresult err = check_object(o, count);
    if (!err && count > o->count)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        drop_references(o, count);
    graph_unlock();
    return err;
}

/* ---- references of graphs ---------------------------------------------- */

static struct object_ref *find_ref(CUgraph g, CUuserObject o)
{
    for (size_t i = 0; i < g->objects.count; i++)
        if (g->objects.data[i].object == o)
            return &g->objects.data[i];
    return NULL;
}

static CUresult add_ref(CUgraph g, CUuserObject o, unsigned count)
{
    struct object_ref *r = find_ref(g, o);
    const struct object_ref new_ref = {.object = o, .count = count};
    if (!r)
        return vec_push(&g->objects, new_ref) ? CUDA_SUCCESS
                                              : CUDA_ERROR_OUT_OF_MEMORY;
    r->count += count;
    return CUDA_SUCCESS;
}

CUresult graph_retain_object(CUgraph g, CUuserObject o, unsigned count,
                             unsigned flags)
{
    bool is_move = flags == CU_GRAPH_USER_OBJECT_MOVE;
    graph_lock();
    CUresult err = check_object(o, count);
    if (!err && (!graph_is_alive(g, ALIVE_GRAPH) ||
                 (flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE) ||
                 (is_move && count > o->count)))
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = add_ref(g, o, count);
    if (!err && !is_move)
        o->count += count;
    graph_unlock();
    return err;
}

CUresult graph_release_object(CUgraph g, CUuserObject o, unsigned count)
{
    graph_lock();
    CUresult err = check_object(o, count);
    struct object_ref *r = NULL;
    if (!err && !graph_is_alive(g, ALIVE_GRAPH))
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        r = find_ref(g, o);
    if (r) { /* the graph gives up what it has, and an H200 says success */
        assert(o->count >= r->count); /* its own are among them */
        count = count < r->count ? count : r->count;
        r->count -= count;
        if (r->count == 0)
            *r = g->objects.data[--g->objects.count];
        drop_references(o, count);
    }
    graph_unlock();
    return err;
}

CUresult objects_copy(CUgraph to, CUgraph from)
{
    for (size_t i = 0; i < from->objects.count; i++) {
        const struct object_ref *r = &from->objects.data[i];
        assert(r->count > 0 && r->object->count >= r->count);
        if (!vec_push(&to->objects, *r))
            return CUDA_ERROR_OUT_OF_MEMORY;
        r->object->count += r->count;
    }
    return CUDA_SUCCESS;
}

void objects_release(CUgraph g)
{
    for (size_t i = 0; i < g->objects.count; i++)
        drop_references(g->objects.data[i].object, g->objects.data[i].count);
    vec_fini(&g->objects);
}
