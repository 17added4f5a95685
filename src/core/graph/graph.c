/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs and their nodes: making, copying, destroying. A child graph and the
 * body of a condition are graphs that a node owns.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

/* ---- graphs ------------------------------------------------------------ */

CUgraph graph_new(CUcontext ctx)
{
    static uint64_t last_id;
    CUgraph g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    list_init(&g->nodes);
    g->ctx = ctx;
    g->id = last_id++;
    return g;
}

static CUgraph new_with_handle(CUcontext ctx)
{
    CUgraph g = graph_new(ctx);
    if (g && !graph_note_alive(g, ALIVE_GRAPH)) {
        free(g);
        return NULL;
    }
    return g;
}

CUresult graph_context(CUgraph g, CUcontext *out)
{
    CUresult err = CUDA_SUCCESS;
    CUcontext ctx = g->ctx;
    if (!ctx)
        err = ctx_current(&ctx);
    if (err)
        return err;
    *out = g->ctx = ctx;
    return CUDA_SUCCESS;
}

CUresult graph_create(CUcontext ctx, CUgraph *out)
{
    graph_lock();
    CUgraph g = new_with_handle(ctx);
    graph_unlock();
    if (!g)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *out = g;
    return CUDA_SUCCESS;
}

static void count_blocks(CUgraph g, int by)
{
    for (; g; g = g->owner ? g->owner->graph : NULL)
        g->memory_count += (unsigned)by;
}

static bool is_memory(const struct graph_work *w)
{
    return w->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ||
           w->type == CU_GRAPH_NODE_TYPE_MEM_FREE;
}

static void node_free(CUgraphNode n)
{
    assert(n->graph->node_count > 0);
    graph_note_dead(n);
    edge_remove_all(n);
    list_remove(&n->in_graph);
    n->graph->node_count--;
    if (is_memory(&n->work))
        count_blocks(n->graph, -1);
    if (n->side)
        stream_destroy(n->side);
    work_fini(&n->work);
    vec_fini(&n->before);
    vec_fini(&n->after);
    free(n);
}

void graph_free(CUgraph g)
{
    if (!g)
        return;
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph) node_free(n);
    graph_note_dead(g);
    objects_release(g);
    vec_fini(&g->conditions);
    free(g);
}

/* Child graphs and bodies are destroyed with their node. */
CUresult graph_destroy(CUgraph g)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (graph_is_alive(g, ALIVE_GRAPH) && !g->owner) {
        err = g->has_capture ? CUDA_ERROR_ILLEGAL_STATE : CUDA_SUCCESS;
        if (!err)
            graph_free(g);
    }
    graph_unlock();
    return err;
}

/* ---- nodes ------------------------------------------------------------- */

/* Takes over the work. */
static CUgraphNode node_new(CUgraph g, struct graph_work *work)
{
    assert(g && work);
    CUgraphNode n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->graph = g;
    n->work = *work;
    n->id = g->last_id++;
    list_push(&g->nodes, &n->in_graph);
    g->node_count++;
    return n;
}

static void own_children(CUgraphNode n)
{
    assert(n->graph);
    struct graph_work *w = &n->work;
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH)
        w->child->owner = n;
    if (w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        for (unsigned i = 0; i < w->choice.size; i++)
            w->choice.bodies[i]->owner = n;
}

static void set_condition_used(CUgraph g, const struct graph_work *w,
                               bool is_used)
{
    if (w->type != CU_GRAPH_NODE_TYPE_CONDITIONAL)
        return;
    for (; g; g = g->owner ? g->owner->graph : NULL)
        for (size_t i = 0; i < g->conditions.count; i++)
            if (g->conditions.data[i].handle == w->choice.handle)
                g->conditions.data[i].is_used = is_used;
}

