/* SPDX-License-Identifier: Apache-2.0 */
/* Changing instances that allocate: whose memory they then have, and until
 * when. */
#include "check.h"

#include <stdatomic.h>
#include <unistd.h>

enum { BYTES = 4096, TRIES = 64 };

static CUcontext ctx;
static CUstream stream;
static CUdeviceptr d;

/* A graph that allocates, fills, copies a word of it to d, and frees. */
struct user {
    CUgraph g;
    CUgraphNode alloc, fill, copy, free;
    CUdeviceptr p;
};

/* behind: NULL, or the node before it. */
static CUgraphNode add_alloc_behind(CUgraph g, CUgraphNode behind,
                                    CUdeviceptr *p)
{
    CUDA_MEM_ALLOC_NODE_PARAMS a = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location.type = CU_MEM_LOCATION_TYPE_DEVICE},
        .bytesize = BYTES};
    CUgraphNode n;
    CU_OK(cuGraphAddMemAllocNode(&n, g, &behind, behind != NULL, &a));
    *p = a.dptr;
    return n;
}

static CUgraphNode add_alloc(CUgraph g, CUdeviceptr *p)
{
    return add_alloc_behind(g, NULL, p);
}

static struct user make_user(unsigned value)
{
    struct user u;
    CU_OK(cuGraphCreate(&u.g, 0));
    u.alloc = add_alloc(u.g, &u.p);
    const CUDA_MEMSET_NODE_PARAMS fill = {u.p, 0, value, 4, BYTES / 4, 1};
    const CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                .srcDevice = u.p,
                                .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                .dstDevice = d,
                                .WidthInBytes = 4,
                                .Height = 1,
                                .Depth = 1};
    CU_OK(cuGraphAddMemsetNode(&u.fill, u.g, &u.alloc, 1, &fill, ctx));
    CU_OK(cuGraphAddMemcpyNode(&u.copy, u.g, &u.fill, 1, &copy, ctx));
    CU_OK(cuGraphAddMemFreeNode(&u.free, u.g, &u.copy, 1, u.p));
    return u;
}

static unsigned word(void)
{
    unsigned value = 0;
    CU_OK(cuMemcpyDtoH(&value, d, 4));
    return value;
}

static bool is_memory(CUdeviceptr p)
{
    CUmemorytype type;
    return !cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p);
}

static void CUDA_CB wait_for(void *flag)
{
    while (!atomic_load((atomic_int *)flag))
        usleep(1000);
}

/* A launch in a stream of another context still uses what an update
 * replaces. */
static void other_context(void)
{
    CUcontext other;
    CUstream s;
    CUgraphExec e;
    CUgraphExecUpdateResultInfo info;
    atomic_int go = 0;
    struct user old = make_user(7), new = make_user(8);
    CU_OK(cuGraphInstantiate(&e, old.g, 0));
    CU_OK(cuCtxCreate(&other, 0, 0));
    CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU_OK(cuCtxPopCurrent(NULL));
    CU_OK(cuLaunchHostFunc(s, wait_for, &go));
    CU_OK(cuGraphLaunch(e, s));
    CU_OK(cuGraphExecUpdate(e, new.g, &info));
    CU_OK(cuGraphDestroy(old.g));
    usleep(20000);
    CHECK(is_memory(old.p));
    atomic_store(&go, 1);
    CU_OK(cuStreamSynchronize(s));
    CHECK(word() == 7);
    for (int i = 0; i < 1000 && is_memory(old.p); i++)
        usleep(10000);
    CHECK(!is_memory(old.p) && is_memory(new.p));
    CU_OK(cuGraphLaunch(e, stream));
    CU_OK(cuStreamSynchronize(stream));
    CHECK(word() == 8);
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(new.g));
    CHECK(!is_memory(new.p));
    CU_OK(cuCtxDestroy(other));
}

