/* SPDX-License-Identifier: Apache-2.0 */
/* A cooperative kernel on several devices at once. */
#include "driver/internal.h"

static CUresult read_part(CUcontext ctx, const CUDA_LAUNCH_PARAMS *p,
                          struct launch_part *out)
{
    *out = (struct launch_part){
        .function = p->function,
        .config = {.grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                   .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                   .shared_bytes = p->sharedMemBytes},
        .args = p->kernelParams,
    };
    if (!p->function)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult err = stream_resolve(ctx, p->hStream, &out->config.stream);
    if (err)
        return err;
    return function_resolve(stream_context(out->config.stream), &out->function);
}

CUresult cuLaunchCooperativeKernelMultiDevice(
    CUDA_LAUNCH_PARAMS *launchParamsList, unsigned int numDevices,
    unsigned int flags)
{
    CUcontext ctx;
    struct launch_part parts[DEVICE_COUNT_MAX];
    const unsigned known =
        CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC |
        CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!launchParamsList || !numDevices ||
        numDevices > (unsigned)device_count() || (flags & ~known))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < numDevices && !err; i++)
        err = read_part(ctx, &launchParamsList[i], &parts[i]);
    return err ? err : launch_on_all(parts, numDevices, flags);
}
