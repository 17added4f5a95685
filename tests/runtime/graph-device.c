/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instances that kernels launch, and bodies of conditions: what they may hold,
 * when a launch by a kernel is refused. The results are an H200's.
 */
#include "check.h"

#include <string.h>

#define REGISTERS " .reg .b32 %r<4>; .reg .b64 %d<8>;\n"

/* launch: *err = cudaGraphLaunch(exec, place), `count` times, each to the next
 * err; launch_list: with the next instance of the list each time. grids:
 * launches kernels. ask: *p = cudaGetCurrentGraphExec(). */
static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b32 r) cudaGraphLaunch\n"
    " (.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b64 r) cudaGetParameterBuffer\n"
    " (.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b64 r) cudaGetCurrentGraphExec ();\n"
    ".visible .entry add(.param .u64 p) {\n" REGISTERS
    " ld.param.u64 %d1, [p]; red.global.add.u32 [%d1], 1; ret; }\n"
    ".visible .entry launch(.param .u64 exec, .param .u64 place,\n"
    " .param .u64 err, .param .u32 count) {\n .reg .pred %p<2>;\n" REGISTERS
    " ld.param.u64 %d1, [exec]; ld.param.u64 %d2, [place];\n"
    " ld.param.u64 %d3, [err]; ld.param.u32 %r2, [count];\n"
    "LOOP:\n { .param .b64 a; .param .b64 b; .param .b32 res;\n"
    " st.param.b64 [a], %d1; st.param.b64 [b], %d2;\n"
    " call.uni (res), cudaGraphLaunch, (a, b);\n"
    " ld.param.b32 %r1, [res]; }\n st.global.u32 [%d3], %r1;\n"
    " add.s64 %d3, %d3, 4; sub.u32 %r2, %r2, 1;\n"
    " setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP; ret; }\n"
    ".visible .entry launch_list(.param .u64 list, .param .u64 place,\n"
    " .param .u64 err, .param .u32 count) {\n .reg .pred %p<2>;\n" REGISTERS
    " ld.param.u64 %d4, [list]; ld.param.u64 %d2, [place];\n"
    " ld.param.u64 %d3, [err]; ld.param.u32 %r2, [count];\n"
    "LOOP:\n ld.global.u64 %d1, [%d4];\n"
    " { .param .b64 a; .param .b64 b; .param .b32 res;\n"
    " st.param.b64 [a], %d1; st.param.b64 [b], %d2;\n"
    " call.uni (res), cudaGraphLaunch, (a, b);\n"
    " ld.param.b32 %r1, [res]; }\n st.global.u32 [%d3], %r1;\n"
    " add.s64 %d4, %d4, 8; add.s64 %d3, %d3, 4; sub.u32 %r2, %r2, 1;\n"
    " setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP; ret; }\n"
    ".visible .entry grids(.param .u64 p) {\n" REGISTERS
    " mov.u64 %d1, 8; { .param .b64 a; .param .b64 b; .param .b64 res;\n"
    " st.param.b64 [a], %d1; st.param.b64 [b], %d1;\n"
    " call.uni (res), cudaGetParameterBuffer, (a, b); } ret; }\n"
    ".visible .entry ask(.param .u64 p) {\n" REGISTERS
    " ld.param.u64 %d1, [p]; { .param .b64 res;\n"
    " call.uni (res), cudaGetCurrentGraphExec, ();\n"
    " ld.param.b64 %d2, [res]; } st.global.u64 [%d1], %d2; ret; }\n";

