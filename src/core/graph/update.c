/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changing instances: one node's parameters, whether it is enabled, or all
 * parameters at once from a graph of the same shape. Launches before are not
 * affected.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

/* The instance's node for a node of the graph that it was made from; NULL:
 * there is none. */
static CUgraphNode find_node(CUgraphExec e, CUgraphNode n)
{
    if (!graph_is_alive(e, ALIVE_EXEC) || !graph_is_alive(n, ALIVE_NODE))
        return NULL;
    CUgraphNode own = map_find(&e->by_original, n);
    /* another node may have come to the address of one that is gone */
    return own && own->id == n->id && own->graph->id == n->graph->id ? own
                                                                     : NULL;
}

/* ---- arguments in place ------------------------------------------------ */

/* The same launch but for arguments, and the compiled code may take the new
 * ones. */
static bool is_same_launch(const struct graph_kernel *a,
                           const struct graph_kernel *b)
{
    return a->f == b->f && !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) &&
           a->shared_bytes == b->shared_bytes &&
           a->attributes.count == b->attributes.count &&
           !memcmp(a->attributes.data, b->attributes.data,
                   a->attributes.count * sizeof *a->attributes.data);
}

/* The arguments have the layout of the kernel's parameters. */
static bool put_arguments(CUgraphExec e, CUgraphNode n, const uint8_t *packed)
{
    assert(n->exec == e);
    struct graph_kernel *k = &n->work.kernel;
    if (!exec_is_idle(e) || e->patches || !jit_needs_hold(n->code, packed))
        return false;
    struct exec_step *step = exec_plan_step(e->plan, n->step);
    if (step->kind != EXEC_STEP_TASK)
        return false;
    e->is_uploaded = false;
    memcpy(exec_task_params(step->task), packed, k->f->ptx->param_bytes);
    memcpy(k->packed, packed, k->f->ptx->param_bytes);
    return true;
}

static bool is_same_shape(const struct graph_kernel *k,
                          const CUDA_KERNEL_NODE_PARAMS_v3 *p)
{
    return k->f == p->func && k->grid[0] == p->gridDimX &&
           k->grid[1] == p->gridDimY && k->grid[2] == p->gridDimZ &&
           k->block[0] == p->blockDimX && k->block[1] == p->blockDimY &&
           k->block[2] == p->blockDimZ && k->shared_bytes == p->sharedMemBytes;
}

/* The usual case: only a few bytes of arguments change. False: take the long
 * way. */
static bool put_new_arguments(CUgraphExec e, CUgraphNode n,
                              const CUDA_KERNEL_NODE_PARAMS_v3 *p)
{
    enum { ROOM = 256 };
    _Alignas(16) uint8_t packed[ROOM];
    struct graph_kernel *k = &n->work.kernel;
    const struct ptx_func *f = k->f->ptx;
    if (!is_same_shape(k, p) || p->extra || f->param_bytes > ROOM ||
        (f->param_count && !p->kernelParams))
        return false;
    memcpy(packed, k->packed, f->param_bytes);
    for (size_t i = 0; i < f->param_count; i++) {
        const struct ptx_var *to = &f->params[i];
        if (!p->kernelParams[i])
            return false;
        memcpy(packed + to->offset_bytes, p->kernelParams[i], to->size_bytes);
    }
    if (!put_arguments(e, n, packed))
        return false;
    k->kern = kernel_of(p);
    return true;
}

/* ---- one node ---------------------------------------------------------- */

static CUresult make_step(CUgraphExec e, CUgraphNode n)
{
    assert(n->exec == e);
    struct exec_step step = {0};
    CUresult err = step_make(n, &step);
    if (!err)
        err = exec_patch(e, n->step, &step);
    if (err)
        exec_task_unref(step.task);
    return err;
}

/* Takes over the work. After an error nothing has changed. */
static CUresult exchange_work(CUgraphExec e, CUgraphNode n,
                              struct graph_work *work)
{
    assert(n->exec == e && n->work.type == work->type);
    struct graph_work old = n->work;
    if (work->type == CU_GRAPH_NODE_TYPE_KERNEL &&
        is_same_launch(&n->work.kernel, &work->kernel) &&
        put_arguments(e, n, work->kernel.packed)) {
        work_fini(work);
        return CUDA_SUCCESS;
    }
    n->work = *work;
    CUresult err = make_step(e, n);
    work_fini(err ? &n->work : &old);
    if (err)
        n->work = old;
    return err;
}

