/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each type of node in each way: how it comes into a graph, is changed, and
 * where it may stand. graph-ways.def has the errors, an H200's;
 * docs/graph-ways.md is made of it.
 *
 *     runtime-graph-ways [print]
 */
#include "check.h"
#include "kernels.h"

#include <cuda.h>

static unsigned *d, *d2, stored = 3;
static void *args[] = {&d, &stored};
static cudaEvent_t ev, ev2;
static cudaStream_t stream;
static CUcontext ctx;

enum type {
#define TYPE(name, ...) name,
#define WAY(name, text)
#include "graph-ways.def"
#undef TYPE
#undef WAY
    TYPES
};

enum way {
#define TYPE(name, ...)
#define WAY(name, text) name,
#include "graph-ways.def"
#undef TYPE
#undef WAY
    WAYS
};

/* In a cell that has no function of CUDA's. */
#define NONE -1

static const struct {
    const char *name;
    int errors[WAYS];
} types[TYPES] = {
#define TYPE(name, ...) {#name, {__VA_ARGS__}},
#define WAY(name, text)
#include "graph-ways.def"
#undef TYPE
#undef WAY
};

static void nothing(void *data)
{
    (void)data;
}

/* ---- parameters: the same ones, or others ------------------------------- */

static struct cudaKernelNodeParams kernel_params(bool other)
{
    return (struct cudaKernelNodeParams){.func = &store,
                                         .gridDim = {other ? 2 : 1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = args};
}

static struct cudaMemsetParams fill_params(bool other)
{
    return (struct cudaMemsetParams){d, 0, other, 4, 1, 1};
}

static struct cudaMemcpy3DParms copy_params(bool other)
{
    struct cudaMemcpy3DParms p = {.kind = cudaMemcpyDefault,
                                  .extent = {16, 1, 1}};
    p.srcPtr = make_cudaPitchedPtr(other ? d2 + 64 : d2, 16, 16, 1);
    p.dstPtr = make_cudaPitchedPtr(d, 16, 16, 1);
    return p;
}

static struct cudaMemAllocNodeParams alloc_params(void)
{
    return (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = 64};
}

static CUDA_BATCH_MEM_OP_NODE_PARAMS batch_params(bool other)
{
    static CUstreamBatchMemOpParams p[2];
    p[other].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    p[other].writeValue.address = (CUdeviceptr)d;
    p[other].writeValue.value = other;
    return (CUDA_BATCH_MEM_OP_NODE_PARAMS){ctx, 1, &p[other], 0};
}

static cudaGraph_t child(bool other)
{
    static cudaGraph_t made[2];
    cudaGraphNode_t n;
    const struct cudaMemsetParams f = fill_params(other);
    if (!made[other]) {
        OK(cudaGraphCreate(&made[other], 0));
        OK(cudaGraphAddMemsetNode(&n, made[other], NULL, 0, &f));
    }
    return made[other];
}

static const struct cudaExternalSemaphoreSignalNodeParams signal_params;
static const struct cudaExternalSemaphoreWaitNodeParams wait_params;
/* What a free frees: in the graph at hand. */
static void *allocated;
static cudaGraphConditionalHandle condition;

static CUgraphNodeParams any_params(enum type t, bool other)
{
    CUgraphNodeParams p = {0};
    struct cudaGraphNodeParams q = {0};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS b = batch_params(other);
    static const enum cudaGraphNodeType numbers[TYPES] = {
        [KERNEL] = cudaGraphNodeTypeKernel,
        [COPY] = cudaGraphNodeTypeMemcpy,
        [FILL] = cudaGraphNodeTypeMemset,
        [HOST] = cudaGraphNodeTypeHost,
        [CHILD] = cudaGraphNodeTypeGraph,
        [EMPTY] = cudaGraphNodeTypeEmpty,
        [EVENT_WAIT] = cudaGraphNodeTypeWaitEvent,
        [EVENT_RECORD] = cudaGraphNodeTypeEventRecord,
        [SIGNAL] = cudaGraphNodeTypeExtSemaphoreSignal,
        [WAIT] = cudaGraphNodeTypeExtSemaphoreWait,
        [ALLOC] = cudaGraphNodeTypeMemAlloc,
        [FREE] = cudaGraphNodeTypeMemFree,
        [CONDITION] = cudaGraphNodeTypeConditional};
    const struct cudaKernelNodeParams k = kernel_params(other);
    const struct cudaMemAllocNodeParams a = alloc_params();
    const struct cudaMemsetParams f = fill_params(other);
    q.type = numbers[t];
    if (t == KERNEL) {
        q.kernel.func = k.func;
        q.kernel.gridDim = k.gridDim;
        q.kernel.blockDim = k.blockDim;
        q.kernel.kernelParams = k.kernelParams;
    } else if (t == COPY) {
        q.memcpy.copyParams = copy_params(other);
    } else if (t == FILL) {
        q.memset.dst = f.dst;
        q.memset.value = f.value;
        q.memset.elementSize = 4;
        q.memset.width = q.memset.height = 1;
    } else if (t == HOST) {
        q.host.fn = nothing;
        q.host.userData = other ? d : NULL;
    } else if (t == CHILD) {
        q.graph.graph = child(other);
    } else if (t == EVENT_WAIT || t == EVENT_RECORD) {
        q.eventWait.event = other ? ev2 : ev;
    } else if (t == ALLOC) {
        q.alloc.poolProps = a.poolProps;
        q.alloc.bytesize = a.bytesize;
    } else if (t == FREE) {
        q.free.dptr = allocated;
    } else if (t == CONDITION) {
        q.conditional.handle = condition;
        q.conditional.size = 1;
    }
    memcpy(&p, &q, sizeof p);
    if (t == BATCH) {
        p.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
        memcpy(&p.memOp, &b, sizeof p.memOp);
    }
    return p;
}

/* The runtime API's form knows kernels by their host function, and no batches.
 */
static cudaError_t add_any(cudaGraphNode_t *n, cudaGraph_t g, enum type t,
                           bool other)
{
    CUgraphNodeParams p = any_params(t, other);
    return t == BATCH
               ? (cudaError_t)cuGraphAddNode((CUgraphNode *)n, g, NULL, 0, &p)
               : cudaGraphAddNode(n, g, NULL, 0,
                                  (struct cudaGraphNodeParams *)&p);
}

/* What the node needs in its graph. */
static void prepare(cudaGraph_t g, enum type t)
{
    cudaGraphNode_t n;
    struct cudaMemAllocNodeParams a = alloc_params();
    if (t == FREE) {
        OK(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a));
        allocated = a.dptr;
    }
    if (t == CONDITION)
        OK(cudaGraphConditionalHandleCreate(&condition, g, 0, 0));
}

