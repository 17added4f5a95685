/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of every kind, and what a pointer is. */
#include "check.h"

static void device_memory(void)
{
    void *p = &p, *q;
    size_t pitch = 0;
    OK(cudaMalloc(&p, 100));
    CHECK(p && (uintptr_t)p % 256 == 0);
    OK(cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaFree(&q));
    OK(cudaFree(NULL));
    p = &p;
    OK(cudaMalloc(&p, 0));
    CHECK(p == NULL);
    p = &p;
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 60));
    CHECK(p == &p); /* nothing is written on failure */
    GIVES(cudaErrorInvalidValue, cudaMalloc(NULL, 1));
    OK(cudaMallocPitch(&p, &pitch, 100, 7));
    CHECK(pitch >= 100 && pitch % 32 == 0);
    OK(cudaMemset(p, 0, pitch * 7));
    OK(cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaMallocPitch(NULL, &pitch, 1, 1));
    GIVES(cudaErrorInvalidValue, cudaMallocPitch(&p, NULL, 1, 1));
    GIVES(cudaErrorInvalidValue, cudaMallocPitch(&p, &pitch, SIZE_MAX, 2));
    GIVES(cudaErrorInvalidValue, /* as an H200's */
          cudaMallocPitch(&p, &pitch, 1 << 20, SIZE_MAX / 2));
    GIVES(cudaErrorMemoryAllocation, /* a row that long is none too long */
          cudaMallocPitch(&p, &pitch, (size_t)1 << 40, 4));
    struct cudaPitchedPtr box;
    OK(cudaMalloc3D(&box, make_cudaExtent(10, 20, 30)));
    CHECK(box.pitch >= 10 && box.xsize == 10 && box.ysize == 20);
    OK(cudaMemset(box.ptr, 0, box.pitch * 20 * 30));
    OK(cudaFree(box.ptr));
    GIVES(cudaErrorInvalidValue, cudaMalloc3D(NULL, make_cudaExtent(1, 1, 1)));
    GIVES(cudaErrorMemoryAllocation,
          cudaMalloc3D(&box, make_cudaExtent(1, SIZE_MAX, SIZE_MAX)));
}

static void host_memory(void)
{
    void *p = NULL, *d = NULL;
    unsigned flags = 0;
    OK(cudaMallocHost(&p, 100));
    memset(p, 1, 100);
    OK(cudaFreeHost(p));
    OK(cudaHostAlloc(&p, 100, cudaHostAllocMapped | cudaHostAllocPortable));
    OK(cudaHostGetDevicePointer(&d, p, 0));
    CHECK(d == p);
    OK(cudaHostGetFlags(&flags, p));
    CHECK(flags == cudaHostAllocMapped); /* all of it is portable */
    GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(&d, p, 1));
    GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(&d, &flags, 0));
    GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(NULL, p, 0));
    GIVES(cudaErrorInvalidValue, cudaHostGetFlags(&flags, &flags));
    GIVES(cudaErrorInvalidValue, cudaHostGetFlags(NULL, p));
    GIVES(cudaErrorInvalidValue, cudaFree(p)); /* of another kind */
    OK(cudaFreeHost(p));
    OK(cudaFreeHost(NULL));
    GIVES(cudaErrorInvalidValue, cudaFreeHost(&flags));
    GIVES(cudaErrorInvalidValue, cudaHostAlloc(&p, 1, 0x80));
    GIVES(cudaErrorInvalidValue, cudaHostAlloc(NULL, 1, 0));
    OK(cudaHostAlloc(&p, 0, 0));
    CHECK(p == NULL);
}

static void registered_memory(void)
{
    static char own[4096];
    void *d = NULL;
    OK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer(&d, own + 100, 0));
    CHECK(d == own + 100);
    GIVES(cudaErrorHostMemoryAlreadyRegistered,
          cudaHostRegister(own, sizeof own, 0));
    OK(cudaHostUnregister(own));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
    GIVES(cudaErrorInvalidValue, cudaHostRegister(NULL, 1, 0));
    GIVES(cudaErrorInvalidValue, cudaHostRegister(own, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaHostRegister(own, 1, 0x80));
    GIVES(cudaErrorInvalidValue, cudaHostUnregister(NULL));
}

