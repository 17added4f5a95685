/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ground that cuda/atomic, cuda/barrier and their like stand on: thread
 * scopes, memory orders, and atomic accesses with both, on the host and on
 * the device, for any trivially copyable type of up to 8 bytes, or of 16 from
 * compute capability 9.0 on. It needs nothing of the host's C++ library: a
 * program of NVRTC's that includes cooperative_groups.h may bring another.
 */
#ifndef WEFT_SCOPED_ATOMIC_H
#define WEFT_SCOPED_ATOMIC_H

#include "../cuda_runtime.h"
#ifndef __CUDACC_RTC__
#include <stdint.h> /* programs count on it */
#endif

#define WEFT_HD __host__ __device__ __forceinline__

namespace weft_cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

namespace detail
{

#if defined(__CUDA__)
template <thread_scope Scope> struct scope_number {
    enum {
        value = Scope == thread_scope_system   ? __MEMORY_SCOPE_SYSTEM
                : Scope == thread_scope_device ? __MEMORY_SCOPE_DEVICE
                : Scope == thread_scope_block  ? __MEMORY_SCOPE_WRKGRP
                                               : __MEMORY_SCOPE_SINGLE
    };
};
#define WEFT_ATOMIC(operation, ...)                                            \
    __scoped_atomic_##operation(__VA_ARGS__, scope_number<Scope>::value)
#else
/* Compilers of host code have one scope. */
#define WEFT_ATOMIC(operation, ...) __atomic_##operation(__VA_ARGS__)
#endif

/* Devices before 7.0 have relaxed accesses alone, with fences around them. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
struct order_fence {
    int order;
    WEFT_HD explicit order_fence(int order) : order(order)
    {
        if (order != __ATOMIC_RELAXED)
            __threadfence_system();
    }
    WEFT_HD ~order_fence()
    {
        if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
            __threadfence_system();
    }
};
#define WEFT_ORDERED(order)                                                    \
    order_fence fence(order);                                                  \
    order = __ATOMIC_RELAXED
#define WEFT_ORDERED_TOO(order) order = __ATOMIC_RELAXED
#else
#define WEFT_ORDERED(order)     (void)0
#define WEFT_ORDERED_TOO(order) (void)0
#endif

/* Types of 16 bytes have instructions of their own (below). */
template <typename T> struct is_wide {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr bool value = sizeof(T) == 16;
#else
    static constexpr bool value = false;
#endif
};
template <bool Is, typename T> struct when {
};
template <typename T> struct when<true, T> {
    typedef T type;
};
template <typename T, typename Result = T>
using if_narrow = typename when<!is_wide<T>::value, Result>::type;
template <typename T, typename Result = T>
using if_wide = typename when<is_wide<T>::value, Result>::type;

/* What atomics work on lies at multiples of its size, whatever its type says:
 * two ints are one access of 8 bytes. */
template <typename T> struct whole {
    static constexpr bool is_word =
        sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0;
    typedef T type
        __attribute__((aligned(is_word ? sizeof(T) : __alignof__(T))));
};

template <thread_scope Scope, typename T>
WEFT_HD if_narrow<T> atomic_load(const T *p, int order)
{
    WEFT_ORDERED(order);
    T result;
    WEFT_ATOMIC(load, (typename whole<T>::type *)p, &result, order);
    return result;
}
template <thread_scope Scope, typename T>
WEFT_HD if_narrow<T, void> atomic_store(T *p, T value, int order)
{
    WEFT_ORDERED(order);
    WEFT_ATOMIC(store, (typename whole<T>::type *)p, &value, order);
}
template <thread_scope Scope, typename T>
WEFT_HD if_narrow<T> atomic_exchange(T *p, T value, int order)
{
    WEFT_ORDERED(order);
    T result;
    WEFT_ATOMIC(exchange, (typename whole<T>::type *)p, &value, &result, order);
    return result;
}
/* What a failed exchange may not do: release. */
WEFT_HD int atomic_failure_order(int order)
{
    return order == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
           : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                       : order;
}
template <thread_scope Scope, typename T>
WEFT_HD if_narrow<T, bool> atomic_compare_exchange(T *p, T &expected, T desired,
                                                   int success, int failure)
{
    WEFT_ORDERED(success);
    WEFT_ORDERED_TOO(failure);
    return WEFT_ATOMIC(compare_exchange, (typename whole<T>::type *)p,
                       &expected, &desired, false, success, failure);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#include "scoped_wide_atomic.h"
#endif

#define WEFT_FETCH(operation)                                                  \
    template <thread_scope Scope, typename T>                                  \
    WEFT_HD if_narrow<T> atomic_fetch_##operation(T *p, T value, int order)    \
    {                                                                          \
        WEFT_ORDERED(order);                                                   \
        return WEFT_ATOMIC(fetch_##operation, p, value, order);                \
    }
WEFT_FETCH(and)
WEFT_FETCH(or)
WEFT_FETCH(xor)
#if defined(__clang__) || defined(__CUDACC_RTC__)
WEFT_FETCH(add)
WEFT_FETCH(sub)
#endif
#undef WEFT_FETCH

/* Where no instruction does it. */
#define WEFT_FETCH_LOOP(operation, types, expression)                          \
    template <thread_scope Scope, typename T>                                  \
    WEFT_HD types<T> atomic_fetch_##operation(T *p, T value, int order)        \
    {                                                                          \
        T old = atomic_load<Scope>(p, __ATOMIC_RELAXED);                       \
        while (!atomic_compare_exchange<Scope>(p, old, (T)(expression), order, \
                                               __ATOMIC_RELAXED)) {            \
        }                                                                      \
        return old;                                                            \
    }
#if !defined(__clang__) && !defined(__CUDACC_RTC__)
WEFT_FETCH_LOOP(add, if_narrow, old + value)
WEFT_FETCH_LOOP(sub, if_narrow, old - value)
#endif
template <typename T> using any_type = T;
WEFT_FETCH_LOOP(min, any_type, value < old ? value : old)
WEFT_FETCH_LOOP(max, any_type, old < value ? value : old)
WEFT_FETCH_LOOP(add, if_wide, old + value)
WEFT_FETCH_LOOP(sub, if_wide, old - value)
WEFT_FETCH_LOOP(and, if_wide, old & value)
WEFT_FETCH_LOOP(or, if_wide, old | value)
WEFT_FETCH_LOOP(xor, if_wide, old ^ value)
#undef WEFT_FETCH_LOOP
#undef WEFT_ATOMIC
#undef WEFT_ORDERED
#undef WEFT_ORDERED_TOO

/* A pointer moves by elements. */
#define WEFT_FETCH_POINTER(operation, sign)                                    \
    template <thread_scope Scope, typename T>                                  \
    WEFT_HD T *atomic_fetch_##operation(T **p, __PTRDIFF_TYPE__ count,         \
                                        int order)                             \
    {                                                                          \
        T *old = atomic_load<Scope>(p, __ATOMIC_RELAXED);                      \
        while (!atomic_compare_exchange<Scope>(p, old, old sign count, order,  \
                                               __ATOMIC_RELAXED)) {            \
        }                                                                      \
        return old;                                                            \
    }
WEFT_FETCH_POINTER(add, +)
WEFT_FETCH_POINTER(sub, -)
#undef WEFT_FETCH_POINTER

/* Between two looks at what somebody else will change. */
WEFT_HD void pause()
{
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
#elif defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace detail
} // namespace weft_cuda

#undef WEFT_HD

#endif
