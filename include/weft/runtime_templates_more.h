/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ forms of newer functions, a part of runtime_templates.h: those whose
 * parameters CUDA 13 changed, batches with one attribute for all, kernels'
 * symbols in graphs, objects that a graph keeps.
 */
#ifndef WEFT_RUNTIME_TEMPLATES_MORE_H
#define WEFT_RUNTIME_TEMPLATES_MORE_H

/* ---- graphs with data on their edges ------------------------------------- */

WEFT_API cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                          const cudaGraphNode_t *pDependencies,
                          const cudaGraphEdgeData *dependencyData,
                          size_t numDependencies,
                          struct cudaGraphNodeParams *nodeParams)
{
    return ::cudaGraphAddNode_v2(pGraphNode, graph, pDependencies,
                                 dependencyData, numDependencies, nodeParams);
}

WEFT_API cudaGraphAddDependencies(cudaGraph_t graph,
                                  const cudaGraphNode_t *from,
                                  const cudaGraphNode_t *to,
                                  const cudaGraphEdgeData *edgeData,
                                  size_t numDependencies)
{
    return ::cudaGraphAddDependencies_v2(graph, from, to, edgeData,
                                         numDependencies);
}

WEFT_API cudaGraphRemoveDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edgeData,
                                     size_t numDependencies)
{
    return ::cudaGraphRemoveDependencies_v2(graph, from, to, edgeData,
                                            numDependencies);
}

WEFT_API cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                           cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                           size_t *numEdges)
{
    return ::cudaGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}

WEFT_API cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                      cudaGraphNode_t *pDependencies,
                                      cudaGraphEdgeData *edgeData,
                                      size_t *pNumDependencies)
{
    return ::cudaGraphNodeGetDependencies_v2(node, pDependencies, edgeData,
                                             pNumDependencies);
}

WEFT_API cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                        cudaGraphNode_t *pDependentNodes,
                                        cudaGraphEdgeData *edgeData,
                                        size_t *pNumDependentNodes)
{
    return ::cudaGraphNodeGetDependentNodes_v2(node, pDependentNodes, edgeData,
                                               pNumDependentNodes);
}

WEFT_API cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
    unsigned long long *id_out, cudaGraph_t *graph_out,
    const cudaGraphNode_t **dependencies_out,
    const cudaGraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
    return ::cudaStreamGetCaptureInfo_v3(stream, captureStatus_out, id_out,
                                         graph_out, dependencies_out,
                                         edgeData_out, numDependencies_out);
}

WEFT_API cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *dependencies,
    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
    unsigned int flags)
{
    return ::cudaStreamUpdateCaptureDependencies_v2(
        stream, dependencies, dependencyData, numDependencies, flags);
}

/* ---- symbols in graphs --------------------------------------------------- */

WEFT_TEMPLATE cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies,
    const T &symbol, const void *src, size_t count, size_t offset,
    enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies,
                                            numDependencies,
                                            WEFT_SYMBOL(symbol), src, count,
                                            offset, kind);
}

WEFT_TEMPLATE cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
    const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
    const T &symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(
        pGraphNode, graph, pDependencies, numDependencies, dst,
        WEFT_SYMBOL(symbol), count, offset, kind);
}

WEFT_TEMPLATE cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                   const T &symbol,
                                                   const void *src,
                                                   size_t count, size_t offset,
                                                   enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, WEFT_SYMBOL(symbol),
                                                  src, count, offset, kind);
}

WEFT_TEMPLATE cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t node, void *dst, const T &symbol, size_t count,
    size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(
        node, dst, WEFT_SYMBOL(symbol), count, offset, kind);
}

WEFT_TEMPLATE cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const T &symbol,
    const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(
        hGraphExec, node, WEFT_SYMBOL(symbol), src, count, offset, kind);
}

WEFT_TEMPLATE cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
    const T &symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(
        hGraphExec, node, dst, WEFT_SYMBOL(symbol), count, offset, kind);
}

/* ---- objects that a graph keeps ------------------------------------------ */

namespace weft {
template <class T> static inline void CUDART_CB delete_object(void *object)
{
    delete (T *)object;
}
}

WEFT_TEMPLATE cudaUserObjectCreate(cudaUserObject_t *object_out,
                                   T *objectToWrap,
                                   unsigned int initialRefcount,
                                   unsigned int flags)
{
    return ::cudaUserObjectCreate(object_out, objectToWrap,
                                  weft::delete_object<T>, initialRefcount,
                                  flags);
}

WEFT_TEMPLATE cudaUserObjectCreate(cudaUserObject_t *object_out,
                                   T *objectToWrap,
                                   unsigned int initialRefcount,
                                   cudaUserObjectFlags flags)
{
    return cudaUserObjectCreate(object_out, objectToWrap, initialRefcount,
                                (unsigned int)flags);
}

/* ---- libraries ----------------------------------------------------------- */

WEFT_TEMPLATE cudaLibraryGetGlobal(T **dptr, size_t *bytes,
                                   cudaLibrary_t library, const char *name)
{
    return ::cudaLibraryGetGlobal((void **)(void *)dptr, bytes, library, name);
}

WEFT_TEMPLATE cudaLibraryGetManaged(T **dptr, size_t *bytes,
                                    cudaLibrary_t library, const char *name)
{
    return ::cudaLibraryGetManaged((void **)(void *)dptr, bytes, library, name);
}

WEFT_TEMPLATE cudaLibraryGetUnifiedFunction(T **fptr, cudaLibrary_t library,
                                            const char *symbol)
{
    return ::cudaLibraryGetUnifiedFunction((void **)(void *)fptr, library,
                                           symbol);
}

/* ---- batches, in the forms of CUDA 13 ------------------------------------ */

template <class T, class U>
static inline cudaError_t
cudaMemcpyBatchAsync(T *const *dsts, U *const *srcs, const size_t *sizes,
                     size_t count, struct cudaMemcpyAttributes *attrs,
                     size_t *attrsIdxs, size_t numAttrs, cudaStream_t stream)
{
    return ::cudaMemcpyBatchAsync_v2((void *const *)dsts,
                                     (const void *const *)srcs, sizes, count,
                                     attrs, attrsIdxs, numAttrs, stream);
}

template <class T, class U>
static inline cudaError_t
cudaMemcpyBatchAsync(T *const *dsts, U *const *srcs, const size_t *sizes,
                     size_t count, struct cudaMemcpyAttributes attr,
                     cudaStream_t stream)
{
    size_t index = 0;
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, &attr, &index, 1,
                                stream);
}

WEFT_API cudaMemcpy3DBatchAsync(size_t numOps,
                                struct cudaMemcpy3DBatchOp *opList,
                                unsigned long long flags, cudaStream_t stream)
{
    return ::cudaMemcpy3DBatchAsync_v2(numOps, opList, flags, stream);
}

WEFT_API cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                   struct cudaMemLocation location,
                                   unsigned long long flags,
                                   cudaStream_t stream)
{
    size_t index = 0;
    return ::cudaMemPrefetchBatchAsync(dptrs, sizes, count, &location, &index,
                                       1, flags, stream);
}

WEFT_API cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes,
                                             size_t count,
                                             struct cudaMemLocation location,
                                             unsigned long long flags,
                                             cudaStream_t stream)
{
    size_t index = 0;
    return ::cudaMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, &location,
                                                 &index, 1, flags, stream);
}

#endif
