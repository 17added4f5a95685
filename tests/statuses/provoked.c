/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documented errors that no table of letters provokes: each needs a situation
 * of its own. A section is a process; a line is a call as it stands here:
 *
 *     memory: cuMemAlloc(&p, HUGE_SIZE) 2
 *
 * With a file of such lines a program compares: provoked.truth is what an H200
 * answered, and "ours N" at the end what we answer instead, on purpose. Without
 * one it prints (so the truth was recorded: the program builds with NVIDIA's
 * toolkit).
 */
#include "provoked.h"

static void modules(void)
{
    CUmodule m;
    CUlibrary l;
    CUlinkState k;
    void *image;
    size_t size;
    static const char wrong[] = ".version 7.0\n.target sm_70\n.entry k( {";
    static const char newer[] =
        ".version 99.0\n.target sm_70\n.address_size 64\n.entry k() { ret; }\n";
    static const char later[] =
        ".version 8.7\n.target sm_100\n.address_size 64\n.entry k() { ret; }\n";
    static const char undefined[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n.extern .func f();\n"
        ".visible .entry k() { call f; ret; }\n";
    static const char wide[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .global .b8 g[1000000000000];\n.entry k() { ret; }\n";
    static const char shared[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".entry k() { .shared .b8 s[100000]; mov.u32 %r, s; ret; }\n";
    write_file("wrong.ptx", wrong);
    write_file("newer.ptx", newer);
    write_file("later.ptx", later);
    write_file("good.ptx", good_ptx);
    write_file("undefined.ptx", undefined);
    ASK(cuModuleLoad(&m, "missing.ptx"));
    ASK(cuModuleLoad(&m, "wrong.ptx"));
    ASK(cuModuleLoad(&m, "newer.ptx"));
    ASK(cuModuleLoad(&m, "later.ptx"));
    ASK(cuModuleLoad(&m, "undefined.ptx"));
    ASK(cuModuleLoad(&m, "good.ptx"));
    ASK(cuModuleLoad(&m, "."));
    ASK(cuModuleLoad(&m, ""));
    ASK(cuModuleLoad(&m, NULL));
    ASK(cuModuleLoad(NULL, "good.ptx"));
    ASK(cuModuleLoadData(&m, wrong));
    ASK(cuModuleLoadData(&m, newer));
    ASK(cuModuleLoadData(&m, later));
    ASK(cuModuleLoadData(&m, undefined));
    ASK(cuModuleLoadData(&m, wide));
    ASK(cuModuleLoadData(&m, shared));
    ASK(cuModuleLoadData(&m, ""));
    ASK(cuModuleLoadData(&m, "\177ELF"));
    ASK(cuModuleLoadDataEx(&m, wrong, 0, NULL, NULL));
    ASK(cuModuleLoadDataEx(&m, newer, 0, NULL, NULL));
    ASK(cuModuleLoadDataEx(&m, later, 0, NULL, NULL));
    ASK(cuModuleLoadFatBinary(&m, wrong));
    ASK(cuModuleLoadFatBinary(&m, newer));
    ASK(cuModuleLoadFatBinary(&m, later));
    ASK(cuModuleLoadFatBinary(&m, good_ptx));
    ASK(cuLibraryLoadData(&l, wrong, NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadData(&l, newer, NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadData(&l, later, NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadData(&l, undefined, NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadData(&l, "", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadFromFile(&l, "missing", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadFromFile(&l, "wrong.ptx", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadFromFile(&l, "newer.ptx", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadFromFile(&l, "later.ptx", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadFromFile(&l, "good.ptx", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cuLibraryLoadFromFile(&l, ".", NULL, NULL, 0, NULL, NULL, 0));
#define ADD_FILE(type, name)                                                   \
    do {                                                                       \
        cuLinkCreate(0, NULL, NULL, &k);                                       \
        ASK(cuLinkAddFile(k, type, name, 0, NULL, NULL));                      \
        cuLinkDestroy(k);                                                      \
    } while (0)
    ADD_FILE(CU_JIT_INPUT_PTX, "missing");
    ADD_FILE(CU_JIT_INPUT_PTX, "wrong.ptx");
    ADD_FILE(CU_JIT_INPUT_PTX, "newer.ptx");
    ADD_FILE(CU_JIT_INPUT_PTX, "later.ptx");
    ADD_FILE(CU_JIT_INPUT_PTX, "undefined.ptx");
    ADD_FILE(CU_JIT_INPUT_PTX, "good.ptx");
    ADD_FILE(CU_JIT_INPUT_CUBIN, "good.ptx");
    ADD_FILE(CU_JIT_INPUT_OBJECT, "good.ptx");
    ADD_FILE(CU_JIT_INPUT_LIBRARY, "good.ptx");
    ADD_FILE(CU_JIT_INPUT_FATBINARY, "good.ptx");
    ADD_FILE((CUjitInputType)77, "good.ptx");
#define ADD_DATA(type, text)                                                   \
    do {                                                                       \
        cuLinkCreate(0, NULL, NULL, &k);                                       \
        ASK(cuLinkAddData(k, type, (void *)text, sizeof text, "x", 0, NULL,    \
                          NULL));                                              \
        ASK(cuLinkComplete(k, &image, &size));                                 \
        ASK(cuLinkComplete(k, &image, &size));                                 \
        ASK(cuLinkAddData(k, type, (void *)good_ptx, sizeof good_ptx, "g", 0,  \
                          NULL, NULL));                                        \
        ASK(cuLinkDestroy(k));                                                 \
    } while (0)
    ADD_DATA(CU_JIT_INPUT_PTX, wrong);
    ADD_DATA(CU_JIT_INPUT_PTX, newer);
    ADD_DATA(CU_JIT_INPUT_PTX, later);
    ADD_DATA(CU_JIT_INPUT_PTX, undefined);
    ADD_DATA(CU_JIT_INPUT_PTX, good_ptx);
    ADD_DATA(CU_JIT_INPUT_CUBIN, good_ptx);
    ADD_DATA(CU_JIT_INPUT_FATBINARY, good_ptx);
    ADD_DATA(CU_JIT_INPUT_OBJECT, good_ptx);
    ADD_DATA(CU_JIT_INPUT_LIBRARY, good_ptx);
    ADD_DATA((CUjitInputType)77, good_ptx);
    cuLinkCreate(0, NULL, NULL, &k);
    ASK(cuLinkAddData(k, CU_JIT_INPUT_PTX, (void *)good_ptx, sizeof good_ptx,
                      "1", 0, NULL, NULL));
    ASK(cuLinkAddData(k, CU_JIT_INPUT_PTX, (void *)good_ptx, sizeof good_ptx,
                      "2", 0, NULL, NULL));
    ASK(cuLinkComplete(k, &image, &size));
    cuLinkCreate(0, NULL, NULL, &k);
    ASK(cuLinkComplete(k, &image, &size));
    ASK(cuLinkDestroy(k));
}

static void functions(void)
{
    CUmodule m;
    CUlibrary l;
    CUkernel k, many[99];
    CUfunction f;
    CUdeviceptr p;
    size_t size;
    void *u;
    int i;
    ASK(cuModuleGetFunction(&f, module, "missing"));
    ASK(cuModuleGetFunction(&f, module, ""));
    ASK(cuModuleGetFunction(&f, module, "g"));
    ASK(cuModuleGetFunction(&f, module, NULL));
    ASK(cuModuleGetFunction(NULL, module, "k"));
    ASK(cuModuleGetGlobal(&p, &size, module, "missing"));
    ASK(cuModuleGetGlobal(&p, &size, module, "k"));
    ASK(cuModuleGetGlobal(NULL, NULL, module, "g"));
    ASK(cuModuleGetGlobal(NULL, &size, module, "g"));
    ASK(cuModuleGetGlobal(&p, &size, module, "hidden"));
    cuLibraryLoadData(&l, good_ptx, NULL, NULL, 0, NULL, NULL, 0);
    ASK(cuLibraryGetKernel(&k, l, "missing"));
    ASK(cuLibraryGetKernel(&k, l, "g"));
    ASK(cuLibraryGetKernel(NULL, l, "k"));
    ASK(cuLibraryGetKernel(&k, l, NULL));
    ASK(cuLibraryGetGlobal(&p, &size, l, "missing"));
    ASK(cuLibraryGetGlobal(&p, &size, l, "k"));
    ASK(cuLibraryGetGlobal(NULL, NULL, l, "g"));
    ASK(cuLibraryGetManaged(&p, &size, l, "missing"));
    ASK(cuLibraryGetManaged(&p, &size, l, "g"));
    ASK(cuLibraryGetUnifiedFunction(&u, l, "missing"));
    ASK(cuLibraryGetUnifiedFunction(&u, l, "k"));
    ASK(cuLibraryGetKernel(&k, l, "k"));
    ASK(cuLibraryGetModule(NULL, l));
    ASK(cuLibraryGetModule(&m, l));
    ASK(cuLibraryGetKernelCount(NULL, l));
    ASK(cuLibraryEnumerateKernels(NULL, 1, l));
    ASK(cuLibraryEnumerateKernels(&k, 0, l));
    ASK(cuLibraryEnumerateKernels(many, 99, l));
    ASK(cuKernelGetAttribute(&i, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 99));
    ASK(cuKernelGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 0));
    ASK(cuKernelGetAttribute(&i, (CUfunction_attribute)99, k, 0));
    ASK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             1 << 20, k, 0));
    ASK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             64, k, 99));
    ASK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 64, k, 0));
    ASK(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 99));
    ASK(cuKernelGetFunction(NULL, k));
    ASK(cuKernelGetLibrary(NULL, k));
    const char *name;
    ASK(cuKernelGetName(&name, NULL));
    ASK(cuKernelGetName(NULL, k));
    ASK(cuFuncGetName(NULL, kernel));
    ASK(cuFuncGetName(&name, NULL));
    ASK(cuFuncGetModule(NULL, kernel));
    ASK(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel));
    ASK(cuFuncGetAttribute(&i, (CUfunction_attribute)-1, kernel));
    ASK(cuFuncSetAttribute(
        kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    ASK(cuFuncSetAttribute(
        kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232449));
    ASK(cuFuncSetAttribute(
        kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
    ASK(cuFuncSetAttribute(
        kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
    ASK(cuFuncSetAttribute(
        kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -2));
    ASK(cuFuncSetAttribute(
        kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2));
    ASK(cuFuncSetAttribute(
        kernel, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 7));
    ASK(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
                           2));
    ASK(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
                           1));
    ASK(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_PTX_VERSION, 70));
    ASK(cuFuncSetCacheConfig(kernel, (CUfunc_cache)7));
    ASK(cuFuncIsLoaded(NULL, kernel));
    ASK(cuModuleEnumerateFunctions(NULL, 1, module));
    ASK(cuModuleEnumerateFunctions((CUfunction *)many, 99, module));
    ASK(cuModuleGetFunctionCount(NULL, module));
    ASK(cuModuleGetLoadingMode(NULL));
    ASK(cuLibraryUnload(l));
    ASK(cuModuleUnload(module));
    ASK(cuModuleUnload(NULL));
}

static void launches(void)
{
    int i;
    void *two[2] = {&i, &i};
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, two,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &i, CU_LAUNCH_PARAM_END};
#define LAUNCH(gx, gy, gz, bx, by, bz, shared)                                 \
    ASK(cuLaunchKernel(kernel, gx, gy, gz, bx, by, bz, shared, stream, NULL,   \
                       NULL))
    LAUNCH(1, 1, 1, 1, 1, 1, 0);
    LAUNCH(0, 1, 1, 1, 1, 1, 0);
    LAUNCH(1, 0, 1, 1, 1, 1, 0);
    LAUNCH(1, 1, 1, 0, 1, 1, 0);
    LAUNCH(1, 1, 1, 1025, 1, 1, 0);
    LAUNCH(1, 1, 1, 512, 4, 1, 0);
    LAUNCH(1, 1, 1, 1, 1, 65, 0);
    LAUNCH(1, 65536, 1, 1, 1, 1, 0);
    LAUNCH(1, 1, 65536, 1, 1, 1, 0);
    LAUNCH(2147483648u, 1, 1, 1, 1, 1, 0);
    LAUNCH(1, 1, 1, 1, 1, 1, 49152);
    LAUNCH(1, 1, 1, 1, 1, 1, 49153);
    LAUNCH(1, 1, 1, 1, 1, 1, 300000);
    ASK(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, stream, NULL, NULL));
    ASK(cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, stream, NULL, NULL));
    ASK(cuLaunchKernel(taking, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    ASK(cuLaunchKernel(taking, 1, 1, 1, 1, 1, 1, 0, stream, two, extra));
    i = 4;
    ASK(cuLaunchKernel(taking, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra));
    i = 99;
    ASK(cuLaunchKernel(taking, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra));
    ASK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    ASK(cuLaunchCooperativeKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL));
    ASK(cuLaunchCooperativeKernel(kernel, 100000, 1, 1, 1024, 1, 1, 0, stream,
                                  NULL));
    ASK(cuLaunchCooperativeKernel(kernel, 1, 1, 1, 2048, 1, 1, 0, stream,
                                  NULL));
    ASK(cuLaunchCooperativeKernel(kernel, 0, 1, 1, 1, 1, 1, 0, stream, NULL));
    ASK(cuLaunchCooperativeKernel(kernel, 1, 1, 1, 1, 1, 1, 300000, stream,
                                  NULL));
    CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE};
    CUlaunchConfig c = {.gridDimX = 1,
                        .gridDimY = 1,
                        .gridDimZ = 1,
                        .blockDimX = 1,
                        .blockDimY = 1,
                        .blockDimZ = 1,
                        .hStream = stream,
                        .attrs = &a,
                        .numAttrs = 1};
    a.value.cooperative = 1;
    c.gridDimX = 100000;
    ASK(cuLaunchKernelEx(&c, kernel, NULL, NULL));
    c.gridDimX = 1;
    a.value.cooperative = 2;
    ASK(cuLaunchKernelEx(&c, kernel, NULL, NULL));
    a.id = (CUlaunchAttributeID)99;
    ASK(cuLaunchKernelEx(&c, kernel, NULL, NULL));
    c.attrs = NULL;
    ASK(cuLaunchKernelEx(&c, kernel, NULL, NULL));
    c.numAttrs = 0;
    c.blockDimX = 2000;
    ASK(cuLaunchKernelEx(&c, kernel, NULL, NULL));
    c.blockDimX = 1;
    c.sharedMemBytes = 300000;
    ASK(cuLaunchKernelEx(&c, kernel, NULL, NULL));
    ASK(cuLaunchKernelEx(NULL, kernel, NULL, NULL));
    ASK(cuLaunchGrid(kernel, 0, 1));
    ASK(cuLaunchGrid(kernel, -1, 1));
    ASK(cuFuncSetBlockShape(kernel, 2000, 1, 1));
    ASK(cuParamSetSize(kernel, 100000));
    ASK(cuCtxSynchronize());
}

static void one_cluster(unsigned x, unsigned y, int is_allowed, unsigned bytes)
{
    char name[80];
    int count = -1, size = -1;
    CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    CUlaunchConfig c = {.gridDimX = 128,
                        .gridDimY = 8,
                        .gridDimZ = 1,
                        .blockDimX = 128,
                        .blockDimY = 1,
                        .blockDimZ = 1,
                        .sharedMemBytes = bytes,
                        .hStream = stream,
                        .attrs = &a,
                        .numAttrs = 1};
    a.value.clusterDim.x = x;
    a.value.clusterDim.y = y;
    a.value.clusterDim.z = 1;
    cuFuncSetAttribute(kernel,
                       CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                       is_allowed);
    cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                       232448);
    snprintf(name, sizeof name, "%u x %u, %sportable, %u:", x, y,
             is_allowed ? "not " : "", bytes);
    ASK_OF(name, "active", cuOccupancyMaxActiveClusters(&count, kernel, &c));
    ASK_OF(name, "none", count == 0);
    c.numAttrs = 0;
    ASK_OF(name, "size", cuOccupancyMaxPotentialClusterSize(&size, kernel, &c));
    ASK_OF(name, "is", size);
    c.numAttrs = 1;
    ASK_OF(name, "launch", cuLaunchKernelEx(&c, kernel, NULL, NULL));
}

static void clusters(void)
{
    static const unsigned widths[] = {0, 1,  2,  3,  4,  7,  8,
                                      9, 12, 15, 16, 17, 32, 64};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int is_allowed = 0; is_allowed < 2; is_allowed++)
            one_cluster(widths[i], 1, is_allowed, 0);
    one_cluster(2, 4, 0, 0);
    one_cluster(4, 4, 0, 0);
    one_cluster(4, 4, 1, 0);
    one_cluster(8, 4, 1, 0);
    one_cluster(2, 1, 0, 232448);
    one_cluster(8, 1, 0, 232448);
    one_cluster(16, 1, 1, 232448);
    one_cluster(16, 1, 1, 232449);
    ASK(cuCtxSynchronize());
}

static void limits(void)
{
    size_t value;
    char name[64];
    static const size_t sizes[] = {0,          1,          1024,
                                   65536,      1 << 20,    512 << 10,
                                   1ull << 33, 1ull << 40, (size_t)-1};
    for (int limit = -1; limit < 13; limit++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            snprintf(name, sizeof name, "limit %d to %zu:", limit, sizes[i]);
            ASK_OF(name, "set", cuCtxSetLimit((CUlimit)limit, sizes[i]));
            int err = cuCtxGetLimit(&value, (CUlimit)limit);
            ASK_OF(name, "get", err);
            /* The device's memory and caches show in others. */
            if (!err && limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE &&
                sizes[i] < 1 << 20)
                ASK_OF(name, "is", (long)value);
        }
    }
    for (int limit = 0; limit < 8; limit++) {
        snprintf(name, sizeof name, "limit %d:", limit);
        ASK_OF(name, "runtime's set",
               cudaDeviceSetLimit((enum cudaLimit)limit, (size_t)-1));
        ASK_OF(name, "runtime's get",
               cudaDeviceGetLimit(&value, (enum cudaLimit)limit));
    }
    ASK(cuCtxResetPersistingL2Cache());
    ASK(cuCtxSynchronize());
}

static void memory(void)
{
    CUdeviceptr p = 0, q;
    void *h;
    size_t pitch;
    CUarray a;
    CUmipmappedArray m;
    CUmemoryPool pool;
    CUmemGenericAllocationHandle v, w;
    ASK(cuMemAlloc(&p, HUGE_SIZE));
    ASK(cuMemAllocPitch(&p, &pitch, HUGE_SIZE, 1, 4));
    ASK(cuMemAllocPitch(&p, &pitch, 1 << 20, 1 << 30, 4));
    ASK(cuMemAllocPitch(&p, &pitch, 64, 1, 3));
    ASK(cuMemAllocManaged(&p, HUGE_SIZE, CU_MEM_ATTACH_GLOBAL));
    ASK(cuMemAllocManaged(&p, 64, 0));
    ASK(cuMemAllocManaged(&p, 64, 3));
    ASK(cuMemHostAlloc(&h, HUGE_SIZE, 0));
    ASK(cuMemAllocHost(&h, HUGE_SIZE));
    CUDA_ARRAY_DESCRIPTOR d = {131073, 65536, CU_AD_FORMAT_FLOAT, 4};
    ASK(cuArrayCreate(&a, &d));
    CUDA_ARRAY3D_DESCRIPTOR e = {16384, 16384, 16384, CU_AD_FORMAT_FLOAT, 4, 0};
    ASK(cuArray3DCreate(&a, &e));
    ASK(cuMipmappedArrayCreate(&m, &e, 15));
    ASK(cuMipmappedArrayCreate(&m, &e, 0));
    e.Depth = 16385;
    ASK(cuArray3DCreate(&a, &e));
    CUmemAllocationProp g = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    ASK(cuMemCreate(&v, HUGE_SIZE, &g, 0));
    ASK(cuMemCreate(&v, 4096, &g, 0));
    g.location.id = 99;
    ASK(cuMemCreate(&v, 2 << 20, &g, 0));
    g.location.id = 0;
    g.type = (CUmemAllocationType)7;
    ASK(cuMemCreate(&v, 2 << 20, &g, 0));
    g.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    g.location.type = (CUmemLocationType)77;
    ASK(cuMemCreate(&v, 2 << 20, &g, 0));
    g.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    g.requestedHandleTypes = (CUmemAllocationHandleType)4;
    ASK(cuMemCreate(&v, 2 << 20, &g, 0));
    g.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    ASK(cuMemCreate(&v, 2 << 20, &g, 1));
    ASK(cuMemCreate(&v, 2 << 20, &g, 0));
    ASK(cuMemAddressReserve(&p, HUGE_SIZE, 0, 0, 0));
    ASK(cuMemAddressReserve(&p, 1ull << 55, 0, 0, 0));
    ASK(cuMemAddressReserve(&p, 4096, 0, 0, 0));
    ASK(cuMemAddressReserve(&p, 2 << 20, 3, 0, 0));
    ASK(cuMemAddressReserve(&p, 4 << 20, 0, 0, 0));
    ASK(cuMemMap(p, 4 << 20, 0, v, 0));
    ASK(cuMemMap(p + 4096, 2 << 20, 0, v, 0));
    ASK(cuMemMap(p, 2 << 20, 4096, v, 0));
    ASK(cuMemMap(0, 2 << 20, 0, v, 0));
    ASK(cuMemMap(p, 2 << 20, 0, v, 0));
    ASK(cuMemMap(p, 2 << 20, 0, v, 0));
    CUmemAccessDesc x = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, 99},
                         .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    ASK(cuMemSetAccess(p, 2 << 20, &x, 1));
    x.location.id = 0;
    ASK(cuMemSetAccess(p, 4 << 20, &x, 1));
    ASK(cuMemSetAccess(p, 4096, &x, 1));
    ASK(cuMemSetAccess(p, 2 << 20, &x, 0));
    x.flags = (CUmemAccess_flags)2;
    ASK(cuMemSetAccess(p, 2 << 20, &x, 1));
    x.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASK(cuMemSetAccess(p, 2 << 20, &x, 1));
    ASK(cuMemRetainAllocationHandle(&w, (void *)p));
    ASK(cuMemRetainAllocationHandle(&w, (void *)(p + (2 << 20))));
    int fd;
    ASK(cuMemExportToShareableHandle(
        &fd, v, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    ASK(cuMemImportFromShareableHandle(
        &v, (void *)9999L, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    ASK(cuMemImportFromShareableHandle(
        &v, (void *)0L, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    ASK(cuMemUnmap(p, 4 << 20));
    ASK(cuMemUnmap(p, 1 << 20));
    ASK(cuMemAddressFree(p, 4 << 20));
    ASK(cuMemUnmap(p, 2 << 20));
    ASK(cuMemUnmap(p, 2 << 20));
    ASK(cuMemAddressFree(p, 2 << 20));
    ASK(cuMemAddressFree(p, 4 << 20));
    ASK(cuMemAddressFree(p, 4 << 20));
    ASK(cuMemRelease(w));
    ASK(cuMemRelease(v));
    ASK(cuMemRelease(v));
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    props.maxSize = 32 << 20;
    ASK(cuMemPoolCreate(&pool, &props));
    ASK(cuMemAllocFromPoolAsync(&p, 16 << 20, pool, stream));
    ASK(cuMemAllocFromPoolAsync(&q, 64 << 20, pool, stream));
    ASK(cuMemAllocFromPoolAsync(&q, HUGE_SIZE, pool, stream));
    ASK(cuMemAllocAsync(&q, HUGE_SIZE, stream));
    ASK(cuMemFree(p));
    ASK(cuMemFreeAsync(p, stream));
    ASK(cuMemFreeAsync(0, stream));
    ASK(cuMemPoolDestroy(pool));
    props.location.id = 99;
    ASK(cuMemPoolCreate(&pool, &props));
    props.location.id = 0;
    props.allocType = (CUmemAllocationType)0;
    ASK(cuMemPoolCreate(&pool, &props));
    ASK(cuCtxSynchronize());
}

static void hosts_memory(void)
{
    CUdeviceptr p = 0;
    void *h = NULL;
    char *plain = aligned_alloc(4096, 1 << 20);
    memset(plain, 0, 1 << 20);
    ASK(cuMemHostRegister(plain, 65536, 0));
    ASK(cuMemHostRegister(plain, 65536, 0));
    ASK(cuMemHostRegister(plain + 4096, 4096, 0));
    ASK(cuMemHostRegister(plain + 61440, 65536, 0));
    ASK(cuMemHostRegister(plain + 131072, 0, 0));
    ASK(cuMemHostRegister(NULL, 4096, 0));
    ASK(cuMemHostRegister((void *)4096, 4096, 0));
    ASK(cuMemHostRegister(plain + 131072, 4096, 64));
    ASK(cuMemHostRegister(plain + 131072, 4096, CU_MEMHOSTREGISTER_IOMEMORY));
    ASK(cuMemHostRegister(plain + 196608, 4096, CU_MEMHOSTREGISTER_READ_ONLY));
    ASK(cuMemHostGetDevicePointer(&p, plain, 0));
    ASK(cuMemHostGetDevicePointer(&p, plain + 262144, 0));
    ASK(cuMemHostGetDevicePointer(&p, plain, 1));
    ASK(cuMemHostUnregister(plain + 4096));
    ASK(cuMemHostUnregister(plain));
    ASK(cuMemHostUnregister(plain));
    ASK(cuMemHostUnregister(NULL));
    ASK(cuMemFreeHost(plain));
    ASK(cuMemFreeHost(NULL));
    ASK(cuMemAllocHost(&h, 4096));
    ASK(cuMemHostUnregister(h));
    ASK(cuMemHostRegister(h, 4096, 0));
    ASK(cuMemFree((CUdeviceptr)h));
    ASK(cuMemFreeHost((char *)h + 64));
    ASK(cuMemFreeHost(h));
    ASK(cuMemFreeHost(h));
    ASK(cuMemAlloc(&p, 4096));
    ASK(cuMemFreeHost((void *)p));
    ASK(cuMemFree(p + 64));
    ASK(cuMemFree(p));
    ASK(cuMemFree(p));
    ASK(cuMemFree(0));
    ASK(cuMemFree((CUdeviceptr)plain));
    ASK(cuMemGetAddressRange(NULL, NULL, (CUdeviceptr)plain));
    ASK(cuMemGetAddressRange(&p, NULL, 0));
    ASK(cuMemGetInfo(NULL, NULL));
    unsigned flags;
    ASK(cuMemHostGetFlags(&flags, plain));
    ASK(cuMemHostGetFlags(&flags, NULL));
    /* Without a context. */
    ASK(cuMemAllocHost(&h, 4096));
    ASK(cuMemAlloc(&p, 4096));
    cuCtxSetCurrent(NULL);
    ASK(cuMemFreeHost(NULL));
    ASK(cuMemFree(0));
    ASK(cuMemFreeHost(h));
    ASK(cuMemFree(p));
    ASK(cuMemFreeAsync(0, NULL));
    ASK(cuEventDestroy(NULL));
    ASK(cuStreamDestroy(NULL));
    ASK(cuModuleUnload(NULL));
    ASK(cuArrayDestroy(NULL));
    ASK(cuMemHostUnregister(plain));
    ASK(cuMemHostRegister(plain, 4096, 0));
    ASK(cuCtxSynchronize());
    ASK(cuCtxPopCurrent(NULL));
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    ASK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamSynchronize(NULL));
    ASK(cuStreamQuery(NULL));
    ASK(cuEventRecord(event, NULL));
    ASK(cuMemcpy(p, p, 4));
    ASK(cuMemcpyAsync(p, p, 4, stream));
    ASK(cuMemcpyAsync(p, p, 4, NULL));
}

static void contexts(void)
{
    CUcontext a, b, got;
    unsigned flags;
    int active;
    ASK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
    ASK(cuDevicePrimaryCtxSetFlags(0, 64));
    ASK(cuDevicePrimaryCtxSetFlags(99, 0));
    ASK(cuDevicePrimaryCtxRelease(99));
    ASK(cuDevicePrimaryCtxReset(99));
    ASK(cuDevicePrimaryCtxRetain(&a, 99));
    ASK(cuDevicePrimaryCtxRetain(NULL, 0));
    ASK(cuDevicePrimaryCtxGetState(99, &flags, &active));
    ASK(cuDevicePrimaryCtxGetState(0, NULL, &active));
    ASK(cuCtxCreate_v2(&a, 0, 99));
    ASK(cuCtxCreate_v2(&a, 0xffffff, 0));
    ASK(cuCtxCreate_v2(NULL, 0, 0));
    ASK(cuCtxCreate_v2(&a, 0, 0));
    ASK(cuCtxCreate_v2(&b, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
    ASK(cuCtxCreate_v2(&b, CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX, 0));
    ASK(cuCtxDestroy(NULL));
    ASK(cuCtxDetach(a));
    ASK(cuCtxAttach(&got, 1));
    ASK(cuCtxAttach(NULL, 0));
    ASK(cuCtxEnablePeerAccess(b, 0));
    ASK(cuCtxEnablePeerAccess(a, 0));
    ASK(cuCtxDisablePeerAccess(a));
    ASK(cuCtxGetDevice(NULL));
    ASK(cuCtxGetFlags(NULL));
    ASK(cuCtxGetId(a, NULL));
    ASK(cuCtxGetApiVersion(a, NULL));
    ASK(cuCtxGetStreamPriorityRange(NULL, NULL));
    ASK(cuCtxSetFlags(0xffffff));
    ASK(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
    ASK(cuCtxSetSharedMemConfig((CUsharedconfig)7));
    ASK(cuCtxSetCacheConfig((CUfunc_cache)7));
    ASK(cuCtxPushCurrent(NULL));
    ASK(cuCtxDestroy(a));
    ASK(cuCtxPushCurrent(a));
    ASK(cuCtxSetCurrent(a));
    ASK(cuCtxDestroy(b));
    ASK(cuCtxGetCurrent(&got));
    ASK(cuCtxDestroy(context)); /* the primary one */
    ASK(cuDevicePrimaryCtxReset(0));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxRelease(0));
}

static void peers(void)
{
    int i;
    CUuuid uuid;
    char name[4];
    CUdevice d;
    ASK(cuDeviceGet(&d, 99));
    ASK(cuDeviceGetByPCIBusId(&d, "0000:ff:1f.7"));
    ASK(cuDeviceGetByPCIBusId(&d, "nonsense"));
    ASK(cuDeviceGetByPCIBusId(&d, ""));
    ASK(cuDeviceGetByPCIBusId(&d, NULL));
    ASK(cuDeviceGetPCIBusId(name, 4, 0));
    ASK(cuDeviceGetPCIBusId(name, 1, 0));
    ASK(cuDeviceGetPCIBusId(NULL, 4, 0));
    ASK(cuDeviceCanAccessPeer(&i, 0, 0));
    ASK(cuDeviceCanAccessPeer(&i, 0, 99));
    ASK(cuDeviceGetP2PAttribute(&i, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0,
                                0));
    ASK(cuDeviceGetP2PAttribute(&i, (CUdevice_P2PAttribute)99, 0, 0));
    ASK(cuDeviceGetUuid(&uuid, 99));
    ASK(cudaDeviceEnablePeerAccess(0, 0));
    ASK(cudaDeviceEnablePeerAccess(99, 0));
    ASK(cudaDeviceEnablePeerAccess(0, 1));
    ASK(cudaDeviceDisablePeerAccess(0));
    ASK(cudaDeviceDisablePeerAccess(99));
    ASK(cudaDeviceCanAccessPeer(&i, 0, 99));
    ASK(cudaSetDevice(99));
    ASK(cudaSetDevice(-1));
    ASK(cudaDeviceGetByPCIBusId(&i, "0000:ff:1f.7"));
    ASK(cudaDeviceGetByPCIBusId(&i, "nonsense"));
    ASK(cudaSetValidDevices(NULL, 0));
    i = 99;
    ASK(cudaSetValidDevices(&i, 1));
    i = 0;
    ASK(cudaSetValidDevices(&i, 5000));
    ASK(cudaSetValidDevices(&i, 1));
    ASK(cudaSetDeviceFlags(0xffff));
    ASK(cudaDeviceGetAttribute(&i, (enum cudaDeviceAttr)9999, 0));
    ASK(cudaDeviceGetAttribute(&i, (enum cudaDeviceAttr)1, 99));
    ASK(cudaDeviceGetAttribute(NULL, (enum cudaDeviceAttr)1, 0));
    ASK(cudaGetDeviceCount(NULL));
    ASK(cudaGetDevice(NULL));
    ASK(cudaInitDevice(99, 0, 0));
    ASK(cudaInitDevice(0, 0xffff, 0));
}

static void never(void *data)
{
    for (int n = 0; n < 2000 && !*(volatile int *)data; n++)
        usleep(1000);
}

static void streams(void)
{
    static int go;
    float ms;
    CUevent e, blocking, other;
    CUstream s;
    ASK(cuEventCreate(&e, 0));
    ASK(cuEventCreate(&blocking, CU_EVENT_DISABLE_TIMING));
    ASK(cuEventCreate(&other, CU_EVENT_INTERPROCESS));
    ASK(cuEventCreate(&other, 64));
    ASK(cuEventElapsedTime(&ms, e, e));
    ASK(cuEventQuery(e));
    ASK(cuEventSynchronize(e));
    ASK(cuLaunchHostFunc(stream, (CUhostFn)never, &go));
    ASK(cuEventRecord(e, stream));
    ASK(cuEventRecord(blocking, stream));
    ASK(cuEventQuery(e));
    ASK(cuEventElapsedTime(&ms, e, e));
    ASK(cuEventElapsedTime(&ms, e, blocking));
    ASK(cuStreamQuery(stream));
    ASK(cuStreamWaitEvent(stream, e, 0));
    ASK(cuStreamWaitEvent(stream, e, 99));
    ASK(cudaStreamQuery((cudaStream_t)stream));
    ASK(cudaEventQuery((cudaEvent_t)e));
    ASK(cudaEventElapsedTime(&ms, (cudaEvent_t)e, (cudaEvent_t)e));
    ASK(cudaPeekAtLastError());
    go = 1;
    ASK(cuStreamSynchronize(stream));
    ASK(cuEventQuery(e));
    ASK(cuEventElapsedTime(&ms, e, e));
    ASK(cuEventElapsedTime(&ms, e, blocking));
    ASK(cuEventElapsedTime(NULL, e, e));
    ASK(cuEventRecordWithFlags(e, stream, 7));
    ASK(cuStreamCreate(&s, 7));
    ASK(cuStreamCreateWithPriority(&s, 0, 9999));
    ASK(cuStreamCreateWithPriority(&s, 7, 0));
    ASK(cuStreamDestroy(CU_STREAM_LEGACY));
    ASK(cuStreamDestroy(CU_STREAM_PER_THREAD));
    ASK(cuStreamDestroy(NULL));
    ASK(cuEventDestroy(NULL));
    ASK(cuStreamAttachMemAsync(stream, 0, 0, CU_MEM_ATTACH_GLOBAL));
    ASK(cuStreamAttachMemAsync(stream, (CUdeviceptr)&ms, 0,
                               CU_MEM_ATTACH_SINGLE));
    ASK(cudaStreamCreateWithFlags((cudaStream_t *)&s, 7));
    ASK(cudaEventCreateWithFlags((cudaEvent_t *)&e, 64));
    ASK(cudaStreamDestroy(NULL));
    ASK(cudaStreamDestroy(cudaStreamLegacy));
    ASK(cudaEventDestroy(NULL));
    ASK(cudaEventRecord(NULL, NULL));
    ASK(cudaStreamWaitEvent((cudaStream_t)stream, NULL, 0));
}

static void *end_capture(void *data)
{
    CUgraph g;
    cuCtxSetCurrent(context);
    ASK_OF("elsewhere", "cuStreamEndCapture", cuStreamEndCapture(data, &g));
    return NULL;
}

static void captures(void)
{
    CUgraph g;
    CUgraphNode n;
    pthread_t t;
    CUstreamCaptureStatus status;
    CUdeviceptr p;
    CUstream s;
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    cuMemAlloc(&p, 64);
    ASK(cuStreamEndCapture(stream, &g));
    ASK(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamBeginCapture(stream, (CUstreamCaptureMode)7));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuStreamIsCapturing(NULL, &status));
    pthread_create(&t, NULL, end_capture, stream);
    pthread_join(t, NULL);
    ASK(cuStreamUpdateCaptureDependencies(stream, NULL, NULL, 1, 0));
    ASK(cuStreamUpdateCaptureDependencies(stream, NULL, NULL, 0, 7));
    ASK(cuCtxRecordEvent(context, event));
    ASK(cuCtxWaitEvent(context, event));
    ASK(cuEventQuery(event));
    ASK(cuStreamQuery(stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamEndCapture(stream, &g));
    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuEventRecord(event, stream));
    ASK(cuEventQuery(event));
    ASK(cuEventSynchronize(event));
    ASK(cuStreamEndCapture(stream, &g));
    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuEventRecord(event, stream));
    ASK(cuStreamWaitEvent(s, event, 0));
    ASK(cuStreamEndCapture(s, &g));
    ASK(cuStreamEndCapture(stream, &g));
    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuEventRecord(event, stream));
    ASK(cuStreamWaitEvent(s, event, 0));
    ASK(cuMemsetD8Async(p, 0, 1, s));
    ASK(cuStreamEndCapture(stream, &g));
    ASK(cuStreamIsCapturing(s, &status));
    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuMemcpyDtoD(p, p + 32, 4));
    ASK(cuMemAlloc(&p, 64));
    ASK(cuStreamEndCapture(stream, &g));
    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    ASK(cuMemAlloc(&p, 64));
    ASK(cuMemsetD8(p, 0, 64));
    ASK(cuStreamDestroy(stream));
    ASK(cuGraphCreate(&g, 0));
    ASK(cuGraphAddEmptyNode(&n, g, NULL, 1));
    ASK(cuGraphAddEmptyNode(&n, g, NULL, 0));
    ASK(cuGraphAddDependencies(g, &n, &n, NULL, 1));
    ASK(cuGraphAddDependencies(g, NULL, NULL, NULL, 1));
    ASK(cuGraphAddDependencies(g, NULL, NULL, NULL, 0));
    ASK(cuGraphRemoveDependencies(g, &n, &n, NULL, 1));
    ASK(cuGraphRemoveDependencies(NULL, &n, &n, NULL, 1));
    size_t count;
    ASK(cuGraphGetEdges(g, NULL, NULL, NULL, NULL));
    ASK(cuGraphGetEdges(g, &n, NULL, NULL, &count));
    ASK(cuGraphNodeGetDependencies(n, NULL, NULL, NULL));
    ASK(cuGraphNodeGetDependentNodes(n, NULL, NULL, NULL));
    ASK(cuGraphDebugDotPrint(g, "/nowhere/x.dot", 0));
    ASK(cuGraphDebugDotPrint(g, NULL, 0));
    ASK(cuGraphDebugDotPrint(NULL, "x.dot", 0));
    ASK(cuGraphDebugDotPrint(g, "x.dot", 1u << 30));
}

static void the_rest(void)
{
    void *f;
    CUdriverProcAddressQueryResult r;
    ASK(cuGetProcAddress("cuInit", &f, 12080, 0, &r));
    ASK(cuGetProcAddress("cuMissing", &f, 12080, 0, &r));
    ASK(cuGetProcAddress("cuInit", &f, 1000, 0, &r));
    ASK(cuGetProcAddress("cuInit", &f, 99000, 0, &r));
    ASK(cuGetProcAddress("cuInit", &f, 12080, 99, &r));
    ASK(cuGetProcAddress("cuInit", NULL, 12080, 0, &r));
    ASK(cuGetProcAddress(NULL, &f, 12080, 0, &r));
    char text[1024] = "";
    size_t size = sizeof text;
    bool on = true;
    for (int a = 0; a < 10; a++) {
        char name[40];
        snprintf(name, sizeof name, "coredump attribute %d:", a);
        size = sizeof text;
        ASK_OF(name, "get",
               cuCoredumpGetAttribute((CUcoredumpSettings)a, text, &size));
        ASK_OF(name, "size", (long)size);
        size = sizeof text;
        ASK_OF(
            name, "get global",
            cuCoredumpGetAttributeGlobal((CUcoredumpSettings)a, text, &size));
        size = 1;
        ASK_OF(name, "get with 1 byte",
               cuCoredumpGetAttribute((CUcoredumpSettings)a, text, &size));
        size = sizeof on;
        ASK_OF(name, "set",
               cuCoredumpSetAttribute((CUcoredumpSettings)a, &on, &size));
        size = 0;
        ASK_OF(name, "set of nothing",
               cuCoredumpSetAttribute((CUcoredumpSettings)a, &on, &size));
        size = sizeof on;
        ASK_OF(name, "set global",
               cuCoredumpSetAttributeGlobal((CUcoredumpSettings)a, &on, &size));
    }
    ASK(cuCoredumpSetAttribute(CU_COREDUMP_FILE, NULL, &size));
    ASK(cuCoredumpSetAttribute(CU_COREDUMP_FILE, text, NULL));
    CUlogIterator at = 0;
    ASK(cuLogsDumpToFile(&at, "/nowhere/x", 0));
    ASK(cuLogsDumpToFile(NULL, NULL, 0));
    ASK(cuLogsDumpToFile(NULL, "log.txt", 1));
}

/* Of a map of pixels: its type, rank, corners, channels, pixels, mode, swizzle,
 * slices, and how far its memory begins from a page. */
static const struct wide {
    CUtensorMapDataType type;
    unsigned rank;
    int lower, upper;
    unsigned channels, pixels, mode, swizzle, interleave, offset;
} wide_maps[] = {
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 1, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, -1, 1, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 2, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, 0, 0, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, 0, 0, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 5, 0, 0, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 6, 0, 0, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 0, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 257, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 0, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 1024, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 1025, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 0, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 1, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 32, 128, 0, 2, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 4, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 7, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 3, 1, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 3, 2, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 64, 128, 0, 3, 0, 8},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 32768, 0, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 32768, 64, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_UINT8, 4, 0, 0, 128, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 0, 0, 32, 128, 0, 3, 0, 0},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 4, 0, 0, 16, 128, 0, 3, 0, 0},
    {(CUtensorMapDataType)13, 4, 0, 0, 128, 128, 0, 3, 0, 0},
    {(CUtensorMapDataType)14, 4, 0, 0, 128, 128, 0, 3, 0, 0},
    {(CUtensorMapDataType)99, 4, 0, 0, 128, 128, 0, 3, 0, 0},
};

