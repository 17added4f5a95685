/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating point in 4, 6 and 8 bits as bits, to and from wider numbers, on
 * both sides. A format is a few numbers; cuda_fp4.h, cuda_fp6.h and cuda_fp8.h
 * say which. Included by those.
 */
#ifndef WEFT_NARROW_BITS_H
#define WEFT_NARROW_BITS_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../device_types.h"

struct weft_format {
    int fraction_bits, least_exponent;
    unsigned int sign;    /* its bit */
    unsigned int largest; /* number */
    unsigned int beyond;  /* what is larger becomes this, or the largest */
    unsigned int nan;     /* what NaN becomes */
};

/* Rounded once; a finite result for what is too large, if asked for. */
WEFT_HALF_FN unsigned int weft_minifloat(const double x,
                                         const struct weft_format f,
                                         const bool is_finite,
                                         const enum cudaRoundMode mode)
{
    const unsigned int too_large = is_finite ? f.largest : f.beyond;
    const int largest_exponent =
        (int)(f.largest >> f.fraction_bits) - 1 + f.least_exponent;
    unsigned long long u;
    __builtin_memcpy(&u, &x, sizeof u);
    const bool is_negative = (u >> 63) != 0;
    unsigned int sign = is_negative ? f.sign : 0;
    u &= 0x7fffffffffffffffull;
    if (u > 0x7ff0000000000000ull)
        return f.nan;
    int exponent = (int)(u >> 52) - 1023;
    if (exponent > largest_exponent)
        return sign | too_large;
    if (exponent < f.least_exponent)
        exponent = f.least_exponent;
    /* in units of the last place, by a power of two */
    unsigned long long scale =
        (unsigned long long)(1023 + f.fraction_bits - exponent) << 52;
    double magnitude, factor;
    __builtin_memcpy(&magnitude, &u, sizeof u);
    __builtin_memcpy(&factor, &scale, sizeof scale);
    const double exact = magnitude * factor;
    const bool is_away = mode == cudaRoundPosInf ? !is_negative
                                                 : mode == cudaRoundMinInf &&
                                                       is_negative;
    const double whole = mode == cudaRoundNearest ? __builtin_rint(exact)
                         : is_away                ? __builtin_ceil(exact)
                                                  : __builtin_trunc(exact);
    unsigned int bits =
        ((unsigned int)(exponent - f.least_exponent) << f.fraction_bits) +
        (unsigned int)whole;
    return sign | (bits > f.largest ? too_large : bits);
}

/* A number of the format; what is none is for the caller. */
WEFT_HALF_FN float weft_minifloat_value(const unsigned int bits,
                                        const struct weft_format f)
{
    unsigned int magnitude = bits & (f.sign - 1);
    /* the difference of the biases as a factor, right for subnormals too */
    float value =
        weft_bits_float(magnitude << (23 - f.fraction_bits)) *
        weft_bits_float((unsigned int)(253 + f.least_exponent) << 23);
    return bits & f.sign ? -value : value;
}

WEFT_HALF_FN double weft_wide(const __half_raw x)
{
    return (double)weft_half_float(x.x);
}
WEFT_HALF_FN double weft_wide(const __nv_bfloat16_raw x)
{
    return (double)weft_bfloat16_float(x.x);
}
WEFT_HALF_FN double weft_wide(const float x)
{
    return (double)x;
}
WEFT_HALF_FN double weft_wide(const double x)
{
    return x;
}

/* The parts of a pair. */
WEFT_HALF_FN double2 weft_wide2(const double a, const double b)
{
    double2 result;
    result.x = a, result.y = b;
    return result;
}
WEFT_HALF_FN double2 weft_wide(const double2 x)
{
    return x;
}
WEFT_HALF_FN double2 weft_wide(const float2 x)
{
    return weft_wide2((double)x.x, (double)x.y);
}
WEFT_HALF_FN double2 weft_wide(const __half2_raw x)
{
    return weft_wide2((double)weft_half_float(x.x),
                      (double)weft_half_float(x.y));
}
WEFT_HALF_FN double2 weft_wide(const __nv_bfloat162_raw x)
{
    return weft_wide2((double)weft_bfloat16_float(x.x),
                      (double)weft_bfloat16_float(x.y));
}

#endif
