/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets a kernel ready: refuses what the interpreter does not know, and lays
 * out the shared window and every function's frame.
 */
#include "emu/internal.h"
#include "emu/matrix.h"
#include "ptx/effects.h"

#include <stdlib.h>

static bool is_known(const struct ptx_inst *in)
{
    return emu_ops[in->op].how != EMU_REFUSED;
}

/* False for forms of known instructions that the interpreter lacks. */
static bool is_known_form(const struct ptx_inst *in)
{
    if (in->op == PTX_OP_cp)
        return !(in->flags & PTX_FLAG_cp_mask);
    return !(in->op == PTX_OP_st && in->flags & PTX_FLAG_bulk);
}

static void *as_value(size_t offset)
{
    return (void *)(uintptr_t)(offset + 1);
}

static uint32_t align_up(uint32_t offset, unsigned align)
{
    if (align < 16)
        align = 16;
    return (offset + align - 1) / align * align;
}

struct builder {
    struct emu_kernel *k;
    struct diag *diag;
    bool ok;
    bool has_dynamic; /* an unsized shared array is named */
};

static void place_shared(struct builder *b, const struct ptx_var *var)
{
    struct emu_kernel *k = b->k;

    if (var->space != PTX_SPACE_shared)
        return;
    b->has_dynamic |= var->size_bytes == 0;
    if (var->size_bytes == 0 || map_find(&k->shared, var))
        return;
    k->shared_bytes = align_up(k->shared_bytes, var->align_bytes);
    b->ok &= map_put(&k->shared, var, as_value(k->shared_bytes));
    k->shared_bytes += (uint32_t)var->size_bytes;
}

static void place_in_frame(struct builder *b, const struct ptx_var *var,
                           uint32_t *bytes)
{
    *bytes = align_up(*bytes, var->align_bytes);
    b->ok &= map_put(&b->k->frames, var, as_value(*bytes));
    *bytes += (uint32_t)var->size_bytes;
}

static void visit_function(struct builder *b, const struct ptx_func *f);

static void visit_operand(struct builder *b, const struct ptx_operand *o)
{
    if (o->var)
        place_shared(b, o->var);
    if (o->func && !o->func->is_declaration)
        visit_function(b, o->func);
    for (unsigned i = 0; i < o->item_count; i++)
        visit_operand(b, &o->items[i]);
}

static void visit_call(struct builder *b, const struct ptx_inst *in)
{
    const struct ptx_func *f = in->call->func;
    const struct ptx_module *m = b->k->func->module;

    if (f && f->is_declaration && !emu_is_builtin(f)) {
        diag_report(b->diag, DIAG_ERROR, "PTX", in->line, in->column, NULL,
                    "call of '%s', which no module defines", f->name);
        b->ok = false;
    } else if (f && !f->is_declaration) {
        visit_function(b, f);
    } else if (!f) {
        for (size_t i = 0; i < m->func_count; i++)
            if (m->funcs[i]->is_address_taken && !m->funcs[i]->is_declaration)
                visit_function(b, m->funcs[i]);
    }
}

static void free_code(struct emu_code *c)
{
    if (!c)
        return;
    free(c->facts);
    free(c->masks);
    free(c);
}

/* See emu_fact. False for branches, for what threads may stop at, and for what
 * may change which thread runs next. */
static bool falls_through(const struct ptx_inst *in)
{
    bool is_access = in->op == PTX_OP_ld || in->op == PTX_OP_st;

    return ptx_only_computes(in) || (is_access && !emu_is_look(in));
}

static struct emu_fact fact_of(const struct ptx_inst *in)
{
    struct ptx_access unused[PTX_MAX_ACCESSES];

    return (struct emu_fact){
        .dest_count = (uint8_t)ptx_dest_count(in),
        .has_addresses = ptx_accesses(in, unused) > 0,
        .has_reach = ptx_reach_of(in).address != NULL,
    };
}

static struct emu_code *code_of(const struct ptx_func *f, uint32_t frame_bytes)
{
    struct emu_code *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->frame_bytes = frame_bytes;
    c->facts = calloc(f->inst_count + 1, sizeof *c->facts);
    c->masks = calloc(f->reg_count + 1, sizeof *c->masks);
    if (!c->facts || !c->masks) {
        free_code(c);
        return NULL;
    }
    for (size_t i = 0; i < f->inst_count; i++)
        c->facts[i] = fact_of(&f->insts[i]);
    for (size_t i = 0; i + 1 < f->inst_count; i++) /* the last one ends it */
        c->facts[i].falls_through = falls_through(&f->insts[i]);
    for (size_t i = 0; i < f->reg_count; i++)
        c->masks[i] = emu_truncate(f->regs[i].type, ~UINT64_C(0));
    return c;
}

