/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs made by hand: nodes of every type, edges, questions, instances. */
#include "check.h"
#include "kernels.h"

#include <time.h>

static unsigned *device;
static cudaStream_t stream;
static void *store_args[2];

/* Writes `value` at device[at]. */
static cudaGraphNode_t add_store(cudaGraph_t g, const cudaGraphNode_t *after,
                                 size_t count, unsigned at, unsigned value)
{
    cudaGraphNode_t n = NULL;
    unsigned *p = device + at;
    void *args[] = {&p, &value};
    const struct cudaKernelNodeParams params = {
        .func = &store,
        .gridDim = {1, 1, 1},
        .blockDim = {1, 1, 1},
        .kernelParams = args,
    };
    OK(cudaGraphAddKernelNode(&n, g, after, count, &params));
    return n;
}

static void launch_and_wait(cudaGraphExec_t e)
{
    OK(cudaGraphLaunch(e, stream));
    OK(cudaStreamSynchronize(stream));
}

static unsigned at(unsigned i)
{
    unsigned value = 0;
    OK(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

/* ---- shape --------------------------------------------------------------- */

static void shape(void)
{
    cudaGraph_t g, other, clone;
    cudaGraphNode_t a, b, c, x, list[8], to[8];
    size_t count;
    enum cudaGraphNodeType type;
    GIVES(cudaErrorInvalidValue, cudaGraphCreate(NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphCreate(&g, 1));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cudaGraphAddEmptyNode(&b, g, &a, 1));
    OK(cudaGraphAddEmptyNode(&c, g, NULL, 0));
    OK(cudaGraphAddEmptyNode(&x, other, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(NULL, g, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&x, NULL, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&list[0], g, NULL, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&list[0], g, &x, 1));
    list[0] = list[1] = a;
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&list[2], g, list, 2));

    /* Edges: not twice, not to itself, not between graphs. A cycle only
     * counts when it is to run. */
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(g, &a, &b, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(g, &a, &a, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(g, &x, &a, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(g, NULL, NULL, 1));
    OK(cudaGraphAddDependencies(g, NULL, NULL, 0));
    OK(cudaGraphAddDependencies(g, &b, &a, 1));
    cudaGraphExec_t e;
    cudaGraphInstantiateParams ip = {0};
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&e, g, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&e, g, &ip));
    CHECK(ip.result_out == cudaGraphInstantiateInvalidStructure);
    CHECK(ip.errNode_out == a || ip.errNode_out == b);
    OK(cudaGraphRemoveDependencies(g, &b, &a, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphRemoveDependencies(g, &b, &a, 1));
    /* All or none. */
    list[0] = b, to[0] = c, list[1] = a, to[1] = b;
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(g, list, to, 2));
    OK(cudaGraphGetEdges(g, NULL, NULL, &count));
    CHECK(count == 1);
    GIVES(cudaErrorInvalidValue, cudaGraphRemoveDependencies(g, list, to, 2));

    /* Questions: room that is too small, and too large. */
    OK(cudaGraphGetNodes(g, NULL, &count));
    CHECK(count == 3);
    count = 1, list[1] = x;
    OK(cudaGraphGetNodes(g, list, &count));
    CHECK(count == 1 && list[0] == a && list[1] == x);
    count = 5, list[4] = x;
    OK(cudaGraphGetNodes(g, list, &count));
    CHECK(count == 3 && list[2] == c && !list[3] && !list[4]);
    count = 8;
    OK(cudaGraphGetRootNodes(g, list, &count));
    CHECK(count == 2 && list[0] == a && list[1] == c);
    count = 8;
    OK(cudaGraphGetEdges(g, list, to, &count));
    CHECK(count == 1 && list[0] == a && to[0] == b);
    count = 8;
    OK(cudaGraphNodeGetDependencies(b, list, &count));
    CHECK(count == 1 && list[0] == a);
    count = 8;
    OK(cudaGraphNodeGetDependentNodes(a, list, &count));
    CHECK(count == 1 && list[0] == b);
    count = 0;
    GIVES(cudaErrorInvalidValue, cudaGraphNodeGetDependencies(b, list, &count));
    GIVES(cudaErrorInvalidValue, cudaGraphGetNodes(g, list, NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphGetNodes(NULL, list, &count));
    OK(cudaGraphNodeGetType(a, &type));
    CHECK(type == cudaGraphNodeTypeEmpty);
    GIVES(cudaErrorInvalidValue, cudaGraphNodeGetType(a, NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeGetType(NULL, &type));

    OK(cudaGraphClone(&clone, g));
    GIVES(cudaErrorInvalidValue, cudaGraphClone(NULL, g));
    OK(cudaGraphNodeFindInClone(&list[0], b, clone));
    CHECK(list[0] != b);
    count = 8;
    OK(cudaGraphNodeGetDependencies(list[0], to, &count));
    CHECK(count == 1);
    OK(cudaGraphNodeFindInClone(&list[1], a, clone));
    CHECK(to[0] == list[1]);
    GIVES(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&list[0], a, other));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&list[0], x, clone));

    OK(cudaGraphDestroyNode(a));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroyNode(a));
    OK(cudaGraphGetEdges(g, NULL, NULL, &count));
    CHECK(count == 0);
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(other));
    OK(cudaGraphDestroy(g));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(g));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeGetType(b, &type));
}

