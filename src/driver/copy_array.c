/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of bytes between memory and the first row of an array. Other rows are
 * reached by the functions that take a structure (copy_box.c).
 */
#include "driver/internal.h"

/* A copy of one row, without its two sides. */
static CUDA_MEMCPY3D row_copy(size_t size_bytes)
{
    return (CUDA_MEMCPY3D){.WidthInBytes = size_bytes, .Height = 1, .Depth = 1};
}

static void from_array(CUDA_MEMCPY3D *c, CUarray array, size_t offset)
{
    c->srcMemoryType = CU_MEMORYTYPE_ARRAY;
    c->srcArray = array;
    c->srcXInBytes = offset;
}

static void to_array(CUDA_MEMCPY3D *c, CUarray array, size_t offset)
{
    c->dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c->dstArray = array;
    c->dstXInBytes = offset;
}

CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
                      size_t ByteCount)
{
    CUDA_MEMCPY3D c = row_copy(ByteCount);
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = srcDevice;
    to_array(&c, dstArray, dstOffset);
    return drv_copy_box(&c, COPY_SYNC, NULL);
}

CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount)
{
    CUDA_MEMCPY3D c = row_copy(ByteCount);
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = dstDevice;
    from_array(&c, srcArray, srcOffset);
    return drv_copy_box(&c, COPY_SYNC, NULL);
}

static CUresult copy_to_array(CUarray array, size_t offset, const void *host,
                              size_t size_bytes, enum copy_manner manner,
                              CUstream handle)
{
    CUDA_MEMCPY3D c = row_copy(size_bytes);
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = host;
    to_array(&c, array, offset);
    return drv_copy_box(&c, manner, handle);
}

CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost,
                      size_t ByteCount)
{
    return copy_to_array(dstArray, dstOffset, srcHost, ByteCount, COPY_SYNC,
                         NULL);
}

CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset,
                           const void *srcHost, size_t ByteCount,
                           CUstream hStream)
{
    return copy_to_array(dstArray, dstOffset, srcHost, ByteCount, COPY_ASYNC,
                         hStream);
}

static CUresult copy_from_array(void *host, CUarray array, size_t offset,
                                size_t size_bytes, enum copy_manner manner,
                                CUstream handle)
{
    CUDA_MEMCPY3D c = row_copy(size_bytes);
    c.dstMemoryType = CU_MEMORYTYPE_HOST;
    c.dstHost = host;
    from_array(&c, array, offset);
    return drv_copy_box(&c, manner, handle);
}

CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount)
{
    return copy_from_array(dstHost, srcArray, srcOffset, ByteCount, COPY_SYNC,
                           NULL);
}

CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset,
                           size_t ByteCount, CUstream hStream)
{
    return copy_from_array(dstHost, srcArray, srcOffset, ByteCount, COPY_ASYNC,
                           hStream);
}

CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray,
                      size_t srcOffset, size_t ByteCount)
{
    CUDA_MEMCPY3D c = row_copy(ByteCount);
    to_array(&c, dstArray, dstOffset);
    from_array(&c, srcArray, srcOffset);
    return drv_copy_box(&c, COPY_SYNC, NULL);
}
