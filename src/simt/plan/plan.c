/* SPDX-License-Identifier: Apache-2.0 */
/* Makes all decisions, in order. */
#include "simt/plan/internal.h"

static void (*const decide[])(struct simt_plan *) = {
    plan_lanes,
    plan_in_step,
    plan_merged,
    plan_accesses,
    plan_grid_stride,
    plan_prefetches,
    plan_nontemporal,
    plan_privatised,
    plan_atomics,
    plan_arrivals,
    plan_full_copies,
    plan_histograms,
    plan_tickets,
    plan_flushing,
    plan_redundant_flushes,
    plan_nans,
    plan_next_block,
    plan_grid_rows,
    plan_split,
    plan_registers,
    plan_rematerialised,
    plan_base_indices,
    plan_affine_compares,
    plan_guard_copies,
    plan_plain_if_full,
    plan_alignment,
    plan_lockstep,
};

struct simt_plan *simt_make_plan(const struct simt_kernel *k,
                                 const struct simt_machine *machine,
                                 struct simt_choice choice)
{
    struct simt_plan *p = arena_new(k->arena, struct simt_plan);

    assert(k->block_count > 0 && k->spec.warp_count >= 1);
    *p = (struct simt_plan){
        .k = k,
        .machine = machine,
        .choice = choice,
        .loops = arena_array(k->arena, struct simt_loop_plan, k->block_count),
        .guards = arena_array(k->arena, struct simt_guard_plan, k->block_count),
        .code = arena_array(k->arena, const struct ptx_inst *,
                            k->func->inst_count + 1),
        .insts = arena_array(k->arena, struct simt_inst_plan,
                             k->func->inst_count + 1),
    };
    for (size_t i = 0; i < ARRAY_COUNT(decide); i++)
        decide[i](p);
    return p;
}
