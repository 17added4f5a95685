/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime API's functions for graphs and captures; a part of
 * cuda_runtime_api.h. */
#ifndef WEFT_GRAPH_API_H
#define WEFT_GRAPH_API_H

/* What every function that adds a node begins with. */
#define WEFT_NEW_NODE                                                          \
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,                            \
        const cudaGraphNode_t *pDependencies, size_t numDependencies
#define WEFT_RT cudaError_t CUDARTAPI

/* ---- graphs, nodes ------------------------------------------------------- */
/*
 * CUDA runtime API, "Graph Management". A node belongs to its graph; a graph,
 * until cudaGraphDestroy, to the program. One thread at a time may use a
 * graph.
 */

WEFT_RT cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags);
WEFT_RT cudaGraphDestroy(cudaGraph_t graph);
WEFT_RT cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph);
WEFT_RT cudaGraphNodeFindInClone(cudaGraphNode_t *pNode,
                                 cudaGraphNode_t originalNode,
                                 cudaGraph_t clonedGraph);
WEFT_RT cudaGraphAddNode(WEFT_NEW_NODE, struct cudaGraphNodeParams *nodeParams);
WEFT_RT cudaGraphAddNode_v2(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                            const cudaGraphNode_t *pDependencies,
                            const cudaGraphEdgeData *dependencyData,
                            size_t numDependencies,
                            struct cudaGraphNodeParams *nodeParams);
WEFT_RT cudaGraphNodeSetParams(cudaGraphNode_t node,
                               struct cudaGraphNodeParams *nodeParams);
WEFT_RT cudaGraphNodeGetType(cudaGraphNode_t node,
                             enum cudaGraphNodeType *pType);
WEFT_RT cudaGraphDestroyNode(cudaGraphNode_t node);
WEFT_RT cudaGraphConditionalHandleCreate(
    cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
    unsigned int defaultLaunchValue __dv(0), unsigned int flags __dv(0));
WEFT_RT cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                               unsigned int flags);

/* ---- edges, questions ---------------------------------------------------- */
/* Arrays of nodes are the caller's; counts are elements. NULL for an array
 * asks for the count only. */

WEFT_RT cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                 const cudaGraphNode_t *to,
                                 size_t numDependencies);
WEFT_RT cudaGraphAddDependencies_v2(cudaGraph_t graph,
                                    const cudaGraphNode_t *from,
                                    const cudaGraphNode_t *to,
                                    const cudaGraphEdgeData *edgeData,
                                    size_t numDependencies);
WEFT_RT cudaGraphRemoveDependencies(cudaGraph_t graph,
                                    const cudaGraphNode_t *from,
                                    const cudaGraphNode_t *to,
                                    size_t numDependencies);
WEFT_RT cudaGraphRemoveDependencies_v2(cudaGraph_t graph,
                                       const cudaGraphNode_t *from,
                                       const cudaGraphNode_t *to,
                                       const cudaGraphEdgeData *edgeData,
                                       size_t numDependencies);
WEFT_RT cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                          size_t *numNodes);
WEFT_RT cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes,
                              size_t *pNumRootNodes);
WEFT_RT cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                          cudaGraphNode_t *to, size_t *numEdges);
WEFT_RT cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from,
                             cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                             size_t *numEdges);
WEFT_RT cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                     cudaGraphNode_t *pDependencies,
                                     size_t *pNumDependencies);
WEFT_RT cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node,
                                        cudaGraphNode_t *pDependencies,
                                        cudaGraphEdgeData *edgeData,
                                        size_t *pNumDependencies);
WEFT_RT cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                       cudaGraphNode_t *pDependentNodes,
                                       size_t *pNumDependentNodes);
WEFT_RT cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node,
                                          cudaGraphNode_t *pDependentNodes,
                                          cudaGraphEdgeData *edgeData,
                                          size_t *pNumDependentNodes);

/* ---- nodes by type ------------------------------------------------------- */
/* Parameters are copied into the node, kernel arguments included; memory that
 * they point to has to live as long as launches do. */

WEFT_RT cudaGraphAddKernelNode(WEFT_NEW_NODE,
                               const struct cudaKernelNodeParams *pNodeParams);
WEFT_RT cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                     struct cudaKernelNodeParams *pNodeParams);
WEFT_RT
cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                             const struct cudaKernelNodeParams *pNodeParams);
WEFT_RT cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst,
                                          cudaGraphNode_t hSrc);
WEFT_RT cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode,
                                        cudaLaunchAttributeID attr,
                                        cudaLaunchAttributeValue *value_out);
WEFT_RT cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode,
                                        cudaLaunchAttributeID attr,
                                        const cudaLaunchAttributeValue *value);
WEFT_RT cudaGraphAddMemcpyNode(WEFT_NEW_NODE,
                               const struct cudaMemcpy3DParms *pCopyParams);
WEFT_RT cudaGraphAddMemcpyNode1D(WEFT_NEW_NODE, void *dst, const void *src,
                                 size_t count, enum cudaMemcpyKind kind);
WEFT_RT cudaGraphAddMemcpyNodeToSymbol(WEFT_NEW_NODE, const void *symbol,
                                       const void *src, size_t count,
                                       size_t offset, enum cudaMemcpyKind kind);
WEFT_RT cudaGraphAddMemcpyNodeFromSymbol(WEFT_NEW_NODE, void *dst,
                                         const void *symbol, size_t count,
                                         size_t offset,
                                         enum cudaMemcpyKind kind);
WEFT_RT cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                     struct cudaMemcpy3DParms *pNodeParams);
WEFT_RT
cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                             const struct cudaMemcpy3DParms *pNodeParams);
WEFT_RT cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst,
                                       const void *src, size_t count,
                                       enum cudaMemcpyKind kind);
