/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons of an affine integer with a uniform one, answered for all lanes
 * by the first and the last: with what lies between them in order, because
 * nothing has wrapped around, they are the extremes.
 */
#include "emit/core/control.h"
#include "emit/core/values.h"

/* setp cmp, affine, uniform. */
struct question {
    const struct ptx_operand *affine, *uniform;
    enum ptx_type type;
    enum ptx_cmp cmp;
};

/* The last instruction before `end` that writes the register. */
static const struct ptx_inst *last_def(const struct ptx_func *f, uint32_t first,
                                       uint32_t end, uint32_t reg)
{
    while (end > first) {
        if (ptx_defines(&f->insts[--end], reg))
            return &f->insts[end];
    }
    return NULL;
}

/* not (a cmp b), and b cmp a as a comparison of a with b; 0: not ordered. */
static const struct {
    enum ptx_cmp inverse, mirrored;
} related[] = {
    [PTX_CMP_lt] = {PTX_CMP_ge, PTX_CMP_gt},
    [PTX_CMP_le] = {PTX_CMP_gt, PTX_CMP_ge},
    [PTX_CMP_gt] = {PTX_CMP_le, PTX_CMP_lt},
    [PTX_CMP_ge] = {PTX_CMP_lt, PTX_CMP_le},
};

static bool is_affine(struct emit *e, const struct ptx_operand *o)
{
    if (o->kind != PTX_OPERAND_reg)
        return false;
    struct simt_shape s = emit_operand_shape(e, o);
    return !simt_is_varying(s) && s.stride != 0;
}

static bool is_uniform(struct emit *e, const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_imm ||
           (o->kind == PTX_OPERAND_reg &&
            simt_is_uniform(emit_operand_shape(e, o)));
}

/* Does p, as instructions [first, end) leave it, ask such a question? */
static bool find_question(struct emit *e, uint32_t first, uint32_t end,
                          uint32_t p, struct question *q)
{
    const struct ptx_func *f = e->f->k->func;
    const struct ptx_inst *inst = last_def(f, first, end, p);

    if (!inst || inst->op != PTX_OP_setp || inst->guard != PTX_NO_REG ||
        inst->sub != PTX_SUB_none || inst->operand[0].reg != p ||
        ptx_type_is_float(inst->type[0]) || ptx_type_size(inst->type[0]) < 4 ||
        inst->cmp >= ARRAY_COUNT(related) || !related[inst->cmp].inverse)
        return false;
    const struct ptx_operand *a = &inst->operand[ptx_dest_count(inst)];
    const struct ptx_operand *b = a + 1;
    *q = (struct question){a, b, inst->type[0], inst->cmp};
    if (!is_affine(e, a))
        *q =
            (struct question){b, a, inst->type[0], related[inst->cmp].mirrored};
    if (!is_affine(e, q->affine) || !is_uniform(e, q->uniform))
        return false;
    uint32_t behind = (uint32_t)(inst - f->insts) + 1;
    return !last_def(f, behind, end, q->affine->reg) &&
           (q->uniform->kind == PTX_OPERAND_imm ||
            !last_def(f, behind, end, q->uniform->reg));
}

/* lo <= hi, and the one that is nearer to the bound is on its right side. */
static LLVMValueRef ask(struct emit *e, const struct question *q,
                        LLVMValueRef lo, LLVMValueRef hi)
{
    bool is_below = q->cmp == PTX_CMP_lt || q->cmp == PTX_CMP_le;
    LLVMValueRef bound = emit_read_lane(e, q->uniform, q->type, 0);
    LLVMValueRef holds =
        emit_compare(e, q->cmp, q->type, is_below ? hi : lo, bound);
    return ir_and(e, holds, emit_compare(e, PTX_CMP_le, q->type, lo, hi));
}

LLVMValueRef emit_extremes_hold(struct emit *e, uint32_t first, uint32_t end,
                                uint32_t p, bool wanted)
{
    struct question q;

    if (!find_question(e, first, end, p, &q))
        return NULL;
    if (!wanted)
        q.cmp = related[q.cmp].inverse;
    struct simt_shape s = emit_operand_shape(e, q.affine);
    unsigned groups = emit_team_group_count(e, s);
    unsigned lanes = e->lanes * e->f->warps / groups;
    LLVMValueRef all = emit_ok(e, q.affine->reg);
    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef end_of[2];
        for (unsigned i = 0; i < 2; i++) {
            emit_select_lane(e, g * lanes + (i ? lanes - 1 : 0));
            end_of[i] = emit_read(e, q.affine, q.type);
        }
        bool rises = s.stride > 0;
        LLVMValueRef one = ask(e, &q, end_of[!rises], end_of[rises]);
        all = all ? ir_and(e, all, one) : one;
    }
    emit_select_lane(e, 0);
    e->f->at.lane = EMIT_ALL_LANES;
    return all;
}
