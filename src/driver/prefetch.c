/* SPDX-License-Identifier: Apache-2.0 */
/* Prefetching managed memory; batches of copies. */
#include "driver/internal.h"

CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count,
                               CUmemLocation location, unsigned int flags,
                               CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    return flags ? CUDA_ERROR_INVALID_VALUE
                 : range_prefetch(s, devPtr, count, location);
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count,
                            CUdevice dstDevice, CUstream hStream)
{
    return cuMemPrefetchAsync_v2(devPtr, count, range_location_of(dstDevice), 0,
                                 hStream);
}

CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr,
                                size_t length, unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : range_attach(s, dptr, length, flags);
}

/* ---- ranges -------------------------------------------------------------- */

CUresult cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes,
                                 size_t count, CUmemLocation *prefetchLocs,
                                 size_t *prefetchLocIdxs,
                                 size_t numPrefetchLocs,
                                 unsigned long long flags, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    const struct batch_ranges b = {.starts = dptrs,
                                   .sizes = sizes,
                                   .count = count,
                                   .locations = prefetchLocs,
                                   .indices = prefetchLocIdxs,
                                   .location_count = numPrefetchLocs,
                                   .flags = flags};
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : batch_prefetch(s, &b);
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count,
                                unsigned long long flags, CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    const struct batch_ranges b = {
        .starts = dptrs, .sizes = sizes, .count = count, .flags = flags};
    CUresult err = drv_stream(hStream, &ctx, &s);
    return err ? err : batch_discard(s, &b);
}

CUresult cuMemDiscardAndPrefetchBatchAsync(
    CUdeviceptr *dptrs, size_t *sizes, size_t count,
    CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
    size_t numPrefetchLocs, unsigned long long flags, CUstream hStream)
{
    return cuMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs,
                                   prefetchLocIdxs, numPrefetchLocs, flags,
                                   hStream);
}

/* ---- copies -------------------------------------------------------------- */

static CUresult copy_all(const struct batch_copies *b, size_t *fail,
                         CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(handle, &ctx, &s);
    return err ? err : batch_copy(s, b, fail);
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs,
                               size_t *sizes, size_t count,
                               CUmemcpyAttributes *attrs, size_t *attrsIdxs,
                               size_t numAttrs, CUstream hStream)
{
    size_t fail;
    const struct batch_copies b = {dsts,  srcs,      sizes,   count,
                                   attrs, attrsIdxs, numAttrs};
    return copy_all(&b, &fail, hStream);
}

/* *failIdx: the index of the copy that is wrong, or SIZE_MAX. */
CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes,
                            size_t count, CUmemcpyAttributes *attrs,
                            size_t *attrsIdxs, size_t numAttrs, size_t *failIdx,
                            CUstream hStream)
{
    size_t fail = SIZE_MAX;
    const struct batch_copies b = {dsts,  srcs,      sizes,   count,
                                   attrs, attrsIdxs, numAttrs};
    CUresult err = copy_all(&b, &fail, hStream);
    if (err && failIdx)
        *failIdx = fail;
    return err;
}

CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList,
                              size_t *failIdx, unsigned long long flags,
                              CUstream hStream)
{
    CUcontext ctx;
    CUstream s;
    size_t fail = SIZE_MAX;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (!err)
        err = batch_copy_boxes(s, opList, numOps, flags, &fail);
    if (err && failIdx)
        *failIdx = fail;
    return err;
}

CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList,
                                 unsigned long long flags, CUstream hStream)
{
    return cuMemcpy3DBatchAsync(numOps, opList, NULL, flags, hStream);
}
