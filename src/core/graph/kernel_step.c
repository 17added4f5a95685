/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps that launch their kernel anew in each run, as a task of its own:
 * kernels that call the device runtime, whose launches need a grid each, and
 * kernels that kernels may change.
 */
#include "core/graph/updatable.h"

#include <stdlib.h>

struct launching {
    CUgraphExec exec;
    CUgraphDeviceNode device; /* the node's; NULL: nothing changes it */
    struct exec_plan *plan;   /* of the run under way */
    uint32_t step;
    int priority;
    struct kernel_next *next; /* follows the struct in memory */
};

static void step_done(void *data, enum exec_fault fault)
{
    struct launching *l = data;
    assert(fault == EXEC_OK); /* of a mark */
    (void)fault;
    exec_plan_end_step(l->plan, l->step);
}

/* The step ends when the grid and all its children have ended. */
static bool submit_grid(struct launching *l, const struct kernel_next *next,
                        struct exec_task *end)
{
    assert(next->f && end);
    CUcontext ctx = l->exec->ctx;
    struct exec_task *run = exec_plan_run(l->plan), *t = NULL;
    struct grid *g =
        grid_create(ctx, next->f->module, exec_task_order(run), l->priority, 0);
    uint8_t *params = launch_copy_packed(next->f, next->packed);
    if (!g || !params ||
        launch_task(next->f, &next->config, ctx, params, g, &t)) {
        if (g)
            grid_destroy(g);
        free(params);
        return false;
    }
    g->exec = l->exec;
    g->step = l->step;
    g->note_fault = exec_note_fault;
    exec_task_set_order(t, exec_task_order(run));
    exec_task_set_priority(t, l->priority);
    bool ok = grid_set_kernel(g, t) && exec_task_depend(end, g->end);
    if (ok) {
        exec_submit(t);
        grid_submit(g);
    } else {
        grid_destroy(g);
    }
    exec_task_unref(t);
    return ok;
}

static void start_kernel(void *data, struct exec_plan *p, uint32_t step)
{
    struct launching *l = data;
    struct exec_task *end = exec_task_nothing();
    struct kernel_next *now = updatable_read(l->device, l->next);
    bool is_wanted = now && now->is_enabled && !ctx_sticky(l->exec->ctx);
    l->plan = p;
    l->step = step;
    if (end && is_wanted) {
        exec_task_on_done(end, step_done, l);
        if (!submit_grid(l, now, end))
            ctx_fail(l->exec->ctx, CUDA_ERROR_OUT_OF_MEMORY);
        exec_submit(end);
    } else {
        if (!end || !now)
            ctx_fail(l->exec->ctx, CUDA_ERROR_OUT_OF_MEMORY);
        step_done(l, EXEC_OK);
    }
    exec_task_unref(end);
    free(now);
}

/* ---- making ------------------------------------------------------------ */

/* With what it launches next, in one block of memory. */
static struct launching *
launching_new(CUgraphNode n, const struct launch_config *config, int priority)
{
    const struct graph_kernel *k = &n->work.kernel;
    struct kernel_next *next;
    size_t param_bytes = k->f->ptx->param_bytes;
    struct launching *l = malloc(sizeof *l + sizeof *next + param_bytes);
    if (!l)
        return NULL;
    next = (struct kernel_next *)(l + 1);
    *l = (struct launching){.exec = n->exec,
                            .device = k->device,
                            .priority = priority,
                            .next = next};
    *next = (struct kernel_next){
        .f = k->f, .config = *config, .is_enabled = !n->is_disabled};
    memcpy(next->packed, k->packed, param_bytes);
    return l;
}

CUresult kernel_step_each_time(CUgraphNode n,
                               const struct launch_config *config,
                               struct exec_step *out)
{
    struct launching *l = launching_new(n, config, out->priority);
    out->task = exec_task_nothing();
    if (!l || !out->task) {
        free(l);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    exec_task_own(out->task, l);
    out->kind = EXEC_STEP_START;
    out->start = start_kernel;
    out->data = l;
    out->is_skipped = n->is_disabled && !l->device;
    return CUDA_SUCCESS;
}

static CUgraphDeviceNode device_of(const struct exec_step *step)
{
    return step->kind == EXEC_STEP_START && step->start == start_kernel
               ? ((const struct launching *)step->data)->device
               : NULL;
}

void kernel_step_installed(const struct exec_step *step)
{
    CUgraphDeviceNode d = device_of(step);
    if (d)
        updatable_install(d, ((const struct launching *)step->data)->next);
}

void kernel_step_removed(const struct exec_step *step)
{
    CUgraphDeviceNode d = device_of(step);
    if (d)
        updatable_forget(d, ((const struct launching *)step->data)->next);
}
