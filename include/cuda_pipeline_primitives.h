/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies from global to shared memory of 4, 8 or 16 bytes. CUDA C++
 * programming guide, "Pipeline Primitives Interface". A copy is made at once,
 * so that nothing is left to wait for.
 */
#ifndef WEFT_CUDA_PIPELINE_PRIMITIVES_H
#define WEFT_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"
#include "weft/group_copy.h"

#define WEFT_DEVICE static __device__ __forceinline__

/* The last `zfill` bytes of the destination become zero instead of a copy. */
WEFT_DEVICE void __pipeline_memcpy_async(void *__restrict__ dst_shared,
                                         const void *__restrict__ src_global,
                                         size_t size_and_align,
                                         size_t zfill = 0)
{
    unsigned char *to = (unsigned char *)dst_shared;
    if (!zfill) {
        /* Both addresses are multiples of size_and_align. */
        if (size_and_align == 16)
            *(weft_cuda::detail::copy_16 *)to =
                *(const weft_cuda::detail::copy_16 *)src_global;
        else if (size_and_align == 8)
            *(unsigned long long *)to = *(const unsigned long long *)src_global;
        else
            *(unsigned int *)to = *(const unsigned int *)src_global;
        return;
    }
#ifdef __clang__
#pragma clang loop unroll(disable)
#endif
    for (size_t i = 0; i < size_and_align; i++)
        to[i] = i < size_and_align - zfill
                    ? ((const unsigned char *)src_global)[i]
                    : 0;
}
WEFT_DEVICE void __pipeline_commit()
{
}
WEFT_DEVICE void __pipeline_wait_prior(size_t prior)
{
    (void)prior;
    __asm__ volatile("" ::: "memory");
}
/* The barrier's pending count stays as it is: the copies of this thread raise
 * it by one and, having ended already, lower it again. */
WEFT_DEVICE void __pipeline_arrive_on(__mbarrier_t *barrier)
{
    (void)barrier;
}

#undef WEFT_DEVICE

#endif
