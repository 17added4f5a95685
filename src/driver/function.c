/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of kernels, and how many of their blocks fit on an SM. */
#include "driver/internal.h"

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib,
                            CUfunction hfunc)
{
    CUresult err = drv_function(&hfunc);
    if (err)
        return err;
    return pi ? function_attribute(pi, attrib, hfunc)
              : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib,
                            int value)
{
    CUresult err = drv_function(&hfunc);
    return err ? err : function_set_attribute(hfunc, attrib, value);
}

/* A preference without effect: a CPU's caches cannot be configured. */
CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
    CUresult err = drv_function(&hfunc);
    if (err)
        return err;
    return (unsigned)config <= CU_FUNC_CACHE_PREFER_EQUAL
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                     CUfunction func,
                                                     int blockSize,
                                                     size_t dynamicSMemSize)
{
    CUresult err = drv_check_context();
    if (!err)
        err = drv_function(&func);
    if (err)
        return err;
    if (!numBlocks || blockSize <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    return occupancy_max_blocks(func, blockSize, dynamicSMemSize, numBlocks);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize,
    unsigned int flags)
{
    if (flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(
        numBlocks, func, blockSize, dynamicSMemSize);
}

/* The block size with the most resident threads on an SM, out of the multiples
 * of the warp size and the limit; of several the largest. */
CUresult
cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                 CUfunction func,
                                 CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                 size_t dynamicSMemSize, int blockSizeLimit)
{
    int most = 0, best = 0, best_blocks = 0, sm_count;
    CUresult err = drv_function(&func);
    if (!err)
        err = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                 func);
    if (err)
        return err;
    if (!minGridSize || !blockSize || blockSizeLimit < 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (blockSizeLimit && blockSizeLimit < most)
        most = blockSizeLimit;
    for (int n = most; n > 0; n = (n - 1) / WEFT_WARP_LANES * WEFT_WARP_LANES) {
        size_t shared = blockSizeToDynamicSMemSize
                            ? blockSizeToDynamicSMemSize(n)
                            : dynamicSMemSize;
        int blocks;
        err = occupancy_max_blocks(func, n, shared, &blocks);
        if (err)
            return err;
        if (n * blocks > best * best_blocks) {
            best = n;
            best_blocks = blocks;
        }
    }
    device_attribute(&sm_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
    *blockSize = best;
    *minGridSize = best_blocks * sm_count;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, CUfunction func,
    CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
    int blockSizeLimit, unsigned int flags)
{
    if (flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    return cuOccupancyMaxPotentialBlockSize(minGridSize, blockSize, func,
                                            blockSizeToDynamicSMemSize,
                                            dynamicSMemSize, blockSizeLimit);
}
