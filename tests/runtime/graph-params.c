/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of nodes: as given, as given back, changed in the graph and in an
 * instance; all types. */
#include "check.h"
#include "kernels.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static unsigned *device;
static cudaStream_t stream;
static char dot_path[32]; /* the process's own */

static unsigned at(unsigned i)
{
    unsigned value = 0;
    OK(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void run(cudaGraphExec_t e)
{
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
}

/* A new instance of the graph, once. */
static void run_graph(cudaGraph_t g)
{
    cudaGraphExec_t e;
    OK(cudaGraphInstantiateWithFlags(&e, g, 0));
    OK(cudaGraphUpload(e, stream));
    run(e);
    OK(cudaGraphExecDestroy(e));
}

static void kernels_params(cudaGraph_t g)
{
    unsigned *p = device, value = 1;
    void *args[] = {&p, &value};
    struct cudaKernelNodeParams k = {.func = &store,
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    struct cudaGraphNodeParams any = {.type = cudaGraphNodeTypeKernel};
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    OK(cudaGraphInstantiate(&e, g, 0));
    value = 2;
    OK(cudaGraphKernelNodeSetParams(n, &k));
    run(e);
    CHECK(at(0) == 1); /* the instance has its own */
    run_graph(g);
    CHECK(at(0) == 2);
    any.kernel.func = &store;
    any.kernel.gridDim = any.kernel.blockDim = (dim3){1, 1, 1};
    any.kernel.kernelParams = args;
    value = 3;
    OK(cudaGraphNodeSetParams(n, &any));
    run_graph(g);
    CHECK(at(0) == 3);
    value = 4;
    OK(cudaGraphExecNodeSetParams(e, n, &any));
    run(e);
    CHECK(at(0) == 4);
    any.reserved2 = 1;
    GIVES(cudaErrorInvalidValue, cudaGraphNodeSetParams(n, &any));
    cudaGraphNode_t empty;
    struct cudaGraphNodeParams none = {.type = cudaGraphNodeTypeEmpty};
    none.reserved1[3] = 1;
    GIVES(cudaErrorInvalidValue, cudaGraphAddNode(&empty, g, NULL, 0, &none));
    cudaKernelNodeAttrValue cluster = {.clusterDim = {2, 1, 1}}; /* of 1 block */
    GIVES(cudaErrorInvalidClusterSize,
          cudaGraphKernelNodeSetAttribute(
              n, cudaKernelNodeAttributeClusterDimension, &cluster));
    /* All in one block. */
    struct {
        unsigned *p;
        unsigned value;
    } packed = {device, 5};
    size_t size = sizeof packed.p + sizeof packed.value;
    void *extra[] = {(void *)1, &packed, (void *)2, &size, (void *)0};
    k.kernelParams = NULL, k.extra = extra;
    OK(cudaGraphExecKernelNodeSetParams(e, n, &k));
    run(e);
    CHECK(at(0) == 5);
    OK(cudaGraphExecDestroy(e));
}

static void fills(cudaGraph_t g)
{
    struct cudaMemsetParams m = {device, 0, 1, 4, 4, 1}, back;
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    OK(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    OK(cudaGraphInstantiate(&e, g, 0));
    m.value = 2;
    OK(cudaGraphMemsetNodeSetParams(n, &m));
    OK(cudaGraphMemsetNodeGetParams(n, &back));
    CHECK(back.dst == device && back.value == 2 && back.width == 4);
    run_graph(g);
    CHECK(at(3) == 2);
    m.value = 3;
    OK(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    run(e);
    CHECK(at(3) == 3);
    /* Two rows of one element, of 16 bytes each. */
    m.height = 2, m.pitch = 16, m.width = 1, m.value = 4;
    OK(cudaGraphMemsetNodeSetParams(n, &m));
    run_graph(g);
    CHECK(at(0) == 4 && at(4) == 4 && at(1) == 3);
    /* Rows stay rows, with another value or elsewhere. */
    GIVES(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(e, n, &m));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphInstantiate(&e, g, 0));
    m.dst = device + 1, m.value = 6;
    OK(cudaGraphExecMemsetNodeSetParams(e, n, &m));
    run(e);
    CHECK(at(0) == 4 && at(1) == 6 && at(5) == 6);
    m.width = 2;
    GIVES(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(e, n, &m));
    m.pitch = 17; /* elements lie at multiples of their size */
    GIVES(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(n, &m));
    OK(cudaGraphExecDestroy(e));
}

static void copies(cudaGraph_t g)
{
    unsigned in[3] = {11, 12, 13}, out[4] = {0};
    cudaGraphNode_t a, b, c, d;
    cudaGraphExec_t e;
    struct cudaMemcpy3DParms box = {
        .srcPtr = {in, 4, 4, 3},
        .dstPtr = {device, 8, 8, 3},
        .extent = {4, 3, 1},
        .kind = cudaMemcpyHostToDevice,
    };
    OK(cudaGraphAddMemcpyNode(&a, g, NULL, 0, &box));
    OK(cudaGraphAddMemcpyNodeToSymbol(&b, g, &a, 1, table, in, 4, 4,
                                      cudaMemcpyHostToDevice));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&c, g, &b, 1, out, table, 8, 0,
                                        cudaMemcpyDeviceToHost));
    OK(cudaGraphAddMemcpyNode1D(&d, g, &c, 1, out + 2, device, 4,
                                cudaMemcpyDeviceToHost));
    struct cudaMemcpy3DParms row; /* it has no rows to be apart */
    OK(cudaGraphMemcpyNodeGetParams(d, &row));
    CHECK(row.extent.width == 4 && !row.srcPtr.pitch && !row.dstPtr.pitch &&
          !row.srcPtr.xsize);
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddMemcpyNodeToSymbol(&b, g, &a, 1, table, in, 4, 16,
                                         cudaMemcpyHostToDevice));
    OK(cudaGraphInstantiate(&e, g, 0));
    run(e);
    CHECK(at(0) == 11 && at(2) == 12 && at(4) == 13);
    CHECK(out[0] == 1 && out[1] == 11 && out[2] == 11);

    box.srcPtr.ptr = in + 1, box.extent.height = 1;
    OK(cudaGraphMemcpyNodeSetParams(a, &box));
    OK(cudaGraphMemcpyNodeSetParamsToSymbol(b, table, in + 2, 4, 4,
                                            cudaMemcpyHostToDevice));
    OK(cudaGraphMemcpyNodeSetParamsFromSymbol(c, out, table, 4, 4,
                                              cudaMemcpyDeviceToHost));
    OK(cudaGraphMemcpyNodeSetParams1D(d, out + 3, device, 4,
                                      cudaMemcpyDeviceToHost));
    run_graph(g);
    CHECK(out[0] == 13 && out[3] == 12);

    in[0] = 21, in[1] = 22, in[2] = 23;
    /* Only rows change in an instance. */
    GIVES(cudaErrorInvalidValue, cudaGraphExecMemcpyNodeSetParams(e, a, &box));
    box.srcPtr.ptr = in, box.extent.height = 3;
    OK(cudaGraphExecMemcpyNodeSetParams(e, a, &box));
    OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(e, b, table, in + 2, 4, 4,
                                                cudaMemcpyHostToDevice));
    OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(e, c, out, table, 4, 4,
                                                  cudaMemcpyDeviceToHost));
    OK(cudaGraphExecMemcpyNodeSetParams1D(e, d, out + 3, device, 4,
                                          cudaMemcpyDeviceToHost));
    run(e);
    CHECK(out[0] == 23 && out[3] == 21);
    OK(cudaGraphExecDestroy(e));
}

