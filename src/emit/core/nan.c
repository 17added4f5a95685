/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical NaN of singles, where the plan says that its bits are used:
 * see simt/plan/nan.c. */
#include "emit/core/values.h"

bool emit_is_seen(const struct emit *e, const struct ptx_operand *o)
{
    const uint8_t *is = e->f->plan->nans;

    return is && o->kind == PTX_OPERAND_reg && is[o->reg] & SIMT_NAN_SEEN;
}

LLVMValueRef emit_canonical_nan(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef x = ir_as(e, v, e->f32);

    assert(ir_bits(v) == 32);
    x = ir_select(e, ir_is_nan(e, x), ir_bits_real(e, x, 0x7fffffff), x);
    return ir_as(e, x, ir_element(v));
}

LLVMValueRef emit_canonical_source(struct emit *e, uint32_t reg, LLVMValueRef v)
{
    const struct emit_fn *f = e->f;

    assert(emit_has_reg(e, reg));
    if (!f->at.looks ||
        (f->plan->nans[reg] & (SIMT_NAN_COMPUTED | SIMT_NAN_OTHER)) !=
            SIMT_NAN_COMPUTED ||
        ir_bits(v) != 32)
        return v;
    return emit_canonical_nan(e, v);
}
