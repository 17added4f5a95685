// SPDX-License-Identifier: Apache-2.0
// weftcc: -lcuda
// Calls in wrong ways, on both faces of the API; misuse.out is what an H200
// answered, with the static runtime of CUDA 13.0. Left out: calls that crash
// there, host memory that is not registered, which kernels reach here, and
// launches of impossible shapes: 12 says invalid configuration, 13 invalid
// value.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define P(call)                                                                \
    do {                                                                       \
        int answer = (int)(call);                                              \
        printf("%s: %d\n", #call, answer);                                     \
        cudaGetLastError();                                                    \
    } while (0)

__global__ void k(int *p)
{
    if (p)
        *p = 1;
}
static void CUDART_CB callback(cudaStream_t, cudaError_t, void *)
{
}
__device__ int var;
__managed__ int man;

static int n, m;
static unsigned u;
static size_t z, z2;
static float f;
static void *p = 0, *d = 0, *h = 0;
static char buf[256];
static const char *str;
static cudaStream_t s, dead_s;
static cudaEvent_t e, e2, dead_e, no_time;
static cudaArray_t a;
static cudaMipmappedArray_t mm;
static cudaDeviceProp pr;
static cudaFuncAttributes fa;
static cudaPitchedPtr pp;
static cudaPointerAttributes pa;
static cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>(), bad = cd;
static cudaExtent ext;
static cudaArray_t a2;
static cudaMemcpy3DParms p3;
static void *args[] = {&p};
static const char *nm;
static cudaMemPool_t pool, pool2;
static cudaMemPoolProps mp;
static cudaMemAccessDesc ad;
static cudaIpcMemHandle_t ih;
static cudaIpcEventHandle_t ie;
static CUdevice dv;
static CUcontext cx, cx2;
static CUmodule mo;
static CUfunction fn;
static CUdeviceptr dp;
static CUstream cs;
static CUevent ce;
static void *ka[] = {&dp};
static size_t ps = 8;
static void *ex[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &dp,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &ps, CU_LAUNCH_PARAM_END};
static CUarray ca;
static CUDA_ARRAY_DESCRIPTOR ar;
static CUDA_MEMCPY2D c2;
static CUmemGenericAllocationHandle gh;
static CUmemAllocationProp ap;
static CUmemAccessDesc mad;
static CUlinkState ls;
static void *co;
static CUlibrary li;
static CUkernel ke;
static CUdriverProcAddressQueryResult qr;
static void *fp;

static void of_devices(void)
{
    P(cudaGetDeviceCount(0));
    P(cudaSetDevice(-1));
    P(cudaSetDevice(99));
    P(cudaGetDevice(0));
    P(cudaGetDeviceProperties(&pr, 99));
    P(cudaGetDeviceProperties(0, 0));
    P(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    P(cudaDeviceGetAttribute(0, cudaDevAttrWarpSize, 0));
    P(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 7));
    P(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)0, 0));
    P(cudaChooseDevice(0, &pr));
    P(cudaChooseDevice(&n, 0));
    P(cudaSetDeviceFlags(0xffff));
    P(cudaGetDeviceFlags(0));
    P(cudaSetValidDevices(0, 1));
    P(cudaSetValidDevices(&n, -1));
    n = 99;
    P(cudaSetValidDevices(&n, 1));
    n = 0;
    P(cudaSetValidDevices(&n, 1));
    P(cudaDeviceSetLimit((cudaLimit)99, 1));
    P(cudaDeviceGetLimit(&z, (cudaLimit)99));
    P(cudaDeviceGetLimit(0, cudaLimitStackSize));
    P(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
    P(cudaDeviceSetCacheConfig((cudaFuncCache)99));
    P(cudaDeviceGetCacheConfig(0));
    P(cudaDeviceGetStreamPriorityRange(0, 0));
    P(cudaDeviceGetByPCIBusId(&n, "zz"));
    P(cudaDeviceGetByPCIBusId(&n, 0));
    P(cudaDeviceGetPCIBusId(buf, 4, 0));
    P(cudaDeviceGetPCIBusId(0, 4, 0));
    P(cudaDeviceGetPCIBusId(buf, 0, 0));
    P(cudaDeviceGetPCIBusId(buf, 64, 9));
    P(cudaDeviceCanAccessPeer(&n, 0, 0));
    P(cudaDeviceCanAccessPeer(&n, 0, 9));
    P(cudaDeviceCanAccessPeer(0, 0, 0));
    P(cudaDeviceEnablePeerAccess(0, 0));
    P(cudaDeviceEnablePeerAccess(9, 0));
    P(cudaDeviceDisablePeerAccess(0));
    P(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrPerformanceRank, 0, 0));
    P(cudaDeviceGetP2PAttribute(&n, (cudaDeviceP2PAttr)99, 0, 0));
    P(cudaDriverGetVersion(0));
    P(cudaRuntimeGetVersion(0));
    P(cudaInitDevice(9, 0, 0));
    P(cudaInitDevice(0, 0xff, 0));
    P(cudaInitDevice(0, 0xffff, cudaInitDeviceFlagsAreValid));
}

