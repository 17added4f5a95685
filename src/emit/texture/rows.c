/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetches in row order, as kernels go over pictures: coordinates count texels,
 * each lane's is one more than the last lane's, and all are inside. Such a
 * fetch is one load, or four in blocks that are narrower than a warp, at the
 * place of the instruction. Mostly coordinates are converted integers of known
 * shape: then only the first one is tested.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "simt/plan/plan.h"

/* Lanes in one row: the warp, or fewer in narrower blocks. */
#define PIECE_LANES 8
#define PIECES_MAX  (TEXTURE_LANES / PIECE_LANES)

/* Rows of so many lanes each, and the texels (i64) where they begin. */
struct rows {
    unsigned lanes, count;
    LLVMValueRef at[2][PIECES_MAX];
    LLVMValueRef are_rows; /* i1 */
    bool is_whole;         /* only one row fits the first coordinate */
};

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

/* 0 <= v < size; false for a NaN. */
static LLVMValueRef is_inside(struct emit *e, LLVMValueRef v, LLVMValueRef size)
{
    return ir_and(e, ir_fcmp(e, LLVMRealOGE, v, ir_real(v, 0)),
                  ir_fcmp(e, LLVMRealOLT, v, size));
}

/* ---- whole numbers --------------------------------------------------------
 *
 * An integer becomes a float just before the fetch, and half a texel may be
 * added to it: the texel is the integer.
 */

/* The register's last definition before the fetch, in its block. */
static const struct ptx_inst *last_definition(struct emit *e, uint32_t reg)
{
    const struct simt_kernel *k = e->f->k;
    const struct simt_block *b = &k->blocks[e->f->at.block];
    assert(b->first <= e->f->at.index);
    for (uint32_t i = e->f->at.index; i > b->first; i--) {
        const struct ptx_inst *inst = &k->func->insts[i - 1];
        if (ptx_defines(inst, reg))
            return inst->guard == PTX_NO_REG ? inst : NULL;
    }
    return NULL;
}

/* Less than a texel, so that it may be added anywhere in a texture. */
static bool is_part(const struct ptx_operand *o)
{
    if (o->kind != PTX_OPERAND_imm)
        return false;
    uint32_t bits = (uint32_t)o->imm;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v >= 0 && v <= 0.75f;
}

/* Does the register have the same value at the fetch as at `inst`? */
static bool is_kept(struct emit *e, const struct ptx_inst *inst, uint32_t reg)
{
    const struct ptx_inst *fetch = &e->f->k->func->insts[e->f->at.index];
    for (const struct ptx_inst *i = inst; i < fetch; i++)
        if (ptx_defines(i, reg))
            return false;
    return true;
}

/* The integer that the coordinate is made from; NULL: none. */
static const struct ptx_operand *whole_number(struct emit *e,
                                              const struct ptx_operand *at)
{
    if (at->kind != PTX_OPERAND_reg)
        return NULL;
    const struct ptx_inst *inst = last_definition(e, at->reg);
    if (inst && inst->op == PTX_OP_add && inst->type[0] == PTX_TYPE_f32 &&
        !(inst->flags & PTX_FLAG_sat) && is_part(&inst->operand[2]) &&
        inst->operand[1].kind == PTX_OPERAND_reg &&
        is_kept(e, inst, inst->operand[1].reg))
        inst = last_definition(e, inst->operand[1].reg);
    if (!inst || inst->op != PTX_OP_cvt || inst->type[0] != PTX_TYPE_f32 ||
        (inst->type[1] != PTX_TYPE_s32 && inst->type[1] != PTX_TYPE_u32) ||
        inst->flags & PTX_FLAG_sat ||
        inst->operand[1].kind != PTX_OPERAND_reg ||
        !is_kept(e, inst, inst->operand[1].reg))
        return NULL;
    return &inst->operand[1];
}

/* For an integer that grows by `step` (1 or 0) from lane to lane, its value in
 * the first lane. NULL: it does not, or there is none. */
static LLVMValueRef first_number(struct emit *e, const struct ptx_operand *at,
                                 unsigned step)
{
    const struct ptx_operand *o = whole_number(e, at);
    if (!o)
        return NULL;
    struct simt_shape shape = e->f->regs[o->reg].shape;
    if (simt_is_varying(shape) || shape.is_conditional ||
        shape.group < e->lanes || shape.stride != (int64_t)step)
        return NULL;
    return emit_read_lane(e, o, PTX_TYPE_u32, 0);
}

/* ---- rows --------------------------------------------------------------- */

