/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: ids, devices, attributes, callbacks. */
#include "driver/internal.h"

CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!streamId)
        return CUDA_ERROR_INVALID_VALUE;
    err = capture_refuse(s);
    if (!err)
        *streamId = stream_id(s);
    return err;
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    err = capture_refuse(s);
    if (!err)
        *device = ctx_device(stream_context(s));
    return err;
}

/* ---- attributes ---------------------------------------------------------- */

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)
{
    CUcontext ctx;
    CUstream to, from;
    CUresult err = drv_stream(dst, &ctx, &to);
    if (!err)
        err = drv_stream(src, &ctx, &from);
    return err ? err : stream_attributes_copy(to, from);
}

CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
                              CUstreamAttrValue *value_out)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : stream_attribute_get(s, attr, value_out);
}

CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
                              const CUstreamAttrValue *value)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : stream_attribute_set(s, attr, value);
}

/* ---- callbacks ----------------------------------------------------------- */

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback,
                             void *userData, unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!callback || flags)
        return CUDA_ERROR_INVALID_VALUE;
    return stream_add_callback(s, hStream, callback, userData);
}
