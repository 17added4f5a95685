/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of rows, and fills. The host waits for a synchronous one unless
 * both sides are the device's (Driver API, "API synchronization behavior"),
 * and for an asynchronous one if pageable host memory takes part.
 */
#include "driver/internal.h"

enum manner { SYNCHRONOUS, ASYNCHRONOUS };
enum side { HOST, DEVICE, EITHER };

struct row {
    void *to;
    const void *from;
    size_t size_bytes;
    enum side to_side, from_side;
};

static bool is_good_side(const void *p, size_t size_bytes, enum side side)
{
    if (!p)
        return false;
    return side != DEVICE ||
           drv_is_device_range((CUdeviceptr)(uintptr_t)p, size_bytes);
}

static bool is_device_memory(const void *p)
{
    enum mem_kind kind = mem_query(p).kind;
    return kind == MEM_DEVICE || kind == MEM_MODULE;
}

/* Both sides are good. */
static CUresult copy_rows(const struct mem_copy *c, enum manner manner,
                          CUstream s)
{
    bool from_pageable = mem_query(c->source).kind == MEM_UNKNOWN;
    bool to_pageable = mem_query(c->destination).kind == MEM_UNKNOWN;
    if (manner == ASYNCHRONOUS && from_pageable && !to_pageable)
        return mem_copy_staged(s, c);
    bool wait = manner == ASYNCHRONOUS ? from_pageable || to_pageable
                                       : !is_device_memory(c->source) ||
                                             !is_device_memory(c->destination);
    return mem_copy(s, c, wait);
}

static CUresult copy(struct row r, enum manner manner, CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(handle, &ctx, &s);
    if (err || !r.size_bytes)
        return err;
    if (!is_good_side(r.to, r.size_bytes, r.to_side) ||
        !is_good_side(r.from, r.size_bytes, r.from_side))
        return CUDA_ERROR_INVALID_VALUE;
    const struct mem_copy c = {.source = r.from,
                               .destination = r.to,
                               .width_bytes = r.size_bytes,
                               .height = 1,
                               .depth = 1};
    return copy_rows(&c, manner, s);
}

static void *address(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

/* ---- copies -------------------------------------------------------------- */

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    return copy(
        (struct row){address(dst), address(src), ByteCount, EITHER, EITHER},
        SYNCHRONOUS, NULL);
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost,
                      size_t ByteCount)
{
    return copy(
        (struct row){address(dstDevice), srcHost, ByteCount, DEVICE, HOST},
        SYNCHRONOUS, NULL);
}

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    return copy(
        (struct row){dstHost, address(srcDevice), ByteCount, HOST, DEVICE},
        SYNCHRONOUS, NULL);
}

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                      size_t ByteCount)
{
    return copy((struct row){address(dstDevice), address(srcDevice), ByteCount,
                             DEVICE, DEVICE},
                SYNCHRONOUS, NULL);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                       CUstream hStream)
{
    return copy(
        (struct row){address(dst), address(src), ByteCount, EITHER, EITHER},
        ASYNCHRONOUS, hStream);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost,
                           size_t ByteCount, CUstream hStream)
{
    return copy(
        (struct row){address(dstDevice), srcHost, ByteCount, DEVICE, HOST},
        ASYNCHRONOUS, hStream);
}

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice,
                           size_t ByteCount, CUstream hStream)
{
    return copy(
        (struct row){dstHost, address(srcDevice), ByteCount, HOST, DEVICE},
        ASYNCHRONOUS, hStream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                           size_t ByteCount, CUstream hStream)
{
    return copy((struct row){address(dstDevice), address(srcDevice), ByteCount,
                             DEVICE, DEVICE},
                ASYNCHRONOUS, hStream);
}

/* ---- copies of several rows ---------------------------------------------- */

/* One side of a CUDA_MEMCPY2D. */
struct plane {
    CUmemorytype type;
    void *host;
    CUdeviceptr device;
    size_t x_bytes, y, pitch;
};

/* Where the first row starts. An array is no place in memory. */
static CUresult find_plane(struct plane *p, size_t width_bytes, size_t height,
                           void **out)
{
    size_t last, offset;
    enum side side = EITHER;
    void *start = address(p->device);
    switch (p->type) {
    case CU_MEMORYTYPE_HOST:
        start = p->host;
        side = HOST;
        break;
    case CU_MEMORYTYPE_DEVICE:
        side = DEVICE;
        break;
    case CU_MEMORYTYPE_UNIFIED:
        break;
    case CU_MEMORYTYPE_ARRAY:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!p->pitch)
        p->pitch = p->x_bytes + width_bytes;
    if (p->pitch < p->x_bytes + width_bytes ||
        __builtin_mul_overflow(p->y, p->pitch, &offset) ||
        __builtin_mul_overflow(height - 1, p->pitch, &last) || !start)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (char *)start + offset + p->x_bytes;
    return is_good_side(*out, last + width_bytes, side)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static CUresult copy_2d(const CUDA_MEMCPY2D *c, enum manner manner,
                        CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    void *from, *to;
    CUresult err = drv_stream(handle, &ctx, &s);
    if (err)
        return err;
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    if (!c->WidthInBytes || !c->Height)
        return CUDA_SUCCESS;
    struct plane source = {c->srcMemoryType, (void *)c->srcHost,
                           c->srcDevice,     c->srcXInBytes,
                           c->srcY,          c->srcPitch};
    struct plane destination = {c->dstMemoryType, c->dstHost, c->dstDevice,
                                c->dstXInBytes,   c->dstY,    c->dstPitch};
    err = find_plane(&source, c->WidthInBytes, c->Height, &from);
    if (!err)
        err = find_plane(&destination, c->WidthInBytes, c->Height, &to);
    if (err)
        return err;
    const struct mem_copy rows = {.source = from,
                                  .destination = to,
                                  .source_pitch = source.pitch,
                                  .destination_pitch = destination.pitch,
                                  .width_bytes = c->WidthInBytes,
                                  .height = c->Height,
                                  .depth = 1};
    return copy_rows(&rows, manner, s);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
    return copy_2d(pCopy, SYNCHRONOUS, NULL);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
    return copy_2d(pCopy, SYNCHRONOUS, NULL);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
    return copy_2d(pCopy, ASYNCHRONOUS, hStream);
}

/* ---- fills --------------------------------------------------------------- */

static CUresult fill(CUdeviceptr p, unsigned value, unsigned element_bytes,
                     size_t count, enum manner manner, CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    size_t size_bytes;
    CUresult err = drv_stream(handle, &ctx, &s);
    if (err || !count)
        return err;
    if (__builtin_mul_overflow(count, element_bytes, &size_bytes) ||
        p % element_bytes || !drv_is_device_range(p, size_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    bool wait = manner == SYNCHRONOUS && !is_device_memory(address(p));
    return mem_set(s, p, size_bytes, value, element_bytes, count, 1, size_bytes,
                   1, wait);
}

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
    return fill(dstDevice, uc, 1, N, SYNCHRONOUS, NULL);
}

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
    return fill(dstDevice, us, 2, N, SYNCHRONOUS, NULL);
}

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
    return fill(dstDevice, ui, 4, N, SYNCHRONOUS, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                         CUstream hStream)
{
    return fill(dstDevice, uc, 1, N, ASYNCHRONOUS, hStream);
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                          CUstream hStream)
{
    return fill(dstDevice, us, 2, N, ASYNCHRONOUS, hStream);
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                          CUstream hStream)
{
    return fill(dstDevice, ui, 4, N, ASYNCHRONOUS, hStream);
}
