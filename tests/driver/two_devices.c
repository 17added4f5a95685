/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two devices (WEFT_DEVICES=2): what one's streams and events do for the other,
 * and launches of functions and of kernels, which have no device, into streams.
 */
#include "check.h"
#include "gate.h"

#include <string.h>

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry k(.param .u64 p) {\n"
                          ".reg .b64 %rd<2>;\n ld.param.u64 %rd1, [p];\n"
                          "st.global.u64 [%rd1], %rd1;\n ret; }\n";

struct device {
    CUcontext ctx;
    CUstream stream;
    CUevent event;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p;
} all[2];

static void make(struct device *d, int number)
{
    CU_OK(cuDevicePrimaryCtxRetain(&d->ctx, number));
    CU_OK(cuCtxSetCurrent(d->ctx));
    CU_OK(cuStreamCreate(&d->stream, CU_STREAM_NON_BLOCKING));
    CU_OK(cuEventCreate(&d->event, CU_EVENT_DISABLE_TIMING));
    CU_OK(cuModuleLoadData(&d->module, ptx));
    CU_OK(cuModuleGetFunction(&d->f, d->module, "k"));
    CU_OK(cuMemAlloc(&d->p, 64));
}

static CUresult launch(CUfunction f, struct device *of, CUstream s)
{
    void *args[] = {&of->p};
    const CUlaunchConfig config = {.gridDimX = 1,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 1,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .hStream = s};
    CUresult err = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, NULL);
    CHECK(cuLaunchKernelEx(&config, f, args, NULL) == err);
    return err;
}

/* A library's kernel runs on the stream's device, whichever is current. A
 * function has its own. */
static void launches(void)
{
    CUlibrary library;
    CUkernel k;
    CU_OK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    CU_OK(cuLibraryGetKernel(&k, library, "k"));
    for (int current = 0; current < 2; current++) {
        CU_OK(cuCtxSetCurrent(all[current].ctx));
        for (int i = 0; i < 2; i++) {
            struct device *d = &all[i];
            CU_OK(launch((CUfunction)k, d, d->stream));
            CHECK(launch(all[1 - i].f, d, d->stream) ==
                  CUDA_ERROR_INVALID_HANDLE);
            if (i == current)
                CHECK(launch(d->f, d, d->stream) == CUDA_SUCCESS);
            CU_OK(cuStreamSynchronize(d->stream));
        }
    }
    CU_OK(cuLibraryUnload(library));
}

/* Events are recorded in streams of their context, and waited for in any. */
static void events(void)
{
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuEventRecord(all[0].event, all[0].stream));
    CU_GIVES(INVALID_HANDLE, cuEventRecord(all[0].event, all[1].stream));
    CU_OK(cuStreamWaitEvent(all[1].stream, all[0].event, 0));
    CU_OK(cuStreamSynchronize(all[1].stream));
    CU_OK(cuEventQuery(all[0].event));
    CU_OK(cuMemcpyDtoDAsync(all[1].p, all[0].p, 64, all[1].stream));
    CU_OK(cuMemcpyPeerAsync(all[0].p, all[0].ctx, all[1].p, all[1].ctx, 64,
                            all[1].stream));
    CU_OK(cuStreamSynchronize(all[1].stream));
}

/* An instance's operands stay on their devices. */
static void instances(void)
{
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = all[0].p, .elementSize = 4, .width = 4, .height = 1};
    CUDA_MEMCPY3D c = {.WidthInBytes = 16,
                       .Height = 1,
                       .Depth = 1,
                       .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .srcDevice = all[0].p,
                       .dstDevice = all[1].p};
    CUgraph g;
    CUgraphNode fill, copy, mark;
    CUgraphExec e;
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddMemsetNode(&fill, g, NULL, 0, &m, all[0].ctx));
    CU_OK(cuGraphAddMemcpyNode(&copy, g, NULL, 0, &c, all[0].ctx));
    CU_OK(cuGraphAddEventRecordNode(&mark, g, NULL, 0, all[1].event));
    CU_OK(cuGraphDestroyNode(mark));
    CU_OK(cuGraphInstantiate(&e, g, 0));
    m.dst = all[0].p + 16;
    CU_OK(cuGraphExecMemsetNodeSetParams(e, fill, &m, all[0].ctx));
    m.dst = all[1].p;
    CU_GIVES(INVALID_VALUE,
             cuGraphExecMemsetNodeSetParams(e, fill, &m, all[1].ctx));
    c.srcDevice = all[0].p + 16;
    CU_OK(cuGraphExecMemcpyNodeSetParams(e, copy, &c, all[0].ctx));
    c.srcDevice = all[1].p + 16;
    CU_GIVES(INVALID_VALUE,
             cuGraphExecMemcpyNodeSetParams(e, copy, &c, all[0].ctx));
    CU_OK(cuGraphLaunch(e, all[0].stream));
    CU_OK(cuStreamSynchronize(all[0].stream));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(g));
}

