/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of .ftz are flushed where they may be subnormal; constants are
 * treated here too. simt/plan/redundant_flushes.c says which registers are
 * neither. */
#include "emit/core/values.h"
#include "emit/ops/ops.h"

LLVMValueRef emit_read_flushed(struct emit *e, const struct ptx_operand *o,
                               enum ptx_type type)
{
    LLVMValueRef v = emit_read(e, o, type);

    assert(ptx_type_is_float(type));
    if (type == PTX_TYPE_f32 && o->kind == PTX_OPERAND_reg) {
        if (e->f->plan->is_flushed[o->reg])
            return v;
    }
    return emit_flush(e, v);
}

bool emit_has_constant(struct emit *e, const struct ptx_inst *inst)
{
    for (unsigned i = 1; i < inst->operand_count; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        if (o->kind == PTX_OPERAND_imm ||
            (o->kind == PTX_OPERAND_reg && !e->f->plan->is_variable[o->reg]))
            return true;
    }
    return false;
}
