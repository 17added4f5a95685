/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and events that processes share. */
#include "runtime/internal.h"

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(CUipcMemHandle) &&
                  sizeof(cudaIpcEventHandle_t) == sizeof(CUipcEventHandle),
              "one layout in both APIs");

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr)
{
    CUcontext ctx;
    cudaError_t err = rt_context_for(handle, &ctx);
    if (!err)
        err = rt_error(ipc_export(ctx, (CUdeviceptr)(uintptr_t)devPtr,
                                  (CUipcMemHandle *)handle));
    return rt_return(err);
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle,
                                 unsigned int flags)
{
    CUcontext ctx;
    CUdeviceptr p;
    cudaError_t err = rt_context_for(devPtr, &ctx);
    if (!err)
        err =
            rt_error(ipc_open(ctx, (const CUipcMemHandle *)&handle, flags, &p));
    if (!err)
        *devPtr = (void *)(uintptr_t)p;
    return rt_return(err);
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(ipc_close(ctx, (CUdeviceptr)(uintptr_t)devPtr));
    return rt_return(err);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle,
                                  cudaEvent_t event)
{
    CUcontext ctx;
    cudaError_t err = rt_context_for(event ? handle : NULL, &ctx);
    if (!err)
        err = rt_error(event_export(event, (CUipcEventHandle *)handle));
    return rt_return(err);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event,
                                   cudaIpcEventHandle_t handle)
{
    CUcontext ctx;
    cudaError_t err = rt_context_for(event, &ctx);
    if (!err)
        err =
            rt_error(event_open(ctx, (const CUipcEventHandle *)&handle, event));
    return rt_return(err);
}
