/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Privatised reductions, which may reach memory late. All blocks of a kernel
 * often add to one address and do nothing afterwards. On a GPU memory itself
 * adds; here each core would fetch the line from another one for every block.
 * So one call of the kernel, which runs many blocks, keeps the sum for the
 * last address, and adds it there when another address comes, or at its end.
 *
 * Nothing may be able to tell. So this is done only if no thread, behind such
 * an instruction, accesses global memory in another way or orders its accesses
 * by a fence, and in kernels that wait for nothing. "Relaxed" means that
 * others may see the operation late; operations of system scope, which the
 * host may watch, are not delayed.
 *
 * PTX ISA, "Memory Consistency Model": without a fence or a release, nothing
 * orders the operation before those of other blocks.
 *
 * One sum is kept for all lanes. At the end of a histogram, where every block
 * adds its counters to the grid's thread by thread, one is kept for each lane,
 * if one call runs whole blocks and the lanes' addresses are neighbours; for
 * integers only, as the order of floating-point sums would show, and adding
 * nothing could change a sign.
 */
#include "simt/plan/internal.h"

/* In one function. Each takes registers or memory, and code. */
enum { SUMS_MAX = 8, LANE_SUMS_MAX = 4 };

/* Could the instruction tell that `late` has not happened yet? A barrier
 * orders for its own block only. */
static bool notices_delay(const struct ptx_inst *in,
                          const struct ptx_inst *late)
{
    if (ptx_is_barrier(in))
        return in->scope == PTX_SCOPE_cluster;
    if (ptx_orders_memory(in))
        return true;
    if (!ptx_reads_memory(in) && !ptx_writes_memory(in))
        return false;
    bool is_same =
        in == late || (in->op == PTX_OP_red && in->sub == late->sub &&
                       in->type[0] == late->type[0]);
    return !ptx_is_private(in->space) && !is_same;
}

static bool is_noticed_in(const struct simt_kernel *k, uint32_t first,
                          uint32_t end, const struct ptx_inst *late)
{
    assert(first <= end);
    for (uint32_t i = first; i < end; i++)
        if (notices_delay(&k->func->insts[i], late))
            return true;
    return false;
}

/* Could anything tell, on any way from instruction i of block b? */
static bool is_noticed(const struct simt_kernel *k, uint32_t b, uint32_t i)
{
    const struct ptx_inst *late = &k->func->insts[i];
    bool *is_reached = arena_array(k->arena, bool, k->block_count);
    uint32_t *stack = arena_array(k->arena, uint32_t, k->block_count + 1);
    uint32_t count = 0;

    if (is_noticed_in(k, i + 1, k->blocks[b].end, late))
        return true;
    for (;;) {
        for (unsigned n = 0; n < k->blocks[b].edge_count; n++) {
            uint32_t to = k->blocks[b].edges[n].to;
            if (to == SIMT_NO_BLOCK || is_reached[to])
                continue;
            if (is_noticed_in(k, k->blocks[to].first, k->blocks[to].end, late))
                return true;
            is_reached[to] = true;
            stack[count++] = to;
        }
        if (count == 0)
            return false;
        b = stack[--count];
    }
}

/* red, or an atom whose result is not used. */
static bool has_no_result(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];

    assert(i < k->func->inst_count);
    return inst->op == PTX_OP_red ||
           (inst->op == PTX_OP_atom &&
            (k->inst_flags[i] & SIMT_DEAD ||
             inst->operand[0].kind != PTX_OPERAND_reg));
}

/* A sum for each lane: the lanes' addresses are neighbours. */
static bool is_by_lane(const struct simt_plan *p, uint32_t i)
{
    const struct ptx_inst *inst = &p->k->func->insts[i];
    struct simt_shape s = p->k->address[i];
    enum ptx_type type = inst->type[0];

    assert(ptx_is_atomic(&p->k->func->insts[i]));
    return p->is_in_step && inst->sub == PTX_SUB_add &&
           (type == PTX_TYPE_u32 || type == PTX_TYPE_s32 ||
            type == PTX_TYPE_u64) &&
           s.group == SIMT_ALL_LANES && !s.is_conditional &&
           s.stride == ptx_type_size(type);
}

static enum simt_reason why_not_privatised(const struct simt_kernel *k,
                                           uint32_t b, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];

    if (k->has_calls || simt_split_insts(k))
        return SIMT_REASON_CALLS;
    if (k->has_waits)
        return SIMT_REASON_WAITS;
    if (!ptx_is_relaxed(inst->sem) || inst->scope == PTX_SCOPE_sys)
        return SIMT_REASON_ORDERED;
    if (inst->vector > 1)
        return SIMT_REASON_VECTOR;
    return is_noticed(k, b, i) ? SIMT_REASON_NOTICED : SIMT_TAKEN;
}

void plan_privatised(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;
    unsigned sums = 0, lane_sums = 0;

    if (!k->func->is_entry || k->spec.lane_count == 1)
        return;
    plan_for_each_inst(k, b, i)
    {
        const struct ptx_inst *inst = &k->func->insts[i];
        if (!has_no_result(k, i) || !plan_is_associative(inst, false) ||
            inst->flags & PTX_FLAG_async ||
            ptx_space_of(ptx_address_of(inst), inst->space) != PTX_SPACE_global)
            continue;
        bool is_lane = is_by_lane(p, i) && lane_sums < LANE_SUMS_MAX;
        enum simt_reason why = why_not_privatised(k, b, i);
        if (why == SIMT_TAKEN && sums == SUMS_MAX)
            why = SIMT_REASON_MANY_SUMS;
        plan_note(
            p, (struct simt_note){.of = SIMT_OF_INST,
                                  .at = i,
                                  .decision = is_lane ? SIMT_DECIDED_LANE_SUMS
                                                      : SIMT_DECIDED_PRIVATISED,
                                  .reason = why});
        if (why != SIMT_TAKEN)
            continue;
        p->insts[i].privatised = is_lane ? SIMT_SUM_OF_LANE : SIMT_SUM_OF_CALL;
        lane_sums += is_lane;
        sums += !is_lane;
    }
}
