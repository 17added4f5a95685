/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes of every kind and what may become of them: the update of an instance
 * by each node of the kind, each function that sets or asks for something on
 * each node, each flag of an instance. The lines of graph-kinds.truth are an
 * H200's.
 *
 *     runtime-graph-kinds FILE    compares; without it, prints
 */
#include "check.h"
#include "kernels.h"

#include <cuda.h>

typedef cudaGraph_t graph;
typedef cudaGraphNode_t node;

static unsigned *d, *d2, *pin, *managed, host[1024];
static cudaArray_t arr;
static cudaEvent_t ev, ev2;
static cudaStream_t stream;
static CUcontext ctx;

/* ---- kinds --------------------------------------------------------------- */

/* What differs from the first of its name. */
struct kind {
    const char *name;
    cudaError_t (*add)(node *n, graph g, const struct kind *k);
    void *to, *from;
    unsigned value, count, rows, pitch, grid, block, shared, variant;
};

static void nothing(void *data)
{
    (void)data;
}

static void nothing_else(void *data)
{
    (void)data;
}

static unsigned or (unsigned value, unsigned usual)
{
    return value ? value : usual;
}

static cudaError_t add_kernel(node *n, graph g, const struct kind *k)
{
    unsigned *p = k->to ? k->to : d, value = k->value;
    void *args[] = {&p, &value};
    const struct cudaKernelNodeParams p_ = {
        .func = k->variant == 1   ? &small
                : k->variant == 2 ? &count
                                  : &store,
        .gridDim = { or (k->grid, 1), 1, 1},
        .blockDim = { or (k->block, 1), 1, 1},
        .sharedMemBytes = k->shared,
        .kernelParams = args};
    return cudaGraphAddKernelNode(n, g, NULL, 0, &p_);
}

/* variant: the attribute. */
static cudaError_t add_attribute(node *n, graph g, const struct kind *k)
{
    const struct kind plain = {.grid = 2};
    cudaLaunchAttributeValue v = {0};
    if (k->variant == cudaLaunchAttributeAccessPolicyWindow) {
        v.accessPolicyWindow.base_ptr = d;
        v.accessPolicyWindow.num_bytes = 64;
        v.accessPolicyWindow.hitRatio = 1;
        v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    } else if (k->variant == cudaLaunchAttributeClusterDimension) {
        v.clusterDim.x = 2;
        v.clusterDim.y = v.clusterDim.z = 1;
    } else {
        v.priority = (int)k->value; /* whatever number it is */
    }
    cudaError_t err = add_kernel(n, g, &plain);
    return err ? err
               : cudaGraphKernelNodeSetAttribute(
                     *n, (cudaLaunchAttributeID)k->variant, &v);
}

static cudaError_t add_copy(node *n, graph g, const struct kind *k)
{
    return cudaGraphAddMemcpyNode1D(n, g, NULL, 0, k->to, k->from, k->count,
                                    (enum cudaMemcpyKind)k->variant);
}

static cudaError_t add_box(node *n, graph g, const struct kind *k)
{
    struct cudaMemcpy3DParms p = {.kind = cudaMemcpyDefault};
    p.srcPtr = make_cudaPitchedPtr(k->from, k->pitch, k->count, k->rows);
    p.dstPtr = make_cudaPitchedPtr(k->to, k->pitch, k->count, k->rows);
    p.extent = make_cudaExtent(k->count, k->rows, or (k->variant, 1));
    return cudaGraphAddMemcpyNode(n, g, NULL, 0, &p);
}

/* variant: the row. */
static cudaError_t add_array(node *n, graph g, const struct kind *k)
{
    struct cudaMemcpy3DParms p = {.extent = {16, 1, 1},
                                  .kind = cudaMemcpyDefault};
    p.srcPtr = make_cudaPitchedPtr(d, 64, 16, 1);
    p.dstArray = arr;
    p.dstPos.y = k->variant;
    return cudaGraphAddMemcpyNode(n, g, NULL, 0, &p);
}

