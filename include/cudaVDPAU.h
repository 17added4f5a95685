/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of VDPAU in the driver API. No VDPAU implementation computes on the
 * CPU, so that all of these return CUDA_ERROR_NOT_SUPPORTED.
 *
 * Threads, errors, owners and units are as cuda.h says. */
#ifndef WEFT_CUDAVDPAU_H
#define WEFT_CUDAVDPAU_H
/* Programs ask for this name to know whether the header was included. */
#define CUDAVDPAU_H

#include "cuda.h"

#if defined(__has_include)
#if __has_include(<vdpau/vdpau.h>)
#include <vdpau/vdpau.h>
#endif
#endif
#ifndef VDP_INVALID_HANDLE
typedef unsigned int VdpDevice;
typedef unsigned int VdpVideoSurface;
typedef unsigned int VdpOutputSurface;
typedef int VdpGetProcAddress(VdpDevice device, unsigned int function_id,
                              void **function_pointer);
#endif

#if defined(__cplusplus)
extern "C" {
#endif

#define cuVDPAUCtxCreate cuVDPAUCtxCreate_v2

CUresult CUDAAPI cuVDPAUGetDevice(CUdevice *pDevice, VdpDevice vdpDevice,
                                  VdpGetProcAddress *vdpGetProcAddress);
CUresult CUDAAPI cuVDPAUCtxCreate(CUcontext *pCtx, unsigned int flags,
                                  CUdevice device, VdpDevice vdpDevice,
                                  VdpGetProcAddress *vdpGetProcAddress);
CUresult CUDAAPI cuGraphicsVDPAURegisterVideoSurface(
    CUgraphicsResource *pCudaResource, VdpVideoSurface vdpSurface,
    unsigned int flags);
CUresult CUDAAPI cuGraphicsVDPAURegisterOutputSurface(
    CUgraphicsResource *pCudaResource, VdpOutputSurface vdpSurface,
    unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif
