/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the driver API that allocate, with their 1st, 2nd, 3rd ...
 * allocation failing until they succeed (failing.h). Loading device code is not
 * among them: the compiler ends the process where memory runs out.
 */
#define _GNU_SOURCE
#include "../runtime/failing.h"

#include <cuda.h>

static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry none(.param .u64 p) { ret; }\n";

static CUdevice dev;
static CUcontext ctx;
static CUmodule module;
static CUfunction none;
static CUstream stream;
static CUevent event;
static CUdeviceptr memory, managed, reserved;
static CUmemGenericAllocationHandle handle;
static CUmemoryPool pool, shared_pool;
static CUdeviceptr shared_memory;
static CUgraph graph;
static CUgraphExec executable;
static CUarray array;
static CUdevResourceDesc part;
static void *arguments[1];
static char host[256];
static unsigned gate;

static CUresult must(CUresult err, int line)
{
    if (err) {
        printf("%s:%d: error %d\n", __FILE__, line, err);
        failures++;
    }
    return err;
}
#define MUST(call) must(call, __LINE__)

static void wait_for_gate(void *data)
{
    while (!__atomic_load_n((unsigned *)data, __ATOMIC_ACQUIRE))
        ;
}

static void close_gate(void)
{
    gate = 0;
    MUST(cuLaunchHostFunc(stream, wait_for_gate, &gate));
}

static void open_gate(void)
{
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    MUST(cuStreamSynchronize(stream));
}

static int last_error(void)
{
    return OUT_OF_MEMORY; /* a matter of the runtime API's */
}

static void nothing(void *data)
{
    (void)data;
}

static void nothing_logged(void *data, CUlogLevel level, char *text, size_t n)
{
    (void)data, (void)level, (void)text, (void)n;
}

/* ---- what is tried ------------------------------------------------------- */

static const CUDA_ARRAY_DESCRIPTOR flat = {64, 64, CU_AD_FORMAT_FLOAT, 1};
static const CUDA_ARRAY3D_DESCRIPTOR solid = {.Width = 16,
                                              .Height = 16,
                                              .Depth = 4,
                                              .Format = CU_AD_FORMAT_FLOAT,
                                              .NumChannels = 1};
static const CUmemPoolProps pool_kind = {
    .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
    .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const CUmemPoolProps shared_kind = {
    .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
    .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
    .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const CUmemAllocationProp kind = {
    .type = CU_MEM_ALLOCATION_TYPE_PINNED,
    .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
    .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const CUmemAccessDesc allowed = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                        CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
static CUDA_RESOURCE_DESC resource;
static const CUDA_TEXTURE_DESC sampler;
static CUstreamBatchMemOpParams operation;
static CUDA_KERNEL_NODE_PARAMS kernel_node;
static CUdevResource sms;
static CUgreenCtx green_ctx;
static CUevent shared_event;
static CUDA_MEMCPY3D box;
static CUDA_MEMSET_NODE_PARAMS fill_node;
static CUDA_HOST_NODE_PARAMS host_node;
static CUgraph graph_inside, graph_conditional;
static CUgraphExecUpdateResultInfo update;
static _Alignas(4096) char page[4096];
static size_t sizes[] = {64, 64}, first_index;
static CUdeviceptr targets[2], sources[2];
static CUmemcpyAttributes in_order = {.srcAccessOrder =
                                          CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
static CUDA_MEMCPY3D_BATCH_OP batch_box = {
    .src = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER},
    .dst = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER},
    .extent = {64, 1, 1},
    .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};

static void call_back(CUstream s, CUresult err, void *data)
{
    (void)s, (void)err, (void)data;
}

/* The file that an export makes. */
static int close_file(void)
{
    return close(*(int *)out.bytes);
}

/* What a capture makes of a copy. */
static int capture_copies(void)
{
    CUgraph captured = NULL;
    CUresult err = cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    if (!err)
        err = cuMemcpyDtoDAsync(memory, memory + 128, 64, stream);
    CUresult end = err == CUDA_SUCCESS ? CUDA_SUCCESS : err;
    CUresult got = cuStreamEndCapture(stream, &captured);
    if (captured)
        cuGraphDestroy(captured);
    return (int)(end ? end : got);
}

/* A graph whose one node is a condition with two bodies. */
static CUresult add_conditional(CUgraph *graph)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
                           .conditional = {.type = CU_GRAPH_COND_TYPE_IF,
                                           .size = 2,
                                           .ctx = ctx}};
    CUresult err = cuGraphCreate(&g, 0);
    if (err)
        return err;
    err = cuGraphConditionalHandleCreate(&p.conditional.handle, g, ctx, 0, 0);
    if (!err)
        err = cuGraphAddNode_v2(&n, g, NULL, NULL, 0, &p);
    if (err)
        cuGraphDestroy(g);
    else
        *graph = g;
    return err;
}

