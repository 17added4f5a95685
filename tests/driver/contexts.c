/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several contexts, on two devices (WEFT_DEVICES=2): each thread's stack of
 * them, who holds a primary one, what becomes of objects whose context is
 * destroyed, what may be used across contexts; and what every call gives that
 * is misused.
 */
#include "check.h"

#include <pthread.h>

static const char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                             ".visible .global .u32 g = 7;\n"
                             ".visible .entry k() { ret; }\n";

struct objects {
    CUmodule module;
    CUfunction function;
    CUstream stream;
    CUevent event;
    CUdeviceptr memory;
};

static struct objects make_objects(void)
{
    struct objects o;
    CU_OK(cuModuleLoadData(&o.module, kernel));
    CU_OK(cuModuleGetFunction(&o.function, o.module, "k"));
    CU_OK(cuStreamCreate(&o.stream, 0));
    CU_OK(cuEventCreate(&o.event, 0));
    CU_OK(cuMemAlloc(&o.memory, 4096));
    return o;
}

static CUcontext current(void)
{
    CUcontext ctx = NULL;
    CU_OK(cuCtxGetCurrent(&ctx));
    return ctx;
}

static CUresult launch(const struct objects *o, CUstream s)
{
    return cuLaunchKernel(o->function, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL);
}

/* ---- the stack ----------------------------------------------------------- */

static void *see_none(void *unused)
{
    CUdeviceptr p;
    CHECK(!current());
    CU_GIVES(INVALID_CONTEXT, cuMemAlloc(&p, 4));
    return unused;
}

static void stack(CUcontext a, CUcontext b)
{
    CUcontext popped = NULL;
    pthread_t thread;
    CHECK(current() == b);
    CU_OK(cuCtxPopCurrent(&popped));
    CHECK(popped == b && current() == a);
    CU_OK(cuCtxPushCurrent(b));
    CU_OK(cuCtxPushCurrent(b));
    CU_OK(cuCtxSetCurrent(a));
    CHECK(current() == a);
    CU_OK(cuCtxPopCurrent(NULL));
    CHECK(current() == b);
    CU_OK(cuCtxSetCurrent(NULL));
    CHECK(current() == a);
    CU_OK(cuCtxSetCurrent(NULL));
    CHECK(!current());
    CU_GIVES(INVALID_CONTEXT, cuCtxPopCurrent(&popped));
    CU_GIVES(INVALID_CONTEXT, cuCtxSynchronize());
    CU_OK(cuCtxSetCurrent(a));
    pthread_create(&thread, NULL, see_none, NULL);
    pthread_join(thread, NULL);
    int pushed = 1;
    while (pushed < 100 && !cuCtxPushCurrent(a))
        pushed++;
    CHECK(pushed < 100);
    while (pushed-- > 1)
        CU_OK(cuCtxPopCurrent(NULL));
    CHECK(current() == a);
}

