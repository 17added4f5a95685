/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by their names, as programs ask for that do not link to us. */
#include "driver/internal.h"

/* Variants for per-thread default streams have no declarations: the header
 * renames the others. Only their addresses are used. */
#define DECLARE_NO(name)
#define DECLARE_PTDS(name) extern char name##_ptds[];
#define DECLARE_PTSZ(name) extern char name##_ptsz[];
#define CU_API(name, suffix, since, per_thread)                                \
    DECLARE_##per_thread(name##suffix)
#include "driver/api.def"

#define VARIANT_NO(name)   NULL
#define VARIANT_PTDS(name) (void *)name##_ptds
#define VARIANT_PTSZ(name) (void *)name##_ptsz

/* Of several forms of a function the newest comes last. */
static const struct {
    const char *name;
    void *function, *per_thread;
    int since;
} entry_points[] = {
#define CU_API(name, suffix, since, per_thread)                                \
    {#name, (void *)name##suffix, VARIANT_##per_thread(name##suffix), since},
#include "driver/api.def"
};

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
                          cuuint64_t flags,
                          CUdriverProcAddressQueryResult *symbolStatus)
{
    CUdriverProcAddressQueryResult status =
        CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (!symbol || !*symbol || !pfn ||
        flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    bool per_thread = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    *pfn = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(entry_points); i++) {
        if (strcmp(entry_points[i].name, symbol) != 0)
            continue;
        if (cudaVersion >= entry_points[i].since)
            *pfn = per_thread && entry_points[i].per_thread
                       ? entry_points[i].per_thread
                       : entry_points[i].function;
        status = *pfn ? CU_GET_PROC_ADDRESS_SUCCESS
                      : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    }
    if (symbolStatus)
        *symbolStatus = status;
    return status == CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_SUCCESS
                                                 : CUDA_ERROR_NOT_FOUND;
}
