// SPDX-License-Identifier: Apache-2.0
//
// A kernel that fails: the process survives, the error stays on the context
// through every later call, and a reset of the device makes it as good as new.
#ifndef WEFT_TEST_STICKY_H
#define WEFT_TEST_STICKY_H

#include "check.h"

__global__ void mark(int *out)
{
    *out = 3;
}

// `fail` gets memory and `where`, and must end its context with `want`, whose
// value CUDA documents as `code`. For main to return.
static int expect_sticky(void (*fail)(int *, long long), long long where,
                         cudaError_t want, int code)
{
    int *out, value = 0;
    CHECK(cudaMalloc(&out, 4096));
    mark<<<1, 1>>>(out);
    CHECK_KERNEL();

    // The launch is accepted; it fails later, perhaps before the next call.
    void *arguments[] = {&out, &where};
    EXPECT(cudaLaunchKernel(fail, dim3(2), dim3(64), arguments) == cudaSuccess);
    // It does not look like a launch that failed, however soon it fails.
    usleep(2000);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == want);
    EXPECT_EQ(want, code);

    // Sticky: each call has it, and is the last error until that is read.
    EXPECT(cudaGetLastError() == want);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaSetDevice(0) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == want);
    EXPECT(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost) == want);
    void *more = nullptr;
    EXPECT(cudaMalloc(&more, 16) == want);
    mark<<<1, 1>>>(out);
    EXPECT(cudaGetLastError() == want);
    EXPECT(cudaStreamSynchronize(0) == want);

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

#endif
