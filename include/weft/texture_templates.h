/* SPDX-License-Identifier: Apache-2.0 */
/* Binding texture and surface references, for the variables themselves; a
 * part of the C++ layer of the runtime API. */
#ifndef WEFT_TEXTURE_TEMPLATES_H
#define WEFT_TEXTURE_TEMPLATES_H

#include "../cuda_runtime_api.h"
#include "../cuda_surface_types.h"
#include "../cuda_texture_types.h"

#if defined(__CUDACC__)

#define WEFT_TEXTURE_API                                                       \
    template <class T, int dim, enum cudaTextureReadMode mode>                 \
    static __inline__ __host__ cudaError_t
#define WEFT_TEXTURE const struct WEFT_TEXTURE_NAME<T, dim, mode> &tex

WEFT_TEXTURE_API cudaBindTexture(size_t *offset, WEFT_TEXTURE,
                                 const void *devPtr,
                                 const struct cudaChannelFormatDesc &desc,
                                 size_t size = 0xffffffffu)
{
    return ::cudaBindTexture(offset, &tex, devPtr, &desc, size);
}
WEFT_TEXTURE_API cudaBindTexture(size_t *offset, WEFT_TEXTURE,
                                 const void *devPtr, size_t size = 0xffffffffu)
{
    return ::cudaBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
WEFT_TEXTURE_API cudaBindTexture2D(size_t *offset, WEFT_TEXTURE,
                                   const void *devPtr,
                                   const struct cudaChannelFormatDesc &desc,
                                   size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &tex, devPtr, &desc, width, height,
                               pitch);
}
WEFT_TEXTURE_API cudaBindTexture2D(size_t *offset, WEFT_TEXTURE,
                                   const void *devPtr, size_t width,
                                   size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width,
                               height, pitch);
}
WEFT_TEXTURE_API
cudaBindTextureToArray(WEFT_TEXTURE, cudaArray_const_t array,
                       const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToArray(&tex, array, &desc);
}
WEFT_TEXTURE_API cudaBindTextureToArray(WEFT_TEXTURE, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t err = ::cudaGetChannelDesc(&desc, array);
    return err ? err : ::cudaBindTextureToArray(&tex, array, &desc);
}
WEFT_TEXTURE_API
cudaBindTextureToMipmappedArray(WEFT_TEXTURE,
                                cudaMipmappedArray_const_t mipmappedArray,
                                const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToMipmappedArray(&tex, mipmappedArray, &desc);
}
WEFT_TEXTURE_API
cudaBindTextureToMipmappedArray(WEFT_TEXTURE,
                                cudaMipmappedArray_const_t mipmappedArray)
{
    return ::cudaBindTextureToMipmappedArray(&tex, mipmappedArray,
                                             &tex.channelDesc);
}
WEFT_TEXTURE_API cudaUnbindTexture(WEFT_TEXTURE)
{
    return ::cudaUnbindTexture(&tex);
}
WEFT_TEXTURE_API cudaGetTextureAlignmentOffset(size_t *offset, WEFT_TEXTURE)
{
    return ::cudaGetTextureAlignmentOffset(offset, &tex);
}

#define WEFT_SURFACE_API                                                       \
    template <class T, int dim> static __inline__ __host__ cudaError_t
#define WEFT_SURFACE const struct WEFT_SURFACE_NAME<T, dim> &surf

WEFT_SURFACE_API
cudaBindSurfaceToArray(WEFT_SURFACE, cudaArray_const_t array,
                       const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindSurfaceToArray(&surf, array, &desc);
}
WEFT_SURFACE_API cudaBindSurfaceToArray(WEFT_SURFACE, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t err = ::cudaGetChannelDesc(&desc, array);
    return err ? err : ::cudaBindSurfaceToArray(&surf, array, &desc);
}

#undef WEFT_SURFACE_API
#undef WEFT_SURFACE
#undef WEFT_TEXTURE_API
#undef WEFT_TEXTURE

#endif
#endif
