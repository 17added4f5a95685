/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel nodes that kernels change: grid, arguments, whether they run; and what
 * the host may no longer do with such nodes.
 */
#include "check.h"

#include <string.h>

#define RESULT                                                                 \
    " ld.param.b32 %r9, [res]; }\n ld.param.u64 %d9, [err];\n"                 \
    " st.global.u32 [%d9], %r9; ret; }\n"
#define REGISTERS " .reg .b32 %r<10>; .reg .b64 %d<10>;\n"

/* add: every thread of the grid adds `value` to *p. */
static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b32 r) cudaGraphKernelNodeSetGridDim\n"
    " (.param .b64 a, .param .align 4 .b8 b[12]);\n"
    ".extern .func (.param .b32 r) cudaGraphKernelNodeSetEnabled\n"
    " (.param .b64 a, .param .b32 b);\n"
    ".extern .func (.param .b32 r) cudaGraphKernelNodeSetParam\n"
    " (.param .b64 a, .param .b64 b, .param .b64 c, .param .b64 d);\n"
    ".extern .func (.param .b32 r) cudaGraphKernelNodeUpdatesApply\n"
    " (.param .b64 a, .param .b64 b);\n"
    ".visible .entry add(.param .u64 p, .param .u32 value) {\n" REGISTERS
    " ld.param.u64 %d1, [p]; ld.param.u32 %r1, [value];\n"
    " red.global.add.u32 [%d1], %r1; ret; }\n"
    ".visible .entry set_grid(.param .u64 node, .param .u64 err,\n"
    " .param .u32 x, .param .u32 y) {\n" REGISTERS
    " ld.param.u64 %d1, [node]; ld.param.u32 %r1, [x]; ld.param.u32 %r2, [y];\n"
    " { .param .b64 a; .param .align 4 .b8 b[12]; .param .b32 res;\n"
    " st.param.b64 [a], %d1; st.param.b32 [b], %r1; st.param.b32 [b+4], %r2;\n"
    " mov.u32 %r3, 1; st.param.b32 [b+8], %r3;\n"
    " call.uni (res), cudaGraphKernelNodeSetGridDim, (a, b);\n" RESULT
    ".visible .entry set_enabled(.param .u64 node, .param .u64 err,\n"
    " .param .u32 on) {\n" REGISTERS
    " ld.param.u64 %d1, [node]; ld.param.u32 %r1, [on];\n"
    " { .param .b64 a; .param .b32 b; .param .b32 res;\n"
    " st.param.b64 [a], %d1; st.param.b32 [b], %r1;\n"
    " call.uni (res), cudaGraphKernelNodeSetEnabled, (a, b);\n" RESULT
    ".visible .entry set_param(.param .u64 node, .param .u64 err,\n"
    " .param .u64 offset, .param .u64 value, .param .u64 size) {\n" REGISTERS
    " ld.param.u64 %d1, [node]; ld.param.u64 %d2, [offset];\n"
    " ld.param.u64 %d3, [value]; ld.param.u64 %d4, [size];\n"
    " { .param .b64 a; .param .b64 b; .param .b64 c; .param .b64 d;\n"
    " .param .b32 res; st.param.b64 [a], %d1; st.param.b64 [b], %d2;\n"
    " st.param.b64 [c], %d3; st.param.b64 [d], %d4;\n"
    " call.uni (res), cudaGraphKernelNodeSetParam, (a, b, c, d);\n" RESULT
    ".visible .entry apply(.param .u64 updates, .param .u64 err,\n"
    " .param .u64 count) {\n" REGISTERS
    " ld.param.u64 %d1, [updates]; ld.param.u64 %d2, [count];\n"
    " { .param .b64 a; .param .b64 b; .param .b32 res;\n"
    " st.param.b64 [a], %d1; st.param.b64 [b], %d2;\n"
    " call.uni (res), cudaGraphKernelNodeUpdatesApply, (a, b);\n" RESULT;

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char add, set_grid, set_enabled, set_param, apply;

enum { BAD = cudaErrorInvalidValue, VALUE_AT = 8 };

static int *sum, *error, *number; /* managed */
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
    int one = 1;
    void *args[] = {&sum, &one};
    return add_kernel(g, &add, args);
}

