/* SPDX-License-Identifier: Apache-2.0 */
/* Newer functions with a default stream per thread, before they are declared;
 * a part of cuda.h, as are those of driver_api.h. */
#ifndef WEFT_DRIVER_PER_THREAD_H
#define WEFT_DRIVER_PER_THREAD_H

#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM) ||                           \
    defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define cuMemcpyBatchAsync_v2             cuMemcpyBatchAsync_v2_ptsz
#define cuMemcpy3DBatchAsync_v2           cuMemcpy3DBatchAsync_v2_ptsz
#define cuMemBatchDecompressAsync         cuMemBatchDecompressAsync_ptsz
#define cuMemPrefetchBatchAsync           cuMemPrefetchBatchAsync_ptsz
#define cuMemDiscardBatchAsync            cuMemDiscardBatchAsync_ptsz
#define cuMemDiscardAndPrefetchBatchAsync cuMemDiscardAndPrefetchBatchAsync_ptsz
#define cuStreamGetDevice                 cuStreamGetDevice_ptsz
#define cuStreamGetCtx_v2                 cuStreamGetCtx_v2_ptsz
#define cuStreamGetCaptureInfo_v3         cuStreamGetCaptureInfo_v3_ptsz
#define cuStreamUpdateCaptureDependencies_v2                                   \
    cuStreamUpdateCaptureDependencies_v2_ptsz
#define cuMemcpyBatchAsync   cuMemcpyBatchAsync_ptsz
#define cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_ptsz
#define cuMemMapArrayAsync cuMemMapArrayAsync_ptsz
#define cuMemPrefetchAsync_v2 cuMemPrefetchAsync_v2_ptsz
#define cuStreamGetId cuStreamGetId_ptsz
#define cuStreamBeginCaptureToGraph cuStreamBeginCaptureToGraph_ptsz
#define cuStreamCopyAttributes cuStreamCopyAttributes_ptsz
#define cuStreamGetAttribute cuStreamGetAttribute_ptsz
#define cuStreamSetAttribute cuStreamSetAttribute_ptsz
#define cuEventRecordWithFlags cuEventRecordWithFlags_ptsz
#define cuSignalExternalSemaphoresAsync cuSignalExternalSemaphoresAsync_ptsz
#define cuWaitExternalSemaphoresAsync cuWaitExternalSemaphoresAsync_ptsz
#define cuGraphInstantiateWithParams cuGraphInstantiateWithParams_ptsz
#define cuGraphicsMapResources cuGraphicsMapResources_ptsz
#define cuGraphicsUnmapResources cuGraphicsUnmapResources_ptsz
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_ptsz
#endif

#endif
