// SPDX-License-Identifier: Apache-2.0
//
// Pointers that are none, sizes that no machine has, handles that were
// destroyed: each call says so, and the device still works afterwards.
#include <sys/mman.h>

#include "check.h"

static void check_sizes(char *p)
{
    const size_t huge = ~(size_t)0, pitch = (size_t)1 << 40;
    void *out;
    size_t out_pitch;
    cudaPitchedPtr pitched;
    EXPECT_ERROR(cudaMalloc(&out, (size_t)1 << 40), cudaErrorMemoryAllocation);
    EXPECT_ERROR(cudaMalloc(&out, huge), cudaErrorMemoryAllocation);
    EXPECT_ERROR(cudaMallocPitch(&out, &out_pitch, huge, 4),
                 cudaErrorInvalidValue);
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

// Addresses where there is nothing, and memory that is not the program's.
static void check_no_memory()
{
    static char own[8192];
    char *device, *pinned, *managed;
    char *gone = (char *)mmap(nullptr, 16384, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(!munmap(gone + 8192, 8192));
    CHECK(cudaMalloc(&device, 4096));
    CHECK(cudaMallocHost(&pinned, 4096));
    CHECK(cudaMallocManaged(&managed, 4096));
    const cudaError_t bad = cudaErrorInvalidValue;
    EXPECT_ERROR(cudaMemset((void *)1, 0, 4), bad);
    EXPECT_ERROR(cudaMemset(gone, 0, 12288), bad);
    EXPECT_ERROR(cudaMemcpy((void *)1, own, 4, cudaMemcpyHostToDevice), bad);
    EXPECT_ERROR(cudaMemcpy(own, (void *)1, 4, cudaMemcpyDeviceToHost), bad);
    EXPECT_ERROR(cudaHostRegister((void *)4096, 16, 0), bad);
    EXPECT_ERROR(cudaHostRegister(gone, 16384, 0), bad);
    EXPECT_ERROR(cudaHostRegister(own, ~(size_t)0, 0), bad);
    EXPECT_ERROR(cudaHostRegister(device, 16, 0), bad);
    EXPECT_ERROR(cudaHostRegister(managed, 16, 0), bad);
    EXPECT(cudaHostRegister(pinned, 16, 0) != cudaSuccess);
    (void)cudaGetLastError();
    CHECK(cudaHostRegister(gone, 8192, 0));
    CHECK(cudaHostUnregister(gone));

    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    EXPECT_ERROR(cudaStreamAttachMemAsync(0, managed, 0, cudaMemAttachSingle),
                 bad);
    EXPECT_ERROR(cudaStreamAttachMemAsync(s, managed, 16, cudaMemAttachSingle),
                 bad);
    EXPECT_ERROR(
        cudaStreamAttachMemAsync(s, managed + 4, 0, cudaMemAttachSingle), bad);
    CHECK(cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachSingle));
    CHECK(cudaStreamAttachMemAsync(s, managed, 4096, cudaMemAttachGlobal));
    CHECK(cudaStreamDestroy(s));
    // One row has no pitch.
    CHECK(cudaMemcpy2D(device, 0, own, 0, 16, 1, cudaMemcpyHostToDevice));
    EXPECT_ERROR(cudaMemcpy2D(device, 0, own, 0, 16, 2, cudaMemcpyHostToDevice),
                 cudaErrorInvalidPitchValue);
    CHECK(cudaFree(device));
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
}

int main()
{
    char *p;
    check_no_memory();
    CHECK(cudaMalloc(&p, 1024));
    check_sizes(p);
    check_pointers();
    check_handles();
    CHECK(cudaMemset(p, 0, 1024));
    CHECK(cudaDeviceSynchronize());
    return finish();
}
