/* SPDX-License-Identifier: Apache-2.0 */
/* Fills of rows with values of 1, 2 and 4 bytes. */
#include "driver/internal.h"

struct rows {
    CUdeviceptr p;
    size_t pitch, width, height; /* width: of elements */
};

/* Without a pitch there are no gaps. */
static CUresult fill(struct rows r, unsigned value, unsigned element_bytes,
                     enum copy_manner manner, CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    size_t width_bytes;
    CUresult err = drv_stream(handle, &ctx, &s);
    if (err || !r.width || !r.height)
        return err;
    if (__builtin_mul_overflow(r.width, element_bytes, &width_bytes) ||
        r.p % element_bytes || r.pitch % element_bytes ||
        (r.height > 1 && r.pitch < width_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    const struct mem_copy where = {
        .destination = (void *)(uintptr_t)r.p,
        .destination_pitch = r.pitch,
        .width_bytes = width_bytes,
        .height = r.height,
        .depth = 1,
    };
    return fill_run(s, &where, value, element_bytes, manner);
}

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
    return fill((struct rows){dstDevice, 0, N, 1}, uc, 1, COPY_SYNC, NULL);
}

CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                      size_t Width, size_t Height)
{
    return fill((struct rows){dstDevice, dstPitch, Width, Height}, uc, 1,
                COPY_SYNC, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                         CUstream hStream)
{
    return fill((struct rows){dstDevice, 0, N, 1}, uc, 1, COPY_ASYNC, hStream);
}

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch,
                           unsigned char uc, size_t Width, size_t Height,
                           CUstream hStream)
{
    return fill((struct rows){dstDevice, dstPitch, Width, Height}, uc, 1,
                COPY_ASYNC, hStream);
}

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
    return fill((struct rows){dstDevice, 0, N, 1}, us, 2, COPY_SYNC, NULL);
}

CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch,
                       unsigned short us, size_t Width, size_t Height)
{
    return fill((struct rows){dstDevice, dstPitch, Width, Height}, us, 2,
                COPY_SYNC, NULL);
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                          CUstream hStream)
{
    return fill((struct rows){dstDevice, 0, N, 1}, us, 2, COPY_ASYNC, hStream);
}

CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch,
                            unsigned short us, size_t Width, size_t Height,
                            CUstream hStream)
{
    return fill((struct rows){dstDevice, dstPitch, Width, Height}, us, 2,
                COPY_ASYNC, hStream);
}

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
    return fill((struct rows){dstDevice, 0, N, 1}, ui, 4, COPY_SYNC, NULL);
}

CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                       size_t Width, size_t Height)
{
    return fill((struct rows){dstDevice, dstPitch, Width, Height}, ui, 4,
                COPY_SYNC, NULL);
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                          CUstream hStream)
{
    return fill((struct rows){dstDevice, 0, N, 1}, ui, 4, COPY_ASYNC, hStream);
}

CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch,
                            unsigned int ui, size_t Width, size_t Height,
                            CUstream hStream)
{
    return fill((struct rows){dstDevice, dstPitch, Width, Height}, ui, 4,
                COPY_ASYNC, hStream);
}
