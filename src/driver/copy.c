/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of one row, and fills. The host waits for a synchronous one unless
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
    bool from_pageable = mem_query(r.from).kind == MEM_UNKNOWN;
    bool to_pageable = mem_query(r.to).kind == MEM_UNKNOWN;
    if (manner == ASYNCHRONOUS && from_pageable && !to_pageable)
        return mem_copy_staged(s, &c);
    bool wait = manner == ASYNCHRONOUS
                    ? from_pageable || to_pageable
                    : !is_device_memory(r.from) || !is_device_memory(r.to);
    return mem_copy(s, &c, wait);
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
