/* SPDX-License-Identifier: Apache-2.0 */
/* Launching kernels. */
#include "runtime/internal.h"

/* The kernel in the stream's context, which need not be the current one, nor of
 * its device. */
static cudaError_t find_kernel(const void *func, CUcontext current,
                               CUcontext of_stream, CUfunction *out)
{
    if (of_stream == current)
        return rt_function(func, out);
    if (!ctx_push(of_stream))
        return cudaErrorMemoryAllocation;
    cudaError_t err = rt_function(func, out);
    ctx_pop();
    return err;
}

static cudaError_t launch_function(const void *func,
                                   struct launch_config config,
                                   cudaStream_t stream, void **args)
{
    CUcontext ctx;
    CUfunction f;
    cudaError_t err = rt_stream(stream, &ctx, &config.stream);
    if (!err)
        err = find_kernel(func, ctx, stream_context(config.stream), &f);
    config.kern = (CUkernel)func;
    if (!err)
        err = rt_error(launch_kernel(f, &config, args, NULL, 0));
    return err;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem, cudaStream_t stream)
{
    cudaError_t err = rt_check_dimensions(gridDim, blockDim, stream);
    if (!err)
        err = launch_function(func, rt_config(gridDim, blockDim, sharedMem),
                              stream, args);
    return rt_return(err);
}

/* Called by compilers' code with a handle from __cudaGetKernel, or any other.
 */
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim,
                               void **args, size_t sharedMem,
                               cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, gridDim, blockDim, args,
                            sharedMem, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    cudaError_t err = rt_check_dimensions(gridDim, blockDim, stream);
    if (err)
        return rt_return(err);
    struct launch_config config = rt_config(gridDim, blockDim, sharedMem);
    config.is_cooperative = true;
    return rt_return(launch_function(func, config, stream, args));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args)
{
    struct launch_config c;
    cudaError_t err = rt_read_config(config, &c);
    if (!err)
        err = launch_function(func, c, config->stream, args);
    return rt_return(err);
}
