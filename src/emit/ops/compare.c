/* SPDX-License-Identifier: Apache-2.0 */
/* setp, set, selp, slct. */
#include "emit/core/emitters.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"

static LLVMValueRef bool_op(struct emit *e, enum ptx_sub op, LLVMValueRef p,
                            LLVMValueRef c)
{
    switch (op) {
    case PTX_SUB_and:
        return ir_and(e, p, c);
    case PTX_SUB_or:
        return ir_or(e, p, c);
    case PTX_SUB_xor:
        return ir_xor(e, p, c);
    default:
        return p;
    }
}

/* A source in a form that can be compared: halves as floats. */
static LLVMValueRef comparable_source(struct emit *e,
                                      const struct ptx_inst *inst, unsigned i,
                                      enum ptx_type type, unsigned half)
{
    if (inst->flags & PTX_FLAG_ftz && type == PTX_TYPE_f32)
        return emit_read_flushed(e, &inst->operand[i], type);
    LLVMValueRef v = emit_read(e, &inst->operand[i], type);

    if (type == PTX_TYPE_f16x2 || type == PTX_TYPE_bf16x2)
        v = ir_trunc(e, ir_lshr(e, v, ir_int(v, 16 * half)), e->i16);
    if (type == PTX_TYPE_f16 || type == PTX_TYPE_f16x2)
        v = emit_half_to_float(e, emit_flush_half(e, inst, v));
    else if (type == PTX_TYPE_bf16 || type == PTX_TYPE_bf16x2)
        v = emit_bf16_to_float(e, v);
    return v;
}

static LLVMValueRef compare_sources(struct emit *e, const struct ptx_inst *inst,
                                    unsigned first, enum ptx_type type,
                                    unsigned half)
{
    LLVMValueRef a = comparable_source(e, inst, first, type, half);
    LLVMValueRef b = comparable_source(e, inst, first + 1, type, half);
    return emit_compare(e, inst->cmp, type, a, b);
}

/* The predicate operand after the two sources, if there is one. */
static LLVMValueRef third_source(struct emit *e, const struct ptx_inst *inst,
                                 unsigned i)
{
    if (inst->operand_count <= i || inst->operand[i].kind == PTX_OPERAND_none)
        return NULL;
    return emit_read_pred(e, &inst->operand[i]);
}

static LLVMValueRef combined_predicate(struct emit *e,
                                       const struct ptx_inst *inst,
                                       LLVMValueRef p, LLVMValueRef c)
{
    return c ? bool_op(e, inst->sub, p, c) : p;
}

/* p = (a cmp b) op c; q = !(a cmp b) op c. For packed halves p and q are the
 * results for the low and the high half. */
void emit_setp(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    bool is_packed = type == PTX_TYPE_f16x2 || type == PTX_TYPE_bf16x2;
    unsigned first = ptx_dest_count(inst); /* setp.f16 has one result */
    LLVMValueRef c = third_source(e, inst, first + 2);
    LLVMValueRef p = compare_sources(e, inst, first, type, 0);
    LLVMValueRef q =
        is_packed ? compare_sources(e, inst, first, type, 1) : ir_not(e, p);

    p = combined_predicate(e, inst, p, c);
    q = combined_predicate(e, inst, q, c);
    emit_write(e, &inst->operand[0], p, PTX_TYPE_pred);
    if (first > 1)
        emit_write(e, &inst->operand[1], q, PTX_TYPE_pred);
}

void emit_set(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type to = inst->type[0], from = inst->type[1];
    LLVMValueRef p =
        combined_predicate(e, inst, compare_sources(e, inst, 1, from, 0),
                           third_source(e, inst, 3));
    LLVMValueRef v;

    if (to == PTX_TYPE_f32) {
        v = ir_cast(e, LLVMUIToFP, p, e->f32);
    } else if (to == PTX_TYPE_u32 || to == PTX_TYPE_s32) {
        v = ir_sext(e, p, e->i32);
    } else if (to == PTX_TYPE_f16x2 || to == PTX_TYPE_bf16x2) {
        int64_t one = to == PTX_TYPE_f16x2 ? 0x3c00 : 0x3f80;
        LLVMValueRef q =
            combined_predicate(e, inst, compare_sources(e, inst, 1, from, 1),
                               third_source(e, inst, 3));
        LLVMValueRef low = ir_zext(e, p, e->i32), high = ir_zext(e, q, e->i32);
        v = ir_or(e, ir_mul(e, low, ir_int(low, one)),
                  ir_mul(e, high, ir_int(high, one << 16)));
    } else if (to == PTX_TYPE_f16 || to == PTX_TYPE_bf16) {
        v = ir_zext(e, p, e->i16);
        v = ir_mul(e, v, ir_int(v, to == PTX_TYPE_f16 ? 0x3c00 : 0x3f80));
    } else if (ptx_type_size(to) == 2 || ptx_type_size(to) == 8) {
        v = ir_sext(e, p, emit_type(e, to));
    } else {
        emit_refuse(e, "set to this type is not supported");
        return;
    }
    emit_write(e, &inst->operand[0], v, to);
}

void emit_selp(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef a = emit_read(e, &inst->operand[1], type);
    LLVMValueRef b = emit_read(e, &inst->operand[2], type);
    LLVMValueRef p = emit_read_pred(e, &inst->operand[3]);
    emit_write(e, &inst->operand[0], ir_select(e, p, a, b), type);
}

/* d = c >= 0 ? a : b; NaN takes b, -0 takes a. */
void emit_slct(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef a = emit_read(e, &inst->operand[1], type);
    LLVMValueRef b = emit_read(e, &inst->operand[2], type);
    LLVMValueRef c = emit_read(e, &inst->operand[3], inst->type[1]);
    if (inst->flags & PTX_FLAG_ftz)
        c = emit_flush(e, c);
    LLVMValueRef p = inst->type[1] == PTX_TYPE_f32
                         ? ir_fcmp(e, LLVMRealOGE, c, ir_real(c, 0))
                         : ir_icmp(e, LLVMIntSGE, c, ir_int(c, 0));
    emit_write(e, &inst->operand[0], ir_select(e, p, a, b), type);
}
