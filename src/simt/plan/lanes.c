/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads one call runs: one, the 32 of a warp, or those of several
 * warps in step (warp coarsening). What is possible and what pays is told by
 * the analysis of the kernel with one warp; then it is done again for what was
 * chosen.
 */
#include "simt/plan/internal.h"

static bool is_count(unsigned warps)
{
    return warps == 1 || warps == 2 || warps == 4 || warps == 8;
}

static unsigned choose_warps(const struct simt_kernel *k, unsigned wanted,
                             struct simt_choice *choice)
{
    assert(k->spec.warp_count == 1);
    choice->why_warps = SIMT_REASON_BARRIERS_APART;
    if (!simt_can_coarsen(k))
        return 1;
    choice->why_warps = SIMT_TAKEN;
    if (is_count(wanted))
        return wanted;
    unsigned warps = simt_choose_coarsening(k);
    if (warps == 1)
        choice->why_warps =
            k->has_barrier ? SIMT_REASON_TOO_LARGE : SIMT_REASON_NO_BARRIER;
    /* Such loops wait for memory: more warps to a turn were not measured
     * faster. */
    return warps > 2 && simt_has_grid_stride_loops(k) ? 2 : warps;
}

/* Why one lane to a call runs the kernel right, or faster; SIMT_TAKEN: it does
 * not. */
static enum simt_reason why_scalar(const struct simt_kernel *k)
{
    if (k->lanes_may_wait)
        return SIMT_REASON_LANES_WAIT;
    return simt_compare_lanes(k) == SIMT_LANES_ONE ? SIMT_REASON_COSTS
                                                   : SIMT_TAKEN;
}

static struct simt_kernel *
build_chosen(struct arena *arena, const struct ptx_module *module,
             const struct ptx_func *func, const struct simt_spec *wanted,
             unsigned warps_wanted, struct simt_choice *choice,
             struct diag *diag)
{
    struct simt_spec spec = *wanted;

    assert(warps_wanted <= 8);
    *choice = (struct simt_choice){0};
    if (spec.lane_count == 0)
        spec.lane_count = SIMT_LANES;
    if (spec.warp_count == 0)
        spec.warp_count = 1;
    struct simt_spec first = spec;
    struct simt_kernel *k = simt_build(arena, module, func, &spec, diag);
    if (!k)
        return NULL;
    if (wanted->lane_count == 0)
        choice->why_scalar = why_scalar(k);
    choice->is_close = wanted->lane_count == 0 && plan_may_be_lockstep(k) &&
                       simt_compare_lanes(k) == SIMT_LANES_CLOSE;
    if (choice->why_scalar != SIMT_TAKEN)
        spec.lane_count = 1;
    else if (wanted->warp_count == 0)
        spec.warp_count = choose_warps(k, warps_wanted, choice);
    if (spec.lane_count != first.lane_count ||
        spec.warp_count != first.warp_count)
        k = simt_build(arena, module, func, &spec, diag);
    if (k && wanted->warp_count == 0 && spec.warp_count > 1 &&
        k->lanes_may_wait) {
        choice->why_warps = SIMT_REASON_WARPS_WAIT;
        spec.warp_count = 1;
        k = simt_build(arena, module, func, &spec, diag);
    }
    return k;
}

/* The plan for 32 threads in step, beside the one for one thread after the
 * other; NULL: there is none. */
static struct simt_plan *plan_in_lockstep(const struct simt_kernel *k,
                                          const struct simt_machine *machine)
{
    struct simt_choice choice = {.why_scalar = SIMT_REASON_COSTS};
    struct simt_spec spec = k->spec;
    struct diag ignored; /* it has been built for 32 before */

    spec.lane_count = 1;
    spec.warp_count = 1;
    diag_init(&ignored);
    struct simt_kernel *one =
        simt_build(k->arena, k->module, k->func, &spec, &ignored);
    diag_fini(&ignored);
    struct simt_plan *p = one ? simt_make_plan(one, machine, choice) : NULL;
    return p && p->lockstep ? p : NULL;
}

struct simt_plan *
simt_plan_chosen(struct arena *arena, const struct ptx_module *module,
                 const struct ptx_func *func, const struct simt_spec *wanted,
                 unsigned warps_wanted, const struct simt_machine *machine,
                 struct diag *diag)
{
    struct simt_choice choice;
    struct simt_plan *p = NULL;
    struct simt_kernel *k =
        build_chosen(arena, module, func, wanted, warps_wanted, &choice, diag);

    if (!k)
        return NULL;
    if (choice.is_close)
        p = plan_in_lockstep(k, machine);
    return p ? p : simt_make_plan(k, machine, choice);
}

static void note_lanes(struct simt_plan *p, enum simt_decision d,
                       enum simt_reason why, int64_t number)
{
    plan_note(p, (struct simt_note){.of = SIMT_OF_KERNEL,
                                    .decision = d,
                                    .reason = why,
                                    .number = number});
}

void plan_lanes(struct simt_plan *p)
{
    const struct simt_spec *spec = &p->k->spec;

    if (spec->lane_count == 1)
        note_lanes(p, SIMT_DECIDED_VECTORS,
                   p->choice.why_scalar ? p->choice.why_scalar
                                        : SIMT_REASON_SCALAR,
                   1);
    else if (p->choice.why_warps != SIMT_TAKEN)
        note_lanes(p, SIMT_DECIDED_COARSENING, p->choice.why_warps, 1);
    else
        note_lanes(p, SIMT_DECIDED_COARSENING, SIMT_TAKEN, spec->warp_count);
}
