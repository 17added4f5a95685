/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops of one block that lanes leave one by one. Most iterations have all
 * lanes: these run in a copy of the loop without masks.
 */
#include "simt/plan/internal.h"

enum { COPY_INSTS = 64 };

static bool is_lone_loop(const struct simt_kernel *k, uint32_t b)
{
    const struct simt_block *bb = &k->blocks[b];

    return bb->kind == SIMT_END_VARYING && bb->edge_count == 2 &&
           bb->condition != PTX_NO_REG && bb->has_mask_variable &&
           (bb->edges[0].to == b) != (bb->edges[1].to == b) &&
           bb->end - bb->first <= COPY_INSTS;
}

void plan_full_copies(struct simt_plan *p)
{
    for (uint32_t b = 0; b < p->k->block_count; b++) {
        p->loops[b].has_full_copy = is_lone_loop(p->k, b);
        if (p->loops[b].has_full_copy)
            plan_note(p,
                      (struct simt_note){.of = SIMT_OF_BLOCK,
                                         .at = b,
                                         .decision = SIMT_DECIDED_FULL_COPY});
    }
}
