/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of functions that have an id and no names. NVIDIA's runtime library
 * asks for them; nvcc links it into every program that does not say -cudart
 * shared, and so do most Python wheels.
 */
#include "driver/export_table.h"

#include "driver/internal.h"

static const struct {
    unsigned char id[sizeof(CUuuid)];
    const void *const *table;
} tables[] = {
#define EXPORT_TABLE(table, ...) {{__VA_ARGS__}, table},
#include "driver/export_tables.def"
};

/* An unknown table is no error of the client's: it does without. */
CUresult cuGetExportTable(const void **ppExportTable,
                          const CUuuid *pExportTableId)
{
    if (!ppExportTable || !pExportTableId)
        return CUDA_ERROR_INVALID_VALUE;
    *ppExportTable = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(tables); i++) {
        if (memcmp(tables[i].id, pExportTableId->bytes, sizeof(CUuuid)) != 0)
            continue;
        *ppExportTable = tables[i].table;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}
