/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's header has what depends on the platform; nothing here does. */
#ifndef WEFT_CUDART_PLATFORM_H
#define WEFT_CUDART_PLATFORM_H

#include "cuda_runtime_api.h"

#endif
