/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 4-bit floating point: e2m1 (0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives),
 * alone in a byte, two in a byte, four in two, on both sides. What is too
 * large, and NaN, becomes the largest number. CUDA math API, "FP4 Intrinsics".
 */
/* The guard is the one that programs test for. */
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#include "weft/narrow_bits.h"

#if defined(__cplusplus)

#define __CUDA_FP4_TYPES_EXIST__ 1

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short int __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t {
    __NV_E2M1
} __nv_fp4_interpretation_t;

WEFT_HALF_FN struct weft_format
weft_fp4_format(const __nv_fp4_interpretation_t kind)
{
    const struct weft_format e2m1 = {1, 0, 0x8, 0x7, 0x7, 0x7};
    (void)kind;
    return e2m1;
}

WEFT_HALF_FN __half_raw __nv_cvt_fp4_to_halfraw(
    const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t kind)
{
    return __float2half(weft_minifloat_value(x, weft_fp4_format(kind)));
}

#define WEFT_N    fp4
#define WEFT_BITS 4
#define WEFT_HOW                                                               \
    const __nv_fp4_interpretation_t kind, const enum cudaRoundMode rounding
#define WEFT_IS_FINITE true
#define WEFT_ROUNDING  rounding
#include "weft/narrow_convert.h"

#if __cplusplus >= 201103L
#define WEFT_T    __nv_fp4_e2m1
#define WEFT_T2   __nv_fp4x2_e2m1
#define WEFT_T4   __nv_fp4x4_e2m1
#define WEFT_S    __nv_fp4_storage_t
#define WEFT_S2   __nv_fp4x2_storage_t
#define WEFT_S4   __nv_fp4x4_storage_t
#define WEFT_BITS 4
#define WEFT_TO(x)                                                             \
    weft_minifloat(x, weft_fp4_format(__NV_E2M1), true, cudaRoundNearest)
#define WEFT_VALUE(s)   weft_minifloat_value(s, weft_fp4_format(__NV_E2M1))
#define WEFT_PAIR       __half2
#define WEFT_PAIR_OF(f) __float22half2_rn(f)
#include "weft/narrow_type.h"
#endif

#endif /* __cplusplus */
#endif
