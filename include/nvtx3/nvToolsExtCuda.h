/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: names for objects of the driver API; without effect. */
#ifndef WEFT_NVTOOLSEXTCUDA_H
#define WEFT_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

static __inline__ __attribute__((unused)) void
nvtxNameCuDeviceA(CUdevice device, const char *name)
{
    (void)device, (void)name;
}
static __inline__ __attribute__((unused)) void
nvtxNameCuContextA(CUcontext context, const char *name)
{
    (void)context, (void)name;
}
static __inline__ __attribute__((unused)) void
nvtxNameCuStreamA(CUstream stream, const char *name)
{
    (void)stream, (void)name;
}
static __inline__ __attribute__((unused)) void
nvtxNameCuEventA(CUevent event, const char *name)
{
    (void)event, (void)name;
}
#define nvtxNameCuDevice  nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream  nvtxNameCuStreamA
#define nvtxNameCuEvent   nvtxNameCuEventA

#endif
