/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Old programs include this name for the runtime functions that kernels may
 * call; those are declared with the device side of cuda_runtime.h.
 */
#ifndef WEFT_CUDA_DEVICE_RUNTIME_API_H
#define WEFT_CUDA_DEVICE_RUNTIME_API_H

#include "driver_types.h"
#include "host_defines.h"

#endif
