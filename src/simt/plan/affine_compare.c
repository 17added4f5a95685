/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Affine comparisons: an affine integer against a uniform one, answered for
 * all lanes by the first and the last. Unless something wraps around, these
 * two are the extremes; the code tests whether they are in order, which shows
 * it as long as the lanes' numbers go around at most once. Used for the
 * condition by which lanes stay in the full copy of a loop, and for bounds
 * tests.
 */
#include "simt/plan/internal.h"

/* The last instruction before `end` that writes the register; NULL: none. */
static const struct ptx_inst *last_def(const struct ptx_func *f, uint32_t first,
                                       uint32_t end, uint32_t reg)
{
    assert(first <= end);
    while (end > first) {
        if (ptx_defines(&f->insts[--end], reg))
            return &f->insts[end];
    }
    return NULL;
}

/* For each comparison: its negation, and the comparison of b with a; 0: it is
 * no ordering. */
static const struct {
    enum ptx_cmp inverse, mirrored;
} related[] = {
    [PTX_CMP_lt] = {PTX_CMP_ge, PTX_CMP_gt},
    [PTX_CMP_le] = {PTX_CMP_gt, PTX_CMP_ge},
    [PTX_CMP_gt] = {PTX_CMP_le, PTX_CMP_lt},
    [PTX_CMP_ge] = {PTX_CMP_lt, PTX_CMP_le},
};

/* Times 1,024 threads of a block, this is half of what 32 bits count. `i % 3
 * == 0` becomes a comparison of i * 0xaaaaaaab, which is more. */
#define MOST_STRIDE (1 << 20)

static bool is_affine(const struct simt_kernel *k, const struct ptx_operand *o)
{
    if (o->kind != PTX_OPERAND_reg)
        return false;
    struct simt_shape s = k->shapes[o->reg];
    return !simt_is_varying(s) && s.stride != 0 && s.stride <= MOST_STRIDE &&
           s.stride >= -MOST_STRIDE;
}

/* Does the instruction answer such a comparison with p? */
static bool asks_affinely(const struct simt_kernel *k,
                          const struct ptx_inst *inst, uint32_t p,
                          struct simt_affine_compare *q)
{
    assert(p < k->func->reg_count);
    if (inst->op != PTX_OP_setp || inst->guard != PTX_NO_REG ||
        inst->sub != PTX_SUB_none || inst->operand[0].reg != p ||
        ptx_type_is_float(inst->type[0]) || ptx_type_size(inst->type[0]) < 4 ||
        inst->cmp >= ARRAY_COUNT(related) || !related[inst->cmp].inverse)
        return false;
    const struct ptx_operand *a = &inst->operand[ptx_dest_count(inst)];
    const struct ptx_operand *b = a + 1;
    *q = (struct simt_affine_compare){a, b, inst->type[0], inst->cmp};
    if (!is_affine(k, a))
        *q = (struct simt_affine_compare){b, a, inst->type[0],
                                          related[inst->cmp].mirrored};
    return is_affine(k, q->affine) && simt_is_uniform_operand(k, q->uniform);
}

/* Does p, as instructions [first, end) leave it, hold such a comparison? */
static bool find_question(const struct simt_kernel *k, uint32_t first,
                          uint32_t end, uint32_t p,
                          struct simt_affine_compare *q)
{
    const struct ptx_func *f = k->func;
    const struct ptx_inst *inst = last_def(f, first, end, p);

    if (!inst || !asks_affinely(k, inst, p, q))
        return false;
    uint32_t behind = (uint32_t)(inst - f->insts) + 1;
    return !last_def(f, behind, end, q->affine->reg) &&
           (q->uniform->kind == PTX_OPERAND_imm ||
            !last_def(f, behind, end, q->uniform->reg));
}

/* The comparison by whose answer lanes take the edge. */
static void turn_to_edge(const struct simt_block *bb, unsigned edge,
                         struct simt_affine_compare *q)
{
    assert(bb->edge_count == 2 && edge < 2);
    bool is_taken = edge == 0;
    if (is_taken == bb->condition_negated)
        q->cmp = related[q->cmp].inverse;
}

bool plan_is_affine_exit(const struct simt_kernel *k, uint32_t b, unsigned edge,
                         struct simt_affine_compare *out)
{
    const struct simt_block *bb = &k->blocks[b];
    uint32_t end = bb->end;

    if (end > bb->first && ptx_ends_block(&k->func->insts[end - 1]))
        end--;
    if (!find_question(k, bb->first, end, bb->condition, out))
        return false;
    turn_to_edge(bb, edge, out);
    return true;
}

bool plan_is_affine_exit_by(const struct simt_kernel *k, uint32_t b,
                            unsigned edge, const struct ptx_inst *test,
                            struct simt_affine_compare *out)
{
    const struct simt_block *bb = &k->blocks[b];

    if (!asks_affinely(k, test, bb->condition, out))
        return false;
    turn_to_edge(bb, edge, out);
    return true;
}

void plan_affine_compares(struct simt_plan *p)
{
    for (uint32_t b = 0; b < p->k->block_count; b++) {
        if (!p->loops[b].has_full_copy)
            continue;
        struct simt_affine_compare q;
        unsigned stays = p->k->blocks[b].edges[0].to == b ? 0 : 1;
        enum simt_reason why = plan_is_affine_exit(p->k, b, stays, &q)
                                   ? SIMT_TAKEN
                                   : SIMT_REASON_NO_AFFINE_TEST;
        if (why == SIMT_TAKEN)
            p->loops[b].stay = q;
        plan_note(p, (struct simt_note){.of = SIMT_OF_BLOCK,
                                        .at = b,
                                        .decision = SIMT_DECIDED_AFFINE_COMPARE,
                                        .reason = why});
    }
}