static void managed_memory(void)
{
    int *p = NULL;
    struct cudaMemLocation cpu = {cudaMemLocationTypeHost, 0};
    OK(cudaMallocManaged((void **)&p, 400, cudaMemAttachGlobal));
    p[99] = 5;
    OK(cudaMemPrefetchAsync(p, 400, 0, NULL));
    OK(cudaMemPrefetchAsync(p, 400, cudaCpuDeviceId, NULL));
    OK(cudaMemPrefetchAsync_v2(p, 400, cpu, 0, NULL));
    GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(p, 400, 9, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(p, 401, 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(&p, 4, 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync_v2(p, 400, cpu, 1, NULL));
    OK(cudaMemAdvise(p, 400, cudaMemAdviseSetReadMostly, 0));
    OK(cudaMemAdvise(p, 400, cudaMemAdviseSetPreferredLocation,
                     cudaCpuDeviceId));
    OK(cudaMemAdvise_v2(p, 400, cudaMemAdviseSetAccessedBy, cpu));
    GIVES(cudaErrorInvalidDevice,
          cudaMemAdvise(p, 400, cudaMemAdviseSetAccessedBy, 9));
    GIVES(cudaErrorInvalidValue,
          cudaMemAdvise(p, 400, (enum cudaMemoryAdvise)9, 0));
    GIVES(cudaErrorInvalidValue,
          cudaMemAdvise(&p, 4, cudaMemAdviseSetReadMostly, 0));
    OK(cudaStreamAttachMemAsync(NULL, p, 0, cudaMemAttachGlobal));
    GIVES(cudaErrorInvalidValue, cudaStreamAttachMemAsync(NULL, p, 0, 9));
    GIVES(cudaErrorInvalidValue,
          cudaStreamAttachMemAsync(NULL, &p, 0, cudaMemAttachGlobal));
    CHECK(p[99] == 5);
    OK(cudaFree(p));
    OK(cudaMallocManaged((void **)&p, 0, cudaMemAttachGlobal)); /* hardware */
    OK(cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaMallocManaged((void **)&p, 1, 0x10));
    GIVES(cudaErrorInvalidValue,
          cudaMallocManaged(NULL, 1, cudaMemAttachGlobal));
}

static void ordered_memory(void)
{
    void *p = NULL;
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaMallocAsync(&p, 100, s));
    OK(cudaMemsetAsync(p, 1, 100, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaFreeAsync(NULL, s));
    GIVES(cudaErrorInvalidValue, cudaMallocAsync(NULL, 100, s));
    OK(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaMallocAsync(&p, 100, s));
}

static void pointers(void)
{
    static char own[64];
    struct cudaPointerAttributes a;
    char *p;
    OK(cudaMalloc((void **)&p, 100));
    OK(cudaPointerGetAttributes(&a, p + 50));
    CHECK(a.type == cudaMemoryTypeDevice && a.device == 0 &&
          a.devicePointer == p + 50 && !a.hostPointer);
    OK(cudaFree(p));
    OK(cudaMallocHost((void **)&p, 100));
    OK(cudaPointerGetAttributes(&a, p));
    CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == p &&
          a.devicePointer == p);
    OK(cudaFreeHost(p));
    OK(cudaMallocManaged((void **)&p, 100, cudaMemAttachGlobal));
    OK(cudaPointerGetAttributes(&a, p));
    CHECK(a.type == cudaMemoryTypeManaged && a.hostPointer == p &&
          a.devicePointer == p);
    OK(cudaFree(p));
    OK(cudaPointerGetAttributes(&a, own));
    CHECK(a.type == cudaMemoryTypeUnregistered && a.devicePointer == NULL &&
          a.hostPointer == own && a.device == cudaInvalidDeviceId);
    OK(cudaHostRegister(own, sizeof own, 0));
    OK(cudaPointerGetAttributes(&a, own));
    CHECK(a.type == cudaMemoryTypeHost);
    OK(cudaHostUnregister(own));
    GIVES(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, own));
}

int main(void)
{
    device_memory();
    host_memory();
    registered_memory();
    managed_memory();
    ordered_memory();
    pointers();
    return check_result();
}
