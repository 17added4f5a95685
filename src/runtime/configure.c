/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launch configurations, what stands between <<< and >>>: a thread keeps its
 * own until the kernel's host function takes it. Checks of their limits.
 */
#include "runtime/internal.h"

/* A stack, since the arguments of a launch may contain another launch. */
#define DEPTH_MAX 32

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};
static __thread struct configuration stack[DEPTH_MAX];
static __thread unsigned depth;

/* Not zero: the caller skips the launch. */
unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                     size_t sharedMem, void *stream)
{
    if (depth == DEPTH_MAX)
        return (unsigned)rt_return(cudaErrorLaunchMaxDepthExceeded);
    stack[depth++] = (struct configuration){.grid = gridDim,
                                            .block = blockDim,
                                            .shared_bytes = sharedMem,
                                            .stream = stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim,
                                       size_t *sharedMem, void *stream)
{
    if (depth == 0)
        return rt_return(cudaErrorMissingConfiguration);
    const struct configuration *c = &stack[--depth];
    *gridDim = c->grid;
    *blockDim = c->block;
    *sharedMem = c->shared_bytes;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

struct limits {
    unsigned grid[3], block[3], threads;
};

static struct limits device_limits(void)
{
    static const CUdevice_attribute attributes[] = {
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    };
    static __thread struct limits limits;
    if (!limits.threads) {
        unsigned value[ARRAY_COUNT(attributes)];
        for (size_t i = 0; i < ARRAY_COUNT(attributes); i++)
            value[i] = (unsigned)rt_attribute(attributes[i]);
        memcpy(&limits, value, sizeof limits);
    }
    return limits;
}

static bool is_within(unsigned x, unsigned y, unsigned z, const unsigned max[3])
{
    return x && y && z && x <= max[0] && y <= max[1] && z <= max[2];
}

cudaError_t rt_check_dimensions(dim3 grid, dim3 block, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    struct limits max = device_limits();
    if (!max.threads)
        return rt_no_such_device();
    bool ok = is_within(grid.x, grid.y, grid.z, max.grid) &&
              is_within(block.x, block.y, block.z, max.block) &&
              (uint64_t)block.x * block.y * block.z <= max.threads;
    if (ok)
        return cudaSuccess;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (err && err == rt_sticky())
        return err;
    if (!err && capture_check_valid(s))
        return cudaErrorStreamCaptureInvalidated;
    if (!err)
        capture_refuse(s); /* ends a capture, as on a GPU */
    return RT_VERSION >= 13000 ? cudaErrorInvalidValue
                               : cudaErrorInvalidConfiguration;
}
