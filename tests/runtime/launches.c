/* SPDX-License-Identifier: Apache-2.0 */
/* Launches in every form, attributes of kernels, occupancy. */
#include "check.h"
#include "kernels.h"

static unsigned *p;

static void plain(void)
{
    unsigned value = 5;
    void *args[] = {&p, &value};
    dim3 one = dim(1, 1, 1), warp = dim(32, 1, 1);
    OK(launch_store(p, 4, 64, NULL));
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 4 && p[63] == 4);
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&store, dim(0, 1, 1), warp, args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&store, one, dim(1, 0, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&store, one, dim(1025, 1, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&store, one, dim(1, 1, 65), args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&store, one, dim(64, 64, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&store, dim(1, 65536, 1), warp, args, 0, NULL));
    GIVES(cudaErrorInvalidValue,
          cudaLaunchKernel(&store, one, warp, args, 1 << 20, NULL));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(&value, one, warp, args, 0, NULL));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(NULL, one, warp, args, 0, NULL));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(&counter, one, warp, args, 0, NULL));
    cudaError_t err =
        cudaLaunchKernel(&small, one, dim(65, 1, 1), NULL, 0, NULL);
    CHECK(err == cudaErrorInvalidValue || err == cudaErrorLaunchOutOfResources);
    cudaGetLastError();
}

static void configured(void)
{
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    CHECK(__cudaPushCallConfiguration(dim(2, 1, 1), dim(32, 1, 1), 16, NULL) ==
          0);
    CHECK(__cudaPushCallConfiguration(dim(7, 1, 1), dim(64, 1, 1), 0,
                                      cudaStreamLegacy) == 0);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    CHECK(grid.x == 7 && block.x == 64 && stream == cudaStreamLegacy);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    CHECK(grid.x == 2 && shared == 16 && !stream);
    GIVES(cudaErrorMissingConfiguration,
          __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
}

static void extended(void)
{
    unsigned value = 6;
    void *args[] = {&p, &value};
    cudaLaunchAttribute a[2] = {
        {.id = cudaLaunchAttributePriority},
        {.id = cudaLaunchAttributeClusterDimension,
         .val.clusterDim = {1, 1, 1}},
    };
    cudaLaunchConfig_t c = {.gridDim = dim(2, 1, 1),
                            .blockDim = dim(32, 1, 1),
                            .attrs = a,
                            .numAttrs = 2};
    OK(cudaLaunchKernelExC(&c, &store, args));
    OK(cudaDeviceSynchronize());
    CHECK(p[63] == 6);
    a[1].val.clusterDim.x = 2;
    OK(cudaLaunchKernelExC(&c, &store, args));
    int size = 0, count = 0;
    OK(cudaOccupancyMaxPotentialClusterSize(&size, &store, &c));
    OK(cudaOccupancyMaxActiveClusters(&count, &store, &c));
    CHECK(size == 8 && count >= 1);
    a[1].val.clusterDim.x = 9;
    GIVES(cudaErrorInvalidClusterSize, cudaLaunchKernelExC(&c, &store, args));
    a[1].id = (cudaLaunchAttributeID)99;
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(&c, &store, args));
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(NULL, &store, args));
    c.attrs = NULL;
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(&c, &store, args));
    c.numAttrs = 0;
    c.gridDim.x = 0;
    GIVES(cudaErrorInvalidConfiguration, cudaLaunchKernelExC(&c, &store, args));
}

/* Of each attribute, the least and the greatest value that a launch may have,
 * and what others give. */
static void attribute_values(void)
{
    static const struct {
        cudaLaunchAttributeID id;
        int least, most;
        cudaError_t expected;
    } rows[] = {
        {cudaLaunchAttributeSynchronizationPolicy, 1, 0, cudaErrorInvalidValue},
        {cudaLaunchAttributeClusterSchedulingPolicyPreference, 0, 2,
         cudaErrorInvalidValue},
        {cudaLaunchAttributeMemSyncDomainMap, 0, 3, cudaErrorInvalidValue},
        {cudaLaunchAttributeMemSyncDomain, 0, 1, cudaErrorInvalidValue},
        {cudaLaunchAttributePreferredClusterDimension, 0, 0,
         cudaErrorInvalidClusterSize},
        {cudaLaunchAttributePreferredSharedMemoryCarveout, 0, 100,
         cudaErrorInvalidValue},
        {cudaLaunchAttributeNvlinkUtilCentricScheduling, 0, 1,
         cudaErrorInvalidValue},
    };
    unsigned value = 6;
    void *args[] = {&p, &value};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int v = rows[i].least - 2; v <= rows[i].most + 2; v++) {
            cudaLaunchAttribute a = {.id = rows[i].id};
            a.val.priority = v;
            cudaLaunchConfig_t c = {.gridDim = dim(1, 1, 1),
                                    .blockDim = dim(32, 1, 1),
                                    .attrs = &a,
                                    .numAttrs = 1};
            bool is_valid = v >= rows[i].least && v <= rows[i].most;
            GIVES(is_valid ? cudaSuccess : rows[i].expected,
                  cudaLaunchKernelExC(&c, &store, args));
        }
    }
    OK(cudaDeviceSynchronize());
}

