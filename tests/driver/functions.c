/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about modules and kernels, launches in steps, questions about
 * streams: what each gives when it is used right and when it is not. The
 * errors are those that an H200 gave.
 */
#include "check.h"

#include <cudaProfiler.h>

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .u32 g;\n"
    ".visible .entry k(.param .u64 a, .param .u32 b)\n"
    "{ .reg .u64 %d; .reg .u32 %r; ld.param.u64 %d, [a];\n"
    "  ld.param.u32 %r, [b]; st.global.u32 [%d], %r; ret; }\n"
    ".visible .entry e() { ret; }\n";

static CUmodule m;
static CUfunction f;

static void modules(void)
{
    CUfunction all[4] = {NULL}, other;
    unsigned count = 0;
    CUdeviceptr g;
    size_t size;
    CUmoduleLoadingMode mode;
    CU_GIVES(INVALID_VALUE, cuModuleLoadData(NULL, text));
    CU_GIVES(INVALID_VALUE, cuModuleLoadData(&m, NULL));
    CU_GIVES(FILE_NOT_FOUND, cuModuleLoad(&m, "/nonexistent"));
    CU_GIVES(OUT_OF_MEMORY, cuModuleLoad(&m, "/"));
    CU_GIVES(INVALID_VALUE, cuModuleLoad(&m, NULL));
    CU_OK(cuModuleLoadData(&m, text));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_GIVES(NOT_FOUND, cuModuleGetFunction(&other, m, "zz"));
    CU_GIVES(INVALID_VALUE, cuModuleGetFunction(&other, m, NULL));
    CU_GIVES(INVALID_VALUE, cuModuleGetFunction(&other, m, ""));
    CU_GIVES(INVALID_VALUE, cuModuleGetFunction(NULL, m, "k"));
    CU_GIVES(INVALID_HANDLE, cuModuleGetFunction(&other, NULL, "k"));
    CU_OK(cuModuleGetGlobal(&g, NULL, m, "g"));
    CU_OK(cuModuleGetGlobal(NULL, &size, m, "g"));
    CHECK(size == 4);
    CU_GIVES(INVALID_VALUE, cuModuleGetGlobal(NULL, NULL, m, "g"));
    CU_GIVES(NOT_FOUND, cuModuleGetGlobal(&g, &size, m, "zz"));
    CU_GIVES(INVALID_VALUE, cuModuleGetGlobal(&g, &size, m, NULL));
    CU_GIVES(INVALID_HANDLE, cuModuleGetGlobal(&g, &size, NULL, "g"));
    CU_OK(cuModuleGetFunctionCount(&count, m));
    CHECK(count == 2);
    CU_GIVES(INVALID_VALUE, cuModuleGetFunctionCount(NULL, m));
    CU_GIVES(INVALID_HANDLE, cuModuleGetFunctionCount(&count, NULL));
    CU_OK(cuModuleEnumerateFunctions(all, 4, m));
    CHECK((all[0] == f || all[1] == f) && all[1] && !all[2]);
    CU_OK(cuModuleEnumerateFunctions(all, 0, m));
    CU_GIVES(INVALID_VALUE, cuModuleEnumerateFunctions(NULL, 1, m));
    CU_GIVES(INVALID_HANDLE, cuModuleEnumerateFunctions(all, 1, NULL));
    CU_OK(cuModuleGetLoadingMode(&mode));
}

static void linear_widths(void)
{
    size_t width = 0;
    CU_OK(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, 0));
    CHECK(width == 1 << 28);
    CU_OK(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_HALF, 1, 0));
    CHECK(width == 1 << 30);
    CU_OK(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_BC1_UNORM, 4,
                                             0));
    CHECK(width == 1 << 29);
    CU_GIVES(INVALID_VALUE, cuDeviceGetTexture1DLinearMaxWidth(
                                &width, CU_AD_FORMAT_FLOAT, 3, 0));
    CU_GIVES(INVALID_VALUE, cuDeviceGetTexture1DLinearMaxWidth(
                                NULL, CU_AD_FORMAT_FLOAT, 1, 0));
    CU_GIVES(INVALID_DEVICE, cuDeviceGetTexture1DLinearMaxWidth(
                                 &width, CU_AD_FORMAT_FLOAT, 1, 9));
}

