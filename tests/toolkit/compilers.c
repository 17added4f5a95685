/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libnvvm and nvJitLink: IR with the pointers of LLVM 7 becomes PTX, is linked
 * with what it calls, and runs; what is wrong gets its code and a log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "nvFatbin.h"
#include "nvJitLink.h"
#include "nvvm.h"

static int failures;

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);             \
            failures++;                                                        \
        }                                                                      \
    } while (0)

/* Pointers to pointers, to functions and with address spaces, in every place
 * where types stand; an intrinsic that LLVM has in another form. */
static const char kernel_ir[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "%\"a*pair\" = type { i32*, %\"a*pair\"* } ; a * in a comment\n"
    "@table = internal addrspace(1) global [2 x i32] [i32 40, i32 2]\n"
    "@slot = internal addrspace(1) global i32 addrspace(1)* getelementptr "
    "([2 x i32], [2 x i32] addrspace(1)* @table, i32 0, i32 1)\n"
    "declare i32 @\"llvm.nvvm.read.ptx.sreg.tid.x\"()\n"
    "declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)\n"
    "declare i32 @twice(i32)\n"
    "define i32 @first(%\"a*pair\"* byval %p, i32 (i32)** %f) {\n"
    "  %m = alloca i32 addrspace(1)*\n"
    "  store i32 addrspace(1)* null, i32 addrspace(1)** %m\n"
    "  %q = getelementptr %\"a*pair\", %\"a*pair\"* %p, i32 0, i32 0\n"
    "  %r = load i32*, i32** %q\n"
    "  %v = load i32, i32* %r\n"
    "  ret i32 %v\n"
    "}\n"
    "define void @k(i32* %out) {\n"
    "  %i = call i32 @\"llvm.nvvm.read.ptx.sreg.tid.x\"()\n"
    "  %s = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %i,\n"
    "      i32 1, i32 31)\n"
    "  %x = extractvalue {i32, i1} %s, 0\n"
    "  %a = load i32 addrspace(1)*, i32 addrspace(1)* addrspace(1)* @slot\n"
    "  %c = load volatile i32, i32 addrspace(1)* %a\n"
    "  %t = call i32 @twice(i32 %x)\n"
    "  %y = add i32 %t, %c\n"
    "  %p = getelementptr i32, i32* %out, i32 %i\n"
    "  store i32 %y, i32* %p\n"
    "  ret void\n"
    "}\n"
    "!nvvm.annotations = !{!0}\n"
    "!0 = !{void (i32*)* @k, !\"kernel\", i32 1}\n";

static const char twice_ir[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
                               "define i32 @twice(i32 %x) {\n"
                               "  %y = shl i32 %x, 1\n"
                               "  ret i32 %y\n"
                               "}\n"
                               "define i32 @unused(i32 %x) {\n"
                               "  ret i32 %x\n"
                               "}\n";

/* ---- libnvvm ------------------------------------------------------------- */

static char *log_of(nvvmProgram p)
{
    size_t size;
    CHECK(!nvvmGetProgramLogSize(p, &size));
    char *text = malloc(size);
    CHECK(text && !nvvmGetProgramLog(p, text) && strlen(text) + 1 == size);
    return text;
}

/* NULL: it failed with `wanted`. */
static char *compile(const char *ir, const char *lazy, const char *option,
                     nvvmResult wanted)
{
    const char *options[] = {"-arch=compute_90", option};
    nvvmProgram p;
    char *ptx = NULL;
    size_t size;
    CHECK(!nvvmCreateProgram(&p));
    CHECK(!nvvmAddModuleToProgram(p, ir, strlen(ir), "test"));
    if (lazy)
        CHECK(!nvvmLazyAddModuleToProgram(p, lazy, strlen(lazy), NULL));
    nvvmResult err = nvvmCompileProgram(p, option ? 2 : 1, options);
    char *log = log_of(p);
    CHECK(err == wanted);
    CHECK(!!*log == !!wanted);
    if (err && !wanted)
        printf("%s\n", log);
    if (!err && !nvvmGetCompiledResultSize(p, &size) && (ptx = malloc(size)))
        CHECK(!nvvmGetCompiledResult(p, ptx) && strlen(ptx) + 1 == size);
    free(log);
    CHECK(!nvvmDestroyProgram(&p) && !p);
    return ptx;
}

static void check_nvvm_misuse(void)
{
    nvvmProgram p;
    size_t size;
    CHECK(nvvmCreateProgram(NULL) == NVVM_ERROR_INVALID_PROGRAM);
    CHECK(nvvmDestroyProgram(NULL) == NVVM_ERROR_INVALID_PROGRAM);
    CHECK(!nvvmCreateProgram(&p));
    CHECK(nvvmAddModuleToProgram(p, NULL, 1, NULL) == NVVM_ERROR_INVALID_INPUT);
    CHECK(nvvmCompileProgram(p, 0, NULL) == NVVM_ERROR_NO_MODULE_IN_PROGRAM);
    CHECK(nvvmGetCompiledResultSize(p, &size) == NVVM_ERROR_INVALID_PROGRAM);
    CHECK(!nvvmAddModuleToProgram(p, "define void", 11, "bad"));
    CHECK(nvvmVerifyProgram(p, 0, NULL) == NVVM_ERROR_INVALID_IR);
    CHECK(!nvvmDestroyProgram(&p));
    CHECK(!strcmp(nvvmGetErrorString(NVVM_ERROR_INVALID_IR),
                  "NVVM_ERROR_INVALID_IR"));
}

/* ---- nvJitLink ----------------------------------------------------------- */

static char *link_ptx(const char *a, const char *b)
{
    const char *options[] = {"-arch=sm_90", "-O3"};
    nvJitLinkHandle h;
    size_t size;
    char *image = NULL;
    CHECK(!nvJitLinkCreate(&h, 2, options));
    CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, a, strlen(a) + 1, "a"));
    CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_ANY, b, strlen(b), "b"));
    CHECK(!nvJitLinkComplete(h));
    if (!nvJitLinkGetLinkedCubinSize(h, &size) && (image = malloc(size)))
        CHECK(!nvJitLinkGetLinkedCubin(h, image));
    CHECK(!nvJitLinkDestroy(&h) && !h);
    return image;
}

