/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes one module of several: takes their functions and variables in order,
 * turns references to replaced symbols to what replaced them, makes names
 * unique, and lays variables out anew. Changes instructions in place; the
 * result's arena takes over the memory of its parts.
 */
#include "link/internal.h"

/* ---- references -------------------------------------------------------- */

/* The symbol to use in place of this one: itself, unless it was replaced. What
 * replaced it may have been replaced in turn. */
static const void *final_symbol(const struct link_work *w, const void *symbol)
{
    const void *next = symbol;
    while (next) {
        symbol = next;
        next = map_find(&w->replaced, symbol);
    }
    return symbol;
}

static void turn_operand(const struct link_work *w, struct ptx_operand *o)
{
    o->var = final_symbol(w, o->var);
    o->func = final_symbol(w, o->func);
    for (unsigned i = 0; i < o->item_count; i++)
        turn_operand(w, &o->items[i]);
}

static void turn_call(const struct link_work *w, struct ptx_call *c)
{
    c->func = final_symbol(w, c->func);
    c->prototype = final_symbol(w, c->prototype);
    for (unsigned i = 0; i < c->ret_count; i++)
        turn_operand(w, &c->rets[i]);
    for (unsigned i = 0; i < c->arg_count; i++)
        turn_operand(w, &c->args[i]);
}

static void turn_var(const struct link_work *w, struct ptx_var *v)
{
    for (size_t i = 0; i < v->reloc_count; i++) {
        v->relocs[i].var = final_symbol(w, v->relocs[i].var);
        v->relocs[i].func = final_symbol(w, v->relocs[i].func);
    }
}

/* The variable that it reads has moved from .const to .global. */
static void turn_global(const struct link_work *w, struct ptx_inst *inst)
{
    static const char was[] = ".const";
    const char *at = strstr(inst->spelling, was);
    assert(at);
    inst->space = PTX_SPACE_global;
    inst->spelling =
        arena_printf(w->arena, "%.*s.global%s", (int)(at - inst->spelling),
                     inst->spelling, at + sizeof was - 1);
}

static void turn_inst(const struct link_work *w, struct ptx_inst *inst)
{
    for (unsigned k = 0; k < inst->operand_count; k++) {
        struct ptx_operand *o = &inst->operand[k];
        turn_operand(w, o);
        if (inst->space == PTX_SPACE_const && o->var &&
            o->var->space == PTX_SPACE_global)
            turn_global(w, inst);
    }
    if (inst->call)
        turn_call(w, inst->call);
}

/* An alias has the instructions of another function, which are turned there. */
static void turn_func(const struct link_work *w, struct ptx_func *f,
                      size_t first_file)
{
    f->alias_of = final_symbol(w, f->alias_of);
    if (f->alias_of)
        return;
    for (size_t i = 0; i < f->var_count; i++)
        turn_var(w, &f->vars[i]);
    for (size_t i = 0; i < f->inst_count; i++) {
        struct ptx_inst *inst = &f->insts[i];
        turn_inst(w, inst);
        if (inst->loc_file || inst->loc_line)
            inst->loc_file += (unsigned)first_file;
    }
}

/* ---- the lists --------------------------------------------------------- */

static void count_parts(const struct link_work *w, struct ptx_module *out)
{
    for (size_t p = 0; p < w->part_count; p++) {
        out->func_count += w->parts[p]->func_count;
        out->var_count += w->parts[p]->var_count;
        out->file_count += w->parts[p]->file_count;
    }
    out->funcs = arena_array(w->arena, struct ptx_func *, out->func_count);
    out->vars = arena_array(w->arena, struct ptx_var *, out->var_count);
    out->files = arena_array(w->arena, const char *, out->file_count);
    out->func_count = out->var_count = out->file_count = 0;
}

static void take_funcs(struct link_work *w, struct ptx_module *part,
                       struct ptx_module *out)
{
    for (size_t i = 0; i < part->func_count; i++) {
        struct ptx_func *f = part->funcs[i];
        if (map_find(&w->replaced, f))
            continue;
        turn_func(w, f, out->file_count);
        f->module = out;
        f->index = (unsigned)out->func_count;
        out->funcs[out->func_count++] = f;
    }
}

static void take_vars(struct link_work *w, struct ptx_module *part,
                      struct ptx_module *out)
{
    for (size_t i = 0; i < part->var_count; i++) {
        struct ptx_var *v = part->vars[i];
        if (map_find(&w->replaced, v))
            continue;
        turn_var(w, v);
        v->index = (unsigned)out->var_count;
        out->vars[out->var_count++] = v;
    }
}

static void take_head(struct ptx_module *part, struct ptx_module *out)
{
    if (out->version < part->version)
        out->version = part->version;
    if (out->sm < part->sm) {
        out->sm = part->sm;
        out->target = part->target;
    }
    if (out->globals_align_bytes < part->globals_align_bytes)
        out->globals_align_bytes = part->globals_align_bytes;
}

