/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Redundant flushes: registers that never hold a subnormal single. .ftz
 * flushes operands and results, so that the result of such an instruction need
 * not be flushed again. In kernels compiled with -use_fast_math most operands
 * are of this kind.
 *
 * A register counts if nothing that writes it, anywhere, gives a subnormal.
 */
#include "simt/plan/internal.h"

struct search {
    const struct ptx_func *func;
    bool *is_flushed; /* by register */
    bool has_changed;
};

static bool is_flushed_operand(const struct search *s,
                               const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_reg)
        return s->is_flushed[o->reg];
    uint32_t bits = (uint32_t)o->imm;
    return o->kind == PTX_OPERAND_imm &&
           ((bits & 0x7f800000) != 0 || (bits & 0x7fffffff) == 0);
}

static bool is_from_number(enum ptx_type from)
{
    /* The least half is a normal single. */
    return !ptx_type_is_float(from) || from == PTX_TYPE_f16;
}

static bool gives_no_subnormals(const struct search *s,
                                const struct ptx_inst *in)
{
    if (ptx_facts[in->op].nan == PTX_NAN_COMPUTES)
        return in->flags & PTX_FLAG_ftz && in->type[0] == PTX_TYPE_f32;
    switch (in->op) {
    case PTX_OP_cvt:
        return in->type[0] == PTX_TYPE_f32 && is_from_number(in->type[1]);
    case PTX_OP_mov:
        return ptx_type_size(in->type[0]) == 4 &&
               is_flushed_operand(s, &in->operand[1]);
    case PTX_OP_selp:
        return ptx_type_size(in->type[0]) == 4 &&
               is_flushed_operand(s, &in->operand[1]) &&
               is_flushed_operand(s, &in->operand[2]);
    default:
        return false;
    }
}

static void drop_reg(void *data, uint32_t reg)
{
    struct search *s = data;

    s->has_changed |= s->is_flushed[reg];
    s->is_flushed[reg] = false;
}

static const bool *find_flushed(const struct simt_kernel *k)
{
    const struct ptx_func *func = k->func;
    struct search s = {.func = func, .has_changed = true};

    s.is_flushed = arena_array(k->arena, bool, func->reg_count + 1);
    memset(s.is_flushed, true, func->reg_count + 1);
    while (s.has_changed) {
        s.has_changed = false;
        for (size_t i = 0; i < func->inst_count; i++)
            if (!gives_no_subnormals(&s, &func->insts[i]))
                ptx_for_each_def(&func->insts[i], drop_reg, &s);
    }
    return s.is_flushed;
}

/* ---- constants ----------------------------------------------------------- */

static void note_def(void *data, uint32_t reg)
{
    bool *has_def = data;
    has_def[reg] = true;
}

/* By register: is it written by something that is no constant? */
static const bool *find_variables(const struct simt_kernel *k)
{
    const struct ptx_func *f = k->func;
    bool *is_variable = arena_array(k->arena, bool, f->reg_count + 1);

    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        if (inst->op != PTX_OP_mov || inst->operand[1].kind != PTX_OPERAND_imm)
            ptx_for_each_def(inst, note_def, is_variable);
    }
    return is_variable;
}

/* Notes how many operands of an instruction need no flush, where code flushes
 * and not the machine. */
static void note_flushed(struct simt_plan *p, uint32_t i)
{
    const struct ptx_inst *inst = &p->k->func->insts[i];
    unsigned first = ptx_dest_count(inst), count = 0;

    if (p->flushes || !(inst->flags & PTX_FLAG_ftz) || !inst->type_count ||
        inst->type[inst->type_count - 1] != PTX_TYPE_f32)
        return;
    for (unsigned k = first; k < inst->operand_count; k++)
        count += inst->operand[k].kind == PTX_OPERAND_reg &&
                 p->is_flushed[inst->operand[k].reg];
    if (count)
        plan_note(p, (struct simt_note){.of = SIMT_OF_INST,
                                        .at = i,
                                        .decision = SIMT_DECIDED_FLUSHED,
                                        .number = count});
}

void plan_redundant_flushes(struct simt_plan *p)
{
    const struct ptx_func *f = p->k->func;
    bool has_ftz = false;

    assert(!p->is_flushed);
    for (size_t i = 0; i < f->inst_count && !has_ftz; i++)
        has_ftz = f->insts[i].flags & PTX_FLAG_ftz;
    if (!has_ftz)
        return;
    p->is_flushed = find_flushed(p->k);
    p->is_variable = find_variables(p->k);
    for (uint32_t i = 0; i < f->inst_count; i++)
        note_flushed(p, i);
}
