/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One 16-bit floating-point type and its pair: the types themselves and their
 * conversions; half_arithmetic.h, at the end, has the rest. Included once per
 * type, by cuda_fp16.h and cuda_bf16.h, which define
 *   WEFT_H, WEFT_H2         the type and its pair
 *   WEFT_OTHER              the other of the two types
 *   WEFT_RAW, WEFT_RAW2     the same as plain structures of bits
 *   WEFT_N                  what functions call it: half, bfloat16
 *   WEFT_FRACTION_BITS      10 or 7
 *   WEFT_NATIVE             clang's type for it, in device code
 *   WEFT_HAS_CONVERSIONS    whether numbers convert by themselves
 * and the functions weft_N_round (of a float and of a double) and
 * weft_N_float. No include guard on purpose.
 */

#define WEFT_NAME(before, after) WEFT_CAT(WEFT_CAT(before, WEFT_N), after)
#define WEFT_ROUND               WEFT_NAME(weft_, _round)
#define WEFT_FLOAT               WEFT_NAME(weft_, _float)

struct WEFT_RAW {
    unsigned short x;
};
struct __attribute__((aligned(4))) WEFT_RAW2 {
    unsigned short x, y;
};

struct WEFT_OTHER;
struct __attribute__((aligned(2))) WEFT_H {
    unsigned short __x;

#if __cplusplus >= 201103L
    WEFT_H() = default;
#else
    __host__ __device__ WEFT_H()
    {
    }
#endif
    __host__ __device__ WEFT_H(const WEFT_RAW &raw) : __x(raw.x)
    {
    }
    __host__ __device__ WEFT_H &operator=(const WEFT_RAW &raw)
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ operator WEFT_RAW() const
    {
        WEFT_RAW raw;
        raw.x = __x;
        return raw;
    }
    /* A volatile one is read and written by way of its bits. */
    __host__ __device__ volatile WEFT_H &operator=(const WEFT_RAW &raw) volatile
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ volatile WEFT_H &
    operator=(const volatile WEFT_RAW &raw) volatile
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ operator WEFT_RAW() const volatile
    {
        WEFT_RAW raw;
        raw.x = __x;
        return raw;
    }

#if WEFT_HAS_CONVERSIONS
#if __cplusplus >= 201103L
    __host__ __device__ explicit WEFT_H(const struct WEFT_OTHER value);
#endif
#define WEFT_MADE_OF(type, wide)                                               \
    __host__ __device__ WEFT_H(const type value)                               \
        : __x(WEFT_ROUND(wide(value)))                                         \
    {                                                                          \
    }
#define WEFT_FROM(type, wide)                                                  \
    WEFT_MADE_OF(type, wide)                                                   \
    __host__ __device__ WEFT_H &operator=(const type value)                    \
    {                                                                          \
        __x = WEFT_ROUND(wide(value));                                         \
        return *this;                                                          \
    }
    WEFT_FROM(float, float)
    WEFT_FROM(double, double)
    WEFT_FROM(short, float)
    WEFT_FROM(unsigned short, float)
    WEFT_FROM(int, double)
    WEFT_FROM(unsigned int, double)
    WEFT_MADE_OF(long, weft_sticky)
    WEFT_MADE_OF(unsigned long, weft_sticky)
    WEFT_FROM(long long, weft_sticky)
    WEFT_FROM(unsigned long long, weft_sticky)
#undef WEFT_FROM
#undef WEFT_MADE_OF
    __host__ __device__ operator float() const
    {
        return WEFT_FLOAT(__x);
    }
    /* CUDA's conversions, no more and no less: h + 1.0f is ambiguous there,
     * and so is a common type with the other kind of half. */
#define WEFT_TO(type, name)                                                    \
    __host__ __device__ operator type() const                                  \
    {                                                                          \
        return (type)WEFT_CAT(weft_float_to_,                                  \
                              name)(__builtin_truncf(WEFT_FLOAT(__x)));        \
    }
    WEFT_TO(signed char, char)
    WEFT_TO(unsigned char, uchar)
    WEFT_TO(char, char)
    WEFT_TO(short, short)
    WEFT_TO(unsigned short, ushort)
    WEFT_TO(int, int)
    WEFT_TO(unsigned int, uint)
    WEFT_TO(long, ll)
    WEFT_TO(unsigned long, ull)
    WEFT_TO(long long, ll)
    WEFT_TO(unsigned long long, ull)
#undef WEFT_TO
    __host__ __device__ operator bool() const
    {
        return (__x & 0x7fffu) != 0;
    }
#endif
};

