/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of core files. */
#include "driver/internal.h"

CUresult cuCoredumpGetAttribute(CUcoredumpSettings attrib, void *value,
                                size_t *size)
{
    CUcontext ctx;
    if (attrib < CU_COREDUMP_ENABLE_ON_EXCEPTION || attrib >= CU_COREDUMP_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return size ? coredump_get(ctx, attrib, value, size)
                : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void *value,
                                      size_t *size)
{
    /* Before cuInit, too. */
    return size ? coredump_get(NULL, attrib, value, size)
                : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCoredumpSetAttribute(CUcoredumpSettings attrib, void *value,
                                size_t *size)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    return size ? coredump_set(ctx, attrib, value, *size)
                : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void *value,
                                      size_t *size)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    return size ? coredump_set(NULL, attrib, value, *size)
                : CUDA_ERROR_INVALID_VALUE;
}