static void places(void)
{
    char id[32] = "as it was";
    CUdevice d = 9;
    CU_GIVES(INVALID_VALUE, cuDeviceGetPCIBusId(id, 5, 0));
    CHECK(!strcmp(id, "as it was"));
    CU_OK(cuDeviceGetPCIBusId(id, sizeof id, 0));
    CU_OK(cuDeviceGetByPCIBusId(&d, id));
    CHECK(d == 0 && strlen(id) == 12);
    CU_GIVES(INVALID_DEVICE, cuDeviceGetByPCIBusId(&d, "ffff:ff:1f.7"));
    strcat(id, "z");
    CU_GIVES(INVALID_VALUE, cuDeviceGetByPCIBusId(&d, id));
}

static void call_driver(void *data)
{
    CUdeviceptr p;
    int count;
    ++*(int *)data;
    CU_GIVES(NOT_PERMITTED, cuMemAlloc(&p, 4));
    CU_GIVES(NOT_PERMITTED, cuDeviceGetCount(&count));
}

static void call_driver_back(CUstream s, CUresult status, void *data)
{
    CHECK(!s && !status);
    call_driver(data);
}

/* Memory that is none of ours, and memory that is nobody's. */
static void not_callable(CUfunction f)
{
    int value;
    CU_GIVES(INVALID_HANDLE,
             cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CU_GIVES(INVALID_HANDLE,
             cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
}

/* A kernel is taken where a function is. */
static void kernels(void)
{
    static const char text[] = ".version 7.0\n.target sm_70\n"
                               ".address_size 64\n.visible .entry k() "
                               "{ ret; }\n";
    CUlibrary library;
    CUkernel kernel;
    const char *name;
    int blocks = 0, threads = 0;
    CU_OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    CU_OK(cuLibraryGetKernel(&kernel, library, "k"));
    CU_OK(cuOccupancyMaxPotentialBlockSize(&blocks, &threads,
                                           (CUfunction)kernel, NULL, 0, 0));
    CHECK(blocks > 0 && threads == 1024);
    CU_OK(cuKernelGetName(&name, kernel));
    CHECK(!strcmp(name, "k"));
    CU_GIVES(INVALID_VALUE, cuKernelGetName(&name, NULL));
    CU_OK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL,
                         NULL));
    CU_OK(cuLibraryUnload(library));
    not_callable((CUfunction)kernel);
}

/* Loading takes anything; what is wrong is told to who wants something of it,
 * each time, as by an H100 (lazy loading or not), and by the log at once. */
static void wrong_libraries(void)
{
#define HEAD ".target sm_70\n.address_size 64\n"
    static const char machine_code[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1},
                      zeros[64];
    static const unsigned char empty_fatbin[64] = {0x50, 0xed, 0x55, 0xba,
                                                   1,    0,    16,   0};
    static const struct {
        const void *code;
        CUresult fault;
    } wrong[] = {
        {"", CUDA_ERROR_INVALID_IMAGE},
        {"this is no PTX\n", CUDA_ERROR_INVALID_IMAGE},
        {machine_code, CUDA_ERROR_INVALID_IMAGE},
        {zeros, CUDA_ERROR_INVALID_IMAGE},
        {empty_fatbin, CUDA_ERROR_NO_BINARY_FOR_GPU},
        {".version 7.0\n" HEAD ".visible .entry k() { add.u32 %r1, %r2; }",
         CUDA_ERROR_INVALID_PTX},
        {".version 7.0\n" HEAD
         ".extern .func f();\n.visible .entry k() { call.uni f; ret; }",
         CUDA_ERROR_INVALID_PTX},
        {".version 99.0\n" HEAD ".visible .entry k() { ret; }",
         CUDA_ERROR_UNSUPPORTED_PTX_VERSION}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CUlibrary library = NULL;
        CUkernel kernel;
        CUmodule module;
        CUdeviceptr p;
        size_t size;
        void *f;
        unsigned count = 9;
        char log[200] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                                  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *values[] = {log, (void *)sizeof log};
        CUresult fault = wrong[i].fault;
        CU_OK(cuLibraryLoadData(&library, wrong[i].code, options, values, 2,
                                NULL, NULL, 0));
        CHECK(strstr(log, "error"));
        CU_OK(cuLibraryGetKernelCount(&count, library));
        CHECK(count == 0);
        CHECK(cuLibraryGetKernel(&kernel, library, "k") == fault);
        CHECK(cuLibraryGetKernel(&kernel, library, "k") == fault);
        CHECK(cuLibraryGetModule(&module, library) == fault);
        CHECK(cuLibraryGetGlobal(&p, &size, library, "g") == fault);
        CHECK(cuLibraryGetManaged(&p, &size, library, "g") == fault);
        CU_GIVES(INVALID_VALUE,
                 cuLibraryGetUnifiedFunction(&f, library, "f"));
        CU_OK(cuLibraryUnload(library));
    }
    CUmodule none;
    CU_GIVES(INVALID_IMAGE, cuModuleLoadData(&none, machine_code));
}

