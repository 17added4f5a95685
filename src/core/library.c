/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries: device code of no context. It is parsed when it is loaded. A
 * context gets a module of it when it first uses it, and keeps that under the
 * library's address (ctx_storage.c), so that it ends with the context. All
 * these modules share the parsed code. Code with errors is loaded as well, and
 * reported when something of it is wanted.
 *
 * A kernel of a library may stand wherever a function may: function_resolve
 * tells them apart by their first word, and finds the context's function. So
 * may a kernel of the program, which the runtime API finds.
 */
#include "core/internal.h"

#include "core/callable.h"

#include <stddef.h>
#include <stdlib.h>

struct CUkern_st {
    CUmodule none;     /* NULL, where a function has its module */
    CUlibrary library; /* NULL: of the program's own */
    const char *name;  /* the parsed code's, or the program's */
    /* A kernel of the program: its host function, and who finds it. */
    const void *host;
    kernel_find_fn *find;
    /* What was found last, since most programs have one context. Under the
     * lock. */
    CUcontext ctx;
    CUfunction function;
};
static_assert(offsetof(struct CUkern_st, none) ==
                  offsetof(struct CUfunc_st, module),
              "function_resolve looks there");

struct CUlib_st {
    struct list in_all;
    CUresult fault; /* error of the code, which is then not there */
    struct ptx_module *ptx;
    uint64_t text_hash;
    struct CUkern_st *kernels;
    size_t kernel_count;
    struct map kernel_of_name;
};

/* Guards the list, the making of modules, and what kernels found last. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

/* ---- loading ------------------------------------------------------------- */

static bool make_kernels(CUlibrary l)
{
    assert(l);
    map_init_strings(&l->kernel_of_name);
    l->kernels = calloc(l->ptx->func_count + 1, sizeof *l->kernels);
    if (!l->kernels)
        return false;
    for (size_t i = 0; i < l->ptx->func_count; i++) {
        const struct ptx_func *f = l->ptx->funcs[i];
        if (!f->is_entry || f->is_declaration)
            continue;
        CUkernel k = &l->kernels[l->kernel_count++];
        *k = (struct CUkern_st){.library = l, .name = f->name};
        if (!map_put(&l->kernel_of_name, f->name, k))
            return false;
    }
    return callable_add(l->kernels, l->kernel_count, sizeof *l->kernels);
}

static void library_free(CUlibrary l)
{
    assert(l);
    callable_remove(l->kernels, l->kernel_count, sizeof *l->kernels);
    map_fini(&l->kernel_of_name);
    free(l->kernels);
    if (l->ptx)
        ptx_module_destroy(l->ptx);
    free(l);
}

static CUresult parse_images(CUlibrary l, const void *const *images,
                             size_t count, struct diag *log)
{
    CUresult err =
        module_link_parts(images, count, log, &l->ptx, &l->text_hash);
    if (!err)
        err = image_check_target(l->ptx, log);
    if (!err)
        err = module_check_externs(l->ptx, log);
    if (!err && !make_kernels(l))
        err = CUDA_ERROR_OUT_OF_MEMORY;
    return err;
}

CUresult library_load(const void *image, struct module_log *errors,
                      struct module_log *info, CUlibrary *out)
{
    struct diag log;
    const void *const *images = &image;
    size_t count = fatbin_parts(image, &images);
    CUlibrary l = calloc(1, sizeof *l);
    if (!l)
        return CUDA_ERROR_OUT_OF_MEMORY;
    diag_init(&log);
    CUresult err = parse_images(l, images, count ? count : 1, &log);
    report_logs(errors, info, &log, err ? NULL : l->ptx);
    diag_fini(&log);
    if (err == CUDA_ERROR_OUT_OF_MEMORY) {
        library_free(l);
        return err;
    }
    l->fault = err;
    pthread_mutex_lock(&lock);
    list_push(&all, &l->in_all);
    pthread_mutex_unlock(&lock);
    *out = l;
    return CUDA_SUCCESS;
}

CUresult library_fault(CUlibrary l)
{
    return l->fault;
}

bool library_is_alive(CUlibrary library)
{
    bool is_alive = false;
    pthread_mutex_lock(&lock);
    list_for_each(struct CUlib_st, l, &all, in_all)
    {
        is_alive |= l == library;
    }
    pthread_mutex_unlock(&lock);
    return is_alive;
}

/* ---- a context's part of it ---------------------------------------------- */

