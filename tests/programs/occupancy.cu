// SPDX-License-Identifier: Apache-2.0
//
// <cuda_occupancy.h> with the properties of an A100 (compute capability 8.0):
// what limits the number of blocks.
#include <cuda_occupancy.h>

#include "check.h"

static cudaOccResult result;

static int blocks(int registers, size_t shared, int threads)
{
    cudaOccDeviceProp p;
    p.computeMajor = 8;
    p.computeMinor = 0;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = 2048;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.sharedMemPerBlock = 49152;
    p.sharedMemPerMultiprocessor = 167936;
    p.sharedMemPerBlockOptin = 166912;
    p.reservedSharedMemPerBlock = 1024;
    p.numSms = 108;
    cudaOccFuncAttributes a;
    a.maxThreadsPerBlock = 1024;
    a.numRegs = registers;
    a.sharedSizeBytes = shared;
    a.shmemLimitConfig = FUNC_SHMEM_LIMIT_DEFAULT;
    a.numBlockBarriers = 1;
    cudaOccDeviceState state;
    cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, &p, &a, &state, threads, 0);
    return error ? -1 : result.activeBlocksPerMultiprocessor;
}

int main()
{
    EXPECT_EQ(blocks(32, 0, 256), 8);
    EXPECT_EQ(result.limitingFactors, OCC_LIMIT_WARPS | OCC_LIMIT_REGISTERS);
    EXPECT_EQ(blocks(64, 0, 256), 4);
    EXPECT_EQ(result.limitingFactors, OCC_LIMIT_REGISTERS);
    EXPECT_EQ(blocks(16, 0, 32), 32);
    EXPECT_EQ(result.limitingFactors, OCC_LIMIT_BLOCKS);
    EXPECT_EQ(blocks(16, 40000, 64), 4);
    EXPECT_EQ(result.limitingFactors, OCC_LIMIT_SHARED_MEMORY);
    EXPECT_EQ(blocks(16, 50000, 64), 0);
    EXPECT_EQ(blocks(255, 0, 512), 0);
    EXPECT_EQ(blocks(255, 0, 256), 1);
    EXPECT_EQ(blocks(16, 0, 0), -1);
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    cudaOccDeviceProp converted(device);
    EXPECT_EQ(converted.warpSize, 32);
    return finish();
}
