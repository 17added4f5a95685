/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What nodes do, by type. Parameters are checked and copied when they are
 * given, so that the program may reuse its own at once.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

/* ---- copies, fills, host functions ------------------------------------- */

static CUresult make_copy(CUgraph g, const CUgraphNodeParams *p,
                          struct graph_work *out)
{
    struct mem_copy copy;
    (void)g;
    out->copy = p->memcpy.copyParams;
    if (!out->copy.WidthInBytes || !out->copy.Height || !out->copy.Depth)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = copy_describe(&out->copy, &copy);
    return err ? err : copy_check(&copy);
}

/* True: the fill is of rows of device memory. */
bool fill_is_held(const CUDA_MEMSET_NODE_PARAMS_v2 *f)
{
    size_t row = f->width * f->elementSize, bytes = 0;
    if (f->height > 1 &&
        __builtin_mul_overflow(f->height - 1, f->pitch, &bytes))
        return false;
    return !__builtin_add_overflow(bytes, row, &bytes) &&
           mem_holds((const void *)(uintptr_t)f->dst, bytes);
}

static CUresult make_fill(CUgraph g, const CUgraphNodeParams *p,
                          struct graph_work *out)
{
    CUDA_MEMSET_NODE_PARAMS_v2 f = p->memset;
    size_t row;
    (void)g;
    if (f.elementSize != 1 && f.elementSize != 2 && f.elementSize != 4)
        return CUDA_ERROR_INVALID_VALUE;
    if (!f.dst || !f.width || !f.height || f.dst % f.elementSize ||
        __builtin_mul_overflow(f.width, f.elementSize, &row))
        return CUDA_ERROR_INVALID_VALUE;
    if (f.height == 1)
        f.pitch = row;
    if (f.pitch < row || f.pitch % f.elementSize)
        return CUDA_ERROR_INVALID_VALUE;
    if (!fill_is_held(&p->memset))
        return CUDA_ERROR_INVALID_VALUE;
    out->fill = p->memset;
    return CUDA_SUCCESS;
}

