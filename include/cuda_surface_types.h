/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Surface references, surface<void, kind>: variables of file scope that
 * cudaBindSurfaceToArray ties to an array. Newer programs have surface
 * objects.
 */
#ifndef WEFT_CUDA_SURFACE_TYPES_H
#define WEFT_CUDA_SURFACE_TYPES_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include "channel_descriptor.h"
#include "surface_types.h"

/* As with texture, in cuda_texture_types.h. */
#ifdef WEFT_RENAMES_REFERENCES
#define WEFT_SURFACE_NAME weft_surface
#else
#define WEFT_SURFACE_NAME surface
#endif

template <class T, int dim = 1>
struct __attribute__((device_builtin_surface_type)) WEFT_SURFACE_NAME
    : public surfaceReference {
    __host__ WEFT_SURFACE_NAME()
    {
        channelDesc = cudaCreateChannelDesc<T>();
    }
};
template <int dim>
struct __attribute__((device_builtin_surface_type))
WEFT_SURFACE_NAME<void, dim> : public surfaceReference {
    __host__ WEFT_SURFACE_NAME()
    {
        channelDesc =
            cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
    }
};

#endif
#endif
