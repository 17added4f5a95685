/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PTX for devices newer than ours, with WEFT_NEWER_PTX=1: every target is
 * taken, and an instruction that we lack is refused where its kernel is
 * launched. Without the variable the module is refused.
 * WEFT_DRIVER_VERSION names a later driver.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ADD[] = ".visible .entry k(.param .u64 p)\n"
                          "{\n"
                          "  .reg .b32 %r<8>; .reg .b64 %d;\n"
                          "  ld.param.u64 %d, [p];\n"
                          "  ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, "
                          "%r6, %r7}, [%d];\n"
                          "  add.u32 %r0, %r0, %r7;\n"
                          "  st.global.b32 [%d], %r0;\n"
                          "  ret;\n"
                          "}\n";
static const char LACKING[] = ".visible .entry k(.param .u64 p)\n"
                              "{\n"
                              "  .shared .align 8 .b8 a[16]; .reg .b32 %r;\n"
                              "  mov.u32 %r, a;\n"
                              "  st.bulk.shared::cta [%r], 16, 0;\n"
                              "  ret;\n"
                              "}\n";

static CUresult load(CUmodule *module, const char *target, const char *kernel)
{
    static char text[2000];
    snprintf(text, sizeof text,
             ".version 9.0\n.target %s\n.address_size 64\n%s", target, kernel);
    return cuModuleLoadData(module, text);
}

static void test_target(const char *target, CUdeviceptr memory)
{
    static const unsigned numbers[8] = {3, 0, 0, 0, 0, 0, 0, 4};
    CUmodule module;
    CUfunction function;
    unsigned sum = 0;
    void *arguments[] = {&memory};

    unsetenv("WEFT_NEWER_PTX");
    CU_GIVES(INVALID_PTX, load(&module, target, ADD));
    setenv("WEFT_NEWER_PTX", "1", 1);
    CU_OK(load(&module, target, ADD));
    CU_OK(cuModuleGetFunction(&function, module, "k"));
    CU_OK(cuMemcpyHtoD(memory, numbers, sizeof numbers));
    CU_OK(
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    CU_OK(cuMemcpyDtoH(&sum, memory, sizeof sum));
    CHECK(sum == 7);
    CU_OK(cuModuleUnload(module));
}

static void test_lacking(CUdeviceptr memory)
{
    CUmodule module;
    CUfunction function;
    void *arguments[] = {&memory};

    CU_OK(load(&module, "sm_100", LACKING));
    CU_OK(cuModuleGetFunction(&function, module, "k"));
    CU_GIVES(INVALID_PTX, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL,
                                         arguments, NULL));
    CU_OK(cuModuleUnload(module));
}

/* A client that looks whether its PTX is too new sees a driver that is not. */
static void test_version(void)
{
    int version = 0;
    setenv("WEFT_DRIVER_VERSION", "13040", 1);
    CU_OK(cuDriverGetVersion(&version));
    CHECK(version == 13040);
    unsetenv("WEFT_DRIVER_VERSION");
    CU_OK(cuDriverGetVersion(&version));
    CHECK(version == 13000);
}

int main(void)
{
    static const char *const targets[] = {"sm_100", "sm_100a", "sm_100f",
                                          "sm_120f", "sm_121"};
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuDevicePrimaryCtxRetain(&context, device));
    CU_OK(cuCtxSetCurrent(context));
    CU_OK(cuMemAlloc(&memory, 32));
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        test_target(targets[i], memory);
    test_lacking(memory);
    test_version();
    CU_OK(cuMemFree(memory));
    return failures != 0;
}