static void visit_function(struct builder *b, const struct ptx_func *f)
{
    uint32_t bytes = 0;

    if (map_find(&b->k->codes, f))
        return;
    for (size_t i = 0; !f->is_entry && i < f->param_count; i++)
        place_in_frame(b, &f->params[i], &bytes);
    for (size_t i = 0; i < f->ret_count; i++)
        place_in_frame(b, &f->rets[i], &bytes);
    for (size_t i = 0; i < f->var_count; i++)
        if (f->vars[i].space == PTX_SPACE_local ||
            f->vars[i].space == PTX_SPACE_param)
            place_in_frame(b, &f->vars[i], &bytes);
    struct emu_code *code = code_of(f, bytes);
    if (!code || !map_put(&b->k->codes, f, code)) {
        free_code(code);
        b->ok = false;
        return;
    }
    code->before = b->k->last_code;
    b->k->last_code = code;

    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (!is_known(in) || !is_known_form(in) || !ptx_is_of_device(in)) {
            diag_report(b->diag, DIAG_ERROR, "PTX", in->line, in->column, NULL,
                        "the interpreter does not know '%s'",
                        is_known(in) ? in->spelling : ptx_op_name(in->op));
            b->ok = false;
        } else if (emu_is_matrix(in) && emu_refuse_matrix(in)) {
            diag_report(b->diag, DIAG_ERROR, "PTX", in->line, in->column, NULL,
                        "'%s' %s", in->spelling, emu_refuse_matrix(in));
            b->ok = false;
        }
        b->k->has_looks |= emu_is_look(in);
        for (unsigned j = 0; j < in->operand_count; j++)
            visit_operand(b, &in->operand[j]);
        if (in->op == PTX_OP_call)
            visit_call(b, in);
    }
}

/* Unsized extern arrays all start behind the sized variables. */
static void place_dynamic(struct builder *b)
{
    const struct ptx_module *m = b->k->func->module;
    uint32_t end = align_up(b->k->shared_bytes, 16);

    if (!b->has_dynamic)
        return;
    for (size_t i = 0; i < m->var_count; i++)
        if (m->vars[i]->space == PTX_SPACE_shared &&
            m->vars[i]->size_bytes == 0)
            end = align_up(end, m->vars[i]->align_bytes);
    for (size_t i = 0; i < m->var_count; i++)
        if (m->vars[i]->space == PTX_SPACE_shared &&
            m->vars[i]->size_bytes == 0)
            b->ok &= map_put(&b->k->shared, m->vars[i], as_value(end));
    b->k->shared_bytes = end;
}

/* WEFT_SEED: each number is another order of threads; 0 if it is not set. */
static uint64_t read_seed(void)
{
    const char *text = getenv("WEFT_SEED");
    return text ? strtoull(text, NULL, 0) : 0;
}

struct emu_kernel *emu_kernel_create(const struct ptx_func *func,
                                     struct diag *diag)
{
    struct emu_kernel *k = calloc(1, sizeof *k);
    struct builder b = {.k = k, .diag = diag, .ok = true};

    if (!k) {
        diag_error(diag, "out of memory");
        return NULL;
    }
    k->func = func;
    k->seed = read_seed();
    map_init_pointers(&k->shared);
    map_init_pointers(&k->frames);
    map_init_pointers(&k->codes);
    visit_function(&b, func);
    place_dynamic(&b);
    if (b.ok)
        return k;
    if (diag->error_count == 0)
        diag_error(diag, "out of memory");
    emu_kernel_destroy(k);
    return NULL;
}

void emu_kernel_destroy(struct emu_kernel *k)
{
    if (!k)
        return;
    map_fini(&k->shared);
    map_fini(&k->frames);
    while (k->last_code) {
        struct emu_code *c = k->last_code;
        k->last_code = c->before;
        free_code(c);
    }
    map_fini(&k->codes);
    free(k);
}

uint32_t emu_static_shared_bytes(const struct emu_kernel *k)
{
    return k->shared_bytes;
}
