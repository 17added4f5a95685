/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: ids, devices, attributes, callbacks. */
#include "driver/internal.h"

#include <stdlib.h>

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
    if (!err)
        stream_attributes_copy(to, from);
    return err;
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

struct callback {
    CUstreamCallback fn;
    CUstream stream; /* the handle that the program passed */
    void *data;
    CUcontext ctx;
};

/* Unlike a host function, it is called even if the context has failed. */
static void call_program(void *data)
{
    const struct callback *c = data;
    c->fn(c->stream, ctx_sticky(c->ctx), c->data);
}

static void run_callback(void *data)
{
    ctx_call_host_function(call_program, data);
    free(data);
}

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
    struct callback *c = malloc(sizeof *c);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *c = (struct callback){callback, hStream, userData, stream_context(s)};
    err = stream_add_callback(s, run_callback, c);
    if (err)
        free(c);
    return err;
}
