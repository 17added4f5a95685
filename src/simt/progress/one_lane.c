/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks to which at most one lane of the warp goes, as a comparison or
 * elect.sync tells: where one thread of the block does something for all.
 *
 * Needs: shapes, dominators. Leaves nothing: it answers questions.
 */
#include "simt/progress/progress.h"

/* A number that no two lanes of the warp, or coarse warp, share. */
static bool differs_in_all_lanes(const struct simt_kernel *k,
                                 const struct ptx_operand *o)
{
    struct simt_shape shape = {0};

    if (o->kind == PTX_OPERAND_reg)
        shape = k->shapes[o->reg];
    else if (o->kind == PTX_OPERAND_sreg)
        shape = simt_sreg_value(&k->spec, o->sreg).shape;
    return shape.group == SIMT_ALL_LANES && !shape.is_conditional &&
           shape.stride != 0 && shape.stride < 1 << 26 &&
           shape.stride > -(1 << 26);
}

/* What is 0 wherever an or of it with other values is. */
struct zeros {
    uint32_t tids;             /* bits 0 to 2: %tid.x, .y, .z */
    bool differs_in_all_lanes; /* one of the values does */
};

static_assert(PTX_SREG_tid_x == 0 && PTX_SREG_tid_z == 2,
              "%tid is the first row of sregs.def");

static void add_zero(const struct simt_kernel *k, const struct ptx_operand *o,
                     unsigned depth, struct zeros *zeros)
{
    const struct ptx_inst *def = NULL;

    zeros->differs_in_all_lanes |= differs_in_all_lanes(k, o);
    if (o->kind == PTX_OPERAND_sreg && o->sreg <= PTX_SREG_tid_z)
        zeros->tids |= 1u << o->sreg;
    if (o->kind == PTX_OPERAND_reg)
        def = ptx_only_def(k->func, o->reg);
    if (!def || def->guard != PTX_NO_REG || depth == 4)
        return;
    if (def->op == PTX_OP_mov || def->op == PTX_OP_or)
        add_zero(k, &def->operand[1], depth + 1, zeros);
    if (def->op == PTX_OP_or)
        add_zero(k, &def->operand[2], depth + 1, zeros);
}

/* Is the value 0 in at most one lane: threadIdx.x | threadIdx.y in a block of
 * 16 x 16 threads? */
static bool is_zero_in_one_lane(const struct simt_kernel *k,
                                const struct ptx_operand *o)
{
    struct zeros zeros = {0};

    add_zero(k, o, 0, &zeros);
    if (zeros.differs_in_all_lanes)
        return true;
    for (unsigned i = 0; i < 3; i++)
        if (k->spec.block[i] != 1 && !(zeros.tids >> i & 1))
            return false;
    return true;
}

/* Are the numbers equal in at most one lane? */
static bool are_equal_in_one_lane(const struct simt_kernel *k,
                                  const struct ptx_operand *a,
                                  const struct ptx_operand *b)
{
    return (differs_in_all_lanes(k, a) && simt_is_uniform_operand(k, b)) ||
           (simt_is_imm(b, 0) && is_zero_in_one_lane(k, a));
}

/* The successor of `block` to which at most one lane of the warp or coarse
 * warp goes; SIMT_NO_BLOCK: there is none. */
static uint32_t way_of_one_lane(const struct simt_kernel *k, uint32_t block)
{
    const struct simt_block *bb = &k->blocks[block];

    assert(block < k->block_count);
    if (bb->edge_count != 2 || bb->condition == PTX_NO_REG)
        return SIMT_NO_BLOCK;
    const struct ptx_inst *def = ptx_only_def(k->func, bb->condition);
    if (!def || def->guard != PTX_NO_REG)
        return SIMT_NO_BLOCK;
    bool is_one_if_true;
    if (def->op == PTX_OP_elect && k->spec.warp_count <= 1) {
        is_one_if_true = true;
    } else if (def->op == PTX_OP_setp && def->sub == PTX_SUB_none &&
               (def->cmp == PTX_CMP_eq || def->cmp == PTX_CMP_ne) &&
               def->operand[1].kind != PTX_OPERAND_reg) {
        /* setp p|q: q is the opposite */
        const struct ptx_operand *a = &def->operand[2], *b = &def->operand[3];
        if (!are_equal_in_one_lane(k, a, b) && !are_equal_in_one_lane(k, b, a))
            return SIMT_NO_BLOCK;
        is_one_if_true = def->cmp == PTX_CMP_eq;
    } else {
        return SIMT_NO_BLOCK;
    }
    bool is_taken_if_true = !bb->condition_negated;
    return bb->edges[is_one_if_true == is_taken_if_true ? 0 : 1].to;
}

uint32_t simt_one_lane_from(const struct simt_kernel *k, uint32_t block)
{
    uint32_t b = block;

    assert(block < k->block_count);
    while (b < k->block_count && b != 0) {
        uint32_t above = k->blocks[b].idom;
        if (above >= k->block_count || above == b)
            break;
        uint32_t to = way_of_one_lane(k, above);
        if (to < k->block_count && simt_is_only_way(k, above, to) &&
            simt_dominates(k, to, block))
            return to;
        b = above;
    }
    return SIMT_NO_BLOCK;
}
