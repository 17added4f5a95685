/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a node's step for the plan of an instance. The step owns what it needs
 * while it runs, so that the node may be changed meanwhile; the step is then
 * exchanged between two runs.
 */
#include "core/graph/reach.h"
#include "core/graph/updatable.h"

#include <stdlib.h>

/* True: the copy takes less time than a step needs to become ready. */
static bool is_brief(const struct mem_copy *c)
{
    enum { BRIEF_BYTES = 1024, BRIEF_ROWS = 4 };
    return c->width_bytes <= BRIEF_BYTES && c->height <= BRIEF_ROWS &&
           c->depth == 1;
}

/* ---- copies and fills -------------------------------------------------- */

/* Of one row between plain memory it is known what it touches. */
static void note_spans(const struct mem_copy *c, struct exec_step *out)
{
    out->is_spanned =
        out->is_brief && c->height == 1 &&
        reach_of_bytes(c->destination, c->width_bytes, &out->writes) &&
        (!c->source || reach_of_bytes(c->source, c->width_bytes, &out->reads));
}

static CUresult copy_step(CUgraphNode n, struct exec_step *out)
{
    assert(n->work.type == CU_GRAPH_NODE_TYPE_MEMCPY);
    struct mem_copy copy;
    CUresult err = copy_describe(&n->work.copy, &copy);
    if (err || !copy.width_bytes || !copy.height || !copy.depth)
        return err;
    out->kind = EXEC_STEP_TASK;
    out->is_brief = is_brief(&copy);
    note_spans(&copy, out);
    out->task = copy_task(n->exec->ctx, &copy, 0, 0);
    return out->task ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult fill_step(CUgraphNode n, struct exec_step *out)
{
    assert(n->work.type == CU_GRAPH_NODE_TYPE_MEMSET);
    const CUDA_MEMSET_NODE_PARAMS_v2 *f = &n->work.fill;
    const struct mem_copy copy = {
        .destination = (void *)(uintptr_t)f->dst,
        .source_pitch = f->pitch,
        .destination_pitch = f->pitch,
        .width_bytes = f->width * f->elementSize,
        .height = f->height,
        .depth = 1,
    };
    if (!fill_is_held(f))
        return CUDA_ERROR_INVALID_VALUE;
    out->kind = EXEC_STEP_TASK;
    out->is_brief = is_brief(&copy);
    note_spans(&copy, out);
    out->task = copy_task(n->exec->ctx, &copy, f->value, f->elementSize);
    return out->task ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- host functions ---------------------------------------------------- */

struct host_call {
    struct graph_host host;
    CUcontext ctx;
};

/* Not called when the context has failed. */
static void call_host(void *data)
{
    const struct host_call *c = data;
    if (!ctx_sticky(c->ctx))
        ctx_call_host_function(c->host.fn, c->host.data);
}

static CUresult host_step(CUgraphNode n, struct exec_step *out)
{
    assert(n->work.host.fn);
    struct host_call *c = malloc(sizeof *c);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *c = (struct host_call){n->work.host, n->exec->ctx};
    out->kind = EXEC_STEP_TASK;
    out->task = exec_task_host_function(call_host, c);
    if (!out->task) {
        free(c);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    exec_task_own(out->task, c);
    return CUDA_SUCCESS;
}

/* ---- kernels ----------------------------------------------------------- */

static CUresult kernel_step(CUgraphNode n, struct exec_step *out)
{
    assert(n->work.type == CU_GRAPH_NODE_TYPE_KERNEL);
    const struct graph_kernel *k = &n->work.kernel;
    struct launch_config c;
    CUresult err = kernel_config(k, &c);
    if (err)
        return err;
    if (n->exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        c.graph_exec = n->exec;
    if (n->exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY)
        out->priority = kernel_priority(k);
    /* Compiled here in any case. */
    err = launch_plan_task(k->f, &c, n->exec->ctx, k->packed, &out->task,
                           &n->code);
    bool calls_device = function_device_uses(k->f) & DEVICE_USE_ANY;
    if (err || (!calls_device && !k->device)) {
        out->kind = EXEC_STEP_TASK;
        return err;
    }
    exec_task_unref(out->task);
    n->exec->calls_device |= calls_device;
    return kernel_step_each_time(n, &c, out);
}

/* ---- events ------------------------------------------------------------ */

static void start_record(void *data, struct exec_plan *p, uint32_t step)
{
    struct exec_task *mark = exec_take_mark(data);
    if (mark)
        exec_submit(mark);
    exec_task_unref(mark);
    exec_plan_end_step(p, step);
}

struct wait {
    struct exec_plan *plan;
    uint32_t step;
};

static void wait_is_over(void *data, enum exec_fault fault)
{
    struct wait *w = data;
    (void)fault;
    exec_plan_end_step(w->plan, w->step);
    free(w);
}

static void start_wait(void *data, struct exec_plan *p, uint32_t step)
{
    struct exec_task *mark = exec_take_mark(data);
    struct exec_task *end = mark ? exec_task_nothing() : NULL;
    struct wait *w = end ? malloc(sizeof *w) : NULL;
    if (!w || !exec_task_depend(end, mark)) {
        if (mark)
            ctx_fail(((CUgraphNode)data)->exec->ctx, CUDA_ERROR_OUT_OF_MEMORY);
        free(w);
        exec_plan_end_step(p, step);
    } else {
        *w = (struct wait){.plan = p, .step = step};
        exec_task_on_done(end, wait_is_over, w);
        exec_submit(end);
    }
    exec_task_unref(end);
    exec_task_unref(mark);
}

/* ---- batches of memory operations -------------------------------------- */

struct batch {
    uint32_t count;
    CUstreamBatchMemOpParams ops[];
};

static CUresult put_batch(CUstream s, void *data)
{
    const struct batch *b = data;
    return stream_batch_memops(s, b->ops, b->count);
}

static CUresult batch_step(CUgraphNode n, struct exec_step *out)
{
    const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *p = &n->work.batch;
    size_t bytes = p->count * sizeof *p->paramArray;
    struct batch *b = NULL;
    CUresult err = side_step(n, put_batch, sizeof *b + bytes, (void **)&b, out);
    if (err)
        return err;
    b->count = p->count;
    memcpy(b->ops, p->paramArray, bytes);
    return CUDA_SUCCESS;
}

/* ---- conditions -------------------------------------------------------- */

static uint32_t choose_body(void *data, uint32_t round)
{
    assert(((CUgraphNode)data)->exec);
    CUgraphNode n = data;
    const struct graph_choice *c = &n->work.choice;
    unsigned value = exec_condition(n->exec, c->handle)->value;
    uint32_t body = 0;
    switch (c->type) {
    case CU_GRAPH_COND_TYPE_WHILE:
        return value ? n->first_section : EXEC_NO_SECTION;
    case CU_GRAPH_COND_TYPE_IF:
        body = value == 0;
        break;
    case CU_GRAPH_COND_TYPE_SWITCH:
        body = value;
        break;
    }
    return round == 0 && body < c->size ? n->first_section + body
                                        : EXEC_NO_SECTION;
}

/* ---- by type ----------------------------------------------------------- */

CUresult step_make(CUgraphNode n, struct exec_step *out)
{
    assert(n->exec);
    out->data = n;
    out->is_skipped = n->is_disabled;
    switch (n->work.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return kernel_step(n, out);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return copy_step(n, out);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return fill_step(n, out);
    case CU_GRAPH_NODE_TYPE_HOST:
        return host_step(n, out);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return batch_step(n, out);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        return semaphores_step(n, out);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        out->kind = EXEC_STEP_START;
        out->start = start_record;
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        out->kind = EXEC_STEP_START;
        out->start = start_wait;
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        out->kind = EXEC_STEP_CHOICE;
        out->choose = choose_body;
        return CUDA_SUCCESS;
    default: /* the launch does allocations */
        out->kind = EXEC_STEP_NOTHING;
        return CUDA_SUCCESS;
    }
}
