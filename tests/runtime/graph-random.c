/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random DAGs, made three times: as a graph by hand, captured from streams,
 * and as plain streams. Each node adds to what it finds in the slots of the
 * nodes before it, so that a node that runs too early leaves another result.
 * Then: several threads launch and change instances at once.
 */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

enum { NODES = 40, STREAMS = 4, DAGS = 25, ROUNDS = 3 };

/* sum: slot[to] = slot[to] * 3 + slot[from] + value */
static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry mix(.param .u64 to, .param .u64 from, .param .u32 value)\n"
    "{ .reg .b32 %r<6>; .reg .b64 %d<3>; ld.param.u64 %d1, [to];\n"
    "  ld.param.u64 %d2, [from]; ld.param.u32 %r1, [value];\n"
    "  ld.global.u32 %r2, [%d1]; ld.global.u32 %r3, [%d2];\n"
    "  mad.lo.u32 %r4, %r2, 3, %r3; add.u32 %r5, %r4, %r1;\n"
    "  st.global.u32 [%d1], %r5; ret; }\n"
    ".visible .entry count(.param .u64 to) { .reg .b64 %d<2>; .reg .b32 "
    "%r<3>;\n"
    "  ld.param.u64 %d1, [to]; ld.global.u32 %r1, [%d1];\n"
    "  add.u32 %r2, %r1, 1; st.global.u32 [%d1], %r2; ret; }\n"
    ".visible .entry stray() { .reg .b64 %d<2>; mov.u64 %d1, 64;\n"
    "  st.global.u32 [%d1], 1; ret; }\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char mix, count, stray;

static unsigned *slots, result[NODES + 1], expected[NODES + 1];
static unsigned seed;

static unsigned any(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
}

/* A node writes its own slot, from one of its dependencies' or the first. */
struct node {
    unsigned before[3], before_count, value;
    int kind; /* kernel, fill and copy */
    unsigned stream;
};
static struct node dag[NODES];

static void make_dag(void)
{
    for (unsigned i = 0; i < NODES; i++) {
        struct node *n = &dag[i];
        *n = (struct node){.value = any(1000), .kind = (int)any(4)};
        n->stream = any(STREAMS);
        for (unsigned k = 0; i && k < 3; k++) {
            unsigned b = any(i);
            bool is_new = any(4) != 0;
            for (unsigned j = 0; j < n->before_count; j++)
                is_new &= n->before[j] != b;
            if (is_new)
                n->before[n->before_count++] = b;
        }
    }
}

static unsigned *from_of(unsigned i)
{
    const struct node *n = &dag[i];
    return slots + (n->before_count ? n->before[0] + 1 : 0);
}

/* On the host: what must come of so many rounds. */
static void compute(void)
{
    memset(expected, 0, sizeof expected);
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < NODES; i++) {
            unsigned *to = &expected[i + 1];
            unsigned from = expected[from_of(i) - slots];
            if (dag[i].kind == 0)
                *to = dag[i].value;
            else if (dag[i].kind == 1)
                *to = from;
            else
                *to = *to * 3 + from + dag[i].value;
        }
    }
}

/* The next node of `stream`; all three ways go through here or add_node. */
static void put(unsigned i, cudaStream_t stream)
{
    unsigned *to = slots + i + 1, *from = from_of(i);
    void *args[] = {&to, &from, &dag[i].value};
    const dim3 one = {1, 1, 1};
    if (dag[i].kind == 0)
        OK(cudaMemcpyAsync(to, &dag[i].value, 4, cudaMemcpyHostToDevice,
                           stream));
    else if (dag[i].kind == 1)
        OK(cudaMemcpyAsync(to, from, 4, cudaMemcpyDeviceToDevice, stream));
    else
        OK(cudaLaunchKernel(&mix, one, one, args, 0, stream));
}

static cudaGraph_t by_hand(void)
{
    cudaGraph_t g;
    cudaGraphNode_t nodes[NODES], before[3];
    OK(cudaGraphCreate(&g, 0));
    for (unsigned i = 0; i < NODES; i++) {
        unsigned *to = slots + i + 1, *from = from_of(i);
        void *args[] = {&to, &from, &dag[i].value};
        size_t count = dag[i].before_count;
        const struct cudaKernelNodeParams k = {.func = &mix,
                                               .gridDim = {1, 1, 1},
                                               .blockDim = {1, 1, 1},
                                               .kernelParams = args};
        for (size_t k2 = 0; k2 < count; k2++)
            before[k2] = nodes[dag[i].before[k2]];
        if (dag[i].kind == 0)
            OK(cudaGraphAddMemcpyNode1D(&nodes[i], g, before, count, to,
                                        &dag[i].value, 4,
                                        cudaMemcpyHostToDevice));
        else if (dag[i].kind == 1)
            OK(cudaGraphAddMemcpyNode1D(&nodes[i], g, before, count, to, from,
                                        4, cudaMemcpyDeviceToDevice));
        else
            OK(cudaGraphAddKernelNode(&nodes[i], g, before, count, &k));
    }
    return g;
}

