/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events: creating and destroying them; waiting for an event. */
#include "runtime/internal.h"

/* ---- streams ------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream,
                                         unsigned int flags, int priority)
{
    CUcontext ctx;
    if (!pStream || (flags & ~(unsigned)cudaStreamNonBlocking))
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(stream_create(ctx, flags, priority, pStream));
    return rt_return(err);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    return rt_forward(cudaStreamCreateWithPriority(pStream, flags, 0));
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return rt_forward(
        cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0));
}

/* The default streams cannot be destroyed. */
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return rt_return(cudaErrorInvalidResourceHandle);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(stream_resolve(ctx, stream, &s));
    if (!err)
        err = rt_error(stream_destroy(s));
    return rt_return(err);
}

/* ---- events -------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    CUcontext ctx;
    if (!event)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(event_create(ctx, flags, event));
    return rt_return(err);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return rt_forward(cudaEventCreateWithFlags(event, cudaEventDefault));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    CUcontext ctx;
    if (!event) /* also if a kernel has failed */
        return rt_return(cudaErrorInvalidResourceHandle);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(event_destroy(event));
    return rt_return(err);
}

/* An event knows its context, so a stream's host function may ask about it. */
static cudaError_t check_event_call(void)
{
    CUcontext ctx;
    return ctx_is_in_host_function() ? rt_sticky() : rt_context(&ctx);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t err = check_event_call();
    if (!err)
        err = rt_error(event_query(event));
    return rt_return(err);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t err = check_event_call();
    if (!err)
        err = rt_error(event_synchronize(event));
    return rt_return(err);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    CUcontext ctx;
    if (!ms)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(event_elapsed(ms, start, end));
    return rt_return(err);
}

/* CUDA 12.8's more precise form. The older one is as precise here. */
cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start,
                                    cudaEvent_t end)
{
    return rt_forward(cudaEventElapsedTime(ms, start, end));
}
