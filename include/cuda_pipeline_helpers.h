/* SPDX-License-Identifier: Apache-2.0 */
/* An older header's name; its contents are in cuda_pipeline_primitives.h. */
#include "cuda_pipeline_primitives.h"
