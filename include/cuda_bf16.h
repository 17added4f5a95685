/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfloat16: __nv_bfloat16 and __nv_bfloat162, conversions, arithmetic, math.
 * CUDA math API, "Bfloat16 Precision Intrinsics".
 */
/* The guard is the one that programs test for. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#if defined(__cplusplus)

#include "vector_types.h"
#include "vector_functions.h"
#include "weft/half_bits.h"

#define __CUDA_BF16_TYPES_EXIST__ 1

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
    unsigned short x, y;
};

/* A float loses its lower half; the rounding is an addition. */
WEFT_HALF_FN unsigned short weft_bfloat_round(float value)
{
    unsigned int u = weft_float_bits(value);
    unsigned int rounded = u + 0x7fffu + (u >> 16 & 1);
    return (unsigned short)((u & 0x7fffffffu) > 0x7f800000u ? 0x7fffu
                                                            : rounded >> 16);
}

WEFT_HALF_FN unsigned short weft_bfloat_round(double value)
{
    return weft_narrow(value, 7, WEFT_ROUND_NEAREST);
}

WEFT_HALF_FN float weft_bfloat_float(unsigned short bits)
{
    return weft_bits_float((unsigned int)bits << 16);
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;

#if __cplusplus >= 201103L
    __nv_bfloat16() = default;
#else
    __host__ __device__ __nv_bfloat16()
    {
    }
#endif
    __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &raw)
        : __x(raw.x)
    {
    }
    __host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &raw)
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ operator __nv_bfloat16_raw() const
    {
        __nv_bfloat16_raw raw;
        raw.x = __x;
        return raw;
    }

#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define WEFT_FROM(type, wide)                                                  \
    __host__ __device__ __nv_bfloat16(const type value)                        \
        : __x(weft_bfloat_round((wide)value))                                  \
    {                                                                          \
    }                                                                          \
    __host__ __device__ __nv_bfloat16 &operator=(const type value)             \
    {                                                                          \
        __x = weft_bfloat_round((wide)value);                                  \
        return *this;                                                          \
    }
    WEFT_FROM(float, float)
    WEFT_FROM(double, double)
    WEFT_FROM(short, float)
    WEFT_FROM(unsigned short, float)
    WEFT_FROM(int, double)
    WEFT_FROM(unsigned int, double)
    WEFT_FROM(long, double)
    WEFT_FROM(unsigned long, double)
    WEFT_FROM(long long, double)
    WEFT_FROM(unsigned long long, double)
#undef WEFT_FROM
    __host__ __device__ operator float() const
    {
        return weft_bfloat_float(__x);
    }
#if __cplusplus >= 201103L
    __host__ __device__ explicit operator bool() const
    {
        return (__x & 0x7fffu) != 0;
    }
#endif
#endif
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;

#if __cplusplus >= 201103L
    __nv_bfloat162() = default;
#else
    __host__ __device__ __nv_bfloat162()
    {
    }
