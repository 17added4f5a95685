/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binary16 and bfloat16 as bits, to and from float, for host code; device
 * code has instructions. Rounding: to nearest even, toward zero, down, up.
 */
#ifndef WEFT_HALF_BITS_H
#define WEFT_HALF_BITS_H

#include "../host_defines.h"

#if defined(__CUDACC__)
#define WEFT_HALF_FN static __host__ __device__ __inline__
#else
#define WEFT_HALF_FN static __inline__
#endif

#define WEFT_CAT_(a, b) a##b
#define WEFT_CAT(a, b)  WEFT_CAT_(a, b)

enum weft_rounding {
    WEFT_ROUND_NEAREST,
    WEFT_ROUND_ZERO,
    WEFT_ROUND_DOWN,
    WEFT_ROUND_UP
};

WEFT_HALF_FN unsigned int weft_float_bits(float f)
{
    unsigned int u;
    __builtin_memcpy(&u, &f, sizeof u);
    return u;
}

WEFT_HALF_FN float weft_bits_float(unsigned int u)
{
    float f;
    __builtin_memcpy(&f, &u, sizeof f);
    return f;
}

/* Whether what `rest` of `one` (the weight of the last kept bit) says makes
 * the magnitude larger. */
WEFT_HALF_FN bool weft_rounds_up(unsigned long long rest,
                                 unsigned long long one, bool is_odd,
                                 bool is_negative, enum weft_rounding mode)
{
    switch (mode) {
    case WEFT_ROUND_NEAREST:
        return rest * 2 > one || (rest * 2 == one && is_odd);
    case WEFT_ROUND_DOWN:
        return rest && is_negative;
    case WEFT_ROUND_UP:
        return rest && !is_negative;
    default:
        return false;
    }
}

/*
 * A double in a format of 16 bits with `fraction_bits` of fraction (10 or 7),
 * rounded once. Overflow gives infinity or the largest number, as the mode
 * says.
 */
WEFT_HALF_FN unsigned short weft_narrow(double value, int fraction_bits,
                                        enum weft_rounding mode)
{
    const int exponent_bits = 15 - fraction_bits;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const unsigned int infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    unsigned long long u;
    __builtin_memcpy(&u, &value, sizeof u);
    bool is_negative = (u >> 63) != 0;
    unsigned int sign = is_negative ? 0x8000u : 0;
    unsigned long long significand = u & 0xfffffffffffffull;
    int exponent = (int)(u >> 52 & 0x7ff);
    if (exponent == 0x7ff)
        return (unsigned short)(significand ? 0x7fffu : sign | infinity);
    if (exponent == 0)
        return (unsigned short)(sign | (weft_rounds_up(significand != 0, 4,
                                                       false, is_negative, mode)
                                            ? 1
                                            : 0));
    significand |= 1ull << 52;
    int to = exponent - 1023 + bias; /* the exponent field it gets */
    int drop = 52 - fraction_bits + (to < 1 ? 1 - to : 0);
    if (drop > 60) {
        significand = 1;
        drop = 60;
    }
    unsigned long long kept = significand >> drop, one = 1ull << drop;
    bool is_up = weft_rounds_up(significand & (one - 1), one, kept & 1,
                                is_negative, mode);
    /* the significand's leading bit adds one to the exponent field */
    unsigned long long magnitude =
        kept + is_up +
        (to < 1 ? 0 : (unsigned long long)(to - 1) << fraction_bits);
    if (magnitude >= infinity) {
        bool is_clamped = mode == WEFT_ROUND_ZERO ||
                          (mode == WEFT_ROUND_DOWN && !is_negative) ||
                          (mode == WEFT_ROUND_UP && is_negative);
        magnitude = is_clamped ? infinity - 1 : infinity;
    }
    return (unsigned short)(sign | (unsigned int)magnitude);
}

/* An integer as a double. What does not fit becomes a last bit that is set, so
 * that rounding once more, to few bits, is right. */
WEFT_HALF_FN double weft_sticky(unsigned long long i)
{
    if (i >> 53)
        i = (i & ~0x1fffull) | ((i & 0x1fffull) ? 0x1000ull : 0);
    return (double)i;
}
WEFT_HALF_FN double weft_sticky(long long i)
{
    return i < 0 ? -weft_sticky(0 - (unsigned long long)i)
                 : weft_sticky((unsigned long long)i);
}
WEFT_HALF_FN double weft_sticky(unsigned long i)
{
    return weft_sticky((unsigned long long)i);
}
WEFT_HALF_FN double weft_sticky(long i)
{
    return weft_sticky((long long)i);
}
#define WEFT_EXACT(type)                                                       \
    WEFT_HALF_FN double weft_sticky(type i)                                    \
    {                                                                          \
        return (double)i;                                                      \
    }
WEFT_EXACT(int)
WEFT_EXACT(unsigned int)
WEFT_EXACT(short)
WEFT_EXACT(unsigned short)
#undef WEFT_EXACT

/* A whole number as an integer: clamped to the type's range; 0 for a NaN, of
 * 64 bits the top bit. */
#define WEFT_CLAMP(name, type, least, most, of_nan)                            \
    WEFT_HALF_FN type weft_float_to_##name(const float f)                      \
    {                                                                          \
        if (f != f)                                                            \
            return (type)of_nan;                                               \
        return f <= (float)(least)  ? (type)(least)                            \
               : f >= (float)(most) ? (type)(most)                             \
                                    : (type)f;                                 \
    }
WEFT_CLAMP(char, signed char, -128, 127, 0)
WEFT_CLAMP(uchar, unsigned char, 0, 255, 0)
WEFT_CLAMP(short, short, -32768, 32767, 0)
WEFT_CLAMP(ushort, unsigned short, 0, 65535, 0)
WEFT_CLAMP(int, int, -0x7fffffff - 1, 0x7fffffff, 0)
WEFT_CLAMP(uint, unsigned int, 0, 0xffffffffu, 0)
WEFT_CLAMP(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
           (-0x7fffffffffffffffll - 1))
WEFT_CLAMP(ull, unsigned long long, 0, 0xffffffffffffffffull,
           0x8000000000000000ull)
#undef WEFT_CLAMP

WEFT_HALF_FN float weft_widen(unsigned short bits, int fraction_bits)
{
    unsigned int sign = (bits & 0x8000u) << 16;
    unsigned int rest = (bits & 0x7fffu) << (23 - fraction_bits);
    const int exponent_bits = 15 - fraction_bits;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    unsigned int infinity = ((1u << exponent_bits) - 1) << 23;
    if (rest >= infinity) /* infinity and NaN */
        return weft_bits_float(sign | 0x7f800000u | (rest - infinity));
    /* the difference of the biases as a product, right for subnormals too */
    if (bias == 127)
        return weft_bits_float(sign | rest);
    float scaled = weft_bits_float(rest) *
                   weft_bits_float((unsigned int)(254 - bias) << 23);
    return weft_bits_float(sign | weft_float_bits(scaled));
}

#endif
