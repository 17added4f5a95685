// SPDX-License-Identifier: Apache-2.0
//
// A child process: forked before the first call it can use the device, forked
// later it is told that it cannot, as on hardware, and ends without waiting
// for what its parent launched.
#include <sys/wait.h>

#include "check.h"

__global__ void mark(int *out)
{
    *out = 3;
}

__global__ void wait_for(volatile int *flag)
{
    while (!*flag) {
    }
}

static void use_device()
{
    int *out, value = 0;
    CHECK(cudaMalloc(&out, sizeof *out));
    mark<<<1, 1>>>(out);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT_EQ(value, 3);
    CHECK(cudaFree(out));
}

static void find_it_closed()
{
    int *out;
    EXPECT(cudaMalloc(&out, 4) == cudaErrorInitializationError);
    EXPECT(cudaDeviceSynchronize() == cudaErrorInitializationError);
    mark<<<1, 1>>>(nullptr);
    EXPECT(cudaGetLastError() == cudaErrorInitializationError);
    int device, warp;
    EXPECT(cudaGetDevice(&device) == cudaErrorInitializationError);
    EXPECT(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0) ==
           cudaErrorInitializationError);
    EXPECT(cudaDeviceReset() == cudaErrorInitializationError);
}

static void in_child(void (*work)())
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        work();
        exit(failures != 0); // with all that happens at the end of a process
    }
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

int main()
{
    in_child(use_device);
    use_device();
    int *flag;
    CHECK(cudaMallocManaged(&flag, sizeof *flag));
    *flag = 0;
    wait_for<<<1, 1>>>(flag);
    in_child(find_it_closed);
    *(volatile int *)flag = 1;
    CHECK(cudaDeviceSynchronize());
    use_device();
    return finish();
}
