/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The __nv_atomic_* functions: atomics with a memory order and a thread scope
 * given by the caller. CUDA C++ programming guide, "Atomic Functions".
 */
#ifndef WEFT_DEVICE_NV_ATOMICS_H
#define WEFT_DEVICE_NV_ATOMICS_H

#include "device_atomics.h"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

/* A cluster is part of the device; its scope is widened to that. */
#define __NV_THREAD_SCOPE_THREAD  __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK   __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE  __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM  __MEMORY_SCOPE_SYSTEM

#define WEFT_DEVICE static __device__ __forceinline__

template <typename T>
WEFT_DEVICE T __nv_atomic_load_n(const T *p, int order,
                                 int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T result;
    __scoped_atomic_load(p, &result, order, scope);
    return result;
}
template <typename T>
WEFT_DEVICE void __nv_atomic_load(const T *p, T *result, int order,
                                  int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __scoped_atomic_load(p, result, order, scope);
}
template <typename T, typename V>
WEFT_DEVICE void __nv_atomic_store_n(T *p, V value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T copy = (T)value;
    __scoped_atomic_store(p, &copy, order, scope);
}
template <typename T>
WEFT_DEVICE void __nv_atomic_store(T *p, const T *value, int order,
                                   int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T copy = *value;
    __scoped_atomic_store(p, &copy, order, scope);
}
template <typename T, typename V>
WEFT_DEVICE T __nv_atomic_exchange_n(T *p, V value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T copy = (T)value, result;
    __scoped_atomic_exchange(__weft_atomic_place(p), &copy, &result, order,
                             scope);
    return result;
}
template <typename T>
WEFT_DEVICE void __nv_atomic_exchange(T *p, const T *value, T *result,
                                      int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T copy = *value;
    __scoped_atomic_exchange(__weft_atomic_place(p), &copy, result, order,
                             scope);
}
template <typename T, typename V>
WEFT_DEVICE bool
__nv_atomic_compare_exchange_n(T *p, T *expected, V desired, bool is_weak,
                               int success, int failure,
                               int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T copy = (T)desired;
    (void)is_weak; /* no instruction fails spuriously */
    return __scoped_atomic_compare_exchange(__weft_atomic_place(p), expected,
                                            &copy, false, success, failure,
                                            scope);
}
template <typename T>
WEFT_DEVICE bool
__nv_atomic_compare_exchange(T *p, T *expected, const T *desired, bool is_weak,
                             int success, int failure,
                             int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __nv_atomic_compare_exchange_n(p, expected, *desired, is_weak,
                                          success, failure, scope);
}

#define WEFT_FETCH(op)                                                         \
    template <typename T, typename V>                                          \
    WEFT_DEVICE T __nv_atomic_fetch_##op(T *p, V value, int order,             \
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) \
    {                                                                          \
        return __scoped_atomic_fetch_##op(__weft_atomic_place(p), (T)value,    \
                                          order, scope);                       \
    }                                                                          \
    template <typename T, typename V>                                          \
    WEFT_DEVICE void __nv_atomic_##op(T *p, V value, int order,                \
                                      int scope = __NV_THREAD_SCOPE_SYSTEM)    \
    {                                                                          \
        (void)__scoped_atomic_fetch_##op(__weft_atomic_place(p), (T)value,     \
                                         order, scope);                        \
    }
WEFT_FETCH(add)
WEFT_FETCH(sub)
WEFT_FETCH(and)
WEFT_FETCH(or)
WEFT_FETCH(xor)
WEFT_FETCH(min)
WEFT_FETCH(max)
#undef WEFT_FETCH

WEFT_DEVICE void __nv_atomic_thread_fence(int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order == __NV_ATOMIC_RELAXED)
        return;
    if (scope == __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else if (scope == __NV_THREAD_SCOPE_DEVICE)
        __threadfence();
    else
        __threadfence_system();
}

#undef WEFT_DEVICE

#endif
