/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: loading them from memory and from files, and their contents. */
#include "driver/internal.h"

#include <stdlib.h>
#include <strings.h>

#include "base/clock.h"

/* ---- loading ------------------------------------------------------------- */

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned int numOptions, CUjit_option *options,
                            void **optionValues)
{
    CUcontext ctx;
    struct jit_options o;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!module || !image)
        return CUDA_ERROR_INVALID_VALUE;
    err = jit_options_read(&o, numOptions, options, optionValues);
    if (err)
        return err;
    uint64_t start_ns = clock_now_ns();
    err = module_load_logged(ctx, &image, 1, o.errors.buffer ? &o.errors : NULL,
                             o.info.buffer ? &o.info : NULL, module);
    jit_options_write(&o, (double)(clock_now_ns() - start_ns) * 1e-9);
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

/* What the program's user asked for. Code is compiled at the first launch. */
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    const char *wanted = getenv("CUDA_MODULE_LOADING");
    *mode = wanted && strcasecmp(wanted, "EAGER") == 0 ? CU_MODULE_EAGER_LOADING
                                                       : CU_MODULE_LAZY_LOADING;
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
