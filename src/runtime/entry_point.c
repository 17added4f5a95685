/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the driver API by name. They are those of the libcuda.so.1 in
 * the folder of this library.
 */
#define _GNU_SOURCE /* dladdr */
#include "base/beside.h"
#include "runtime/internal.h"

#include <pthread.h>

/* Larger numbers are no versions. */
enum { NEWEST_VERSION = 13999 };

typedef CUresult get_proc_fn(const char *symbol, void **pfn, int version,
                             cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status);

static get_proc_fn *get_proc;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_driver(void)
{
    void *driver = open_beside(&get_proc, "libcuda.so.1");
    if (!driver)
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    CUresult (*init)(unsigned) = NULL;
    if (!driver)
        return;
    *(void **)&init = dlsym(driver, "cuInit");
    if (init)
        init(0);
    *(void **)&get_proc = dlsym(driver, "cuGetProcAddress_v2");
}

static cudaError_t find_entry(const char *symbol, unsigned version,
                              unsigned long long flags, void **out,
                              enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult result =
        CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (!symbol || !out || flags > cudaEnablePerThreadDefaultStream ||
        version > NEWEST_VERSION)
        return cudaErrorInvalidValue;
    if (flags == cudaEnableDefault && RT_DEFAULT_STREAM == CU_STREAM_PER_THREAD)
        flags = cudaEnablePerThreadDefaultStream;
    *out = NULL;
    pthread_once(&once, find_driver);
    if (get_proc)
        get_proc(symbol, out, (int)version, flags, &result);
    if (status)
        *status = (enum cudaDriverEntryPointQueryResult)result;
    return cudaSuccess;
}

cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **funcPtr,
                        unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return rt_return(
        find_entry(symbol, RT_VERSION, flags, funcPtr, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(
    const char *symbol, void **funcPtr, unsigned int cudaVersion,
    unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return rt_return(
        find_entry(symbol, cudaVersion, flags, funcPtr, driverStatus));
}