/* Into streams, each node behind events of those before it. */
static void into_streams(cudaStream_t *streams, cudaEvent_t *events)
{
    OK(cudaEventRecord(events[NODES], streams[0]));
    for (unsigned i = 1; i < STREAMS; i++)
        OK(cudaStreamWaitEvent(streams[i], events[NODES], 0));
    for (unsigned i = 0; i < NODES; i++) {
        cudaStream_t s = streams[dag[i].stream];
        for (unsigned k = 0; k < dag[i].before_count; k++)
            OK(cudaStreamWaitEvent(s, events[dag[i].before[k]], 0));
        put(i, s);
        OK(cudaEventRecord(events[i], s));
    }
    for (unsigned i = 1; i < STREAMS; i++) {
        OK(cudaEventRecord(events[NODES], streams[i]));
        OK(cudaStreamWaitEvent(streams[0], events[NODES], 0));
    }
}

static void check(const char *way, unsigned number)
{
    OK(cudaMemcpy(result, slots, sizeof result, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i <= NODES; i++) {
        if (result[i] == expected[i])
            continue;
        printf("%s, graph %u: slot %u is %u, not %u\n", way, number, i,
               result[i], expected[i]);
        failures++;
        break;
    }
    OK(cudaMemset(slots, 0, sizeof result));
    OK(cudaDeviceSynchronize());
}

static void launch(cudaGraph_t g, cudaStream_t stream)
{
    cudaGraphExec_t e;
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int round = 0; round < ROUNDS; round++)
        OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

static void random_graphs(void)
{
    cudaStream_t streams[STREAMS];
    cudaEvent_t events[NODES + 1];
    for (unsigned i = 0; i < STREAMS; i++)
        OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    for (unsigned i = 0; i <= NODES; i++)
        OK(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
    for (unsigned number = 1; number <= DAGS; number++) {
        cudaGraph_t g;
        seed = number;
        make_dag();
        compute();
        for (int round = 0; round < ROUNDS; round++)
            into_streams(streams, events);
        OK(cudaStreamSynchronize(streams[0]));
        check("streams", number);
        launch(by_hand(), streams[0]);
        check("by hand", number);
        OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
        into_streams(streams, events);
        OK(cudaStreamEndCapture(streams[0], &g));
        launch(g, streams[0]);
        check("captured", number);
    }
    for (unsigned i = 0; i < STREAMS; i++)
        OK(cudaStreamDestroy(streams[i]));
    for (unsigned i = 0; i <= NODES; i++)
        OK(cudaEventDestroy(events[i]));
}

/* ---- from several threads ------------------------------------------------ */

/* An instance of its own: launched and changed while others are. */
static void *work(void *data)
{
    unsigned *slot = data, value = 0;
    void *args[] = {&slot, &slot, &value};
    struct cudaKernelNodeParams k = {.func = &mix,
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    unsigned wanted = 0, got = 0;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    OK(cudaGraphInstantiate(&e, g, 0));
    for (value = 1; value < 300; value++) {
        OK(cudaGraphExecKernelNodeSetParams(e, n, &k));
        OK(cudaGraphLaunch(e, s));
        wanted = wanted * 3 + wanted + value;
        if (value % 50 == 0)
            OK(cudaStreamSynchronize(s));
    }
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpyAsync(&got, slot, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(got == wanted);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    return data;
}

/* ---- one instance, several threads --------------------------------------- */

enum { EACH = 200 };

static struct {
    cudaGraphExec_t instance;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    unsigned *targets; /* two */
} shared;

static struct cudaKernelNodeParams counts(void **args)
{
    return (struct cudaKernelNodeParams){.func = &count,
                                         .gridDim = {1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = args};
}

static void *launch_shared(void *data)
{
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < EACH; i++)
        OK(cudaGraphLaunch(shared.instance, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamDestroy(s));
    return data;
}

/* To and fro between the targets, by the node and by the whole graph. */
static void *change_shared(void *data)
{
    cudaGraphExecUpdateResultInfo info;
    for (unsigned i = 0; i < EACH; i++) {
        unsigned *target = shared.targets + i % 2;
        void *args[] = {&target};
        const struct cudaKernelNodeParams k = counts(args);
        if (i % 4 < 2) {
            OK(cudaGraphExecKernelNodeSetParams(shared.instance, shared.node,
                                                &k));
        } else {
            OK(cudaGraphKernelNodeSetParams(shared.node, &k));
            OK(cudaGraphExecUpdate(shared.instance, shared.graph, &info));
        }
    }
    return data;
}

/* Each launch counts once, at one of the targets. */
static void launch_and_change(void)
{
    enum { LAUNCHERS = 3 };
    pthread_t threads[LAUNCHERS + 1];
    unsigned sums[2];
    shared.targets = slots + 200;
    void *args[] = {&shared.targets};
    const struct cudaKernelNodeParams k = counts(args);
    OK(cudaGraphCreate(&shared.graph, 0));
    OK(cudaGraphAddKernelNode(&shared.node, shared.graph, NULL, 0, &k));
    OK(cudaGraphInstantiate(&shared.instance, shared.graph, 0));
    for (int i = 0; i <= LAUNCHERS; i++)
        pthread_create(&threads[i], NULL,
                       i < LAUNCHERS ? launch_shared : change_shared, NULL);
    for (int i = 0; i <= LAUNCHERS; i++)
        pthread_join(threads[i], NULL);
    OK(cudaMemcpy(sums, shared.targets, sizeof sums, cudaMemcpyDefault));
    CHECK(sums[0] + sums[1] == LAUNCHERS * EACH);
    OK(cudaGraphExecDestroy(shared.instance));
    OK(cudaGraphDestroy(shared.graph));
}

/* One instance in several streams: its runs come one after the other. */
static void one_in_many_streams(void)
{
    cudaStream_t streams[STREAMS];
    cudaGraph_t g;
    cudaGraphExec_t e;
    seed = 77;
    make_dag();
    compute();
    g = by_hand();
    OK(cudaGraphInstantiate(&e, g, 0));
    for (unsigned i = 0; i < STREAMS; i++)
        OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    for (int round = 0; round < ROUNDS; round++)
        OK(cudaGraphLaunch(e, streams[round % STREAMS]));
    OK(cudaGraphExecDestroy(e)); /* launches go on */
    OK(cudaDeviceSynchronize());
    check("many streams", 0);
    OK(cudaGraphDestroy(g));
    for (unsigned i = 0; i < STREAMS; i++)
        OK(cudaStreamDestroy(streams[i]));
}

/* What the error log says of a fault names the node, as pictures do. */
static void check_log(cudaGraph_t g, unsigned node)
{
    static char log[25600], picture[4096];
    char name[64], path[64];
    snprintf(path, sizeof path, "graph-random-%d.dot", (int)getpid());
    OK(cudaGraphDebugDotPrint(g, path, 0));
    FILE *f = fopen(path, "r");
    picture[f ? fread(picture, 1, sizeof picture - 1, f) : 0] = 0;
    if (f)
        fclose(f);
    remove(path);
    const char *graph = strstr(picture, "graph_");
    CHECK(graph != NULL);
    snprintf(name, sizeof name, "%.*s_node_%u ", (int)strcspn(graph, "\""),
             graph, node);
    size_t size = sizeof log;
    OK(cudaLogsDumpToMemory(NULL, log, &size, 0)); /* it is there at once */
    CHECK(strstr(log, "kernel stray: illegal address 0x40") != NULL);
    CHECK(strstr(log, name) != NULL);
}

/* A fault in a node: the context's error, and nothing behind it runs. */
static void fault(void)
{
    cudaGraph_t g;
    cudaGraphNode_t a, b;
    cudaGraphExec_t e;
    const struct cudaKernelNodeParams k = {
        .func = &stray, .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}};
    const struct cudaMemsetParams m = {slots, 0, 9, 4, 1, 1};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemsetNode(&b, g, NULL, 0, &m));
    OK(cudaGraphAddKernelNode(&a, g, NULL, 0, &k));
    OK(cudaGraphAddMemsetNode(&b, g, &a, 1, &m));
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, NULL));
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaGraphLaunch(e, NULL));
    check_log(g, 1);
    GIVES(cudaErrorIllegalAddress, cudaGraphExecKernelNodeSetParams(e, a, &k));
    GIVES(cudaErrorIllegalAddress, cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphCreate(&g, 0)); /* a graph alone is no work */
}

int main(void)
{
    pthread_t threads[4];
    void **module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, &mix, &mix, "mix", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &count, &count, "count", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &stray, &stray, "stray", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    OK(cudaMalloc((void **)&slots, 4096));
    OK(cudaMemset(slots, 0, 4096));
    OK(cudaDeviceSynchronize()); /* the streams wait for no other */
    random_graphs();
    one_in_many_streams();
    for (unsigned i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, slots + 100 + 16 * i);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    launch_and_change();
#ifndef WITHOUT_FAULTS
    fault();
#endif
    return check_result();
}