static cudaGraphDeviceNode_t make_updatable(cudaGraphNode_t n)
{
    cudaLaunchAttributeValue v = {0};
    v.deviceUpdatableKernelNode.deviceUpdatable = 1;
    OK(cudaGraphKernelNodeSetAttribute(
        n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    CHECK(v.deviceUpdatableKernelNode.devNode != NULL);
    return v.deviceUpdatableKernelNode.devNode;
}

/* What a launch of it adds to the sum. */
static int launched(cudaGraphExec_t e)
{
    *sum = 0;
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
    return *sum;
}

/* From a kernel of its own; what the call returned. */
static int called(void *f, void **args)
{
    const dim3 one = {1, 1, 1};
    *error = -1;
    OK(cudaLaunchKernel(f, one, one, args, 0, stream));
    OK(cudaStreamSynchronize(stream));
    return *error;
}

static int to_grid(cudaGraphDeviceNode_t n, unsigned x, unsigned y)
{
    void *args[] = {&n, &error, &x, &y};
    return called(&set_grid, args);
}

static int to_enabled(cudaGraphDeviceNode_t n, unsigned on)
{
    void *args[] = {&n, &error, &on};
    return called(&set_enabled, args);
}

static int to_param(cudaGraphDeviceNode_t n, size_t offset, int value,
                    size_t size)
{
    void *args[] = {&n, &error, &offset, &number, &size};
    *number = value;
    return called(&set_param, args);
}

/* ---- from other kernels ------------------------------------------------ */

static void changes(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    OK(cudaGraphCreate(&g, 0));
    cudaGraphDeviceNode_t d = make_updatable(add_add(g));
    CHECK(to_grid(d, 2, 1) == BAD); /* no instance yet */
    CHECK(to_enabled(d, 0) == BAD && to_param(d, VALUE_AT, 7, 4) == BAD);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphUpload(e, stream));
    CHECK(launched(e) == 1);
    CHECK(to_grid(d, 5, 2) == 0 && launched(e) == 10 && launched(e) == 10);
    CHECK(to_param(d, VALUE_AT, 7, 4) == 0 && launched(e) == 70);
    CHECK(to_enabled(d, 0) == 0 && launched(e) == 0);
    CHECK(to_enabled(d, 1) == 0 && launched(e) == 70);
    CHECK(to_grid(d, 0, 1) == BAD && to_grid(d, 1, 1 << 20) == BAD);
    CHECK(to_param(d, VALUE_AT + 2, 1, 4) == BAD);
    CHECK(to_param(d, SIZE_MAX, 1, 4) == BAD);
    CHECK(to_grid(NULL, 1, 1) == BAD && to_enabled(NULL, 1) == BAD);
    CHECK(to_grid((cudaGraphDeviceNode_t)sum, 1, 1) == BAD);
    CHECK(launched(e) == 70);
    OK(cudaGraphExecDestroy(e));
    CHECK(to_enabled(d, 1) == BAD);
    OK(cudaGraphDestroy(g));
    CHECK(to_enabled(d, 1) == BAD);
}

/* ---- several at once, from the graph itself ------------------------------ */

static void from_inside(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaGraphNode_t changed, changer;
    struct cudaGraphKernelNodeUpdate *u;
    size_t count = 3;
    OK(cudaMallocManaged((void **)&u, 4 * sizeof *u, 1));
    void *args[] = {&u, &error, &count};
    OK(cudaGraphCreate(&g, 0));
    changed = add_add(g);
    changer = add_kernel(g, &apply, args);
    OK(cudaGraphAddDependencies(g, &changer, &changed, 1));
    cudaGraphDeviceNode_t d = make_updatable(changed);
    memset(u, 0, 4 * sizeof *u);
    u[0].node = u[1].node = u[2].node = u[3].node = d;
    u[0].field = cudaGraphKernelNodeFieldGridDim;
    u[0].updateData.gridDim = (dim3){4, 1, 1};
    u[1].field = cudaGraphKernelNodeFieldParam;
    u[1].updateData.param.pValue = number;
    u[1].updateData.param.offset = VALUE_AT;
    u[1].updateData.param.size = 4;
    u[2].field = cudaGraphKernelNodeFieldEnabled;
    u[2].updateData.isEnabled = 1;
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 50; i++) {
        *number = i;
        CHECK(launched(e) == 4 * i);
        CHECK(*error == 0);
    }
    u[2].updateData.isEnabled = 0;
    CHECK(launched(e) == 0);
    u[2].field = cudaGraphKernelNodeFieldInvalid;
    CHECK(launched(e) == 0 && *error == BAD);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaFree(u));
}

/* ---- the host ------------------------------------------------------------ */

static void host_updates(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    int two = 2;
    unsigned on;
    void *args[] = {&sum, &two};
    const struct cudaKernelNodeParams k = {.func = &add,
                                           .gridDim = {3, 1, 1},
                                           .blockDim = {1, 1, 1},
                                           .kernelParams = args};
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t n = add_add(g);
    cudaGraphDeviceNode_t d = make_updatable(n);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphExecKernelNodeSetParams(e, n, &k));
    CHECK(launched(e) == 6);
    CHECK(to_param(d, VALUE_AT, 5, 4) == 0 && launched(e) == 15);
    OK(cudaGraphNodeSetEnabled(e, n, 0));
    OK(cudaGraphNodeGetEnabled(e, n, &on));
    CHECK(on == 0 && launched(e) == 0);
    CHECK(to_enabled(d, 1) == 0 && launched(e) == 6);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

