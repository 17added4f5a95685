/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations: which lanes' operands are combined before memory is
 * accessed. One operation for all lanes takes as long as one for a single
 * lane, so it is used where all lanes have one address and, behind a test,
 * where they may. Shared memory needs no atomic instruction: lane by lane is
 * as fast there as a test.
 */
#include "simt/plan/internal.h"

bool plan_is_associative(const struct ptx_inst *inst, bool is_used)
{
    enum ptx_type t = inst->type[0];
    bool is_real = t == PTX_TYPE_f32 || t == PTX_TYPE_f64;

    assert(ptx_is_atomic(inst));
    switch (inst->sub) {
    case PTX_SUB_add: /* the old value depends on the order */
        return !ptx_type_is_float(t) || (is_real && !is_used);
    case PTX_SUB_and:
    case PTX_SUB_or:
    case PTX_SUB_xor:
    case PTX_SUB_min:
    case PTX_SUB_max:
        return !ptx_type_is_float(t);
    default:
        return false;
    }
}

static enum simt_atomic_way way_of(const struct simt_plan *p, uint32_t i,
                                   bool is_used, enum simt_reason *why)
{
    const struct ptx_inst *inst = &p->k->func->insts[i];

    assert(i < p->k->func->inst_count);
    *why = SIMT_TAKEN;
    if (!plan_is_associative(inst, is_used)) {
        *why = SIMT_REASON_NOT_ASSOCIATIVE;
        return SIMT_ATOMIC_EACH;
    }
    if (simt_is_uniform(p->k->address[i]))
        return SIMT_ATOMIC_COMBINED;
    if (p->k->spec.lane_count == 1)
        *why = SIMT_REASON_SCALAR;
    else if (ptx_is_shared_space(
                 ptx_space_of(ptx_address_of(inst), inst->space)))
        *why = SIMT_REASON_SHARED_IS_CHEAP;
    if (*why != SIMT_TAKEN)
        return SIMT_ATOMIC_EACH;
    return p->insts[i].privatised == SIMT_SUM_OF_LANE ? SIMT_ATOMIC_KEPT
                                                      : SIMT_ATOMIC_IF_ONE;
}

/* Is a result of it used? */
static bool is_used(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];

    return inst->op == PTX_OP_atom && !(k->inst_flags[i] & SIMT_DEAD) &&
           ptx_operand_item(&inst->operand[0], 0)->kind == PTX_OPERAND_reg;
}

static void plan_inst(struct simt_plan *p, uint32_t i)
{
    static const enum simt_decision decisions[] = {
        [SIMT_ATOMIC_EACH] = SIMT_DECIDED_COMBINED,
        [SIMT_ATOMIC_COMBINED] = SIMT_DECIDED_COMBINED,
        [SIMT_ATOMIC_IF_ONE] = SIMT_DECIDED_COMBINED_IF_ONE,
        [SIMT_ATOMIC_KEPT] = SIMT_DECIDED_LANE_SUMS,
    };
    enum simt_reason why[2];
    bool used = is_used(p->k, i);

    for (unsigned n = 0; n < 2; n++)
        p->insts[i].atomic[n] = way_of(p, i, n != 0, &why[n]);
    enum simt_decision d = decisions[p->insts[i].atomic[used]];
    if (d == SIMT_DECIDED_LANE_SUMS)
        return; /* privatised.c has made the note */
    plan_note(p, (struct simt_note){.of = SIMT_OF_INST,
                                    .at = i,
                                    .decision = d,
                                    .reason = why[used]});
}

void plan_atomics(struct simt_plan *p)
{
    plan_for_each_inst(p->k, b, i)
    {
        const struct ptx_inst *inst = &p->k->func->insts[i];
        if (ptx_is_atomic(inst) && !(inst->flags & PTX_FLAG_async))
            plan_inst(p, i);
    }
}
