/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that signal external semaphores or wait for them. */
#include "runtime/graph.h"

/* Both APIs describe semaphores with the same bytes. */
static_assert(sizeof(struct cudaExternalSemaphoreSignalParams) ==
                      sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS) &&
                  sizeof(struct cudaExternalSemaphoreWaitParams) ==
                      sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS),
              "one layout");

/* ---- signals ----------------------------------------------------------------
 */

static cudaError_t
of_signal(const struct cudaExternalSemaphoreSignalNodeParams *given,
          CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL};
    if (!given)
        return cudaErrorInvalidValue;
    out->extSemSignal.extSemArray = (CUexternalSemaphore *)given->extSemArray;
    out->extSemSignal.paramsArray = (const void *)given->paramsArray;
    out->extSemSignal.numExtSems = given->numExtSems;
    return cudaSuccess;
}

cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err = of_signal(nodeParams, &p);
    if (!err)
        err = rt_error(graph_add_node(graph, pDependencies, NULL,
                                      numDependencies, &p, pGraphNode));
    return rt_return(err);
}

cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err = of_signal(nodeParams, &p);
    if (!err)
        err = rt_error(graph_node_set_params(hNode, &p));
    return rt_return(err);
}

cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err = of_signal(nodeParams, &p);
    if (!err)
        err = rt_error(graph_exec_set_params(hGraphExec, hNode, &p));
    return rt_return(err);
}

cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreSignalNodeParams *params_out)
{
    CUgraphNodeParams p;
    cudaError_t err = params_out
                          ? rt_error(graph_node_params(
                                hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, &p))
                          : cudaErrorInvalidValue;
    if (err)
        return rt_return(err);
    params_out->extSemArray =
        (cudaExternalSemaphore_t *)p.extSemSignal.extSemArray;
    params_out->paramsArray = (const void *)p.extSemSignal.paramsArray;
    params_out->numExtSems = p.extSemSignal.numExtSems;
    return rt_return(cudaSuccess);
}

/* ---- waits ------------------------------------------------------------------
 */

static cudaError_t
of_wait(const struct cudaExternalSemaphoreWaitNodeParams *given,
        CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT};
    if (!given)
        return cudaErrorInvalidValue;
    out->extSemWait.extSemArray = (CUexternalSemaphore *)given->extSemArray;
    out->extSemWait.paramsArray = (const void *)given->paramsArray;
    out->extSemWait.numExtSems = given->numExtSems;
    return cudaSuccess;
}

cudaError_t cudaGraphAddExternalSemaphoresWaitNode(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err = of_wait(nodeParams, &p);
    if (!err)
        err = rt_error(graph_add_node(graph, pDependencies, NULL,
                                      numDependencies, &p, pGraphNode));
    return rt_return(err);
}

cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err = of_wait(nodeParams, &p);
    if (!err)
        err = rt_error(graph_node_set_params(hNode, &p));
    return rt_return(err);
}

cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err = of_wait(nodeParams, &p);
    if (!err)
        err = rt_error(graph_exec_set_params(hGraphExec, hNode, &p));
    return rt_return(err);
}

cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreWaitNodeParams *params_out)
{
    CUgraphNodeParams p;
    cudaError_t err = params_out
                          ? rt_error(graph_node_params(
                                hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, &p))
                          : cudaErrorInvalidValue;
    if (err)
        return rt_return(err);
    params_out->extSemArray =
        (cudaExternalSemaphore_t *)p.extSemWait.extSemArray;
    params_out->paramsArray = (const void *)p.extSemWait.paramsArray;
    params_out->numExtSems = p.extSemWait.numExtSems;
    return rt_return(cudaSuccess);
}
