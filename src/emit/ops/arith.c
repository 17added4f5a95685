/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer arithmetic. Opcodes that also exist for floating point hand those
 * types on to float.c and half.c.
 */
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"

static bool is_signed(const struct ptx_inst *inst)
{
    return ptx_type_is_signed(inst->type[0]);
}

static LLVMTypeRef twice_as_wide(struct emit *e, LLVMValueRef v)
{
    return LLVMIntTypeInContext(e->cx, 2 * ir_bits(v));
}

/* ---- the carry of .cc -------------------------------------------------- */

static LLVMValueRef carry_var(struct emit *e)
{
    LLVMValueRef *var = &e->f->carry_var[e->f->at.warp];

    if (!*var) {
        if (e->f->split) {
            *var = emit_alloca(e, e->mask_type, 0, "carry");
            emit_keep_carry(e, *var);
            return *var;
        }
        *var = emit_kept(e, e->f->blocks.prologue, LLVMConstNull(e->mask_type),
                         "carry");
    }
    return *var;
}

static LLVMValueRef read_carry(struct emit *e, LLVMValueRef like)
{
    LLVMValueRef c = ir_load(e, e->mask_type, carry_var(e), 0);
    if (ir_is_vector(c) && !ir_is_vector(like)) /* the only lane */
        c = ir_extract(e, c, 0);
    return ir_zext(e, c, ir_element(like));
}

static void write_carry(struct emit *e, const struct ptx_inst *inst,
                        LLVMValueRef carry)
{
    LLVMValueRef mask = e->f->at.mask;

    if (!ir_is_vector(carry))
        carry = emit_splat(e, carry);
    if (inst->guard != PTX_NO_REG) {
        LLVMValueRef p = emit_read_reg(e, inst->guard);
        mask = emit_and_mask(e, mask, inst->guard_negated ? ir_not(e, p) : p);
    }
    if (mask)
        carry = ir_select(e, mask, carry,
                          ir_load(e, e->mask_type, carry_var(e), 0));
    ir_store(e, carry, carry_var(e), 0);
}

/* a + b + carry in; the carry out is kept if asked for. */
static LLVMValueRef add_carrying(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef a, LLVMValueRef b,
                                 bool takes_carry)
{
    LLVMValueRef sum = ir_add(e, a, b);
    LLVMValueRef carry = ir_icmp(e, LLVMIntULT, sum, a);

    if (takes_carry) {
        LLVMValueRef in = read_carry(e, a), first = sum;
        sum = ir_add(e, sum, in);
        carry = ir_or(e, carry, ir_icmp(e, LLVMIntULT, sum, first));
    }
    if (inst->flags & PTX_FLAG_cc)
        write_carry(e, inst, carry);
    return sum;
}

static LLVMValueRef sub_borrowing(struct emit *e, const struct ptx_inst *inst,
                                  LLVMValueRef a, LLVMValueRef b,
                                  bool takes_borrow)
{
    LLVMValueRef difference = ir_sub(e, a, b);
    LLVMValueRef borrow = ir_icmp(e, LLVMIntULT, a, b);

    /* The flag is the carry of a + ~b + 1: no borrow. */
    if (takes_borrow) {
        LLVMValueRef in = ir_xor(e, read_carry(e, a), ir_int(a, 1));
        LLVMValueRef first = difference;
        difference = ir_sub(e, difference, in);
        borrow = ir_or(e, borrow, ir_icmp(e, LLVMIntULT, first, in));
    }
    if (inst->flags & PTX_FLAG_cc)
        write_carry(e, inst, ir_not(e, borrow));
    return difference;
}

static bool uses_carry(const struct ptx_inst *inst)
{
    return (inst->flags & PTX_FLAG_cc) || inst->op == PTX_OP_addc ||
           inst->op == PTX_OP_subc || inst->op == PTX_OP_madc;
}

/* ---- add, sub ---------------------------------------------------------- */

/* Packed 16-bit halves. */
static bool is_packed(enum ptx_type t)
{
    return t == PTX_TYPE_u16x2 || t == PTX_TYPE_s16x2;
}

typedef LLVMValueRef half_word_fn(struct emit *e, LLVMValueRef a,
                                  LLVMValueRef b);

static LLVMValueRef on_half_words(struct emit *e, LLVMValueRef a,
                                  LLVMValueRef b, half_word_fn *fn)
{
    LLVMValueRef v = fn(e, ir_split(e, a, e->i16), ir_split(e, b, e->i16));
    return ir_join(e, v, LLVMTypeOf(a));
}

