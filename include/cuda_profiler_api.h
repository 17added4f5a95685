/* SPDX-License-Identifier: Apache-2.0 */
/* cudaProfilerStart() and cudaProfilerStop() in a header of their own. */
#ifndef WEFT_CUDA_PROFILER_API_H
#define WEFT_CUDA_PROFILER_API_H
/* Programs ask for this name to know whether the header was included. */
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime_api.h"

#endif
