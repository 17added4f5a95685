/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs, their edges, instances, user objects, memory of graphs. */
#include "driver/internal.h"

/* ---- graphs -------------------------------------------------------------- */

CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags)
{
    CUcontext ctx;
    CUresult err = drv_current_or_none(&ctx);
    if (err)
        return err;
    return phGraph && !flags ? graph_create(ctx, phGraph)
                             : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out,
                                        CUgraph hGraph, CUcontext ctx,
                                        unsigned int defaultLaunchValue,
                                        unsigned int flags)
{
    CUcontext current;
    CUresult err = drv_context_anywhere(&current);
    if (!err && !ctx)
        err = CUDA_ERROR_INVALID_CONTEXT;
    return err ? err
               : graph_condition_create(hGraph, defaultLaunchValue, flags,
                                        pHandle_out);
}

CUresult cuGraphDestroy(CUgraph hGraph)
{
    CUcontext ctx;
    CUresult err = drv_current_or_none(&ctx);
    return err ? err : graph_destroy(hGraph);
}

CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)
{
    CUresult err = drv_initialised();
    return err ? err : graph_clone(originalGraph, phGraphClone);
}

CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
                                CUgraph hClonedGraph)
{
    CUresult err = drv_initialised();
    return err ? err : graph_find_in_clone(hOriginalNode, hClonedGraph, phNode);
}

CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path,
                              unsigned int flags)
{
    CUresult err = drv_initialised();
    return err ? err : graph_print_dot(hGraph, path, flags);
}

/* ---- edges --------------------------------------------------------------- */

CUresult cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
                                   const CUgraphNode *to,
                                   const CUgraphEdgeData *edgeData,
                                   size_t numDependencies)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_add_dependencies(hGraph, from, to, edgeData,
                                        numDependencies);
}

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from,
                                const CUgraphNode *to, size_t numDependencies)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_add_dependencies(hGraph, from, to, NULL,
                                        numDependencies);
}

CUresult cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
                                      const CUgraphNode *to,
                                      const CUgraphEdgeData *edgeData,
                                      size_t numDependencies)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_remove_dependencies(hGraph, from, to, edgeData,
                                           numDependencies);
}

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
                                   const CUgraphNode *to,
                                   size_t numDependencies)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_remove_dependencies(hGraph, from, to, NULL,
                                           numDependencies);
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
    CUresult err = drv_initialised();
    return err ? err : graph_nodes(hGraph, nodes, numNodes);
}

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes,
                             size_t *numRootNodes)
{
    CUresult err = drv_initialised();
    return err ? err : graph_roots(hGraph, rootNodes, numRootNodes);
}

CUresult cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *edgeData, size_t *numEdges)
{
    CUresult err = drv_initialised();
    return err ? err : graph_edges(hGraph, from, to, edgeData, numEdges);
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                         size_t *numEdges)
{
    CUresult err = drv_initialised();
    return err ? err : graph_edges(hGraph, from, to, NULL, numEdges);
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode,
                                       CUgraphNode *dependencies,
                                       CUgraphEdgeData *edgeData,
                                       size_t *numDependencies)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_node_dependencies(hNode, dependencies, edgeData,
                                         numDependencies);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode,
                                    CUgraphNode *dependencies,
                                    size_t *numDependencies)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_node_dependencies(hNode, dependencies, NULL,
                                         numDependencies);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode,
                                         CUgraphNode *dependentNodes,
                                         CUgraphEdgeData *edgeData,
                                         size_t *numDependentNodes)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_node_dependents(hNode, dependentNodes, edgeData,
                                       numDependentNodes);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode,
                                      CUgraphNode *dependentNodes,
                                      size_t *numDependentNodes)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_node_dependents(hNode, dependentNodes, NULL,
                                       numDependentNodes);
}

/* ---- user objects -------------------------------------------------------- */

CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr,
                            CUhostFn destroy, unsigned int initialRefcount,
                            unsigned int flags)
{
    CUresult err = drv_check_nothing();
    return err ? err
               : object_create(ptr, destroy, initialRefcount, flags,
                               object_out);
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count)
{
    CUresult err = drv_check_nothing();
    return err ? err : object_retain(object, count);
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)
{
    CUresult err = drv_check_nothing();
    return err ? err : object_release(object, count);
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object,
                                 unsigned int count, unsigned int flags)
{
    CUresult err = drv_check_nothing();
    return err ? err : graph_retain_object(graph, object, count, flags);
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object,
                                  unsigned int count)
{
    CUresult err = drv_check_nothing();
    return err ? err : graph_release_object(graph, object, count);
}

/* ---- memory -------------------------------------------------------------- */

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    CUresult err = drv_check_device(device);
    return err ? err : graph_memory_trim(device);
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device,
                                      CUgraphMem_attribute attr, void *value)
{
    CUresult err = drv_check_device(device);
    return err ? err : graph_memory_attribute(device, attr, value);
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device,
                                      CUgraphMem_attribute attr, void *value)
{
    CUresult err = drv_check_device(device);
    return err ? err
           : value
               ? graph_memory_set_attribute(device, attr, *(cuuint64_t *)value)
               : CUDA_ERROR_INVALID_VALUE;
}

/* ---- instances ----------------------------------------------------------- */

#undef cuGraphInstantiate

static CUresult instantiate_graph(CUgraphExec *phGraphExec, CUgraph hGraph,
                                  unsigned long long flags,
                                  CUgraphNode *error_node)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {.flags = flags};
    CUresult err = drv_check_context();
    if (!err && (flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD))
        err = CUDA_ERROR_INVALID_VALUE; /* names no stream */
    if (!err)
        err = graph_instantiate(hGraph, &p, phGraphExec);
    if (error_node)
        *error_node = p.hErrNode_out;
    return err;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
                                     unsigned long long flags)
{
    return instantiate_graph(phGraphExec, hGraph, flags, NULL);
}

/* The forms of before CUDA 12 take a buffer for a message. */
CUresult cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph,
                               CUgraphNode *phErrorNode, char *logBuffer,
                               size_t bufferSize);
CUresult cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph,
                               CUgraphNode *phErrorNode, char *logBuffer,
                               size_t bufferSize)
{
    if (logBuffer && bufferSize)
        *logBuffer = '\0';
    return instantiate_graph(phGraphExec, hGraph, 0, phErrorNode);
}

CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph,
                            CUgraphNode *phErrorNode, char *logBuffer,
                            size_t bufferSize);
CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph,
                            CUgraphNode *phErrorNode, char *logBuffer,
                            size_t bufferSize)
{
    return cuGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer,
                                 bufferSize);
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)
{
    CUcontext ctx;
    CUresult err = drv_current_or_none(&ctx);
    return err ? err : graph_exec_destroy(hGraphExec);
}

CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)
{
    CUresult err = drv_initialised();
    return err ? err : graph_exec_flags(hGraphExec, flags);
}

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                           CUgraphExecUpdateResultInfo *resultInfo)
{
    CUresult err = drv_initialised();
    return err ? err : graph_exec_update(hGraphExec, hGraph, resultInfo);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                               unsigned int isEnabled)
{
    CUresult err = drv_check_nothing();
    return err ? err : graph_exec_set_enabled(hGraphExec, hNode, isEnabled);
}

CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                               unsigned int *isEnabled)
{
    CUresult err = drv_check_nothing();
    return err ? err : graph_exec_enabled(hGraphExec, hNode, isEnabled);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    CUresult err = drv_check_nothing();
    return err ? err : capture_exchange_mode(mode);
}

#undef cuGraphExecUpdate

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                           CUgraphNode *hErrorNode_out,
                           CUgraphExecUpdateResult *updateResult_out);
CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                           CUgraphNode *hErrorNode_out,
                           CUgraphExecUpdateResult *updateResult_out)
{
    CUgraphExecUpdateResultInfo info = {.result = CU_GRAPH_EXEC_UPDATE_ERROR};
    CUresult err = drv_initialised();
    if (!err)
        err = graph_exec_update(hGraphExec, hGraph, &info);
    if (hErrorNode_out)
        *hErrorNode_out = info.errorNode;
    if (updateResult_out)
        *updateResult_out = info.result;
    return err;
}
