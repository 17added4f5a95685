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

static void print_attributes(FILE *f, const struct graph_kernel *k)
{
    static const char *const names[] = {
        [CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW] = "access policy window",
        [CU_LAUNCH_ATTRIBUTE_COOPERATIVE] = "cooperative",
        [CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION] = "cluster",
        [CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] =
            "preferred carveout",
        [CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN] = "memory domain",
        [CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP] = "memory domain map",
    };
    fprintf(f, "\\npriority %d", kernel_priority(k));
    for (size_t i = 0; i < k->attributes.count; i++) {
        const CUlaunchAttribute *a = &k->attributes.data[i];
        if ((unsigned)a->id >= ARRAY_COUNT(names) || !names[a->id])
            continue;
        fprintf(f, ", %s", names[a->id]);
        if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            fprintf(f, " (%u,%u,%u)", a->value.clusterDim.x,
                    a->value.clusterDim.y, a->value.clusterDim.z);
    }
    if (k->device)
        fprintf(f, ", device-updatable");
}

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
        print_attributes(f, k);
}

static uint64_t address_of(CUmemorytype type, CUdeviceptr device,
                           const void *host, CUarray array)
{
    return type == CU_MEMORYTYPE_HOST    ? (uintptr_t)host
           : type == CU_MEMORYTYPE_ARRAY ? (uintptr_t)array
                                         : device;
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
    fprintf(
        f, "\\n0x%" PRIx64 " to 0x%" PRIx64,
        address_of(c->srcMemoryType, c->srcDevice, c->srcHost, c->srcArray),
        address_of(c->dstMemoryType, c->dstDevice, c->dstHost, c->dstArray));
}

static void print_fill(FILE *f, const CUDA_MEMSET_NODE_PARAMS_v2 *m)
{
    fprintf(f, "0x%llx := 0x%x\\n%zu x %zu of %u bytes", m->dst, m->value,
            m->width, m->height, m->elementSize);
}

/* What comes between a word's address and its value. */
static const char *sign_of(const CUstreamBatchMemOpParams *op)
{
    switch (op->operation) {
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        return ":=";
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        switch (op->waitValue.flags & 3) {
        case CU_STREAM_WAIT_VALUE_EQ:
            return "==";
        case CU_STREAM_WAIT_VALUE_AND:
            return "&";
        case CU_STREAM_WAIT_VALUE_NOR:
            return "nor";
        default:
            return "\\>=";
        }
    default:
        return NULL;
    }
}

static void print_batch(FILE *f, const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *b)
{
    assert(b->count == 0 || b->paramArray);
    for (unsigned i = 0; i < b->count; i++) {
        const CUstreamBatchMemOpParams *op = &b->paramArray[i];
        const char *sign = sign_of(op);
        bool is_wide = op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ||
                       op->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
        fprintf(f, "%s", i ? "\\n" : "");
        if (sign)
            fprintf(f, "0x%llx %s 0x%" PRIx64, op->waitValue.address, sign,
                    is_wide ? op->waitValue.value64 : op->waitValue.value);
        else
            fprintf(f, "barrier");
    }
}

static void print_semaphores(FILE *f, const struct graph_work *w)
{
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 *p = &w->semaphores;
    bool is_wait = w->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
    assert(p->numExtSems == 0 || p->extSemArray);
    for (unsigned i = 0; i < p->numExtSems; i++)
        fprintf(f, "%ssemaphore %p %s %llu", i ? "\\n" : "",
                (void *)p->extSemArray[i], is_wait ? "\\>=" : ":=",
                p->paramsArray[i].params.fence.value);
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
    [CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] =
        CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL] =
        CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS,
    [CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT] =
        CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS,
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
        fprintf(f, "0x%llx\\n%zu bytes", w->block->p, w->block_bytes);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        fprintf(f, "0x%llx", w->freed);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        print_choice(f, &w->choice);
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        print_batch(f, &w->batch);
        break;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        print_semaphores(f, w);
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

/* label: of the line that leads to it, or NULL. */
static void print_inner(FILE *f, CUgraphNode n, CUgraph inner,
                        const char *label, unsigned flags)
{
    print_graph(f, inner, flags);
    if (list_is_empty(&inner->nodes))
        return;
    print_name(f, n);
    fprintf(f, " -> ");
    print_name(
        f, container_of(inner->nodes.next, struct CUgraphNode_st, in_graph));
    fprintf(f, "[style=dotted lhead=\"cluster_%" PRIu64 "\"", inner->id);
    if (label)
        fprintf(f, " label=\"%s\"", label);
    fprintf(f, "];\n");
}

static void print_bodies(FILE *f, CUgraphNode n, unsigned flags)
{
    const struct graph_choice *c = &n->work.choice;
    for (unsigned i = 0; i < c->size; i++) {
        char label[32];
        snprintf(label, sizeof label, "body %u", i);
        print_inner(f, n, c->bodies[i], c->size > 1 ? label : NULL, flags);
    }
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
            print_inner(f, n, n->work.child, NULL, flags);
        if (n->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
            print_bodies(f, n, flags);
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
