/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A varying 64-bit address is mostly a uniform base plus a 32-bit index times
 * the element's size. Gathers and scatters take that form directly, with twice
 * as many lanes at once as for whole addresses. So the plan says what such a
 * register consists of, from its definition to the end of its block.
 *
 * An instruction may be emitted three times, and the form is different each
 * time: in the full copy of a loop nothing is blended, and in cold code what
 * is affine elsewhere is a vector, too.
 */
#include "simt/plan/internal.h"

/* The form of a register at the point that the search has reached. */
struct known {
    bool is_known, has_base;
    int64_t scale, offset;
};

struct search {
    struct simt_plan *p;
    enum simt_copy copy;
    struct known *regs; /* by register */
    uint32_t *known_in; /* by register: the search in which `regs` holds */
    uint32_t count;     /* number of searches: one for each block and copy */
};

/* The form of an instruction's destination. */
struct form {
    struct simt_base_index of;
    struct known known;
};
static const struct form none;

static struct simt_shape shape_of(const struct search *s, uint32_t reg)
{
    return s->p->k->shapes[reg];
}

static bool is_vector(const struct search *s, const struct ptx_operand *o)
{
    if (o->kind != PTX_OPERAND_reg)
        return false;
    struct simt_shape shape = shape_of(s, o->reg);
    return s->copy == SIMT_COPY_COLD ? !simt_is_uniform(shape)
                                     : simt_is_varying(shape);
}

static struct known known_of(const struct search *s,
                             const struct ptx_operand *o)
{
    if (o->kind != PTX_OPERAND_reg || s->known_in[o->reg] != s->count)
        return (struct known){0};
    return s->regs[o->reg];
}

static struct form from_index(const struct search *s,
                              const struct ptx_operand *o, enum ptx_type type,
                              int64_t scale)
{
    assert(scale > 0);
    if (!is_vector(s, o))
        return none;
    return (struct form){.of = {.index = o, .type = type, .scale = scale},
                         .known = {.is_known = true, .scale = scale}};
}

static struct form plus_operand(const struct search *s, struct form f,
                                const struct ptx_operand *o)
{
    if (!f.known.is_known)
        return none;
    f.of.plus = o;
    if (o->kind == PTX_OPERAND_imm)
        f.known.offset += o->imm;
    else if (o->kind == PTX_OPERAND_reg && simt_is_uniform(shape_of(s, o->reg)))
        f.known.has_base = true;
    else
        return none;
    return f;
}

static struct form of_sum(const struct search *s, const struct ptx_operand *a,
                          const struct ptx_operand *b)
{
    const struct ptx_operand *index = is_vector(s, a) ? a : b;
    const struct ptx_operand *base = is_vector(s, a) ? b : a;

    if (!is_vector(s, index))
        return none;
    struct known known = known_of(s, index);
    if (!known.is_known)
        return plus_operand(s, from_index(s, index, PTX_TYPE_s64, 1), base);
    return plus_operand(s, (struct form){.of.sum = index, .known = known},
                        base);
}

static struct form shifted_form(const struct search *s,
                                const struct ptx_operand *a,
                                const struct ptx_operand *by)
{
    enum { SHIFT_MAX = 16 };
    struct known known = known_of(s, a);

    if (!known.is_known || known.has_base || known.offset ||
        by->kind != PTX_OPERAND_imm || by->imm < 0 || by->imm > SHIFT_MAX)
        return none;
    known.scale <<= by->imm;
    return (struct form){.of = {.sum = a, .shift = (unsigned)by->imm},
                         .known = known};
}

static struct form product_form(const struct search *s,
                                const struct ptx_inst *inst)
{
    const struct ptx_operand *by = &inst->operand[2];

    if (inst->half != PTX_HALF_wide || by->kind != PTX_OPERAND_imm ||
        ptx_type_size(inst->type[0]) != 4 || by->imm <= 0)
        return none;
    return from_index(s, &inst->operand[1], inst->type[0], by->imm);
}

static bool is_widening(const struct ptx_inst *inst)
{
    return ptx_type_size(inst->type[0]) == 8 &&
           ptx_type_size(inst->type[1]) == 4 &&
           !ptx_type_is_float(inst->type[0]) &&
           !ptx_type_is_float(inst->type[1]);
}

/* Other opcodes give no form: then whole addresses are used, which is always
 * right. */
