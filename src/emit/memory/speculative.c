/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses that would be neighbours if lanes had never parted, or if there
 * were no edges (simt/shape/speculation.c). A loop whose trip count differs
 * between lanes makes everything that it leaves behind varying, though mostly
 * all lanes leave it together; nvcc begins every unrolled loop with one. Such
 * addresses are tested where they are used, in the active lanes: comparing
 * them costs a tenth of a gather.
 */
#include "emit/core/address.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

/* What addresses are made of: a vector that grows by `step`. The address is
 * base + v * scale + offset, or the vector itself. */
struct series {
    LLVMValueRef v, base;
    int64_t step, scale, offset;
    bool is_signed; /* v is sign-extended to an address */
};

static bool find_series(struct emit *e, const struct ptx_operand *o,
                        int64_t stride, struct series *s)
{
    struct emit_base_index p = emit_base_index_of(e, o);

    if (p.index && p.base && p.scale != 0 && stride % p.scale == 0)
        *s = (struct series){.v = p.index,
                             .base = p.base,
                             .step = stride / p.scale,
                             .scale = p.scale,
                             .offset = p.offset,
                             .is_signed = p.is_signed};
    else
        *s = (struct series){.v = ir_as_int(e, emit_read_reg(e, o->reg)),
                             .step = stride,
                             .scale = 1};
    return ir_bits(s->v) >= 32 && s->step >= 0;
}

/* Lanes of one row: all, or those of a group. */
static unsigned row_lanes(struct emit *e, struct simt_shape shape)
{
    return shape.group < e->lanes ? shape.group : e->lanes;
}

/* In each lane, the value with which its row begins. */
static LLVMValueRef first_of_rows(struct emit *e, LLVMValueRef v, unsigned row)
{
    int index[EMIT_MAX_LANES];

    assert(row > 0 && e->lanes % row == 0);
    for (unsigned i = 0; i < e->lanes; i++)
        index[i] = (int)(i / row * row);
    return ir_shuffle(e, v, NULL, index, e->lanes);
}

/* Does first + step * lane stay in its type for all lanes of a row? */
static LLVMValueRef does_not_wrap(struct emit *e, const struct series *s,
                                  LLVMValueRef first, unsigned row)
{
    int64_t span = s->step * (row - 1);

    if (ir_bits(first) == 64 || span == 0)
        return NULL;
    if (!s->is_signed)
        return ir_icmp(e, LLVMIntULT, first,
                       ir_int(first, (int64_t)UINT32_MAX - span));
    return ir_icmp(e, LLVMIntSLT, first, ir_int(first, INT32_MAX - span));
}

static LLVMValueRef steps_of(struct emit *e, const struct series *s,
                             unsigned row)
{
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, ir_bits(s->v));
    LLVMValueRef steps[EMIT_MAX_LANES];

    for (unsigned i = 0; i < e->lanes; i++)
        steps[i] = LLVMConstInt(t, (uint64_t)(s->step * (i % row)), 0);
    return LLVMConstVector(steps, e->lanes);
}

static LLVMValueRef is_series(struct emit *e, const struct series *s,
                              unsigned row)
{
    LLVMValueRef first =
        row < e->lanes ? first_of_rows(e, s->v, row) : ir_extract(e, s->v, 0);
    LLVMValueRef start = row < e->lanes ? first : ir_splat(e, first, e->lanes);
    LLVMValueRef want = ir_add(e, start, steps_of(e, s, row));
    LLVMValueRef ok = emit_all(e, ir_icmp(e, LLVMIntEQ, s->v, want));
    LLVMValueRef fits = does_not_wrap(e, s, first, row);
    if (!fits)
        return ok;
    return ir_and(e, ok, row < e->lanes ? emit_all(e, fits) : fits);
}

/* The first active lane, and its value. Extracting a lane other than 0 from a
 * vector goes through memory. */