static void host_functions(void)
{
    int calls = 0;
    CUgraph g;
    CUgraphNode n;
    CUgraphExec e;
    const CUDA_HOST_NODE_PARAMS p = {call_driver, &calls};
    CU_OK(cuLaunchHostFunc(NULL, call_driver, &calls));
    CU_OK(cuStreamAddCallback(NULL, call_driver_back, &calls, 0));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddHostNode(&n, g, NULL, 0, &p));
    CU_OK(cuGraphInstantiateWithFlags(&e, g, 0));
    CU_OK(cuGraphLaunch(e, NULL));
    CU_OK(cuCtxSynchronize());
    CHECK(calls == 3);
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(g));
}

static void functions(void)
{
    int blocks;
    CUmodule own = NULL;
    CUfunctionLoadingState state;
    const char *name = "";
    size_t offset = 9, size = 9;
    CU_OK(cuFuncGetModule(&own, f));
    CHECK(own == m);
    CU_GIVES(INVALID_VALUE, cuFuncGetModule(NULL, f));
    CU_GIVES(INVALID_VALUE, cuFuncGetModule(&own, NULL));
    CU_OK(cuFuncGetName(&name, f));
    CHECK(!strcmp(name, "k"));
    CU_GIVES(INVALID_VALUE, cuFuncGetName(NULL, f));
    CU_GIVES(INVALID_VALUE, cuFuncGetName(&name, NULL));
    CU_OK(cuFuncGetParamInfo(f, 0, &offset, &size));
    CHECK(offset == 0 && size == 8);
    CU_OK(cuFuncGetParamInfo(f, 1, &offset, &size));
    CHECK(offset == 8 && size == 4);
    CU_OK(cuFuncGetParamInfo(f, 0, &offset, NULL));
    CU_GIVES(INVALID_VALUE, cuFuncGetParamInfo(f, 2, &offset, &size));
    CU_GIVES(INVALID_VALUE, cuFuncGetParamInfo(f, 0, NULL, &size));
    CU_GIVES(INVALID_VALUE, cuFuncGetParamInfo(NULL, 0, &offset, &size));
    CU_OK(cuFuncIsLoaded(&state, f));
    CHECK(state == CU_FUNCTION_LOADING_STATE_LOADED);
    CU_GIVES(INVALID_VALUE, cuFuncIsLoaded(NULL, f));
    CU_GIVES(INVALID_HANDLE, cuFuncIsLoaded(&state, NULL));
    CU_OK(cuFuncLoad(f));
    CU_GIVES(INVALID_HANDLE, cuFuncLoad(NULL));
    CU_OK(cuFuncSetSharedMemConfig(f, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
    CU_GIVES(INVALID_VALUE, cuFuncSetSharedMemConfig(f, (CUsharedconfig)9));
    CU_OK(cuOccupancyAvailableDynamicSMemPerBlock(&size, f, 1, 256));
    CHECK(size >= 48 << 10);
    CU_OK(cuOccupancyAvailableDynamicSMemPerBlock(&offset, f, 8, 256));
    CHECK(offset == 29184); /* as an H200 counts */
    CU_OK(cuOccupancyAvailableDynamicSMemPerBlock(&offset, f, 7, 32));
    CHECK(offset == 33280);
    CU_OK(cuOccupancyAvailableDynamicSMemPerBlock(&offset, f, 32, 32));
    CHECK(offset == 7296);
    CU_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 49152));
    CHECK(blocks == 4);
    CU_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 49153));
    CHECK(blocks == 0); /* no launch may have that */
    linear_widths();
    host_functions();
    kernels();
    wrong_libraries();
    not_callable((CUfunction)&offset);
    not_callable((CUfunction)(uintptr_t)0x1234);
    CU_GIVES(INVALID_VALUE,
             cuOccupancyAvailableDynamicSMemPerBlock(NULL, f, 1, 256));
    CU_GIVES(INVALID_VALUE,
             cuOccupancyAvailableDynamicSMemPerBlock(&size, f, 0, 256));
}

