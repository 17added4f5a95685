/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges between nodes of a graph, and questions about them. An edge is in the
 * lists of both its ends, in the order in which the edges were added.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

static const CUgraphEdgeData plain;

/* ---- adding and removing ----------------------------------------------- */

static struct graph_link *find_link(struct graph_link *links, size_t count,
                                    CUgraphNode node)
{
    for (size_t i = 0; i < count; i++)
        if (links[i].node == node)
            return &links[i];
    return NULL;
}

static bool is_plain(const CUgraphEdgeData *d)
{
    return !memcmp(d, &plain, sizeof plain);
}

/* Is the data one that an edge between kernels may have? */
static bool is_data_good(const CUgraphEdgeData *d, CUgraphNode from,
                         CUgraphNode to)
{
    static const unsigned char none[sizeof d->reserved];
    if (memcmp(d->reserved, none, sizeof none) || d->to_port ||
        d->type > CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC ||
        d->from_port > CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER)
        return false;
    if (d->from_port && from->work.type != CU_GRAPH_NODE_TYPE_KERNEL)
        return false;
    if (d->type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT)
        return d->from_port != CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
    return (d->from_port && from->work.type == CU_GRAPH_NODE_TYPE_KERNEL &&
            (!to || to->work.type == CU_GRAPH_NODE_TYPE_KERNEL));
}

bool edge_add(CUgraphNode from, CUgraphNode to, const CUgraphEdgeData *data)
{
    assert(from != to && from->graph == to->graph);
    const struct graph_link before = {from, data ? *data : plain};
    const struct graph_link after = {to, before.data};
    if (!vec_push(&to->before, before))
        return false;
    if (vec_push(&from->after, after))
        return true;
    to->before.count--;
    return false;
}

static void drop_link(struct graph_link *links, size_t *count, CUgraphNode node)
{
    assert(*count > 0);
    struct graph_link *l = find_link(links, *count, node);
    size_t behind = *count - (size_t)(l - links) - 1;
    memmove(l, l + 1, behind * sizeof *l);
    --*count;
}

static void edge_remove(CUgraphNode from, CUgraphNode to)
{
    assert(from->graph == to->graph);
    drop_link(from->after.data, &from->after.count, to);
    drop_link(to->before.data, &to->before.count, from);
}

void edge_remove_all(CUgraphNode n)
{
    while (n->before.count)
        edge_remove(n->before.data[n->before.count - 1].node, n);
    while (n->after.count)
        edge_remove(n, n->after.data[n->after.count - 1].node);
}

static bool is_of(CUgraph g, CUgraphNode n)
{
    return graph_is_alive(n, ALIVE_NODE) && n->graph == g;
}