static void event_attributes(void)
{
    cudaEvent_t timed, plain;
    OK(cudaEventCreate(&timed));
    OK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    const struct {
        cudaEvent_t event;
        int flags;
        cudaError_t expected;
    } rows[] = {
        {NULL, 0, cudaErrorInvalidResourceHandle},
        {timed, 0, cudaErrorNotSupported},
        {timed, cudaEventRecordExternal, cudaErrorIllegalState},
        {plain, 0, cudaSuccess},
        {plain, cudaEventRecordExternal, cudaErrorIllegalState},
        {plain, 2, cudaErrorInvalidValue},
    };
    unsigned value = 6;
    void *args[] = {&p, &value};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cudaLaunchAttribute a = {.id = cudaLaunchAttributeProgrammaticEvent};
        a.val.programmaticEvent.event = rows[i].event;
        a.val.programmaticEvent.flags = rows[i].flags;
        cudaLaunchConfig_t c = {.gridDim = dim(1, 1, 1),
                                .blockDim = dim(32, 1, 1),
                                .attrs = &a,
                                .numAttrs = 1};
        GIVES(rows[i].expected, cudaLaunchKernelExC(&c, &store, args));
        a = (cudaLaunchAttribute){
            .id = cudaLaunchAttributeLaunchCompletionEvent};
        a.val.launchCompletionEvent.event = rows[i].event;
        a.val.launchCompletionEvent.flags = rows[i].flags;
        GIVES(rows[i].expected, cudaLaunchKernelExC(&c, &store, args));
    }
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(timed));
    OK(cudaEventDestroy(plain));
}

/* Refused with a name as long as the device says that it has none. */
static void cooperative(void)
{
    unsigned value = 8;
    void *args[] = {&p, &value};
    int has = 0;
    OK(cudaDeviceGetAttribute(&has, cudaDevAttrCooperativeLaunch, 0));
    GIVES(has ? cudaSuccess : cudaErrorNotSupported,
          cudaLaunchCooperativeKernel(&store, dim(2, 1, 1), dim(32, 1, 1), args,
                                      0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchCooperativeKernel(&store, dim(0, 1, 1), dim(32, 1, 1), args,
                                      0, NULL));
    OK(cudaDeviceSynchronize());
}

/* Of the driver API, by name. */
static void entry_points(void)
{
    void *fn = &fn;
    enum cudaDriverEntryPointQueryResult status;
    OK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &fn, cudaEnableDefault,
                               &status));
    CHECK(fn && status == cudaDriverEntryPointSuccess);
    OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &fn, 11080,
                                        cudaEnableDefault, &status));
    CHECK(!fn && status == cudaDriverEntryPointVersionNotSufficent);
    OK(cudaGetDriverEntryPoint("cuNoSuchThing", &fn, cudaEnableDefault,
                               &status));
    CHECK(!fn && status == cudaDriverEntryPointSymbolNotFound);
    OK(cudaGetDriverEntryPoint("cuTensorMapReplaceAddress", &fn,
                               cudaEnableLegacyStream, NULL));
    CHECK(fn);
    GIVES(cudaErrorInvalidValue,
          cudaGetDriverEntryPoint(NULL, &fn, cudaEnableDefault, &status));
    GIVES(cudaErrorInvalidValue,
          cudaGetDriverEntryPoint("cuInit", NULL, cudaEnableDefault, &status));
    GIVES(cudaErrorInvalidValue,
          cudaGetDriverEntryPoint("cuInit", &fn, 99, &status));
}

static void three_steps(void)
{
    unsigned value = 9;
    GIVES(cudaErrorMissingConfiguration, cudaLaunch(&store));
    OK(cudaConfigureCall(dim(2, 1, 1), dim(32, 1, 1), 0, NULL));
    OK(cudaSetupArgument(&p, sizeof p, 0));
    OK(cudaSetupArgument(&value, sizeof value, sizeof p));
    OK(cudaLaunch(&store));
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 9 && p[63] == 9);
    GIVES(cudaErrorInvalidConfiguration,
          cudaConfigureCall(dim(0, 1, 1), dim(1, 1, 1), 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaSetupArgument(&value, 4, 1 << 20));
    GIVES(cudaErrorInvalidValue, cudaSetupArgument(NULL, 4, 0));
}

