/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates of an instance by another graph: what counts as the same shape, and
 * for each difference the result, the node, and that nothing has changed.
 */
#include "check.h"
#include "kernels.h"

static unsigned *device;
static cudaStream_t stream;

/* ---- graphs ------------------------------------------------------------- */

/* fill -> store -> copy, store -> host: the nodes in this order. */
enum { FILL, STORE, COPY, HOST, NODES };

/* What is other about a graph. */
enum change {
    NOTHING,
    OTHER_VALUES,   /* of fill, kernel and copy */
    OTHER_ORDER,    /* of making nodes, edges and sinks as before */
    FEWER_NODES,    /* no copy */
    MORE_NODES,     /* one more sink */
    EDGE_LESS,      /* fill and store side by side */
    EDGE_ELSEWHERE, /* copy behind the fill */
    SINKS_SWAPPED,
    TYPE,        /* an empty node in place of the host function */
    FILL_2D,     /* of two rows */
    FILL_HOST,   /* another kind of memory is copied */
    COOPERATIVE, /* the kernel */
    PRIORITY,    /* of the kernel */
};

static void called(void *data)
{
    (void)data;
}

static void add_fill(cudaGraph_t g, enum change c, cudaGraphNode_t *n)
{
    const struct cudaMemsetParams p = {.dst = device + 8,
                                       .value = c == OTHER_VALUES ? 6 : 5,
                                       .elementSize = 4,
                                       .width = 2,
                                       .height = c == FILL_2D ? 2 : 1,
                                       .pitch = 64};
    OK(cudaGraphAddMemsetNode(&n[FILL], g, NULL, 0, &p));
}

static void add_store(cudaGraph_t g, enum change c, cudaGraphNode_t *n)
{
    unsigned value = c == OTHER_VALUES ? 8 : 7;
    void *args[] = {&device, &value};
    const struct cudaKernelNodeParams k = {.func = &store,
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphAddKernelNode(&n[STORE], g, NULL, 0, &k));
    cudaLaunchAttributeValue v = {0};
    v.cooperative = 1;
    if (c == COOPERATIVE)
        OK(cudaGraphKernelNodeSetAttribute(n[STORE],
                                           cudaLaunchAttributeCooperative, &v));
    v.priority = -1;
    if (c == PRIORITY)
        OK(cudaGraphKernelNodeSetAttribute(n[STORE],
                                           cudaLaunchAttributePriority, &v));
    if (c != EDGE_LESS)
        OK(cudaGraphAddDependencies(g, &n[FILL], &n[STORE], 1));
}

static void add_copy(cudaGraph_t g, enum change c, cudaGraphNode_t *n)
{
    static unsigned on_host[4];
    bool is_host = c == FILL_HOST;
    if (c == FEWER_NODES)
        return;
    OK(cudaGraphAddMemcpyNode1D(
        &n[COPY], g, &n[c == EDGE_ELSEWHERE ? FILL : STORE], 1, device + 16,
        is_host ? on_host : device + (c == OTHER_VALUES ? 9 : 0), 4,
        is_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice));
}

static void add_host(cudaGraph_t g, enum change c, cudaGraphNode_t *n)
{
    const struct cudaHostNodeParams h = {called, NULL};
    if (c == TYPE)
        OK(cudaGraphAddEmptyNode(&n[HOST], g, &n[STORE], 1));
    else
        OK(cudaGraphAddHostNode(&n[HOST], g, &n[STORE], 1, &h));
}

/* Nodes other than sinks may be made in any order. */
static cudaGraph_t make(enum change c, cudaGraphNode_t *n)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    memset(n, 0, (NODES + 1) * sizeof *n);
    if (c == OTHER_ORDER) {
        add_store(g, EDGE_LESS, n);
        add_fill(g, c, n);
        OK(cudaGraphAddDependencies(g, &n[FILL], &n[STORE], 1));
    } else {
        add_fill(g, c, n);
        add_store(g, c, n);
    }
    if (c == SINKS_SWAPPED)
        add_host(g, c, n);
    add_copy(g, c, n);
    if (c != SINKS_SWAPPED)
        add_host(g, c, n);
    if (c == MORE_NODES)
        OK(cudaGraphAddEmptyNode(&n[NODES], g, &n[HOST], 1));
    return g;
}