static void limits(void)
{
    const cudaLaunchAttributeID id =
        cudaLaunchAttributeDeviceUpdatableKernelNode;
    cudaGraph_t g, c;
    cudaGraphExec_t e, second;
    cudaLaunchAttributeValue v = {0};
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t n = add_add(g), m = add_add(g);
    cudaGraphDeviceNode_t d = make_updatable(n);
    CHECK(make_updatable(n) == d);
    OK(cudaGraphKernelNodeGetAttribute(n, id, &v));
    CHECK(v.deviceUpdatableKernelNode.deviceUpdatable == 1 &&
          v.deviceUpdatableKernelNode.devNode == d);
    OK(cudaGraphKernelNodeGetAttribute(m, id, &v));
    CHECK(v.deviceUpdatableKernelNode.deviceUpdatable == 0);
    GIVES(cudaErrorNotSupported, cudaGraphKernelNodeSetAttribute(n, id, &v));
    OK(cudaGraphKernelNodeSetAttribute(m, id, &v)); /* it is none */
    GIVES(cudaErrorNotSupported, cudaGraphKernelNodeCopyAttributes(m, n));
    GIVES(cudaErrorNotSupported, cudaGraphKernelNodeCopyAttributes(n, m));
    GIVES(cudaErrorNotSupported, cudaGraphDestroyNode(n));
    GIVES(cudaErrorNotSupported, cudaGraphClone(&c, g));
    OK(cudaGraphInstantiate(&e, g, 0));
    GIVES(cudaErrorNotSupported, cudaGraphInstantiate(&second, g, 0));
    GIVES(cudaErrorNotSupported, cudaGraphKernelNodeCopyAttributes(n, n));
    info.result = cudaGraphExecUpdateError;
    GIVES(cudaErrorNotSupported, cudaGraphExecUpdate(e, g, &info));
    CHECK(info.result == cudaGraphExecUpdateSuccess && !info.errorNode);
    CHECK(launched(e) == 2);
    OK(cudaGraphCreate(&c, 0)); /* by a graph with such nodes */
    add_add(c), add_add(c);
    OK(cudaGraphInstantiate(&second, c, 0));
    GIVES(cudaErrorNotSupported, cudaGraphExecUpdate(second, g, &info));
    OK(cudaGraphExecDestroy(second));
    OK(cudaGraphDestroy(c));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphInstantiate(&e, g, 0));
    CHECK(launched(e) == 2);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

static void captured(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    int one = 1;
    void *args[] = {&sum, &one};
    cudaLaunchAttribute a = {.id =
                                 cudaLaunchAttributeDeviceUpdatableKernelNode};
    const cudaLaunchConfig_t config = {.gridDim = {1, 1, 1},
                                       .blockDim = {1, 1, 1},
                                       .stream = stream,
                                       .attrs = &a,
                                       .numAttrs = 1};
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    GIVES(cudaErrorNotSupported, cudaLaunchKernelExC(&config, &add, args));
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 0;
    GIVES(cudaErrorNotSupported, cudaLaunchKernelExC(&config, &add, args));
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    OK(cudaLaunchKernelExC(&config, &add, args));
    OK(cudaStreamEndCapture(stream, &g));
    cudaGraphDeviceNode_t d = a.val.deviceUpdatableKernelNode.devNode;
    CHECK(d != NULL);
    OK(cudaGraphInstantiate(&e, g, 0));
    CHECK(to_grid(d, 9, 1) == 0 && launched(e) == 9);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

int main(void)
{
    void **module = __cudaRegisterFatBinary(&wrapper);
    const struct {
        char *host;
        const char *name;
    } kernels[] = {{&add, "add"},
                   {&set_grid, "set_grid"},
                   {&set_enabled, "set_enabled"},
                   {&set_param, "set_param"},
                   {&apply, "apply"}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        __cudaRegisterFunction(module, kernels[i].host, kernels[i].host,
                               kernels[i].name, -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    OK(cudaMallocManaged((void **)&sum, 4, 1));
    OK(cudaMallocManaged((void **)&error, 4, 1));
    OK(cudaMallocManaged((void **)&number, 8, 1));
    OK(cudaStreamCreate(&stream));
    changes();
    from_inside();
    host_updates();
    limits();
    captured();
    return check_result();
}
