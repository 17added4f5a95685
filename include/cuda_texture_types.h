/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture references, texture<T, kind, mode>: variables of file scope that
 * cudaBindTexture* ties to memory. Toolkits from 12 on have texture objects
 * only; older programs have these.
 */
#ifndef WEFT_CUDA_TEXTURE_TYPES_H
#define WEFT_CUDA_TEXTURE_TYPES_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include "channel_descriptor.h"
#include "texture_types.h"

/* Programs for those toolkits may call something else so: weftcc reads such a
 * program once more, with another name for this. */
#ifdef WEFT_RENAMES_REFERENCES
#define WEFT_TEXTURE_NAME weft_texture
#else
#define WEFT_TEXTURE_NAME texture
#endif

/* In device code clang turns a variable of this type into a handle. */
#define WEFT_REFERENCE __attribute__((device_builtin_texture_type))

template <class T, int texType = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct WEFT_REFERENCE WEFT_TEXTURE_NAME : public textureReference {
    __host__
    WEFT_TEXTURE_NAME(int norm = 0,
                      enum cudaTextureFilterMode fMode = cudaFilterModePoint,
                      enum cudaTextureAddressMode aMode = cudaAddressModeClamp)
    {
        fill(norm, fMode, aMode, cudaCreateChannelDesc<T>());
    }
    __host__ WEFT_TEXTURE_NAME(int norm, enum cudaTextureFilterMode fMode,
                               enum cudaTextureAddressMode aMode,
                               struct cudaChannelFormatDesc desc)
    {
        fill(norm, fMode, aMode, desc);
    }

  private:
    __host__ void fill(int norm, enum cudaTextureFilterMode fMode,
                       enum cudaTextureAddressMode aMode,
                       struct cudaChannelFormatDesc desc)
    {
        textureReference &self = *this;
        self = textureReference();
        self.normalized = norm;
        self.filterMode = fMode;
        self.addressMode[0] = aMode;
        self.addressMode[1] = aMode;
        self.addressMode[2] = aMode;
        self.channelDesc = desc;
    }
};
#undef WEFT_REFERENCE

#endif
#endif
