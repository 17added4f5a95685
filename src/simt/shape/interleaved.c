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

/* A difference or comparison of two addresses in one variable is the same
 * however its words are arranged. */
static void check_inst(struct simt_addresses *a, const struct ptx_inst *in)
{
    simt_check_definitions(a, in);
    if (simt_result_into(a, in) || simt_compares_addresses(a, in))
        return;
    for (unsigned i = ptx_dest_count(in); i < in->operand_count; i++)
        if (!is_access(in) || &in->operand[i] != address_of(in))
            simt_tell_all(a, &in->operand[i], 1);
    if (in->call) {
        simt_tell_all(a, in->call->args, in->call->arg_count);
        simt_tell_all(a, in->call->rets, in->call->ret_count);
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

static void add_costs(const struct simt_kernel *k,
                      const struct simt_addresses *a,
                      const struct simt_block *b, struct costs *costs)
{
    unsigned depth = b->loop_depth < DEPTH_MAX ? b->loop_depth : DEPTH_MAX;

    for (uint32_t i = b->first; i < b->end; i++) {
        const struct ptx_inst *in = &k->func->insts[i];
        struct simt_span at;
        uint32_t var =
            is_access(in) ? simt_points_into(a, address_of(in), &at) : 0;
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

static void choose_words(struct simt_kernel *k, const struct simt_addresses *a)
{
    struct costs *costs =
        arena_array(k->arena, struct costs, k->func->var_count);

    for (uint32_t b = 0; b < k->block_count; b++)
        add_costs(k, a, &k->blocks[b], costs);
    for (size_t v = 0; v < k->func->var_count; v++) {
        unsigned best = 2;
        for (unsigned s = 0; s < WORD_SIZES; s++)
            if (costs[v].of[s] < costs[v].of[best])
                best = s;
        if (k->func->vars[v].space == PTX_SPACE_local && !a->is_told[v])
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

    if (k->spec.lane_count == 1 || !has_local(f))
        return;
    work->addresses = arena_new(k->arena, struct simt_addresses);
    *work->addresses = (struct simt_addresses){.func = f};
    simt_follow_addresses(k->arena, work->addresses);
    struct simt_addresses a = simt_same_addresses(k->arena, work->addresses);
    for (size_t i = 0; i < f->inst_count; i++)
        check_inst(&a, &f->insts[i]);
    k->interleaved_bytes = arena_array(k->arena, uint8_t, f->var_count);
    k->interleaved_var = a.into;
    choose_words(k, &a);
}

bool simt_is_interleaved(const struct simt_kernel *k, const struct ptx_var *var)
{
    return k->interleaved_bytes && simt_is_own_local(k->func, var) &&
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
