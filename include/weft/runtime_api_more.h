/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the runtime API's newer chapters; a part of cuda_runtime_api.h.
 * A number behind a name stands for a later form: that of CUDA 13 where its
 * parameters differ.
 */
#ifndef WEFT_RUNTIME_API_MORE_H
#define WEFT_RUNTIME_API_MORE_H

/* ---- devices, events --------------------------------------------------- */

cudaError_t CUDARTAPI cudaDeviceRegisterAsyncNotification(
    int device, cudaAsyncCallback callbackFunc, void *userData,
    cudaAsyncCallbackHandle_t *callback);
cudaError_t CUDARTAPI cudaDeviceUnregisterAsyncNotification(
    int device, cudaAsyncCallbackHandle_t callback);
cudaError_t CUDARTAPI cudaEventElapsedTime_v2(float *ms, cudaEvent_t start,
                                              cudaEvent_t end);
cudaError_t CUDARTAPI cudaDeviceGetHostAtomicCapabilities(
    unsigned int *capabilities, const enum cudaAtomicOperation *operations,
    unsigned int count, int device);
cudaError_t CUDARTAPI cudaDeviceGetP2PAtomicCapabilities(
    unsigned int *capabilities, const enum cudaAtomicOperation *operations,
    unsigned int count, int srcDevice, int dstDevice);

/* ---- memory ------------------------------------------------------------ */

cudaError_t CUDARTAPI cudaArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
    int device);
cudaError_t CUDARTAPI cudaMipmappedArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements,
    cudaMipmappedArray_t mipmap, int device);
cudaError_t CUDARTAPI cudaArrayGetSparseProperties(
    struct cudaArraySparseProperties *sparseProperties, cudaArray_t array);
cudaError_t CUDARTAPI cudaMipmappedArrayGetSparseProperties(
    struct cudaArraySparseProperties *sparseProperties,
    cudaMipmappedArray_t mipmap);
cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void **dsts, void **srcs,
                                           size_t *sizes, size_t count,
                                           struct cudaMemcpyAttributes *attrs,
                                           size_t *attrsIdxs, size_t numAttrs,
                                           size_t *failIdx,
                                           cudaStream_t stream);
cudaError_t CUDARTAPI cudaMemcpy3DBatchAsync(size_t numOps,
                                             struct cudaMemcpy3DBatchOp *opList,
                                             size_t *failIdx,
                                             unsigned long long flags,
                                             cudaStream_t stream);
cudaError_t CUDARTAPI cudaMemPrefetchBatchAsync(
    void **dptrs, size_t *sizes, size_t count,
    struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
    size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream);
cudaError_t CUDARTAPI cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes,
                                               size_t count,
                                               unsigned long long flags,
                                               cudaStream_t stream);
cudaError_t CUDARTAPI cudaMemDiscardAndPrefetchBatchAsync(
    void **dptrs, size_t *sizes, size_t count,
    struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
    size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream);
cudaError_t CUDARTAPI cudaMemGetDefaultMemPool(cudaMemPool_t *memPool,
                                               struct cudaMemLocation *location,
                                               enum cudaMemAllocationType type);
cudaError_t CUDARTAPI cudaMemGetMemPool(cudaMemPool_t *memPool,
                                        struct cudaMemLocation *location,
                                        enum cudaMemAllocationType type);
cudaError_t CUDARTAPI cudaMemSetMemPool(struct cudaMemLocation *location,
                                        enum cudaMemAllocationType type,
                                        cudaMemPool_t memPool);
cudaError_t CUDARTAPI cudaMemcpyBatchAsync_v2(
    void *const *dsts, const void *const *srcs, const size_t *sizes,
    size_t count, struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs,
    size_t numAttrs, cudaStream_t stream);
cudaError_t CUDARTAPI
cudaMemcpy3DBatchAsync_v2(size_t numOps, struct cudaMemcpy3DBatchOp *opList,
                          unsigned long long flags, cudaStream_t stream);

/* ---- libraries --------------------------------------------------------- */

cudaError_t CUDARTAPI cudaLibraryLoadData(
    cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions,
    void **jitOptionsValues, unsigned int numJitOptions,
    enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
    unsigned int numLibraryOptions);
cudaError_t CUDARTAPI cudaLibraryLoadFromFile(
    cudaLibrary_t *library, const char *fileName,
    enum cudaJitOption *jitOptions, void **jitOptionsValues,
    unsigned int numJitOptions, enum cudaLibraryOption *libraryOptions,
    void **libraryOptionValues, unsigned int numLibraryOptions);
cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library);
cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t *pKernel,
                                           cudaLibrary_t library,
                                           const char *name);
