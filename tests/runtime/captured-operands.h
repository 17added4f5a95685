/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands of captured-calls.def: what calls give and take, and calls that take
 * some lines.
 */
#ifndef TESTS_RUNTIME_CAPTURED_OPERANDS_H
#define TESTS_RUNTIME_CAPTURED_OPERANDS_H

#include "check.h"
#include "kernels.h"

#include <cuda.h>

static cudaStream_t s, o, nb; /* captured; another; another that blocks none */
/* Recorded: captured, before, in a capture that is over, not; without time. */
static cudaEvent_t cap, old, stale, never, fresh, untimed;
static unsigned *d, *d2, *pin, *managed, host[1024];
static cudaGraph_t small_graph;
static cudaGraphNode_t small_node;
static cudaGraphExec_t ex;
static cudaArray_t arr;
static cudaMemPool_t pool;
static cudaUserObject_t uo;
static CUcontext ctx;
static CUfunction fn;

#define AT(p) ((CUdeviceptr)(p))

static void nothing(void *data)
{
    (void)data;
}

static void CUDART_CB callback(cudaStream_t stream, cudaError_t err, void *data)
{
    (void)stream, (void)err, (void)data;
}

static struct cudaMemLocation here(void)
{
    return (struct cudaMemLocation){.type = cudaMemLocationTypeDevice};
}

/* ---- operands ------------------------------------------------------------ */

/* What calls give; nobody reads it. */
static void *made;
static size_t size;
static int number;
static unsigned word;
static unsigned long long wide, object, texture;
static float real;
static struct cudaPointerAttributes pointer;
static struct cudaFuncAttributes function;
static struct cudaChannelFormatDesc channels;
static struct cudaExtent extent;
static struct cudaTextureDesc texture_desc;
static struct cudaPitchedPtr pitched;
static cudaMemPool_t any_pool;
static cudaStreamAttrValue value;
static enum cudaStreamCaptureStatus status;
static cudaGraphNode_t node;
static enum cudaGraphNodeType type;
static cudaGraphExecUpdateResultInfo result;
static enum cudaFuncCache cache;
static cudaIpcMemHandle_t memory_handle;
static cudaIpcEventHandle_t event_handle;
static CUDA_ARRAY_DESCRIPTOR square_again;
static CUfunc_cache cache_config;
static CUsharedconfig shared_config;
static CUipcMemHandle driver_memory_handle;

/* What they take. */
static const struct cudaChannelFormatDesc words = {
    32, 0, 0, 0, cudaChannelFormatKindUnsigned};
static const struct cudaExtent box = {16, 4, 2};
static struct cudaMemLocation place = {.type = cudaMemLocationTypeDevice};
static const struct cudaMemPoolProps pool_props = {
    .allocType = cudaMemAllocationTypePinned,
    .location = {.type = cudaMemLocationTypeDevice}};
