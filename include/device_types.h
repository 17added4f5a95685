/* SPDX-License-Identifier: Apache-2.0 */
/* The rounding modes that CUDA's old conversion functions take. */
#ifndef WEFT_DEVICE_TYPES_H
#define WEFT_DEVICE_TYPES_H

#include "host_defines.h"

enum cudaRoundMode {
    cudaRoundNearest,
    cudaRoundZero,
    cudaRoundPosInf,
    cudaRoundMinInf
};

#endif
