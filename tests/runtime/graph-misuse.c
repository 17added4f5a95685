/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a GPU's driver says of graphs used in ways the manual forbids, or leaves
 * open: edges, parameters of nodes, memory of graphs in whole updates, user
 * objects, instances, and threads without a context. The lines of
 * graph-misuse.truth are an H200's.
 *
 *     runtime-graph-misuse FILE    compares; without it, prints
 */
#include "check.h"
#include "kernels.h"

#include <cuda.h>

#define AT(p) ((CUdeviceptr)(p))

static FILE *truth;
static const char *section;
static unsigned *d, *d2, *pin, host[1024];
static cudaEvent_t event;
static cudaStream_t stream;
static CUcontext ctx;
static CUfunction fn;
static CUkernel kernel_handle;

/* A truth's line may be followed by " ours N": what we answer instead, on
 * purpose; "?" is where the H200's driver had crashed before. */
static void say(const char *what, long long got)
{
    char line[512], want[512] = "";
    snprintf(line, sizeof line, "%s: %s = %lld", section, what, got);
    if (!truth) {
        printf("%s\n", line);
        fflush(stdout);
        return;
    }
    CHECK(fgets(want, sizeof want, truth));
    want[strcspn(want, "\n")] = 0;
    if (want[0] && want[strlen(want) - 1] == '?') {
        *strrchr(want, '=') = 0;
        *strrchr(line, '=') = 0;
    }
    char *ours = strstr(want, " ours ");
    if (ours) {
        long long on_purpose = atoll(ours + 6);
        *ours = 0;
        *strrchr(want, '=') = 0;
        snprintf(want + strlen(want), 32, "= %lld", on_purpose);
    }
    if (strcmp(line, want)) {
        printf("%s\n  and not\n%s\n", line, want);
        failures++;
    }
}

#define SAY(call) (say(#call, (long long)(call)), (void)cudaGetLastError())

static void nothing(void *data)
{
    (void)data;
}

/* ---- nodes --------------------------------------------------------------- */

static unsigned stored = 3;
static void *store_args[] = {&d, &stored};

static struct cudaKernelNodeParams kernel_params(void)
{
    return (struct cudaKernelNodeParams){.func = &store,
                                         .gridDim = {1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = store_args};
}

static struct cudaMemsetParams fill_params(void *at, unsigned value)
{
    return (struct cudaMemsetParams){at, 0, value, 4, 1, 1};
}

static struct cudaMemAllocNodeParams alloc_params(size_t bytes)
{
    return (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = bytes};
}

static cudaGraph_t new_graph(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    return g;
}

static cudaGraphNode_t empty_in(cudaGraph_t g)
{
    cudaGraphNode_t n;
    OK(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    return n;
}

static cudaGraphNode_t kernel_in(cudaGraph_t g)
{
    cudaGraphNode_t n;
    const struct cudaKernelNodeParams k = kernel_params();
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    return n;
}

/* ---- edges --------------------------------------------------------------- */

static void edges(void)
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t a = empty_in(g), b = empty_in(g), c = empty_in(g),
                    x = empty_in(h), gone = empty_in(g), n;
    cudaGraphNode_t pair[2], other[2];
    size_t count;
    section = "edges";
    OK(cudaGraphDestroyNode(gone));
    SAY(cudaGraphAddDependencies(g, &a, &a, 1));
    SAY(cudaGraphAddDependencies(g, &a, &x, 1));
    SAY(cudaGraphAddDependencies(g, &x, &a, 1));
    SAY(cudaGraphAddDependencies(h, &a, &b, 1));
    SAY(cudaGraphAddDependencies(g, &a, &gone, 1));
    SAY(cudaGraphAddDependencies(g, NULL, &b, 1));
    SAY(cudaGraphAddDependencies(g, NULL, NULL, 0));
    SAY(cudaGraphAddDependencies(NULL, &a, &b, 1));
    SAY(cudaGraphAddDependencies(g, &a, &b, 1));
    SAY(cudaGraphAddDependencies(g, &a, &b, 1));
    SAY(cudaGraphAddDependencies(g, &b, &a, 1));
    SAY(cudaGraphAddDependencies(g, &b, &c, 1));
    SAY(cudaGraphAddDependencies(g, &c, &a, 1));
    pair[0] = pair[1] = a;
    other[0] = other[1] = c;
    SAY(cudaGraphAddDependencies(g, pair, other, 2));
    SAY(cudaGraphGetEdges(g, NULL, NULL, &count));
    SAY(count);
    SAY(cudaGraphRemoveDependencies(g, &a, &c, 1));
    SAY(cudaGraphRemoveDependencies(g, &a, &c, 1));
    SAY(cudaGraphRemoveDependencies(g, &b, &a, 1));
    SAY(cudaGraphRemoveDependencies(g, pair, other, 2));
    SAY(cudaGraphRemoveDependencies(g, NULL, NULL, 0));
    pair[1] = b;
    other[0] = b;
    other[1] = x;
    SAY(cudaGraphRemoveDependencies(g, pair, other, 2));
    SAY(cudaGraphGetEdges(g, NULL, NULL, &count));
    SAY(count);
    pair[0] = a, pair[1] = a;
    SAY(cudaGraphAddEmptyNode(&n, g, pair, 2));
    pair[1] = x;
    SAY(cudaGraphAddEmptyNode(&n, g, pair, 2));
    SAY(cudaGraphAddEmptyNode(&n, g, NULL, 1));
    SAY(cudaGraphAddEmptyNode(&n, g, &a, 0));
    SAY(cudaGraphAddEmptyNode(NULL, g, NULL, 0));
    SAY(cudaGraphAddEmptyNode(&n, g, &gone, 1));
    SAY(cudaGraphDestroyNode(gone));
    SAY(cudaGraphDestroyNode(b));
    SAY(cudaGraphGetEdges(g, NULL, NULL, &count));
    SAY(count);
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(h));
}