cudaError_t CUDARTAPI cudaLibraryGetGlobal(void **dptr, size_t *bytes,
                                           cudaLibrary_t library,
                                           const char *name);
cudaError_t CUDARTAPI cudaLibraryGetManaged(void **dptr, size_t *bytes,
                                            cudaLibrary_t library,
                                            const char *name);
cudaError_t CUDARTAPI cudaLibraryGetUnifiedFunction(void **fptr,
                                                    cudaLibrary_t library,
                                                    const char *symbol);
cudaError_t CUDARTAPI cudaLibraryGetKernelCount(unsigned int *count,
                                                cudaLibrary_t lib);
cudaError_t CUDARTAPI cudaLibraryEnumerateKernels(cudaKernel_t *kernels,
                                                  unsigned int numKernels,
                                                  cudaLibrary_t lib);
cudaError_t CUDARTAPI cudaKernelSetAttributeForDevice(
    cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device);

/* ---- logs -------------------------------------------------------------- */

cudaError_t CUDARTAPI
cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData,
                         cudaLogsCallbackHandle *callback_out);
cudaError_t CUDARTAPI
cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);
cudaError_t CUDARTAPI cudaLogsCurrent(cudaLogIterator *iterator_out,
                                      unsigned int flags);
cudaError_t CUDARTAPI cudaLogsDumpToFile(cudaLogIterator *iterator,
                                         const char *pathToFile,
                                         unsigned int flags);
cudaError_t CUDARTAPI cudaLogsDumpToMemory(cudaLogIterator *iterator,
                                           char *buffer, size_t *size,
                                           unsigned int flags);

/* ---- stream capture ---------------------------------------------------- */

cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_v3(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
    unsigned long long *id_out __dv(0), cudaGraph_t *graph_out __dv(0),
    const cudaGraphNode_t **dependencies_out __dv(0),
    const cudaGraphEdgeData **edgeData_out __dv(0),
    size_t *numDependencies_out __dv(0));
cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies_v2(
    cudaStream_t stream, cudaGraphNode_t *dependencies,
    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
    unsigned int flags __dv(0));

/* ---- graphs ------------------------------------------------------------ */

cudaError_t CUDARTAPI cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hSrc,
                                                        cudaGraphNode_t hDst);
cudaError_t CUDARTAPI cudaGraphKernelNodeGetAttribute(
    cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
    cudaLaunchAttributeValue *value_out);
cudaError_t CUDARTAPI cudaGraphKernelNodeSetAttribute(
    cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
    const cudaLaunchAttributeValue *value);
cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies,
    const void *symbol, const void *src, size_t count, size_t offset,
    enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
    const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphMemcpyNodeGetParams(
    cudaGraphNode_t node, struct cudaMemcpy3DParms *pNodeParams);
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemcpy3DParms *pNodeParams);
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsToSymbol(
    cudaGraphNode_t node, const void *symbol, const void *src, size_t count,
    size_t offset, enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
    size_t offset, enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node,
                                                     void *dst, const void *src,
                                                     size_t count,
                                                     enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphMemsetNodeGetParams(
    cudaGraphNode_t node, struct cudaMemsetParams *pNodeParams);
cudaError_t CUDARTAPI cudaGraphMemsetNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemsetParams *pNodeParams);
cudaError_t CUDARTAPI cudaGraphHostNodeGetParams(
    cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams);
cudaError_t CUDARTAPI cudaGraphHostNodeSetParams(
    cudaGraphNode_t node, const struct cudaHostNodeParams *pNodeParams);
cudaError_t CUDARTAPI cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                                      cudaGraph_t *pGraph);
cudaError_t CUDARTAPI
cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                            const cudaGraphNode_t *pDependencies,
                            size_t numDependencies, cudaEvent_t event);
cudaError_t CUDARTAPI cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                                       cudaEvent_t *event_out);
cudaError_t CUDARTAPI cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                                       cudaEvent_t event);
cudaError_t CUDARTAPI
cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                          const cudaGraphNode_t *pDependencies,
                          size_t numDependencies, cudaEvent_t event);
cudaError_t CUDARTAPI cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                                     cudaEvent_t *event_out);
cudaError_t CUDARTAPI cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node,
                                                     cudaEvent_t event);
cudaError_t CUDARTAPI cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams);
cudaError_t CUDARTAPI cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreSignalNodeParams *params_out);
cudaError_t CUDARTAPI cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams);
cudaError_t CUDARTAPI cudaGraphAddExternalSemaphoresWaitNode(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams);
cudaError_t CUDARTAPI cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t hNode,
    struct cudaExternalSemaphoreWaitNodeParams *params_out);
