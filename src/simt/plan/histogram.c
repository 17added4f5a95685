/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Privatised histograms: counters in shared memory that many lanes increment.
 * Increments are done one after the other, and if two hit one counter, the
 * second waits for the first. So a loop that does nothing else to shared
 * memory counts in copies of the table, a lane in the copy of its number, and
 * adds them up when it is left.
 *
 * Nothing can tell: a block's shared memory belongs to one thread, which runs
 * only this loop meanwhile; no instruction in the loop reads shared memory,
 * uses an addition's old value, or orders memory. Which table it is, is a
 * guess that only costs time if it is wrong: lanes with other addresses take
 * the usual way.
 *
 * Copies are made after some iterations, so that a short loop does without.
 */
#include "simt/plan/internal.h"

enum {
    COPIES_MAX = 4,
    COPIES_MIN = 2,
    /* of all copies together: they share a cache with other data */
    COPIES_BYTES = 8192,
    LANES_BEFORE = 512, /* additions before copies are made */
};

/* Is the access certainly not to shared memory? */
static bool is_elsewhere(const struct ptx_inst *in)
{
    const struct ptx_operand *o = ptx_address_of(in);
    enum ptx_space space = o ? ptx_space_of(o, in->space) : PTX_SPACE_generic;

    return space == PTX_SPACE_global || space == PTX_SPACE_local ||
           space == PTX_SPACE_param || space == PTX_SPACE_const;
}

/* An addition to shared memory whose old value is not used. */
static bool is_counting(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *in = &k->func->insts[i];
    bool is_red = in->op == PTX_OP_red;

    assert(i < k->func->inst_count);
    return (is_red ||
            (in->op == PTX_OP_atom && k->inst_flags[i] & SIMT_DEAD)) &&
           in->space == PTX_SPACE_shared && in->sub == PTX_SUB_add &&
           in->vector <= 1 && !(in->flags & PTX_FLAG_async) &&
           (in->type[0] == PTX_TYPE_u32 || in->type[0] == PTX_TYPE_s32) &&
           in->operand[!is_red].kind != PTX_OPERAND_none;
}

/* Would the instruction see, or order, accesses to shared memory? */
static bool notices_counts(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *in = &k->func->insts[i];

    if (ptx_only_computes(in) || ptx_facts[in->op].flow == PTX_FLOW_JUMPS)
        return false;
    return ptx_orders_memory(in) || !(is_counting(k, i) || is_elsewhere(in));
}

/* The variable that an address is computed from, if it is easily found; NULL:
 * unknown. Follows at most *tries registers. */
static const struct ptx_var *var_behind(const struct ptx_func *func,
                                        const struct ptx_operand *o,
                                        unsigned depth, unsigned *tries)
{
    assert(tries);
    if (o->var)
        return o->var->space == PTX_SPACE_shared ? o->var : NULL;
    if (o->reg == PTX_NO_REG || depth == 0 || *tries == 0)
        return NULL;
    --*tries;
    for (size_t i = 0; i < func->inst_count; i++) {
        const struct ptx_inst *in = &func->insts[i];
        if ((in->op != PTX_OP_mov && in->op != PTX_OP_add &&
             in->op != PTX_OP_mad && in->op != PTX_OP_cvta) ||
            in->operand[0].kind != PTX_OPERAND_reg ||
            in->operand[0].reg != o->reg)
            continue;
        for (unsigned j = 1; j < in->operand_count; j++) {
            const struct ptx_var *var =
                var_behind(func, &in->operand[j], depth - 1, tries);
            if (var)
                return var;
        }
    }
    return NULL;
}

/* The table that all additions of the loop seem to be in; NULL, with the
 * reason. */
static const struct ptx_var *table_of(const struct simt_kernel *k,
                                      uint32_t first, uint32_t end,
                                      enum simt_reason *why)
{
    const struct ptx_var *table = NULL;

    assert(first <= end);
    *why = SIMT_REASON_SHARED_SEEN;
    for (uint32_t i = first; i < end; i++) {
        if (notices_counts(k, i))
            return NULL;
        if (!is_counting(k, i))
            continue;
        const struct ptx_inst *in = &k->func->insts[i];
        unsigned tries = 64;
        const struct ptx_var *var =
            var_behind(k->func, &in->operand[in->op == PTX_OP_atom], 4, &tries);
        *why = SIMT_REASON_NO_TABLE;
        if (!var || (table && table != var))
            return NULL;
        *why = SIMT_REASON_SHARED_SEEN;
        table = var;
    }
    return table;
}

/* Does the loop count anything in shared memory? */
static bool counts_in_loop(const struct simt_kernel *k, uint32_t first,
                           uint32_t end)
{
    assert(first <= end);
    for (uint32_t i = first; i < end; i++)
        if (is_counting(k, i))
            return true;
    return false;
}

static enum simt_reason find_table(const struct simt_plan *p, uint32_t b,
                                   struct simt_histogram *h)
{
    const struct simt_kernel *k = p->k;
    uint32_t end = k->blocks[b].end;
    enum simt_reason why;

    if (simt_split_insts(k) || k->spec.is_cluster)
        return SIMT_REASON_CALLS;
    if (k->has_waits)
        return SIMT_REASON_WAITS;
    if (ptx_ends_block(&k->func->insts[end - 1]))
        end--;
    const struct ptx_var *var = table_of(k, k->blocks[b].first, end, &why);
    if (!var)
        return why;
    uint64_t pitch = (var->size_bytes + SIMT_CHUNK_BYTES - 1) /
                     SIMT_CHUNK_BYTES * SIMT_CHUNK_BYTES;
    if (pitch == 0 || pitch * COPIES_MIN > COPIES_BYTES ||
        var->size_bytes % 4 != 0)
        return SIMT_REASON_TABLE_SIZE;
    *h = (struct simt_histogram){.table = var,
                                 .pitch = (uint32_t)pitch,
                                 .copies = COPIES_MAX,
                                 .before = LANES_BEFORE /
                                           simt_coarse_lanes(&k->spec)};
    while (h->copies * pitch > COPIES_BYTES)
        h->copies /= 2;
    return SIMT_TAKEN;
}

void plan_histograms(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    if (!k->func->is_entry || k->spec.lane_count == 1)
        return;
    for (uint32_t b = 0; b < k->block_count; b++) {
        struct simt_histogram *h = &p->loops[b].histogram;
        if (!p->loops[b].has_full_copy ||
            !counts_in_loop(k, k->blocks[b].first, k->blocks[b].end))
            continue;
        enum simt_reason why = find_table(p, b, h);
        plan_note(p, (struct simt_note){.of = SIMT_OF_BLOCK,
                                        .at = b,
                                        .decision = SIMT_DECIDED_HISTOGRAM,
                                        .reason = why,
                                        .number = h->copies});
        for (uint32_t i = k->blocks[b].first;
             why == SIMT_TAKEN && i < k->blocks[b].end; i++)
            p->insts[i].is_counting = is_counting(k, i);
    }
}
