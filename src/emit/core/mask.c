/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Masks (<lanes x i1>, NULL means "all lanes"), branches with their
 * likelihood, vectors in memory, and loops over active lanes.
 */
#include "emit/core/lines.h"
#include "emit/core/masks.h"

LLVMValueRef emit_all_ones(struct emit *e)
{
    return LLVMConstAllOnes(e->mask_type);
}

LLVMValueRef emit_mask(struct emit *e)
{
    assert(emit_is_mask(e, e->f->at.mask));
    return e->f->at.mask ? e->f->at.mask : emit_all_ones(e);
}

LLVMValueRef emit_mask_bits(struct emit *e, LLVMValueRef mask)
{
    assert(mask && emit_is_mask(e, mask));
    LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, e->lanes);
    return ir_resize(e, LLVMBuildBitCast(e->b, mask, bits, ""), e->i32, false);
}

LLVMValueRef emit_lowest_lane(struct emit *e, LLVMValueRef bits)
{
    assert(LLVMTypeOf(bits) == e->i32);
    LLVMValueRef args[] = {bits, LLVMConstInt(e->i1, 0, 0)};
    LLVMValueRef n = ir_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);
    return ir_and(e, n, ir_int(n, (int64_t)e->lanes - 1));
}

LLVMValueRef emit_mask_of_bits(struct emit *e, LLVMValueRef bits)
{
    assert(LLVMTypeOf(bits) == e->i32);
    LLVMTypeRef exact = LLVMIntTypeInContext(e->cx, e->lanes);
    return LLVMBuildBitCast(e->b, ir_resize(e, bits, exact, false),
                            e->mask_type, "");
}

LLVMValueRef emit_any(struct emit *e, LLVMValueRef mask)
{
    assert(mask && emit_is_mask(e, mask));
    LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, e->lanes);
    LLVMValueRef v = LLVMBuildBitCast(e->b, mask, bits, "");
    return ir_icmp(e, LLVMIntNE, v, ir_int(v, 0));
}

LLVMValueRef emit_any_of_coarse_warp(struct emit *e,
                                     const struct emit_masks *masks)
{
    LLVMValueRef some = NULL;

    for (unsigned w = 0; w < e->f->warps; w++) {
        if (!masks->of[w])
            return LLVMConstInt(e->i1, 1, 0);
        some = some ? ir_or(e, some, masks->of[w]) : masks->of[w];
    }
    return emit_any(e, some);
}

LLVMValueRef emit_all(struct emit *e, LLVMValueRef mask)
{
    assert(mask && emit_is_mask(e, mask));
    LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, e->lanes);
    LLVMValueRef v = LLVMBuildBitCast(e->b, mask, bits, "");
    return ir_icmp(e, LLVMIntEQ, v, ir_int(v, -1));
}

LLVMValueRef emit_and_mask(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    assert(!a || !b || LLVMTypeOf(a) == LLVMTypeOf(b));
    if (!a)
        return b;
    return b ? ir_and(e, a, b) : a;
}

LLVMBasicBlockRef emit_new_block(struct emit *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->cx, e->f->value, name);
}

void emit_goto_new(struct emit *e, LLVMBasicBlockRef bb)
{
    assert(!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b)));
    LLVMBuildBr(e->b, bb);
    LLVMPositionBuilderAtEnd(e->b, bb);
}

LLVMValueRef emit_alloca(struct emit *e, LLVMTypeRef type, unsigned align,
                         const char *name)
{
    assert(LLVMGetBasicBlockTerminator(e->f->blocks.allocas));
    assert((align & (align - 1)) == 0);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderBefore(
        e->b, LLVMGetBasicBlockTerminator(e->f->blocks.allocas));
    LLVMValueRef a = LLVMBuildAlloca(e->b, type, name);
    if (align)
        LLVMSetAlignment(a, align);
    emit_go_back(e, here);
    return a;
}

LLVMValueRef emit_kept(struct emit *e, LLVMBasicBlockRef begin,
                       LLVMValueRef first, const char *name)
{
    assert(LLVMGetBasicBlockTerminator(begin));
    LLVMValueRef var = emit_alloca(e, LLVMTypeOf(first), 0, name);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(begin));
    ir_store(e, first, var, 0);
    emit_go_back(e, here);
    return var;
}

void emit_branch(struct emit *e, LLVMValueRef condition, LLVMBasicBlockRef yes,
                 LLVMBasicBlockRef no, enum emit_likely likely)
{
    assert(LLVMTypeOf(condition) == e->i1);
    assert(yes != no);
    LLVMValueRef br = LLVMBuildCondBr(e->b, condition, yes, no);
    if (likely == EMIT_EVEN)
        return;
    LLVMSetMetadata(br, e->md_prof,
                    likely == EMIT_LIKELY ? e->md_cold_false : e->md_cold_true);
}

/* A predicate takes one byte for each lane; other types are stored as they
 * are. */
