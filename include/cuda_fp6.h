/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 6-bit floating point: e2m3 (largest 7.5) and e3m2 (largest 28), which have
 * neither infinity nor NaN, alone, in pairs and in fours, each in a byte of
 * its own, on both sides. What is too large, and NaN, becomes the largest
 * number. CUDA math API, "FP6 Intrinsics".
 */
/* The guard is the one that programs test for. */
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__

#include "weft/narrow_bits.h"

#if defined(__cplusplus)

#define __CUDA_FP6_TYPES_EXIST__ 1

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short int __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t {
    __NV_E2M3,
    __NV_E3M2
} __nv_fp6_interpretation_t;

WEFT_HALF_FN struct weft_format
weft_fp6_format(const __nv_fp6_interpretation_t kind)
{
    const struct weft_format e2m3 = {3, 0, 0x20, 0x1f, 0x1f, 0x1f};
    const struct weft_format e3m2 = {2, -2, 0x20, 0x1f, 0x1f, 0x1f};
    return kind == __NV_E2M3 ? e2m3 : e3m2;
}

WEFT_HALF_FN __half_raw __nv_cvt_fp6_to_halfraw(
    const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t kind)
{
    return __float2half(weft_minifloat_value(x, weft_fp6_format(kind)));
}

#define WEFT_N    fp6
#define WEFT_BITS 8
#define WEFT_HOW                                                               \
    const __nv_fp6_interpretation_t kind, const enum cudaRoundMode rounding
#define WEFT_IS_FINITE true
#define WEFT_ROUNDING  rounding
#include "weft/narrow_convert.h"

#if __cplusplus >= 201103L
#define WEFT_T    __nv_fp6_e2m3
#define WEFT_T2   __nv_fp6x2_e2m3
#define WEFT_T4   __nv_fp6x4_e2m3
#define WEFT_S    __nv_fp6_storage_t
#define WEFT_S2   __nv_fp6x2_storage_t
#define WEFT_S4   __nv_fp6x4_storage_t
#define WEFT_BITS 8
#define WEFT_TO(x)                                                             \
    weft_minifloat(x, weft_fp6_format(__NV_E2M3), true, cudaRoundNearest)
#define WEFT_VALUE(s)   weft_minifloat_value(s, weft_fp6_format(__NV_E2M3))
#define WEFT_PAIR       __half2
#define WEFT_PAIR_OF(f) __float22half2_rn(f)
#include "weft/narrow_type.h"

#define WEFT_T    __nv_fp6_e3m2
#define WEFT_T2   __nv_fp6x2_e3m2
#define WEFT_T4   __nv_fp6x4_e3m2
#define WEFT_S    __nv_fp6_storage_t
#define WEFT_S2   __nv_fp6x2_storage_t
#define WEFT_S4   __nv_fp6x4_storage_t
#define WEFT_BITS 8
#define WEFT_TO(x)                                                             \
    weft_minifloat(x, weft_fp6_format(__NV_E3M2), true, cudaRoundNearest)
#define WEFT_VALUE(s)   weft_minifloat_value(s, weft_fp6_format(__NV_E3M2))
#define WEFT_PAIR       __half2
#define WEFT_PAIR_OF(f) __float22half2_rn(f)
#include "weft/narrow_type.h"
#endif

#endif /* __cplusplus */
#endif