static bool is_exchangeable(CUgraphNodeType type)
{
    return type != CU_GRAPH_NODE_TYPE_GRAPH &&
           type != CU_GRAPH_NODE_TYPE_MEM_ALLOC &&
           type != CU_GRAPH_NODE_TYPE_MEM_FREE &&
           type != CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

static CUresult update_child(CUgraphExec e, CUgraph from, CUgraph to);

static CUresult set_params(CUgraphExec e, CUgraphNode n,
                           const CUgraphNodeParams *params)
{
    struct graph_work work;
    if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return graph_is_alive(params->graph.graph, ALIVE_GRAPH)
                   ? update_child(e, params->graph.graph, n->work.child)
                   : CUDA_ERROR_INVALID_VALUE;
    if (!is_exchangeable(params->type))
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult err = ctx_sticky(e->ctx);
    if (!err && params->type == CU_GRAPH_NODE_TYPE_KERNEL &&
        put_new_arguments(e, n, &params->kernel))
        return CUDA_SUCCESS;
    if (!err)
        err = work_make(e->graph, params, &work);
    if (err)
        return err;
    if (work.type == CU_GRAPH_NODE_TYPE_KERNEL)
        err = kernel_copy_attributes(&work.kernel, &n->work.kernel);
    if (!err && work_compare(&n->work, &work, e->flags))
        err = CUDA_ERROR_INVALID_VALUE;
    if (err) {
        work_fini(&work);
        return err;
    }
    return exchange_work(e, n, &work);
}

CUresult graph_exec_set_params(CUgraphExec e, CUgraphNode node,
                               const CUgraphNodeParams *params)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    CUgraphNode n = find_node(e, node);
    if (n && params && n->work.type == params->type)
        err = set_params(e, n, params);
    graph_unlock();
    return err;
}

/* ---- enabling ---------------------------------------------------------- */

static bool can_be_disabled(CUgraphNode n)
{
    return n->work.type == CU_GRAPH_NODE_TYPE_KERNEL ||
           n->work.type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           n->work.type == CU_GRAPH_NODE_TYPE_MEMSET;
}

CUresult graph_exec_set_enabled(CUgraphExec e, CUgraphNode node,
                                unsigned enabled)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    CUgraphNode n = find_node(e, node);
    if (n && can_be_disabled(n)) {
        n->is_disabled = !enabled;
        err = make_step(e, n);
    }
    graph_unlock();
    return err;
}

CUresult graph_exec_enabled(CUgraphExec e, CUgraphNode node, unsigned *enabled)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    CUgraphNode n = find_node(e, node);
    if (enabled && n && can_be_disabled(n)) {
        *enabled = !n->is_disabled;
        err = CUDA_SUCCESS;
    }
    graph_unlock();
    return err;
}

/* ---- all of it --------------------------------------------------------- */

/* What an instance is to become like, and how it differs. */
struct update {
    CUgraphExec exec;
    bool takes_memory; /* false: nodes keep what they allocate and free */
    CUgraphExecUpdateResultInfo *info;
};

/* Nodes are paired from the sinks on, in the order in which these were added,
 * and then by the order of each node's dependencies. The guide, "Whole Graph
 * Update". */
struct pairs {
    const struct update *update;
    /* paired nodes whose dependencies are not paired yet */
    VEC(CUgraphNode) todo;
};

static CUgraphNode sink_before(CUgraph g, CUgraphNode n)
{
    struct list *at = n ? n->in_graph.prev : g->nodes.prev;
    for (; at != &g->nodes; at = at->prev) {
        n = container_of(at, struct CUgraphNode_st, in_graph);
        if (n->after.count == 0)
            return n;
    }
    return NULL;
}

static void forget_pairs(CUgraph g)
{
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph) n->pair = NULL;
}

