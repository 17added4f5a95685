/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfloat16: __nv_bfloat16 and __nv_bfloat162, conversions, arithmetic, math.
 * CUDA math API, "Bfloat16 Precision Intrinsics".
 */
/* The guard is the one that programs test for. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#if defined(__cplusplus)

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include <cstring> /* programs rely on these two */
#include <utility>
#endif
#include "vector_types.h"
#include "vector_functions.h"
#include "cuda_fp16.h" /* the two convert to each other */
#include "weft/half_bits.h"

#define __CUDA_BF16_TYPES_EXIST__ 1

/* Rounds to nearest even, by an addition to the bits below those that
 * remain. */
WEFT_HALF_FN unsigned short weft_bfloat16_round(float value)
{
    unsigned int u = weft_float_bits(value);
    unsigned int rounded = u + 0x7fffu + (u >> 16 & 1);
    return (unsigned short)((u & 0x7fffffffu) > 0x7f800000u ? 0x7fffu
                                                            : rounded >> 16);
}

WEFT_HALF_FN unsigned short weft_bfloat16_round(double value)
{
    return weft_narrow(value, 7, WEFT_ROUND_NEAREST);
}

WEFT_HALF_FN float weft_bfloat16_float(unsigned short bits)
{
    return weft_bits_float((unsigned int)bits << 16);
}

#define WEFT_H             __nv_bfloat16
#define WEFT_H2            __nv_bfloat162
#define WEFT_OTHER         __half
#define WEFT_RAW           __nv_bfloat16_raw
#define WEFT_RAW2          __nv_bfloat162_raw
#define WEFT_N             bfloat16
#define WEFT_FRACTION_BITS 7
#define WEFT_NATIVE        __bf16
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define WEFT_HAS_CONVERSIONS 0
#else
#define WEFT_HAS_CONVERSIONS 1
#endif
#include "weft/half_type.h"

#if __cplusplus >= 201103L && !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
__host__ __device__ inline __nv_bfloat16::__nv_bfloat16(const __half value)
    : __x(__float2bfloat16(__half2float(value)).__x)
{
}
#endif
#if __cplusplus >= 201103L && !defined(__CUDA_NO_HALF_CONVERSIONS__)
__host__ __device__ inline __half::__half(const __nv_bfloat16 value)
    : __x(__float2half(__bfloat162float(value)).__x)
{
}
#endif

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_ONE_BF16        __ushort_as_bfloat16((unsigned short)0x3f80u)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_NEG_ZERO_BF16   __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_INF_BF16        __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16        __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)

#else /* C: the type, for the libraries' interfaces */
typedef struct __nv_bfloat16_raw {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct __nv_bfloat16 {
    unsigned short x;
} __nv_bfloat16;
#endif /* __cplusplus */

#endif
