/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules: PTX loaded from one image or linked from several, its variables in
 * memory, its kernels ready to be asked for. Code is compiled at the first
 * launch.
 */
#include "core/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/callable.h"

/* ---- loading ---------------------------------------------------------- */

static bool make_functions(CUmodule m)
{
    assert(m->ptx);
    const struct ptx_module *ptx = m->ptx;
    map_init_strings(&m->function_of_name);
    m->functions = calloc(ptx->func_count + 1, sizeof *m->functions);
    if (!m->functions)
        return false;
    for (size_t i = 0; i < ptx->func_count; i++) {
        const struct ptx_func *f = ptx->funcs[i];
        if (!f->is_entry || f->is_declaration)
            continue;
        CUfunction out = &m->functions[m->function_count++];
        out->module = m;
        out->ptx = f;
        out->static_shared_bytes = ptx_static_shared_bytes(f);
        out->max_dynamic_bytes =
            out->static_shared_bytes < LIMIT_SHARED_BYTES
                ? LIMIT_SHARED_BYTES - out->static_shared_bytes
                : 0;
        out->carveout = -1;
        pthread_mutex_init(&out->lock, NULL);
        if (!map_put(&m->function_of_name, f->name, out))
            return false;
    }
    return true;
}

/* Functions of modules that have gone: who still launches one is told, until
 * so many others have gone. */
static struct CUmod_st gone;
static struct {
    pthread_mutex_t lock;
    CUfunction functions[4096];
    size_t next;
} graves = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void bury_functions(CUfunction functions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        functions[i] = (struct CUfunc_st){.module = &gone};
    pthread_mutex_lock(&graves.lock);
    CUfunction *place = &graves.functions[graves.next];
    CUfunction oldest = *place;
    *place = functions;
    graves.next = (graves.next + 1) % ARRAY_COUNT(graves.functions);
    pthread_mutex_unlock(&graves.lock);
    free(oldest);
}

bool function_is_gone(const struct CUfunc_st *f)
{
    return f->module == &gone;
}

static void module_free(CUmodule m)
{
    assert(m);
    callable_remove(m->functions, m->function_count, sizeof *m->functions);
    for (size_t i = 0; i < m->function_count; i++)
        function_fini(&m->functions[i]);
    bury_functions(m->functions, m->function_count);
    map_fini(&m->function_of_name);
    if (m->jit)
        jit_module_destroy(m->jit);
    if (m->ptx)
        module_free_globals(m);
    if (m->ptx && !m->is_ptx_borrowed)
        ptx_module_destroy(m->ptx);
    free(m);
}

/* All but the module's place in the context. m->ptx is set. */
static CUresult build_module(CUmodule m, uint64_t text_hash, struct diag *log)
{
    assert(m->ptx);
    CUresult err = image_check_target(m->ptx, log);
    if (!err)
        err = module_check_externs(m->ptx, log);
    if (!err)
        err = module_make_globals(m, log);
    if (!err)
        report_warnings(m->ptx, log);
    if (err)
        return err;
    m->jit = jit_module_create(m->ptx, text_hash);
    if (!m->jit || !make_functions(m) ||
        !callable_add(m->functions, m->function_count, sizeof *m->functions))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

/* m is empty but for whose its PTX is; freed if this fails. */
static CUresult fill_module(CUmodule m, CUcontext ctx, struct ptx_module *ptx,
                            uint64_t text_hash, struct diag *log, CUmodule *out)
{
    assert(ptx && ctx);
    m->ctx = ctx;
    m->ptx = ptx;
    map_init_strings(&m->function_of_name);
    CUresult err = build_module(m, text_hash, log);
    if (err) {
        module_free(m);
        return err;
    }
    ctx_lock(ctx);
    bool ok = handle_add(ctx, m, HANDLE_MODULE);
    if (ok)
        list_push(&ctx->modules, &m->in_ctx);
    ctx_unlock(ctx);
    if (!ok) {
        module_free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = m;
    return CUDA_SUCCESS;
}

/* Takes the PTX. */
static CUresult make_module(CUcontext ctx, struct ptx_module *ptx,
                            uint64_t text_hash, struct diag *log, CUmodule *out)
{
    CUmodule m = calloc(1, sizeof *m);
    if (m)
        return fill_module(m, ctx, ptx, text_hash, log, out);
    ptx_module_destroy(ptx);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult module_of_ptx(CUcontext ctx, struct ptx_module *ptx,
                       uint64_t text_hash, CUmodule *out)
{
    struct diag log;
    CUresult err = ctx_sticky(ctx);
    if (err)
        return err;
    CUmodule m = calloc(1, sizeof *m);
    if (!m)
        return CUDA_ERROR_OUT_OF_MEMORY;
    m->is_ptx_borrowed = true;
    diag_init(&log);
    err = fill_module(m, ctx, ptx, text_hash, &log, out);
    diag_fini(&log);
    return err;
}

/* ---- from images ------------------------------------------------------ */

static CUresult load_parts(CUcontext ctx, const void *const *images,
                           size_t count, struct diag *log, CUmodule *out)
{
    struct ptx_module *ptx;
    uint64_t hash;
    CUresult err = module_link_parts(images, count, log, &ptx, &hash);
    if (err)
        return err;
    return make_module(ctx, ptx, hash, log, out);
}

CUresult module_load_linked(CUcontext ctx, const void *const *images,
                            size_t count, struct diag *log, CUmodule *out)
{
    struct diag own;
    CUresult err = ctx_sticky(ctx);
    ctx = ctx_home(ctx);
    if (err)
        return err;
    if (!images || !count || !out)
        return CUDA_ERROR_INVALID_VALUE;
    exec_printf_flush();
    for (size_t i = 0; i < count; i++)
        if (!images[i])
            return CUDA_ERROR_INVALID_VALUE;
    diag_init(&own);
    err = load_parts(ctx, images, count, log ? log : &own, out);
    diag_fini(&own);
    return err;
}

CUresult module_load(CUcontext ctx, const void *image, struct diag *log,
                     CUmodule *out)
{
    return module_load_linked(ctx, &image, 1, log, out);
}

CUresult module_check(CUmodule m)
{
    CUcontext ctx;
    ctx = handle_lock_owner(ctx_current(&ctx) ? NULL : ctx, m, HANDLE_MODULE);
    if (!ctx)
        return CUDA_ERROR_INVALID_HANDLE;
    ctx_unlock(ctx);
    return CUDA_SUCCESS;
}

CUcontext module_context(CUmodule m)
{
    return m->ctx;
}

bool module_is_of_library(CUmodule m)
{
    return m->is_ptx_borrowed;
}

CUresult module_unload(CUmodule m)
{
    CUcontext ctx = m->ctx;
    CUresult err = ctx_wait(ctx);
    ctx_lock(ctx);
    map_remove(&ctx->handles, m);
    list_remove(&m->in_ctx);
    ctx_unlock(ctx);
    module_free(m);
    return err;
}

/* ---- looking up ------------------------------------------------------- */

CUresult module_function(CUmodule m, const char *name, CUfunction *out)
{
    if (!name || !*name || !out)
        return CUDA_ERROR_INVALID_VALUE;
    CUfunction f = map_find(&m->function_of_name, name);
    if (!f)
        return CUDA_ERROR_NOT_FOUND;
    *out = f;
    return CUDA_SUCCESS;
}
