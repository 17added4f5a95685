/* SPDX-License-Identifier: Apache-2.0 */
/*
 * f32 and f64 arithmetic. LLVM's plain operations round to nearest and keep
 * subnormals, as PTX does without .ftz. Directed roundings are made from the
 * nearest result and the sign of its error, which fma gives exactly, so that
 * nothing depends on the machine's rounding mode.
 */
#include "emit/core/emitters.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"

static LLVMValueRef read_source(struct emit *e, const struct ptx_inst *inst,
                                unsigned i)
{
    const struct ptx_operand *o = &inst->operand[i];

    return inst->flags & PTX_FLAG_ftz ? emit_read_flushed(e, o, inst->type[0])
                                      : emit_read(e, o, inst->type[0]);
}

/* Does the machine flush the instruction's operands and result? */
static bool is_flushed_by_machine(struct emit *e, const struct ptx_inst *inst)
{
    return e->flushes && inst->flags & PTX_FLAG_ftz;
}

/* Source i of an instruction that computes. */
static LLVMValueRef read_term(struct emit *e, const struct ptx_inst *inst,
                              unsigned i)
{
    if (is_flushed_by_machine(e, inst) && !emit_has_constant(e, inst))
        return emit_read(e, &inst->operand[i], inst->type[0]);
    return read_source(e, inst, i);
}

static void write_result(struct emit *e, const struct ptx_inst *inst,
                         LLVMValueRef v)
{
    bool is_product = inst->op == PTX_OP_mul || inst->op == PTX_OP_fma ||
                      inst->op == PTX_OP_mad; /* without_tiny_product */
    if (inst->flags & PTX_FLAG_ftz && !is_product && !e->flushes)
        v = emit_flush(e, v);
    if (inst->flags & PTX_FLAG_sat)
        v = emit_saturate(e, v);
    emit_write(e, &inst->operand[0], v, inst->type[0]);
}

/* ---- errors, and rounding by them ---------------------------------------- */

static LLVMValueRef is_finite(struct emit *e, LLVMValueRef v)
{
    return ir_fcmp(e, LLVMRealOLT, ir_fabs(e, v),
                   ir_bits_real(e, v,
                                ir_element(v) == e->f32
                                    ? UINT64_C(0x7f800000)
                                    : UINT64_C(0x7ff0000000000000)));
}

/* After an operation on finite operands that overflowed, the exact value is
 * between the largest finite number and infinity. */
static LLVMValueRef with_overflow(struct emit *e, LLVMValueRef r,
                                  LLVMValueRef error, LLVMValueRef finite_in)
{
    LLVMValueRef is_over = ir_and(e, finite_in, ir_not(e, is_finite(e, r)));
    return ir_select(e, is_over, ir_fneg(e, r), error);
}

/* Dekker: the exact error of a sum. The larger operand is subtracted first, so
 * that nothing overflows. */
static LLVMValueRef sum_error(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef sum)
{
    LLVMValueRef is_less =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, a), ir_fabs(e, b));
    LLVMValueRef larger = ir_select(e, is_less, b, a);
    LLVMValueRef smaller = ir_select(e, is_less, a, b);
    return ir_fsub(e, smaller, ir_fsub(e, sum, larger));
}

/* With .rm an exact zero sum of opposite numbers is -0. */
static LLVMValueRef zero_sum(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                             LLVMValueRef r, LLVMValueRef error,
                             enum ptx_rnd rnd)
{
    if (rnd != PTX_RND_rm)
        return r;
    LLVMValueRef zero = ir_real(r, 0);
    LLVMValueRef both_positive =
        ir_icmp(e, LLVMIntSGE, ir_or(e, ir_as_int(e, a), ir_as_int(e, b)),
                ir_int(ir_as_int(e, a), 0));
    LLVMValueRef wants =
        ir_and(e, ir_fcmp(e, LLVMRealOEQ, r, zero), ir_not(e, both_positive));
    wants = ir_and(e, wants, ir_fcmp(e, LLVMRealOEQ, error, ir_real(error, 0)));
    return ir_select(e, wants, ir_real(r, -0.0), r);
}

