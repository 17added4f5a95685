/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes an instance may have where: bodies of conditions, and graphs
 * that kernels launch, are run by the device alone. Results are those of an
 * H200. Source: CUDA C++ programming guide, "Conditional Graph Nodes" and
 * "Device Graph Requirements".
 */
#include "core/graph/graph.h"

enum { IN_BODY = 1, FOR_DEVICE = 2, IN_BOTH = 3 };

static unsigned places_of(CUgraphNodeType type)
{
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
    case CU_GRAPH_NODE_TYPE_MEMCPY:
    case CU_GRAPH_NODE_TYPE_MEMSET:
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return IN_BOTH;
    case CU_GRAPH_NODE_TYPE_EMPTY:
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return IN_BODY;
    default:
        return 0;
    }
}

/* True: host memory that the program has neither allocated nor registered with
 * CUDA. */
static bool is_pageable(CUmemorytype type, const void *host)
{
    return type == CU_MEMORYTYPE_HOST && mem_query(host).kind == MEM_UNKNOWN;
}

static bool is_of_device(const CUDA_MEMCPY3D *c)
{
    return !is_pageable(c->srcMemoryType, c->srcHost) &&
           !is_pageable(c->dstMemoryType, c->dstHost);
}

static bool has_array(const CUDA_MEMCPY3D *c)
{
    return c->srcMemoryType == CU_MEMORYTYPE_ARRAY ||
           c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
}

/* A copy of pageable memory belongs to no context, and so differs from the
 * nodes beside it. */
static CUgraphInstantiateResult check_for_device(const struct graph_work *w,
                                                 bool is_alone)
{
    if (w->type == CU_GRAPH_NODE_TYPE_MEMCPY && !is_of_device(&w->copy) &&
        !is_alone)
        return CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED;
    bool ok = places_of(w->type) & FOR_DEVICE;
    if (w->type == CU_GRAPH_NODE_TYPE_KERNEL)
        ok = !(function_device_uses(w->kernel.f) & DEVICE_USE_GRIDS);
    if (w->type == CU_GRAPH_NODE_TYPE_MEMCPY)
        ok = is_of_device(&w->copy) && !has_array(&w->copy);
    return ok ? CUDA_GRAPH_INSTANTIATE_SUCCESS
              : CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
}

static CUgraphInstantiateResult check_in_body(const struct graph_work *w)
{
    if (!(places_of(w->type) & IN_BODY) ||
        (w->type == CU_GRAPH_NODE_TYPE_MEMCPY && has_array(&w->copy)))
        return CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
    return w->type == CU_GRAPH_NODE_TYPE_MEMCPY && !is_of_device(&w->copy)
               ? CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED
               : CUDA_GRAPH_INSTANTIATE_SUCCESS;
}

CUgraphInstantiateResult work_is_allowed(const struct graph_work *w,
                                         cuuint64_t flags, bool is_in_body,
                                         bool is_alone)
{
    CUgraphInstantiateResult result = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    if (is_in_body)
        result = check_in_body(w);
    if (!result && flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        result = check_for_device(w, is_alone);
    return result;
}
