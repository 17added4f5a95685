/* SPDX-License-Identifier: Apache-2.0 */
/* Types of device code that need no device compiler. */
#ifndef WEFT_DEVICE_TYPES_H
#define WEFT_DEVICE_TYPES_H

#include "host_defines.h"

enum cudaRoundMode {
    cudaRoundNearest = 0,
    cudaRoundZero = 1,
    cudaRoundPosInf = 2,
    cudaRoundMinInf = 3
};

#endif
