/* SPDX-License-Identifier: Apache-2.0 */
/* Launching kernels. */
#include "driver/internal.h"

/* The parameters as one block of bytes, described by a list that ends with
 * CU_LAUNCH_PARAM_END. */
struct packed {
    const void *bytes; /* NULL: the list was empty */
    size_t size_bytes;
};

static CUresult read_extra(void **extra, struct packed *out)
{
    const size_t *size_bytes = NULL;
    if (*extra == CU_LAUNCH_PARAM_END)
        return CUDA_SUCCESS;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            out->bytes = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            size_bytes = extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (!out->bytes || !size_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    out->size_bytes = *size_bytes;
    return CUDA_SUCCESS;
}

static CUresult launch(CUfunction f, struct launch_config config,
                       CUstream handle, void **args, void **extra)
{
    CUcontext ctx;
    struct packed packed = {0};
    CUresult err = drv_stream(handle, &ctx, &config.stream);
    if (err)
        return err;
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    err = extra ? read_extra(extra, &packed) : CUDA_SUCCESS;
    if (!err && args && packed.bytes)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
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
    return launch(f, config, hStream, kernelParams, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f,
                          void **kernelParams, void **extra)
{
    struct launch_config c;
    CUresult err = drv_read_config(config, &c);
    return err ? err : launch(f, c, config->hStream, kernelParams, extra);
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
    return launch(f, config, hStream, kernelParams, NULL);
}