static cudaError_t add_symbol(node *n, graph g, const struct kind *k)
{
    (void)k;
    return cudaGraphAddMemcpyNodeToSymbol(n, g, NULL, 0, table, d, 16, 0,
                                          cudaMemcpyDeviceToDevice);
}

/* variant: bytes of an element. */
static cudaError_t add_fill(node *n, graph g, const struct kind *k)
{
    const struct cudaMemsetParams m = {.dst = k->to ? k->to : d,
                                       .pitch = k->pitch,
                                       .value = k->value,
                                       .elementSize = or (k->variant, 4),
                                       .width = or (k->count, 4),
                                       .height = or (k->rows, 1)};
    return cudaGraphAddMemsetNode(n, g, NULL, 0, &m);
}

static cudaError_t add_host(node *n, graph g, const struct kind *k)
{
    const struct cudaHostNodeParams h = {k->variant ? nothing_else : nothing,
                                         k->to};
    return cudaGraphAddHostNode(n, g, NULL, 0, &h);
}

enum { ONE_FILL, TWO_FILLS, A_KERNEL, ROWS, NO_NODE, A_CHILD };

static cudaError_t add_child(node *n, graph g, const struct kind *k)
{
    const struct kind fill = {.value = k->value}, elsewhere = {.to = d2},
                      rows = {.count = 2, .rows = 2, .pitch = 16};
    const struct kind inner = {.variant = ONE_FILL, .value = k->value};
    graph child;
    node m;
    OK(cudaGraphCreate(&child, 0));
    if (k->variant == ONE_FILL || k->variant == TWO_FILLS)
        OK(add_fill(&m, child, &fill));
    if (k->variant == TWO_FILLS)
        OK(add_fill(&m, child, &elsewhere));
    if (k->variant == A_KERNEL)
        OK(add_kernel(&m, child, &fill));
    if (k->variant == ROWS)
        OK(add_fill(&m, child, &rows));
    if (k->variant == A_CHILD)
        OK(add_child(&m, child, &inner));
    cudaError_t err = cudaGraphAddChildGraphNode(n, g, NULL, 0, child);
    OK(cudaGraphDestroy(child));
    return err;
}

static cudaError_t add_empty(node *n, graph g, const struct kind *k)
{
    (void)k;
    return cudaGraphAddEmptyNode(n, g, NULL, 0);
}

static cudaError_t add_record(node *n, graph g, const struct kind *k)
{
    return cudaGraphAddEventRecordNode(n, g, NULL, 0, k->variant ? ev2 : ev);
}

static cudaError_t add_wait(node *n, graph g, const struct kind *k)
{
    return cudaGraphAddEventWaitNode(n, g, NULL, 0, k->variant ? ev2 : ev);
}

static cudaError_t add_batch(node *n, graph g, const struct kind *k)
{
    CUstreamBatchMemOpParams p[2] = {0};
    for (unsigned i = 0; i < 2; i++) {
        p[i].operation = k->variant ? CU_STREAM_MEM_OP_WRITE_VALUE_64
                                    : CU_STREAM_MEM_OP_WRITE_VALUE_32;
        p[i].writeValue.address = (CUdeviceptr)(k->to ? k->to : d);
        p[i].writeValue.value = k->value;
    }
    const CUDA_BATCH_MEM_OP_NODE_PARAMS b = {ctx, k->count, p, 0};
    return (cudaError_t)cuGraphAddBatchMemOpNode(n, g, NULL, 0, &b);
}

/* variant: the type; value: of the fills in the bodies; grid: the default. */
static cudaError_t add_condition(node *n, graph g, const struct kind *k)
{
    const struct kind fill = {.value = k->value};
    const struct kind child = {.variant = ONE_FILL};
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    node m;
    OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, g, k->grid,
                                        k->grid ? cudaGraphCondAssignDefault
                                                : 0));
    p.conditional.type = (enum cudaGraphConditionalNodeType)k->variant;
    p.conditional.size = k->count;
    cudaError_t err = cudaGraphAddNode_v2(n, g, NULL, NULL, 0, &p);
    for (unsigned i = 0; !err && !k->block && i < k->count; i++)
        OK(k->rows ? add_child(&m, p.conditional.phGraph_out[i], &child)
                   : add_fill(&m, p.conditional.phGraph_out[i], &fill));
    return err;
}

