/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrix instructions: each operand is a vector with as many registers as its
 * fragment has, of the type that its elements have when packed.
 *
 * Source: PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions",
 * "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
 */
#include "ptx/parse.h"

#include "ptx/matrix.h"

/* The type of registers that hold elements of this type. */
static enum ptx_type packed_type(enum ptx_type element)
{
    switch (element) {
    case PTX_TYPE_f16:
        return PTX_TYPE_f16x2;
    case PTX_TYPE_bf16:
    case PTX_TYPE_tf32:
    case PTX_TYPE_e4m3:
    case PTX_TYPE_e5m2: /* untyped registers only */
        return PTX_TYPE_bf16x2;
    case PTX_TYPE_f32:
    case PTX_TYPE_f64:
        return element;
    case PTX_TYPE_b1:
        return PTX_TYPE_b32;
    default:
        return PTX_TYPE_s32;
    }
}

static bool check_registers(struct parser *p, const struct inst_text *text,
                            const struct ptx_inst *inst, unsigned i,
                            unsigned count, enum ptx_type type)
{
    const struct token *at = &text->operand[i];
    const struct ptx_operand *op = &inst->operand[i];
    unsigned found = ptx_operand_item_count(op);
    if (op->kind != PTX_OPERAND_vector || found != count)
        return error_at(p, at, "`%s` wants a vector of %u here, found %u",
                        inst->spelling, count, found);
    for (unsigned k = 0; k < count; k++) {
        if (op->items[k].kind != PTX_OPERAND_reg)
            continue;
        const struct ptx_reg *r = &p->regs.data[op->items[k].reg];
        if (!ptx_is_compatible(type, r->type))
            return error_at(p, at, "`%s` is .%s, but `%s` wants .%s here",
                            r->name, ptx_type_name(r->type), inst->spelling,
                            ptx_type_name(type));
    }
    return true;
}

static bool check_fragment(struct parser *p, const struct inst_text *text,
                           const struct ptx_inst *inst, unsigned i,
                           const struct ptx_fragment *f)
{
    return check_registers(p, text, inst, i, f->reg_count,
                           packed_type(f->type));
}

static bool check_mma(struct parser *p, const struct inst_text *text,
                      const struct ptx_inst *inst)
{
    struct ptx_mma mma;
    const char *problem = ptx_describe_mma(inst, &mma);
    if (problem)
        return error_at(p, &text->opcode, "`%s`: %s", inst->spelling, problem);
    if (inst->sub == PTX_SUB_load || inst->sub == PTX_SUB_store) {
        const struct ptx_fragment *f = inst->sub2 == PTX_SUB_a   ? &mma.a
                                       : inst->sub2 == PTX_SUB_b ? &mma.b
                                       : inst->sub2 == PTX_SUB_c ? &mma.c
                                                                 : &mma.d;
        return check_fragment(p, text, inst, inst->sub == PTX_SUB_store, f);
    }
    return check_fragment(p, text, inst, 0, &mma.d) &&
           check_fragment(p, text, inst, 1, &mma.a) &&
           check_fragment(p, text, inst, 2, &mma.b) &&
           check_fragment(p, text, inst, 3, &mma.c);
}

/* scale-a, scale-b: 1 or -1; then the flags for transposition: 0 or 1. */
static bool check_scales(struct parser *p, const struct inst_text *text,
                         const struct ptx_inst *inst)
{
    unsigned seen = 0;
    bool is_behind = false; /* the predicate comes before the scales */
    for (unsigned i = 0; i < inst->operand_count; i++) {
        char letter = ptx_operand_letter(inst, i);
        int64_t value = inst->operand[i].imm;
        is_behind |= letter == 'q';
        if (!is_behind || letter != 'i')
            continue;
        bool is_scale = seen++ < 2;
        if (is_scale ? value != 1 && value != -1 : value != 0 && value != 1)
            return error_at(p, &text->operand[i],
                            "`%s` wants %s here, found %lld", inst->spelling,
                            is_scale ? "1 or -1" : "0 or 1", (long long)value);
    }
    return true;
}

static bool check_wgmma(struct parser *p, const struct inst_text *text,
                        const struct ptx_inst *inst)
{
    if (inst->sub != PTX_SUB_mma)
        return true;
    unsigned n = inst->shape >> 10 & 1023;
    bool is_half = inst->type[0] == PTX_TYPE_f16;
    if (!check_registers(p, text, inst, 0, is_half ? n / 4 : n / 2,
                         packed_type(inst->type[0])))
        return false;
    if (ptx_operand_letter(inst, 1) == 'r' &&
        !check_registers(p, text, inst, 1, 4, packed_type(inst->type[1])))
        return false;
    return check_scales(p, text, inst);
}

/* ldmatrix.x4: four registers. */
static bool check_rows(struct parser *p, const struct inst_text *text,
                       const struct ptx_inst *inst)
{
    unsigned i = inst->op == PTX_OP_stmatrix;
    return check_registers(p, text, inst, i, inst->vector, PTX_TYPE_b32);
}

bool check_matrix(struct parser *p, const struct inst_text *text,
                  const struct ptx_inst *inst)
{
    switch (inst->op) {
    case PTX_OP_mma:
    case PTX_OP_wmma:
        return check_mma(p, text, inst);
    case PTX_OP_wgmma:
        return check_wgmma(p, text, inst);
    case PTX_OP_ldmatrix:
    case PTX_OP_stmatrix:
        return check_rows(p, text, inst);
    default:
        return true;
    }
}