static const CUmemPoolProps pool_like = {
    .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
    .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
static const CUmemAllocationProp pinned = {
    .type = CU_MEM_ALLOCATION_TYPE_PINNED,
    .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
static const struct cudaTextureDesc plain;
static const CUDA_TEXTURE_DESC driver_plain;
static const cudaStreamAttrValue spin = {.syncPolicy = cudaSyncPolicySpin};
static cuuint64_t zero;
static CUstreamCaptureMode same_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
static const CUDA_ARRAY_DESCRIPTOR square = {.Width = 16,
                                             .Height = 16,
                                             .Format =
                                                 CU_AD_FORMAT_UNSIGNED_INT32,
                                             .NumChannels = 1};
static const CUDA_ARRAY3D_DESCRIPTOR cube = {.Width = 16,
                                             .Height = 16,
                                             .Depth = 16,
                                             .Format =
                                                 CU_AD_FORMAT_UNSIGNED_INT32,
                                             .NumChannels = 1};

/* Set up once: they name memory. */
static struct cudaResourceDesc of_array;
static CUDA_RESOURCE_DESC driver_of_array;
static struct cudaHostNodeParams host_params;
static struct cudaMemsetParams fill;
static struct cudaMemAllocNodeParams allocation;
static struct cudaMemcpy3DParms boxes, no_boxes;
static struct cudaPitchedPtr rows_of_d;
static const struct cudaExtent extents = {8, 2, 2};
static CUDA_MEMCPY2D driver_rows;
static CUDA_MEMCPY3D driver_box;
static CUDA_MEMCPY3D_PEER driver_peer_box;
static CUmodule module;
static cudaEvent_t interprocess;
static unsigned stored = 3;
static void *store_args[] = {&d, &stored};

/* What one call frees is made anew before the next one's capture. */
static void *spare_memory, *spare_pinned, *spare_ordered;
static cudaArray_t spare_array;
static cudaStream_t spare_stream;
static cudaMemPool_t spare_pool;
static CUmodule spare_module;

static void make_spares(void)
{
    if (!spare_memory)
        OK(cudaMalloc(&spare_memory, 64));
    if (!spare_pinned)
        OK(cudaMallocHost(&spare_pinned, 64));
    if (!spare_ordered)
        OK(cudaMallocAsync(&spare_ordered, 64, 0));
    if (!spare_array)
        OK(cudaMallocArray(&spare_array, &words, 16, 16, 0));
    if (!spare_stream)
        OK(cudaStreamCreate(&spare_stream));
    if (!spare_pool)
        OK(cudaMemPoolCreate(&spare_pool, &pool_props));
    if (!spare_module)
        CHECK(!cuModuleLoadData(&spare_module, kernels_ptx));
}

/* The call with this error has freed it, or has not. */
#define FREED(spare, call) freed((void **)&(spare), (int)(call))

static cudaError_t freed(void **spare, int err)
{
    if (!err)
        *spare = NULL;
    return (cudaError_t)err;
}

static void set_up_operands(void)
{
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = arr;
    driver_of_array.resType = CU_RESOURCE_TYPE_ARRAY;
    driver_of_array.res.array.hArray = (CUarray)arr;
    OK(cudaCreateTextureObject(&texture, &of_array, &plain, NULL));
    host_params.fn = nothing;
    fill.dst = d;
    fill.elementSize = 4;
    fill.width = 4;
    fill.height = 1;
    allocation.poolProps = pool_props;
    allocation.bytesize = 64;
    rows_of_d = make_cudaPitchedPtr(d, 16, 16, 2);
    boxes.srcPtr = rows_of_d;
    boxes.dstPtr = make_cudaPitchedPtr(d2, 16, 16, 2);
    boxes.kind = cudaMemcpyDefault;
    no_boxes = boxes;
    boxes.extent = extents;
    driver_rows.srcMemoryType = driver_rows.dstMemoryType =
        CU_MEMORYTYPE_DEVICE;
    driver_rows.srcDevice = AT(d);
    driver_rows.dstDevice = AT(d2);
    driver_rows.srcPitch = driver_rows.dstPitch = 16;
    driver_rows.WidthInBytes = 8;
    driver_rows.Height = 2;
    driver_box.srcMemoryType = driver_box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    driver_box.srcDevice = AT(d);
    driver_box.dstDevice = AT(d2);
    driver_box.srcPitch = driver_box.dstPitch = 16;
    driver_box.srcHeight = driver_box.dstHeight = 2;
    driver_box.WidthInBytes = 8;
    driver_box.Height = driver_box.Depth = 2;
    driver_peer_box.srcMemoryType = driver_peer_box.dstMemoryType =
        CU_MEMORYTYPE_DEVICE;
    driver_peer_box.srcDevice = AT(d);
    driver_peer_box.dstDevice = AT(d2);
    driver_peer_box.srcContext = driver_peer_box.dstContext = ctx;
    driver_peer_box.srcPitch = driver_peer_box.dstPitch = 16;
    driver_peer_box.srcHeight = driver_peer_box.dstHeight = 2;
    driver_peer_box.WidthInBytes = 8;
    driver_peer_box.Height = driver_peer_box.Depth = 2;
    OK(cudaEventCreateWithFlags(&interprocess, cudaEventDisableTiming |
                                                   cudaEventInterprocess));
}

/* ---- calls that take some lines ------------------------------------------ */

static cudaError_t copy_between_devices(cudaStream_t stream)
{
    struct cudaMemcpy3DPeerParms p = {.extent = {16, 2, 2}};
    p.srcPtr = make_cudaPitchedPtr(d, 16, 16, 2);
    p.dstPtr = make_cudaPitchedPtr(d2, 16, 16, 2);
    return cudaMemcpy3DPeerAsync(&p, stream);
}

static cudaError_t priority_of(cudaStream_t stream)
{
    int priority;
    return cudaStreamGetPriority(stream, &priority);
}

static cudaError_t set_access(void)
{
    const struct cudaMemAccessDesc a = {here(),
                                        cudaMemAccessFlagsProtReadWrite};
    return cudaMemPoolSetAccess(pool, &a, 1);
}

static cudaError_t load_library(void)
{
    cudaLibrary_t l;
    return cudaLibraryLoadData(&l, kernels_ptx, NULL, NULL, 0, NULL, NULL, 0);
}

static cudaError_t unload_library(void)
{
    cudaLibrary_t l;
    OK(cudaLibraryLoadData(&l, kernels_ptx, NULL, NULL, 0, NULL, NULL, 0));
    return cudaLibraryUnload(l);
}

static cudaError_t instantiate(unsigned long long flags)
{
    cudaGraphExec_t e;
    cudaGraphInstantiateParams p = {.flags = flags, .uploadStream = o};
    return flags ? cudaGraphInstantiateWithParams(&e, small_graph, &p)
                 : cudaGraphInstantiate(&e, small_graph, 0);
}

static cudaGraph_t captured(void)
{
    enum cudaStreamCaptureStatus status;
    cudaGraph_t g = NULL;
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, &g, NULL, NULL));
    return g;
}