static LLVMValueRef float_sum(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                              enum ptx_rnd rnd)
{
    LLVMValueRef r = ir_fadd(e, a, b);
    if (!ptx_is_directed(rnd))
        return r;
    LLVMValueRef finite = ir_and(e, is_finite(e, a), is_finite(e, b));
    LLVMValueRef error = with_overflow(e, r, sum_error(e, a, b, r), finite);
    r = zero_sum(e, a, b, r, error, rnd);
    return emit_round_directed(e, r, error, rnd);
}

/* Results near f64's subnormals would lose their error. The same product and
 * sum, with the smaller factor and the rest scaled up, have the same sign. */
struct scaled {
    LLVMValueRef a, b, scale;
};

static struct scaled scale_up(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef r)
{
    LLVMValueRef is_tiny =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, r), ir_real(r, 0x1p-900));
    LLVMValueRef is_a_less =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, a), ir_fabs(e, b));
    LLVMValueRef scale =
        ir_select(e, is_tiny, ir_real(r, 0x1p200), ir_real(r, 1));
    LLVMValueRef less = ir_select(e, is_a_less, a, b);
    return (struct scaled){ir_fmul(e, less, scale),
                           ir_select(e, is_a_less, b, a), scale};
}

/* A double in parts: its exponent with the bias, and the rest as a number in
 * [1, 2) with its sign. Zero has the least exponent. */
struct apart {
    LLVMValueRef exponent, bits;
};

static struct apart take_apart(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef is_small =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, v), ir_real(v, 0x1p-1022));
    LLVMValueRef bits = ir_as_int(
        e, ir_select(e, is_small, ir_fmul(e, v, ir_real(v, 0x1p54)), v));
    LLVMValueRef exponent =
        ir_and(e, ir_lshr(e, bits, ir_int(bits, 52)), ir_int(bits, 0x7ff));
    exponent = ir_sub(
        e, exponent, ir_select(e, is_small, ir_int(bits, 54), ir_int(bits, 0)));
    bits = ir_and(e, bits, ir_int(bits, (int64_t)UINT64_C(0x800fffffffffffff)));
    return (struct apart){exponent, bits};
}

/* The rest with another exponent, clamped to within `most` of 0. */
static LLVMValueRef put_together(struct emit *e, struct apart v,
                                 LLVMValueRef exponent, int most)
{
    assert(most >= 0);
    exponent =
        ir_binary(e, "llvm.smax", exponent, ir_int(exponent, 1023 - most));
    exponent =
        ir_binary(e, "llvm.smin", exponent, ir_int(exponent, 1023 + most));
    return ir_as(e, ir_or(e, v.bits, ir_shl(e, exponent, ir_int(exponent, 52))),
                 e->f64);
}

/*
 * a * b + c - r in f64: its sign, where r is the sum rounded to nearest. The
 * factors are scaled to [1, 2), the others with them, so that nothing overflows
 * or is lost below: then the error of Boldo and Muller's transform has the
 * right sign. A c that is far from the product need not keep its size; one that
 * is far above it is r, and the product has the sign.
 */
static LLVMValueRef double_fma_error(struct emit *e, LLVMValueRef a,
                                     LLVMValueRef b, LLVMValueRef c,
                                     LLVMValueRef r)
{
    assert(ir_element(r) == e->f64);
    LLVMValueRef zero = ir_real(r, 0), one = ir_real(r, 1);
    struct apart x = take_apart(e, a), y = take_apart(e, b);
    struct apart z = take_apart(e, c), sum = take_apart(e, r);
    LLVMValueRef unit = ir_int(x.exponent, 1023);
    LLVMValueRef scale =
        ir_sub(e, ir_int(x.exponent, 2046), ir_add(e, x.exponent, y.exponent));

    a = put_together(e, x, unit, 0);
    b = put_together(e, y, unit, 0);
    LLVMValueRef wide = put_together(e, z, ir_add(e, z.exponent, scale), 200);
    LLVMValueRef near =
        put_together(e, sum, ir_add(e, sum.exponent, scale), 400);
    wide = ir_select(e, ir_fcmp(e, LLVMRealONE, c, zero), wide, zero);
    near = ir_select(e, ir_fcmp(e, LLVMRealONE, r, zero), near, zero);
    LLVMValueRef p = ir_fmul(e, a, b);
    LLVMValueRef p_low = ir_fma(e, a, b, ir_fneg(e, p));
    LLVMValueRef t = ir_fadd(e, wide, p_low);
    LLVMValueRef t_low = sum_error(e, wide, p_low, t);
    LLVMValueRef s = ir_fadd(e, p, t);
    LLVMValueRef s_low = sum_error(e, p, t, s);
    LLVMValueRef error =
        ir_fadd(e, ir_fadd(e, ir_fsub(e, s, near), s_low), t_low);
    LLVMValueRef sign = ir_binary(e, "llvm.copysign", one, p);
    return ir_select(e, ir_fcmp(e, LLVMRealOEQ, r, c), sign, error);
}