static void of_memory(void)
{
    P(cudaMalloc(0, 16));
    P(cudaMalloc(&p, 0));
    P(cudaMalloc(&p, (size_t)1 << 50));
    P(cudaFree((void *)16));
    P(cudaFree((char *)d + 16));
    P(cudaFree(h));
    P(cudaFree(&n));
    P(cudaFreeHost(&n));
    P(cudaFreeHost(d));
    P(cudaFreeHost(0));
    P(cudaFreeHost((char *)h + 8));
    P(cudaMallocHost(0, 4));
    P(cudaMallocHost(&p, 0));
    P(cudaHostAlloc(&p, 16, 0xff));
    P(cudaHostAlloc(0, 16, 0));
    P(cudaHostRegister(0, 16, 0));
    P(cudaHostRegister(buf, 0, 0));
    P(cudaHostRegister(buf, 16, 0xff));
    P(cudaHostUnregister(buf));
    P(cudaHostUnregister(h));
    P(cudaHostGetDevicePointer(&p, buf, 0));
    P(cudaHostGetDevicePointer(0, h, 0));
    P(cudaHostGetDevicePointer(&p, h, 1));
    P(cudaHostGetFlags(&u, buf));
    P(cudaHostGetFlags(0, h));
    P(cudaHostRegister(h, 16, 0));
    P(cudaMallocPitch(0, &z, 4, 4));
    P(cudaMallocPitch(&p, 0, 4, 4));
    P(cudaMallocPitch(&p, &z, 0, 4));
    P(cudaMallocPitch(&p, &z, 4, 0));
    P(cudaMallocManaged(0, 4));
    P(cudaMallocManaged(&p, 0));
    P(cudaMallocManaged(&p, 4, 0));
    P(cudaMallocManaged(&p, 4, 8));
    P(cudaMallocManaged(&p, 4, 3));
    P(cudaMalloc3D(0, make_cudaExtent(4, 4, 4)));
    P(cudaMalloc3D(&pp, make_cudaExtent(0, 0, 0)));
    P(cudaMemGetInfo(0, &z));
    P(cudaMemGetInfo(&z, 0));
    P(cudaMemGetInfo(0, 0));
    P(cudaMemcpy(d, h, 16, (cudaMemcpyKind)7));
    P(cudaMemcpy(0, h, 16, cudaMemcpyDefault));
    P(cudaMemcpy(d, 0, 16, cudaMemcpyHostToDevice));
    P(cudaMemcpy(d, h, 0, (cudaMemcpyKind)7));
    P(cudaMemcpy(d, h, 2 << 20, cudaMemcpyHostToDevice));
    P(cudaMemcpy(d, d, 16, cudaMemcpyHostToDevice));
    P(cudaMemcpy(h, h, 16, cudaMemcpyDeviceToDevice));
    P(cudaMemcpy((char *)d + (1 << 20) - 8, buf, 16, cudaMemcpyHostToDevice));
    P(cudaMemcpy(0, 0, 0, cudaMemcpyHostToDevice));
    P(cudaMemcpy2D(d, 4, h, 8, 8, 2, cudaMemcpyHostToDevice));
    P(cudaMemcpy2D(d, 8, h, 4, 8, 2, cudaMemcpyHostToDevice));
    P(cudaMemcpy2D(d, 8, h, 8, 8, 2, (cudaMemcpyKind)9));
    P(cudaMemcpy2D(d, 4, h, 8, 0, 2, cudaMemcpyHostToDevice));
    P(cudaMemcpyToSymbol(var, &n, 8));
    P(cudaMemcpyToSymbol(var, &n, 4, 4));
    P(cudaMemcpyToSymbol((const void *)buf, &n, 4));
    P(cudaMemcpyToSymbol(var, &n, 4, 0, cudaMemcpyDeviceToHost));
    P(cudaMemcpyFromSymbol(&n, var, 4, 0, cudaMemcpyHostToDevice));
    P(cudaGetSymbolAddress(&p, (const void *)buf));
    P(cudaGetSymbolSize(&z, (const void *)buf));
    P(cudaMemcpyToSymbol((const void *)0, &n, 4));
    P(cudaMemset(0, 0, 4));
    P(cudaMemset(d, 0, 2 << 20));
    P(cudaMemset(d, 0, 0));
    P(cudaMemset(0, 0, 0));
    P(cudaMemset2D(d, 4, 0, 8, 2));
    P(cudaMemset(h, 0, 4));
    P(cudaPointerGetAttributes(0, d));
    P(cudaPointerGetAttributes(&pa, 0));
    P(cudaPointerGetAttributes(&pa, buf));
    P(cudaMemAdvise_v2(d, 4, cudaMemAdviseSetReadMostly,
                       cudaMemLocation{cudaMemLocationTypeDevice, 0}));
    P(cudaMemAdvise_v2(&man, 4, (cudaMemoryAdvise)77,
                       cudaMemLocation{cudaMemLocationTypeDevice, 0}));
    P(cudaMemPrefetchAsync_v2(
        &man, 4, cudaMemLocation{cudaMemLocationTypeDevice, 9}, 0, 0));
    P(cudaMemPrefetchAsync_v2(
        d, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    P(cudaMemPrefetchAsync_v2(
        buf, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    P(cudaMemPrefetchAsync_v2(
        &man, 0, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    P(cudaMemRangeGetAttribute(&n, 4, cudaMemRangeAttributeReadMostly, d, 4));
    P(cudaMemRangeGetAttribute(&n, 3, cudaMemRangeAttributeReadMostly, &man,
                               4));
    P(cudaMemRangeGetAttribute(&n, 4, (cudaMemRangeAttribute)99, &man, 4));
    P(cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachGlobal));
    P(cudaStreamAttachMemAsync(s, &man, 0, 9));
}

static void of_arrays(void)
{
    bad.x = 7;
    P(cudaMallocArray(&a, &cd, 64, 64));
    P(cudaMallocArray(0, &cd, 64, 64));
    P(cudaMallocArray(&a, 0, 64, 64));
    P(cudaMallocArray(&a2, &bad, 64, 64));
    P(cudaMallocArray(&a2, &cd, 0, 64));
    P(cudaMallocArray(&a2, &cd, 1 << 20, 1));
    P(cudaMallocArray(&a2, &cd, 64, 64, 0xffff));
    P(cudaMallocArray(&a2, &cd, 64, 32, cudaArrayCubemap));
    P(cudaMalloc3DArray(&a2, &cd, make_cudaExtent(8, 4, 6), cudaArrayCubemap));
    P(cudaMalloc3DArray(&a2, &cd, make_cudaExtent(8, 8, 5), cudaArrayCubemap));
    P(cudaMalloc3DArray(&a2, &cd, make_cudaExtent(8, 8, 7),
                        cudaArrayCubemap | cudaArrayLayered));
    P(cudaMalloc3DArray(&a2, &cd, make_cudaExtent(8, 0, 7), 0));
    P(cudaMallocMipmappedArray(&mm, &cd, make_cudaExtent(8, 8, 0), 0));
    P(cudaMallocMipmappedArray(&mm, &cd, make_cudaExtent(8, 8, 0), 9));
    P(cudaMallocMipmappedArray(0, &cd, make_cudaExtent(8, 8, 0), 2));
    P(cudaMallocMipmappedArray(&mm, &cd, make_cudaExtent(8, 8, 0), 2));
    P(cudaGetMipmappedArrayLevel(&a2, mm, 2));
    P(cudaGetMipmappedArrayLevel(0, mm, 0));
    P(cudaFreeMipmappedArray(0));
    P(cudaFreeArray(0));
    P(cudaArrayGetInfo(&cd, &ext, &u, 0));
    P(cudaGetChannelDesc(0, a));
    P(cudaGetChannelDesc(&cd, 0));
    P(cudaMemcpy2DToArray(a, 0, 0, h, 8, 16, 4, cudaMemcpyHostToDevice));
    P(cudaMemcpy2DToArray(a, 250, 0, h, 64, 16, 4, cudaMemcpyHostToDevice));
    P(cudaMemcpy2DToArray(a, 0, 62, h, 64, 16, 4, cudaMemcpyHostToDevice));
    P(cudaMemcpy2DToArray(0, 0, 0, h, 64, 16, 4, cudaMemcpyHostToDevice));
    P(cudaMemcpy2DFromArray(h, 64, a, 0, 0, 257, 4, cudaMemcpyDeviceToHost));
    memset(&p3, 0, sizeof p3);
    P(cudaMemcpy3D(&p3));
    P(cudaMemcpy3D(0));
    p3.dstArray = a;
    P(cudaMemcpy3D(&p3));
    p3.srcPtr = make_cudaPitchedPtr(h, 16, 16, 1);
    p3.extent = make_cudaExtent(8, 2, 1);
    p3.kind = cudaMemcpyHostToDevice;
    p3.extent.depth = 2;
    P(cudaMemcpy3D(&p3));
    p3.extent.depth = 1;
    p3.kind = (cudaMemcpyKind)9;
    P(cudaMemcpy3D(&p3));
    p3.dstPtr = make_cudaPitchedPtr(d, 16, 16, 1);
    P(cudaMemcpy3D(&p3));
}

static void of_order(void)
{
    P(cudaStreamCreate(0));
    P(cudaStreamCreateWithFlags(&dead_s, 0xff));
    P(cudaStreamCreateWithPriority(&dead_s, 0, 99));
    P(cudaStreamCreateWithPriority(&dead_s, 9, 0));
    cudaStreamCreate(&dead_s);
    P(cudaStreamDestroy(dead_s));
    P(cudaStreamDestroy(0));
    P(cudaStreamDestroy(cudaStreamPerThread));
    P(cudaStreamGetFlags(s, 0));
    P(cudaStreamGetPriority(s, 0));
    P(cudaStreamGetId(s, 0));
    P(cudaStreamWaitEvent(s, 0, 0));
    P(cudaStreamWaitEvent(s, e, 99));
    P(cudaStreamAddCallback(s, 0, 0, 0));
    P(cudaStreamAddCallback(s, callback, 0, 1));
    P(cudaLaunchHostFunc(s, 0, 0));
    P(cudaStreamCopyAttributes(s, 0));
    P(cudaEventCreate(0));
    P(cudaEventCreateWithFlags(&dead_e, 0xff));
    P(cudaEventCreateWithFlags(&dead_e, cudaEventInterprocess));
    cudaEventCreate(&dead_e);
    P(cudaEventDestroy(dead_e));
    P(cudaEventDestroy(0));
    P(cudaEventRecord(0, s));
    P(cudaEventRecordWithFlags(e, s, 99));
    P(cudaEventQuery(e2));
    P(cudaEventSynchronize(e2));
    P(cudaEventSynchronize(0));
    P(cudaEventElapsedTime(&f, e, e2));
    cudaEventRecord(e, s);
    cudaEventRecord(no_time, s);
    cudaStreamSynchronize(s);
    P(cudaEventElapsedTime(&f, e, e2));
    P(cudaEventElapsedTime(&f, e, no_time));
    P(cudaEventElapsedTime(0, e, e));
    P(cudaEventElapsedTime(&f, 0, e));
    P(cudaEventQuery(0));
}

static void of_launches(void)
{
    p = 0;
    P((k<<<1, 1, 1 << 20>>>(0), cudaGetLastError()));
    P((k<<<1, 1, 50000>>>(0), cudaGetLastError()));
    P(cudaLaunchKernel((void *)0, 1, 1, args, 0, 0));
    P(cudaLaunchKernel((void *)k, 1, 1, 0, 0, 0));
    P(cudaLaunchCooperativeKernel((void *)k, 100000, 1024, args, 0, 0));
    P(cudaFuncGetAttributes(0, (void *)k));
    P(cudaFuncSetAttribute(
        (void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    P(cudaFuncSetAttribute((void *)k,
                           cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    P(cudaFuncSetAttribute((void *)k, (cudaFuncAttribute)99, 1));
    P(cudaFuncSetAttribute(
        (void *)k, cudaFuncAttributePreferredSharedMemoryCarveout, 200));
    P(cudaFuncSetCacheConfig((void *)k, (cudaFuncCache)99));
    P(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 0, 0));
    P(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 2000, 0));
    P(cudaOccupancyMaxActiveBlocksPerMultiprocessor((int *)0, k, 32, 0));
    P(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 32, 1 << 22));
    P(cudaOccupancyAvailableDynamicSMemPerBlock(&z, (void *)k, 99, 1024));
    P(cudaFuncGetName(0, (void *)k));
    P(cudaFuncGetParamInfo((void *)k, 1, &z, &z2));
    P(cudaFuncGetParamInfo((void *)k, 0, 0, &z2));
}

static void of_pools(void)
{
    memset(&mp, 0, sizeof mp);
    P(cudaDeviceGetDefaultMemPool(&pool, 9));
    P(cudaDeviceGetDefaultMemPool(0, 0));
    cudaDeviceGetDefaultMemPool(&pool, 0);
    P(cudaMemPoolDestroy(pool));
    P(cudaMemPoolCreate(&pool2, &mp));
    mp.allocType = cudaMemAllocationTypePinned;
    P(cudaMemPoolCreate(&pool2, &mp));
    mp.location.type = cudaMemLocationTypeDevice;
    mp.location.id = 9;
    P(cudaMemPoolCreate(&pool2, &mp));
    mp.location.id = 0;
    P(cudaMemPoolCreate(0, &mp));
    P(cudaMemPoolCreate(&pool2, 0));
    P(cudaMallocAsync(0, 4, 0));
    P(cudaMallocAsync(&p, 0, 0));
    P(cudaMallocFromPoolAsync(&p, 4, 0, 0));
    P(cudaFreeAsync(0, 0));
    P(cudaFreeAsync(buf, 0));
    P(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &n));
    P(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, 0));
    z = 7;
    P(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &z));
    P(cudaMemPoolTrimTo(0, 0));
    P(cudaDeviceSetMemPool(9, pool));
    P(cudaDeviceSetMemPool(0, 0));
    memset(&ad, 0, sizeof ad);
    P(cudaMemPoolSetAccess(pool, &ad, 1));
    ad.location.type = cudaMemLocationTypeDevice;
    ad.flags = cudaMemAccessFlagsProtNone;
    P(cudaMemPoolSetAccess(pool, &ad, 1));
    ad.location.id = 9;
    P(cudaMemPoolSetAccess(pool, &ad, 1));
}

static void of_ipc(void)
{
    P(cudaIpcGetMemHandle(&ih, buf));
    P(cudaIpcGetMemHandle(&ih, h));
    P(cudaIpcGetEventHandle(&ie, e));
    P(cudaIpcOpenMemHandle(&p, ih, 0));
    P(cudaIpcCloseMemHandle(d));
    P(cudaIpcCloseMemHandle(0));
}

static void of_driver(void)
{
    P(cuInit(1));
    P(cuDeviceGet(&dv, 9));
    P(cuDeviceGet(0, 0));
    P(cuDeviceGetCount(0));
    P(cuDeviceGetName(0, 4, 0));
    P(cuDeviceGetName(buf, 2, 0));
    P(cuDeviceGetName(buf, 64, 9));
    P(cuDeviceTotalMem(0, 0));
    P(cuDeviceGetAttribute(&n, (CUdevice_attribute)9999, 0));
    P(cuDeviceGetAttribute(&n, (CUdevice_attribute)1, 9));
    P(cuDeviceGetUuid(0, 0));
    P(cuDriverGetVersion(0));
    P(cuGetErrorName((CUresult)12345, &str));
    P(cuGetErrorString((CUresult)12345, &str));
    P(cuCtxGetCurrent(0));
    P(cuCtxPopCurrent(0));
    cuDevicePrimaryCtxRetain(&cx, 0);
    cuCtxSetCurrent(cx);
    P(cuCtxGetDevice(0));
    P(cuCtxGetFlags(0));
    P(cuCtxGetApiVersion(cx, 0));
    P(cuCtxGetLimit(&z, (CUlimit)99));
    P(cuCtxSetLimit((CUlimit)99, 0));
    P(cuCtxSetCacheConfig((CUfunc_cache)9));
    P(cuCtxDestroy(0));
    P(cuCtxPushCurrent(0));
    P(cuDevicePrimaryCtxRelease(9));
    P(cuDevicePrimaryCtxSetFlags(0, 0xffff));
    P(cuDevicePrimaryCtxGetState(0, 0, 0));
    P(cuDevicePrimaryCtxGetState(9, &u, &n));
    P(cuCtxSetFlags(0xffff));
    P(cuCtxDestroy(cx));
    P(cuCtxEnablePeerAccess(cx, 0));
    P(cuCtxEnablePeerAccess(0, 0));
    P(cuCtxDisablePeerAccess(cx));
    P(cuModuleLoadData(&mo, 0));
    P(cuModuleLoadData(0, "x"));
    P(cuModuleLoadData(&mo, "not ptx"));
    P(cuModuleLoad(&mo, "/nonexistent"));
    P(cuModuleLoad(&mo, 0));
    P(cuModuleUnload(0));
    P(cuModuleLoadData(
        &mo, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry "
             "z(.param .u64 a){ret;}\n.visible .global .u32 g;"));
    P(cuModuleGetFunction(&fn, mo, "absent"));
    P(cuModuleGetFunction(&fn, mo, 0));
    P(cuModuleGetFunction(0, mo, "z"));
    P(cuModuleGetFunction(&fn, 0, "z"));
    P(cuModuleGetFunction(&fn, mo, "z"));
    P(cuModuleGetGlobal(&dp, &z, mo, "absent"));
    P(cuModuleGetGlobal(0, 0, mo, "g"));
    P(cuModuleGetGlobal(&dp, &z, mo, 0));
    P(cuModuleGetFunctionCount(0, mo));
    P(cuModuleEnumerateFunctions(0, 1, mo));
    P(cuFuncGetAttribute(&n, (CUfunction_attribute)99, fn));
    P(cuFuncGetAttribute(0, CU_FUNC_ATTRIBUTE_NUM_REGS, fn));
    P(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, 0));
    P(cuFuncSetAttribute(fn, CU_FUNC_ATTRIBUTE_NUM_REGS, 1));
    P(cuFuncSetAttribute(fn, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                         1 << 20));
    P(cuFuncGetModule(0, fn));
    P(cuFuncGetName(0, fn));
    P(cuFuncGetParamInfo(fn, 1, &z, &z2));
    dp = 0;
    P(cuLaunchKernel(fn, 0, 1, 1, 1, 1, 1, 0, 0, ka, 0));
    P(cuLaunchKernel(fn, 1, 1, 1, 0, 1, 1, 0, 0, ka, 0));
    P(cuLaunchKernel(fn, 1, 1, 1, 2048, 1, 1, 0, 0, ka, 0));
    P(cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 1 << 20, 0, ka, 0));
    P(cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, ka, 0));
    P(cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
    P(cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, 0, 0, ex));
    ps = 4;
    ps = 8;
    P(cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, 0, ka, ex));
    P(cuLaunchCooperativeKernel(fn, 1000000, 1, 1, 1024, 1, 1, 0, 0, ka));
    P(cuLaunchHostFunc(0, 0, 0));
    P(cuMemAlloc(0, 4));
    P(cuMemAlloc(&dp, 0));
    P(cuMemAlloc(&dp, (size_t)1 << 50));
    P(cuMemFree(0));
    P(cuMemFree(12345));
    P(cuMemFree((CUdeviceptr)d + 4));
    P(cuMemAllocHost(&p, 0));
    P(cuMemAllocHost(0, 4));
    P(cuMemFreeHost(0));
    P(cuMemFreeHost(buf));
    P(cuMemHostAlloc(&p, 4, 0xff));
    P(cuMemHostRegister(0, 4, 0));
    P(cuMemHostUnregister(buf));
    P(cuMemAllocPitch(&dp, &z, 16, 4, 3));
    P(cuMemAllocPitch(&dp, &z, 0, 4, 4));
    P(cuMemGetAddressRange(0, 0, (CUdeviceptr)d));
    P(cuMemGetAddressRange(&dp, &z, (CUdeviceptr)buf));
    P(cuMemGetAddressRange(&dp, &z, 0));
    P(cuMemcpyHtoD((CUdeviceptr)d, 0, 4));
    P(cuMemcpyHtoD(0, buf, 4));
    P(cuMemcpyHtoD(0, buf, 0));
    P(cuMemcpyDtoH(buf, 0, 4));
    P(cuMemcpyDtoD((CUdeviceptr)d, (CUdeviceptr)d + 64, 2 << 20));
    P(cuMemsetD8(0, 0, 4));
    P(cuMemsetD8((CUdeviceptr)d, 0, 0));
    P(cuMemsetD16((CUdeviceptr)d + 1, 0, 4));
    P(cuMemsetD32((CUdeviceptr)d + 2, 0, 4));
    P(cuMemsetD2D32((CUdeviceptr)d, 6, 0, 1, 2));
    P(cuMemsetD2D32((CUdeviceptr)d, 4, 0, 2, 2));
    P(cuPointerGetAttribute(&n, (CUpointer_attribute)99, (CUdeviceptr)d));
    P(cuPointerGetAttribute(&n, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                            (CUdeviceptr)buf));
    P(cuPointerGetAttribute(0, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                            (CUdeviceptr)d));
    P(cuPointerSetAttribute(&n, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                            (CUdeviceptr)d));
    P(cuStreamCreate(0, 0));
    P(cuStreamCreate(&cs, 0xff));
    P(cuStreamDestroy(0));
    P(cuStreamGetFlags(0, 0));
    P(cuStreamGetCtx(0, 0));
    P(cuStreamWaitEvent(0, 0, 0));
    P(cuStreamWaitEvent(0, (CUevent)e, 99));
    P(cuEventCreate(0, 0));
    P(cuEventCreate(&ce, 0xff));
    P(cuEventDestroy(0));
    P(cuEventRecord(0, 0));
    P(cuEventQuery(0));
    P(cuEventElapsedTime(&f, 0, 0));
    P(cuStreamWriteValue32(0, 2, 1, 0));
    P(cuStreamWriteValue32(0, (CUdeviceptr)d + 2, 1, 0));
    P(cuStreamWriteValue32(0, (CUdeviceptr)d, 1, 99));
    P(cuStreamWaitValue32(0, (CUdeviceptr)d, 1, 99));
    P(cuStreamBatchMemOp(0, 0, 0, 0));
    P(cuStreamBatchMemOp(0, 257, 0, 0));
    memset(&ar, 0, sizeof ar);
    P(cuArrayCreate(&ca, &ar));
    ar.Width = 8;
    ar.Format = CU_AD_FORMAT_FLOAT;
    ar.NumChannels = 3;
    P(cuArrayCreate(&ca, &ar));
    ar.NumChannels = 1;
    P(cuArrayCreate(0, &ar));
    P(cuArrayCreate(&ca, 0));
    ar.Format = (CUarray_format)0x77;
    P(cuArrayCreate(&ca, &ar));
    P(cuArrayDestroy(0));
    P(cuArrayGetDescriptor(&ar, 0));
    P(cuMipmappedArrayDestroy(0));
    memset(&c2, 0, sizeof c2);
    P(cuMemcpy2D(&c2));
    P(cuMemcpy2D(0));
    c2.srcMemoryType = CU_MEMORYTYPE_HOST;
    c2.srcHost = h;
    c2.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c2.dstDevice = (CUdeviceptr)d;
    c2.WidthInBytes = 8;
    c2.Height = 2;
    c2.srcPitch = 4;
    P(cuMemcpy2D(&c2));
    c2.srcPitch = 8;
    c2.dstPitch = 4;
    P(cuMemcpy2D(&c2));
    c2.dstPitch = 8;
    c2.dstMemoryType = (CUmemorytype)9;
    P(cuMemcpy2D(&c2));
    memset(&ap, 0, sizeof ap);
    P(cuMemCreate(&gh, 2 << 20, &ap, 0));
    ap.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    P(cuMemCreate(&gh, 2 << 20, &ap, 0));
    ap.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    P(cuMemCreate(&gh, 4096, &ap, 0));
    P(cuMemCreate(&gh, 0, &ap, 0));
    P(cuMemCreate(0, 2 << 20, &ap, 0));
    P(cuMemCreate(&gh, 2 << 20, &ap, 1));
    P(cuMemCreate(&gh, 2 << 20, &ap, 0));
    P(cuMemAddressReserve(&dp, 4096, 0, 0, 0));
    P(cuMemAddressReserve(&dp, 2 << 20, 3, 0, 0));
    P(cuMemAddressReserve(0, 2 << 20, 0, 0, 0));
    P(cuMemAddressReserve(&dp, 4 << 20, 0, 0, 0));
    P(cuMemMap(dp, 2 << 20, 4096, gh, 0));
    P(cuMemMap(dp + 4096, 2 << 20, 0, gh, 0));
    P(cuMemMap(dp, 4 << 20, 0, gh, 0));
    P(cuMemMap(dp, 2 << 20, 0, 0, 0));
    P(cuMemMap(dp, 2 << 20, 0, gh, 0));
    P(cuMemMap(dp, 2 << 20, 0, gh, 0));
    memset(&mad, 0, sizeof mad);
    P(cuMemSetAccess(dp, 2 << 20, &mad, 1));
    mad.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    mad.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    P(cuMemSetAccess(dp, 4 << 20, &mad, 1));
    P(cuMemSetAccess(dp, 2 << 20, &mad, 0));
    P(cuMemSetAccess(dp, 2 << 20, &mad, 1));
    P(cuMemUnmap(dp, 4096));
    P(cuMemAddressFree(dp, 4 << 20));
    P(cuMemUnmap(dp, 2 << 20));
    P(cuMemUnmap(dp, 2 << 20));
    P(cuMemRelease(gh));
    P(cuMemRelease(gh));
    P(cuMemRelease(0));
    P(cuMemAddressFree(dp, 2 << 20));
    P(cuMemAddressFree(dp, 4 << 20));
    P(cuMemGetAllocationGranularity(&z, &ap,
                                    (CUmemAllocationGranularity_flags)9));
    P(cuMemGetAllocationGranularity(0, &ap, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    P(cuMemRetainAllocationHandle(&gh, buf));
    P(cuMemExportToShareableHandle(
        &n, gh, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    P(cuLinkCreate(0, 0, 0, 0));
    P(cuLinkCreate(0, 0, 0, &ls));
    P(cuLinkComplete(ls, &co, &z));
    P(cuLinkAddData(ls, CU_JIT_INPUT_PTX, 0, 4, 0, 0, 0, 0));
    P(cuLinkAddData(ls, CU_JIT_INPUT_PTX, buf, 0, 0, 0, 0, 0));
    P(cuLinkAddFile(ls, CU_JIT_INPUT_PTX, "/nonexistent", 0, 0, 0));
    P(cuLinkAddFile(ls, CU_JIT_INPUT_LIBRARY, "/nonexistent", 0, 0, 0));
    P(cuLinkAddFile(ls, (CUjitInputType)77, "/nonexistent", 0, 0, 0));
    P(cuLinkDestroy(ls));
    P(cuLibraryLoadData(&li, 0, 0, 0, 0, 0, 0, 0));
    P(cuLibraryLoadData(0, "x", 0, 0, 0, 0, 0, 0));
    P(cuLibraryLoadFromFile(&li, "/nonexistent", 0, 0, 0, 0, 0, 0));
    P(cuLibraryUnload(0));
    P(cuLibraryLoadData(&li,
                        ".version 8.0\n.target sm_90\n.address_size "
                        "64\n.visible .entry z(.param .u64 a){ret;}\n",
                        0, 0, 0, 0, 0, 0));
    P(cuLibraryGetKernel(&ke, li, "absent"));
    P(cuLibraryGetKernel(&ke, li, 0));
    P(cuLibraryGetKernel(0, li, "z"));
    P(cuLibraryGetKernel(&ke, li, "z"));
    P(cuLibraryGetGlobal(&dp, &z, li, "absent"));
    P(cuLibraryGetKernelCount(0, li));
    P(cuLibraryEnumerateKernels(0, 1, li));
    P(cuKernelGetFunction(0, ke));
    P(cuKernelGetAttribute(&n, (CUfunction_attribute)99, ke, 0));
    P(cuKernelGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, ke, 9));
    P(cuKernelGetName(0, ke));
    P(cuKernelGetParamInfo(ke, 5, &z, &z2));
    P(cuLibraryUnload(li));
    P(cuGetProcAddress("cuAbsent", &fp, 12000, 0, &qr));
    P(cuGetProcAddress("", &fp, 12000, 0, 0));
    P(cuGetProcAddress("cuInit", &fp, 0, 0, 0));
    P(cuGetProcAddress("cuInit", &fp, 12000, 99, 0));
    P(cuGetProcAddress("cuMemAllocAsync", &fp, 9000, 0, &qr));
    P(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, fn, 0, 0));
    P(cuOccupancyMaxPotentialBlockSize(&n, &m, fn, 0, 0, 0));
    P(cuOccupancyMaxPotentialBlockSize(0, &m, fn, 0, 0, 0));
    P(cuCtxRecordEvent(0, 0));
    P(cuCtxWaitEvent(0, 0));
    P(cuModuleUnload(mo));
}

int main()
{
    cudaMalloc(&d, 1 << 20);
    cudaMallocHost(&h, 1 << 16);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    cudaEventCreate(&e2);
    cudaEventCreateWithFlags(&no_time, cudaEventDisableTiming);
    of_devices();
    of_memory();
    of_arrays();
    of_order();
    of_launches();
    of_pools();
    of_ipc();
    of_driver();
}
