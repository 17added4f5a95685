/* SPDX-License-Identifier: Apache-2.0 */
/* Launching kernels. */
#include "runtime/internal.h"

static cudaError_t launch(const void *func, struct launch_config config,
                          cudaStream_t stream, void **args)
{
    CUcontext ctx;
    CUfunction f;
    cudaError_t err = rt_stream(stream, &ctx, &config.stream);
    if (!err)
        err = rt_function(func, &f);
    if (!err)
        err = rt_error(launch_kernel(f, &config, args, NULL, 0));
    return err;
}

static struct launch_config config_of(dim3 grid, dim3 block, size_t shared)
{
    return (struct launch_config){
        .grid = {grid.x, grid.y, grid.z},
        .block = {block.x, block.y, block.z},
        .shared_bytes = shared,
    };
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem, cudaStream_t stream)
{
    cudaError_t err = rt_check_dimensions(gridDim, blockDim);
    if (!err)
        err =
            launch(func, config_of(gridDim, blockDim, sharedMem), stream, args);
    return rt_return(err);
}

/* A kernel's handle is the address of its host function, see function.c. */
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
    cudaError_t err = rt_check_dimensions(gridDim, blockDim);
    if (err)
        return rt_return(err);
    struct launch_config config = config_of(gridDim, blockDim, sharedMem);
    config.is_cooperative = true;
    return rt_return(launch(func, config, stream, args));
}

/* Attributes that only say how a launch might be faster may be ignored; one
 * that says what it means may not. */
static cudaError_t apply_attribute(struct launch_config *config,
                                   const cudaLaunchAttribute *a)
{
    switch (a->id) {
    case cudaLaunchAttributeCooperative:
        config->is_cooperative = a->val.cooperative != 0;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        return a->val.clusterDim.x == 1 && a->val.clusterDim.y == 1 &&
                       a->val.clusterDim.z == 1
                   ? cudaSuccess
                   : cudaErrorNotSupported;
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
        return cudaSuccess;
    case cudaLaunchAttributePreferredClusterDimension:
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args)
{
    if (!config || (config->numAttrs && !config->attrs))
        return rt_return(cudaErrorInvalidValue);
    struct launch_config c =
        config_of(config->gridDim, config->blockDim, config->dynamicSmemBytes);
    cudaError_t err = rt_check_dimensions(config->gridDim, config->blockDim);
    for (unsigned i = 0; i < config->numAttrs && !err; i++)
        err = apply_attribute(&c, &config->attrs[i]);
    if (!err)
        err = launch(func, c, config->stream, args);
    return rt_return(err);
}
