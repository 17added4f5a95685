/* SPDX-License-Identifier: Apache-2.0 */
/* Fills of rows with values of 1, 2 and 4 bytes. */
#include "driver/internal.h"

struct rows {
    CUdeviceptr p;
    size_t pitch, width, height; /* width: of elements */
};

/* pitch 0: rows without gaps. */
static CUresult fill_rows(struct rows r, unsigned value, unsigned element_bytes,
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

/* Four functions for values of one size: of one row or several, and for each
 * one that waits and one that does not. */
#define FILLS(bits, type, bytes)                                               \
    CUresult cuMemsetD##bits(CUdeviceptr dstDevice, type value, size_t N)      \
    {                                                                          \
        return fill_rows((struct rows){dstDevice, 0, N, 1}, value, bytes,      \
                         COPY_SYNC, NULL);                                     \
    }                                                                          \
    CUresult cuMemsetD##bits##Async(CUdeviceptr dstDevice, type value,         \
                                    size_t N, CUstream hStream)                \
    {                                                                          \
        return fill_rows((struct rows){dstDevice, 0, N, 1}, value, bytes,      \
                         COPY_ASYNC, hStream);                                 \
    }                                                                          \
    CUresult cuMemsetD2D##bits(CUdeviceptr dstDevice, size_t dstPitch,         \
                               type value, size_t Width, size_t Height)        \
    {                                                                          \
        return fill_rows((struct rows){dstDevice, dstPitch, Width, Height},    \
                         value, bytes, COPY_SYNC, NULL);                       \
    }                                                                          \
    CUresult cuMemsetD2D##bits##Async(CUdeviceptr dstDevice, size_t dstPitch,  \
                                      type value, size_t Width, size_t Height, \
                                      CUstream hStream)                        \
    {                                                                          \
        return fill_rows((struct rows){dstDevice, dstPitch, Width, Height},    \
                         value, bytes, COPY_ASYNC, hStream);                   \
    }

FILLS(8, unsigned char, 1)
FILLS(16, unsigned short, 2)
FILLS(32, unsigned int, 4)