/* A trim leaves what such a launch is using. */
static void trimmed(void)
{
    CUcontext other;
    CUstream s;
    CUgraphExec e;
    CUgraphNode wait;
    atomic_int go = 0;
    CUDA_HOST_NODE_PARAMS host = {wait_for, &go};
    struct user u = make_user(9);
    CU_OK(cuGraphAddHostNode(&wait, u.g, &u.fill, 1, &host));
    CU_OK(cuGraphAddDependencies(u.g, &wait, &u.copy, 1));
    CU_OK(cuGraphInstantiate(&e, u.g, 0));
    CU_OK(cuCtxCreate(&other, 0, 0));
    CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU_OK(cuCtxPopCurrent(NULL));
    CU_OK(cuGraphLaunch(e, s));
    usleep(20000); /* the fill is done */
    CU_OK(cuDeviceGraphMemTrim(0));
    atomic_store(&go, 1);
    CU_OK(cuStreamSynchronize(s));
    CHECK(word() == 9);
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(u.g));
    CU_OK(cuCtxDestroy(other));
}

/* A child graph of an instance keeps its memory. */
static void children(void)
{
    struct user inner = make_user(1), other = make_user(2);
    CUgraphNodeParams p = {
        .type = CU_GRAPH_NODE_TYPE_GRAPH,
        .graph = {inner.g, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}};
    CUgraph g;
    CUgraphNode n;
    CUgraphExec e, e2;
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddNode(&n, g, NULL, 0, &p));
    CU_OK(cuGraphInstantiate(&e, g, 0));
    CU_GIVES(GRAPH_EXEC_UPDATE_FAILURE,
             cuGraphExecChildGraphNodeSetParams(e, n, other.g));
    CU_OK(cuGraphInstantiate(&e2, other.g, 0));
    CU_GIVES(GRAPH_EXEC_UPDATE_FAILURE,
             cuGraphExecChildGraphNodeSetParams(e, n, other.g));
    CU_OK(cuGraphExecChildGraphNodeSetParams(e, n, inner.g)); /* its own */
    CU_OK(cuGraphLaunch(e, stream));
    CU_OK(cuStreamSynchronize(stream));
    CHECK(word() == 1);
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphExecDestroy(e2));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuGraphDestroy(other.g));
}

/* An instance has the memory of one graph, and that graph no other
 * instance. */
