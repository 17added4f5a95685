/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that the program loads itself: kernels, variables, launches, and
 * every misuse. */
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .u32 g = 5;\n"
    ".visible .entry k(.param .u64 a, .param .u32 b)\n"
    "{ .reg .u64 %d; .reg .u32 %r; ld.param.u64 %d, [a];\n"
    "  ld.param.u32 %r, [b]; st.global.u32 [%d], %r; ret; }\n";
static const char bad[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry k() { bad; ret; }\n";

static void loading(void)
{
    cudaLibrary_t l;
    char log[256] = "";
    enum cudaJitOption options[] = {cudaJitErrorLogBuffer,
                                    cudaJitErrorLogBufferSizeBytes};
    void *values[] = {log, (void *)sizeof log};
    enum cudaLibraryOption wrong = (enum cudaLibraryOption)9;
    GIVES(cudaErrorInvalidValue,
          cudaLibraryLoadData(NULL, text, NULL, NULL, 0, NULL, NULL, 0));
    GIVES(cudaErrorInvalidValue,
          cudaLibraryLoadData(&l, NULL, NULL, NULL, 0, NULL, NULL, 0));
    cudaKernel_t k;
    OK(cudaLibraryLoadData(&l, bad, options, values, 2, NULL, NULL, 0));
    GIVES(cudaErrorInvalidPtx, cudaLibraryGetKernel(&k, l, "k"));
    OK(cudaLibraryUnload(l));
    CHECK(strstr(log, "bad") && values[1] != (void *)sizeof log);
    GIVES(cudaErrorInvalidValue,
          cudaLibraryLoadData(&l, text, NULL, NULL, 1, NULL, NULL, 0));
    GIVES(cudaErrorInvalidValue,
          cudaLibraryLoadData(&l, text, NULL, NULL, 0, &wrong, NULL, 1));
    GIVES(cudaErrorFileNotFound,
          cudaLibraryLoadFromFile(&l, "/nonexistent", NULL, NULL, 0, NULL, NULL,
                                  0));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaLibraryUnload((cudaLibrary_t)log));
}

/* A fat binary that says that it is longer than its file. */
static void cut_off(void)
{
    static const unsigned char header[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0,
                                           0,    4,    0,    0,    0, 0, 0,  0};
    char path[] = "/tmp/weft-libraries-XXXXXX";
    cudaLibrary_t l;
    int fd = mkstemp(path);
    CHECK(fd >= 0 &&
          write(fd, header, sizeof header) == (ssize_t)sizeof header);
    GIVES(cudaErrorInvalidKernelImage,
          cudaLibraryLoadFromFile(&l, path, NULL, NULL, 0, NULL, NULL, 0));
    close(fd);
    unlink(path);
}

static void variables(cudaLibrary_t l)
{
    void *g = NULL;
    size_t size = 0;
    unsigned value = 0;
    OK(cudaLibraryGetGlobal(&g, &size, l, "g"));
    CHECK(size == 4);
    OK(cudaMemcpy(&value, g, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(value == 5);
    OK(cudaLibraryGetGlobal(NULL, &size, l, "g"));
    GIVES(cudaErrorSymbolNotFound, cudaLibraryGetGlobal(&g, &size, l, "zz"));
    GIVES(cudaErrorInvalidValue, cudaLibraryGetGlobal(NULL, NULL, l, "g"));
    GIVES(cudaErrorInvalidValue, cudaLibraryGetGlobal(&g, &size, l, NULL));
    GIVES(cudaErrorSymbolNotFound, cudaLibraryGetManaged(&g, &size, l, "g"));
    GIVES(cudaErrorInvalidValue, cudaLibraryGetUnifiedFunction(&g, l, "f"));
}

static void launch(cudaKernel_t k)
{
    void *p;
    unsigned value = 42, got = 0;
    size_t offset = 9, size = 9;
    OK(cudaMalloc(&p, 64));
    void *args[] = {&p, &value};
    OK(cudaLaunchKernel((const void *)k, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args,
                        0, NULL));
    OK(cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == 42);
    OK(cudaFuncGetParamInfo((const void *)k, 1, &offset, &size));
    CHECK(offset == 8 && size == 4);
    GIVES(cudaErrorInvalidValue,
          cudaFuncGetParamInfo((const void *)k, 2, &offset, &size));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaFuncGetParamInfo((const void *)&size, 0, &offset, &size));
    OK(cudaKernelSetAttributeForDevice(
        k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
    GIVES(cudaErrorInvalidDevice,
          cudaKernelSetAttributeForDevice(
              k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 9));
    OK(cudaFree(p));
}

int main(void)
{
    cudaLibrary_t l;
    cudaKernel_t k = NULL, all[2] = {NULL};
    unsigned count = 0;
    loading();
    cut_off();
    OK(cudaLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0));
    OK(cudaLibraryGetKernel(&k, l, "k"));
    GIVES(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&k, l, "zz"));
    GIVES(cudaErrorInvalidValue, cudaLibraryGetKernel(&k, l, NULL));
    GIVES(cudaErrorInvalidValue, cudaLibraryGetKernel(NULL, l, "k"));
    OK(cudaLibraryGetKernelCount(&count, l));
    CHECK(count == 1);
    GIVES(cudaErrorInvalidValue, cudaLibraryGetKernelCount(NULL, l));
    OK(cudaLibraryEnumerateKernels(all, 2, l));
    CHECK(all[0] == k && !all[1]);
    GIVES(cudaErrorInvalidValue, cudaLibraryEnumerateKernels(NULL, 1, l));
    variables(l);
    launch(k);
    OK(cudaLibraryUnload(l));
    GIVES(cudaErrorInvalidResourceHandle, cudaLibraryUnload(l));
    return check_result();
}