/* In doubles, where products of singles are exact. */
static LLVMValueRef single_fma_error(struct emit *e, LLVMValueRef a,
                                     LLVMValueRef b, LLVMValueRef c,
                                     LLVMValueRef r)
{
    assert(ir_element(r) == e->f32);
    LLVMTypeRef t = e->f64;
    LLVMValueRef p =
        ir_fmul(e, ir_cast(e, LLVMFPExt, a, t), ir_cast(e, LLVMFPExt, b, t));
    LLVMValueRef wide_c = ir_cast(e, LLVMFPExt, c, t);
    LLVMValueRef s = ir_fadd(e, p, wide_c);
    LLVMValueRef low = sum_error(e, p, wide_c, s);
    return ir_fadd(e, ir_fsub(e, s, ir_cast(e, LLVMFPExt, r, t)), low);
}

static LLVMValueRef fused_multiply(struct emit *e, LLVMValueRef a,
                                   LLVMValueRef b, LLVMValueRef c,
                                   enum ptx_rnd rnd)
{
    LLVMValueRef r = ir_fma(e, a, b, c);
    if (!ptx_is_directed(rnd))
        return r;
    bool is_single = ir_element(r) == e->f32;
    LLVMValueRef error = is_single ? single_fma_error(e, a, b, c, r)
                                   : double_fma_error(e, a, b, c, r);
    /* An exact result, and one that is no number, has no error. */
    LLVMValueRef zero = ir_real(r, 0), none = ir_real(error, 0);
    LLVMValueRef has_product = ir_and(e, ir_fcmp(e, LLVMRealONE, a, zero),
                                      ir_fcmp(e, LLVMRealONE, b, zero));
    error = ir_select(e, ir_and(e, has_product, is_finite(e, r)), error, none);
    LLVMValueRef finite =
        ir_and(e, ir_and(e, is_finite(e, a), is_finite(e, b)), is_finite(e, c));
    LLVMValueRef is_over = ir_and(e, finite, ir_not(e, is_finite(e, r)));
    LLVMValueRef back = ir_fneg(e, r);
    error = ir_select(e, is_over,
                      is_single ? ir_cast(e, LLVMFPExt, back, e->f64) : back,
                      error);
    r = zero_sum(e, ir_fmul(e, a, b), c, r, error, rnd);
    return emit_round_directed(e, r, error, rnd);
}

static LLVMValueRef product_error(struct emit *e, LLVMValueRef a,
                                  LLVMValueRef b, LLVMValueRef r)
{
    struct scaled s = scale_up(e, a, b, r);
    LLVMValueRef error =
        ir_fma(e, s.a, s.b, ir_fneg(e, ir_fmul(e, r, s.scale)));
    /* Of a product that vanished the sign remains, also if scaling did not
     * bring it back; of a factor that is zero nothing does. */
    LLVMValueRef zero = ir_real(r, 0), one = ir_real(r, 1);
    LLVMValueRef is_lost = ir_and(e, ir_fcmp(e, LLVMRealONE, a, zero),
                                  ir_fcmp(e, LLVMRealONE, b, zero));
    is_lost = ir_and(e, is_lost, ir_fcmp(e, LLVMRealOEQ, r, zero));
    return ir_select(e, is_lost, ir_binary(e, "llvm.copysign", one, r), error);
}

