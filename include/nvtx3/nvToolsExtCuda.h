/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: names for objects of the driver API; without effect. */
#ifndef WEFT_NVTOOLSEXTCUDA_H
#define WEFT_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

WEFT_NVTX_NAME(nvtxNameCuDevice, CUdevice)
WEFT_NVTX_NAME(nvtxNameCuContext, CUcontext)
WEFT_NVTX_NAME(nvtxNameCuStream, CUstream)
WEFT_NVTX_NAME(nvtxNameCuEvent, CUevent)

#if defined(UNICODE)
#define nvtxNameCuDevice  nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream  nvtxNameCuStreamW
#define nvtxNameCuEvent   nvtxNameCuEventW
#else
#define nvtxNameCuDevice  nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream  nvtxNameCuStreamA
#define nvtxNameCuEvent   nvtxNameCuEventA
#endif

#endif
