/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of graphs: creating, changing and destroying them. */
#include "runtime/graph.h"

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec,
                                          cudaGraph_t graph,
                                          unsigned long long flags)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {.flags = flags};
    if (flags & cudaGraphInstantiateFlagUpload) /* names no stream */
        return rt_return(cudaErrorInvalidValue);
    /* a graph of the driver API may have been made without */
    (void)rt_context_of_any_state();
    return rt_return(rt_error(graph_instantiate(graph, &p, pGraphExec)));
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags)
{
    return rt_forward(cudaGraphInstantiateWithFlags(pGraphExec, graph, flags));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
    return rt_return(rt_error(graph_exec_destroy(graphExec)));
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec,
                                  unsigned long long *flags)
{
    cuuint64_t value;
    if (!flags)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(graph_exec_flags(graphExec, &value));
    if (!err)
        *flags = value;
    return rt_return(err);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo)
{
    static_assert(sizeof *resultInfo == sizeof(CUgraphExecUpdateResultInfo),
                  "one layout");
    return rt_return(rt_error(graph_exec_update(
        hGraphExec, hGraph, (CUgraphExecUpdateResultInfo *)resultInfo)));
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec,
                                    cudaGraphNode_t hNode,
                                    unsigned int isEnabled)
{
    return rt_return(
        rt_error(graph_exec_set_enabled(hGraphExec, hNode, isEnabled)));
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec,
                                    cudaGraphNode_t hNode,
                                    unsigned int *isEnabled)
{
    return rt_return(
        rt_error(graph_exec_enabled(hGraphExec, hNode, isEnabled)));
}

/* ---- the thread's mode of capture ---------------------------------------- */

cudaError_t
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static_assert(sizeof *mode == sizeof(CUstreamCaptureMode), "one layout");
    return rt_return(
        rt_error(capture_exchange_mode((CUstreamCaptureMode *)mode)));
}
