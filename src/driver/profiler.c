/* SPDX-License-Identifier: Apache-2.0 */
/* Marks for profilers, of which none listens: without one, CUDA's do nothing
 * either. */
#include "cudaProfiler.h"

#include "driver/internal.h"

CUresult cuProfilerStart(void)
{
    return drv_check_context();
}

CUresult cuProfilerStop(void)
{
    return drv_check_context();
}
