/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel of a graph faults, wherever it is in there, or the memory of another
 * node is gone: the fault is the context's error, which every later call gives;
 * the error log names the kernel and its node, as pictures do; what comes
 * behind does not run. Each place has a process of its own, since a context
 * does not come back.
 */
#include "check.h"

#include <cuda.h>

#include <sched.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BLOCK = 128,
    BLOCKS = 800,
    LENGTH = BLOCK * BLOCKS,
    CALM = 40, /* launches, behind which kernels share their barriers */
    BAD = 0x0bad0bad, /* an index of no memory */
};

/* In each: i = the thread's number.
 * map:   to[i] = to[i] * 3 + from[i]
 * picky: to[i] = to[i] * 3 + from[from[i]]
 * count: *p += 1
 * turn:  the condition becomes ++*p % 3 != 0
 * set:   it becomes 1
 * send:  launches an instance */
#define START                                                                  \
    "(.param .u64 to, .param .u64 from)\n"                                     \
    "{ .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %d<9>;\n"                 \
    "  ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from];\n"                    \
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"    \
    "  mad.lo.s32 %r5, %r2, %r3, %r4; mul.wide.s32 %d3, %r5, 4;\n"             \
    "  add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;\n"                        \
    "  ld.global.u32 %r6, [%d4]; ld.global.u32 %r7, [%d5];\n"
#define SET                                                                    \
    " { .param .b64 a; .param .b32 b; st.param.b64 [a], %d2;\n"                \
    " st.param.b32 [b], %r3; call.uni cudaGraphSetConditional, (a, b); }\n"    \
    " ret; }\n"
static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional (.param .b64 a, .param .b32 b);\n"
    ".extern .func (.param .b32 r) cudaGraphLaunch\n"
    " (.param .b64 a, .param .b64 b);\n"
    ".visible .entry map" START
    "  mad.lo.u32 %r8, %r6, 3, %r7; st.global.u32 [%d4], %r8; ret; }\n"
    ".visible .entry picky" START
    "  mul.wide.u32 %d6, %r7, 4; add.s64 %d7, %d2, %d6;\n"
    "  ld.global.u32 %r9, [%d7]; mad.lo.u32 %r8, %r6, 3, %r9;\n"
    "  st.global.u32 [%d4], %r8; ret; }\n"
    ".visible .entry count(.param .u64 p) { .reg .b64 %d<2>;\n"
    "  ld.param.u64 %d1, [p]; red.global.add.u32 [%d1], 1; ret; }\n"
    ".visible .entry turn(.param .u64 p, .param .u64 handle)\n"
    "{ .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [p]; ld.param.u64 %d2, [handle];\n"
    "  ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1;\n"
    "  st.global.u32 [%d1], %r1; rem.u32 %r2, %r1, 3;\n"
    "  setp.ne.u32 %p1, %r2, 0; selp.u32 %r3, 1, 0, %p1;\n" SET
    ".visible .entry set(.param .u64 p, .param .u64 handle)\n"
    "{ .reg .b32 %r<4>; .reg .b64 %d<3>; ld.param.u64 %d2, [handle];\n"
    "  mov.u32 %r3, 1;\n" SET
    ".visible .entry send(.param .u64 exec, .param .u64 place)\n"
    "{ .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [exec]; ld.param.u64 %d2, [place];\n"
    "  { .param .b64 a; .param .b64 b; .param .b32 res;\n"
    "  st.param.b64 [a], %d1; st.param.b64 [b], %d2;\n"
    "  call.uni (res), cudaGraphLaunch, (a, b); } ret; }\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char map, picky, count, turn, set, send;

/* The device API's streams. */
#define TAIL   UINT64_C(0x0100000000000000)
#define FORGET UINT64_C(0x0200000000000000)

static unsigned *a, *b;           /* arrays of the device */
static unsigned *behind, *turns;  /* managed */
static unsigned host_calls;
static cudaStream_t stream;
static cudaGraph_t faulty; /* the outermost graph whose picture has the node */

/* ---- graphs -------------------------------------------------------------- */

