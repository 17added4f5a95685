/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules: PTX loaded, its variables laid out in memory and initialised, its
 * kernels ready to be asked for. Code is compiled at the first launch.
 */
#include "core/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Newer text may mean what we do not know. */
#define PTX_VERSION_MAX 93

/* ---- what the image is ------------------------------------------------ */

static const char *skip_blank_and_comments(const char *p, const char *end)
{
    for (;;) {
        while (p < end && isspace((unsigned char)*p))
            p++;
        if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            p += 2;
            while (end - p >= 2 && !(p[0] == '*' && p[1] == '/'))
                p++;
            p = end - p >= 2 ? p + 2 : end;
        } else {
            return p;
        }
    }
}

/* The version that the text names, as 83 for 8.3; 0: it is no PTX. */
static unsigned text_version(const char *text, size_t length)
{
    static const char directive[] = ".version";
    const size_t n = sizeof directive - 1;
    const char *end = text + length;
    const char *p = skip_blank_and_comments(text, end);
    if ((size_t)(end - p) < n || memcmp(p, directive, n) != 0)
        return 0;
    p += n;
    unsigned major = 0, minor = 0;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    for (; p < end && isdigit((unsigned char)*p) && major < 1000; p++)
        major = major * 10 + (unsigned)(*p - '0');
    if (p < end && *p == '.')
        p++;
    for (; p < end && isdigit((unsigned char)*p) && minor < 1000; p++)
        minor = minor * 10 + (unsigned)(*p - '0');
    return major ? major * 10 + (minor < 9 ? minor : 9) : 1;
}

/* Text may be shorter; no magic number has a NUL. */
static bool starts_with(const void *image, const char *magic)
{
    return strncmp(image, magic, strlen(magic)) == 0;
}

static bool is_fatbin(const void *image)
{
    return starts_with(image, "\x50\xed\x55\xba") || /* the container */
           starts_with(image, "\xb1\x43\x62\x46");   /* its wrapper */
}

/* ---- variables -------------------------------------------------------- */

static bool is_in_globals(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_global || v->space == PTX_SPACE_const;
}

/* Where the bytes of a variable in the module's block are: of a managed one,
 * where the pointer in the block says. */
static uint8_t *storage(const CUmodule m, const struct ptx_var *v)
{
    uint8_t *at = m->globals + v->offset_bytes, *elsewhere;
    if (!v->is_managed)
        return at;
    memcpy(&elsewhere, at, sizeof elsewhere);
    return elsewhere;
}

static void relocate(const CUmodule m, const struct ptx_var *v,
                     const struct ptx_reloc *r)
{
    uint64_t value = (uint64_t)r->addend;
    if (r->func)
        value += WEFT_FUNC_HANDLE(r->func->index);
    else if (r->var && is_in_globals(r->var))
        value += (uintptr_t)storage(m, r->var);
    else if (r->var)
        value += r->var->offset_bytes; /* .shared: an offset in the window */
    memcpy(storage(m, v) + r->offset_bytes, &value,
           r->size_bytes < sizeof value ? r->size_bytes : sizeof value);
}

static void set_variable(CUmodule m, const struct ptx_var *v)
{
    uint8_t *at = storage(m, v);
    if (v->init)
        memcpy(at, v->init, v->size_bytes);
    else
        memset(at, 0, v->size_bytes);
}

static void relocate_variable(CUmodule m, const struct ptx_var *v)
{
    for (size_t i = 0; i < v->reloc_count; i++)
        relocate(m, v, &v->relocs[i]);
}

/* At first a managed variable lives behind its pointer. */
static void place_managed(CUmodule m, const struct ptx_var *v)
{
    uint8_t *pointer = m->globals + v->offset_bytes;
    uint8_t *behind = pointer + sizeof behind;
    if (!v->is_managed)
        return;
    memcpy(pointer, &behind, sizeof behind);
    set_variable(m, v);
}

static void set_unmanaged(CUmodule m, const struct ptx_var *v)
{
    if (!v->is_managed)
        set_variable(m, v);
}

/* Every variable of the module's block, at module and function scope. */
static void for_each_global(CUmodule m,
                            void (*visit)(CUmodule, const struct ptx_var *))
{
    const struct ptx_module *ptx = m->ptx;
    if (!m->globals)
        return;
    for (size_t i = 0; i < ptx->var_count; i++)
        if (is_in_globals(ptx->vars[i]))
            visit(m, ptx->vars[i]);
    for (size_t i = 0; i < ptx->func_count; i++) {
        const struct ptx_func *f = ptx->funcs[i];
        for (size_t k = 0; k < f->var_count; k++)
            if (is_in_globals(&f->vars[k]))
                visit(m, &f->vars[k]);
    }
}

/* Managed variables keep their values, as they do on real hardware. */
void module_set_globals(CUmodule m)
{
    for_each_global(m, set_unmanaged);
    for_each_global(m, relocate_variable);
}

CUresult module_adopt(CUmodule m, const char *name, void *address)
{
    const struct ptx_var *v = ptx_find_var(m->ptx, name);
    if (!v || !is_in_globals(v) || !v->is_managed)
        return CUDA_ERROR_NOT_FOUND;
    memcpy(address, storage(m, v), v->size_bytes);
    memcpy(m->globals + v->offset_bytes, &address, sizeof address);
    for_each_global(m, relocate_variable);
    return CUDA_SUCCESS;
}

