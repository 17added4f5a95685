/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to the context: the calling thread's current one, or else the primary
 * one of its device, made at the first call that needs it. Refused inside host
 * functions of streams.
 */
#include "runtime/internal.h"

static __thread bool is_in_host_function;

cudaError_t rt_context(CUcontext *out)
{
    if (is_in_host_function)
        return cudaErrorNotPermitted;
    return rt_error(ctx_of_thread(out));
}

cudaError_t rt_choose_device(int device)
{
    return is_in_host_function ? cudaErrorNotPermitted
                               : rt_error(ctx_choose_device(device));
}

cudaError_t rt_sticky(void)
{
    return rt_error(ctx_sticky_of_thread());
}

void rt_call_host_function(void (*fn)(void *data), void *data)
{
    is_in_host_function = true;
    fn(data);
    is_in_host_function = false;
}
