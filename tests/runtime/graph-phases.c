/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains of kernels, copies and fills that touch each other's arrays in all
 * ways: the same elements, some further on, anywhere. Kernels that need not
 * wait for each other run without a barrier (src/exec/sched/phase.h) after some
 * launches, so each chain is launched often, and compared with the host.
 */
#include "check.h"

enum {
    BLOCK = 128,
    BLOCKS = 160,
    LENGTH = BLOCK * BLOCKS,
    ARRAYS = 4,
    ROOM = LENGTH + 2 * BLOCK, /* of an array */
    NODES = 7,
    CHAINS = 12,
    LAUNCHES = 40,
};

/* In each: i = the thread's number.
 * map:    to[i] = to[i] * 3 + from[i] + value
 * gather: to[i] = to[i] * 5 + from[(i * 7919 + value) % LENGTH]
 * sum:    *to += from[i], by atomic operations */
#define START                                                                  \
    "(.param .u64 to, .param .u64 from, .param .u32 value)\n"                  \
    "{ .reg .b32 %r<12>; .reg .b64 %d<9>; ld.param.u64 %d1, [to];\n"           \
    "  ld.param.u64 %d2, [from]; ld.param.u32 %r1, [value];\n"                 \
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"    \
    "  mad.lo.s32 %r5, %r2, %r3, %r4; mul.wide.s32 %d3, %r5, 4;\n"             \
    "  add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;\n"
static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry map" START
    "  ld.global.u32 %r6, [%d4]; ld.global.u32 %r7, [%d5];\n"
    "  mad.lo.u32 %r8, %r6, 3, %r7; add.u32 %r8, %r8, %r1;\n"
    "  st.global.u32 [%d4], %r8; ret; }\n"
    ".visible .entry gather" START
    "  mad.lo.u32 %r6, %r5, 7919, %r1; rem.u32 %r6, %r6, 20480;\n"
    "  mul.wide.u32 %d6, %r6, 4; add.s64 %d7, %d2, %d6;\n"
    "  ld.global.u32 %r7, [%d7]; ld.global.u32 %r8, [%d4];\n"
    "  mad.lo.u32 %r8, %r8, 5, %r7; st.global.u32 [%d4], %r8; ret; }\n"
    ".visible .entry sum" START
    "  ld.global.u32 %r6, [%d5]; red.global.add.u32 [%d1], %r6; ret; }\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char map, gather, sum;

static unsigned *device, host[ARRAYS][ROOM], back[ARRAYS][ROOM];
static unsigned seed;

static unsigned any(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
}

enum kind { MAP, GATHER, SUM, FILL, COPY };
struct node {
    enum kind kind;
    unsigned to, from, to_at, from_at; /* arrays, and places in them */
    unsigned value;
};

static unsigned *at(unsigned array, unsigned place)
{
    return device + array * ROOM + place;
}

/* What a kernel writes is in another array than what it reads. */
static struct node random_node(void)
{
    static const unsigned places[] = {0, 0, 0, 0, 1, BLOCK, BLOCK + 1};
    static const enum kind kinds[] = {MAP, MAP, MAP,  MAP, GATHER,
                                      SUM, SUM, FILL, COPY};
    struct node n = {.kind = kinds[any(9)], .to = any(ARRAYS)};
    n.from = (n.to + 1 + any(ARRAYS - 1)) % ARRAYS;
    n.to_at = places[any(7)];
    n.from_at = places[any(7)];
    n.value = any(1000);
    return n;
}

static void add_node(cudaGraph_t g, const struct node *n, cudaGraphNode_t *last)
{
    unsigned *to = at(n->to, n->to_at), *from = at(n->from, n->from_at);
    unsigned value = n->value;
    void *args[] = {&to, &from, &value};
    const struct cudaKernelNodeParams k = {.func = n->kind == MAP      ? &map
                                                   : n->kind == GATHER ? &gather
                                                                       : &sum,
                                           .gridDim = {BLOCKS, 1, 1},
                                           .blockDim = {BLOCK, 1, 1},
                                           .kernelParams = args};
    const struct cudaMemsetParams fill = {to, 0, value, 4, 1, 1};
    cudaGraphNode_t before = *last;
    size_t count = before != NULL;
    if (n->kind == FILL)
        OK(cudaGraphAddMemsetNode(last, g, &before, count, &fill));
    else if (n->kind == COPY)
        OK(cudaGraphAddMemcpyNode1D(last, g, &before, count, to, from, 8,
                                    cudaMemcpyDeviceToDevice));
    else
        OK(cudaGraphAddKernelNode(last, g, &before, count, &k));
}

static void run_on_host(const struct node *n)
{
    unsigned *to = &host[n->to][n->to_at], *from = &host[n->from][n->from_at];
    for (unsigned i = 0; i < LENGTH; i++) {
        if (n->kind == MAP)
            to[i] = to[i] * 3 + from[i] + n->value;
        else if (n->kind == GATHER)
            to[i] = to[i] * 5 + from[(i * 7919 + n->value) % LENGTH];
        else if (n->kind == SUM)
            *to += from[i];
        else if (i < (n->kind == FILL ? 1 : 2))
            to[i] = n->kind == FILL ? n->value : from[i];
    }
}

static void check(unsigned number)
{
    OK(cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost));
    for (unsigned a = 0; a < ARRAYS; a++)
        for (unsigned i = 0; i < ROOM; i++)
            if (back[a][i] != host[a][i]) {
                printf("chain %u, array %u: [%u] is %u, not %u\n", number, a, i,
                       back[a][i], host[a][i]);
                failures++;
                return;
            }
}

static void run_chain(unsigned number, cudaStream_t s)
{
    struct node nodes[NODES];
    cudaGraph_t g;
    cudaGraphNode_t last = NULL;
    cudaGraphExec_t e;
    seed = number;
    OK(cudaGraphCreate(&g, 0));
    for (unsigned i = 0; i < NODES; i++) {
        nodes[i] = random_node();
        add_node(g, &nodes[i], &last);
    }
    OK(cudaGraphInstantiate(&e, g, 0));
    for (unsigned i = 0; i < LAUNCHES; i++) {
        OK(cudaGraphLaunch(e, s));
        for (unsigned k = 0; k < NODES; k++)
            run_on_host(&nodes[k]);
    }
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    check(number);
}

int main(void)
{
    cudaStream_t s;
    void **module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, &map, &map, "map", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &gather, &gather, "gather", -1, 0, 0, 0, 0,
                           0);
    __cudaRegisterFunction(module, &sum, &sum, "sum", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&device, sizeof host));
    for (unsigned i = 0; i < ARRAYS * ROOM; i++)
        host[i / ROOM][i % ROOM] = i * 2654435761u >> 20;
    OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    for (unsigned i = 1; i <= CHAINS; i++)
        run_chain(i, s);
    return check_result();
}
