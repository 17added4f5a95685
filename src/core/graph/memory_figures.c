/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory graphs use on a device, and have used at most. */
#include "core/graph/graph.h"

/* Rounded up to the unit in which a GPU reserves memory. */
static cuuint64_t in_units(cuuint64_t bytes)
{
    enum { UNIT = 32 << 20 };
    return (bytes + UNIT - 1) / UNIT * UNIT;
}

CUresult graph_memory_attribute(int device, CUgraphMem_attribute a,
                                cuuint64_t *value)
{
    if (!value || device < 0 || device >= DEVICE_COUNT_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if ((unsigned)a > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)
        return CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    exec_reap();
    const struct block_figures *f = blocks_figures(device);
    assert(f->used_high >= f->bytes && f->reserved_high >= f->bytes);
    const cuuint64_t values[] = {
        [CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT] = f->bytes,
        [CU_GRAPH_MEM_ATTR_USED_MEM_HIGH] = f->used_high,
        [CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT] = f->bytes,
        [CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH] = f->reserved_high,
    };
    *value = in_units(values[a]);
    graph_unlock();
    return CUDA_SUCCESS;
}

/* Setting a high mark to 0 makes it the present amount. */
CUresult graph_memory_set_attribute(int device, CUgraphMem_attribute a,
                                    cuuint64_t value)
{
    if (value || device < 0 || device >= DEVICE_COUNT_MAX ||
        (a != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH &&
         a != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
        return CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    exec_reap();
    struct block_figures *f = blocks_figures(device);
    if (a == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH)
        f->used_high = f->bytes;
    else
        f->reserved_high = f->bytes;
    graph_unlock();
    return CUDA_SUCCESS;
}
