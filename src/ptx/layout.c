/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets of variables: parameters in their buffer; .global and .const
 * variables in the module's one block, with those of .const at the end, so
 * that isspacep recognises their addresses; otherwise in the order of
 * declaration, each with its alignment.
 *
 * Source: PTX ISA, "Parameter State Space"; a kernel's parameters are laid out
 * like the members of a C structure.
 */
#include "ptx/parse.h"

#define CONST_BYTES_MAX 65536u /* bytes of .const in a module */
/* Programs read arrays of bytes in larger pieces: on hardware each variable is
 * aligned for any access. */
#define GLOBAL_ALIGN_MIN 16u

/* Allocates `size_bytes` behind *end; false: 32 bits do not suffice. */
static bool place_bytes(size_t *end, size_t size_bytes, size_t align_bytes,
                        unsigned *offset_bytes)
{
    size_t offset = (*end + align_bytes - 1) & ~(align_bytes - 1);
    if (offset > UINT32_MAX || size_bytes > UINT32_MAX - offset)
        return false;
    *offset_bytes = (unsigned)offset;
    *end = offset + size_bytes;
    return true;
}

static bool layout_list(struct ptx_var *list, size_t count, size_t *end)
{
    for (size_t i = 0; i < count; i++)
        if (!place_bytes(end, list[i].size_bytes, list[i].align_bytes,
                         &list[i].offset_bytes))
            return false;
    return true;
}

bool ptx_layout_params(struct ptx_func *f)
{
    size_t ret_bytes = 0;
    f->param_bytes = 0;
    return layout_list(f->params, f->param_count, &f->param_bytes) &&
           layout_list(f->rets, f->ret_count, &ret_bytes);
}

/* A managed variable may be elsewhere, where the host sees it: its offset is
 * that of a pointer to it, with space for the variable behind. */
static bool place_managed(size_t *end, struct ptx_var *v)
{
    const unsigned pointer_bytes = 8;
    unsigned align_bytes =
        v->align_bytes > pointer_bytes ? v->align_bytes : pointer_bytes;
    unsigned offset_bytes;
    if (!place_bytes(end, align_bytes + v->size_bytes, align_bytes,
                     &offset_bytes))
        return false;
    v->offset_bytes = offset_bytes + align_bytes - pointer_bytes;
    return true;
}

static bool is_of_module(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_global || v->space == PTX_SPACE_const ||
           v->space == PTX_SPACE_tex;
}

static bool place_global(struct ptx_module *m, struct ptx_var *v,
                         const char *name, struct diag *diag)
{
    if (v->space == PTX_SPACE_const && v->size_bytes > CONST_BYTES_MAX) {
        diag_report(diag, DIAG_ERROR, name, v->line, 0, NULL,
                    "`%s` has %zu bytes; .const variables have at most %u",
                    v->name, v->size_bytes, CONST_BYTES_MAX);
        return false;
    }
    unsigned align_bytes = v->align_bytes;
    if (align_bytes < GLOBAL_ALIGN_MIN)
        align_bytes = GLOBAL_ALIGN_MIN;
    if (m->globals_align_bytes < align_bytes)
        m->globals_align_bytes = align_bytes;
    if (v->is_managed ? place_managed(&m->globals_bytes, v)
                      : place_bytes(&m->globals_bytes, v->size_bytes,
                                    align_bytes, &v->offset_bytes))
        return true;
    diag_report(diag, DIAG_ERROR, name, v->line, 0, NULL,
                "the module's variables have more than 4 GiB with `%s`",
                v->name);
    return false;
}

/* ---- parameters without a size ------------------------------------------ */

/* .param .b8 rest[], the last parameter of a function. */
static struct ptx_var *open_param(const struct ptx_func *f)
{
    struct ptx_var *last =
        f->param_count ? &f->params[f->param_count - 1] : NULL;
    return last && last->is_array && !last->element_count ? last : NULL;
}

/* The variable that a call passes for it; NULL: none. */
static struct ptx_var *open_argument(const struct ptx_inst *in)
{
    const struct ptx_call *call = in->call;
    if (!call || !open_param(call->prototype))
        return NULL;
    const struct ptx_operand *o = &call->args[call->arg_count - 1];
    if (o->kind != PTX_OPERAND_var || !o->var->owner)
        return NULL;
    return &((struct ptx_func *)o->var->owner)->vars[o->var->index];
}

/* Calls fn for each such parameter and argument of the module. */
static void for_each_open(struct ptx_module *m,
                          void (*fn)(struct ptx_var *v, size_t *size_bytes),
                          size_t *size_bytes)
{
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_func *f = m->funcs[i];
        if (f->alias_of)
            continue;
        if (open_param(f))
            fn(open_param(f), size_bytes);
        for (size_t j = 0; j < f->inst_count; j++) {
            struct ptx_var *v = open_argument(&f->insts[j]);
            if (!v)
                continue;
            fn(v, size_bytes);
            fn(open_param(f->insts[j].call->prototype), size_bytes);
        }
    }
}

static void find_largest(struct ptx_var *v, size_t *size_bytes)
{
    if (v->size_bytes > *size_bytes)
        *size_bytes = v->size_bytes;
}

static void set_size(struct ptx_var *v, size_t *size_bytes)
{
    v->size_bytes = *size_bytes;
}

/* Makes all as large as the largest, so that every call fits. */
static void close_open_params(struct ptx_module *m)
{
    size_t size_bytes = 0;
    for_each_open(m, find_largest, &size_bytes);
    for_each_open(m, set_size, &size_bytes);
}

/* Lays out the variables of .const, or all others. */
static bool place_globals(struct ptx_module *m, bool is_const, const char *name,
                          struct diag *diag)
{
    for (size_t i = 0; i < m->var_count; i++) {
        struct ptx_var *v = m->vars[i];
        if (is_of_module(v) && (v->space == PTX_SPACE_const) == is_const &&
            !place_global(m, v, name, diag))
            return false;
    }
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_func *f = m->funcs[i];
        for (size_t j = 0; j < f->var_count && !f->alias_of; j++)
            if (is_of_module(&f->vars[j]) &&
                (f->vars[j].space == PTX_SPACE_const) == is_const &&
                !place_global(m, &f->vars[j], name, diag))
                return false;
    }
    return true;
}

bool ptx_layout_module(struct ptx_module *m, const char *name,
                       struct diag *diag)
{
    close_open_params(m);
    if (!place_globals(m, false, name, diag))
        return false;
    m->const_offset_bytes = m->globals_bytes;
    return place_globals(m, true, name, diag);
}