static void add_one(void *data)
{
    ++*(int *)data;
}

static void hosts(cudaGraph_t g)
{
    int first = 0, second = 0;
    struct cudaHostNodeParams h = {add_one, &first}, back;
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    OK(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    OK(cudaGraphInstantiate(&e, g, 0));
    h.userData = &second;
    OK(cudaGraphHostNodeSetParams(n, &h));
    OK(cudaGraphHostNodeGetParams(n, &back));
    CHECK(back.fn == add_one && back.userData == &second);
    run(e);
    run_graph(g);
    CHECK(first == 1 && second == 1);
    OK(cudaGraphExecHostNodeSetParams(e, n, &h));
    run(e);
    CHECK(first == 1 && second == 2);
    OK(cudaGraphExecDestroy(e));
}

static void children(cudaGraph_t g)
{
    cudaGraph_t child, inner;
    cudaGraphNode_t n, fill;
    cudaGraphExec_t e;
    struct cudaMemsetParams m = {device, 0, 1, 4, 4, 1};
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphAddMemsetNode(&fill, child, NULL, 0, &m));
    OK(cudaGraphAddChildGraphNode(&n, g, NULL, 0, child));
    OK(cudaGraphInstantiate(&e, g, 0));
    m.value = 2;
    OK(cudaGraphMemsetNodeSetParams(fill, &m));
    OK(cudaGraphExecChildGraphNodeSetParams(e, n, child));
    run(e);
    CHECK(at(0) == 2);
    OK(cudaGraphChildGraphNodeGetGraph(n, &inner));
    CHECK(inner != child);
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(inner)); /* the node's */
    size_t count = 1;
    OK(cudaGraphGetNodes(inner, &fill, &count));
    m.value = 3;
    OK(cudaGraphExecMemsetNodeSetParams(e, fill, &m));
    run(e);
    CHECK(at(0) == 3);
    OK(cudaGraphAddMemsetNode(&fill, child, NULL, 0, &m));
    GIVES(cudaErrorGraphExecUpdateFailure,
          cudaGraphExecChildGraphNodeSetParams(e, n, child));
    OK(cudaGraphExecDestroy(e));
    /* In the graph, another one takes its place. */
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeGraph};
    m.value = 4;
    OK(cudaGraphMemsetNodeSetParams(fill, &m));
    p.graph.graph = child;
    OK(cudaGraphNodeSetParams(n, &p));
    OK(cudaGraphChildGraphNodeGetGraph(n, &inner));
    OK(cudaGraphGetNodes(inner, NULL, &count));
    CHECK(count == 2);
    p.graph.graph = NULL;
    GIVES(cudaErrorInvalidValue, cudaGraphNodeSetParams(n, &p));
    OK(cudaGraphDestroy(child));
}