CUresult graph_add(CUgraph g, const CUgraphNode *dependencies,
                   const CUgraphEdgeData *data, size_t count,
                   struct graph_work *work, CUgraphNode *out)
{
    CUgraphNode n = node_new(g, work);
    if (!n) {
        work_fini(work);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    own_children(n);
    bool ok = graph_note_alive(n, ALIVE_NODE);
    for (size_t i = 0; i < count && ok; i++)
        ok = edge_add(dependencies[i], n, data ? &data[i] : NULL);
    if (is_memory(work))
        count_blocks(g, 1);
    if (work->type == CU_GRAPH_NODE_TYPE_GRAPH) /* it was moved here */
        count_blocks(g, (int)work->child->memory_count);
    if (!ok) {
        node_free(n);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    set_condition_used(g, &n->work, true);
    *out = n;
    return CUDA_SUCCESS;
}

CUresult graph_add_node(CUgraph g, const CUgraphNode *dependencies,
                        const CUgraphEdgeData *data, size_t count,
                        CUgraphNodeParams *params, CUgraphNode *out)
{
    struct graph_work work;
    if (!params || !out)
        return CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    CUresult err =
        graph_is_alive(g, ALIVE_GRAPH)
            ? edge_check_new(g, params->type, dependencies, data, count)
            : CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = work_make(g, params, &work);
    if (!err)
        err = graph_add(g, dependencies, data, count, &work, out);
    if (!err && params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        params->conditional.phGraph_out = (*out)->work.choice.bodies;
    if (!err && params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
        graph_block_reuse(*out);
        params->alloc.dptr = (*out)->work.block->p;
    }
    graph_unlock();
    return err;
}

/* An allocation or a free is part of the graph's address range, and cannot
 * change. */
static bool is_fixed(const struct graph_work *w)
{
    return is_memory(w) || w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

/* True: a stream is being captured into a body of the condition. */
static bool has_captured_body(const struct graph_work *w)
{
    for (unsigned i = 0;
         w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && i < w->choice.size; i++)
        if (w->choice.bodies[i]->has_capture)
            return true;
    return false;
}

static CUresult can_be_destroyed(CUgraphNode n)
{
    if (n->graph->has_capture || has_captured_body(&n->work))
        return CUDA_ERROR_ILLEGAL_STATE;
    return n->graph->memory_count || work_is_updatable(&n->work)
               ? CUDA_ERROR_NOT_SUPPORTED
               : CUDA_SUCCESS;
}

CUresult graph_destroy_node(CUgraphNode n)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (graph_is_alive(n, ALIVE_NODE)) {
        err = can_be_destroyed(n);
        if (!err) {
            set_condition_used(n->graph, &n->work, false);
            node_free(n);
        }
    }
    graph_unlock();
    return err;
}

CUresult graph_node_type(CUgraphNode n, CUgraphNodeType *type)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (type && graph_is_alive(n, ALIVE_NODE)) {
        *type = n->work.type;
        err = CUDA_SUCCESS;
    }
    graph_unlock();
    return err;
}

CUresult graph_node_params(CUgraphNode n, CUgraphNodeType type,
                           CUgraphNodeParams *out)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (out && graph_is_alive(n, ALIVE_NODE) && n->work.type == type) {
        work_params(&n->work, out);
        err = CUDA_SUCCESS;
    }
    graph_unlock();
    return err;
}

/* Attributes are not part of the parameters, and stay. */
static CUresult replace_work(CUgraphNode n, struct graph_work *work)
{
    CUresult err = CUDA_SUCCESS;
    if (work->type == CU_GRAPH_NODE_TYPE_KERNEL)
        err = kernel_copy_attributes(&work->kernel, &n->work.kernel);
    if (!err && work->type == CU_GRAPH_NODE_TYPE_KERNEL)
        err = kernel_check_attributes(&work->kernel);
    if (err) {
        work_fini(work);
        return err;
    }
    work_fini(&n->work); /* nodes of an old child are counted off */
    n->work = *work;
    if (work->type == CU_GRAPH_NODE_TYPE_GRAPH)
        count_blocks(n->graph, (int)work->child->memory_count);
    own_children(n);
    return CUDA_SUCCESS;
}

/* Does a graph inside the node take a capture? Then it cannot be replaced. */
static bool is_captured_into(const struct graph_work *w)
{
    return has_captured_body(w) ||
           (w->type == CU_GRAPH_NODE_TYPE_GRAPH && w->child->has_capture);
}

CUresult graph_node_set_params(CUgraphNode n, const CUgraphNodeParams *params)
{
    struct graph_work work;
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (params && graph_is_alive(n, ALIVE_NODE) &&
        n->work.type == params->type) {
        err = is_fixed(&n->work)           ? CUDA_ERROR_NOT_SUPPORTED
              : is_captured_into(&n->work) ? CUDA_ERROR_ILLEGAL_STATE
                                           : work_make(n->graph, params, &work);
        if (!err)
            err = replace_work(n, &work);
    }
    graph_unlock();
    return err;
}

/* ---- attributes of kernels --------------------------------------------- */

static bool is_kernel(CUgraphNode n)
{
    return graph_is_alive(n, ALIVE_NODE) &&
           n->work.type == CU_GRAPH_NODE_TYPE_KERNEL;
}

CUresult graph_node_attribute(CUgraphNode n, CUlaunchAttributeID id,
                              CUlaunchAttributeValue *value)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (value && is_kernel(n))
        err = kernel_attribute(&n->work.kernel, id, value);
    graph_unlock();
    return err;
}