static cudaGraphNode_t add_kernel(cudaGraph_t g, cudaGraphNode_t before,
                                  void *f, void **args, unsigned blocks)
{
    cudaGraphNode_t n;
    const struct cudaKernelNodeParams k = {.func = f,
                                           .gridDim = {blocks, 1, 1},
                                           .blockDim = {BLOCK, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphAddKernelNode(&n, g, before ? &before : NULL, before != NULL,
                              &k));
    return n;
}

/* A fill, the kernel that may fault, and one behind it. */
static cudaGraphNode_t add_picky(cudaGraph_t g)
{
    cudaGraphNode_t fill, n;
    const struct cudaMemsetParams m = {b, 0, 1, 4, 8, 1};
    void *args[] = {&b, &a}, *count_args[] = {&behind};
    OK(cudaGraphAddMemsetNode(&fill, g, NULL, 0, &m));
    n = add_kernel(g, fill, &picky, args, 2);
    add_kernel(g, n, &count, count_args, 1);
    return n;
}

static void called(void *data)
{
    (void)data;
    host_calls++;
}

/* Behind what was added last; nothing else is at the end. */
static void add_host(cudaGraph_t g)
{
    cudaGraphNode_t nodes[32], n;
    size_t total = 32;
    const struct cudaHostNodeParams h = {called, NULL};
    OK(cudaGraphGetNodes(g, nodes, &total));
    OK(cudaGraphAddHostNode(&n, g, &nodes[total - 1], 1, &h));
}

static cudaGraph_t make_alone(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    add_picky(g);
    return g;
}

/* Kernels that need only what their own block did, and one of them faults. */
static cudaGraph_t make_phase(void)
{
    enum { KERNELS = 6, FAULTY = 3 };
    cudaGraph_t g;
    cudaGraphNode_t last = NULL;
    OK(cudaGraphCreate(&g, 0));
    for (unsigned i = 0; i < KERNELS; i++) {
        void *args[] = {&b, &a};
        last = add_kernel(g, last, i == FAULTY ? &picky : &map, args, BLOCKS);
    }
    void *args[] = {&behind};
    add_kernel(g, last, &count, args, 1);
    return g;
}

static cudaGraph_t make_parent(enum cudaGraphChildGraphNodeOwnership ownership)
{
    cudaGraph_t g, child = make_alone();
    cudaGraphNode_t n, before;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeGraph};
    p.graph.graph = child;
    p.graph.ownership = ownership;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEmptyNode(&before, g, NULL, 0));
    OK(cudaGraphAddNode_v2(&n, g, &before, NULL, 1, &p));
    if (ownership == cudaGraphChildGraphOwnershipClone)
        OK(cudaGraphDestroy(child));
    return g;
}

static cudaGraph_t make_cloned_child(void)
{
    return make_parent(cudaGraphChildGraphOwnershipClone);
}

static cudaGraph_t make_moved_child(void)
{
    return make_parent(cudaGraphChildGraphOwnershipMove);
}

/* Returns the body. */
static cudaGraph_t add_condition(cudaGraph_t g, bool is_loop)
{
    cudaGraphNode_t n, last;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, g, 0, 0));
    void *args[] = {&turns, &p.conditional.handle};
    last = add_kernel(g, NULL, &set, args, 1);
    p.conditional.type = is_loop ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf;
    p.conditional.size = 1;
    OK(cudaGraphAddNode_v2(&n, g, &last, NULL, 1, &p));
    if (is_loop) {
        struct cudaKernelNodeParams k = {.func = &turn,
                                         .gridDim = {1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = args};
        OK(cudaGraphAddKernelNode(&n, p.conditional.phGraph_out[0], NULL, 0,
                                  &k));
    }
    return p.conditional.phGraph_out[0];
}

static cudaGraph_t make_if(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    add_picky(add_condition(g, false));
    return g;
}

static cudaGraph_t make_loop(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    add_picky(add_condition(g, true));
    return g;
}

static cudaGraph_t make_nested(void)
{
    cudaGraph_t g, child = make_alone();
    cudaGraphNode_t n;
    OK(cudaGraphCreate(&g, 0));
    cudaGraph_t body = add_condition(add_condition(g, true), false);
    OK(cudaGraphAddChildGraphNode(&n, body, NULL, 0, child));
    OK(cudaGraphDestroy(child));
    return g;
}

static void set_attribute(cudaGraphNode_t n, cudaLaunchAttributeID id)
{
    cudaLaunchAttributeValue v = {0};
    if (id == cudaLaunchAttributeCooperative)
        v.cooperative = 1;
    else
        v.deviceUpdatableKernelNode.deviceUpdatable = 1;
    OK(cudaGraphKernelNodeSetAttribute(n, id, &v));
}