/* ---- what nodes do ------------------------------------------------------- */

static int calls[4];

static void note_call(void *data)
{
    int *p = data;
    *p = calls[3] ? calls[3] : 1;
}

/* fill -> kernel -> copy -> host, and a child graph behind it. */
static void work(void)
{
    cudaGraph_t g, child;
    cudaGraphNode_t n[6];
    cudaGraphExec_t e;
    unsigned out[8] = {0};
    const struct cudaMemsetParams fill = {
        .dst = device, .elementSize = 4, .value = 7, .width = 8, .height = 1};
    const struct cudaHostNodeParams host = {note_call, &calls[0]};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&child, 0));
    add_store(child, NULL, 0, 5, 55);
    OK(cudaGraphAddMemsetNode(&n[0], g, NULL, 0, &fill));
    n[1] = add_store(g, &n[0], 1, 2, 22);
    OK(cudaGraphAddChildGraphNode(&n[2], g, &n[1], 1, child));
    OK(cudaGraphAddMemcpyNode1D(&n[3], g, &n[2], 1, out, device, sizeof out,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphAddHostNode(&n[4], g, &n[3], 1, &host));
    OK(cudaGraphDestroy(child)); /* the node has a clone */
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int round = 0; round < 3; round++) {
        memset(out, 0, sizeof out);
        calls[0] = 0;
        launch_and_wait(e);
        CHECK(calls[0] == 1);
        for (unsigned i = 0; i < 8; i++)
            CHECK(out[i] == (i == 2 ? 22 : i == 5 ? 55 : 7));
    }
    GIVES(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&n[5], g, 0, 0, g));
    OK(cudaGraphExecDestroy(e));
    GIVES(cudaErrorInvalidValue, cudaGraphExecDestroy(e));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(e, stream));

    struct cudaMemcpy3DParms copy;
    OK(cudaGraphMemcpyNodeGetParams(n[3], &copy));
    CHECK(copy.dstPtr.ptr == out && copy.srcPtr.ptr == device);
    CHECK(copy.extent.width == sizeof out && copy.extent.height == 1);
    CHECK(copy.kind == cudaMemcpyDeviceToHost);
    struct cudaKernelNodeParams k;
    OK(cudaGraphKernelNodeGetParams(n[1], &k));
    CHECK(k.func == &store && *(unsigned *)k.kernelParams[1] == 22);
    GIVES(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(n[0], &k));
    OK(cudaGraphDestroy(g));
}

