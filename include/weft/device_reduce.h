/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA C++ programming guide, "Warp Reduce Functions": the sum of ints is an
 * int. clang's header has that of unsigned ints alone.
 */
#ifndef WEFT_DEVICE_REDUCE_H
#define WEFT_DEVICE_REDUCE_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
static __device__ __forceinline__ int __reduce_add_sync(unsigned int mask,
                                                        int value)
{
    return (int)__reduce_add_sync(mask, (unsigned int)value);
}
#endif

#endif
