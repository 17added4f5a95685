/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs and captures through the driver API's doors: each type of node made,
 * asked, changed, launched. What they mean is tested in tests/runtime. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry store(.param .u64 p, .param .u32 value)\n"
    "{ .reg .b32 %r<2>; .reg .b64 %d<2>; ld.param.u64 %d1, [p];\n"
    "  ld.param.u32 %r1, [value]; st.global.u32 [%d1], %r1; ret; }\n";

static CUcontext ctx;
static CUfunction store;
static CUdeviceptr d;
static CUstream stream;
static char dot_path[32]; /* the process's own */
static unsigned value = 1;
static void *args[] = {&d, &value};

static unsigned at(unsigned i)
{
    unsigned v = 0;
    CU_OK(cuMemcpyDtoH(&v, d + 4 * i, 4));
    return v;
}

static void run(CUgraph g)
{
    CUgraphExec e;
    cuuint64_t flags;
    CU_OK(cuGraphInstantiate(&e, g, 0));
    CU_OK(cuGraphExecGetFlags(e, &flags));
    CU_OK(cuGraphUpload(e, stream));
    CU_OK(cuGraphLaunch(e, stream));
    CU_OK(cuStreamSynchronize(stream));
    CU_OK(cuGraphExecDestroy(e));
}

static CUDA_KERNEL_NODE_PARAMS kernel(void)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = store,
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 1,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = args};
}

static void add_one(void *data)
{
    ++*(int *)data;
}

/* Arguments are an array of pointers or packed, never both. */
static void arguments(void)
{
    CUgraph g;
    CUgraphNode k;
    struct {
        CUdeviceptr to;
        unsigned value;
    } packed = {d, 1};
    size_t bytes = sizeof packed.to + sizeof packed.value;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CUDA_KERNEL_NODE_PARAMS both = kernel();
    both.extra = extra;
    CU_OK(cuGraphCreate(&g, 0));
    CU_GIVES(INVALID_VALUE, cuGraphAddKernelNode(&k, g, NULL, 0, &both));
    both.kernelParams = NULL;
    CU_OK(cuGraphAddKernelNode(&k, g, NULL, 0, &both));
    CU_OK(cuGraphDestroy(g));
}