/* ---- the table ---------------------------------------------------------- */

static const struct {
    enum change change;
    enum cudaGraphExecUpdateResult result;
    int node; /* -1: none */
} cases[] = {
    {NOTHING, cudaGraphExecUpdateSuccess, -1},
    {OTHER_VALUES, cudaGraphExecUpdateSuccess, -1},
    {OTHER_ORDER, cudaGraphExecUpdateSuccess, -1},
    {FEWER_NODES, cudaGraphExecUpdateErrorTopologyChanged, -1},
    {MORE_NODES, cudaGraphExecUpdateErrorTopologyChanged, -1},
    {EDGE_LESS, cudaGraphExecUpdateErrorTopologyChanged, FILL},
    {EDGE_ELSEWHERE, cudaGraphExecUpdateErrorTopologyChanged, COPY},
    {SINKS_SWAPPED, cudaGraphExecUpdateErrorNodeTypeChanged, COPY},
    {TYPE, cudaGraphExecUpdateErrorNodeTypeChanged, HOST},
    {FILL_2D, cudaGraphExecUpdateErrorParametersChanged, FILL},
    {FILL_HOST, cudaGraphExecUpdateErrorParametersChanged, COPY},
    {COOPERATIVE, cudaGraphExecUpdateErrorAttributesChanged, STORE},
    {PRIORITY, cudaGraphExecUpdateSuccess, -1},
};

static int index_of(const cudaGraphNode_t *nodes, cudaGraphNode_t n)
{
    for (int i = 0; n && i <= NODES; i++)
        if (nodes[i] == n)
            return i;
    return -1;
}

/* What a launch leaves behind. */
static bool leaves(cudaGraphExec_t e, unsigned filled, unsigned stored)
{
    unsigned at[17];
    OK(cudaMemset(device, 0, 4096));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(at, device, sizeof at, cudaMemcpyDefault));
    return at[8] == filled && at[0] == stored;
}

static void check(size_t i)
{
    enum change c = cases[i].change;
    cudaGraphNode_t own[NODES + 1], other[NODES + 1];
    cudaGraph_t g = make(NOTHING, own), h = make(c, other);
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphInstantiate(&e, g, 0));
    cudaError_t err = cudaGraphExecUpdate(e, h, &info);
    int node = index_of(other, info.errorNode);
    bool is_fine = cases[i].result == cudaGraphExecUpdateSuccess;
    if (err != (is_fine ? cudaSuccess : cudaErrorGraphExecUpdateFailure) ||
        info.result != cases[i].result || node != cases[i].node) {
        printf("change %d: %s, result %d, node %d\n", c, cudaGetErrorName(err),
               info.result, node);
        failures++;
    }
    cudaGetLastError();
    bool is_other = c == OTHER_VALUES;
    CHECK(leaves(e, is_other ? 6 : 5, is_other ? 8 : 7));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(h));
}

/* ---- handles that are gone, nodes of others ----------------------------- */

static void mistakes(void)
{
    cudaGraphNode_t own[NODES + 1], other[NODES + 1];
    cudaGraph_t g = make(NOTHING, own), h = make(NOTHING, other);
    cudaGraphExec_t e, gone;
    cudaGraphExecUpdateResultInfo info;
    const struct cudaHostNodeParams p = {called, NULL};
    const struct cudaMemsetParams fill = {device, 0, 1, 4, 1, 1};
    unsigned on;
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphInstantiate(&gone, g, 0));
    OK(cudaGraphExecDestroy(gone));
    GIVES(cudaErrorInvalidValue, cudaGraphExecDestroy(gone));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(gone, stream));
    GIVES(cudaErrorInvalidValue, cudaGraphUpload(gone, stream));
    GIVES(cudaErrorInvalidValue, cudaGraphExecUpdate(gone, g, &info));
    GIVES(cudaErrorInvalidValue,
          cudaGraphExecHostNodeSetParams(e, other[HOST], &p));
    GIVES(cudaErrorInvalidValue,
          cudaGraphExecHostNodeSetParams(e, own[COPY], &p));
    GIVES(cudaErrorInvalidValue,
          cudaGraphExecMemsetNodeSetParams(e, own[STORE], &fill));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeGetEnabled(e, other[FILL], &on));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(e, own[HOST], 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddDependencies(g, &own[COPY], &other[HOST], 1));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddDependencies(g, &own[FILL], &own[FILL], 1));
    OK(cudaGraphDestroy(h));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(h));
    GIVES(cudaErrorInvalidValue, cudaGraphExecUpdate(e, h, &info));
    CHECK(info.result == cudaGraphExecUpdateError);
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&gone, h, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphClone(&h, h));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroyNode(other[FILL]));
    OK(cudaGraphDestroy(g));
    CHECK(leaves(e, 5, 7)); /* an instance needs its graph no more */
    OK(cudaGraphExecDestroy(e));
}