/* Counts that are too small, too large, none. */
static void queries(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = empty_in(g), b, c, list[8] = {0}, list2[8] = {0};
    size_t count = 0;
    OK(cudaGraphAddEmptyNode(&b, g, &a, 1));
    OK(cudaGraphAddEmptyNode(&c, g, &a, 1));
    section = "queries";
#define COUNT(start, call)                                                     \
    count = (start);                                                           \
    SAY(call);                                                                 \
    SAY(count);
#define COUNTS(call)                                                           \
    COUNT(0, call)                                                             \
    COUNT(1, call)                                                             \
    COUNT(8, call)
    COUNTS(cudaGraphGetNodes(g, list, &count))
    COUNTS(cudaGraphGetRootNodes(g, list, &count))
    COUNTS(cuGraphGetEdges(g, list, list2, &count))
    COUNTS(cuGraphGetEdges(g, list, NULL, &count))
    COUNTS(cuGraphGetEdges(g, NULL, list2, &count))
    COUNTS(cuGraphNodeGetDependencies(b, list, &count))
    COUNTS(cuGraphNodeGetDependentNodes(a, list, &count))
#undef COUNTS
#undef COUNT
    SAY(list[7] != NULL);
    SAY(cudaGraphGetNodes(g, list, NULL));
    SAY(cudaGraphGetRootNodes(g, NULL, NULL));
    SAY(cudaGraphGetEdges(g, NULL, NULL, NULL));
    SAY(cuGraphNodeGetDependencies(b, NULL, NULL));
    SAY(cuGraphNodeGetDependentNodes(b, NULL, NULL));
    SAY(cuGraphNodeGetDependencies(NULL, NULL, &count));
    OK(cudaGraphDestroy(g));
}

/* ---- parameters of nodes ------------------------------------------------- */

static void kernels_of_nodes(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = kernel_params();
    CUDA_KERNEL_NODE_PARAMS v = {.func = fn,
                                 .gridDimX = 1,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 1,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = store_args};
    section = "kernel";
#define WITH(assignment)                                                       \
    k = kernel_params();                                                       \
    assignment;                                                                \
    say(#assignment, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));              \
    cudaGetLastError();
    WITH(k.func = NULL)
    WITH(k.func = host)
    WITH(k.gridDim.x = 0)
    WITH(k.gridDim.y = 65536)
    WITH(k.blockDim.x = 0)
    WITH(k.blockDim.x = 1025)
    WITH(k.blockDim.z = 65)
    WITH(k.sharedMemBytes = 49153)
    WITH(k.sharedMemBytes = 1 << 20)
    WITH(k.kernelParams = NULL)
    WITH(k.extra = store_args)
    WITH(k.kernelParams = NULL; k.extra = store_args)
#undef WITH
#define WITH(assignment)                                                       \
    assignment;                                                                \
    say(#assignment, cuGraphAddKernelNode((CUgraphNode *)&n, g, NULL, 0, &v));
    WITH(v.ctx = NULL)
    WITH(v.ctx = ctx)
    WITH(v.func = NULL)
    WITH(v.kern = kernel_handle)
    WITH(v.func = fn)
    WITH(v.kern = NULL; v.ctx = (CUcontext)host)
#undef WITH
    OK(cudaGraphDestroy(g));
}

static void fills_of_nodes(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaMemsetParams m;
    section = "fill";
#define WITH(assignment)                                                       \
    m = fill_params(d, 1);                                                     \
    assignment;                                                                \
    say(#assignment, cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));              \
    cudaGetLastError();
    WITH(m.elementSize = 0)
    WITH(m.elementSize = 1)
    WITH(m.elementSize = 3)
    WITH(m.elementSize = 8)
    WITH(m.width = 0)
    WITH(m.height = 0)
    WITH(m.width = 1025)
    WITH(m.width = 1 << 20)
    WITH(m.dst = NULL)
    WITH(m.dst = host)
    WITH(m.dst = pin)
    WITH(m.dst = (char *)d + 2)
    WITH(m.dst = (char *)d + 1; m.elementSize = 2)
    WITH(m.height = 2)
    WITH(m.height = 2; m.pitch = 2)
    WITH(m.height = 2; m.pitch = 6)
    WITH(m.height = 2; m.pitch = 64)
    WITH(m.pitch = 3)
    WITH(m.elementSize = 1; m.value = 300)
    WITH(m.elementSize = 2; m.value = 70000)
#undef WITH
    OK(cudaGraphDestroy(g));
}

static void copies_of_nodes(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    section = "copy";
#define COPY(to, from, bytes, kind)                                            \
    SAY(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, to, from, bytes, kind))
    COPY(d, d2, 0, cudaMemcpyDefault);
    COPY(d, d2, 5000, cudaMemcpyDefault);
    COPY(d, NULL, 4, cudaMemcpyDefault);
    COPY(NULL, d, 4, cudaMemcpyDefault);
    COPY(d, d2, 4, (enum cudaMemcpyKind)9);
    COPY(d, d2, 4, cudaMemcpyHostToDevice);
    COPY(d, host, 4, cudaMemcpyDeviceToDevice);
    COPY(host, host + 8, 4, cudaMemcpyHostToHost);
    COPY(host, d, 4, cudaMemcpyHostToDevice);
    COPY(pin, d, 4, cudaMemcpyHostToDevice);
    COPY(d, d, 64, cudaMemcpyDefault);
    COPY(d, d + 1, 64, cudaMemcpyDefault);
#undef COPY
    SAY(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, table, d, 16, 0,
                                       cudaMemcpyDefault));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, table, d, 17, 0,
                                       cudaMemcpyDefault));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, table, d, 8, 12,
                                       cudaMemcpyDefault));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, table, d, 8, 0,
                                       cudaMemcpyDeviceToHost));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, host, d, 8, 0,
                                       cudaMemcpyDefault));
    SAY(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, d, table, 17, 0,
                                         cudaMemcpyDefault));
    SAY(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, d, table, 8, 0,
                                         cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, d, NULL, 8, 0,
                                         cudaMemcpyDefault));
    OK(cudaGraphDestroy(g));
}

