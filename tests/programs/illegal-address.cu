// SPDX-License-Identifier: Apache-2.0
//
// A kernel reads and writes where there is no memory: the process survives, the
// error stays on the context through every later call, and a reset of the
// device makes it as good as new.
#include "check.h"

__global__ void fail(int *out, long long where)
{
    out[threadIdx.x] = 1;
    if (threadIdx.x == 40)
        out[where] = 2;
}

__global__ void mark(int *out)
{
    *out = 3;
}

int main()
{
    int *out, value = 0;
    CHECK(cudaMalloc(&out, 4096));
    mark<<<1, 1>>>(out);
    CHECK_KERNEL();

    // The launch is accepted; it fails later, perhaps before the next call.
    long long where = 1ll << 40;
    void *arguments[] = {&out, &where};
    EXPECT(cudaLaunchKernel(fail, dim3(2), dim3(64), arguments) ==
           cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT_EQ(cudaErrorIllegalAddress, 700);

    // Sticky: asking does not clear it.
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost) ==
           cudaErrorIllegalAddress);
    void *more = nullptr;
    EXPECT(cudaMalloc(&more, 16) == cudaErrorIllegalAddress);
    mark<<<1, 1>>>(out);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(cudaStreamSynchronize(0) == cudaErrorIllegalAddress);

    // A reset starts anew, where a real device may demand a new process.
    CHECK(cudaDeviceReset());
    (void)cudaGetLastError();
    CHECK(cudaMalloc(&out, 4096));
    mark<<<1, 1>>>(out);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
    EXPECT_EQ(value, 3);
    CHECK(cudaFree(out));
    return finish();
}