CUresult edge_check_ends(CUgraph g, const CUgraphNode *dependencies,
                         const CUgraphEdgeData *data, size_t count)
{
    if (count && !dependencies)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (!is_of(g, dependencies[i]) ||
            (data && !is_data_good(&data[i], dependencies[i], NULL)))
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* Checks the edges that a new node is to have. */
CUresult edge_check(CUgraph g, const CUgraphNode *dependencies,
                    const CUgraphEdgeData *data, size_t count)
{
    CUresult err = edge_check_ends(g, dependencies, data, count);
    for (size_t i = 0; i < count && !err; i++)
        for (size_t j = 0; j < i; j++)
            if (dependencies[j] == dependencies[i])
                err = CUDA_ERROR_INVALID_VALUE;
    return err;
}

/* The same for a node of this type. */
CUresult edge_check_new(CUgraph g, CUgraphNodeType to,
                        const CUgraphNode *dependencies,
                        const CUgraphEdgeData *data, size_t count)
{
    for (size_t i = 0; i < count && data; i++)
        if (data[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC &&
            to != CU_GRAPH_NODE_TYPE_KERNEL)
            return CUDA_ERROR_INVALID_VALUE;
    return edge_check(g, dependencies, data, count);
}

static CUresult check_pair(CUgraph g, CUgraphNode from, CUgraphNode to)
{
    return is_of(g, from) && is_of(g, to) && from != to
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_pairs(CUgraph g, const CUgraphNode *from,
                            const CUgraphNode *to, size_t count)
{
    if (!graph_is_alive(g, ALIVE_GRAPH) || (count && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        CUresult err = check_pair(g, from[i], to[i]);
        if (err)
            return err;
    }
    return CUDA_SUCCESS;
}

static CUresult add_edges(const CUgraphNode *from, const CUgraphNode *to,
                          const CUgraphEdgeData *data, size_t count)
{
    CUresult err = CUDA_SUCCESS;
    size_t i = 0;
    for (; i < count && !err; i++) {
        const CUgraphEdgeData *d = data ? &data[i] : &plain;
        if (find_link(to[i]->before.data, to[i]->before.count, from[i]) ||
            !is_data_good(d, from[i], to[i]))
            err = CUDA_ERROR_INVALID_VALUE;
        else if (!edge_add(from[i], to[i], d))
            err = CUDA_ERROR_OUT_OF_MEMORY;
    }
    /* All edges or none: removes those that were added. */
    for (i -= err != CUDA_SUCCESS; err && i-- > 0;)
        edge_remove(from[i], to[i]);
    return err;
}

CUresult graph_add_dependencies(CUgraph g, const CUgraphNode *from,
                                const CUgraphNode *to,
                                const CUgraphEdgeData *data, size_t count)
{
    graph_lock();
    CUresult err = check_pairs(g, from, to, count);
    if (!err)
        err = add_edges(from, to, data, count);
    graph_unlock();
    return err;
}

/* `data` NULL or plain: an edge with any data. */
static bool has_edge(CUgraphNode from, CUgraphNode to,
                     const CUgraphEdgeData *data)
{
    const struct graph_link *l =
        find_link(to->before.data, to->before.count, from);
    return l &&
           (!data || is_plain(data) || !memcmp(&l->data, data, sizeof plain));
}

CUresult graph_remove_dependencies(CUgraph g, const CUgraphNode *from,
                                   const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count)
{
    graph_lock();
    CUresult err = check_pairs(g, from, to, count);
    /* Addresses of allocations were chosen by the order of the nodes. */
    if (!err && count && g->memory_count)
        err = CUDA_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < count && !err; i++) {
        if (!has_edge(from[i], to[i], data ? &data[i] : NULL))
            err = CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count && !err; i++) {
        if (has_edge(from[i], to[i], data ? &data[i] : NULL))
            edge_remove(from[i], to[i]);
        else
            err = CUDA_ERROR_INVALID_VALUE; /* it was named twice */
    }
    graph_unlock();
    return err;
}

/* ---- order ------------------------------------------------------------- */

CUgraphNode *graph_sort(CUgraph g, bool *ok)
{
    CUgraphNode *order = calloc(g->node_count + 1, sizeof *order);
    size_t count = 0;
    if (!order)
        return NULL;
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        n->waiting = (uint32_t)n->before.count;
        if (n->waiting == 0)
            order[count++] = n;
    }
    for (size_t i = 0; i < count; i++) {
        CUgraphNode n = order[i];
        for (size_t k = 0; k < n->after.count; k++)
            if (--n->after.data[k].node->waiting == 0)
                order[count++] = n->after.data[k].node;
    }
    *ok = count == g->node_count;
    return order;
}

/* ---- questions --------------------------------------------------------- */

/* The answer to a question: arrays of the caller, their room, and how many
 * there are. */
struct answer {
    CUgraphNode *nodes, *others;
    CUgraphEdgeData *data;
    size_t room, count;
    bool is_question; /* only the number is asked for */
    bool is_lossy;    /* an edge has data, and the caller no array for it */
};

static struct answer answer_to(CUgraphNode *nodes, CUgraphNode *others,
                               CUgraphEdgeData *data, const size_t *count)
{
    return (struct answer){.nodes = nodes,
                           .others = others,
                           .data = data,
                           .is_question = !nodes && !others,
                           .room = nodes || others ? *count : 0};
}

static void put_edge(struct answer *a, CUgraphNode node, CUgraphNode other,
                     const CUgraphEdgeData *data)
{
    size_t i = a->count++;
    if (i >= a->room)
        return;
    if (a->nodes)
        a->nodes[i] = node;
    if (a->others)
        a->others[i] = other;
    if (a->data)
        a->data[i] = *data;
    a->is_lossy |= !a->data && !is_plain(data);
}

/* Sets the rest of the room to NULL, and *count. */
static CUresult finish_answer(struct answer *a, size_t *count)
{
    size_t there = a->count;
    while (a->count < a->room)
        put_edge(a, NULL, NULL, &plain);
    if (!a->is_question && !a->room)
        return CUDA_ERROR_INVALID_VALUE;
    if (a->is_question || there < a->room)
        *count = there;
    return a->is_lossy ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

static CUresult answer_nodes(CUgraph g, bool is_roots, CUgraphNode *nodes,
                             size_t *count)
{
    struct answer a = answer_to(nodes, NULL, NULL, count);
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        if (!is_roots || n->before.count == 0)
            put_edge(&a, n, NULL, &plain);
    }
    return finish_answer(&a, count);
}

static CUresult ask_graph(CUgraph g, bool is_roots, CUgraphNode *nodes,
                          size_t *count)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (count && graph_is_alive(g, ALIVE_GRAPH))
        err = answer_nodes(g, is_roots, nodes, count);
    graph_unlock();
    return err;
}

CUresult graph_nodes(CUgraph g, CUgraphNode *nodes, size_t *count)
{
    return ask_graph(g, false, nodes, count);
}

CUresult graph_roots(CUgraph g, CUgraphNode *nodes, size_t *count)
{
    return ask_graph(g, true, nodes, count);
}

static CUresult answer_links(const struct graph_link *links, size_t there,
                             CUgraphNode *nodes, CUgraphEdgeData *data,
                             size_t *count)
{
    struct answer a = answer_to(nodes, NULL, data, count);
    for (size_t i = 0; i < there; i++)
        put_edge(&a, links[i].node, NULL, &links[i].data);
    return finish_answer(&a, count);
}

CUresult graph_node_dependencies(CUgraphNode n, CUgraphNode *nodes,
                                 CUgraphEdgeData *data, size_t *count)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (count && graph_is_alive(n, ALIVE_NODE) && (nodes || !data))
        err = answer_links(n->before.data, n->before.count, nodes, data, count);
    graph_unlock();
    return err;
}

CUresult graph_node_dependents(CUgraphNode n, CUgraphNode *nodes,
                               CUgraphEdgeData *data, size_t *count)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (count && graph_is_alive(n, ALIVE_NODE) && (nodes || !data))
        err = answer_links(n->after.data, n->after.count, nodes, data, count);
    graph_unlock();
    return err;
}

static CUresult answer_edges(CUgraph g, struct answer *a, size_t *count)
{
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        for (size_t i = 0; i < n->after.count; i++) {
            const struct graph_link *l = &n->after.data[i];
            put_edge(a, n, l->node, &l->data);
        }
    }
    return finish_answer(a, count);
}

CUresult graph_edges(CUgraph g, CUgraphNode *from, CUgraphNode *to,
                     CUgraphEdgeData *data, size_t *count)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (count && graph_is_alive(g, ALIVE_GRAPH) && !from == !to &&
        (from || !data)) {
        struct answer a = answer_to(from, to, data, count);
        err = answer_edges(g, &a, count);
    }
    graph_unlock();
    return err;
}
