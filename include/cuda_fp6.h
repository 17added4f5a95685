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

#define WEFT_NARROW(name, type)                                                \
    WEFT_HALF_FN __nv_fp6_storage_t __nv_cvt_##name##_to_fp6(                  \
        const type x, const __nv_fp6_interpretation_t kind,                    \
        const enum cudaRoundMode rounding)                                     \
    {                                                                          \
        return (__nv_fp6_storage_t)weft_minifloat(                             \
            weft_wide(x), weft_fp6_format(kind), true, rounding);              \
    }
#define WEFT_NARROW2(name, type)                                               \
    WEFT_HALF_FN __nv_fp6x2_storage_t __nv_cvt_##name##_to_fp6x2(              \
        const type x, const __nv_fp6_interpretation_t kind,                    \
        const enum cudaRoundMode rounding)                                     \
    {                                                                          \
        const double2 w = weft_wide(x);                                        \
        const struct weft_format f = weft_fp6_format(kind);                    \
        return (                                                               \
            __nv_fp6x2_storage_t)(weft_minifloat(w.x, f, true, rounding) |     \
                                  weft_minifloat(w.y, f, true, rounding)       \
                                      << 8);                                   \
    }
WEFT_NARROW(double, double)
WEFT_NARROW(float, float)
WEFT_NARROW(halfraw, __half_raw)
WEFT_NARROW(bfloat16raw, __nv_bfloat16_raw)
WEFT_NARROW2(double2, double2)
WEFT_NARROW2(float2, float2)
WEFT_NARROW2(halfraw2, __half2_raw)
WEFT_NARROW2(bfloat16raw2, __nv_bfloat162_raw)
#undef WEFT_NARROW
#undef WEFT_NARROW2

WEFT_HALF_FN __half_raw __nv_cvt_fp6_to_halfraw(
    const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t kind)
{
    return __float2half(weft_minifloat_value(x, weft_fp6_format(kind)));
}
WEFT_HALF_FN __half2_raw __nv_cvt_fp6x2_to_halfraw2(
    const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t kind)
{
    __half2_raw result;
    result.x = __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)x, kind).x;
    result.y = __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x >> 8), kind).x;
    return result;
}

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
