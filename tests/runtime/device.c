/* SPDX-License-Identifier: Apache-2.0 */
/* The device: which one, its properties, its settings. */
#include "check.h"

static void which(void)
{
    int n = 0, d = -1;
    OK(cudaGetDeviceCount(&n));
    CHECK(n >= 1);
    GIVES(cudaErrorInvalidValue, cudaGetDeviceCount(NULL));
    OK(cudaSetDevice(0));
    OK(cudaGetDevice(&d));
    CHECK(d == 0);
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(n));
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(-1));
    GIVES(cudaErrorInvalidValue, cudaGetDevice(NULL));
    OK(cudaInitDevice(0, 0, 0));
    OK(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
    GIVES(cudaErrorInvalidDevice, cudaInitDevice(n, 0, 0));
    OK(cudaInitDevice(0, 0, 8)); /* other bits are not looked at */
    OK(cudaSetValidDevices(&d, 1));
    GIVES(cudaErrorInvalidDevice, cudaSetValidDevices(&n, 1));
    GIVES(cudaErrorInvalidValue, cudaSetValidDevices(NULL, 1));
    GIVES(cudaErrorInvalidValue, cudaSetValidDevices((int[]){0, n}, n + 1));
}

static void flags(void)
{
    unsigned f = 0;
    OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    OK(cudaGetDeviceFlags(&f));
    CHECK(f == (cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
    GIVES(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000));
    GIVES(cudaErrorInvalidValue,
          cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    GIVES(cudaErrorInvalidValue, cudaGetDeviceFlags(NULL));
}

static void properties(void)
{
    struct cudaDeviceProp p;
    int value = 0, chosen = -1;
    OK(cudaGetDeviceProperties(&p, 0));
    CHECK(p.name[0] && p.major >= 8 && p.warpSize == 32);
    CHECK(p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[2] == 64);
    CHECK(p.maxGridSize[0] == 0x7fffffff && p.maxGridSize[1] == 65535);
    CHECK(p.multiProcessorCount > 0 && p.totalGlobalMem > 1 << 20);
    CHECK(p.sharedMemPerBlock == 48 << 10 && p.clockRate > 0);
    CHECK(p.unifiedAddressing == 1 && p.managedMemory == 1);
    GIVES(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0));
    GIVES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 99));
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    CHECK(value == p.maxThreadsPerBlock);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
    CHECK(value == p.major);
    GIVES(cudaErrorInvalidValue,
          cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    GIVES(cudaErrorInvalidDevice,
          cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
    GIVES(cudaErrorInvalidValue,
          cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    OK(cudaChooseDevice(&chosen, &p));
    CHECK(chosen == 0);
    GIVES(cudaErrorInvalidValue, cudaChooseDevice(NULL, &p));
}

static void bus(void)
{
    char id[32];
    int d = -1;
    OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    OK(cudaDeviceGetByPCIBusId(&d, id));
    CHECK(d == 0);
    GIVES(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(id, 3, 0));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(NULL, 32, 0));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(id, 32, 5));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&d, NULL));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&d, "nonsense"));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&d, "ffff:ff:1f.7"));
}

static void limits(void)
{
    size_t value = 0;
    OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
    OK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
    CHECK(value >= 2 << 20);
    OK(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    CHECK(value >= 1024);
    OK(cudaThreadGetLimit(&value, cudaLimitMallocHeapSize));
    CHECK(value >= 1 << 20);
    OK(cudaThreadSetLimit(cudaLimitStackSize, 4096));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    GIVES(cudaErrorInvalidValue, /* hardware; the manual says 215 */
          cudaDeviceGetLimit(&value, (enum cudaLimit)99));
    GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit((enum cudaLimit)99, 1));
    GIVES(cudaErrorInvalidValue,
          cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1ul << 40));
    /* rounded up to sixteenths of the cache */
    int cache = 0;
    OK(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0));
    OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1));
    OK(cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize));
    CHECK(value == (size_t)cache / 16);
    OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, value + 1));
    OK(cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize));
    CHECK(value == (size_t)cache / 16 * 2);
    OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
    OK(cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize));
    CHECK(value == 0);
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1));
    OK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount));
    CHECK(value == 32);
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1 << 30));
    OK(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount));
    CHECK(value == 599186);
}

static void flushes(void)
{
    const enum cudaFlushGPUDirectRDMAWritesTarget here =
        cudaFlushGPUDirectRDMAWritesTargetCurrentDevice;
    OK(cudaDeviceFlushGPUDirectRDMAWrites(
        here, cudaFlushGPUDirectRDMAWritesToOwner));
    OK(cudaDeviceFlushGPUDirectRDMAWrites(
        here, cudaFlushGPUDirectRDMAWritesToAllDevices));
    GIVES(cudaErrorInvalidValue,
          cudaDeviceFlushGPUDirectRDMAWrites(
              here, (enum cudaFlushGPUDirectRDMAWritesScope)77));
    GIVES(cudaErrorInvalidValue,
          cudaDeviceFlushGPUDirectRDMAWrites(
              (enum cudaFlushGPUDirectRDMAWritesTarget)1,
              cudaFlushGPUDirectRDMAWritesToOwner));
}

