/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries: device code that a program loads itself, and its kernels. */
#include "runtime/internal.h"

#include <stdlib.h>

/* ---- loading ------------------------------------------------------------- */

/* Both APIs number these options alike; this one has fewer. */
static cudaError_t read_options(struct jit_options *out, unsigned count,
                                const enum cudaJitOption *options,
                                void **values)
{
    static_assert(sizeof *options == sizeof(CUjit_option), "one numbering");
    for (unsigned i = 0; options && i < count; i++)
        if ((unsigned)options[i] > cudaJitOverrideDirectiveValues)
            return cudaErrorInvalidValue;
    return rt_error(
        jit_options_read(out, count, (const CUjit_option *)options, values));
}

static cudaError_t check_library_options(unsigned count,
                                         const enum cudaLibraryOption *options)
{
    if (count && !options)
        return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; i++) {
        if ((unsigned)options[i] > cudaLibraryBinaryIsPreserved)
            return cudaErrorInvalidValue;
        if (options[i] == cudaLibraryHostUniversalFunctionAndDataTable)
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

static cudaError_t load_library(cudaLibrary_t *library, const void *code,
                                struct jit_options *o)
{
    cudaError_t err = rt_error(
        library_load(code, o->errors.buffer ? &o->errors : NULL,
                     o->info.buffer ? &o->info : NULL, (CUlibrary *)library));
    jit_options_write(o, 0);
    return err;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *jitOptions,
                                void **jitOptionsValues,
                                unsigned int numJitOptions,
                                enum cudaLibraryOption *libraryOptions,
                                void **libraryOptionValues,
                                unsigned int numLibraryOptions)
{
    struct jit_options o;
    CUcontext ctx;
    (void)libraryOptionValues;
    if (!library || !code)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = check_library_options(numLibraryOptions, libraryOptions);
    if (!err)
        err = read_options(&o, numJitOptions, jitOptions, jitOptionsValues);
    return rt_return(err ? err : load_library(library, code, &o));
}

cudaError_t cudaLibraryLoadFromFile(
    cudaLibrary_t *library, const char *fileName,
    enum cudaJitOption *jitOptions, void **jitOptionsValues,
    unsigned int numJitOptions, enum cudaLibraryOption *libraryOptions,
    void **libraryOptionValues, unsigned int numLibraryOptions)
{
    if (!library || !fileName)
        return rt_return(cudaErrorInvalidValue);
    char *code;
    size_t size_bytes;
    CUresult read = module_read_file(fileName, &code, &size_bytes);
    if (read)
        return rt_return(rt_error(read));
    cudaError_t err = cudaLibraryLoadData(
        library, code, jitOptions, jitOptionsValues, numJitOptions,
        libraryOptions, libraryOptionValues, numLibraryOptions);
    free(code); /* it is parsed when it is loaded */
    return err;
}

static cudaError_t check_library(cudaLibrary_t library)
{
    CUcontext ctx;
    if (!library_is_alive((CUlibrary)library))
        return cudaErrorInvalidResourceHandle;
    return rt_context(&ctx);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    cudaError_t err = check_library(library);
    return rt_return(err ? err : rt_error(library_unload((CUlibrary)library)));
}

/* ---- what is in it ------------------------------------------------------- */

cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library,
                                 const char *name)
{
    cudaError_t err = check_library(library);
    if (err)
        return rt_return(err);
    if (!pKernel || !name)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(rt_error(
        library_kernel((CUlibrary)library, name, (CUkernel *)pKernel)));
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib)
{
    cudaError_t err = check_library(lib);
    if (err)
        return rt_return(err);
    if (!count)
        return rt_return(cudaErrorInvalidValue);
    *count = (unsigned)library_kernels((CUlibrary)lib, NULL, 0);
    return rt_return(cudaSuccess);
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels,
                                        unsigned int numKernels,
                                        cudaLibrary_t lib)
{
    cudaError_t err = check_library(lib);
    if (err)
        return rt_return(err);
    if (!kernels)
        return rt_return(cudaErrorInvalidValue);
    library_kernels((CUlibrary)lib, (CUkernel *)kernels, numKernels);
    return rt_return(cudaSuccess);
}

typedef CUresult find_fn(CUmodule m, const char *name, CUdeviceptr *out,
                         size_t *size_bytes);

static cudaError_t find_variable(find_fn *fn, void **dptr, size_t *bytes,
                                 cudaLibrary_t library, const char *name)
{
    CUmodule m;
    CUcontext ctx;
    CUdeviceptr p;
    cudaError_t err = check_library(library);
    if (err)
        return err;
    if (!name || (!dptr && !bytes))
        return cudaErrorInvalidValue;
    err = rt_context(&ctx);
    if (!err)
        err = rt_error(library_module((CUlibrary)library, ctx, &m));
    if (!err)
        err = rt_error(fn(m, name, &p, bytes));
    if (!err && dptr)
        *dptr = (void *)(uintptr_t)p;
    return err;
}

cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes,
                                 cudaLibrary_t library, const char *name)
{
    return rt_return(find_variable(module_global, dptr, bytes, library, name));
}

cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes,
                                  cudaLibrary_t library, const char *name)
{
    return rt_return(find_variable(module_managed, dptr, bytes, library, name));
}

/* Functions that host and device call at one address: no image has any. */
cudaError_t cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library,
                                          const char *symbol)
{
    cudaError_t err = check_library(library);
    if (err)
        return rt_return(err);
    (void)fptr, (void)symbol;
    return rt_return(cudaErrorInvalidValue);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                            enum cudaFuncAttribute attr,
                                            int value, int device)
{
    CUcontext ctx;
    CUfunction f;
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    cudaError_t err = rt_error(ctx_primary_of(device, &ctx));
    if (!err)
        err = rt_error(kernel_check((CUkernel)kernel));
    if (!err)
        err = rt_error(kernel_function((CUkernel)kernel, ctx, &f));
    if (!err)
        err = rt_error(
            function_set_attribute(f, (CUfunction_attribute)attr, value));
    return rt_return(err);
}
