/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last error of each host thread; names and texts of errors. When a kernel
 * has failed, its context has a sticky error, which each call that needs the
 * context returns. It becomes a thread's last error when a call of that thread
 * has returned it.
 */
#include "runtime/internal.h"

#include "core/error_log.h"

static __thread cudaError_t last_error;

/* The outermost call that forwards to another. */
static __thread struct {
    const char *name;
    unsigned depth;
} forward;

void rt_begin_forward(const char *name)
{
    if (forward.depth++ == 0)
        forward.name = name;
}

cudaError_t rt_end_forward(cudaError_t err)
{
    forward.depth--;
    return err;
}

cudaError_t(rt_return)(const char *name, cudaError_t err)
{
    if (err == cudaSuccess || err == cudaErrorNotReady)
        return err;
    if (ctx_is_in_host_function())
        err = cudaErrorNotPermitted; /* whatever else is wrong */
    if (forward.depth)
        name = forward.name;
    if (err == cudaErrorNotSupported)
        explain_not_supported(name);
    error_log_return(name, err, cudaGetErrorName(err));
    last_error = err;
    return err;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t err = last_error;
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