static void nodes(void)
{
    CUgraph g, clone, child, inner;
    CUgraphNode k, m, c, h, e, sub, found, list[8], to[8];
    CUgraphEdgeData edge[8];
    int calls = 0, other = 0;
    size_t count;
    unsigned out = 0;
    CUDA_KERNEL_NODE_PARAMS kp = kernel(), kb;
    CUDA_MEMSET_NODE_PARAMS mp = {d, 0, 5, 4, 4, 1}, mb;
    CUDA_MEMCPY3D cp = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                        .srcDevice = d,
                        .dstMemoryType = CU_MEMORYTYPE_HOST,
                        .dstHost = &out,
                        .WidthInBytes = 4,
                        .Height = 1,
                        .Depth = 1},
                  cb;
    CUDA_HOST_NODE_PARAMS hp = {add_one, &calls}, hb;
    CUgraphNodeType type;
    CUlaunchAttributeValue v = {.priority = -1};
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphCreate(&child, 0));
    CU_OK(cuGraphAddMemsetNode(&m, g, NULL, 0, &mp, ctx));
    CU_OK(cuGraphAddKernelNode(&k, g, &m, 1, &kp));
    CU_OK(cuGraphAddMemcpyNode(&c, g, &k, 1, &cp, ctx));
    CU_OK(cuGraphAddHostNode(&h, g, &c, 1, &hp));
    CU_OK(cuGraphAddEmptyNode(&e, g, NULL, 0));
    CU_OK(cuGraphAddDependencies(g, &h, &e, 1));
    CU_OK(cuGraphAddEmptyNode(&found, child, NULL, 0));
    CU_OK(cuGraphAddChildGraphNode(&sub, g, NULL, 0, child));
    CU_OK(cuGraphChildGraphNodeGetGraph(sub, &inner));
    run(g);
    CHECK(out == 1 && calls == 1 && at(1) == 5);

    CU_OK(cuGraphKernelNodeGetParams(k, &kb));
    CHECK(kb.func == store && kb.gridDimX == 1);
    CU_OK(cuGraphMemsetNodeGetParams(m, &mb));
    CHECK(mb.dst == d && mb.value == 5);
    CU_OK(cuGraphMemcpyNodeGetParams(c, &cb));
    CHECK(cb.dstHost == &out && cb.WidthInBytes == 4);
    CU_OK(cuGraphHostNodeGetParams(h, &hb));
    CU_OK(cuCtxSetCurrent(NULL)); /* questions need none, as on an H200 */
    CU_OK(cuGraphMemsetNodeGetParams(m, &mb));
    CU_OK(cuGraphHostNodeGetParams(h, &hb));
    CU_OK(cuCtxSetCurrent(ctx));
    CHECK(hb.fn == add_one && hb.userData == &calls);
    CU_OK(cuGraphNodeGetType(h, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_HOST);
    CU_OK(cuGraphKernelNodeSetAttribute(k, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    CU_OK(cuGraphKernelNodeCopyAttributes(k, k));
    CU_OK(cuGraphKernelNodeGetAttribute(k, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    CHECK(v.priority == -1);

    /* Changed in the graph, and in an instance. */
    CUgraphExec x;
    CUgraphExecUpdateResultInfo info;
    unsigned enabled;
    CU_OK(cuGraphInstantiateWithFlags(&x, g, 0));
    value = 2, mp.value = 6, hp.userData = &other;
    CU_OK(cuGraphKernelNodeSetParams(k, &kp));
    CU_OK(cuGraphMemsetNodeSetParams(m, &mp));
    CU_OK(cuGraphMemcpyNodeSetParams(c, &cp));
    CU_OK(cuGraphHostNodeSetParams(h, &hp));
    run(g);
    CHECK(out == 2 && calls == 1 && other == 1 && at(1) == 6);
    value = 3, mp.value = 7;
    CU_OK(cuGraphExecKernelNodeSetParams(x, k, &kp));
    CU_OK(cuGraphExecMemsetNodeSetParams(x, m, &mp, ctx));
    CU_OK(cuGraphExecMemcpyNodeSetParams(x, c, &cp, ctx));
    CU_OK(cuGraphExecHostNodeSetParams(x, h, &hp));
    CU_OK(cuGraphExecChildGraphNodeSetParams(x, sub, child));
    CU_OK(cuGraphLaunch(x, stream));
    CU_OK(cuStreamSynchronize(stream));
    CHECK(out == 3 && other == 2 && at(1) == 7);
    CU_OK(cuGraphExecUpdate(x, g, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    CU_OK(cuGraphNodeSetEnabled(x, m, 0));
    CU_OK(cuGraphNodeGetEnabled(x, m, &enabled));
    CHECK(enabled == 0);
    CU_OK(cuGraphExecDestroy(x));

    /* Questions. */
    count = 8;
    CU_OK(cuGraphGetNodes(g, list, &count));
    CHECK(count == 6 && list[0] == m);
    count = 8;
    CU_OK(cuGraphGetRootNodes(g, list, &count));
    CHECK(count == 2);
    count = 8;
    CU_OK(cuGraphGetEdges(g, list, to, &count));
    CHECK(count == 4);
    CU_OK(cuGraphGetEdges_v2(g, list, to, edge, &count));
    CU_OK(cuGraphNodeGetDependencies(k, NULL, &count));
    CHECK(count == 1);
    count = 8;
    CU_OK(cuGraphNodeGetDependencies_v2(k, list, edge, &count));
    CU_OK(cuGraphNodeGetDependentNodes(k, NULL, &count));
    CHECK(count == 1);
    count = 8;
    CU_OK(cuGraphNodeGetDependentNodes_v2(k, list, edge, &count));
    CU_OK(cuGraphClone(&clone, g));
    CU_OK(cuGraphNodeFindInClone(&found, k, clone));
    CU_OK(cuGraphRemoveDependencies(g, &h, &e, 1));
    CU_OK(cuGraphAddDependencies_v2(g, &h, &e, NULL, 1));
    CU_OK(cuGraphRemoveDependencies_v2(g, &h, &e, NULL, 1));
    CU_OK(cuGraphDestroyNode(e));
    CU_GIVES(INVALID_VALUE, cuGraphDestroyNode(e));
    CU_OK(cuGraphDebugDotPrint(g, dot_path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    CU_OK(cuGraphDestroy(clone));
    CU_OK(cuGraphDestroy(child));
    CU_OK(cuGraphDestroy(g));
}

/* Edges between kernels may say more; who does not ask for it loses it. */
static void edge_data(void)
{
    CUgraph g;
    CUgraphNode a, b, from[2], to[2];
    CUgraphEdgeData d1 = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                          .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC},
                    back[2];
    size_t count = 2;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
    CUDA_KERNEL_NODE_PARAMS k = kernel();
    memcpy(&p.kernel, &k, sizeof k);
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddNode(&a, g, NULL, 0, &p));
    CU_OK(cuGraphAddNode_v2(&b, g, &a, &d1, 1, &p));
    CU_OK(cuGraphNodeSetParams(b, &p));
    CU_GIVES(LOSSY_QUERY, cuGraphGetEdges(g, from, to, &count));
    count = 2;
    CU_OK(cuGraphGetEdges_v2(g, from, to, back, &count));
    CHECK(count == 1 && !memcmp(back, &d1, sizeof d1));
    CUgraphExec x;
    CUDA_GRAPH_INSTANTIATE_PARAMS ip = {0};
    CU_OK(cuGraphInstantiateWithParams(&x, g, &ip));
    CHECK(ip.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
    CU_OK(cuGraphExecNodeSetParams(x, b, &p));
    CU_OK(cuGraphExecDestroy(x));
    d1.reserved[0] = 1;
    CU_GIVES(INVALID_VALUE, cuGraphAddNode_v2(&b, g, &a, &d1, 1, &p));
    CUgraphConditionalHandle handle;
    CU_OK(cuGraphConditionalHandleCreate(&handle, g, ctx, 1, 0));
    CU_OK(cuGraphDestroy(g));
}

static void events_and_memory(void)
{
    CUgraph g;
    CUgraphNode n, r, w, f;
    CUevent a, b, got;
    CUgraphExec x;
    CUDA_MEM_ALLOC_NODE_PARAMS p = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}},
        .bytesize = 4096};
    CUdeviceptr freed;
    cuuint64_t used = 0;
    CU_OK(cuEventCreate(&a, 0));
    CU_OK(cuEventCreate(&b, 0));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddEventRecordNode(&r, g, NULL, 0, a));
    CU_OK(cuGraphAddEventWaitNode(&w, g, &r, 1, a));
    CU_OK(cuGraphInstantiate(&x, g, 0));
    CU_OK(cuGraphEventRecordNodeSetEvent(r, b));
    CU_OK(cuGraphEventWaitNodeSetEvent(w, b));
    CU_OK(cuGraphEventRecordNodeGetEvent(r, &got));
    CHECK(got == b);
    CU_OK(cuGraphEventWaitNodeGetEvent(w, &got));
    CHECK(got == b);
    CU_OK(cuGraphExecEventRecordNodeSetEvent(x, r, b));
    CU_OK(cuGraphExecEventWaitNodeSetEvent(x, w, b));
    CU_OK(cuGraphLaunch(x, stream));
    CU_OK(cuEventSynchronize(b));
    CU_OK(cuGraphExecDestroy(x));
    CU_OK(cuGraphAddMemAllocNode(&n, g, NULL, 0, &p));
    CU_OK(cuGraphMemAllocNodeGetParams(n, &p));
    CU_OK(cuGraphAddMemFreeNode(&f, g, &n, 1, p.dptr));
    CU_OK(cuGraphMemFreeNodeGetParams(f, &freed));
    CHECK(freed == p.dptr);
    run(g);
    CU_OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
                                       &used));
    CHECK(used >= 4096);
    used = 0;
    CU_OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
                                       &used));
    CU_OK(cuDeviceGraphMemTrim(0));
    CUuserObject o;
    static int gone;
    CU_OK(cuUserObjectCreate(&o, &gone, add_one, 1,
                             CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CU_OK(cuUserObjectRetain(o, 1));
    CU_OK(cuUserObjectRelease(o, 1));
    CU_OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CU_OK(cuGraphReleaseUserObject(g, o, 1));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuEventDestroy(a));
    CU_OK(cuEventDestroy(b));
}

