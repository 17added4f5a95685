/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point numbers and the bits that they are stored as. Pure functions.
 */
#ifndef WEFT_BASE_BITS_H
#define WEFT_BASE_BITS_H

#include <stdint.h>
#include <string.h>

/* A number's bits, a NaN's payload among them. */
static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The number that is stored so. */
static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The same of doubles. */
static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The same of doubles. */
static inline double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The nearest half's bits; of two the even one. */
static inline uint16_t bits_of_half(float value)
{
    _Float16 half = (_Float16)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
}

/* A half's value, exactly. */
static inline float half_of_bits(uint16_t bits)
{
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return (float)half;
}

/* The nearest bfloat16's bits, of two the even one; 0x7fff of a NaN. */
static inline uint16_t bits_of_bfloat(float value)
{
    uint32_t bits = bits_of_float(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* A bfloat16's value, exactly. */
static inline float bfloat_of_bits(uint16_t bits)
{
    return float_of_bits((uint32_t)bits << 16);
}

#endif
