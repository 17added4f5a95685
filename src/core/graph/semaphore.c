/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes that signal external semaphores or wait for them. Both kinds of
 * parameters have the same layout as far as it is used.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

typedef CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 signal_params;
typedef CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 wait_params;

static_assert(sizeof(signal_params) == sizeof(wait_params) &&
                  offsetof(signal_params, numExtSems) ==
                      offsetof(wait_params, numExtSems) &&
                  sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS) ==
                      sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS),
              "one layout");

/* Copies the parameters and the handles into one block of memory. */
CUresult semaphores_copy(const wait_params *p, wait_params *out)
{
    size_t params_bytes = p->numExtSems * sizeof *p->paramsArray;
    size_t sems_bytes = p->numExtSems * sizeof *p->extSemArray;
    if (!p->numExtSems)
        return CUDA_SUCCESS;
    uint8_t *block = malloc(params_bytes + sems_bytes);
    if (!block)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(block, p->paramsArray, params_bytes);
    memcpy(block + params_bytes, p->extSemArray, sems_bytes);
    out->paramsArray = (const void *)block;
    out->extSemArray = (CUexternalSemaphore *)(void *)(block + params_bytes);
    out->numExtSems = p->numExtSems;
    return CUDA_SUCCESS;
}

void semaphores_fini(wait_params *p)
{
    free((void *)(uintptr_t)p->paramsArray);
}

CUresult semaphores_make(const wait_params *p, wait_params *out)
{
    if (!p->numExtSems) { /* an H200 takes a node that does nothing */
        *out = (wait_params){0};
        return CUDA_SUCCESS;
    }
    CUresult err =
        external_check(p->extSemArray, p->paramsArray, p->numExtSems);
    if (err)
        return err == CUDA_ERROR_INVALID_HANDLE ? CUDA_ERROR_INVALID_VALUE
                                                : err;
    return semaphores_copy(p, out);
}

/* ---- running ------------------------------------------------------------- */

static CUresult put_signal(CUstream s, void *data)
{
    const wait_params *p = data;
    if (!p->numExtSems)
        return CUDA_SUCCESS;
    return external_signal(s, p->extSemArray, (const void *)p->paramsArray,
                           p->numExtSems);
}

static CUresult put_wait(CUstream s, void *data)
{
    const wait_params *p = data;
    if (!p->numExtSems)
        return CUDA_SUCCESS;
    return external_wait(s, p->extSemArray, p->paramsArray, p->numExtSems);
}

/* The step has a copy of its own, in the block that side_step makes. */
CUresult semaphores_step(CUgraphNode n, struct exec_step *out)
{
    const wait_params *p = &n->work.semaphores;
    bool is_wait = n->work.type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
    size_t params_bytes = p->numExtSems * sizeof *p->paramsArray;
    size_t sems_bytes = p->numExtSems * sizeof *p->extSemArray;
    wait_params *own = NULL;
    CUresult err =
        side_step(n, is_wait ? put_wait : put_signal,
                  sizeof *own + params_bytes + sems_bytes, (void **)&own, out);
    if (err)
        return err;
    uint8_t *params = (uint8_t *)(own + 1);
    own->numExtSems = p->numExtSems;
    if (!p->numExtSems)
        return CUDA_SUCCESS;
    assert(p->paramsArray && p->extSemArray);
    memcpy(params, p->paramsArray, params_bytes);
    memcpy(params + params_bytes, p->extSemArray, sems_bytes);
    own->paramsArray = (const void *)params;
    own->extSemArray = (CUexternalSemaphore *)(void *)(params + params_bytes);
    return CUDA_SUCCESS;
}