static void take_part(struct link_work *w, struct ptx_module *part,
                      struct ptx_module *out)
{
    take_head(part, out);
    take_funcs(w, part, out);
    take_vars(w, part, out);
    for (size_t i = 0; i < part->file_count; i++)
        out->files[out->file_count++] = part->files[i];
}

/* ---- unique names ------------------------------------------------------ */

/* Shared names stay: `symbols` maps them to their owners. */
static bool make_unique(struct link_work *w, const char **name, void *owner)
{
    unsigned suffix = 0;
    const char *wanted = *name;
    const struct link_item *taken;
    while ((taken = map_find(&w->symbols, *name))) {
        if (taken->func == owner || taken->var == owner)
            return true;
        *name = arena_printf(w->arena, "%s$%u", wanted, ++suffix);
    }
    struct link_item *own = arena_new(w->arena, struct link_item);
    return map_put(&w->symbols, *name, own);
}

static bool make_names_unique(struct link_work *w, struct ptx_module *out)
{
    for (size_t i = 0; i < out->func_count; i++)
        if (!make_unique(w, &out->funcs[i]->name, out->funcs[i]))
            return false;
    for (size_t i = 0; i < out->var_count; i++)
        if (!make_unique(w, &out->vars[i]->name, out->vars[i]))
            return false;
    return true;
}

/* ---- all of it --------------------------------------------------------- */

bool link_have_one_address_size(unsigned bits, const char *name,
                                unsigned first_bits, const char *first,
                                struct diag *diag)
{
    if (bits != first_bits)
        diag_error(diag,
                   "%s has addresses of %u bits, %s of %u: they cannot be "
                   "linked",
                   name, bits, first, first_bits);
    return bits == first_bits;
}

static bool have_one_address_size(const struct link_work *w)
{
    bool ok = true;
    for (size_t p = 1; p < w->part_count && ok; p++)
        ok = link_have_one_address_size(
            w->parts[p]->address_size_bits, w->names[p],
            w->parts[0]->address_size_bits, w->names[0], w->diag);
    return ok;
}

static struct ptx_module *join_modules(struct link_work *w)
{
    struct ptx_module *out = arena_new(w->arena, struct ptx_module);
    out->arena = w->arena;
    out->address_size_bits = w->parts[0]->address_size_bits;
    count_parts(w, out);
    for (size_t p = 0; p < w->part_count; p++)
        take_part(w, w->parts[p], out);
    if (make_names_unique(w, out) &&
        ptx_layout_module(out, w->names[0], w->diag))
        return out;
    return NULL;
}

struct ptx_module *link_modules(struct ptx_module **modules,
                                const char *const *names, size_t count,
                                struct diag *diag)
{
    struct ptx_module *out = NULL;
    assert(count > 0);
    if (count == 1)
        return modules[0];
    struct link_work w = {
        .parts = modules,
        .names = names,
        .part_count = count,
        .diag = diag,
        .arena = arena_create(),
    };
    map_init_strings(&w.symbols);
    map_init_pointers(&w.replaced);
    if (have_one_address_size(&w) && link_resolve(&w))
        out = join_modules(&w);
    map_fini(&w.symbols);
    map_fini(&w.replaced);
    for (size_t p = 0; p < count; p++)
        arena_join(w.arena, modules[p]->arena);
    if (!out)
        arena_destroy(w.arena);
    return out;
}

/* ---- what is missing --------------------------------------------------- */

struct undefined {
    struct map seen;
    void (*fn)(void *data, const struct ptx_func *f);
    void *data;
};

static void check_undefined(struct undefined *u, const struct ptx_func *f)
{
    if (!f || !f->is_declaration || f->is_prototype || map_find(&u->seen, f))
        return;
    /* Without memory, it is reported at each use. */
    (void)map_put(&u->seen, f, (void *)f);
    u->fn(u->data, f);
}

static void check_operand(struct undefined *u, const struct ptx_operand *o)
{
    check_undefined(u, o->func);
    for (unsigned i = 0; i < o->item_count; i++)
        check_operand(u, &o->items[i]);
}

static void check_relocs(struct undefined *u, const struct ptx_var *v)
{
    for (size_t i = 0; i < v->reloc_count; i++)
        check_undefined(u, v->relocs[i].func);
}

static void check_func(struct undefined *u, const struct ptx_func *f)
{
    for (size_t i = 0; i < f->var_count; i++)
        check_relocs(u, &f->vars[i]);
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        for (unsigned k = 0; k < inst->operand_count; k++)
            check_operand(u, &inst->operand[k]);
        if (inst->call)
            check_undefined(u, inst->call->func);
    }
}

void link_for_each_undefined(const struct ptx_module *m,
                             void (*fn)(void *data, const struct ptx_func *f),
                             void *data)
{
    struct undefined u = {.fn = fn, .data = data};
    map_init_pointers(&u.seen);
    for (size_t i = 0; i < m->func_count; i++)
        check_func(&u, m->funcs[i]);
    for (size_t i = 0; i < m->var_count; i++)
        check_relocs(&u, m->vars[i]);
    map_fini(&u.seen);
}
