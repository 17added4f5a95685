/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wgmma: products of matrices in shared memory by four warps together. Each
 * warp does its 16 rows when it comes to the instruction, with the functions
 * of mma.m16n8: 8 lines of 16 bytes in shared memory are one register of a
 * fragment, as for ldmatrix. So no product is under way later; but the group's
 * warps meet before the first and where the last is waited for.
 */
#include "emit/core/emitters.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/matrix/matrix.h"

/* A matrix in shared memory as its descriptor says; all i64. PTX ISA, "Matrix
 * Descriptor Format" and "Strides". */
struct view {
    struct emit *e;
    LLVMValueRef start, shift, swizzle; /* lines have 16 << shift bytes */
    /* bytes from one 8 lines, or 16 bytes, to the next */
    LLVMValueRef per_group, per_chunk;
    bool is_transposed;
};

static LLVMValueRef number_of(struct emit *e, uint64_t v)
{
    return LLVMConstInt(e->i64, v, 0);
}

/* A length of 14 bits, in units of 16 bytes. */
static LLVMValueRef length_at(struct emit *e, LLVMValueRef descriptor,
                              unsigned bit)
{
    LLVMValueRef v = ir_lshr(e, descriptor, number_of(e, bit));
    return ir_shl(e, ir_and(e, v, number_of(e, 0x3fff)), number_of(e, 4));
}

static struct view make_view(struct emit *e, const struct ptx_operand *o,
                             bool is_transposed)
{
    LLVMValueRef d = emit_read_lane(e, o, PTX_TYPE_b64, 0);
    LLVMValueRef mode = ir_lshr(e, d, number_of(e, 62));
    LLVMValueRef is_plain = ir_icmp(e, LLVMIntEQ, mode, number_of(e, 0));
    LLVMValueRef lead = length_at(e, d, 16), stride = length_at(e, d, 32);
    struct view v = {
        .e = e, .start = length_at(e, d, 0), .is_transposed = is_transposed};

    v.shift = ir_select(e, is_plain, mode, ir_sub(e, number_of(e, 4), mode));
    v.swizzle =
        ir_sub(e, ir_shl(e, number_of(e, 16), v.shift), number_of(e, 16));
    v.per_group = is_transposed ? ir_select(e, is_plain, lead, stride) : stride;
    v.per_chunk = is_transposed
                      ? ir_select(e, is_plain, stride, lead)
                      : ir_select(e, is_plain, lead, number_of(e, 16));
    return v;
}

/* Eight lines of 16 bytes as a register: lane l has word l % 4 of line l / 4.
 * For a transposed matrix, lines are its columns. */
static LLVMValueRef load_lines(const struct view *v, LLVMValueRef group,
                               LLVMValueRef chunk)
{
    struct emit *e = v->e;
    LLVMValueRef lines[8];
    LLVMValueRef at = ir_add(e, v->start, ir_mul(e, group, v->per_group));

    if (v->is_transposed) { /* chunks of a swizzled line are neighbours */
        LLVMValueRef one = number_of(e, 1);
        LLVMValueRef per_line = ir_shl(e, one, v->shift);
        LLVMValueRef in_line = ir_and(e, chunk, ir_sub(e, per_line, one));
        at = ir_add(e, at, ir_shl(e, in_line, number_of(e, 4)));
        chunk = ir_lshr(e, chunk, v->shift);
    }
    at = ir_add(e, at, ir_mul(e, chunk, v->per_chunk));
    for (unsigned i = 0; i < 8; i++) {
        LLVMValueRef line = ir_shl(e, number_of(e, 16 * i), v->shift);
        LLVMValueRef p = ir_add(e, at, line);
        LLVMValueRef turn =
            ir_and(e, ir_lshr(e, p, number_of(e, 3)), v->swizzle);
        p = ir_offset_by(e, e->f->env.own_shared, ir_xor(e, p, turn));
        lines[i] = ir_load(e, LLVMVectorType(e->i32, 4), p, 16);
        emit_set_alias(e, lines[i], PTX_SPACE_shared);
    }
    LLVMValueRef r = ir_concat(e, lines, 8);
    return v->is_transposed ? emit_transposed(e, r) : r;
}

static LLVMValueRef warp_number(struct emit *e)
{
    int lane = e->f->at.lane;

    e->f->at.lane = 0;
    LLVMValueRef v = emit_special(e, PTX_SREG_warpid);
    e->f->at.lane = lane;
    return v;
}

/* Index of this warp in its group of four. */
static LLVMValueRef warp_rank(struct emit *e)
{
    LLVMValueRef v = warp_number(e);
    return ir_and(e, ir_zext(e, v, e->i64), number_of(e, 3));
}

/* Waits at the barrier of the warp's group. */
static void join_group(struct emit *e)
{
    if (e->is_block_in_step)
        return;
    LLVMValueRef warp = warp_number(e);
    LLVMValueRef group = ir_lshr(e, warp, ir_int(warp, 2));
    LLVMValueRef args[] = {ir_add(e, group, ir_int(group, WEFT_BARRIERS)),
                           LLVMConstInt(e->i32, PTX_WARPGROUP_THREADS, 0)};
    EMIT_HELPER(e, barrier_sync, e->voidt, args, 2);
}

/* Register r: 8 rows for even and odd r, 16 bytes along k for each pair. */
static LLVMValueRef shared_a(const struct view *v, LLVMValueRef rank,
                             unsigned r)
{
    struct emit *e = v->e;
    LLVMValueRef rows =
        ir_add(e, ir_shl(e, rank, number_of(e, 1)), number_of(e, r % 2));
    LLVMValueRef k = number_of(e, r / 2);

    return v->is_transposed ? load_lines(v, k, rows) : load_lines(v, rows, k);
}

