/* SPDX-License-Identifier: Apache-2.0 */
/* Launching kernels. */
#include "driver/internal.h"

#include "core/packed_args.h"

static CUresult launch_function(CUfunction f, struct launch_config config,
                                CUstream handle, void **args, void **extra)
{
    CUcontext ctx;
    struct packed_args packed = {0};
    CUresult err = drv_stream_outside(handle, &ctx, &config.stream);
    if (err)
        return err;
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (extra && *extra != CU_LAUNCH_PARAM_END)
        err = packed_args_read(extra, &packed);
    if (!err && args && packed.bytes)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err) /* a library's kernel is one in any context */
        err = function_resolve(stream_context(config.stream), &f);
    if (err)
        return err;
    return launch_kernel(f, &config, args, packed.bytes, packed.size_bytes);
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX,
                        unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes,
                        CUstream hStream, void **kernelParams, void **extra)
{
    const struct launch_config config = {
        .grid = {gridDimX, gridDimY, gridDimZ},
        .block = {blockDimX, blockDimY, blockDimZ},
        .shared_bytes = sharedMemBytes};
    return launch_function(f, config, hStream, kernelParams, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f,
                          void **kernelParams, void **extra)
{
    struct launch_config c;
    CUresult err = drv_read_config(config, &c);
    return err ? err
               : launch_function(f, c, config->hStream, kernelParams, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX,
                                   unsigned int gridDimY, unsigned int gridDimZ,
                                   unsigned int blockDimX,
                                   unsigned int blockDimY,
                                   unsigned int blockDimZ,
                                   unsigned int sharedMemBytes,
                                   CUstream hStream, void **kernelParams)
{
    const struct launch_config config = {
        .grid = {gridDimX, gridDimY, gridDimZ},
        .block = {blockDimX, blockDimY, blockDimZ},
        .shared_bytes = sharedMemBytes,
        .is_cooperative = true};
    return launch_function(f, config, hStream, kernelParams, NULL);
}
