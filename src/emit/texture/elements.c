/* SPDX-License-Identifier: Apache-2.0 */
/* Textures over linear memory: elements of one, two or four words by number,
 * loaded if they are side by side, otherwise gathered. */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"
#include "emit/core/values.h"

/* i1: every lane is active and inside, and reads the element behind the last
 * lane's. */
static LLVMValueRef is_row(struct emit *e, LLVMValueRef index,
                           LLVMValueRef is_inside)
{
    LLVMValueRef first = ir_extract(e, index, 0);
    LLVMValueRef lanes = emit_lane_const(e, e->i32, emit_lane_number);
    LLVMValueRef wanted = ir_add(e, ir_splat(e, first, e->lanes), lanes);
    return emit_all(e,
                    ir_and(e, is_inside, ir_icmp(e, LLVMIntEQ, index, wanted)));
}

static void load_row(struct emit *e, const struct emit_sample *s,
                     LLVMValueRef data, LLVMValueRef index)
{
    LLVMValueRef first = ir_zext(e, ir_extract(e, index, 0), e->i64);
    LLVMValueRef p = ir_offset_by(e, data, ir_mul(e, first, ir_int(first, 4)));
    LLVMTypeRef t = LLVMVectorType(s->element, e->lanes);
    ir_store(e, ir_load(e, t, p, 4), s->out[0], 64);
}

static void gather_elements(struct emit *e, const struct emit_sample *s,
                            LLVMValueRef data, LLVMValueRef index,
                            LLVMValueRef is_inside)
{
    LLVMTypeRef t = LLVMVectorType(s->element, e->lanes);
    LLVMValueRef word = ir_mul(e, index, ir_int(index, s->channels));
    for (unsigned c = 0; c < s->channels; c++) {
        LLVMValueRef base = ir_offset(e, data, 4 * c);
        LLVMValueRef p = LLVMBuildGEP2(e->b, s->element, base, &word, 1, "");
        ir_store(e, emit_gather_at(e, p, is_inside, t), s->out[c], 64);
    }
}

void emit_read_elements(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef index = s->at[0];
    LLVMValueRef size = LEVEL_FIELD(e, s, side[0].size, e->i32);
    LLVMValueRef data = LEVEL_FIELD(e, s, data, e->ptr);
    LLVMValueRef is_inside =
        ir_icmp(e, LLVMIntULT, index, ir_splat(e, size, e->lanes));
    LLVMBasicBlockRef done = emit_new_block(e, "elements");
    if (e->f->at.mask)
        is_inside = ir_and(e, is_inside, e->f->at.mask);
    if (s->channels == 1) {
        LLVMBasicBlockRef row = emit_new_block(e, "row");
        LLVMBasicBlockRef any = emit_new_block(e, "any");
        emit_branch(e, is_row(e, index, is_inside), row, any, EMIT_EVEN);
        LLVMPositionBuilderAtEnd(e->b, row);
        load_row(e, s, data, index);
        LLVMBuildBr(e->b, done);
        LLVMPositionBuilderAtEnd(e->b, any);
    }
    gather_elements(e, s, data, index, is_inside);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}