/* Called when the context or the library ends. */
static void end_module(CUcontext ctx, void *key, void *value)
{
    CUlibrary l = key;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < l->kernel_count; i++)
        if (l->kernels[i].ctx == ctx)
            l->kernels[i].ctx = NULL;
    pthread_mutex_unlock(&lock);
    module_unload(value);
}

/* The library's module in a context, made if need be. A green context has its
 * primary one's. The lock is held. */
static CUresult find_module(CUlibrary l, CUcontext ctx, CUmodule *out)
{
    assert(l && ctx);
    void *found;
    ctx = ctx_home(ctx);
    if (!ctx_storage_get(ctx, l, &found)) {
        *out = found;
        return CUDA_SUCCESS;
    }
    CUresult err = module_of_ptx(ctx, l->ptx, l->text_hash, out);
    if (err)
        return err;
    err = ctx_storage_put(ctx, l, *out, end_module);
    if (err)
        module_unload(*out);
    return err;
}

CUresult library_module(CUlibrary l, CUcontext ctx, CUmodule *out)
{
    if (l->fault)
        return l->fault;
    pthread_mutex_lock(&lock);
    CUresult err = find_module(l, ctx, out);
    pthread_mutex_unlock(&lock);
    return err;
}

CUresult library_unload(CUlibrary l)
{
    CUresult err = capture_check_call();
    if (err)
        return err;
    pthread_mutex_lock(&lock);
    list_remove(&l->in_all);
    pthread_mutex_unlock(&lock);
    ctx_storage_end_key(l);
    library_free(l);
    return CUDA_SUCCESS;
}

/* ---- kernels ------------------------------------------------------------- */

CUresult library_kernel(CUlibrary l, const char *name, CUkernel *out)
{
    if (l->fault)
        return l->fault;
    CUkernel k = map_find(&l->kernel_of_name, name);
    if (!k)
        return CUDA_ERROR_NOT_FOUND;
    *out = k;
    return CUDA_SUCCESS;
}

size_t library_kernels(CUlibrary l, CUkernel *out, size_t count)
{
    for (size_t i = 0; i < count && i < l->kernel_count; i++)
        out[i] = &l->kernels[i];
    return l->kernel_count;
}

CUkernel kernel_create(const char *name, const void *host, kernel_find_fn *find)
{
    assert(name && host && find);
    CUkernel k = malloc(sizeof *k);
    if (!k)
        return NULL;
    *k = (struct CUkern_st){.name = name, .host = host, .find = find};
    if (callable_add(k, 1, sizeof *k))
        return k;
    free(k);
    return NULL;
}

void kernel_destroy(CUkernel k)
{
    if (!k)
        return;
    callable_remove(k, 1, sizeof *k);
    free(k);
}

CUresult kernel_check(CUkernel k)
{
    return callable_has(k) && !k->none ? CUDA_SUCCESS
                                       : CUDA_ERROR_INVALID_HANDLE;
}

const char *kernel_name(CUkernel k)
{
    return k->name;
}

CUlibrary kernel_library(CUkernel k)
{
    return k->library;
}

static CUresult find_in_program(CUkernel k, CUcontext ctx, CUfunction *out)
{
    if (!ctx_push(ctx))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err = k->find(k->host, out);
    ctx_pop();
    return err;
}

static CUresult find_in_library(CUkernel k, CUcontext ctx, CUfunction *out)
{
    CUmodule m;
    CUresult err = CUDA_SUCCESS;
    ctx = ctx_home(ctx);
    pthread_mutex_lock(&lock);
    if (k->ctx != ctx) {
        err = find_module(k->library, ctx, &m);
        if (!err)
            err = module_function(m, k->name, &k->function);
        k->ctx = err ? NULL : ctx;
    }
    *out = k->function;
    pthread_mutex_unlock(&lock);
    return err;
}

CUresult kernel_function(CUkernel k, CUcontext ctx, CUfunction *out)
{
    CUresult err =
        k->find ? find_in_program(k, ctx, out) : find_in_library(k, ctx, out);
    /* Each launch comes here; its line stays where it is. */
    if (!err &&
        atomic_load_explicit(&(*out)->kernel, memory_order_relaxed) != k)
        atomic_store_explicit(&(*out)->kernel, k, memory_order_relaxed);
    return err;
}

CUresult function_resolve(CUcontext ctx, CUfunction *f)
{
    if (!callable_has(*f))
        return CUDA_ERROR_INVALID_HANDLE;
    if ((*f)->module)
        return function_is_gone(*f) ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
    if (!ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    return kernel_function((CUkernel)*f, ctx, f);
}