static cudaGraph_t make_cooperative(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    set_attribute(add_picky(g), cudaLaunchAttributeCooperative);
    return g;
}

static cudaGraph_t make_updatable(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    set_attribute(add_picky(g), cudaLaunchAttributeDeviceUpdatableKernelNode);
    return g;
}

/* A graph whose kernel launches the other. */
static cudaGraph_t make_sender(uint64_t place)
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    faulty = make_alone();
    OK(cudaGraphInstantiate(&e, faulty, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphUpload(e, stream));
    OK(cudaStreamSynchronize(stream));
    void *args[] = {&e, &place};
    const struct cudaKernelNodeParams k = {.func = &send,
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    return g;
}

static cudaGraph_t make_forget(void)
{
    return make_sender(FORGET);
}

static cudaGraph_t make_tail(void)
{
    return make_sender(TAIL);
}

static const struct {
    const char *name;
    cudaGraph_t (*make)(void);
    unsigned launches; /* without a fault; what counts does so once in each */
    unsigned counts;
    bool is_for_device; /* it has no host function then */
} places[] = {
    {"alone", make_alone, 3, 1, false},
    {"phase", make_phase, CALM, 1, false},
    {"child", make_cloned_child, 3, 1, false},
    {"moved child", make_moved_child, 3, 1, false},
    {"if", make_if, 3, 1, false},
    {"loop", make_loop, 3, 3, false},
    {"child in an if in a loop", make_nested, 3, 3, false},
    {"cooperative", make_cooperative, 3, 1, false},
    {"updatable", make_updatable, 3, 1, false},
    {"fire and forget", make_forget, 3, 1, true},
    {"tail", make_tail, 3, 1, true},
};

/* ---- nodes whose memory goes --------------------------------------------- */

/* So large that it is not kept for the next allocation. */
enum { GONE_BYTES = 64 << 20 };
static char *gone;
static cudaArray_t gone_array;
static cudaExternalSemaphore_t gone_semaphore;

/* To or from `gone`. */
static cudaGraphNode_t add_copy(cudaGraph_t g, bool is_from, unsigned rows)
{
    cudaGraphNode_t n;
    struct cudaMemcpy3DParms p = {.extent = {64, rows, 1},
                                  .kind = cudaMemcpyDefault};
    p.srcPtr = make_cudaPitchedPtr(is_from ? gone : (void *)a, 256, 64, rows);
    p.dstPtr = make_cudaPitchedPtr(is_from ? (void *)b : gone, 256, 64, rows);
    OK(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &p));
    return n;
}

static cudaGraphNode_t add_copy_from(cudaGraph_t g)
{
    return add_copy(g, true, 1);
}

static cudaGraphNode_t add_copy_to(cudaGraph_t g)
{
    return add_copy(g, false, 1);
}

static cudaGraphNode_t add_rows(cudaGraph_t g)
{
    return add_copy(g, true, 4);
}

static cudaGraphNode_t add_array_copy(cudaGraph_t g)
{
    cudaGraphNode_t n;
    struct cudaMemcpy3DParms p = {.extent = {16, 2, 1},
                                  .kind = cudaMemcpyDefault};
    p.srcArray = gone_array;
    p.dstPtr = make_cudaPitchedPtr(b, 256, 64, 2);
    OK(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &p));
    return n;
}

