/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of graphs, by type: adding, querying and changing them. */
#include "driver/internal.h"

/* ---- what all of them do ------------------------------------------------- */

/* What an H200 asks for before it looks at a node of this type. */
static CUresult check_context_for(CUgraphNodeType type)
{
    switch (type) {
    case CU_GRAPH_NODE_TYPE_HOST:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        return drv_check_nothing();
    case CU_GRAPH_NODE_TYPE_GRAPH:
    case CU_GRAPH_NODE_TYPE_KERNEL:
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return drv_initialised();
    case CU_GRAPH_NODE_TYPE_MEMCPY:
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return drv_check_context_or_none();
    default:
        return drv_check_context();
    }
}

static CUresult add_node(CUresult err, CUgraphNodeParams *p, CUgraphNode *out,
                         CUgraph graph, const CUgraphNode *dependencies,
                         size_t count)
{
    if (!err)
        err = check_context_for(p->type);
    return err ? err : graph_add_node(graph, dependencies, NULL, count, p, out);
}

static CUresult set_node(CUresult err, const CUgraphNodeParams *p,
                         CUgraphNode node)
{
    if (!err)
        err = drv_check_nothing();
    return err ? err : graph_node_set_params(node, p);
}

static CUresult set_in(CUresult err, const CUgraphNodeParams *p,
                       CUgraphExec exec, CUgraphNode node)
{
    CUcontext ctx;
    if (!err)
        err = p->type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                      p->type == CU_GRAPH_NODE_TYPE_MEMSET
                  ? drv_context_anywhere(&ctx)
                  : drv_check_nothing();
    return err ? err : graph_exec_set_params(exec, node, p);
}

/* A kernel node that the runtime API made has a host function in `kern`, which
 * is no handle of this API. */
static CUresult get_node(CUgraphNode node, CUgraphNodeType type,
                         const void *room, CUgraphNodeParams *p)
{
    bool is_copy = type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                   type == CU_GRAPH_NODE_TYPE_MEMSET ||
                   type == CU_GRAPH_NODE_TYPE_GRAPH;
    CUresult err = is_copy ? drv_initialised() : drv_check_nothing();
    if (!err && !room)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = graph_node_params(node, type, p);
    if (!err && type == CU_GRAPH_NODE_TYPE_KERNEL &&
        kernel_check(p->kernel.kern))
        p->kernel.kern = NULL;
    return err;
}

/* ---- parameters ---------------------------------------------------------- */

/* A node without a function has a library's kernel. Replaces it by the function
 * in the current context. */
static CUresult resolve_contexts(CUgraphNodeParams *p)
{
    CUcontext ctx;
    CUresult err = drv_initialised();
    if (!err && !p->kernel.func)
        p->kernel.func = (CUfunction)p->kernel.kern;
    if (!err && !p->kernel.func)
        err = CUDA_ERROR_INVALID_HANDLE;
    if (!err)
        err = drv_context(&ctx);
    return err ? err : function_resolve(ctx, &p->kernel.func);
}

/* The older forms are the beginning of the newest. */
static CUresult of_kernel(const void *params, size_t size_bytes,
                          CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_KERNEL};
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&out->kernel, params, size_bytes);
    return resolve_contexts(out);
}

static CUresult of_copy(const CUDA_MEMCPY3D *params, CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    out->memcpy.copyParams = *params;
    return CUDA_SUCCESS;
}

static CUresult of_fill(const CUDA_MEMSET_NODE_PARAMS *params,
                        CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMSET};
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&out->memset, params, sizeof *params);
    return CUDA_SUCCESS;
}

static CUresult of_host(const CUDA_HOST_NODE_PARAMS *params,
                        CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST};
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    out->host.fn = params->fn;
    out->host.userData = params->userData;
    return CUDA_SUCCESS;
}

static CUresult of_event(CUgraphNodeType type, CUevent event,
                         CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = type};
    out->eventWait.event = event;
    return CUDA_SUCCESS;
}

static CUgraphNodeParams of_child(CUgraph child)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    p.graph.graph = child;
    return p;
}

static CUresult of_batch(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params,
                         CUgraphNodeParams *out)
{
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP};
    static_assert(sizeof *params == sizeof out->memOp, "one layout");
    if (!params || !params->ctx)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&out->memOp, params, sizeof *params);
    return CUDA_SUCCESS;
}

/* Signals and waits have one layout, which the newest form begins with. */
static CUresult of_semaphores(CUgraphNodeType type, const void *params,
                              CUgraphNodeParams *out)
{
    static_assert(
        sizeof(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) == sizeof out->extSemSignal &&
            sizeof(CUDA_EXT_SEM_WAIT_NODE_PARAMS) == sizeof out->extSemSignal,
        "one layout");
    *out = (CUgraphNodeParams){.type = type};
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&out->extSemSignal, params, sizeof out->extSemSignal);
    return CUDA_SUCCESS;
}

/* ---- adding and changing ------------------------------------------------- */

