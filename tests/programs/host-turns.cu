// SPDX-License-Identifier: Apache-2.0
//
// A host thread that waits for one stream must not be caught in a kernel of
// another that goes on until this very thread says so.
#include "check.h"

__global__ void wait_for(volatile int *flag)
{
    while (!*flag) {
    }
}

__global__ void nothing()
{
}

int main()
{
    const size_t size_bytes = 4 << 20;
    static char host[size_bytes];
    char *device;
    int *flag;
    cudaStream_t waiting, working;
    CHECK(cudaMallocManaged(&flag, sizeof *flag));
    CHECK(cudaMalloc(&device, size_bytes));
    CHECK(cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&working, cudaStreamNonBlocking));
    cudaDeviceProp device_properties;
    CHECK(cudaGetDeviceProperties(&device_properties, 0));
    if (device_properties.multiProcessorCount < 2)
        return finish(); // nothing is left to work while the kernel waits

    nothing<<<1, 1>>>();
    CHECK_KERNEL();
    for (int i = 0; i < 100; i++) {
        *flag = 0;
        host[size_bytes - 1] = (char)i;
        wait_for<<<1, 1, 0, waiting>>>(flag);
        CHECK(cudaMemcpyAsync(device, host, size_bytes, cudaMemcpyHostToDevice,
                              working));
        nothing<<<1, 1, 0, working>>>();
        CHECK(cudaStreamSynchronize(working));
        EXPECT_EQ(cudaStreamQuery(waiting), cudaErrorNotReady);
        EXPECT_EQ(*(volatile char *)(device + size_bytes - 1), (char)i);
        *(volatile int *)flag = 1;
        CHECK(cudaStreamSynchronize(waiting));
    }
    return finish();
}