CUresult graph_node_set_attribute(CUgraphNode n, CUlaunchAttributeID id,
                                  CUlaunchAttributeValue *value)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (value && is_kernel(n))
        err = kernel_set_attribute(&n->work.kernel, id, value);
    graph_unlock();
    return err;
}

/* Nodes that kernels may change do not get any. */
static CUresult copy_attributes(CUgraphNode to, CUgraphNode from)
{
    assert(to->work.type == from->work.type);
    if (work_is_updatable(&to->work) || work_is_updatable(&from->work))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (to == from)
        return CUDA_SUCCESS;
    return kernel_copy_attributes(&to->work.kernel, &from->work.kernel);
}

CUresult graph_node_copy_attributes(CUgraphNode to, CUgraphNode from)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (is_kernel(to) && is_kernel(from))
        err = copy_attributes(to, from);
    graph_unlock();
    return err;
}

/* ---- conditions -------------------------------------------------------- */

CUresult graph_condition_create(CUgraph g, unsigned default_value,
                                unsigned flags, CUgraphConditionalHandle *out)
{
    static CUgraphConditionalHandle last_handle;
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (out && graph_is_alive(g, ALIVE_GRAPH) &&
        !(flags & ~(unsigned)CU_GRAPH_COND_ASSIGN_DEFAULT)) {
        const struct graph_condition c = {.handle = ++last_handle,
                                          .default_value = default_value,
                                          .flags = flags};
        err = vec_push(&g->conditions, c) ? CUDA_SUCCESS
                                          : CUDA_ERROR_OUT_OF_MEMORY;
        if (!err)
            *out = c.handle;
    }
    graph_unlock();
    return err;
}

/* ---- copies ------------------------------------------------------------ */

static CUresult copy_bodies(const struct graph_choice *from, enum clone_use use,
                            struct graph_choice *out)
{
    assert(from->size > 0);
    *out = *from;
    out->size = 0;
    out->bodies = calloc(from->size, sizeof *out->bodies);
    if (!out->bodies)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < from->size; i++) {
        CUresult err = graph_copy(from->bodies[i], use, &out->bodies[i]);
        if (err)
            return err;
        out->bodies[i]->is_body = true;
        out->size++;
    }
    return CUDA_SUCCESS;
}

static CUresult copy_work(const struct graph_work *w, enum clone_use use,
                          struct graph_work *out)
{
    out->type = w->type;
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return graph_copy(w->child, use, &out->child);
    if (w->type != CU_GRAPH_NODE_TYPE_CONDITIONAL)
        return work_copy(w, out);
    CUresult err = copy_bodies(&w->choice, use, &out->choice);
    if (err)
        work_fini(out);
    return err;
}