static CUresult report_difference(CUgraphExecUpdateResultInfo *info,
                                  CUgraphExecUpdateResult result,
                                  CUgraphNode node, CUgraphNode from)
{
    *info = (CUgraphExecUpdateResultInfo){
        .result = result, .errorNode = node, .errorFromNode = from};
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

static CUresult pair_nodes(struct pairs *p, CUgraphNode a, CUgraphNode b,
                           CUgraphNode from)
{
    if (a->pair == b && b->pair == a)
        return CUDA_SUCCESS;
    if (a->pair || b->pair)
        return report_difference(p->update->info,
                                 CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
                                 from ? from : a, from ? a : NULL);
    a->pair = b;
    b->pair = a;
    return vec_push(&p->todo, a) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult pair_links(struct pairs *p, CUgraphNode a, CUgraphNode b)
{
    CUresult err = CUDA_SUCCESS;
    assert(a->work.type == b->work.type);
    for (size_t i = 0; i < a->before.count && i < b->before.count && !err;
         i++) {
        const struct graph_link *x = &a->before.data[i],
                                *y = &b->before.data[i];
        if (memcmp(&x->data, &y->data, sizeof x->data))
            return report_difference(
                p->update->info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, a,
                x->node);
        err = pair_nodes(p, x->node, y->node, a);
    }
    if (!err && a->before.count != b->before.count)
        return report_difference(p->update->info,
                                 CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, a,
                                 NULL);
    return err;
}

static CUresult compare_graphs(const struct update *u, CUgraph a, CUgraph b);

static CUresult compare_inner(const struct update *u, CUgraphNode a,
                              CUgraphNode b)
{
    CUresult err = CUDA_SUCCESS;
    if (a->work.type == CU_GRAPH_NODE_TYPE_GRAPH)
        return compare_graphs(u, a->work.child, b->work.child);
    if (a->work.type != CU_GRAPH_NODE_TYPE_CONDITIONAL)
        return CUDA_SUCCESS;
    for (unsigned i = 0; i < a->work.choice.size && !err; i++)
        err = compare_graphs(u, a->work.choice.bodies[i],
                             b->work.choice.bodies[i]);
    return err;
}

/* Where priorities count, they cannot change. */
static bool has_other_priority(CUgraphExec e, CUgraphNode a, CUgraphNode b)
{
    return e->flags & CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY &&
           a->work.type == CU_GRAPH_NODE_TYPE_KERNEL &&
           kernel_priority(&a->work.kernel) != kernel_priority(&b->work.kernel);
}

static bool has_other_memory(const struct update *u, CUgraphNode a,
                             CUgraphNode b)
{
    if (u->takes_memory)
        return false;
    return (a->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC &&
            a->work.block != b->work.block) ||
           (a->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE &&
            a->work.freed != b->work.freed);
}

static CUresult compare_nodes(struct pairs *p, CUgraphNode a, CUgraphNode b)
{
    const struct update *u = p->update;
    if (a->work.type != b->work.type)
        return report_difference(
            u->info, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, a, NULL);
    CUresult err = pair_links(p, a, b);
    if (err)
        return err;
    CUgraphExecUpdateResult result =
        work_compare(&b->work, &a->work, u->exec->flags);
    if (!result && has_other_memory(u, a, b))
        result = CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    if (!result && has_other_priority(u->exec, b, a))
        result = CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
    return result ? report_difference(u->info, result, a, NULL)
                  : compare_inner(u, a, b);
}

static CUresult pair_sinks(struct pairs *p, CUgraph a, CUgraph b)
{
    CUgraphNode x = NULL, y = NULL;
    CUresult err = CUDA_SUCCESS;
    while (!err && (x = sink_before(a, x)) != NULL) {
        y = sink_before(b, y);
        if (!y)
            return report_difference(
                p->update->info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, x,
                NULL);
        err = pair_nodes(p, x, y, NULL);
    }
    if (!err && sink_before(b, y))
        err = report_difference(p->update->info,
                                CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
                                NULL, NULL);
    return err;
}

/* `b` is the instance's graph. */
static CUresult compare_graphs(const struct update *u, CUgraph a, CUgraph b)
{
    struct pairs p = {.update = u};
    if (a->node_count != b->node_count)
        return report_difference(
            u->info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
    forget_pairs(a);
    forget_pairs(b);
    CUresult err = pair_sinks(&p, a, b);
    for (size_t i = 0; i < p.todo.count && !err; i++)
        err = compare_nodes(&p, p.todo.data[i], p.todo.data[i]->pair);
    if (!err && p.todo.count != a->node_count)
        err = report_difference(
            u->info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
    vec_fini(&p.todo);
    return err;
}

static CUresult take_graph(CUgraphExec e, CUgraph from, CUgraph to);

/* The graph's handle is one that its kernels set, and differs from the
 * instance's: both then name the condition. Flags and default value become the
 * graph's. */
static CUresult take_condition(CUgraphExec e, const struct graph_choice *from,
                               const struct graph_choice *to, CUgraph graph)
{
    const struct graph_condition *new = graph_condition(graph, from->handle);
    struct graph_condition *c = exec_condition(e, to->handle);
    assert(new &&c);
    return exec_patch_condition(e, c, new);
}

static CUresult take_node(CUgraphExec e, CUgraphNode from, CUgraphNode to)
{
    assert(from->work.type == to->work.type);
    struct graph_work work;
    CUresult err = CUDA_SUCCESS;
    if (from->work.type == CU_GRAPH_NODE_TYPE_GRAPH)
        return take_graph(e, from->work.child, to->work.child);
    if (from->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        err = take_condition(e, &from->work.choice, &to->work.choice,
                             from->graph);
    for (unsigned i = 0; from->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL &&
                         i < from->work.choice.size && !err;
         i++)
        err = take_graph(e, from->work.choice.bodies[i],
                         to->work.choice.bodies[i]);
    if (err || !is_exchangeable(from->work.type))
        return err;
    err = work_copy(&from->work, &work);
    return err ? err : exchange_work(e, to, &work);
}

static CUresult take_graph(CUgraphExec e, CUgraph from, CUgraph to)
{
    CUresult err = CUDA_SUCCESS;
    list_for_each(struct CUgraphNode_st, n, &from->nodes, in_graph)
    {
        if (!err)
            err = take_node(e, n, n->pair);
    }
    if (!err) {
        objects_release(to);
        err = objects_copy(to, from);
    }
    return err;
}

static CUresult update_child(CUgraphExec e, CUgraph from, CUgraph to)
{
    CUgraphExecUpdateResultInfo info;
    /* an instance has the memory of one graph, and not that of another's
     * child */
    const struct update u = {.exec = e, .info = &info};
    CUresult err = compare_graphs(&u, from, to);
    return err ? err : take_graph(e, from, to);
}

/* All nodes are paired. */
static CUresult compare_frees(const struct update *u)
{
    CUgraphExec e = u->exec;
    for (size_t i = 0; i < e->blocks.count; i++) {
        CUgraphNode n = e->blocks.data[i];
        if (n->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE &&
            !blocks_are_freed_alike(e, n))
            return report_difference(
                u->info, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, n->pair,
                NULL);
    }
    return CUDA_SUCCESS;
}

/* Memory comes last, and cannot fail: so it is always one graph's. */
static CUresult update_whole(CUgraphExec e, CUgraph g,
                             CUgraphExecUpdateResultInfo *info)
{
    assert(e->graph != g);
    /* a child's memory is that of the graph around it */
    bool takes_memory = g->memory_count && !g->owner;
    const struct update u = {e, takes_memory, info};
    CUresult err = compare_graphs(&u, g, e->graph);
    if (!err && takes_memory)
        err = compare_frees(&u);
    if (!err && takes_memory && g->instances && g->id != e->source_id)
        err = CUDA_ERROR_NOT_SUPPORTED; /* memory is one instance's at a time */
    if (!err)
        err = take_graph(e, g, e->graph);
    if (!err && takes_memory) {
        blocks_exchange(e, exec_last_end(e));
        exec_follow(e, g);
    }
    return err;
}

CUresult graph_exec_update(CUgraphExec e, CUgraph g,
                           CUgraphExecUpdateResultInfo *info)
{
    CUgraphExecUpdateResultInfo own;
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    info = info ? info : &own;
    if (!e || !g)
        return err; /* nothing more is reported, as by a GPU's driver */
    graph_lock();
    *info = (CUgraphExecUpdateResultInfo){.result = CU_GRAPH_EXEC_UPDATE_ERROR};
    if (graph_is_alive(e, ALIVE_EXEC) && graph_is_alive(g, ALIVE_GRAPH)) {
        bool has_updatable = e->is_updatable || graph_has_updatable(g);
        err =
            has_updatable ? CUDA_ERROR_NOT_SUPPORTED : update_whole(e, g, info);
        if (!err || has_updatable) /* the latter as on an H200 */
            info->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    }
    graph_unlock();
    return err;
}
