/* SPDX-License-Identifier: Apache-2.0 */
/* Signals to external semaphores and waits for them, in stream order. */
#include "driver/internal.h"

CUresult cuSignalExternalSemaphoresAsync(
    const CUexternalSemaphore *extSemArray,
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
    unsigned int numExtSems, CUstream stream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(stream, &ctx, &s);
    return err ? err : external_signal(s, extSemArray, paramsArray, numExtSems);
}

CUresult cuWaitExternalSemaphoresAsync(
    const CUexternalSemaphore *extSemArray,
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
    unsigned int numExtSems, CUstream stream)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(stream, &ctx, &s);
    return err ? err : external_wait(s, extSemArray, paramsArray, numExtSems);
}