/* Three functions for each type, with the same parameters. `more`: parameters
 * that the one that changes a graph's node does not have. */
#define UNPACK(...) __VA_ARGS__
#define NO_CONTEXT  ()
#define CONTEXT     (, CUcontext ctx __attribute__((unused)))
#define NODE(added, changed, parameters, more, read)                           \
    CUresult cuGraphAdd##added(CUgraphNode *phGraphNode, CUgraph hGraph,       \
                               const CUgraphNode *dependencies,                \
                               size_t numDependencies,                         \
                               UNPACK parameters UNPACK more)                  \
    {                                                                          \
        CUgraphNodeParams p;                                                   \
        CUresult err = read;                                                   \
        return add_node(err, &p, phGraphNode, hGraph, dependencies,            \
                        numDependencies);                                      \
    }                                                                          \
    CUresult cuGraph##changed(CUgraphNode hNode, UNPACK parameters)            \
    {                                                                          \
        CUgraphNodeParams p;                                                   \
        CUresult err = read;                                                   \
        return set_node(err, &p, hNode);                                       \
    }                                                                          \
    CUresult cuGraphExec##changed(CUgraphExec hGraphExec, CUgraphNode hNode,   \
                                  UNPACK parameters UNPACK more)               \
    {                                                                          \
        CUgraphNodeParams p;                                                   \
        CUresult err = read;                                                   \
        return set_in(err, &p, hGraphExec, hNode);                             \
    }
#include "driver/graph_nodes.def"

CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                  const CUgraphNode *dependencies,
                                  size_t numDependencies, CUgraph childGraph)
{
    CUgraphNodeParams p = of_child(childGraph);
    return add_node(CUDA_SUCCESS, &p, phGraphNode, hGraph, dependencies,
                    numDependencies);
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec,
                                            CUgraphNode hNode,
                                            CUgraph childGraph)
{
    CUgraphNodeParams p = of_child(childGraph);
    return set_in(CUDA_SUCCESS, &p, hGraphExec, hNode);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                             const CUgraphNode *dependencies,
                             size_t numDependencies)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    CUresult err = drv_check_nothing();
    return err ? err
               : graph_add_node(hGraph, dependencies, NULL, numDependencies, &p,
                                phGraphNode);
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                const CUgraphNode *dependencies,
                                size_t numDependencies,
                                CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    static_assert(sizeof *nodeParams == sizeof p.alloc, "one layout");
    if (!nodeParams)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&p.alloc, nodeParams, sizeof p.alloc);
    CUresult err = add_node(CUDA_SUCCESS, &p, phGraphNode, hGraph, dependencies,
                            numDependencies);
    if (!err)
        nodeParams->dptr = p.alloc.dptr;
    return err;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                               const CUgraphNode *dependencies,
                               size_t numDependencies, CUdeviceptr dptr)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE};
    p.free.dptr = dptr;
    return add_node(CUDA_SUCCESS, &p, phGraphNode, hGraph, dependencies,
                    numDependencies);
}

/* ---- any type ------------------------------------------------------------ */

static CUresult read_params(const CUgraphNodeParams *p, CUgraphNodeParams *out)
{
    CUresult err = p ? check_context_for(p->type) : drv_check_context();
    if (err)
        return err;
    static const CUgraphNodeParams none;
    if (!p || p->reserved0[0] || p->reserved0[1] || p->reserved0[2] ||
        p->reserved2)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->type == CU_GRAPH_NODE_TYPE_EMPTY &&
        memcmp(p->reserved1, none.reserved1, sizeof none.reserved1))
        return CUDA_ERROR_INVALID_VALUE;
    *out = *p;
    return p->type == CU_GRAPH_NODE_TYPE_KERNEL ? resolve_contexts(out)
                                                : CUDA_SUCCESS;
}

CUresult cuGraphAddNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph,
                           const CUgraphNode *dependencies,
                           const CUgraphEdgeData *dependencyData,
                           size_t numDependencies,
                           CUgraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = read_params(nodeParams, &p);
    if (!err)
        err = graph_add_node(hGraph, dependencies, dependencyData,
                             numDependencies, &p, phGraphNode);
    if (!err && p.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        nodeParams->conditional.phGraph_out = p.conditional.phGraph_out;
    if (!err && p.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        nodeParams->alloc.dptr = p.alloc.dptr;
    return err;
}

CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                        const CUgraphNode *dependencies, size_t numDependencies,
                        CUgraphNodeParams *nodeParams)
{
    return cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, NULL,
                             numDependencies, nodeParams);
}

CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    return set_node(read_params(nodeParams, &p), &p, hNode);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                  CUgraphNodeParams *nodeParams)
{
    CUgraphNodeParams p;
    return set_in(read_params(nodeParams, &p), &p, hGraphExec, hNode);
}

