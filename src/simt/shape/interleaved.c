/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interleaved local memory: word by word, each word of all lanes of a call
 * side by side, as a GPU keeps it. What the lanes read from one place in their
 * arrays is then one vector; with lane behind lane it would be a gather.
 *
 * That is possible where nothing can tell: the address of the variable goes
 * nowhere but into loads, stores and sums that stay addresses in the same
 * variable. Such an address is the place in the lane's own copy, so the same
 * for all lanes as long as they do not add different numbers to it. Emit makes
 * the real one of it (emit/memory/interleaved.c).
 *
 * The word is as long as most accesses are. Longer ones take several, shorter
 * ones a part of it, so accesses of all sizes may meet in one variable.
 *
 * Leaves: interleaved_bytes, interleaved_var.
 */
#include "simt/internal.h"

enum { WORD_SIZES = 4, DEPTH_MAX = 4 };

struct interleaving {
    struct simt_kernel *k;
    /* by register: 1 + the variable that it points into; 0: none */
    uint32_t *into;
    /* by variable: its address reaches a place where it can be seen */
    bool *is_told;
    bool has_grown;
};

static void mark_told(struct interleaving *w, uint32_t into)
{
    if (into)
        w->is_told[into - 1] = true;
}

static bool is_own(const struct ptx_func *f, const struct ptx_var *var)
{
    return var && var->space == PTX_SPACE_local && var >= f->vars &&
           var < f->vars + f->var_count;
}

/* 1 + the variable that the operand points into; 0: none. */
static uint32_t variable_of(const struct interleaving *w,
                            const struct ptx_operand *o)
{
    bool is_place =
        o->kind == PTX_OPERAND_var || o->kind == PTX_OPERAND_address;

    if ((is_place || o->kind == PTX_OPERAND_reg) && o->reg != PTX_NO_REG)
        return w->into[o->reg];
    return is_place && is_own(w->k->func, o->var)
               ? (uint32_t)(o->var - w->k->func->vars) + 1
               : 0;
}

static void tell_all(struct interleaving *w, const struct ptx_operand *o,
                     unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        mark_told(w, variable_of(w, &o[i]));
        tell_all(w, o[i].items, o[i].item_count);
    }
}

/* ---- what makes an address of an address -------------------------------- */

/* Bits of the sources that may be the address; 0: the result is no address. */
static unsigned address_sources(const struct ptx_inst *in)
{
    const enum ptx_type type = in->type[0];
    bool is_plain = in->operand[0].kind == PTX_OPERAND_reg &&
                    in->type_count == 1 && !ptx_type_is_float(type) &&
                    type != PTX_TYPE_pred && ptx_type_size(type) >= 4;

    if (!is_plain || in->flags & ~(uint64_t)PTX_FLAG_to)
        return 0;
    switch (in->op) {
    case PTX_OP_mov:
        return 1 << 1;
    case PTX_OP_cvta:
        return in->space == PTX_SPACE_local ? 1 << 1 : 0;
    case PTX_OP_sub:
        return 1 << 1;
    case PTX_OP_add:
    case PTX_OP_or: /* sets bits that are free by the variable's alignment */
    case PTX_OP_selp:
        return 1 << 1 | 1 << 2;
    case PTX_OP_mad:
        return in->half == PTX_HALF_lo || in->half == PTX_HALF_wide ? 1 << 3
                                                                    : 0;
    default:
        return 0;
    }
}

static bool is_source(const struct ptx_inst *in, unsigned i)
{
    return address_sources(in) >> i & 1;
}

static void point_into(struct interleaving *w, uint32_t reg, uint32_t var)
{
    assert(reg < w->k->func->reg_count);
    if (!var || w->into[reg] == var)
        return;
    if (w->into[reg]) { /* may point into either: then into none */
        mark_told(w, w->into[reg]);
        mark_told(w, var);
        return;
    }
    w->into[reg] = var;
    w->has_grown = true;
}

/* Finds all registers that may be addresses in a variable. */
static void follow_addresses(struct interleaving *w)
{
    const struct ptx_func *f = w->k->func;

    do {
        w->has_grown = false;
        for (size_t i = 0; i < f->inst_count; i++) {
            const struct ptx_inst *in = &f->insts[i];
            unsigned sources = address_sources(in);
            if (in->op == PTX_OP_sub && variable_of(w, &in->operand[2]))
                continue; /* a distance */
            for (unsigned s = 1; sources >> s; s++)
                if (sources >> s & 1)
                    point_into(w, in->operand[0].reg,
                               variable_of(w, &in->operand[s]));
        }
    } while (w->has_grown);
}

/* ---- where addresses go ------------------------------------------------- */

/* A difference or comparison of two addresses in one variable is the same
 * however its words are arranged. */
static bool is_within(const struct interleaving *w, const struct ptx_inst *in,
                      unsigned first)
{
    const struct ptx_operand *a = &in->operand[first], *b = a + 1;

    return ptx_type_size(in->type[0]) >= 4 && !ptx_type_is_float(in->type[0]) &&
           !(in->flags & PTX_FLAG_cc) && variable_of(w, a) &&
           variable_of(w, a) == variable_of(w, b);
}

/* 1 + the variable that the result certainly points into; 0: none, or the
 * address is combined with something else. */
static uint32_t result_var(const struct interleaving *w,
                           const struct ptx_inst *in)
{
    uint32_t found = 0;
    unsigned count = 0, all = in->op == PTX_OP_selp ? 2 : 1;

    for (unsigned i = 1; i < in->operand_count; i++) {
        uint32_t var = variable_of(w, &in->operand[i]);
        if (!var)
            continue;
        if (!is_source(in, i) || (found && var != found))
            return 0;
        found = var;
        count++;
    }
    return count == all ? found : 0;
}

