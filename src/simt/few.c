/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of few threads. A vector of 32 lanes of which four are alive costs as
 * much as one with all: a gather looks at each lane, a group of lanes with an
 * address of its own is loaded whether a lane of it lives or not. Where the
 * innermost loops have much of that, one thread after the other is faster.
 *
 * Costs are counted in scalar instructions and only have to be right within a
 * factor: a kernel that is compiled one way or the other gives the same
 * result.
 */
#include "simt/internal.h"

enum {
    FEW_MAX = 16,
    VECTOR_BYTES = 64,
    GROUP = 3,       /* address, load and putting it into the vector */
    ENTRY = 32,      /* masks of what is not there */
    BRANCH = 12,     /* lanes part: masks, both sides run, loops until the last
                        lane leaves */
    LOOP_FACTOR = 8, /* what a loop's inside counts more than its outside */
    DEPTH_MAX = 4,
};

struct costs {
    uint64_t vector, scalar;
};

static uint64_t weight(const struct simt_block *bb)
{
    uint64_t w = 1;

    for (unsigned d = 0; d < bb->loop_depth && d < DEPTH_MAX; d++)
        w *= LOOP_FACTOR;
    return w;
}

/* Lanes that are looked at one by one, the living and the others. What has been
 * scattered into an array of the thread's own is gathered again soon, and has
 * to reach the cache before. */
static unsigned access_cost(const struct simt_kernel *k, uint32_t i)
{
    struct simt_shape s = k->address[i];

    if (simt_is_varying(s))
        return k->func->insts[i].space == PTX_SPACE_local ? 2 * SIMT_LANES
                                                          : SIMT_LANES;
    return s.group < SIMT_LANES ? SIMT_LANES / s.group * GROUP : 1;
}

static unsigned value_cost(const struct simt_kernel *k,
                           const struct ptx_inst *in)
{
    const struct ptx_operand *d = &in->operand[0];

    if (d->kind != PTX_OPERAND_reg || simt_is_uniform(k->shapes[d->reg]))
        return 1;
    unsigned bytes = ptx_type_size(k->func->regs[d->reg].type);
    unsigned vectors = bytes * SIMT_LANES / VECTOR_BYTES;
    return vectors ? vectors : 1;
}

static void add_inst(const struct simt_kernel *k, uint32_t i, uint64_t times,
                     struct costs *c)
{
    const struct ptx_inst *in = &k->func->insts[i];
    unsigned count = 1;

    if (k->inst_flags[i] & SIMT_DEAD)
        return;
    if (simt_memory_operand(in)) {
        const struct ptx_operand *v = &in->operand[in->op == PTX_OP_st];
        if (v->kind == PTX_OPERAND_vector)
            count = v->item_count;
        c->vector += times * count * access_cost(k, i);
    } else {
        c->vector += times * value_cost(k, in);
    }
    c->scalar += times * count;
}

bool simt_prefers_one_lane(const struct simt_kernel *k)
{
    const uint32_t *n = k->spec.block;
    uint64_t threads = (uint64_t)n[0] * n[1] * n[2];
    struct costs c = {.vector = ENTRY};

    /* A single thread's registers are uniform: scalar code already. Meetings
     * of threads cost more than vectors. */
    if (!k->func->is_entry || threads < 2 || threads > FEW_MAX ||
        k->spec.is_cluster || k->has_barrier || k->has_warp_ops ||
        k->has_waits || k->has_calls)
        return false;
    for (uint32_t b = 0; b < k->block_count; b++) {
        const struct simt_block *bb = &k->blocks[b];
        uint64_t times = weight(bb);
        for (uint32_t i = bb->first; i < bb->end; i++)
            add_inst(k, i, times, &c);
        if (bb->kind == SIMT_END_VARYING || bb->kind == SIMT_END_SWITCH_VARYING)
            c.vector += times * BRANCH;
    }
    return c.scalar * threads < c.vector;
}
