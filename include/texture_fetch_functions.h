/* SPDX-License-Identifier: Apache-2.0 */
/* Fetches through texture references; cuda_runtime.h has them. */
#ifndef WEFT_TEXTURE_FETCH_FUNCTIONS_H
#define WEFT_TEXTURE_FETCH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
