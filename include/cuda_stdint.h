/* SPDX-License-Identifier: Apache-2.0 */
/* The integer types, by the name that CUPTI uses. */
#ifndef WEFT_CUDA_STDINT_H
#define WEFT_CUDA_STDINT_H

#include <stdint.h>

#endif
