/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolves names. Of several symbols of one name one counts: a strong
 * definition before a weak one, that before a .common variable, that before a
 * declaration; among equals the first. Two that do not fit, or are both strong,
 * are errors.
 *
 * Source: PTX ISA, "Linking Directives".
 */
#include "link/internal.h"

/* Of two symbols of one name, the stronger counts. */
enum strength { DECLARED, COMMON, WEAK, STRONG };

static enum strength strength_of(const struct link_item *i)
{
    enum ptx_linkage linkage = i->func ? i->func->linkage : i->var->linkage;
    if (i->func ? i->func->is_declaration : linkage == PTX_LINK_extern)
        return DECLARED;
    return linkage == PTX_LINK_common ? COMMON
           : linkage == PTX_LINK_weak ? WEAK
                                      : STRONG;
}

const char *link_name(const struct link_item *i)
{
    return i->func ? i->func->name : i->var->name;
}

static unsigned line_of(const struct link_item *i)
{
    return i->func ? i->func->line : i->var->line;
}

/* The host finds kernels by name, whatever their linkage. */
bool link_is_shared(const struct link_item *i)
{
    if (i->func)
        return i->func->linkage != PTX_LINK_internal || i->func->is_entry ||
               i->func->is_declaration;
    return i->var->linkage != PTX_LINK_internal;
}

/* ---- whether two symbols fit ------------------------------------------- */

static void report_pair(const struct link_item *a, const struct link_item *b,
                        const char *what, struct diag *diag)
{
    diag_report(diag, DIAG_ERROR, b->part, line_of(b), 0, NULL, "`%s` %s",
                link_name(b), what);
    diag_report(diag, DIAG_NOTE, a->part, line_of(a), 0, NULL,
                "the other one is here");
}

static bool are_params_alike(const struct ptx_var *a, size_t a_count,
                             const struct ptx_var *b, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (a[i].size_bytes != b[i].size_bytes)
            return false;
    return true;
}

/* A kernel that another file defines and this one launches is declared by clang
 * as a function, whose address is taken and which is never called. */
static bool is_kernel_reference(const struct ptx_func *f)
{
    if (f->is_entry || !f->is_declaration || !f->is_address_taken)
        return false;
    for (size_t i = 0; i < f->module->func_count; i++) {
        const struct ptx_func *caller = f->module->funcs[i];
        for (size_t k = 0; k < caller->inst_count; k++) {
            const struct ptx_call *call = caller->insts[k].call;
            if (call && call->func == f)
                return false;
        }
    }
    return true;
}

static const char *func_misfit(const struct ptx_func *a,
                               const struct ptx_func *b)
{
    if (a->is_entry != b->is_entry && !is_kernel_reference(a) &&
        !is_kernel_reference(b))
        return "is a kernel in one module and a device function in another";
    if (!are_params_alike(a->params, a->param_count, b->params,
                          b->param_count) ||
        !are_params_alike(a->rets, a->ret_count, b->rets, b->ret_count))
        return "has other parameters than in another module";
    return NULL;
}

static bool is_unsized(const struct ptx_var *v)
{
    return v->linkage == PTX_LINK_extern && v->is_array && !v->element_count;
}

/* clang defines a __device__ const variable with a constant value in .const,
 * but declares it in .global in other files; nvcc also defines it in .global.
 */
static bool are_spaces_alike(const struct ptx_var *a, const struct ptx_var *b)
{
    return a->space == b->space ||
           (a->space == PTX_SPACE_const && b->space == PTX_SPACE_global &&
            b->linkage == PTX_LINK_extern);
}

static const char *var_misfit(const struct ptx_var *a, const struct ptx_var *b)
{
    if (!are_spaces_alike(a, b) && !are_spaces_alike(b, a))
        return "is in another state space than in another module";
    bool may_differ =
        (a->linkage == PTX_LINK_common && b->linkage == PTX_LINK_common) ||
        is_unsized(a) || is_unsized(b);
    if (a->size_bytes != b->size_bytes && !may_differ)
        return "has another size than in another module";
    return NULL;
}

bool link_fit(const struct link_item *a, const struct link_item *b,
              struct diag *diag)
{
    const char *misfit;
    if (!a->func != !b->func)
        misfit = "is a function in one module and a variable in another";
    else if (a->func)
        misfit = func_misfit(a->func, b->func);
    else
        misfit = var_misfit(a->var, b->var);
    if (!misfit && strength_of(a) == STRONG && strength_of(b) == STRONG)
        misfit = "is defined twice";
    if (misfit)
        report_pair(a, b, misfit, diag);
    return !misfit;
}

/* ---- choosing ---------------------------------------------------------- */

bool link_is_better(const struct link_item *b, const struct link_item *a)
{
    enum strength was = strength_of(a), is = strength_of(b);
    if (is != was)
        return is > was;
    if (is == COMMON)
        return b->var->size_bytes > a->var->size_bytes;
    /* Of two declarations, the one with a size. */
    return is == DECLARED && a->var && is_unsized(a->var) &&
           !is_unsized(b->var);
}

/* The symbol that counts gets what the others need: alignment, space ... */
static void merge_needs(struct link_item *winner, const struct link_item *loser)
{
    if (winner->func) {
        winner->func->is_address_taken |= loser->func->is_address_taken;
        return;
    }
    struct ptx_var *v = winner->var;
    if (v->align_bytes < loser->var->align_bytes)
        v->align_bytes = loser->var->align_bytes;
    v->is_managed |= loser->var->is_managed;
    if (loser->var->space == PTX_SPACE_global)
        v->space = PTX_SPACE_global;
}

static void *owner_of(const struct link_item *i)
{
    return i->func ? (void *)i->func : (void *)i->var;
}

static bool add_symbol(void *data, const struct link_item *item)
{
    struct link_work *w = data;
    if (!link_is_shared(item))
        return true;
    struct link_item *known = map_find(&w->symbols, link_name(item));
    if (!known) {
        known = arena_new(w->arena, struct link_item);
        *known = *item;
        return map_put(&w->symbols, link_name(item), known);
    }
    if (!link_fit(known, item, w->diag))
        return true;
    struct link_item loser = *item;
    if (link_is_better(item, known)) {
        loser = *known;
        *known = *item;
    }
    merge_needs(known, &loser);
    return map_put(&w->replaced, owner_of(&loser), owner_of(known));
}

bool link_for_each_item(const struct ptx_module *m, const char *part,
                        bool (*fn)(void *data, const struct link_item *i),
                        void *data)
{
    bool ok = true;
    for (size_t i = 0; i < m->func_count && ok; i++)
        ok = fn(data, &(struct link_item){.func = m->funcs[i], .part = part});
    for (size_t i = 0; i < m->var_count && ok; i++)
        ok = fn(data, &(struct link_item){.var = m->vars[i], .part = part});
    return ok;
}

bool link_resolve(struct link_work *w)
{
    unsigned errors = w->diag->error_count;
    for (size_t p = 0; p < w->part_count; p++)
        if (!link_for_each_item(w->parts[p], w->names[p], add_symbol, w))
            return false;
    return w->diag->error_count == errors;
}
