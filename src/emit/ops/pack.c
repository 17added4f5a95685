/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions of pairs: to and from 8-bit floats, and cvt.pack. All in integer
 * and f32 operations on vectors, as no machine has instructions for these
 * formats.
 */
#include "emit/core/values.h"
#include "emit/ops/ops.h"

/* ---- 8-bit floats ------------------------------------------------------ */

/* e4m3 has no infinity; its largest pattern is NaN. */
struct fp8 {
    unsigned fraction_bits;
    int bias;
    unsigned largest; /* number */
};

static bool find_fp8(enum ptx_type t, struct fp8 *f)
{
    switch (t) {
    case PTX_TYPE_e4m3x2:
        *f = (struct fp8){3, 7, 0x7e};
        return true;
    case PTX_TYPE_e5m2x2:
        *f = (struct fp8){2, 15, 0x7b};
        return true;
    default:
        return false;
    }
}

static int64_t f32_exponent(int exponent)
{
    return (int64_t)(exponent + 127) << 23;
}

/* To nearest even, in the low byte of an i32: normal results by integer carry,
 * subnormal ones by a float addition that aligns the mantissa. */
static LLVMValueRef narrow_to_fp8(struct emit *e, struct fp8 f, LLVMValueRef v)
{
    unsigned drop = 23 - f.fraction_bits;
    LLVMValueRef bits = ir_as_int(e, v);
    LLVMValueRef sign =
        ir_and(e, ir_lshr(e, bits, ir_int(bits, 24)), ir_int(bits, 0x80));
    LLVMValueRef size = ir_and(e, bits, ir_int(bits, INT32_MAX));
    LLVMValueRef odd =
        ir_and(e, ir_lshr(e, size, ir_int(size, drop)), ir_int(size, 1));
    int64_t rebias = ((INT64_C(1) << (drop - 1)) - 1) - f32_exponent(-f.bias);
    LLVMValueRef normal =
        ir_lshr(e, ir_add(e, ir_add(e, size, ir_int(size, rebias)), odd),
                ir_int(size, drop));
    int64_t magic = f32_exponent(1 - f.bias + (int)drop);
    LLVMValueRef x = ir_as(e, size, e->f32);
    LLVMValueRef tiny = ir_fadd(e, x, ir_bits_real(e, x, (uint64_t)magic));
    tiny = ir_sub(e, ir_as_int(e, tiny), ir_int(size, magic));
    LLVMValueRef is_tiny =
        ir_icmp(e, LLVMIntULT, size, ir_int(size, f32_exponent(1 - f.bias)));
    LLVMValueRef r = ir_select(e, is_tiny, tiny, normal);
    r = ir_binary(e, "llvm.umin", r, ir_int(r, f.largest));
    LLVMValueRef is_nan =
        ir_icmp(e, LLVMIntUGT, size, ir_int(size, 0x7f800000));
    return ir_select(e, is_nan, ir_int(r, 0x7f), ir_or(e, r, sign));
}

static LLVMValueRef half_of(struct emit *e, LLVMValueRef v, unsigned bits,
                            unsigned i)
{
    return ir_trunc(e, ir_lshr(e, v, ir_int(v, bits * i)),
                    LLVMIntTypeInContext(e->cx, bits));
}

/* d, a, b: a goes to the upper byte; d, a: the two halves of a. */
static void to_fp8(struct emit *e, const struct ptx_inst *inst, struct fp8 f)
{
    enum ptx_type from = inst->type[1];
    LLVMValueRef r = NULL;

    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v;
        if (from == PTX_TYPE_f32)
            v = emit_read(e, &inst->operand[2 - i], from);
        else
            v = emit_half_to_float(
                e, half_of(e, emit_read(e, &inst->operand[1], from), 16, i));
        v = narrow_to_fp8(e, f, v);
        if (inst->flags & PTX_FLAG_relu) {
            LLVMValueRef is_below = ir_icmp(e, LLVMIntUGE, v, ir_int(v, 0x80));
            v = ir_select(e, is_below, ir_int(v, 0), v);
        }
        r = i ? ir_or(e, r, ir_shl(e, v, ir_int(v, 8))) : v;
    }
    emit_write(e, &inst->operand[0], ir_trunc(e, r, e->i16), PTX_TYPE_b16);
}

