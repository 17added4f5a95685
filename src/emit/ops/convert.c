/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cvt between every pair of integer and floating point types, with PTX's
 * rounding, saturation and NaN rules. A float converted to an integer is
 * always clamped to the integer's range; what NaN becomes was observed on
 * hardware: 0 from f32 to 32 bits or fewer, else the top bit alone. Types of
 * eight bits and cvt.pack are in pack.c.
 */
#include "emit/core/emitters.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"

enum kind { INTEGER, F16, BF16, F32, F64, OTHER };

static enum kind kind_of(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_f16:
        return F16;
    case PTX_TYPE_bf16:
        return BF16;
    case PTX_TYPE_f32:
        return F32;
    case PTX_TYPE_f64:
        return F64;
    default:
        return ptx_type_is_float(t) || ptx_type_kind(t) == PTX_KIND_opaque
                   ? OTHER
                   : INTEGER;
    }
}

/* ---- integer to integer ------------------------------------------------ */

/* Clamps v, a value of type `from`, to the range of `to`. */
static LLVMValueRef clamp_int(struct emit *e, LLVMValueRef v, enum ptx_type to,
                              enum ptx_type from)
{
    unsigned to_bits = 8 * ptx_type_size(to), from_bits = ir_bits(v);
    bool is_from_signed = ptx_type_is_signed(from);
    bool is_to_signed = ptx_type_is_signed(to);
    unsigned value_bits = to_bits - is_to_signed; /* of the largest result */

    if (is_from_signed) {
        if (!is_to_signed)
            v = ir_binary(e, "llvm.smax", v, ir_int(v, 0));
        else if (to_bits < from_bits)
            v = ir_binary(e, "llvm.smax", v,
                          ir_int(v, -(INT64_C(1) << value_bits)));
        if (value_bits < from_bits - 1)
            v = ir_binary(e, "llvm.smin", v,
                          ir_int(v, (INT64_C(1) << value_bits) - 1));
        return v;
    }
    if (value_bits < from_bits)
        v = ir_binary(e, "llvm.umin", v,
                      ir_int(v, (int64_t)((UINT64_C(1) << value_bits) - 1)));
    return v;
}

static LLVMValueRef int_to_int(struct emit *e, const struct ptx_inst *inst,
                               LLVMValueRef v)
{
    enum ptx_type to = inst->type[0], from = inst->type[1];

    if (inst->flags & PTX_FLAG_sat)
        v = clamp_int(e, v, to, from);
    return ir_resize(e, v, emit_type(e, to), ptx_type_is_signed(from));
}

/* ---- float to integer -------------------------------------------------- */

static LLVMValueRef round_to_integer(struct emit *e, LLVMValueRef v,
                                     enum ptx_rnd rnd)
{
    switch (rnd) {
    case PTX_RND_rni:
    case PTX_RND_rn:
        return ir_unary(e, "llvm.roundeven", v);
    case PTX_RND_rmi:
    case PTX_RND_rm:
        return ir_unary(e, "llvm.floor", v);
    case PTX_RND_rpi:
    case PTX_RND_rp:
        return ir_unary(e, "llvm.ceil", v);
    case PTX_RND_rzi:
    case PTX_RND_rz:
        return ir_unary(e, "llvm.trunc", v);
    default:
        return v;
    }
}

static double power_of_2(unsigned n)
{
    double v = 1;
    while (n-- > 0)
        v *= 2;
    return v;
}

/*
 * v is integral, or truncated here. LLVM's conversion is undefined out of
 * range, so v is clamped first, and values at or above the upper end are
 * replaced afterwards.
 */