/* ---- launches in steps --------------------------------------------------- */

static unsigned result(CUdeviceptr p)
{
    unsigned value = 0;
    CU_OK(cuCtxSynchronize());
    CU_OK(cuMemcpyDtoH(&value, p, sizeof value));
    return value;
}

static void old_launches(void)
{
    CUdeviceptr p;
    CUstream s;
    CUfunction no_parameters;
    CU_OK(cuModuleGetFunction(&no_parameters, m, "e"));
    CU_OK(cuMemAlloc(&p, 64));
    CU_OK(cuStreamCreate(&s, 0));
    CU_OK(cuLaunch(no_parameters));
    CU_OK(cuFuncSetBlockShape(f, 4, 2, 1));
    CU_GIVES(INVALID_VALUE, cuFuncSetBlockShape(f, 0, 1, 1));
    CU_GIVES(INVALID_VALUE, cuFuncSetBlockShape(f, 2000, 1, 1));
    CU_GIVES(INVALID_HANDLE, cuFuncSetBlockShape(NULL, 1, 1, 1));
    CU_OK(cuFuncSetSharedSize(f, 1024));
    CU_GIVES(INVALID_VALUE, cuFuncSetSharedSize(f, 1 << 24));
    CU_OK(cuParamSetv(f, 0, &p, sizeof p));
    CU_OK(cuParamSeti(f, 8, 42));
    CU_GIVES(INVALID_VALUE, cuParamSetv(f, -1, &p, sizeof p));
    CU_GIVES(INVALID_VALUE, cuParamSetv(f, 1 << 20, &p, sizeof p));
    CU_GIVES(INVALID_VALUE, cuParamSetv(f, 0, NULL, 8));
    CU_GIVES(INVALID_VALUE, cuParamSetSize(f, 1 << 20));
    CUtexref t;
    CU_OK(cuTexRefCreate(&t));
    CU_GIVES(INVALID_HANDLE, cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, NULL));
    CU_GIVES(INVALID_VALUE, cuParamSetTexRef(f, 0, t));
    CU_OK(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, t));
    CU_OK(cuTexRefDestroy(t));
    CU_OK(cuParamSetSize(f, 8)); /* what lacks is 0 */
    CU_OK(cuLaunch(f));
    CHECK(result(p) == 0);
    CU_OK(cuParamSetSize(f, 12));
    CU_OK(cuLaunch(f));
    CHECK(result(p) == 42);
    CU_OK(cuParamSeti(f, 8, 43));
    CU_OK(cuLaunchGrid(f, 2, 3));
    CHECK(result(p) == 43);
    CU_OK(cuParamSetf(f, 8, 1.0f));
    CU_OK(cuLaunchGridAsync(f, 2, 3, s));
    CHECK(result(p) == 0x3f800000);
    CU_GIVES(INVALID_VALUE, cuLaunchGrid(f, 0, 1));
    CU_GIVES(INVALID_HANDLE, cuLaunchGrid(NULL, 1, 1));
    CU_OK(cuStreamDestroy(s));
    CU_OK(cuMemFree(p));
}

