/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of 16 bits, as vectors of them can be had. */
#ifndef WEFT_CUSPARSE_HALVES_H
#define WEFT_CUSPARSE_HALVES_H

#include "base/bits.h"

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

#endif
