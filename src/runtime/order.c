/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: waiting, events and host functions in their order, questions. */
#include "runtime/internal.h"

/* ---- waiting ------------------------------------------------------------- */

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(stream_synchronize(s));
    return rt_return(err);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(stream_query(s));
    return rt_return(err);
}

/* ---- events -------------------------------------------------------------- */

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = event ? cudaSuccess : cudaErrorInvalidResourceHandle;
    if (err && !rt_stream(stream, &ctx, &s))
        capture_refuse(s); /* ends a capture, as on a GPU */
    if (!err && (flags & ~(unsigned)cudaEventWaitExternal))
        err = cudaErrorInvalidValue;
    if (!err)
        err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(flags ? stream_wait_event_external(s, event)
                             : stream_wait_event(s, event));
    return rt_return(err);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    if (!event)
        return rt_return(cudaErrorInvalidResourceHandle);
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(flags ? event_record_external(event, s)
                             : event_record(event, s));
    return rt_return(err);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return rt_forward(
        cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
}

/* ---- host functions ------------------------------------------------------ */

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    if (!callback || flags != 0)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err) /* both APIs number streams and errors alike */
        err = rt_error(stream_add_callback(
            s, stream, (CUstreamCallback)(void *)callback, userData));
    return rt_return(err);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData)
{
    CUcontext ctx;
    CUstream s;
    if (!fn)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(stream_launch_host(s, fn, userData));
    return rt_return(err);
}

/* ---- questions ----------------------------------------------------------- */

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    CUcontext ctx;
    CUstream s;
    if (!flags)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err)
        err = rt_error(capture_refuse(s));
    if (!err)
        *flags = stream_flags(s);
    return rt_return(err);
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    CUcontext ctx;
    CUstream s;
    if (!priority)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err)
        err = rt_error(capture_refuse_legacy(s));
    if (!err)
        *priority = stream_priority(s);
    return rt_return(err);
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
    CUcontext ctx;
    CUstream s;
    if (!device)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err)
        err = rt_error(capture_refuse(s));
    if (!err)
        *device = ctx_device(stream_context(s));
    return rt_return(err);
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    CUcontext ctx;
    CUstream s;
    if (!streamId)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err)
        err = rt_error(capture_refuse(s));
    if (!err)
        *streamId = stream_id(s);
    return rt_return(err);
}

/* ---- attributes ----------------------------------------------------------
 * The values have the driver API's layout. */

cudaError_t cudaStreamGetAttribute(cudaStream_t hStream,
                                   cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value_out)
{
    static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUstreamAttrValue),
                  "one layout in both APIs");
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err)
        err = rt_error(stream_attribute_get(s, (CUstreamAttrID)attr,
                                            (CUstreamAttrValue *)value_out));
    return rt_return(err);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream,
                                   cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(hStream, &ctx, &s);
    if (!err)
        err = rt_error(stream_attribute_set(s, (CUstreamAttrID)attr,
                                            (const CUstreamAttrValue *)value));
    return rt_return(err);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    CUcontext ctx;
    CUstream to, from;
    cudaError_t err = rt_stream(dst, &ctx, &to);
    if (!err)
        err = rt_stream(src, &ctx, &from);
    if (!err)
        err = rt_error(stream_attributes_copy(to, from));
    return rt_return(err);
}
