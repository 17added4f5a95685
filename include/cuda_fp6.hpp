/* SPDX-License-Identifier: Apache-2.0 */
/* All in the header of the same name that ends in .h. */
#ifndef WEFT_CUDA_FP6_HPP
#define WEFT_CUDA_FP6_HPP

#include "cuda_fp6.h"

#endif
