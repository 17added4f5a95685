/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guards of instructions, and coarse warps: an emitter sees one warp,
 * and runs once for each.
 */
#include "emit/core/control.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

LLVMValueRef emit_read_guard(struct emit *e, const struct ptx_inst *inst)
{
    assert(inst->guard != PTX_NO_REG);
    LLVMValueRef p = emit_read_reg(e, inst->guard);
    return inst->guard_negated ? ir_not(e, p) : p;
}

bool emit_has_varying_guard(struct emit *e, const struct ptx_inst *inst)
{
    return inst->guard != PTX_NO_REG &&
           !simt_is_uniform(e->f->k->shapes[inst->guard]);
}

LLVMValueRef emit_uniform_guard(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->guard == PTX_NO_REG || emit_has_varying_guard(e, inst))
        return NULL;
    emit_select_lane(e, 0);
    LLVMValueRef p = emit_read_guard(e, inst);
    e->f->at.lane = EMIT_ALL_LANES;
    return p;
}

/* The lanes of the current warp in which a destination keeps its old value. */
static LLVMValueRef blend_of(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;
    LLVMValueRef blend =
        f->k->inst_flags[f->at.index] & SIMT_BLEND ? f->at.mask : NULL;

    assert(emit_has_inst(e, e->f->at.index));
    if (emit_has_varying_guard(e, inst))
        blend = emit_and_mask(e, blend, emit_read_guard(e, inst));
    return blend;
}

void emit_select_warp(struct emit *e, unsigned warp)
{
    assert(warp < e->f->warps);
    e->f->at.warp = warp;
    e->f->at.lane = EMIT_ALL_LANES;
    e->f->at.mask = e->f->lanes.here.of[warp];
}

void emit_each_warp(struct emit *e, const struct ptx_inst *inst, emit_op_fn *fn)
{
    struct emit_fn *f = e->f;

    assert(e->f->warps >= 1);
    for (unsigned w = 0; w < f->warps; w++) {
        emit_select_warp(e, w);
        f->at.blend = blend_of(e, inst);
        fn(e, inst);
    }
    f->at.blend = NULL;
    emit_select_warp(e, 0);
}
