/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events: creating and destroying them; waiting for an event. */
#include "driver/internal.h"

/* ---- streams ------------------------------------------------------------- */

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags,
                                    int priority)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!phStream || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING))
        return CUDA_ERROR_INVALID_VALUE;
    return stream_create(ctx, flags, priority, phStream);
}

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    return cuStreamCreateWithPriority(phStream, Flags, 0);
}

/* The default streams cannot be destroyed. */
CUresult cuStreamDestroy(CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_context_anywhere(&ctx);
    if (err)
        return err;
    if (!hStream || hStream == CU_STREAM_LEGACY ||
        hStream == CU_STREAM_PER_THREAD)
        return CUDA_ERROR_INVALID_HANDLE;
    err = stream_resolve(ctx, hStream, &s);
    return err ? err : stream_destroy(s);
}

/* ---- events -------------------------------------------------------------- */

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return phEvent ? event_create(ctx, Flags, phEvent)
                   : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventDestroy(CUevent hEvent)
{
    CUcontext ctx;
    CUresult err = drv_context_anywhere(&ctx);
    return err ? err : event_destroy(hEvent);
}

CUresult cuEventQuery(CUevent hEvent)
{
    CUresult err = drv_check_handle(hEvent);
    return err ? err : event_query(hEvent);
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    CUresult err = drv_check_handle(hEvent);
    return err ? err : event_synchronize(hEvent);
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    CUresult err = drv_check_handle(hStart);
    if (!err)
        err = drv_check_handle(hEnd);
    if (err)
        return err;
    float ms;
    err = event_elapsed(&ms, hStart, hEnd);
    if (err)
        return err;
    if (!pMilliseconds)
        return CUDA_ERROR_INVALID_VALUE;
    *pMilliseconds = ms;
    return CUDA_SUCCESS;
}

/* Since CUDA 12.8, a more precise form; ours is as precise anyway. */
CUresult cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart,
                               CUevent hEnd)
{
    return cuEventElapsedTime(pMilliseconds, hStart, hEnd);
}
