/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points of the driver API that a program asks for by name: so far those
 * that make tensor maps, which have no counterpart in the runtime API.
 */
#include "runtime/internal.h"

static const struct {
    const char *name;
    void *function;
    unsigned since;
} entry_points[] = {
    {"cuTensorMapEncodeTiled", (void *)tensor_map_tiled, 12000},
    {"cuTensorMapEncodeIm2col", (void *)tensor_map_im2col, 12000},
    {"cuTensorMapReplaceAddress", (void *)tensor_map_replace_address, 12000},
};

static cudaError_t find(const char *symbol, unsigned version,
                        unsigned long long flags, void **out,
                        enum cudaDriverEntryPointQueryResult *status)
{
    enum cudaDriverEntryPointQueryResult result =
        cudaDriverEntryPointSymbolNotFound;
    if (!symbol || !*symbol || !out || flags > cudaEnablePerThreadDefaultStream)
        return cudaErrorInvalidValue;
    *out = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(entry_points); i++) {
        if (strcmp(entry_points[i].name, symbol) != 0)
            continue;
        result = cudaDriverEntryPointVersionNotSufficent;
        if (version < entry_points[i].since)
            break;
        result = cudaDriverEntryPointSuccess;
        *out = entry_points[i].function;
    }
    if (status)
        *status = result;
    return cudaSuccess;
}

cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **funcPtr,
                        unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return rt_return(
        find(symbol, CUDART_VERSION, flags, funcPtr, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(
    const char *symbol, void **funcPtr, unsigned int cudaVersion,
    unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return rt_return(find(symbol, cudaVersion, flags, funcPtr, driverStatus));
}