static void check_link_misuse(const char *ptx)
{
    const char *option = "-arch=sm_90", *unknown = "-nonsense";
    nvJitLinkHandle h;
    size_t size = 0;
    CHECK(nvJitLinkCreate(&h, 0, NULL) == NVJITLINK_ERROR_MISSING_ARCH);
    CHECK(!nvJitLinkDestroy(&h));
    CHECK(nvJitLinkCreate(&h, 1, &unknown) ==
          NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
    CHECK(!nvJitLinkDestroy(&h));
    CHECK(!nvJitLinkCreate(&h, 1, &option));
    CHECK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, NULL, 0, NULL) ==
          NVJITLINK_ERROR_NULL_INPUT);
    CHECK(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, "BC\xc0\xde", 4, NULL) ==
          NVJITLINK_ERROR_UNRECOGNIZED_INPUT);
    CHECK(nvJitLinkAddFile(h, NVJITLINK_INPUT_ANY, "/nowhere") ==
          NVJITLINK_ERROR_INVALID_INPUT);
    CHECK(nvJitLinkGetLinkedCubinSize(h, &size) ==
          NVJITLINK_ERROR_INVALID_INPUT);
    CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, ptx, strlen(ptx), "alone"));
    CHECK(nvJitLinkComplete(h) == NVJITLINK_ERROR_PTX_COMPILE);
    CHECK(!nvJitLinkGetErrorLogSize(h, &size) && size > 1);
    CHECK(!nvJitLinkDestroy(&h));
}

/* ---- nvFatbin ------------------------------------------------------------ */

/* A fat binary with the PTX, and machine code of another device. */
static char *pack(const char *ptx, const char *wrong)
{
    const char *option = "-compress=false", *unknown = "-nonsense";
    nvFatbinHandle h;
    size_t size;
    char *out = NULL;
    CHECK(nvFatbinCreate(&h, &unknown, 1) ==
          NVFATBIN_ERROR_UNRECOGNIZED_OPTION);
    CHECK(!nvFatbinCreate(&h, &option, 1));
    CHECK(nvFatbinSize(h, &size) == NVFATBIN_ERROR_EMPTY_INPUT);
    CHECK(nvFatbinAddPTX(h, wrong, strlen(wrong), "90", "x", NULL) ==
          NVFATBIN_ERROR_MISSING_PTX_VERSION);
    CHECK(nvFatbinAddPTX(h, ptx, strlen(ptx), "80", "x", NULL) ==
          NVFATBIN_ERROR_PTX_ARCH_MISMATCH);
    CHECK(nvFatbinAddPTX(h, ptx, strlen(ptx), "ninety", "x", NULL) ==
          NVFATBIN_ERROR_INVALID_ARCH);
    CHECK(!nvFatbinAddPTX(h, ptx, strlen(ptx) + 1, "90", "x.cu", ""));
    CHECK(!nvFatbinAddCubin(h, "\177ELF", 4, "75", "x.cu"));
    if (!nvFatbinSize(h, &size) && (out = malloc(size)))
        CHECK(!nvFatbinGet(h, out));
    CHECK(!nvFatbinDestroy(&h) && !h);
    return out;
}

/* ---- together ------------------------------------------------------------ */

static void check_runs(const void *image)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    int out[32] = {0};
    void *args[] = {&p};
    CHECK(!cuInit(0) && !cuDevicePrimaryCtxRetain(&ctx, 0) &&
          !cuCtxSetCurrent(ctx));
    CHECK(!cuModuleLoadData(&m, image));
    if (failures)
        return;
    CHECK(!cuModuleGetFunction(&f, m, "k") && !cuMemAlloc(&p, sizeof out));
    CHECK(!cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
    CHECK(!cuMemcpyDtoH(out, p, sizeof out));
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 2 * (i ^ 1) + 2);
    CHECK(!cuMemFree(p) && !cuModuleUnload(m));
}

int main(void)
{
    char *a = compile(kernel_ir, NULL, NULL, NVVM_SUCCESS);
    char *b = compile(twice_ir, NULL, "-opt=0", NVVM_SUCCESS);
    char *whole = compile(kernel_ir, twice_ir, "-ftz=1", NVVM_SUCCESS);
    if (!a || !b || !whole)
        return 1;
    CHECK(strstr(a, ".visible .entry k(") && strstr(a, "shfl.sync.bfly"));
    CHECK(!strstr(whole, "unused") && strstr(b, "unused"));
    CHECK(!compile("define i32 @f() { ret void }", NULL, NULL,
                   NVVM_ERROR_COMPILATION));
    CHECK(!compile(kernel_ir, NULL, "-nonsense", NVVM_ERROR_INVALID_OPTION));
    check_nvvm_misuse();
    check_link_misuse(a);
    char *image = link_ptx(a, b);
    check_runs(image);
    check_runs(whole);
    char *packed = pack(whole, "nothing");
    check_runs(packed);
    free(packed);
    free(image);
    free(whole);
    free(b);
    free(a);
    return failures != 0;
}
