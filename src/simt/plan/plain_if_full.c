/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector accesses whose masks are slow. AVX2 has masks for words only, and
 * AMD's CPUs take 12 cycles to store eight words under one; other sizes are
 * accessed lane by lane. A test whether all lanes are active costs less, and
 * mostly succeeds.
 */
#include "simt/plan/internal.h"

static bool is_vector(const struct simt_access_plan *a)
{
    return a->way == SIMT_WAY_VECTOR || a->speculative_way == SIMT_WAY_VECTOR;
}

static bool has_slow_mask(const struct simt_plan *p, uint32_t i)
{
    const struct simt_access *a = &p->insts[i].access.access;
    bool is_store = p->code[i]->op == PTX_OP_st;

    assert(a->size >= 1);
    return !a->is_own && !a->is_volatile && a->shape.stride != 0 &&
           (is_store || a->size < 4 || !p->machine->has_avx2);
}

/* A block with a copy for all lanes is itself entered with some lanes
 * missing. */
static bool is_guarded(const struct simt_plan *p, uint32_t b)
{
    const struct simt_block *bb = &p->k->blocks[b];

    return bb->pred_count == 1 && p->guards[bb->preds[0]].guarded == b;
}

void plan_plain_if_full(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    if (!p->machine->is_x86 || p->machine->has_avx512 ||
        k->spec.lane_count == 1)
        return;
    plan_for_each_inst(k, b, i)
    {
        struct simt_access_plan *a = &p->insts[i].access;
        if (!p->code[i] || !is_vector(a) || !has_slow_mask(p, i) ||
            is_guarded(p, b) || (k->blocks[b].is_full && k->is_full))
            continue;
        a->is_plain_if_full = true;
        plan_take(p, i, SIMT_DECIDED_PLAIN_IF_FULL);
    }
}
