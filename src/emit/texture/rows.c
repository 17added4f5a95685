/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetches in row order, the way kernels walk over pictures: coordinates count
 * texels, each lane's is one more than the last lane's, and all lie inside.
 * Such a fetch is one load, or four in blocks that are narrower than a warp,
 * and is made where the instruction stands.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"
#include "emit/core/values.h"

/* Lanes that are one row: the warp, or less in blocks that are narrower. */
#define PIECE_LANES 8
#define PIECES_MAX  (TEXTURE_LANES / PIECE_LANES)

/* Rows of so many lanes each, where they begin: numbers of texels as floats. */
struct rows {
    unsigned lanes, count;
    LLVMValueRef at[2][PIECES_MAX];
    LLVMValueRef are_rows; /* i1 */
};

static int64_t lane_number(int lane)
{
    return lane;
}

static int64_t lane_of_piece(int lane)
{
    return lane % PIECE_LANES;
}

static LLVMValueRef side_field(struct emit *e, const struct emit_sample *s,
                               unsigned axis, size_t field, LLVMTypeRef type)
{
    size_t offset = offsetof(struct texture_level, side) +
                    axis * sizeof(struct texture_side) + field;
    return emit_texture_field(e, s->level, offset, type);
}

static LLVMValueRef size_of(struct emit *e, const struct emit_sample *s,
                            unsigned axis, unsigned less)
{
    LLVMValueRef size =
        side_field(e, s, axis, offsetof(struct texture_side, size), e->i32);
    return ir_cast(e, LLVMSIToFP, ir_sub(e, size, ir_int(size, less)), e->f32);
}

/* 0 <= v < size; not for what is no number. */
static LLVMValueRef is_inside(struct emit *e, LLVMValueRef v, LLVMValueRef size)
{
    return ir_and(e, ir_fcmp(e, LLVMRealOGE, v, ir_real(v, 0)),
                  ir_fcmp(e, LLVMRealOLT, v, size));
}

/* One row: of all lanes, only the first has to be looked at. */
static struct rows find_row(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef lanes = emit_lane_const(e, e->i32, lane_number);
    LLVMValueRef step[2] = {ir_cast(e, LLVMSIToFP, lanes, e->f32), NULL};
    struct rows r = {.lanes = e->lanes, .count = 1};
    LLVMValueRef all = e->f->at.mask;
    step[1] = ir_real(step[0], 0);
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef texel = ir_unary(e, "llvm.floor", s->at[d]);
        LLVMValueRef first = r.at[d][0] = ir_extract(e, texel, 0);
        LLVMValueRef test =
            ir_fcmp(e, LLVMRealOEQ, texel,
                    ir_fadd(e, ir_splat(e, first, e->lanes), step[d]));
        all = all ? ir_and(e, all, test) : test;
    }
    r.are_rows = emit_all(e, all);
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef size = size_of(e, s, d, d ? 0 : e->lanes - 1);
        r.are_rows = ir_and(e, r.are_rows, is_inside(e, r.at[d][0], size));
    }
    return r;
}

static LLVMValueRef firsts_of_pieces(struct emit *e, LLVMValueRef v)
{
    int index[TEXTURE_LANES];
    for (int i = 0; i < TEXTURE_LANES; i++)
        index[i] = i - i % PIECE_LANES;
    return ir_shuffle(e, v, v, index, TEXTURE_LANES);
}

static struct rows find_pieces(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef lanes = emit_lane_const(e, e->i32, lane_of_piece);
    LLVMValueRef step[2] = {ir_cast(e, LLVMSIToFP, lanes, e->f32), NULL};
    struct rows r = {.lanes = PIECE_LANES, .count = PIECES_MAX};
    LLVMValueRef all = e->f->at.mask;
    step[1] = ir_real(step[0], 0);
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef texel = ir_unary(e, "llvm.floor", s->at[d]);
        LLVMValueRef size = ir_splat(e, size_of(e, s, d, 0), e->lanes);
        LLVMValueRef test =
            ir_fcmp(e, LLVMRealOEQ, texel,
                    ir_fadd(e, firsts_of_pieces(e, texel), step[d]));
        test = ir_and(e, test, is_inside(e, texel, size));
        all = all ? ir_and(e, all, test) : test;
        for (unsigned i = 0; i < r.count; i++)
            r.at[d][i] = ir_extract(e, texel, i * PIECE_LANES);
    }
    r.are_rows = emit_all(e, all);
    return r;
}

static LLVMValueRef row_of(struct emit *e, const struct emit_sample *s,
                           const struct rows *r, unsigned i, unsigned bytes)
{
    LLVMValueRef data = LEVEL_FIELD(e, s, data, e->ptr);
    LLVMValueRef x = ir_cast(e, LLVMFPToSI, r->at[0][i], e->i64);
    LLVMValueRef at = ir_offset_by(e, data, ir_mul(e, x, ir_int(x, bytes)));
    if (s->dims == 1)
        return at;
    LLVMValueRef pitch = LEVEL_FIELD(e, s, pitch_bytes, e->i64);
    LLVMValueRef y = ir_cast(e, LLVMFPToSI, r->at[1][i], e->i64);
    return ir_offset_by(e, at, ir_mul(e, y, pitch));
}

/* Goes on where they are no rows. */
static void load_rows(struct emit *e, const struct emit_sample *s,
                      const struct rows *r, LLVMBasicBlockRef done)
{
    bool is_byte = s->kind == TEXTURE_PATH_BYTES;
    unsigned bytes = is_byte ? 1 : 4;
    LLVMBasicBlockRef row = emit_new_block(e, "row");
    LLVMBasicBlockRef other = emit_new_block(e, "no.row");
    LLVMValueRef piece[PIECES_MAX];
    emit_branch(e, r->are_rows, row, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, row);
    for (unsigned i = 0; i < r->count; i++)
        piece[i] =
            ir_load(e, LLVMVectorType(is_byte ? e->i8 : s->element, r->lanes),
                    row_of(e, s, r, i, bytes), bytes);
    LLVMValueRef v = ir_concat(e, piece, r->count);
    ir_store(e, is_byte ? ir_zext(e, v, e->i32) : v, s->out[0], 64);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, other);
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
    LLVMBasicBlockRef points = emit_new_block(e, "points");
    LLVMBasicBlockRef other = emit_new_block(e, "other");
    s->kind = kind;
    emit_branch(e, is_of_points(e, s), points, other, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, points);
    struct rows r = find_row(e, s);
    load_rows(e, s, &r, done);
    r = find_pieces(e, s);
    load_rows(e, s, &r, done);
    LLVMBuildBr(e->b, other);
    LLVMPositionBuilderAtEnd(e->b, other);
}