/* A variable that another module should have defined. */
static const struct ptx_var *undefined_variable(const struct ptx_module *ptx)
{
    for (size_t i = 0; i < ptx->var_count; i++) {
        const struct ptx_var *v = ptx->vars[i];
        if (v->linkage == PTX_LINK_extern && is_in_globals(v))
            return v;
    }
    return NULL;
}

/* ---- loading ---------------------------------------------------------- */

static bool make_functions(CUmodule m)
{
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
        out->static_shared_bytes = emit_static_shared_bytes(f);
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

static void module_free(CUmodule m)
{
    for (size_t i = 0; i < m->function_count; i++)
        function_fini(&m->functions[i]);
    free(m->functions);
    map_fini(&m->function_of_name);
    if (m->jit)
        jit_module_destroy(m->jit);
    if (m->globals)
        mem_release(m->globals, MEM_MODULE);
    if (m->ptx)
        ptx_module_destroy(m->ptx);
    free(m);
}

/* All but the module's place in the context. m->ptx is set. */
static CUresult build(CUmodule m, uint64_t text_hash, struct diag *log)
{
    const struct ptx_var *missing = undefined_variable(m->ptx);
    if (missing) {
        diag_error(log, "variable %s is declared .extern and defined nowhere",
                   missing->name);
        return CUDA_ERROR_INVALID_PTX;
    }
    if (m->ptx->globals_bytes) {
        m->globals = mem_alloc_kind(m->ptx->globals_bytes, MEM_MODULE, 0);
        if (!m->globals)
            return CUDA_ERROR_OUT_OF_MEMORY;
        for_each_global(m, place_managed);
        module_set_globals(m);
    }
    m->jit = jit_module_create(m->ptx, text_hash);
    if (!m->jit || !make_functions(m))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

static CUresult load_text(CUcontext ctx, const char *text, size_t length,
                          struct diag *log, CUmodule *out)
{
    unsigned version = text_version(text, length);
    if (version == 0) {
        diag_error(log, "the image is no PTX: it does not start with .version");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    if (version > PTX_VERSION_MAX) {
        diag_error(log,
                   "PTX version %u.%u is newer than %u.%u, the newest known",
                   version / 10, version % 10, PTX_VERSION_MAX / 10,
                   PTX_VERSION_MAX % 10);
        return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    }
    CUmodule m = calloc(1, sizeof *m);
    if (!m)
        return CUDA_ERROR_OUT_OF_MEMORY;
    m->ctx = ctx;
    map_init_strings(&m->function_of_name);
    CUresult err = CUDA_ERROR_INVALID_PTX;
    m->ptx = ptx_parse("ptx", text, length, log);
    if (m->ptx)
        err = build(m, hash_bytes(text, length, 0), log);
    if (err) {
        module_free(m);
        return err;
    }
    ctx_lock(ctx);
    list_push(&ctx->modules, &m->in_ctx);
    ctx_unlock(ctx);
    *out = m;
    return CUDA_SUCCESS;
}

static CUresult load_fatbin(CUcontext ctx, const void *image, struct diag *log,
                            CUmodule *out)
{
    struct fatbin_entry entry;
    char *seen = NULL;
    if (!fatbin_select(image, DEVICE_SM, &entry, &seen)) {
        diag_error(log,
                   "no PTX for sm_%d or older in the fat binary: it has %s",
                   DEVICE_SM, seen ? seen : "nothing");
        free(seen);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    CUresult err = load_text(ctx, entry.ptx, entry.ptx_bytes, log, out);
    free(entry.owned);
    return err;
}

CUresult module_load(CUcontext ctx, const void *image, struct diag *log,
                     CUmodule *out)
{
    struct diag own;
    CUresult err = ctx_sticky(ctx);
    if (err)
        return err;
    if (!image || !out)
        return CUDA_ERROR_INVALID_VALUE;
    diag_init(&own);
    if (!log)
        log = &own;
    if (starts_with(image, "\x7f"
                           "ELF")) {
        diag_error(log, "the image is machine code of a GPU; give PTX");
        err = CUDA_ERROR_NO_BINARY_FOR_GPU;
    } else if (is_fatbin(image)) {
        err = load_fatbin(ctx, image, log, out);
    } else {
        err = load_text(ctx, image, strlen(image), log, out);
    }
    diag_fini(&own);
    return err;
}

CUresult module_unload(CUmodule m)
{
    CUcontext ctx = m->ctx;
    CUresult err = ctx_synchronize(ctx);
    ctx_lock(ctx);
    list_remove(&m->in_ctx);
    ctx_unlock(ctx);
    module_free(m);
    return err;
}

/* ---- looking up ------------------------------------------------------- */

CUresult module_function(CUmodule m, const char *name, CUfunction *out)
{
    if (!name || !out)
        return CUDA_ERROR_INVALID_VALUE;
    CUfunction f = map_find(&m->function_of_name, name);
    if (!f)
        return CUDA_ERROR_NOT_FOUND;
    *out = f;
    return CUDA_SUCCESS;
}

CUresult module_global(CUmodule m, const char *name, CUdeviceptr *out,
                       size_t *size_bytes)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    const struct ptx_var *v = ptx_find_var(m->ptx, name);
    if (!v || !is_in_globals(v))
        return CUDA_ERROR_NOT_FOUND;
    if (out)
        *out = (CUdeviceptr)(uintptr_t)storage(m, v);
    if (size_bytes)
        *size_bytes = v->size_bytes;
    return CUDA_SUCCESS;
}
