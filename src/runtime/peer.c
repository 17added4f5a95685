/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access between devices. All memory is the host's, so devices can always
 * access each other's. What a program has enabled is kept only to return the
 * right errors. A device is not its own peer.
 */
#include "runtime/internal.h"

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device,
                                    int peerDevice)
{
    if (!canAccessPeer)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(device) || !rt_is_device(peerDevice))
        return rt_return(rt_no_such_device());
    *canAccessPeer = device != peerDevice;
    return rt_return(cudaSuccess);
}

/* The current context, and the peer's primary one. */
static cudaError_t both_contexts(int peer_device, CUcontext *ctx,
                                 CUcontext *peer)
{
    cudaError_t err = rt_context(ctx);
    return err ? err : rt_error(ctx_primary_of(peer_device, peer));
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    CUcontext ctx, peer;
    if (flags != 0)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(peerDevice))
        return rt_return(rt_no_such_device());
    if (peerDevice == rt_current_device())
        return rt_return(cudaErrorPeerAccessUnsupported);
    cudaError_t err = both_contexts(peerDevice, &ctx, &peer);
    if (!err && ctx_is_peer(ctx, peer))
        err = cudaErrorPeerAccessAlreadyEnabled;
    if (!err)
        ctx_set_peer(ctx, peer, true);
    return rt_return(err);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    CUcontext ctx, peer;
    if (!rt_is_device(peerDevice))
        return rt_return(rt_no_such_device());
    cudaError_t err = both_contexts(peerDevice, &ctx, &peer);
    if (!err && !ctx_is_peer(ctx, peer))
        err = cudaErrorPeerAccessNotEnabled;
    if (!err)
        ctx_set_peer(ctx, peer, false);
    return rt_return(err);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr,
                                      int srcDevice, int dstDevice)
{
    if (!value)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(srcDevice) || !rt_is_device(dstDevice) ||
        srcDevice == dstDevice)
        return rt_return(rt_no_such_device());
    if (attr < cudaDevP2PAttrPerformanceRank ||
        attr > cudaDevP2PAttrOnlyPartialNativeAtomicSupported)
        return rt_return(cudaErrorInvalidValue);
    *value = device_p2p_attribute((CUdevice_P2PAttribute)attr);
    return rt_return(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(
    unsigned int *capabilities, const enum cudaAtomicOperation *operations,
    unsigned int count, int srcDevice, int dstDevice)
{
    if (!capabilities || !operations || !count)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(srcDevice) || !rt_is_device(dstDevice) ||
        srcDevice == dstDevice)
        return rt_return(rt_no_such_device());
    return rt_return(rt_error(device_atomic_capabilities(
        capabilities, (const CUatomicOperation *)operations, count)));
}

cudaError_t
cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                    const enum cudaAtomicOperation *operations,
                                    unsigned int count, int device)
{
    if (!capabilities || !operations || !count)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    return rt_return(rt_error(device_atomic_capabilities(
        capabilities, (const CUatomicOperation *)operations, count)));
}

/* ---- copies, without variants for per-thread streams --------------------- */

static bool are_devices(int a, int b)
{
    return rt_is_device(a) && rt_is_device(b);
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t count)
{
    if (count && !are_devices(dstDevice, srcDevice))
        return rt_return(rt_no_such_device());
    return rt_forward(cudaMemcpy(dst, src, count, cudaMemcpyDeviceToDevice));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t count,
                                cudaStream_t stream)
{
    if (count && !are_devices(dstDevice, srcDevice))
        return rt_return(rt_no_such_device());
    cudaError_t err = rt_refuse_captured(stream);
    if (err)
        return rt_return(err);
    return rt_forward(
        cudaMemcpyAsync(dst, src, count, cudaMemcpyDeviceToDevice, stream));
}
