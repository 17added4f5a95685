/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs in streams: launching them. */
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
    if (!err)
        err = rt_error(graph_instantiate(graph, p, pGraphExec));
    return rt_return(err);
}