static void questions(CUcontext a, CUcontext b)
{
    unsigned long long id_a = 0, id_b = 0, id = 0;
    unsigned version = 0, flags = 0;
    CUdevice device = -1;
    CUexecAffinityParam affinity;
    CUcontext attached = NULL;
    CUsharedconfig bank;
    CU_OK(cuCtxGetId(a, &id_a));
    CU_OK(cuCtxGetId(b, &id_b));
    CU_OK(cuCtxGetId(NULL, &id));
    CHECK(id_a != id_b && id == id_a);
    CU_GIVES(INVALID_VALUE, cuCtxGetId(a, NULL));
    CU_OK(cuCtxGetApiVersion(b, &version));
    CHECK(version >= 3020);
    CU_GIVES(INVALID_CONTEXT, cuCtxGetApiVersion((CUcontext)&id, &version));
    CU_GIVES(INVALID_VALUE, cuCtxGetApiVersion(a, NULL));
    CU_OK(cuCtxGetFlags(&flags));
    CHECK(flags == CU_CTX_SCHED_SPIN);
    CU_OK(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
    CU_OK(cuCtxGetFlags(&flags));
    CHECK(flags == CU_CTX_SCHED_YIELD);
    CU_GIVES(INVALID_VALUE, cuCtxSetFlags(3));
    CU_GIVES(INVALID_VALUE, cuCtxSetFlags(0x10000));
    CU_GIVES(INVALID_VALUE, cuCtxGetFlags(NULL));
    CU_OK(cuCtxGetDevice_v2(&device, b));
    CHECK(device == 1);
    CU_OK(cuCtxGetDevice(&device));
    CHECK(device == 0);
    CU_GIVES(INVALID_VALUE, cuCtxGetDevice(NULL));
    CU_OK(cuCtxSynchronize_v2(b));
    CU_OK(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    CHECK(affinity.param.smCount.val >= 16);
    CU_GIVES(UNSUPPORTED_EXEC_AFFINITY, /* as an H200's */
             cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_MAX));
    CU_OK(cuCtxAttach(&attached, 0));
    CHECK(attached == a);
    CU_GIVES(INVALID_VALUE, cuCtxAttach(&attached, 1));
    CU_GIVES(INVALID_CONTEXT, cuCtxDetach(b));
    CU_OK(cuCtxDetach(a));
    CHECK(current() == a);
    CU_OK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    CU_OK(cuCtxGetSharedMemConfig(&bank));
    CHECK(bank == CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
    CU_GIVES(INVALID_VALUE, cuCtxSetSharedMemConfig((CUsharedconfig)9));
    CU_OK(cuCtxResetPersistingL2Cache());
}

static void misuse(void)
{
    CUcontext ctx;
    CU_GIVES(INVALID_VALUE, cuCtxCreate(NULL, 0, 0));
    CU_GIVES(INVALID_VALUE, cuCtxCreate(&ctx, 3, 0));
    CU_GIVES(INVALID_VALUE, cuCtxCreate(&ctx, 0x10000, 0));
    CU_GIVES(INVALID_DEVICE, cuCtxCreate(&ctx, 0, 2));
    CU_GIVES(INVALID_VALUE, cuCtxPushCurrent(NULL));
    CU_GIVES(INVALID_CONTEXT, cuCtxPushCurrent((CUcontext)&ctx));
    CU_GIVES(INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)&ctx));
    CU_GIVES(INVALID_VALUE, cuCtxDestroy(NULL));
    CU_GIVES(INVALID_VALUE, cuDevicePrimaryCtxRetain(NULL, 0));
    CU_GIVES(INVALID_DEVICE, cuDevicePrimaryCtxRetain(&ctx, 2));
    CU_GIVES(INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    CU_GIVES(INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, 3));
    CU_GIVES(INVALID_VALUE, cuCtxGetCurrent(NULL));
}

/* ---- objects of other contexts ------------------------------------------- */

static void across(CUcontext a, CUcontext b)
{
    CUevent own;
    CU_OK(cuCtxSetCurrent(a));
    struct objects o = make_objects();
    CU_OK(launch(&o, o.stream));
    CU_OK(cuCtxSetCurrent(b));
    CU_OK(cuEventCreate(&own, 0));
    CU_OK(cuStreamSynchronize(o.stream));
    CU_OK(cuStreamQuery(o.stream));
    CU_OK(cuEventRecord(o.event, o.stream));
    CU_OK(cuEventSynchronize(o.event));
    CU_OK(cuStreamWaitEvent(NULL, o.event, 0));
    CU_GIVES(INVALID_HANDLE, cuEventRecord(own, o.stream));
    CU_GIVES(INVALID_HANDLE, launch(&o, NULL));
    CU_GIVES(INVALID_VALUE, cuMemsetD8(o.memory, 1, 4096));
    CU_OK(cuMemFree(o.memory));
    CU_OK(cuEventDestroy(o.event));
    CU_OK(cuStreamDestroy(o.stream));
    CU_OK(cuModuleUnload(o.module));
    CU_OK(cuEventDestroy(own));
}

/* Clients clean up when none is current. */
static void without(CUcontext a)
{
    CUcontext popped;
    CU_OK(cuCtxSetCurrent(a));
    struct objects o = make_objects();
    while (!cuCtxPopCurrent(&popped))
        ;
    CU_OK(cuMemFree(o.memory));
    CU_OK(cuEventDestroy(o.event));
    CU_OK(cuStreamDestroy(o.stream));
    CU_OK(cuModuleUnload(o.module));
    CU_GIVES(INVALID_VALUE, cuMemFree(o.memory));
    CU_GIVES(INVALID_CONTEXT, cuMemAlloc(&o.memory, 4));
}