static LLVMValueRef clamp_to_int(struct emit *e, LLVMValueRef v,
                                 enum ptx_type to, enum ptx_type from)
{
    unsigned bits = 8 * ptx_type_size(to);
    bool is_signed = ptx_type_is_signed(to);
    unsigned value_bits = bits - is_signed;
    LLVMTypeRef t = emit_type(e, to);
    LLVMTypeRef work = bits < 32 ? e->i32 : t;
    LLVMValueRef low = ir_real(v, is_signed ? -power_of_2(value_bits) : 0);
    LLVMValueRef end = ir_real(v, power_of_2(value_bits));
    LLVMValueRef is_high = ir_fcmp(e, LLVMRealOGE, v, end);
    LLVMValueRef is_nan = ir_is_nan(e, v);
    LLVMValueRef in_range =
        ir_and(e, ir_fcmp(e, LLVMRealOGT, v, low), ir_not(e, is_high));
    LLVMValueRef safe = ir_select(e, in_range, v, low);
    LLVMValueRef r = ir_cast(
        e, is_signed || bits < 32 ? LLVMFPToSI : LLVMFPToUI, safe, work);
    int64_t largest =
        value_bits == 64 ? -1 : (int64_t)((UINT64_C(1) << value_bits) - 1);
    r = ir_select(e, is_high, ir_int(r, largest), r);
    bool is_zero = bits <= 32 && from != PTX_TYPE_f64;
    LLVMValueRef nan =
        ir_int(r, is_zero ? 0 : (int64_t)(UINT64_C(1) << (bits - 1)));
    return ir_resize(e, ir_select(e, is_nan, nan, r), t, is_signed);
}

/* ---- to and from floats ------------------------------------------------ */

static LLVMValueRef int_to_float(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef v, LLVMTypeRef to)
{
    bool is_signed = ptx_type_is_signed(inst->type[1]);
    LLVMOpcode op = is_signed ? LLVMSIToFP : LLVMUIToFP;
    LLVMOpcode back = is_signed ? LLVMFPToSI : LLVMFPToUI;
    LLVMValueRef r = ir_cast(e, op, v, to);

    if (!ptx_is_directed(inst->rnd) || (to == e->f64 && ir_bits(v) <= 32) ||
        ir_bits(v) <= 16)
        return r;
    /* The error as an integer difference. A result of 2^bits has no integer
     * but is certainly too large: it is compared one step lower. */
    LLVMValueRef end = ir_real(r, power_of_2(ir_bits(v) - (is_signed ? 1 : 0)));
    LLVMValueRef is_end = ir_fcmp(e, LLVMRealOGE, r, end);
    LLVMValueRef safe = ir_select(e, is_end, ir_real(r, 0), r);
    LLVMValueRef exact = ir_cast(e, back, safe, ir_element(v));
    LLVMValueRef difference = ir_sub(e, v, exact);
    LLVMValueRef error = ir_cast(e, LLVMSIToFP, difference, to);
    error = ir_select(e, is_end, ir_real(error, -1), error);
    return emit_round_directed(e, r, error, inst->rnd);
}

/* A 64-bit integer to f64, rounded to odd: a later rounding to fewer bits then
 * sees what this one lost. */
static LLVMValueRef
int_to_double_odd(struct emit *e, const struct ptx_inst *inst, LLVMValueRef v)
{
    struct ptx_inst cut = *inst;

    cut.rnd = PTX_RND_rz;
    LLVMValueRef r = int_to_float(e, &cut, v, e->f64);
    bool is_signed = ptx_type_is_signed(inst->type[1]);
    LLVMValueRef back =
        ir_cast(e, is_signed ? LLVMFPToSI : LLVMFPToUI, r, ir_element(v));
    LLVMValueRef bits = ir_as_int(e, r);
    LLVMValueRef lost = ir_icmp(e, LLVMIntNE, back, v);
    return ir_as(e, ir_or(e, bits, ir_zext(e, lost, e->i64)), e->f64);
}

static LLVMValueRef double_to_float(struct emit *e, LLVMValueRef v,
                                    enum ptx_rnd rnd)
{
    LLVMValueRef r = ir_cast(e, LLVMFPTrunc, v, e->f32);

    if (!ptx_is_directed(rnd))
        return r;
    LLVMValueRef error = ir_fsub(e, v, ir_cast(e, LLVMFPExt, r, e->f64));
    return emit_round_directed(e, r, error, rnd);
}

/* A float source as f32 or f64. */
static LLVMValueRef as_float(struct emit *e, enum kind from, LLVMValueRef v)
{
    if (from == F16)
        return emit_half_to_float(e, v);
    return from == BF16 ? emit_bf16_to_float(e, v) : v;
}

static bool rounds_to_integer(enum ptx_rnd rnd)
{
    return rnd == PTX_RND_rni || rnd == PTX_RND_rzi || rnd == PTX_RND_rmi ||
           rnd == PTX_RND_rpi;
}