enum { GRAIN = 2 << 20 };

#define CALL(name, expression)                                                 \
    static int name(void)                                                      \
    {                                                                          \
        return (int)(expression);                                              \
    }
#define OUT(type) ((type *)&out.p)

CALL(ctx_create, cuCtxCreate(OUT(CUcontext), 0, dev))
CALL(ctx_destroy, cuCtxDestroy(out.p))
CALL(ctx_push, cuCtxPushCurrent(ctx))
CALL(ctx_pop, cuCtxPopCurrent(NULL))
CALL(stream_create, cuStreamCreate(OUT(CUstream), 1))
CALL(stream_destroy, cuStreamDestroy(out.p))
CALL(event_create, cuEventCreate(OUT(CUevent), 0))
CALL(event_shared, cuEventCreate(OUT(CUevent), CU_EVENT_INTERPROCESS |
                                                   CU_EVENT_DISABLE_TIMING))
CALL(event_destroy, cuEventDestroy(out.p))
CALL(mem_alloc, cuMemAlloc(OUT(CUdeviceptr), 9 << 20))
CALL(mem_managed, cuMemAllocManaged(OUT(CUdeviceptr), 9 << 20, 1))
CALL(mem_async, cuMemAllocAsync(OUT(CUdeviceptr), 9 << 20, stream))
CALL(mem_from_pool,
     cuMemAllocFromPoolAsync(OUT(CUdeviceptr), 9 << 20, pool, stream))
CALL(mem_free, cuMemFree((CUdeviceptr)out.p))
CALL(host_alloc, cuMemHostAlloc(&out.p, 9 << 20, 0))
CALL(host_free, cuMemFreeHost(out.p))
CALL(array_create, cuArrayCreate(OUT(CUarray), &flat))
CALL(array_destroy, cuArrayDestroy(out.p))
CALL(mipmap_create, cuMipmappedArrayCreate(OUT(CUmipmappedArray), &solid, 3))
CALL(mipmap_destroy, cuMipmappedArrayDestroy(out.p))
CALL(texture, cuTexObjectCreate(OUT(CUtexObject), &resource, &sampler, NULL))
CALL(texture_destroy, cuTexObjectDestroy((CUtexObject)out.p))
CALL(surface, cuSurfObjectCreate(OUT(CUsurfObject), &resource))
CALL(surface_destroy, cuSurfObjectDestroy((CUsurfObject)out.p))
CALL(reserve, cuMemAddressReserve(OUT(CUdeviceptr), GRAIN, 0, 0, 0))
CALL(unreserve, cuMemAddressFree((CUdeviceptr)out.p, GRAIN))
CALL(create, cuMemCreate(OUT(CUmemGenericAllocationHandle), GRAIN, &kind, 0))
CALL(release, cuMemRelease((CUmemGenericAllocationHandle)out.p))
CALL(map, cuMemMap(reserved, GRAIN, 0, handle, 0))
CALL(unmap, cuMemUnmap(reserved, GRAIN))
CALL(pool_create, cuMemPoolCreate(OUT(CUmemoryPool), &pool_kind))
CALL(pool_create_shared, cuMemPoolCreate(OUT(CUmemoryPool), &shared_kind))
CALL(pool_destroy, cuMemPoolDestroy(out.p))
CALL(pool_access, cuMemPoolSetAccess(pool, &allowed, 1))
CALL(pool_pointer,
     cuMemPoolExportPointer((CUmemPoolPtrExportData *)out.bytes, shared_memory))
CALL(ipc, cuIpcGetMemHandle((CUipcMemHandle *)out.bytes, memory))
CALL(write_value, cuStreamWriteValue32(stream, memory, 1, 0))
CALL(wait_value, cuStreamWaitValue32(stream, memory, 0, 0))
CALL(batch_operations, cuStreamBatchMemOp(stream, 1, &operation, 0))
CALL(copy, cuMemcpyDtoDAsync(memory, memory + 128, 64, stream))
CALL(copy_up, cuMemcpyHtoDAsync(memory, host, 64, stream))
CALL(fill, cuMemsetD32Async(memory, 1, 16, stream))
CALL(fill_rows, cuMemsetD2D8Async(memory, 32, 1, 16, 2, stream))
CALL(launch, cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL))
CALL(cooperative,
     cuLaunchCooperativeKernel(none, 1, 1, 1, 1, 1, 1, 0, stream, arguments))