static void tensor_maps(void)
{
    CUtensorMap *map = aligned_alloc(64, sizeof *map);
    CUdeviceptr p;
    const cuuint64_t dim[5] = {64, 32, 32, 4, 4};
    const cuuint64_t stride[4] = {512, 512 * 32, 512 * 32 * 32,
                                  512 * 32 * 32 * 4};
    const int corner[3] = {0};
    const cuuint32_t step[5] = {1, 1, 1, 1, 1};
    char name[64];
    NEED(cuMemAlloc(&p, 64 << 20));
    for (size_t i = 0; i < sizeof wide_maps / sizeof *wide_maps; i++) {
        const struct wide *w = &wide_maps[i];
        void *at = (void *)(p + w->offset);
        snprintf(name, sizeof name, "map %zu:", i);
        ASK_OF(name, "wide",
               cuTensorMapEncodeIm2colWide(map, w->type, w->rank, at, dim,
                                           stride, w->lower, w->upper,
                                           w->channels, w->pixels, step,
                                           (CUtensorMapInterleave)w->interleave,
                                           (CUtensorMapIm2ColWideMode)w->mode,
                                           (CUtensorMapSwizzle)w->swizzle,
                                           CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
        ASK_OF(name, "ordinary",
               cuTensorMapEncodeIm2col(map, w->type, w->rank, at, dim, stride,
                                       corner, corner, w->channels, w->pixels,
                                       step,
                                       (CUtensorMapInterleave)w->interleave,
                                       (CUtensorMapSwizzle)w->swizzle,
                                       CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    }
}

static void checkpoint(int pid, const char *who)
{
    CUprocessState state = (CUprocessState)77;
    CUcheckpointLockArgs l = {.timeoutMs = 1000};
    int tid = 0;
#define STEP(what, call)                                                       \
    do {                                                                       \
        ASK_OF(who, what, call);                                               \
        state = (CUprocessState)77;                                            \
        ASK_OF(who, "state", cuCheckpointProcessGetState(pid, &state));        \
        ASK_OF(who, "is", state);                                              \
    } while (0)
    ASK_OF(who, "thread", cuCheckpointProcessGetRestoreThreadId(pid, &tid));
    STEP("unlock first", cuCheckpointProcessUnlock(pid, NULL));
    STEP("restore first", cuCheckpointProcessRestore(pid, NULL));
    STEP("checkpoint first", cuCheckpointProcessCheckpoint(pid, NULL));
    l.reserved0 = 1;
    STEP("lock, reserved", cuCheckpointProcessLock(pid, &l));
    l.reserved0 = 0;
    STEP("lock", cuCheckpointProcessLock(pid, &l));
    STEP("lock again", cuCheckpointProcessLock(pid, &l));
    STEP("restore when locked", cuCheckpointProcessRestore(pid, NULL));
    STEP("unlock", cuCheckpointProcessUnlock(pid, NULL));
    STEP("unlock again", cuCheckpointProcessUnlock(pid, NULL));
    STEP("lock", cuCheckpointProcessLock(pid, NULL));
    STEP("checkpoint", cuCheckpointProcessCheckpoint(pid, NULL));
    STEP("checkpoint again", cuCheckpointProcessCheckpoint(pid, NULL));
    STEP("unlock when checkpointed", cuCheckpointProcessUnlock(pid, NULL));
    STEP("lock when checkpointed", cuCheckpointProcessLock(pid, NULL));
    STEP("restore", cuCheckpointProcessRestore(pid, NULL));
    STEP("restore again", cuCheckpointProcessRestore(pid, NULL));
    STEP("unlock", cuCheckpointProcessUnlock(pid, NULL));
}

static void checkpoints_of_another(void)
{
    char c = 'x';
    int ready[2], go[2], done[2];
    if (pipe(ready) || pipe(go) || pipe(done))
        return;
    pid_t child = fork();
    if (!child) {
        start();
        CUdeviceptr p;
        unsigned v = 0;
        cuMemAlloc(&p, 4096);
        cuMemsetD32(p, 41, 1);
        if (write(ready[1], &c, 1) != 1 || read(go[0], &c, 1) != 1)
            _exit(1);
        int err = cuMemcpyDtoH(&v, p, 4);
        c = (char)(err ? (unsigned)err : v);
        if (write(done[1], &c, 1) != 1)
            _exit(1);
        _exit(0);
    }
    cuInit(0);
    if (read(ready[0], &c, 1) != 1)
        return;
    checkpoint(child, "another");
    if (write(go[1], &c, 1) != 1 || read(done[0], &c, 1) != 1)
        return;
    ASK_OF("another", "has memory", c);
    waitpid(child, NULL, 0);
    CUprocessState state;
    ASK_OF("one that has ended", "state",
           cuCheckpointProcessGetState(child, &state));
}

static void checkpoints_of_itself(void)
{
    start();
    checkpoint(getpid(), "itself");
}

static void checkpoints_of_strangers(void)
{
    CUprocessState s;
    int tid;
    cuInit(0);
    pid_t child = fork();
    if (!child) {
        sleep(3);
        _exit(0);
    }
    ASK_OF("idle", "state", cuCheckpointProcessGetState(child, &s));
    ASK_OF("idle", "lock", cuCheckpointProcessLock(child, NULL));
    ASK_OF("idle", "thread",
           cuCheckpointProcessGetRestoreThreadId(child, &tid));
    ASK(cuCheckpointProcessGetState(0, &s));
    ASK(cuCheckpointProcessGetState(-1, &s));
    ASK(cuCheckpointProcessGetState(1, &s));
    ASK(cuCheckpointProcessGetState(4194303, &s));
    ASK(cuCheckpointProcessGetState(getpid(), NULL));
    ASK(cuCheckpointProcessLock(0, NULL));
    ASK(cuCheckpointProcessLock(4194303, NULL));
    ASK(cuCheckpointProcessUnlock(4194303, NULL));
    ASK(cuCheckpointProcessCheckpoint(4194303, NULL));
    ASK(cuCheckpointProcessRestore(4194303, NULL));
    ASK(cuCheckpointProcessGetRestoreThreadId(4194303, &tid));
    ASK(cuCheckpointProcessGetRestoreThreadId(getpid(), NULL));
}

static void runtime_memory(void)
{
    void *p = NULL;
    size_t pitch;
    struct cudaPitchedPtr pp;
    struct cudaExtent e = {HUGE_SIZE, 1, 1};
    cudaArray_t a;
    cudaMipmappedArray_t m;
    struct cudaChannelFormatDesc d = {32, 32, 32, 32,
                                      cudaChannelFormatKindFloat};
    static char host[4096];
    ASK(cudaMalloc(&p, HUGE_SIZE));
    ASK(cudaGetLastError());
    ASK(cudaMallocManaged(&p, HUGE_SIZE, cudaMemAttachGlobal));
    ASK(cudaMallocManaged(&p, 64, 0));
    ASK(cudaMallocHost(&p, HUGE_SIZE));
    ASK(cudaHostAlloc(&p, HUGE_SIZE, 0));
    ASK(cudaMallocPitch(&p, &pitch, HUGE_SIZE, 1));
    ASK(cudaMalloc3D(&pp, e));
    ASK(cudaMalloc3D(NULL, e));
    ASK(cudaMallocArray(&a, &d, 131073, 1, 0));
    ASK(cudaMalloc3DArray(&a, &d, (struct cudaExtent){16384, 16384, 16384}, 0));
    ASK(cudaMalloc3DArray(&a, &d, (struct cudaExtent){0, 1, 1}, 0));
    ASK(cudaMallocMipmappedArray(
        &m, &d, (struct cudaExtent){16384, 16384, 16384}, 15, 0));
    ASK(cudaMallocMipmappedArray(&m, &d, (struct cudaExtent){0, 1, 1}, 1, 0));
    ASK(cudaHostRegister(host, 4096, 0));
    ASK(cudaHostRegister(host, 4096, 0));
    ASK(cudaHostRegister(NULL, 4096, 0));
    ASK(cudaHostUnregister(host));
    ASK(cudaHostUnregister(host));
    ASK(cudaFree(host));
    ASK(cudaFreeHost(host));
    ASK(cudaFreeArray(NULL));
    ASK(cudaFreeMipmappedArray(NULL));
    ASK(cudaMallocAsync(&p, HUGE_SIZE, NULL));
    ASK(cudaMemGetInfo(NULL, NULL));
    ASK(cudaMalloc(&p, 4096));
    ASK(cudaMemcpy(p, host, 4, (enum cudaMemcpyKind)7));
    ASK(cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(p, NULL, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(p, host, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(p, host, 4, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(p, host, 1 << 20, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyAsync(p, host, 4, (enum cudaMemcpyKind)7, NULL));
    ASK(cudaMemcpyPeer(p, 99, p, 0, 4));
    ASK(cudaMemcpyPeer(p, 0, p, 99, 4));
    ASK(cudaMemcpyPeerAsync(p, 99, p, 0, 4, NULL));
    ASK(cudaMemset(NULL, 0, 4));
    ASK(cudaMemset(p, 0, HUGE_SIZE));
    ASK(cudaMemsetAsync(NULL, 0, 4, NULL));
    ASK(cudaMemset2D(p, 16, 0, 32, 2));
    ASK(cudaMemcpy2D(p, 16, host, 32, 32, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, HUGE_SIZE, host, 32, 16, 2, cudaMemcpyHostToDevice));
    struct cudaMemcpy3DParms c = {.srcPtr = {host, 16, 16, 1},
                                  .dstPtr = {p, 16, 16, 1},
                                  .extent = {16, 1, 1},
                                  .kind = cudaMemcpyHostToDevice};
    ASK(cudaMemcpy3D(&c));
    c.kind = (enum cudaMemcpyKind)7;
    ASK(cudaMemcpy3D(&c));
    ASK(cudaMemcpy3DAsync(&c, NULL));
    c.kind = cudaMemcpyHostToDevice;
    c.dstPtr.pitch = 8;
    ASK(cudaMemcpy3D(&c));
    ASK(cudaMemcpy3DAsync(&c, NULL));
    c.extent = (struct cudaExtent){16, 2, 1};
    c.dstPtr.pitch = HUGE_SIZE;
    ASK(cudaMemcpy3D(&c));
    struct cudaPointerAttributes pa;
    ASK(cudaPointerGetAttributes(&pa, host));
    ASK(cudaPointerGetAttributes(NULL, host));
    ASK(cudaFree(p));
    ASK(cudaFree(p));
    ASK(cudaFree((char *)p + 4));
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
}

static void runtime_launches(void)
{
    static int symbol;
    size_t size;
    void *p;
    int i;
    struct cudaFuncAttributes fa;
    dim3 one = {1, 1, 1}, huge = {100000, 1, 1}, wide = {2048, 1, 1};
    const void *f = (const void *)kernel;
    (void)huge, (void)wide;
    ASK(cudaFuncGetAttributes(&fa, &symbol));
    ASK(cudaFuncGetAttributes(&fa, NULL));
    ASK(cudaFuncSetAttribute(&symbol,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, 4));
    ASK(cudaFuncSetCacheConfig(&symbol, cudaFuncCachePreferL1));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, &symbol, 64, 0));
    ASK(cudaLaunchKernel(&symbol, one, one, NULL, 0, NULL));
    ASK(cudaLaunchKernel(NULL, one, one, NULL, 0, NULL));
    ASK(cudaLaunchCooperativeKernel(&symbol, one, one, NULL, 0, NULL));
    ASK(cudaGetSymbolAddress(&p, &symbol));
    ASK(cudaGetSymbolSize(&size, &symbol));
    ASK(cudaGetSymbolAddress(&p, NULL));
    ASK(cudaMemcpyToSymbol(&symbol, &i, 4, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyFromSymbol(&i, &symbol, 4, 0, cudaMemcpyDeviceToHost));
    ASK(cudaLaunchKernel(f, one, wide, NULL, 0, NULL));
    ASK(cudaPeekAtLastError());
    ASK(cudaLaunchKernel(f, one, one, NULL, 300000, NULL));
    ASK(cudaLaunchCooperativeKernel(f, huge, one, NULL, 0, NULL));
    ASK(cudaLaunchKernel(f, (dim3){0, 1, 1}, one, NULL, 0, NULL));
    ASK(cudaLaunchKernel(f, (dim3){1, 65536, 1}, one, NULL, 0, NULL));
    ASK(cudaLaunchKernel(f, one, (dim3){1, 1, 65}, NULL, 0, NULL));
    ASK(cudaLaunchKernel((const void *)bounded, one, (dim3){65, 1, 1}, NULL, 0,
                         NULL));
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
    cudaFunction_t df;
    ASK(cudaGetFuncBySymbol(&df, &symbol));
    cudaKernel_t k;
    ASK(cudaGetKernel(&k, &symbol));
    cudaLibrary_t l;
    ASK(cudaLibraryLoadFromFile(&l, "missing", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cudaLibraryLoadData(&l, "nonsense", NULL, NULL, 0, NULL, NULL, 0));
    ASK(cudaLibraryLoadData(&l,
                            ".version 99.0\n.target sm_70\n.address_size 64\n",
                            NULL, NULL, 0, NULL, NULL, 0));
    ASK(cudaLibraryLoadData(&l,
                            ".version 8.7\n.target sm_100\n.address_size 64\n",
                            NULL, NULL, 0, NULL, NULL, 0));
    ASK(cudaLibraryLoadData(&l, good_ptx, NULL, NULL, 0, NULL, NULL, 0));
    ASK(cudaLibraryGetKernel(&k, l, "missing"));
    ASK(cudaLibraryGetGlobal(&p, &size, l, "missing"));
    ASK(cudaLibraryGetManaged(&p, &size, l, "missing"));
    ASK(cudaLibraryGetUnifiedFunction(&p, l, "missing"));
    ASK(cudaLibraryUnload(l));
    ASK(cudaKernelSetAttributeForDevice(
        k, cudaFuncAttributeMaxDynamicSharedMemorySize, 64, 99));
    ASK(cudaGetLastError());
}

/* A kernel fails, and each call says so. */
static void after(const char *name)
{
    CUfunction f;
    size_t size;
    CUstream s;
    CUcontext c;
    CUdeviceptr p;
    cuModuleGetFunction(&f, module, name);
    ASK_OF(name, "launch",
           cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
    ASK_OF(name, "stream", cuStreamSynchronize(stream));
    ASK_OF(name, "stream again", cuStreamSynchronize(stream));
    ASK_OF(name, "query", cuStreamQuery(stream));
    ASK_OF(name, "context", cuCtxSynchronize());
    ASK_OF(name, "alloc", cuMemAlloc(&p, 64));
    ASK_OF(name, "launch again",
           cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    ASK_OF(name, "runtime's launch",
           cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1},
                            (dim3){1, 1, 1}, NULL, 0, NULL));
    ASK_OF(name, "runtime's last", cudaGetLastError());
    ASK_OF(name, "runtime's last again", cudaGetLastError());
    ASK_OF(name, "runtime's synchronise", cudaDeviceSynchronize());
    ASK_OF(name, "runtime's info", cudaMemGetInfo(&size, &size));
    ASK_OF(name, "runtime's record", cudaEventRecord((cudaEvent_t)event, NULL));
    ASK_OF(name, "runtime's query", cudaEventQuery((cudaEvent_t)event));
    ASK_OF(name, "runtime's wait", cudaEventSynchronize((cudaEvent_t)event));
    ASK_OF(name, "runtime's end", cudaEventDestroy((cudaEvent_t)event));
    ASK_OF(name, "stream's end", cuStreamDestroy(stream));
    ASK_OF(name, "new stream", cuStreamCreate(&s, 0));
    ASK_OF(name, "new context", cuCtxCreate_v2(&c, 0, 0));
    ASK_OF(name, "module's end", cuModuleUnload(module));
    ASK_OF(name, "release", cuDevicePrimaryCtxRelease(0));
    ASK_OF(name, "retain", cuDevicePrimaryCtxRetain(&c, 0));
}

static void after_trap(void)
{
    after("stop");
}
static void after_store(void)
{
    after("stray");
}
static void after_misaligned(void)
{
    after("odd");
}
static void after_break(void)
{
    after("pause");
}
static void after_local(void)
{
    after("deep");
}
static void after_shared(void)
{
    after("wild");
}
static void after_assert(void)
{
    after("fails");
}

static const struct section sections[] = {
    {"modules", modules, true},
    {"functions", functions, true},
    {"launches", launches, true},
    {"clusters", clusters, true},
    {"limits", limits, true},
    {"memory", memory, true},
    {"host's memory", hosts_memory, true},
    {"contexts", contexts, true},
    {"peers", peers, true},
    {"streams", streams, true},
    {"captures", captures, true},
    {"the rest", the_rest, true},
    {"tensor maps", tensor_maps, true},
    {"checkpoints of another", checkpoints_of_another, false},
    {"checkpoints of itself", checkpoints_of_itself, false},
    {"checkpoints of strangers", checkpoints_of_strangers, false},
    {"runtime's memory", runtime_memory, true},
    {"runtime's launches", runtime_launches, true},
    {"after a trap", after_trap, true},
    {"after a stray store", after_store, true},
    {"after a misaligned store", after_misaligned, true},
    {"after a break point", after_break, true},
    {"after a stray local store", after_local, true},
    {"after a stray shared store", after_shared, true},
    {"after a failed assertion", after_assert, true},
};

int main(int argc, char **argv)
{
    return run_sections(sections, sizeof sections / sizeof *sections, argc,
                        argv);
}
