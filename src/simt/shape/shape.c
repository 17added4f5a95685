/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives every register its shape: an optimistic fixed point, from "no
 * definition seen" down to varying. A register's shape is the meet of what
 * its definitions give; one that has to be blended (forced_varying) is
 * varying, whatever was written.
 *
 * Source: Karrenberg & Hack, "Whole-function vectorization", CGO 2011.
 */
#include "simt/internal.h"

static struct simt_value meet_values(struct simt_value a, struct simt_value b)
{
    static const struct simt_value varying = {.is_known = true};

    if (!a.is_known)
        return b;
    if (!b.is_known)
        return a;
    if (simt_is_varying(a.shape) || simt_is_varying(b.shape) ||
        a.shape.stride != b.shape.stride)
        return varying;
    unsigned group =
        a.shape.group < b.shape.group ? a.shape.group : b.shape.group;
    a = simt_view(a, group);
    b = simt_view(b, group);
    if (b.zeros < a.zeros)
        a.zeros = b.zeros;
    a.shape.is_conditional |= b.shape.is_conditional;
    return a;
}

static bool is_same(struct simt_value a, struct simt_value b)
{
    return a.is_known == b.is_known && a.shape.group == b.shape.group &&
           a.shape.stride == b.shape.stride &&
           a.shape.is_conditional == b.shape.is_conditional &&
           a.zeros == b.zeros;
}

struct visit {
    struct simt_work *w;
    const struct ptx_inst *in;
    uint32_t inst;
    bool changed;
};

/* Predicates, and registers written in parts, are only uniform or varying. */
static struct simt_value restrict_to(struct visit *v, uint32_t reg,
                                     struct simt_value value)
{
    static const struct simt_value varying = {.is_known = true};
    const struct ptx_reg *r = &v->w->k->func->regs[reg];

    assert(reg < v->w->k->func->reg_count);
    if (!value.is_known)
        return value;
    if (r->type == PTX_TYPE_pred && !simt_is_uniform(value.shape))
        return varying;
    if (bits_has(v->w->forced_varying, reg))
        return varying;
    if (v->in->guard != PTX_NO_REG && !v->w->speculation) {
        struct simt_value guard = v->w->values[v->in->guard];
        if (!guard.is_known)
            return guard;
        if (!simt_is_uniform(guard.shape))
            return varying;
    }
    return value;
}

static void update_register(void *data, uint32_t reg)
{
    struct visit *v = data;
    struct simt_work *w = v->w;
    unsigned bits = ptx_type_bits(w->k->func->regs[reg].type);
    struct simt_value value =
        simt_transfer(w, v->in, bits, &w->k->inst_flags[v->inst]);

    struct simt_value old = w->values[reg], next = restrict_to(v, reg, value);
    value = meet_values(old, next);
    if (w->speculation == SIMT_SPECULATE_MOSTLY && value.is_known &&
        simt_is_varying(value.shape))
        value = simt_speculate_either(old, next);
    if (is_same(value, w->values[reg]))
        return;
    w->values[reg] = value;
    v->changed = true;
}

/* Registers that nothing reachable defines: any value will do, so a uniform
 * one. */
static void settle_undefined(struct simt_work *w)
{
    for (size_t r = 0; r < w->k->func->reg_count; r++)
        if (!w->values[r].is_known)
            w->values[r] = (struct simt_value){
                .is_known = true, .shape = {.group = SIMT_ALL_LANES}};
}

bool simt_find_shapes(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    struct visit v = {.w = w};
    bool any = false;

    for (int round = 0; round < 2; round++) {
        do {
            v.changed = false;
            for (uint32_t b = 0; b < k->block_count; b++)
                for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end;
                     i++) {
                    v.in = &k->func->insts[i];
                    v.inst = i;
                    ptx_for_each_def(v.in, update_register, &v);
                }
            any |= v.changed;
        } while (v.changed);
        settle_undefined(w); /* this may affect others: once more */
    }
    return any;
}

static struct simt_work with_speculation(const struct simt_work *w,
                                         enum simt_speculation how)
{
    struct simt_kernel *k = w->k;
    uint8_t *flags = k->inst_flags;
    struct simt_work guess = *w;

    assert(how != SIMT_SPECULATE_NOTHING);
    guess.speculation = how;
    guess.values =
        arena_array(k->arena, struct simt_value, k->func->reg_count + 1);
    guess.forced_varying = arena_array(k->arena, uint64_t, w->reg_words);
    k->inst_flags = arena_array(k->arena, uint8_t, k->func->inst_count);
    simt_find_shapes(&guess);
    k->inst_flags = flags;
    return guess;
}

/* Finds shapes of addresses. True: there is one that is not known. */
static bool find_addresses(struct simt_work *w, struct simt_shape *out)
{
    const struct ptx_func *f = w->k->func;
    bool any = false;

    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_operand *o = ptx_address_of(&f->insts[i]);
        if (!o)
            continue;
        out[i] = simt_address_value(w, o).shape;
        any |= simt_is_varying(out[i]);
    }
    return any;
}

void simt_find_speculative_shapes(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    const struct ptx_func *f = k->func;
    struct simt_work guess = with_speculation(w, SIMT_SPECULATE_TOGETHER);

    k->speculative = arena_array(k->arena, struct simt_shape, f->reg_count + 1);
    k->speculative_address =
        arena_array(k->arena, struct simt_shape, f->inst_count);
    k->optimistic_address = k->speculative_address;
    for (size_t r = 0; r < f->reg_count; r++)
        k->speculative[r] = guess.values[r].shape;
    if (!find_addresses(&guess, k->speculative_address))
        return;
    guess = with_speculation(w, SIMT_SPECULATE_MOSTLY);
    k->optimistic_address =
        arena_array(k->arena, struct simt_shape, f->inst_count);
    find_addresses(&guess, k->optimistic_address);
}