static LLVMValueRef rounded_product(struct emit *e, LLVMValueRef a,
                                    LLVMValueRef b, enum ptx_rnd rnd)
{
    LLVMValueRef r = ir_fmul(e, a, b);
    if (!ptx_is_directed(rnd))
        return r;
    LLVMValueRef error;
    if (ir_element(r) == e->f32) {
        LLVMValueRef exact = ir_fmul(e, ir_cast(e, LLVMFPExt, a, e->f64),
                                     ir_cast(e, LLVMFPExt, b, e->f64));
        error = ir_fsub(e, exact, ir_cast(e, LLVMFPExt, r, e->f64));
    } else {
        LLVMValueRef finite = ir_and(e, is_finite(e, a), is_finite(e, b));
        error = with_overflow(e, r, product_error(e, a, b, r), finite);
    }
    return emit_round_directed(e, r, error, rnd);
}

/* The sign of a - q * b as a number of a's type; for f32 in doubles, where
 * nothing underflows. */
static LLVMValueRef quotient_residue(struct emit *e, LLVMValueRef q,
                                     LLVMValueRef b, LLVMValueRef a)
{
    if (ir_element(q) != e->f32) {
        struct scaled s = scale_up(e, q, b, a);
        return ir_fma(e, ir_fneg(e, s.a), s.b, ir_fmul(e, a, s.scale));
    }
    LLVMTypeRef t = e->f64;
    LLVMValueRef v =
        ir_fma(e, ir_fneg(e, ir_cast(e, LLVMFPExt, q, t)),
               ir_cast(e, LLVMFPExt, b, t), ir_cast(e, LLVMFPExt, a, t));
    LLVMValueRef zero = ir_real(a, 0);
    LLVMValueRef sign =
        ir_cast(e, LLVMFPTrunc, ir_binary(e, "llvm.copysign", ir_real(v, 1), v),
                e->f32);
    LLVMValueRef is_some = ir_fcmp(e, LLVMRealONE, v, ir_real(v, 0));
    return ir_select(e, is_some, sign, zero);
}

/* The remainder a - q * b has the sign of the error times b's. */
static LLVMValueRef float_quotient(struct emit *e, LLVMValueRef a,
                                   LLVMValueRef b, enum ptx_rnd rnd)
{
    LLVMValueRef r = ir_fdiv(e, a, b);
    if (!ptx_is_directed(rnd))
        return r;
    LLVMValueRef rest = quotient_residue(e, r, b, a);
    LLVMValueRef error = ir_binary(e, "llvm.copysign", ir_real(b, 1), b);
    LLVMValueRef finite = ir_and(e, is_finite(e, a), is_finite(e, b));
    finite = ir_and(e, finite, ir_fcmp(e, LLVMRealONE, b, ir_real(b, 0)));
    error = with_overflow(e, r, ir_fmul(e, rest, error), finite);
    return emit_round_directed(e, r, error, rnd);
}

/* div.approx multiplies by the reciprocal, which is 0 beyond 2^126: PTX ISA,
 * "div". */
static LLVMValueRef divided_by_big(struct emit *e, LLVMValueRef a,
                                   LLVMValueRef b, LLVMValueRef v)
{
    LLVMValueRef is_big =
        ir_fcmp(e, LLVMRealOGT, ir_fabs(e, b), ir_real(b, 0x1p126));
    LLVMValueRef zero = ir_binary(e, "llvm.copysign", ir_real(b, 0), b);
    return ir_select(e, is_big, ir_fmul(e, a, zero), v);
}

/* ---- opcodes ----------------------------------------------------------- */

/*
 * .ftz of products: what is below the normal numbers when it is rounded to as
 * many bits as they have is flushed, and what is rounded to the least of them
 * only for lack of bits too. The same operation on larger numbers tells; where
 * they overflow the result is not so small, or exact. PTX leaves it open:
 * docs/ptx-hardware-notes.md.
 */