static LLVMValueRef first_active(struct emit *e, LLVMValueRef v,
                                 LLVMValueRef bits, LLVMValueRef *lane)
{
    LLVMBasicBlockRef some = emit_new_block(e, "some.active");
    LLVMBasicBlockRef done = emit_new_block(e, "first.active");
    LLVMValueRef first = ir_extract(e, v, 0);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);

    emit_branch(e, ir_trunc(e, bits, e->i1), done, some, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, some);
    LLVMValueRef n = emit_lowest_lane(e, bits);
    LLVMValueRef other = LLVMBuildExtractElement(e->b, v, n, "");
    emit_goto_new(e, done);
    *lane = ir_merge(e, ir_int(n, 0), from, n, some);
    return ir_merge(e, first, from, other, some);
}

/* The same for active lanes of one row. The pointer is the one that lane 0
 * would have. */
static void find_partial(struct emit *e, const struct series *s,
                         const struct ptx_operand *o, int64_t stride,
                         struct emit_row *row)
{
    LLVMValueRef mask = e->f->at.mask, bits = emit_mask_bits(e, mask), lane;
    LLVMValueRef first = first_active(e, s->v, bits, &lane);
    LLVMValueRef n = ir_resize(e, lane, ir_element(first), false);
    LLVMValueRef start = ir_sub(e, first, ir_mul(e, n, ir_int(n, s->step)));
    LLVMValueRef want =
        ir_add(e, ir_splat(e, start, e->lanes), steps_of(e, s, e->lanes));
    LLVMValueRef same = ir_icmp(e, LLVMIntEQ, s->v, want);
    LLVMValueRef fits = does_not_wrap(e, s, first, e->lanes);

    row->test = emit_all(e, ir_or(e, same, ir_not(e, mask)));
    if (fits)
        row->test = ir_and(e, row->test, fits);
    if (stride == 0) /* a scalar that no lane needs may not exist */
        row->test =
            ir_and(e, row->test, ir_icmp(e, LLVMIntNE, bits, ir_int(bits, 0)));
    LLVMValueRef address = ir_resize(e, first, e->i64, s->is_signed);
    address = ir_mul(e, address, ir_int(address, s->scale));
    if (s->base)
        address = ir_add(e, address, s->base);
    n = ir_resize(e, lane, e->i64, false);
    address = ir_sub(e, address, ir_mul(e, n, ir_int(n, stride)));
    address = ir_add(e, address, ir_int(address, s->offset + o->imm));
    row->pointer[0] = LLVMBuildIntToPtr(e->b, address, e->ptr, "");
    row->mask = mask;
}

/* Are all lanes active, and each group a row? */
static LLVMValueRef are_rows(struct emit *e, const struct series *s,
                             unsigned lanes)
{
    LLVMValueRef test = is_series(e, s, lanes);

    assert(lanes > 0);
    return e->f->at.mask ? ir_and(e, emit_all(e, e->f->at.mask), test) : test;
}

static bool can_speculate(struct emit *e, const struct ptx_operand *address,
                          struct series *s)
{
    struct simt_shape shape = e->f->k->optimistic_address[e->f->at.index];

    return address->reg != PTX_NO_REG && !e->f->at.is_cold && e->lanes > 1 &&
           !simt_is_varying(shape) && find_series(e, address, shape.stride, s);
}

LLVMValueRef emit_test_shape(struct emit *e, const struct ptx_operand *address)
{
    struct simt_shape shape = e->f->k->optimistic_address[e->f->at.index];
    struct series s;

    return can_speculate(e, address, &s) ? are_rows(e, &s, row_lanes(e, shape))
                                         : NULL;
}

bool emit_test_row(struct emit *e, const struct ptx_operand *address,
                   enum ptx_space space, int64_t size_bytes,
                   struct emit_row *row)
{
    struct simt_shape shape = e->f->k->optimistic_address[e->f->at.index];
    struct series s;

    assert(size_bytes > 0);
    if ((shape.stride != size_bytes && shape.stride != 0) ||
        !can_speculate(e, address, &s))
        return false;
    *row = (struct emit_row){.lanes = row_lanes(e, shape),
                             .is_one_place = shape.stride == 0};
    if (e->f->at.mask && row->lanes == e->lanes && simt_is_real(space)) {
        find_partial(e, &s, address, shape.stride, row);
        return true;
    }
    row->test = are_rows(e, &s, row->lanes);
    for (unsigned i = 0; i < e->lanes / row->lanes; i++)
        row->pointer[i] =
            emit_pointer(e, address, space, (int)(i * row->lanes), 0);
    return true;
}
