// SPDX-License-Identifier: Apache-2.0
//
// A device assertion fails: the process survives, the
// error stays on the context through every later call, and a reset of the
// device makes it as good as new.
#undef NDEBUG
#include <cassert>

#include "check.h"

__global__ void fail(int *out, long long where)
{
    out[threadIdx.x] = 1;
    assert(threadIdx.x < 40 || where == 0);
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
    long long where = 7;
    void *arguments[] = {&out, &where};
    EXPECT(cudaLaunchKernel(fail, dim3(2), dim3(64), arguments) ==
           cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    EXPECT_EQ(cudaErrorAssert, 710);

    // Sticky: asking does not clear it.
    EXPECT(cudaGetLastError() == cudaErrorAssert);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    EXPECT(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost) ==
           cudaErrorAssert);
    void *more = nullptr;
    EXPECT(cudaMalloc(&more, 16) == cudaErrorAssert);
    mark<<<1, 1>>>(out);
    EXPECT(cudaGetLastError() == cudaErrorAssert);
    EXPECT(cudaStreamSynchronize(0) == cudaErrorAssert);

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
