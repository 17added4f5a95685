/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 8-bit floating point: e4m3 (no infinity, largest 448) and e5m2 (largest
 * 57344), alone, in pairs and in fours, with their conversions, on both
 * sides. CUDA math API, "FP8 Intrinsics".
 */
/* The guard is the one that programs test for. */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus)

#define __CUDA_FP8_TYPES_EXIST__ 1

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/* What is too large becomes the largest number, or infinity (e4m3: NaN). */
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3,
    __NV_E5M2
} __nv_fp8_interpretation_t;

/* To nearest, ties to even; rounded once. */
WEFT_HALF_FN __nv_fp8_storage_t
__nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                       const __nv_fp8_interpretation_t kind)
{
    const bool is_e4m3 = kind == __NV_E4M3;
    const int fraction_bits = is_e4m3 ? 3 : 2;
    const int least_exponent = is_e4m3 ? -6 : -14;
    const unsigned int largest = is_e4m3 ? 0x7eu : 0x7bu;
    const unsigned int beyond = is_e4m3 ? 0x7fu : 0x7cu;
    unsigned long long u;
    __builtin_memcpy(&u, &x, sizeof u);
    unsigned int sign = (unsigned int)(u >> 56 & 0x80u);
    u &= 0x7fffffffffffffffull;
    if (u > 0x7ff0000000000000ull)
        return 0x7fu;
    int exponent = (int)(u >> 52) - 1023;
    if (exponent > 15)
        return (__nv_fp8_storage_t)(sign |
                                    (saturate == __NV_SATFINITE ? largest
                                                                : beyond));
    if (exponent < least_exponent)
        exponent = least_exponent;
    /* in units of the last place, by a power of two */
    unsigned long long scale =
        (unsigned long long)(1023 + fraction_bits - exponent) << 52;
    double magnitude, factor;
    __builtin_memcpy(&magnitude, &u, sizeof u);
    __builtin_memcpy(&factor, &scale, sizeof scale);
    unsigned int units = (unsigned int)__builtin_rint(magnitude * factor);
    unsigned int bits =
        ((unsigned int)(exponent - least_exponent) << fraction_bits) + units;
    if (bits > largest)
        bits = saturate == __NV_SATFINITE ? largest : beyond;
    return (__nv_fp8_storage_t)(sign | bits);
}
WEFT_HALF_FN __nv_fp8_storage_t
__nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                      const __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_double_to_fp8((double)x, saturate, kind);
}
WEFT_HALF_FN __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                        const __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(weft_half_float(x.x), saturate, kind);
}
WEFT_HALF_FN __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
    const __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(weft_bfloat16_float(x.x), saturate, kind);
}

/* The first of a pair is the lower byte. */
#define WEFT_PAIR_TO(name, pair, element)                                      \
    WEFT_HALF_FN __nv_fp8x2_storage_t __nv_cvt_##name##2_to_fp8x2(             \
        const pair x, const __nv_saturation_t saturate,                        \
        const __nv_fp8_interpretation_t kind)                                  \
    {                                                                          \
        element low, high;                                                     \
        weft_split(x, &low, &high);                                            \
        unsigned int second = __nv_cvt_##name##_to_fp8(high, saturate, kind);  \
        return (__nv_fp8x2_storage_t)(second << 8 | __nv_cvt_##name##_to_fp8(  \
                                                        low, saturate, kind)); \
    }
WEFT_HALF_FN void weft_split(const float2 x, float *low, float *high)
{
    *low = x.x, *high = x.y;
}
WEFT_HALF_FN void weft_split(const double2 x, double *low, double *high)
{
    *low = x.x, *high = x.y;
}
WEFT_HALF_FN void weft_split(const __half2_raw x, __half_raw *low,
                             __half_raw *high)
{
    low->x = x.x, high->x = x.y;
}
WEFT_HALF_FN void weft_split(const __nv_bfloat162_raw x, __nv_bfloat16_raw *low,
                             __nv_bfloat16_raw *high)
{
    low->x = x.x, high->x = x.y;
}
WEFT_PAIR_TO(float, float2, float)
WEFT_PAIR_TO(double, double2, double)
WEFT_PAIR_TO(halfraw, __half2_raw, __half_raw)
WEFT_PAIR_TO(bfloat16raw, __nv_bfloat162_raw, __nv_bfloat16_raw)
#undef WEFT_PAIR_TO