struct __attribute__((aligned(4))) WEFT_H2 {
    WEFT_H x, y;

#if __cplusplus >= 201103L
    WEFT_H2() = default;
#else
    __host__ __device__ WEFT_H2()
    {
    }
#endif
    __host__ __device__ WEFT_H2(const WEFT_H &a, const WEFT_H &b) : x(a), y(b)
    {
    }
    __host__ __device__ WEFT_H2(const WEFT_RAW2 &raw)
    {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    __host__ __device__ operator WEFT_RAW2() const
    {
        WEFT_RAW2 raw;
        raw.x = x.__x;
        raw.y = y.__x;
        return raw;
    }
};

/* Bits. */
WEFT_HALF_FN WEFT_H WEFT_NAME(__ushort_as_, )(const unsigned short bits)
{
    WEFT_H h;
    h.__x = bits;
    return h;
}
WEFT_HALF_FN WEFT_H WEFT_NAME(__short_as_, )(const short bits)
{
    WEFT_H h;
    h.__x = (unsigned short)bits;
    return h;
}
WEFT_HALF_FN unsigned short WEFT_NAME(__, _as_ushort)(const WEFT_H h)
{
    return h.__x;
}
WEFT_HALF_FN short WEFT_NAME(__, _as_short)(const WEFT_H h)
{
    return (short)h.__x;
}
#define WEFT_MAKE(bits) WEFT_NAME(__ushort_as_, )(bits)

/* To and from float and double. */
WEFT_HALF_FN WEFT_H WEFT_NAME(__float2, )(const float f)
{
    return WEFT_MAKE(WEFT_ROUND(f));
}
WEFT_HALF_FN WEFT_H WEFT_NAME(__float2, _rn)(const float f)
{
    return WEFT_MAKE(WEFT_ROUND(f));
}
WEFT_HALF_FN WEFT_H WEFT_NAME(__double2, )(const double f)
{
    return WEFT_MAKE(WEFT_ROUND(f));
}
WEFT_HALF_FN float WEFT_NAME(__, 2float)(const WEFT_H h)
{
    return WEFT_FLOAT(h.__x);
}
#define WEFT_FROM_FLOAT(mode, rounding)                                        \
    WEFT_HALF_FN WEFT_H WEFT_NAME(__float2, _##mode)(const float f)            \
    {                                                                          \
        return WEFT_MAKE(                                                      \
            weft_narrow((double)f, WEFT_FRACTION_BITS, rounding));             \
    }
WEFT_FROM_FLOAT(rz, WEFT_ROUND_ZERO)
WEFT_FROM_FLOAT(rd, WEFT_ROUND_DOWN)
WEFT_FROM_FLOAT(ru, WEFT_ROUND_UP)
#undef WEFT_FROM_FLOAT

/* From integers: every one of 32 bits has room in a double, of 64 bits the
 * low ones count as one. */
#define WEFT_FROM_INTEGER(name, type, mode, rounding)                          \
    WEFT_HALF_FN WEFT_H WEFT_NAME(__##name##2, _##mode)(const type i)          \
    {                                                                          \
        return WEFT_MAKE(                                                      \
            weft_narrow(weft_sticky(i), WEFT_FRACTION_BITS, rounding));        \
    }
/* To integers: clamped to the type's range, and what a NaN becomes. */
#define WEFT_TO_INTEGER(name, type, mode, rounding)                            \
    WEFT_HALF_FN type WEFT_NAME(__, 2##name##_##mode)(const WEFT_H h)          \
    {                                                                          \
        return WEFT_CAT(weft_float_to_, name)(rounding(WEFT_FLOAT(h.__x)));    \
    }
#define WEFT_INTEGER(name, type)                                               \
    WEFT_FROM_INTEGER(name, type, rn, WEFT_ROUND_NEAREST)                      \
    WEFT_FROM_INTEGER(name, type, rz, WEFT_ROUND_ZERO)                         \
    WEFT_FROM_INTEGER(name, type, rd, WEFT_ROUND_DOWN)                         \
    WEFT_FROM_INTEGER(name, type, ru, WEFT_ROUND_UP)                           \
    WEFT_TO_INTEGER(name, type, rn, __builtin_rintf)                           \
    WEFT_TO_INTEGER(name, type, rz, __builtin_truncf)                          \
    WEFT_TO_INTEGER(name, type, rd, __builtin_floorf)                          \
    WEFT_TO_INTEGER(name, type, ru, __builtin_ceilf)
WEFT_INTEGER(short, short)
WEFT_INTEGER(ushort, unsigned short)
WEFT_INTEGER(int, int)
WEFT_INTEGER(uint, unsigned int)
WEFT_INTEGER(ll, long long)
WEFT_INTEGER(ull, unsigned long long)
WEFT_TO_INTEGER(char, signed char, rz, __builtin_truncf)
WEFT_TO_INTEGER(uchar, unsigned char, rz, __builtin_truncf)
#undef WEFT_INTEGER
#undef WEFT_TO_INTEGER
#undef WEFT_FROM_INTEGER

/* Pairs. */
#define WEFT_PAIR_FN WEFT_HALF_FN WEFT_H2
WEFT_PAIR_FN WEFT_NAME(make_, 2)(const WEFT_H a, const WEFT_H b)
{
    return WEFT_H2(a, b);
}
WEFT_PAIR_FN WEFT_CAT(WEFT_NAME(__halves2, ), 2)(const WEFT_H a, const WEFT_H b)
{
    return WEFT_H2(a, b);
}
WEFT_PAIR_FN WEFT_CAT(WEFT_NAME(__, 2), WEFT_CAT(WEFT_N, 2))(const WEFT_H a)
{
    return WEFT_H2(a, a);
}
WEFT_PAIR_FN WEFT_NAME(__float2, 2_rn)(const float f)
{
    WEFT_H h = WEFT_MAKE(WEFT_ROUND(f));
    return WEFT_H2(h, h);
}
WEFT_PAIR_FN WEFT_NAME(__floats2, 2_rn)(const float a, const float b)
{
    return WEFT_H2(WEFT_MAKE(WEFT_ROUND(a)), WEFT_MAKE(WEFT_ROUND(b)));
}
WEFT_PAIR_FN WEFT_NAME(__float22, 2_rn)(const float2 v)
{
    return WEFT_NAME(__floats2, 2_rn)(v.x, v.y);
}
WEFT_HALF_FN float2 WEFT_NAME(__, 22float2)(const WEFT_H2 v)
{
    float2 r;
    r.x = WEFT_FLOAT(v.x.__x);
    r.y = WEFT_FLOAT(v.y.__x);
    return r;
}
WEFT_HALF_FN WEFT_H WEFT_NAME(__low2, )(const WEFT_H2 v)
{
    return v.x;
}
WEFT_HALF_FN WEFT_H WEFT_NAME(__high2, )(const WEFT_H2 v)
{
    return v.y;
}
WEFT_HALF_FN float __low2float(const WEFT_H2 v)
{
    return WEFT_FLOAT(v.x.__x);
}
WEFT_HALF_FN float __high2float(const WEFT_H2 v)
{
    return WEFT_FLOAT(v.y.__x);
}
WEFT_PAIR_FN WEFT_NAME(__low2, 2)(const WEFT_H2 v)
{
    return WEFT_H2(v.x, v.x);
}
WEFT_PAIR_FN WEFT_NAME(__high2, 2)(const WEFT_H2 v)
{
    return WEFT_H2(v.y, v.y);
}
WEFT_PAIR_FN __lowhigh2highlow(const WEFT_H2 v)
{
    return WEFT_H2(v.y, v.x);
}
WEFT_PAIR_FN WEFT_NAME(__lows2, 2)(const WEFT_H2 a, const WEFT_H2 b)
{
    return WEFT_H2(a.x, b.x);
}
WEFT_PAIR_FN WEFT_NAME(__highs2, 2)(const WEFT_H2 a, const WEFT_H2 b)
{
    return WEFT_H2(a.y, b.y);
}
#undef WEFT_PAIR_FN

#define WEFT_H_BITS(h)    ((h).__x)
#define WEFT_H_MAKE(bits) WEFT_MAKE(bits)
#define WEFT_H_FLOAT(h)   WEFT_FLOAT((h).__x)
#define WEFT_H_ROUND(v)   WEFT_MAKE(WEFT_ROUND(v))
#include "half_arithmetic.h"
#undef WEFT_H_BITS
#undef WEFT_H_MAKE
#undef WEFT_H_FLOAT
#undef WEFT_H_ROUND

#undef WEFT_MAKE
#undef WEFT_FLOAT
#undef WEFT_ROUND
#undef WEFT_NAME
#undef WEFT_H
#undef WEFT_H2
#undef WEFT_OTHER
#undef WEFT_RAW
#undef WEFT_RAW2
#undef WEFT_N
#undef WEFT_FRACTION_BITS
#undef WEFT_NATIVE
#undef WEFT_HAS_CONVERSIONS
