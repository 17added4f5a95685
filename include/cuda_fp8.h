/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 8-bit floating point: e4m3 (no infinity, largest 448) and e5m2 (largest
 * 57344), and e8m0, a power of two; alone, in pairs and in fours, with their
 * conversions, on both sides. CUDA math API, "FP8 Intrinsics".
 */
/* The guard is the one that programs test for. */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#if !defined(__CUDACC_RTC__)
#include <assert.h> /* programs rely on these two */
#include <string.h>
#endif
#include "weft/narrow_bits.h"

#if defined(__cplusplus)

#define __CUDA_FP8_TYPES_EXIST__ 1

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/* Whether a number that is too large becomes the largest finite one, or
 * infinity (e4m3: NaN). */
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3,
    __NV_E5M2
} __nv_fp8_interpretation_t;

WEFT_HALF_FN struct weft_format
weft_fp8_format(const __nv_fp8_interpretation_t kind)
{
    const struct weft_format e4m3 = {3, -6, 0x80, 0x7e, 0x7f, 0x7f};
    const struct weft_format e5m2 = {2, -14, 0x80, 0x7b, 0x7c, 0x7f};
    return kind == __NV_E4M3 ? e4m3 : e5m2;
}

/* Exact: every number of 8 bits is a half. */
WEFT_HALF_FN __half_raw __nv_cvt_fp8_to_halfraw(
    const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind)
{
    __half_raw result;
    unsigned int sign = (x & 0x80u) << 8, rest = x & 0x7fu;
    if (kind == __NV_E5M2) {
        result.x = (unsigned short)(rest > 0x7cu ? 0x7fffu : x << 8);
        return result;
    }
    if (rest == 0x7fu) {
        result.x = 0x7fffu;
        return result;
    }
    /* the difference of the biases as a factor, right for subnormals too */
    float value = weft_bits_float(rest << 20) * weft_bits_float(247u << 23);
    result.x = (unsigned short)(sign | weft_half_round(value));
    return result;
}

/* Rounded once, to nearest even. */
#define WEFT_N    fp8
#define WEFT_BITS 8
#define WEFT_HOW                                                               \
    const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind
#define WEFT_IS_FINITE (saturate == __NV_SATFINITE)
#define WEFT_ROUNDING  cudaRoundNearest
#include "weft/narrow_convert.h"

WEFT_HALF_FN float weft_fp8_value(const __nv_fp8_storage_t x,
                                  const __nv_fp8_interpretation_t kind)
{
    return weft_half_float(__nv_cvt_fp8_to_halfraw(x, kind).x);
}

/* ---- e8m0: 2^(x - 127), all bits set is NaN -------------------------------
 * The sign is dropped. Rounded up unless toward zero is asked for, which makes
 * 2^127 of all that is larger, infinity aside; what is below 2^-127 becomes
 * that. */

WEFT_HALF_FN __nv_fp8_storage_t
__nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t saturate,
                        const enum cudaRoundMode rounding)
{
    unsigned long long u;
    __builtin_memcpy(&u, &x, sizeof u);
    u &= 0x7fffffffffffffffull;
    if (u > 0x7ff0000000000000ull)
        return 0xff;
    int exponent = (int)(u >> 52) - 1023;
    if (rounding != cudaRoundZero && (u & 0xfffffffffffffull))
        exponent++;
    bool is_cut = rounding == cudaRoundZero && u < 0x7ff0000000000000ull;
    if (exponent > 127)
        return saturate == __NV_SATFINITE || is_cut ? 0xfe : 0xff;
    return (__nv_fp8_storage_t)(exponent < -127 ? 0 : exponent + 127);
}
WEFT_HALF_FN __nv_fp8_storage_t
__nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t saturate,
                       const enum cudaRoundMode rounding)
{
    return __nv_cvt_double_to_e8m0((double)x, saturate, rounding);
}
WEFT_HALF_FN __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(
    const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
    const enum cudaRoundMode rounding)
{
    return __nv_cvt_double_to_e8m0(weft_wide(x), saturate, rounding);
}
#define WEFT_NARROW2(name, type)                                               \
    WEFT_HALF_FN __nv_fp8x2_storage_t __nv_cvt_##name##_to_e8m0x2(             \
        const type x, const __nv_saturation_t saturate,                        \
        const enum cudaRoundMode rounding)                                     \
    {                                                                          \
        const double2 w = weft_wide(x);                                        \
        return (__nv_fp8x2_storage_t)(                                         \
            __nv_cvt_double_to_e8m0(w.x, saturate, rounding) |                 \
            __nv_cvt_double_to_e8m0(w.y, saturate, rounding) << 8);            \
    }