/* Parameters of nodes that no device can do. */
static void mistakes(void)
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    unsigned *p = device, value = 1;
    void *args[] = {&p, &value};
    struct cudaKernelNodeParams k = {.func = &store,
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    OK(cudaGraphCreate(&g, 0));
    k.blockDim.x = 2000;
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&n, g, 0, 0, &k));
    k.blockDim.x = 0;
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&n, g, 0, 0, &k));
    k.blockDim.x = 1, k.gridDim.x = 0;
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&n, g, 0, 0, &k));
    k.gridDim.x = 1, k.kernelParams = NULL;
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&n, g, 0, 0, &k));
    k.kernelParams = args, k.func = NULL;
    GIVES(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&n, g, 0, 0, &k));
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&n, g, 0, 0, NULL));
    struct cudaMemsetParams fill = {device, 0, 1, 3, 4, 1};
    GIVES(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&n, g, 0, 0, &fill));
    fill.elementSize = 4, fill.dst = NULL;
    GIVES(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&n, g, 0, 0, &fill));
    fill.dst = device, fill.width = 1 << 20;
    GIVES(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&n, g, 0, 0, &fill));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddMemcpyNode1D(&n, g, 0, 0, device, NULL, 16,
                                   cudaMemcpyDefault));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddMemcpyNode1D(&n, g, 0, 0, device, device + 9, 0,
                                   cudaMemcpyDefault));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaGraphAddMemcpyNode1D(&n, g, 0, 0, device, device + 9, 4,
                                   (enum cudaMemcpyKind)9));
    const struct cudaHostNodeParams host = {NULL, NULL};
    GIVES(cudaErrorInvalidValue, cudaGraphAddHostNode(&n, g, 0, 0, &host));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddEventRecordNode(&n, g, 0, 0, NULL));
    size_t count = 9;
    OK(cudaGraphGetNodes(g, NULL, &count));
    CHECK(count == 0);
    OK(cudaGraphDestroy(g));
}

static void events(void)
{
    cudaGraph_t g;
    cudaGraphNode_t n[3];
    cudaGraphExec_t e;
    cudaEvent_t event, before;
    cudaStream_t other;
    OK(cudaEventCreate(&event));
    OK(cudaEventCreate(&before));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEventWaitNode(&n[0], g, NULL, 0, before));
    n[1] = add_store(g, &n[0], 1, 0, 99);
    OK(cudaGraphAddEventRecordNode(&n[2], g, &n[1], 1, event));
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int round = 0; round < 20; round++) {
        OK(cudaMemsetAsync(device, 0, 4, other));
        OK(cudaEventRecord(before, other));
        OK(cudaGraphLaunch(e, stream));
        OK(cudaEventSynchronize(event));
        CHECK(at(0) == 99);
    }
    cudaEvent_t got;
    OK(cudaGraphEventRecordNodeGetEvent(n[2], &got));
    CHECK(got == event);
    OK(cudaGraphExecEventRecordNodeSetEvent(e, n[2], before));
    OK(cudaGraphLaunch(e, stream));
    OK(cudaEventSynchronize(before));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaEventDestroy(event));
    OK(cudaEventDestroy(before));
    OK(cudaStreamDestroy(other));
}

/* ---- changes ------------------------------------------------------------- */

static void set_store(unsigned at, unsigned *value)
{
    static unsigned *p;
    p = device + at;
    store_args[0] = &p;
    store_args[1] = value;
}

