/* SPDX-License-Identifier: Apache-2.0 */
/*
 * f16, bf16 and their packed forms. Values are kept as bits, computed as f32
 * and rounded once: f32 has more than twice their bits, so the second rounding
 * changes nothing for +, -, *. fma goes through a rounding to odd. Conversions
 * are bits, except where the machine has them, so that no library call can
 * appear. A machine with arithmetic of f16 does that of f16 itself.
 */
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"

static bool is_bf16(enum ptx_type t)
{
    return t == PTX_TYPE_bf16 || t == PTX_TYPE_bf16x2;
}

static bool is_packed(enum ptx_type t)
{
    return t == PTX_TYPE_f16x2 || t == PTX_TYPE_bf16x2;
}

/* ---- conversions ------------------------------------------------------- */

static LLVMValueRef half_to_float_bits(struct emit *e, LLVMValueRef bits)
{
    LLVMValueRef h = ir_zext(e, bits, e->i32);
    LLVMValueRef sign =
        ir_shl(e, ir_and(e, h, ir_int(h, 0x8000)), ir_int(h, 16));
    LLVMValueRef size =
        ir_shl(e, ir_and(e, h, ir_int(h, 0x7fff)), ir_int(h, 13));
    /* The exponent is 112 too small; multiplying by 2^112 also normalises
     * subnormals. Infinity and NaN keep the largest exponent. */
    LLVMValueRef scaled = ir_fmul(e, ir_as(e, size, e->f32),
                                  ir_real(ir_as(e, size, e->f32), 0x1p112));
    LLVMValueRef is_special =
        ir_icmp(e, LLVMIntUGE, size, ir_int(size, 0x0f800000));
    LLVMValueRef special = ir_or(e, size, ir_int(size, 0x7f800000));
    LLVMValueRef v = ir_select(e, is_special, special, ir_as_int(e, scaled));
    return ir_as(e, ir_or(e, v, sign), e->f32);
}

LLVMValueRef emit_half_to_float(struct emit *e, LLVMValueRef bits)
{
    assert(ir_bits(bits) == 16);
    if (!e->target->has_f16c)
        return half_to_float_bits(e, bits);
    LLVMTypeRef half = LLVMHalfTypeInContext(e->cx);
    return ir_cast(e, LLVMFPExt, ir_as(e, bits, half), e->f32);
}

/* Rounds to nearest even by adding to the bits: normal results by integer
 * carry, subnormal ones by a float addition that aligns the mantissa. */
static LLVMValueRef float_to_half_bits(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef bits = ir_as_int(e, v);
    LLVMValueRef sign =
        ir_and(e, ir_lshr(e, bits, ir_int(bits, 16)), ir_int(bits, 0x8000));
    LLVMValueRef size = ir_and(e, bits, ir_int(bits, 0x7fffffff));
    LLVMValueRef odd =
        ir_and(e, ir_lshr(e, size, ir_int(size, 13)), ir_int(size, 1));
    LLVMValueRef normal = ir_add(e, size, ir_int(size, -0x38000000 + 0xfff));
    normal = ir_lshr(e, ir_add(e, normal, odd), ir_int(size, 13));
    LLVMValueRef f = ir_as(e, size, e->f32);
    LLVMValueRef tiny = ir_fadd(e, f, ir_real(f, 0.5));
    tiny = ir_sub(e, ir_as_int(e, tiny), ir_int(size, 0x3f000000));
    LLVMValueRef is_tiny =
        ir_icmp(e, LLVMIntULT, size, ir_int(size, 0x38800000));
    LLVMValueRef is_big =
        ir_icmp(e, LLVMIntUGE, size, ir_int(size, 0x477ff000));
    LLVMValueRef is_nan =
        ir_icmp(e, LLVMIntUGT, size, ir_int(size, 0x7f800000));
    LLVMValueRef r = ir_select(e, is_tiny, tiny, normal);
    r = ir_select(e, is_big, ir_int(r, 0x7c00), r);
    r = ir_or(e, r, sign);
    r = ir_select(e, is_nan, ir_int(r, 0x7fff), r);
    return ir_trunc(e, r, e->i16);
}

static bool is_arithmetic(LLVMValueRef v)
{
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : 0;
    return op == LLVMFAdd || op == LLVMFSub || op == LLVMFMul ||
           op == LLVMCall;
}