static void attributes(void)
{
    struct cudaFuncAttributes a;
    const char *name = NULL;
    cudaFunction_t f = NULL;
    OK(cudaFuncGetAttributes(&a, &small));
    CHECK(a.maxThreadsPerBlock == 64 && a.sharedSizeBytes == 0);
    CHECK(a.ptxVersion == 80 && a.binaryVersion >= 80);
    OK(cudaFuncGetAttributes(&a, &store));
    CHECK(a.maxThreadsPerBlock == 1024);
    GIVES(cudaErrorInvalidValue, cudaFuncGetAttributes(NULL, &store));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, &a));
    OK(cudaFuncSetAttribute(&store, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            64 << 10));
    OK(cudaFuncGetAttributes(&a, &store));
    CHECK(a.maxDynamicSharedSizeBytes == 64 << 10);
    unsigned value = 3;
    void *args[] = {&p, &value};
    OK(cudaLaunchKernel(&store, dim(1, 1, 1), dim(32, 1, 1), args, 64 << 10,
                        NULL));
    GIVES(cudaErrorInvalidValue,
          cudaFuncSetAttribute(
              &store, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
    GIVES(cudaErrorInvalidValue,
          cudaFuncSetAttribute(&store, (enum cudaFuncAttribute)99, 1));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaFuncSetAttribute(&a, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               1));
    OK(cudaFuncSetCacheConfig(&store, cudaFuncCachePreferL1));
    GIVES(cudaErrorInvalidValue,
          cudaFuncSetCacheConfig(&store, (enum cudaFuncCache)9));
    OK(cudaFuncSetSharedMemConfig(&store, cudaSharedMemBankSizeFourByte));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaFuncSetSharedMemConfig(&a, cudaSharedMemBankSizeFourByte));
    OK(cudaFuncGetName(&name, &store));
    CHECK(name && !strcmp(name, "store"));
    OK(cudaGetFuncBySymbol(&f, &store));
    CHECK(f);
    GIVES(cudaErrorInvalidValue, cudaGetFuncBySymbol(NULL, &store));
}

/* As object files of newer compilers launch. */
static void kernel_handles(void)
{
    cudaKernel_t k = NULL;
    unsigned value = 9;
    dim3 one = dim(1, 1, 1), warp = dim(32, 1, 1);
    void *args[] = {&p, &value};
    static char unknown;
    OK(cudaGetKernel(&k, &store));
    CHECK(k);
    GIVES(cudaErrorInvalidValue, cudaGetKernel(NULL, &store));
    GIVES(cudaErrorInvalidDeviceFunction, cudaGetKernel(&k, &unknown));
    OK(__cudaGetKernel(&k, &store));
    OK(__cudaLaunchKernel(k, one, warp, args, 0, NULL));
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 9 && p[31] == 9);
    OK(__cudaGetKernel(&k, &unknown));
    GIVES(cudaErrorInvalidDeviceFunction,
          __cudaLaunchKernel(k, one, warp, args, 0, NULL));
}

static void occupancy(void)
{
    int n = 0;
    size_t bytes = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &store, 256, 0));
    CHECK(n == 8);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &n, &store, 1024, 0, cudaOccupancyDisableCachingOverride));
    CHECK(n == 2);
    GIVES(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, &store, 256, 0));
    GIVES(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &store, 0, 0));
    GIVES(cudaErrorInvalidValue,
          cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, &store,
                                                                 256, 0, 8));
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &store, 2, 256));
    struct cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, &store));
    CHECK(bytes <= (size_t)a.maxDynamicSharedSizeBytes);
    OK(cudaFuncSetAttribute(&store, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            227 << 10));
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &store, 2, 256));
    /* Half of an SM's, though each block takes 1024 bytes besides. */
    CHECK(bytes == 116736);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &store, 256,
                                                     bytes - 1024));
    CHECK(n == 2);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &store, 256,
                                                     bytes + 1));
    CHECK(n < 2);
    GIVES(cudaErrorInvalidValue,
          cudaOccupancyAvailableDynamicSMemPerBlock(NULL, &store, 2, 256));
    GIVES(cudaErrorInvalidValue,
          cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &store, 99, 256));
}

/* A module that cannot be loaded fails where it is used, by name. */
static void broken_module(void)
{
    static char key;
    /* Not in the executable: what is in there stays registered to the end. */
    char *text = strdup(".version 7.0\n.target sm_80\nnonsense\n");
    struct {
        int magic, version;
        const void *image;
        void *more;
    } wrapper = {0x466243b1, 1, text, NULL};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &key, &key, "key", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    CHECK(cudaPeekAtLastError() == cudaSuccess); /* nothing is loaded yet */
    cudaError_t err =
        cudaLaunchKernel(&key, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, NULL);
    CHECK(err == cudaErrorInvalidPtx || err == cudaErrorInvalidKernelImage);
    cudaGetLastError();
    CHECK(__cudaInitModule(handle) == 0);
    cudaGetLastError();
    __cudaUnregisterFatBinary(handle);
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(&key, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, NULL));
    free(text);
}

int main(void)
{
    kernels_register();
    CHECK(__cudaInitModule(kernels) == 1);
    CHECK(managed_value && *managed_value == 7); /* before any call */
    OK(cudaMallocManaged((void **)&p, 64 * 4, cudaMemAttachGlobal));
    plain();
    configured();
    extended();
    attribute_values();
    event_attributes();
    cooperative();
    entry_points();
    three_steps();
    attributes();
    kernel_handles();
    occupancy();
    broken_module();
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
    kernels_unregister();
    return check_result();
}