enum { KINDS_MOST = 96 };
static struct kind kinds[KINDS_MOST];
static size_t kind_count;

/* Pointers are known at run time only. */
static void kind(struct kind k)
{
    kinds[kind_count++] = k;
}
#define KIND(name_, add_, ...)                                                 \
    kind((struct kind){.name = name_, .add = add_, __VA_ARGS__})
#define ATTRIBUTE(name, id, value_)                                            \
    KIND("kernel " name, add_attribute, .variant = cudaLaunchAttribute##id,    \
         .value = value_)

static void list_kernels(void)
{
    KIND("kernel", add_kernel, .value = 1);
    KIND("kernel args", add_kernel, .to = d2, .value = 2);
    KIND("kernel grid", add_kernel, .value = 1, .grid = 3);
    KIND("kernel block", add_kernel, .value = 1, .block = 3);
    KIND("kernel shared", add_kernel, .value = 1, .shared = 1024);
    KIND("kernel func", add_kernel, .variant = 1);
    KIND("kernel func other args", add_kernel, .variant = 2);
    ATTRIBUTE("cooperative", Cooperative, 1);
    ATTRIBUTE("priority", Priority, (unsigned)-1);
    ATTRIBUTE("window", AccessPolicyWindow, 0);
    ATTRIBUTE("cluster", ClusterDimension, 0);
    ATTRIBUTE("domain", MemSyncDomain, 1);
    ATTRIBUTE("updatable", DeviceUpdatableKernelNode, 1);
    ATTRIBUTE("carveout", PreferredSharedMemoryCarveout, 50);
}

static void list_copies(void)
{
    const unsigned any = cudaMemcpyDefault, down = cudaMemcpyHostToDevice,
                   up = cudaMemcpyDeviceToHost;
    KIND("memcpy", add_copy, d, d2, .count = 64, .variant = any);
    KIND("memcpy src", add_copy, d, d2 + 1, .count = 64, .variant = any);
    KIND("memcpy dst", add_copy, d + 4, d2, .count = 64, .variant = any);
    KIND("memcpy size", add_copy, d, d2, .count = 128, .variant = any);
    KIND("memcpy pinned", add_copy, d, pin, .count = 64, .variant = any);
    KIND("memcpy pageable", add_copy, d, host, .count = 64, .variant = down);
    KIND("memcpy pageable2", add_copy, d, host + 8, .count = 32,
         .variant = down);
    KIND("memcpy to pageable", add_copy, host, d, .count = 64, .variant = up);
    KIND("memcpy managed", add_copy, managed, d2, .count = 64, .variant = any);
    KIND("memcpy 2d", add_box, d, d2, .count = 16, .rows = 2, .pitch = 32);
    KIND("memcpy 2d same", add_box, d, d2, .count = 16, .rows = 2, .pitch = 32);
    KIND("memcpy 2d dst", add_box, d + 8, d2, .count = 16, .rows = 2,
         .pitch = 32);
    KIND("memcpy 2d extent", add_box, d, d2, .count = 8, .rows = 2,
         .pitch = 32);
    KIND("memcpy 2d pitch", add_box, d, d2, .count = 16, .rows = 2,
         .pitch = 64);
    KIND("memcpy 3d", add_box, d, d2, .count = 16, .rows = 2, .pitch = 32,
         .variant = 2);
    KIND("memcpy array", add_array, .variant = 0);
    KIND("memcpy array row", add_array, .variant = 1);
    KIND("memcpy symbol", add_symbol, .variant = 0);
}

