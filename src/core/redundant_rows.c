/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Redundant rows of a block: a kernel that does not ask for its place in y
 * and z does the same in every row of a block of several. One row stands for
 * all, if they cannot be told apart by anything that happens twice: an atomic
 * operation, a call, a count of threads at a barrier. Side by side, each
 * instruction in all rows before the next, they would load the same and store
 * the same, so that is one of the ways in which the block may run; and where
 * rows race against each other, adding to one word, it is the one that a GPU
 * shows, whose warps start together.
 */
#include "core/internal.h"
#include "ptx/effects.h"

static bool is_same_in_rows(enum ptx_sreg s)
{
    switch (s) {
    case PTX_SREG_tid_x:
    case PTX_SREG_ntid_x:
    case PTX_SREG_ctaid_x:
    case PTX_SREG_ctaid_y:
    case PTX_SREG_ctaid_z:
    case PTX_SREG_nctaid_x:
    case PTX_SREG_nctaid_y:
    case PTX_SREG_nctaid_z:
        return true;
    default:
        return false;
    }
}

static bool names_row(const struct ptx_operand *o, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (o[i].kind == PTX_OPERAND_sreg && !is_same_in_rows(o[i].sreg))
            return true;
        if (o[i].item_count && names_row(o[i].items, o[i].item_count))
            return true;
    }
    return false;
}

/* bar.sync of all threads: a number, and no count. */
static bool is_for_all(const struct ptx_inst *inst)
{
    return inst->op != PTX_OP_bar ||
           (inst->sub == PTX_SUB_sync &&
            (inst->operand_count < 2 ||
             inst->operand[1].kind == PTX_OPERAND_none));
}

bool kernel_has_redundant_rows(const struct ptx_func *f)
{
    if (f->reqntid[0]) /* it says how many rows there are */
        return false;
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        if (ptx_facts[inst->op].twice != PTX_TWICE_IDEMPOTENT ||
            !is_for_all(inst) || names_row(inst->operand, inst->operand_count))
            return false;
    }
    return true;
}
