/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and events that processes share. */
#include "driver/internal.h"

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return pHandle ? ipc_export(ctx, dptr, pHandle) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle,
                            unsigned int Flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return pdptr ? ipc_open(ctx, &handle, Flags, pdptr)
                 : CUDA_ERROR_INVALID_VALUE;
}

/* An old form with the same meaning. */
#undef cuIpcOpenMemHandle
CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle,
                            unsigned int Flags);
CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle,
                            unsigned int Flags)
{
    return cuIpcOpenMemHandle_v2(pdptr, handle, Flags);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    return err ? err : ipc_close(ctx, dptr);
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return pHandle && event ? event_export(event, pHandle)
                            : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return phEvent ? event_open(ctx, &handle, phEvent)
                   : CUDA_ERROR_INVALID_VALUE;
}