static void list_fills(void)
{
    KIND("memset", add_fill, .value = 1, .count = 16);
    KIND("memset dst", add_fill, d2, .value = 1, .count = 16);
    KIND("memset value", add_fill, .value = 2, .count = 16);
    KIND("memset width", add_fill, .value = 1, .count = 8);
    KIND("memset element", add_fill, .value = 1, .count = 16, .variant = 1);
    KIND("memset managed", add_fill, managed, .value = 1, .count = 16);
    KIND("memset pinned", add_fill, pin, .value = 1, .count = 16);
    KIND("memset 2d", add_fill, .value = 1, .rows = 2, .pitch = 32);
    KIND("memset 2d value", add_fill, .value = 2, .rows = 2, .pitch = 32);
    KIND("memset 2d width", add_fill, .value = 1, .count = 2, .rows = 2,
         .pitch = 32);
    KIND("memset 2d dst", add_fill, d2, .value = 1, .rows = 2, .pitch = 32);
    KIND("memset 2d pitch", add_fill, .value = 1, .rows = 2, .pitch = 64);
}

static void list_others(void)
{
    KIND("host", add_host, .variant = 0);
    KIND("host fn", add_host, .variant = 1);
    KIND("host data", add_host, .to = d);
    KIND("child", add_child, .variant = ONE_FILL);
    KIND("child value", add_child, .variant = ONE_FILL, .value = 1);
    KIND("child more", add_child, .variant = TWO_FILLS);
    KIND("child kernel", add_child, .variant = A_KERNEL);
    KIND("child 2d", add_child, .variant = ROWS);
    KIND("child empty", add_child, .variant = NO_NODE);
    KIND("child child", add_child, .variant = A_CHILD);
    KIND("child child value", add_child, .variant = A_CHILD, .value = 1);
    KIND("empty", add_empty, .variant = 0);
    KIND("record", add_record, .variant = 0);
    KIND("record 2", add_record, .variant = 1);
    KIND("wait", add_wait, .variant = 0);
    KIND("wait 2", add_wait, .variant = 1);
    KIND("batch", add_batch, .count = 2, .value = 1);
    KIND("batch value", add_batch, .count = 2, .value = 2);
    KIND("batch count", add_batch, .count = 1, .value = 1);
    KIND("batch op", add_batch, .count = 2, .value = 1, .variant = 1);
    KIND("batch address", add_batch, d + 2, .count = 2, .value = 1);
}

static void list_conditions(void)
{
    const unsigned one = cudaGraphCondTypeIf, loop = cudaGraphCondTypeWhile,
                   many = cudaGraphCondTypeSwitch;
    KIND("if", add_condition, .variant = one, .count = 1);
    KIND("if body value", add_condition, .variant = one, .count = 1,
         .value = 1);
    KIND("if body child", add_condition, .variant = one, .count = 1, .rows = 1);
    KIND("if default", add_condition, .variant = one, .count = 1, .grid = 1);
    KIND("if else", add_condition, .variant = one, .count = 2);
    KIND("if empty", add_condition, .variant = one, .count = 1, .block = 1);
    KIND("while", add_condition, .variant = loop, .count = 1);
    KIND("switch", add_condition, .variant = many, .count = 3);
    KIND("switch 2", add_condition, .variant = many, .count = 2);
}

/* ---- what is done with them ---------------------------------------------- */

static FILE *truth; /* NULL: print */

/* A line that is to be the next one of the file. */
static void say(const char *line)
{
    char expected[4096];
    if (!truth) {
        puts(line);
        return;
    }
    if (!fgets(expected, sizeof expected, truth))
        expected[0] = '\0';
    expected[strcspn(expected, "\n")] = '\0';
    if (strcmp(expected, line) != 0) {
        printf("is:     %s\nnot so: %s\n", line, expected);
        failures++;
    }
}

