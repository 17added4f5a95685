/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime functions that kernels may call. CUDA C++ programming guide,
 * "CUDA Dynamic Parallelism", "API Reference". A launch in a kernel becomes
 * cudaGetParameterBuffer and cudaLaunchDevice.
 *
 * Units and errors are as cuda_runtime_api.h says; the last error is the
 * calling thread's. What a kernel makes belongs to its grid and ends with it.
 */
#ifndef WEFT_CUDA_DEVICE_RUNTIME_API_H
#define WEFT_CUDA_DEVICE_RUNTIME_API_H
/* Programs ask for this name to know whether the header was included. */
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"
#include "host_defines.h"

#if defined(__CUDA__) && defined(__cplusplus)

#include "vector_types.h"

/* Streams for launches in kernels: a child beside the launching grid, and one
 * that begins when that grid has ended. */
#define cudaStreamGraphTailLaunch             ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget          ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)
#define cudaStreamTailLaunch                  ((cudaStream_t)0x3)
#define cudaStreamFireAndForget               ((cudaStream_t)0x4)

#define WEFT_API __device__ __attribute__((nothrow)) cudaError_t CUDARTAPI

extern "C" {

WEFT_API cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr,
                                int device);
WEFT_API cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit);
WEFT_API cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig);
WEFT_API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig);
WEFT_API cudaDeviceSynchronize(void);
WEFT_API __cudaDeviceSynchronizeDeprecationAvoidance(void);
WEFT_API cudaGetLastError(void);
WEFT_API cudaPeekAtLastError(void);
__device__ const char *CUDARTAPI cudaGetErrorString(cudaError_t error);
__device__ const char *CUDARTAPI cudaGetErrorName(cudaError_t error);
WEFT_API cudaGetDeviceCount(int *count);
WEFT_API cudaGetDevice(int *device);
WEFT_API cudaRuntimeGetVersion(int *runtimeVersion);

WEFT_API cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags);
WEFT_API cudaStreamDestroy(cudaStream_t stream);
WEFT_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                             unsigned int flags = 0);
WEFT_API cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
WEFT_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
WEFT_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0,
                                  unsigned int flags = 0);
WEFT_API cudaEventDestroy(cudaEvent_t event);

WEFT_API cudaMalloc(void **devPtr, size_t size);
WEFT_API cudaFree(void *devPtr);
WEFT_API cudaMemcpyAsync(void *dst, const void *src, size_t count,
                         enum cudaMemcpyKind kind, cudaStream_t stream = 0);
WEFT_API cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                           size_t spitch, size_t width, size_t height,
                           enum cudaMemcpyKind kind, cudaStream_t stream = 0);
WEFT_API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                           cudaStream_t stream = 0);
WEFT_API cudaMemsetAsync(void *devPtr, int value, size_t count,
                         cudaStream_t stream = 0);
WEFT_API cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width,
                           size_t height, cudaStream_t stream = 0);
WEFT_API cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                           struct cudaExtent extent, cudaStream_t stream = 0);

WEFT_API cudaFuncGetAttributes(struct cudaFuncAttributes *attr,
                               const void *func);
WEFT_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                       const void *func,
                                                       int blockSize,
                                                       size_t dynamicSmemSize);
WEFT_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSmemSize,
    unsigned int flags);

__device__ void *CUDARTAPI cudaGetParameterBuffer(size_t alignment,
                                                  size_t size);
__device__ void *CUDARTAPI cudaGetParameterBufferV2(void *func,
                                                    dim3 gridDimension,
                                                    dim3 blockDimension,
                                                    unsigned int sharedMemSize);
WEFT_API cudaLaunchDevice(void *func, void *parameterBuffer, dim3 gridDimension,
                          dim3 blockDimension, unsigned int sharedMemSize,
                          cudaStream_t stream);
WEFT_API cudaLaunchDeviceV2(void *parameterBuffer, cudaStream_t stream);

WEFT_API cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);
__device__ cudaGraphExec_t CUDARTAPI cudaGetCurrentGraphExec(void);
__device__ void CUDARTAPI
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
WEFT_API cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                     const void *value, size_t size);
WEFT_API cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node, bool enable);
WEFT_API cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node,
                                       dim3 gridDim);
WEFT_API
cudaGraphKernelNodeUpdatesApply(const struct cudaGraphKernelNodeUpdate *updates,
                                size_t updateCount);

} /* extern "C" */

template <typename T>
static __inline__ __device__ cudaError_t cudaMalloc(T **devPtr, size_t size)
{
    return ::cudaMalloc((void **)(void *)devPtr, size);
}
template <typename T>
static __inline__ __device__ cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *attr, T *entry)
{
    return ::cudaFuncGetAttributes(attr, (const void *)entry);
}
template <typename T>
static __inline__ __device__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                              int blockSize,
                                              size_t dynamicSmemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        numBlocks, (const void *)func, blockSize, dynamicSmemSize);
}
template <typename T>
static __inline__ __device__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func,
                                                       int blockSize,
                                                       size_t dynamicSmemSize,
                                                       unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, (const void *)func, blockSize, dynamicSmemSize, flags);
}

template <typename T>
static __inline__ __device__ cudaError_t cudaGraphKernelNodeSetParam(
    cudaGraphDeviceNode_t node, size_t offset, const T &value)
{
    return ::cudaGraphKernelNodeSetParam(node, offset, (const void *)&value,
                                         sizeof(T));
}

/* Programmatic dependent launch: a grid that overlaps with the one before it
 * in the stream. */
static __inline__ __device__ void cudaGridDependencySynchronize(void)
{
    __asm__ volatile("griddepcontrol.wait;" ::: "memory");
}
static __inline__ __device__ void cudaTriggerProgrammaticLaunchCompletion(void)
{
    __asm__ volatile("griddepcontrol.launch_dependents;" :::);
}

#undef WEFT_API

#endif
#endif
