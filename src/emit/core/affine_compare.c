/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Affine comparisons (simt/plan/affine_compare.c): the first and the last lane
 * answer for all.
 */
#include "emit/core/control.h"
#include "emit/core/values.h"

/* lo <= hi, and the one nearer to the bound is on the bound's right side. */
static LLVMValueRef ask_compare(struct emit *e,
                                const struct simt_affine_compare *q,
                                LLVMValueRef lo, LLVMValueRef hi)
{
    assert(LLVMTypeOf(lo) == LLVMTypeOf(hi));
    bool is_below = q->cmp == PTX_CMP_lt || q->cmp == PTX_CMP_le;
    LLVMValueRef bound = emit_read_lane(e, q->uniform, q->type, 0);
    LLVMValueRef holds =
        emit_compare(e, q->cmp, q->type, is_below ? hi : lo, bound);
    return ir_and(e, holds, emit_compare(e, PTX_CMP_le, q->type, lo, hi));
}

LLVMValueRef emit_affine_compare(struct emit *e,
                                 const struct simt_affine_compare *q)
{
    assert(q->affine && q->uniform);
    assert(!simt_is_varying(emit_operand_shape(e, q->affine)));
    struct simt_shape s = emit_operand_shape(e, q->affine);
    unsigned groups = emit_coarse_group_count(e, s);
    unsigned lanes = e->lanes * e->f->warps / groups;
    LLVMValueRef all = emit_ok(e, q->affine->reg);
    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef end_of[2];
        for (unsigned i = 0; i < 2; i++) {
            emit_select_lane(e, g * lanes + (i ? lanes - 1 : 0));
            end_of[i] = emit_read(e, q->affine, q->type);
        }
        bool rises = s.stride > 0;
        LLVMValueRef one = ask_compare(e, q, end_of[!rises], end_of[rises]);
        all = all ? ir_and(e, all, one) : one;
    }
    emit_select_lane(e, 0);
    e->f->at.lane = EMIT_ALL_LANES;
    return all;
}
