/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Varying 64-bit addresses are mostly a uniform base plus a 32-bit index times
 * the element's size. Gathers and scatters take that form directly, with twice
 * as many lanes at once as for whole addresses; so what a register was made of
 * is remembered until the end of its block.
 */
#include "emit/core/address.h"
#include "emit/core/values.h"

static const struct emit_base_index none;

static struct emit_base_index find(struct emit *e, const struct ptx_inst *inst);

/* In cold code, what is affine elsewhere is a vector, too. */
static bool is_varying_reg(struct emit *e, const struct ptx_operand *o)
{
    if (o->kind != PTX_OPERAND_reg)
        return false;
    struct simt_shape s = e->f->k->shapes[o->reg];
    return simt_is_varying(s) || (e->f->at.is_cold && !simt_is_uniform(s));
}

struct emit_base_index emit_base_index_of(struct emit *e,
                                          const struct ptx_operand *o)
{
    assert(o->reg == PTX_NO_REG || emit_has_reg(e, o->reg));
    if (o->reg == PTX_NO_REG)
        return none;
    if (e->f->at.is_cold && emit_replays(e, o->reg))
        return find(e, emit_replayed(e, o->reg));
    struct emit_base_index p = e->f->regs[o->reg].parts[e->f->at.warp];
    return p.index && p.era == e->f->era ? p : none;
}

static struct emit_base_index from_index(struct emit *e,
                                         const struct ptx_operand *o,
                                         enum ptx_type type, int64_t scale)
{
    assert(scale > 0);
    if (!is_varying_reg(e, o))
        return none;
    return (struct emit_base_index){.era = e->f->era,
                                    .index = emit_read(e, o, type),
                                    .scale = scale,
                                    .is_signed = ptx_type_is_signed(type)};
}

static struct emit_base_index plus(struct emit *e, struct emit_base_index p,
                                   const struct ptx_operand *o)
{
    if (!p.index)
        return none;
    if (o->kind == PTX_OPERAND_imm) {
        p.offset += o->imm;
        return p;
    }
    if (o->kind != PTX_OPERAND_reg || !emit_is_uniform(e, o))
        return none;
    LLVMValueRef v = emit_read_lane(e, o, PTX_TYPE_b64, 0);
    p.base = p.base ? ir_add(e, p.base, v) : v;
    return p;
}

static struct emit_base_index
of_sum(struct emit *e, const struct ptx_operand *a, const struct ptx_operand *b)
{
    if (!is_varying_reg(e, a)) {
        const struct ptx_operand *t = a;
        a = b;
        b = t;
    }
    if (!is_varying_reg(e, a))
        return none;
    struct emit_base_index known = emit_base_index_of(e, a);
    return plus(e, known.index ? known : from_index(e, a, PTX_TYPE_s64, 1), b);
}

static struct emit_base_index scaled(struct emit *e,
                                     const struct ptx_operand *a,
                                     const struct ptx_operand *by)
{
    struct emit_base_index p =
        a->kind == PTX_OPERAND_reg ? emit_base_index_of(e, a) : none;

    assert(a != by);
    if (!p.index || p.base || p.offset || by->kind != PTX_OPERAND_imm ||
        by->imm < 0 || by->imm > 16)
        return none;
    p.scale <<= by->imm;
    return p;
}

static struct emit_base_index product(struct emit *e,
                                      const struct ptx_inst *inst)
{
    const struct ptx_operand *by = &inst->operand[2];

    if (inst->half != PTX_HALF_wide || by->kind != PTX_OPERAND_imm ||
        ptx_type_size(inst->type[0]) != 4 || by->imm <= 0)
        return none;
    return from_index(e, &inst->operand[1], inst->type[0], by->imm);
}

static struct emit_base_index find(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    bool is_64 = inst->type_count > 0 && ptx_type_size(inst->type[0]) == 8;

    switch (inst->op) {
    case PTX_OP_cvt:
        if (!is_64 || ptx_type_size(inst->type[1]) != 4 ||
            ptx_type_is_float(inst->type[0]) ||
            ptx_type_is_float(inst->type[1]))
            return none;
        return from_index(e, &o[1], inst->type[1], 1);
    case PTX_OP_mul:
        return product(e, inst);
    case PTX_OP_mad:
        return plus(e, product(e, inst), &o[3]);
    case PTX_OP_shl:
        return is_64 ? scaled(e, &o[1], &o[2]) : none;
    case PTX_OP_add:
        if (!is_64 || ptx_type_is_float(inst->type[0]) ||
            (inst->flags & PTX_FLAG_cc))
            return none;
        return of_sum(e, &o[1], &o[2]);
    default:
        return none;
    }
}

struct emit_base_index emit_find_base_index(struct emit *e,
                                            const struct ptx_inst *inst)
{
    if (e->f->at.blend || e->f->at.when || e->f->at.is_cold ||
        inst->operand[0].kind != PTX_OPERAND_reg)
        return none;
    return find(e, inst);
}

/* Pointers for all lanes from base and index, or NULL: no such form. */
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
        /* Gathers extend by the sign: u = (int)(u ^ 2^31) + 2^31. */
        index = ir_xor(e, index, ir_int(index, INT32_MIN));
        offset += p.scale * (INT64_C(1) << 31);
    }
    LLVMValueRef base = LLVMBuildIntToPtr(e->b, p.base, e->ptr, "");
    base = ir_offset(e, base, offset);
    LLVMTypeRef element =
        LLVMIntTypeInContext(e->cx, is_scale ? 8 * (unsigned)p.scale : 8);
    return LLVMBuildGEP2(e->b, element, base, &index, 1, "");
}
