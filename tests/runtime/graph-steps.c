/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs as programs for language models use them: the work of a step is
 * captured once; before each further step some kernels get other pointers, in
 * the graph, by which the instance is updated; or the step is captured anew and
 * the instance updated by that. A step with one kernel more needs a new
 * instance.
 */
#include "check.h"

enum { LAYERS = 12, STEPS = 60, CELLS = 64, MORE_AT = 40 };

/* mix: to[i] = from[i] * 3 + value + i. put: a row of the cache. */
static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry mix(.param .u64 to, .param .u64 from, .param .u32 value)\n"
    "{ .reg .b32 %r<6>; .reg .b64 %d<5>; ld.param.u64 %d1, [to];\n"
    "  ld.param.u64 %d2, [from]; ld.param.u32 %r1, [value];\n"
    "  mov.u32 %r2, %tid.x; mul.wide.u32 %d3, %r2, 4; add.u64 %d4, %d2, %d3;\n"
    "  ld.global.u32 %r3, [%d4]; mad.lo.u32 %r4, %r3, 3, %r1;\n"
    "  add.u32 %r5, %r4, %r2; add.u64 %d4, %d1, %d3;\n"
    "  st.global.u32 [%d4], %r5; ret; }\n"
    ".visible .entry put(.param .u64 row, .param .u64 from)\n"
    "{ .reg .b32 %r<3>; .reg .b64 %d<5>; ld.param.u64 %d1, [row];\n"
    "  ld.param.u64 %d2, [from]; mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3;\n"
    "  ld.global.u32 %r2, [%d4]; add.u64 %d4, %d1, %d3;\n"
    "  st.global.u32 [%d4], %r2; ret; }\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char mix, put;

/* The state, a scratch row, and a row of the cache for each step and layer. */
static unsigned *state, *scratch, *cache;
static unsigned expected_state[CELLS], expected[STEPS][LAYERS][CELLS];
static const dim3 one = {1, 1, 1}, cells = {CELLS, 1, 1};

static unsigned *row_of(unsigned step, unsigned layer)
{
    return cache + (step * LAYERS + layer) * CELLS;
}

static unsigned mixes(unsigned step)
{
    return step >= MORE_AT ? 2 : 1; /* in each layer */
}

static void compute(void)
{
    memset(expected_state, 0, sizeof expected_state);
    for (unsigned step = 0; step < STEPS; step++)
        for (unsigned layer = 0; layer < LAYERS; layer++)
            for (unsigned i = 0; i < CELLS; i++) {
                for (unsigned m = 0; m < mixes(step); m++)
                    expected_state[i] = expected_state[i] * 3 + layer + i;
                expected[step][layer][i] = expected_state[i];
            }
}

static void run_step(unsigned step, cudaStream_t s)
{
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        unsigned *row = row_of(step, layer);
        void *mix_args[] = {&scratch, &state, &layer};
        void *put_args[] = {&row, &state};
        for (unsigned m = 0; m < mixes(step); m++) {
            OK(cudaLaunchKernel(&mix, one, cells, mix_args, 0, s));
            OK(cudaMemcpyAsync(state, scratch, CELLS * 4,
                               cudaMemcpyDeviceToDevice, s));
        }
        OK(cudaLaunchKernel(&put, one, cells, put_args, 0, s));
    }
}

static cudaGraph_t captured(unsigned step, cudaStream_t s)
{
    cudaGraph_t g;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    run_step(step, s);
    OK(cudaStreamEndCapture(s, &g));
    return g;
}

static void start(cudaStream_t s)
{
    OK(cudaMemsetAsync(state, 0, CELLS * 4, s));
    OK(cudaMemsetAsync(cache, 0, sizeof expected, s));
}

static void check(const char *way, cudaStream_t s)
{
    static unsigned found[STEPS][LAYERS][CELLS];
    OK(cudaMemcpyAsync(found, cache, sizeof found, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    if (!memcmp(found, expected, sizeof found))
        return;
    printf("%s: the cache is wrong\n", way);
    failures++;
}

/* The nodes that store rows, in the order of layers. */
static unsigned find_puts(cudaGraph_t g, cudaGraphNode_t *puts)
{
    cudaGraphNode_t nodes[LAYERS * 5];
    size_t count = LAYERS * 5;
    unsigned found = 0;
    OK(cudaGraphGetNodes(g, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        enum cudaGraphNodeType type;
        struct cudaKernelNodeParams k;
        OK(cudaGraphNodeGetType(nodes[i], &type));
        if (type != cudaGraphNodeTypeKernel)
            continue;
        OK(cudaGraphKernelNodeGetParams(nodes[i], &k));
        if (k.func == &put)
            puts[found++] = nodes[i];
    }
    return found;
}

static void set_rows(cudaGraphNode_t *puts, unsigned step)
{
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        struct cudaKernelNodeParams k;
        unsigned *row = row_of(step, layer);
        OK(cudaGraphKernelNodeGetParams(puts[layer], &k));
        k.kernelParams[0] = &row;
        OK(cudaGraphKernelNodeSetParams(puts[layer], &k));
    }
}

/* Captured once, pointers changed in the graph. */
static void with_pointers(cudaStream_t s)
{
    cudaGraph_t g = NULL;
    cudaGraphExec_t e = NULL;
    cudaGraphNode_t puts[LAYERS];
    cudaGraphExecUpdateResultInfo info;
    start(s);
    for (unsigned step = 0; step < STEPS; step++) {
        if (step == 0 || step == MORE_AT) {
            if (g)
                OK(cudaGraphDestroy(g));
            if (e)
                OK(cudaGraphExecDestroy(e));
            g = captured(step, s);
            OK(cudaGraphInstantiate(&e, g, 0));
            CHECK(find_puts(g, puts) == LAYERS);
        } else {
            set_rows(puts, step);
            OK(cudaGraphExecUpdate(e, g, &info));
            CHECK(info.result == cudaGraphExecUpdateSuccess);
        }
        OK(cudaGraphLaunch(e, s));
    }
    check("pointers", s);
    OK(cudaGraphDestroy(g));
    OK(cudaGraphExecDestroy(e));
}

/* Captured for each step; a new instance when the old one cannot be updated. */
static void with_captures(cudaStream_t s)
{
    cudaGraphExec_t e = NULL;
    cudaGraphExecUpdateResultInfo info;
    unsigned instances = 0;
    start(s);
    for (unsigned step = 0; step < STEPS; step++) {
        cudaGraph_t g = captured(step, s);
        if (!e || cudaGraphExecUpdate(e, g, &info)) {
            if (e) {
                CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged ||
                      info.result == cudaGraphExecUpdateErrorNodeTypeChanged ||
                      info.result == cudaGraphExecUpdateErrorFunctionChanged);
                OK(cudaGraphExecDestroy(e));
            }
            cudaGetLastError();
            instances++;
            OK(cudaGraphInstantiate(&e, g, 0));
        }
        OK(cudaGraphLaunch(e, s));
        OK(cudaGraphDestroy(g));
    }
    check("captures", s);
    CHECK(instances == 2);
    OK(cudaGraphExecDestroy(e));
}

int main(void)
{
    cudaStream_t s;
    void **module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, &mix, &mix, "mix", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &put, &put, "put", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    OK(cudaMalloc((void **)&state, CELLS * 4));
    OK(cudaMalloc((void **)&scratch, CELLS * 4));
    OK(cudaMalloc((void **)&cache, sizeof expected));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    compute();
    start(s);
    for (unsigned step = 0; step < STEPS; step++)
        run_step(step, s);
    check("streams", s);
    with_pointers(s);
    with_captures(s);
    return check_result();
}
