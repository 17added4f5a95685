// SPDX-License-Identifier: Apache-2.0
//
// Which devices there are: "Multi-Device System". Programs look at the compute
// capability to find one; 9999.9999 said "none" long ago.
#include "../check.h"

__global__ void mark(int *out)
{
    *out = 42;
}

static void every_device()
{
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    EXPECT(count >= 1);
    for (int device = 0; device < count; ++device) {
        cudaDeviceProp prop;
        CHECK(cudaGetDeviceProperties(&prop, device));
        std::printf("device %d has compute capability %d.%d\n", device,
                    prop.major, prop.minor);
        EXPECT(prop.major >= 8 && prop.major < 9999 && prop.minor < 10);
        EXPECT_EQ(prop.warpSize, 32);
        EXPECT_EQ(prop.maxThreadsPerBlock, 1024);
        EXPECT(prop.canMapHostMemory == 1 && prop.unifiedAddressing == 1);
        EXPECT(prop.concurrentKernels == 1 && prop.asyncEngineCount >= 1);
        EXPECT(prop.computeMode == cudaComputeModeDefault);
    }
}

// As a program of the first years chooses: the first real one.
static void first_real_device()
{
    int count, device;
    CHECK(cudaGetDeviceCount(&count));
    for (device = 0; device < count; ++device) {
        cudaDeviceProp prop;
        CHECK(cudaGetDeviceProperties(&prop, device));
        if (device == 0 && prop.major == 9999 && prop.minor == 9999)
            FAIL("there is only an emulated device");
        else
            break;
    }
    CHECK(cudaSetDevice(device));
    int *out, value = 0;
    CHECK(cudaMalloc(&out, sizeof *out));
    mark<<<1, 1>>>(out);
    CHECK(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT_EQ(value, 42);

    // What releases everything, so that another device could be chosen.
    CHECK(cudaThreadExit());
    CHECK(cudaSetDevice(0));
    EXPECT_ERROR(cudaSetDevice(count), cudaErrorInvalidDevice);
}

int main()
{
    every_device();
    first_real_device();
    return finish();
}