CALL(host_function, cuLaunchHostFunc(stream, nothing, NULL))
CALL(record, cuEventRecord(event, stream))
CALL(record_context, cuCtxRecordEvent(ctx, event))
CALL(wait_context, cuCtxWaitEvent(ctx, event))
CALL(graph_launch, cuGraphLaunch(executable, stream))
CALL(graph_create, cuGraphCreate(OUT(CUgraph), 0))
CALL(graph_clone, cuGraphClone(OUT(CUgraph), graph))
CALL(graph_destroy, cuGraphDestroy(out.p))
CALL(node_kernel,
     cuGraphAddKernelNode(OUT(CUgraphNode), graph, NULL, 0, &kernel_node))
CALL(node_batch, cuGraphAddBatchMemOpNode(
                     OUT(CUgraphNode), graph, NULL, 0,
                     &(CUDA_BATCH_MEM_OP_NODE_PARAMS){
                         .ctx = ctx, .count = 1, .paramArray = &operation}))
CALL(node_destroy, cuGraphDestroyNode(out.p))
CALL(instantiate, cuGraphInstantiate(OUT(CUgraphExec), graph, 0))
CALL(exec_destroy, cuGraphExecDestroy(out.p))
CALL(user_object, cuUserObjectCreate(OUT(CUuserObject), NULL, nothing, 1, 1))
CALL(user_release, cuUserObjectRelease(out.p, 1))
CALL(green,
     cuGreenCtxCreate(OUT(CUgreenCtx), part, dev, CU_GREEN_CTX_DEFAULT_STREAM))
CALL(green_destroy, cuGreenCtxDestroy(out.p))
CALL(listen,
     cuLogsRegisterCallback(nothing_logged, NULL, OUT(CUlogsCallbackHandle)))
CALL(unlisten, cuLogsUnregisterCallback(out.p))
CALL(link_create, cuLinkCreate(0, NULL, NULL, OUT(CUlinkState)))
CALL(link_destroy, cuLinkDestroy(out.p))
CALL(register_host, cuMemHostRegister(page, sizeof page, 0))
CALL(unregister_host, cuMemHostUnregister(page))
CALL(node_copy,
     cuGraphAddMemcpyNode(OUT(CUgraphNode), graph, NULL, 0, &box, ctx))
CALL(node_fill,
     cuGraphAddMemsetNode(OUT(CUgraphNode), graph, NULL, 0, &fill_node, ctx))
CALL(node_host,
     cuGraphAddHostNode(OUT(CUgraphNode), graph, NULL, 0, &host_node))
CALL(node_empty, cuGraphAddEmptyNode(OUT(CUgraphNode), graph, NULL, 0))
CALL(node_record,
     cuGraphAddEventRecordNode(OUT(CUgraphNode), graph, NULL, 0, event))
CALL(node_wait,
     cuGraphAddEventWaitNode(OUT(CUgraphNode), graph, NULL, 0, event))
CALL(node_child,
     cuGraphAddChildGraphNode(OUT(CUgraphNode), graph, NULL, 0, graph_inside))
CALL(node_conditional, add_conditional(OUT(CUgraph)))
CALL(instantiate_conditional,
     cuGraphInstantiate(OUT(CUgraphExec), graph_conditional, 0))
CALL(exec_update, cuGraphExecUpdate(executable, graph, &update))
CALL(event_handle,
     cuIpcGetEventHandle((CUipcEventHandle *)out.bytes, shared_event))
CALL(export_memory,
     cuMemExportToShareableHandle(out.bytes, handle,
                                  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0))
CALL(export_pool,
     cuMemPoolExportToShareableHandle(out.bytes, shared_pool,
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      0))
CALL(copies, cuMemcpyBatchAsync_v2(targets, sources, sizes, 2, &in_order,
                                   &first_index, 1, stream))
CALL(boxes, cuMemcpy3DBatchAsync_v2(1, &batch_box, 0, stream))
CALL(copy_rows, cuMemcpy3DAsync(&box, stream))
CALL(callback, cuStreamAddCallback(stream, call_back, NULL, 0))
CALL(green_stream, cuGreenCtxStreamCreate(OUT(CUstream), green_ctx,
                                          CU_STREAM_NON_BLOCKING, 0))
