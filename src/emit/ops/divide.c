/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer division and remainder. Inactive lanes, and programs, may divide by
 * zero, so nothing here may trap. Up to 32 bits are divided as doubles, which
 * hold every such quotient exactly enough to be truncated; 64 bits too if all
 * operands are small, otherwise lane by lane. Division by zero gives all ones,
 * as quotient and as remainder, as on hardware.
 */
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"

struct operands {
    LLVMValueRef a, b;
    bool is_signed;
};

/* A divisor for which the machine's division is defined: 1 instead of 0, and
 * instead of -1 under the least number (whose quotient is itself). */
static LLVMValueRef safe_divisor(struct emit *e, const struct operands *o)
{
    LLVMValueRef bad = ir_icmp(e, LLVMIntEQ, o->b, ir_int(o->b, 0));

    if (o->is_signed) {
        int64_t least = (int64_t)(UINT64_MAX << (ir_bits(o->a) - 1));
        LLVMValueRef overflow =
            ir_and(e, ir_icmp(e, LLVMIntEQ, o->a, ir_int(o->a, least)),
                   ir_icmp(e, LLVMIntEQ, o->b, ir_int(o->b, -1)));
        bad = ir_or(e, bad, overflow);
    }
    return ir_select(e, bad, ir_int(o->b, 1), o->b);
}

static LLVMValueRef machine_divide(struct emit *e, bool is_signed,
                                   LLVMValueRef a, LLVMValueRef b)
{
    return is_signed ? LLVMBuildSDiv(e->b, a, b, "")
                     : LLVMBuildUDiv(e->b, a, b, "");
}

/* Vectors of at most 32 bits: |a| / |b| as doubles. A quotient of 32-bit
 * numbers that is no integer is further from one than a double's rounding
 * error. */
static LLVMValueRef divide_by_doubles(struct emit *e, const struct operands *o)
{
    LLVMValueRef b = safe_divisor(e, o);
    LLVMOpcode to = o->is_signed ? LLVMSIToFP : LLVMUIToFP;
    LLVMOpcode from = o->is_signed ? LLVMFPToSI : LLVMFPToUI;
    LLVMValueRef q =
        ir_fdiv(e, ir_cast(e, to, o->a, e->f64), ir_cast(e, to, b, e->f64));
    return ir_cast(e, from, q, ir_element(o->a));
}

static LLVMValueRef divide_each(struct emit *e, const struct operands *o)
{
    LLVMTypeRef t = ir_element(o->a);
    LLVMValueRef a = emit_spill(e, o->a);
    LLVMValueRef b = emit_spill(e, safe_divisor(e, o));
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef q =
        machine_divide(e, o->is_signed, emit_spilled_lane(e, a, t, loop.lane),
                       emit_spilled_lane(e, b, t, loop.lane));
    emit_store_lane(e, a, t, loop.lane, q);
    emit_lane_loop_end(e, &loop);
    return emit_unspill(e, a, t);
}

/* 64 bits: tests whether all lanes' operands fit 32 bits (as unsigned
 * numbers). */
static LLVMValueRef divide_wide(struct emit *e, const struct operands *o)
{
    LLVMValueRef high = ir_lshr(e, ir_or(e, o->a, o->b), ir_int(o->a, 32));
    LLVMValueRef is_big = ir_icmp(e, LLVMIntNE, high, ir_int(high, 0));
    LLVMValueRef any_big = emit_any(e, emit_and_mask(e, e->f->at.mask, is_big));
    LLVMBasicBlockRef small = emit_new_block(e, "div32");
    LLVMBasicBlockRef big = emit_new_block(e, "div64");
    LLVMBasicBlockRef done = emit_new_block(e, "divided");

    emit_branch(e, any_big, big, small, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, small);
    struct operands narrow = {ir_trunc(e, o->a, e->i32),
                              ir_trunc(e, o->b, e->i32), false};
    LLVMValueRef q32 = ir_zext(e, divide_by_doubles(e, &narrow), e->i64);
    LLVMBasicBlockRef from_small = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, big);
    LLVMValueRef q64 = divide_each(e, o);
    LLVMBasicBlockRef from_big = LLVMGetInsertBlock(e->b);
    emit_goto_new(e, done);
    return ir_merge(e, q32, from_small, q64, from_big);
}

static LLVMValueRef integer_quotient(struct emit *e,
                                     const struct ptx_inst *inst,
                                     const struct operands *o)
{
    const struct ptx_operand *d = &inst->operand[2];
    bool is_constant = d->kind == PTX_OPERAND_imm && d->imm != 0;

    if (is_constant && !(o->is_signed && d->imm == -1))
        return machine_divide(e, o->is_signed, o->a, o->b);
    if (!ir_is_vector(o->a))
        return machine_divide(e, o->is_signed, o->a, safe_divisor(e, o));
    return ir_bits(o->a) > 32 ? divide_wide(e, o) : divide_by_doubles(e, o);
}

static LLVMValueRef unless_by_zero(struct emit *e, const struct ptx_inst *inst,
                                   const struct operands *o, LLVMValueRef v)
{
    const struct ptx_operand *d = &inst->operand[2];

    if (d->kind == PTX_OPERAND_imm && d->imm != 0)
        return v;
    LLVMValueRef is_zero = ir_icmp(e, LLVMIntEQ, o->b, ir_int(o->b, 0));
    return ir_select(e, is_zero, ir_int(v, -1), v);
}

static struct operands read_operands(struct emit *e,
                                     const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    return (struct operands){emit_read(e, &inst->operand[1], type),
                             emit_read(e, &inst->operand[2], type),
                             ptx_type_is_signed(type)};
}

void emit_div(struct emit *e, const struct ptx_inst *inst)
{
    if (ptx_type_is_float(inst->type[0])) {
        emit_float_arith(e, inst);
        return;
    }
    struct operands o = read_operands(e, inst);
    LLVMValueRef v = unless_by_zero(e, inst, &o, integer_quotient(e, inst, &o));
    emit_write(e, &inst->operand[0], v, inst->type[0]);
}

void emit_rem(struct emit *e, const struct ptx_inst *inst)
{
    struct operands o = read_operands(e, inst);
    LLVMValueRef q = integer_quotient(e, inst, &o);
    LLVMValueRef v = ir_sub(e, o.a, ir_mul(e, q, o.b));
    v = unless_by_zero(e, inst, &o, v);
    emit_write(e, &inst->operand[0], v, inst->type[0]);
}
