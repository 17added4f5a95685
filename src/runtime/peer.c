/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access between devices. A device is no peer of itself, so that with one
 * device every answer is no.
 */
#include "runtime/internal.h"

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device,
                                    int peerDevice)
{
    if (!canAccessPeer)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(device) || !rt_is_device(peerDevice))
        return rt_return(rt_no_such_device());
    *canAccessPeer = 0;
    return rt_return(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    if (flags != 0)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(peerDevice) || peerDevice == rt_current_device())
        return rt_return(rt_no_such_device());
    return rt_return(cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    if (!rt_is_device(peerDevice))
        return rt_return(rt_no_such_device());
    return rt_return(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr,
                                      int srcDevice, int dstDevice)
{
    if (!value || attr < cudaDevP2PAttrPerformanceRank ||
        attr > cudaDevP2PAttrCudaArrayAccessSupported)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(srcDevice) || !rt_is_device(dstDevice) ||
        srcDevice == dstDevice)
        return rt_return(rt_no_such_device());
    *value = 0;
    return rt_return(cudaSuccess);
}

/* ---- copies, without variants for per-thread streams --------------------- */

static bool are_devices(int a, int b)
{
    return rt_is_device(a) && rt_is_device(b);
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t count)
{
    if (!are_devices(dstDevice, srcDevice))
        return rt_return(rt_no_such_device());
    return cudaMemcpy(dst, src, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t count,
                                cudaStream_t stream)
{
    if (!are_devices(dstDevice, srcDevice))
        return rt_return(rt_no_such_device());
    return cudaMemcpyAsync(dst, src, count, cudaMemcpyDeviceToDevice, stream);
}