/* A fill, the node, an empty one. */
static cudaError_t make_chain(graph *g, const struct kind *k, node *n)
{
    const struct kind fill = {.to = d2};
    OK(cudaGraphCreate(g, 0));
    OK(add_fill(&n[0], *g, &fill));
    cudaError_t err = k->add(&n[1], *g, k);
    OK(cudaGraphAddEmptyNode(&n[2], *g, NULL, 0));
    if (err)
        return err;
    OK(cudaGraphAddDependencies(*g, &n[0], &n[1], 1));
    OK(cudaGraphAddDependencies(*g, &n[1], &n[2], 1));
    return cudaSuccess;
}

/* -1: none; 9: one of a child graph or of a body. */
static int index_of(const node *n, node x)
{
    for (int i = 0; i < 3; i++)
        if (n[i] == x)
            return i;
    return x ? 9 : -1;
}

static bool is_same_word(const char *a, const char *b)
{
    size_t length = strcspn(a, " ");
    return length == strcspn(b, " ") && !strncmp(a, b, length);
}

/* Kinds that all instances are updated by. */
static bool is_for_all(const char *name)
{
    return !strcmp(name, "empty") || !strcmp(name, "if") ||
           !strcmp(name, "child");
}

static void update(const struct kind *from, const struct kind *to)
{
    graph a, b;
    node in_a[3], in_b[3];
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info = {0};
    char line[256];
    OK(make_chain(&a, from, in_a));
    OK(make_chain(&b, to, in_b));
    OK(cudaGraphInstantiate(&e, a, 0));
    cudaError_t err = cudaGraphExecUpdate(e, b, &info);
    cudaGetLastError();
    snprintf(line, sizeof line, "%s by %s: %d, result %d, nodes %d %d",
             from->name, to->name, (int)err, (int)info.result,
             index_of(in_b, info.errorNode),
             index_of(in_b, info.errorFromNode));
    say(line);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(a));
    OK(cudaGraphDestroy(b));
}

static void update_by_all(const struct kind *k)
{
    for (size_t i = 0; i < kind_count; i++)
        if (is_same_word(k->name, kinds[i].name) || is_for_all(kinds[i].name))
            update(k, &kinds[i]);
}

/* ---- functions on them --------------------------------------------------- */

static struct cudaKernelNodeParams kernel_params(void)
{
    static unsigned value = 1;
    static void *args[2];
    args[0] = &d, args[1] = &value;
    return (struct cudaKernelNodeParams){.func = &store,
                                         .gridDim = {1, 1, 1},
                                         .blockDim = {1, 1, 1},
                                         .kernelParams = args};
}

static struct cudaMemcpy3DParms copy_params(void)
{
    struct cudaMemcpy3DParms p = {.extent = {64, 1, 1},
                                  .kind = cudaMemcpyDefault};
    p.srcPtr = make_cudaPitchedPtr(d2, 64, 64, 1);
    p.dstPtr = make_cudaPitchedPtr(d, 64, 64, 1);
    return p;
}

static struct cudaMemsetParams fill_params(void)
{
    return (struct cudaMemsetParams){d, 0, 3, 4, 16, 1};
}

static graph other_child(void)
{
    static graph g;
    const struct kind fill = {.value = 7};
    node n;
    if (!g) {
        OK(cudaGraphCreate(&g, 0));
        OK(add_fill(&n, g, &fill));
    }
    return g;
}

static struct cudaGraphNodeParams any_params(enum cudaGraphNodeType type)
{
    const struct cudaKernelNodeParams k = kernel_params();
    struct cudaGraphNodeParams p = {.type = type};
    if (type == cudaGraphNodeTypeKernel) {
        p.kernel.func = k.func;
        p.kernel.gridDim = k.gridDim;
        p.kernel.blockDim = k.blockDim;
        p.kernel.kernelParams = k.kernelParams;
    } else if (type == cudaGraphNodeTypeMemset) {
        p.memset.dst = d;
        p.memset.value = 3;
        p.memset.elementSize = 4;
        p.memset.width = 16;
        p.memset.height = 1;
    } else if (type == cudaGraphNodeTypeMemcpy) {
        p.memcpy.copyParams = copy_params();
    } else if (type == cudaGraphNodeTypeHost) {
        p.host.fn = nothing_else;
    } else if (type == cudaGraphNodeTypeEventRecord ||
               type == cudaGraphNodeTypeWaitEvent) {
        p.eventWait.event = ev2;
    } else if (type == cudaGraphNodeTypeGraph) {
        p.graph.graph = other_child();
    } else if (type == cudaGraphNodeTypeMemAlloc) {
        p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
        p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
        p.alloc.bytesize = 4096;
    } else if (type == cudaGraphNodeTypeMemFree) {
        p.free.dptr = d;
    } else if (type == cudaGraphNodeTypeConditional) {
        p.conditional.size = 1;
    }
    return p;
}

static cudaError_t set_any(cudaGraphExec_t e, node n,
                           enum cudaGraphNodeType type)
{
    struct cudaGraphNodeParams p = any_params(type);
    return e ? cudaGraphExecNodeSetParams(e, n, &p)
             : cudaGraphNodeSetParams(n, &p);
}

static CUDA_BATCH_MEM_OP_NODE_PARAMS batch_params(void)
{
    static CUstreamBatchMemOpParams p[2];
    for (unsigned i = 0; i < 2; i++) {
        p[i].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
        p[i].writeValue.address = (CUdeviceptr)d;
        p[i].writeValue.value = 5;
    }
    return (CUDA_BATCH_MEM_OP_NODE_PARAMS){ctx, 2, p, 0};
}

static cudaError_t set_batch(cudaGraphExec_t e, node n)
{
    const CUDA_BATCH_MEM_OP_NODE_PARAMS b = batch_params();
    return (cudaError_t)(e ? cuGraphExecBatchMemOpNodeSetParams(e, n, &b)
                           : cuGraphBatchMemOpNodeSetParams(n, &b));
}

/* The kinds that the runtime API cannot name, or that need a semaphore: of
 * none. */
static cudaError_t set_other(cudaGraphExec_t e, node n, CUgraphNodeType type)
{
    CUgraphNodeParams p = {.type = type};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS b = batch_params();
    if (type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
        memcpy(&p.memOp, &b, sizeof p.memOp);
    return (cudaError_t)(e ? cuGraphExecNodeSetParams(e, n, &p)
                           : cuGraphNodeSetParams(n, &p));
}

static struct cudaKernelNodeParams kernel_in;
static struct cudaMemcpy3DParms copy_in, copy_out;
static struct cudaMemsetParams fill_in, fill_out;
static struct cudaHostNodeParams host_in = {nothing_else, NULL};
static struct cudaMemAllocNodeParams alloc_out;
static cudaLaunchAttributeValue no_priority;
static graph graph_out;
static void *pointer_out;
static unsigned is_on;
static cudaEvent_t event_out;
static CUDA_BATCH_MEM_OP_NODE_PARAMS batch_out;
static struct cudaExternalSemaphoreSignalNodeParams signal, no_signal;
static struct cudaExternalSemaphoreWaitNodeParams wait, no_wait;

/* Functions of an instance e, and of a graph's node n. */
/* clang-format off */
#define CALLS                                                                  \
    CALL(cudaGraphExecKernelNodeSetParams(e, n, &kernel_in))                   \
    CALL(cudaGraphExecMemsetNodeSetParams(e, n, &fill_in))                     \
    CALL(cudaGraphExecMemcpyNodeSetParams(e, n, &copy_in))                     \
    CALL(cudaGraphExecMemcpyNodeSetParams1D(e, n, d, d2, 64,                   \
                                            cudaMemcpyDefault))                \
    CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol(e, n, table, d2, 16, 0,      \
                                                  cudaMemcpyDefault))          \
    CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(e, n, d, table, 16, 0,     \
                                                    cudaMemcpyDefault))        \
    CALL(cudaGraphExecHostNodeSetParams(e, n, &host_in))                       \
    CALL(cudaGraphExecChildGraphNodeSetParams(e, n, other_child()))            \
    CALL(cudaGraphExecEventRecordNodeSetEvent(e, n, ev2))                      \
    CALL(cudaGraphExecEventWaitNodeSetEvent(e, n, ev2))                        \
    CALL(set_batch(e, n))                                                      \
    CALL(cudaGraphNodeSetEnabled(e, n, 1))                                     \
    CALL(cudaGraphNodeSetEnabled(e, n, 0))                                     \
    CALL(cudaGraphNodeSetEnabled(e, n, 2))                                     \
    CALL(cudaGraphNodeGetEnabled(e, n, &is_on))                                \
    EITHER(Kernel)                                                             \
    EITHER(Memcpy)                                                             \
    EITHER(Memset)                                                             \
    EITHER(Host)                                                               \
    EITHER(Graph)                                                              \
    EITHER(Empty)                                                              \
    EITHER(WaitEvent)                                                          \
    EITHER(EventRecord)                                                        \
    EITHER(MemAlloc)                                                           \
    EITHER(MemFree)                                                            \
    EITHER(Conditional)                                                        \
    CALL(cudaGraphKernelNodeSetParams(n, &kernel_in))                          \
    CALL(cudaGraphKernelNodeGetParams(n, &kernel_in))                          \
    CALL(cudaGraphMemsetNodeSetParams(n, &fill_in))                            \
    CALL(cudaGraphMemsetNodeGetParams(n, &fill_out))                           \
    CALL(cudaGraphMemcpyNodeSetParams1D(n, d, d2, 64, cudaMemcpyDefault))      \
    CALL(cudaGraphMemcpyNodeSetParams(n, &copy_in))                            \
    CALL(cudaGraphMemcpyNodeGetParams(n, &copy_out))                           \
    CALL(cudaGraphHostNodeSetParams(n, &host_in))                              \
    CALL(cudaGraphChildGraphNodeGetGraph(n, &graph_out))                       \
    CALL(cudaGraphEventRecordNodeSetEvent(n, ev2))                             \
    CALL(cudaGraphEventWaitNodeSetEvent(n, ev2))                               \
    CALL(cudaGraphMemAllocNodeGetParams(n, &alloc_out))                        \
    CALL(cudaGraphMemFreeNodeGetParams(n, &pointer_out))                       \
    CALL(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePriority,       \
                                         &no_priority))                        \
    CALL(cudaGraphKernelNodeCopyAttributes(n, n))                              \
    CALL(cudaGraphDestroyNode(n))                                              \
    OTHER(BATCH_MEM_OP)                                                        \
    OTHER(EXT_SEMAS_SIGNAL)                                                    \
    OTHER(EXT_SEMAS_WAIT)                                                      \
    CALL(set_batch(NULL, n))                                                   \
    CALL((cudaError_t)cuGraphBatchMemOpNodeGetParams(n, &batch_out))           \
    CALL(cudaGraphExternalSemaphoresSignalNodeGetParams(n, &signal))           \
    CALL(cudaGraphExternalSemaphoresSignalNodeSetParams(n, &no_signal))        \
    CALL(cudaGraphExecExternalSemaphoresSignalNodeSetParams(e, n, &no_signal)) \
    CALL(cudaGraphExternalSemaphoresWaitNodeGetParams(n, &wait))               \
    CALL(cudaGraphExternalSemaphoresWaitNodeSetParams(n, &no_wait))            \
    CALL(cudaGraphExecExternalSemaphoresWaitNodeSetParams(e, n, &no_wait))     \
    CALL(cudaGraphEventRecordNodeGetEvent(n, &event_out))                      \
    CALL(cudaGraphEventWaitNodeGetEvent(n, &event_out))
