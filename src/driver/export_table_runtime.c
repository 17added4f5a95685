/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that NVIDIA's runtime library calls besides the public API: the
 * primary context without retaining it, modules from the program's fat
 * binaries, values that it stores with contexts, and hooks for tools, which do
 * nothing.
 */
#include "driver/export_table.h"

#include "driver/internal.h"

/* ---- contexts and modules ------------------------------------------------ */

static CUresult get_primary_context(CUcontext *pctx, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    return pctx ? ctx_primary_of(dev, pctx) : CUDA_ERROR_INVALID_VALUE;
}

/* `image` is a fat binary or its wrapper. A kernel that cannot run fails at its
 * launch, as the program may never launch it. */
static CUresult load_module(CUmodule *module, const void *image)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!module || !image)
        return CUDA_ERROR_INVALID_VALUE;
    const void *const *parts;
    size_t count = fatbin_parts(image, &parts);
    return count ? module_load_linked(ctx, parts, count, NULL, module)
                 : module_load_linked(ctx, &image, 1, NULL, module);
}

/* No known caller passes options. */
static CUresult load_module_with(CUmodule *module, const void *image,
                                 const void *options, const void *values,
                                 unsigned count)
{
    if (options || values || count)
        return CUDA_ERROR_NOT_SUPPORTED;
    return load_module(module, image);
}

static CUresult load_container_with(const void *image, CUmodule *module,
                                    const void *options, const void *values,
                                    unsigned count)
{
    return load_module_with(module, image, options, values, count);
}

/* The wrapper of a fat binary, and what it leads to, will be gone. The runtimes
 * of CUDA 11 say so when a program ends, without looking for NULL. Nothing of
 * it is kept when it has been loaded. */
static void forget_container(const void *wrapper)
{
    (void)wrapper;
}

const void *const drv_table_runtime[13] = {
    [0] = EXPORT_TABLE_SIZE(13),
    [1] = (const void *)load_module,
    [2] = (const void *)get_primary_context,
    [6] = (const void *)load_module_with,
    [7] = (const void *)forget_container,
    [8] = (const void *)load_container_with,
};

/* ---- values stored with contexts ----------------------------------------- */

/* NULL is the current context, which may have failed. */
static CUresult context_or_current(CUcontext *ctx)
{
    return *ctx ? CUDA_SUCCESS : drv_current(ctx);
}

static CUresult storage_put(CUcontext ctx, void *key, void *value,
                            ctx_storage_end_fn *end)
{
    CUresult err = context_or_current(&ctx);
    return err ? err : ctx_storage_put(ctx, key, value, end);
}

static CUresult storage_delete(CUcontext ctx, void *key)
{
    CUresult err = context_or_current(&ctx);
    return err ? err : ctx_storage_delete(ctx, key);
}

static CUresult storage_get(void **value, CUcontext ctx, void *key)
{
    CUresult err = context_or_current(&ctx);
    if (err)
        return err;
    return value ? ctx_storage_get(ctx, key, value) : CUDA_ERROR_INVALID_VALUE;
}

const void *const drv_table_storage[4] = {
    [0] = (const void *)storage_put,
    [1] = (const void *)storage_delete,
    [2] = (const void *)storage_get,
};

/* ---- kinds of contexts --------------------------------------------------- */

/* Contexts of other processes or of a debugger have a kind; ours are plain. */
static CUresult find_context_kind(CUcontext ctx, unsigned *kind,
                                  const void **details)
{
    (void)ctx;
    if (kind)
        *kind = 0;
    if (details)
        *details = NULL;
    return CUDA_SUCCESS;
}

static unsigned count_special_contexts(void)
{
    return 0;
}

const void *const drv_table_context_kind[4] = {
    [0] = EXPORT_TABLE_SIZE(4),
    [2] = (const void *)find_context_kind,
    [3] = (const void *)count_special_contexts,
};

/* ---- tools --------------------------------------------------------------- */

/* A word for each of the runtime's functions and for each kind of event: not 0
 * if a tool wants to be called back. There are no tools. */
static uint32_t call_flags[1024], event_flags[14];

static void get_call_flags(uint32_t **flags, size_t *count)
{
    *flags = call_flags;
    *count = ARRAY_COUNT(call_flags);
}

static void get_event_flags(uint32_t **flags, size_t *count)
{
    *flags = event_flags;
    *count = ARRAY_COUNT(event_flags);
}

const void *const drv_table_tool_hooks[7] = {
    [0] = EXPORT_TABLE_SIZE(7),
    [2] = (const void *)get_call_flags,
    [6] = (const void *)get_event_flags,
};

const void *const drv_table_tool_threads[4] = {
    [0] = EXPORT_TABLE_SIZE(4),
    [2] = (const void *)cuCtxGetCurrent,
};

const void *const drv_table_context_id[5] = {
    [0] = EXPORT_TABLE_SIZE(5),
    [4] = (const void *)cuCtxGetId,
};