static LLVMValueRef whole_of_float(struct emit *e, LLVMValueRef v)
{
    return ir_cast(e, LLVMFPToSI, v, e->i64);
}

/* Along an axis by integers. False: there are none. */
static bool find_whole(struct emit *e, const struct emit_sample *s, unsigned d,
                       const struct ptx_operand *at, struct rows *r)
{
    LLVMValueRef first = first_number(e, at, d == 0);
    if (!first)
        return false;
    LLVMValueRef size =
        side_field(e, s, d, offsetof(struct texture_side, size), e->i32);
    if (d == 0) /* not for less than a row: more than an integer fits */
        size = ir_binary(e, "llvm.usub.sat", size, ir_int(size, e->lanes - 1));
    r->at[d][0] = ir_zext(e, first, e->i64);
    r->are_rows = ir_and(e, r->are_rows, ir_icmp(e, LLVMIntULT, first, size));
    return true;
}

/* By floats: only the place of the first lane is tested. */
static void find_floats(struct emit *e, const struct emit_sample *s, unsigned d,
                        struct rows *r)
{
    LLVMValueRef lanes = emit_lane_const(e, e->i32, emit_lane_number);
    LLVMValueRef step = ir_cast(e, LLVMSIToFP, lanes, e->f32);
    LLVMValueRef texel = ir_unary(e, "llvm.floor", s->at[d]);
    LLVMValueRef first = ir_extract(e, texel, 0);
    LLVMValueRef wanted = ir_splat(e, first, e->lanes);
    if (d == 0)
        wanted = ir_fadd(e, wanted, step);
    LLVMValueRef size = size_of(e, s, d, d ? 0 : e->lanes - 1);
    LLVMValueRef test = emit_all(e, ir_fcmp(e, LLVMRealOEQ, texel, wanted));
    r->at[d][0] = whole_of_float(e, first);
    r->are_rows =
        ir_and(e, r->are_rows, ir_and(e, test, is_inside(e, first, size)));
}

/* One row. */
static struct rows find_row(struct emit *e, const struct emit_sample *s,
                            const struct ptx_operand *const at[2])
{
    struct rows r = {.lanes = e->lanes, .count = 1};
    LLVMValueRef all = e->f->at.mask;
    r.are_rows = all ? emit_all(e, all) : LLVMConstInt(e->i1, 1, 0);
    r.is_whole = true;
    for (unsigned d = 0; d < s->dims; d++)
        if (!find_whole(e, s, d, at[d], &r)) {
            r.is_whole &= d > 0;
            find_floats(e, s, d, &r);
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
            r.at[d][i] =
                whole_of_float(e, ir_extract(e, texel, i * PIECE_LANES));
    }
    r.are_rows = emit_all(e, all);
    return r;
}

static LLVMValueRef row_of(struct emit *e, const struct emit_sample *s,
                           const struct rows *r, unsigned i, unsigned bytes)
{
    LLVMValueRef data = LEVEL_FIELD(e, s, data, e->ptr);
    LLVMValueRef x = r->at[0][i];
    LLVMValueRef at = ir_offset_by(e, data, ir_mul(e, x, ir_int(x, bytes)));
    if (s->dims == 1)
        return at;
    LLVMValueRef pitch = LEVEL_FIELD(e, s, pitch_bytes, e->i64);
    return ir_offset_by(e, at, ir_mul(e, r->at[1][i], pitch));
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

/* Does the descriptor say: one channel of this kind, nearest texel,
 * coordinates that count texels? */
static LLVMValueRef is_of_points(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef path = TEXTURE_FIELD(e, s->texture, row_path, e->i32);
    return ir_icmp(e, LLVMIntEQ, path,
                   ir_int(path, TEXTURE_PATH(s->kind, 1, s->dims, false)));
}

void emit_read_row(struct emit *e, struct emit_sample *s,
                   const struct ptx_operand *const at[2],
                   enum texture_path kind, LLVMBasicBlockRef done)
{
    LLVMBasicBlockRef points = emit_new_block(e, "points");
    LLVMBasicBlockRef other = emit_new_block(e, "other");
    s->kind = kind;
    emit_branch(e, is_of_points(e, s), points, other, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, points);
    struct rows r = find_row(e, s, at);
    load_rows(e, s, &r, done);
    if (!r.is_whole) {
        r = find_pieces(e, s);
        load_rows(e, s, &r, done);
    }
    LLVMBuildBr(e->b, other);
    LLVMPositionBuilderAtEnd(e->b, other);
}