/* LLVM makes one conversion of those from integer to float and on to half, and
 * of that one and the way back to float another, if the integer has few enough
 * significant bits: 65536 would not become infinite. What arithmetic gives is
 * no conversion; what else may be one is fenced off, at no cost. */
static LLVMValueRef nearest_half(struct emit *e, LLVMValueRef v)
{
    if (!e->target->has_f16c)
        return float_to_half_bits(e, v);
    if (!is_arithmetic(v))
        v = ir_unary(e, "llvm.arithmetic.fence", v);
    LLVMValueRef h = ir_cast(e, LLVMFPTrunc, v, LLVMHalfTypeInContext(e->cx));
    LLVMValueRef bits = ir_as_int(e, h);
    return ir_select(e, ir_is_nan(e, v), ir_int(bits, 0x7fff), bits);
}

/* The bits of a result rounded to nearest, moved one step in the rounding
 * direction. */
static LLVMValueRef step_bits(struct emit *e, LLVMValueRef bits,
                              LLVMValueRef value, LLVMValueRef rounded,
                              enum ptx_rnd rnd)
{
    LLVMValueRef above = ir_fcmp(e, LLVMRealOGT, rounded, value);
    LLVMValueRef below = ir_fcmp(e, LLVMRealOLT, rounded, value);
    LLVMValueRef one = ir_int(bits, 1);
    LLVMValueRef is_negative = ir_icmp(e, LLVMIntSLT, bits, ir_int(bits, 0));
    LLVMValueRef shrink = ir_sub(e, bits, one), grow = ir_add(e, bits, one);

    if (rnd == PTX_RND_rz) {
        LLVMValueRef too_far = ir_select(e, is_negative, below, above);
        return ir_select(e, too_far, shrink, bits);
    }
    bool is_up = rnd == PTX_RND_rp;
    LLVMValueRef wrong = is_up ? below : above;
    LLVMValueRef moved = is_up ? ir_select(e, is_negative, shrink, grow)
                               : ir_select(e, is_negative, grow, shrink);
    /* Across zero: the smallest number of the other sign. */
    LLVMValueRef is_zero =
        ir_icmp(e, LLVMIntEQ, ir_shl(e, bits, one), ir_int(bits, 0));
    moved = ir_select(e, is_zero, ir_int(bits, is_up ? 1 : 0x8001), moved);
    return ir_select(e, wrong, moved, bits);
}

LLVMValueRef emit_float_to_half(struct emit *e, LLVMValueRef v,
                                enum ptx_rnd rnd)
{
    if (ir_element(v) == e->f64)
        v = emit_double_to_float_odd(e, v);
    assert(ir_element(v) == e->f32);
    LLVMValueRef bits = nearest_half(e, v);
    if (!ptx_is_directed(rnd))
        return bits;
    return step_bits(e, bits, v, emit_half_to_float(e, bits), rnd);
}

LLVMValueRef emit_bf16_to_float(struct emit *e, LLVMValueRef bits)
{
    assert(ir_bits(bits) == 16);
    LLVMValueRef wide = ir_zext(e, bits, e->i32);
    return ir_as(e, ir_shl(e, wide, ir_int(wide, 16)), e->f32);
}

LLVMValueRef emit_float_to_bf16(struct emit *e, LLVMValueRef v,
                                enum ptx_rnd rnd)
{
    if (ir_element(v) == e->f64)
        v = emit_double_to_float_odd(e, v);
    LLVMValueRef bits = ir_as_int(e, v);
    LLVMValueRef sixteen = ir_int(bits, 16);
    LLVMValueRef odd = ir_and(e, ir_lshr(e, bits, sixteen), ir_int(bits, 1));
    LLVMValueRef r = ir_add(e, ir_add(e, bits, ir_int(bits, 0x7fff)), odd);
    r = ir_trunc(e, ir_lshr(e, r, sixteen), e->i16);
    if (ptx_is_directed(rnd))
        r = step_bits(e, r, v, emit_bf16_to_float(e, r), rnd);
    return ir_select(e, ir_is_nan(e, v), ir_int(r, 0x7fff), r);
}

/* Round to odd: truncate, and set the last bit if anything was lost. A later
 * rounding to fewer bits then sees on which side of a tie the value was. */
LLVMValueRef emit_double_to_float_odd(struct emit *e, LLVMValueRef v)
{
    assert(ir_element(v) == e->f64);
    LLVMValueRef r = ir_cast(e, LLVMFPTrunc, v, e->f32);
    LLVMValueRef back = ir_cast(e, LLVMFPExt, r, e->f64);
    LLVMValueRef bits = ir_as_int(e, r);
    LLVMValueRef is_inexact = ir_fcmp(e, LLVMRealONE, back, v);
    LLVMValueRef is_beyond =
        ir_fcmp(e, LLVMRealOGT, ir_fabs(e, back), ir_fabs(e, v));
    LLVMValueRef cut = ir_sub(e, bits, ir_zext(e, is_beyond, e->i32));
    LLVMValueRef odd = ir_or(e, cut, ir_int(cut, 1));
    return ir_as(e, ir_select(e, is_inexact, odd, bits), e->f32);
}

/* ---- packing ----------------------------------------------------------- */

static LLVMValueRef widen_half(struct emit *e, LLVMValueRef bits,
                               enum ptx_type t)
{
    return is_bf16(t) ? emit_bf16_to_float(e, bits)
                      : emit_half_to_float(e, bits);
}

static LLVMValueRef narrow_to_half(struct emit *e, LLVMValueRef v,
                                   enum ptx_type t)
{
    return is_bf16(t) ? emit_float_to_bf16(e, v, PTX_RND_rn)
                      : emit_float_to_half(e, v, PTX_RND_rn);
}

/* Half i of a source, as bits. */
static LLVMValueRef half_of(struct emit *e, const struct ptx_inst *inst,
                            unsigned operand, unsigned i)
{
    LLVMValueRef v = emit_read(e, &inst->operand[operand], inst->type[0]);
    if (!is_packed(inst->type[0]))
        return v;
    return ir_trunc(e, ir_lshr(e, v, ir_int(v, 16 * i)), e->i16);
}

/* Runs fn for each half and writes the results as one value. */
typedef LLVMValueRef half_fn(struct emit *e, const struct ptx_inst *inst,
                             unsigned half, const void *data);

static void for_halves(struct emit *e, const struct ptx_inst *inst, half_fn *fn,
                       const void *data)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef v = fn(e, inst, 0, data);

    if (is_packed(type)) {
        LLVMValueRef high = ir_zext(e, fn(e, inst, 1, data), e->i32);
        v = ir_or(e, ir_zext(e, v, e->i32), ir_shl(e, high, ir_int(high, 16)));
    }
    emit_write(e, &inst->operand[0], v, type);
}

/* ---- arithmetic -------------------------------------------------------- */

/* Subnormal halves to zero of the same sign. */
LLVMValueRef emit_flush_half(struct emit *e, const struct ptx_inst *inst,
                             LLVMValueRef bits)
{
    if (!(inst->flags & PTX_FLAG_ftz))
        return bits;
    enum ptx_type t = inst->type[inst->type_count - 1];
    LLVMValueRef exponent =
        ir_and(e, bits, ir_int(bits, is_bf16(t) ? 0x7f80 : 0x7c00));
    LLVMValueRef is_small = ir_icmp(e, LLVMIntEQ, exponent, ir_int(bits, 0));
    return ir_select(e, is_small, ir_and(e, bits, ir_int(bits, 0x8000)), bits);
}

/* a + b, rounded to odd: the last bit is 1 if anything was lost, so that a
 * later rounding to fewer bits sees it. The error of a sum is a number: Knuth,
 * "Seminumerical Algorithms", 4.2.2. */
static LLVMValueRef add_to_odd(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef sum = ir_fadd(e, a, b), from_b = ir_fsub(e, sum, a);
    LLVMValueRef error = ir_fadd(e, ir_fsub(e, a, ir_fsub(e, sum, from_b)),
                                 ir_fsub(e, b, from_b));
    LLVMValueRef bits = ir_as_int(e, sum), one = ir_int(bits, 1);
    LLVMValueRef is_even =
        ir_icmp(e, LLVMIntEQ, ir_and(e, bits, one), ir_int(bits, 0));
    LLVMValueRef was_lost = ir_fcmp(e, LLVMRealONE, error, ir_real(error, 0));
    LLVMValueRef is_beyond = ir_icmp(
        e, LLVMIntSLT, ir_xor(e, bits, ir_as_int(e, error)), ir_int(bits, 0));
    LLVMValueRef step = ir_select(e, is_beyond, ir_int(bits, -1), one);
    step = ir_select(e, ir_and(e, is_even, was_lost), step, ir_int(bits, 0));
    return ir_as(e, ir_add(e, bits, step), ir_element(a));
}

/* With .ftz, an f16 result that would be rounded up to the least normal number
 * only for lack of bits is flushed, as hardware does. */
static LLVMValueRef without_tiny(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef v)
{
    if (!(inst->flags & PTX_FLAG_ftz))
        return v;
    LLVMValueRef is_tiny = ir_fcmp(e, LLVMRealOLT, ir_fabs(e, v),
                                   ir_real(v, 0x1p-14 * (1 - 0x1p-12)));
    return ir_select(e, is_tiny,
                     ir_binary(e, "llvm.copysign", ir_real(v, 0), v), v);
}

/* The product is exact in f64; f32 has the digits for it, but not the range. */
static LLVMValueRef fused_in_doubles(struct emit *e, LLVMValueRef a,
                                     LLVMValueRef b, LLVMValueRef c)
{
    LLVMTypeRef t = e->f64;
    LLVMValueRef product =
        ir_fmul(e, ir_cast(e, LLVMFPExt, a, t), ir_cast(e, LLVMFPExt, b, t));

    return emit_float_to_bf16(
        e, add_to_odd(e, product, ir_cast(e, LLVMFPExt, c, t)), PTX_RND_rn);
}

/* Products of f16 are exact in f32. */
static LLVMValueRef fused_to_odd(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                                 LLVMValueRef c)
{
    return nearest_half(e, add_to_odd(e, ir_fmul(e, a, b), c));
}

/* Is an element of v 0? Compares the least of those that share a place in the
 * machine's vectors. */
static LLVMValueRef has_zero(struct emit *e, LLVMValueRef v)
{
    unsigned count = LLVMGetVectorSize(LLVMTypeOf(v));
    unsigned width = e->target->has_avx512 ? 16 : 8;

    for (; count > width && count % 2 == 0; count /= 2)
        v = ir_binary(e, "llvm.umin", ir_slice(e, v, 0, count / 2),
                      ir_slice(e, v, count / 2, count / 2));
    LLVMValueRef bits =
        LLVMBuildBitCast(e->b, ir_icmp(e, LLVMIntEQ, v, ir_int(v, 0)),
                         LLVMIntTypeInContext(e->cx, count), "");
    return ir_icmp(e, LLVMIntNE, bits, ir_int(bits, 0));
}

/* Ends a block with a branch to a new block that is rarely taken, else to
 * `done`, where `value` goes into phi. Goes on in the new block. */
static void branch_unless(struct emit *e, LLVMValueRef seldom,
                          LLVMBasicBlockRef done, LLVMValueRef phi,
                          LLVMValueRef value)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef next = emit_new_block(e, "middle");

    emit_branch(e, seldom, next, done, EMIT_UNLIKELY);
    LLVMAddIncoming(phi, &value, &from, 1);
    LLVMPositionBuilderAtEnd(e->b, next);
}

/* A phi in a new block, `done`. The builder stays where it is. */
static LLVMValueRef new_result(struct emit *e, LLVMTypeRef type,
                               LLVMBasicBlockRef *done)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    *done = emit_new_block(e, "fused");
    LLVMPositionBuilderAtEnd(e->b, *done);
    LLVMValueRef phi = LLVMBuildPhi(e->b, type, "");
    LLVMPositionBuilderAtEnd(e->b, here);
    return phi;
}

static LLVMValueRef last_result(struct emit *e, LLVMValueRef phi,
                                LLVMBasicBlockRef done, LLVMValueRef value)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);

    emit_goto_new(e, done);
    LLVMAddIncoming(phi, &value, &from, 1);
    return phi;
}

/* Rounds to f32 first, which is wrong only if that gives exactly the middle
 * between two bf16, and is not exact. */
static LLVMValueRef fused_bf16(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                               LLVMValueRef c)
{
    LLVMBasicBlockRef done;
    LLVMValueRef v = ir_fma(e, a, b, c), bits = ir_as_int(e, v);
    LLVMValueRef fast = emit_float_to_bf16(e, v, PTX_RND_rn);
    LLVMValueRef phi = new_result(e, LLVMTypeOf(fast), &done);
    LLVMValueRef is_middle =
        ir_icmp(e, LLVMIntEQ, ir_and(e, bits, ir_int(bits, 0xffff)),
                ir_int(bits, 0x8000));

    branch_unless(e, emit_any(e, is_middle), done, phi, fast);
    return last_result(e, phi, done, fused_in_doubles(e, a, b, c));
}

/* The same for f16. The middle between two f16, subnormal or not, ends in
 * twelve zeros and is no f16. A NaN is treated like one: the exact way gives
 * it its bits. A number that is far too large becomes infinity, and kernels
 * that have one have many. */
