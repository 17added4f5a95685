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

#include "vector_types.h"
#include "vector_functions.h"
#include "weft/half_bits.h"

#define __CUDA_FP16_TYPES_EXIST__ 1

struct __half_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

WEFT_HALF_FN unsigned short weft_half_round(double value)
{
#if defined(__CUDA_ARCH__)
    return __builtin_bit_cast(unsigned short, (_Float16)value);
#else
    return weft_narrow(value, 10, WEFT_ROUND_NEAREST);
#endif
}

WEFT_HALF_FN unsigned short weft_half_round(float value)
{
#if defined(__CUDA_ARCH__)
    return __builtin_bit_cast(unsigned short, (_Float16)value);
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

struct __attribute__((aligned(2))) __half {
    unsigned short __x;

#if __cplusplus >= 201103L
    __half() = default;
#else
    __host__ __device__ __half()
    {
    }
#endif
    __host__ __device__ __half(const __half_raw &raw) : __x(raw.x)
    {
    }
    __host__ __device__ __half &operator=(const __half_raw &raw)
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ operator __half_raw() const
    {
        __half_raw raw;
        raw.x = __x;
        return raw;
    }

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
#define WEFT_FROM(type, wide)                                                  \
    __host__ __device__ __half(const type value)                               \
        : __x(weft_half_round((wide)value))                                    \
    {                                                                          \
    }                                                                          \
    __host__ __device__ __half &operator=(const type value)                    \
    {                                                                          \
        __x = weft_half_round((wide)value);                                    \
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
        return weft_half_float(__x);
    }
#if __cplusplus >= 201103L
    /* The other conversions would make h + 1.0f ambiguous if implicit. */
    __host__ __device__ explicit operator bool() const
    {
        return (__x & 0x7fffu) != 0;
    }
#endif
#endif
};

struct __attribute__((aligned(4))) __half2 {
    __half x, y;

#if __cplusplus >= 201103L
    __half2() = default;
#else
    __host__ __device__ __half2()
    {
    }
#endif
    __host__ __device__ __half2(const __half &a, const __half &b) : x(a), y(b)
    {
    }
    __host__ __device__ __half2(const __half2_raw &raw)
    {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    __host__ __device__ operator __half2_raw() const
    {
        __half2_raw raw;
        raw.x = x.__x;
        raw.y = y.__x;
        return raw;
    }
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

/* Bits. */
WEFT_HALF_FN __half __ushort_as_half(const unsigned short bits)
{
    __half h;
    h.__x = bits;
    return h;
}
WEFT_HALF_FN __half __short_as_half(const short bits)
{
    return __ushort_as_half((unsigned short)bits);
}
WEFT_HALF_FN unsigned short __half_as_ushort(const __half h)
{
    return h.__x;
}
WEFT_HALF_FN short __half_as_short(const __half h)
{
    return (short)h.__x;
}

/* To and from float and double. */
WEFT_HALF_FN __half __float2half(const float f)
{
    return __ushort_as_half(weft_half_round(f));
}
WEFT_HALF_FN __half __float2half_rn(const float f)
{
    return __float2half(f);
}
WEFT_HALF_FN __half __double2half(const double f)
{
    return __ushort_as_half(weft_half_round(f));
}
WEFT_HALF_FN __half __float2half_rz(const float f)
{
    return __ushort_as_half(weft_narrow((double)f, 10, WEFT_ROUND_ZERO));
}
WEFT_HALF_FN __half __float2half_rd(const float f)
{
    return __ushort_as_half(weft_narrow((double)f, 10, WEFT_ROUND_DOWN));
}
WEFT_HALF_FN __half __float2half_ru(const float f)
{
    return __ushort_as_half(weft_narrow((double)f, 10, WEFT_ROUND_UP));
}
WEFT_HALF_FN float __half2float(const __half h)
{
    return weft_half_float(h.__x);
}

/* To and from integers. Every int has room in a double; of 64 bits the low
 * ones only matter to a half that is infinite by then. */
#define WEFT_INTEGER(name, type)                                               \
    WEFT_HALF_FN __half __##name##2half_rn(const type i)                       \
    {                                                                          \
        return __double2half((double)i);                                       \
    }                                                                          \
    WEFT_HALF_FN __half __##name##2half_rz(const type i)                       \
    {                                                                          \
        return __ushort_as_half(                                               \
            weft_narrow((double)i, 10, WEFT_ROUND_ZERO));                      \
    }                                                                          \
    WEFT_HALF_FN __half __##name##2half_rd(const type i)                       \
    {                                                                          \
        return __ushort_as_half(                                               \
            weft_narrow((double)i, 10, WEFT_ROUND_DOWN));                      \
    }                                                                          \
    WEFT_HALF_FN __half __##name##2half_ru(const type i)                       \
    {                                                                          \
        return __ushort_as_half(weft_narrow((double)i, 10, WEFT_ROUND_UP));    \
    }                                                                          \
    WEFT_HALF_FN type __half2##name##_rz(const __half h)                       \
    {                                                                          \
        return weft_half_to_##name(__builtin_truncf(__half2float(h)));         \
    }                                                                          \
    WEFT_HALF_FN type __half2##name##_rn(const __half h)                       \
    {                                                                          \
        return weft_half_to_##name(__builtin_rintf(__half2float(h)));          \
    }                                                                          \
    WEFT_HALF_FN type __half2##name##_rd(const __half h)                       \
    {                                                                          \
        return weft_half_to_##name(__builtin_floorf(__half2float(h)));         \
    }                                                                          \
    WEFT_HALF_FN type __half2##name##_ru(const __half h)                       \
    {                                                                          \
        return weft_half_to_##name(__builtin_ceilf(__half2float(h)));          \
    }
/* Clamped to the type's range; 0 for a NaN (64 bits: the top bit). */
#define WEFT_CLAMP(name, type, least, most, of_nan)                            \
    WEFT_HALF_FN type weft_half_to_##name(const float f)                       \
    {                                                                          \
        if (f != f)                                                            \
            return (type)of_nan;                                               \
        return f <= (float)(least)  ? (type)(least)                            \
               : f >= (float)(most) ? (type)(most)                             \
                                    : (type)f;                                 \
    }
WEFT_CLAMP(short, short, -32768, 32767, 0)
WEFT_CLAMP(ushort, unsigned short, 0, 65535, 0)
WEFT_CLAMP(int, int, -0x7fffffff - 1, 0x7fffffff, 0)
WEFT_CLAMP(uint, unsigned int, 0, 0xffffffffu, 0)
WEFT_CLAMP(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
           (-0x7fffffffffffffffll - 1))
WEFT_CLAMP(ull, unsigned long long, 0, 0xffffffffffffffffull,
           0x8000000000000000ull)
WEFT_INTEGER(short, short)
WEFT_INTEGER(ushort, unsigned short)
WEFT_INTEGER(int, int)
WEFT_INTEGER(uint, unsigned int)
WEFT_INTEGER(ll, long long)
WEFT_INTEGER(ull, unsigned long long)
#undef WEFT_INTEGER
#undef WEFT_CLAMP

/* Pairs. */
WEFT_HALF_FN __half2 make_half2(const __half a, const __half b)
{
    return __half2(a, b);
}
WEFT_HALF_FN __half2 __halves2half2(const __half a, const __half b)
{
    return __half2(a, b);
}
WEFT_HALF_FN __half2 __half2half2(const __half a)
{
    return __half2(a, a);
}
WEFT_HALF_FN __half2 __float2half2_rn(const float f)
{
    return __half2half2(__float2half(f));
}
WEFT_HALF_FN __half2 __floats2half2_rn(const float a, const float b)
{
    return __half2(__float2half(a), __float2half(b));
}
WEFT_HALF_FN __half2 __float22half2_rn(const float2 v)
{
    return __floats2half2_rn(v.x, v.y);
}
WEFT_HALF_FN float2 __half22float2(const __half2 v)
{
    float2 r;
    r.x = __half2float(v.x);
    r.y = __half2float(v.y);
    return r;
}
WEFT_HALF_FN __half __low2half(const __half2 v)
{
    return v.x;
}
WEFT_HALF_FN __half __high2half(const __half2 v)
{
    return v.y;
}
WEFT_HALF_FN float __low2float(const __half2 v)
{
    return __half2float(v.x);
}
WEFT_HALF_FN float __high2float(const __half2 v)
{
    return __half2float(v.y);
}
WEFT_HALF_FN __half2 __low2half2(const __half2 v)
{
    return __half2(v.x, v.x);
}
WEFT_HALF_FN __half2 __high2half2(const __half2 v)
{
    return __half2(v.y, v.y);
}
WEFT_HALF_FN __half2 __lowhigh2highlow(const __half2 v)
{
    return __half2(v.y, v.x);
}
WEFT_HALF_FN __half2 __lows2half2(const __half2 a, const __half2 b)
{
    return __half2(a.x, b.x);
}
WEFT_HALF_FN __half2 __highs2half2(const __half2 a, const __half2 b)
{
    return __half2(a.y, b.y);
}

#define WEFT_H             __half
#define WEFT_H2            __half2
#define WEFT_NATIVE        _Float16
#define WEFT_H_BITS(h)     ((h).__x)
#define WEFT_H_MAKE(bits)  __ushort_as_half(bits)
#define WEFT_H_FLOAT(h)    __half2float(h)
#define WEFT_H_ROUND(v)    __ushort_as_half(weft_half_round(v))
#include "weft/half_arithmetic.h"
#undef WEFT_H
#undef WEFT_H2
#undef WEFT_NATIVE
#undef WEFT_H_BITS
#undef WEFT_H_MAKE
#undef WEFT_H_FLOAT
#undef WEFT_H_ROUND

#define CUDART_ONE_FP16     __ushort_as_half((unsigned short)0x3c00u)
#define CUDART_ZERO_FP16    __ushort_as_half((unsigned short)0x0000u)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_INF_FP16     __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16     __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)

#endif /* __cplusplus */
#endif
