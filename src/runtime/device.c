/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices and their settings. Which one is current is a fact of each host
 * thread.
 */
#include "runtime/internal.h"

#include <stdatomic.h>

static _Atomic int shared_config = cudaSharedMemBankSizeFourByte;

int rt_device_count(void)
{
    ctx_note_initialised();
    return device_count();
}

bool rt_is_device(int device)
{
    return device >= 0 && device < rt_device_count();
}

cudaError_t rt_no_such_device(void)
{
    return rt_device_count() ? cudaErrorInvalidDevice
                             : rt_error(device_missing());
}

int rt_current_device(void)
{
    return ctx_device_of_thread();
}

int rt_attribute(CUdevice_attribute attribute)
{
    int value = 0;
    if (device_attribute(&value, attribute, ctx_device_of_thread()))
        return 0;
    return value;
}

/* ---- which device -------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return rt_return(cudaErrorInvalidValue);
    *count = rt_device_count();
    return rt_return(*count ? cudaSuccess : rt_no_such_device());
}

/* Fails inside host functions, and in a process that forked after CUDA was
 * initialised. */
static cudaError_t check_open(void)
{
    return ctx_is_lost() ? cudaErrorInitializationError : rt_check_permitted();
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = check_open();
    if (err)
        return rt_return(err);
    *device = ctx_device_of_thread();
    return rt_return(rt_device_count() ? cudaSuccess : rt_no_such_device());
}

cudaError_t cudaSetDevice(int device)
{
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    return rt_return(rt_choose_device(device));
}

static_assert(cudaDeviceMask == CU_CTX_FLAGS_MASK &&
                  cudaDeviceScheduleMask == CU_CTX_SCHED_MASK,
              "both APIs number flags alike");

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags,
                           unsigned int flags)
{
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    if (flags & cudaInitDeviceFlagsAreValid) {
        if (!ctx_are_flags(deviceFlags))
            return rt_return(cudaErrorInvalidValue);
        ctx_primary_set_flags(device, deviceFlags);
    }
    return rt_return(rt_context_of_any_state());
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    if (!ctx_are_flags(flags))
        return rt_return(cudaErrorInvalidValue);
    if (!rt_device_count())
        return rt_return(rt_no_such_device());
    ctx_primary_set_flags(ctx_device_of_thread(), flags);
    return rt_return(cudaSuccess);
}

/* Pinned memory is always mapped, so its flag is always set. */
cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    if (!flags)
        return rt_return(cudaErrorInvalidValue);
    CUcontext ctx;
    *flags = (ctx_current(&ctx) ? ctx_primary_flags(ctx_device_of_thread())
                                : ctx_flags(ctx)) |
             cudaDeviceMapHost;
    return rt_return(cudaSuccess);
}

cudaError_t cudaSetValidDevices(int *device_arr, int len)
{
    if (len < 0 || len > rt_device_count() || (len > 0 && !device_arr))
        return rt_return(cudaErrorInvalidValue);
    for (int i = 0; i < len; i++) {
        if (!rt_is_device(device_arr[i]))
            return rt_return(rt_no_such_device());
        for (int j = 0; j < i; j++) {
            if (device_arr[j] == device_arr[i])
                return rt_return(cudaErrorInvalidValue);
        }
    }
    ctx_prefer_devices(device_arr, len);
    return rt_return(cudaSuccess);
}

/* ---- attributes ---------------------------------------------------------- */

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr,
                                   int device)
{
    if (!value)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    cudaError_t err = check_open();
    if (err)
        return rt_return(err);
    return rt_return(
        rt_error(device_attribute(value, (CUdevice_attribute)attr, device)));
}