static LLVMValueRef without_tiny_product(struct emit *e,
                                         const struct ptx_inst *inst,
                                         LLVMValueRef v, LLVMValueRef a,
                                         LLVMValueRef b, LLVMValueRef c)
{
    if (!(inst->flags & PTX_FLAG_ftz) || e->flushes)
        return v;
    LLVMValueRef up = ir_real(a, 0x1p64);
    LLVMValueRef big = c ? fused_multiply(e, ir_fmul(e, a, up), b,
                                          ir_fmul(e, c, up), inst->rnd)
                         : rounded_product(e, ir_fmul(e, a, up), b, inst->rnd);
    LLVMValueRef is_tiny =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, big), ir_real(big, 0x1p-62));
    if (c)
        is_tiny =
            ir_or(e, is_tiny,
                  ir_fcmp(e, LLVMRealOLT, ir_fabs(e, v), ir_real(v, 0x1p-126)));
    return ir_select(e, is_tiny,
                     ir_binary(e, "llvm.copysign", ir_real(v, 0), v), v);
}

/* A quotient below the least normal number is never rounded up to it, as it is
 * not near enough. */
static LLVMValueRef without_tiny_quotient(struct emit *e,
                                          const struct ptx_inst *inst,
                                          LLVMValueRef v, LLVMValueRef a,
                                          LLVMValueRef b)
{
    if (!(inst->flags & PTX_FLAG_ftz) || inst->rnd == PTX_RND_none ||
        e->flushes)
        return v;
    LLVMValueRef big = ir_fmul(e, ir_fabs(e, a), ir_real(a, 0x1p126));
    LLVMValueRef is_tiny = ir_fcmp(e, LLVMRealOLT, big, ir_fabs(e, b));
    return ir_select(e, is_tiny,
                     ir_binary(e, "llvm.copysign", ir_real(v, 0), v), v);
}

void emit_float_arith(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->type[0] != PTX_TYPE_f32 && inst->type[0] != PTX_TYPE_f64) {
        emit_half_arith(e, inst);
        return;
    }
    LLVMValueRef a = read_term(e, inst, 1), b = read_term(e, inst, 2), c, v;
    switch (inst->op) {
    case PTX_OP_add:
        v = float_sum(e, a, b, inst->rnd);
        break;
    case PTX_OP_sub:
        v = ptx_is_directed(inst->rnd)
                ? float_sum(e, a, ir_fneg(e, b), inst->rnd)
                : ir_fsub(e, a, b);
        break;
    case PTX_OP_mul:
        v = rounded_product(e, a, b, inst->rnd);
        v = without_tiny_product(e, inst, v, a, b, NULL);
        break;
    case PTX_OP_div:
        v = float_quotient(e, a, b, inst->rnd);
        if (inst->flags & PTX_FLAG_approx)
            v = divided_by_big(e, a, b, v);
        v = without_tiny_quotient(e, inst, v, a, b);
        break;
    default: /* mad of floats has been fma since sm_20 */
        c = read_term(e, inst, 3);
        v = fused_multiply(e, a, b, c, inst->rnd);
        v = without_tiny_product(e, inst, v, a, b, c);
        break;
    }
    write_result(e, inst, v);
}

LLVMValueRef emit_fma_rounded(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef c, enum ptx_rnd rnd)
{
    return fused_multiply(e, a, b, c, rnd);
}

void emit_fma(struct emit *e, const struct ptx_inst *inst)
{
    emit_float_arith(e, inst);
}

/* abs and neg touch the sign bit only, except that .ftz flushes. */
void emit_float_sign(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->type[0] != PTX_TYPE_f32 && inst->type[0] != PTX_TYPE_f64) {
        emit_half_sign(e, inst);
        return;
    }
    LLVMValueRef v = read_source(e, inst, 1);
    v = inst->op == PTX_OP_abs ? ir_fabs(e, v) : ir_fneg(e, v);
    emit_write(e, &inst->operand[0], v, inst->type[0]);
}

