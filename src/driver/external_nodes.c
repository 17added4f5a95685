/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that signal external semaphores or wait for them. */
#include "driver/internal.h"

/* ---- signals ----------------------------------------------------------------
 */

static CUresult of_signal(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *given,
                          CUgraphNodeParams *out)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL};
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    out->extSemSignal.extSemArray = given->extSemArray;
    out->extSemSignal.paramsArray = given->paramsArray;
    out->extSemSignal.numExtSems = given->numExtSems;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddExternalSemaphoresSignalNode(
    CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
    size_t numDependencies, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_signal(nodeParams, &p);
    return err ? err
               : graph_add_node(hGraph, dependencies, NULL, numDependencies, &p,
                                phGraphNode);
}

CUresult cuGraphExternalSemaphoresSignalNodeSetParams(
    CUgraphNode hNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_signal(nodeParams, &p);
    return err ? err : graph_node_set_params(hNode, &p);
}

CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(
    CUgraphExec hGraphExec, CUgraphNode hNode,
    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_signal(nodeParams, &p);
    return err ? err : graph_exec_set_params(hGraphExec, hNode, &p);
}

CUresult cuGraphExternalSemaphoresSignalNodeGetParams(
    CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out)
{
    CUgraphNodeParams p;
    CUresult err = drv_check_context();
    if (!err && !params_out)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = graph_node_params(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, &p);
    if (err)
        return err;
    params_out->extSemArray = p.extSemSignal.extSemArray;
    params_out->paramsArray = p.extSemSignal.paramsArray;
    params_out->numExtSems = p.extSemSignal.numExtSems;
    return CUDA_SUCCESS;
}

/* ---- waits ------------------------------------------------------------------
 */

static CUresult of_wait(const CUDA_EXT_SEM_WAIT_NODE_PARAMS *given,
                        CUgraphNodeParams *out)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT};
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    out->extSemWait.extSemArray = given->extSemArray;
    out->extSemWait.paramsArray = given->paramsArray;
    out->extSemWait.numExtSems = given->numExtSems;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddExternalSemaphoresWaitNode(
    CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
    size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_wait(nodeParams, &p);
    return err ? err
               : graph_add_node(hGraph, dependencies, NULL, numDependencies, &p,
                                phGraphNode);
}

CUresult cuGraphExternalSemaphoresWaitNodeSetParams(
    CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_wait(nodeParams, &p);
    return err ? err : graph_node_set_params(hNode, &p);
}

CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(
    CUgraphExec hGraphExec, CUgraphNode hNode,
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_wait(nodeParams, &p);
    return err ? err : graph_exec_set_params(hGraphExec, hNode, &p);
}

CUresult cuGraphExternalSemaphoresWaitNodeGetParams(
    CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out)
{
    CUgraphNodeParams p;
    CUresult err = drv_check_context();
    if (!err && !params_out)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = graph_node_params(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, &p);
    if (err)
        return err;
    params_out->extSemArray = p.extSemWait.extSemArray;
    params_out->paramsArray = p.extSemWait.paramsArray;
    params_out->numExtSems = p.extSemWait.numExtSems;
    return CUDA_SUCCESS;
}
