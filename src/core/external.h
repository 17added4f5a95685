/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and semaphores that other APIs have made and given away as file
 * descriptors. A part of core.h.
 *
 * Memory is whatever can be mapped: a memfd, shared memory, a DMA buffer, what
 * Mesa's software drivers export of a Vulkan allocation. A semaphore is an
 * eventfd, or the first 64 bits of what can be mapped: 0 or 1 of a binary one,
 * the value of one with a timeline.
 */
#ifndef WEFT_CORE_EXTERNAL_H
#define WEFT_CORE_EXTERNAL_H

#include "base/base.h"
#include "cuda.h"

#pragma redefine_extname external_memory_import weft_external_memory_import
#pragma redefine_extname external_memory_buffer weft_external_memory_buffer
#pragma redefine_extname external_memory_mipmap weft_external_memory_mipmap
#pragma redefine_extname external_memory_destroy weft_external_memory_destroy
#pragma redefine_extname external_semaphore_import                             \
    weft_external_semaphore_import
#pragma redefine_extname external_semaphore_destroy                            \
    weft_external_semaphore_destroy
#pragma redefine_extname external_signal weft_external_signal
#pragma redefine_extname external_wait weft_external_wait

#pragma GCC visibility push(default)

/* The descriptor is ours then, but for a DMA buffer's. INVALID_VALUE: more than
 * there is; INVALID_HANDLE: it cannot be mapped; NOT_SUPPORTED: handles of
 * other systems. */
CUresult external_memory_import(CUcontext ctx,
                                const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *d,
                                CUexternalMemory *out);
CUresult external_memory_destroy(CUexternalMemory m);
/* Both live on when the memory object is destroyed; mem_free and
 * mipmap_destroy end them. */
CUresult external_memory_buffer(CUexternalMemory m,
                                const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *d,
                                CUdeviceptr *out);
CUresult
external_memory_mipmap(CUexternalMemory m,
                       const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *d,
                       CUmipmappedArray *out);

/* On success the semaphore owns the descriptor's file. */
CUresult external_semaphore_import(CUcontext ctx,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *d,
                                   CUexternalSemaphore *out);
/* Work that is under way still finds it. */
CUresult external_semaphore_destroy(CUexternalSemaphore sem);

/* In stream order; all are checked before anything happens. In a captured
 * stream they become a node. */
CUresult external_signal(CUstream s, const CUexternalSemaphore *sems,
                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params,
                         unsigned count);
CUresult external_wait(CUstream s, const CUexternalSemaphore *sems,
                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *params,
                       unsigned count);

#pragma GCC visibility pop

#endif
