/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of graphs, in graphviz's language. A node is a box with what it
 * does. Child graphs and bodies of conditions are frames beside it, to which a
 * dotted line leads.
 */
#include "core/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- what nodes do ----------------------------------------------------- */

static void print_kernel(FILE *f, const struct graph_kernel *k, unsigned flags)
{
    assert(k->f);
    const unsigned *g = k->grid, *b = k->block;
    fprintf(f, "%s\\n\\<\\<\\<(%u,%u,%u),(%u,%u,%u),%u\\>\\>\\>",
            k->f->ptx->name, g[0], g[1], g[2], b[0], b[1], b[2],
            k->shared_bytes);
    for (size_t i = 0; flags & CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS &&
                       i < k->f->ptx->param_count;
         i++) {
        const struct ptx_var *p = &k->f->ptx->params[i];
        fprintf(f, "\\nparameter %zu: 0x", i);
        for (size_t byte = p->size_bytes; byte-- > 0;)
            fprintf(f, "%02x", k->packed[p->offset_bytes + byte]);
    }
    if (flags & CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES)
        fprintf(f, "\\npriority %d, %zu attributes", kernel_priority(k),
                k->attributes.count);
}

static void print_copy(FILE *f, const CUDA_MEMCPY3D *c)
{
    static const char *const kinds[] = {
        [CU_MEMORYTYPE_HOST] = "host",
        [CU_MEMORYTYPE_DEVICE] = "device",
        [CU_MEMORYTYPE_ARRAY] = "array",
        [CU_MEMORYTYPE_UNIFIED] = "unified",
    };
    fprintf(f, "%s to %s\\n%zu x %zu x %zu bytes", kinds[c->srcMemoryType],
            kinds[c->dstMemoryType], c->WidthInBytes, c->Height, c->Depth);
}

static void print_fill(FILE *f, const CUDA_MEMSET_NODE_PARAMS_v2 *m)
{
    fprintf(f, "0x%llx := 0x%x\\n%zu x %zu of %u bytes", m->dst, m->value,
            m->width, m->height, m->elementSize);
}

static void print_choice(FILE *f, const struct graph_choice *c)
{
    assert(c->size > 0);
    static const char *const names[] = {
        [CU_GRAPH_COND_TYPE_IF] = "if",
        [CU_GRAPH_COND_TYPE_WHILE] = "while",
        [CU_GRAPH_COND_TYPE_SWITCH] = "switch",
    };
    fprintf(f, "%s, handle %" PRIu64 ", %u bodies", names[c->type], c->handle,
            c->size);
}

/* For each type, the flag that asks for details of its nodes. */
static const unsigned detail[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = ~0u, /* its name always */
    [CU_GRAPH_NODE_TYPE_MEMCPY] = CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_MEMSET] = CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_HOST] = CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] =
        CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] =
        CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] =
        CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_MEM_FREE] =
        CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_CONDITIONAL] =
        CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS,
};

static bool has_detail(CUgraphNodeType type, unsigned flags)
{
    return type == CU_GRAPH_NODE_TYPE_KERNEL ||
           ((unsigned)type < ARRAY_COUNT(detail) && flags & detail[type]);
}

static void print_detail(FILE *f, const struct graph_work *w, unsigned flags)
{
    switch (w->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        print_kernel(f, &w->kernel, flags);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        print_copy(f, &w->copy);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        print_fill(f, &w->fill);
        break;
    case CU_GRAPH_NODE_TYPE_HOST:
        fprintf(f, "function %p\\nargument %p", (void *)(uintptr_t)w->host.fn,
                w->host.data);
        break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        fprintf(f, "event %p", (void *)w->event);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        fprintf(f, "0x%llx\\n%zu bytes", w->block->p, w->block->size_bytes);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        fprintf(f, "0x%llx", w->freed);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        print_choice(f, &w->choice);
        break;
    default:
        break;
    }
}

/* ---- nodes, edges, frames ---------------------------------------------- */

static void print_name(FILE *f, CUgraphNode n)
{
    fprintf(f, "\"graph_%" PRIu64 "_node_%" PRIu64 "\"", n->graph->id, n->id);
}

static void print_node(FILE *f, CUgraphNode n, unsigned flags)
{
    print_name(f, n);
    fprintf(f, "[shape=record label=\"{%s | %" PRIu64, work_name(n->work.type),
            n->id);
    if (flags & CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES)
        fprintf(f, " | %p", (void *)n);
    if (has_detail(n->work.type, flags)) {
        fprintf(f, " | ");
        print_detail(f, &n->work, flags);
    }
    fprintf(f, "}\"];\n");
}

static void print_edges(FILE *f, CUgraphNode n)
{
    assert(n->graph);
    for (size_t i = 0; i < n->after.count; i++) {
        const struct graph_link *l = &n->after.data[i];
        print_name(f, n);
        fprintf(f, " -> ");
        print_name(f, l->node);
        if (l->data.type || l->data.from_port)
            fprintf(f, "[label=\"port %u, type %u\"]", l->data.from_port,
                    l->data.type);
        fprintf(f, ";\n");
    }
}

static void print_graph(FILE *f, CUgraph g, unsigned flags);

static void print_inner(FILE *f, CUgraphNode n, CUgraph inner, unsigned flags)
{
    print_graph(f, inner, flags);
    if (list_is_empty(&inner->nodes))
        return;
    print_name(f, n);
    fprintf(f, " -> ");
    print_name(
        f, container_of(inner->nodes.next, struct CUgraphNode_st, in_graph));
    fprintf(f, "[style=dotted lhead=\"cluster_%" PRIu64 "\"];\n", inner->id);
}

static void print_graph(FILE *f, CUgraph g, unsigned flags)
{
    fprintf(f, "subgraph \"cluster_%" PRIu64 "\" {\n", g->id);
    fprintf(f, "label=\"graph_%" PRIu64 "\";\n", g->id);
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
        print_node(f, n, flags);
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
        print_edges(f, n);
    fprintf(f, "}\n");
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        if (n->work.type == CU_GRAPH_NODE_TYPE_GRAPH)
            print_inner(f, n, n->work.child, flags);
        if (n->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
            for (unsigned i = 0; i < n->work.choice.size; i++)
                print_inner(f, n, n->work.choice.bodies[i], flags);
    }
}

CUresult graph_print_dot(CUgraph g, const char *path, unsigned flags)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE)
        flags |= ~(unsigned)CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES;
    graph_lock();
    FILE *f = path && graph_is_alive(g, ALIVE_GRAPH) ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "digraph dot {\ncompound=true;\n");
        print_graph(f, g, flags);
        fprintf(f, "}\n");
        err = fclose(f) ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
    } else if (path && graph_is_alive(g, ALIVE_GRAPH)) {
        err = CUDA_ERROR_OPERATING_SYSTEM;
    }
    graph_unlock();
    return err;
}