/* Calls nothing. look: *p = the instance that it is part of. */
static const char plain_ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry look(.param .u64 p) {\n" REGISTERS
    " ld.param.u64 %d1, [p]; mov.u64 %d2, %current_graph_exec;\n"
    " st.global.u64 [%d1], %d2; ret; }\n";

static struct wrapper {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0}, plain = {0x466243b1, 1, plain_ptx, 0};
static char add, launch, launch_list, grids, ask, look;

#define BAD cudaErrorInvalidValue
enum { SENTINEL = 99 };
/* The device API's streams. */
#define TAIL    UINT64_C(0x0100000000000000)
#define FORGET  UINT64_C(0x0200000000000000)
#define SIBLING UINT64_C(0x0300000000000000)

static int *sum, *errors; /* managed, as the next */
static cudaGraphExec_t *list;
static cudaStream_t stream;

static cudaGraphNode_t add_kernel(cudaGraph_t g, void *f, void **args)
{
    cudaGraphNode_t n;
    const struct cudaKernelNodeParams k = {.func = f,
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    return n;
}

static cudaGraphNode_t add_add(cudaGraph_t g)
{
    void *args[] = {&sum};
    return add_kernel(g, &add, args);
}

/* ---- what they may hold ------------------------------------------------- */

enum node {
    NOTHING,
    KERNEL,
    HOST,
    RECORD,
    PAGEABLE,
    PINNED,
    ARRAY,
    FILL,
    ALLOC,
    EMPTY,
    CHILD,
    GRIDS
};

static void called(void *data)
{
    (void)data;
}

static cudaGraphNode_t add_node(cudaGraph_t g, enum node what)
{
    static int pageable[16];
    cudaGraph_t child;
    cudaGraphNode_t n = NULL;
    cudaEvent_t event;
    const struct cudaHostNodeParams host = {called, NULL};
    const struct cudaMemsetParams fill = {sum, 0, 1, 4, 1, 1};
    struct cudaMemAllocNodeParams alloc = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = 4096};
    const struct cudaChannelFormatDesc word = {32, 0, 0, 0,
                                               cudaChannelFormatKindUnsigned};
    struct cudaMemcpy3DParms to = {.extent = {1, 1, 1},
                                   .kind = cudaMemcpyDefault};
    void *args[] = {&sum};
    switch (what) {
    case NOTHING:
        break;
    case KERNEL:
        return add_add(g);
    case GRIDS:
        return add_kernel(g, &grids, args);
    case HOST:
        OK(cudaGraphAddHostNode(&n, g, NULL, 0, &host));
        break;
    case RECORD:
        OK(cudaEventCreate(&event));
        OK(cudaGraphAddEventRecordNode(&n, g, NULL, 0, event));
        break;
    case PAGEABLE:
    case PINNED:
        OK(cudaGraphAddMemcpyNode1D(
            &n, g, NULL, 0, sum, what == PINNED ? errors : pageable, 4,
            what == PINNED ? cudaMemcpyDefault : cudaMemcpyHostToDevice));
        break;
    case ARRAY:
        OK(cudaMallocArray(&to.dstArray, &word, 16, 16, 0));
        to.srcPtr = make_cudaPitchedPtr(sum, 4, 4, 1);
        OK(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &to));
        break;
    case FILL:
        OK(cudaGraphAddMemsetNode(&n, g, NULL, 0, &fill));
        break;
    case ALLOC:
        OK(cudaGraphAddMemAllocNode(&n, g, NULL, 0, &alloc));
        break;
    case EMPTY:
        OK(cudaGraphAddEmptyNode(&n, g, NULL, 0));
        break;
    case CHILD:
        OK(cudaGraphCreate(&child, 0));
        add_add(child);
        OK(cudaGraphAddChildGraphNode(&n, g, NULL, 0, child));
        OK(cudaGraphDestroy(child));
        break;
    }
    return n;
}