/* ---- querying ------------------------------------------------------------ */

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    CUgraphNodeParams p;
    CUresult err =
        get_node(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event_out, &p);
    if (!err)
        *event_out = p.eventWait.event;
    return err;
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    CUgraphNodeParams p;
    CUresult err =
        get_node(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event_out, &p);
    if (!err)
        *event_out = p.eventWait.event;
    return err;
}

static CUresult get_semaphores(CUgraphNode node, CUgraphNodeType type,
                               void *params_out)
{
    CUgraphNodeParams p;
    CUresult err = get_node(node, type, params_out, &p);
    if (!err)
        memcpy(params_out, &p.extSemSignal, sizeof p.extSemSignal);
    return err;
}

CUresult cuGraphExternalSemaphoresSignalNodeGetParams(
    CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out)
{
    return get_semaphores(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL,
                          params_out);
}

CUresult cuGraphExternalSemaphoresWaitNodeGetParams(
    CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out)
{
    return get_semaphores(hNode, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, params_out);
}

CUresult
cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
                               CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out)
{
    CUgraphNodeParams p;
    CUresult err =
        get_node(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, nodeParams_out, &p);
    if (!err)
        memcpy(nodeParams_out, &p.memOp, sizeof *nodeParams_out);
    return err;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode,
                                    CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = get_node(hNode, CU_GRAPH_NODE_TYPE_KERNEL, nodeParams, &p);
    if (!err)
        memcpy(nodeParams, &p.kernel, sizeof *nodeParams);
    return err;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode,
                                    CUDA_MEMCPY3D *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = get_node(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, nodeParams, &p);
    if (!err)
        *nodeParams = p.memcpy.copyParams;
    return err;
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode,
                                    CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = get_node(hNode, CU_GRAPH_NODE_TYPE_MEMSET, nodeParams, &p);
    if (!err)
        memcpy(nodeParams, &p.memset, sizeof *nodeParams);
    return err;
}

CUresult cuGraphHostNodeGetParams(CUgraphNode hNode,
                                  CUDA_HOST_NODE_PARAMS *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = get_node(hNode, CU_GRAPH_NODE_TYPE_HOST, nodeParams, &p);
    if (!err)
        *nodeParams = (CUDA_HOST_NODE_PARAMS){p.host.fn, p.host.userData};
    return err;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)
{
    CUgraphNodeParams p;
    CUresult err = get_node(hNode, CU_GRAPH_NODE_TYPE_GRAPH, phGraph, &p);
    if (!err)
        *phGraph = p.graph.graph;
    return err;
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *params_out)
{
    CUgraphNodeParams p;
    CUresult err =
        get_node(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC, params_out, &p);
    if (!err)
        memcpy(params_out, &p.alloc, sizeof *params_out);
    return err;
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out)
{
    CUgraphNodeParams p;
    CUresult err = get_node(hNode, CU_GRAPH_NODE_TYPE_MEM_FREE, dptr_out, &p);
    if (!err)
        *dptr_out = p.free.dptr;
    return err;
}

CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)
{
    CUresult err = drv_initialised();
    return err ? err : graph_node_type(hNode, type);
}

CUresult cuGraphDestroyNode(CUgraphNode hNode)
{
    CUresult err = drv_initialised();
    return err ? err : graph_destroy_node(hNode);
}

/* ---- attributes of kernels ----------------------------------------------- */

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src)
{
    CUresult err = drv_initialised();
    return err ? err : graph_node_copy_attributes(dst, src);
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode,
                                       CUkernelNodeAttrID attr,
                                       CUkernelNodeAttrValue *value_out)
{
    CUresult err = drv_initialised();
    return err ? err : graph_node_attribute(hNode, attr, value_out);
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode,
                                       CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue *value)
{
    CUresult err = drv_initialised();
    return err ? err
               : graph_node_set_attribute(hNode, attr,
                                          (CUkernelNodeAttrValue *)value);
}

/* ---- forms of before CUDA 12 --------------------------------------------- */

#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams

CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies,
                              size_t numDependencies,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);
CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode,
                                    CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);
CUresult
cuGraphKernelNodeSetParams(CUgraphNode hNode,
                           const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);
CUresult
cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                               const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);

CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies,
                              size_t numDependencies,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_kernel(nodeParams, sizeof *nodeParams, &p);
    return add_node(err, &p, phGraphNode, hGraph, dependencies,
                    numDependencies);
}

CUresult
cuGraphKernelNodeSetParams(CUgraphNode hNode,
                           const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_kernel(nodeParams, sizeof *nodeParams, &p);
    return set_node(err, &p, hNode);
}

CUresult
cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                               const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = of_kernel(nodeParams, sizeof *nodeParams, &p);
    return set_in(err, &p, hGraphExec, hNode);
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode,
                                    CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
    CUgraphNodeParams p;
    CUresult err = get_node(hNode, CU_GRAPH_NODE_TYPE_KERNEL, nodeParams, &p);
    if (!err)
        memcpy(nodeParams, &p.kernel, sizeof *nodeParams);
    return err;
}
