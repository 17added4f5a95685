/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks in link-time code: set before the plan is made, and linked there
 * with the kernel that calls them (jit_kernels.cu).
 */
#include "handles.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

extern const char jit_kernels_ptx[];

/* Of an image that cannot be linked with the kernels. */
static cufftResult link_status(CUresult err)
{
    return err == CUDA_ERROR_OUT_OF_MEMORY ? CUFFT_ALLOC_FAILED
                                           : CUFFT_NVJITLINK_FAILURE;
}

EXPORT cufftResult cufftXtSetJITCallback(cufftHandle plan,
                                         const char *lto_callback_symbol_name,
                                         const void *lto_callback_fatbin,
                                         size_t lto_callback_fatbin_size,
                                         cufftXtCallbackType type,
                                         void **caller_info)
{
    char placeholder[16], *linked;
    struct handle *h = handle_find(plan);
    if (!h || h->is_made)
        return CUFFT_INVALID_PLAN;
    if ((unsigned)type >= CUFFT_CB_UNDEFINED)
        return CUFFT_INVALID_TYPE;
    if (!lto_callback_symbol_name || !lto_callback_fatbin ||
        !lto_callback_fatbin_size)
        return CUFFT_INVALID_VALUE;
    snprintf(placeholder, sizeof placeholder, "weft_jit_%u", (unsigned)type);
    const struct lib_function f = {
        .image = lto_callback_fatbin,
        .size_bytes = lto_callback_fatbin_size,
        .name = lto_callback_symbol_name,
        .placeholder = placeholder,
    };
    CUresult err =
        lib_link_functions(__func__, jit_kernels_ptx, &f, 1, &linked);
    if (err)
        return link_status(err);
    bool is_store = type >= CUFFT_CB_ST_COMPLEX;
    struct callback *c = is_store ? &h->store : &h->load;
    free(c->linked);
    *c = (struct callback){
        .info = caller_info ? caller_info[0] : NULL,
        .linked = linked,
        .type = type,
        .shared_bytes = c->shared_bytes,
    };
    return CUFFT_SUCCESS;
}

/* CUDA 12.8's header gives cufftXtSetJITCallback this name. */
EXPORT cufftResult __cufftXtSetJITCallback_12_7(
    cufftHandle plan, const char *lto_callback_symbol_name,
    const void *lto_callback_fatbin, size_t lto_callback_fatbin_size,
    cufftXtCallbackType type, void **caller_info);
EXPORT cufftResult __cufftXtSetJITCallback_12_7(
    cufftHandle plan, const char *lto_callback_symbol_name,
    const void *lto_callback_fatbin, size_t lto_callback_fatbin_size,
    cufftXtCallbackType type, void **caller_info)
{
    return cufftXtSetJITCallback(plan, lto_callback_symbol_name,
                                 lto_callback_fatbin, lto_callback_fatbin_size,
                                 type, caller_info);
}

static cufftResult load_kernel(struct handle *h, struct callback *c)
{
    char kernel[16];
    if (!c->linked || c->kernel)
        return CUFFT_SUCCESS;
    if (h->is_distributed)
        return CUFFT_NOT_SUPPORTED;
    cufftResult err = callback_allocate(h, c->type);
    if (err)
        return err;
    snprintf(kernel, sizeof kernel, "kernel_%u", (unsigned)c->type);
    CUresult fault = lib_load_kernel(c->linked, kernel, &c->loaded);
    c->kernel = c->loaded.kernel;
    return fault ? link_status(fault) : CUFFT_SUCCESS;
}

cufftResult callback_make(struct handle *h)
{
    cufftResult err = load_kernel(h, &h->load);
    return err ? err : load_kernel(h, &h->store);
}

void callback_fini(struct callback *c)
{
    lib_unload(&c->loaded);
    free(c->linked);
    *c = (struct callback){0};
}