static void events(cudaGraph_t g)
{
    cudaEvent_t a, b, got;
    cudaGraphNode_t record, wait;
    cudaGraphExec_t e;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    OK(cudaGraphAddEventRecordNode(&record, g, NULL, 0, a));
    OK(cudaGraphAddEventWaitNode(&wait, g, NULL, 0, a));
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphEventRecordNodeSetEvent(record, b));
    OK(cudaGraphEventWaitNodeSetEvent(wait, b));
    OK(cudaGraphEventWaitNodeGetEvent(wait, &got));
    CHECK(got == b);
    OK(cudaGraphExecEventRecordNodeSetEvent(e, record, b));
    OK(cudaGraphExecEventWaitNodeSetEvent(e, wait, b));
    GIVES(cudaErrorInvalidValue,
          cudaGraphExecEventWaitNodeSetEvent(e, record, b));
    run(e);
    run_graph(g);
    OK(cudaEventSynchronize(b));
    OK(cudaGraphExecDestroy(e));
    OK(cudaEventDestroy(a));
    OK(cudaEventDestroy(b));
}

static unsigned long long used_mib(void)
{
    unsigned long long bytes = 0;
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                      &bytes));
    return bytes >> 20;
}

/* What graphs free themselves counts once for all of them, in units of 32 MiB;
 * what they leave, for each. */
static void shared_memory(void)
{
    static const struct {
        bool frees[2];
        unsigned used_mib;
    } cases[] = {{{true, true}, 64}, {{true, false}, 96}, {{false, false}, 96}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cudaGraph_t g[2];
        cudaGraphExec_t e[2];
        void *left[2] = {NULL, NULL};
        OK(cudaDeviceGraphMemTrim(0));
        CHECK(used_mib() == 0);
        for (int k = 0; k < 2; k++) {
            cudaGraphNode_t alloc, release;
            struct cudaMemAllocNodeParams p = {.bytesize = 33 << 20};
            p.poolProps.allocType = cudaMemAllocationTypePinned;
            p.poolProps.location.type = cudaMemLocationTypeDevice;
            OK(cudaGraphCreate(&g[k], 0));
            OK(cudaGraphAddMemAllocNode(&alloc, g[k], NULL, 0, &p));
            if (cases[i].frees[k])
                OK(cudaGraphAddMemFreeNode(&release, g[k], &alloc, 1, p.dptr));
            else
                left[k] = p.dptr;
            OK(cudaGraphInstantiate(&e[k], g[k], 0));
            run(e[k]);
        }
        CHECK(used_mib() == cases[i].used_mib);
        for (int k = 0; k < 2; k++) {
            OK(cudaFree(left[k]));
            OK(cudaGraphExecDestroy(e[k]));
            OK(cudaGraphDestroy(g[k]));
        }
    }
}