static LLVMValueRef fused_f16(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef c)
{
    LLVMBasicBlockRef done;
    LLVMValueRef v = ir_fma(e, a, b, c), large = ir_real(v, 0x1.fffffep16);
    LLVMValueRef h = ir_cast(e, LLVMFPTrunc, v, LLVMHalfTypeInContext(e->cx));
    LLVMValueRef fast = ir_as_int(e, h);
    LLVMValueRef phi = new_result(e, LLVMTypeOf(fast), &done);

    LLVMValueRef bits =
        ir_as_int(e, ir_select(e, ir_fcmp(e, LLVMRealOLT, large, v), large, v));
    LLVMValueRef end = ir_and(e, bits, ir_int(bits, 0xfff));
    branch_unless(e, has_zero(e, end), done, phi, fast);
    LLVMValueRef is_itself =
        ir_fcmp(e, LLVMRealOEQ, v, ir_cast(e, LLVMFPExt, h, e->f32));
    LLVMValueRef doubt = ir_or(e, end, ir_sext(e, is_itself, e->i32));
    branch_unless(e, has_zero(e, doubt), done, phi, fast);
    return last_result(e, phi, done, fused_to_odd(e, a, b, c));
}

static LLVMValueRef fused_halves(struct emit *e, const struct ptx_inst *inst,
                                 enum ptx_type type, LLVMValueRef a,
                                 LLVMValueRef b, LLVMValueRef c)
{
    bool is_fast = ir_is_vector(a) && e->lanes > 1 && e->target->has_fma;
    if (is_bf16(type))
        return (is_fast ? fused_bf16 : fused_in_doubles)(e, a, b, c);
    if (is_fast && e->target->has_f16c && !(inst->flags & PTX_FLAG_ftz))
        return fused_f16(e, a, b, c);
    LLVMValueRef v = add_to_odd(e, ir_fmul(e, a, b), c);
    return narrow_to_half(e, without_tiny(e, inst, v), type);
}

static LLVMValueRef arith_half(struct emit *e, const struct ptx_inst *inst,
                               unsigned half, const void *data)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef a = widen_half(
        e, emit_flush_half(e, inst, half_of(e, inst, 1, half)), type);
    LLVMValueRef b = widen_half(
        e, emit_flush_half(e, inst, half_of(e, inst, 2, half)), type);
    LLVMValueRef v;

    (void)data;
    switch (inst->op) {
    case PTX_OP_add:
        v = narrow_to_half(e, ir_fadd(e, a, b), type);
        break;
    case PTX_OP_sub:
        v = narrow_to_half(e, ir_fsub(e, a, b), type);
        break;
    case PTX_OP_mul:
        v = narrow_to_half(e, without_tiny(e, inst, ir_fmul(e, a, b)), type);
        break;
    default: {
        LLVMValueRef c = widen_half(
            e, emit_flush_half(e, inst, half_of(e, inst, 3, half)), type);
        v = fused_halves(e, inst, type, a, b, c);
        break;
    }
    }
    v = emit_flush_half(e, inst, v);
    if (inst->flags & PTX_FLAG_sat)
        v = narrow_to_half(e, emit_saturate(e, widen_half(e, v, type)), type);
    if (inst->flags & PTX_FLAG_relu) {
        LLVMValueRef f = widen_half(e, v, type);
        LLVMValueRef is_negative = ir_fcmp(e, LLVMRealOLE, f, ir_real(f, 0));
        v = ir_select(e, is_negative, ir_int(v, 0), v);
    }
    return v;
}

/* A source's f16; for packed ones the low and the high one of each lane side
 * by side, as they are in the register. */
static LLVMValueRef native_source(struct emit *e, const struct ptx_inst *inst,
                                  unsigned operand)
{
    LLVMValueRef v = emit_read(e, &inst->operand[operand], inst->type[0]);
    if (is_packed(inst->type[0]))
        v = ir_split(e, v, e->i16);
    return ir_as(e, v, LLVMHalfTypeInContext(e->cx));
}

/* Packed results as the register that they form. */
static LLVMValueRef joined_halves(struct emit *e, const struct ptx_inst *inst,
                                  LLVMValueRef bits)
{
    if (!is_packed(inst->type[0]))
        return bits;
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(bits)) / 2;
    LLVMTypeRef whole = lanes > 1 ? LLVMVectorType(e->i32, lanes) : e->i32;
    return LLVMBuildBitCast(e->b, bits, whole, "");
}