/* Every 8-bit number is a half. */
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
WEFT_HALF_FN __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t kind)
{
    __half2_raw result;
    result.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x;
    result.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
    return result;
}
WEFT_HALF_FN float weft_fp8_float(__nv_fp8_storage_t x,
                                  __nv_fp8_interpretation_t kind)
{
    return weft_half_float(__nv_cvt_fp8_to_halfraw(x, kind).x);
}

/* ---- the types ----------------------------------------------------------- */

#define WEFT_HD __host__ __device__
#define WEFT_FROM(self, type, value)                                           \
    explicit WEFT_HD self(const type x) : __x(value)                           \
    {                                                                          \
    }
/* Integers have room in a double, or are too large for either format. */
#define WEFT_FROM_INTEGER(self, type, kind)                                    \
    WEFT_FROM(self, type,                                                      \
              __nv_cvt_double_to_fp8((double)x, __NV_SATFINITE, kind))
#define WEFT_TO_INTEGER(type, name)                                            \
    explicit WEFT_HD operator type() const                                     \
    {                                                                          \
        return (type)weft_float_to_##name(__builtin_truncf((float)*this));     \
    }

#define WEFT_FP8(self, kind)                                                   \
    struct __attribute__((aligned(1))) self {                                  \
        __nv_fp8_storage_t __x;                                                \
        self() = default;                                                      \
        WEFT_FROM(self, __half,                                                \
                  __nv_cvt_halfraw_to_fp8((__half_raw)x, __NV_SATFINITE,       \
                                          kind))                               \
        WEFT_FROM(self, __nv_bfloat16,                                         \
                  __nv_cvt_bfloat16raw_to_fp8((__nv_bfloat16_raw)x,            \
                                              __NV_SATFINITE, kind))           \
        WEFT_FROM(self, double,                                                \
                  __nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind))             \
        WEFT_FROM(self, float, __nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) \
        WEFT_FROM_INTEGER(self, short, kind)                                   \
        WEFT_FROM_INTEGER(self, unsigned short, kind)                          \
        WEFT_FROM_INTEGER(self, int, kind)                                     \
        WEFT_FROM_INTEGER(self, unsigned int, kind)                            \
        WEFT_FROM_INTEGER(self, long, kind)                                    \
        WEFT_FROM_INTEGER(self, unsigned long, kind)                           \
        WEFT_FROM_INTEGER(self, long long, kind)                               \
        WEFT_FROM_INTEGER(self, unsigned long long, kind)                      \
        explicit WEFT_HD operator __half() const                               \
        {                                                                      \
            return __half(__nv_cvt_fp8_to_halfraw(__x, kind));                 \
        }                                                                      \
        explicit WEFT_HD operator float() const                                \
        {                                                                      \
            return weft_fp8_float(__x, kind);                                  \
        }                                                                      \
        explicit WEFT_HD operator double() const                               \
        {                                                                      \
            return (double)weft_fp8_float(__x, kind);                          \
        }                                                                      \
        explicit WEFT_HD operator __nv_bfloat16() const                        \
        {                                                                      \
            return __float2bfloat16(weft_fp8_float(__x, kind));                \
        }                                                                      \
        explicit WEFT_HD operator bool() const                                 \
        {                                                                      \
            return (__x & 0x7fu) != 0;                                         \
        }                                                                      \
        WEFT_TO_INTEGER(char, int)                                             \
        WEFT_TO_INTEGER(signed char, int)                                      \
        WEFT_TO_INTEGER(unsigned char, uint)                                   \
        WEFT_TO_INTEGER(short, short)                                          \
        WEFT_TO_INTEGER(unsigned short, ushort)                                \
        WEFT_TO_INTEGER(int, int)                                              \
        WEFT_TO_INTEGER(unsigned int, uint)                                    \
        WEFT_TO_INTEGER(long, ll)                                              \
        WEFT_TO_INTEGER(unsigned long, ull)                                    \
        WEFT_TO_INTEGER(long long, ll)                                         \
        WEFT_TO_INTEGER(unsigned long long, ull)                               \
    };
