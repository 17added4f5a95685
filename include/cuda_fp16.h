/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Half precision: __half and __half2, conversions, arithmetic, math. CUDA
 * math API, "Half Precision Intrinsics". Host code, from any C++ compiler,
 * converts and computes with the same results as device code.
 */
/* The guard is the one that programs test for. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#if defined(__cplusplus)

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include <cstring> /* programs rely on these two */
#include <utility>
#endif
#include "vector_types.h"
#include "vector_functions.h"
#include "weft/half_bits.h"

#define __CUDA_FP16_TYPES_EXIST__ 1

/* Values that are no constants are hidden from clang, which makes one
 * conversion of those from integer to float, to half and back to float: if the
 * integer has few significant bits, 65536 would not become infinite. */
WEFT_HALF_FN unsigned short weft_half_round(double value)
{
#if defined(__CUDA_ARCH__)
    unsigned short bits;
    if (__builtin_constant_p(value))
        return __builtin_bit_cast(unsigned short, (_Float16)value);
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    return bits;
#else
    return weft_narrow(value, 10, WEFT_ROUND_NEAREST);
#endif
}

WEFT_HALF_FN unsigned short weft_half_round(float value)
{
#if defined(__CUDA_ARCH__)
    return __builtin_constant_p(value)
               ? __builtin_bit_cast(unsigned short, (_Float16)value)
               : __nvvm_f2h_rn(value);
#else
    return weft_narrow((double)value, 10, WEFT_ROUND_NEAREST);
#endif
}

WEFT_HALF_FN float weft_half_float(unsigned short bits)
{
#if defined(__CUDA_ARCH__)
    return (float)__builtin_bit_cast(_Float16, bits);
#else
    return weft_widen(bits, 10);
#endif
}

#define WEFT_H             __half
#define WEFT_H2            __half2
#define WEFT_OTHER         __nv_bfloat16
#define WEFT_RAW           __half_raw
#define WEFT_RAW2          __half2_raw
#define WEFT_N             half
#define WEFT_FRACTION_BITS 10
#define WEFT_NATIVE        _Float16
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define WEFT_HAS_CONVERSIONS 0
#else
#define WEFT_HAS_CONVERSIONS 1
#endif
#include "weft/half_type.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_ONE_FP16        __ushort_as_half((unsigned short)0x3c00u)
#define CUDART_ZERO_FP16       __ushort_as_half((unsigned short)0x0000u)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half((unsigned short)0x8000u)
#define CUDART_INF_FP16        __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16        __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)

#else /* C: the type, for the libraries' interfaces */
typedef struct __half_raw {
    unsigned short x;
} __half_raw;
typedef struct __half {
    unsigned short x;
} __half;
#endif /* __cplusplus */

#endif
