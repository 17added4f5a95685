/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: waiting, queries; events and host functions in stream order. */
#include "driver/internal.h"

CUresult cuStreamSynchronize(CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : stream_synchronize(s);
}

CUresult cuStreamQuery(CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : stream_query(s);
}

CUresult cuStreamGetPriority(CUstream hStream, int *priority)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!priority)
        return CUDA_ERROR_INVALID_VALUE;
    err = capture_refuse_legacy(s);
    if (!err)
        *priority = stream_priority(s);
    return err;
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (!err)
        err = capture_refuse_legacy(s);
    if (err)
        return err;
    if (!pctx)
        return CUDA_ERROR_INVALID_VALUE;
    *pctx = stream_context(s);
    return CUDA_SUCCESS;
}

/* Of a green context's stream, *pCtx is the device's primary context. */
CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx,
                           CUgreenCtx *pGreenCtx)
{
    CUcontext ctx;
    CUresult err = cuStreamGetCtx(hStream, pCtx ? &ctx : NULL);
    if (err)
        return err;
    *pCtx = ctx_home(ctx);
    if (pGreenCtx)
        *pGreenCtx = drv_green_of(ctx);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    err = capture_refuse(s);
    if (!err)
        *flags = stream_flags(s);
    return err;
}

/* ---- events -------------------------------------------------------------- */

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!hEvent)
        return CUDA_ERROR_INVALID_HANDLE;
    if (Flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    return Flags ? stream_wait_event_external(s, hEvent)
                 : stream_wait_event(s, hEvent);
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream,
                                unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!hEvent)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    return flags ? event_record_external(hEvent, s) : event_record(hEvent, s);
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    return cuEventRecordWithFlags(hEvent, hStream, CU_EVENT_RECORD_DEFAULT);
}

/* ---- host functions ------------------------------------------------------ */

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
    CUcontext ctx;
    CUstream s;
    if (!fn) /* found first, even before cuInit */
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    return stream_launch_host(s, fn, userData);
}
