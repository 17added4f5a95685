/* SPDX-License-Identifier: Apache-2.0 */
/* Types of device code that need no device compiler. */
#ifndef WEFT_DEVICE_TYPES_H
#define WEFT_DEVICE_TYPES_H
/* Programs ask for this name to know whether the header was included. */
#define __DEVICE_TYPES_H__

#include "host_defines.h"

enum cudaRoundMode {
    cudaRoundNearest = 0,
    cudaRoundZero = 1,
    cudaRoundPosInf = 2,
    cudaRoundMinInf = 3
};

#endif
