/* SPDX-License-Identifier: Apache-2.0 */
/* Marks for profilers. They do nothing, as with CUDA when no profiler is
 * attached. */
#include "cudaProfiler.h"

#include "driver/internal.h"

CUresult cuProfilerStart(void)
{
    CUresult err = drv_check_context();
    return err ? err : capture_check_call();
}

CUresult cuProfilerStop(void)
{
    return cuProfilerStart(); /* neither does anything else */
}