static void updates(void)
{
    cudaGraph_t g, same, more;
    cudaGraphNode_t a, b;
    cudaGraphExec_t e;
    unsigned value = 2, enabled = 9;
    struct cudaKernelNodeParams k = {.func = &store,
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = store_args};
    OK(cudaGraphCreate(&g, 0));
    a = add_store(g, NULL, 0, 0, 1);
    OK(cudaGraphAddEmptyNode(&b, g, &a, 1));
    OK(cudaGraphInstantiate(&e, g, 0));
    launch_and_wait(e);
    CHECK(at(0) == 1);

    set_store(0, &value);
    OK(cudaGraphExecKernelNodeSetParams(e, a, &k));
    launch_and_wait(e);
    CHECK(at(0) == 2);
    k.gridDim.x = 4;
    OK(cudaGraphExecKernelNodeSetParams(e, a, &k));
    launch_and_wait(e);
    CHECK(at(3) == 2);
    GIVES(cudaErrorInvalidValue, cudaGraphExecKernelNodeSetParams(e, b, &k));
    /* Launches under way keep what they were launched with. */
    for (value = 10; value < 200; value++) {
        set_store(value, &value);
        OK(cudaGraphExecKernelNodeSetParams(e, a, &k));
        OK(cudaGraphLaunch(e, stream));
    }
    OK(cudaStreamSynchronize(stream));
    for (unsigned i = 10; i < 200; i++)
        CHECK(at(i) == i);

    OK(cudaGraphNodeSetEnabled(e, a, 0));
    OK(cudaGraphNodeGetEnabled(e, a, &enabled));
    CHECK(enabled == 0);
    OK(cudaMemset(device, 0, 4096));
    launch_and_wait(e);
    CHECK(at(199) == 0);
    OK(cudaGraphNodeSetEnabled(e, a, 1));
    launch_and_wait(e);
    CHECK(at(199) == 199);
    GIVES(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(e, b, 0));

    /* All at once: the same shape, and others. */
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphCreate(&same, 0));
    cudaGraphNode_t c = add_store(same, NULL, 0, 0, 77), d;
    OK(cudaGraphAddEmptyNode(&d, same, &c, 1));
    OK(cudaGraphExecUpdate(e, same, &info));
    CHECK(info.result == cudaGraphExecUpdateSuccess);
    launch_and_wait(e);
    CHECK(at(0) == 77);
    OK(cudaGraphCreate(&more, 0));
    const struct cudaMemsetParams fill = {device, 0, 1, 4, 4, 1};
    OK(cudaGraphAddMemsetNode(&c, more, NULL, 0, &fill));
    OK(cudaGraphAddEmptyNode(&d, more, &c, 1));
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(e, more, &info));
    CHECK(info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
    CHECK(info.errorNode == c);
    add_store(same, NULL, 0, 0, 88);
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(e, same, &info));
    CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    launch_and_wait(e);
    CHECK(at(0) == 77); /* nothing has changed */
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(same));
    OK(cudaGraphDestroy(more));
}

/* ---- attributes, objects, memory ----------------------------------------- */

static void attributes(void)
{
    cudaGraph_t g;
    cudaLaunchAttributeValue v = {0};
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t a = add_store(g, NULL, 0, 0, 1);
    cudaGraphNode_t b = add_store(g, NULL, 0, 0, 1), c;
    v.priority = -2;
    OK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    OK(cudaGraphKernelNodeCopyAttributes(b, a));
    v.priority = 0;
    OK(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributePriority, &v));
    CHECK(v.priority == -2);
    OK(cudaGraphAddEmptyNode(&c, g, NULL, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphKernelNodeGetAttribute(c, cudaLaunchAttributePriority, &v));
    GIVES(cudaErrorInvalidValue,
          cudaGraphKernelNodeSetAttribute(
              a, cudaLaunchAttributeProgrammaticEvent, &v));
    OK(cudaGraphDestroy(g));
}

static int destroyed;

static void destroy(void *data)
{
    __atomic_add_fetch((int *)data, 1, __ATOMIC_SEQ_CST);
}

static bool becomes(const int *p, int value)
{
    for (int i = 0; i < 1000000; i++) {
        if (__atomic_load_n(p, __ATOMIC_SEQ_CST) == value)
            return true;
        cudaStreamSynchronize(stream);
    }
    return false;
}