CALL(wait_event, cuStreamWaitEvent(stream, event, 0))
CALL(free_async, cuMemFreeAsync((CUdeviceptr)out.p, stream))
CALL(texture_reference, cuTexRefCreate(OUT(CUtexref)))
CALL(texture_reference_destroy, cuTexRefDestroy(out.p))

static const struct attempt attempts[] = {
    {"cuCtxCreate", ctx_create, ctx_destroy, false, false},
    {"cuCtxPushCurrent", ctx_push, ctx_pop, false, true},
    {"cuStreamCreate", stream_create, stream_destroy, false, false},
    {"cuEventCreate", event_create, event_destroy, false, false},
    {"cuEventCreate, shared", event_shared, event_destroy, false, false},
    {"cuMemAlloc", mem_alloc, mem_free, false, false},
    {"cuMemAllocManaged", mem_managed, mem_free, false, false},
    {"cuMemAllocAsync", mem_async, mem_free, false, false},
    {"cuMemAllocFromPoolAsync", mem_from_pool, mem_free, false, false},
    {"cuMemHostAlloc", host_alloc, host_free, false, false},
    {"cuArrayCreate", array_create, array_destroy, false, false},
    {"cuMipmappedArrayCreate", mipmap_create, mipmap_destroy, false, false},
    {"cuTexObjectCreate", texture, texture_destroy, false, false},
    {"cuSurfObjectCreate", surface, surface_destroy, false, false},
    {"cuMemAddressReserve", reserve, unreserve, false, false},
    {"cuMemCreate", create, release, false, false},
    {"cuMemMap", map, unmap, false, true},
    {"cuMemPoolCreate", pool_create, pool_destroy, false, false},
    {"cuMemPoolCreate, shared", pool_create_shared, pool_destroy, false, false},
    {"cuMemPoolSetAccess", pool_access, NULL, false, true},
    {"cuMemPoolExportPointer", pool_pointer, NULL, false, false},
    {"cuIpcGetMemHandle", ipc, NULL, false, false},
    {"cuStreamWriteValue32", write_value, NULL, true, true},
    {"cuStreamWaitValue32", wait_value, NULL, true, true},
    {"cuStreamBatchMemOp", batch_operations, NULL, true, true},
    {"cuMemcpyDtoDAsync", copy, NULL, true, true},
    {"cuMemcpyHtoDAsync", copy_up, NULL, false, true},
    {"cuMemsetD32Async", fill, NULL, true, true},
    {"cuMemsetD2D8Async", fill_rows, NULL, true, true},
    {"cuLaunchKernel", launch, NULL, true, true},
    {"cuLaunchCooperativeKernel", cooperative, NULL, true, true},
    {"cuLaunchHostFunc", host_function, NULL, true, true},
    {"cuEventRecord", record, NULL, true, true},
    {"cuCtxRecordEvent", record_context, NULL, true, true},
    {"cuCtxWaitEvent", wait_context, NULL, true, true},
    {"cuGraphLaunch", graph_launch, NULL, true, true},
    {"cuGraphCreate", graph_create, graph_destroy, false, false},
    {"cuGraphClone", graph_clone, graph_destroy, false, false},
    {"cuGraphAddKernelNode", node_kernel, node_destroy, false, false},
    {"cuGraphAddBatchMemOpNode", node_batch, node_destroy, false, false},
    {"cuGraphInstantiate", instantiate, exec_destroy, false, false},
    {"cuUserObjectCreate", user_object, user_release, false, false},
    {"cuGreenCtxCreate", green, green_destroy, false, false},
    {"cuLogsRegisterCallback", listen, unlisten, false, false},
    {"cuLinkCreate", link_create, link_destroy, false, false},
    {"cuMemHostRegister", register_host, unregister_host, false, true},
    {"cuGraphAddMemcpyNode", node_copy, node_destroy, false, false},
    {"cuGraphAddMemsetNode", node_fill, node_destroy, false, false},
    {"cuGraphAddHostNode", node_host, node_destroy, false, false},
    {"cuGraphAddEmptyNode", node_empty, node_destroy, false, false},
    {"cuGraphAddEventRecordNode", node_record, node_destroy, false, false},
    {"cuGraphAddEventWaitNode", node_wait, node_destroy, false, false},
    {"cuGraphAddChildGraphNode", node_child, node_destroy, false, false},
    {"cuGraphAddNode, conditional", node_conditional, graph_destroy, false,
     false},
    {"cuGraphInstantiate, conditional", instantiate_conditional, exec_destroy,
     false, false},
    {"cuGraphExecUpdate", exec_update, NULL, false, true},
    {"cuIpcGetEventHandle", event_handle, NULL, false, false},
    {"cuMemExportToShareableHandle", export_memory, close_file, false, false},
    {"cuMemPoolExportToShareableHandle", export_pool, close_file, false, false},
    {"cuMemcpyBatchAsync", copies, NULL, true, true},
    {"cuMemcpy3DBatchAsync", boxes, NULL, true, true},
    {"cuMemcpy3DAsync", copy_rows, NULL, true, true},
    {"cuStreamAddCallback", callback, NULL, true, true},
    {"cuGreenCtxStreamCreate", green_stream, stream_destroy, false, false},
    {"cuStreamWaitEvent", wait_event, NULL, true, true},
    {"cuMemAllocAsync, freed in order", mem_async, free_async, false, false},
    {"a capture", capture_copies, NULL, false, true},
    {"cuTexRefCreate", texture_reference, texture_reference_destroy, false,
     false},
};

