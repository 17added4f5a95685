/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvPTXCompiler: codes and the words of its logs that NVIDIA's library (13.0)
 * gave for the same PTX and options, and a program that is loaded and runs.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/check.h"

#include "cuda.h"
#include "nvPTXCompiler.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
static const char good[] =
    HEAD ".visible .entry k(.param .u64 p) {\n"
         ".reg .u64 %a; ld.param.u64 %a, [p]; st.global.u32 [%a], 42; ret; }\n";
static const char lacking[] = HEAD ".extern .func f();\n"
                                   ".visible .entry k() { call f; ret; }\n";
static const char bad[] = HEAD ".visible .entry k() { bogus; ret; }\n";
static const char newer[] = ".version 99.0\n.target sm_75\n"
                            ".visible .entry k() { ret; }\n";
static const char later[] = ".version 8.6\n.target sm_100\n"
                            ".visible .entry k() { ret; }\n";

enum { OPTIONS_MAX = 3 };

static const struct row {
    const char *ptx;
    const char *options[OPTIONS_MAX];
    nvPTXCompileResult code;
    const char *error, *info; /* a part of the logs; NULL: they are empty */
} rows[] = {
    {good, {NULL}, 0, NULL, NULL},
    {good, {"--gpu-name=sm_90"}, 0, NULL, NULL},
    {good, {"--gpu-name", "sm_90"}, 0, NULL, NULL},
    {good, {"-arch", "sm_90", "-O2"}, 0, NULL, NULL},
    {good, {"-arch=sm_90", "-v"}, 0, NULL, "Compiling entry function 'k' for "},
    {good, {"-arch=sm_90", "-lineinfo", "-w"}, 0, NULL, NULL},
    {good, {"-arch=sm_90", "-o", "x.cubin"}, 0, NULL, NULL},
    {good, {"-arch sm_90"}, 3, "Unknown option 'arch sm_90'\n", NULL},
    {good,
     {"--gpu-name=sm_9999"},
     3,
     "Value 'sm_9999' is not defined for option 'gpu-name'\n",
     NULL},
    {good, {"--gpu-name=compute_90"}, 3, NULL, NULL},
    {good, {"-arch=sm_90", "--bogus"}, 3, "Unknown option '-bogus'\n", NULL},
    {good,
     {"-arch=sm_90", "--verbose=0"},
     3,
     "no argument expected after '--verbose'\n",
     NULL},
    {good,
     {"-arch=sm_90", "file.ptx"},
     3,
     "Input file 'file.ptx' could not be opened\n",
     NULL},
    {good,
     {"-arch=sm_90", "--maxrregcount=abc"},
     3,
     "Invalid value 'abc' for option 'maxrregcount'\n",
     NULL},
    {good,
     {"-arch=sm_90", "--fmad=maybe"},
     3,
     "'maybe': expected true or false\n",
     NULL},
    {good, {"-arch=sm_90", "--opt-level=9"}, 0, NULL, NULL},
    {good, {"-arch=sm_90", "--machine=32"}, 3, "ptxas fatal   : ", NULL},
    {good,
     {"-arch=sm_90", "-e", "missing"},
     3,
     "Unknown function missing\n",
     NULL},
    {good, {"-arch=sm_90", "-e", "k"}, 0, NULL, NULL},
    {good, {"-arch=sm_90", "-dlcm=xx"}, 3, "ptxas fatal   : ", NULL},
    {good,
     {"-arch=sm_90", "--options-file=x"},
     3,
     "Could not open options file 'x'\n",
     NULL},
    {lacking, {"-arch=sm_90"}, 3, "f", NULL},
    {lacking, {"-arch=sm_90", "-c"}, 0, NULL, NULL},
    {lacking, {"-arch=sm_90", "--compile-only"}, 0, NULL, NULL},
    {bad,
     {"-arch=sm_90"},
     3,
     "ptxas application ptx input, line 4; error   : ",
     NULL},
    {newer,
     {"-arch=sm_90"},
     7,
     "ptxas application ptx input, line 1; fatal   : Unsupported .version",
     NULL},
    {later,
     {"-arch=sm_90"},
     3,
     "ptxas fatal   : SM version specified by .target is higher than default "
     "SM version assumed\n",
     NULL},
    {"hello", {"-arch=sm_90"}, 3, ".version", NULL},
};

static void check_log(const struct row *r, const char *which, const char *got,
                      const char *wanted)
{
    bool ok = wanted ? strstr(got, wanted) != NULL : !*got;
    if (ok)
        return;
    printf("row %d: %s log: %s\n", (int)(r - rows), which, got);
    check_failures++;
}