/* A free depends on the allocation. */
static void join(cudaGraph_t g, enum type t, cudaGraphNode_t n)
{
    cudaGraphNode_t list[4];
    size_t count = 4;
    OK(cudaGraphGetNodes(g, list, &count));
    if (t == FREE && count > 1)
        OK(cudaGraphAddDependencies(g, &list[0], &n, 1));
}

static cudaGraph_t graph_with(enum type t, bool other, cudaGraphNode_t *n)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    prepare(g, t);
    OK(add_any(n, g, t, other));
    join(g, t, *n);
    return g;
}

/* ---- ways ---------------------------------------------------------------- */

static int add_typed(enum type t, cudaGraph_t g)
{
    cudaGraphNode_t n;
    struct cudaMemAllocNodeParams a = alloc_params();
    const struct cudaKernelNodeParams k = kernel_params(false);
    const struct cudaMemsetParams f = fill_params(false);
    const struct cudaMemcpy3DParms c = copy_params(false);
    const struct cudaHostNodeParams h = {nothing, NULL};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS b = batch_params(false);
    prepare(g, t);
    switch (t) {
    case KERNEL:
        return cudaGraphAddKernelNode(&n, g, NULL, 0, &k);
    case COPY:
        return cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c);
    case FILL:
        return cudaGraphAddMemsetNode(&n, g, NULL, 0, &f);
    case HOST:
        return cudaGraphAddHostNode(&n, g, NULL, 0, &h);
    case CHILD:
        return cudaGraphAddChildGraphNode(&n, g, NULL, 0, child(false));
    case EMPTY:
        return cudaGraphAddEmptyNode(&n, g, NULL, 0);
    case EVENT_WAIT:
        return cudaGraphAddEventWaitNode(&n, g, NULL, 0, ev);
    case EVENT_RECORD:
        return cudaGraphAddEventRecordNode(&n, g, NULL, 0, ev);
    case SIGNAL:
        return cudaGraphAddExternalSemaphoresSignalNode(&n, g, NULL, 0,
                                                        &signal_params);
    case WAIT:
        return cudaGraphAddExternalSemaphoresWaitNode(&n, g, NULL, 0,
                                                      &wait_params);
    case ALLOC:
        return cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a);
    case FREE:
        return cudaGraphAddMemFreeNode(&n, g, NULL, 0, allocated);
    case BATCH:
        return (int)cuGraphAddBatchMemOpNode((CUgraphNode *)&n, g, NULL, 0, &b);
    default:
        return NONE;
    }
}