void emit_float_min_max_op(struct emit *e, const struct ptx_inst *inst)
{
    bool is_max = inst->op == PTX_OP_max;
    bool is_nan = inst->flags & PTX_FLAG_NaN;

    if (inst->type[0] != PTX_TYPE_f32 && inst->type[0] != PTX_TYPE_f64) {
        emit_half_min_max(e, inst);
        return;
    }
    LLVMValueRef a = read_source(e, inst, 1), b = read_source(e, inst, 2);
    LLVMValueRef x = a, y = b;
    bool is_magnitude = inst->flags & (PTX_FLAG_xorsign_abs | PTX_FLAG_abs);
    if (is_magnitude) {
        x = ir_fabs(e, a);
        y = ir_fabs(e, b);
    }
    LLVMValueRef v = emit_float_min_max(e, x, y, is_max, is_nan);
    if (inst->operand_count > 3 && inst->operand[3].kind != PTX_OPERAND_none) {
        LLVMValueRef c = read_source(e, inst, 3);
        v = emit_float_min_max(e, v, is_magnitude ? ir_fabs(e, c) : c, is_max,
                               is_nan);
    }
    if (inst->flags & PTX_FLAG_xorsign_abs) {
        LLVMValueRef sign = ir_xor(e, ir_as_int(e, a), ir_as_int(e, b));
        v = ir_binary(e, "llvm.copysign", v, ir_as(e, sign, ir_element(v)));
    }
    write_result(e, inst, v);
}

void emit_rcp(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef v = read_term(e, inst, 1);
    LLVMValueRef one = ir_real(v, 1);

    if (inst->type[0] == PTX_TYPE_f64 && inst->flags & PTX_FLAG_approx) {
        v = ir_fdiv(e, one, emit_flush(e, emit_upper_half(e, v)));
        write_result(e, inst, emit_upper_half(e, emit_flush(e, v)));
        return;
    }
    LLVMValueRef r = float_quotient(e, one, v, inst->rnd);

    write_result(e, inst, without_tiny_quotient(e, inst, r, one, v));
}

/* The canonical NaN where there is no root: LLVM takes a NaN that is selected
 * for negative numbers for the root's own. */
static LLVMValueRef with_root(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef has_root = ir_fcmp(e, LLVMRealOGE, v, ir_real(v, 0));
    return ir_select(e, has_root, v, emit_quiet_nan(e, v));
}

void emit_sqrt(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef v = read_source(e, inst, 1);

    if (inst->type[0] == PTX_TYPE_f32 && emit_is_seen(e, &inst->operand[0]))
        v = with_root(e, v);
    LLVMValueRef r = ir_unary(e, "llvm.sqrt", v);

    if (ptx_is_directed(inst->rnd)) {
        LLVMValueRef rest = quotient_residue(e, r, r, v);
        r = emit_round_directed(e, r, rest, inst->rnd);
    }
    write_result(e, inst, r);
}

void emit_copysign(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = read_source(e, inst, 1), b = read_source(e, inst, 2);
    emit_write(e, &inst->operand[0], ir_binary(e, "llvm.copysign", b, a),
               inst->type[0]);
}

void emit_testp(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef v = emit_read(e, &inst->operand[1], inst->type[0]);
    bool is_single = inst->type[0] == PTX_TYPE_f32;
    LLVMValueRef size = ir_fabs(e, v);
    LLVMValueRef is_zero = ir_fcmp(e, LLVMRealOEQ, v, ir_real(v, 0));
    LLVMValueRef infinity = ir_bits_real(
        e, v, is_single ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000));
    LLVMValueRef normal = ir_bits_real(
        e, v, is_single ? UINT64_C(0x00800000) : UINT64_C(0x0010000000000000));
    LLVMValueRef p;

    switch (inst->sub) {
    case PTX_SUB_finite:
        p = ir_fcmp(e, LLVMRealOLT, size, infinity);
        break;
    case PTX_SUB_infinite:
        p = ir_fcmp(e, LLVMRealOEQ, size, infinity);
        break;
    case PTX_SUB_number:
        p = ir_not(e, ir_is_nan(e, v));
        break;
    case PTX_SUB_notanumber:
        p = ir_is_nan(e, v);
        break;
    case PTX_SUB_normal: /* zero counts as such */
        p = ir_and(e, ir_fcmp(e, LLVMRealOGE, size, normal),
                   ir_fcmp(e, LLVMRealOLT, size, infinity));
        p = ir_or(e, p, is_zero);
        break;
    default:
        p = ir_and(e, ir_fcmp(e, LLVMRealOLT, size, normal),
                   ir_not(e, is_zero));
        break;
    }
    emit_write(e, &inst->operand[0], p, PTX_TYPE_pred);
}