static void objects(void)
{
    cudaGraph_t g, clone;
    cudaGraphExec_t e;
    cudaUserObject_t o;
    GIVES(cudaErrorInvalidValue, cudaUserObjectCreate(&o, NULL, destroy, 1, 0));
    GIVES(cudaErrorInvalidValue,
          cudaUserObjectCreate(&o, NULL, destroy, 0,
                               cudaUserObjectNoDestructorSync));
    OK(cudaUserObjectCreate(&o, &destroyed, destroy, 1,
                            cudaUserObjectNoDestructorSync));
    OK(cudaGraphCreate(&g, 0));
    add_store(g, NULL, 0, 0, 1);
    OK(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    OK(cudaGraphClone(&clone, g));
    OK(cudaGraphInstantiate(&e, clone, 0));
    OK(cudaGraphReleaseUserObject(g, o, 1));
    OK(cudaGraphReleaseUserObject(g, o, 1)); /* it has none */
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphLaunch(e, stream));
    CHECK(destroyed == 0);
    OK(cudaGraphExecDestroy(e));
    CHECK(becomes(&destroyed, 1));
    GIVES(cudaErrorInvalidValue, cudaUserObjectRelease(o, 1));
}

static struct cudaMemAllocNodeParams megabyte(void)
{
    return (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = 1 << 20};
}

static void memory(void)
{
    cudaGraph_t g, other;
    cudaGraphNode_t alloc, fill, release;
    cudaGraphExec_t e;
    unsigned value = 0;
    struct cudaMemAllocNodeParams p = megabyte();
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    const struct cudaMemsetParams set = {p.dptr, 0, 5, 4, 1 << 18, 1};
    OK(cudaGraphAddMemsetNode(&fill, g, &alloc, 1, &set));
    GIVES(cudaErrorNotSupported, cudaGraphClone(&other, g));
    OK(cudaGraphInstantiate(&e, g, 0));
    cudaGraphExec_t second;
    GIVES(cudaErrorNotSupported, cudaGraphInstantiate(&second, g, 0));
    launch_and_wait(e);
    OK(cudaMemcpy(&value, (char *)p.dptr + 4096, 4, cudaMemcpyDefault));
    CHECK(value == 5);
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(e, stream)); /* still there */
    unsigned long long used = 0;
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                      &used));
    CHECK(used == 32 << 20); /* in units, as on a GPU */
    OK(cudaFreeAsync(p.dptr, stream));
    launch_and_wait(e);
    OK(cudaFree(p.dptr));
    OK(cudaDeviceGraphMemTrim(0));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent,
                                      &used));
    CHECK(used == 0);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphAddMemFreeNode(&release, g, &fill, 1, p.dptr));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddMemFreeNode(&release, g, &fill, 1, p.dptr));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddMemFreeNode(&release, g, &fill, 1, device));
    GIVES(cudaErrorNotSupported, cudaGraphDestroyNode(fill));
    GIVES(cudaErrorNotSupported,
          cudaGraphRemoveDependencies(g, &alloc, &fill, 1));
    OK(cudaGraphInstantiate(&e, g, 0));
    launch_and_wait(e);
    launch_and_wait(e);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* What graphs hold. */
static unsigned long long graph_bytes(void)
{
    unsigned long long used;
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                      &used));
    return used;
}

/* Instances that have ended give back what they held, on another thread. */
static void let_go(void)
{
    const struct timespec ms = {.tv_nsec = 1000000};
    for (int i = 0; i < 5000 && graph_bytes(); i++)
        nanosleep(&ms, NULL);
    CHECK(graph_bytes() == 0);
}

