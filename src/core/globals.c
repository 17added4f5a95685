/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module's variables. All .global and .const variables are in one block.
 * Managed ones are behind a pointer there, since the program may have its own
 * storage for them.
 */
#include "core/internal.h"

#include "ptx/texture_form.h"

/* Address of a variable's bytes: in the module's block or, for a managed one,
 * where the pointer in the block leads. */
static uint8_t *storage_of(const CUmodule m, const struct ptx_var *v)
{
    assert(ptx_is_in_globals(v));
    uint8_t *at = m->globals + v->offset_bytes, *elsewhere;
    if (!v->is_managed)
        return at;
    memcpy(&elsewhere, at, sizeof elsewhere);
    return elsewhere;
}

static void relocate_word(const CUmodule m, const struct ptx_var *v,
                          const struct ptx_reloc *r)
{
    uint64_t value = (uint64_t)r->addend;
    if (r->func)
        value += WEFT_FUNC_HANDLE(r->func->index);
    else if (r->var && ptx_is_in_globals(r->var))
        value += (uintptr_t)storage_of(m, r->var);
    else if (r->var)
        value += r->var->offset_bytes; /* .shared: an offset in the window */
    value >>= r->shift_bits;
    memcpy(storage_of(m, v) + r->offset_bytes, &value,
           r->size_bytes < sizeof value ? r->size_bytes : sizeof value);
}

static void set_variable(CUmodule m, const struct ptx_var *v)
{
    uint8_t *at = storage_of(m, v);
    if (v->type == PTX_TYPE_samplerref && v->size_bytes == 8)
        memcpy(at, &(struct texture_sampler[]){ptx_texture_sampler(v)}, 8);
    else if (v->init)
        memcpy(at, v->init, v->size_bytes);
    else
        memset(at, 0, v->size_bytes);
}

static void relocate_variable(CUmodule m, const struct ptx_var *v)
{
    for (size_t i = 0; i < v->reloc_count; i++)
        relocate_word(m, v, &v->relocs[i]);
}

/* A managed variable begins behind its pointer. */
static void place_managed(CUmodule m, const struct ptx_var *v)
{
    assert(v);
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

/* Visits every variable of the module's block, at module scope and in
 * functions. */
static void for_each_global(CUmodule m,
                            void (*visit)(CUmodule, const struct ptx_var *))
{
    const struct ptx_module *ptx = m->ptx;
    if (!m->globals)
        return;
    for (size_t i = 0; i < ptx->var_count; i++)
        if (ptx_is_in_globals(ptx->vars[i]))
            visit(m, ptx->vars[i]);
    for (size_t i = 0; i < ptx->func_count; i++) {
        const struct ptx_func *f = ptx->funcs[i];
        for (size_t k = 0; k < f->var_count; k++)
            if (ptx_is_in_globals(&f->vars[k]))
                visit(m, &f->vars[k]);
    }
}

/* Managed variables keep their values, as on hardware. */
void module_set_globals(CUmodule m)
{
    for_each_global(m, set_unmanaged);
    for_each_global(m, relocate_variable);
}

static const struct ptx_var *find_managed(CUmodule m, const char *name)
{
    const struct ptx_var *v = ptx_find_var(m->ptx, name);
    return v && ptx_is_in_globals(v) && v->is_managed ? v : NULL;
}

CUresult module_adopt(CUmodule m, const char *name, void *address)
{
    const struct ptx_var *v = find_managed(m, name);
    if (!v)
        return CUDA_ERROR_NOT_FOUND;
    if (!mem_adopt_managed(address, v->size_bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(address, storage_of(m, v), v->size_bytes);
    return module_share(m, name, address);
}

CUresult module_share(CUmodule m, const char *name, void *address)
{
    const struct ptx_var *v = find_managed(m, name);
    if (!v)
        return CUDA_ERROR_NOT_FOUND;
    memcpy(m->globals + v->offset_bytes, &address, sizeof address);
    for_each_global(m, relocate_variable);
    return CUDA_SUCCESS;
}

CUresult module_make_globals(CUmodule m, struct diag *log)
{
    if (!m->ptx->globals_bytes)
        return CUDA_SUCCESS;
    m->globals = mem_alloc_owned(m->ptx->globals_bytes, MEM_MODULE, m);
    if (!m->globals) {
        diag_error(log, "no memory for the module's %zu bytes of variables",
                   m->ptx->globals_bytes);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    for_each_global(m, place_managed);
    module_set_globals(m);
    return CUDA_SUCCESS;
}

CUresult module_global(CUmodule m, const char *name, CUdeviceptr *out,
                       size_t *size_bytes)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    const struct ptx_var *v = ptx_find_var(m->ptx, name);
    const struct ptx_func *f = v ? NULL : ptx_find_func(m->ptx, name);
    if (f && f->is_entry)
        return CUDA_ERROR_INVALID_VALUE;
    if (!v || !ptx_is_in_globals(v))
        return CUDA_ERROR_NOT_FOUND;
    if (out)
        *out = (CUdeviceptr)(uintptr_t)storage_of(m, v);
    if (size_bytes)
        *size_bytes = v->size_bytes;
    return CUDA_SUCCESS;
}

static bool is_at(CUmodule m, const struct ptx_var *v, CUdeviceptr p)
{
    return p - (uintptr_t)storage_of(m, v) < v->size_bytes;
}

static const struct ptx_var *find_at(CUmodule m, CUdeviceptr p)
{
    for (size_t i = 0; i < m->ptx->var_count; i++) {
        const struct ptx_var *v = m->ptx->vars[i];
        if (ptx_is_in_globals(v) && is_at(m, v, p))
            return v;
    }
    return NULL;
}

void module_refine(struct mem_info *info, CUdeviceptr p)
{
    const struct ptx_var *v = find_at(info->owner, p);
    if (!v)
        return;
    info->base = (uintptr_t)storage_of(info->owner, v);
    info->size_bytes = v->size_bytes;
    info->kind = v->is_managed ? MEM_MANAGED : MEM_MODULE;
}

CUresult module_managed(CUmodule m, const char *name, CUdeviceptr *out,
                        size_t *size_bytes)
{
    const struct ptx_var *v = name ? ptx_find_var(m->ptx, name) : NULL;
    if (v && !v->is_managed)
        return CUDA_ERROR_NOT_FOUND;
    return module_global(m, name, out, size_bytes);
}

static void forget_managed(CUmodule m, const struct ptx_var *v)
{
    if (v->is_managed)
        mem_forget_managed(storage_of(m, v));
}

void module_free_globals(CUmodule m)
{
    texture_references_forget(m);
    for_each_global(m, forget_managed);
    if (m->globals)
        mem_release(m->globals, MEM_MODULE);
}