WEFT_NARROW2(double2, double2)
WEFT_NARROW2(float2, float2)
WEFT_NARROW2(bfloat162raw, __nv_bfloat162_raw)
#undef WEFT_NARROW2

WEFT_HALF_FN __nv_bfloat16_raw
__nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x)
{
    __nv_bfloat16_raw result;
    result.x = (unsigned short)(x == 0xff ? 0x7fff : x ? x << 7 : 0x40);
    return result;
}
WEFT_HALF_FN __nv_bfloat162_raw
__nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    __nv_bfloat162_raw result;
    result.x = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x;
    result.y = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x;
    return result;
}

/* ---- the types ----------------------------------------------------------- */

#if __cplusplus >= 201103L
#define WEFT_T    __nv_fp8_e4m3
#define WEFT_T2   __nv_fp8x2_e4m3
#define WEFT_T4   __nv_fp8x4_e4m3
#define WEFT_S    __nv_fp8_storage_t
#define WEFT_S2   __nv_fp8x2_storage_t
#define WEFT_S4   __nv_fp8x4_storage_t
#define WEFT_BITS 8
#define WEFT_TO(x)                                                             \
    weft_minifloat(x, weft_fp8_format(__NV_E4M3), true, cudaRoundNearest)
#define WEFT_VALUE(s)   weft_fp8_value(s, __NV_E4M3)
#define WEFT_PAIR       __half2
#define WEFT_PAIR_OF(f) __float22half2_rn(f)
#include "weft/narrow_type.h"

#define WEFT_T    __nv_fp8_e5m2
#define WEFT_T2   __nv_fp8x2_e5m2
#define WEFT_T4   __nv_fp8x4_e5m2
#define WEFT_S    __nv_fp8_storage_t
#define WEFT_S2   __nv_fp8x2_storage_t
#define WEFT_S4   __nv_fp8x4_storage_t
#define WEFT_BITS 8
#define WEFT_TO(x)                                                             \
    weft_minifloat(x, weft_fp8_format(__NV_E5M2), true, cudaRoundNearest)
#define WEFT_VALUE(s)   weft_fp8_value(s, __NV_E5M2)
#define WEFT_PAIR       __half2
#define WEFT_PAIR_OF(f) __float22half2_rn(f)
#include "weft/narrow_type.h"

#define WEFT_T    __nv_fp8_e8m0
#define WEFT_T2   __nv_fp8x2_e8m0
#define WEFT_T4   __nv_fp8x4_e8m0
#define WEFT_S    __nv_fp8_storage_t
#define WEFT_S2   __nv_fp8x2_storage_t
#define WEFT_S4   __nv_fp8x4_storage_t
#define WEFT_BITS 8
#define WEFT_TO(x)                                                             \
    __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)
#define WEFT_VALUE(s)   weft_bfloat16_float(__nv_cvt_e8m0_to_bf16raw(s).x)
#define WEFT_PAIR       __nv_bfloat162
#define WEFT_PAIR_OF(f) __float22bfloat162_rn(f)
#include "weft/narrow_type.h"
#endif

#endif /* __cplusplus */
#endif
