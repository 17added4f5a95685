/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops in which every iteration jumps far through memory: a warp reads a
 * little, then the same little much further on. On a GPU all warps do so at
 * once and together read everything in order. Here one warp after the other
 * would touch every page again; so the warps of a block run such a loop in
 * step, on fibers, a few iterations each in turn.
 *
 * A loop counts when it is innermost, has no barrier, reaches global memory
 * at neighbouring addresses, and adds a big or unknown but uniform amount to
 * a number that differs between lanes.
 */
#include "simt/plan/internal.h"

enum {
    /* Places of memory that a warp accesses before the next warp's turn. They
     * may share a set of a cache with those of the next turn, which are
     * prefetched meanwhile. On a Xeon whose second-level cache has 16 ways, 8
     * places take all, and on 16 cores its time doubles. */
    TURN_PLACES = 4,
    FAR_ELEMENTS = 512,
    FAR_BYTES = 2048,
    NEAR_BYTES = 8, /* between lanes: some of each line goes unused */
};

struct loop {
    const struct simt_kernel *k;
    uint32_t header;
};

static bool is_inside(const struct loop *l, uint32_t block)
{
    assert(block < l->k->block_count);
    return l->k->blocks[block].loop_header == l->header;
}

bool plan_is_neighbouring(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    struct simt_shape s = k->speculative_address[i];
    bool is_access = inst->op == PTX_OP_ld || inst->op == PTX_OP_st;
    bool is_far_space =
        inst->space == PTX_SPACE_global || inst->space == PTX_SPACE_generic;
    unsigned vector = inst->vector > 1 ? inst->vector : 1;

    assert(i < k->func->inst_count);
    if (!is_access || !is_far_space || simt_is_varying(s) ||
        simt_interleaved_var(k, &inst->operand[inst->op == PTX_OP_ld ? 1 : 0]))
        return false;
    int64_t bytes = (int64_t)ptx_type_size(inst->type[0]) * vector;
    return s.stride >= bytes && (s.stride == bytes || s.stride <= NEAR_BYTES);
}

/* The operand of a sum that moves it on: uniform, with the other one affine in
 * the lane. NULL: it is no such sum. */
static const struct ptx_operand *step_of_sum(const struct simt_kernel *k,
                                             const struct ptx_inst *inst,
                                             uint32_t *from)
{
    const struct ptx_operand *o = inst->operand;

    if (inst->op != PTX_OP_add || ptx_type_is_float(inst->type[0]) ||
        o[0].kind != PTX_OPERAND_reg)
        return NULL;
    struct simt_shape s = k->speculative[o[0].reg];
    if (simt_is_varying(s) || s.stride == 0)
        return NULL;
    for (unsigned j = 1; j <= 2; j++) {
        const struct ptx_operand *moved = &o[j], *step = &o[3 - j];
        bool is_step = step->kind == PTX_OPERAND_imm ||
                       (step->kind == PTX_OPERAND_reg &&
                        simt_is_uniform(k->shapes[step->reg]));
        if (moved->kind != PTX_OPERAND_reg || !is_step)
            continue;
        *from = moved->reg;
        return step;
    }
    return NULL;
}

/* The sum in the loop that defines a register; NULL: none does. */
static const struct ptx_inst *sum_of(const struct loop *l, uint32_t reg)
{
    for (uint32_t b = 0; b < l->k->block_count; b++)
        for (uint32_t i = l->k->blocks[b].first;
             is_inside(l, b) && i < l->k->blocks[b].end; i++) {
            const struct ptx_inst *inst = &l->k->func->insts[i];
            if (inst->op == PTX_OP_add &&
                inst->operand[0].kind == PTX_OPERAND_reg &&
                inst->operand[0].reg == reg)
                return inst;
        }
    return NULL;
}