#if __cplusplus >= 201103L
WEFT_FP8(__nv_fp8_e4m3, __NV_E4M3)
WEFT_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef WEFT_FP8
#undef WEFT_TO_INTEGER
#undef WEFT_FROM_INTEGER

#define WEFT_FP8X2(self, kind)                                                 \
    struct __attribute__((aligned(2))) self {                                  \
        __nv_fp8x2_storage_t __x;                                              \
        self() = default;                                                      \
        WEFT_FROM(self, __half2,                                               \
                  __nv_cvt_halfraw2_to_fp8x2((__half2_raw)x, __NV_SATFINITE,   \
                                             kind))                            \
        WEFT_FROM(self, __nv_bfloat162,                                        \
                  __nv_cvt_bfloat16raw2_to_fp8x2((__nv_bfloat162_raw)x,        \
                                                 __NV_SATFINITE, kind))        \
        WEFT_FROM(self, float2,                                                \
                  __nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind))           \
        WEFT_FROM(self, double2,                                               \
                  __nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind))          \
        explicit WEFT_HD operator __half2() const                              \
        {                                                                      \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));             \
        }                                                                      \
        explicit WEFT_HD operator float2() const                               \
        {                                                                      \
            return __half22float2((__half2) * this);                           \
        }                                                                      \
    };
WEFT_FP8X2(__nv_fp8x2_e4m3, __NV_E4M3)
WEFT_FP8X2(__nv_fp8x2_e5m2, __NV_E5M2)
#undef WEFT_FP8X2

WEFT_HALF_FN __nv_fp8x4_storage_t weft_fp8x4(__nv_fp8x2_storage_t low,
                                             __nv_fp8x2_storage_t high)
{
    return (__nv_fp8x4_storage_t)high << 16 | low;
}
#define WEFT_FROM_TWO(self, pair, conversion, kind)                            \
    explicit WEFT_HD self(const pair low, const pair high)                     \
        : __x(weft_fp8x4(conversion(low, __NV_SATFINITE, kind),                \
                         conversion(high, __NV_SATFINITE, kind)))              \
    {                                                                          \
    }
#define WEFT_FP8X4(self, kind)                                                 \
    struct __attribute__((aligned(4))) self {                                  \
        __nv_fp8x4_storage_t __x;                                              \
        self() = default;                                                      \
        WEFT_FROM_TWO(self, __half2, __nv_cvt_halfraw2_to_fp8x2, kind)         \
        WEFT_FROM_TWO(self, __nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp8x2,    \
                      kind)                                                    \
        WEFT_FROM(self, float4,                                                \
                  weft_fp8x4(__nv_cvt_float2_to_fp8x2(make_float2(x.x, x.y),   \
                                                      __NV_SATFINITE, kind),   \
                             __nv_cvt_float2_to_fp8x2(make_float2(x.z, x.w),   \
                                                      __NV_SATFINITE, kind)))  \
        WEFT_FROM(self, double4,                                               \
                  weft_fp8x4(__nv_cvt_double2_to_fp8x2(make_double2(x.x, x.y), \
                                                       __NV_SATFINITE, kind),  \
                             __nv_cvt_double2_to_fp8x2(make_double2(x.z, x.w), \
                                                       __NV_SATFINITE, kind))) \
        explicit WEFT_HD operator float4() const                               \
        {                                                                      \
            return make_float4(                                                \
                weft_fp8_float((__nv_fp8_storage_t)__x, kind),                 \
                weft_fp8_float((__nv_fp8_storage_t)(__x >> 8), kind),          \
                weft_fp8_float((__nv_fp8_storage_t)(__x >> 16), kind),         \
                weft_fp8_float((__nv_fp8_storage_t)(__x >> 24), kind));        \
        }                                                                      \
    };
WEFT_FP8X4(__nv_fp8x4_e4m3, __NV_E4M3)
WEFT_FP8X4(__nv_fp8x4_e5m2, __NV_E5M2)
#undef WEFT_FP8X4
#undef WEFT_FROM_TWO
#endif
#undef WEFT_FROM
#undef WEFT_HD

#endif /* __cplusplus */
#endif
