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

/* rt_X_params converts the runtime API's parameters of a node to the driver
 * API's; rt_give_X_params converts them back. Errors: cudaErrorInvalidValue, or
 * what the same call in a stream would return; *out is undefined then. These
 * are for nodes of any type. */
cudaError_t rt_node_params(const struct cudaGraphNodeParams *p,
                           CUgraphNodeParams *out);
void rt_give_node_params(const CUgraphNodeParams *p,
                         struct cudaGraphNodeParams *out);

/* These are for one type of node, as the older functions take them. */
cudaError_t rt_kernel_params(const struct cudaKernelNodeParams *p,
                             CUgraphNodeParams *out);
void rt_give_kernel_params(const CUDA_KERNEL_NODE_PARAMS_v3 *p,
                           struct cudaKernelNodeParams *out);
cudaError_t rt_copy_params(const struct cudaMemcpy3DParms *p,
                           CUgraphNodeParams *out);
void rt_give_copy_params(const CUDA_MEMCPY3D *p, struct cudaMemcpy3DParms *out);
/* One row, for cudaGraphAddMemcpyNode1D. */
cudaError_t rt_row_params(void *dst, const void *src, size_t count,
                          enum cudaMemcpyKind kind, CUgraphNodeParams *out);
cudaError_t rt_fill_params(const struct cudaMemsetParams *p,
                           CUgraphNodeParams *out);
cudaError_t rt_host_params(const struct cudaHostNodeParams *p,
                           CUgraphNodeParams *out);
/* For both types of nodes with an event. */
CUgraphNodeParams rt_event_params(CUgraphNodeType type, cudaEvent_t event);
CUgraphNodeParams rt_child_params(cudaGraph_t child);

/* The same bytes in the driver API's type; NULL stays NULL. */
static inline const CUgraphEdgeData *rt_edge_data(const cudaGraphEdgeData *d)
{
    static_assert(sizeof *d == sizeof(CUgraphEdgeData), "one layout");
    return (const CUgraphEdgeData *)d;
}

#endif
