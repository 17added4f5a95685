/* SPDX-License-Identifier: Apache-2.0 */
/* All in the header of the same name that ends in .h. */
#ifndef WEFT_CUDA_FP4_HPP
#define WEFT_CUDA_FP4_HPP

#include "cuda_fp4.h"

#endif
