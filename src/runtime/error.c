/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last error of each host thread, and what errors are called. An error
 * that sticks to the context (a kernel failed) is reported by every call,
 * and reading it does not clear it.
 */
#include "runtime/internal.h"

static __thread cudaError_t last_error;

cudaError_t rt_return(cudaError_t err)
{
    if (err != cudaSuccess && err != cudaErrorNotReady)
        last_error = err;
    return err;
}

cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t sticky = rt_sticky();
    return sticky ? sticky : last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t err = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return err;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return error_name((int)error);
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error_text((int)error);
}