static cudaGraphNode_t add_fill(cudaGraph_t g)
{
    const struct cudaMemsetParams m = {gone, 0, 1, 4, 16, 1};
    cudaGraphNode_t n;
    OK(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
    return n;
}

static cudaGraphNode_t add_batch(cudaGraph_t g, CUstreamBatchMemOpType what)
{
    CUstreamBatchMemOpParams op = {.operation = what};
    CUDA_BATCH_MEM_OP_NODE_PARAMS p = {.count = 1, .paramArray = &op};
    cudaGraphNode_t n = NULL;
    op.writeValue.address = (CUdeviceptr)gone;
    CHECK(!cuCtxGetCurrent(&p.ctx));
    CHECK(!cuGraphAddBatchMemOpNode(&n, g, NULL, 0, &p));
    return n;
}

static cudaGraphNode_t add_write(cudaGraph_t g)
{
    return add_batch(g, CU_STREAM_MEM_OP_WRITE_VALUE_32);
}

static cudaGraphNode_t add_wait(cudaGraph_t g)
{
    return add_batch(g, CU_STREAM_MEM_OP_WAIT_VALUE_32);
}

static cudaGraphNode_t add_signal(cudaGraph_t g)
{
    const struct cudaExternalSemaphoreSignalParams p = {0};
    const struct cudaExternalSemaphoreSignalNodeParams s = {&gone_semaphore, &p,
                                                            1};
    cudaGraphNode_t n;
    OK(cudaGraphAddExternalSemaphoresSignalNode(&n, g, NULL, 0, &s));
    return n;
}

static cudaGraphNode_t add_child(cudaGraph_t g)
{
    cudaGraph_t child;
    cudaGraphNode_t n;
    OK(cudaGraphCreate(&child, 0));
    add_fill(child);
    OK(cudaGraphAddChildGraphNode(&n, g, NULL, 0, child));
    OK(cudaGraphDestroy(child));
    return n;
}

static cudaGraphNode_t add_body(cudaGraph_t g)
{
    cudaGraphNode_t n;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, g, 1,
                                        cudaGraphCondAssignDefault));
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    OK(cudaGraphAddNode_v2(&n, g, NULL, NULL, 0, &p));
    add_copy_to(p.conditional.phGraph_out[0]);
    return n;
}

static const struct {
    const char *name;
    cudaGraphNode_t (*add)(cudaGraph_t g);
    const char *type; /* of the node, in pictures and in the log */
} lost[] = {
    {"copy from memory", add_copy_from, "MEMCPY"},
    {"copy to memory", add_copy_to, "MEMCPY"},
    {"rows", add_rows, "MEMCPY"},
    {"array", add_array_copy, "MEMCPY"},
    {"fill", add_fill, "MEMSET"},
    {"write", add_write, "BATCH_MEM_OP"},
    {"wait", add_wait, "BATCH_MEM_OP"},
    {"semaphore", add_signal, "EXT_SEMAS_SIGNAL"},
    {"fill in a child", add_child, "MEMSET"},
    {"copy in a body", add_body, "MEMCPY"},
};

/* ---- what must come of it ------------------------------------------------ */

/* As the picture names the node with this text: graph_1_node_2. */
static void node_name(const char *text, char *out, size_t bytes)
{
    static char picture[16384];
    char path[64];
    snprintf(path, sizeof path, "graph-faults-%d.dot", (int)getpid());
    OK(cudaGraphDebugDotPrint(faulty, path, 0));
    FILE *f = fopen(path, "r");
    picture[f ? fread(picture, 1, sizeof picture - 1, f) : 0] = 0;
    if (f)
        fclose(f);
    remove(path);
    char *at = strstr(picture, text);
    CHECK(at != NULL);
    while (at && at > picture && strncmp(at, "\"graph_", 7))
        at--;
    snprintf(out, bytes, "%.*s ", at ? (int)strcspn(at + 1, "\"") : 0,
             at ? at + 1 : "");
}

static void check_log(const char *what, const char *name)
{
    static char log[25600];
    size_t size = sizeof log;
    OK(cudaLogsDumpToMemory(NULL, log, &size, 0));
    if (!strstr(log, what) || !strstr(log, name)) {
        printf("the log does not name %s:\n%s\n", name, log);
        failures++;
    }
}

static void check_later_calls(cudaGraphExec_t e, cudaGraph_t g,
                              cudaEvent_t after)
{
    const cudaError_t lost = cudaErrorIllegalAddress;
    cudaGraphExec_t other;
    cudaStream_t s;
    void *p;
    GIVES(lost, cudaStreamSynchronize(stream));
    GIVES(lost, cudaStreamQuery(stream));
    GIVES(lost, cudaEventQuery(after));
    GIVES(lost, cudaGraphLaunch(e, stream));
    GIVES(lost, cudaGraphInstantiate(&other, g, 0));
    GIVES(lost, cudaMalloc(&p, 64));
    GIVES(lost, cudaMemcpy(b, a, 4, cudaMemcpyDefault));
    GIVES(lost, cudaStreamCreate(&s));
    GIVES(lost, cudaDeviceSynchronize());
}