cudaError_t CUDARTAPI cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams);
cudaError_t CUDARTAPI cudaGraphMemAllocNodeGetParams(
    cudaGraphNode_t node, struct cudaMemAllocNodeParams *params_out);
cudaError_t CUDARTAPI cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node,
                                                    void *dptr_out);
cudaError_t CUDARTAPI cudaGraphNodeFindInClone(cudaGraphNode_t *pNode,
                                               cudaGraphNode_t originalNode,
                                               cudaGraph_t clonedGraph);
cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph,
                                            cudaGraphNode_t *pRootNodes,
                                            size_t *pNumRootNodes);
cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph,
                                        cudaGraphNode_t *from,
                                        cudaGraphNode_t *to, size_t *numEdges);
cudaError_t CUDARTAPI cudaGraphGetEdges_v2(cudaGraph_t graph,
                                           cudaGraphNode_t *from,
                                           cudaGraphNode_t *to,
                                           cudaGraphEdgeData *edgeData,
                                           size_t *numEdges);
cudaError_t CUDARTAPI cudaGraphNodeGetDependencies(
    cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
    size_t *pNumDependencies);
cudaError_t CUDARTAPI cudaGraphNodeGetDependencies_v2(
    cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
    cudaGraphEdgeData *edgeData, size_t *pNumDependencies);
cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
    size_t *pNumDependentNodes);
cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes_v2(
    cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
    cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes);
cudaError_t CUDARTAPI cudaGraphAddDependencies_v2(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
    const cudaGraphEdgeData *edgeData, size_t numDependencies);
cudaError_t CUDARTAPI cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                  const cudaGraphNode_t *from,
                                                  const cudaGraphNode_t *to,
                                                  size_t numDependencies);
cudaError_t CUDARTAPI cudaGraphRemoveDependencies_v2(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
    const cudaGraphEdgeData *edgeData, size_t numDependencies);
cudaError_t CUDARTAPI cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t CUDARTAPI
cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                               cudaGraphInstantiateParams *instantiateParams);
cudaError_t CUDARTAPI cudaGraphExecGetFlags(cudaGraphExec_t graphExec,
                                            unsigned long long *flags);
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
    const struct cudaMemcpy3DParms *pNodeParams);
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const void *symbol,
    const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
    const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
    const void *src, size_t count, enum cudaMemcpyKind kind);
cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
    const struct cudaMemsetParams *pNodeParams);
cudaError_t CUDARTAPI
cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                               const struct cudaHostNodeParams *pNodeParams);
cudaError_t CUDARTAPI cudaGraphExecChildGraphNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, cudaGraph_t childGraph);
cudaError_t CUDARTAPI cudaGraphExecEventRecordNodeSetEvent(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event);
cudaError_t CUDARTAPI cudaGraphExecEventWaitNodeSetEvent(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event);
cudaError_t CUDARTAPI cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreSignalNodeParams *nodeParams);
cudaError_t CUDARTAPI cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const struct cudaExternalSemaphoreWaitNodeParams *nodeParams);
cudaError_t CUDARTAPI cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec,
                                              cudaGraphNode_t hNode,
                                              unsigned int isEnabled);
cudaError_t CUDARTAPI cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec,
                                              cudaGraphNode_t hNode,
                                              unsigned int *isEnabled);
cudaError_t CUDARTAPI cudaGraphDebugDotPrint(cudaGraph_t graph,
                                             const char *path,
                                             unsigned int flags);
cudaError_t CUDARTAPI cudaUserObjectCreate(cudaUserObject_t *object_out,
                                           void *ptr, cudaHostFn_t destroy,
                                           unsigned int initialRefcount,
                                           unsigned int flags);
cudaError_t CUDARTAPI cudaUserObjectRetain(cudaUserObject_t object,
                                           unsigned int count);
cudaError_t CUDARTAPI cudaUserObjectRelease(cudaUserObject_t object,
                                            unsigned int count);
cudaError_t CUDARTAPI cudaGraphRetainUserObject(cudaGraph_t graph,
                                                cudaUserObject_t object,
                                                unsigned int count,
                                                unsigned int flags);
cudaError_t CUDARTAPI cudaGraphReleaseUserObject(cudaGraph_t graph,
                                                 cudaUserObject_t object,
                                                 unsigned int count);
cudaError_t CUDARTAPI cudaGraphAddNode_v2(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies,
    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
    struct cudaGraphNodeParams *nodeParams);
cudaError_t CUDARTAPI cudaGraphNodeSetParams(
    cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams);
cudaError_t CUDARTAPI
cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                           struct cudaGraphNodeParams *nodeParams);

#endif
