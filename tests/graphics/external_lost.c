/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and semaphores whose file is made shorter after the import: CUDA's
 * error, and the process lives on. */
#define _GNU_SOURCE
#include "../runtime/check.h"
#include "../runtime/kernels.h"

#include <cuda.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, BYTES = 4 * PAGE, COUNT = BYTES / 4 };

struct imported {
    int fd; /* our own */
    cudaExternalMemory_t memory;
    void *p;
};

static int make_file(void)
{
    int fd = memfd_create("memory of the test", 0);
    CHECK(fd >= 0 && !ftruncate(fd, BYTES));
    return fd;
}

static struct imported import(void)
{
    struct imported i = {.fd = make_file()};
    struct cudaExternalMemoryHandleDesc d = {
        .type = cudaExternalMemoryHandleTypeOpaqueFd, .size = BYTES};
    struct cudaExternalMemoryBufferDesc whole = {.size = BYTES};
    d.handle.fd = dup(i.fd);
    OK(cudaImportExternalMemory(&i.memory, &d));
    OK(cudaExternalMemoryGetMappedBuffer(&i.p, i.memory, &whole));
    return i;
}

/* The context has failed; a reset makes it usable. */
static void begin_anew(struct imported *i)
{
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    OK(cudaDeviceReset());
    OK(cudaDeviceSynchronize());
    close(i->fd);
}

static void check_copies(void)
{
    unsigned char page[PAGE];
    struct imported i = import();
    OK(cudaMemset(i.p, 1, BYTES));
    CHECK(!ftruncate(i.fd, PAGE));
    OK(cudaMemcpy(page, i.p, PAGE, cudaMemcpyDeviceToHost)); /* still there */
    CHECK(page[0] == 1 && page[PAGE - 1] == 1);
    GIVES(cudaErrorIllegalAddress, cudaMemcpy(page, (char *)i.p + 2 * PAGE,
                                              PAGE, cudaMemcpyDeviceToHost));
    begin_anew(&i);
    i = import();
    CHECK(!ftruncate(i.fd, 0));
    GIVES(cudaErrorIllegalAddress, cudaMemset(i.p, 1, BYTES));
    begin_anew(&i);
}

static void check_kernel(void)
{
    struct imported i = import();
    CHECK(!ftruncate(i.fd, PAGE));
    OK(launch_store(i.p, 5, PAGE / 4, 0));
    OK(cudaDeviceSynchronize());
    OK(launch_store(i.p, 5, COUNT, 0));
    begin_anew(&i);
}

static void check_array(void)
{
    unsigned char row[64] = {0};
    struct cudaExternalMemoryMipmappedArrayDesc md = {
        .formatDesc = {8, 0, 0, 0, cudaChannelFormatKindUnsigned},
        .extent = {64, 64, 0},
        .numLevels = 1};
    struct imported i = import();
    cudaMipmappedArray_t mipmap;
    cudaArray_t a;
    OK(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, i.memory, &md));
    OK(cudaGetMipmappedArrayLevel(&a, mipmap, 0));
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC cd = {
        .arrayDesc = {64, 64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0},
        .numLevels = 1};
    CUmipmappedArray again;
    CHECK(cuExternalMemoryGetMappedMipmappedArray(
              &again, (CUexternalMemory)i.memory, &cd) == CUDA_SUCCESS);
    CHECK(cuMipmappedArrayDestroy(again) == CUDA_SUCCESS);
    cd.arrayDesc.Height = 1 << 20;
    CHECK(cuExternalMemoryGetMappedMipmappedArray(
              &again, (CUexternalMemory)i.memory, &cd) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(!ftruncate(i.fd, 0));
    GIVES(cudaErrorIllegalAddress,
          cudaMemcpy2DToArray(a, 0, 0, row, 64, 64, 1, cudaMemcpyHostToDevice));
    begin_anew(&i);
}

/* What is mapped after the file became shorter. */
static void check_later(void)
{
    struct imported i = import();
    struct cudaExternalMemoryBufferDesc part = {.size = 64};
    void *q;
    CHECK(!ftruncate(i.fd, PAGE));
    GIVES(cudaErrorInvalidValue,
          cudaExternalMemoryGetMappedBuffer(&q, i.memory, &part));
    CHECK(!ftruncate(i.fd, BYTES));
    OK(cudaExternalMemoryGetMappedBuffer(&q, i.memory, &part));
    OK(cudaFree(q));
    OK(cudaFree(i.p));
    OK(cudaDestroyExternalMemory(i.memory));
    close(i.fd);
}

/* The page is lost while the error log, which says so, is locked: by who copies
 * it there. The call returns, and the log has the line. */
static void check_log(void)
{
    static char log[16384];
    struct imported i = import();
    size_t room = BYTES, size = sizeof log - 1;
    for (unsigned n = 0; n < 100; n++)
        cudaSetDevice(1000);
    cudaGetLastError();
    CHECK(!ftruncate(i.fd, PAGE));
    alarm(60);
    cudaLogsDumpToMemory(NULL, i.p, &room, 0);
    alarm(0);
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    OK(cudaLogsDumpToMemory(NULL, log, &size, 0));
    CHECK(strstr(log, "external memory at 0x"));
    begin_anew(&i);
}

/* A stream that waits for one ends with the error. */
static void check_semaphore(void)
{
    struct imported i = {.fd = make_file()};
    struct cudaExternalSemaphoreHandleDesc d = {
        .type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd};
    struct cudaExternalSemaphoreWaitParams w = {.params.fence.value = 1};
    cudaExternalSemaphore_t sem;
    cudaStream_t s;
    d.handle.fd = dup(i.fd);
    OK(cudaStreamCreate(&s));
    OK(cudaImportExternalSemaphore(&sem, &d));
    OK(cudaWaitExternalSemaphoresAsync(&sem, &w, 1, s));
    CHECK(!ftruncate(i.fd, 0));
    GIVES(cudaErrorIllegalAddress, cudaStreamSynchronize(s));
    begin_anew(&i);
}

int main(void)
{
    kernels_register();
    check_copies();
    check_kernel();
    check_array();
    check_later();
    check_log();
    check_semaphore();
    kernels_unregister();
    return check_result();
}