static int record(enum type t, cudaStream_t s)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS b = batch_params(false);
    cudaGraphExec_t e;
    void *p;
    switch (t) {
    case KERNEL:
        return launch_store(d, 1, 32, s);
    case COPY:
        return cudaMemcpyAsync(d, d2, 16, cudaMemcpyDefault, s);
    case FILL:
        return cudaMemsetAsync(d, 0, 4, s);
    case HOST:
        return cudaLaunchHostFunc(s, nothing, NULL);
    case CHILD:
        OK(cudaGraphInstantiate(&e, child(false), 0));
        return cudaGraphLaunch(e, s);
    case EVENT_WAIT:
        return cudaStreamWaitEvent(s, ev, cudaEventWaitExternal);
    case EVENT_RECORD:
        return cudaEventRecordWithFlags(ev, s, cudaEventRecordExternal);
    case SIGNAL:
        return cudaSignalExternalSemaphoresAsync(NULL, NULL, 0, s);
    case WAIT:
        return cudaWaitExternalSemaphoresAsync(NULL, NULL, 0, s);
    case ALLOC:
        return cudaMallocAsync(&p, 64, s);
    case FREE:
        OK(cudaMallocAsync(&p, 64, s));
        return cudaFreeAsync(p, s);
    case BATCH:
        return (int)cuStreamBatchMemOp(s, 1, b.paramArray, 0);
    default:
        return NONE;
    }
}

static int capture(enum type t)
{
    cudaGraph_t g = NULL;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    int err = record(t, stream);
    cudaStreamEndCapture(stream, &g);
    if (g)
        OK(cudaGraphDestroy(g));
    return err;
}

static int set_in_graph(enum type t, cudaGraphNode_t n)
{
    const struct cudaKernelNodeParams k = kernel_params(true);
    const struct cudaMemsetParams f = fill_params(true);
    const struct cudaMemcpy3DParms c = copy_params(true);
    const struct cudaHostNodeParams h = {nothing, d};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS b = batch_params(true);
    switch (t) {
    case KERNEL:
        return cudaGraphKernelNodeSetParams(n, &k);
    case COPY:
        return cudaGraphMemcpyNodeSetParams(n, &c);
    case FILL:
        return cudaGraphMemsetNodeSetParams(n, &f);
    case HOST:
        return cudaGraphHostNodeSetParams(n, &h);
    case EVENT_WAIT:
        return cudaGraphEventWaitNodeSetEvent(n, ev2);
    case EVENT_RECORD:
        return cudaGraphEventRecordNodeSetEvent(n, ev2);
    case SIGNAL:
        return cudaGraphExternalSemaphoresSignalNodeSetParams(n,
                                                              &signal_params);
    case WAIT:
        return cudaGraphExternalSemaphoresWaitNodeSetParams(n, &wait_params);
    case BATCH:
        return (int)cuGraphBatchMemOpNodeSetParams(n, &b);
    default:
        return NONE;
    }
}

