/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by name, for programs that do not link to the library. */
#include "driver/entry_table.h"
#include "driver/internal.h"

/* The first toolkit with default streams per thread. */
enum { SINCE_PER_THREAD = 7000 };

static void *function_of(const struct drv_entry *e, bool per_thread)
{
    return per_thread && e->per_thread ? e->per_thread : e->function;
}

/* Programs of a newer toolkit of CUDA 13 may ask an older driver. */
#define VERSION_MAX 13999

static CUresult find_entry(const char *symbol, void **pfn, int version,
                           cuuint64_t flags, bool per_thread,
                           CUdriverProcAddressQueryResult *status)
{
    const cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM |
                             CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if (!symbol || !pfn || (flags & ~known) || version > VERSION_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags)
        per_thread = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    *pfn = NULL;
    *status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    bool has_variant = false;
    for (size_t i = 0; i < drv_entry_count; i++) {
        const struct drv_entry *e = &drv_entries[i];
        if (strcmp(e->name, symbol) != 0)
            continue;
        has_variant = has_variant || e->per_thread;
        if (version >= e->since)
            *pfn = function_of(e, per_thread);
        /* No older toolkit has a function for such streams. */
        if (per_thread && has_variant && version < SINCE_PER_THREAD)
            *pfn = NULL;
        *status = *pfn ? CU_GET_PROC_ADDRESS_SUCCESS
                       : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    }
    return *pfn ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static CUresult find_and_tell(const char *symbol, void **pfn, int version,
                              cuuint64_t flags, bool per_thread,
                              CUdriverProcAddressQueryResult *out)
{
    CUdriverProcAddressQueryResult status =
        CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    CUresult err = find_entry(symbol, pfn, version, flags, per_thread, &status);
    if (err == CUDA_ERROR_INVALID_VALUE)
        return err;
    if (out)
        *out = status; /* instead of an error, as on hardware */
    return CUDA_SUCCESS;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion,
                             cuuint64_t flags,
                             CUdriverProcAddressQueryResult *symbolStatus)
{
    return find_and_tell(symbol, pfn, cudaVersion, flags, false, symbolStatus);
}

/* For programs that were compiled with default streams per thread. */
CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn,
                                  int cudaVersion, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *symbolStatus);
CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn,
                                  int cudaVersion, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *symbolStatus)
{
    return find_and_tell(symbol, pfn, cudaVersion, flags, true, symbolStatus);
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
                          cuuint64_t flags);
CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
                          cuuint64_t flags)
{
    CUdriverProcAddressQueryResult status;
    return find_entry(symbol, pfn, cudaVersion, flags, false, &status);
}
