/* SPDX-License-Identifier: Apache-2.0 */
/* Multicast objects. With one device all calls fail with NOT_SUPPORTED,
 * whatever their arguments, as on hardware. */
#include "driver/internal.h"

/* `given` NULL: INVALID_VALUE. */
static CUresult check_given(const void *given)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (device_count() < 2)
        return CUDA_ERROR_NOT_SUPPORTED;
    return given ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMulticastCreate(CUmemGenericAllocationHandle *mcHandle,
                           const CUmulticastObjectProp *prop)
{
    CUresult err = check_given(prop ? mcHandle : NULL);
    return err ? err : multicast_create(prop, mcHandle);
}

CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle,
                              CUdevice dev)
{
    CUresult err = check_given(&dev);
    return err ? err : multicast_add_device(mcHandle, dev);
}

CUresult cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle,
                            size_t mcOffset,
                            CUmemGenericAllocationHandle memHandle,
                            size_t memOffset, size_t size,
                            unsigned long long flags)
{
    CUresult err = check_given(flags ? NULL : &flags);
    return err ? err
               : multicast_bind_memory(mcHandle, mcOffset, memHandle, memOffset,
                                       size);
}

CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle,
                             size_t mcOffset, CUdeviceptr memptr, size_t size,
                             unsigned long long flags)
{
    CUresult err = check_given(flags ? NULL : &flags);
    return err ? err : multicast_bind_address(mcHandle, mcOffset, memptr, size);
}

CUresult cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev,
                           size_t mcOffset, size_t size)
{
    CUcontext ctx;
    CUresult err = check_given(&dev);
    if (err)
        return err;
    ctx_primary(&ctx);
    return multicast_unbind(ctx, mcHandle, dev, mcOffset, size);
}

CUresult cuMulticastGetGranularity(size_t *granularity,
                                   const CUmulticastObjectProp *prop,
                                   CUmulticastGranularity_flags option)
{
    CUresult err = check_given(prop ? granularity : NULL);
    return err ? err : multicast_granularity(prop, option, granularity);
}
