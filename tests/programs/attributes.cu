// SPDX-License-Identifier: Apache-2.0
//
// What the runtime tells about devices and kernels: properties agree with
// attributes, limits can be set, function attributes fit the kernel, occupancy
// is what the limits allow.
#include "check.h"

__global__ void __launch_bounds__(256) kernel(float *out, int n)
{
    __shared__ float values[100];
    values[threadIdx.x % 100] = (float)n;
    __syncthreads();
    out[threadIdx.x] = values[(threadIdx.x + 1) % 100];
}

template <int N> __global__ void with_local(int *out, int k)
{
    int values[N];
    for (int i = 0; i < N; i++)
        values[i] = k * i;
    out[threadIdx.x] = values[k % N];
}

static int attribute(cudaDeviceAttr a)
{
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, a, 0));
    return value;
}

static void check_device()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    EXPECT_EQ(p.warpSize, 32);
    EXPECT_EQ(p.maxThreadsPerBlock, 1024);
    EXPECT_EQ(p.maxThreadsDim[0], 1024);
    EXPECT_EQ(p.maxThreadsDim[1], 1024);
    EXPECT_EQ(p.maxThreadsDim[2], 64);
    EXPECT_EQ(p.maxGridSize[0], 2147483647);
    EXPECT_EQ(p.maxGridSize[1], 65535);
    EXPECT_EQ(p.maxGridSize[2], 65535);
    EXPECT_EQ(p.sharedMemPerBlock, 49152);
    EXPECT_EQ(p.totalConstMem, 65536);
    EXPECT(p.major >= 8 && p.multiProcessorCount > 0);
    EXPECT(p.unifiedAddressing && p.canMapHostMemory && p.managedMemory);
    EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimX), p.maxThreadsDim[0]);
    EXPECT_EQ(attribute(cudaDevAttrMaxGridDimX), p.maxGridSize[0]);
    EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock),
              p.sharedMemPerBlock);
    EXPECT_EQ(attribute(cudaDevAttrWarpSize), p.warpSize);
    EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), p.multiProcessorCount);
    EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), p.major);
    EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMinor), p.minor);
    EXPECT_EQ(attribute(cudaDevAttrUnifiedAddressing), 1);
    EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
              p.maxThreadsPerMultiProcessor);
    int value;
    EXPECT_ERROR(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0),
                 cudaErrorInvalidValue);
    char id[32];
    int device = -1;
    CHECK(cudaDeviceGetPCIBusId(id, sizeof(id), 0));
    CHECK(cudaDeviceGetByPCIBusId(&device, id));
    EXPECT_EQ(device, 0);
}

static void check_limits()
{
    for (cudaLimit l : {cudaLimitStackSize, cudaLimitPrintfFifoSize,
                        cudaLimitMallocHeapSize}) {
        size_t before = 0, after = 0;
        CHECK(cudaDeviceGetLimit(&before, l));
        EXPECT(before > 0);
        CHECK(cudaDeviceSetLimit(l, 2 * before));
        CHECK(cudaDeviceGetLimit(&after, l));
        EXPECT(after >= 2 * before);
    }
}

static void check_function()
{
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, kernel));
    EXPECT_EQ(a.sharedSizeBytes, 400);
    EXPECT_EQ(a.maxThreadsPerBlock, 256);
    EXPECT(a.numRegs > 0 && a.numRegs <= 255);
    EXPECT(a.ptxVersion >= 50 && a.binaryVersion >= 50);
    CHECK(cudaFuncGetAttributes(&a, with_local<500>));
    EXPECT_EQ(a.sharedSizeBytes, 0);
    EXPECT(a.maxThreadsPerBlock <= 1024);
    EXPECT(cudaFuncGetAttributes(&a, (const void *)check_limits) !=
           cudaSuccess);
    (void)cudaGetLastError();
}

static void check_occupancy()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    int blocks = 0, grid = 0, block = 0;
    CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
    EXPECT(blocks >= 1 && blocks * 256 <= p.maxThreadsPerMultiProcessor);
    EXPECT_ERROR(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 256, 0),
        cudaErrorInvalidValue);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
    EXPECT(grid >= p.multiProcessorCount && block > 0 && block <= 256);
    EXPECT(block % 32 == 0);
    buffer<float> out(1024);
    kernel<<<grid, block>>>(out.device, 3);
    out.download();
    EXPECT(out[0] == 3);
}

int main()
{
    check_device();
    check_limits();
    check_function();
    check_occupancy();
    return finish();
}