/* As two H200s answer. Calls ask whether a device has been given access to the
 * other's memory; copies between devices need none. */
static void access_by_calls(void)
{
    CUdeviceptr a = all[0].p, b = all[1].p, at;
    CUstream s0 = all[0].stream, s1 = all[1].stream;
    CUcontext gone;
    CU_OK(cuCtxCreate(&gone, 0, 1));
    CU_OK(cuCtxDestroy(gone));
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxEnablePeerAccess(gone, 0));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxDisablePeerAccess(gone));
    for (int is_peer = 0; is_peer < 2; is_peer++) {
        CUresult expected = is_peer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        CHECK(cuMemsetD32(b, 1, 4) == expected);
        CHECK(cuMemsetD32Async(b, 1, 4, s0) == expected);
        CHECK(cuStreamWriteValue32(s0, b, 1, 0) == expected);
        CHECK(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                    b) == expected);
        CU_OK(cuMemcpyDtoD(a, b, 16));
        CU_OK(cuMemsetD32Async(b, 1, 4, s1));
        CU_GIVES(INVALID_VALUE, cuMemsetD32Async(a, 1, 4, s1));
        CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(s1, a, 1, 0));
        if (!is_peer)
            CU_OK(cuCtxEnablePeerAccess(all[1].ctx, 0));
    }
    CU_OK(cuCtxDisablePeerAccess(all[1].ctx));
    CU_GIVES(INVALID_VALUE, cuStreamCopyAttributes(s0, s1));
    CU_GIVES(INVALID_HANDLE, cuCtxRecordEvent(all[1].ctx, all[0].event));
    CU_OK(cuStreamSynchronize(s0));
    CU_OK(cuStreamSynchronize(s1));
}

/* A green context has the access of its device's primary one. */
static void access_of_parts(void)
{
    CUdevResource whole, part;
    CUdevResourceDesc desc;
    CUgreenCtx green;
    CUcontext ctx;
    CUstream s;
    CUdeviceptr p;
    unsigned count = 1;
    CU_OK(cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_SM));
    CU_OK(cuDevSmResourceSplitByCount(&part, &count, &whole, NULL, 0, 8));
    CU_OK(cuDevResourceGenerateDesc(&desc, &part, 1));
    CU_OK(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    CU_OK(cuCtxFromGreenCtx(&ctx, green));
    CU_OK(cuGreenCtxStreamCreate(&s, green, CU_STREAM_NON_BLOCKING, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuMemAlloc(&p, 64));
    CU_GIVES(INVALID_VALUE, cuMemsetD8Async(all[1].p, 0, 4, s));
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuCtxEnablePeerAccess(all[1].ctx, 0));
    CU_OK(cuMemsetD8Async(all[1].p, 0, 4, s));
    CU_OK(cuCtxDisablePeerAccess(all[1].ctx));
    CU_OK(cuStreamSynchronize(s));
    CU_OK(cuMemFree(p));
    CU_OK(cuStreamDestroy(s));
    CU_OK(cuGreenCtxDestroy(green));
}

/* Memory that a graph has of the other device, which uses it; device 0 does
 * with access. */
static void memory_of_graphs(const CUmemAccessDesc *access)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE,
                                   .id = 1}},
        .accessDescs = access,
        .accessDescCount = access != NULL,
        .bytesize = 64};
    CUgraph g;
    CUgraphNode n;
    CUgraphExec e;
    CUdeviceptr at = 0;
    int ordinal = 0;
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddMemAllocNode(&n, g, NULL, 0, &params));
    CU_OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                params.dptr));
    CHECK(ordinal == 1);
    CU_OK(cuGraphInstantiate(&e, g, 0));
    CU_OK(cuGraphLaunch(e, all[0].stream));
    CU_OK(cuStreamSynchronize(all[0].stream));
    CUresult err = cuMemsetD8Async(params.dptr, 0, 64, all[0].stream);
    CHECK(err == (access ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));
    CU_OK(cuCtxSetCurrent(all[1].ctx));
    CU_OK(cuMemsetD8Async(params.dptr, 0, 64, all[1].stream));
    CU_OK(cuPointerGetAttribute(&at, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                params.dptr));
    CHECK(at == params.dptr);
    CU_OK(cuMemFreeAsync(params.dptr, all[1].stream));
    CU_OK(cuStreamSynchronize(all[1].stream));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(g));
}

