/* SPDX-License-Identifier: Apache-2.0 */
/* The last error of a thread, sticky errors, names and texts. */
#include "check.h"
#include "kernels.h"

#include <pthread.h>

static void *other_thread(void *data)
{
    (void)data;
    CHECK(cudaPeekAtLastError() == cudaSuccess);
    return NULL;
}

static void last_error(void)
{
    CHECK(cudaMalloc(NULL, 1) == cudaErrorInvalidValue);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
    pthread_t t;
    CHECK(!pthread_create(&t, NULL, other_thread, NULL));
    pthread_join(t, NULL);
    int n;
    CHECK(cudaGetDeviceCount(&n) == cudaSuccess);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue); /* success keeps it */
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaSetDevice(77) == cudaErrorInvalidDevice);
    CHECK(cudaMalloc(NULL, 1) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue); /* the last one */
}

static void wait_for_flag(void *flag)
{
    while (!__atomic_load_n((int *)flag, __ATOMIC_ACQUIRE))
        ;
}

static void not_ready_is_not_kept(void)
{
    int flag = 0;
    OK(cudaLaunchHostFunc(NULL, wait_for_flag, &flag));
    CHECK(cudaStreamQuery(NULL) == cudaErrorNotReady);
    CHECK(cudaGetLastError() == cudaSuccess);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    OK(cudaStreamSynchronize(NULL));
    OK(cudaStreamQuery(NULL));
}

static void names(void)
{
    CHECK(!strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
    CHECK(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
    CHECK(!strcmp(cudaGetErrorName(cudaErrorInvalidValue),
                  "cudaErrorInvalidValue"));
    CHECK(
        !strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    CHECK(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation),
                  "out of memory"));
    CHECK(!strcmp(cudaGetErrorString((cudaError_t)12345),
                  "unrecognized error code"));
    CHECK(
        !strcmp(cudaGetErrorName((cudaError_t)-1), "unrecognized error code"));
}

/* Every later call reports a kernel's fault, until the device is reset. */
static void sticky(char *kernel, cudaError_t expected)
{
    struct cudaPointerAttributes attributes;
    void *p;
    OK(cudaLaunchKernel(kernel, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, NULL));
    CHECK(cudaDeviceSynchronize() == expected);
    CHECK(cudaGetLastError() == expected);
    CHECK(cudaGetLastError() == cudaSuccess); /* as an H200 */
    CHECK(cudaMalloc(&p, 1) == expected);
    CHECK(cudaStreamQuery(NULL) == expected);
    CHECK(cudaPointerGetAttributes(&attributes, &p) == cudaSuccess);
    CHECK(cudaLaunchKernel(&small, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, NULL) ==
          expected);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaGetLastError() == expected); /* this thread's memory of it */
    CHECK(cudaGetLastError() == cudaSuccess);
    OK(cudaMalloc(&p, 1));
    OK(cudaFree(p));
}

int main(void)
{
    kernels_register();
    last_error();
    not_ready_is_not_kept();
    names();
    sticky(&stray, cudaErrorIllegalAddress);
    sticky(&stop, cudaErrorLaunchFailure);
    GIVES(cudaErrorNotSupported, cudaDeviceGetNvSciSyncAttributes(NULL, 0, 0));
    kernels_unregister();
    return check_result();
}