/* What has gone can be current; what an H200 says then. b is current. */
static void gone(CUcontext a, CUcontext b)
{
    unsigned version, flags;
    unsigned long long id;
    CUdevice device;
    CUdeviceptr p;
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxDestroy(a));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxGetId(a, &id));
    CU_GIVES(INVALID_CONTEXT, cuCtxGetApiVersion(a, &version));
    CU_OK(cuCtxPushCurrent(a));
    CHECK(current() == a);
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CU_GIVES(CONTEXT_IS_DESTROYED, cuMemAlloc(&p, 4));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuMemFree(4096));
    CU_OK(cuCtxGetDevice(&device)); /* which it still has */
    CU_OK(cuCtxGetFlags(&flags));
    GIVES(cudaErrorDeviceUninitialized, cudaMalloc((void **)&p, 4));
    CU_OK(cuCtxSetCurrent(b));
    CU_OK(cuCtxSetCurrent(a));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuMemAlloc(&p, 4));
    CU_OK(cuCtxSetCurrent(b));
    CU_OK(cuCtxPopCurrent(NULL));
    CHECK(current() == b);
}

/* Clients clean up when their context is gone: errors, and nothing breaks. */
static void destroyed(CUcontext a, CUcontext b)
{
    CUdeviceptr p;
    CU_OK(cuCtxSetCurrent(a));
    struct objects o = make_objects();
    CU_OK(cuCtxSetCurrent(b));
    struct objects kept = make_objects();
    CU_OK(cuCtxPushCurrent(a));
    CU_OK(cuCtxPushCurrent(b));
    CU_OK(cuCtxDestroy(a));
    CHECK(current() == b);
    gone(a, b);
    CU_GIVES(INVALID_VALUE, cuMemFree(o.memory));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuStreamQuery(o.stream));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuStreamDestroy(o.stream));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuEventQuery(o.event));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuEventDestroy(o.event));
    CU_GIVES(INVALID_HANDLE, cuModuleUnload(o.module));
    CU_GIVES(INVALID_HANDLE, launch(&o, NULL));
    CU_GIVES(INVALID_HANDLE, cuFuncSetCacheConfig(o.function, 0));
    CU_OK(launch(&kept, kept.stream));
    CU_OK(cuMemsetD8(kept.memory, 1, 4096));
    CU_OK(cuCtxPopCurrent(NULL));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuMemAlloc(&p, 4));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CU_OK(cuCtxPopCurrent(NULL));
    CHECK(current() == b);
    CU_OK(cuCtxDestroy(b));
}

/* ---- primary ones -------------------------------------------------------- */

static void primary(void)
{
    CUcontext p = NULL, again = NULL;
    CUdeviceptr memory;
    unsigned flags = 0;
    int active = 1;
    CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    CHECK(!active);
    CU_OK(cuDevicePrimaryCtxSetFlags(1, CU_CTX_SCHED_BLOCKING_SYNC));
    CU_OK(cuDevicePrimaryCtxRetain(&p, 1));
    CU_OK(cuDevicePrimaryCtxRetain(&again, 1));
    CHECK(p == again);
    CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    CHECK(active && flags == CU_CTX_SCHED_BLOCKING_SYNC);
    CU_GIVES(INVALID_CONTEXT, cuCtxDestroy(p));
    CU_OK(cuCtxSetCurrent(p));
    CU_OK(cuMemAlloc(&memory, 64));
    CU_OK(cuDevicePrimaryCtxRelease(1));
    CU_OK(cuMemsetD8(memory, 0, 64));
    CU_OK(cuDevicePrimaryCtxRelease(1));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    CHECK(!active && !flags);
    CU_OK(cuDevicePrimaryCtxRetain(&p, 1));
    CU_OK(cuCtxSynchronize()); /* it is the same again */
    CU_GIVES(INVALID_VALUE, cuMemsetD8(memory, 0, 64));
    CU_OK(cuDevicePrimaryCtxReset(1));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    CHECK(!active);
    CU_OK(cuDevicePrimaryCtxRelease(1)); /* a reset takes no hold away */
    CU_GIVES(INVALID_CONTEXT, cuDevicePrimaryCtxRelease(1));
    CU_OK(cuDevicePrimaryCtxRetain(&p, 1));
    CU_OK(cuCtxDetach(p)); /* nor does this */
    CU_OK(cuMemAlloc(&memory, 64));
    CU_OK(cuDevicePrimaryCtxRelease(1));
}

