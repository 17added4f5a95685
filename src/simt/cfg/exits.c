/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which calls may not return for all lanes: calls of functions that have an
 * `exit`, or call one that has. An exit behind something that never returns is
 * there for the assembler only.
 */
#include "simt/internal.h"

static bool call_reaches_exit(const struct ptx_module *m,
                              const struct ptx_inst *in, uint64_t *seen);

static const struct {
    const char *name;
    enum { RETURNS, ENDS } flow;
} builtins[] = {
#define BUILTIN(name, helper, result, parameters, extra, flow) {name, flow},
#include "abi/builtins.def"
};

/* Is f one of our functions that end the grid? */
static bool ends_grid(const struct ptx_func *f)
{
    for (size_t i = 0; i < ARRAY_COUNT(builtins); i++)
        if (f->is_declaration && strcmp(f->name, builtins[i].name) == 0)
            return builtins[i].flow == ENDS;
    return false;
}

static bool never_returns(const struct ptx_inst *in)
{
    if (in->guard != PTX_NO_REG)
        return false;
    if (ptx_facts[in->op].flow == PTX_FLOW_TRAPS)
        return true;
    const struct ptx_func *f = in->call ? in->call->func : NULL;
    return f && (f->is_noreturn || ends_grid(f));
}

/* Is there an exit in f or its callees? Functions in `seen` have been
 * visited. */
static bool reaches_exit(const struct ptx_func *f, uint64_t *seen)
{
    if (bits_has(seen, f->index))
        return false;
    bits_add(seen, f->index);
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (in->op == PTX_OP_exit && !(i > 0 && never_returns(in - 1)))
            return true;
        if (in->op == PTX_OP_call && call_reaches_exit(f->module, in, seen))
            return true;
    }
    return false;
}

static bool call_reaches_exit(const struct ptx_module *m,
                              const struct ptx_inst *in, uint64_t *seen)
{
    if (in->call->func)
        return reaches_exit(in->call->func, seen);
    for (size_t i = 0; i < m->func_count; i++)
        if (m->funcs[i]->is_address_taken && !m->funcs[i]->is_entry &&
            reaches_exit(m->funcs[i], seen))
            return true;
    return false;
}

bool simt_call_may_exit(struct simt_work *w, const struct ptx_inst *in)
{
    const struct ptx_module *m = w->k->module;

    if (in->op != PTX_OP_call)
        return false;
    const void *target =
        in->call->func ? (const void *)in->call->func : (const void *)m;
    uintptr_t known = (uintptr_t)map_find(&w->exits, target);
    if (known == 0) {
        uint64_t *seen =
            arena_array(w->k->arena, uint64_t, bits_words(m->func_count + 1));
        known = call_reaches_exit(m, in, seen) ? 2 : 1;
        must_have_memory(map_put(&w->exits, target, (void *)known));
    }
    return known == 2;
}
