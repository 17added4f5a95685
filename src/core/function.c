/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels: which engine runs them (their compiled variants are jit's), their
 * attributes, and how many of their blocks an SM holds.
 */
#include "core/check.h"
#include "core/internal.h"

#include <stdlib.h>

#include "emu/emu.h"

/* ---- engines ---------------------------------------------------------- */

enum engine { ENGINE_SIMD, ENGINE_EMU, ENGINE_UNKNOWN };

static const char engine_variable[] = "WEFT_ENGINE";
static enum engine the_engine;

/* The interpreter is the one that checks. */
static void read_engine(void)
{
    const char *name = getenv(engine_variable);
    if (name && *name && strcmp(name, "simd"))
        the_engine = strcmp(name, "emu") ? ENGINE_UNKNOWN : ENGINE_EMU;
    else if (check_wanted() && !(name && *name))
        the_engine = ENGINE_EMU;
}

/* WEFT_ENGINE: what runs kernels, compiled code or the interpreter. */
static enum engine find_engine(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_engine);
    return the_engine;
}

bool function_is_interpreted(void)
{
    return find_engine() == ENGINE_EMU;
}

static const struct jit_kernel *emu_kernel_of(CUfunction f, struct diag *diag)
{
    pthread_mutex_lock(&f->lock);
    if (!f->emu && (f->emu = emu_kernel_create(f->ptx, diag)))
        f->emu_code = (struct jit_kernel){
            .fn = emu_entry,
            .has_waits = true,
            .stack_bytes = EMU_STACK_BYTES,
            .static_shared_bytes = emu_static_shared_bytes(f->emu),
        };
    pthread_mutex_unlock(&f->lock);
    return f->emu ? &f->emu_code : NULL;
}

/* ---- code ------------------------------------------------------------- */

/* False: the kernel calls something of the device runtime that we do not
 * have. */
static bool is_callable(CUfunction f, struct diag *diag)
{
    if (atomic_load_explicit(&f->is_callable, memory_order_relaxed))
        return true;
    const char *call = kernel_device_runtime_call(f->ptx);
    if (call) {
        diag_error(diag,
                   "it calls %s of the device runtime, which kernels cannot "
                   "do here",
                   call);
        return false;
    }
    atomic_store_explicit(&f->is_callable, true, memory_order_relaxed);
    return true;
}

const struct jit_kernel *
function_variant(CUfunction f, const struct simt_spec *spec, struct diag *diag)
{
    if (f->native)
        return &f->native_code;
    if (!is_callable(f, diag))
        return NULL;
    switch (find_engine()) {
    case ENGINE_SIMD:
        return jit_get(f->module->jit, f->ptx, spec, diag);
    case ENGINE_EMU:
        return emu_kernel_of(f, diag);
    case ENGINE_UNKNOWN:
        break;
    }
    diag_error(diag, "%s is '%s', expected simd or emu", engine_variable,
               getenv(engine_variable));
    return NULL;
}

void function_fini(CUfunction f)
{
    assert(f);
    free(f->old);
    emu_kernel_destroy(f->emu);
    pthread_mutex_destroy(&f->lock);
}

/* ---- attributes ------------------------------------------------------- */

static int max_threads(const struct ptx_func *f)
{
    const unsigned *n = f->maxntid; /* .reqntid does not count, on an H200 */
    if (!n[0])
        return LIMIT_THREADS_PER_BLOCK;
    unsigned product = n[0] * (n[1] ? n[1] : 1) * (n[2] ? n[2] : 1);
    return product < LIMIT_THREADS_PER_BLOCK ? (int)product
                                             : LIMIT_THREADS_PER_BLOCK;
}

/* Registers of a thread: at most 255 or .maxnreg, as a compiler would spill
 * the rest. */
static int register_count(const struct ptx_func *f)
{
    unsigned most = f->maxnreg && f->maxnreg < 255 ? f->maxnreg : 255;
    unsigned count = report_register_count(f);
    return (int)(count > most ? most : count ? count : 1);
}

static int required_cluster(CUfunction f, unsigned dimension)
{
    const unsigned *n = f->ptx->reqnctapercluster;
    if (!n[0])
        return (int)f->cluster[dimension];
    return n[dimension] ? (int)n[dimension] : 1;
}

CUresult function_attribute(int *value, CUfunction_attribute attribute,
                            CUfunction f)
{
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = max_threads(f->ptx);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)f->static_shared_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)report_const_bytes(f->module->ptx);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)report_local_bytes(f->ptx);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = register_count(f->ptx);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = (int)f->module->ptx->sm;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = DEVICE_SM;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = (int)f->max_dynamic_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = f->carveout;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = f->ptx->is_explicit_cluster;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = required_cluster(
            f, attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = f->is_large_cluster_allowed;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = f->cluster_policy;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 0;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult function_set_attribute(CUfunction f, CUfunction_attribute attribute,
                                int value)
{
    switch ((int)attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 ||
            (size_t)value + f->static_shared_bytes > LIMIT_SHARED_OPTIN_BYTES)
            return CUDA_ERROR_INVALID_VALUE;
        f->max_dynamic_bytes = (size_t)value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        f->carveout = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        /* .reqnctapercluster cannot be overridden. Hardware returns 1, the
         * manual says 800. */
        if (f->ptx->reqnctapercluster[0] || value < 0)
            return CUDA_ERROR_INVALID_VALUE;
        f->cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] =
            (unsigned)value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        f->is_large_cluster_allowed = value != 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        if (value < CU_CLUSTER_SCHEDULING_POLICY_DEFAULT ||
            value > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING)
            return CUDA_ERROR_INVALID_VALUE;
        f->cluster_policy = value; /* a hint */
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* ---- occupancy -------------------------------------------------------- */

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* As hardware of compute capability 9.0 counts, except that registers are
 * ignored. */
CUresult occupancy_max_blocks(CUfunction f, int block_size, size_t shared_bytes,
                              int *blocks)
{
    if (!blocks || block_size <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    size_t shared = f->static_shared_bytes + shared_bytes;
    *blocks = 0;
    if (block_size > LIMIT_THREADS_PER_BLOCK ||
        shared_bytes > f->max_dynamic_bytes ||
        shared > LIMIT_SHARED_OPTIN_BYTES)
        return CUDA_SUCCESS;
    int warps = (block_size + WEFT_WARP_LANES - 1) / WEFT_WARP_LANES;
    assert(warps > 0 && warps <= LIMIT_WARPS_PER_SM);
    int by_warps = LIMIT_WARPS_PER_SM / warps;
    int by_shared =
        (int)(LIMIT_SHARED_SM_BYTES / (shared + LIMIT_SHARED_RESERVED));
    *blocks = least_of(least_of(by_warps, by_shared), LIMIT_BLOCKS_PER_SM);
    return CUDA_SUCCESS;
}
