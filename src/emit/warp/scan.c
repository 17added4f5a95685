/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefixes over the active lanes: each lane gets the combination of the lanes
 * below it. In log2(lanes) steps, each of which combines with the lane 1, 2, 4
 * ... below.
 */
#include "emit/warp/warp.h"

/* Lane i of the result is lane i - n of v; the first n lanes get `fill`'s. */
static LLVMValueRef shift_up(struct emit *e, LLVMValueRef v, LLVMValueRef fill,
                             unsigned n)
{
    int index[EMIT_MAX_LANES];

    assert(n <= e->lanes);
    for (unsigned i = 0; i < e->lanes; i++)
        index[i] = (int)(i < n ? e->lanes + i : i - n);
    return ir_shuffle(e, v, fill, index, e->lanes);
}

static LLVMValueRef combine_values(struct emit *e, enum ptx_sub sub,
                                   bool is_signed, LLVMValueRef a,
                                   LLVMValueRef b)
{
    switch (sub) {
    case PTX_SUB_and:
        return ir_and(e, a, b);
    case PTX_SUB_or:
        return ir_or(e, a, b);
    case PTX_SUB_xor:
        return ir_xor(e, a, b);
    case PTX_SUB_min:
        return ir_binary(e, is_signed ? "llvm.smin" : "llvm.umin", a, b);
    case PTX_SUB_max:
        return ir_binary(e, is_signed ? "llvm.smax" : "llvm.umax", a, b);
    default:
        assert(sub == PTX_SUB_add);
        return ir_add(e, a, b);
    }
}

LLVMValueRef emit_scan(struct emit *e, enum ptx_sub sub, enum ptx_type type,
                       LLVMValueRef v, LLVMValueRef *before)
{
    bool is_signed = ptx_type_is_signed(type);
    LLVMValueRef neutral = emit_identity(v, sub, is_signed);

    assert(!ptx_type_is_float(type));
    if (e->f->at.mask)
        v = ir_select(e, e->f->at.mask, v, neutral);
    for (unsigned n = 1; n < e->lanes; n *= 2)
        v = combine_values(e, sub, is_signed, v, shift_up(e, v, neutral, n));
    *before = shift_up(e, v, neutral, 1);
    return ir_extract(e, v, e->lanes - 1);
}
