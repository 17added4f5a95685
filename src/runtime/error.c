/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last error of each host thread, and what errors are called. An error
 * that sticks to the context (a kernel failed) is reported by every call. Once
 * one has reported it, reading the last error does not clear it; before, it is
 * none: a kernel that fails at once must not look like a launch that failed.
 */
#include "runtime/internal.h"

static __thread cudaError_t last_error;
static __thread bool has_seen_sticky;

cudaError_t rt_return(cudaError_t err)
{
    if (err == cudaSuccess || err == cudaErrorNotReady)
        return err;
    last_error = err;
    has_seen_sticky = err == rt_sticky();
    return err;
}

cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t sticky = has_seen_sticky ? rt_sticky() : cudaSuccess;
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
