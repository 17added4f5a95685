/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits a kernel's .shared variables to 48 KB; more has to be asked for at
 * the launch. What counts are its own, those of the functions it calls, and
 * those of the module that all these name. Gaps between variables do not
 * count, so that nothing is refused that fits in some order.
 *
 * Source: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability"; the assembler also counts what is never reached.
 */
#include "ptx/internal.h"

#define SHARED_BYTES_MAX 49152u

struct shared_sum {
    const struct ptx_module *m;
    bool *is_seen;    /* by function */
    bool *is_counted; /* by variable of the module */
    uint32_t *todo;   /* functions that are seen but not visited yet */
    size_t todo_count;
    size_t size_bytes;
};

size_t ptx_func_bytes(const struct ptx_func *f, enum ptx_space space)
{
    size_t size_bytes = 0;
    for (size_t i = 0; i < f->var_count; i++)
        if (f->vars[i].space == space)
            size_bytes += f->vars[i].size_bytes;
    return size_bytes;
}

size_t ptx_module_bytes(const struct ptx_module *m, enum ptx_space space)
{
    size_t size_bytes = 0;
    for (size_t i = 0; i < m->var_count; i++)
        if (m->vars[i]->space == space)
            size_bytes += m->vars[i]->size_bytes;
    return size_bytes;
}

/* All of the module, whoever names them. */
static size_t all_of_module(const struct ptx_module *m)
{
    size_t size_bytes = ptx_module_bytes(m, PTX_SPACE_shared);
    for (size_t i = 0; i < m->func_count; i++)
        if (!m->funcs[i]->alias_of)
            size_bytes += ptx_func_bytes(m->funcs[i], PTX_SPACE_shared);
    return size_bytes;
}

static void count_operand(struct shared_sum *s, const struct ptx_operand *o)
{
    const struct ptx_var *v = o->var;
    if (v && v->space == PTX_SPACE_shared && !v->owner &&
        !s->is_counted[v->index]) {
        s->is_counted[v->index] = true;
        s->size_bytes += v->size_bytes;
    }
    for (unsigned i = 0; i < o->item_count; i++)
        count_operand(s, &o->items[i]);
}

static void see_function(struct shared_sum *s, const struct ptx_func *f)
{
    if (f->is_prototype || s->is_seen[f->index])
        return;
    s->is_seen[f->index] = true;
    s->todo[s->todo_count++] = f->index;
}

static void count_function(struct shared_sum *s, const struct ptx_func *f)
{
    s->size_bytes += ptx_func_bytes(f, PTX_SPACE_shared);
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        for (unsigned o = 0; o < in->operand_count; o++)
            count_operand(s, &in->operand[o]);
        if (in->call && in->call->func)
            see_function(s, in->call->func);
    }
}

static size_t of_kernel(struct shared_sum *s, const struct ptx_func *kernel)
{
    s->size_bytes = 0;
    for (size_t i = 0; i < s->m->func_count; i++)
        s->is_seen[i] = false;
    for (size_t i = 0; i < s->m->var_count; i++)
        s->is_counted[i] = false;
    see_function(s, kernel);
    while (s->todo_count > 0)
        count_function(s, s->m->funcs[s->todo[--s->todo_count]]);
    return s->size_bytes;
}

bool check_shared_size(const struct ptx_module *m, const char *name,
                       struct diag *diag)
{
    struct shared_sum s = {.m = m};
    bool is_good = true;
    if (all_of_module(m) <= SHARED_BYTES_MAX) /* nearly always */
        return true;
    struct arena *a = arena_create();
    s.is_seen = arena_array(a, bool, m->func_count + 1);
    s.is_counted = arena_array(a, bool, m->var_count + 1);
    s.todo = arena_array(a, uint32_t, m->func_count + 1);
    for (size_t i = 0; i < m->func_count; i++) {
        const struct ptx_func *f = m->funcs[i];
        size_t size_bytes = f->is_entry && !f->alias_of ? of_kernel(&s, f) : 0;
        if (size_bytes <= SHARED_BYTES_MAX)
            continue;
        diag_report(diag, DIAG_ERROR, name, f->line, 0, NULL,
                    "`%s` has %zu bytes of .shared variables, %u are the "
                    "most; larger arrays are .extern and sized at the launch",
                    f->name, size_bytes, SHARED_BYTES_MAX);
        is_good = false;
    }
    arena_destroy(a);
    return is_good;
}