/* Kernels read host memory, so they see at once what a network card writes. */
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(
    enum cudaFlushGPUDirectRDMAWritesTarget target,
    enum cudaFlushGPUDirectRDMAWritesScope scope)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err && (target != cudaFlushGPUDirectRDMAWritesTargetCurrentDevice ||
                 (scope != cudaFlushGPUDirectRDMAWritesToOwner &&
                  scope != cudaFlushGPUDirectRDMAWritesToAllDevices)))
        err = cudaErrorInvalidValue;
    return rt_return(err);
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    char id[DEVICE_PCI_ID_BYTES];
    if (!pciBusId)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    device_pci_id(device_number(device), id);
    if (len <= (int)strlen(id))
        return rt_return(cudaErrorInvalidValue);
    memcpy(pciBusId, id, strlen(id) + 1);
    return rt_return(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    if (!device || !pciBusId)
        return rt_return(cudaErrorInvalidValue);
    ctx_note_initialised();
    CUresult err = device_by_pci_id(pciBusId, device);
    return rt_return(err == CUDA_ERROR_INVALID_DEVICE ? rt_no_such_device()
                                                      : rt_error(err));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority,
                                             int *greatestPriority)
{
    cudaError_t err = rt_check_context();
    if (err)
        return rt_return(err);
    bool has = rt_attribute(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED);
    if (leastPriority)
        *leastPriority = 0;
    if (greatestPriority)
        *greatestPriority = has ? -5 : 0;
    return rt_return(cudaSuccess);
}

/* ---- settings ------------------------------------------------------------ */

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    CUcontext ctx;
    if (!pValue)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(device_limit_get(pValue, (CUlimit)limit));
    return rt_return(err);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(device_limit_set((CUlimit)limit, value));
    return rt_return(err);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (err || !pCacheConfig)
        return rt_return(err ? err : cudaErrorInvalidValue);
    *pCacheConfig = (enum cudaFuncCache)ctx_cache_config(ctx);
    return rt_return(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(ctx_set_cache_config(ctx, (CUfunc_cache)cacheConfig));
    return rt_return(err);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
    if (!pConfig)
        return rt_return(cudaErrorInvalidValue);
    *pConfig = (enum cudaSharedMemConfig)atomic_load(&shared_config);
    return rt_return(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    if ((unsigned)config > cudaSharedMemBankSizeEightByte)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_error(capture_check_call());
    if (err)
        return rt_return(err);
    atomic_store(&shared_config, config ? (int)config
                                        : cudaSharedMemBankSizeFourByte);
    return rt_return(cudaSuccess);
}

/* ---- the whole device ---------------------------------------------------- */

cudaError_t cudaDeviceSynchronize(void)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(ctx_synchronize(ctx));
    return rt_return(err);
}

cudaError_t cudaDeviceReset(void)
{
    cudaError_t err = rt_check_permitted();
    if (err)
        return rt_return(err);
    atomic_store(&shared_config, cudaSharedMemBankSizeFourByte);
    return rt_return(rt_error(ctx_primary_reset(ctx_device_of_thread())));
}

/* Nothing to reset: a CPU's cache has no lines set aside as persisting. */
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    CUcontext ctx;
    return rt_return(rt_context(&ctx));
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    CUcontext ctx;
    size_t free_bytes = 0, total_bytes = 0;
    cudaError_t err = rt_context(&ctx);
    if (err)
        return rt_return(err);
    device_free_memory(&free_bytes, &total_bytes);
    if (free)
        *free = free_bytes;
    if (total)
        *total = total_bytes;
    return cudaSuccess;
}

/* ---- versions, profiler -------------------------------------------------- */

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    if (!driverVersion)
        return rt_return(cudaErrorInvalidValue);
    *driverVersion = device_driver_version();
    return rt_return(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    if (!runtimeVersion)
        return rt_return(cudaErrorInvalidValue);
    *runtimeVersion = RT_VERSION;
    return rt_return(cudaSuccess);
}

/* Marks for profilers. They do nothing, as with CUDA when no profiler is
 * attached. */
cudaError_t cudaProfilerStart(void)
{
    cudaError_t err = rt_check_context();
    return rt_return(err ? err : rt_error(capture_check_call()));
}

cudaError_t cudaProfilerStop(void)
{
    return rt_return(rt_error(capture_check_call()));
}
