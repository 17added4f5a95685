/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrivals at mbarriers: if lanes of a warp arrive at one mbarrier, once each,
 * the code changes it once, by their number. It tests that the phase does not
 * end in between.
 */
#include "simt/plan/internal.h"

static bool has_count(const struct ptx_inst *inst)
{
    return inst->operand_count > 2 && inst->operand[2].kind != PTX_OPERAND_none;
}

static enum simt_reason why_each(const struct simt_plan *p, uint32_t i,
                                 const struct ptx_inst *inst)
{
    if (p->k->spec.lane_count == 1)
        return SIMT_REASON_SCALAR;
    if (has_count(inst) || inst->sub2 == PTX_SUB_expect_tx)
        return SIMT_REASON_OWN_COUNTS;
    return simt_is_uniform(p->k->address[i]) ? SIMT_TAKEN
                                             : SIMT_REASON_ADDRESS_VARIES;
}

void plan_arrivals(struct simt_plan *p)
{
    plan_for_each_inst(p->k, b, i)
    {
        const struct ptx_inst *inst = &p->k->func->insts[i];
        if (inst->sub != PTX_SUB_arrive && inst->sub != PTX_SUB_arrive_drop)
            continue;
        if (inst->op != PTX_OP_mbarrier)
            continue;
        enum simt_reason why = why_each(p, i, inst);
        p->insts[i].arrives_together = why == SIMT_TAKEN;
        plan_note(p, (struct simt_note){.of = SIMT_OF_INST,
                                        .at = i,
                                        .decision = SIMT_DECIDED_ARRIVALS,
                                        .reason = why});
    }
}
