/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_runtime.h, which comes by itself, declares all of this. */
#ifndef WEFT_SM_32_INTRINSICS_H
#define WEFT_SM_32_INTRINSICS_H

#include "host_defines.h"

#endif
