/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names from the time when a context belonged to a host thread, and the launch
 * in three steps that compilers emitted then: configure, pass arguments,
 * launch.
 */
#include "runtime/internal.h"

cudaError_t cudaThreadExit(void)
{
    return rt_forward(cudaDeviceReset());
}

cudaError_t cudaThreadSynchronize(void)
{
    return rt_forward(cudaDeviceSynchronize());
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return rt_forward(cudaDeviceSetLimit(limit, value));
}

cudaError_t cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit)
{
    return rt_forward(cudaDeviceGetLimit(pValue, limit));
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    return rt_forward(cudaDeviceGetCacheConfig(pCacheConfig));
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    return rt_forward(cudaDeviceSetCacheConfig(cacheConfig));
}

/* Nothing to convert: the device has doubles. */
cudaError_t cudaSetDoubleForDevice(double *d)
{
    return rt_return(d ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaSetDoubleForHost(double *d)
{
    return rt_return(d ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- a launch in three steps --------------------------------------------- */

#define ARGUMENTS_BYTES_MAX 4096

static __thread struct {
    bool is_configured;
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    size_t argument_bytes;
    unsigned char arguments[ARGUMENTS_BYTES_MAX];
} pending;

cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                              cudaStream_t stream)
{
    cudaError_t err = rt_check_dimensions(gridDim, blockDim, stream);
    if (err)
        return rt_return(err);
    pending.is_configured = true;
    pending.grid = gridDim;
    pending.block = blockDim;
    pending.shared_bytes = sharedMem;
    pending.stream = stream;
    pending.argument_bytes = 0;
    return rt_return(cudaSuccess);
}

cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset)
{
    if (!arg || offset > ARGUMENTS_BYTES_MAX ||
        size > ARGUMENTS_BYTES_MAX - offset)
        return rt_return(cudaErrorInvalidValue);
    memcpy(pending.arguments + offset, arg, size);
    if (pending.argument_bytes < offset + size)
        pending.argument_bytes = offset + size;
    return rt_return(cudaSuccess);
}

cudaError_t cudaLaunch(const void *func)
{
    CUcontext ctx;
    CUfunction f;
    struct launch_config config = {
        .grid = {pending.grid.x, pending.grid.y, pending.grid.z},
        .block = {pending.block.x, pending.block.y, pending.block.z},
        .shared_bytes = pending.shared_bytes,
    };
    if (!pending.is_configured)
        return rt_return(cudaErrorMissingConfiguration);
    pending.is_configured = false;
    cudaError_t err = rt_stream(pending.stream, &ctx, &config.stream);
    if (!err)
        err = rt_function(func, &f);
    if (!err)
        err = rt_error(launch_kernel(f, &config, NULL, pending.arguments,
                                     pending.argument_bytes));
    return rt_return(err);
}