static LLVMValueRef negated_value(struct emit *e, LLVMValueRef v,
                                  enum ptx_type t)
{
    int64_t signs = ptx_type_size(t) == 4   ? INT64_C(0x80000000)
                    : ptx_type_size(t) == 2 ? INT64_C(0x80008000)
                                            : INT64_C(0x80808080);
    return ir_xor(e, v, ir_int(v, signs));
}

static void pass_a(struct emit *e, const struct ptx_inst *inst,
                   const struct ptx_wgmma_operands *o, LLVMValueRef to)
{
    struct view v = {0};
    LLVMValueRef rank = NULL;

    if (!o->is_a_in_registers) {
        v = make_view(e, &inst->operand[1], o->is_a_transposed);
        rank = warp_rank(e);
    }
    for (unsigned r = 0; r < 4; r++) {
        LLVMValueRef a = rank ? shared_a(&v, rank, r)
                              : emit_read_vector(e, &inst->operand[1].items[r],
                                                 PTX_TYPE_b32);
        if (o->is_negated)
            a = negated_value(e, a, inst->type[1]);
        ir_store(e, a, emit_matrix_reg(e, to, r), 64);
    }
}

/* Columns [8 * tile, 8 * tile + 8) of D, whose registers are at `sums`. */
static void multiply_tile(struct emit *e, const struct emit_matrix_call *call,
                          const struct view *b, LLVMValueRef sums,
                          LLVMValueRef tile)
{
    LLVMTypeRef t = LLVMVectorType(e->i32, WEFT_WARP_LANES);
    unsigned count = call->mma.d.reg_count;
    struct emit_matrix_call c = *call;

    for (unsigned r = 0; r < call->mma.b.reg_count; r++) {
        LLVMValueRef k = number_of(e, r);
        ir_store(e,
                 b->is_transposed ? load_lines(b, k, tile)
                                  : load_lines(b, tile, k),
                 emit_matrix_reg(e, call->args[2], r), 64);
    }
    LLVMValueRef bytes =
        ir_mul(e, tile, number_of(e, (uint64_t)count * EMIT_MATRIX_REG_BYTES));
    c.args[3] = ir_offset_by(e, sums, bytes);
    emit_call_product(e, &c);
    for (unsigned r = 0; r < count; r++)
        ir_store(e, ir_load(e, t, emit_matrix_reg(e, call->args[0], r), 64),
                 emit_matrix_reg(e, c.args[3], r), 64);
}

/* A loop, since there may be 32 tiles. */
static void multiply_tiles(struct emit *e, const struct emit_matrix_call *call,
                           const struct view *b, LLVMValueRef sums,
                           unsigned count)
{
    LLVMValueRef counter = emit_alloca(e, e->i64, 0, "tile");
    LLVMBasicBlockRef body = emit_new_block(e, "tile");
    LLVMBasicBlockRef done = emit_new_block(e, "tiles.done");

    ir_store(e, number_of(e, 0), counter, 0);
    emit_goto_new(e, body);
    LLVMValueRef tile = ir_load(e, e->i64, counter, 0);
    multiply_tile(e, call, b, sums, tile);
    LLVMValueRef next = ir_add(e, tile, number_of(e, 1));
    ir_store(e, next, counter, 0);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntULT, next, number_of(e, count)),
                    body, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

void emit_wgmma(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_matrix_call call;
    const char *wrong;

    if (ptx_joins_warpgroup(inst))
        join_group(e);
    if (inst->sub != PTX_SUB_mma || !emit_has_whole_warp(e))
        return;
    wrong = ptx_describe_wgmma(inst, &call.mma);
    if (wrong) {
        emit_refuse(e, "the instruction %s", wrong);
        return;
    }
    struct ptx_wgmma_operands o = ptx_find_wgmma_operands(inst);
    emit_prepare_product(e, inst, &call);
    pass_a(e, inst, &o, call.args[1]);
    emit_pass_metadata(e, inst, &call);
    struct view b = make_view(e, &inst->operand[2], o.is_b_transposed);
    LLVMValueRef has_c =
        emit_read_lane(e, &inst->operand[o.scale_d], PTX_TYPE_pred, 0);
    const struct ptx_operand *d = &inst->operand[0];
    LLVMTypeRef t = LLVMVectorType(e->i32, WEFT_WARP_LANES);
    if (!e->f->products.sums) /* as many registers as D can have */
        e->f->products.sums = emit_alloca(
            e, LLVMArrayType2(e->i8, 128 * EMIT_MATRIX_REG_BYTES), 64, "sums");
    LLVMValueRef sums = e->f->products.sums;
    for (unsigned i = 0; i < d->item_count; i++) {
        LLVMValueRef v = emit_read_vector(e, &d->items[i], PTX_TYPE_b32);
        ir_store(e, ir_select(e, has_c, v, LLVMConstNull(t)),
                 emit_matrix_reg(e, sums, i), 64);
    }
    multiply_tiles(e, &call, &b, sums, ptx_wgmma_columns(inst) / 8);
    for (unsigned i = 0; i < d->item_count; i++)
        emit_write_vector(e, &d->items[i],
                          ir_load(e, t, emit_matrix_reg(e, sums, i), 64),
                          PTX_TYPE_b32);
}
