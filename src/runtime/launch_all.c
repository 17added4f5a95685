/* SPDX-License-Identifier: Apache-2.0 */
/* A cooperative kernel on several devices at once. */
#include "runtime/internal.h"

/* The host function has a kernel of its own in each device's context. */
static cudaError_t read_part(CUcontext ctx, const struct cudaLaunchParams *p,
                             struct launch_part *out)
{
    *out = (struct launch_part){
        .config = rt_config(p->gridDim, p->blockDim, p->sharedMem),
        .args = p->args,
    };
    cudaError_t err = rt_check_dimensions(p->gridDim, p->blockDim, p->stream);
    if (!err)
        err = rt_error(stream_resolve(ctx, p->stream, &out->config.stream));
    if (err)
        return err;
    if (!ctx_push(stream_context(out->config.stream)))
        return cudaErrorMemoryAllocation;
    err = rt_function(p->func, &out->function);
    ctx_pop();
    return err;
}

cudaError_t cudaLaunchCooperativeKernelMultiDevice(
    struct cudaLaunchParams *launchParamsList, unsigned int numDevices,
    unsigned int flags)
{
    CUcontext ctx;
    struct launch_part parts[DEVICE_COUNT_MAX];
    const unsigned known = cudaCooperativeLaunchMultiDeviceNoPreSync |
                           cudaCooperativeLaunchMultiDeviceNoPostSync;
    if (!launchParamsList || !numDevices ||
        numDevices > (unsigned)rt_device_count() || (flags & ~known))
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    for (unsigned i = 0; i < numDevices && !err; i++)
        err = read_part(ctx, &launchParamsList[i], &parts[i]);
    return rt_return(err ? err
                         : rt_error(launch_on_all(parts, numDevices, flags)));
}
