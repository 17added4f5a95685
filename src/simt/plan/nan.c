/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NaN canonicalisation for singles. On a GPU every computed NaN is 0x7fffffff.
 * CPUs keep an operand's payload, and their own NaN is negative. Arithmetic
 * does not see the difference, so nothing is done until a register's bits are
 * used: stored, moved to integers, converted to a double.
 *
 * A register whose definitions all compute is canonicalised when its bits are
 * used. If other definitions copy values from elsewhere (a load), their
 * payloads have to stay, so what is computed into it is canonicalised at once,
 * except in loops, where sums are of this kind and would take three times as
 * long. Stores to shared and local memory do not canonicalise: sums in shared
 * memory would take half as long again.
 */
#include "simt/plan/internal.h"

enum role {
    COMPUTES, /* gives the canonical NaN, or a number */
    NUMBERS,  /* gives only numbers */
    COPIES,
    OTHER, /* gives anything */
};

struct part {
    enum role role;
    bool looks; /* uses the bits of its sources */
};

static bool is_other_half(enum ptx_type t)
{
    return t == PTX_TYPE_f16 || t == PTX_TYPE_f16x2 || t == PTX_TYPE_bf16 ||
           t == PTX_TYPE_bf16x2;
}

static struct part part_of_cvt(const struct ptx_inst *inst)
{
    enum ptx_type to = inst->type[0], from = inst->type[1];
    bool is_plain = inst->rnd == PTX_RND_none &&
                    !(inst->flags & (PTX_FLAG_ftz | PTX_FLAG_sat));

    if (to == PTX_TYPE_f32 && from == PTX_TYPE_f32)
        return (struct part){is_plain ? COPIES : COMPUTES, false};
    if (to == PTX_TYPE_f32 && !ptx_type_is_float(from))
        return (struct part){NUMBERS, true};
    if (to == PTX_TYPE_f32 && from == PTX_TYPE_f16)
        return (struct part){COMPUTES, true};
    return (struct part){OTHER,
                         from != PTX_TYPE_f32 ||
                             (ptx_type_is_float(to) && !is_other_half(to))};
}

static bool is_word_copy(const struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operand[i].kind == PTX_OPERAND_vector)
            return false;
    return ptx_type_size(inst->type[0]) == 4;
}

static struct part part_of(const struct ptx_inst *inst)
{
    static const struct part other = {OTHER, true};
    bool is_single = inst->type_count > 0 && inst->type[0] == PTX_TYPE_f32;

    switch (ptx_facts[inst->op].nan) {
    case PTX_NAN_COMPUTES:
        return is_single ? (struct part){COMPUTES, false} : other;
    case PTX_NAN_TESTS:
        return (struct part){OTHER, !is_single};
    case PTX_NAN_CHOOSES:
        return (struct part){NUMBERS, inst->type[1] != PTX_TYPE_f32};
    case PTX_NAN_ADDS:
        return (struct part){OTHER, !is_single || inst->sub != PTX_SUB_add};
    case PTX_NAN_CONVERTS:
        return part_of_cvt(inst);
    case PTX_NAN_COPIES:
        return is_word_copy(inst) ? (struct part){COPIES, false} : other;
    case PTX_NAN_STORES:
        return (struct part){OTHER, inst->space != PTX_SPACE_shared &&
                                        inst->space != PTX_SPACE_local};
    default:
        return other;
    }
}

/* ---- what registers hold ----------------------------------------------- */

struct search {
    const struct ptx_func *func;
    uint8_t *is; /* by register */
    uint8_t set; /* for add() */
    bool has_changed;
};

static void add_fact(void *data, uint32_t reg)
{
    struct search *s = data;
    uint8_t is = s->is[reg] | s->set;

    s->has_changed |= is != s->is[reg];
    s->is[reg] = is;
}

/* Origins of what a copy takes, from the operands that are its value. */
static uint8_t of_sources(const struct search *s, const struct ptx_inst *inst)
{
    unsigned first = ptx_dest_count(inst);
    unsigned end = first + (inst->op == PTX_OP_selp ? 2 : 1);
    uint8_t is = 0;

    for (unsigned i = first; i < end; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        bool is_nan =
            (o->imm & INT32_MAX) > 0x7f800000 && (uint32_t)o->imm != 0x7fffffff;
        if (o->kind == PTX_OPERAND_reg)
            is |= s->is[o->reg] & (SIMT_NAN_COMPUTED | SIMT_NAN_OTHER);
        else if (o->kind != PTX_OPERAND_imm || is_nan)
            is |= SIMT_NAN_OTHER;
    }
    return is;
}

static uint8_t seen_of(const struct search *s, const struct ptx_inst *inst)
{
    const struct ptx_operand *d = &inst->operand[0];

    return d->kind == PTX_OPERAND_reg ? s->is[d->reg] & SIMT_NAN_SEEN : 0;
}

static void search_defs(struct search *s, const struct ptx_inst *inst)
{
    switch (part_of(inst).role) {
    case COMPUTES:
        s->set = SIMT_NAN_COMPUTED;
        break;
    case COPIES:
        s->set = of_sources(s, inst);
        break;
    case NUMBERS:
        s->set = 0;
        break;
    default:
        s->set = SIMT_NAN_OTHER;
        break;
    }
    ptx_for_each_def(inst, add_fact, s);
}

static void search_uses(struct search *s, const struct ptx_inst *inst)
{
    struct part part = part_of(inst);

    s->set = part.looks            ? SIMT_NAN_SEEN
             : part.role == COPIES ? seen_of(s, inst)
                                   : 0;
    if (s->set)
        ptx_for_each_use(inst, add_fact, s);
}

static bool computes_singles(const struct ptx_func *func)
{
    for (size_t i = 0; i < func->inst_count; i++)
        if (part_of(&func->insts[i]).role == COMPUTES)
            return true;
    return false;
}

/* SIMT_NAN_* for each register. */
static const uint8_t *find_origins(const struct simt_kernel *k)
{
    const struct ptx_func *func = k->func;
    struct search s = {.func = func, .has_changed = true};

    if (!computes_singles(func))
        return NULL;
    s.is = arena_array(k->arena, uint8_t, func->reg_count + 1);
    while (s.has_changed) {
        s.has_changed = false;
        for (size_t i = 0; i < func->inst_count; i++)
            search_defs(&s, &func->insts[i]);
        for (size_t i = func->inst_count; i-- > 0;)
            search_uses(&s, &func->insts[i]);
    }
    return s.is;
}

/* Decides what an instruction does about NaNs. Nothing in loops, where sums
 * would take three times as long. */
static void plan_inst(struct simt_plan *p, uint32_t b, uint32_t i)
{
    const struct ptx_inst *inst =
        p->code[i] ? p->code[i] : &p->k->func->insts[i];
    struct part part = part_of(inst);
    const struct ptx_operand *d = &inst->operand[0];
    const uint8_t both = SIMT_NAN_OTHER | SIMT_NAN_SEEN;
    bool is_kept = d->kind == PTX_OPERAND_reg &&
                   (p->nans[d->reg] & both) == both &&
                   p->k->blocks[b].loop_depth == 0;

    assert(p->nans && i < p->k->func->inst_count);
    p->insts[i].looks = part.looks || (part.role == COPIES && is_kept);
    p->insts[i].makes_nan = part.role == COMPUTES && is_kept;
    if (p->insts[i].makes_nan)
        plan_take(p, i, SIMT_DECIDED_CANONICAL_NAN);
}

void plan_nans(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    p->nans = find_origins(k);
    if (!p->nans)
        return;
    plan_for_each_inst(k, b, i) plan_inst(p, b, i);
}
