/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cudaCreateChannelDesc<T>(): the texel format of a C++ type. Integers of 8,
 * 16 and 32 bits and float, alone or as vectors of 1, 2 and 4.
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

#undef WEFT_CHANNELS
#undef WEFT_CHANNEL

#endif

#endif
