// SPDX-License-Identifier: Apache-2.0
//
// Pointers that are none, sizes that no machine has, handles that were
// destroyed: each call says so, and the device still works afterwards.
#include "check.h"

#define EXPECT_ERROR(call, error)                                              \
    do {                                                                       \
        cudaError_t got_ = (call);                                             \
        if (got_ != error)                                                     \
            FAIL("%s: %s, expected %s", #call, cudaGetErrorName(got_),         \
                 cudaGetErrorName(error));                                     \
        (void)cudaGetLastError();                                              \
    } while (0)

static void check_sizes(char *p)
{
    const size_t huge = ~(size_t)0, pitch = (size_t)1 << 40;
    void *out;
    size_t out_pitch;
    cudaPitchedPtr pitched;
    EXPECT_ERROR(cudaMalloc(&out, (size_t)1 << 40), cudaErrorMemoryAllocation);
    EXPECT_ERROR(cudaMalloc(&out, huge), cudaErrorMemoryAllocation);
    EXPECT_ERROR(cudaMallocPitch(&out, &out_pitch, huge, 4),
                 cudaErrorMemoryAllocation);
    EXPECT_ERROR(cudaMalloc3D(&pitched, make_cudaExtent(pitch, pitch, pitch)),
                 cudaErrorMemoryAllocation);
    EXPECT_ERROR(cudaMemset(p, 0, huge), cudaErrorInvalidValue);
    // Rows and slices whose distance in all is a multiple of 2^64.
    EXPECT_ERROR(cudaMemset2D(p, pitch, 0, 4, (1 << 24) + 1),
                 cudaErrorInvalidValue);
    EXPECT_ERROR(cudaMemset3D(make_cudaPitchedPtr(p, 1 << 30, 4, 1 << 30), 0,
                              make_cudaExtent(4, 1 << 4, 17)),
                 cudaErrorInvalidValue);
}

static void check_pointers()
{
    int host = 0;
    char *p;
    CHECK(cudaMalloc(&p, 100));
    EXPECT_ERROR(cudaFree(p + 1), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaFree(&host), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaFree((void *)1), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaFreeHost(p), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaMemcpy(p, nullptr, 4, cudaMemcpyDefault),
                 cudaErrorInvalidValue);
    EXPECT_ERROR(cudaMemcpy(p, &host, 101, cudaMemcpyDefault),
                 cudaErrorInvalidValue);
    CHECK(cudaFree(p));
    EXPECT_ERROR(cudaFree(p), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaMemset(p, 0, 4), cudaErrorInvalidValue);
}

static void check_handles()
{
    const cudaError_t dead = cudaErrorInvalidResourceHandle;
    cudaStream_t stream;
    cudaEvent_t event;
    float ms;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamDestroy(stream));
    EXPECT_ERROR(cudaStreamDestroy(stream), dead);
    EXPECT_ERROR(cudaStreamSynchronize(stream), dead);
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventDestroy(event));
    EXPECT_ERROR(cudaEventDestroy(event), dead);
    EXPECT_ERROR(cudaEventRecord(event), dead);
    EXPECT_ERROR(cudaEventSynchronize(event), dead);
    EXPECT_ERROR(cudaEventElapsedTime(&ms, event, event), dead);
    EXPECT_ERROR(cudaStreamWaitEvent(0, event, 0), dead);
    EXPECT_ERROR(cudaStreamWaitEvent(0, (cudaEvent_t)0x77, 0), dead);
}

int main()
{
    char *p;
    CHECK(cudaMalloc(&p, 1024));
    check_sizes(p);
    check_pointers();
    check_handles();
    CHECK(cudaMemset(p, 0, 1024));
    CHECK(cudaDeviceSynchronize());
    return finish();
}