#endif
    __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &a,
                                       const __nv_bfloat16 &b)
        : x(a), y(b)
    {
    }
    __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &raw)
    {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    __host__ __device__ operator __nv_bfloat162_raw() const
    {
        __nv_bfloat162_raw raw;
        raw.x = x.__x;
        raw.y = y.__x;
        return raw;
    }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WEFT_HALF_FN __nv_bfloat16 __ushort_as_bfloat16(const unsigned short bits)
{
    __nv_bfloat16 h;
    h.__x = bits;
    return h;
}
WEFT_HALF_FN __nv_bfloat16 __short_as_bfloat16(const short bits)
{
    return __ushort_as_bfloat16((unsigned short)bits);
}
WEFT_HALF_FN unsigned short __bfloat16_as_ushort(const __nv_bfloat16 h)
{
    return h.__x;
}
WEFT_HALF_FN short __bfloat16_as_short(const __nv_bfloat16 h)
{
    return (short)h.__x;
}

WEFT_HALF_FN __nv_bfloat16 __float2bfloat16(const float f)
{
    return __ushort_as_bfloat16(weft_bfloat_round(f));
}
WEFT_HALF_FN __nv_bfloat16 __float2bfloat16_rn(const float f)
{
    return __float2bfloat16(f);
}
WEFT_HALF_FN __nv_bfloat16 __double2bfloat16(const double f)
{
    return __ushort_as_bfloat16(weft_bfloat_round(f));
}
#define WEFT_FLOAT_TO(mode, rounding)                                          \
    WEFT_HALF_FN __nv_bfloat16 __float2bfloat16_##mode(const float f)          \
    {                                                                          \
        return __ushort_as_bfloat16(weft_narrow((double)f, 7, rounding));      \
    }
WEFT_FLOAT_TO(rz, WEFT_ROUND_ZERO)
WEFT_FLOAT_TO(rd, WEFT_ROUND_DOWN)
WEFT_FLOAT_TO(ru, WEFT_ROUND_UP)
#undef WEFT_FLOAT_TO
WEFT_HALF_FN float __bfloat162float(const __nv_bfloat16 h)
{
    return weft_bfloat_float(h.__x);
}

/* Integers: clamped to the range, 0 for a NaN (64 bits: the top bit). */
#define WEFT_INTEGER(name, type, least, most, of_nan)                          \
    WEFT_HALF_FN type weft_bfloat_to_##name(const float f)                     \
    {                                                                          \
        if (f != f)                                                            \
            return (type)of_nan;                                               \
        return f <= (float)(least)  ? (type)(least)                            \
               : f >= (float)(most) ? (type)(most)                             \
                                    : (type)f;                                 \
    }                                                                          \
    WEFT_HALF_FN __nv_bfloat16 __##name##2bfloat16_rn(const type i)            \
    {                                                                          \
        return __double2bfloat16((double)i);                                   \
    }                                                                          \
    WEFT_HALF_FN type __bfloat162##name##_rz(const __nv_bfloat16 h)            \
    {                                                                          \
        return weft_bfloat_to_##name(__bfloat162float(h));                     \
    }                                                                          \
    WEFT_HALF_FN type __bfloat162##name##_rn(const __nv_bfloat16 h)            \
    {                                                                          \
        return weft_bfloat_to_##name(__builtin_rintf(__bfloat162float(h)));    \
    }                                                                          \
    WEFT_HALF_FN type __bfloat162##name##_rd(const __nv_bfloat16 h)            \
    {                                                                          \
        return weft_bfloat_to_##name(__builtin_floorf(__bfloat162float(h)));   \
    }                                                                          \
    WEFT_HALF_FN type __bfloat162##name##_ru(const __nv_bfloat16 h)            \
    {                                                                          \
        return weft_bfloat_to_##name(__builtin_ceilf(__bfloat162float(h)));    \
    }
WEFT_INTEGER(short, short, -32768, 32767, 0)
WEFT_INTEGER(ushort, unsigned short, 0, 65535, 0)
WEFT_INTEGER(int, int, -0x7fffffff - 1, 0x7fffffff, 0)
WEFT_INTEGER(uint, unsigned int, 0, 0xffffffffu, 0)
WEFT_INTEGER(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
             (-0x7fffffffffffffffll - 1))
WEFT_INTEGER(ull, unsigned long long, 0, 0xffffffffffffffffull,
             0x8000000000000000ull)
#undef WEFT_INTEGER

WEFT_HALF_FN __nv_bfloat162 make_bfloat162(const __nv_bfloat16 a,
                                           const __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
WEFT_HALF_FN __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 a,
                                               const __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
WEFT_HALF_FN __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a)
{
    return __nv_bfloat162(a, a);
}
WEFT_HALF_FN __nv_bfloat162 __float2bfloat162_rn(const float f)
{
    return __bfloat162bfloat162(__float2bfloat16(f));
}
WEFT_HALF_FN __nv_bfloat162 __floats2bfloat162_rn(const float a, const float b)
{
    return __nv_bfloat162(__float2bfloat16(a), __float2bfloat16(b));
}
WEFT_HALF_FN __nv_bfloat162 __float22bfloat162_rn(const float2 v)
{
    return __floats2bfloat162_rn(v.x, v.y);
}
WEFT_HALF_FN float2 __bfloat1622float2(const __nv_bfloat162 v)
{
    float2 r;
    r.x = __bfloat162float(v.x);
    r.y = __bfloat162float(v.y);
    return r;
}
WEFT_HALF_FN __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 v)
{
    return v.x;
}
WEFT_HALF_FN __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 v)
{
    return v.y;
}
WEFT_HALF_FN float __low2float(const __nv_bfloat162 v)
{
    return __bfloat162float(v.x);
}
WEFT_HALF_FN float __high2float(const __nv_bfloat162 v)
{
    return __bfloat162float(v.y);
}
WEFT_HALF_FN __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 v)
{
    return __nv_bfloat162(v.x, v.x);
}
WEFT_HALF_FN __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 v)
{
    return __nv_bfloat162(v.y, v.y);
}
WEFT_HALF_FN __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 v)
{
    return __nv_bfloat162(v.y, v.x);
}
WEFT_HALF_FN __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 a,
                                             const __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x, b.x);
}
WEFT_HALF_FN __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 a,
                                              const __nv_bfloat162 b)
{
    return __nv_bfloat162(a.y, b.y);
}

#define WEFT_H             __nv_bfloat16
#define WEFT_H2            __nv_bfloat162
#define WEFT_NATIVE        __bf16
#define WEFT_H_BITS(h)     ((h).__x)
#define WEFT_H_MAKE(bits)  __ushort_as_bfloat16(bits)
#define WEFT_H_FLOAT(h)    __bfloat162float(h)
#define WEFT_H_ROUND(v)    __ushort_as_bfloat16(weft_bfloat_round(v))
#include "weft/half_arithmetic.h"
#undef WEFT_H
#undef WEFT_H2
#undef WEFT_NATIVE
#undef WEFT_H_BITS
#undef WEFT_H_MAKE
#undef WEFT_H_FLOAT
#undef WEFT_H_ROUND

#endif /* __cplusplus */
#endif