static int set_in_instance(enum type t, cudaGraphExec_t e, cudaGraphNode_t n)
{
    const struct cudaKernelNodeParams k = kernel_params(true);
    const struct cudaMemsetParams f = fill_params(true);
    const struct cudaMemcpy3DParms c = copy_params(true);
    const struct cudaHostNodeParams h = {nothing, d};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS b = batch_params(true);
    switch (t) {
    case KERNEL:
        return cudaGraphExecKernelNodeSetParams(e, n, &k);
    case COPY:
        return cudaGraphExecMemcpyNodeSetParams(e, n, &c);
    case FILL:
        return cudaGraphExecMemsetNodeSetParams(e, n, &f);
    case HOST:
        return cudaGraphExecHostNodeSetParams(e, n, &h);
    case CHILD:
        return cudaGraphExecChildGraphNodeSetParams(e, n, child(true));
    case EVENT_WAIT:
        return cudaGraphExecEventWaitNodeSetEvent(e, n, ev2);
    case EVENT_RECORD:
        return cudaGraphExecEventRecordNodeSetEvent(e, n, ev2);
    case SIGNAL:
        return cudaGraphExecExternalSemaphoresSignalNodeSetParams(
            e, n, &signal_params);
    case WAIT:
        return cudaGraphExecExternalSemaphoresWaitNodeSetParams(e, n,
                                                                &wait_params);
    case BATCH:
        return (int)cuGraphExecBatchMemOpNodeSetParams(e, n, &b);
    default:
        return NONE;
    }
}

/* The generic form; without an instance, in the graph. */
static int set_any(enum type t, cudaGraphExec_t e, cudaGraphNode_t n)
{
    CUgraphNodeParams p = any_params(t, true);
    struct cudaGraphNodeParams *q = (struct cudaGraphNodeParams *)&p;
    if (t == BATCH)
        return (int)(e ? cuGraphExecNodeSetParams(e, n, &p)
                       : cuGraphNodeSetParams(n, &p));
    return e ? cudaGraphExecNodeSetParams(e, n, q)
             : cudaGraphNodeSetParams(n, q);
}

static int update_whole(enum type t, cudaGraphExec_t e)
{
    cudaGraphNode_t n;
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t h = graph_with(t, true, &n);
    int err = cudaGraphExecUpdate(e, h, &info);
    OK(cudaGraphDestroy(h));
    return err;
}

static int for_kernels(cudaGraph_t g)
{
    cudaGraphExec_t e;
    int err = cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagDeviceLaunch);
    if (!err)
        OK(cudaGraphExecDestroy(e));
    return err;
}

static int as_child(cudaGraph_t g)
{
    cudaGraph_t parent;
    cudaGraphNode_t n;
    OK(cudaGraphCreate(&parent, 0));
    int err = cudaGraphAddChildGraphNode(&n, parent, NULL, 0, g);
    OK(cudaGraphDestroy(parent));
    return err;
}

static int as_moved_child(cudaGraph_t *g)
{
    cudaGraph_t parent;
    cudaGraphNode_t n;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeGraph};
    p.graph.graph = *g;
    p.graph.ownership = cudaGraphChildGraphOwnershipMove;
    OK(cudaGraphCreate(&parent, 0));
    int err = cudaGraphAddNode(&n, parent, NULL, 0, &p);
    OK(cudaGraphDestroy(parent));
    if (!err)
        *g = NULL;
    return err;
}

