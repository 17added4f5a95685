/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps that are operations of a stream which belongs to their node: an
 * operation that waits there occupies no thread.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

struct side_start {
    CUgraphNode node;
    struct exec_plan *plan; /* of the run under way */
    uint32_t step;
    side_put *put;
    _Alignas(16) uint8_t data[];
};

static void side_done(void *data, enum exec_fault fault)
{
    struct side_start *b = data;
    assert(fault == EXEC_OK); /* of a mark */
    (void)fault;
    exec_plan_end_step(b->plan, b->step);
}

static void start_side(void *data, struct exec_plan *p, uint32_t step)
{
    struct side_start *b = data;
    struct exec_task *end = exec_task_nothing();
    b->plan = p;
    b->step = step;
    CUresult err =
        end ? b->put(b->node->side, b->data) : CUDA_ERROR_OUT_OF_MEMORY;
    if (!err) {
        exec_task_on_done(end, side_done, b);
        err = stream_submit_until(b->node->side, end, end);
    }
    if (err == CUDA_ERROR_OUT_OF_MEMORY)
        ctx_fail(b->node->exec->ctx, err);
    if (err == CUDA_ERROR_OUT_OF_MEMORY)
        exec_plan_end_step(p, step);
    else if (err) /* what the node names was there when it was made */
        exec_plan_fail_step(p, step);
    exec_task_unref(end);
}

CUresult side_step(CUgraphNode n, side_put *put, size_t data_bytes, void **data,
                   struct exec_step *out)
{
    CUresult err = n->side ? CUDA_SUCCESS
                           : stream_create(n->exec->ctx, CU_STREAM_NON_BLOCKING,
                                           0, &n->side);
    if (err)
        return err;
    struct side_start *b = malloc(sizeof *b + data_bytes);
    out->task = exec_task_nothing();
    if (!b || !out->task) {
        free(b);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *b = (struct side_start){.node = n, .put = put};
    exec_task_own(out->task, b);
    out->kind = EXEC_STEP_START;
    out->start = start_side;
    out->data = b;
    *data = b->data;
    return CUDA_SUCCESS;
}