/* A byte as the bits of an f16; an e5m2 is its upper half. */
static LLVMValueRef widen_fp8(struct emit *e, struct fp8 f, LLVMValueRef byte)
{
    LLVMValueRef v = ir_zext(e, byte, e->i16);

    if (f.fraction_bits == 2) {
        LLVMValueRef size = ir_and(e, v, ir_int(v, 0x7f));
        LLVMValueRef is_nan = ir_icmp(e, LLVMIntUGT, size, ir_int(v, 0x7c));
        return ir_select(e, is_nan, ir_int(v, 0x7fff),
                         ir_shl(e, v, ir_int(v, 8)));
    }
    LLVMValueRef wide = ir_zext(e, byte, e->i32);
    LLVMValueRef size = ir_and(e, wide, ir_int(wide, 0x7f));
    LLVMValueRef x = ir_as(e, ir_shl(e, size, ir_int(size, 20)), e->f32);
    x = ir_fmul(e, x, ir_real(x, 0x1p120)); /* exponents are 120 too small */
    LLVMValueRef r = emit_float_to_half(e, x, PTX_RND_rn);
    LLVMValueRef sign = ir_shl(e, ir_and(e, v, ir_int(v, 0x80)), ir_int(v, 8));
    LLVMValueRef is_nan = ir_icmp(e, LLVMIntEQ, size, ir_int(size, 0x7f));
    return ir_select(e, is_nan, ir_int(r, 0x7fff), ir_or(e, r, sign));
}

static void from_fp8(struct emit *e, const struct ptx_inst *inst, struct fp8 f)
{
    LLVMValueRef v = emit_read(e, &inst->operand[1], PTX_TYPE_b16), r = NULL;

    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef h = widen_fp8(e, f, half_of(e, v, 8, i));
        if (inst->flags & PTX_FLAG_relu)
            h = ir_binary(e, "llvm.smax", h, ir_int(h, 0));
        h = ir_zext(e, h, e->i32);
        r = i ? ir_or(e, r, ir_shl(e, h, ir_int(h, 16))) : h;
    }
    emit_write(e, &inst->operand[0], r, PTX_TYPE_b32);
}

bool emit_cvt_fp8(struct emit *e, const struct ptx_inst *inst)
{
    struct fp8 f;

    if (inst->rnd != PTX_RND_rn)
        return false;
    if (find_fp8(inst->type[0], &f) &&
        (inst->type[1] == PTX_TYPE_f32 || inst->type[1] == PTX_TYPE_f16x2)) {
        to_fp8(e, inst, f);
        return true;
    }
    if (find_fp8(inst->type[1], &f) && inst->type[0] == PTX_TYPE_f16x2) {
        from_fp8(e, inst, f);
        return true;
    }
    return false;
}

/* ---- cvt.pack ---------------------------------------------------------- */

static unsigned piece_bits(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_u2:
    case PTX_TYPE_s2:
        return 2;
    case PTX_TYPE_u4:
    case PTX_TYPE_s4:
        return 4;
    default:
        return 8 * ptx_type_size(t);
    }
}

/* d, a, b, c: a and b clamped, b lowest; above them what fits of c. */
void emit_cvt_pack(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type to = inst->type[0];
    unsigned bits = piece_bits(to);
    bool is_signed = ptx_type_is_signed(to);
    int64_t high = (INT64_C(1) << (bits - is_signed)) - 1;
    LLVMValueRef r = NULL;

    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef v = emit_read(e, &inst->operand[2 - i], PTX_TYPE_s32);
        v = ir_binary(e, "llvm.smax", v, ir_int(v, is_signed ? -high - 1 : 0));
        v = ir_binary(e, "llvm.smin", v, ir_int(v, high));
        v = ir_and(e, v, ir_int(v, (INT64_C(1) << bits) - 1));
        r = i ? ir_or(e, r, ir_shl(e, v, ir_int(v, bits))) : v;
    }
    if (bits < 16) {
        LLVMValueRef c = emit_read(e, &inst->operand[3], PTX_TYPE_b32);
        r = ir_or(e, r, ir_shl(e, c, ir_int(c, 2 * bits)));
    }
    emit_write(e, &inst->operand[0], r, PTX_TYPE_b32);
}