static cudaError_t capture_into_captured(void)
{
    return cudaStreamBeginCaptureToGraph(o, captured(), NULL, NULL, 0,
                                         cudaStreamCaptureModeRelaxed);
}

static cudaError_t destroy_captured_node(void)
{
    cudaGraphNode_t n;
    OK(cudaGraphAddEmptyNode(&n, captured(), NULL, 0));
    return cudaGraphDestroyNode(n);
}

static cudaError_t clone_captured(void)
{
    cudaGraph_t g;
    return cudaGraphClone(&g, captured());
}

static cudaError_t record_elsewhere(void)
{
    OK(cudaEventRecord(cap, o));
    return cudaStreamWaitEvent(s, cap, 0);
}

/* 1 for what is a number. */
static const cudaLaunchAttributeValue any = {.priority = 1};

static cudaLaunchAttributeValue of_event(cudaEvent_t e)
{
    cudaLaunchAttributeValue v = {0};
    v.programmaticEvent.event = e;
    return v;
}

static cudaLaunchAttributeValue of_cluster(unsigned blocks)
{
    cudaLaunchAttributeValue v = {0};
    v.clusterDim.x = blocks;
    v.clusterDim.y = v.clusterDim.z = 1;
    return v;
}

static cudaError_t launch_with(cudaLaunchAttributeID id,
                               cudaLaunchAttributeValue value)
{
    unsigned stored = 3;
    void *args[] = {&d, &stored};
    cudaLaunchAttribute a = {.id = id, .val = value};
    const cudaLaunchConfig_t c = {.gridDim = {1, 1, 1},
                                  .blockDim = {32, 1, 1},
                                  .stream = s,
                                  .attrs = &a,
                                  .numAttrs = 1};
    return cudaLaunchKernelExC(&c, &store, args);
}

static cudaError_t batch(cudaStream_t stream)
{
    CUstreamBatchMemOpParams p[2] = {0};
    p[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    p[0].writeValue.address = AT(d);
    p[1] = p[0];
    return (cudaError_t)cuStreamBatchMemOp(stream, 2, p, 0);
}

static cudaError_t create_memory(void)
{
    CUmemGenericAllocationHandle handle;
    const CUmemAllocationProp p = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    return (cudaError_t)cuMemCreate(&handle, 2 << 20, &p, 0);
}

static cudaError_t capture_elsewhere(void)
{
    cudaGraph_t g;
    OK(cudaStreamBeginCapture(o, cudaStreamCaptureModeThreadLocal));
    OK(cudaLaunchHostFunc(o, nothing, NULL));
    return cudaStreamEndCapture(o, &g);
}

static cudaError_t capture_to_another_graph(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaStreamBeginCaptureToGraph(o, g, NULL, NULL, 0,
                                     cudaStreamCaptureModeRelaxed));
    return cudaStreamEndCapture(o, &g);
}

static cudaError_t child_of_captured(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    return cudaGraphAddChildGraphNode(&node, g, NULL, 0, captured());
}

static cudaError_t instantiate_captured(void)
{
    cudaGraphExec_t e;
    return cudaGraphInstantiate(&e, captured(), 0);
}

static cudaError_t update_with_captured(void)
{
    return cudaGraphExecUpdate(ex, captured(), &result);
}

static cudaError_t launch_nothing(cudaStream_t stream)
{
    const dim3 one = {1, 1, 1};
    return cudaLaunchKernel(NULL, one, one, NULL, 0, stream);
}

static cudaError_t launch_cooperative(cudaStream_t stream)
{
    const dim3 one = {1, 1, 1}, warp = {32, 1, 1};
    return cudaLaunchCooperativeKernel(&store, one, warp, store_args, 0,
                                       stream);
}

static CUresult launch_driver(cudaStream_t stream, unsigned threads)
{
    return cuLaunchKernel(fn, 1, 1, 1, threads, 1, 1, 0, stream, store_args,
                          NULL);
}

#endif
