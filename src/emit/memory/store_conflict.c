/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores of many lanes to one place. PTX leaves open whose value stays, but a
 * GPU always does the same, and there are programs that live on it: all lanes
 * store a sum that only the first one has in full. As seen on a GPU of 9.0, a
 * warp stores up to four bytes of each lane at once and keeps the lowest
 * lane's; eight bytes go by half warps, sixteen by quarters, one part after the
 * other, so that the last part with an active lane decides.
 */
#include "emit/core/masks.h"
#include "emit/memory/memory.h"

static unsigned lanes_at_once(struct emit *e, unsigned bytes)
{
    unsigned lanes = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;

    return lanes < e->lanes ? lanes : e->lanes;
}

/* The bits of the last part that has any. */
static LLVMValueRef last_part(struct emit *e, LLVMValueRef bits, unsigned part)
{
    LLVMValueRef args[] = {bits, LLVMConstInt(e->i1, 0, 0)};
    LLVMValueRef zeros = ir_intrinsic(e, "llvm.ctlz", &e->i32, 1, args, 2);
    LLVMValueRef begin =
        ir_and(e, ir_sub(e, ir_int(zeros, 31), zeros),
               ir_int(zeros, (int64_t)(e->lanes - 1) & ~(int64_t)(part - 1)));

    return ir_and(e, bits, ir_shl(e, ir_int(bits, -1), begin));
}

LLVMValueRef emit_stored_last(struct emit *e, LLVMValueRef vector,
                              unsigned bytes)
{
    unsigned part = lanes_at_once(e, bytes);

    assert(ir_is_vector(vector));
    assert(bytes > 0);
    if (!e->f->at.mask)
        return ir_extract(e, vector, e->lanes - part);
    LLVMValueRef bits = emit_mask_bits(e, e->f->at.mask);
    if (part < e->lanes)
        bits = last_part(e, bits, part);
    return emit_spilled_lane(e, emit_spill(e, vector), ir_element(vector),
                             emit_lowest_lane(e, bits));
}
