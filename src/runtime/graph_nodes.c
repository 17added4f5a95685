/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of graphs, by type: adding, querying and changing them. */
#include "runtime/graph.h"

/* ---- what all of them do ------------------------------------------------- */

/* `name`: the function that the program called. */
static cudaError_t add_node(const char *name, cudaError_t err,
                            CUgraphNodeParams *p, cudaGraphNode_t *out,
                            cudaGraph_t graph,
                            const cudaGraphNode_t *dependencies, size_t count)
{
    /* a graph of the driver API may have been made without */
    (void)rt_context_of_any_state();
    if (!err)
        err =
            rt_error(graph_add_node(graph, dependencies, NULL, count, p, out));
    return (rt_return)(name, err);
}

static cudaError_t set_node(const char *name, cudaError_t err,
                            const CUgraphNodeParams *p, cudaGraphNode_t node)
{
    if (!err)
        err = rt_error(graph_node_set_params(node, p));
    return (rt_return)(name, err);
}

static cudaError_t set_in(const char *name, cudaError_t err,
                          const CUgraphNodeParams *p, cudaGraphExec_t exec,
                          cudaGraphNode_t node)
{
    if (!err)
        err = rt_error(graph_exec_set_params(exec, node, p));
    return (rt_return)(name, err);
}

#define add_node(...) add_node(__func__, __VA_ARGS__)
#define set_node(...) set_node(__func__, __VA_ARGS__)
#define set_in(...)   set_in(__func__, __VA_ARGS__)

/* The parameters of a node of this type; `room` is where the caller wants them.
 */
static cudaError_t get_node(cudaGraphNode_t node, CUgraphNodeType type,
                            const void *room, CUgraphNodeParams *p)
{
    if (!room)
        return cudaErrorInvalidValue;
    return rt_error(graph_node_params(node, type, p));
}

/* ---- symbols ------------------------------------------------------------- */

static cudaError_t to_symbol(const void *symbol, const void *src, size_t count,
                             size_t offset, enum cudaMemcpyKind kind,
                             CUgraphNodeParams *p)
{
    void *dst;
    cudaError_t err =
        rt_symbol_part(symbol, count, offset, kind, RT_TO_SYMBOL, &dst);
    return err ? err : rt_row_params(dst, src, count, kind, p);
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t count,
                               size_t offset, enum cudaMemcpyKind kind,
                               CUgraphNodeParams *p)
{
    void *src;
    cudaError_t err =
        rt_symbol_part(symbol, count, offset, kind, RT_FROM_SYMBOL, &src);
    return err ? err : rt_row_params(dst, src, count, kind, p);
}

/* ---- adding and changing ------------------------------------------------- */

static cudaError_t of_event(CUgraphNodeType type, cudaEvent_t event,
                            CUgraphNodeParams *out)
{
    *out = rt_event_params(type, event);
    return cudaSuccess;
}

/* Signals and waits of semaphores have one layout in both APIs. */
static_assert(sizeof(struct cudaExternalSemaphoreSignalParams) ==
                      sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS) &&
                  sizeof(struct cudaExternalSemaphoreWaitParams) ==
                      sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS),
              "one layout");

static cudaError_t of_semaphores(CUgraphNodeType type, const void *params,
                                 CUgraphNodeParams *out)
{
    static_assert(sizeof(struct cudaExternalSemaphoreSignalNodeParams) ==
                          sizeof out->extSemSignal &&
                      sizeof(struct cudaExternalSemaphoreWaitNodeParams) ==
                          sizeof out->extSemSignal,
                  "one layout");
    *out = (CUgraphNodeParams){.type = type};
    if (!params)
        return cudaErrorInvalidValue;
    memcpy(&out->extSemSignal, params, sizeof out->extSemSignal);
    return cudaSuccess;
}

