// SPDX-License-Identifier: Apache-2.0
// The C++ layer of the runtime API: typed pointers, kernels and symbols.
#include "check.h"

__constant__ float factors[4];
__device__ int counter = 5;

__global__ void scale(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= factors[i % 4];
    if (i == 0)
        counter++;
}

template <class T> __global__ void fill(T *p, T value)
{
    extern __shared__ char scratch[];
    p[threadIdx.x] = value;
    scratch[threadIdx.x] = 0;
}

static void memory()
{
    float *p, *q;
    size_t pitch;
    cudaStream_t s;
    OK(cudaMalloc(&p, 64));
    OK(cudaFree(p));
    OK(cudaMallocManaged(&p, 64));
    OK(cudaMemPrefetchAsync(p, 64, 0));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamAttachMemAsync(s, p));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(p));
    OK(cudaMallocHost(&p, 64));
    OK(cudaHostGetDevicePointer(&q, p, 0));
    CHECK(p == q);
    OK(cudaFreeHost(p));
    OK(cudaHostAlloc(&p, 64, cudaHostAllocMapped));
    OK(cudaFreeHost(p));
    OK(cudaMallocPitch(&p, &pitch, 64, 2));
    OK(cudaFree(p));
    OK(cudaStreamCreate(&s));
    OK(cudaMallocAsync(&p, 64, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaStreamDestroy(s));
}

static void symbols()
{
    float host[4] = {1, 2, 3, 4}, back[4] = {};
    void *address;
    int *typed, value = 0;
    size_t size;
    OK(cudaMemcpyToSymbol(factors, host, sizeof host));
    OK(cudaMemcpyFromSymbol(back, factors, sizeof back));
    CHECK(back[3] == 4);
    OK(cudaMemcpyToSymbolAsync(factors, host, 4, 12));
    OK(cudaMemcpyFromSymbolAsync(back, factors, 16));
    CHECK(back[3] == 1);
    OK(cudaMemcpyToSymbol(factors, host, sizeof host));
    OK(cudaGetSymbolAddress(&address, factors));
    OK(cudaGetSymbolAddress(&typed, counter));
    OK(cudaGetSymbolSize(&size, factors));
    CHECK(size == sizeof factors);
    OK(cudaMemcpy(&value, typed, sizeof value, cudaMemcpyDefault));
    CHECK(value == 5);
}

static void launches()
{
    float *p;
    OK(cudaMallocManaged(&p, 64 * sizeof *p));
    for (int i = 0; i < 64; i++)
        p[i] = 1;
    scale<<<2, 32>>>(p, 64);
    int n = 64;
    void *args[] = {&p, &n};
    OK(cudaLaunchKernel(scale, 2, 32, args));
    OK(cudaLaunchKernel((const void *)scale, dim3(2), dim3(32), args, 0, 0));
    cudaLaunchConfig_t config = {};
    config.gridDim = 2;
    config.blockDim = 32;
    OK(cudaLaunchKernelEx(&config, scale, p, 64));
    OK(cudaDeviceSynchronize());
    CHECK(p[1] == 16 && p[63] == 256 && p[4] == 1);

    fill<<<1, 64, 100000>>>(p, 9.0f);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(fill<float>,
                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                            100000));
    fill<<<1, 64, 100000>>>(p, 9.0f);
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 9 && p[63] == 9);
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, fill<float>));
    CHECK(a.maxDynamicSharedSizeBytes == 100000);
    OK(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferL1));
    OK(cudaFree(p));
}

static void occupancy()
{
    int blocks, grid = 0, block = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0));
    CHECK(blocks == 16);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale));
    CHECK(block == 1024 && grid > 0);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 100));
    CHECK(block > 0 && block <= 100);
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        &grid, &block, fill<float>, [](int n) { return n * 160; }));
    CHECK(block > 0 && block <= 1024);
}

int main()
{
    cudaEvent_t event;
    OK(cudaEventCreate(&event, cudaEventDisableTiming));
    OK(cudaEventDestroy(event));
    CHECK(cudaCreateChannelDesc<float4>().w == 32);
    CHECK(cudaCreateChannelDesc<unsigned char>().f ==
          cudaChannelFormatKindUnsigned);
    memory();
    symbols();
    launches();
    occupancy();
    return check_result();
}