static const struct {
    enum node node;
    cudaGraphInstantiateResult for_device, in_body;
} held[] = {
    {NOTHING, cudaGraphInstantiateError, cudaGraphInstantiateSuccess},
    {KERNEL, cudaGraphInstantiateSuccess, cudaGraphInstantiateSuccess},
    {HOST, cudaGraphInstantiateNodeOperationNotSupported,
     cudaGraphInstantiateNodeOperationNotSupported},
    {RECORD, cudaGraphInstantiateNodeOperationNotSupported,
     cudaGraphInstantiateNodeOperationNotSupported},
    {PAGEABLE, cudaGraphInstantiateNodeOperationNotSupported,
     cudaGraphInstantiateMultipleDevicesNotSupported},
    {PINNED, cudaGraphInstantiateSuccess, cudaGraphInstantiateSuccess},
    {ARRAY, cudaGraphInstantiateNodeOperationNotSupported,
     cudaGraphInstantiateNodeOperationNotSupported},
    {FILL, cudaGraphInstantiateSuccess, cudaGraphInstantiateSuccess},
    {ALLOC, cudaGraphInstantiateNodeOperationNotSupported,
     cudaGraphInstantiateNodeOperationNotSupported},
    {EMPTY, cudaGraphInstantiateNodeOperationNotSupported,
     cudaGraphInstantiateSuccess},
    {CHILD, cudaGraphInstantiateSuccess, cudaGraphInstantiateSuccess},
    {GRIDS, cudaGraphInstantiateNodeOperationNotSupported,
     cudaGraphInstantiateSuccess},
};

static void instantiate(size_t i, cudaGraph_t g, cudaGraphNode_t n,
                        unsigned long long flags,
                        cudaGraphInstantiateResult result)
{
    cudaGraphExec_t e;
    cudaGraphInstantiateParams p = {.flags = flags, .uploadStream = stream};
    cudaError_t err = cudaGraphInstantiateWithParams(&e, g, &p);
    bool is_node = result && result != cudaGraphInstantiateError;
    if (err != (result ? cudaErrorInvalidValue : cudaSuccess) ||
        p.result_out != result || p.errNode_out != (is_node ? n : NULL)) {
        printf("node %d, flags %llu: %s, result %d\n", (int)held[i].node, flags,
               cudaGetErrorName(err), (int)p.result_out);
        failures++;
    }
    cudaGetLastError();
    if (!err)
        OK(cudaGraphExecDestroy(e));
}

static void what_they_hold(void)
{
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        cudaGraph_t g, outer;
        cudaGraphNode_t n;
        struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
        OK(cudaGraphCreate(&g, 0));
        n = add_node(g, held[i].node);
        instantiate(i, g, n, cudaGraphInstantiateFlagDeviceLaunch,
                    held[i].for_device);
        OK(cudaGraphDestroy(g));
        OK(cudaGraphCreate(&outer, 0));
        OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, outer, 0,
                                            cudaGraphCondAssignDefault));
        p.conditional.type = cudaGraphCondTypeIf;
        p.conditional.size = 1;
        OK(cudaGraphAddNode_v2(&n, outer, NULL, NULL, 0, &p));
        n = add_node(p.conditional.phGraph_out[0], held[i].node);
        instantiate(i, outer, n, 0, held[i].in_body);
        GIVES(cudaErrorNotSupported,
              cudaGraphInstantiate((cudaGraphExec_t *)&n,
                                   p.conditional.phGraph_out[0], 0));
        OK(cudaGraphDestroy(outer));
    }
}

/* Several instances of a graph may be for kernels; uploading is no flag that
 * stays. */