static void check_logs(nvPTXCompilerHandle h, const struct row *r)
{
    char log[4096] = "";
    size_t size = 1;
    CHECK(!nvPTXCompilerGetErrorLogSize(h, &size) && size < sizeof log);
    CHECK(!nvPTXCompilerGetErrorLog(h, log));
    CHECK(size == (*log ? strlen(log) + 1 : 0));
    check_log(r, "error", log, r->error);
    CHECK(!nvPTXCompilerGetInfoLogSize(h, &size) && size < sizeof log);
    CHECK(!nvPTXCompilerGetInfoLog(h, log));
    CHECK(size == (*log ? strlen(log) + 1 : 0));
    check_log(r, "info", log, r->info);
}

static void check_row(const struct row *r)
{
    nvPTXCompilerHandle h;
    size_t size = 0;
    int count = 0;
    while (count < OPTIONS_MAX && r->options[count])
        count++;
    CHECK(!nvPTXCompilerCreate(&h, strlen(r->ptx), r->ptx));
    for (int turn = 0; turn < 2; turn++) { /* a handle compiles again */
        nvPTXCompileResult code = nvPTXCompilerCompile(h, count, r->options);
        if (code != r->code) {
            printf("row %d: %d, not %d\n", (int)(r - rows), code, r->code);
            check_failures++;
        }
        check_logs(h, r);
        CHECK(nvPTXCompilerGetCompiledProgramSize(h, &size) ==
              (r->code ? NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE
                       : NVPTXCOMPILE_SUCCESS));
    }
    CHECK(!nvPTXCompilerDestroy(&h));
}

static int cancel(void *payload, void *reserved)
{
    (void)reserved;
    ++*(int *)payload;
    return 1;
}

static void check_handles(void)
{
    nvPTXCompilerHandle h = NULL;
    unsigned major = 0, minor = 0;
    int count = 0, calls = 0, versions[99][2];
    size_t size;
    char bytes[8];
    CHECK(!nvPTXCompilerGetVersion(&major, &minor) && major == 12);
    CHECK(nvPTXCompilerGetVersion(NULL, &minor) == 2);
    CHECK(!nvPTXCompilerGetNumSupportedVersions(&count) && count > 40);
    CHECK(!nvPTXCompilerGetSupportedVersions(versions));
    CHECK(versions[0][0] == 1 && versions[count - 1][0] == 9);
    CHECK(nvPTXCompilerGetSupportedVersions(NULL) == 2);
    CHECK(nvPTXCompilerCreate(&h, 5, NULL) == 2);
    CHECK(nvPTXCompilerCreate(&h, 0, good) == 2);
    CHECK(nvPTXCompilerDestroy(&h) == 1);
    CHECK(nvPTXCompilerCompile(NULL, 0, NULL) == 1);
    CHECK(nvPTXCompilerGetErrorLogSize(NULL, &size) == 1);
    CHECK(nvPTXCompilerSetFlowCallback(NULL, cancel, &calls) == 1);
    CHECK(!nvPTXCompilerCreate(&h, strlen(good), good));
    CHECK(nvPTXCompilerGetCompiledProgram(h, bytes) == 6);
    CHECK(nvPTXCompilerGetErrorLogSize(h, NULL) == 2);
    CHECK(nvPTXCompilerSetFlowCallback(h, NULL, NULL) == 2);
    CHECK(!nvPTXCompilerSetFlowCallback(h, cancel, &calls));
    CHECK(nvPTXCompilerCompile(h, 0, NULL) == NVPTXCOMPILE_ERROR_CANCELLED);
    CHECK(calls == 1);
    CHECK(!nvPTXCompilerDestroy(&h));
}

static void check_program(void)
{
    static const char *const options[] = {"--gpu-name=sm_90"};
    nvPTXCompilerHandle h;
    size_t size = 0;
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p = 0;
    unsigned value = 0;
    void *args[] = {&p};
    CHECK(!nvPTXCompilerCreate(&h, sizeof good - 1, good));
    CHECK(!nvPTXCompilerCompile(h, 1, options));
    CHECK(!nvPTXCompilerGetCompiledProgramSize(h, &size) && size > 0);
    char *image = malloc(size);
    CHECK(image && !nvPTXCompilerGetCompiledProgram(h, image));
    CHECK(!nvPTXCompilerDestroy(&h));
    CHECK(!cuInit(0) && !cuDevicePrimaryCtxRetain(&ctx, 0));
    CHECK(!cuCtxSetCurrent(ctx) && !cuModuleLoadData(&m, image));
    CHECK(!cuModuleGetFunction(&f, m, "k") && !cuMemAlloc(&p, 4));
    CHECK(!cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    CHECK(!cuMemcpyDtoH(&value, p, 4) && value == 42);
    free(image);
}

int main(void)
{
    check_handles();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
    check_program();
    return check_result();
}