void emit_add(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];

    if (ptx_type_is_float(type)) {
        emit_float_arith(e, inst);
        return;
    }
    LLVMValueRef a = emit_read_source(e, inst, 1),
                 b = emit_read_source(e, inst, 2);
    if (is_packed(type))
        emit_write_result(e, inst, on_half_words(e, a, b, ir_add));
    else if (uses_carry(inst))
        emit_write_result(e, inst,
                          add_carrying(e, inst, a, b, inst->op == PTX_OP_addc));
    else if (inst->flags & PTX_FLAG_sat)
        emit_write_result(e, inst, ir_binary(e, "llvm.sadd.sat", a, b));
    else
        emit_write_result(e, inst, ir_add(e, a, b));
}

void emit_sub(struct emit *e, const struct ptx_inst *inst)
{
    if (ptx_type_is_float(inst->type[0])) {
        emit_float_arith(e, inst);
        return;
    }
    LLVMValueRef a = emit_read_source(e, inst, 1),
                 b = emit_read_source(e, inst, 2);
    if (uses_carry(inst))
        emit_write_result(
            e, inst, sub_borrowing(e, inst, a, b, inst->op == PTX_OP_subc));
    else if (inst->flags & PTX_FLAG_sat)
        emit_write_result(e, inst, ir_binary(e, "llvm.ssub.sat", a, b));
    else
        emit_write_result(e, inst, ir_sub(e, a, b));
}

/* ---- mul, mad ---------------------------------------------------------- */

static LLVMValueRef wide_product(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                                 bool is_signed_product)
{
    LLVMTypeRef t = twice_as_wide(e, a);
    return ir_mul(e, ir_resize(e, a, t, is_signed_product),
                  ir_resize(e, b, t, is_signed_product));
}

static LLVMValueRef product_part(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef a, LLVMValueRef b)
{
    if (inst->half == PTX_HALF_wide)
        return wide_product(e, a, b, is_signed(inst));
    if (inst->half != PTX_HALF_hi)
        return ir_mul(e, a, b);
    LLVMValueRef wide = wide_product(e, a, b, is_signed(inst));
    wide = ir_lshr(e, wide, ir_int(wide, ir_bits(a)));
    return ir_trunc(e, wide, ir_element(a));
}

/* The type of a product: twice the operands' width after .wide. */
static enum ptx_type product_type(const struct ptx_inst *inst)
{
    return inst->half == PTX_HALF_wide ? ptx_twice_as_wide(inst->type[0])
                                       : inst->type[0];
}

void emit_mul(struct emit *e, const struct ptx_inst *inst)
{
    if (ptx_type_is_float(inst->type[0])) {
        emit_float_arith(e, inst);
        return;
    }
    LLVMValueRef v = product_part(e, inst, emit_read_source(e, inst, 1),
                                  emit_read_source(e, inst, 2));
    emit_write(e, &inst->operand[0], v, product_type(inst));
}

void emit_mad(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = product_type(inst);

    if (ptx_type_is_float(inst->type[0])) {
        emit_float_arith(e, inst);
        return;
    }
    LLVMValueRef v = product_part(e, inst, emit_read_source(e, inst, 1),
                                  emit_read_source(e, inst, 2));
    LLVMValueRef c = emit_read(e, &inst->operand[3], type);
    if (uses_carry(inst))
        v = add_carrying(e, inst, v, c, inst->op == PTX_OP_madc);
    else if (inst->flags & PTX_FLAG_sat)
        v = ir_binary(e, "llvm.sadd.sat", v, c);
    else
        v = ir_add(e, v, c);
    emit_write(e, &inst->operand[0], v, type);
}

/* 24 bits by 24 bits: the low 32 bits of the product, or bits 16 to 47. */
static LLVMValueRef product_24_bits(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = emit_read_source(e, inst, 1),
                 b = emit_read_source(e, inst, 2);
    LLVMValueRef eight = ir_int(a, 8);

    a = ir_shl(e, a, eight);
    b = ir_shl(e, b, eight);
    a = is_signed(inst) ? ir_ashr(e, a, eight) : ir_lshr(e, a, eight);
    b = is_signed(inst) ? ir_ashr(e, b, eight) : ir_lshr(e, b, eight);
    if (inst->half != PTX_HALF_hi)
        return ir_mul(e, a, b);
    LLVMValueRef wide = wide_product(e, a, b, is_signed(inst));
    return ir_trunc(e, ir_lshr(e, wide, ir_int(wide, 16)), e->i32);
}

void emit_mul24(struct emit *e, const struct ptx_inst *inst)
{
    emit_write_result(e, inst, product_24_bits(e, inst));
}