static void one_instance(void)
{
    struct user a = make_user(1), b = make_user(2);
    CUgraphExec e, e2;
    CUgraphExecUpdateResultInfo info;
    CU_OK(cuGraphInstantiate(&e, a.g, 0));
    CU_OK(cuGraphInstantiate(&e2, b.g, 0));
    CU_GIVES(NOT_SUPPORTED, cuGraphExecUpdate(e, b.g, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR);
    CU_OK(cuGraphExecDestroy(e2));
    CU_OK(cuGraphExecUpdate(e, b.g, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    CU_GIVES(NOT_SUPPORTED, cuGraphInstantiate(&e2, b.g, 0));
    CU_OK(cuGraphInstantiate(&e2, a.g, 0));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphExecDestroy(e2));
    CU_OK(cuGraphDestroy(a.g));
    CU_OK(cuGraphDestroy(b.g));
}

/* Two allocations; what is freed: each, or one of them and another graph's. */
struct frees {
    CUgraph g;
    CUdeviceptr p[2];
};

static struct frees make_frees(int first, CUdeviceptr second)
{
    struct frees f;
    CUgraphNode n[2], free;
    CU_OK(cuGraphCreate(&f.g, 0));
    for (int i = 0; i < 2; i++)
        n[i] = add_alloc(f.g, &f.p[i]);
    CU_OK(cuGraphAddMemFreeNode(&free, f.g, &n[first], 1, f.p[first]));
    CU_OK(cuGraphAddMemFreeNode(&free, f.g, &n[!first], 1,
                                second ? second : f.p[!first]));
    return f;
}

/* What a graph frees is what its pair allocates, or the same memory of
 * another. */
static void frees(void)
{
    CUgraph left;
    CUdeviceptr c;
    CUgraphExec live, e;
    CUgraphExecUpdateResultInfo info;
    CU_OK(cuGraphCreate(&left, 0));
    add_alloc(left, &c);
    CU_OK(cuGraphInstantiate(&live, left, 0));
    CU_OK(cuGraphLaunch(live, stream));
    struct frees own = make_frees(0, 0), alike = make_frees(0, 0),
                 crossed = make_frees(1, 0), foreign = make_frees(0, c),
                 as_foreign = make_frees(0, c);
    CU_OK(cuGraphInstantiate(&e, own.g, 0));
    CU_OK(cuGraphExecUpdate(e, alike.g, &info));
    CU_GIVES(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(e, foreign.g, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    CU_OK(cuGraphExecUpdate(e, crossed.g, &info)); /* paired by the edges */
    CU_OK(cuGraphLaunch(e, stream));
    CU_OK(cuGraphLaunch(e, stream));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphInstantiate(&e, foreign.g, 0));
    CU_GIVES(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(e, own.g, &info));
    CU_OK(cuGraphExecUpdate(e, as_foreign.g, &info));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuMemFree(c));
    CU_OK(cuGraphExecDestroy(live));
    CU_OK(cuGraphDestroy(left));
    CU_OK(cuGraphDestroy(own.g));
    CU_OK(cuGraphDestroy(alike.g));
    CU_OK(cuGraphDestroy(crossed.g));
    CU_OK(cuGraphDestroy(foreign.g));
    CU_OK(cuGraphDestroy(as_foreign.g));
}

/* A node at the address of one that is gone is none of the instance's. */
static void other_nodes(void)
{
    struct user old = make_user(1), new[TRIES];
    CUgraphExec e;
    CU_OK(cuGraphInstantiate(&e, old.g, 0));
    CU_OK(cuGraphNodeSetEnabled(e, old.fill, 1));
    CU_OK(cuGraphDestroy(old.g));
    for (int i = 0; i < TRIES; i++) {
        new[i] = make_user(1);
        CU_GIVES(INVALID_VALUE, cuGraphNodeSetEnabled(e, new[i].fill, 0));
        CU_GIVES(INVALID_VALUE, cuGraphNodeSetEnabled(e, new[i].copy, 0));
    }
    for (int i = 0; i < TRIES; i++)
        CU_OK(cuGraphDestroy(new[i].g));
    CU_OK(cuGraphExecDestroy(e));
}

/* The second allocation has the address of the first, which is freed before it.
 * The graph leaves it, so another graph may free it. */
static void left_behind_freed(void)
{
    CUgraph g, frees;
    CUgraphNode first, release, second;
    CUgraphExec e, f;
    CUdeviceptr p, q;
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphCreate(&frees, 0));
    first = add_alloc(g, &p);
    CU_OK(cuGraphAddMemFreeNode(&release, g, &first, 1, p));
    CU_GIVES(INVALID_VALUE, cuGraphAddMemFreeNode(&second, frees, NULL, 0, p));
    second = add_alloc_behind(g, release, &q);
    CHECK(p == q);
    CU_OK(cuGraphInstantiate(&e, g, 0));
    CU_OK(cuGraphAddMemFreeNode(&second, frees, NULL, 0, q));
    CU_OK(cuGraphInstantiate(&f, frees, 0));
    for (int i = 0; i < 2; i++) {
        CU_OK(cuGraphLaunch(e, stream));
        CU_GIVES(INVALID_VALUE, cuGraphLaunch(e, stream));
        CU_OK(cuGraphLaunch(f, stream));
        CU_GIVES(INVALID_VALUE, cuGraphLaunch(f, stream));
    }
    CU_OK(cuStreamSynchronize(stream));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphExecDestroy(f));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuGraphDestroy(frees));
    CHECK(!is_memory(q));
}

int main(void)
{
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuMemAlloc(&d, BYTES));
    CU_OK(cuStreamCreate(&stream, 0));
    other_context();
    trimmed();
    children();
    one_instance();
    frees();
    other_nodes();
    left_behind_freed();
    return check_result();
}
