/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries and their kernels, which belong to no context. */
#include "driver/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "fatbin/format.h"

/* ---- loading ------------------------------------------------------------- */

static CUresult check_options(unsigned count, const CUlibraryOption *options)
{
    if (count && !options)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if ((unsigned)options[i] >= CU_LIBRARY_NUM_OPTIONS)
            return CUDA_ERROR_INVALID_VALUE;
        if (options[i] == CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE)
            return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

/* Only an image that a compiler has put into the program has a wrapper. */
static bool is_programs_own(const void *image)
{
    uint32_t magic = 0;
    if (mem_is_reachable(image, sizeof magic))
        memcpy(&magic, image, sizeof magic);
    return magic == FATBIN_WRAPPER_MAGIC;
}

/* Prints what is wrong: the program gets no more than an error code, at a later
 * launch. */
static CUresult load_programs_own(const void *code, CUlibrary *out)
{
    char text[1024] = "";
    struct module_log log = {.buffer = text, .size_bytes = sizeof text};
    CUresult err = library_load(code, &log, NULL, out);
    CUresult fault = err ? err : library_fault(*out);
    if (fault)
        fprintf(stderr,
                "weft: this program's device code cannot be loaded: %s\n%s",
                error_text((int)fault), text);
    return err;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code,
                           CUjit_option *jitOptions, void **jitOptionsValues,
                           unsigned int numJitOptions,
                           CUlibraryOption *libraryOptions,
                           void **libraryOptionValues,
                           unsigned int numLibraryOptions)
{
    struct jit_options o;
    (void)libraryOptionValues;
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!library || !code)
        return CUDA_ERROR_INVALID_VALUE;
    err = check_options(numLibraryOptions, libraryOptions);
    if (!err)
        err = jit_options_read(&o, numJitOptions, jitOptions, jitOptionsValues);
    if (err)
        return err;
    if (!o.errors.buffer && !o.info.buffer && is_programs_own(code))
        return load_programs_own(code, library);
    err = library_load(code, o.errors.buffer ? &o.errors : NULL,
                       o.info.buffer ? &o.info : NULL, library);
    jit_options_write(&o, 0);
    return err;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName,
                               CUjit_option *jitOptions,
                               void **jitOptionsValues,
                               unsigned int numJitOptions,
                               CUlibraryOption *libraryOptions,
                               void **libraryOptionValues,
                               unsigned int numLibraryOptions)
{
    char *image;
    size_t size_bytes;
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!library || !fileName || !*fileName)
        return CUDA_ERROR_INVALID_VALUE;
    err = module_read_file(fileName, &image, &size_bytes);
    if (err)
        return err;
    err = cuLibraryLoadData(library, image, jitOptions, jitOptionsValues,
                            numJitOptions, libraryOptions, libraryOptionValues,
                            numLibraryOptions);
    free(image);
    return err;
}

static CUresult check_library(CUlibrary library)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    return library_is_alive(library) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryUnload(CUlibrary library)
{
    CUresult err = check_library(library);
    return err ? err : library_unload(library);
}

/* ---- what is in it ------------------------------------------------------- */

CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library,
                            const char *name)
{
    CUresult err = check_library(library);
    if (err)
        return err;
    if (!pKernel || !name)
        return CUDA_ERROR_INVALID_VALUE;
    return library_kernel(library, name, pKernel);
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib)
{
    CUresult err = check_library(lib);
    if (err)
        return err;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = (unsigned)library_kernels(lib, NULL, 0);
    return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels,
                                   CUlibrary lib)
{
    CUresult err = check_library(lib);
    if (err)
        return err;
    if (!kernels)
        return CUDA_ERROR_INVALID_VALUE;
    library_kernels(lib, kernels, numKernels);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library)
{
    CUcontext ctx;
    CUresult err = check_library(library);
    if (!err)
        err = drv_context(&ctx);
    if (err)
        return err;
    return pMod ? library_module(library, ctx, pMod) : CUDA_ERROR_INVALID_VALUE;
}

