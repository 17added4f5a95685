/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses as base + index * scale, which gathers and scatters take as they
 * are. The plan says which registers have that form (simt/plan/base_index.c);
 * their parts are made with them, and kept until the end of the block.
 */
#include "emit/core/address.h"
#include "emit/core/values.h"

/* The parts of a register as the plan describes them; index NULL: it has no
 * such form. */
static struct emit_base_index
make_base_index(struct emit *e, const struct simt_base_index *form)
{
    struct emit_base_index p = {0};

    if (!form)
        return p;
    if (form->sum)
        p = emit_base_index_of(e, form->sum);
    else
        p = (struct emit_base_index){
            .era = e->f->era,
            .index = emit_read(e, form->index, form->type),
            .scale = form->scale,
            .is_signed = ptx_type_is_signed(form->type)};
    assert(p.index);
    p.scale <<= form->shift;
    if (form->plus && form->plus->kind == PTX_OPERAND_imm) {
        p.offset += form->plus->imm;
    } else if (form->plus) {
        LLVMValueRef v = emit_read_lane(e, form->plus, PTX_TYPE_b64, 0);
        p.base = p.base ? ir_add(e, p.base, v) : v;
    }
    return p;
}

struct emit_base_index emit_base_index_of(struct emit *e,
                                          const struct ptx_operand *o)
{
    static const struct emit_base_index none;
    const struct simt_plan *plan = e->f->plan;

    assert(o->reg == PTX_NO_REG || emit_has_reg(e, o->reg));
    if (o->reg == PTX_NO_REG)
        return none;
    if (e->f->at.is_cold && emit_replays(e, o->reg))
        return make_base_index(e, plan->insts[plan->regs[o->reg].remade_by - 1]
                                      .base_index[SIMT_COPY_COLD]);
    struct emit_base_index p = e->f->regs[o->reg].parts[e->f->at.warp];
    return p.index && p.era == e->f->era ? p : none;
}

struct emit_base_index emit_make_base_index(struct emit *e)
{
    assert(!e->f->at.is_cold);
    return make_base_index(
        e, e->f->plan->insts[e->f->at.index]
               .base_index[e->f->at.is_full_copy ? SIMT_COPY_FULL
                                                 : SIMT_COPY_USUAL]);
}

LLVMValueRef emit_base_index_pointers(struct emit *e,
                                      const struct ptx_operand *o,
                                      int64_t offset)
{
    struct emit_base_index p = emit_base_index_of(e, o);

    if (!p.index || !p.base)
        return NULL;
    bool is_scale =
        p.scale == 1 || p.scale == 2 || p.scale == 4 || p.scale == 8;
    LLVMValueRef index = p.index;
    offset += p.offset;
    if (!is_scale) {
        index = ir_resize(e, index, e->i64, p.is_signed);
        index = ir_mul(e, index, ir_int(index, p.scale));
    } else if (!p.is_signed && ir_bits(index) == 32) {
        /* Gathers sign-extend the index: u = (int)(u ^ 2^31) + 2^31. */
        index = ir_xor(e, index, ir_int(index, INT32_MIN));
        offset += p.scale * (INT64_C(1) << 31);
    }
    LLVMValueRef base = LLVMBuildIntToPtr(e->b, p.base, e->ptr, "");
    base = ir_offset(e, base, offset);
    LLVMTypeRef element =
        LLVMIntTypeInContext(e->cx, is_scale ? 8 * (unsigned)p.scale : 8);
    return LLVMBuildGEP2(e->b, element, base, &index, 1, "");
}
