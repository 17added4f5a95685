/* SPDX-License-Identifier: Apache-2.0 */
/* What differs from platform to platform in the runtime API: nothing here. */
#ifndef WEFT_CUDART_PLATFORM_H
#define WEFT_CUDART_PLATFORM_H

#include "cuda_runtime_api.h"

#endif
