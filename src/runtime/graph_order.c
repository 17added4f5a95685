/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs in streams: launching and capturing them. */
#include "runtime/graph.h"

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(graph_exec_launch(graphExec, s));
    return rt_return(err);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(graph_exec_upload(graphExec, s));
    return rt_return(err);
}

cudaError_t
cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                               cudaGraphInstantiateParams *instantiateParams)
{
    CUcontext ctx;
    CUstream s;
    static_assert(sizeof *instantiateParams ==
                      sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS),
                  "one layout");
    if (!instantiateParams)
        return rt_return(cudaErrorInvalidValue);
    CUDA_GRAPH_INSTANTIATE_PARAMS *p =
        (CUDA_GRAPH_INSTANTIATE_PARAMS *)instantiateParams;
    cudaError_t err = p->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD
                          ? rt_stream(instantiateParams->uploadStream, &ctx, &s)
                          : cudaSuccess;
    /* a graph of the driver API may have been made without */
    (void)rt_context_of_any_state();
    if (!err)
        err = rt_error(graph_instantiate(graph, p, pGraphExec));
    return rt_return(err);
}

/* ---- capture ------------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_begin(s, (CUstreamCaptureMode)mode));
    return rt_return(err);
}

cudaError_t cudaStreamBeginCaptureToGraph(
    cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
    enum cudaStreamCaptureMode mode)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_begin_to_graph(
            s, graph, dependencies, rt_edge_data(dependencyData),
            numDependencies, (CUstreamCaptureMode)mode));
    return rt_return(err);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_end(s, pGraph));
    return rt_return(err);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *pCaptureStatus)
{
    CUcontext ctx;
    CUstream s;
    CUstreamCaptureStatus status;
    if (!pCaptureStatus)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_status(s, &status));
    if (!err)
        *pCaptureStatus = (enum cudaStreamCaptureStatus)status;
    return rt_return(err);
}

/* Edges that are not plain are not left out: they have to be asked for. */
static cudaError_t get_info(cudaStream_t stream,
                            enum cudaStreamCaptureStatus *status,
                            unsigned long long *id, bool asks_for_data,
                            struct capture_facts *facts)
{
    CUcontext ctx;
    CUstream s;
    if (!status)
        return cudaErrorInvalidValue;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_info(s, facts));
    if (!err && facts->has_data && !asks_for_data)
        err = cudaErrorLossyQuery;
    if (err)
        return err;
    *status = (enum cudaStreamCaptureStatus)facts->status;
    if (id && facts->status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
        *id = facts->id;
    return cudaSuccess;
}

static void give_dependencies(const struct capture_facts *facts,
                              cudaGraph_t *graph,
                              const cudaGraphNode_t **dependencies,
                              size_t *count)
{
    if (facts->status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return;
    if (graph)
        *graph = facts->graph;
    if (dependencies)
        *dependencies = facts->dependencies;
    if (count)
        *count = facts->count;
}

cudaError_t cudaStreamGetCaptureInfo_v3(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
    unsigned long long *id_out, cudaGraph_t *graph_out,
    const cudaGraphNode_t **dependencies_out,
    const cudaGraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
    struct capture_facts facts;
    cudaError_t err = get_info(stream, captureStatus_out, id_out,
                               edgeData_out || !dependencies_out, &facts);
    if (err)
        return rt_return(err);
    give_dependencies(&facts, graph_out, dependencies_out, numDependencies_out);
    if (edgeData_out && facts.status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
        *edgeData_out = (const cudaGraphEdgeData *)facts.data;
    return rt_return(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
    unsigned long long *id_out, cudaGraph_t *graph_out,
    const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out)
{
    return rt_forward(cudaStreamGetCaptureInfo_v3(
        stream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
        numDependencies_out));
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(
    cudaStream_t stream, cudaGraphNode_t *dependencies,
    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
    unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_update(s, dependencies,
                                      rt_edge_data(dependencyData),
                                      numDependencies, flags));
    return rt_return(err);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                cudaGraphNode_t *dependencies,
                                                size_t numDependencies,
                                                unsigned int flags)
{
    return rt_forward(cudaStreamUpdateCaptureDependencies_v2(
        stream, dependencies, NULL, numDependencies, flags));
}

/* ---- cudaStreamGetCaptureInfo as it was before CUDA 11.3 ----------------- */

#undef cudaStreamGetCaptureInfo
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define OLD_FORM(name) name##_ptsz
#else
#define OLD_FORM(name) name
#endif

cudaError_t
OLD_FORM(cudaStreamGetCaptureInfo)(cudaStream_t stream,
                                   enum cudaStreamCaptureStatus *status,
                                   unsigned long long *id);
cudaError_t
OLD_FORM(cudaStreamGetCaptureInfo)(cudaStream_t stream,
                                   enum cudaStreamCaptureStatus *status,
                                   unsigned long long *id)
{
    return rt_forward(cudaStreamGetCaptureInfo_v3(stream, status, id, NULL,
                                                  NULL, NULL, NULL));
}
