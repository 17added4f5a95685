/* SPDX-License-Identifier: Apache-2.0 */
/* All in cuda_awbarrier_primitives.h. */
#include "cuda_awbarrier_primitives.h"
