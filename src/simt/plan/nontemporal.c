/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Non-temporal stores. A launch that writes more than the last cache holds
 * leaves nothing of it there; an ordinary store would only read each line
 * before overwriting it. Copies of 64 MB take three quarters of the time, and
 * a block that waits for its lines does not any more.
 *
 * A kernel that reads memory in loops and stores results at the end is left
 * alone: it has few stores to a read.
 *
 * The launch compares the cache with the stores at neighbouring addresses that
 * do not overwrite what the kernel reads: those that a thread makes once, and
 * then, in loops that stride through memory, each iteration's as it comes. At
 * run time there has to be enough of them, with all lanes active and whole
 * lines.
 *
 * Such stores are weakly ordered: a fence has to come before whatever tells
 * other processors about them. Read-modify-writes are one.
 *
 * Intel 64 SDM, vol. 1, 10.4.6.2, "Caching of Temporal vs. Non-Temporal Data".
 */
#include "simt/plan/internal.h"

static bool is_far(const struct ptx_inst *inst)
{
    return (inst->space == PTX_SPACE_global ||
            inst->space == PTX_SPACE_generic) &&
           (inst->sem == PTX_SEM_none || inst->sem == PTX_SEM_weak);
}

static bool is_plain(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    const struct ptx_operand *to = &inst->operand[0];
    struct simt_shape s = k->address[i];

    return inst->op == PTX_OP_st && is_far(inst) &&
           !(inst->flags & (PTX_FLAG_async | PTX_FLAG_bulk)) &&
           to->reg != PTX_NO_REG && !simt_is_varying(s) &&
           s.stride == (int64_t)plan_bytes_of(inst) &&
           !simt_interleaved_var(k, to);
}

static bool is_once(const struct simt_kernel *k, uint32_t block)
{
    return k->blocks[block].loop_depth == 0;
}

/* In a loop that jumps far, to another place in each iteration. */
static bool is_striding(const struct simt_plan *p, uint32_t block, uint32_t i)
{
    const struct simt_kernel *k = p->k;
    uint32_t header = k->blocks[block].loop_header;
    uint32_t reg = k->func->insts[i].operand[0].reg;

    if (is_once(k, block) || k->has_waits || !p->loops[header].turn)
        return false;
    for (uint32_t b = header; b < k->block_count; b++)
        for (uint32_t j = k->blocks[b].first;
             k->blocks[b].loop_header == header && j < k->blocks[b].end; j++)
            if (ptx_defines(&k->func->insts[j], reg))
                return true;
    return false;
}

/* What the kernel reads. */
struct reads {
    bool *by;      /* by register: the address of a read is made from it */
    bool in_loops; /* the reads in loops are of global memory */
};

static struct reads find_reads(const struct simt_kernel *k)
{
    struct reads reads = {
        .by = arena_array(k->arena, bool, k->func->reg_count + 1)};

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *inst = &k->func->insts[i];
            if (inst->op != PTX_OP_ld)
                continue;
            const struct ptx_operand *from = &inst->operand[1];
            if (from->kind == PTX_OPERAND_address && from->reg != PTX_NO_REG)
                reads.by[from->reg] = true;
            reads.in_loops |= !is_once(k, b) && is_far(inst);
        }
    return reads;
}

/* Why the store goes through the caches; SIMT_TAKEN: it does not. */
static enum simt_reason why_temporal(const struct simt_plan *p,
                                     const struct reads *reads, uint32_t b,
                                     uint32_t i)
{
    const struct simt_kernel *k = p->k;

    assert(b < p->k->block_count);
    if (!p->machine->is_x86)
        return SIMT_REASON_NO_SUCH_STORE;
    if (k->has_calls || simt_split_insts(k))
        return SIMT_REASON_CALLS;
    if (reads->by[k->func->insts[i].operand[0].reg])
        return SIMT_REASON_READ_AGAIN;
    if (is_once(k, b))
        return reads->in_loops ? SIMT_REASON_FEW_STORES : SIMT_TAKEN;
    return is_striding(p, b, i) ? SIMT_TAKEN : SIMT_REASON_STORED_AGAIN;
}

void plan_nontemporal(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    if (!k->func->is_entry || k->spec.lane_count == 1)
        return;
    struct reads reads = find_reads(k);
    plan_for_each_inst(k, b, i)
    {
        if (!is_plain(k, i))
            continue;
        enum simt_reason why = why_temporal(p, &reads, b, i);
        plan_note(p, (struct simt_note){.of = SIMT_OF_INST,
                                        .at = i,
                                        .decision = SIMT_DECIDED_NONTEMPORAL,
                                        .reason = why});
        if (why != SIMT_TAKEN)
            continue;
        p->insts[i].is_nontemporal = p->has_nontemporal = true;
        if (is_once(k, b))
            p->stored_once_bytes += plan_bytes_of(&k->func->insts[i]);
    }
}