/* .satfinite: the largest number instead of infinity. */
static LLVMValueRef finite_bits(struct emit *e, const struct ptx_inst *inst,
                                LLVMValueRef bits, int64_t infinity)
{
    if (!(inst->flags & PTX_FLAG_satfinite))
        return bits;
    LLVMValueRef size = ir_and(e, bits, ir_int(bits, 0x7fff));
    LLVMValueRef is_infinite =
        ir_icmp(e, LLVMIntEQ, size, ir_int(bits, infinity));
    return ir_select(e, is_infinite, ir_sub(e, bits, ir_int(bits, 1)), bits);
}

/* r, a half of an f64 that may be NaN, with what fits of its payload, and its
 * sign, as hardware does. */
static LLVMValueRef with_payload(struct emit *e, LLVMValueRef v, LLVMValueRef r,
                                 enum kind to)
{
    LLVMValueRef bits = ir_as_int(e, v);
    LLVMValueRef sign =
        ir_and(e, ir_lshr(e, bits, ir_int(bits, 48)), ir_int(bits, 0x8000));
    LLVMValueRef fraction =
        ir_and(e, ir_lshr(e, bits, ir_int(bits, to == F16 ? 42 : 45)),
               ir_int(bits, to == F16 ? 0x3ff : 0x7f));
    LLVMValueRef nan = ir_or(e, ir_or(e, sign, fraction),
                             ir_int(bits, to == F16 ? 0x7e00 : 0x7fc0));
    return ir_select(e, ir_is_nan(e, v), ir_trunc(e, nan, e->i16), r);
}

static LLVMValueRef float_to_float(struct emit *e, const struct ptx_inst *inst,
                                   LLVMValueRef v, enum kind to)
{
    if (rounds_to_integer(inst->rnd))
        v = round_to_integer(e, v, inst->rnd);
    if (inst->flags & PTX_FLAG_sat)
        v = emit_saturate(e, v);
    if (inst->flags & PTX_FLAG_relu) {
        LLVMValueRef zero = ir_real(v, 0);
        v = ir_select(e, ir_fcmp(e, LLVMRealOLE, v, zero), zero, v);
    }
    if (to == F16 || to == BF16) {
        LLVMValueRef r = to == F16 ? emit_float_to_half(e, v, inst->rnd)
                                   : emit_float_to_bf16(e, v, inst->rnd);
        r = finite_bits(e, inst, r, to == F16 ? 0x7c00 : 0x7f80);
        return ir_element(v) == e->f64 ? with_payload(e, v, r, to) : r;
    }
    if (to == F64)
        return ir_element(v) == e->f64 ? v : ir_cast(e, LLVMFPExt, v, e->f64);
    return ir_element(v) == e->f64 ? double_to_float(e, v, inst->rnd) : v;
}

/* ---- cvt --------------------------------------------------------------- */

static LLVMValueRef convert_value(struct emit *e, const struct ptx_inst *inst,
                                  LLVMValueRef v)
{
    enum ptx_type to_type = inst->type[0], from_type = inst->type[1];
    enum kind to = kind_of(to_type), from = kind_of(from_type);
    bool is_ftz = inst->flags & PTX_FLAG_ftz;

    if (from == INTEGER && to == INTEGER)
        return int_to_int(e, inst, v);
    if (from == INTEGER) {
        LLVMTypeRef t =
            to == F64 || (to != F32 && ir_bits(v) > 16) ? e->f64 : e->f32;
        if (to == F16 || to == BF16) {
            if (ir_bits(v) == 64)
                v = int_to_double_odd(e, inst, v);
            else
                v = ir_cast(
                    e, ptx_type_is_signed(from_type) ? LLVMSIToFP : LLVMUIToFP,
                    v, t);
            if (inst->flags & PTX_FLAG_sat)
                v = emit_saturate(e, v);
            return to == F16 ? emit_float_to_half(e, v, inst->rnd)
                             : emit_float_to_bf16(e, v, inst->rnd);
        }
        v = int_to_float(e, inst, v, t);
        return inst->flags & PTX_FLAG_sat ? emit_saturate(e, v) : v;
    }
    v = as_float(e, from, v);
    if (is_ftz && to != F16) /* .rp.ftz.f16.f32 of a tiny one is not zero */
        v = emit_flush(e, v);
    if (is_ftz && to == F64 && from == F32) /* .ftz is arithmetic: one NaN */
        v = ir_select(e, ir_is_nan(e, v), ir_bits_real(e, v, 0x7fffffff), v);
    if (to == INTEGER)
        return clamp_to_int(e, round_to_integer(e, v, inst->rnd), to_type,
                            from_type);
    LLVMValueRef r = float_to_float(e, inst, v, to);
    if (!is_ftz || to != F32 || from != F64)
        return is_ftz ? emit_flush(e, r) : r;
    /* A result is tiny if it is below the least normal number when rounded to
     * as many bits as that has: tests a larger number. */
    LLVMValueRef larger =
        double_to_float(e, ir_fmul(e, v, ir_real(v, 0x1p100)), inst->rnd);
    LLVMValueRef is_tiny =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, larger), ir_real(larger, 0x1p-26));
    return ir_select(e, is_tiny,
                     ir_binary(e, "llvm.copysign", ir_real(r, 0), r), r);
}