/* Three functions for each type, with the same parameters. */
#define UNPACK(...) __VA_ARGS__
#define NODE(added, changed, parameters, read)                                 \
    cudaError_t cudaGraphAdd##added(cudaGraphNode_t *pGraphNode,               \
                                    cudaGraph_t graph,                         \
                                    const cudaGraphNode_t *pDependencies,      \
                                    size_t numDependencies, UNPACK parameters) \
    {                                                                          \
        CUgraphNodeParams p;                                                   \
        return add_node(read, &p, pGraphNode, graph, pDependencies,            \
                        numDependencies);                                      \
    }                                                                          \
    cudaError_t cudaGraph##changed(cudaGraphNode_t node, UNPACK parameters)    \
    {                                                                          \
        CUgraphNodeParams p;                                                   \
        return set_node(read, &p, node);                                       \
    }                                                                          \
    cudaError_t cudaGraphExec##changed(                                        \
        cudaGraphExec_t hGraphExec, cudaGraphNode_t node, UNPACK parameters)   \
    {                                                                          \
        CUgraphNodeParams p;                                                   \
        return set_in(read, &p, hGraphExec, node);                             \
    }
#include "runtime/graph_nodes.def"

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies,
                                       size_t numDependencies,
                                       cudaGraph_t childGraph)
{
    CUgraphNodeParams p = rt_child_params(childGraph);
    return add_node(cudaSuccess, &p, pGraphNode, graph, pDependencies,
                    numDependencies);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t childGraph)
{
    CUgraphNodeParams p = rt_child_params(childGraph);
    return set_in(cudaSuccess, &p, hGraphExec, node);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode,
                                  cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies,
                                  size_t numDependencies)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return add_node(cudaSuccess, &p, pGraphNode, graph, pDependencies,
                    numDependencies);
}

/* Both APIs have one layout. The address is returned in the parameters. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies,
                                     size_t numDependencies,
                                     struct cudaMemAllocNodeParams *nodeParams)
{
    CUcontext ctx;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    static_assert(sizeof *nodeParams == sizeof p.alloc, "one layout");
    if (!nodeParams)
        return rt_return(cudaErrorInvalidValue);
    memcpy(&p.alloc, nodeParams, sizeof p.alloc);
    cudaError_t err = add_node(rt_context(&ctx), &p, pGraphNode, graph,
                               pDependencies, numDependencies);
    if (!err)
        nodeParams->dptr = (void *)(uintptr_t)p.alloc.dptr;
    return err;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode,
                                    cudaGraph_t graph,
                                    const cudaGraphNode_t *pDependencies,
                                    size_t numDependencies, void *dptr)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE};
    p.free.dptr = (CUdeviceptr)(uintptr_t)dptr;
    return add_node(cudaSuccess, &p, pGraphNode, graph, pDependencies,
                    numDependencies);
}

static cudaError_t add_any(const struct cudaGraphNodeParams *p,
                           struct cudaGraphNodeParams *out,
                           cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies,
                           const CUgraphEdgeData *data, size_t count)
{
    CUgraphNodeParams params;
    cudaError_t err = rt_node_params(p, &params);
    if (!err)
        err = rt_context_of_any_state();
    if (!err)
        err = rt_error(
            graph_add_node(graph, dependencies, data, count, &params, node));
    if (!err && p->type == cudaGraphNodeTypeConditional)
        out->conditional.phGraph_out = params.conditional.phGraph_out;
    if (!err && p->type == cudaGraphNodeTypeMemAlloc)
        out->alloc.dptr = (void *)(uintptr_t)params.alloc.dptr;
    return err;
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                const cudaGraphNode_t *pDependencies,
                                const cudaGraphEdgeData *dependencyData,
                                size_t numDependencies,
                                struct cudaGraphNodeParams *nodeParams)
{
    return rt_return(add_any(nodeParams, nodeParams, pGraphNode, graph,
                             pDependencies, rt_edge_data(dependencyData),
                             numDependencies));
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t *pDependencies,
                             size_t numDependencies,
                             struct cudaGraphNodeParams *nodeParams)
{
    return rt_forward(cudaGraphAddNode_v2(pGraphNode, graph, pDependencies,
                                          NULL, numDependencies, nodeParams));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                   struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    return set_node(rt_node_params(nodeParams, &p), &p, node);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec,
                                       cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    return set_in(rt_node_params(nodeParams, &p), &p, graphExec, node);
}

/* ---- querying ------------------------------------------------------------ */