/* The buffer is shorter than the parameters: what lacks is 0. */
static void short_buffer(void)
{
    CUdeviceptr p;
    size_t size_bytes = sizeof p;
    CU_OK(cuMemAlloc(&p, 64));
    CU_OK(cuMemsetD32(p, 7, 1));
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &p,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &size_bytes,
                     CU_LAUNCH_PARAM_END};
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    CHECK(result(p) == 0);
    CU_OK(cuMemFree(p));
}

/* ---- streams ------------------------------------------------------------- */

static void note(CUstream s, CUresult status, void *data)
{
    (void)s;
    *(int *)data = status == CUDA_SUCCESS ? 1 : -1;
}

static void streams(void)
{
    CUstream s;
    CUevent e;
    CUcontext ctx = NULL, own;
    CUdevice device = -1;
    unsigned long long id = 0, other = 0;
    int noted = 0;
    CUstreamAttrValue value;
    CU_OK(cuStreamCreate(&s, 0));
    CU_OK(cuEventCreate(&e, 0));
    CU_OK(cuCtxGetCurrent(&own));
    CU_OK(cuStreamGetCtx(s, &ctx));
    CHECK(ctx == own);
    CU_OK(cuStreamGetDevice(s, &device));
    CHECK(device == 0);
    CU_OK(cuStreamGetId(s, &id));
    CU_OK(cuStreamGetId(NULL, &other));
    CHECK(id != other);
    CU_GIVES(INVALID_VALUE, cuStreamGetCtx(s, NULL));
    CU_GIVES(INVALID_VALUE, cuStreamGetId(s, NULL));
    CU_GIVES(INVALID_VALUE, cuStreamGetDevice(s, NULL));
    CU_GIVES(INVALID_HANDLE, cuStreamGetId((CUstream)&id, &id));
    CU_OK(cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
    CU_OK(cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
    CU_OK(cuStreamCopyAttributes(s, NULL));
    CU_OK(cuStreamAddCallback(s, note, &noted, 0));
    CU_OK(cuStreamSynchronize(s));
    CHECK(noted == 1);
    CU_GIVES(INVALID_VALUE, cuStreamAddCallback(s, NULL, &noted, 0));
    CU_GIVES(INVALID_VALUE, cuStreamAddCallback(s, note, &noted, 1));
    CU_OK(cuEventRecordWithFlags(e, s, CU_EVENT_RECORD_DEFAULT));
    CU_GIVES(INVALID_VALUE, cuEventRecordWithFlags(e, s, 2));
    CU_GIVES(INVALID_HANDLE, cuEventRecordWithFlags(NULL, s, 0));
    CU_OK(cuEventDestroy(e));
    CU_OK(cuStreamDestroy(s));
}

/* A library's modules end with it, and not before (NOT_PERMITTED is ours). */
static void libraries(void)
{
    CUlibrary library;
    CUmodule part;
    CUfunction kernel;
    CU_OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    CU_OK(cuLibraryGetModule(&part, library));
    CU_GIVES(NOT_PERMITTED, cuModuleUnload(part));
    CU_OK(cuModuleGetFunction(&kernel, part, "k"));
    CU_OK(cuLibraryUnload(library));
    CU_GIVES(INVALID_HANDLE, cuModuleUnload(part));
}

int main(void)
{
    CUcontext ctx;
    CU_OK(cuInit(0));
    CU_GIVES(INVALID_CONTEXT, cuProfilerStart());
    CU_GIVES(INVALID_CONTEXT, cuProfilerStop());
    CU_OK(cuCtxCreate(&ctx, 0, 0));
    CU_OK(cuProfilerStart());
    CU_OK(cuProfilerStop());
    modules();
    places();
    functions();
    old_launches();
    short_buffer();
    streams();
    libraries();
    CU_OK(cuCtxDestroy(ctx));
    return check_result();
}