/* The runtime holds it once, and a program may let go of that. */
static void primary_of_runtime(void)
{
    unsigned flags;
    int active = 0;
    while (!cuCtxPopCurrent(NULL))
        ;
    OK(cudaSetDevice(1));
    OK(cudaFree(NULL));
    CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    CHECK(active);
    CU_OK(cuDevicePrimaryCtxRelease(1));
    CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    CHECK(!active);
    CU_GIVES(INVALID_CONTEXT, cuDevicePrimaryCtxRelease(1));
    OK(cudaFree(NULL));
    CU_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    CHECK(active);
}

static CUfunc_cache cache_config(void)
{
    CUfunc_cache config = 9;
    enum cudaFuncCache runtimes = 9;
    CU_OK(cuCtxGetCacheConfig(&config));
    OK(cudaDeviceGetCacheConfig(&runtimes));
    CHECK((int)config == (int)runtimes);
    return config;
}

/* Each has its own, and both APIs set and see it. */
static void cache_configs(CUcontext a, CUcontext b)
{
    CUcontext later;
    CU_OK(cuCtxSetCurrent(a));
    CU_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    CU_OK(cuCtxSetCurrent(b));
    CHECK(cache_config() == CU_FUNC_CACHE_PREFER_NONE);
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CU_GIVES(INVALID_VALUE, cuCtxSetCacheConfig(9));
    CU_GIVES(INVALID_VALUE, cuCtxGetCacheConfig(NULL));
    CHECK(cache_config() == CU_FUNC_CACHE_PREFER_SHARED);
    CU_OK(cuCtxSetCurrent(a));
    CHECK(cache_config() == CU_FUNC_CACHE_PREFER_L1);
    CU_OK(cuCtxCreate(&later, 0, 0));
    CHECK(cache_config() == CU_FUNC_CACHE_PREFER_NONE);
    CU_OK(cuCtxDestroy(later));
    OK(cudaSetDevice(0));
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual));
    CHECK(cache_config() == CU_FUNC_CACHE_PREFER_EQUAL);
    OK(cudaDeviceReset());
    OK(cudaFree(NULL));
    CHECK(cache_config() == CU_FUNC_CACHE_PREFER_NONE);
    CU_OK(cuCtxSetCurrent(a));
}

static void peers(CUcontext a, CUcontext b)
{
    CUcontext beside;
    int can = 0;
    CU_OK(cuCtxSetCurrent(a));
    CU_OK(cuDeviceCanAccessPeer(&can, 0, 1));
    CHECK(can);
    CU_OK(cuDeviceCanAccessPeer(&can, 0, 0));
    CHECK(!can);
    CU_GIVES(INVALID_VALUE, cuCtxEnablePeerAccess(b, 1));
    CU_GIVES(PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(a, 0));
    CU_GIVES(INVALID_CONTEXT, cuCtxEnablePeerAccess(NULL, 0));
    CU_GIVES(PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(b));
    CU_OK(cuCtxEnablePeerAccess(b, 0));
    CU_GIVES(PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(b, 0));
    CU_OK(cuCtxDisablePeerAccess(b));
    CU_OK(cuCtxCreate(&beside, 0, 0));
    CU_GIVES(PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(a, 0));
    CU_OK(cuCtxDestroy(beside));
}

/* Each has its own part of the memory and its own variables. */
static void apart(CUcontext a, CUcontext b)
{
    size_t free_a, free_b, total, size;
    CUdeviceptr g_a, g_b, p;
    CU_OK(cuCtxSetCurrent(a));
    struct objects o_a = make_objects();
    CU_OK(cuModuleGetGlobal(&g_a, &size, o_a.module, "g"));
    CU_OK(cuMemAlloc(&p, 1 << 24));
    CU_OK(cuMemGetInfo(&free_a, &total));
    CU_OK(cuCtxSetCurrent(b));
    struct objects o_b = make_objects();
    CU_OK(cuModuleGetGlobal(&g_b, &size, o_b.module, "g"));
    CU_OK(cuMemGetInfo(&free_b, &total));
    CHECK(g_a != g_b && free_b >= free_a + (1 << 23));
    CU_OK(cuMemFree(p));
}

