/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticket counters: counters that all blocks of a kernel take numbers from, to
 * know where to write, or which tile is theirs. Neighbouring numbers mean
 * neighbouring memory. If each core took one at a time, cores would write into
 * the same lines and wait for each other. So the blocks that an SM runs take
 * theirs directly after one another, on fibers: every block runs up to the
 * counter, then each takes a number, then they go on.
 *
 * Compacting 2^24 numbers, 256 to a block, on two cores: 7 to 24 ms with one
 * block at a time, 3.7 to 4.8 with 16, 3.2 to 3.5 with 64.
 *
 * Not for a counter to which one thread adds the same amount in every block,
 * mostly 1: what is done with such a number is as big as a block, and what
 * many blocks keep in between does not fit the caches. A scan in tiles takes
 * 1.15 times as long with 16 blocks as with one.
 */
#include "simt/plan/internal.h"

/* A number or an address that is the same in all blocks. */
static bool is_of_grid(const struct simt_kernel *k, const struct ptx_operand *o,
                       unsigned depth)
{
    bool is_reg = o->kind == PTX_OPERAND_reg || o->kind == PTX_OPERAND_address;

    if (!is_reg || o->reg == PTX_NO_REG)
        return o->kind != PTX_OPERAND_sreg;
    const struct ptx_inst *def = ptx_only_def(k->func, o->reg);
    if (!def || depth == 0)
        return false;
    switch (def->op) {
    case PTX_OP_ld:
        return def->space == PTX_SPACE_param;
    case PTX_OP_mov:
    case PTX_OP_cvta:
    case PTX_OP_cvt:
        return is_of_grid(k, &def->operand[1], depth - 1);
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mul:
        return is_of_grid(k, &def->operand[1], depth - 1) &&
               is_of_grid(k, &def->operand[2], depth - 1);
    default:
        return false;
    }
}

static bool is_counting(enum ptx_sub sub)
{
    return sub == PTX_SUB_add || sub == PTX_SUB_inc || sub == PTX_SUB_dec;
}

/* Do blocks take numbers by this instruction? The reason why turns make no
 * difference; SIMT_TAKEN: they do. */
static enum simt_reason why_no_ticket(const struct simt_kernel *k, uint32_t b,
                                      uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];

    assert(k->func->insts[i].op == PTX_OP_atom);
    if (k->spec.lane_count == 1)
        return SIMT_REASON_SCALAR;
    if (k->inst_flags[i] & SIMT_DEAD)
        return SIMT_REASON_UNUSED;
    if (k->blocks[b].loop_header != SIMT_NO_BLOCK)
        return SIMT_REASON_IN_LOOP;
    if (!is_of_grid(k, &inst->operand[1], 8))
        return SIMT_REASON_OWN_ADDRESS;
    if (is_of_grid(k, &inst->operand[2], 8) &&
        simt_one_lane_from(k, b) != SIMT_NO_BLOCK)
        return SIMT_REASON_ONE_TICKET;
    return SIMT_TAKEN;
}

void plan_tickets(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    if (!k->func->is_entry)
        return;
    plan_for_each_inst(k, b, i)
    {
        const struct ptx_inst *inst = &k->func->insts[i];
        bool is_global =
            inst->space == PTX_SPACE_global || inst->space == PTX_SPACE_generic;
        if (inst->op != PTX_OP_atom || !is_counting(inst->sub) || !is_global)
            continue;
        enum simt_reason why = why_no_ticket(k, b, i);
        plan_note(p, (struct simt_note){SIMT_OF_INST, i, SIMT_DECIDED_TICKET,
                                        why, 0});
        p->insts[i].is_ticket = why == SIMT_TAKEN;
        p->takes_turns |= p->insts[i].is_ticket;
    }
}
