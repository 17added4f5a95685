/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of loads and links: which values they may have, by both APIs; logs
 * that are too small; names that two inputs of a link define; parameters that
 * are more than a kernel has; words of managed memory in streams.
 */
#include "check.h"

#include <cuda_runtime_api.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
static const char good[] =
    HEAD ".visible .global .u32 g;\n.visible .func f() { ret; }\n"
         ".visible .entry k(.param .u64 p, .param .u32 n) { ret; }\n";
static const char broken[] = HEAD ".visible .entry k() { foo; ret; }\n"
                                  ".visible .entry l() { bar; ret; }\n";

/* ---- values -------------------------------------------------------------- */

#define FINE CUDA_SUCCESS
#define BAD  CUDA_ERROR_INVALID_VALUE
static const struct {
    CUjit_option option;
    long value;
    CUresult expected;
} values[] = {
    {CU_JIT_MAX_REGISTERS, 0, BAD},
    {CU_JIT_MAX_REGISTERS, 32, FINE},
    {CU_JIT_THREADS_PER_BLOCK, 128, FINE},
    {CU_JIT_OPTIMIZATION_LEVEL, 0, FINE},
    {CU_JIT_OPTIMIZATION_LEVEL, 4, FINE},
    {CU_JIT_OPTIMIZATION_LEVEL, 5, BAD},
    {CU_JIT_OPTIMIZATION_LEVEL, -1, BAD},
    {CU_JIT_TARGET, CU_TARGET_COMPUTE_90, FINE},
    {CU_JIT_TARGET, CU_TARGET_COMPUTE_90A, FINE},
    {CU_JIT_TARGET, CU_TARGET_COMPUTE_50, FINE},
    {CU_JIT_TARGET, 0, BAD},
    {CU_JIT_TARGET, 91, BAD},
    {CU_JIT_TARGET, CU_COMPUTE_ACCELERATED_TARGET_BASE + 50, BAD},
    {CU_JIT_TARGET, 9999, BAD},
    {CU_JIT_TARGET_FROM_CUCONTEXT, 0, FINE},
    {CU_JIT_FALLBACK_STRATEGY, CU_PREFER_BINARY, FINE},
    {CU_JIT_FALLBACK_STRATEGY, 2, BAD},
    {CU_JIT_GENERATE_LINE_INFO, 1, FINE},
    {CU_JIT_CACHE_MODE, CU_JIT_CACHE_OPTION_CA, FINE},
    {CU_JIT_CACHE_MODE, 3, BAD},
    {CU_JIT_LTO, 0, FINE},
    {CU_JIT_FTZ, 1, FINE},
    {CU_JIT_GLOBAL_SYMBOL_COUNT, 1, CUDA_ERROR_NOT_SUPPORTED},
    {CU_JIT_NUM_OPTIONS, 0, BAD},
};

/* The runtime has those options that have its names. */
static bool is_of_runtime(CUjit_option o)
{
    return o <= CU_JIT_OPTIMIZATION_LEVEL ||
           (o >= CU_JIT_FALLBACK_STRATEGY && o <= CU_JIT_CACHE_MODE);
}

static void option_values(void)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        CUjit_option o = values[i].option;
        enum cudaJitOption same = (enum cudaJitOption)o;
        void *v = (void *)values[i].value;
        CUmodule m;
        CUlinkState l;
        CUlibrary library;
        cudaLibrary_t other;
        int err[4] = {
            cuModuleLoadDataEx(&m, good, 1, &o, &v),
            cuLinkCreate(1, &o, &v, &l),
            cuLibraryLoadData(&library, good, &o, &v, 1, NULL, NULL, 0),
            is_of_runtime(o) ? (int)cudaLibraryLoadData(&other, good, &same, &v,
                                                        1, NULL, NULL, 0)
                             : (int)values[i].expected};
        for (int k = 0; k < 4; k++) {
            if (err[k] == (int)values[i].expected)
                continue;
            printf("option %d = %ld, call %d: %d\n", o, values[i].value, k,
                   err[k]);
            failures++;
        }
        if (!err[0])
            CU_OK(cuModuleUnload(m));
        if (!err[1])
            CU_OK(cuLinkDestroy(l));
        if (!err[2])
            CU_OK(cuLibraryUnload(library));
        if (!err[3] && is_of_runtime(o))
            OK(cudaLibraryUnload(other));
    }
}