/* A captured allocation is where its pool is, and has the access that the pool
 * gave then, whatever the pool gives later. */
static void captured_memory(CUmemAccessDesc access)
{
    const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 1}};
    CUDA_MEM_ALLOC_NODE_PARAMS first, second;
    CUmemoryPool pool;
    CUdeviceptr p, q;
    CUgraph g;
    CUgraphNode nodes[2];
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuMemPoolCreate(&pool, &props));
    CU_OK(cuMemPoolSetAccess(pool, &access, 1));
    CU_OK(cuStreamBeginCapture(all[0].stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    CU_OK(cuMemAllocFromPoolAsync(&p, 64, pool, all[0].stream));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    CU_OK(cuMemPoolSetAccess(pool, &access, 1));
    CU_OK(cuMemAllocFromPoolAsync(&q, 64, pool, all[0].stream));
    CU_OK(cuStreamEndCapture(all[0].stream, &g));
    CU_OK(cuGraphGetNodes(g, nodes, &(size_t){2}));
    CU_OK(cuGraphMemAllocNodeGetParams(nodes[0], &first));
    CU_OK(cuGraphMemAllocNodeGetParams(nodes[1], &second));
    CHECK(first.dptr == p && first.poolProps.location.id == 1);
    CHECK(second.dptr == q && second.poolProps.location.id == 1);
    CHECK(first.accessDescCount == 1 && !second.accessDescCount);
    CHECK(first.accessDescs && !first.accessDescs[0].location.id &&
          first.accessDescs[0].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuMemPoolDestroy(pool));
}

/* A graph of one device waits for the other's event, and records it. */
static void events_in_graphs(void)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec waits, records;
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddEventWaitNode(&n, g, NULL, 0, all[1].event));
    CU_OK(cuGraphInstantiate(&waits, g, 0));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddEventRecordNode(&n, g, NULL, 0, all[1].event));
    CU_OK(cuGraphInstantiate(&records, g, 0));
    CU_OK(cuGraphDestroy(g));
    gate_shut(all[1].stream);
    CU_OK(cuEventRecord(all[1].event, all[1].stream));
    CU_OK(cuGraphLaunch(waits, all[0].stream));
    usleep(20000);
    CU_GIVES(NOT_READY, cuStreamQuery(all[0].stream));
    gate_open();
    CU_OK(cuStreamSynchronize(all[0].stream));
    CU_OK(cuEventSynchronize(all[1].event));
    gate_shut(all[0].stream);
    CU_OK(cuGraphLaunch(records, all[0].stream));
    CU_GIVES(NOT_READY, cuEventQuery(all[1].event));
    gate_open();
    CU_OK(cuEventSynchronize(all[1].event));
    CU_OK(cuStreamSynchronize(all[0].stream));
    CU_OK(cuGraphExecDestroy(waits));
    CU_OK(cuGraphExecDestroy(records));
}

