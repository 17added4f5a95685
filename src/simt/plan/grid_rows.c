/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks row by row: of blocks that are several rows of at most a warp, one
 * call runs the first warps of all blocks that lie side by side in the grid,
 * then their second warps, and so on (loop interchange of blocks and warps).
 * Memory is then walked in rows as long as the grid's, which the processor
 * prefetches; from block to block it would see pieces of a few lines, each a
 * row apart.
 *
 * Good for kernels that go over memory once: without loops, each access at
 * neighbouring addresses, each texture along a row. Where threads of a block
 * meet or share memory it cannot be done.
 *
 * A copy of 2048 x 2048 floats by blocks of 32 x 8: half of the time.
 */
#include "simt/plan/internal.h"

#include "ptx/texture_form.h"

enum { ELEMENT_BYTES_MAX = 16 };

/* True: the block has several warps, each of one row or of several whole
 * rows. */
static bool has_rows(const uint32_t block[3])
{
    uint64_t rows = (uint64_t)block[1] * block[2];

    return block[0] >= 8 && block[0] <= SIMT_LANES &&
           SIMT_LANES % block[0] == 0 && rows * block[0] > SIMT_LANES;
}

enum { DEPTH_MAX = 6 };

/* Is the operand affine, with all lanes at equal distances? */
static bool is_along(const struct simt_kernel *k, const struct ptx_operand *o,
                     unsigned depth)
{
    if (o->kind != PTX_OPERAND_reg || depth > DEPTH_MAX)
        return false;
    struct simt_shape s = k->shapes[o->reg];
    if (!simt_is_varying(s))
        return s.stride > 0 && s.stride <= ELEMENT_BYTES_MAX;
    const struct ptx_inst *inst = ptx_only_def(k->func, o->reg);
    if (!inst || !ptx_only_computes(inst) || ptx_dest_count(inst) != 1)
        return false;
    unsigned along = 0;
    for (unsigned i = 1; i < inst->operand_count; i++)
        if (!simt_is_uniform_operand(k, &inst->operand[i])) {
            if (!is_along(k, &inst->operand[i], depth + 1))
                return false;
            along++;
        }
    return along == 1;
}

/* True: the first coordinate is affine, and the others are the same in all
 * lanes. */
static bool is_texture_row(const struct simt_kernel *k,
                           const struct ptx_inst *inst)
{
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    struct texture_form form;

    if (!where)
        where = &inst->operand[inst->op != PTX_OP_sust];
    if (!ptx_texture_form(inst, &form) || form.is_cube || where->item_count < 1)
        return false;
    const struct ptx_operand *at = &where->items[where->item_count - 1];
    bool is_vector = at->kind == PTX_OPERAND_vector;
    unsigned count = is_vector ? at->item_count : 1;
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *o = is_vector ? &at->items[i] : at;
        if (i == form.has_index ? !is_along(k, o, 0)
                                : !simt_is_uniform_operand(k, o))
            return false;
    }
    return true;
}

static bool names_shared(const struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operand[i].var &&
            ptx_is_shared_space(inst->operand[i].var->space))
            return true;
    return ptx_is_shared_space(inst->space);
}

static bool is_texture(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_tex || inst->op == PTX_OP_suld ||
           inst->op == PTX_OP_sust;
}

static enum simt_reason why_not_inst(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    struct simt_shape s = k->address[i];

    if (names_shared(inst) || ptx_orders_memory(inst) ||
        ptx_facts[inst->op].lanes == PTX_LANES_BLOCK)
        return SIMT_REASON_BLOCK_SHARES;
    if (is_texture(inst))
        return is_texture_row(k, inst) ? SIMT_TAKEN
                                       : SIMT_REASON_ADDRESS_VARIES;
    if ((!ptx_reads_memory(inst) && !ptx_writes_memory(inst)) ||
        ptx_is_private(inst->space) || inst->space == PTX_SPACE_const)
        return SIMT_TAKEN;
    if (inst->op != PTX_OP_ld && inst->op != PTX_OP_ldu &&
        inst->op != PTX_OP_st)
        return SIMT_REASON_BLOCK_SHARES;
    if (simt_is_varying(s))
        return SIMT_REASON_ADDRESS_VARIES;
    return s.stride < 0 || s.stride > ELEMENT_BYTES_MAX ? SIMT_REASON_FAR_APART
                                                        : SIMT_TAKEN;
}

static enum simt_reason why_not(const struct simt_kernel *k)
{
    enum simt_reason why = SIMT_TAKEN;

    if (k->has_calls || simt_split_insts(k))
        return SIMT_REASON_CALLS;
    if (k->has_barrier || k->has_waits || k->spec.is_cluster)
        return SIMT_REASON_BLOCK_SHARES;
    plan_for_each_inst(k, b, i)
    {
        if (k->blocks[b].loop_depth > 0)
            return SIMT_REASON_IN_LOOP;
        if (why == SIMT_TAKEN)
            why = why_not_inst(k, i);
    }
    return why;
}

void plan_grid_rows(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    if (!k->func->is_entry || k->spec.lane_count == 1 || p->is_in_step ||
        k->spec.warp_count > 1 || !has_rows(k->spec.block))
        return;
    enum simt_reason why = why_not(k);
    plan_note(p, (struct simt_note){.of = SIMT_OF_KERNEL,
                                    .decision = SIMT_DECIDED_GRID_ROWS,
                                    .reason = why});
    p->goes_by_rows = why == SIMT_TAKEN;
}
