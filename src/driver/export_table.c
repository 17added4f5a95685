/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of functions without names; each table has an id. NVIDIA's runtime
 * library asks for them. nvcc links it into each program that is not linked
 * with -cudart shared, and most Python wheels contain it.
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

/* Clients ask for tables that they can do without. */
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
    return CUDA_ERROR_INVALID_VALUE;
}