/* Computed by the machine and rounded once. Its NaNs differ. */
static void native_arith(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = native_source(e, inst, 1), b = native_source(e, inst, 2);
    LLVMValueRef v;

    switch (inst->op) {
    case PTX_OP_add:
        v = ir_fadd(e, a, b);
        break;
    case PTX_OP_sub:
        v = ir_fsub(e, a, b);
        break;
    case PTX_OP_mul:
        v = ir_fmul(e, a, b);
        break;
    default:
        v = ir_fma(e, a, b, native_source(e, inst, 3));
        break;
    }
    LLVMValueRef bits = ir_as_int(e, v);
    bits = ir_select(e, ir_is_nan(e, v), ir_int(bits, 0x7fff), bits);
    emit_write(e, &inst->operand[0], joined_halves(e, inst, bits),
               inst->type[0]);
}

void emit_half_arith(struct emit *e, const struct ptx_inst *inst)
{
    bool is_plain =
        !(inst->flags & (PTX_FLAG_ftz | PTX_FLAG_sat | PTX_FLAG_relu));

    if (e->target->has_fp16 && is_plain && !is_bf16(inst->type[0]))
        native_arith(e, inst);
    else
        for_halves(e, inst, arith_half, NULL);
}

static LLVMValueRef sign_half(struct emit *e, const struct ptx_inst *inst,
                              unsigned half, const void *data)
{
    LLVMValueRef v = emit_flush_half(e, inst, half_of(e, inst, 1, half));
    (void)data;
    LLVMValueRef size = ir_and(e, v, ir_int(v, 0x7fff));
    LLVMValueRef infinity = ir_int(v, is_bf16(inst->type[0]) ? 0x7f80 : 0x7c00);
    LLVMValueRef is_nan = ir_icmp(e, LLVMIntUGT, size, infinity);
    LLVMValueRef r =
        inst->op == PTX_OP_abs ? size : ir_xor(e, v, ir_int(v, 0x8000));
    return ir_select(e, is_nan, ir_int(r, 0x7fff), r);
}

void emit_half_sign(struct emit *e, const struct ptx_inst *inst)
{
    for_halves(e, inst, sign_half, NULL);
}

static LLVMValueRef min_max_half(struct emit *e, const struct ptx_inst *inst,
                                 unsigned half, const void *data)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef a = emit_flush_half(e, inst, half_of(e, inst, 1, half));
    LLVMValueRef b = emit_flush_half(e, inst, half_of(e, inst, 2, half));
    LLVMValueRef sign = ir_and(e, ir_xor(e, a, b), ir_int(a, 0x8000));

    (void)data;
    if (inst->flags & PTX_FLAG_xorsign_abs) {
        a = ir_and(e, a, ir_int(a, 0x7fff));
        b = ir_and(e, b, ir_int(b, 0x7fff));
    }
    LLVMValueRef v =
        emit_float_min_max(e, widen_half(e, a, type), widen_half(e, b, type),
                           inst->op == PTX_OP_max, inst->flags & PTX_FLAG_NaN);
    LLVMValueRef r = narrow_to_half(e, v, type);
    if (inst->flags & PTX_FLAG_xorsign_abs) {
        LLVMValueRef signed_r = ir_or(e, ir_and(e, r, ir_int(r, 0x7fff)), sign);
        r = ir_select(e, ir_is_nan(e, v), r, signed_r);
    }
    return r;
}

void emit_half_min_max(struct emit *e, const struct ptx_inst *inst)
{
    for_halves(e, inst, min_max_half, NULL);
}

struct approx_ref {
    LLVMValueRef (*fn)(struct emit *e, LLVMValueRef x);
};

static LLVMValueRef approx_half(struct emit *e, const struct ptx_inst *inst,
                                unsigned half, const void *data)
{
    const struct approx_ref *ref = data;
    LLVMValueRef v = widen_half(
        e, emit_flush_half(e, inst, half_of(e, inst, 1, half)), inst->type[0]);
    return emit_flush_half(e, inst,
                           narrow_to_half(e, ref->fn(e, v), inst->type[0]));
}

void emit_half_approx(struct emit *e, const struct ptx_inst *inst,
                      LLVMValueRef (*fn)(struct emit *e, LLVMValueRef x))
{
    struct approx_ref ref = {fn};
    for_halves(e, inst, approx_half, &ref);
}
