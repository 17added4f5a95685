// SPDX-License-Identifier: Apache-2.0
// Every texture and surface function once or more, through objects and
// through the references of older programs. What is no memory is refused.
texture<float, cudaTextureType2D, cudaReadModeElementType> floats;
texture<uchar4, 2, cudaReadModeNormalizedFloat> normalized;
texture<int4> linear;
texture<float2, cudaTextureType3D> volume(1, cudaFilterModeLinear,
                                          cudaAddressModeWrap);
texture<ushort2, cudaTextureType2DLayered> layered;
surface<void, cudaSurfaceType2D> drawn;

template <typename T> static __device__ float sum(T v)
{
    return (float)v.x + v.y + v.z + v.w;
}

__global__ void objects(cudaTextureObject_t t, float *out)
{
    float2 d2 = make_float2(0.5f, 0.25f);
    float4 d4 = make_float4(1, 2, 3, 4);
    out[0] = tex1Dfetch<float>(t, 3) + tex1D<short>(t, 0.5f) +
             tex1DLod<uchar2>(t, 0.5f, 1).y + tex1DGrad<int>(t, 0.5f, 1, 2);
    out[1] = tex1DLayered<float>(t, 0.5f, 1) +
             tex1DLayeredLod<float2>(t, 0.5f, 1, 2).y +
             tex1DLayeredGrad<char1>(t, 0.5f, 1, 2, 3).x;
    out[2] = tex2D<unsigned char>(t, 1, 2) + tex2DLod<float>(t, 1, 2, 3) +
             tex2DGrad<float>(t, 1, 2, d2, d2);
    out[3] = tex2DLayered<float>(t, 1, 2, 3) +
             tex2DLayeredLod<float>(t, 1, 2, 3, 4) +
             tex2DLayeredGrad<float>(t, 1, 2, 3, d2, d2);
    out[4] = tex3D<float>(t, 1, 2, 3) + tex3DLod<float>(t, 1, 2, 3, 4) +
             tex3DGrad<float>(t, 1, 2, 3, d4, d4);
    out[5] = texCubemap<float>(t, 1, 2, 3) + texCubemapLod<int>(t, 1, 2, 3, 4) +
             texCubemapLayered<float>(t, 1, 2, 3, 4) +
             texCubemapLayeredLod<float>(t, 1, 2, 3, 4, 5) +
             texCubemapGrad<float>(t, 1, 2, 3, d4, d4) +
             texCubemapLayeredGrad<float>(t, 1, 2, 3, 4, d4, d4);
    out[6] =
        sum(tex2Dgather<float4>(t, 1, 2)) + sum(tex2Dgather<uint4>(t, 1, 2, 3));
    bool is_resident = false;
    out[6] += sum(tex2Dgather<uchar4>(t, 1, 2, &is_resident, 1)) +
              sum(tex2Dgather<int4>(t, 1, 2, &is_resident));
    out[8] = tex2D<float>(t, 1, 2, &is_resident) +
             tex3DLod<float>(t, 1, 2, 3, 4, &is_resident) + is_resident;
    float4 through_pointer;
    tex2D(&through_pointer, t, 1.0f, 2.0f);
    out[7] = sum(through_pointer);
}

__global__ void references(float *out)
{
    float4 wide = tex2D(normalized, 1.0f, 2.0f);
    int4 whole = tex1Dfetch(linear, 7);
    ushort2 pair = tex2DLayered(layered, 1, 2, 3);
    float4 gathered = tex2Dgather(normalized, 1, 2, 3);
    out[1] = sum(gathered) + sum(tex2Dgather(floats, 1, 2));
    out[0] = tex2D(floats, 1, 2) + sum(wide) + sum(whole) + pair.y +
             tex3D(volume, 1, 2, 3).y;
}

__global__ void surfaces(cudaSurfaceObject_t s, float *out)
{
    surf1Dwrite((char)1, s, 0);
    surf2Dwrite(make_ushort4(1, 2, 3, 4), s, 8, 1, cudaBoundaryModeZero);
    surf3Dwrite(make_float4(1, 2, 3, 4), s, 16, 1, 2, cudaBoundaryModeClamp);
    surf1DLayeredwrite((short)2, s, 2, 1);
    surf2DLayeredwrite(3.0f, s, 4, 1, 2);
    surfCubemapwrite(3.0f, s, 4, 1, 2);
    surfCubemapLayeredwrite(3.0f, s, 4, 1, 8);
    surf2Dwrite(4.0f, drawn, 4, 1);
    long long through_pointer;
    surf2Dread(&through_pointer, s, 8, 1);
    out[0] = surf1Dread<char>(s, 0) + surf2Dread<float>(drawn, 4, 1) +
             surf3Dread<uint4>(s, 16, 1, 2, cudaBoundaryModeZero).w +
             surf1DLayeredread<short>(s, 2, 1) +
             surf2DLayeredread<int>(s, 4, 1, 2) +
             surfCubemapread<int>(s, 4, 1, 2) +
             surfCubemapLayeredread<int>(s, 4, 1, 8) + through_pointer;
}

int main()
{
    size_t offset;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    int refused = 0;
    refused += cudaBindTexture(&offset, linear, (void *)0, 64) != cudaSuccess;
    refused += cudaBindTexture(0, linear, (void *)0, desc) != cudaSuccess;
    refused += cudaBindTexture2D(0, floats, 0, desc, 4, 4, 64) != cudaSuccess;
    refused += cudaBindTextureToArray(floats, (cudaArray_t)0) != cudaSuccess;
    refused +=
        cudaBindTextureToArray(floats, (cudaArray_t)0, desc) != cudaSuccess;
    refused +=
        cudaBindSurfaceToArray(drawn, (cudaArray_t)0, desc) != cudaSuccess;
    return refused == 6 && cudaUnbindTexture(floats) == cudaSuccess && volume.normalized == 1 &&
                   volume.filterMode == cudaFilterModeLinear &&
                   floats.channelDesc.x == 32
               ? 0
               : 1;
}
