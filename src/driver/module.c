/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: loading them from memory and from files, and their contents. */
#include "driver/internal.h"

#include <stdlib.h>

#include "base/clock.h"

/* ---- options ------------------------------------------------------------- */

/* Numbers are passed in the bytes of a pointer. */
static unsigned option_number(void *value)
{
    return (unsigned)(uintptr_t)value;
}

CUresult drv_read_jit_options(struct drv_jit_options *out, unsigned count,
                              const CUjit_option *options, void **values)
{
    *out = (struct drv_jit_options){0};
    if (count && (!options || !values))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = CUDA_SUCCESS;
    for (unsigned i = 0; i < count && !err; i++) {
        switch (options[i]) {
        case CU_JIT_INFO_LOG_BUFFER:
            out->info.buffer = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            out->info.size_bytes = option_number(values[i]);
            out->info_size = &values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER:
            out->errors.buffer = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            out->errors.size_bytes = option_number(values[i]);
            out->errors_size = &values[i];
            break;
        case CU_JIT_WALL_TIME:
            out->wall_time = &values[i];
            break;
        default:
            err = jit_option_check(options[i], option_number(values[i]));
        }
    }
    return err;
}

void drv_write_jit_options(const struct drv_jit_options *o, double seconds)
{
    if (o->info_size)
        *o->info_size =
            (void *)(o->info.buffer ? o->info.size_bytes : (size_t)0);
    if (o->errors_size)
        *o->errors_size =
            (void *)(o->errors.buffer ? o->errors.size_bytes : (size_t)0);
    if (o->wall_time) {
        float ms = (float)(seconds * 1e3);
        memcpy(o->wall_time, &ms, sizeof ms);
    }
}

/* ---- loading ------------------------------------------------------------- */

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned int numOptions, CUjit_option *options,
                            void **optionValues)
{
    CUcontext ctx;
    struct drv_jit_options o;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!module || !image)
        return CUDA_ERROR_INVALID_VALUE;
    err = drv_read_jit_options(&o, numOptions, options, optionValues);
    if (err)
        return err;
    uint64_t start_ns = clock_now_ns();
    err = module_load_logged(ctx, &image, 1, o.errors.buffer ? &o.errors : NULL,
                             o.info.buffer ? &o.info : NULL, module);
    drv_write_jit_options(&o, (double)(clock_now_ns() - start_ns) * 1e-9);
    return err;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
    return cuModuleLoadDataEx(module, fatCubin, 0, NULL, NULL);
}

CUresult cuModuleLoad(CUmodule *module, const char *fname)
{
    char *image;
    size_t size_bytes;
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!module || !fname || !*fname)
        return CUDA_ERROR_INVALID_VALUE;
    err = module_read_file(fname, &image, &size_bytes);
    if (err)
        return err;
    err = cuModuleLoadData(module, image);
    free(image);
    return err;
}

/* Code is compiled at the first launch. */
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

/* Any context may be current, since a module knows its own. */
static CUresult check_module(CUmodule m)
{
    CUresult err = drv_initialised();
    return err ? err : module_check(m);
}

CUresult cuModuleUnload(CUmodule hmod)
{
    CUresult err = check_module(hmod);
    if (!err)
        err = capture_check_call();
    if (!err && module_is_of_library(hmod)) /* cuLibraryUnload does it */
        err = CUDA_ERROR_NOT_PERMITTED;
    return err ? err : module_unload(hmod);
}

/* ---- contents ------------------------------------------------------------ */

static CUresult check_module_to_read(CUmodule m)
{
    CUresult err = check_module(m);
    return err ? err : ctx_sticky_of_thread();
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
    CUresult err = check_module_to_read(hmod);
    return err ? err : module_function(hmod, name, hfunc);
}

CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod,
                           const char *name)
{
    CUdeviceptr address;
    size_t size_bytes;
    CUresult err = check_module_to_read(hmod);
    if (err)
        return err;
    if (!name || !*name || (!dptr && !bytes))
        return CUDA_ERROR_INVALID_VALUE;
    err = module_global(hmod, name, &address, &size_bytes);
    if (err)
        return err;
    if (dptr)
        *dptr = address;
    if (bytes)
        *bytes = size_bytes;
    return CUDA_SUCCESS;
}
