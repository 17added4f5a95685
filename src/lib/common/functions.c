/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of a program's that come as link-time code (-dlto of nvcc or
 * NVRTC), which is PTX here, bare or in a fat binary: kernels of ours that call
 * them by a name of their own become one module with them.
 */
#include "lib/common/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ptx_names.h"
#include "core/core.h"
#include "fatbin/fatbin.h"

/* Does the symbol stand for a function that its source calls `name`: C's, or
 * C++'s at namespace scope? */
static bool is_symbol_for(const char *symbol, size_t length, const char *name)
{
    char cxx[16];
    size_t n = strlen(name);
    size_t before = (size_t)snprintf(cxx, sizeof cxx, "_Z%zu", n);
    if (length == n && !memcmp(symbol, name, n))
        return true;
    return length > before + n && !memcmp(symbol, cxx, before) &&
           !memcmp(symbol + before, name, n);
}

/* malloc'ed; NULL: no function of the text has that name. */
static char *find_symbol(const char *ptx, const char *name)
{
    static const char directive[] = ".func";
    for (const char *at = strstr(ptx, directive); at;
         at = strstr(at, directive)) {
        at += strlen(directive);
        const char *symbol = ptx_function_name(at);
        size_t length = ptx_name_length(symbol);
        if (is_symbol_for(symbol, length, name))
            return strndup(symbol, length);
    }
    return NULL;
}

/* A copy, malloc'ed, that has `to` wherever the name `from` stood. */
static char *rename_all(const char *ptx, const char *from, const char *to)
{
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    while (f && *ptx) {
        size_t n = ptx_name_length(ptx);
        if (n == strlen(from) && !memcmp(ptx, from, n))
            fputs(to, f);
        else
            fwrite(ptx, 1, n ? n : 1, f);
        ptx += n ? n : 1;
    }
    if (f && fclose(f)) {
        free(out);
        out = NULL;
    }
    return out;
}

/* Links texts, or says why not. */
static CUresult link_or_explain(const char *caller, const void *const *texts,
                                unsigned count, char **out)
{
    char errors[1024] = "";
    struct module_log log = {errors, sizeof errors};
    CUresult err = module_link(texts, count, &log, NULL, out);
    if (err && errors[0])
        explain_link(caller, errors);
    return err;
}

/* The PTX in an image: *out is malloc'ed. */
static CUresult text_of_image(const char *caller, const struct lib_function *f,
                              char **out)
{
    if (!fatbin_fits(f->image, f->size_bytes)) {
        explain_link(caller, "the code is longer than its size says");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    char *copy = malloc(f->size_bytes + 1);
    if (!copy)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(copy, f->image, f->size_bytes);
    copy[f->size_bytes] = 0;
    const void *const text = copy;
    CUresult err = link_or_explain(caller, &text, 1, out);
    free(copy);
    return err;
}

static void explain_missing(const char *caller, const char *name)
{
    char why[256];
    snprintf(why, sizeof why,
             "the code has no __device__ function %s that other files see "
             "(compile it with -dlto -rdc=true)",
             name);
    explain_link(caller, why);
}

/* Reads the image and gives the function's symbol to the kernels. */
static CUresult bind_function(const char *caller, const struct lib_function *f,
                              char **image, char **kernels)
{
    CUresult err = text_of_image(caller, f, image);
    if (err)
        return err;
    char *symbol = find_symbol(*image, f->name);
    if (!symbol) {
        explain_missing(caller, f->name);
        return CUDA_ERROR_NOT_FOUND;
    }
    char *renamed = rename_all(*kernels, f->placeholder, symbol);
    free(symbol);
    if (!renamed)
        return CUDA_ERROR_OUT_OF_MEMORY;
    free(*kernels);
    *kernels = renamed;
    return CUDA_SUCCESS;
}

/* The kernels come last, as of two weak functions the first is taken. */
CUresult lib_link_functions(const char *caller, const char *kernels,
                            const struct lib_function *f, unsigned count,
                            char **out)
{
    char *texts[LIB_FUNCTIONS_MAX + 1] = {0}, *last = strdup(kernels);
    CUresult err = last ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < count && !err; i++)
        err = bind_function(caller, &f[i], &texts[i], &last);
    texts[count] = last;
    if (!err)
        err =
            link_or_explain(caller, (const void *const *)texts, count + 1, out);
    for (unsigned i = 0; i <= count; i++)
        free(texts[i]);
    return err;
}

CUresult lib_load_kernel(const char *ptx, const char *kernel,
                         struct lib_loaded *out)
{
    CUresult err = ctx_of_thread(&out->ctx);
    if (!err)
        err = module_load(out->ctx, ptx, NULL, &out->module);
    return err ? err : module_function(out->module, kernel, &out->kernel);
}

void lib_unload(struct lib_loaded *l)
{
    if (l->module && ctx_is_alive(l->ctx)) {
        ctx_wait(l->ctx);
        module_unload(l->module);
    }
    *l = (struct lib_loaded){0};
}