static void others_of_nodes(void)
{
    cudaGraph_t g = new_graph(), own = new_graph(), busy = new_graph();
    cudaGraphNode_t n, e = empty_in(own);
    struct cudaHostNodeParams h = {NULL, NULL};
    CUstreamBatchMemOpParams p[2] = {0};
    CUDA_BATCH_MEM_OP_NODE_PARAMS b = {ctx, 1, p, 0};
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS s = {0};
    CUDA_EXT_SEM_WAIT_NODE_PARAMS w = {0};
    struct cudaGraphNodeParams any = {0};
    p[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    p[0].writeValue.address = AT(d);
    section = "others";
    SAY(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    SAY(cudaGraphAddChildGraphNode(&n, g, NULL, 0, g));
    SAY(cudaGraphAddChildGraphNode(&n, g, NULL, 0, own));
    SAY(cudaGraphAddChildGraphNode(&n, g, NULL, 0, NULL));
    SAY(cudaGraphAddEventRecordNode(&n, g, NULL, 0, NULL));
    SAY(cudaGraphAddEventWaitNode(&n, g, NULL, 0, NULL));
    SAY(cuGraphAddBatchMemOpNode((CUgraphNode *)&n, g, NULL, 0, &b));
#define BATCH(assignment)                                                      \
    b = (CUDA_BATCH_MEM_OP_NODE_PARAMS){ctx, 1, p, 0};                         \
    assignment;                                                                \
    say(#assignment,                                                           \
        cuGraphAddBatchMemOpNode((CUgraphNode *)&n, g, NULL, 0, &b));
    BATCH(b.count = 0)
    BATCH(b.count = 257)
    BATCH(b.paramArray = NULL)
    BATCH(b.flags = 1)
    BATCH(b.ctx = NULL)
    BATCH(p[0].writeValue.address = AT(d) + 2)
    BATCH(p[0].writeValue.address = AT(d); p[0].writeValue.flags = 8)
    BATCH(p[0].writeValue.flags = 0; p[0].operation = 77)
#undef BATCH
    SAY(cuGraphAddExternalSemaphoresSignalNode((CUgraphNode *)&n, g, NULL, 0,
                                               &s));
    SAY(cuGraphAddExternalSemaphoresWaitNode((CUgraphNode *)&n, g, NULL, 0,
                                             &w));
    s.numExtSems = w.numExtSems = 1;
    SAY(cuGraphAddExternalSemaphoresSignalNode((CUgraphNode *)&n, g, NULL, 0,
                                               &s));
    SAY(cuGraphAddExternalSemaphoresWaitNode((CUgraphNode *)&n, g, NULL, 0,
                                             &w));
    SAY(cuGraphAddNode((CUgraphNode *)&n, g, NULL, 0, NULL));
    any.type = (enum cudaGraphNodeType)99;
    SAY(cuGraphAddNode((CUgraphNode *)&n, g, NULL, 0,
                       (CUgraphNodeParams *)&any));
    any.type = cudaGraphNodeTypeEmpty;
    any.reserved1[0] = 1;
    SAY(cuGraphAddNode((CUgraphNode *)&n, g, NULL, 0,
                       (CUgraphNodeParams *)&any));
    any.reserved1[0] = 0;
    any.reserved0[1] = 1;
    SAY(cuGraphAddNode((CUgraphNode *)&n, g, NULL, 0,
                       (CUgraphNodeParams *)&any));
    any.reserved0[1] = 0;
    any.reserved2 = 1;
    SAY(cuGraphAddNode((CUgraphNode *)&n, g, NULL, 0,
                       (CUgraphNodeParams *)&any));
    SAY(cudaGraphNodeFindInClone(&n, e, g));
    SAY(cudaGraphClone(&busy, own));
    SAY(cudaGraphNodeFindInClone(&n, e, busy));
    SAY(cudaGraphNodeFindInClone(&n, n, busy));
    SAY(cudaGraphNodeFindInClone(&n, NULL, busy));
    OK(cudaGraphDestroyNode(e));
    SAY(cudaGraphNodeFindInClone(&n, e, busy));
    OK(cudaGraphDestroy(own));
    OK(cudaGraphDestroy(busy));
    OK(cudaGraphDestroy(g));
}

static void attributes(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = kernel_in(g), e = empty_in(g), m = kernel_in(g);
    cudaLaunchAttributeValue v;
    section = "attribute";
    for (int id = 0; id <= 20; id++) {
        char name[64];
        memset(&v, 0, sizeof v);
        snprintf(name, sizeof name, "get %d", id);
        say(name,
            cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)id, &v));
        snprintf(name, sizeof name, "set %d to what it is", id);
        say(name,
            cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)id, &v));
        memset(&v, 0xff, sizeof v);
        snprintf(name, sizeof name, "set %d to -1", id);
        say(name,
            cudaGraphKernelNodeSetAttribute(m, (cudaLaunchAttributeID)id, &v));
        cudaGetLastError();
    }
    SAY(cudaGraphKernelNodeCopyAttributes(n, e));
    SAY(cudaGraphKernelNodeCopyAttributes(e, n));
    SAY(cudaGraphKernelNodeGetAttribute(e, cudaLaunchAttributePriority, &v));
    OK(cudaGraphDestroy(g));
}