static void set_up(void)
{
    static unsigned ones[LENGTH];
    void **module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, &map, &map, "map", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &picky, &picky, "picky", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &count, &count, "count", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &turn, &turn, "turn", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &set, &set, "set", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &send, &send, "send", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    for (unsigned i = 0; i < LENGTH; i++)
        ones[i] = 1;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&a, sizeof ones));
    OK(cudaMalloc((void **)&b, sizeof ones));
    OK(cudaMallocManaged((void **)&behind, 64, cudaMemAttachGlobal));
    OK(cudaMallocManaged((void **)&turns, 64, cudaMemAttachGlobal));
    *behind = *turns = 0;
    OK(cudaMemcpy(a, ones, sizeof ones, cudaMemcpyDefault));
    OK(cudaMemcpy(b, ones, sizeof ones, cudaMemcpyDefault));
}

static void wait_until_set(void *flag)
{
    while (!atomic_load((atomic_bool *)flag))
        sched_yield();
}

/* The launch waits for the record behind it: had it failed before, that would,
 * too. `after`: the event; nothing behind the fault has run. */
static void launch_faulty(cudaGraphExec_t e, cudaEvent_t after)
{
    static atomic_bool may_begin;
    OK(cudaLaunchHostFunc(stream, wait_until_set, &may_begin));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaEventRecord(after, stream));
    atomic_store(&may_begin, true);
    GIVES(cudaErrorIllegalAddress, cudaEventSynchronize(after));
    CHECK(*behind == 0 && host_calls == 0);
}

/* In a process of its own. */
static int check_place(size_t i)
{
    const unsigned bad = BAD, launches = places[i].launches;
    char name[64];
    cudaGraphExec_t e;
    cudaEvent_t after;
    set_up();
    cudaGraph_t g = places[i].make();
    if (!faulty)
        faulty = g;
    node_name("| picky", name, sizeof name);
    OK(cudaEventCreate(&after));
    if (!places[i].is_for_device)
        add_host(g);
    OK(cudaGraphInstantiate(&e, g, 0));
    for (unsigned k = 0; k < launches; k++)
        OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    /* BLOCK threads count */
    CHECK(*behind == BLOCK * places[i].counts * launches);
    CHECK(host_calls == (places[i].is_for_device ? 0 : launches));
    *behind = host_calls = 0;
    OK(cudaMemcpy(a + BLOCK + 7, &bad, sizeof bad, cudaMemcpyDefault));
    launch_faulty(e, after);
    check_log("kernel picky: illegal address 0x", name);
    check_later_calls(e, g, after);
    return failures;
}

static void make_gone(void)
{
    const struct cudaChannelFormatDesc word = {32, 0, 0, 0,
                                               cudaChannelFormatKindUnsigned};
    struct cudaExternalSemaphoreHandleDesc d = {
        .type = cudaExternalSemaphoreHandleTypeOpaqueFd};
    d.handle.fd = eventfd(0, 0);
    OK(cudaImportExternalSemaphore(&gone_semaphore, &d));
    OK(cudaMalloc((void **)&gone, GONE_BYTES));
    OK(cudaMemset(gone, 0, GONE_BYTES));
    OK(cudaMallocArray(&gone_array, &word, 4096, 4096, 0));
}

static void free_gone(void)
{
    OK(cudaFree(gone));
    OK(cudaFreeArray(gone_array));
    OK(cudaDestroyExternalSemaphore(gone_semaphore));
}

/* In a process of its own. */
static int check_lost(size_t i)
{
    char name[64], text[64], what[160];
    void *args[] = {&behind};
    cudaGraphExec_t e;
    cudaEvent_t after;
    set_up();
    make_gone();
    OK(cudaGraphCreate(&faulty, 0));
    add_kernel(faulty, lost[i].add(faulty), &count, args, 1);
    snprintf(text, sizeof text, "{%s ", lost[i].type);
    node_name(text, name, sizeof name);
    add_host(faulty);
    OK(cudaEventCreate(&after));
    OK(cudaGraphInstantiate(&e, faulty, 0));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(*behind == 2 * BLOCK && host_calls == 2);
    *behind = host_calls = 0;
    free_gone();
    launch_faulty(e, after);
    snprintf(what, sizeof what,
             "illegal address in node %s(%s) of a graph: ", name, lost[i].type);
    check_log(what, name);
    check_later_calls(e, faulty, after);
    return failures;
}

/* Before any call of CUDA. */
static void in_process(const char *name, int (*check)(size_t i), size_t i)
{
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        failures = 0;
        int result = check(i);
        fflush(stdout);
        _exit(result != 0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (status) {
        printf("%s: status %x\n", name, (unsigned)status);
        failures++;
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        in_process(places[i].name, check_place, i);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        in_process(lost[i].name, check_lost, i);
    return check_result();
}
