/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the context of a call: the calling thread's current one, or else its
 * device's primary one, which is made when the first call needs it.
 */
#include "runtime/internal.h"

cudaError_t rt_check_permitted(void)
{
    process_await_running();
    return ctx_is_in_host_function() ? cudaErrorNotPermitted : cudaSuccess;
}

cudaError_t rt_context(CUcontext *out)
{
    cudaError_t err = rt_check_permitted();
    if (!err)
        err = rt_error(ctx_of_thread(out));
    return err == cudaErrorContextIsDestroyed ? cudaErrorDeviceUninitialized
                                              : err;
}

cudaError_t rt_context_for(const void *given, CUcontext *out)
{
    cudaError_t err = rt_context(out);
    return err ? err : given ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t rt_check_given(const void *given)
{
    CUcontext ctx;
    return rt_context_for(given, &ctx);
}

cudaError_t rt_check_context(void)
{
    CUcontext ctx;
    return rt_context(&ctx);
}

cudaError_t rt_context_of_any_state(void)
{
    cudaError_t err = rt_check_context();
    return err && err == rt_sticky() ? cudaSuccess : err;
}

cudaError_t rt_choose_device(int device)
{
    cudaError_t err = rt_check_permitted();
    return err ? err : rt_error(ctx_choose_device(device));
}

cudaError_t rt_sticky(void)
{
    return rt_error(ctx_sticky_of_thread());
}
