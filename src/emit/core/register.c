/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers: one alloca for a vector, or one for each group's scalar (LLVM
 * turns them into SSA values).
 */
#include "emit/core/masks.h"
#include "emit/core/values.h"

static LLVMTypeRef storage_type(struct emit *e, enum ptx_type type,
                                bool is_float)
{
    if (type == PTX_TYPE_pred)
        return e->i1;
    unsigned bytes = ptx_type_size(type);
    if (is_float && bytes == 4)
        return e->f32;
    if (is_float && bytes == 8)
        return e->f64;
    return LLVMIntTypeInContext(e->cx, 8 * bytes);
}

LLVMTypeRef emit_slot_type(struct emit *e, const struct emit_reg *r)
{
    assert(r->type);
    return simt_is_varying(r->shape) ? LLVMVectorType(r->type, e->lanes)
                                     : r->type;
}

void emit_make_reg(struct emit *e, uint32_t i)
{
    const struct simt_kernel *k = e->f->k;
    struct emit_reg *r = &e->f->regs[i];

    assert(emit_has_reg(e, i));
    *r = (struct emit_reg){.shape = k->shapes[i]};
    r->type =
        storage_type(e, k->func->regs[i].type, e->f->plan->regs[i].is_float);
    r->slot_count = simt_is_varying(r->shape)
                        ? e->f->warps
                        : emit_coarse_group_count(e, r->shape);
    LLVMTypeRef vector = LLVMVectorType(r->type, e->lanes);
    r->slot = arena_array(e->arena, struct emit_slot, r->slot_count);
    for (unsigned s = 0; s < r->slot_count; s++)
        r->slot[s].var =
            emit_alloca(e, emit_slot_type(e, r), 0, k->func->regs[i].name);
    if (!r->shape.is_conditional)
        return;
    r->ok = emit_alloca(e, e->i1, 0, "ok");
    if (emit_replays(e, i))
        return;
    for (unsigned w = 0; w < e->f->warps; w++)
        r->shadow[w] = emit_alloca(e, vector, 64, "shadow");
}

/* Scalars and predicates start as zero, so that a branch never tests undefined
 * bits. Vectors start undefined, so that blends of first writes disappear. A
 * register that lives in one block needs no start: LLVM turns such variables
 * into values much faster. */
void emit_reset_reg(struct emit *e, uint32_t reg)
{
    const struct emit_reg *r = &e->f->regs[reg];

    assert(emit_has_reg(e, reg));
    if (!e->f->plan->regs[reg].is_exposed)
        return;
    bool is_undef = simt_is_varying(r->shape) && r->type != e->i1;
    LLVMTypeRef t = emit_slot_type(e, r);
    LLVMValueRef first = is_undef ? LLVMGetUndef(t) : LLVMConstNull(t);
    for (unsigned s = 0; s < r->slot_count; s++)
        ir_store(e, first, r->slot[s].var, 0);
    if (r->ok)
        ir_store(e, LLVMConstInt(e->i1, 1, 0), r->ok, 0);
}
