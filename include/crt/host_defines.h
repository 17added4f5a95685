/* SPDX-License-Identifier: Apache-2.0 */
/* The words that CUDA adds to C. */
#ifndef WEFT_CRT_HOST_DEFINES_H
#define WEFT_CRT_HOST_DEFINES_H

#include "../host_defines.h"

#endif