static int in_body(enum type t)
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    cudaGraphConditionalHandle h;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&h, g, 0, 0));
    p.conditional.handle = h;
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&n, g, NULL, 0, &p));
    cudaGraph_t body = p.conditional.phGraph_out[0];
    if (t == CONDITION)
        OK(cudaGraphConditionalHandleCreate(&condition, g, 0, 0));
    struct cudaMemAllocNodeParams a = alloc_params();
    if (t == FREE && !cudaGraphAddMemAllocNode(&n, body, NULL, 0, &a))
        allocated = a.dptr;
    int err = add_any(&n, body, t, false);
    if (!err) {
        err = cudaGraphInstantiate(&e, g, 0);
        if (!err)
            OK(cudaGraphExecDestroy(e));
    }
    OK(cudaGraphDestroy(g));
    return err;
}

static int clone(cudaGraph_t g)
{
    cudaGraph_t c;
    int err = cudaGraphClone(&c, g);
    if (!err)
        OK(cudaGraphDestroy(c));
    return err;
}

static int destroy_node(cudaGraphNode_t n)
{
    return cudaGraphDestroyNode(n);
}

/* One cell. */
static int call(enum type t, enum way w)
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphExec_t e = NULL;
    int err;
    OK(cudaGraphCreate(&g, 0));
    if (w == BY_TYPE)
        err = add_typed(t, g);
    else if (w == GENERIC) {
        prepare(g, t);
        err = add_any(&n, g, t, false);
    } else if (w == CAPTURED)
        err = capture(t);
    else if (w == BODY)
        err = in_body(t);
    else {
        OK(cudaGraphDestroy(g));
        g = graph_with(t, false, &n);
        if (w == SET_EXEC || w == SET_EXEC_ANY || w == WHOLE || w == SWITCHED)
            OK(cudaGraphInstantiate(&e, g, 0));
        err = w == SET            ? set_in_graph(t, n)
              : w == SET_ANY      ? set_any(t, NULL, n)
              : w == SET_EXEC     ? set_in_instance(t, e, n)
              : w == SET_EXEC_ANY ? set_any(t, e, n)
              : w == WHOLE        ? update_whole(t, e)
              : w == SWITCHED     ? (int)cudaGraphNodeSetEnabled(e, n, 0)
              : w == FOR_KERNELS  ? for_kernels(g)
              : w == AS_CHILD     ? as_child(g)
              : w == MOVED        ? as_moved_child(&g)
              : w == CLONED       ? clone(g)
                                  : destroy_node(n);
    }
    cudaGetLastError();
    if (e)
        OK(cudaGraphExecDestroy(e));
    if (g)
        OK(cudaGraphDestroy(g));
    return err;
}

static void print_row(enum type t)
{
    printf("TYPE(%s", types[t].name);
    for (int w = 0; w < WAYS; w++) {
        int err = call(t, (enum way)w);
        printf(err == NONE ? ", NONE" : ", %d", err);
        fflush(stdout);
    }
    printf(")\n");
}

int main(int argc, char **argv)
{
    kernels_register();
    OK(cudaMalloc((void **)&d, 4096));
    OK(cudaMalloc((void **)&d2, 4096));
    OK(cudaEventCreate(&ev));
    OK(cudaEventCreate(&ev2));
    OK(cudaStreamCreate(&stream));
    CHECK(!cuCtxGetCurrent(&ctx));
    for (int t = 0; t < TYPES; t++) {
        if (argc > 1 && argv[1][0] == 'p') {
            print_row((enum type)t);
            continue;
        }
        for (int w = 0; w < WAYS; w++) {
            int err = call((enum type)t, (enum way)w);
            if (err != types[t].errors[w])
                printf("%s, way %d: %d and not %d\n", types[t].name, w, err,
                       types[t].errors[w]);
            failures += err != types[t].errors[w];
        }
    }
    return check_result();
}
