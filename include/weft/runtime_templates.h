/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C++ layer of the runtime API: the same functions for typed pointers,
 * kernels and symbols. Host code only; no logic beyond casts, except the
 * occupancy search, which has to call the user's function object.
 */
#ifndef WEFT_RUNTIME_TEMPLATES_H
#define WEFT_RUNTIME_TEMPLATES_H

#include "../cuda_runtime_api.h"

#define WEFT_API                                                               \
    static __inline__ __host__ __attribute__((unused)) cudaError_t
#define WEFT_TEMPLATE template <class T> static __inline__ __host__ cudaError_t

/* ---- memory -------------------------------------------------------------- */

WEFT_TEMPLATE cudaMalloc(T **devPtr, size_t size)
{
    return ::cudaMalloc((void **)(void *)devPtr, size);
}

WEFT_TEMPLATE cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}

/* Overload for void **, with flags, as the C++ reference has it. */
WEFT_API cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(ptr, size, flags);
}

WEFT_TEMPLATE cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}

WEFT_TEMPLATE cudaHostGetDevicePointer(T **pDevice, void *pHost,
                                       unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)pDevice, pHost, flags);
}

WEFT_TEMPLATE cudaMallocManaged(T **devPtr, size_t size,
                                unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}

WEFT_TEMPLATE cudaMallocPitch(T **devPtr, size_t *pitch, size_t width,
                              size_t height)
{
    return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}

WEFT_TEMPLATE cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}

WEFT_API cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                         cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}

WEFT_TEMPLATE cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                              cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool,
                                     stream);
}

WEFT_TEMPLATE cudaMallocFromPoolAsync(T **ptr, size_t size,
                                      cudaMemPool_t memPool,
                                      cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool,
                                     stream);
}

WEFT_TEMPLATE cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr,
                                       size_t length = 0,
                                       unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

/* CUDA 13 takes locations where CUDA 12 took device numbers. */
WEFT_API cudaMemPrefetchAsync(const void *devPtr, size_t count,
                              cudaMemLocation location, unsigned int flags,
                              cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}

WEFT_API cudaMemAdvise(const void *devPtr, size_t count,
                       cudaMemoryAdvise advice, cudaMemLocation location)
{
    return ::cudaMemAdvise_v2(devPtr, count, advice, location);
}

/* ---- symbols ------------------------------------------------------------- */

/* A symbol is the host variable that stands for a device variable. */
#define WEFT_SYMBOL(s)                                                         \
    ((const void *)&reinterpret_cast<const volatile char &>(s))

WEFT_TEMPLATE cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                 size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol(WEFT_SYMBOL(symbol), src, count, offset, kind);
}

WEFT_TEMPLATE
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                        size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                        cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync(WEFT_SYMBOL(symbol), src, count, offset,
                                     kind, stream);
}

WEFT_TEMPLATE cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
                                   size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, WEFT_SYMBOL(symbol), count, offset,
                                  kind);
}

WEFT_TEMPLATE
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                          size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, WEFT_SYMBOL(symbol), count, offset,
                                       kind, stream);
}

WEFT_TEMPLATE cudaGetSymbolAddress(void **devPtr, const T &symbol)
{
    return ::cudaGetSymbolAddress(devPtr, WEFT_SYMBOL(symbol));
}

template <class P, class T>
static __inline__ __host__ cudaError_t cudaGetSymbolAddress(P **devPtr,
                                                            const T &symbol)
{
    return ::cudaGetSymbolAddress((void **)(void *)devPtr, WEFT_SYMBOL(symbol));
}

WEFT_TEMPLATE cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, WEFT_SYMBOL(symbol));
}

/* ---- kernels ------------------------------------------------------------- */

WEFT_TEMPLATE cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim,
                               void **args, size_t sharedMem = 0,
                               cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args,
                              sharedMem, stream);
}

WEFT_TEMPLATE cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim,
                                          void **args, size_t sharedMem = 0,
                                          cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim,
                                         args, sharedMem, stream);
}

#if __cplusplus >= 201103L
template <class... Expected, class... Actual>
static __inline__ __host__ cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                   void (*kernel)(Expected...), Actual &&...args)
{
    return [&](Expected... coerced) {
        void *pointers[sizeof...(Expected) + 1] = {(void *)&coerced...};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
    }(static_cast<Actual &&>(args)...);
}
#endif

WEFT_TEMPLATE cudaFuncSetCacheConfig(T *func, cudaFuncCache cacheConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}

WEFT_TEMPLATE cudaFuncSetSharedMemConfig(T *func, cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

WEFT_TEMPLATE cudaFuncGetAttributes(cudaFuncAttributes *attr, T *entry)
{
    return ::cudaFuncGetAttributes(attr, (const void *)entry);
}

WEFT_TEMPLATE cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}

WEFT_TEMPLATE cudaFuncGetName(const char **name, T *func)
{
    return ::cudaFuncGetName(name, (const void *)func);
}

WEFT_TEMPLATE cudaGetKernel(cudaKernel_t *kernelPtr, T *func)
{
    return ::cudaGetKernel(kernelPtr, (const void *)func);
}

WEFT_TEMPLATE cudaGetFuncBySymbol(cudaFunction_t *functionPtr, T *symbol)
{
    return ::cudaGetFuncBySymbol(functionPtr, (const void *)symbol);
}