WEFT_RT cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                             const void *symbol,
                                             const void *src, size_t count,
                                             size_t offset,
                                             enum cudaMemcpyKind kind);
WEFT_RT cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                               const void *symbol, size_t count,
                                               size_t offset,
                                               enum cudaMemcpyKind kind);
WEFT_RT cudaGraphAddMemsetNode(WEFT_NEW_NODE,
                               const struct cudaMemsetParams *pMemsetParams);
WEFT_RT cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                     struct cudaMemsetParams *pNodeParams);
WEFT_RT
cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                             const struct cudaMemsetParams *pNodeParams);
WEFT_RT cudaGraphAddHostNode(WEFT_NEW_NODE,
                             const struct cudaHostNodeParams *pNodeParams);
WEFT_RT cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                   struct cudaHostNodeParams *pNodeParams);
WEFT_RT
cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                           const struct cudaHostNodeParams *pNodeParams);
WEFT_RT cudaGraphAddChildGraphNode(WEFT_NEW_NODE, cudaGraph_t childGraph);
WEFT_RT cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                        cudaGraph_t *pGraph);
WEFT_RT cudaGraphAddEmptyNode(WEFT_NEW_NODE);
WEFT_RT cudaGraphAddEventRecordNode(WEFT_NEW_NODE, cudaEvent_t event);
WEFT_RT cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                         cudaEvent_t *event_out);
WEFT_RT cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                         cudaEvent_t event);
WEFT_RT cudaGraphAddEventWaitNode(WEFT_NEW_NODE, cudaEvent_t event);
WEFT_RT cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                       cudaEvent_t *event_out);
WEFT_RT cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
WEFT_RT cudaGraphAddExternalSemaphoresSignalNode(
    WEFT_NEW_NODE,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams);
WEFT_RT cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreSignalNodeParams *params_out);
WEFT_RT cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams);
WEFT_RT cudaGraphAddExternalSemaphoresWaitNode(
    WEFT_NEW_NODE,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams);
WEFT_RT cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreWaitNodeParams *params_out);
WEFT_RT cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams);
WEFT_RT cudaGraphAddMemAllocNode(WEFT_NEW_NODE,
                                 struct cudaMemAllocNodeParams *nodeParams);
WEFT_RT
cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                               struct cudaMemAllocNodeParams *params_out);
WEFT_RT cudaGraphAddMemFreeNode(WEFT_NEW_NODE, void *dptr);
WEFT_RT cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out);

/* ---- instances ----------------------------------------------------------- */
/* An instance is independent of the graph it was made from. Launches of one
 * instance run one after the other. */

WEFT_RT cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                             unsigned long long flags __dv(0));
WEFT_RT cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec,
                                      cudaGraph_t graph,
                                      unsigned long long flags __dv(0));
WEFT_RT
cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                               cudaGraphInstantiateParams *instantiateParams);
WEFT_RT cudaGraphExecGetFlags(cudaGraphExec_t graphExec,
                              unsigned long long *flags);
WEFT_RT cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream);
WEFT_RT cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);
WEFT_RT cudaGraphExecDestroy(cudaGraphExec_t graphExec);
WEFT_RT cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                            cudaGraphExecUpdateResultInfo *resultInfo);
WEFT_RT cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec,
                                   cudaGraphNode_t node,
                                   struct cudaGraphNodeParams *nodeParams);
WEFT_RT cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
    const struct cudaKernelNodeParams *pNodeParams);
WEFT_RT
cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec,
                                 cudaGraphNode_t node,
                                 const struct cudaMemcpy3DParms *pNodeParams);
WEFT_RT cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec,
                                           cudaGraphNode_t node, void *dst,
                                           const void *src, size_t count,
                                           enum cudaMemcpyKind kind);
WEFT_RT cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const void *symbol,
    const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind);
WEFT_RT cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
    const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind);
WEFT_RT
cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec,
                                 cudaGraphNode_t node,
                                 const struct cudaMemsetParams *pNodeParams);
WEFT_RT
cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                               const struct cudaHostNodeParams *pNodeParams);
WEFT_RT cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec,
                                             cudaGraphNode_t node,
                                             cudaGraph_t childGraph);
WEFT_RT cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec,
                                             cudaGraphNode_t hNode,
                                             cudaEvent_t event);
WEFT_RT cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec,
                                           cudaGraphNode_t hNode,
                                           cudaEvent_t event);
WEFT_RT cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams);
WEFT_RT cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams);
WEFT_RT cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec,
                                cudaGraphNode_t hNode, unsigned int isEnabled);
WEFT_RT cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec,
                                cudaGraphNode_t hNode, unsigned int *isEnabled);

/* ---- user objects, memory ------------------------------------------------ */

WEFT_RT cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr,
                             cudaHostFn_t destroy, unsigned int initialRefcount,
                             unsigned int flags);
WEFT_RT cudaUserObjectRetain(cudaUserObject_t object,
                             unsigned int count __dv(1));
WEFT_RT cudaUserObjectRelease(cudaUserObject_t object,
                              unsigned int count __dv(1));
WEFT_RT cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                  unsigned int count __dv(1),
                                  unsigned int flags __dv(0));
WEFT_RT cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                   unsigned int count __dv(1));
WEFT_RT cudaDeviceGraphMemTrim(int device);
WEFT_RT cudaDeviceGetGraphMemAttribute(int device,
                                       enum cudaGraphMemAttributeType attr,
                                       void *value);
WEFT_RT cudaDeviceSetGraphMemAttribute(int device,
                                       enum cudaGraphMemAttributeType attr,
                                       void *value);

#undef WEFT_NEW_NODE
#undef WEFT_RT

#endif
