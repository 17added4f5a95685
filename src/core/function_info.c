/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's name, the layout of its parameters, and which kernels and
 * variables its module has. */
#include "core/internal.h"

const char *function_mangled_name(CUfunction f)
{
    return f->ptx->name;
}

CUmodule function_module(CUfunction f)
{
    return f->module;
}

static CUresult parameter_of(const struct ptx_func *f, size_t index,
                             size_t *offset, size_t *size_bytes)
{
    if (index >= f->param_count || !offset)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = f->params[index].offset_bytes;
    if (size_bytes)
        *size_bytes = f->params[index].size_bytes;
    return CUDA_SUCCESS;
}

CUresult function_parameter(CUfunction f, size_t index, size_t *offset,
                            size_t *size_bytes)
{
    return parameter_of(f->ptx, index, offset, size_bytes);
}

size_t module_functions(CUmodule m, CUfunction *out, size_t count)
{
    for (size_t i = 0; i < count && i < m->function_count; i++)
        out[i] = &m->functions[i];
    return m->function_count;
}

/* ---- room for dynamic shared memory -------------------------------------- */

static bool fits_cooperative(CUfunction f, int block_count, int block_size)
{
    int blocks;
    return !occupancy_max_blocks(f, block_size, 0, &blocks) &&
           blocks >= block_count;
}

CUresult occupancy_available_shared(CUfunction f, int block_count,
                                    int block_size, size_t *out)
{
    if (!out || block_count <= 0 || block_size <= 0 ||
        !fits_cooperative(f, block_count, block_size))
        return CUDA_ERROR_INVALID_VALUE;
    /* As hardware counts: without the bytes that it reserves for each
     * block. */
    size_t share = LIMIT_SHARED_SM_BYTES / (unsigned)block_count;
    share = share / 128 * 128;
    if (share < f->static_shared_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    share -= f->static_shared_bytes;
    *out = share < f->max_dynamic_bytes ? share : f->max_dynamic_bytes;
    return CUDA_SUCCESS;
}