/* ---- logs ---------------------------------------------------------------- */

/* Nothing is written behind a buffer, and as much as fits into it. */
static void short_logs(void)
{
    char whole[1024];
    size_t first_line = 0;
    for (size_t room = sizeof whole; room != (size_t)-1;
         room = room > 100 ? 100 : room - 1) {
        char log[sizeof whole];
        CUmodule m;
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                                  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *v[] = {log, (void *)room};
        memset(log, '#', sizeof log);
        CU_GIVES(INVALID_PTX, cuModuleLoadDataEx(&m, broken, 2, options, v));
        size_t length = (size_t)v[1];
        if (room == sizeof whole) {
            memcpy(whole, log, sizeof whole);
            first_line = strcspn(log, "\n") + 1;
            CHECK(length == strlen(log) && length > first_line);
            continue;
        }
        CHECK(room == 0 ? log[0] == '#' : strlen(log) == length);
        CHECK(room == 0 || log[room] == '#');
        CHECK(room == 0 || !memcmp(log, whole, length));
        /* Part of a line, if there is no room for one. */
        CHECK(room == 0 || room > first_line || length == room - 1);
    }
}

/* ---- links --------------------------------------------------------------- */

static const struct {
    const char *second;
    CUresult expected;
} seconds[] = {
    {good, CUDA_ERROR_INVALID_SOURCE},
    {HEAD ".visible .func f() { ret; }", CUDA_ERROR_INVALID_SOURCE},
    {HEAD ".visible .global .u32 g;", CUDA_ERROR_INVALID_SOURCE},
    {HEAD ".visible .global .u32 f;", CUDA_ERROR_INVALID_SOURCE},
    {HEAD ".extern .global .u64 g;", CUDA_ERROR_INVALID_SOURCE},
    {HEAD ".extern .global .u32 g;", CUDA_SUCCESS},
    {HEAD ".extern .global .u32 elsewhere;", CUDA_SUCCESS},
    {HEAD ".func f() { ret; }", CUDA_SUCCESS}, /* its own */
    {HEAD ".weak .func f() { ret; }", CUDA_SUCCESS},
};

static void links(void)
{
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        char log[500] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                                  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *v[] = {log, (void *)sizeof log};
        CUlinkState l;
        char *text = (char *)seconds[i].second;
        CU_OK(cuLinkCreate(2, options, v, &l));
        CU_OK(cuLinkAddData(l, CU_JIT_INPUT_PTX, (char *)good, sizeof good, "a",
                            0, NULL, NULL));
        CUresult err = cuLinkAddData(l, CU_JIT_INPUT_PTX, text,
                                     strlen(text) + 1, "b", 0, NULL, NULL);
        if (err != seconds[i].expected || !err != !strstr(log, "error")) {
            printf("second input %zu: %d, %s\n", i, err, log);
            failures++;
        }
        CU_OK(cuLinkDestroy(l));
    }
}

/* What is refused leaves none of its names behind, but the link fails. */
static void refused_part(void)
{
    static char both[] = HEAD ".visible .func h() { ret; }\n"
                              ".visible .func f() { ret; }";
    static char other[] = HEAD ".visible .func h() { ret; }";
    void *image = NULL;
    size_t size;
    CUlinkState l;
    CU_OK(cuLinkCreate(0, NULL, NULL, &l));
    CU_OK(cuLinkAddData(l, CU_JIT_INPUT_PTX, (char *)good, sizeof good, "a", 0,
                        NULL, NULL));
    CU_GIVES(INVALID_SOURCE, cuLinkAddData(l, CU_JIT_INPUT_PTX, both,
                                           sizeof both, "b", 0, NULL, NULL));
    CU_OK(cuLinkAddData(l, CU_JIT_INPUT_PTX, other, sizeof other, "c", 0, NULL,
                        NULL));
    CU_GIVES(INVALID_SOURCE, cuLinkAddData(l, CU_JIT_INPUT_PTX, other,
                                           sizeof other, "d", 0, NULL, NULL));
    CU_GIVES(INVALID_SOURCE, cuLinkComplete(l, &image, &size));
    CU_GIVES(INVALID_SOURCE, cuLinkComplete(l, &image, &size));
    CU_GIVES(INVALID_VALUE, cuLinkAddData(l, CU_JIT_INPUT_PTX, other,
                                          sizeof other, "e", 0, NULL, NULL));
    CU_OK(cuLinkDestroy(l));
}

/* A link is made once. */
static void complete_twice(void)
{
    static char undefined[] = HEAD ".extern .func nope();\n"
                                   ".visible .entry k() { call nope; ret; }";
    void *image = NULL;
    size_t size;
    CUlinkState l;
    CU_OK(cuLinkCreate(0, NULL, NULL, &l));
    CU_OK(cuLinkAddData(l, CU_JIT_INPUT_PTX, (char *)good, sizeof good, "a", 0,
                        NULL, NULL));
    CU_OK(cuLinkComplete(l, &image, &size));
    CHECK(image && strstr(image, "f"));
    CU_GIVES(INVALID_HANDLE, cuLinkComplete(l, &image, &size));
    CU_GIVES(INVALID_VALUE,
             cuLinkAddData(l, CU_JIT_INPUT_PTX, undefined, sizeof undefined,
                           "b", 0, NULL, NULL));
    CU_OK(cuLinkDestroy(l));
    CU_OK(cuLinkCreate(0, NULL, NULL, &l));
    CU_OK(cuLinkAddData(l, CU_JIT_INPUT_PTX, undefined, sizeof undefined, "u",
                        0, NULL, NULL));
    CU_GIVES(INVALID_SOURCE, cuLinkComplete(l, &image, &size));
    CU_GIVES(INVALID_SOURCE, cuLinkComplete(l, &image, &size));
    CU_OK(cuLinkDestroy(l));
}

/* ---- names and parameters ------------------------------------------------ */

static void names(CUmodule m)
{
    CUdeviceptr p;
    size_t size;
    CUfunction f;
    CU_OK(cuModuleGetGlobal(&p, &size, m, "g"));
    CU_GIVES(INVALID_VALUE, cuModuleGetGlobal(&p, &size, m, "k"));
    CU_GIVES(NOT_FOUND, cuModuleGetGlobal(&p, &size, m, "f"));
    CU_GIVES(NOT_FOUND, cuModuleGetFunction(&f, m, "g"));
    CU_GIVES(NOT_FOUND, cuModuleGetFunction(&f, m, "f"));
}

/* Twelve bytes; a structure of them has sixteen, which are too many. */
static void blocks_of_arguments(CUmodule m)
{
    static const struct {
        size_t bytes;
        CUresult expected;
    } sizes[] = {{0, CUDA_ERROR_INVALID_VALUE},
                 {1, CUDA_SUCCESS},
                 {12, CUDA_SUCCESS},
                 {13, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES},
                 {16, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES},
                 {24, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES},
                 {4096, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES}};
    char bytes[4096] = {0};
    CUfunction f;
    CUgraph g;
    CUgraphNode n;
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuGraphCreate(&g, 0));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i].bytes;
        void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes,
                         CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         CU_LAUNCH_PARAM_END};
        CUDA_KERNEL_NODE_PARAMS p = {.func = f,
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 1,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .extra = extra};
        CHECK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra) ==
              sizes[i].expected);
        CHECK(cuGraphAddKernelNode(&n, g, NULL, 0, &p) == sizes[i].expected);
    }
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuCtxSynchronize());
}

/* ---- words --------------------------------------------------------------- */

static void managed_words(void)
{
    CUdeviceptr p, q;
    CUstream s;
    CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU_OK(cuMemAllocManaged(&p, 64, CU_MEM_ATTACH_GLOBAL));
    CU_OK(cuMemAlloc(&q, 64));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(s, p, 1, 0));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue64(s, p, 1, 0));
    CU_GIVES(INVALID_VALUE, cuStreamWaitValue32(s, p, 0, 0));
    CU_OK(cuStreamWriteValue32(s, q, 1, 0));
    CU_OK(cuStreamSynchronize(s));
    CU_OK(cuMemFree(p));
    CU_OK(cuMemFree(q));
    CU_OK(cuStreamDestroy(s));
}

int main(void)
{
    CUcontext ctx;
    CUmodule m;
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    option_values();
    short_logs();
    links();
    refused_part();
    complete_twice();
    CU_OK(cuModuleLoadData(&m, good));
    names(m);
    blocks_of_arguments(m);
    CU_OK(cuModuleUnload(m));
    managed_words();
    return check_result();
}
