/* SPDX-License-Identifier: Apache-2.0 */
/* All in cuda_pipeline_primitives.h. */
#include "cuda_pipeline_primitives.h"
