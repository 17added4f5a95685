// SPDX-License-Identifier: Apache-2.0
//
// What the guides only print: structures with their members in this order,
// enumerators with these values, texture and surface references as programs
// declare them. "Texture and Surface Memory", "L2 Access Management".
#include <cstddef>

#include "../check.h"

// ---- references -------------------------------------------------------------

texture<float, cudaTextureType2D, cudaReadModeElementType> plain_texture;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> normalized_texture;
texture<uchar4> texture_of_defaults;
surface<void, 2> plain_surface;
surface<void> surface_of_defaults;

static void texture_references()
{
    EXPECT((std::is_base_of<textureReference, decltype(plain_texture)>::value));
    plain_texture.normalized = 1;
    plain_texture.filterMode = cudaFilterModeLinear;
    plain_texture.addressMode[0] = cudaAddressModeWrap;
    plain_texture.addressMode[1] = cudaAddressModeMirror;
    EXPECT(plain_texture.channelDesc.x == 32 &&
           plain_texture.channelDesc.f == cudaChannelFormatKindFloat);
    EXPECT(normalized_texture.channelDesc.x == 8 &&
           normalized_texture.channelDesc.f == cudaChannelFormatKindUnsigned);
    EXPECT(texture_of_defaults.channelDesc.w == 8);
    EXPECT(texture_of_defaults.addressMode[0] == cudaAddressModeClamp &&
           texture_of_defaults.filterMode == cudaFilterModePoint &&
           texture_of_defaults.normalized == 0);
}

static void surface_references()
{
    EXPECT((std::is_base_of<surfaceReference, decltype(plain_surface)>::value));
    EXPECT(sizeof surface_of_defaults == sizeof(surfaceReference));
}

// ---- structures -------------------------------------------------------------

#define IN_ORDER(type, first, second)                                          \
    static_assert(offsetof(type, first) < offsetof(type, second),              \
                  #first " lies before " #second)

IN_ORDER(textureReference, normalized, filterMode);
IN_ORDER(textureReference, filterMode, addressMode);
IN_ORDER(textureReference, addressMode, channelDesc);
IN_ORDER(textureReference, channelDesc, sRGB);
IN_ORDER(textureReference, sRGB, maxAnisotropy);
IN_ORDER(textureReference, maxAnisotropy, mipmapFilterMode);
IN_ORDER(textureReference, mipmapFilterMode, mipmapLevelBias);
IN_ORDER(textureReference, mipmapLevelBias, minMipmapLevelClamp);
IN_ORDER(textureReference, minMipmapLevelClamp, maxMipmapLevelClamp);

IN_ORDER(cudaTextureDesc, addressMode, filterMode);
IN_ORDER(cudaTextureDesc, filterMode, readMode);
IN_ORDER(cudaTextureDesc, readMode, sRGB);
IN_ORDER(cudaTextureDesc, sRGB, normalizedCoords);
IN_ORDER(cudaTextureDesc, normalizedCoords, maxAnisotropy);
IN_ORDER(cudaTextureDesc, maxAnisotropy, mipmapFilterMode);
IN_ORDER(cudaTextureDesc, mipmapFilterMode, mipmapLevelBias);
IN_ORDER(cudaTextureDesc, mipmapLevelBias, minMipmapLevelClamp);
IN_ORDER(cudaTextureDesc, minMipmapLevelClamp, maxMipmapLevelClamp);

static void channel_descriptor()
{
    cudaChannelFormatDesc d =
        cudaCreateChannelDesc(32, 16, 8, 0, cudaChannelFormatKindSigned);
    EXPECT(d.x == 32 && d.y == 16 && d.z == 8 && d.w == 0 &&
           d.f == cudaChannelFormatKindSigned);
    d = cudaCreateChannelDesc<float2>();
    EXPECT(d.x == 32 && d.y == 32 && d.z == 0 &&
           d.f == cudaChannelFormatKindFloat);
    d = cudaCreateChannelDescHalf4();
    EXPECT(d.x == 16 && d.w == 16 && d.f == cudaChannelFormatKindFloat);
    d = cudaCreateChannelDescNV12();
    EXPECT(d.x == 8 && d.z == 8 && d.w == 0 && d.f == cudaChannelFormatKindNV12);
    d = cudaCreateChannelDesc<cudaChannelFormatKindUnsignedNormalized8X4>();
    EXPECT(d.x == 8 && d.w == 8 &&
           d.f == cudaChannelFormatKindUnsignedNormalized8X4);
    d = cudaCreateChannelDesc<cudaChannelFormatKindSignedBlockCompressed6H>();
    EXPECT(d.x == 16 && d.z == 16 && d.w == 0 &&
           d.f == cudaChannelFormatKindSignedBlockCompressed6H);
    d = cudaCreateChannelDesc<cudaChannelFormatKindUnsignedNormalized1010102>();
    EXPECT(d.x == 10 && d.z == 10 && d.w == 2);
}

// A descriptor of zeros means these.
static void texture_descriptor()
{
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    EXPECT(d.addressMode[2] == cudaAddressModeWrap);
    EXPECT(d.filterMode == cudaFilterModePoint);
    EXPECT(d.readMode == cudaReadModeElementType);
    EXPECT(d.mipmapFilterMode == cudaFilterModePoint);
}

static void limits()
{
    EXPECT_EQ(cudaLimitStackSize, 0);
    EXPECT_EQ(cudaLimitPrintfFifoSize, 1);
    EXPECT_EQ(cudaLimitMallocHeapSize, 2);
    EXPECT_EQ(cudaLimitDevRuntimeSyncDepth, 3);
    EXPECT_EQ(cudaLimitDevRuntimePendingLaunchCount, 4);
    EXPECT_EQ(cudaLimitMaxL2FetchGranularity, 5);
    EXPECT_EQ(cudaLimitPersistingL2CacheSize, 6);
}

int main()
{
    texture_references();
    surface_references();
    channel_descriptor();
    texture_descriptor();
    limits();
    return finish();
}