static void memory(cudaGraph_t g)
{
    struct cudaGraphNodeParams any = {.type = cudaGraphNodeTypeMemAlloc};
    struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0},
                                       cudaMemAccessFlagsProtReadWrite};
    struct cudaMemAllocNodeParams back;
    cudaGraphNode_t alloc, release;
    void *p = NULL;
    unsigned long long zero = 0, one = 1;
    any.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    any.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    GIVES(cudaErrorInvalidValue, cudaGraphAddNode(&alloc, g, NULL, 0, &any));
    any.alloc.bytesize = 4096;
    any.alloc.accessDescCount = 1;
    GIVES(cudaErrorInvalidValue, cudaGraphAddNode(&alloc, g, NULL, 0, &any));
    any.alloc.accessDescs = &access;
    any.alloc.poolProps.maxSize = 1 << 20;
    OK(cudaGraphAddNode(&alloc, g, NULL, 0, &any));
    access.flags = cudaMemAccessFlagsProtNone;
    CHECK(any.alloc.dptr);
    OK(cudaGraphMemAllocNodeGetParams(alloc, &back));
    CHECK(back.dptr == any.alloc.dptr && back.bytesize == 4096);
    CHECK(back.poolProps.maxSize == 1 << 20 && back.accessDescCount == 1);
    CHECK(back.accessDescs && back.accessDescs != &access &&
          back.accessDescs->flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaGraphAddMemFreeNode(&release, g, &alloc, 1, back.dptr));
    OK(cudaGraphMemFreeNodeGetParams(release, &p));
    CHECK(p == back.dptr);
    run_graph(g);
    run_graph(g);
    shared_memory();
    OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
    GIVES(cudaErrorInvalidValue,
          cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one));
    GIVES(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(
                                     0, cudaGraphMemAttrUsedMemCurrent, &zero));
}

/* A graph that allocates and does not free. */
static cudaGraphNode_t add_left(cudaGraph_t g, unsigned **p)
{
    cudaGraphNode_t alloc, fill;
    struct cudaMemAllocNodeParams a = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = 64};
    OK(cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &a));
    const struct cudaMemsetParams m = {a.dptr, 0, 5, 4, 1, 1};
    OK(cudaGraphAddMemsetNode(&fill, g, &alloc, 1, &m));
    *p = a.dptr;
    return alloc;
}

/* An instance takes over another graph's memory, while it runs, too. */
static void memory_moves(cudaGraph_t g)
{
    cudaGraph_t other;
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info;
    unsigned *p, *q, value;
    add_left(g, &p);
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 20; i++) {
        OK(cudaGraphCreate(&other, 0));
        add_left(other, &q);
        OK(cudaGraphLaunch(e, stream));
        OK(cudaFreeAsync(p, stream));
        OK(cudaGraphExecUpdate(e, other, &info));
        OK(cudaGraphDestroy(other));
        p = q;
    }
    value = 0;
    run(e);
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    CHECK(value == 5);
    OK(cudaFree(p));
    OK(cudaGraphExecDestroy(e));
}

