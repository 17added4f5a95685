/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks behind a bounds test, `if (i < n)`. Most warps pass it as a whole, as
 * the first and the last lane show: they run a copy of the block without
 * masks. This pays with AVX-512, too: a masked store of 64 bytes takes some
 * cycles, and the masks of a warp's parts fill the mask registers.
 */
#include "simt/plan/internal.h"

enum { COPY_INSTS = 64 };

static bool is_lone(const struct simt_kernel *k, uint32_t from, uint32_t b)
{
    const struct simt_block *bb = &k->blocks[b];

    return b > from && bb->pred_count == 1 && bb->preds[0] == from &&
           (bb->kind == SIMT_END_JUMP || bb->kind == SIMT_END_RETURN) &&
           bb->has_mask_variable &&
           bb->loop_depth == k->blocks[from].loop_depth &&
           !bb->ends_with_turn && bb->end - bb->first <= COPY_INSTS;
}

static bool is_worth_it(const struct simt_plan *p)
{
    const struct simt_machine *m = p->machine;

    return m->is_x86 && p->k->spec.lane_count > 1 && p->k->func->is_entry &&
           p->part_count == 0;
}

static void plan_guard(struct simt_plan *p, uint32_t b)
{
    const struct simt_block *bb = &p->k->blocks[b];
    struct simt_affine_compare pass;

    assert(p->guards[b].guarded == 0);
    if (bb->kind != SIMT_END_VARYING || bb->edge_count != 2 ||
        bb->condition == PTX_NO_REG || p->loops[b].has_full_copy)
        return;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t to = bb->edges[i].to;
        if (to == SIMT_NO_BLOCK || !is_lone(p->k, b, to) ||
            !plan_is_affine_exit(p->k, b, i, &pass))
            continue;
        p->guards[b] = (struct simt_guard_plan){to, pass};
        plan_note(p, (struct simt_note){.of = SIMT_OF_BLOCK,
                                        .at = to,
                                        .decision = SIMT_DECIDED_GUARD_COPY});
        return;
    }
}

void plan_guard_copies(struct simt_plan *p)
{
    if (!is_worth_it(p))
        return;
    for (uint32_t b = 0; b < p->k->block_count; b++)
        plan_guard(p, b);
}
