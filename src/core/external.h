/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and semaphores of other APIs, given away as file descriptors. A part
 * of core.h.
 *
 * Memory is whatever can be mapped: a memfd, shared memory, a DMA buffer, what
 * Mesa's software drivers export of a Vulkan allocation. A semaphore is an
 * eventfd, or the first 64 bits of what can be mapped: 0 or 1 for a binary
 * one, else the value of its timeline.
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

/* On success the descriptor is ours, except that of a DMA buffer. The caller
 * owns the object. INVALID_VALUE: the sizes exceed what is there;
 * INVALID_HANDLE: it cannot be mapped; NOT_SUPPORTED: handles of other
 * operating systems. */
CUresult external_memory_import(CUcontext ctx,
                                const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *d,
                                CUexternalMemory *out);
CUresult external_memory_destroy(CUexternalMemory m);
/* Buffers and mipmapped arrays outlive the memory object; mem_free and
 * mipmap_destroy end them. */
CUresult external_memory_buffer(CUexternalMemory m,
                                const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *d,
                                CUdeviceptr *out);
CUresult
external_memory_mipmap(CUexternalMemory m,
                       const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *d,
                       CUmipmappedArray *out);

/* On success the descriptor's file is the semaphore's. */
CUresult external_semaphore_import(CUcontext ctx,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *d,
                                   CUexternalSemaphore *out);
/* Work that is under way can still use it. */
CUresult external_semaphore_destroy(CUexternalSemaphore sem);

/* In stream order. All semaphores are checked before anything happens. In a
 * captured stream the operation becomes a node. */
CUresult external_signal(CUstream s, const CUexternalSemaphore *sems,
                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params,
                         unsigned count);
CUresult external_wait(CUstream s, const CUexternalSemaphore *sems,
                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *params,
                       unsigned count);

#pragma GCC visibility pop

#endif