/* A node behind the free of another has its address, one beside has not. */
static void reuse(void)
{
    cudaGraph_t g;
    cudaGraphNode_t alloc[4], release[3], fill;
    cudaGraphExec_t e;
    struct cudaMemAllocNodeParams p[4] = {megabyte(), megabyte(), megabyte(),
                                          megabyte()};
    unsigned long long high = 0;
    unsigned value = 0;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemAllocNode(&alloc[0], g, NULL, 0, &p[0]));
    OK(cudaGraphAddMemFreeNode(&release[0], g, &alloc[0], 1, p[0].dptr));
    OK(cudaGraphAddMemAllocNode(&alloc[1], g, &alloc[0], 1, &p[1]));
    CHECK(p[1].dptr != p[0].dptr);
    OK(cudaGraphAddMemFreeNode(&release[1], g, &alloc[1], 1, p[1].dptr));
    const cudaGraphNode_t both[] = {release[0], release[1]};
    OK(cudaGraphAddMemAllocNode(&alloc[2], g, both, 2, &p[2]));
    OK(cudaGraphAddMemAllocNode(&alloc[3], g, &alloc[2], 1, &p[3]));
    CHECK(p[2].dptr == p[0].dptr && p[3].dptr == p[1].dptr);
    const struct cudaMemsetParams set = {p[2].dptr, 0, 6, 4, 1 << 18, 1};
    OK(cudaGraphAddMemsetNode(&fill, g, &alloc[3], 1, &set));
    OK(cudaGraphAddMemFreeNode(&release[2], g, &fill, 1, p[3].dptr));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddMemFreeNode(&release[2], g, &fill, 1, p[3].dptr));
    let_go();
    OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
    OK(cudaGraphInstantiate(&e, g, 0));
    launch_and_wait(e);
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
    CHECK(high == 32 << 20);
    OK(cudaMemcpy(&value, p[2].dptr, 4, cudaMemcpyDefault));
    CHECK(value == 6);
    OK(cudaFree(p[2].dptr));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

/* Allocated by one graph, freed by another: in this order only, each once. */
static void free_elsewhere(void)
{
    cudaGraph_t g, other;
    cudaGraphNode_t alloc, release;
    cudaGraphExec_t makes, frees;
    struct cudaMemAllocNodeParams p = megabyte();
    let_go();
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    OK(cudaGraphAddMemFreeNode(&release, other, NULL, 0, p.dptr));
    OK(cudaGraphInstantiate(&makes, g, 0));
    OK(cudaGraphInstantiate(&frees, other, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(frees, stream));
    OK(cudaGraphUpload(makes, stream));
    CHECK(graph_bytes() == 32 << 20);
    OK(cudaGraphLaunch(makes, stream));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(makes, stream));
    OK(cudaGraphLaunch(frees, stream));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(frees, stream));
    OK(cudaGraphLaunch(makes, stream));
    OK(cudaGraphExecDestroy(makes));
    OK(cudaFreeAsync(p.dptr, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaGraphExecDestroy(frees));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(other));
}

/* Pages of the process that are in memory. */
static long resident_pages(void)
{
    long all, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%ld %ld", &all, &resident) == 2);
    fclose(f);
    return resident;
}

/* Memory that no graph holds goes back to the system; what one holds stays. */
static void trim(void)
{
    enum { BYTES = 64 << 20, PAGES = BYTES / 4096 };
    cudaGraph_t g;
    cudaGraphNode_t alloc, fill;
    cudaGraphExec_t e;
    struct cudaMemAllocNodeParams p = megabyte();
    unsigned value = 0;
    p.bytesize = BYTES;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    const struct cudaMemsetParams set = {p.dptr, 0, 7, 4, BYTES / 4, 1};
    OK(cudaGraphAddMemsetNode(&fill, g, &alloc, 1, &set));
    OK(cudaGraphInstantiate(&e, g, 0));
    launch_and_wait(e);
    long full = resident_pages();
    OK(cudaDeviceGraphMemTrim(0));
    CHECK(resident_pages() > full - PAGES / 2);
    OK(cudaMemcpy(&value, p.dptr, 4, cudaMemcpyDefault));
    CHECK(value == 7);
    OK(cudaFreeAsync(p.dptr, stream));
    OK(cudaDeviceGraphMemTrim(0));
    OK(cudaStreamSynchronize(stream));
    CHECK(resident_pages() < full - PAGES / 2);
    launch_and_wait(e);
    OK(cudaFree(p.dptr));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

int main(void)
{
    kernels_register();
    OK(cudaMalloc((void **)&device, 4096));
    OK(cudaStreamCreate(&stream));
    shape();
    work();
    mistakes();
    events();
    updates();
    attributes();
    objects();
    memory();
    reuse();
    free_elsewhere();
    trim();
    return check_result();
}