/* clang-format on */
#define OTHER(type)                                                            \
    CALL(set_other(e, n, CU_GRAPH_NODE_TYPE_##type))                           \
    CALL(set_other(NULL, n, CU_GRAPH_NODE_TYPE_##type))
#define EITHER(type)                                                           \
    CALL(set_any(e, n, cudaGraphNodeType##type))                               \
    CALL(set_any(NULL, n, cudaGraphNodeType##type))

/* One call; `which` chooses. */
static cudaError_t call(size_t which, cudaGraphExec_t e, node n)
{
    size_t i = 0;
    kernel_in = kernel_params();
    copy_in = copy_params();
    fill_in = fill_params();
#define CALL(expression)                                                       \
    if (i++ == which)                                                          \
        return expression;
    CALLS
#undef CALL
    return cudaErrorUnknown;
}

static const char *const call_names[] = {
#define CALL(expression) #expression,
    CALLS
#undef CALL
};

/* Each on a graph and an instance of its own; lists those that succeed, and
 * others than "invalid value". */
static void call_all(const struct kind *k)
{
    for (size_t i = 0; i < sizeof call_names / sizeof *call_names; i++) {
        graph g;
        node n[3];
        cudaGraphExec_t e;
        char line[256];
        OK(make_chain(&g, k, n));
        OK(cudaGraphInstantiate(&e, g, 0));
        cudaError_t err = call(i, e, n[1]);
        cudaGetLastError();
        snprintf(line, sizeof line, "%s, %s: %d", k->name, call_names[i],
                 (int)err);
        if (err != cudaErrorInvalidValue)
            say(line);
        OK(cudaGraphExecDestroy(e));
        OK(cudaGraphDestroy(g));
    }
}

/* ---- flags of instances -------------------------------------------------- */

static void instantiate_all(const struct kind *k)
{
    for (unsigned flags = 0; flags <= 32; flags++) {
        graph g;
        node n[3];
        cudaGraphExec_t e;
        cudaGraphInstantiateParams p = {.flags = flags, .uploadStream = stream};
        unsigned long long back = 99;
        char line[256];
        if (flags > 16 && flags < 31)
            continue;
        OK(make_chain(&g, k, n));
        OK(cudaGraphDestroyNode(n[2]));
        cudaError_t err = cudaGraphInstantiateWithParams(&e, g, &p);
        cudaGetLastError();
        if (!err)
            OK(cudaGraphExecGetFlags(e, &back));
        snprintf(line, sizeof line,
                 "%s, flags %u: %d, result %d, node %d, %llu", k->name, flags,
                 (int)err, (int)p.result_out, index_of(n, p.errNode_out), back);
        say(line);
        if (!err)
            OK(cudaGraphExecDestroy(e));
        OK(cudaStreamSynchronize(stream));
        OK(cudaGraphDestroy(g));
    }
}

static void set_up(void)
{
    const struct cudaChannelFormatDesc word = {32, 0, 0, 0,
                                               cudaChannelFormatKindUnsigned};
    kernels_register();
    OK(cudaMalloc((void **)&d, 4096));
    OK(cudaMalloc((void **)&d2, 4096));
    OK(cudaMallocHost((void **)&pin, 4096));
    OK(cudaMallocManaged((void **)&managed, 65536, cudaMemAttachGlobal));
    OK(cudaMallocArray(&arr, &word, 16, 16, 0));
    OK(cudaEventCreate(&ev));
    OK(cudaEventCreate(&ev2));
    OK(cudaStreamCreate(&stream));
    CHECK(!cuCtxGetCurrent(&ctx));
    list_kernels();
    list_copies();
    list_fills();
    list_others();
    list_conditions();
}

int main(int argc, char **argv)
{
    set_up();
    truth = argc > 1 ? fopen(argv[1], "r") : NULL;
    CHECK(argc == 1 || truth);
    for (size_t i = 0; i < kind_count; i++)
        update_by_all(&kinds[i]);
    for (size_t i = 0; i < kind_count; i++)
        call_all(&kinds[i]);
    for (size_t i = 0; i < kind_count; i++)
        instantiate_all(&kinds[i]);
    CHECK(!truth || fgetc(truth) == EOF);
    return check_result();
}