/* Is it r = r + far, or the same in several sums of an unrolled loop? */
static bool moves_far(const struct loop *l, uint32_t i)
{
    enum { SUMS_MAX = 16 };
    const struct simt_kernel *k = l->k;
    const struct ptx_inst *inst = &k->func->insts[i];
    uint32_t from = PTX_NO_REG;
    bool is_far = false;

    for (unsigned n = 0; inst && n < SUMS_MAX; n++) {
        const struct ptx_operand *step = step_of_sum(k, inst, &from);
        if (!step)
            return false;
        struct simt_shape s = k->speculative[inst->operand[0].reg];
        int64_t far = s.stride == 1 ? FAR_ELEMENTS : FAR_BYTES;
        is_far |= step->kind == PTX_OPERAND_reg || step->imm >= far ||
                  step->imm <= -far;
        if (from == k->func->insts[i].operand[0].reg)
            return is_far;
        inst = sum_of(l, from);
    }
    return false;
}

static bool is_obstacle(const struct ptx_inst *inst)
{
    return ptx_is_barrier(inst) || ptx_facts[inst->op].flow == PTX_FLOW_CALLS;
}

/* Atomics are done lane by lane: so much work that turns do not pay, and that
 * the processor does not see the next iteration's loads in time. */
static bool is_heavy(const struct loop *l)
{
    const struct simt_kernel *k = l->k;

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first;
             is_inside(l, b) && i < k->blocks[b].end; i++)
            if (ptx_is_atomic(&k->func->insts[i]) &&
                !simt_is_uniform(k->address[i]))
                return true;
    return false;
}

static bool is_striding(const struct simt_kernel *k, uint32_t header)
{
    struct loop l = {k, header};
    bool is_near = false, is_far = false;

    if (k->blocks[header].loop_header != header)
        return false;
    for (uint32_t b = 0; b < k->block_count; b++) {
        if (!is_inside(&l, b)) {
            if (b > header &&
                k->blocks[b].loop_depth > k->blocks[header].loop_depth &&
                k->blocks[b].idom >= header && is_inside(&l, b - 1))
                return false; /* not innermost */
            continue;
        }
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            if (is_obstacle(&k->func->insts[i]))
                return false;
            is_near |= plan_is_neighbouring(k, i);
            is_far |= moves_far(&l, i);
        }
    }
    return is_near && is_far;
}

/* Iterations before the next warp's turn. */
static unsigned turn_of(const struct loop *l)
{
    const struct simt_kernel *k = l->k;
    unsigned places = 0;

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first;
             is_inside(l, b) && i < k->blocks[b].end; i++)
            places += plan_is_neighbouring(k, i);
    return places < TURN_PLACES ? TURN_PLACES / places : 1;
}

static bool has_barrier_inside(const struct loop *l)
{
    const struct simt_kernel *k = l->k;

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first;
             is_inside(l, b) && i < k->blocks[b].end; i++)
            if (ptx_is_barrier(&k->func->insts[i]))
                return true;
    return false;
}

bool simt_has_grid_stride_loops(const struct simt_kernel *k)
{
    for (uint32_t b = 0; b < k->block_count; b++)
        if (is_striding(k, b) && !is_heavy(&(struct loop){k, b}))
            return true;
    return false;
}

void plan_grid_stride(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    for (uint32_t b = 0; k->func->is_entry && b < k->block_count; b++) {
        struct loop l = {k, b};
        struct simt_loop_plan *plan = &p->loops[b];
        if (k->blocks[b].loop_header != b)
            continue;
        plan->has_barrier = has_barrier_inside(&l);
        plan->is_heavy = is_heavy(&l);
        plan->jumps = is_striding(k, b);
        if (!plan->jumps)
            continue;
        plan->turn = plan->is_heavy ? 0 : turn_of(&l);
        p->takes_turns |= plan->turn != 0;
        plan_note(p, (struct simt_note){
                         SIMT_OF_BLOCK, b, SIMT_DECIDED_GRID_STRIDE,
                         plan->is_heavy ? SIMT_REASON_HEAVY : SIMT_TAKEN,
                         plan->turn});
    }
}
