/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of pointers to functions of the driver API, for cuGetProcAddress: of
 * those that programs ask for, with the CUDA version that brought the form.
 */
#ifndef WEFT_CUDATYPEDEFS_H
#define WEFT_CUDATYPEDEFS_H
/* Programs ask for this name to know whether the header was included. */
#define CUDATYPEDEFS_H

#include "cuda.h"

#define WEFT_PFN(name, version)                                                \
    typedef __typeof__(&name) PFN_##name;                                      \
    typedef __typeof__(&name) PFN_##name##_v##version;
WEFT_PFN(cuGetErrorString, 6000)
WEFT_PFN(cuGetErrorName, 6000)
WEFT_PFN(cuInit, 2000)
WEFT_PFN(cuDriverGetVersion, 2020)
WEFT_PFN(cuGetProcAddress, 12000)
WEFT_PFN(cuDeviceGet, 2000)
WEFT_PFN(cuDeviceGetCount, 2000)
WEFT_PFN(cuDeviceGetName, 2000)
WEFT_PFN(cuDeviceGetAttribute, 2000)
WEFT_PFN(cuDeviceTotalMem, 3020)
WEFT_PFN(cuDevicePrimaryCtxRetain, 7000)
WEFT_PFN(cuDevicePrimaryCtxRelease, 11000)
WEFT_PFN(cuCtxDestroy, 4000)
WEFT_PFN(cuCtxGetCurrent, 4000)
WEFT_PFN(cuCtxSetCurrent, 4000)
WEFT_PFN(cuCtxPushCurrent, 4000)
WEFT_PFN(cuCtxPopCurrent, 4000)
WEFT_PFN(cuCtxGetDevice, 2000)
WEFT_PFN(cuCtxSynchronize, 2000)
WEFT_PFN(cuModuleLoad, 2000)
WEFT_PFN(cuModuleLoadData, 2000)
WEFT_PFN(cuModuleLoadDataEx, 2010)
WEFT_PFN(cuModuleLoadFatBinary, 2000)
WEFT_PFN(cuModuleUnload, 2000)
WEFT_PFN(cuModuleGetFunction, 2000)
WEFT_PFN(cuModuleGetGlobal, 3020)
WEFT_PFN(cuLinkCreate, 6050)
WEFT_PFN(cuLinkAddData, 6050)
WEFT_PFN(cuLinkAddFile, 6050)
WEFT_PFN(cuLinkComplete, 5050)
WEFT_PFN(cuLinkDestroy, 5050)
WEFT_PFN(cuMemGetInfo, 3020)
WEFT_PFN(cuMemAlloc, 3020)
WEFT_PFN(cuMemAllocManaged, 6000)
WEFT_PFN(cuMemFree, 3020)
WEFT_PFN(cuMemAllocHost, 3020)
WEFT_PFN(cuMemFreeHost, 2000)
WEFT_PFN(cuMemcpyHtoD, 3020)
WEFT_PFN(cuMemcpyDtoH, 3020)
WEFT_PFN(cuMemcpyDtoD, 3020)
WEFT_PFN(cuMemcpyHtoDAsync, 3020)
WEFT_PFN(cuMemcpyDtoHAsync, 3020)
WEFT_PFN(cuMemsetD8, 3020)
WEFT_PFN(cuMemsetD32, 3020)
WEFT_PFN(cuPointerGetAttribute, 4000)
WEFT_PFN(cuStreamCreate, 2000)
WEFT_PFN(cuStreamDestroy, 4000)
WEFT_PFN(cuStreamSynchronize, 2000)
WEFT_PFN(cuEventCreate, 2000)
WEFT_PFN(cuEventRecord, 2000)
WEFT_PFN(cuEventSynchronize, 2000)
WEFT_PFN(cuEventDestroy, 4000)
WEFT_PFN(cuEventElapsedTime, 2000)
WEFT_PFN(cuFuncGetAttribute, 2020)
WEFT_PFN(cuFuncSetAttribute, 9000)
WEFT_PFN(cuLaunchKernel, 4000)
WEFT_PFN(cuLaunchKernelEx, 11060)
WEFT_PFN(cuLaunchCooperativeKernel, 9000)
WEFT_PFN(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050)
WEFT_PFN(cuTensorMapEncodeTiled, 12000)
WEFT_PFN(cuTensorMapEncodeIm2col, 12000)
WEFT_PFN(cuTensorMapReplaceAddress, 12000)
WEFT_PFN(cuMemCreate, 10020)
WEFT_PFN(cuMemRelease, 10020)
WEFT_PFN(cuMemMap, 10020)
WEFT_PFN(cuMemUnmap, 10020)
WEFT_PFN(cuMemAddressReserve, 10020)
WEFT_PFN(cuMemAddressFree, 10020)
WEFT_PFN(cuMemSetAccess, 10020)
WEFT_PFN(cuMemGetAllocationGranularity, 10020)
#undef WEFT_PFN

#endif
