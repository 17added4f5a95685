/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instances that several threads launch and change at once, launches of one in
 * several streams, and a fault in a node.
 */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

enum { STREAMS = 4 };

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

static unsigned *slots;

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

/* One instance in several streams: its runs come one after the other, each
 * with the parameters that it was launched with. */
static void one_in_many_streams(void)
{
    enum { RUNS = 60 };
    cudaStream_t streams[STREAMS];
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    unsigned *slot = slots + 300, value = 0, wanted = 0, got = 0;
    void *args[] = {&slot, &slot, &value};
    const struct cudaKernelNodeParams k = {.func = &mix,
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    OK(cudaGraphInstantiate(&e, g, 0));
    for (unsigned i = 0; i < STREAMS; i++)
        OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    for (value = 0; value < RUNS; value++) {
        OK(cudaGraphExecKernelNodeSetParams(e, n, &k));
        OK(cudaGraphLaunch(e, streams[value % STREAMS]));
        wanted = wanted * 3 + wanted + value;
    }
    OK(cudaGraphExecDestroy(e)); /* launches go on */
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&got, slot, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == wanted);
    OK(cudaGraphDestroy(g));
    for (unsigned i = 0; i < STREAMS; i++)
        OK(cudaStreamDestroy(streams[i]));
}

/* What the error log says of a fault names the node, as pictures do. */
static void check_log(cudaGraph_t g, unsigned node)
{
    static char log[25600], picture[4096];
    char name[64], path[64];
    snprintf(path, sizeof path, "graph-threads-%d.dot", (int)getpid());
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
    one_in_many_streams();
    for (unsigned i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, slots + 100 + 16 * i);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    launch_and_change();
    fault();
    return check_result();
}
