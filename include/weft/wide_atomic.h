/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic exchange and compare-and-swap of 16 bytes, which devices have from
 * compute capability 9.0 on, and what can be made of the two. Addresses are
 * multiples of 16.
 */
#ifndef WEFT_WIDE_ATOMIC_H
#define WEFT_WIDE_ATOMIC_H

/* The pass for the host only has to know that they are there. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define WEFT_WIDE_FN static __device__ __forceinline__

typedef unsigned __int128 __weft_wide;

/* One instruction for each order and scope. */
#define WEFT_WIDE(order, scope)                                                \
    WEFT_WIDE_FN __weft_wide __weft_wide_exch_##order##_##scope(               \
        void *p, __weft_wide value)                                            \
    {                                                                          \
        __weft_wide old;                                                       \
        __asm__ volatile("atom." #order "." #scope ".exch.b128 %0, [%1], %2;"  \
                         : "=q"(old)                                           \
                         : "l"(p), "q"(value)                                  \
                         : "memory");                                          \
        return old;                                                            \
    }                                                                          \
    WEFT_WIDE_FN __weft_wide __weft_wide_cas_##order##_##scope(                \
        void *p, __weft_wide compare, __weft_wide value)                       \
    {                                                                          \
        __weft_wide old;                                                       \
        __asm__ volatile("atom." #order "." #scope                             \
                         ".cas.b128 %0, [%1], %2, %3;"                         \
                         : "=q"(old)                                           \
                         : "l"(p), "q"(compare), "q"(value)                    \
                         : "memory");                                          \
        return old;                                                            \
    }
WEFT_WIDE(relaxed, cta)
WEFT_WIDE(relaxed, gpu)
WEFT_WIDE(relaxed, sys)
WEFT_WIDE(acq_rel, cta)
WEFT_WIDE(acq_rel, gpu)
WEFT_WIDE(acq_rel, sys)
#undef WEFT_WIDE

/* The functions of the programming guide, "Atomic Functions", for any type of
 * 16 bytes that is aligned and copied like one. */
template <bool is_wide, typename T> struct __weft_if_wide {
};
template <typename T> struct __weft_if_wide<true, T> {
    typedef T type;
};
#define WEFT_WIDE_RESULT(T)                                                    \
    typename __weft_if_wide<sizeof(T) == 16 && __alignof__(T) == 16 &&         \
                                __is_trivially_copyable(T),                    \
                            T>::type
#define WEFT_WIDE_ATOMIC(suffix, scope)                                        \
    template <typename T>                                                      \
    WEFT_WIDE_FN WEFT_WIDE_RESULT(T) atomicExch##suffix(T *address, T value)   \
    {                                                                          \
        return __builtin_bit_cast(                                             \
            T, __weft_wide_exch_relaxed_##scope(                               \
                   address, __builtin_bit_cast(__weft_wide, value)));          \
    }                                                                          \
    template <typename T>                                                      \
    WEFT_WIDE_FN WEFT_WIDE_RESULT(T)                                           \
        atomicCAS##suffix(T *address, T compare, T value)                      \
    {                                                                          \
        return __builtin_bit_cast(                                             \
            T, __weft_wide_cas_relaxed_##scope(                                \
                   address, __builtin_bit_cast(__weft_wide, compare),          \
                   __builtin_bit_cast(__weft_wide, value)));                   \
    }
WEFT_WIDE_ATOMIC(, gpu)
WEFT_WIDE_ATOMIC(_block, cta)
WEFT_WIDE_ATOMIC(_system, sys)
#undef WEFT_WIDE_ATOMIC
#undef WEFT_WIDE_RESULT

/* Several floats in global memory, each added by itself. clang's would vanish
 * where nobody wants the old values. */
#define WEFT_ADD_FLOATS(suffix, scope)                                         \
    WEFT_WIDE_FN float2 atomicAdd##suffix(float2 *address, float2 v)           \
    {                                                                          \
        float2 r;                                                              \
        __asm__ volatile("atom." #scope                                        \
                         ".add.v2.f32 {%0, %1}, [%2], {%3, %4};"               \
                         : "=f"(r.x), "=f"(r.y)                                \
                         : "l"(address), "f"(v.x), "f"(v.y)                    \
                         : "memory");                                          \
        return r;                                                              \
    }                                                                          \
    WEFT_WIDE_FN float4 atomicAdd##suffix(float4 *address, float4 v)           \
    {                                                                          \
        float4 r;                                                              \
        __asm__ volatile("atom." #scope ".add.v4.f32 "                         \
                         "{%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"           \
                         : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)          \
                         : "l"(address), "f"(v.x), "f"(v.y), "f"(v.z),         \
                           "f"(v.w)                                            \
                         : "memory");                                          \
        return r;                                                              \
    }
WEFT_ADD_FLOATS(, gpu)
WEFT_ADD_FLOATS(_block, cta)
WEFT_ADD_FLOATS(_system, sys)
#undef WEFT_ADD_FLOATS
#undef WEFT_WIDE_FN

#endif
#endif