/* ---- user objects -------------------------------------------------------- */

static void objects(void)
{
    cudaGraph_t g = new_graph(), h;
    cudaUserObject_t o = NULL, second = NULL;
    section = "object";
    SAY(cudaUserObjectCreate(&o, d, nothing, 0,
                             cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&o, d, nothing, 1u << 31,
                             cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&o, d, nothing, 1, 0));
    SAY(cudaUserObjectCreate(&o, d, nothing, 1, 3));
    SAY(cudaUserObjectCreate(&o, d, NULL, 1, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&o, NULL, nothing, 9,
                             cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&second, d, nothing, 1,
                             cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectRetain(o, 0));
    SAY(cudaUserObjectRetain(o, 1u << 31));
    SAY(cudaUserObjectRetain(NULL, 1));
    SAY(cudaUserObjectRelease(o, 0));
    SAY(cudaGraphRetainUserObject(g, o, 0, 0));
    SAY(cudaGraphRetainUserObject(g, o, 1, 7));
    SAY(cudaGraphRetainUserObject(g, NULL, 1, 0));
    SAY(cudaGraphRetainUserObject(g, o, 1u << 31, 0));
    SAY(cudaGraphRetainUserObject(g, o, 2, cudaGraphUserObjectMove));
    SAY(cudaGraphRetainUserObject(g, o, 2, 0));
    SAY(cudaGraphReleaseUserObject(g, second, 1));
    SAY(cudaGraphReleaseUserObject(g, o, 0));
    SAY(cudaGraphReleaseUserObject(g, o, 5));
    SAY(cudaGraphReleaseUserObject(g, o, 4));
    SAY(cudaGraphReleaseUserObject(g, o, 1));
    SAY(cudaGraphRetainUserObject(g, o, 1, 0));
    SAY(cudaGraphClone(&h, g));
    SAY(cudaGraphReleaseUserObject(h, o, 1));
    SAY(cudaUserObjectRelease(second, 1));
    OK(cudaGraphDestroy(h));
    OK(cudaGraphDestroy(g));
}

/* ---- instances ----------------------------------------------------------- */

static void instances(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = kernel_in(g), e = empty_in(g);
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {0};
    cudaGraphExecUpdateResultInfo info;
    unsigned on;
    unsigned long long flags;
    struct cudaKernelNodeParams k = kernel_params();
    section = "instance";
    SAY(cudaGraphInstantiate(NULL, g, 0));
    SAY(cudaGraphInstantiate(&x, NULL, 0));
    SAY(cudaGraphInstantiate(&x, g, 64));
    SAY(cudaGraphInstantiateWithParams(&x, g, NULL));
    SAY(cudaGraphInstantiate(&x, g, 0));
    SAY(cudaGraphLaunch(x, (cudaStream_t)1));
    SAY(cudaGraphLaunch(x, (cudaStream_t)2));
    SAY(cudaGraphUpload(x, NULL));
    SAY(cudaGraphLaunch(NULL, stream));
    SAY(cudaGraphUpload(NULL, stream));
    SAY(cudaGraphExecGetFlags(x, &flags));
    SAY(cudaGraphExecGetFlags(x, NULL));
    SAY(cudaGraphExecGetFlags(NULL, &flags));
    SAY(cudaGraphNodeSetEnabled(x, e, 0));
    SAY(cudaGraphNodeSetEnabled(x, n, 7));
    SAY(cudaGraphNodeGetEnabled(x, n, &on));
    SAY(on);
    SAY(cudaGraphNodeGetEnabled(x, n, NULL));
    SAY(cudaGraphNodeGetEnabled(x, e, &on));
#define WITH(assignment)                                                       \
    k = kernel_params();                                                       \
    assignment;                                                                \
    say(#assignment, cudaGraphExecKernelNodeSetParams(x, n, &k));              \
    cudaGetLastError();
    WITH(k.func = NULL)
    WITH(k.gridDim.x = 0)
    WITH(k.blockDim.x = 1025)
    WITH(k.sharedMemBytes = 1 << 20)
    WITH(k.kernelParams = NULL)
    WITH(k.gridDim.x = 2)
#undef WITH
    SAY(cudaGraphExecKernelNodeSetParams(x, NULL, &k));
    SAY(cudaGraphExecKernelNodeSetParams(NULL, n, &k));
    SAY(cudaGraphExecUpdate(x, NULL, &info));
    SAY(cudaGraphExecUpdate(x, g, &info));
    OK(cudaGraphDestroyNode(e));
    SAY(cudaGraphNodeGetEnabled(x, e, &on));
    SAY(cudaGraphExecUpdate(x, g, &info));
    OK(cudaGraphDestroyNode(n));
    SAY(cudaGraphNodeGetEnabled(x, n, &on));
    SAY(cudaGraphExecKernelNodeSetParams(x, n, &k));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaDeviceSynchronize());
    SAY(cudaGraphExecDestroy(x));
    p.flags = cudaGraphInstantiateFlagUpload;
    SAY(cudaGraphInstantiateWithParams(&x, g, &p));
    SAY(p.result_out);
    SAY(cudaGraphLaunch(x, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

/* ---- memory of graphs ---------------------------------------------------- */

/* alloc -> fill -> copy to host -> free. */
struct with_memory {
    cudaGraph_t g;
    cudaGraphNode_t alloc, fill, copy, free;
    void *p;
};

static cudaError_t add_memory(struct with_memory *m,
                              struct cudaMemAllocNodeParams a, unsigned value,
                              void *to, bool frees)
{
    m->g = new_graph();
    cudaError_t err = cudaGraphAddMemAllocNode(&m->alloc, m->g, NULL, 0, &a);
    if (err)
        return err;
    m->p = a.dptr;
    const struct cudaMemsetParams f = fill_params(a.dptr, value);
    OK(cudaGraphAddMemsetNode(&m->fill, m->g, &m->alloc, 1, &f));
    OK(cudaGraphAddMemcpyNode1D(&m->copy, m->g, &m->fill, 1, to, a.dptr, 4,
                                cudaMemcpyDeviceToHost));
    if (frees)
        OK(cudaGraphAddMemFreeNode(&m->free, m->g, &m->copy, 1, a.dptr));
    return cudaSuccess;
}

static void launch_and_say(cudaGraphExec_t e)
{
    pin[0] = pin[1] = 0;
    SAY(cudaGraphLaunch(e, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(pin[0]);
    SAY(pin[1]);
}

/* Two graphs; the second becomes the instance's. */
static void update_memory(const char *name, struct cudaMemAllocNodeParams a,
                          struct cudaMemAllocNodeParams b, bool frees,
                          unsigned flags)
{
    struct with_memory one, two;
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info = {0};
    section = name;
    SAY(add_memory(&one, a, 5, &pin[0], frees));
    SAY(add_memory(&two, b, 6, &pin[1], frees));
    OK(cudaGraphInstantiate(&e, one.g, flags));
    SAY(cudaGraphExecUpdate(e, two.g, &info));
    SAY(info.result);
    say("the node", info.errorNode == NULL        ? 0
                    : info.errorNode == two.alloc ? 1
                    : info.errorNode == two.free  ? 2
                                                  : 3);
    launch_and_say(e);
    if (!frees) {
        host[0] = host[1] = 0;
        SAY(cudaMemcpy(&host[0], one.p, 4, cudaMemcpyDefault));
        SAY(cudaMemcpy(&host[1], two.p, 4, cudaMemcpyDefault));
        SAY(host[0]);
        SAY(host[1]);
        SAY(cudaFree(two.p));
        SAY(cudaFree(one.p));
    }
    SAY(cudaGraphDestroy(two.g));
    launch_and_say(e);
    SAY(cudaGraphExecDestroy(e));
    SAY(cudaGraphDestroy(one.g));
}

static void memory_updates(void)
{
    struct cudaMemAllocNodeParams a = alloc_params(64), large = a, huge = a,
                                  shared = a, mapped = a;
    static const struct cudaMemAccessDesc access = {
        {.type = cudaMemLocationTypeDevice}, cudaMemAccessFlagsProtReadWrite};
    large.bytesize = 1 << 20;
    huge.bytesize = 64 << 20;
    shared.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    mapped.accessDescs = &access;
    mapped.accessDescCount = 1;
    update_memory("memory, the same", a, a, true, 0);
    update_memory("memory, larger", a, large, true, 0);
    update_memory("memory, smaller", large, a, true, 0);
    update_memory("memory, huge", a, huge, true, 0);
    update_memory("memory, shared", a, shared, true, 0);
    update_memory("memory, with access", a, mapped, true, 0);
    update_memory("memory, left", a, a, false, 0);
    update_memory("memory, left larger", a, large, false, 0);
    update_memory("memory, freed by launches", a, a, false,
                  cudaGraphInstantiateFlagAutoFreeOnLaunch);
}

/* The update's graph has an instance, is the instance's own, or a clone. */
static void memory_elsewhere(void)
{
    struct with_memory one, two, three;
    cudaGraphExec_t e, f;
    cudaGraph_t clone;
    cudaGraphExecUpdateResultInfo info = {0};
    const struct cudaMemsetParams fill = fill_params(d, 9);
    section = "memory, elsewhere";
    OK(add_memory(&one, alloc_params(64), 5, &pin[0], true));
    OK(add_memory(&two, alloc_params(64), 6, &pin[1], true));
    OK(cudaGraphInstantiate(&e, one.g, 0));
    SAY(cudaGraphInstantiate(&f, one.g, 0));
    OK(cudaGraphInstantiate(&f, two.g, 0));
    SAY(cudaGraphExecUpdate(e, two.g, &info));
    SAY(cudaGraphExecUpdate(e, one.g, &info));
    SAY(cudaGraphExecUpdate(f, one.g, &info));
    launch_and_say(e);
    launch_and_say(f);
    SAY(cudaGraphClone(&clone, one.g));
    SAY(cudaGraphAddChildGraphNode(&one.alloc, clone, NULL, 0, two.g));
    SAY(cudaGraphExecDestroy(f));
    SAY(cudaGraphExecUpdate(e, two.g, &info));
    SAY(cudaGraphMemsetNodeSetParams(two.fill, &fill));
    SAY(cudaGraphExecUpdate(e, two.g, &info));
    launch_and_say(e);
    SAY(cudaGraphInstantiate(&f, two.g, 0));
    SAY(cudaGraphExecMemsetNodeSetParams(e, one.fill, &fill));
    SAY(cudaGraphDestroy(two.g));
    launch_and_say(e);
    /* as the second, the order of nodes aside */
    OK(add_memory(&three, alloc_params(128), 7, &pin[1], true));
    SAY(cudaGraphExecUpdate(e, three.g, &info));
    launch_and_say(e);
    SAY(cudaGraphDestroyNode(three.copy));
    SAY(cudaGraphDestroyNode(three.alloc));
    SAY(cudaGraphDestroyNode(three.free));
    SAY(cudaGraphRemoveDependencies(three.g, &three.alloc, &three.fill, 1));
    SAY(cudaGraphAddDependencies(three.g, &three.alloc, &three.free, 1));
    SAY(cudaGraphExecDestroy(e));
    SAY(cudaGraphDestroy(one.g));
    SAY(cudaGraphDestroy(three.g));
}

static void frees(void)
{
    struct with_memory one;
    cudaGraph_t g = new_graph(), child = new_graph();
    cudaGraphNode_t n, alloc;
    cudaGraphExec_t e;
    struct cudaMemAllocNodeParams a = alloc_params(64);
    cudaGraphInstantiateParams p = {0};
    section = "frees";
    OK(add_memory(&one, a, 5, &pin[0], true));
    SAY(cudaGraphAddMemFreeNode(&n, one.g, &one.alloc, 1, one.p));
    SAY(cudaGraphAddMemFreeNode(&n, g, NULL, 0, one.p));
    SAY(cudaGraphAddMemFreeNode(&n, g, NULL, 0, d));
    SAY(cudaGraphAddMemFreeNode(&n, g, NULL, 0, NULL));
    OK(cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &a));
    SAY(cudaGraphAddMemFreeNode(&n, g, NULL, 0, a.dptr));
    SAY(cudaGraphInstantiateWithParams(&e, g, &p));
    SAY(p.result_out);
    SAY(cudaGraphAddMemFreeNode(&n, g, &alloc, 1, (char *)a.dptr + 8));
    SAY(cudaGraphAddMemFreeNode(&n, g, &alloc, 1, a.dptr));
    a.bytesize = 0;
    SAY(cudaGraphAddMemAllocNode(&alloc, child, NULL, 0, &a));
    a = alloc_params(64);
    a.poolProps.allocType = cudaMemAllocationTypeInvalid;
    SAY(cudaGraphAddMemAllocNode(&alloc, child, NULL, 0, &a));
    a = alloc_params(64);
    a.poolProps.location.id = 99;
    SAY(cudaGraphAddMemAllocNode(&alloc, child, NULL, 0, &a));
    a = alloc_params(64);
    a.poolProps.location.type = cudaMemLocationTypeHost;
    SAY(cudaGraphAddMemAllocNode(&alloc, child, NULL, 0, &a));
    a = alloc_params(64);
    a.accessDescCount = 1;
    SAY(cudaGraphAddMemAllocNode(&alloc, child, NULL, 0, &a));
    a = alloc_params((size_t)1 << 60);
    SAY(cudaGraphAddMemAllocNode(&alloc, child, NULL, 0, &a));
    a = alloc_params(64);
    SAY(cudaGraphAddMemAllocNode(&alloc, child, NULL, 0, &a));
    OK(cudaGraphInstantiate(&e, child, 0));
    SAY(cudaFree(a.dptr));
    SAY(cudaGraphLaunch(e, stream));
    SAY(cudaGraphLaunch(e, stream));
    SAY(cudaFreeAsync(a.dptr, stream));
    SAY(cudaFreeAsync(a.dptr, stream));
    SAY(cudaGraphLaunch(e, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaFree(a.dptr));
    SAY(cudaFree(a.dptr));
    SAY(cudaGraphLaunch(e, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaGraphExecDestroy(e));
    SAY(cudaGraphDestroy(child));
    SAY(cudaMemset(a.dptr, 0, 64));
    SAY(cudaFree(a.dptr));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(one.g));
}

/* ---- conditions ---------------------------------------------------------- */

static void conditions(void)
{
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    cudaGraphConditionalHandle own, other, used;
    struct cudaGraphNodeParams p;
    section = "condition";
    SAY(cudaGraphConditionalHandleCreate(NULL, g, 0, 0));
    SAY(cudaGraphConditionalHandleCreate(&own, NULL, 0, 0));
    SAY(cudaGraphConditionalHandleCreate(&own, g, 0, 2));
    SAY(cudaGraphConditionalHandleCreate(&own, g, 5, 0));
    SAY(cudaGraphConditionalHandleCreate(&other, h, 0, 0));
    SAY(cudaGraphConditionalHandleCreate(&used, g, 0, 0));
#define WITH(assignment)                                                       \
    memset(&p, 0, sizeof p);                                                   \
    p.type = cudaGraphNodeTypeConditional;                                     \
    p.conditional.handle = own;                                                \
    p.conditional.type = cudaGraphCondTypeIf;                                  \
    p.conditional.size = 1;                                                    \
    assignment;                                                                \
    say(#assignment, cuGraphAddNode((CUgraphNode *)&n, g, NULL, 0,             \
                                    (CUgraphNodeParams *)&p));
    WITH(p.conditional.handle = 0)
    WITH(p.conditional.handle = ~0ull)
    WITH(p.conditional.size = 0)
    WITH(p.conditional.size = 3)
    WITH(p.conditional.type = cudaGraphCondTypeWhile; p.conditional.size = 2)
    WITH(p.conditional.type = cudaGraphCondTypeWhile; p.conditional.size = 0)
    WITH(p.conditional.type = cudaGraphCondTypeSwitch; p.conditional.size = 0)
    WITH(p.conditional.type = (enum cudaGraphConditionalNodeType)9)
    WITH(p.conditional.size = 2)
    WITH(p.conditional.handle = used)
    WITH(p.conditional.handle = used)
#undef WITH
    SAY(cudaGraphDestroy(h));
    SAY(cudaGraphInstantiate(&e, g, 0));
    SAY(cudaGraphConditionalHandleCreate(&other, g, 0, 0));
    OK(cudaGraphDestroy(g));
}

/* ---- without a context --------------------------------------------------- */

/* Each way to name a context beside none that is current. */
static void nodes_without(void)
{
    CUgraph g;
    CUgraphNode n, node = NULL;
    CUDA_KERNEL_NODE_PARAMS k = {.func = fn,
                                 .gridDimX = 1,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 1,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = store_args};
    CUDA_MEMSET_NODE_PARAMS f = {
        .dst = AT(d), .value = 1, .elementSize = 4, .width = 1, .height = 1};
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                       .srcDevice = AT(d),
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = AT(d2),
                       .WidthInBytes = 4,
                       .Height = 1,
                       .Depth = 1};
    CUstreamBatchMemOpParams p[1] = {0};
    CUDA_BATCH_MEM_OP_NODE_PARAMS b = {ctx, 1, p, 0};
    CUDA_MEM_ALLOC_NODE_PARAMS a = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}},
        .bytesize = 64};
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    CUgraphConditionalHandle handle = 0;
    p[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    p[0].writeValue.address = AT(d);
    SAY(cuGraphCreate(&g, 0));
    SAY(cuGraphAddMemsetNode(&node, g, NULL, 0, &f, ctx));
    SAY(cuGraphAddMemsetNode(&n, g, NULL, 0, &f, NULL));
    SAY(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, ctx));
    SAY(cuGraphAddMemcpyNode(&n, g, NULL, 0, &c, NULL));
    SAY(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.ctx = ctx;
    SAY(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.func = NULL;
    k.kern = kernel_handle;
    SAY(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.ctx = NULL;
    SAY(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    SAY(cuGraphAddEventRecordNode(&n, g, NULL, 0, event));
    SAY(cuGraphAddEventWaitNode(&n, g, NULL, 0, event));
    SAY(cuGraphAddBatchMemOpNode(&n, g, NULL, 0, &b));
    b.ctx = NULL;
    SAY(cuGraphAddBatchMemOpNode(&n, g, NULL, 0, &b));
    any.memset.dst = AT(d);
    any.memset.elementSize = 4;
    any.memset.width = any.memset.height = 1;
    SAY(cuGraphAddNode(&n, g, NULL, 0, &any));
    any.memset.ctx = ctx;
    SAY(cuGraphAddNode(&n, g, NULL, 0, &any));
    SAY(cuGraphConditionalHandleCreate(&handle, g, ctx, 0, 0));
    SAY(cuGraphConditionalHandleCreate(&handle, g, NULL, 0, 0));
    if (node) {
        SAY(cuGraphMemsetNodeGetParams(node, &f));
        SAY(cuGraphMemsetNodeSetParams(node, &f));
        SAY(cuGraphNodeSetParams(node, &any));
        SAY(cuGraphDestroyNode(node));
    }
    SAY(cuGraphGetNodes(g, NULL, &(size_t){0}));
    SAY(cuGraphGetRootNodes(g, NULL, &(size_t){0}));
    SAY(cuGraphDebugDotPrint(g, "/dev/null", 0));
    SAY(cuGraphAddMemAllocNode(&n, g, NULL, 0, &a));
    SAY(cuGraphAddMemFreeNode(&n, g, NULL, 0, AT(d)));
    SAY(cuGraphDestroy(g));
}

static void without(void)
{
    CUgraph g, captured;
    CUgraphNode n, fill;
    CUgraphExec e;
    CUgraphExecUpdateResultInfo info;
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {0};
    CUDA_MEMSET_NODE_PARAMS f = {
        .dst = AT(d), .value = 1, .elementSize = 4, .width = 1, .height = 1};
    CUstreamCaptureStatus status;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    cuuint64_t flags;
    unsigned on;
    section = "without a context";
    CHECK(!cuGraphCreate(&g, 0));
    CHECK(!cuGraphAddMemsetNode(&fill, g, NULL, 0, &f, ctx));
    CHECK(!cuGraphInstantiate(&e, g, 0));
    CHECK(!cuCtxSetCurrent(NULL));
    nodes_without();
    SAY(cuGraphInstantiateWithParams(&e, g, &p));
    SAY(cuGraphExecGetFlags(e, &flags));
    SAY(cuGraphNodeGetEnabled(e, fill, &on));
    SAY(cuGraphNodeSetEnabled(e, fill, 1));
    SAY(cuGraphExecMemsetNodeSetParams(e, fill, &f, ctx));
    SAY(cuGraphExecMemsetNodeSetParams(e, fill, &f, NULL));
    SAY(cuGraphExecUpdate(e, g, &info));
    SAY(cuGraphUpload(e, stream));
    SAY(cuGraphLaunch(e, stream));
    SAY(cuGraphLaunch(e, NULL));
    SAY(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    SAY(cuStreamIsCapturing(stream, &status));
    SAY(cuMemsetD32Async(AT(d), 1, 1, stream));
    SAY(cuMemcpyDtoDAsync(AT(d), AT(d2), 4, stream));
    SAY(cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, stream, store_args, NULL));
    SAY(cuLaunchHostFunc(stream, nothing, NULL));
    SAY(cuEventRecord(event, stream));
    SAY(cuStreamWaitEvent(stream, event, 0));
    SAY(cuStreamEndCapture(stream, &captured));
    SAY(cuThreadExchangeStreamCaptureMode(&mode));
    SAY(cuThreadExchangeStreamCaptureMode(&mode));
    SAY(cuDeviceGraphMemTrim(0));
    SAY(cuGraphAddEmptyNode(&n, g, &fill, 1));
    SAY(cuGraphGetEdges(g, NULL, NULL, &(size_t){0}));
    SAY(cuGraphNodeGetDependencies(n, NULL, &(size_t){0}));
    SAY(cuGraphRemoveDependencies(g, &fill, &n, 1));
    CHECK(!cuCtxSetCurrent(ctx));
    OK(cudaDeviceSynchronize());
    SAY(cuGraphExecDestroy(e));
    SAY(cuGraphDestroy(g));
}

static void set_up(void)
{
    CUmodule module;
    CUlibrary library;
    kernels_register();
    OK(cudaMalloc((void **)&d, 4096));
    OK(cudaMalloc((void **)&d2, 4096));
    OK(cudaMallocHost((void **)&pin, 4096));
    OK(cudaEventCreate(&event));
    OK(cudaStreamCreate(&stream));
    CHECK(!cuCtxGetCurrent(&ctx));
    CHECK(!cuModuleLoadData(&module, kernels_ptx));
    CHECK(!cuModuleGetFunction(&fn, module, "store"));
    CHECK(!cuLibraryLoadData(&library, kernels_ptx, NULL, NULL, 0, NULL, NULL,
                             0));
    CHECK(!cuLibraryGetKernel(&kernel_handle, library, "store"));
}

int main(int argc, char **argv)
{
    set_up();
    truth = argc > 1 ? fopen(argv[1], "r") : NULL;
    CHECK(argc == 1 || truth);
    edges();
    queries();
    kernels_of_nodes();
    fills_of_nodes();
    copies_of_nodes();
    others_of_nodes();
    attributes();
    objects();
    instances();
    memory_updates();
    memory_elsewhere();
    frees();
    conditions();
    without();
    CHECK(!truth || fgetc(truth) == EOF);
    return check_result();
}
