/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps. Making one needs a context. */
#include "driver/internal.h"

CUresult cuTensorMapEncodeTiled(
    CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
    cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
    const cuuint64_t *globalStrides, const cuuint32_t *boxDim,
    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    return tensor_map_tiled(tensorMap, tensorDataType, tensorRank,
                            globalAddress, globalDim, globalStrides, boxDim,
                            elementStrides, interleave, swizzle, l2Promotion,
                            oobFill);
}

CUresult cuTensorMapEncodeIm2col(
    CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
    cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
    const cuuint64_t *globalStrides, const int *pixelBoxLowerCorner,
    const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
    cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    return tensor_map_im2col(tensorMap, tensorDataType, tensorRank,
                             globalAddress, globalDim, globalStrides,
                             pixelBoxLowerCorner, pixelBoxUpperCorner,
                             channelsPerPixel, pixelsPerColumn, elementStrides,
                             interleave, swizzle, l2Promotion, oobFill);
}

CUresult cuTensorMapEncodeIm2colWide(
    CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
    cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
    const cuuint64_t *globalStrides, int pixelBoxLowerCornerWidth,
    int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel,
    cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
    CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    return tensor_map_im2col_wide(
        tensorMap, tensorDataType, tensorRank, globalAddress, globalDim,
        globalStrides, pixelBoxLowerCornerWidth, pixelBoxUpperCornerWidth,
        channelsPerPixel, pixelsPerColumn, elementStrides, interleave, mode,
        swizzle, l2Promotion, oobFill);
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    return tensor_map_replace_address(tensorMap, globalAddress);
}