cudaError_t
cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                             struct cudaKernelNodeParams *pNodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err =
        get_node(node, CU_GRAPH_NODE_TYPE_KERNEL, pNodeParams, &p);
    CUfunction f;
    if (!err && rt_function(p.kernel.kern, &f))
        err = cudaErrorInvalidDeviceFunction; /* none of this runtime's */
    if (!err)
        rt_give_kernel_params(&p.kernel, pNodeParams);
    return rt_return(err);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms *pNodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err =
        get_node(node, CU_GRAPH_NODE_TYPE_MEMCPY, pNodeParams, &p);
    if (!err)
        rt_give_copy_params(&p.memcpy.copyParams, pNodeParams);
    return rt_return(err);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams *pNodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err =
        get_node(node, CU_GRAPH_NODE_TYPE_MEMSET, pNodeParams, &p);
    if (!err)
        *pNodeParams =
            (struct cudaMemsetParams){.dst = (void *)(uintptr_t)p.memset.dst,
                                      .pitch = p.memset.pitch,
                                      .value = p.memset.value,
                                      .elementSize = p.memset.elementSize,
                                      .width = p.memset.width,
                                      .height = p.memset.height};
    return rt_return(err);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams *pNodeParams)
{
    CUgraphNodeParams p;
    cudaError_t err = get_node(node, CU_GRAPH_NODE_TYPE_HOST, pNodeParams, &p);
    if (!err)
        *pNodeParams = (struct cudaHostNodeParams){p.host.fn, p.host.userData};
    return rt_return(err);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                             cudaEvent_t *event_out)
{
    CUgraphNodeParams p;
    cudaError_t err =
        get_node(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event_out, &p);
    if (!err)
        *event_out = p.eventWait.event;
    return rt_return(err);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                           cudaEvent_t *event_out)
{
    CUgraphNodeParams p;
    cudaError_t err =
        get_node(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event_out, &p);
    if (!err)
        *event_out = p.eventWait.event;
    return rt_return(err);
}

static cudaError_t get_semaphores(cudaGraphNode_t node, CUgraphNodeType type,
                                  void *params_out)
{
    CUgraphNodeParams p;
    cudaError_t err = get_node(node, type, params_out, &p);
    if (!err)
        memcpy(params_out, &p.extSemSignal, sizeof p.extSemSignal);
    return err;
}

cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreSignalNodeParams *params_out)
{
    return rt_return(
        get_semaphores(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, params_out));
}

cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreWaitNodeParams *params_out)
{
    return rt_return(
        get_semaphores(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, params_out));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *pGraph)
{
    CUgraphNodeParams p;
    cudaError_t err = get_node(node, CU_GRAPH_NODE_TYPE_GRAPH, pGraph, &p);
    if (!err)
        *pGraph = p.graph.graph;
    return rt_return(err);
}

cudaError_t
cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                               struct cudaMemAllocNodeParams *params_out)
{
    CUgraphNodeParams p;
    cudaError_t err =
        get_node(node, CU_GRAPH_NODE_TYPE_MEM_ALLOC, params_out, &p);
    if (!err)
        memcpy(params_out, &p.alloc, sizeof *params_out);
    return rt_return(err);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out)
{
    CUgraphNodeParams p;
    cudaError_t err = get_node(node, CU_GRAPH_NODE_TYPE_MEM_FREE, dptr_out, &p);
    if (!err)
        *(void **)dptr_out = (void *)(uintptr_t)p.free.dptr;
    return rt_return(err);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 enum cudaGraphNodeType *pType)
{
    CUgraphNodeType type;
    if (!pType)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(graph_node_type(node, &type));
    if (!err && type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
        err = cudaErrorUnknown; /* the runtime API has none, as on a GPU */
    if (!err)
        *pType = (enum cudaGraphNodeType)type;
    return rt_return(err);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    return rt_return(rt_error(graph_destroy_node(node)));
}

/* ---- attributes of kernels ----------------------------------------------- */

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst,
                                              cudaGraphNode_t hSrc)
{
    return rt_return(rt_error(graph_node_copy_attributes(hDst, hSrc)));
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode,
                                            cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value_out)
{
    return rt_return(
        rt_error(graph_node_attribute(hNode, (CUlaunchAttributeID)attr,
                                      (CUlaunchAttributeValue *)value_out)));
}

cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode,
                                cudaLaunchAttributeID attr,
                                const cudaLaunchAttributeValue *value)
{
    return rt_return(rt_error(graph_node_set_attribute(
        hNode, (CUlaunchAttributeID)attr, (CUlaunchAttributeValue *)value)));
}