static void many(void)
{
    CUcontext ctx[300];
    int count = 0;
    while (count < 300 && !cuCtxCreate(&ctx[count], 0, 0)) {
        count++;
        CU_OK(cuCtxPopCurrent(NULL));
    }
    CHECK(count > 100 && count < 300);
    for (int i = 0; i < count; i++)
        CU_OK(cuCtxDestroy(ctx[i]));
}

/* ---- graphs -------------------------------------------------------------- */

static void count_call(void *count)
{
    ++*(int *)count;
}

/* What an H200 lets a thread without a context do to a graph. *out has a host
 * function that counts, behind an empty node, and a clone of that. */
static void make_graph_without(int *calls, CUgraph *out)
{
    CUgraph g, clone;
    CUgraphNode empty, host, child;
    CUgraphNodeType type;
    CUgraphExec exec;
    CUDA_HOST_NODE_PARAMS p = {.fn = count_call, .userData = calls};
    size_t count = 0;
    CHECK(!current());
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddEmptyNode(&empty, g, NULL, 0));
    CU_OK(cuGraphAddHostNode(&host, g, &empty, 1, &p));
    CU_OK(cuGraphGetNodes(g, NULL, &count));
    CHECK(count == 2);
    CU_OK(cuGraphNodeGetType(empty, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_EMPTY);
    CU_OK(cuGraphClone(&clone, g));
    CU_OK(cuGraphAddChildGraphNode(&child, g, &host, 1, clone));
    CU_GIVES(INVALID_CONTEXT, cuGraphInstantiate(&exec, g, 0));
    CU_GIVES(INVALID_VALUE, cuGraphAddEventRecordNode(&host, g, NULL, 0, NULL));
    CU_GIVES(INVALID_VALUE, cuGraphExecDestroy(NULL));
    CU_OK(cuGraphDestroy(clone));
    *out = g;
}

/* The graph takes over the context in which it is used first. */
static void graphs_without(void)
{
    CUcontext ctx;
    CUgraph g;
    CUgraphNode node;
    CUgraphExec exec;
    CUuserObject object;
    int calls = 0, ends = 0;
    CU_OK(cuCtxSetCurrent(NULL));
    CU_OK(cuUserObjectCreate(&object, &ends, count_call, 1,
                             CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    make_graph_without(&calls, &g);
    CU_OK(cuCtxCreate(&ctx, 0, 1));
    struct objects o = make_objects();
    CU_OK(cuUserObjectRelease(object, 1));
    CU_OK(cuGraphAddEventRecordNode(&node, g, NULL, 0, o.event));
    CU_OK(cuGraphInstantiate(&exec, g, 0));
    CU_OK(cuGraphLaunch(exec, o.stream));
    CU_OK(cuStreamSynchronize(o.stream));
    CHECK(calls == 2);
    CU_OK(cuGraphExecDestroy(exec));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuCtxDestroy(ctx));

    /* the runtime API makes the primary context current */
    CU_OK(cuCtxSetCurrent(NULL));
    make_graph_without(&calls, &g);
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    CHECK(calls == 4 && current());
    OK(cudaGraphExecDestroy(exec));
    CU_OK(cuCtxSetCurrent(NULL));
    CU_OK(cuGraphDestroy(g));
}

int main(void)
{
    CUcontext a, b;
    int count;
    setenv("WEFT_DEVICES", "2", 1);
    CU_GIVES(NOT_INITIALIZED, cuCtxGetCurrent(&a));
    CU_GIVES(NOT_INITIALIZED, cuDeviceGetCount(&count));
    OK(cudaGetDeviceCount(&count)); /* initialises the driver */
    CU_OK(cuDeviceGetCount(&count));
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGetCount(&count));
    CHECK(count == 2);
    misuse();
    CU_OK(cuCtxCreate(&a, 0, 0));
    CU_OK(cuCtxDestroy(a));
    CU_GIVES(INVALID_CONTEXT, cuCtxDestroy(a)); /* as none is current */
    CU_GIVES(INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, CU_CTX_MAP_HOST));
    CU_OK(cuCtxCreate(&a, CU_CTX_SCHED_SPIN, 0));
    CU_OK(cuCtxCreate(&b, 0, 1));
    CHECK(a != b);
    stack(a, b);
    questions(a, b);
    cache_configs(a, b);
    peers(a, b);
    across(a, b);
    without(a);
    apart(a, b);
    destroyed(a, b);
    primary();
    primary_of_runtime();
    many();
    graphs_without();
    return check_result();
}