/* What a picture with these flags says. */
static bool is_in_picture(CUgraph g, unsigned flags, const char *text)
{
    static char picture[8192];
    CU_OK(cuGraphDebugDotPrint(g, dot_path, flags));
    FILE *f = fopen(dot_path, "r");
    picture[f ? fread(picture, 1, sizeof picture - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return strstr(picture, text) != NULL;
}

/* A word that another stream writes is waited for. */
static void batches(void)
{
    CUgraph g;
    CUgraphNode wait, write;
    CUgraphExec e;
    CUstream other;
    CUstreamBatchMemOpParams op[2] = {
        {.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32,
                       .address = d,
                       .value = 5,
                       .flags = CU_STREAM_WAIT_VALUE_EQ}},
        {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
                        .address = d + 4,
                        .value = 6}},
    };
    CUDA_BATCH_MEM_OP_NODE_PARAMS p = {ctx, 1, op, 0}, back;
    CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    CU_OK(cuMemsetD32(d, 0, 4));
    CU_OK(cuCtxSynchronize());
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddBatchMemOpNode(&wait, g, NULL, 0, &p));
    p.paramArray = op + 1;
    CU_OK(cuGraphAddBatchMemOpNode(&write, g, &wait, 1, &p));
    CU_OK(cuGraphBatchMemOpNodeGetParams(write, &back));
    CHECK(back.count == 1 && back.paramArray[0].writeValue.value == 6);
    CHECK(!is_in_picture(g, 0, "== 0x5"));
    CHECK(is_in_picture(g, CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS,
                        " == 0x5}"));
    CHECK(is_in_picture(g, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE, " := 0x6}"));
    CU_OK(cuGraphInstantiate(&e, g, 0));
    CU_OK(cuGraphLaunch(e, stream));
    CU_GIVES(NOT_READY, cuStreamQuery(stream));
    CU_OK(cuMemsetD32Async(d, 5, 1, other));
    CU_OK(cuStreamSynchronize(stream));
    CHECK(at(1) == 6);
    op[1].writeValue.value = 7;
    CU_OK(cuGraphBatchMemOpNodeSetParams(write, &p));
    CU_OK(cuGraphExecBatchMemOpNodeSetParams(e, write, &p));
    CU_OK(cuGraphLaunch(e, stream));
    CU_OK(cuStreamSynchronize(stream));
    CHECK(at(1) == 7);
    /* An instance's batches keep their operations. */
    p.count = 2;
    CU_GIVES(INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(e, write, &p));
    p.count = 1;
    op[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    CU_GIVES(INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(e, write, &p));
    p.count = 0; /* an H200 takes a node that does nothing */
    CU_OK(cuGraphAddBatchMemOpNode(&write, g, NULL, 0, &p));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphInstantiate(&e, g, 0));
    CU_OK(cuGraphLaunch(e, stream));
    CU_OK(cuStreamSynchronize(stream));
    p.ctx = NULL;
    CU_GIVES(INVALID_VALUE, cuGraphAddBatchMemOpNode(&write, g, NULL, 0, &p));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuStreamDestroy(other));
}