static void prepare(void)
{
    unsigned groups = 1;
    CUdevResource all;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&ctx, dev));
    MUST(cuCtxSetCurrent(ctx));
    MUST(cuModuleLoadData(&module, ptx));
    MUST(cuModuleGetFunction(&none, module, "none"));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    MUST(cuEventCreate(&event, 0));
    MUST(cuEventRecord(event, stream));
    MUST(cuMemAlloc(&memory, 4096));
    MUST(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    MUST(cuArrayCreate(&array, &flat));
    MUST(cuMemAddressReserve(&reserved, GRAIN, 0, 0, 0));
    MUST(cuMemCreate(&handle, GRAIN, &kind, 0));
    MUST(cuMemPoolCreate(&pool, &pool_kind));
    MUST(cuMemPoolCreate(&shared_pool, &shared_kind));
    MUST(cuMemAllocFromPoolAsync(&shared_memory, 100, shared_pool, stream));
    MUST(cuGraphCreate(&graph, 0));
    arguments[0] = &memory;
    kernel_node.func = none;
    kernel_node.gridDimX = kernel_node.gridDimY = kernel_node.gridDimZ = 1;
    kernel_node.blockDimX = kernel_node.blockDimY = kernel_node.blockDimZ = 1;
    kernel_node.kernelParams = arguments;
    MUST((CUresult)node_kernel());
    MUST(cuGraphInstantiate(&executable, graph, 0));
    MUST((CUresult)launch()); /* compiled from here on */
    MUST(cuCtxSynchronize());
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    operation.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    operation.writeValue.address = memory;
    MUST(cuDeviceGetDevResource(dev, &all, CU_DEV_RESOURCE_TYPE_SM));
    MUST(cuDevSmResourceSplitByCount(&sms, &groups, &all, NULL, 0, 8));
    MUST(cuDevResourceGenerateDesc(&part, &sms, 1));
    MUST(cuGreenCtxCreate(&green_ctx, part, dev, CU_GREEN_CTX_DEFAULT_STREAM));
    MUST(cuEventCreate(&shared_event,
                       CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    MUST(cuEventRecord(shared_event, stream));
    MUST(add_conditional(&graph_conditional));
    MUST(cuGraphCreate(&graph_inside, 0));
    box = (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = memory,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = memory + 128,
                          .WidthInBytes = 8,
                          .Height = 2,
                          .Depth = 1};
    fill_node = (CUDA_MEMSET_NODE_PARAMS){
        .dst = memory, .elementSize = 4, .width = 4, .height = 1};
    host_node = (CUDA_HOST_NODE_PARAMS){.fn = nothing};
    targets[0] = batch_box.dst.op.ptr.ptr = memory;
    targets[1] = memory + 64;
    sources[0] = sources[1] = batch_box.src.op.ptr.ptr = memory + 128;
    for (int i = 0; i < 1100; i++) { /* so many that ended are remembered */
        MUST((CUresult)array_create());
        MUST((CUresult)array_destroy());
    }
}

int main(void)
{
    setenv("WEFT_TASK_MEMORY", "0", 1); /* what is kept would count */
    setvbuf(stdout, NULL, _IONBF, 0);
    prepare();
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        check(&attempts[i]);
    return check_result();
}
