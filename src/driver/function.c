/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of kernels, and how many of their blocks there is room for. */
#include "driver/internal.h"

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib,
                            CUfunction hfunc)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!hfunc)
        return CUDA_ERROR_INVALID_HANDLE;
    return pi ? function_attribute(pi, attrib, hfunc)
              : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib,
                            int value)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return hfunc ? function_set_attribute(hfunc, attrib, value)
                 : CUDA_ERROR_INVALID_HANDLE;
}

/* A preference: caches are the host's. */
CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!hfunc)
        return CUDA_ERROR_INVALID_HANDLE;
    return (unsigned)config <= CU_FUNC_CACHE_PREFER_EQUAL
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                     CUfunction func,
                                                     int blockSize,
                                                     size_t dynamicSMemSize)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!func)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!numBlocks || blockSize <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    return occupancy_max_blocks(func, blockSize, dynamicSMemSize, numBlocks);
}
