/* SPDX-License-Identifier: Apache-2.0 */
/* Signals to external semaphores and waits for them, in stream order. The first
 * forms, with other structures, are in no toolkit's library any more. */
#include "runtime/internal.h"

#undef cudaSignalExternalSemaphoresAsync
#undef cudaWaitExternalSemaphoresAsync

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define SECOND(name) name##_v2_ptsz
#else
#define SECOND(name) name##_v2
#endif

cudaError_t SECOND(cudaSignalExternalSemaphoresAsync)(
    const cudaExternalSemaphore_t *extSemArray,
    const struct cudaExternalSemaphoreSignalParams *paramsArray,
    unsigned int numExtSems, cudaStream_t stream);
cudaError_t SECOND(cudaWaitExternalSemaphoresAsync)(
    const cudaExternalSemaphore_t *extSemArray,
    const struct cudaExternalSemaphoreWaitParams *paramsArray,
    unsigned int numExtSems, cudaStream_t stream);

cudaError_t SECOND(cudaSignalExternalSemaphoresAsync)(
    const cudaExternalSemaphore_t *extSemArray,
    const struct cudaExternalSemaphoreSignalParams *paramsArray,
    unsigned int numExtSems, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(external_signal(
            s, (const CUexternalSemaphore *)extSemArray,
            (const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *)paramsArray,
            numExtSems));
    return rt_return(err);
}

cudaError_t SECOND(cudaWaitExternalSemaphoresAsync)(
    const cudaExternalSemaphore_t *extSemArray,
    const struct cudaExternalSemaphoreWaitParams *paramsArray,
    unsigned int numExtSems, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(external_wait(
            s, (const CUexternalSemaphore *)extSemArray,
            (const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *)paramsArray,
            numExtSems));
    return rt_return(err);
}
