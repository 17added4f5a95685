/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs, their edges, user objects, memory of graphs. */
#include "runtime/graph.h"

/* ---- graphs -------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    CUcontext ctx = NULL;
    if (!pGraph || flags)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err || (ctx && err == rt_sticky())) /* a failed context will do */
        err = rt_error(graph_create(ctx, pGraph));
    return rt_return(err);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return rt_return(rt_error(graph_destroy(graph)));
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    return rt_return(rt_error(graph_clone(originalGraph, pGraphClone)));
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode,
                                     cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph)
{
    return rt_return(
        rt_error(graph_find_in_clone(originalNode, clonedGraph, pNode)));
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned int flags)
{
    return rt_return(rt_error(graph_print_dot(graph, path, flags)));
}

cudaError_t cudaGraphConditionalHandleCreate(
    cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
    unsigned int defaultLaunchValue, unsigned int flags)
{
    CUgraphConditionalHandle handle;
    if (!pHandle_out)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(
        graph_condition_create(graph, defaultLaunchValue, flags, &handle));
    if (!err)
        *pHandle_out = handle;
    return rt_return(err);
}

/* ---- edges --------------------------------------------------------------- */

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData,
                                        size_t numDependencies)
{
    return rt_return(rt_error(graph_add_dependencies(
        graph, from, to, rt_edge_data(edgeData), numDependencies)));
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     size_t numDependencies)
{
    return rt_forward(
        cudaGraphAddDependencies_v2(graph, from, to, NULL, numDependencies));
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph,
                                           const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edgeData,
                                           size_t numDependencies)
{
    return rt_return(rt_error(graph_remove_dependencies(
        graph, from, to, rt_edge_data(edgeData), numDependencies)));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        size_t numDependencies)
{
    return rt_forward(
        cudaGraphRemoveDependencies_v2(graph, from, to, NULL, numDependencies));
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *numNodes)
{
    return rt_return(rt_error(graph_nodes(graph, nodes, numNodes)));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph,
                                  cudaGraphNode_t *pRootNodes,
                                  size_t *pNumRootNodes)
{
    return rt_return(rt_error(graph_roots(graph, pRootNodes, pNumRootNodes)));
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from,
                                 cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edgeData, size_t *numEdges)
{
    return rt_return(rt_error(
        graph_edges(graph, from, to, (CUgraphEdgeData *)edgeData, numEdges)));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *numEdges)
{
    return rt_forward(cudaGraphGetEdges_v2(graph, from, to, NULL, numEdges));
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node,
                                            cudaGraphNode_t *pDependencies,
                                            cudaGraphEdgeData *edgeData,
                                            size_t *pNumDependencies)
{
    return rt_return(rt_error(graph_node_dependencies(
        node, pDependencies, (CUgraphEdgeData *)edgeData, pNumDependencies)));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *pDependencies,
                                         size_t *pNumDependencies)
{
    return rt_forward(cudaGraphNodeGetDependencies_v2(node, pDependencies, NULL,
                                                      pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node,
                                              cudaGraphNode_t *pDependentNodes,
                                              cudaGraphEdgeData *edgeData,
                                              size_t *pNumDependentNodes)
{
    return rt_return(rt_error(graph_node_dependents(node, pDependentNodes,
                                                    (CUgraphEdgeData *)edgeData,
                                                    pNumDependentNodes)));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *pDependentNodes,
                                           size_t *pNumDependentNodes)
{
    return rt_forward(cudaGraphNodeGetDependentNodes_v2(
        node, pDependentNodes, NULL, pNumDependentNodes));
}

/* ---- user objects -------------------------------------------------------- */

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr,
                                 cudaHostFn_t destroy,
                                 unsigned int initialRefcount,
                                 unsigned int flags)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(
            object_create(ptr, destroy, initialRefcount, flags, object_out));
    return rt_return(err);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    return rt_return(rt_error(object_retain(object, count)));
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    return rt_return(rt_error(object_release(object, count)));
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                      cudaUserObject_t object,
                                      unsigned int count, unsigned int flags)
{
    return rt_return(
        rt_error(graph_retain_object(graph, object, count, flags)));
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                       cudaUserObject_t object,
                                       unsigned int count)
{
    return rt_return(rt_error(graph_release_object(graph, object, count)));
}

/* ---- memory -------------------------------------------------------------- */

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    return rt_return(rt_error(graph_memory_trim(device)));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    return rt_return(rt_error(
        graph_memory_attribute(device, (CUgraphMem_attribute)attr, value)));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    if (!value)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(rt_error(graph_memory_set_attribute(
        device, (CUgraphMem_attribute)attr, *(const cuuint64_t *)value)));
}
