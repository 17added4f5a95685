/* SPDX-License-Identifier: Apache-2.0 */
/* cudaProfilerStart() and cudaProfilerStop(), under the name of their own. */
#ifndef WEFT_CUDA_PROFILER_API_H
#define WEFT_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