static LLVMTypeRef stored_type(struct emit *e, LLVMTypeRef scalar)
{
    return scalar == e->i1 ? e->i8 : scalar;
}

LLVMValueRef emit_spill(struct emit *e, LLVMValueRef vector)
{
    assert(ir_is_vector(vector));
    LLVMTypeRef scalar = ir_element(vector);
    if (scalar == e->i1)
        vector = ir_zext(e, vector, e->i8);
    LLVMValueRef memory = emit_alloca(e, LLVMTypeOf(vector), 64, "lanes");
    ir_store(e, vector, memory, 64);
    return memory;
}

static LLVMValueRef lane_pointer(struct emit *e, LLVMValueRef memory,
                                 LLVMTypeRef scalar, LLVMValueRef lane)
{
    assert(LLVMGetTypeKind(LLVMTypeOf(lane)) == LLVMIntegerTypeKind);
    LLVMValueRef wide = ir_zext(e, lane, e->i64);
    return LLVMBuildGEP2(e->b, stored_type(e, scalar), memory, &wide, 1, "");
}

LLVMValueRef emit_spilled_lane(struct emit *e, LLVMValueRef memory,
                               LLVMTypeRef scalar, LLVMValueRef lane)
{
    LLVMValueRef p = lane_pointer(e, memory, scalar, lane);
    LLVMValueRef v = ir_load(e, stored_type(e, scalar), p, 0);
    return scalar == e->i1 ? ir_trunc(e, v, e->i1) : v;
}

void emit_store_lane(struct emit *e, LLVMValueRef memory, LLVMTypeRef scalar,
                     LLVMValueRef lane, LLVMValueRef value)
{
    assert(LLVMTypeOf(value) == scalar);
    LLVMValueRef p = lane_pointer(e, memory, scalar, lane);
    if (scalar == e->i1)
        value = ir_zext(e, value, e->i8);
    ir_store(e, value, p, 0);
}

LLVMValueRef emit_unspill(struct emit *e, LLVMValueRef memory,
                          LLVMTypeRef scalar)
{
    LLVMTypeRef t = LLVMVectorType(stored_type(e, scalar), e->lanes);
    LLVMValueRef v = ir_load(e, t, memory, 64);
    return scalar == e->i1 ? ir_trunc(e, v, e->i1) : v;
}

LLVMValueRef emit_last_active(struct emit *e, LLVMValueRef vector)
{
    assert(LLVMGetVectorSize(LLVMTypeOf(vector)) == e->lanes);
    if (!e->f->at.mask)
        return ir_extract(e, vector, e->lanes - 1);
    LLVMValueRef bits = emit_mask_bits(e, e->f->at.mask);
    LLVMValueRef args[] = {bits, LLVMConstInt(e->i1, 0, 0)};
    LLVMValueRef zeros = ir_intrinsic(e, "llvm.ctlz", &e->i32, 1, args, 2);
    LLVMValueRef lane = ir_and(e, ir_sub(e, ir_int(zeros, 31), zeros),
                               ir_int(zeros, (int64_t)e->lanes - 1));
    return emit_spilled_lane(e, emit_spill(e, vector), ir_element(vector),
                             lane);
}

void emit_lane_loop_begin(struct emit *e, struct emit_lane_loop *loop,
                          LLVMValueRef mask)
{
    emit_bit_loop_begin(e, loop, emit_mask_bits(e, mask));
}

void emit_bit_loop_begin(struct emit *e, struct emit_lane_loop *loop,
                         LLVMValueRef bits_of)
{
    assert(LLVMTypeOf(bits_of) == e->i32);
    loop->bits_var = emit_alloca(e, e->i32, 0, "bits");
    ir_store(e, bits_of, loop->bits_var, 0);
    loop->head = emit_new_block(e, "lanes.head");
    loop->body = emit_new_block(e, "lanes.body");
    loop->done = emit_new_block(e, "lanes.done");
    emit_goto_new(e, loop->head);
    LLVMValueRef bits = ir_load(e, e->i32, loop->bits_var, 0);
    LLVMValueRef more = ir_icmp(e, LLVMIntNE, bits, ir_int(bits, 0));
    LLVMBuildCondBr(e->b, more, loop->body, loop->done);
    LLVMPositionBuilderAtEnd(e->b, loop->body);
    loop->lane =
        ir_intrinsic(e, "llvm.cttz", &e->i32, 1,
                     (LLVMValueRef[]){bits, LLVMConstInt(e->i1, 1, 0)}, 2);
    LLVMValueRef rest = ir_and(e, bits, ir_sub(e, bits, ir_int(bits, 1)));
    ir_store(e, rest, loop->bits_var, 0);
}

void emit_lane_loop_end(struct emit *e, struct emit_lane_loop *loop)
{
    assert(loop->head && loop->done);
    LLVMBuildBr(e->b, loop->head);
    LLVMPositionBuilderAtEnd(e->b, loop->done);
}