void emit_mad24(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef v = product_24_bits(e, inst), c = emit_read_source(e, inst, 3);
    emit_write_result(e, inst,
                      inst->flags & PTX_FLAG_sat
                          ? ir_binary(e, "llvm.sadd.sat", v, c)
                          : ir_add(e, v, c));
}

/* ---- sad, abs, neg, min, max ------------------------------------------- */

void emit_sad(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = emit_read_source(e, inst, 1),
                 b = emit_read_source(e, inst, 2);
    LLVMIntPredicate less = is_signed(inst) ? LLVMIntSLT : LLVMIntULT;
    LLVMValueRef distance =
        ir_select(e, ir_icmp(e, less, a, b), ir_sub(e, b, a), ir_sub(e, a, b));
    emit_write_result(e, inst,
                      ir_add(e, distance, emit_read_source(e, inst, 3)));
}

void emit_abs(struct emit *e, const struct ptx_inst *inst)
{
    if (ptx_type_is_float(inst->type[0])) {
        emit_float_sign(e, inst);
        return;
    }
    LLVMValueRef v = emit_read_source(e, inst, 1);
    LLVMValueRef is_negative = ir_icmp(e, LLVMIntSLT, v, ir_int(v, 0));
    emit_write_result(e, inst, ir_select(e, is_negative, ir_neg(e, v), v));
}

void emit_neg(struct emit *e, const struct ptx_inst *inst)
{
    if (ptx_type_is_float(inst->type[0]))
        emit_float_sign(e, inst);
    else
        emit_write_result(e, inst, ir_neg(e, emit_read_source(e, inst, 1)));
}

static LLVMValueRef signed_min(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_binary(e, "llvm.smin", a, b);
}
static LLVMValueRef signed_max(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_binary(e, "llvm.smax", a, b);
}
static LLVMValueRef unsigned_min(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_binary(e, "llvm.umin", a, b);
}
static LLVMValueRef unsigned_max(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_binary(e, "llvm.umax", a, b);
}

void emit_min_max(struct emit *e, const struct ptx_inst *inst)
{
    bool is_max = inst->op == PTX_OP_max;

    if (ptx_type_is_float(inst->type[0])) {
        emit_float_min_max_op(e, inst);
        return;
    }
    half_word_fn *fn = is_signed(inst) ? (is_max ? signed_max : signed_min)
                                       : (is_max ? unsigned_max : unsigned_min);
    LLVMValueRef a = emit_read_source(e, inst, 1),
                 b = emit_read_source(e, inst, 2);
    LLVMValueRef v =
        is_packed(inst->type[0]) ? on_half_words(e, a, b, fn) : fn(e, a, b);
    if (inst->flags & PTX_FLAG_relu)
        v = is_packed(inst->type[0])
                ? on_half_words(e, v, ir_int(v, 0), signed_max)
                : signed_max(e, v, ir_int(v, 0));
    emit_write_result(e, inst, v);
}

/* ---- dp4a, dp2a -------------------------------------------------------- */

static LLVMValueRef part_of(struct emit *e, LLVMValueRef v, unsigned shift,
                            LLVMTypeRef type, enum ptx_type as)
{
    v = ir_trunc(e, ir_lshr(e, v, ir_int(v, shift)), type);
    return ir_resize(e, v, e->i32, ptx_type_is_signed(as));
}

void emit_dp4a(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = emit_read(e, &inst->operand[1], PTX_TYPE_b32);
    LLVMValueRef b = emit_read(e, &inst->operand[2], PTX_TYPE_b32);
    LLVMValueRef sum = emit_read(e, &inst->operand[3], PTX_TYPE_b32);

    for (unsigned i = 0; i < 4; i++)
        sum = ir_add(e, sum,
                     ir_mul(e, part_of(e, a, 8 * i, e->i8, inst->type[0]),
                            part_of(e, b, 8 * i, e->i8, inst->type[1])));
    emit_write(e, &inst->operand[0], sum, PTX_TYPE_b32);
}

void emit_dp2a(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = emit_read(e, &inst->operand[1], PTX_TYPE_b32);
    LLVMValueRef b = emit_read(e, &inst->operand[2], PTX_TYPE_b32);
    LLVMValueRef sum = emit_read(e, &inst->operand[3], PTX_TYPE_b32);
    unsigned first = inst->half == PTX_HALF_hi ? 16 : 0;

    for (unsigned i = 0; i < 2; i++)
        sum =
            ir_add(e, sum,
                   ir_mul(e, part_of(e, a, 16 * i, e->i16, inst->type[0]),
                          part_of(e, b, first + 8 * i, e->i8, inst->type[1])));
    emit_write(e, &inst->operand[0], sum, PTX_TYPE_b32);
}