static void preferences(void)
{
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig config;
    int least = -1, greatest = 1;
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    OK(cudaDeviceGetCacheConfig(&cache));
    CHECK(cache == cudaFuncCachePreferL1);
    OK(cudaThreadSetCacheConfig(cudaFuncCachePreferShared));
    OK(cudaThreadGetCacheConfig(&cache));
    CHECK(cache == cudaFuncCachePreferShared);
    GIVES(cudaErrorInvalidValue,
          cudaDeviceSetCacheConfig((enum cudaFuncCache)9));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(NULL));
    OK(cudaDeviceGetSharedMemConfig(&config));
    CHECK(config == cudaSharedMemBankSizeFourByte);
    OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    OK(cudaDeviceGetSharedMemConfig(&config));
    CHECK(config == cudaSharedMemBankSizeEightByte);
    GIVES(cudaErrorInvalidValue,
          cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)9));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetSharedMemConfig(NULL));
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest <= 0);
    OK(cudaDeviceGetStreamPriorityRange(NULL, NULL));
    OK(cudaCtxResetPersistingL2Cache());
}

static void memory_and_versions(void)
{
    size_t free_bytes = 0, total = 0;
    int driver = 0, runtime = 0;
    OK(cudaMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes > 0 && free_bytes <= total);
    OK(cudaMemGetInfo(NULL, &total));
    OK(cudaDriverGetVersion(&driver));
    OK(cudaRuntimeGetVersion(&runtime));
    CHECK(driver == 13000 && runtime == CUDART_VERSION);
    GIVES(cudaErrorInvalidValue, cudaDriverGetVersion(NULL));
    GIVES(cudaErrorInvalidValue, cudaRuntimeGetVersion(NULL));
    OK(cudaProfilerStart());
    OK(cudaProfilerStop());
}

/* A driver may be said to be later than it is, not earlier. */
static void later_driver(void)
{
    static const struct {
        const char *text;
        int version;
    } rows[] = {{"13040", 13040},  {"14000", 14000}, {"12080", 13000},
                {"100000", 13000}, {"13.4", 13000},  {"", 13000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int version = 0;
        setenv("WEFT_DRIVER_VERSION", rows[i].text, 1);
        OK(cudaDriverGetVersion(&version));
        CHECK(version == rows[i].version);
    }
    unsetenv("WEFT_DRIVER_VERSION");
}

static void peers(void)
{
    enum cudaAtomicOperation add = cudaAtomicOperationIntegerAdd;
    enum cudaAtomicOperation wrong = (enum cudaAtomicOperation)99;
    unsigned takes = 0;
    OK(cudaDeviceGetHostAtomicCapabilities(&takes, &add, 1, 0));
    CHECK(takes & cudaAtomicCapabilityScalar32);
    GIVES(cudaErrorInvalidValue,
          cudaDeviceGetHostAtomicCapabilities(&takes, &wrong, 1, 0));
    GIVES(cudaErrorInvalidValue,
          cudaDeviceGetHostAtomicCapabilities(NULL, &add, 1, 0));
    GIVES(cudaErrorInvalidDevice,
          cudaDeviceGetHostAtomicCapabilities(&takes, &add, 1, 9));
    GIVES(cudaErrorInvalidDevice,
          cudaDeviceGetP2PAtomicCapabilities(&takes, &add, 1, 0, 0));
    GIVES(cudaErrorInvalidValue,
          cudaLaunchCooperativeKernelMultiDevice(NULL, 1, 0));
    int can = 1, value;
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK(can == 0);
    GIVES(cudaErrorInvalidValue, cudaDeviceCanAccessPeer(NULL, 0, 0));
    GIVES(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 9));
    GIVES(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
    GIVES(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(0, 1));
    GIVES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    GIVES(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(9));
    GIVES(
        cudaErrorInvalidDevice,
        cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    GIVES(
        cudaErrorInvalidValue,
        cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 0));
}

static void whole(void)
{
    double d = 1.5;
    OK(cudaDeviceSynchronize());
    OK(cudaThreadSynchronize());
    OK(cudaSetDoubleForDevice(&d));
    OK(cudaSetDoubleForHost(&d));
    CHECK(d == 1.5);
    GIVES(cudaErrorInvalidValue, cudaSetDoubleForDevice(NULL));
    OK(cudaDeviceReset());
    OK(cudaThreadExit());
    OK(cudaDeviceSynchronize());
    struct cudaChannelFormatDesc c =
        cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
    CHECK(c.x == 8 && c.y == 16 && c.z == 0 &&
          c.f == cudaChannelFormatKindUnsigned);
}

int main(void)
{
    which();
    flags();
    properties();
    bus();
    limits();
    flushes();
    preferences();
    memory_and_versions();
    later_driver();
    peers();
    whole();
    return check_result();
}