/* The same in a captured stream: a write, a wait for another stream's, a batch.
 */
static void captured_batches(void)
{
    CUgraph g;
    CUgraphNode list[4];
    CUgraphNodeType type;
    CUgraphExec e;
    CUstream other;
    size_t count = 4;
    CUstreamBatchMemOpParams op[2] = {
        {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
                        .address = d + 8,
                        .value = 3}},
        {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64,
                        .address = d + 16,
                        .value64 = UINT64_C(4) << 32}},
    };
    CU_OK(cuMemsetD32(d, 0, 8));
    CU_OK(cuCtxSynchronize()); /* `other` does not wait for it */
    CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    CU_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    CU_OK(cuStreamWriteValue32(stream, d, 1, 0));
    CU_OK(cuStreamWaitValue32(stream, d + 4, 2, CU_STREAM_WAIT_VALUE_GEQ));
    CU_OK(cuStreamBatchMemOp(stream, 2, op, 0));
    CU_OK(cuStreamBatchMemOp(stream, 0, NULL, 0));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(stream, 0, 1, 0));
    CU_OK(cuStreamEndCapture(stream, &g));
    CHECK(at(0) == 0);
    CU_OK(cuGraphGetNodes(g, list, &count));
    CHECK(count == 3);
    for (size_t i = 0; i < count; i++) {
        CU_OK(cuGraphNodeGetType(list[i], &type));
        CHECK(type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    }
    CU_OK(cuGraphInstantiate(&e, g, 0));
    for (int round = 0; round < 2; round++) {
        CU_OK(cuMemsetD32(d, 0, 8));
        CU_OK(cuCtxSynchronize()); /* `other` does not wait for it */
        CU_OK(cuGraphLaunch(e, stream));
        CU_OK(cuStreamWaitValue32(other, d, 1, CU_STREAM_WAIT_VALUE_EQ));
        CU_OK(cuStreamSynchronize(other));
        CU_GIVES(NOT_READY, cuStreamQuery(stream));
        CU_OK(cuMemsetD32Async(d + 4, 2, 1, other));
        CU_OK(cuStreamSynchronize(stream));
        CHECK(at(2) == 3 && at(4) == 0 && at(5) == 4);
    }
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuStreamDestroy(other));
}

