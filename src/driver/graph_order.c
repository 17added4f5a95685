/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs in streams: launching and capturing them. */
#include "driver/internal.h"

/* ---- launching ----------------------------------------------------------- */

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : graph_exec_launch(hGraphExec, s);
}

CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : graph_exec_upload(hGraphExec, s);
}

CUresult
cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                             CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
    CUcontext ctx;
    CUstream s;
    if (!instantiateParams)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err =
        drv_stream(instantiateParams->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD
                       ? instantiateParams->hUploadStream
                       : NULL,
                   &ctx, &s);
    return err ? err
               : graph_instantiate(hGraph, instantiateParams, phGraphExec);
}

/* ---- capture ------------------------------------------------------------- */

CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : capture_begin(s, mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                     const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *dependencyData,
                                     size_t numDependencies,
                                     CUstreamCaptureMode mode)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err
               : capture_begin_to_graph(s, hGraph, dependencies, dependencyData,
                                        numDependencies, mode);
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : capture_end(s, phGraph);
}

CUresult cuStreamIsCapturing(CUstream hStream,
                             CUstreamCaptureStatus *captureStatus)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    return captureStatus ? capture_status(s, captureStatus)
                         : CUDA_ERROR_INVALID_VALUE;
}

/* LOSSY_QUERY: an edge has data, and the caller does not ask for data. */
CUresult cuStreamGetCaptureInfo_v3(CUstream hStream,
                                   CUstreamCaptureStatus *captureStatus_out,
                                   cuuint64_t *id_out, CUgraph *graph_out,
                                   const CUgraphNode **dependencies_out,
                                   const CUgraphEdgeData **edgeData_out,
                                   size_t *numDependencies_out)
{
    CUcontext ctx;
    CUstream s;
    struct capture_facts facts;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (!err && !captureStatus_out)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = capture_info(s, &facts);
    if (!err && facts.has_data && dependencies_out && !edgeData_out)
        err = CUDA_ERROR_LOSSY_QUERY;
    if (err)
        return err;
    *captureStatus_out = facts.status;
    if (facts.status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_SUCCESS;
    if (id_out)
        *id_out = facts.id;
    if (graph_out)
        *graph_out = facts.graph;
    if (dependencies_out)
        *dependencies_out = facts.dependencies;
    if (edgeData_out)
        *edgeData_out = facts.data;
    if (numDependencies_out)
        *numDependencies_out = facts.count;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo(CUstream hStream,
                                CUstreamCaptureStatus *captureStatus_out,
                                cuuint64_t *id_out, CUgraph *graph_out,
                                const CUgraphNode **dependencies_out,
                                size_t *numDependencies_out)
{
    return cuStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out,
                                     graph_out, dependencies_out, NULL,
                                     numDependencies_out);
}

CUresult
cuStreamUpdateCaptureDependencies_v2(CUstream hStream,
                                     CUgraphNode *dependencies,
                                     const CUgraphEdgeData *dependencyData,
                                     size_t numDependencies, unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err
               : capture_update(s, dependencies, dependencyData,
                                numDependencies, flags);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream,
                                           CUgraphNode *dependencies,
                                           size_t numDependencies,
                                           unsigned int flags)
{
    return cuStreamUpdateCaptureDependencies_v2(hStream, dependencies, NULL,
                                                numDependencies, flags);
}

/* ---- forms of before CUDA 11.3 ------------------------------------------- */

#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define OLD_FORM(name) name##_ptsz
#else
#define OLD_FORM(name) name
#endif

CUresult OLD_FORM(cuStreamBeginCapture)(CUstream hStream);
CUresult OLD_FORM(cuStreamBeginCapture)(CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : capture_begin(s, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult OLD_FORM(cuStreamGetCaptureInfo)(CUstream hStream,
                                          CUstreamCaptureStatus *status,
                                          cuuint64_t *id);
CUresult OLD_FORM(cuStreamGetCaptureInfo)(CUstream hStream,
                                          CUstreamCaptureStatus *status,
                                          cuuint64_t *id)
{
    return cuStreamGetCaptureInfo_v3(hStream, status, id, NULL, NULL, NULL,
                                     NULL);
}
