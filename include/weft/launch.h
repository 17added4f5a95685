/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a compiler's output calls: registration of the device code in an
 * object file, and the launch configuration between <<< and >>>.
 */
#ifndef WEFT_LAUNCH_H
#define WEFT_LAUNCH_H

#include "../builtin_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* In a CUDA compilation weft/device_system.h declares it, earlier. */
#if !defined(__CUDA__)
unsigned CUDARTAPI __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                               size_t sharedMem __dv(0),
                                               void *stream __dv(0));
#endif
cudaError_t CUDARTAPI __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim,
                                                 size_t *sharedMem,
                                                 void *stream);

void **CUDARTAPI __cudaRegisterFatBinary(void *fatCubin);
void CUDARTAPI __cudaRegisterFatBinaryEnd(void **fatCubinHandle);
void CUDARTAPI __cudaUnregisterFatBinary(void **fatCubinHandle);
void CUDARTAPI __cudaRegisterFunction(void **fatCubinHandle,
                                      const char *hostFun, char *deviceFun,
                                      const char *deviceName, int thread_limit,
                                      uint3 *tid, uint3 *bid, dim3 *bDim,
                                      dim3 *gDim, int *wSize);
void CUDARTAPI __cudaRegisterVar(void **fatCubinHandle, char *hostVar,
                                 char *deviceAddress, const char *deviceName,
                                 int ext, size_t size, int constant,
                                 int global);
void CUDARTAPI __cudaRegisterManagedVar(void **fatCubinHandle,
                                        void **hostVarPtrAddress,
                                        char *deviceAddress,
                                        const char *deviceName, int ext,
                                        size_t size, int constant, int global);
void CUDARTAPI __cudaRegisterTexture(void **fatCubinHandle,
                                     const struct textureReference *hostVar,
                                     const void **deviceAddress,
                                     const char *deviceName, int dim, int norm,
                                     int ext);
void CUDARTAPI __cudaRegisterSurface(void **fatCubinHandle,
                                     const struct surfaceReference *hostVar,
                                     const void **deviceAddress,
                                     const char *deviceName, int dim, int ext);
char CUDARTAPI __cudaInitModule(void **fatCubinHandle);

/* What launches are in object files of nvcc 12.8 and later. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __cudaLaunchKernel __cudaLaunchKernel_ptsz
#endif
cudaError_t CUDARTAPI __cudaGetKernel(cudaKernel_t *kernel, const void *func);
cudaError_t CUDARTAPI __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim,
                                         dim3 blockDim, void **args,
                                         size_t sharedMem, cudaStream_t stream);

#if defined(__cplusplus)
}
#endif

#endif
