/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: names for objects of the runtime API; without effect. */
#ifndef WEFT_NVTOOLSEXTCUDART_H
#define WEFT_NVTOOLSEXTCUDART_H

#include "cuda_runtime_api.h"
#include "nvtx3/nvToolsExt.h"

static __inline__ __attribute__((unused)) void
nvtxNameCudaDeviceA(int device, const char *name)
{
    (void)device, (void)name;
}
static __inline__ __attribute__((unused)) void
nvtxNameCudaStreamA(cudaStream_t stream, const char *name)
{
    (void)stream, (void)name;
}
static __inline__ __attribute__((unused)) void
nvtxNameCudaEventA(cudaEvent_t event, const char *name)
{
    (void)event, (void)name;
}
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA

#endif
