/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of 16 bits, by way of float. */
#ifndef WEFT_CUSPARSE_HALVES_H
#define WEFT_CUSPARSE_HALVES_H

#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A half's exponent and fraction, at their places in a float, are 2^112 too
 * small; so are its denormals. */
static inline float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t rest = (uint32_t)(h & 0x7fff) << 13;
    if (rest >= 0x0f800000)
        return float_of_bits(sign | rest | 0x7f800000);
    float magnitude = float_of_bits(rest) * 0x1p112f;
    return sign ? -magnitude : magnitude;
}

static inline uint16_t half_from_float(float f)
{
    _Float16 h = (_Float16)f;
    uint16_t bits;
    memcpy(&bits, &h, sizeof bits);
    return bits;
}

static inline float bfloat_to_float(uint16_t b)
{
    return float_of_bits((uint32_t)b << 16);
}

/* To nearest, ties to even. */
static inline uint16_t bfloat_from_float(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    if ((u & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

#endif
