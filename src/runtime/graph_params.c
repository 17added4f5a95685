/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of nodes, converted to the driver API's and back. */
#include "runtime/graph.h"

/* ---- kernels ------------------------------------------------------------- */

/* `func` is a host function, or the function of a node that the driver API
 * made.
 */
static cudaError_t find_kernel(void *func, CUfunction *out)
{
    cudaError_t err = rt_function(func, out);
    CUfunction f = func;
    if (!err)
        return err;
    if (function_resolve(NULL, &f))
        return cudaErrorInvalidResourceHandle;
    *out = f;
    return cudaSuccess;
}

/* `kern` keeps this API's handle of the kernel, for rt_give_kernel_params. */
static cudaError_t set_kernel(const struct cudaKernelNodeParamsV2 *p,
                              CUDA_KERNEL_NODE_PARAMS_v3 *out)
{
    CUfunction f;
    cudaError_t err =
        p->func ? find_kernel(p->func, &f) : cudaErrorInvalidDeviceFunction;
    if (err)
        return err;
    *out = (CUDA_KERNEL_NODE_PARAMS_v3){
        .func = f,
        .kern = p->func,
        .gridDimX = p->gridDim.x,
        .gridDimY = p->gridDim.y,
        .gridDimZ = p->gridDim.z,
        .blockDimX = p->blockDim.x,
        .blockDimY = p->blockDim.y,
        .blockDimZ = p->blockDim.z,
        .sharedMemBytes = p->sharedMemBytes,
        .kernelParams = p->kernelParams,
        .extra = p->extra,
    };
    return cudaSuccess;
}

cudaError_t rt_kernel_params(const struct cudaKernelNodeParams *p,
                             CUgraphNodeParams *out)
{
    if (!p)
        return cudaErrorInvalidValue;
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_KERNEL};
    return set_kernel(
        &(struct cudaKernelNodeParamsV2){.func = p->func,
                                         .gridDim = p->gridDim,
                                         .blockDim = p->blockDim,
                                         .sharedMemBytes = p->sharedMemBytes,
                                         .kernelParams = p->kernelParams,
                                         .extra = p->extra},
        &out->kernel);
}

void rt_give_kernel_params(const CUDA_KERNEL_NODE_PARAMS_v3 *p,
                           struct cudaKernelNodeParams *out)
{
    *out = (struct cudaKernelNodeParams){
        .func = p->kern ? (void *)p->kern : (void *)p->func,
        .gridDim = {p->gridDimX, p->gridDimY, p->gridDimZ},
        .blockDim = {p->blockDimX, p->blockDimY, p->blockDimZ},
        .sharedMemBytes = p->sharedMemBytes,
        .kernelParams = p->kernelParams,
        .extra = p->extra,
    };
}

/* ---- copies -------------------------------------------------------------- */

cudaError_t rt_copy_params(const struct cudaMemcpy3DParms *p,
                           CUgraphNodeParams *out)
{
    if (!p)
        return cudaErrorInvalidValue;
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    cudaError_t err = rt_check_direction(p->kind);
    return err ? err : rt_describe_box(p, &out->memcpy.copyParams);
}

cudaError_t rt_row_params(void *dst, const void *src, size_t count,
                          enum cudaMemcpyKind kind, CUgraphNodeParams *out)
{
    cudaError_t err = rt_check_direction(kind);
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    out->memcpy.copyParams = (CUDA_MEMCPY3D){
        .srcMemoryType = mem_side_type(rt_side(kind, true)),
        .srcHost = src,
        .srcDevice = (CUdeviceptr)(uintptr_t)src,
        .dstMemoryType = mem_side_type(rt_side(kind, false)),
        .dstHost = dst,
        .dstDevice = (CUdeviceptr)(uintptr_t)dst,
        .WidthInBytes = count,
        .Height = 1,
        .Depth = 1,
    };
    return err;
}

/* The direction of a copy, from the memory types of its sides. */
static enum cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to)
{
    bool from_host = from == CU_MEMORYTYPE_HOST,
         to_host = to == CU_MEMORYTYPE_HOST;
    if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (from_host)
        return to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

static size_t elements_of_bytes(size_t bytes, CUarray a, CUarray other)
{
    unsigned each = a       ? array_element_bytes(a)
                    : other ? array_element_bytes(other)
                            : 1;
    return bytes / (each ? each : 1);
}

void rt_give_copy_params(const CUDA_MEMCPY3D *p, struct cudaMemcpy3DParms *out)
{
    *out = (struct cudaMemcpy3DParms){
        .srcPos = {elements_of_bytes(p->srcXInBytes, p->srcArray, p->dstArray),
                   p->srcY, p->srcZ},
        .dstPos = {elements_of_bytes(p->dstXInBytes, p->dstArray, p->srcArray),
                   p->dstY, p->dstZ},
        .extent = {elements_of_bytes(p->WidthInBytes, p->srcArray, p->dstArray),
                   p->Height, p->Depth},
        .kind = kind_of(p->srcMemoryType, p->dstMemoryType),
    };
    if (p->srcMemoryType == CU_MEMORYTYPE_ARRAY)
        out->srcArray = (cudaArray_t)p->srcArray;
    else
        out->srcPtr = (struct cudaPitchedPtr){
            .ptr = p->srcMemoryType == CU_MEMORYTYPE_HOST
                       ? (void *)p->srcHost
                       : (void *)(uintptr_t)p->srcDevice,
            .pitch = p->srcPitch,
            .ysize = p->srcHeight};
    if (p->dstMemoryType == CU_MEMORYTYPE_ARRAY)
        out->dstArray = (cudaArray_t)p->dstArray;
    else
        out->dstPtr = (struct cudaPitchedPtr){
            .ptr = p->dstMemoryType == CU_MEMORYTYPE_HOST
                       ? p->dstHost
                       : (void *)(uintptr_t)p->dstDevice,
            .pitch = p->dstPitch,
            .ysize = p->dstHeight};
}

/* ---- the rest ------------------------------------------------------------ */

cudaError_t rt_fill_params(const struct cudaMemsetParams *p,
                           CUgraphNodeParams *out)
{
    if (!p)
        return cudaErrorInvalidValue;
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMSET};
    out->memset = (CUDA_MEMSET_NODE_PARAMS_v2){
        .dst = (CUdeviceptr)(uintptr_t)p->dst,
        .pitch = p->pitch,
        .value = p->value,
        .elementSize = p->elementSize,
        .width = p->width,
        .height = p->height,
    };
    return cudaSuccess;
}