static bool is_word(unsigned bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static bool is_access(const struct ptx_inst *in)
{
    const uint64_t harmless =
        PTX_FLAG_nc | PTX_FLAG_fresh | PTX_FLAG_cache_hint;

    return (in->op == PTX_OP_ld || in->op == PTX_OP_st) &&
           (in->space == PTX_SPACE_local || in->space == PTX_SPACE_generic) &&
           in->sem <= PTX_SEM_volatile && !(in->flags & ~harmless) &&
           is_word(ptx_type_size(in->type[in->type_count - 1]));
}

static const struct ptx_operand *address_of(const struct ptx_inst *in)
{
    return &in->operand[in->op == PTX_OP_ld ? 1 : 0];
}

struct definition {
    struct interleaving *w;
    uint32_t var; /* variable that the instruction's result points into */
};

static void check_definition(void *data, uint32_t reg)
{
    struct definition *d = data;
    if (d->w->into[reg] != d->var)
        mark_told(d->w, d->w->into[reg]);
}

static void check_inst(struct interleaving *w, const struct ptx_inst *in)
{
    struct definition d = {.w = w, .var = result_var(w, in)};
    unsigned dests = ptx_dest_count(in);

    ptx_for_each_def(in, check_definition, &d);
    if (d.var || (in->op == PTX_OP_setp && is_within(w, in, dests)) ||
        (in->op == PTX_OP_sub && is_within(w, in, 1)))
        return;
    for (unsigned i = dests; i < in->operand_count; i++)
        if (!is_access(in) || &in->operand[i] != address_of(in))
            tell_all(w, &in->operand[i], 1);
    if (in->call) {
        tell_all(w, in->call->args, in->call->arg_count);
        tell_all(w, in->call->rets, in->call->ret_count);
    }
}

/* ---- the word ----------------------------------------------------------- */

/* Cost of an element of `bytes` in words of another size. */
static unsigned element_cost(unsigned bytes, unsigned word, bool is_load)
{
    assert(word > 0);
    if (bytes == word)
        return 2;
    if (bytes > word) /* bytes at different places are stored one by one */
        return (word < 4 && !is_load ? 12 : 3) * bytes / word;
    return is_load ? 4 : 6; /* the rest of the word stays */
}

struct costs {
    uint64_t of[WORD_SIZES]; /* words of 1, 2, 4, 8 bytes */
};

static void add_costs(const struct interleaving *w, const struct simt_block *b,
                      struct costs *costs)
{
    unsigned depth = b->loop_depth < DEPTH_MAX ? b->loop_depth : DEPTH_MAX;

    for (uint32_t i = b->first; i < b->end; i++) {
        const struct ptx_inst *in = &w->k->func->insts[i];
        uint32_t var = is_access(in) ? variable_of(w, address_of(in)) : 0;
        if (!var)
            continue;
        unsigned bytes = ptx_type_size(in->type[in->type_count - 1]);
        unsigned count = ptx_vector_width(in);
        for (unsigned s = 0; s < WORD_SIZES; s++)
            costs[var - 1].of[s] +=
                (uint64_t)count *
                    element_cost(bytes, 1u << s, in->op == PTX_OP_ld)
                << 3 * depth;
    }
}

static void choose_words(struct interleaving *w)
{
    struct simt_kernel *k = w->k;
    struct costs *costs =
        arena_array(k->arena, struct costs, k->func->var_count);

    for (uint32_t b = 0; b < k->block_count; b++)
        add_costs(w, &k->blocks[b], costs);
    for (size_t v = 0; v < k->func->var_count; v++) {
        unsigned best = 2;
        for (unsigned s = 0; s < WORD_SIZES; s++)
            if (costs[v].of[s] < costs[v].of[best])
                best = s;
        if (k->func->vars[v].space == PTX_SPACE_local && !w->is_told[v])
            k->interleaved_bytes[v] = (uint8_t)(1u << best);
    }
}

static bool has_local(const struct ptx_func *f)
{
    for (size_t i = 0; i < f->var_count; i++)
        if (f->vars[i].space == PTX_SPACE_local)
            return true;
    return false;
}

void simt_find_interleaved(struct simt_work *work)
{
    struct simt_kernel *k = work->k;
    const struct ptx_func *f = k->func;
    struct interleaving w = {.k = k};

    if (k->spec.lane_count == 1 || !has_local(f))
        return;
    w.into = arena_array(k->arena, uint32_t, f->reg_count + 1);
    w.is_told = arena_array(k->arena, bool, f->var_count);
    follow_addresses(&w);
    for (size_t i = 0; i < f->inst_count; i++)
        check_inst(&w, &f->insts[i]);
    k->interleaved_bytes = arena_array(k->arena, uint8_t, f->var_count);
    k->interleaved_var = w.into;
    choose_words(&w);
}

bool simt_is_interleaved(const struct simt_kernel *k, const struct ptx_var *var)
{
    return k->interleaved_bytes && is_own(k->func, var) &&
           k->interleaved_bytes[var - k->func->vars];
}

const struct ptx_var *simt_interleaved_var(const struct simt_kernel *k,
                                           const struct ptx_operand *o)
{
    bool has_reg = o->reg != PTX_NO_REG && (o->kind == PTX_OPERAND_reg ||
                                            o->kind == PTX_OPERAND_address);
    const struct ptx_var *var = o->var;

    if (!k->interleaved_bytes)
        return NULL;
    if (has_reg)
        var = k->interleaved_var[o->reg]
                  ? &k->func->vars[k->interleaved_var[o->reg] - 1]
                  : NULL;
    return simt_is_interleaved(k, var) ? var : NULL;
}
