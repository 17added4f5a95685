/* SPDX-License-Identifier: Apache-2.0 */
/*
 * new and delete in kernels of what wants more alignment than malloc gives
 * (C++17): some room before the object, whose last 8 bytes say where that
 * begins.
 */
#ifndef WEFT_ALIGNED_NEW_H
#define WEFT_ALIGNED_NEW_H

#include <new>

#if defined(__cpp_aligned_new) && !defined(__CUDACC_RTC__)

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Winline-new-delete"
#define WEFT_NEW __device__ inline void *operator
#define WEFT_DELETE __device__ inline void operator

WEFT_NEW new(__SIZE_TYPE__ size, ::std::align_val_t alignment)
{
    __SIZE_TYPE__ unit = (__SIZE_TYPE__)alignment;
    if (unit < 16) /* what malloc gives */
        unit = 16;
    char *room = (char *)::malloc(size + unit);
    char *object = room;
    if (room) {
        object += unit - (__SIZE_TYPE__)room % unit;
        ((char **)object)[-1] = room;
    }
    return object;
}
WEFT_NEW new[](__SIZE_TYPE__ size, ::std::align_val_t alignment)
{
    return ::operator new(size, alignment);
}
WEFT_DELETE delete(void *object, ::std::align_val_t) noexcept
{
    if (object)
        ::free(((char **)object)[-1]);
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
