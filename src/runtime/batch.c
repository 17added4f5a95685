/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of copies, prefetches and discards. */
#include "runtime/internal.h"

static_assert(sizeof(struct cudaMemcpyAttributes) ==
                      sizeof(CUmemcpyAttributes) &&
                  sizeof(struct cudaMemcpy3DBatchOp) ==
                      sizeof(CUDA_MEMCPY3D_BATCH_OP) &&
                  sizeof(struct cudaMemLocation) == sizeof(CUmemLocation) &&
                  sizeof(void *) == sizeof(CUdeviceptr),
              "one layout in both APIs");

/* ---- ranges -------------------------------------------------------------- */

cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                      struct cudaMemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs,
                                      size_t numPrefetchLocs,
                                      unsigned long long flags,
                                      cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    const struct batch_ranges b = {.starts = (const CUdeviceptr *)dptrs,
                                   .sizes = sizes,
                                   .count = count,
                                   .locations =
                                       (const CUmemLocation *)prefetchLocs,
                                   .indices = prefetchLocIdxs,
                                   .location_count = numPrefetchLocs,
                                   .flags = flags};
    cudaError_t err = rt_stream(stream, &ctx, &s);
    return rt_return(err ? err : rt_error(batch_prefetch(s, &b)));
}

cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                     unsigned long long flags,
                                     cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    const struct batch_ranges b = {.starts = (const CUdeviceptr *)dptrs,
                                   .sizes = sizes,
                                   .count = count,
                                   .flags = flags};
    cudaError_t err = rt_stream(stream, &ctx, &s);
    return rt_return(err ? err : rt_error(batch_discard(s, &b)));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(
    void **dptrs, size_t *sizes, size_t count,
    struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
    size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream)
{
    return rt_forward(cudaMemPrefetchBatchAsync(
        dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs,
        flags, stream));
}

/* ---- copies -------------------------------------------------------------- */

static cudaError_t copy_all(const struct batch_copies *b, size_t *fail,
                            cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    return err ? err : rt_error(batch_copy(s, b, fail));
}

/* *failIdx: the index of the copy that is wrong, or SIZE_MAX. */
cudaError_t cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes,
                                 size_t count,
                                 struct cudaMemcpyAttributes *attrs,
                                 size_t *attrsIdxs, size_t numAttrs,
                                 size_t *failIdx, cudaStream_t stream)
{
    size_t fail = SIZE_MAX;
    const struct batch_copies b = {(const CUdeviceptr *)dsts,
                                   (const CUdeviceptr *)srcs,
                                   sizes,
                                   count,
                                   (const CUmemcpyAttributes *)attrs,
                                   attrsIdxs,
                                   numAttrs};
    cudaError_t err = copy_all(&b, &fail, stream);
    if (err && failIdx)
        *failIdx = fail;
    return rt_return(err);
}

cudaError_t cudaMemcpyBatchAsync_v2(void *const *dsts, const void *const *srcs,
                                    const size_t *sizes, size_t count,
                                    struct cudaMemcpyAttributes *attrs,
                                    size_t *attrsIdxs, size_t numAttrs,
                                    cudaStream_t stream)
{
    size_t fail;
    const struct batch_copies b = {(const CUdeviceptr *)dsts,
                                   (const CUdeviceptr *)srcs,
                                   sizes,
                                   count,
                                   (const CUmemcpyAttributes *)attrs,
                                   attrsIdxs,
                                   numAttrs};
    return rt_return(copy_all(&b, &fail, stream));
}

static cudaError_t copy_boxes(size_t count,
                              const struct cudaMemcpy3DBatchOp *ops,
                              size_t *fail, unsigned long long flags,
                              cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    return err ? err
               : rt_error(batch_copy_boxes(s,
                                           (const CUDA_MEMCPY3D_BATCH_OP *)ops,
                                           count, flags, fail));
}

cudaError_t cudaMemcpy3DBatchAsync(size_t numOps,
                                   struct cudaMemcpy3DBatchOp *opList,
                                   size_t *failIdx, unsigned long long flags,
                                   cudaStream_t stream)
{
    size_t fail = SIZE_MAX;
    cudaError_t err = copy_boxes(numOps, opList, &fail, flags, stream);
    if (err && failIdx)
        *failIdx = fail;
    return rt_return(err);
}

cudaError_t cudaMemcpy3DBatchAsync_v2(size_t numOps,
                                      struct cudaMemcpy3DBatchOp *opList,
                                      unsigned long long flags,
                                      cudaStream_t stream)
{
    size_t fail;
    return rt_return(copy_boxes(numOps, opList, &fail, flags, stream));
}