/* cvt.rn.f16x2.f32 d, a, b: a in the high half, b in the low one. */
static LLVMValueRef pack_halves(struct emit *e, const struct ptx_inst *inst)
{
    struct ptx_inst one = *inst;
    LLVMValueRef half[2];

    one.type[0] =
        inst->type[0] == PTX_TYPE_f16x2 ? PTX_TYPE_f16 : PTX_TYPE_bf16;
    for (unsigned i = 0; i < 2; i++) {
        half[i] = emit_read(e, &inst->operand[1 + i], inst->type[1]);
        half[i] = ir_zext(e, convert_value(e, &one, half[i]), e->i32);
    }
    return ir_or(e, ir_shl(e, half[0], ir_int(half[0], 16)), half[1]);
}

static LLVMValueRef to_tf32(struct emit *e, const struct ptx_inst *inst,
                            LLVMValueRef v)
{
    LLVMValueRef bits = ir_as_int(e, v);
    LLVMValueRef sign = ir_and(e, bits, ir_int(bits, INT32_MIN));
    LLVMValueRef size = ir_and(e, bits, ir_int(bits, INT32_MAX));
    LLVMValueRef infinity = ir_int(bits, 0x7f800000);
    LLVMValueRef is_nan = ir_icmp(e, LLVMIntUGT, size, infinity);
    LLVMValueRef half = ir_int(bits, 0x1000);

    if (inst->rnd == PTX_RND_rn)
        half = ir_add(
            e, ir_int(bits, 0xfff),
            ir_and(e, ir_lshr(e, bits, ir_int(bits, 13)), ir_int(bits, 1)));
    else if (inst->rnd == PTX_RND_rz)
        half = ir_int(bits, 0);
    /* .rna cuts a NaN off like a number, which may give infinity. */
    LLVMValueRef is_finite = ir_icmp(e, LLVMIntULT, size, infinity);
    size = ir_select(e, is_finite, ir_add(e, size, half), size);
    size = ir_and(e, size, ir_int(bits, ~INT64_C(0x1fff)));
    if (inst->flags & PTX_FLAG_satfinite)
        size = ir_select(e, ir_icmp(e, LLVMIntUGE, size, infinity),
                         ir_sub(e, size, ir_int(size, 0x2000)), size);
    LLVMValueRef r = ir_or(e, size, sign);
    if (inst->flags & PTX_FLAG_relu)
        r = ir_binary(e, "llvm.smax", r, ir_int(r, 0));
    return inst->rnd == PTX_RND_rna
               ? r
               : ir_select(e, is_nan, ir_int(r, 0x7fffe000), r);
}

void emit_cvt(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type to = inst->type[0], from = inst->type[1];

    if (inst->flags & PTX_FLAG_pack) {
        emit_cvt_pack(e, inst);
        return;
    }
    if ((to == PTX_TYPE_f16x2 || to == PTX_TYPE_bf16x2) &&
        from == PTX_TYPE_f32 && inst->rnd != PTX_RND_rs) {
        emit_write(e, &inst->operand[0], pack_halves(e, inst), to);
        return;
    }
    if (emit_cvt_fp8(e, inst))
        return;
    if ((kind_of(to) == OTHER && to != PTX_TYPE_tf32) ||
        kind_of(from) == OTHER || inst->rnd == PTX_RND_rs) {
        emit_refuse(e, "a conversion between these types is not supported");
        return;
    }
    LLVMValueRef v = emit_read(e, &inst->operand[1], from);
    v = to == PTX_TYPE_tf32 ? to_tf32(e, inst, v) : convert_value(e, inst, v);
    emit_write(e, &inst->operand[0], v, to);
}