/* Which body runs, by the value that a launch begins with. */
static void conditions(cudaGraph_t g)
{
    static const struct {
        enum cudaGraphConditionalNodeType type;
        unsigned size, value, runs; /* which body runs; 9: none */
    } table[] = {
        {cudaGraphCondTypeIf, 1, 0, 9},     {cudaGraphCondTypeIf, 1, 5, 0},
        {cudaGraphCondTypeIf, 2, 0, 1},     {cudaGraphCondTypeIf, 2, 1, 0},
        {cudaGraphCondTypeSwitch, 3, 2, 2}, {cudaGraphCondTypeSwitch, 3, 0, 0},
        {cudaGraphCondTypeSwitch, 3, 3, 9}, {cudaGraphCondTypeWhile, 1, 0, 9},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cudaGraph_t graph;
        cudaGraphNode_t n, fill;
        struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
        OK(cudaMemset(device, 0, 64));
        OK(cudaGraphCreate(&graph, 0));
        OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, graph,
                                            table[i].value,
                                            cudaGraphCondAssignDefault));
        p.conditional.type = table[i].type;
        p.conditional.size = 0;
        GIVES(cudaErrorInvalidValue,
              cudaGraphAddNode_v2(&n, graph, NULL, NULL, 0, &p));
        p.conditional.size = table[i].size;
        OK(cudaGraphAddNode_v2(&n, graph, NULL, NULL, 0, &p));
        for (unsigned k = 0; k < table[i].size; k++) {
            struct cudaMemsetParams m = {device + k, 0, 1, 4, 1, 1};
            OK(cudaGraphAddMemsetNode(&fill, p.conditional.phGraph_out[k], NULL,
                                      0, &m));
        }
        run_graph(graph);
        for (unsigned k = 0; k < 3; k++)
            CHECK(at(k) == (k == table[i].runs));
        OK(cudaGraphDestroy(graph));
    }
    cudaGraphConditionalHandle handle;
    cudaGraphExec_t e;
    cudaGraphInstantiateParams ip = {0};
    GIVES(cudaErrorInvalidValue,
          cudaGraphConditionalHandleCreate(&handle, g, 1, 7));
    OK(cudaGraphConditionalHandleCreate(&handle, g, 1, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&e, g, &ip));
    CHECK(ip.result_out == cudaGraphInstantiateConditionalHandleUnused);
}

/* A graph with a body that fills a word if the condition's default is not 0. */
static cudaGraph_t fill_if(unsigned value)
{
    cudaGraph_t g;
    cudaGraphNode_t n, fill;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    const struct cudaMemsetParams m = {device, 0, 7, 4, 1, 1};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, g, value,
                                        cudaGraphCondAssignDefault));
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    OK(cudaGraphAddNode_v2(&n, g, NULL, NULL, 0, &p));
    OK(cudaGraphAddMemsetNode(&fill, p.conditional.phGraph_out[0], NULL, 0,
                              &m));
    return g;
}

static void wait_until_set(void *flag)
{
    while (!atomic_load((atomic_bool *)flag))
        sched_yield();
}

/* A launch keeps the condition that it was launched with, though it begins
 * after the instance's was changed. */
static void late_conditions(cudaGraph_t g)
{
    static atomic_bool may_begin;
    cudaGraph_t yes = fill_if(1), no = fill_if(0);
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info;
    (void)g;
    OK(cudaMemset(device, 0, 64));
    OK(cudaGraphInstantiate(&e, yes, 0));
    OK(cudaLaunchHostFunc(stream, wait_until_set, &may_begin));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaGraphExecUpdate(e, no, &info));
    atomic_store(&may_begin, true);
    OK(cudaStreamSynchronize(stream));
    CHECK(at(0) == 7);
    OK(cudaMemset(device, 0, 64));
    run(e);
    CHECK(at(0) == 0);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(yes));
    OK(cudaGraphDestroy(no));
}

