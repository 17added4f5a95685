/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last error of each host thread, and what errors are called. An error
 * that sticks to the context (a kernel failed) is reported by every call. Once
 * one has reported it, reading the last error does not clear it; before, it is
 * none: a kernel that fails at once must not look like a launch that failed.
 */
#include "runtime/internal.h"

#include "core/error_log.h"

#include <stdatomic.h>

static __thread cudaError_t last_error;
/* After how many resets a call of this thread has reported one; 0: none. */
static __thread unsigned has_seen_sticky;
static _Atomic unsigned lives = 1; /* of the device */

void rt_forget_errors(void)
{
    atomic_fetch_add(&lives, 1);
}

cudaError_t(rt_return)(const char *name, cudaError_t err)
{
    if (err == cudaSuccess || err == cudaErrorNotReady)
        return err;
    if (err == cudaErrorNotSupported)
        explain_not_supported(name);
    error_log_return(name, err, cudaGetErrorName(err));
    last_error = err;
    if (err == rt_sticky())
        has_seen_sticky = atomic_load_explicit(&lives, memory_order_relaxed);
    return err;
}

cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t sticky = cudaSuccess;
    if (has_seen_sticky == atomic_load_explicit(&lives, memory_order_relaxed))
        sticky = rt_sticky();
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
