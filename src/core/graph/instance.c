/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instances: a clone of a graph, and its plan. Child graphs are in the plan
 * between two marks; the bodies of conditions are its sections.
 */
#include "core/graph/updatable.h"

#include <stdlib.h>

/* ---- building the plan ------------------------------------------------- */

struct builder {
    CUgraphExec exec;
    VEC(struct exec_step) steps;
    VEC(struct exec_plan_edge) edges;
    VEC(CUgraphNode) nodes;
    uint32_t section_count;
    CUgraphNode error_node; /* a node of the user's graph */
    CUgraphInstantiateResult result;
};

static CUresult fail_at(struct builder *b, CUgraphNode n,
                        CUgraphInstantiateResult result, CUresult err)
{
    assert(err != CUDA_SUCCESS);
    b->error_node = n ? n->original : NULL;
    b->result = result;
    return err;
}

static bool add_step(struct builder *b, struct exec_step step, uint32_t section,
                     uint32_t *index)
{
    *index = (uint32_t)b->steps.count;
    step.section = section;
    return vec_push(&b->steps, step);
}

static bool add_edge(struct builder *b, uint32_t from, uint32_t to)
{
    assert(from != to && from < b->steps.count && to < b->steps.count);
    const struct exec_plan_edge edge = {from, to};
    return vec_push(&b->edges, edge);
}

static CUresult add_graph(struct builder *b, CUgraph g, uint32_t section);

/* Adds edges from the mark before a child graph to its roots, and from its
 * sinks to the mark behind it. */
static bool enclose_child(struct builder *b, CUgraphNode child)
{
    assert(child->work.child);
    bool ok = child->work.child->node_count ||
              add_edge(b, child->step, child->last_step);
    list_for_each(struct CUgraphNode_st, n, &child->work.child->nodes, in_graph)
    {
        if (n->before.count == 0)
            ok = ok && add_edge(b, child->step, n->step);
        if (n->after.count == 0)
            ok = ok && add_edge(b, n->last_step, child->last_step);
    }
    return ok;
}

static CUresult add_child(struct builder *b, CUgraphNode n, uint32_t section)
{
    assert(n->work.type == CU_GRAPH_NODE_TYPE_GRAPH);
    const struct exec_step mark = {.kind = EXEC_STEP_NOTHING};
    if (!add_step(b, mark, section, &n->step))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err = add_graph(b, n->work.child, section);
    if (err)
        return err;
    return add_step(b, mark, section, &n->last_step) && enclose_child(b, n)
               ? CUDA_SUCCESS
               : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult add_bodies(struct builder *b, CUgraphNode n)
{
    assert(n->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL);
    CUresult err = CUDA_SUCCESS;
    n->first_section = b->section_count;
    b->section_count += n->work.choice.size;
    for (unsigned i = 0; i < n->work.choice.size && !err; i++)
        err = add_graph(b, n->work.choice.bodies[i], n->first_section + i);
    return err;
}

static bool note_special(struct builder *b, CUgraphNode n)
{
    assert(n->exec == b->exec);
    CUgraphExec e = b->exec;
    switch (n->work.type) {
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        n->mark = e->events.count;
        return vec_push(&e->events, n);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return vec_push(&e->blocks, n);
    default:
        return true;
    }
}

static CUresult add_node(struct builder *b, CUgraphNode n, uint32_t section)
{
    struct exec_step step = {0};
    n->exec = b->exec;
    if (work_is_updatable(&n->work) &&
        updatable_is_taken(n->work.kernel.device))
        return fail_at(b, n, CUDA_GRAPH_INSTANTIATE_ERROR,
                       CUDA_ERROR_NOT_SUPPORTED);
    b->exec->is_updatable |= work_is_updatable(&n->work);
    if (!vec_push(&b->nodes, n) || !note_special(b, n))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (n->work.type == CU_GRAPH_NODE_TYPE_GRAPH)
        return add_child(b, n, section);
    CUresult err = step_make(n, &step);
    if (!err && !add_step(b, step, section, &n->step))
        err = CUDA_ERROR_OUT_OF_MEMORY;
    if (err) {
        exec_task_unref(step.task);
        return fail_at(
            b, n, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED, err);
    }
    n->last_step = n->step;
    return n->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? add_bodies(b, n)
                                                          : CUDA_SUCCESS;
}

static CUresult add_nodes(struct builder *b, CUgraphNode *order, size_t count,
                          uint32_t section)
{
    CUresult err = CUDA_SUCCESS;
    for (size_t i = 0; i < count && !err; i++) {
        CUgraphNode n = order[i];
        CUgraphInstantiateResult result = work_is_allowed(
            &n->work, b->exec->flags, section != 0, n->graph->node_count == 1);
        if (result)
            return fail_at(b, n, result, CUDA_ERROR_INVALID_VALUE);
        err = add_node(b, n, section);
        for (size_t k = 0; k < n->before.count && !err; k++)
            if (!add_edge(b, n->before.data[k].node->last_step, n->step))
                err = CUDA_ERROR_OUT_OF_MEMORY;
    }
    return err;
}

/* A node that is part of a cycle. */
static CUgraphNode find_cyclic(CUgraph g)
{
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        if (n->waiting)
            return n;
    }
    return NULL;
}