static void capture(void)
{
    CUgraph g, told;
    CUstreamCaptureStatus status;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    CUgraphNode n;
    const CUgraphNode *deps;
    const CUgraphEdgeData *data;
    cuuint64_t id;
    size_t count;
    int calls = 0;
    CUevent e;
    CU_OK(cuEventCreate(&e, 0));
    CU_OK(cuThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
    CU_OK(cuThreadExchangeStreamCaptureMode(&mode));
    CU_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CU_OK(cuStreamIsCapturing(stream, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    value = 9;
    CU_OK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL));
    CU_OK(cuMemsetD32Async(d + 4, 8, 1, stream));
    CU_OK(cuMemcpyDtoDAsync(d + 8, d, 8, stream));
    CU_OK(cuLaunchHostFunc(stream, add_one, &calls));
    CU_OK(cuEventRecordWithFlags(e, stream, CU_EVENT_RECORD_EXTERNAL));
    CU_OK(cuStreamGetCaptureInfo(stream, &status, &id, &told, &deps, &count));
    CHECK(count == 1);
    CU_OK(cuStreamGetCaptureInfo_v3(stream, &status, &id, &told, &deps, &data,
                                    &count));
    n = deps[0];
    CU_OK(cuStreamUpdateCaptureDependencies(stream, &n, 1, 0));
    CU_OK(cuStreamUpdateCaptureDependencies_v2(stream, &n, NULL, 1, 1));
    CU_OK(cuStreamEndCapture(stream, &g));
    CHECK(told == g && calls == 0);
    run(g);
    CHECK(at(0) == 9 && at(1) == 8 && at(2) == 9 && at(3) == 8 && calls == 1);
    CU_OK(cuStreamBeginCaptureToGraph(stream, g, &n, NULL, 1,
                                      CU_STREAM_CAPTURE_MODE_RELAXED));
    CU_OK(cuMemsetD32Async(d, 4, 1, stream));
    CU_OK(cuStreamEndCapture(stream, &told));
    run(g);
    CHECK(at(0) == 4);
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuEventDestroy(e));
}

static void add_freed_block(CUgraph g)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location.type = CU_MEM_LOCATION_TYPE_DEVICE},
        .bytesize = 64};
    CUgraphNode n, f;
    CU_OK(cuGraphAddMemAllocNode(&n, g, NULL, 0, &p));
    CU_OK(cuGraphAddMemFreeNode(&f, g, &n, 1, p.dptr));
}

/* A child that is replaced: the memory that its graphs have is counted anew,
 * and one that is captured into stays. */
static void replaced_children(void)
{
    CUgraphNodeParams with = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    CUgraphNodeParams without = with;
    CUgraph g, copy, child;
    CUgraphNode n;

    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphCreate(&with.graph.graph, 0));
    CU_OK(cuGraphCreate(&without.graph.graph, 0));
    add_freed_block(with.graph.graph);
    with.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    without.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
    CU_OK(cuGraphAddNode(&n, g, NULL, 0, &without));
    CU_OK(cuGraphClone(&copy, g));
    CU_OK(cuGraphDestroy(copy));
    CU_OK(cuGraphNodeSetParams(n, &with));
    CU_GIVES(NOT_SUPPORTED, cuGraphClone(&copy, g));
    CU_OK(cuGraphNodeSetParams(n, &without));
    CU_OK(cuGraphClone(&copy, g));
    CU_OK(cuGraphDestroy(copy));

    CU_OK(cuGraphChildGraphNodeGetGraph(n, &child));
    CU_OK(cuStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0,
                                      CU_STREAM_CAPTURE_MODE_GLOBAL));
    CU_GIVES(ILLEGAL_STATE, cuGraphNodeSetParams(n, &without));
    CU_OK(cuStreamEndCapture(stream, &copy));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuGraphDestroy(without.graph.graph));
}

int main(void)
{
    CUmodule m;
    snprintf(dot_path, sizeof dot_path, "driver-graphs-%d.dot", (int)getpid());
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuModuleLoadData(&m, ptx));
    CU_OK(cuModuleGetFunction(&store, m, "store"));
    CU_OK(cuMemAlloc(&d, 4096));
    CU_OK(cuStreamCreate(&stream, 0));
    arguments();
    nodes();
    edge_data();
    events_and_memory();
    batches();
    captured_batches();
    capture();
    replaced_children();
    unlink(dot_path);
    return check_result();
}