/* The other device's stream joins a capture, and its work is the graph's. */
static void captured_together(void)
{
    CUgraph g;
    CUgraphExec e;
    unsigned value = 7;
    CU_OK(cuMemcpyHtoD(all[1].p, &value, sizeof value));
    CU_OK(cuStreamBeginCapture(all[0].stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    CU_OK(cuEventRecord(all[0].event, all[0].stream));
    CU_OK(cuStreamWaitEvent(all[1].stream, all[0].event, 0));
    CU_OK(cuMemsetD32Async(all[1].p, 5, 1, all[1].stream));
    CU_OK(cuEventRecord(all[1].event, all[1].stream));
    CU_OK(cuStreamWaitEvent(all[0].stream, all[1].event, 0));
    CU_OK(cuStreamEndCapture(all[0].stream, &g));
    CU_OK(cuMemcpyDtoH(&value, all[1].p, 4));
    CHECK(value == 7);
    CU_OK(cuGraphInstantiate(&e, g, 0));
    CU_OK(cuGraphLaunch(e, all[0].stream));
    CU_OK(cuStreamSynchronize(all[0].stream));
    CU_OK(cuMemcpyDtoH(&value, all[1].p, 4));
    CHECK(value == 5);
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(g));
}

/* Mapped memory has an access for each device. */
static void mapped(void)
{
    const size_t size = 2 << 20;
    const CUmemAllocationProp props = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 1}};
    CUmemAccessDesc d = {{.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                         CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle h;
    CUdeviceptr p;
    unsigned long long flags[2] = {9, 9};
    int device = -1;
    CU_OK(cuMemCreate(&h, size, &props, 0));
    CU_OK(cuMemAddressReserve(&p, size, 0, 0, 0));
    CU_OK(cuMemMap(p, size, 0, h, 0));
    CU_OK(cuMemSetAccess(p, size, &d, 1));
    for (int i = 0; i < 2; i++) {
        d.location.id = i;
        CU_OK(cuMemGetAccess(&flags[i], &d.location, p));
    }
    CHECK(flags[0] == CU_MEM_ACCESS_FLAGS_PROT_READWRITE && !flags[1]);
    CU_OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                p));
    CHECK(device == 1);
    CU_OK(cuMemsetD8(p, 0, 4));
    CU_GIVES(INVALID_VALUE, cuMemsetD8Async(p, 0, 4, all[1].stream));
    CU_OK(cuMemUnmap(p, size));
    CU_OK(cuMemAddressFree(p, size));
    CU_OK(cuMemAddressReserve(&p, 2 * size, 0, 0, 0));
    CU_OK(cuMemMap(p, size, 0, h, 0));
    CU_OK(cuMemMap(p + size, size, 0, h, 0));
    d.location.id = 0;
    CU_OK(cuMemSetAccess(p, 2 * size, &d, 1));
    d.location.id = 1;
    CU_OK(cuMemSetAccess(p, size, &d, 1));
    /* The second half is device 0's alone, which may only read the first
     * then. */
    CU_OK(cuMemsetD8Async(p + size - 4, 0, 4, all[1].stream));
    CU_GIVES(INVALID_VALUE, cuMemsetD8Async(p + size - 4, 0, 8, all[1].stream));
    d.location.id = 0;
    d.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    CU_OK(cuMemSetAccess(p, size, &d, 1));
    CU_GIVES(INVALID_VALUE, cuMemsetD8Async(p, 0, 4, all[0].stream));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(all[0].stream, p, 1, 0));
    CU_OK(cuStreamSynchronize(all[1].stream));
    CU_OK(cuStreamWaitValue32(all[0].stream, p, 0, CU_STREAM_WAIT_VALUE_GEQ));
    CU_OK(cuStreamSynchronize(all[0].stream));
    CU_OK(cuMemUnmap(p, 2 * size));
    CU_OK(cuMemRelease(h));
    CU_OK(cuMemAddressFree(p, 2 * size));
}

/* One kernel on both: of one shape. */
static void together(void)
{
    void *args[2][1] = {{&all[0].p}, {&all[1].p}};
    CUDA_LAUNCH_PARAMS l[2], bad[2];
    for (int i = 0; i < 2; i++)
        l[i] = (CUDA_LAUNCH_PARAMS){all[i].f, 1, 1, 1, 4, 1, 1, 0,
                                    all[i].stream, args[i]};
    CU_OK(cuLaunchCooperativeKernelMultiDevice(l, 2, 0));
    for (int i = 0; i < 3; i++) {
        memcpy(bad, l, sizeof l);
        *(i == 0   ? &bad[1].gridDimX
          : i == 1 ? &bad[1].blockDimX
                   : &bad[1].sharedMemBytes) += 2;
        CU_GIVES(INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(bad, 2, 0));
    }
    memcpy(bad, l, sizeof l);
    bad[1].hStream = NULL;
    CU_GIVES(INVALID_HANDLE, cuLaunchCooperativeKernelMultiDevice(bad, 2, 0));
    bad[1] = l[0];
    CU_GIVES(INVALID_DEVICE, cuLaunchCooperativeKernelMultiDevice(bad, 2, 0));
    CU_OK(cuStreamSynchronize(all[0].stream));
    CU_OK(cuStreamSynchronize(all[1].stream));
}

/* The last: one device's fault is all devices'. */
static void fault(void)
{
    CUdeviceptr nowhere = 16;
    void *args[] = {&nowhere};
    CU_OK(cuLaunchKernel(all[0].f, 1, 1, 1, 1, 1, 1, 0, all[0].stream, args,
                         NULL));
    CU_GIVES(ILLEGAL_ADDRESS, cuStreamSynchronize(all[0].stream));
    CU_OK(cuCtxSetCurrent(all[1].ctx));
    CU_GIVES(ILLEGAL_ADDRESS, cuMemsetD8(all[1].p, 0, 4));
    CU_GIVES(ILLEGAL_ADDRESS, cuStreamSynchronize(all[1].stream));
}

int main(void)
{
    int count = 0;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGetCount(&count));
    CHECK(count == 2);
    if (count != 2)
        return check_result();
    make(&all[0], 0);
    make(&all[1], 1);
    launches();
    events();
    instances();
    access_by_calls();
    access_of_parts();
    const CUmemAccessDesc both = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    memory_of_graphs(NULL);
    memory_of_graphs(&both);
    captured_memory(both);
    events_in_graphs();
    captured_together();
    mapped();
    together();
    fault();
    return check_result();
}