static CUresult make_host(CUgraph g, const CUgraphNodeParams *p,
                          struct graph_work *out)
{
    (void)g;
    out->host = (struct graph_host){.fn = p->host.fn, .data = p->host.userData};
    return p->host.fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- graphs in graphs -------------------------------------------------- */

static bool is_inside(CUgraph g, CUgraph outer)
{
    while (g && g != outer)
        g = g->owner ? g->owner->graph : NULL;
    return g != NULL;
}

static CUresult make_child(CUgraph g, const CUgraphNodeParams *p,
                           struct graph_work *out)
{
    CUgraph child = p->graph.graph;
    if (!graph_is_alive(child, ALIVE_GRAPH) || is_inside(g, child))
        return CUDA_ERROR_INVALID_VALUE;
    if (is_inside(child, g))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (p->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE &&
        (child->owner || graph_has_condition(child)))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (p->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
        out->child = child;
        return child->has_capture ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    }
    if (p->graph.ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE)
        return CUDA_ERROR_INVALID_VALUE;
    if (child->memory_count || graph_has_condition(child))
        return CUDA_ERROR_NOT_SUPPORTED;
    return graph_copy(child, CLONE_HANDLES, &out->child);
}

const struct graph_condition *graph_condition(CUgraph g,
                                              CUgraphConditionalHandle handle)
{
    for (; g; g = g->owner ? g->owner->graph : NULL) {
        for (size_t i = 0; i < g->conditions.count; i++)
            if (g->conditions.data[i].handle == handle)
                return &g->conditions.data[i];
    }
    return NULL;
}

static bool is_size_good(const CUDA_CONDITIONAL_NODE_PARAMS *p)
{
    switch (p->type) {
    case CU_GRAPH_COND_TYPE_IF:
        return p->size == 1 || p->size == 2;
    case CU_GRAPH_COND_TYPE_WHILE:
        return p->size == 1;
    case CU_GRAPH_COND_TYPE_SWITCH:
        return p->size >= 1;
    default:
        return false;
    }
}

static CUgraph new_body(CUcontext ctx)
{
    CUgraph body = graph_new(ctx);
    if (!body)
        return NULL;
    body->is_body = true;
    if (graph_note_alive(body, ALIVE_GRAPH))
        return body;
    free(body);
    return NULL;
}

static CUresult make_choice(CUgraph g, const CUgraphNodeParams *p,
                            struct graph_work *out)
{
    const CUDA_CONDITIONAL_NODE_PARAMS *c = &p->conditional;
    const struct graph_condition *condition = graph_condition(g, c->handle);
    struct graph_choice *choice = &out->choice;
    if (!is_size_good(c))
        return CUDA_ERROR_INVALID_VALUE;
    if (!c->ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!condition || condition->is_used)
        return CUDA_ERROR_INVALID_VALUE;
    *choice = (struct graph_choice){
        .handle = c->handle,
        .type = c->type,
        .bodies = calloc(c->size, sizeof *choice->bodies),
    };
    CUgraph body = NULL;
    while (choice->bodies && choice->size < c->size &&
           (body = new_body(g->ctx)) != NULL)
        choice->bodies[choice->size++] = body;
    if (choice->size == c->size)
        return CUDA_SUCCESS;
    work_fini(out);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- the rest ---------------------------------------------------------- */

static CUresult make_kernel(CUgraph g, const CUgraphNodeParams *p,
                            struct graph_work *out)
{
    (void)g;
    return kernel_make(&p->kernel, &out->kernel);
}

static CUresult make_empty(CUgraph g, const CUgraphNodeParams *p,
                           struct graph_work *out)
{
    (void)g, (void)p, (void)out;
    return CUDA_SUCCESS;
}

/* eventWait and eventRecord have the same members. */
static CUresult make_event(CUgraph g, const CUgraphNodeParams *p,
                           struct graph_work *out)
{
    static_assert(sizeof p->eventWait == sizeof p->eventRecord, "one event");
    (void)g;
    out->event = p->eventWait.event; /* of any context */
    return out->event && event_context(out->event) ? CUDA_SUCCESS
                                                   : CUDA_ERROR_INVALID_VALUE;
}

static CUresult make_alloc(CUgraph g, const CUgraphNodeParams *p,
                           struct graph_work *out)
{
    if (g->owner && !g->is_body)
        return CUDA_ERROR_NOT_SUPPORTED;
    CUcontext ctx;
    CUresult err = graph_context(g, &ctx);
    out->block_bytes = p->alloc.bytesize;
    return err ? err : graph_block_create(ctx, &p->alloc, &out->block);
}

static CUresult make_free(CUgraph g, const CUgraphNodeParams *p,
                          struct graph_work *out)
{
    out->freed = p->free.dptr;
    if (!graph_block_is_freeable(g, p->free.dptr))
        return CUDA_ERROR_INVALID_VALUE;
    if (g->owner && !g->is_body)
        return CUDA_ERROR_NOT_SUPPORTED;
    graph_block_will_be_freed(g, p->free.dptr);
    return CUDA_SUCCESS;
}

static CUresult copy_batch(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *p,
                           CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *out)
{
    size_t bytes = p->count * sizeof *p->paramArray;
    *out = *p;
    out->paramArray = malloc(bytes + 1);
    if (!out->paramArray)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (bytes)
        memcpy(out->paramArray, p->paramArray, bytes);
    return CUDA_SUCCESS;
}

static CUresult make_batch(CUgraph g, const CUgraphNodeParams *p,
                           struct graph_work *out)
{
    (void)g;
    CUresult err = p->memOp.flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (!err && p->memOp.count)
        err = memops_check(p->memOp.paramArray, p->memOp.count);
    return err ? err : copy_batch(&p->memOp, &out->batch);
}

/* extSemSignal and extSemWait have the same layout. */
static CUresult make_semaphores(CUgraph g, const CUgraphNodeParams *p,
                                struct graph_work *out)
{
    (void)g;
    return semaphores_make(&p->extSemWait, &out->semaphores);
}

/* ---- by type ----------------------------------------------------------- */

static const struct {
    const char *name;
    CUresult (*make)(CUgraph g, const CUgraphNodeParams *p,
                     struct graph_work *out);
} kinds[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = {"KERNEL", make_kernel},
    [CU_GRAPH_NODE_TYPE_MEMCPY] = {"MEMCPY", make_copy},
    [CU_GRAPH_NODE_TYPE_MEMSET] = {"MEMSET", make_fill},
    [CU_GRAPH_NODE_TYPE_HOST] = {"HOST", make_host},
    [CU_GRAPH_NODE_TYPE_GRAPH] = {"GRAPH", make_child},
    [CU_GRAPH_NODE_TYPE_EMPTY] = {"EMPTY", make_empty},
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = {"EVENT_WAIT", make_event},
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = {"EVENT_RECORD", make_event},
    [CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL] = {"EXT_SEMAS_SIGNAL",
                                             make_semaphores},
    [CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT] = {"EXT_SEMAS_WAIT", make_semaphores},
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = {"MEM_ALLOC", make_alloc},
    [CU_GRAPH_NODE_TYPE_MEM_FREE] = {"MEM_FREE", make_free},
    [CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = {"BATCH_MEM_OP", make_batch},
    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = {"CONDITIONAL", make_choice},
};

const char *work_name(CUgraphNodeType type)
{
    assert((unsigned)type < ARRAY_COUNT(kinds) && kinds[type].name);
    return kinds[type].name;
}

CUresult work_make(CUgraph g, const CUgraphNodeParams *params,
                   struct graph_work *out)
{
    if ((unsigned)params->type >= ARRAY_COUNT(kinds))
        return CUDA_ERROR_INVALID_VALUE;
    memset(out, 0, sizeof *out);
    out->type = params->type;
    return kinds[params->type].make(g, params, out);
}

/* Child graphs and bodies are copied with the graph. */
CUresult work_copy(const struct graph_work *w, struct graph_work *out)
{
    assert(w != out);
    *out = *w;
    if (w->type == CU_GRAPH_NODE_TYPE_KERNEL)
        return kernel_copy(&w->kernel, &out->kernel);
    if (w->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
        return copy_batch(&w->batch, &out->batch);
    if (w->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL ||
        w->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT)
        return semaphores_copy(&w->semaphores, &out->semaphores);
    if (w->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        graph_block_ref(w->block);
    return CUDA_SUCCESS;
}

void work_fini(struct graph_work *w)
{
    switch (w->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        kernel_fini(&w->kernel);
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        graph_free(w->child);
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        free(w->batch.paramArray);
        break;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        semaphores_fini(&w->semaphores);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        graph_block_unref(w->block);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        for (unsigned i = 0; i < w->choice.size; i++)
            graph_free(w->choice.bodies[i]);
        free(w->choice.bodies);
        break;
    default:
        break;
    }
}

void work_params(const struct graph_work *w, CUgraphNodeParams *out)
{
    memset(out, 0, sizeof *out);
    out->type = w->type;
    switch (w->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        kernel_params(&w->kernel, &out->kernel);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        out->memcpy.copyParams = w->copy;
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        out->memset = w->fill;
        break;
    case CU_GRAPH_NODE_TYPE_HOST:
        out->host.fn = w->host.fn;
        out->host.userData = w->host.data;
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        out->graph.graph = w->child;
        break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        out->eventWait.event = w->event;
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        out->alloc = w->block->params;
        out->alloc.bytesize = w->block_bytes;
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        out->memOp = w->batch;
        break;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        out->extSemWait = w->semaphores;
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        out->free.dptr = w->freed;
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        out->conditional = (CUDA_CONDITIONAL_NODE_PARAMS){
            .handle = w->choice.handle,
            .type = w->choice.type,
            .size = w->choice.size,
            .phGraph_out = w->choice.bodies,
        };
        break;
    default:
        break;
    }
}

/* ---- what an instance can take ----------------------------------------- */

/* An instance takes a row in place of a row; a wider copy stays as it is. */
static bool is_row(const CUDA_MEMCPY3D *c)
{
    return c->Height == 1 && c->Depth == 1;
}

/* Is either no device's own memory, or are they one device's? */
static bool is_same_device(CUdeviceptr a, CUdeviceptr b)
{
    if (device_count() < 2)
        return true;
    struct mem_info x = mem_query((const void *)(uintptr_t)a),
                    y = mem_query((const void *)(uintptr_t)b);
    return x.kind != MEM_DEVICE || y.kind != MEM_DEVICE ||
           ctx_device(mem_context(&x)) == ctx_device(mem_context(&y));
}

static bool is_same_copy(const CUDA_MEMCPY3D *a, const CUDA_MEMCPY3D *b)
{
    return a->srcMemoryType == b->srcMemoryType &&
           a->dstMemoryType == b->dstMemoryType &&
           ((is_row(a) && is_row(b)) || !memcmp(a, b, sizeof *a)) &&
           is_same_device(a->srcDevice, b->srcDevice) &&
           is_same_device(a->dstDevice, b->dstDevice);
}

static bool is_same_fill(const CUDA_MEMSET_NODE_PARAMS_v2 *a,
                         const CUDA_MEMSET_NODE_PARAMS_v2 *b)
{
    bool is_shape_same =
        (a->height == 1 && b->height == 1) ||
        (a->pitch == b->pitch && a->elementSize == b->elementSize &&
         a->width == b->width && a->height == b->height);
    return is_shape_same && is_same_device(a->dst, b->dst);
}

/* Addresses and values may differ. */
static bool is_same_batch(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *a,
                          const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *b)
{
    bool is_same = a->count == b->count;
    for (unsigned i = 0; i < a->count && is_same; i++)
        is_same = a->paramArray[i].operation == b->paramArray[i].operation;
    return is_same;
}

/* What a launch has left is to be found by the address that it has. */
static bool is_same_memory(const struct graph_block *a,
                           const struct graph_block *b)
{
    if (a == b)
        return true;
    bool are_left = !a->is_freed_inside && !b->is_freed_inside;
    return !a->is_live && (are_left || a->size_bytes == b->size_bytes) &&
           a->params.poolProps.location.id == b->params.poolProps.location.id;
}

static bool is_cooperative(const struct graph_kernel *k)
{
    CUlaunchAttributeValue v = {{0}};
    kernel_attribute(k, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v);
    return v.cooperative != 0;
}

/* The new function may do less of its own accord than the old one. An instance
 * that kernels may launch may change to one that launches others. */
static CUgraphExecUpdateResult compare_kernels(const struct graph_kernel *from,
                                               const struct graph_kernel *to,
                                               cuuint64_t flags)
{
    unsigned known = function_device_uses(from->f) | DEVICE_USE_ANY;
    if (is_cooperative(from) != is_cooperative(to))
        return CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        known |= DEVICE_USE_GRAPHS;
    return function_device_uses(to->f) & ~known
               ? CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE
               : CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static CUgraphExecUpdateResult parameters_changed(bool is_same)
{
    return is_same ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                   : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

CUgraphExecUpdateResult work_compare(const struct graph_work *from,
                                     const struct graph_work *to,
                                     cuuint64_t flags)
{
    assert(from->type == to->type);
    switch (from->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return compare_kernels(&from->kernel, &to->kernel, flags);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return parameters_changed(is_same_fill(&from->fill, &to->fill));
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return parameters_changed(is_same_copy(&from->copy, &to->copy));
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return parameters_changed(is_same_batch(&from->batch, &to->batch));
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        return parameters_changed(from->semaphores.numExtSems ==
                                  to->semaphores.numExtSems);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return parameters_changed(is_same_memory(from->block, to->block));
    /* Handles may differ: see take_condition. */
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return from->choice.type == to->choice.type &&
                       from->choice.size == to->choice.size
                   ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                   : CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
    default:
        return CU_GRAPH_EXEC_UPDATE_SUCCESS;
    }
}
