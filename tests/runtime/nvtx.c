/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX's functions that name objects, by each of their spellings. */
#define UNICODE
#include "nvToolsExtCuda.h"
#include "nvToolsExtCudaRt.h"

#include <stddef.h>

int main(void)
{
    nvtxNameCuDeviceA(0, "device");
    nvtxNameCuContextA(NULL, "context");
    nvtxNameCuStreamA(NULL, "stream");
    nvtxNameCuEventA(NULL, "event");
    nvtxNameCudaDeviceA(0, "device");
    nvtxNameCudaStreamA(NULL, "stream");
    nvtxNameCudaEventA(NULL, "event");
    nvtxNameCuDevice(0, L"device");
    nvtxNameCuContext(NULL, L"context");
    nvtxNameCuStream(NULL, L"stream");
    nvtxNameCuEvent(NULL, L"event");
    nvtxNameCudaDevice(0, L"device");
    nvtxNameCudaStream(NULL, L"stream");
    nvtxNameCudaEvent(NULL, L"event");
    return nvtxRangePush(L"range") != nvtxRangePop();
}