WEFT_TEMPLATE cudaLaunch(T *func)
{
    return ::cudaLaunch((const void *)func);
}

WEFT_TEMPLATE cudaSetupArgument(T arg, size_t offset)
{
    return ::cudaSetupArgument((const void *)&arg, sizeof(T), offset);
}

/* ---- occupancy ----------------------------------------------------------- */

WEFT_TEMPLATE cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *numBlocks, T func, int blockSize, size_t dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        numBlocks, (const void *)func, blockSize, dynamicSMemSize);
}

WEFT_TEMPLATE cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, T func, int blockSize, size_t dynamicSMemSize,
    unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}

WEFT_TEMPLATE cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                        T *func, int numBlocks,
                                                        int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(
        dynamicSmemSize, (const void *)func, numBlocks, blockSize);
}

WEFT_TEMPLATE
cudaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func,
                                     const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxPotentialClusterSize(clusterSize,
                                                  (const void *)func, config);
}

WEFT_TEMPLATE cudaOccupancyMaxActiveClusters(int *numClusters, T *func,
                                             const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxActiveClusters(numClusters, (const void *)func,
                                            config);
}

/* The block size, a multiple of the warp size, that keeps the most threads of
 * an SM busy, where a block of n threads needs shared(n) bytes of dynamic
 * shared memory; and the number of blocks that fills the device. Of equally
 * good sizes the largest. */
template <class Shared, class T>
static __inline__ __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize,
                                                        int *blockSize, T func,
                                                        Shared shared,
                                                        int blockSizeLimit = 0,
                                                        unsigned int flags = 0)
{
    if (!minGridSize || !blockSize || !func)
        return cudaErrorInvalidValue;
    int device, multiprocessors, threads_per_sm, warp, device_limit;
    cudaFuncAttributes attributes;
    cudaError_t err;
    if ((err = ::cudaGetDevice(&device)) != cudaSuccess ||
        (err = ::cudaDeviceGetAttribute(&multiprocessors,
                                        cudaDevAttrMultiProcessorCount,
                                        device)) != cudaSuccess ||
        (err = ::cudaDeviceGetAttribute(&threads_per_sm,
                                        cudaDevAttrMaxThreadsPerMultiProcessor,
                                        device)) != cudaSuccess ||
        (err = ::cudaDeviceGetAttribute(&device_limit,
                                        cudaDevAttrMaxThreadsPerBlock,
                                        device)) != cudaSuccess ||
        (err = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device)) !=
            cudaSuccess ||
        (err = ::cudaFuncGetAttributes(&attributes, (const void *)func)) !=
            cudaSuccess)
        return err;

    int limit = attributes.maxThreadsPerBlock < device_limit
                    ? attributes.maxThreadsPerBlock
                    : device_limit;
    if (blockSizeLimit > 0 && blockSizeLimit < limit)
        limit = blockSizeLimit;
    int best_threads = 0, best_size = 0, best_blocks = 0;
    for (int rounded = (limit + warp - 1) / warp * warp; rounded > 0;
         rounded -= warp) {
        int size = rounded < limit ? rounded : limit, blocks = 0;
        err = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void *)func, size, (size_t)shared(size), flags);
        if (err != cudaSuccess)
            return err;
        if (blocks * size > best_threads) {
            best_threads = blocks * size;
            best_size = size;
            best_blocks = blocks;
        }
        if (best_threads == threads_per_sm)
            break;
    }
    *minGridSize = best_blocks * multiprocessors;
    *blockSize = best_size;
    return cudaSuccess;
}

template <class Shared, class T>
static __inline__ __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize,
                                               T func, Shared shared,
                                               int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, shared, blockSizeLimit,
        cudaOccupancyDefault);
}

struct weft_constant_shared {
    size_t size_bytes;
    size_t operator()(int) const
    {
        return size_bytes;
    }
};

WEFT_TEMPLATE cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, T func, size_t dynamicSMemSize = 0,
    int blockSizeLimit = 0, unsigned int flags = 0)
{
    weft_constant_shared shared = {dynamicSMemSize};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, shared, blockSizeLimit, flags);
}

WEFT_TEMPLATE cudaOccupancyMaxPotentialBlockSize(int *minGridSize,
                                                 int *blockSize, T func,
                                                 size_t dynamicSMemSize = 0,
                                                 int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(
        minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit,
        cudaOccupancyDefault);
}

/* ---- events, graphs ------------------------------------------------------ */

WEFT_API cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

/* The form of CUDA 11 and earlier. */
WEFT_API cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                              cudaGraphNode_t *, char *, size_t)
{
    return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}

WEFT_API cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                             cudaGraphNode_t *hErrorNode_out,
                             enum cudaGraphExecUpdateResult *updateResult_out)
{
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t err = ::cudaGraphExecUpdate(hGraphExec, hGraph, &info);
    if (hErrorNode_out)
        *hErrorNode_out = info.errorNode;
    if (updateResult_out)
        *updateResult_out = info.result;
    return err;
}

#include "runtime_templates_more.h"

#undef WEFT_TEMPLATE
#undef WEFT_API
#undef WEFT_SYMBOL

#endif
