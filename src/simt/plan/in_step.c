/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks that one call runs as a whole: all their threads are at the same
 * place. Barriers cost nothing, and registers can replace shared memory.
 */
#include "simt/plan/internal.h"

/* A block of one warp has to be tested; for several warps to a call, that has
 * been done. */
static bool is_in_step(const struct simt_kernel *k)
{
    const uint32_t *n = k->spec.block;
    uint64_t threads = (uint64_t)n[0] * n[1] * n[2];

    if (threads > simt_coarse_lanes(&k->spec))
        return false;
    return k->spec.warp_count > 1 ||
           (threads > 0 && k->has_barrier && !k->has_waits &&
            !k->spec.is_cluster && simt_can_coarsen(k));
}

void plan_in_step(struct simt_plan *p)
{
    p->is_in_step = is_in_step(p->k);
    if (p->is_in_step)
        plan_note(p, (struct simt_note){SIMT_OF_KERNEL,
                                        .decision = SIMT_DECIDED_IN_STEP});
}
