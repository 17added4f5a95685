/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cudaCreateChannelDesc<T>() is the texel format of a C++ type: integers of 8,
 * 16 and 32 bits and float, alone or as vectors of 1, 2 and 4.
 * cudaCreateChannelDesc<kind>() is the format that a kind fixes completely,
 * such as cudaChannelFormatKindUnsignedNormalized8X4.
 */
#ifndef WEFT_CHANNEL_DESCRIPTOR_H
#define WEFT_CHANNEL_DESCRIPTOR_H
/* Programs ask for this name to know whether the header was included. */
#define __CHANNEL_DESCRIPTOR_H__

#if defined(__cplusplus)

#include "cuda_runtime_api.h"

template <class T>
inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2(void)
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4(void)
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescNV12(void)
{
    return cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindNV12);
}

#define WEFT_CHANNEL(type, x, y, z, w, kind)                                   \
    template <>                                                                \
    inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc<type>(void)    \
    {                                                                          \
        return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind); \
    }
#define WEFT_CHANNELS(name, bits, kind)                                        \
    WEFT_CHANNEL(name##1, bits, 0, 0, 0, kind)                                 \
    WEFT_CHANNEL(name##2, bits, bits, 0, 0, kind)                              \
    WEFT_CHANNEL(name##4, bits, bits, bits, bits, kind)

WEFT_CHANNEL(char, 8, 0, 0, 0, Signed)
WEFT_CHANNEL(signed char, 8, 0, 0, 0, Signed)
WEFT_CHANNEL(unsigned char, 8, 0, 0, 0, Unsigned)
WEFT_CHANNEL(short, 16, 0, 0, 0, Signed)
WEFT_CHANNEL(unsigned short, 16, 0, 0, 0, Unsigned)
WEFT_CHANNEL(int, 32, 0, 0, 0, Signed)
WEFT_CHANNEL(unsigned int, 32, 0, 0, 0, Unsigned)
WEFT_CHANNEL(float, 32, 0, 0, 0, Float)
WEFT_CHANNELS(char, 8, Signed)
WEFT_CHANNELS(uchar, 8, Unsigned)
WEFT_CHANNELS(short, 16, Signed)
WEFT_CHANNELS(ushort, 16, Unsigned)
WEFT_CHANNELS(int, 32, Signed)
WEFT_CHANNELS(uint, 32, Unsigned)
WEFT_CHANNELS(float, 32, Float)

template <enum cudaChannelFormatKind kind>
inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define WEFT_KIND(kind, x, y, z, w)                                            \
    WEFT_CHANNEL(cudaChannelFormatKind##kind, x, y, z, w, kind)

WEFT_KIND(NV12, 8, 8, 8, 0)
WEFT_KIND(UnsignedNormalized8X1, 8, 0, 0, 0)
WEFT_KIND(UnsignedNormalized8X2, 8, 8, 0, 0)
WEFT_KIND(UnsignedNormalized8X4, 8, 8, 8, 8)
WEFT_KIND(UnsignedNormalized16X1, 16, 0, 0, 0)
WEFT_KIND(UnsignedNormalized16X2, 16, 16, 0, 0)
WEFT_KIND(UnsignedNormalized16X4, 16, 16, 16, 16)
WEFT_KIND(SignedNormalized8X1, 8, 0, 0, 0)
WEFT_KIND(SignedNormalized8X2, 8, 8, 0, 0)
WEFT_KIND(SignedNormalized8X4, 8, 8, 8, 8)
WEFT_KIND(SignedNormalized16X1, 16, 0, 0, 0)
WEFT_KIND(SignedNormalized16X2, 16, 16, 0, 0)
WEFT_KIND(SignedNormalized16X4, 16, 16, 16, 16)
WEFT_KIND(UnsignedBlockCompressed1, 8, 8, 8, 8)
WEFT_KIND(UnsignedBlockCompressed1SRGB, 8, 8, 8, 8)
WEFT_KIND(UnsignedBlockCompressed2, 8, 8, 8, 8)
WEFT_KIND(UnsignedBlockCompressed2SRGB, 8, 8, 8, 8)
WEFT_KIND(UnsignedBlockCompressed3, 8, 8, 8, 8)
WEFT_KIND(UnsignedBlockCompressed3SRGB, 8, 8, 8, 8)
WEFT_KIND(UnsignedBlockCompressed4, 8, 0, 0, 0)
WEFT_KIND(SignedBlockCompressed4, 8, 0, 0, 0)
WEFT_KIND(UnsignedBlockCompressed5, 8, 8, 0, 0)
WEFT_KIND(SignedBlockCompressed5, 8, 8, 0, 0)
WEFT_KIND(UnsignedBlockCompressed6H, 16, 16, 16, 0)
WEFT_KIND(SignedBlockCompressed6H, 16, 16, 16, 0)
WEFT_KIND(UnsignedBlockCompressed7, 8, 8, 8, 8)
WEFT_KIND(UnsignedBlockCompressed7SRGB, 8, 8, 8, 8)
WEFT_KIND(UnsignedNormalized1010102, 10, 10, 10, 2)

#undef WEFT_KIND
#undef WEFT_CHANNELS
#undef WEFT_CHANNEL

#endif

#endif
