/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls of both APIs answer once a kernel has failed: those that need a
 * context say the error, others do not. All as an H200 answers, which then
 * refuses the process a new context; here a reset makes one.
 */
#include "check.h"

#include <cuda_profiler_api.h>

#include <sys/wait.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .global .align 4 .u32 v;\n"
    ".visible .entry stop() { trap; }\n"
    ".visible .entry stray()\n"
    "{ .reg .b64 %d<2>; mov.u64 %d1, 64; st.global.u32 [%d1], 1; ret; }\n"
    ".visible .entry none() { ret; }\n";

static CUresult error; /* of this run */
static CUcontext ctx;
static CUdevice device;
static CUmodule module;
static CUfunction none;
static CUstream stream, other;
static CUevent event;
static CUdeviceptr memory, managed;
static void *host;
static CUarray array;
static CUgraph graph;
static CUgraphExec executable;

#define FAILS(call)    check_gives(__FILE__, __LINE__, #call, error, call)
#define RT_FAILS(call) GIVES((cudaError_t)error, call)

static void prepare(const char *kernel)
{
    CUfunction f;
    CUgraphNode node;
    const CUDA_ARRAY_DESCRIPTOR d = {16, 16, CU_AD_FORMAT_FLOAT, 1};
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, device));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuModuleLoadData(&module, ptx));
    CU_OK(cuModuleGetFunction(&f, module, kernel));
    CU_OK(cuModuleGetFunction(&none, module, "none"));
    CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CU_OK(cuStreamCreate(&other, CU_STREAM_DEFAULT));
    CU_OK(cuEventCreate(&event, 0));
    CU_OK(cuEventRecord(event, other));
    CU_OK(cuMemAlloc(&memory, 4096));
    CU_OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    CU_OK(cuMemAllocHost(&host, 4096));
    CU_OK(cuArrayCreate(&array, &d));
    CU_OK(cuGraphCreate(&graph, 0));
    CU_OK(cuGraphAddEmptyNode(&node, graph, NULL, 0));
    CU_OK(cuGraphInstantiate(&executable, graph, 0));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    FAILS(cuStreamSynchronize(stream));
}

static void of_contexts(void)
{
    unsigned n;
    int i, j;
    size_t bytes;
    unsigned long long id;
    CUcontext got;
    CUdevResource sms;
    FAILS(cuCtxSynchronize());
    CU_OK(cuCtxGetCurrent(&got));
    CU_OK(cuCtxGetDevice(&i));
    CU_OK(cuCtxGetFlags(&n));
    CU_OK(cuCtxGetId(ctx, &id));
    FAILS(cuCtxGetId(NULL, &id));
    FAILS(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
    FAILS(cuCtxGetStreamPriorityRange(&i, &j));
    FAILS(cuCtxGetDevResource(ctx, &sms, CU_DEV_RESOURCE_TYPE_SM));
    CU_OK(cuCtxPushCurrent(ctx));
    CU_OK(cuCtxPopCurrent(&got));
    CU_OK(cuDevicePrimaryCtxGetState(device, &n, &i));
    CU_OK(cuDeviceGetAttribute(&i, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
}

static void of_modules(void)
{
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    CUlibrary l;
    size_t bytes;
    int i;
    FAILS(cuModuleGetFunction(&f, module, "none"));
    FAILS(cuModuleGetGlobal(&p, &bytes, module, "v"));
    FAILS(cuModuleLoadData(&m, ptx));
    FAILS(cuFuncGetAttribute(&i, 0, none));
    FAILS(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    FAILS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&i, none, 32, 0));
    CU_OK(cuLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
}

static void of_memory(void)
{
    CUdeviceptr p;
    size_t bytes;
    int i;
    CUmemoryPool pool;
    CUmemGenericAllocationHandle h;
    const CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAllocationProp kind = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    FAILS(cuMemAlloc(&p, 64));
    FAILS(cuMemAllocAsync(&p, 64, stream));
    FAILS(cuMemGetInfo(&bytes, &bytes));
    FAILS(cuMemcpyDtoH(host, memory, 4));
    FAILS(cuMemsetD8(memory, 0, 4));
    CU_OK(cuPointerGetAttribute(&i, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
    CU_OK(cuMemPoolCreate(&pool, &props));
    CU_OK(cuMemPoolTrimTo(pool, 0));
    CU_OK(cuMemCreate(&h, 2 << 20, &kind, 0));
    CU_OK(cuMemAddressReserve(&p, 2 << 20, 0, 0, 0));
}

static void of_streams_and_graphs(void)
{
    CUstream s;
    CUevent e;
    CUgraph g;
    CUgraphNode node;
    CUgraphExec x;
    FAILS(cuStreamCreate(&s, 0));
    FAILS(cuStreamQuery(other));
    FAILS(cuEventCreate(&e, 0));
    FAILS(cuEventQuery(event));
    FAILS(cuStreamWaitEvent(stream, event, 0));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddEmptyNode(&node, g, NULL, 0));
    FAILS(cuGraphInstantiate(&x, graph, 0));
    FAILS(cuGraphLaunch(executable, stream));
    CU_OK(cuGraphExecDestroy(executable));
    CU_OK(cuGraphDestroy(graph));
}

static void of_the_runtime(void)
{
    int i, j;
    unsigned flags;
    size_t bytes;
    void *p;
    cudaMemPool_t pool;
    enum cudaFuncCache config;
    const dim3 one = {1, 1, 1}, many = {5000, 1, 1};
    OK(cudaGetDevice(&i));
    OK(cudaSetDevice(0));
    OK(cudaGetDeviceFlags(&flags));
    OK(cudaInitDevice(0, 0, 0));
    RT_FAILS(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    RT_FAILS(cudaDeviceGetStreamPriorityRange(&i, &j));
    RT_FAILS(cudaDeviceGetCacheConfig(&config));
    RT_FAILS(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    RT_FAILS(cudaMalloc(&p, 4));
    RT_FAILS(
        cudaMemcpy(&i, (void *)(uintptr_t)memory, 4, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&i, (void *)(uintptr_t)memory, 0, cudaMemcpyDeviceToHost));
    RT_FAILS(cudaMemset((void *)(uintptr_t)memory, 0, 4));
    OK(cudaMemset((void *)(uintptr_t)memory, 0, 0));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaDeviceGetMemPool(&pool, 0));
    OK(cudaMemPoolTrimTo(pool, 0));
    RT_FAILS(cudaLaunchKernel((const void *)none, one, many, NULL, 0, NULL));
    RT_FAILS(cudaProfilerStart());
    RT_FAILS(cudaFree(NULL));
    RT_FAILS(cudaEventDestroy((cudaEvent_t)event));
}

static int run(const char *kernel, CUresult wanted)
{
    fflush(stdout);
    pid_t child = fork();
    int status = -1;
    if (!child) {
        error = wanted;
        prepare(kernel);
        of_contexts();
        of_modules();
        of_memory();
        of_streams_and_graphs();
        of_the_runtime();
        fflush(stdout);
        _exit(failures != 0);
    }
    waitpid(child, &status, 0);
    return status;
}

int main(void)
{
    CHECK(run("stop", CUDA_ERROR_LAUNCH_FAILED) == 0);
    CHECK(run("stray", CUDA_ERROR_ILLEGAL_ADDRESS) == 0);
    return check_result();
}
