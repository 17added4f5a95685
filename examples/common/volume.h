// SPDX-License-Identifier: Apache-2.0
// A volume of numbers as a 3-D texture.
#ifndef EXAMPLES_VOLUME_H
#define EXAMPLES_VOLUME_H

#include <vector>

#include "common/example.h"

// cells numbers along each side, x fastest. Edges clamp; `how` says the rest.
// The array is the caller's to free, behind the texture.
static inline cudaTextureObject_t volume_texture(const std::vector<float> &v,
                                                 size_t cells,
                                                 cudaTextureDesc how,
                                                 cudaArray_t *array)
{
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(array, &channels,
                            make_cudaExtent(cells, cells, cells)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)v.data(), cells * sizeof(float),
                                      cells, cells);
    copy.dstArray = *array;
    copy.extent = make_cudaExtent(cells, cells, cells);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] =
        cudaAddressModeClamp;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    return t;
}

#endif