static void instances(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e, second;
    unsigned long long flags = 0;
    cudaGraphInstantiateParams p = {.flags =
                                        cudaGraphInstantiateFlagDeviceLaunch |
                                        cudaGraphInstantiateFlagUpload,
                                    .uploadStream = stream};
    OK(cudaGraphCreate(&g, 0));
    add_add(g);
    OK(cudaGraphInstantiateWithParams(&e, g, &p));
    OK(cudaGraphExecGetFlags(e, &flags));
    CHECK(flags == cudaGraphInstantiateFlagDeviceLaunch);
    OK(cudaGraphInstantiate(&second, g, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphExecDestroy(second));
    OK(cudaGraphInstantiate(&second, g, 0));
    OK(cudaGraphExecDestroy(second));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* ---- launches by kernels ------------------------------------------------ */

/* From a graph of one kernel, which launches each once. */
static void launch_each(const cudaGraphExec_t *targets, unsigned count,
                        uint64_t place)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    void *codes = errors;
    memcpy(list, targets, count * sizeof *targets);
    *sum = 0;
    OK(cudaGraphCreate(&g, 0));
    void *args[] = {&list, &place, &codes, &count};
    add_kernel(g, &launch_list, args);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(*sum > 0);
    *sum = 0;
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* From a graph of one kernel. */
static void launches(cudaGraphExec_t target, uint64_t place, unsigned count)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    void *args[] = {&target, &place, &errors, &count};
    for (unsigned i = 0; i < 4; i++)
        errors[i] = SENTINEL;
    *sum = 0;
    OK(cudaGraphCreate(&g, 0));
    add_kernel(g, &launch, args);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* In no graph, nothing that launches graphs runs. */
static void outside(void)
{
    const struct dim3 one = {1, 1, 1};
    uint64_t place = FORGET;
    unsigned count = 0;
    void *none = NULL, *args[] = {&none, &place, &errors, &count};
    GIVES(cudaErrorNotSupported,
          cudaLaunchKernel(&launch, one, one, args, 0, stream));
    OK(cudaStreamSynchronize(stream));
}

static void refusals(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    void *args[] = {&sum};
    const struct cudaKernelNodeParams k = {.func = &add,
                                           .gridDim = {2, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t n = add_add(g);
    OK(cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagDeviceLaunch));
    launches(e, FORGET, 1); /* not uploaded */
    CHECK(errors[0] == BAD && *sum == 0);
    OK(cudaGraphUpload(e, stream));
    launches(e, FORGET, 1);
    CHECK(errors[0] == 0 && *sum == 1);
    launches(e, SIBLING, 1);
    CHECK(errors[0] == 0 && *sum == 1);
    launches(e, TAIL, 3); /* once until it has run */
    CHECK(errors[0] == 0 && errors[1] == BAD && errors[2] == BAD && *sum == 1);
    OK(cudaGraphExecKernelNodeSetParams(e, n, &k));
    launches(e, FORGET, 1); /* not uploaded again */
    CHECK(errors[0] == BAD && *sum == 0);
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    launches(e, FORGET, 1);
    CHECK(errors[0] == 0 && *sum == 2);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphInstantiate(&e, g, 0)); /* not for kernels */
    launches(e, FORGET, 1);
    CHECK(errors[0] == BAD && *sum == 0);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* A launch has so many by its kernels, which it counts anew each time. */
static void how_many(void)
{
    enum { BESIDE = 120, TAILS = 255, ALL = 256 };
    static const struct {
        uint64_t place;
        unsigned most;
    } limits[] = {{FORGET, BESIDE}, {SIBLING, BESIDE}, {TAIL, TAILS}};
    cudaGraphExec_t e[ALL];
    cudaGraph_t g;
    for (unsigned i = 0; i < ALL; i++) {
        OK(cudaGraphCreate(&g, 0));
        add_add(g);
        OK(cudaGraphInstantiate(&e[i], g,
                                cudaGraphInstantiateFlagDeviceLaunch));
        OK(cudaGraphUpload(e[i], stream));
        OK(cudaGraphDestroy(g));
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        launch_each(e, ALL, limits[i].place);
        CHECK(*sum == (int)limits[i].most);
        CHECK(errors[limits[i].most - 1] == 0);
        CHECK(errors[limits[i].most] == BAD && errors[ALL - 1] == BAD);
    }
    for (unsigned i = 0; i < ALL; i++)
        OK(cudaGraphExecDestroy(e[i]));
}

/* ---- which instance a kernel is part of --------------------------------- */

static cudaGraphExec_t *seen; /* managed */

/* Its own where kernels may launch it, whoever did; else none: the manual's
 * words; an H200 was asked "by the host" and "tail". */
static const struct {
    const char *name;
    unsigned long long flags;
    bool is_child;  /* the kernel's node is in a child graph */
    bool is_set;    /* its parameters were, in the instance */
    uint64_t place; /* of the launch by a kernel; 0: by the host */
} places[] = {
    {"ordinary", 0, false, false, 0},
    {"ordinary, set", 0, false, true, 0},
    {"by the host", cudaGraphInstantiateFlagDeviceLaunch, false, false, 0},
    {"child graph", cudaGraphInstantiateFlagDeviceLaunch, true, false, 0},
    {"set", cudaGraphInstantiateFlagDeviceLaunch, false, true, 0},
    {"forgotten", cudaGraphInstantiateFlagDeviceLaunch, false, false, FORGET},
    {"tail", cudaGraphInstantiateFlagDeviceLaunch, false, false, TAIL},
    {"sibling", cudaGraphInstantiateFlagDeviceLaunch, true, false, SIBLING},
};

static void see(size_t i, char *kernel)
{
    cudaGraph_t g, child;
    cudaGraphExec_t e;
    void *args[] = {&seen};
    const struct cudaKernelNodeParams k = {.func = kernel,
                                           .gridDim = {1, 1, 1},
                                           .blockDim = {2, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&child, 0));
    cudaGraphNode_t n =
        add_kernel(places[i].is_child ? child : g, kernel, args);
    if (places[i].is_child)
        OK(cudaGraphAddChildGraphNode(&n, g, NULL, 0, child));
    OK(cudaGraphInstantiate(&e, g, places[i].flags));
    if (places[i].is_set)
        OK(cudaGraphExecKernelNodeSetParams(e, n, &k));
    *seen = (cudaGraphExec_t)&seen;
    if (places[i].place) {
        OK(cudaGraphUpload(e, stream));
        launches(e, places[i].place, 1);
    } else {
        OK(cudaGraphLaunch(e, stream));
        OK(cudaStreamSynchronize(stream));
    }
    if (*seen != (places[i].flags ? e : NULL)) {
        printf("%s, %s: %p, not %p\n", places[i].name,
               kernel == &ask ? "asked" : "looked", (void *)*seen,
               places[i].flags ? (void *)e : NULL);
        failures++;
    }
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(child));
    OK(cudaGraphDestroy(g));
}

static void own_instance(void)
{
    const struct dim3 one = {1, 1, 1};
    void *args[] = {&seen};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        see(i, &ask);
        see(i, &look);
    }
    for (int i = 0; i < 2; i++) { /* in no graph */
        *seen = (cudaGraphExec_t)&seen;
        OK(cudaLaunchKernel(i ? &ask : &look, one, one, args, 0, stream));
        OK(cudaStreamSynchronize(stream));
        CHECK(!*seen);
    }
}

/* ---- updates ------------------------------------------------------------ */

/* A function may do less by itself than the one before, not more. */
static void functions(void)
{
    static char *const all[] = {&add, &launch, &grids};
    uint64_t place = 0;
    unsigned count = 0;
    void *none = NULL, *args[] = {&none, &place, &errors, &count};
    for (unsigned i = 0; i < 9; i++) {
        cudaGraph_t g, h;
        cudaGraphExec_t e;
        cudaGraphExecUpdateResultInfo info;
        char *from = all[i / 3], *to = all[i % 3];
        bool is_fine = from == to || to == &add;
        const struct cudaKernelNodeParams k = {.func = to,
                                               .gridDim = {1, 1, 1},
                                               .blockDim = {1, 1, 1},
                                               .kernelParams = args};
        OK(cudaGraphCreate(&g, 0));
        OK(cudaGraphCreate(&h, 0));
        cudaGraphNode_t n = add_kernel(g, from, args);
        cudaGraphNode_t other = add_kernel(h, to, args);
        OK(cudaGraphInstantiate(&e, g, 0));
        GIVES(is_fine ? cudaSuccess : cudaErrorGraphExecUpdateFailure,
              cudaGraphExecUpdate(e, h, &info));
        CHECK(info.result ==
              (is_fine ? cudaGraphExecUpdateSuccess
                       : cudaGraphExecUpdateErrorUnsupportedFunctionChange));
        CHECK(is_fine || info.errorNode == other);
        GIVES(is_fine ? cudaSuccess : cudaErrorInvalidValue,
              cudaGraphExecKernelNodeSetParams(e, n, &k));
        GIVES(BAD, cudaGraphExecKernelNodeSetParams(e, other, &k));
        OK(cudaGraphExecDestroy(e));
        OK(cudaGraphDestroy(g));
        OK(cudaGraphDestroy(h));
    }
}

static cudaGraph_t make_choice(enum cudaGraphConditionalNodeType type,
                               unsigned size, unsigned value)
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, g, value,
                                        cudaGraphCondAssignDefault));
    p.conditional.type = type;
    p.conditional.size = size;
    OK(cudaGraphAddNode_v2(&n, g, NULL, NULL, 0, &p));
    add_add(p.conditional.phGraph_out[0]);
    return g;
}

