/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of VDPAU in the runtime API. No VDPAU implementation computes on
 * the CPU, so that all of these return cudaErrorNotSupported.
 *
 * Threads, errors, owners and units are as cuda_runtime_api.h says. */
#ifndef WEFT_CUDA_VDPAU_INTEROP_H
#define WEFT_CUDA_VDPAU_INTEROP_H
/* Programs ask for this name to know whether the header was included. */
#define __CUDA_VDPAU_INTEROP_H__

#include "cuda_runtime_api.h"

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

cudaError_t CUDARTAPI
cudaVDPAUGetDevice(int *device, VdpDevice vdpDevice,
                   VdpGetProcAddress *vdpGetProcAddress);
cudaError_t CUDARTAPI
cudaVDPAUSetVDPAUDevice(int device, VdpDevice vdpDevice,
                        VdpGetProcAddress *vdpGetProcAddress);
cudaError_t CUDARTAPI cudaGraphicsVDPAURegisterVideoSurface(
    struct cudaGraphicsResource **resource, VdpVideoSurface vdpSurface,
    unsigned int flags);
cudaError_t CUDARTAPI cudaGraphicsVDPAURegisterOutputSurface(
    struct cudaGraphicsResource **resource, VdpOutputSurface vdpSurface,
    unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif
