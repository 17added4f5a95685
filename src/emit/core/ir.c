/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building LLVM IR in few words; see ir.h. No meaning of PTX in here.
 */
#include "emit/core/ir.h"
#include "emit/core/state.h"

bool ir_is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static LLVMTypeRef scalar_type(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

LLVMTypeRef ir_element(LLVMValueRef v)
{
    return scalar_type(LLVMTypeOf(v));
}

static unsigned type_bits(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t);
    case LLVMHalfTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return 64;
    default:
        assert(!"no scalar");
        return 0;
    }
}

static inline bool is_float_type(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
           kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* Is it an alignment? 0 stands for the type's own. */
static inline bool is_alignment(unsigned align)
{
    return (align & (align - 1)) == 0;
}

unsigned ir_bits(LLVMValueRef v)
{
    return type_bits(ir_element(v));
}

LLVMTypeRef ir_like(LLVMValueRef v, LLVMTypeRef scalar)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind
               ? LLVMVectorType(scalar, LLVMGetVectorSize(t))
               : scalar;
}

/* The constant, or a vector of it if v is a vector. */
static LLVMValueRef spread_constant(LLVMValueRef v, LLVMValueRef constant)
{
    if (!ir_is_vector(v))
        return constant;
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v));
    LLVMValueRef all[4 * EMIT_MAX_LANES];
    assert(lanes <= ARRAY_COUNT(all));
    for (unsigned i = 0; i < lanes; i++)
        all[i] = constant;
    return LLVMConstVector(all, lanes);
}

LLVMValueRef ir_int(LLVMValueRef v, int64_t value)
{
    assert(LLVMGetTypeKind(ir_element(v)) == LLVMIntegerTypeKind);
    LLVMTypeRef t = ir_element(v);
    unsigned bits = LLVMGetIntTypeWidth(t);
    uint64_t u = (uint64_t)value;
    if (bits < 64)
        u &= (UINT64_C(1) << bits) - 1;
    return spread_constant(v, LLVMConstInt(t, u, bits > 64));
}

LLVMValueRef ir_real(LLVMValueRef v, double value)
{
    assert(is_float_type(ir_element(v)));
    return spread_constant(v, LLVMConstReal(ir_element(v), value));
}

LLVMValueRef ir_bits_real(struct emit *e, LLVMValueRef v, uint64_t bits)
{
    assert(is_float_type(ir_element(v)));
    LLVMTypeRef t = ir_element(v);
    LLVMTypeRef i = LLVMIntTypeInContext(e->cx, type_bits(t));
    return spread_constant(v, LLVMConstBitCast(LLVMConstInt(i, bits, 0), t));
}

LLVMValueRef ir_as(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar)
{
    assert(type_bits(ir_element(v)) == type_bits(scalar));
    LLVMTypeRef to = ir_like(v, scalar);
    return LLVMTypeOf(v) == to ? v : LLVMBuildBitCast(e->b, v, to, "");
}

LLVMValueRef ir_as_int(struct emit *e, LLVMValueRef v)
{
    return ir_as(e, v, LLVMIntTypeInContext(e->cx, ir_bits(v)));
}

LLVMValueRef ir_split(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar)
{
    assert(ir_bits(v) % LLVMGetIntTypeWidth(scalar) == 0);
    unsigned lanes = ir_is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 1;
    unsigned pieces = ir_bits(v) / LLVMGetIntTypeWidth(scalar);
    return LLVMBuildBitCast(e->b, v, LLVMVectorType(scalar, lanes * pieces),
                            "");
}

LLVMValueRef ir_join(struct emit *e, LLVMValueRef v, LLVMTypeRef whole)
{
    assert(ir_is_vector(v));
    return LLVMBuildBitCast(e->b, v, whole, "");
}

LLVMValueRef ir_cast(struct emit *e, LLVMOpcode op, LLVMValueRef v,
                     LLVMTypeRef scalar)
{
    return LLVMBuildCast(e->b, op, v, ir_like(v, scalar), "");
}

LLVMValueRef ir_zext(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar)
{
    assert(LLVMGetIntTypeWidth(scalar) >= ir_bits(v));
    return LLVMBuildZExt(e->b, v, ir_like(v, scalar), "");
}

LLVMValueRef ir_sext(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar)
{
    assert(LLVMGetIntTypeWidth(scalar) >= ir_bits(v));
    return LLVMBuildSExt(e->b, v, ir_like(v, scalar), "");
}

LLVMValueRef ir_trunc(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar)
{
    assert(LLVMGetIntTypeWidth(scalar) <= ir_bits(v));
    return LLVMBuildTrunc(e->b, v, ir_like(v, scalar), "");
}

LLVMValueRef ir_resize(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar,
                       bool is_signed)
{
    unsigned from = ir_bits(v), to = LLVMGetIntTypeWidth(scalar);
    if (from == to)
        return v;
    if (from > to)
        return ir_trunc(e, v, scalar);
    return is_signed ? ir_sext(e, v, scalar) : ir_zext(e, v, scalar);
}

#define BINARY(name, Build)                                                    \
    LLVMValueRef ir_##name(struct emit *e, LLVMValueRef a, LLVMValueRef b)     \
    {                                                                          \
        assert(LLVMTypeOf(a) == LLVMTypeOf(b));                                \
        return Build(e->b, a, b, "");                                          \
    }
BINARY(add, LLVMBuildAdd)
BINARY(sub, LLVMBuildSub)
BINARY(mul, LLVMBuildMul)
BINARY(and, LLVMBuildAnd)
BINARY(or, LLVMBuildOr)
BINARY(xor, LLVMBuildXor)
BINARY(shl, LLVMBuildShl)
BINARY(lshr, LLVMBuildLShr)
BINARY(ashr, LLVMBuildAShr)
BINARY(fadd, LLVMBuildFAdd)
BINARY(fsub, LLVMBuildFSub)
BINARY(fmul, LLVMBuildFMul)
BINARY(fdiv, LLVMBuildFDiv)
#undef BINARY

LLVMValueRef ir_not(struct emit *e, LLVMValueRef a)
{
    return LLVMBuildNot(e->b, a, "");
}

LLVMValueRef ir_neg(struct emit *e, LLVMValueRef a)
{
    return LLVMBuildNeg(e->b, a, "");
}

LLVMValueRef ir_fneg(struct emit *e, LLVMValueRef a)
{
    assert(is_float_type(ir_element(a)));
    return LLVMBuildFNeg(e->b, a, "");
}

LLVMValueRef ir_fabs(struct emit *e, LLVMValueRef a)
{
    return ir_unary(e, "llvm.fabs", a);
}

LLVMValueRef ir_fma(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                    LLVMValueRef c)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b) && LLVMTypeOf(b) == LLVMTypeOf(c));
    return ir_ternary(e, "llvm.fma", a, b, c);
}

LLVMValueRef ir_icmp(struct emit *e, LLVMIntPredicate p, LLVMValueRef a,
                     LLVMValueRef b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    return LLVMBuildICmp(e->b, p, a, b, "");
}

LLVMValueRef ir_fcmp(struct emit *e, LLVMRealPredicate p, LLVMValueRef a,
                     LLVMValueRef b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    assert(is_float_type(ir_element(a)));
    return LLVMBuildFCmp(e->b, p, a, b, "");
}

LLVMValueRef ir_is_nan(struct emit *e, LLVMValueRef a)
{
    return ir_fcmp(e, LLVMRealUNO, a, a);
}

LLVMValueRef ir_select(struct emit *e, LLVMValueRef c, LLVMValueRef a,
                       LLVMValueRef b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    assert(ir_element(c) == e->i1);
    return LLVMBuildSelect(e->b, c, a, b, "");
}

LLVMValueRef ir_merge(struct emit *e, LLVMValueRef a, LLVMBasicBlockRef from_a,
                      LLVMValueRef b, LLVMBasicBlockRef from_b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    LLVMValueRef values[] = {a, b};
    LLVMBasicBlockRef from[] = {from_a, from_b};
    LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(a), "");
    LLVMAddIncoming(phi, values, from, 2);
    return phi;
}

LLVMValueRef ir_intrinsic(struct emit *e, const char *name,
                          LLVMTypeRef *overloads, unsigned overload_count,
                          LLVMValueRef *args, unsigned arg_count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    assert(id != 0);
    LLVMValueRef fn =
        LLVMGetIntrinsicDeclaration(e->module, id, overloads, overload_count);
    return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, args, arg_count,
                          "");
}

LLVMValueRef ir_unary(struct emit *e, const char *name, LLVMValueRef a)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    return ir_intrinsic(e, name, &t, 1, &a, 1);
}

LLVMValueRef ir_binary(struct emit *e, const char *name, LLVMValueRef a,
                       LLVMValueRef b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    return ir_intrinsic(e, name, &t, 1, args, 2);
}

LLVMValueRef ir_ternary(struct emit *e, const char *name, LLVMValueRef a,
                        LLVMValueRef b, LLVMValueRef c)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b, c};
    return ir_intrinsic(e, name, &t, 1, args, 3);
}

LLVMValueRef ir_load(struct emit *e, LLVMTypeRef t, LLVMValueRef p,
                     unsigned align)
{
    assert(LLVMTypeOf(p) == e->ptr);
    assert(is_alignment(align));
    LLVMValueRef v = LLVMBuildLoad2(e->b, t, p, "");
    if (align)
        LLVMSetAlignment(v, align);
    return v;
}

LLVMValueRef ir_store(struct emit *e, LLVMValueRef v, LLVMValueRef p,
                      unsigned align)
{
    assert(LLVMTypeOf(p) == e->ptr);
    assert(is_alignment(align));
    LLVMValueRef s = LLVMBuildStore(e->b, v, p);
    if (align)
        LLVMSetAlignment(s, align);
    return s;
}

LLVMValueRef ir_offset(struct emit *e, LLVMValueRef p, int64_t bytes)
{
    if (bytes == 0)
        return p;
    LLVMValueRef n = LLVMConstInt(e->i64, (uint64_t)bytes, 1);
    return ir_offset_by(e, p, n);
}

LLVMValueRef ir_offset_by(struct emit *e, LLVMValueRef p, LLVMValueRef bytes)
{
    assert(ir_element(p) == e->ptr);
    return LLVMBuildGEP2(e->b, e->i8, p, &bytes, 1, "");
}

LLVMValueRef ir_shuffle(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                        const int *index, unsigned count)
{
    LLVMValueRef lanes[4 * EMIT_MAX_LANES];
    assert(count <= ARRAY_COUNT(lanes));
    for (unsigned i = 0; i < count; i++)
        lanes[i] = index[i] < 0 ? LLVMGetUndef(e->i32)
                                : LLVMConstInt(e->i32, (unsigned)index[i], 0);
    if (!b)
        b = LLVMGetUndef(LLVMTypeOf(a));
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(lanes, count),
                                  "");
}

LLVMValueRef ir_slice(struct emit *e, LLVMValueRef v, unsigned first,
                      unsigned count)
{
    assert(first + count <= LLVMGetVectorSize(LLVMTypeOf(v)));
    int index[4 * EMIT_MAX_LANES];
    if (count == LLVMGetVectorSize(LLVMTypeOf(v)))
        return v;
    for (unsigned i = 0; i < count; i++)
        index[i] = (int)(first + i);
    return ir_shuffle(e, v, NULL, index, count);
}

LLVMValueRef ir_reverse(struct emit *e, LLVMValueRef v)
{
    int index[EMIT_MAX_LANES];
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(v));

    assert(LLVMGetVectorSize(LLVMTypeOf(v)) <= ARRAY_COUNT(index));
    for (unsigned i = 0; i < n; i++)
        index[i] = (int)(n - 1 - i);
    return ir_shuffle(e, v, NULL, index, n);
}

LLVMValueRef ir_concat(struct emit *e, LLVMValueRef *parts, unsigned count)
{
    LLVMValueRef work[EMIT_MAX_LANES];
    int index[4 * EMIT_MAX_LANES];

    assert(count <= EMIT_MAX_LANES && (count & (count - 1)) == 0);
    memcpy(work, parts, count * sizeof *work);
    for (; count > 1; count /= 2) {
        unsigned lanes = 2 * LLVMGetVectorSize(LLVMTypeOf(work[0]));
        for (unsigned i = 0; i < lanes; i++)
            index[i] = (int)i;
        for (unsigned i = 0; i < count / 2; i++)
            work[i] = ir_shuffle(e, work[2 * i], work[2 * i + 1], index, lanes);
    }
    return work[0];
}

LLVMValueRef ir_splat(struct emit *e, LLVMValueRef scalar, unsigned lanes)
{
    assert(!ir_is_vector(scalar) && lanes > 0);
    LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(scalar), lanes);
    if (LLVMIsConstant(scalar))
        return spread_constant(LLVMGetUndef(t), scalar);
    LLVMValueRef one = LLVMBuildInsertElement(e->b, LLVMGetUndef(t), scalar,
                                              LLVMConstInt(e->i32, 0, 0), "");
    return LLVMBuildShuffleVector(e->b, one, LLVMGetUndef(t),
                                  LLVMConstNull(LLVMVectorType(e->i32, lanes)),
                                  "");
}

LLVMValueRef ir_extract(struct emit *e, LLVMValueRef v, unsigned lane)
{
    assert(lane < LLVMGetVectorSize(LLVMTypeOf(v)));
    return LLVMBuildExtractElement(e->b, v, LLVMConstInt(e->i32, lane, 0), "");
}

LLVMValueRef ir_undef_like(LLVMValueRef v)
{
    return LLVMGetUndef(LLVMTypeOf(v));
}

LLVMValueRef ir_address(struct emit *e, LLVMValueRef pointer)
{
    assert(LLVMTypeOf(pointer) == e->ptr);
    return LLVMBuildPtrToInt(e->b, pointer, e->i64, "");
}