/* True: a condition handle of the graph has no node. */
static bool has_unused_condition(CUgraph g)
{
    for (size_t i = 0; i < g->conditions.count; i++)
        if (!g->conditions.data[i].is_used)
            return true;
    return false;
}

static bool note_conditions(CUgraphExec e, CUgraph g)
{
    bool ok = true;
    for (size_t i = 0; i < g->conditions.count && ok; i++) {
        struct graph_condition c = g->conditions.data[i];
        c.value = c.flags & CU_GRAPH_COND_ASSIGN_DEFAULT ? c.default_value : 0;
        ok = vec_push(&e->conditions, c);
    }
    return ok;
}

static CUresult add_graph(struct builder *b, CUgraph g, uint32_t section)
{
    bool ok;
    if (has_unused_condition(g))
        return fail_at(b, NULL,
                       CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED,
                       CUDA_ERROR_INVALID_VALUE);
    CUgraphNode *order = graph_sort(g, &ok);
    if (!order || !note_conditions(b->exec, g)) {
        free(order);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult err = ok ? add_nodes(b, order, g->node_count, section)
                      : fail_at(b, find_cyclic(g),
                                CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE,
                                CUDA_ERROR_INVALID_VALUE);
    free(order);
    return err;
}

/* ---- making and ending instances --------------------------------------- */

void exec_note_fault(void *data, enum exec_fault fault, uint32_t step)
{
    CUgraphExec e = data;
    bool is_first = ctx_begin_fault(e->ctx, fault);
    for (size_t i = 0; i < e->node_count && is_first; i++) {
        const struct CUgraphNode_st *n = e->order[i];
        if (n->step == step)
            explain_node(n->graph->id, n->id, work_name(n->work.type),
                         n->work.type == CU_GRAPH_NODE_TYPE_KERNEL, fault);
    }
    ctx_end_fault(e->ctx, fault, is_first);
}

static bool index_nodes(CUgraphExec e)
{
    bool ok = true;
    for (size_t i = 0; i < e->node_count && ok; i++)
        ok = map_put(&e->by_original, e->order[i]->original, e->order[i]);
    return ok;
}

/* Takes over the steps' tasks and the list of nodes. */
static CUresult make_plan(struct builder *b)
{
    assert(!b->exec->plan);
    CUgraphExec e = b->exec;
    e->order = b->nodes.data;
    e->node_count = b->nodes.count;
    memset(&b->nodes, 0, sizeof b->nodes);
    e->plan = exec_plan_create(b->steps.data, (uint32_t)b->steps.count,
                               b->edges.data, b->edges.count, b->section_count);
    b->steps.count = 0;
    if (!e->plan || !index_nodes(e))
        return CUDA_ERROR_OUT_OF_MEMORY;
    exec_plan_on_fault(e->plan, exec_note_fault, e);
    for (size_t i = 0; i < e->node_count; i++)
        if (work_is_updatable(&e->order[i]->work))
            kernel_step_installed(exec_plan_step(e->plan, e->order[i]->step));
    return CUDA_SUCCESS;
}

static CUresult build_steps(struct builder *b)
{
    assert(b->exec);
    CUresult err = add_graph(b, b->exec->graph, 0);
    if (!err)
        err = make_plan(b);
    for (size_t i = 0; i < b->steps.count; i++)
        exec_task_unref(b->steps.data[i].task);
    vec_fini(&b->steps);
    vec_fini(&b->edges);
    vec_fini(&b->nodes);
    return err;
}

static bool is_for_device(cuuint64_t flags)
{
    return flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
}

/* From now on the graph may have another instance. */
static void leave_source(CUgraphExec e)
{
    if (graph_is_alive(e->source, ALIVE_GRAPH) && e->source->id == e->source_id)
        e->source->instances--;
    e->source = NULL;
}

void exec_follow(CUgraphExec e, CUgraph g)
{
    leave_source(e);
    e->source = g;
    e->source_id = g->id;
    g->instances++;
}

/* From now on kernels cannot change the instance's nodes. */
static void leave_kernels(CUgraphExec e)
{
    for (size_t i = 0; e->plan && i < e->node_count; i++)
        if (work_is_updatable(&e->order[i]->work))
            kernel_step_removed(exec_plan_step(e->plan, e->order[i]->step));
}

/* Frees an instance without launches under way. The lock is held, as objects
 * and blocks are freed too. */
static void exec_free(CUgraphExec e)
{
    exec_free_launches(e);
    leave_kernels(e);
    exec_plan_unref(e->plan);
    leave_source(e);
    blocks_forget(e);
    graph_free(e->graph);
    map_fini(&e->by_original);
    vec_fini(&e->events);
    vec_fini(&e->blocks);
    vec_fini(&e->conditions);
    free(e->order);
    free(e);
}

/* A stack of instances without references. The end of a launch pushes before
 * its run counts as done, so that whoever has waited for the run may reap. */
static _Atomic(CUgraphExec) dying;

void exec_reap(void)
{
    /* Pairs with the push. */
    CUgraphExec e =
        atomic_exchange_explicit(&dying, NULL, memory_order_acquire);
    while (e) {
        CUgraphExec next = e->next_dying;
        assert(atomic_load(&e->refs) == 0);
        exec_free(e);
        e = next;
    }
}

static void reap_later(void *data)
{
    (void)data;
    graph_lock();
    exec_reap();
    graph_unlock();
}

/* True: this was the last reference, and exec_reap frees the instance. */
static bool drop_instance(CUgraphExec e)
{
    /* Each pairs with the others: the last sees what all wrote. */
    if (atomic_fetch_sub_explicit(&e->refs, 1, memory_order_acq_rel) != 1)
        return false;
    e->next_dying = atomic_load_explicit(&dying, memory_order_relaxed);
    /* Pairs with the exchange in exec_reap. */
    while (!atomic_compare_exchange_weak_explicit(
        &dying, &e->next_dying, e, memory_order_release, memory_order_relaxed))
        ;
    return true;
}

void exec_unref(CUgraphExec e)
{
    struct exec_task *t =
        drop_instance(e) ? exec_task_call(reap_later, NULL) : NULL;
    if (!t)
        /* out of memory: the next instance that dies frees this one, too */
        return;
    exec_submit(t);
    exec_task_unref(t);
}

static const cuuint64_t known_flags =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
    CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH |
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

static bool are_flags_good(cuuint64_t flags)
{
    const cuuint64_t never = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH |
                             CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    return !(flags & ~known_flags) && (flags & never) != never;
}

/* Only one instance at a time may have a graph's memory or conditions. */
static CUresult check_graph(CUgraph g, cuuint64_t flags)
{
    bool is_single = g->memory_count || graph_has_condition(g);
    if (g->owner || (is_single && g->instances))
        return CUDA_ERROR_NOT_SUPPORTED;
    return is_for_device(flags) && !g->node_count ? CUDA_ERROR_INVALID_VALUE
                                                  : CUDA_SUCCESS;
}

static CUresult make_instance(CUgraph g, cuuint64_t flags, struct builder *b)
{
    CUresult err = check_graph(g, flags);
    if (err)
        return err;
    CUgraphExec e = calloc(1, sizeof *e);
    if (!e)
        return CUDA_ERROR_OUT_OF_MEMORY;
    atomic_init(&e->refs, 1);
    e->ctx = g->ctx;
    e->flags = flags & ~(cuuint64_t)CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    exec_follow(e, g);
    e->is_uploaded = flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    e->patch_end = &e->patches;
    list_init(&e->launches);
    b->exec = e;
    return graph_copy(g, CLONE_PRIVATE, &e->graph);
}

static CUresult instantiate_graph(CUgraph g, cuuint64_t flags,
                                  struct builder *b)
{
    CUresult err = make_instance(g, flags, b);
    if (!err)
        err = build_steps(b);
    if (!err && (!exec_make_launches(b->exec) ||
                 !graph_note_alive(b->exec, ALIVE_EXEC)))
        err = CUDA_ERROR_OUT_OF_MEMORY;
    if (err && b->exec)
        exec_free(b->exec);
    return err;
}

CUresult graph_instantiate(CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *params,
                           CUgraphExec *out)
{
    struct builder b = {.section_count = 1};
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    params->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    params->hErrNode_out = NULL;
    if (!out || !are_flags_good(params->flags))
        return err;
    /* With an upload it is no unsafe call, as on an H200. */
    if (!(params->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) &&
        (err = capture_check_call()) != CUDA_SUCCESS)
        return err;
    err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (graph_is_alive(g, ALIVE_GRAPH)) {
        CUcontext ctx;
        err = graph_context(g, &ctx);
        if (!err)
            err = ctx_sticky(ctx);
        if (!err)
            err = instantiate_graph(g, params->flags, &b);
    }
    graph_unlock();
    params->hErrNode_out = b.error_node;
    params->result_out = !err       ? CUDA_GRAPH_INSTANTIATE_SUCCESS
                         : b.result ? b.result
                                    : CUDA_GRAPH_INSTANTIATE_ERROR;
    if (!err)
        *out = b.exec;
    return err;
}

CUresult graph_exec_destroy(CUgraphExec e)
{
    CUresult err = capture_check_call();
    if (err)
        return err;
    err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (graph_is_alive(e, ALIVE_EXEC)) {
        graph_note_dead(e);
        leave_source(e);
        leave_kernels(e);
        if (drop_instance(e))
            exec_reap();
        err = CUDA_SUCCESS;
    }
    graph_unlock();
    return err;
}

CUresult graph_exec_flags(CUgraphExec e, cuuint64_t *flags)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (flags && graph_is_alive(e, ALIVE_EXEC)) {
        *flags = e->flags &
                 ~(cuuint64_t)CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
        err = CUDA_SUCCESS;
    }
    graph_unlock();
    return err;
}

void graph_exec_set_condition(CUgraphExec e, CUgraphConditionalHandle handle,
                              unsigned value)
{
    struct graph_condition *c = exec_condition(e, handle);
    if (c)
        c->value = value;
}

struct graph_condition *exec_condition(CUgraphExec e,
                                       CUgraphConditionalHandle handle)
{
    for (size_t i = 0; i < e->conditions.count; i++)
        if (e->conditions.data[i].handle == handle ||
            (handle && e->conditions.data[i].alias == handle))
            return &e->conditions.data[i];
    return NULL;
}
