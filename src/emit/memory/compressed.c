/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed stores: values of active lanes are compressed in registers and
 * written at once, if at run time their places follow each other.
 * simt/plan/compressed.c says where that is tested.
 */
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

enum { BLOCK_BYTES = 64 };

static LLVMValueRef count_bits(struct emit *e, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);

    return ir_intrinsic(e, "llvm.ctpop", &t, 1, &v, 1);
}

/* Stores active lanes among [first, first + n) of v at p. Returns the address
 * behind them. */
static LLVMValueRef store_block(struct emit *e, struct emit_compressed d,
                                LLVMValueRef v, LLVMValueRef p, unsigned first,
                                unsigned n)
{
    assert(n > 0);
    LLVMValueRef mask = ir_slice(e, d.mask, first, n);
    LLVMTypeRef t = LLVMVectorType(ir_element(v), n);
    LLVMTypeRef bits_type = LLVMIntTypeInContext(e->cx, n);
    LLVMValueRef count =
        count_bits(e, LLVMBuildBitCast(e->b, mask, bits_type, ""));
    LLVMValueRef squeeze[] = {ir_slice(e, v, first, n), mask, LLVMGetUndef(t)};
    v = ir_intrinsic(e, "llvm.experimental.vector.compress", &t, 1, squeeze, 3);
    count = ir_resize(e, count, e->i32, false);
    LLVMValueRef lane =
        ir_slice(e, emit_lane_const(e, e->i32, emit_lane_number), 0, n);
    LLVMValueRef args[] = {v, p,
                           ir_icmp(e, LLVMIntULT, lane, ir_splat(e, count, n))};
    LLVMTypeRef overloads[] = {t, e->ptr};
    LLVMValueRef store =
        ir_intrinsic(e, "llvm.masked.store", overloads, 2, args, 3);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(store, 2,
                             LLVMCreateEnumAttribute(e->cx, align, d.size));
    emit_set_alias(e, store, d.space);
    count = ir_resize(e, count, e->i64, false);
    return ir_offset_by(e, p, ir_mul(e, count, ir_int(count, d.size)));
}

/* Do the active lanes' addresses follow each other, counted from lane 0's?
 * Lane 0 need not be active, but what its address is made of mostly does not
 * depend on that; and often the optimiser then knows the answer. */
static LLVMValueRef is_compressed(struct emit *e,
                                  const struct emit_compressed *d,
                                  LLVMValueRef pointers, LLVMValueRef *first)
{
    LLVMTypeRef i64s = LLVMVectorType(e->i64, e->lanes);
    LLVMValueRef below = emit_lane_const(e, e->i32, emit_lanes_below);
    LLVMValueRef bits = emit_splat(e, emit_mask_bits(e, d->mask));
    LLVMValueRef rank = count_bits(e, ir_and(e, bits, below));

    rank = ir_zext(e, rank, e->i64);
    LLVMValueRef at = LLVMBuildPtrToInt(e->b, pointers, i64s, "");
    at = ir_sub(e, at, ir_mul(e, rank, ir_int(rank, d->size)));
    *first = ir_extract(e, at, 0);
    LLVMValueRef differs = ir_icmp(e, LLVMIntNE, at, emit_splat(e, *first));
    return ir_not(e, emit_any(e, ir_and(e, d->mask, differs)));
}

LLVMBasicBlockRef emit_store_compressed(struct emit *e, enum ptx_space space,
                                        unsigned size, LLVMValueRef pointers,
                                        LLVMValueRef v)
{
    struct emit_compressed d = {emit_mask(e), space, size};
    LLVMBasicBlockRef some = emit_new_block(e, "some");
    LLVMBasicBlockRef dense = emit_new_block(e, "dense");
    LLVMBasicBlockRef scattered = emit_new_block(e, "scattered");
    LLVMBasicBlockRef done = emit_new_block(e, "stored");
    unsigned n = BLOCK_BYTES / size;
    LLVMValueRef first;

    assert(size == ptx_type_size(PTX_TYPE_b32) || size == 8 || size < 4);
    emit_branch(e, emit_any(e, d.mask), some, done, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, some);
    LLVMValueRef condition = is_compressed(e, &d, pointers, &first);
    emit_branch(e, condition, dense, scattered, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, dense);
    LLVMValueRef p = LLVMBuildIntToPtr(e->b, first, e->ptr, "");
    for (unsigned i = 0; i < e->lanes; i += n)
        p = store_block(e, d, v, p, i, n);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, scattered);
    return done;
}
