/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers that hold one constant: all their definitions move the same
 * immediate, or the same special register that is a constant of the block.
 * Such a register stays uniform where lanes have parted, as it does not matter
 * which of them defined it: nothing is to be blended. Compilers copy `mov
 * %r1, %ntid.y` into both ways of a branch.
 *
 * Leaves: constant_registers.
 */
#include "simt/internal.h"

struct search {
    const struct ptx_inst *in;
    const struct ptx_operand **constant; /* by register: NULL: none so far */
    uint64_t *is_other;                  /* by register: also something else */
};

/* Is it the same number in all threads of a block, all the time? */
static bool is_of_block(enum ptx_sreg sreg)
{
    assert(sreg < PTX_SREG_COUNT);
    return sreg >= PTX_SREG_ntid_x && sreg <= PTX_SREG_nctaid_z;
}
static_assert(PTX_SREG_nctaid_z == PTX_SREG_ntid_x + 8,
              "is_of_block takes ntid, ctaid and nctaid as one run");

static bool is_constant(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_imm ||
           (o->kind == PTX_OPERAND_sreg && is_of_block(o->sreg));
}

static bool is_same_constant(const struct ptx_operand *a,
                             const struct ptx_operand *b)
{
    return a->kind == b->kind &&
           (a->kind == PTX_OPERAND_imm ? a->imm == b->imm : a->sreg == b->sreg);
}

static void see_definition(void *data, uint32_t reg)
{
    struct search *s = data;
    const struct ptx_inst *in = s->in;
    const struct ptx_operand *source = &in->operand[1];

    if (in->op != PTX_OP_mov || in->guard != PTX_NO_REG ||
        in->operand[0].kind != PTX_OPERAND_reg || !is_constant(source) ||
        (s->constant[reg] && !is_same_constant(s->constant[reg], source)))
        bits_add(s->is_other, reg);
    s->constant[reg] = source;
}

void simt_find_constant_registers(struct simt_work *w)
{
    const struct ptx_func *f = w->k->func;
    struct search s = {
        .constant = arena_array(w->k->arena, const struct ptx_operand *,
                                f->reg_count + 1),
        .is_other = arena_array(w->k->arena, uint64_t, w->reg_words),
    };

    w->constant_registers = arena_array(w->k->arena, uint64_t, w->reg_words);
    for (size_t i = 0; i < f->inst_count; i++) {
        s.in = &f->insts[i];
        ptx_for_each_def(s.in, see_definition, &s);
    }
    for (uint32_t r = 0; r < f->reg_count; r++)
        if (s.constant[r] && !bits_has(s.is_other, r))
            bits_add(w->constant_registers, r);
}
