/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runtime API's files about graphs share: parameters as core takes
 * them, the driver API's.
 *
 *   graph.c         graphs, edges, user objects, memory
 *   graph_params.c  parameters of nodes, there and back
 *   graph_nodes.c   nodes by type
 *   graph_exec.c    instances
 *   graph_order.c   launches and captures: depends on the default stream
 */
#ifndef WEFT_RUNTIME_GRAPH_H
#define WEFT_RUNTIME_GRAPH_H

#include "runtime/internal.h"

/* Each pair goes from the runtime's parameters of a node to the driver's and
 * back. What has no counterpart is cudaErrorInvalidValue, or what the same call
 * in a stream would say; then `out` is undefined. First, nodes of any type. */
cudaError_t rt_node_params(const struct cudaGraphNodeParams *p,
                           CUgraphNodeParams *out);
void rt_give_node_params(const CUgraphNodeParams *p,
                         struct cudaGraphNodeParams *out);

/* The same for one type of node, as the older functions have them. */
cudaError_t rt_kernel_params(const struct cudaKernelNodeParams *p,
                             CUgraphNodeParams *out);
void rt_give_kernel_params(const CUDA_KERNEL_NODE_PARAMS_v3 *p,
                           struct cudaKernelNodeParams *out);
cudaError_t rt_copy_params(const struct cudaMemcpy3DParms *p,
                           CUgraphNodeParams *out);
void rt_give_copy_params(const CUDA_MEMCPY3D *p, struct cudaMemcpy3DParms *out);
/* Of cudaGraphAddMemcpyNode1D: one row. */
cudaError_t rt_row_params(void *dst, const void *src, size_t count,
                          enum cudaMemcpyKind kind, CUgraphNodeParams *out);
cudaError_t rt_fill_params(const struct cudaMemsetParams *p,
                           CUgraphNodeParams *out);
cudaError_t rt_host_params(const struct cudaHostNodeParams *p,
                           CUgraphNodeParams *out);
/* Either event node's. */
CUgraphNodeParams rt_event_params(CUgraphNodeType type, cudaEvent_t event);
CUgraphNodeParams rt_child_params(cudaGraph_t child);

/* The driver's name for the same bytes; NULL stays NULL. */
static inline const CUgraphEdgeData *rt_edge_data(const cudaGraphEdgeData *d)
{
    static_assert(sizeof *d == sizeof(CUgraphEdgeData), "one layout");
    return (const CUgraphEdgeData *)d;
}

#endif