/* What a GPU's driver says of edges with data, conditions, graphs in capture.
 */
static void states(void)
{
    cudaGraphNode_t n[NODES + 1], a, b;
    cudaGraph_t g = make(NOTHING, n), h;
    cudaGraphExec_t e, second;
    cudaGraphEdgeData d = {.type = cudaGraphDependencyTypeProgrammatic};
    unsigned value = 1;
    void *args[] = {&device, &value};
    const struct cudaKernelNodeParams k = {.func = &store,
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphAddKernelNode(&a, g, NULL, 0, &k));
    OK(cudaGraphAddKernelNode(&b, g, NULL, 0, &k));
    /* Programmatic edges name the port, removing without data takes any. */
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies_v2(g, &a, &b, &d, 1));
    d.from_port = cudaGraphKernelNodePortProgrammatic;
    OK(cudaGraphAddDependencies_v2(g, &a, &b, &d, 1));
    OK(cudaGraphRemoveDependencies_v2(g, &a, &b, NULL, 1));
    GIVES(cudaErrorInvalidValue,
          cudaGraphRemoveDependencies_v2(g, &a, &b, &d, 1));
    /* A condition may go, and leaves its handle unused. */
    cudaGraphConditionalHandle handle;
    OK(cudaGraphConditionalHandleCreate(&handle, g, 0, 0));
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&a, g, NULL, 0, &p));
    OK(cudaGraphInstantiate(&e, g, 0));
    /* One instance has the conditions, and nothing else may. */
    GIVES(cudaErrorNotSupported, cudaGraphInstantiate(&second, g, 0));
    GIVES(cudaErrorNotSupported, cudaGraphClone(&h, g));
    GIVES(cudaErrorNotSupported,
          cudaGraphClone(&h, p.conditional.phGraph_out[0]));
    OK(cudaGraphCreate(&h, 0));
    GIVES(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&b, h, NULL, 0, g));
    OK(cudaGraphDestroy(h));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroyNode(a));
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphAddNode(&a, g, NULL, 0, &p));
    /* What a stream is captured into loses no node. */
    OK(cudaStreamBeginCaptureToGraph(stream, g, &n[STORE], NULL, 1,
                                     cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorIllegalState, cudaGraphDestroyNode(n[STORE]));
    GIVES(cudaErrorIllegalState, cudaGraphDestroy(g));
    OK(cudaGraphAddEmptyNode(&b, g, NULL, 0));
    OK(cudaMemsetAsync(device, 0, 4, stream));
    OK(cudaStreamEndCapture(stream, &h));
    CHECK(h == g);
    OK(cudaGraphDestroyNode(n[HOST]));
    OK(cudaGraphDestroy(g));
}

/* The error log has the name of the function that was called. */
static void names(void)
{
    static char log[25600];
    size_t size = sizeof log;
    cudaGraph_t g;
    cudaGraphNode_t n;
    OK(cudaGraphCreate(&g, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&n, g, NULL, 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphHostNodeSetParams(NULL, NULL));
    OK(cudaLogsDumpToMemory(NULL, log, &size, 0));
    CHECK(strstr(log, "from cudaGraphAddMemsetNode") != NULL);
    CHECK(strstr(log, "from cudaGraphHostNodeSetParams") != NULL);
    OK(cudaGraphDestroy(g));
}

int main(void)
{
    kernels_register();
    OK(cudaMalloc((void **)&device, 4096));
    OK(cudaStreamCreate(&stream));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(i);
    mistakes();
    states();
    names();
    return check_result();
}
