/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_runtime.h, which comes by itself, declares all of this. */
#ifndef WEFT_CRT_SM_70_RT_H
#define WEFT_CRT_SM_70_RT_H

#include "../host_defines.h"

#endif
