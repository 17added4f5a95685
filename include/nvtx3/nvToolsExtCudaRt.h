/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: names for objects of the runtime API; without effect. */
#ifndef WEFT_NVTOOLSEXTCUDART_H
#define WEFT_NVTOOLSEXTCUDART_H

#include "cuda_runtime_api.h"
#include "nvtx3/nvToolsExt.h"

WEFT_NVTX_NAME(nvtxNameCudaDevice, int)
WEFT_NVTX_NAME(nvtxNameCudaStream, cudaStream_t)
WEFT_NVTX_NAME(nvtxNameCudaEvent, cudaEvent_t)

#if defined(UNICODE)
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent  nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA
#endif

#endif