static CUresult copy_node(CUgraphNode from, enum clone_use use, CUgraph to,
                          CUgraphNode *out)
{
    assert(to && out);
    struct graph_work work;
    CUresult err = copy_work(&from->work, use, &work);
    if (err)
        return err;
    CUgraphNode n = node_new(to, &work);
    if (!n) {
        work_fini(&work);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    own_children(n);
    n->original = from;
    n->id = from->id;
    if (is_memory(&work))
        to->memory_count++;
    if (use == CLONE_HANDLES && !graph_note_alive(n, ALIVE_NODE))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *out = n;
    return CUDA_SUCCESS;
}

/* Copies edges in the order that they have at both ends. */
static bool copy_links(CUgraphNode *copies, CUgraphNode from, CUgraphNode to)
{
    assert(from != to && to->before.count == 0);
    bool ok = true;
    for (size_t i = 0; i < from->before.count && ok; i++) {
        struct graph_link l = from->before.data[i];
        l.node = copies[l.node->waiting];
        ok = vec_push(&to->before, l);
    }
    for (size_t i = 0; i < from->after.count && ok; i++) {
        struct graph_link l = from->after.data[i];
        l.node = copies[l.node->waiting];
        ok = vec_push(&to->after, l);
    }
    return ok;
}

static CUresult copy_nodes(CUgraph from, enum clone_use use, CUgraph to)
{
    CUgraphNode *copies = calloc(from->node_count + 1, sizeof *copies);
    CUresult err = copies ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    uint32_t count = 0;
    list_for_each(struct CUgraphNode_st, n, &from->nodes, in_graph)
    {
        n->waiting = count;
        if (!err)
            err = copy_node(n, use, to, &copies[count++]);
    }
    count = 0;
    list_for_each(struct CUgraphNode_st, n, &from->nodes, in_graph)
    {
        if (!err && !copy_links(copies, n, copies[count++]))
            err = CUDA_ERROR_OUT_OF_MEMORY;
    }
    free(copies);
    return err;
}

CUresult graph_copy(CUgraph g, enum clone_use use, CUgraph *out)
{
    assert(g && out);
    CUgraph c =
        use == CLONE_HANDLES ? new_with_handle(g->ctx) : graph_new(g->ctx);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    c->original = g;
    c->last_id = g->last_id;
    if (use == CLONE_PRIVATE)
        /* messages give nodes the names that they have in pictures of the
         * original */
        c->id = g->id;
    CUresult err = copy_nodes(g, use, c);
    for (size_t i = 0; i < g->conditions.count && !err; i++)
        if (!vec_push(&c->conditions, g->conditions.data[i]))
            err = CUDA_ERROR_OUT_OF_MEMORY;
    if (!err)
        err = objects_copy(c, g);
    if (err) {
        graph_free(c);
        return err;
    }
    *out = c;
    return CUDA_SUCCESS;
}

bool graph_has_updatable(CUgraph g)
{
    bool has = false;
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        const struct graph_work *w = &n->work;
        has |= work_is_updatable(w);
        for (unsigned i = 0; w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL &&
                             i < w->choice.size && !has;
             i++)
            has = graph_has_updatable(w->choice.bodies[i]);
    }
    return has;
}

bool graph_has_condition(CUgraph g)
{
    bool has = g->is_body;
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph) has |=
        n->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
    return has;
}

CUresult graph_clone(CUgraph g, CUgraph *out)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (out && graph_is_alive(g, ALIVE_GRAPH))
        err =
            g->memory_count || graph_has_updatable(g) || graph_has_condition(g)
                ? CUDA_ERROR_NOT_SUPPORTED
                : graph_copy(g, CLONE_HANDLES, out);
    graph_unlock();
    return err;
}

CUresult graph_find_in_clone(CUgraphNode original, CUgraph clone,
                             CUgraphNode *out)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (out && graph_is_alive(clone, ALIVE_GRAPH) &&
        graph_is_alive(original, ALIVE_NODE) &&
        clone->original == original->graph) {
        list_for_each(struct CUgraphNode_st, n, &clone->nodes, in_graph)
        {
            if (n->original == original) {
                *out = n;
                err = CUDA_SUCCESS;
            }
        }
    }
    graph_unlock();
    return err;
}
