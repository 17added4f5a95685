/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point numbers and their bits. Pure functions. */
#ifndef WEFT_BASE_BITS_H
#define WEFT_BASE_BITS_H

#include <stdint.h>
#include <string.h>

/* A NaN keeps its payload. */
static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A NaN keeps its payload. */
static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The same for double. */
static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The same for double. */
static inline double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bits of the nearest half; ties go to even. */
static inline uint16_t bits_of_half(float value)
{
    _Float16 half = (_Float16)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
}

/* Exact. */
static inline float half_of_bits(uint16_t bits)
{
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return (float)half;
}

/* The bits of the nearest bfloat16; ties go to even. Every NaN gives 0x7fff. */
static inline uint16_t bits_of_bfloat(float value)
{
    uint32_t bits = bits_of_float(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* Exact. */
static inline float bfloat_of_bits(uint16_t bits)
{
    return float_of_bits((uint32_t)bits << 16);
}

#endif