static struct form form_of(const struct search *s, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    bool is_64 = inst->type_count > 0 && ptx_type_size(inst->type[0]) == 8;

    switch (inst->op) {
    case PTX_OP_cvt:
        return is_widening(inst) ? from_index(s, &o[1], inst->type[1], 1)
                                 : none;
    case PTX_OP_mul:
        return product_form(s, inst);
    case PTX_OP_mad:
        return plus_operand(s, product_form(s, inst), &o[3]);
    case PTX_OP_shl:
        return is_64 ? shifted_form(s, &o[1], &o[2]) : none;
    case PTX_OP_add:
        if (!is_64 || ptx_type_is_float(inst->type[0]) ||
            (inst->flags & PTX_FLAG_cc))
            return none;
        return of_sum(s, &o[1], &o[2]);
    default:
        return none;
    }
}

/* ---- what holds where ---------------------------------------------------- */

/* Is the destination a vector that all lanes get? In cold code: is it computed
 * there? */
static bool is_whole(const struct search *s, uint32_t i,
                     const struct ptx_inst *inst)
{
    const struct ptx_operand *d = &inst->operand[0];

    if (ptx_dest_count(inst) == 0 || d->kind != PTX_OPERAND_reg)
        return false;
    if (s->copy == SIMT_COPY_COLD)
        return s->p->regs[d->reg].remade_by == i + 1;
    bool is_blended =
        s->copy == SIMT_COPY_USUAL && s->p->k->inst_flags[i] & SIMT_BLEND;
    return simt_is_varying(shape_of(s, d->reg)) && !is_blended &&
           inst->guard == PTX_NO_REG && !(s->p->k->inst_flags[i] & SIMT_DEAD);
}

static void forget_reg(void *data, uint32_t reg)
{
    struct search *s = data;
    s->known_in[reg] = 0;
}

static void keep_form(struct search *s, uint32_t i, struct form f)
{
    struct simt_base_index *kept =
        arena_new(s->p->k->arena, struct simt_base_index);
    uint32_t reg = s->p->code[i]->operand[0].reg;

    assert(f.of.index || f.of.sum);
    *kept = f.of;
    s->p->insts[i].base_index[s->copy] = kept;
    s->regs[reg] = f.known;
    s->known_in[reg] = s->count;
}

/* ---- the notes ----------------------------------------------------------- */

/* May the lanes' addresses be needed one by one? */
static bool is_gather(const struct simt_access_plan *a)
{
    return a->way == SIMT_WAY_EACH && a->access.count > 0 &&
           simt_is_varying(a->access.shape) && simt_is_real(a->access.space);
}

static void note_access(const struct search *s, uint32_t i)
{
    const struct ptx_operand *o = ptx_address_of(s->p->code[i]);
    struct simt_note note = {
        .of = SIMT_OF_INST, .at = i, .decision = SIMT_DECIDED_BASE_INDEX};

    if (!is_gather(&s->p->insts[i].access) || !o || o->reg == PTX_NO_REG ||
        s->p->k->spec.lane_count == 1)
        return;
    if (s->known_in[o->reg] != s->count)
        note.reason = SIMT_REASON_NO_INDEX;
    else if (!s->regs[o->reg].has_base)
        note.reason = SIMT_REASON_NO_BASE;
    else
        note.number = s->regs[o->reg].scale;
    plan_note(s->p, note);
}

/* ---- the search ---------------------------------------------------------- */

static void search_block(struct search *s, uint32_t b, enum simt_copy copy)
{
    const struct simt_block *bb = &s->p->k->blocks[b];

    s->count++;
    s->copy = copy;
    for (uint32_t i = bb->first; i < bb->end; i++) {
        const struct ptx_inst *inst = s->p->code[i];
        if (!inst)
            continue;
        if (copy == SIMT_COPY_USUAL)
            note_access(s, i);
        struct form f = is_whole(s, i, inst) ? form_of(s, inst) : none;
        ptx_for_each_def(inst, forget_reg, s);
        if (f.known.is_known)
            keep_form(s, i, f);
    }
}

void plan_base_indices(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;
    struct search s = {.p = p};

    assert(p->regs);
    s.regs = arena_array(k->arena, struct known, k->func->reg_count + 1);
    s.known_in = arena_array(k->arena, uint32_t, k->func->reg_count + 1);
    for (uint32_t b = 0; b < k->block_count; b++) {
        search_block(&s, b, SIMT_COPY_USUAL);
        if (p->loops[b].has_full_copy)
            search_block(&s, b, SIMT_COPY_FULL);
        search_block(&s, b, SIMT_COPY_COLD);
    }
}
