/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of pointers. */
#include "driver/internal.h"

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                               CUdeviceptr ptr)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    return data ? pointer_get(data, attribute, ptr) : CUDA_ERROR_INVALID_VALUE;
}

/* No context is needed: NVIDIA's runtime asks in threads without one. */
CUresult cuPointerGetAttributes(unsigned int numAttributes,
                                CUpointer_attribute *attributes, void **data,
                                CUdeviceptr ptr)
{
    CUresult err = drv_initialised();
    if (!err && (!attributes || !data || !numAttributes))
        err = CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < numAttributes && !err; i++)
        err = data[i] && attributes[i] != CU_POINTER_ATTRIBUTE_P2P_TOKENS
                  ? pointer_get_or_nothing(data[i], attributes[i], ptr)
                  : CUDA_ERROR_INVALID_VALUE;
    return err;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr ptr)
{
    CUresult err = drv_initialised();
    if (!err)
        err = capture_check_call();
    if (err)
        return err;
    return value ? pointer_set(value, attribute, ptr)
                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize,
                              CUdeviceptr dptr)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    const void *p = (const void *)(uintptr_t)dptr;
    struct mem_info info = pointer_query(p);
    if (!pointer_is_open(&info, p))
        return CUDA_ERROR_NOT_FOUND;
    if (pbase)
        *pbase = info.base;
    if (psize)
        *psize = info.size_bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    return pFlags && p ? pointer_host_flags(p, pFlags)
                       : CUDA_ERROR_INVALID_VALUE;
}