typedef CUresult find_fn(CUmodule m, const char *name, CUdeviceptr *out,
                         size_t *size_bytes);

static CUresult find_variable(find_fn *find, CUdeviceptr *dptr, size_t *bytes,
                              CUmodule m, const char *name)
{
    CUdeviceptr address;
    size_t size_bytes;
    if (!name || (!dptr && !bytes))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = find(m, name, &address, &size_bytes);
    if (err)
        return err;
    if (dptr)
        *dptr = address;
    if (bytes)
        *bytes = size_bytes;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                            const char *name)
{
    CUmodule m;
    CUresult err = cuLibraryGetModule(&m, library);
    return err ? err : find_variable(module_global, dptr, bytes, m, name);
}

/* A managed variable has one address in all contexts. If no context is current,
 * asks the first device's: programs ask before they have one. */
CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes,
                             CUlibrary library, const char *name)
{
    CUcontext ctx;
    CUmodule m;
    CUresult err = check_library(library);
    if (!err && drv_context(&ctx))
        err = ctx_primary_of(0, &ctx);
    if (!err)
        err = library_module(library, ctx, &m);
    return err ? err : find_variable(module_managed, dptr, bytes, m, name);
}

/* Functions with one address on host and device. No image has any. */
CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library,
                                     const char *symbol)
{
    CUresult err = check_library(library);
    if (err)
        return err;
    (void)fptr, (void)symbol;
    return CUDA_ERROR_INVALID_VALUE;
}

/* ---- kernels ------------------------------------------------------------- */

CUresult drv_function(CUfunction *f)
{
    CUcontext ctx;
    CUresult err = drv_context_or_none(&ctx);
    if (err)
        return err;
    return *f ? function_resolve(ctx, f) : CUDA_ERROR_INVALID_HANDLE;
}

/* The kernel's function in the current context if that is the device's, else in
 * the device's primary one. */
static CUresult function_on(CUkernel kernel, CUdevice dev, CUfunction *out)
{
    CUcontext ctx;
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (kernel_check(kernel))
        return CUDA_ERROR_INVALID_HANDLE;
    if (drv_current(&ctx) || ctx_device(ctx) != dev)
        err = ctx_primary_of(dev, &ctx);
    return err ? err : kernel_function(kernel, ctx, out);
}

CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)
{
    CUfunction f = (CUfunction)kernel;
    CUresult err = drv_function(&f);
    if (err)
        return err;
    if (!pFunc)
        return CUDA_ERROR_INVALID_VALUE;
    *pFunc = f;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (kernel_check(kernel))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!pLib)
        return CUDA_ERROR_INVALID_VALUE;
    if (!kernel_library(kernel)) /* the program's own has no library */
        return CUDA_ERROR_NOT_SUPPORTED;
    *pLib = kernel_library(kernel);
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel hfunc)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!hfunc || !name)
        return CUDA_ERROR_INVALID_VALUE;
    if (kernel_check(hfunc))
        return CUDA_ERROR_INVALID_HANDLE;
    *name = kernel_name(hfunc);
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib,
                              CUkernel kernel, CUdevice dev)
{
    CUfunction f;
    CUresult err = function_on(kernel, dev, &f);
    if (err)
        return err;
    return pi ? function_attribute(pi, attrib, f) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val,
                              CUkernel kernel, CUdevice dev)
{
    CUfunction f;
    CUresult err = function_on(kernel, dev, &f);
    return err ? err : function_set_attribute(f, attrib, val);
}

/* A preference without effect: a CPU's caches cannot be configured. */
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config,
                                CUdevice dev)
{
    CUfunction f;
    CUresult err = function_on(kernel, dev, &f);
    if (err)
        return err;
    return (unsigned)config <= CU_FUNC_CACHE_PREFER_EQUAL
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}