/* Another handle and default value are taken over, nothing else. */
static void conditions(void)
{
    static const struct {
        enum cudaGraphConditionalNodeType type;
        unsigned size, value;
        enum cudaGraphExecUpdateResult result;
        int sum;
    } cases[] = {
        {cudaGraphCondTypeIf, 1, 0, cudaGraphExecUpdateSuccess, 0},
        {cudaGraphCondTypeIf, 1, 1, cudaGraphExecUpdateSuccess, 1},
        {cudaGraphCondTypeWhile, 1, 0, cudaGraphExecUpdateErrorNotSupported, 1},
        {cudaGraphCondTypeIf, 2, 0, cudaGraphExecUpdateErrorNotSupported, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cudaGraph_t g = make_choice(cudaGraphCondTypeIf, 1, 1);
        cudaGraph_t h =
            make_choice(cases[i].type, cases[i].size, cases[i].value);
        cudaGraphExec_t e;
        cudaGraphExecUpdateResultInfo info;
        OK(cudaGraphInstantiate(&e, g, 0));
        GIVES(cases[i].result ? cudaErrorGraphExecUpdateFailure : cudaSuccess,
              cudaGraphExecUpdate(e, h, &info));
        CHECK(info.result == cases[i].result);
        *sum = 0;
        OK(cudaGraphLaunch(e, stream));
        OK(cudaStreamSynchronize(stream));
        CHECK(*sum == cases[i].sum);
        OK(cudaGraphExecDestroy(e));
        OK(cudaGraphDestroy(g));
        OK(cudaGraphDestroy(h));
    }
}

struct name {
    char *host;
    const char *name;
};

static void load(struct wrapper *w, const struct name *kernels, size_t count)
{
    void **module = __cudaRegisterFatBinary(w);
    for (size_t i = 0; i < count; i++)
        __cudaRegisterFunction(module, kernels[i].host, kernels[i].host,
                               kernels[i].name, -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
}

int main(void)
{
    static const struct name calling[] = {{&add, "add"},
                                          {&launch, "launch"},
                                          {&launch_list, "launch_list"},
                                          {&grids, "grids"},
                                          {&ask, "ask"}};
    static const struct name quiet[] = {{&look, "look"}};
    load(&wrapper, calling, sizeof calling / sizeof *calling);
    load(&plain, quiet, 1);
    OK(cudaMallocManaged((void **)&sum, 4, 1));
    OK(cudaMallocManaged((void **)&errors, 4096, 1));
    OK(cudaMallocManaged((void **)&list, 4096, 1));
    OK(cudaMallocManaged((void **)&seen, sizeof *seen, 1));
    OK(cudaStreamCreate(&stream));
    what_they_hold();
    instances();
    outside();
    refusals();
    how_many();
    own_instance();
    functions();
    conditions();
    return check_result();
}