/* What a picture with these flags says. */
static bool is_in_picture(cudaGraph_t g, unsigned flags, const char *text)
{
    static char picture[8192];
    OK(cudaGraphDebugDotPrint(g, dot_path, flags));
    FILE *f = fopen(dot_path, "r");
    picture[f ? fread(picture, 1, sizeof picture - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return strstr(picture, text) != NULL;
}

/* Each detail is there if its flag is, or the one for all. */
static void details(cudaGraph_t g)
{
    static const struct {
        unsigned flag;
        const char *text;
    } table[] = {
        {cudaGraphDebugDotFlagsKernelNodeParams, "parameter 1: 0x00000009"},
        {cudaGraphDebugDotFlagsKernelNodeAttributes,
         "priority 0, cooperative"},
        {cudaGraphDebugDotFlagsMemcpyNodeParams, "device to device"},
        {cudaGraphDebugDotFlagsMemcpyNodeParams, "12 x 1 x 1 bytes"},
        {cudaGraphDebugDotFlagsMemsetNodeParams, ":= 0x5"},
        {cudaGraphDebugDotFlagsHostNodeParams, "argument 0x123"},
        {cudaGraphDebugDotFlagsEventNodeParams, "event 0x"},
        {cudaGraphDebugDotFlagsConditionalNodeParams, "switch, handle"},
    };
    unsigned *p = device, value = 9;
    void *args[] = {&p, &value};
    const struct cudaKernelNodeParams k = {.func = &store,
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    const struct cudaMemsetParams m = {device, 0, 5, 4, 1, 1};
    const struct cudaHostNodeParams h = {add_one, (void *)0x123};
    struct cudaGraphNodeParams c = {.type = cudaGraphNodeTypeConditional};
    cudaLaunchAttributeValue v = {.cooperative = 1};
    cudaGraphNode_t n;
    cudaEvent_t e;
    OK(cudaEventCreate(&e));
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    OK(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    OK(cudaGraphAddMemsetNode(&n, g, &n, 1, &m));
    OK(cudaGraphAddMemcpyNode1D(&n, g, &n, 1, device, device + 9, 12,
                                cudaMemcpyDeviceToDevice));
    OK(cudaGraphAddHostNode(&n, g, &n, 1, &h));
    OK(cudaGraphAddEventRecordNode(&n, g, &n, 1, e));
    OK(cudaGraphConditionalHandleCreate(&c.conditional.handle, g, 0, 0));
    c.conditional.type = cudaGraphCondTypeSwitch;
    c.conditional.size = 2;
    OK(cudaGraphAddNode_v2(&n, g, &n, NULL, 1, &c));
    OK(cudaGraphAddEmptyNode(&n, c.conditional.phGraph_out[1], NULL, 0));
    CHECK(is_in_picture(g, 0, "label=\"body 1\"")); /* of the line to it */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        unsigned all = cudaGraphDebugDotFlagsVerbose;
        bool others = is_in_picture(g, 0xfffc & ~table[i].flag, table[i].text);
        if (others || !is_in_picture(g, table[i].flag, table[i].text) ||
            !is_in_picture(g, all, table[i].text)) {
            printf("a picture's \"%s\" is not by flag %x\n", table[i].text,
                   table[i].flag);
            failures++;
        }
    }
    OK(cudaEventDestroy(e));
}

/* Every flag; the picture names each node and each edge. */
static void pictures(cudaGraph_t g)
{
    cudaGraphNode_t a, b;
    struct cudaMemsetParams m = {device, 0, 1, 4, 1, 1};
    cudaGraphExec_t e;
    unsigned long long flags = 9;
    char text[4096];
    OK(cudaGraphAddMemsetNode(&a, g, NULL, 0, &m));
    OK(cudaGraphAddEmptyNode(&b, g, &a, 1));
    for (unsigned bit = 0; bit < 16; bit++)
        OK(cudaGraphDebugDotPrint(g, dot_path, 1u << bit));
    OK(cudaGraphDebugDotPrint(g, dot_path, cudaGraphDebugDotFlagsVerbose));
    FILE *f = fopen(dot_path, "r");
    size_t length = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[length] = '\0';
    if (f)
        fclose(f);
    CHECK(strstr(text, "MEMSET | 0 | 0x") && strstr(text, "EMPTY | 1"));
    CHECK(strstr(text, "_node_0\" -> \"graph_"));
    GIVES(cudaErrorOperatingSystem,
          cudaGraphDebugDotPrint(g, "/nonexistent/graph.dot", 0));
    OK(cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagUseNodePriority));
    OK(cudaGraphExecGetFlags(e, &flags));
    CHECK(flags == 0); /* an H200 does not say it, nor of an upload */
    OK(cudaGraphExecDestroy(e));
    GIVES(cudaErrorInvalidValue,
          cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagUpload));
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&e, g, 64));
    cudaUserObject_t o;
    OK(cudaUserObjectCreate(&o, &flags, add_one, 1,
                            cudaUserObjectNoDestructorSync));
    OK(cudaUserObjectRetain(o, 2));
    OK(cudaUserObjectRelease(o, 2));
    GIVES(cudaErrorInvalidValue, cudaUserObjectRelease(o, 2));
}

int main(void)
{
    static void (*const tests[])(cudaGraph_t) = {
        kernels_params, fills,           copies,  hosts,
        children,       events,          memory,  memory_moves,
        conditions,     late_conditions, details, pictures,
    };
    kernels_register();
    snprintf(dot_path, sizeof dot_path, "graph-params-%d.dot", (int)getpid());
    OK(cudaMalloc((void **)&device, 4096));
    OK(cudaStreamCreate(&stream));
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        cudaGraph_t g;
        OK(cudaGraphCreate(&g, 0));
        tests[i](g);
        OK(cudaGraphDestroy(g));
    }
    unlink(dot_path);
    return check_result();
}
