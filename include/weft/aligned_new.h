/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in kernels with more alignment than malloc gives: by name, and by new
 * and delete of what wants it (C++17). free takes it like any other.
 */
#ifndef WEFT_ALIGNED_NEW_H
#define WEFT_ALIGNED_NEW_H

#include <new>

extern "C" {
/* Programs for NVRTC declare the function themselves, some for both sides,
 * which a declaration of ours by that name would contradict. */
#ifndef __CUDACC_RTC__
__device__ void *__cuda_syscall_aligned_malloc(__SIZE_TYPE__, __SIZE_TYPE__)
    __attribute__((nothrow, malloc));
#endif
__device__ void *__weft_aligned_malloc(
    __SIZE_TYPE__, __SIZE_TYPE__) __asm__("__cuda_syscall_aligned_malloc")
    __attribute__((nothrow, malloc));
__device__ inline void *__nv_aligned_device_malloc(__SIZE_TYPE__ size,
                                                   __SIZE_TYPE__ alignment)
{
    return __weft_aligned_malloc(size, alignment);
}
}

#if defined(__cpp_aligned_new)

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Winline-new-delete"
#define WEFT_NEW __device__ inline void *operator
#define WEFT_DELETE __device__ inline void operator

WEFT_NEW new(__SIZE_TYPE__ size, ::std::align_val_t alignment)
{
    return __nv_aligned_device_malloc(size, (__SIZE_TYPE__)alignment);
}
WEFT_NEW new[](__SIZE_TYPE__ size, ::std::align_val_t alignment)
{
    return ::operator new(size, alignment);
}
WEFT_DELETE delete(void *object, ::std::align_val_t) noexcept
{
    ::free(object);
}
WEFT_DELETE delete[](void *object, ::std::align_val_t alignment) noexcept
{
    ::operator delete(object, alignment);
}
WEFT_DELETE delete(void *object, __SIZE_TYPE__,
                   ::std::align_val_t alignment) noexcept
{
    ::operator delete(object, alignment);
}
WEFT_DELETE delete[](void *object, __SIZE_TYPE__,
                     ::std::align_val_t alignment) noexcept
{
    ::operator delete(object, alignment);
}

#undef WEFT_NEW
#undef WEFT_DELETE
#pragma clang diagnostic pop

#endif
#endif