cudaError_t rt_host_params(const struct cudaHostNodeParams *p,
                           CUgraphNodeParams *out)
{
    if (!p)
        return cudaErrorInvalidValue;
    *out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST};
    out->host.fn = p->fn;
    out->host.userData = p->userData;
    return cudaSuccess;
}

CUgraphNodeParams rt_event_params(CUgraphNodeType type, cudaEvent_t event)
{
    CUgraphNodeParams p = {.type = type};
    p.eventWait.event = event;
    return p;
}

CUgraphNodeParams rt_child_params(cudaGraph_t child)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    p.graph.graph = child;
    return p;
}

/* ---- any type ------------------------------------------------------------ */

/* The other types of nodes have one layout in both APIs. */
static_assert(sizeof(struct cudaMemAllocNodeParamsV2) ==
                      sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v2) &&
                  offsetof(struct cudaGraphNodeParams, alloc) ==
                      offsetof(CUgraphNodeParams, alloc),
              "one layout");

static void give_kernel(const CUDA_KERNEL_NODE_PARAMS_v3 *p,
                        struct cudaKernelNodeParamsV2 *out)
{
    struct cudaKernelNodeParams k;
    rt_give_kernel_params(p, &k);
    out->func = k.func;
    out->gridDim = k.gridDim;
    out->blockDim = k.blockDim;
    out->sharedMemBytes = k.sharedMemBytes;
    out->kernelParams = k.kernelParams;
    out->extra = k.extra;
}

static bool are_reserved_zero(const struct cudaGraphNodeParams *p)
{
    return !p->reserved0[0] && !p->reserved0[1] && !p->reserved0[2] &&
           !p->reserved2;
}

static bool is_empty(const struct cudaGraphNodeParams *p)
{
    for (size_t i = 0; i < sizeof p->reserved1 / sizeof *p->reserved1; i++) {
        if (p->reserved1[i])
            return false;
    }
    return true;
}

cudaError_t rt_node_params(const struct cudaGraphNodeParams *p,
                           CUgraphNodeParams *out)
{
    if (!p || !are_reserved_zero(p) ||
        (CUgraphNodeType)p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
        return cudaErrorInvalidValue; /* batches are the driver API's */
    memset(out, 0, sizeof *out);
    out->type = (CUgraphNodeType)p->type;
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return set_kernel(&p->kernel, &out->kernel);
    case cudaGraphNodeTypeMemcpy:
        return rt_copy_params(&p->memcpy.copyParams, out);
    case cudaGraphNodeTypeMemset: {
        const struct cudaMemsetParams m = {
            p->memset.dst,         p->memset.pitch, p->memset.value,
            p->memset.elementSize, p->memset.width, p->memset.height};
        return rt_fill_params(&m, out);
    }
    case cudaGraphNodeTypeConditional:
        out->conditional.handle = p->conditional.handle;
        out->conditional.type = (CUgraphConditionalNodeType)p->conditional.type;
        out->conditional.size = p->conditional.size;
        return rt_context(&out->conditional.ctx);
    case cudaGraphNodeTypeGraph:
        out->graph.graph = p->graph.graph;
        out->graph.ownership =
            (CUgraphChildGraphNodeOwnership)p->graph.ownership;
        return cudaSuccess;
    default:
        memcpy(&out->reserved1, &p->reserved1, sizeof out->reserved1);
        return p->type != cudaGraphNodeTypeEmpty || is_empty(p)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    }
}

void rt_give_node_params(const CUgraphNodeParams *p,
                         struct cudaGraphNodeParams *out)
{
    memset(out, 0, sizeof *out);
    out->type = (enum cudaGraphNodeType)p->type;
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        give_kernel(&p->kernel, &out->kernel);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        rt_give_copy_params(&p->memcpy.copyParams, &out->memcpy.copyParams);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        out->conditional.handle = p->conditional.handle;
        out->conditional.type =
            (enum cudaGraphConditionalNodeType)p->conditional.type;
        out->conditional.size = p->conditional.size;
        out->conditional.phGraph_out = p->conditional.phGraph_out;
        break;
    default:
        memcpy(&out->reserved1, &p->reserved1, sizeof out->reserved1);
        break;
    }
}
