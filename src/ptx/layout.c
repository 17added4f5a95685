/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where things lie: parameters in their buffer, .global and .const variables
 * in the module's one block, first by declaration, each aligned as it says.
 *
 * Source: PTX ISA, "Parameter State Space"; a kernel's parameters lie as a C
 * structure's members do.
 */
#include "ptx/parse.h"

#define CONST_BYTES_MAX 65536u

/* Places `size_bytes` behind *end; false when 32 bits do not reach. */
static bool place(size_t *end, size_t size_bytes, size_t align_bytes,
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
        if (!place(end, list[i].size_bytes, list[i].align_bytes,
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

/* A managed variable may live elsewhere, where the host sees it: its offset is
 * that of a pointer to it, and there is room for it right behind. */
static bool place_managed(size_t *end, struct ptx_var *v)
{
    const unsigned pointer_bytes = 8;
    unsigned align_bytes =
        v->align_bytes > pointer_bytes ? v->align_bytes : pointer_bytes;
    unsigned offset_bytes;
    if (!place(end, align_bytes + v->size_bytes, align_bytes, &offset_bytes))
        return false;
    v->offset_bytes = offset_bytes + align_bytes - pointer_bytes;
    return true;
}

static bool place_global(struct ptx_module *m, struct ptx_var *v,
                         const char *name, struct diag *diag)
{
    if (v->space != PTX_SPACE_global && v->space != PTX_SPACE_const &&
        v->space != PTX_SPACE_tex)
        return true;
    if (v->space == PTX_SPACE_const && v->size_bytes > CONST_BYTES_MAX) {
        diag_report(diag, DIAG_ERROR, name, v->line, 0, NULL,
                    "`%s` has %zu bytes; .const variables have at most %u",
                    v->name, v->size_bytes, CONST_BYTES_MAX);
        return false;
    }
    if (m->globals_align_bytes < v->align_bytes)
        m->globals_align_bytes = v->align_bytes;
    if (v->is_managed ? place_managed(&m->globals_bytes, v)
                      : place(&m->globals_bytes, v->size_bytes, v->align_bytes,
                              &v->offset_bytes))
        return true;
    diag_report(diag, DIAG_ERROR, name, v->line, 0, NULL,
                "the module's variables have more than 4 GiB with `%s`",
                v->name);
    return false;
}

bool ptx_layout_module(struct ptx_module *m, const char *name,
                       struct diag *diag)
{
    for (size_t i = 0; i < m->var_count; i++)
        if (!place_global(m, m->vars[i], name, diag))
            return false;
    for (size_t i = 0; i < m->func_count; i++)
        for (size_t j = 0; j < m->funcs[i]->var_count; j++)
            if (!m->funcs[i]->alias_of &&
                !place_global(m, &m->funcs[i]->vars[j], name, diag))
                return false;
    return true;
}
