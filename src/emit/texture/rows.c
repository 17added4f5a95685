/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetches in row order, the way kernels walk over pictures: coordinates count
 * texels, each lane's is one more than the last lane's, and all lie inside.
 * Such a fetch is one load, and is made where the instruction stands.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"
#include "emit/core/values.h"

/* Numbers of texels as floats. */
struct corner {
    LLVMValueRef at[2];
    LLVMValueRef is_row; /* i1 */
};

static int64_t lane_number(int lane)
{
    return lane;
}

static LLVMValueRef side_field(struct emit *e, const struct emit_sample *s,
                               unsigned axis, size_t field, LLVMTypeRef type)
{
    size_t offset = offsetof(struct exec_texture, side) +
                    axis * sizeof(struct texture_side) + field;
    return emit_texture_field(e, s->texture, offset, type);
}

/* i1: 0 <= first and first + more < size; not for what is no number. */
static LLVMValueRef is_inside(struct emit *e, const struct emit_sample *s,
                              unsigned axis, LLVMValueRef first, unsigned more)
{
    LLVMValueRef size =
        side_field(e, s, axis, offsetof(struct texture_side, size), e->i32);
    size = ir_cast(e, LLVMSIToFP, ir_sub(e, size, ir_int(size, more)), e->f32);
    return ir_and(e, ir_fcmp(e, LLVMRealOGE, first, ir_real(first, 0)),
                  ir_fcmp(e, LLVMRealOLT, first, size));
}

static struct corner find_corner(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef lanes = emit_lane_const(e, e->i32, lane_number);
    LLVMValueRef step[2] = {ir_cast(e, LLVMSIToFP, lanes, e->f32), NULL};
    struct corner c = {.is_row = e->f->at.mask};
    step[1] = ir_real(step[0], 0);
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef texel = ir_unary(e, "llvm.floor", s->at[d]);
        c.at[d] = ir_extract(e, texel, 0);
        LLVMValueRef wanted =
            ir_fadd(e, ir_splat(e, c.at[d], e->lanes), step[d]);
        LLVMValueRef test = ir_fcmp(e, LLVMRealOEQ, texel, wanted);
        c.is_row = c.is_row ? ir_and(e, c.is_row, test) : test;
    }
    c.is_row = emit_all(e, c.is_row);
    for (unsigned d = 0; d < s->dims; d++)
        c.is_row = ir_and(e, c.is_row,
                          is_inside(e, s, d, c.at[d], d ? 0 : e->lanes - 1));
    return c;
}

static LLVMValueRef row_of(struct emit *e, const struct emit_sample *s,
                           const struct corner *c, unsigned bytes)
{
    LLVMValueRef data = TEXTURE_FIELD(e, s->texture, level[0].data, e->ptr);
    LLVMValueRef x = ir_cast(e, LLVMFPToSI, c->at[0], e->i64);
    LLVMValueRef at = ir_offset_by(e, data, ir_mul(e, x, ir_int(x, bytes)));
    if (s->dims == 1)
        return at;
    LLVMValueRef pitch =
        TEXTURE_FIELD(e, s->texture, level[0].pitch_bytes, e->i64);
    LLVMValueRef y = ir_cast(e, LLVMFPToSI, c->at[1], e->i64);
    return ir_offset_by(e, at, ir_mul(e, y, pitch));
}

/* Does the descriptor read one channel of this kind, point by point, at
 * coordinates that count texels? */
static LLVMValueRef is_of_points(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef path = TEXTURE_FIELD(e, s->texture, path, e->i32);
    LLVMValueRef grain =
        side_field(e, s, 0, offsetof(struct texture_side, grain), e->f32);
    LLVMValueRef wanted =
        ir_int(path, TEXTURE_PATH(s->kind, 1, s->dims, false));
    return ir_and(e, ir_icmp(e, LLVMIntEQ, path, wanted),
                  ir_fcmp(e, LLVMRealOGT, grain, ir_real(grain, 1 << 30)));
}

void emit_read_row(struct emit *e, struct emit_sample *s,
                   enum texture_path kind, LLVMBasicBlockRef done)
{
    bool is_byte = kind == TEXTURE_PATH_BYTES;
    LLVMBasicBlockRef points = emit_new_block(e, "points");
    LLVMBasicBlockRef row = emit_new_block(e, "row");
    LLVMBasicBlockRef other = emit_new_block(e, "other");
    s->kind = kind;
    emit_branch(e, is_of_points(e, s), points, other, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, points);
    struct corner c = find_corner(e, s);
    emit_branch(e, c.is_row, row, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, row);
    LLVMTypeRef t = LLVMVectorType(is_byte ? e->i8 : s->element, e->lanes);
    LLVMValueRef v =
        ir_load(e, t, row_of(e, s, &c, is_byte ? 1 : 4), is_byte ? 1 : 4);
    ir_store(e, is_byte ? ir_zext(e, v, e->i32) : v, s->out[0], 64);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, other);
}
