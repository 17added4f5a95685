/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Basic blocks and edges of a PTX body. A block ends at a branch, a return, a
 * trap, or before a label; in long kernels also when it is long itself. A
 * guarded ret or exit is a branch to the function's end; a guarded trap is an
 * ordinary instruction. A call in which threads may exit ends a block as well:
 * those that did go to the function's end.
 */
#include "simt/internal.h"

#include <limits.h>

/* Parts have no alloca: their stack is gone when they return. */
static bool has_alloca(const struct ptx_func *f)
{
    for (size_t i = 0; i < f->inst_count; i++)
        if (ptx_facts[f->insts[i].op].memory == PTX_MEMORY_STACK)
            return true;
    return false;
}

/* Does the branch lead back, so that there is a loop? */
static bool is_back_edge(const struct ptx_func *f, uint32_t bra)
{
    assert(f->insts[bra].op == PTX_OP_bra);
    return f->labels[f->insts[bra].operand[0].label].inst <= bra;
}

/* Matrix operations have many operands, each a vector or two: four at least,
 * and those of warpgroups up to 128. A branch may split the lanes, which costs
 * masks, and ends the stretch in which values stay where they are; around a
 * loop all of them may move. An atomic operation is a loop over lanes, plus the
 * code for lanes with one address. */
uint32_t simt_inst_weight(const struct ptx_func *f, uint32_t i)
{
    const struct ptx_inst *in = &f->insts[i];
    const struct ptx_facts *facts = &ptx_facts[in->op];

    assert(i < f->inst_count);
    if (facts->work == PTX_WORK_MATRIX) {
        uint32_t results = ptx_operand_item_count(&in->operand[0]);
        return results > 4 ? results : 4;
    }
    if (facts->work == PTX_WORK_ATOMIC)
        return 16;
    if (in->target_count > 0) /* tells each target which lanes come */
        return 1 + (uint32_t)in->target_count / 2;
    if (facts->flow == PTX_FLOW_JUMPS && is_back_edge(f, i))
        return 24;
    if (facts->flow == PTX_FLOW_JUMPS || facts->flow == PTX_FLOW_LEAVES)
        return in->guard == PTX_NO_REG ? 1 : 8;
    return 1;
}

static bool is_longer_than(const struct ptx_func *f, uint32_t limit)
{
    uint64_t length = 0;

    for (size_t i = 0; i < f->inst_count && length <= limit; i++)
        length += simt_inst_weight(f, (uint32_t)i);
    return length > limit;
}

uint32_t simt_split_insts(const struct simt_kernel *k)
{
    const struct ptx_func *f = k->func;
    uint32_t wanted = k->spec.split_insts;

    if (has_alloca(f) || !is_longer_than(f, wanted ? wanted : SIMT_LONG_INSTS))
        return 0;
    return wanted ? wanted : SIMT_SPLIT_INSTS;
}

/* Marks the first instruction of each block; returns their number. */
static uint32_t mark_leaders(struct simt_work *w, const struct ptx_func *f,
                             uint64_t *leaders)
{
    bits_add(leaders, 0);
    for (size_t i = 0; i < f->label_count; i++)
        if (f->labels[i].inst < f->inst_count)
            bits_add(leaders, f->labels[i].inst);
    for (size_t i = 0; i + 1 < f->inst_count; i++)
        if (ptx_ends_block(&f->insts[i]) || simt_call_may_exit(w, &f->insts[i]))
            bits_add(leaders, i + 1);
    uint32_t part = simt_split_insts(w->k), count = 0;
    uint64_t length = 0, longest = part ? part / 3 + 1 : UINT64_MAX;
    for (size_t i = 0; i < f->inst_count; i++) {
        if (length >= longest)
            bits_add(leaders, i);
        if (bits_has(leaders, i)) {
            length = 0;
            count++;
        }
        length += simt_inst_weight(f, (uint32_t)i);
    }
    return count;
}

struct builder {
    struct simt_work *w;
    const struct ptx_func *f;
    uint32_t *block_at; /* by instruction: the block that starts there */
};

static uint32_t block_of_inst(const struct builder *b, uint32_t inst)
{
    assert(inst <= b->f->inst_count);
    return inst < b->f->inst_count ? b->block_at[inst] : SIMT_NO_BLOCK;
}

static uint32_t block_of_label(const struct builder *b, uint32_t label)
{
    return block_of_inst(b, b->f->labels[label].inst);
}

static void set_edges(struct builder *b, struct simt_block *bb, unsigned count)
{
    bb->edges = arena_array(b->w->k->arena, struct simt_edge, count);
    bb->edge_count = count;
}

/* Two edges, to `taken` under the guard and otherwise to the next block; one
 * edge if both are the same. */
static void set_branch(struct builder *b, struct simt_block *bb,
                       const struct ptx_inst *in, uint32_t taken)
{
    uint32_t below = block_of_inst(b, bb->end);

    if (in->guard == PTX_NO_REG || taken == below) {
        bb->kind = taken == SIMT_NO_BLOCK ? SIMT_END_RETURN : SIMT_END_JUMP;
        set_edges(b, bb, 1);
        bb->edges[0].to = taken;
        return;
    }
    bb->kind = SIMT_END_UNIFORM; /* until the schedule finds that lanes split */
    bb->condition = in->guard;
    bb->condition_negated = in->guard_negated;
    set_edges(b, bb, 2);
    bb->edges[0].to = taken;
    bb->edges[1].to = below;
}

static void set_switch(struct builder *b, struct simt_block *bb,
                       const struct ptx_inst *in)
{
    bb->kind = SIMT_END_SWITCH;
    bb->condition = in->operand[0].reg;
    set_edges(b, bb, in->target_count);
    for (unsigned i = 0; i < in->target_count; i++)
        bb->edges[i].to = block_of_label(b, in->targets[i]);
}

/* Lanes that exited in the call which ends the block go to the function's end,
 * the others on. */
static void set_exits(struct builder *b, struct simt_block *bb)
{
    bb->kind = SIMT_END_VARYING;
    set_edges(b, bb, 2);
    bb->edges[0].to = SIMT_NO_BLOCK;
    bb->edges[1].to = block_of_inst(b, bb->end);
}

static void set_end(struct builder *b, struct simt_block *bb)
{
    const struct ptx_inst *in = &b->f->insts[bb->end - 1];

    bb->condition = PTX_NO_REG;
    if (bb->end < b->f->inst_count && simt_call_may_exit(b->w, in)) {
        set_exits(b, bb);
        return;
    }
    if (!ptx_ends_block(in)) {
        bb->kind = SIMT_END_JUMP;
        set_edges(b, bb, 1);
        bb->edges[0].to = block_of_inst(b, bb->end);
        if (bb->edges[0].to == SIMT_NO_BLOCK)
            bb->kind = SIMT_END_RETURN;
        return;
    }
    switch (in->op) {
    case PTX_OP_bra:
        set_branch(b, bb, in, block_of_label(b, in->operand[0].label));
        return;
    case PTX_OP_brx: /* no guard: the parser branches around it */
        assert(in->guard == PTX_NO_REG);
        set_switch(b, bb, in);
        return;
    case PTX_OP_exit:
    case PTX_OP_ret:
        set_branch(b, bb, in, SIMT_NO_BLOCK);
        return;
    default:
        assert(in->op == PTX_OP_trap);
        bb->kind = SIMT_END_TRAP;
        set_edges(b, bb, 0);
        return;
    }
}

bool simt_find_blocks(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    const struct ptx_func *f = k->func;
    struct builder b = {.w = w, .f = f};

    if (f->inst_count == 0) {
        diag_error(w->diag, "%s has no body", f->name);
        return false;
    }
    uint64_t *leaders =
        arena_array(k->arena, uint64_t, bits_words(f->inst_count));
    k->block_count = mark_leaders(w, f, leaders);
    k->blocks = arena_array(k->arena, struct simt_block, k->block_count);
    b.block_at = arena_array(k->arena, uint32_t, f->inst_count);

    uint32_t n = 0;
    for (uint32_t i = 0; i < f->inst_count; i++) {
        if (!bits_has(leaders, i))
            continue;
        if (n > 0)
            k->blocks[n - 1].end = i;
        k->blocks[n] = (struct simt_block){.first = i, .label = UINT_MAX};
        b.block_at[i] = n++;
    }
    k->blocks[n - 1].end = (uint32_t)f->inst_count;
    for (size_t i = 0; i < f->label_count; i++) {
        uint32_t to = block_of_label(&b, (uint32_t)i);
        if (to != SIMT_NO_BLOCK)
            k->blocks[to].label = (unsigned)i;
    }
    for (uint32_t i = 0; i < n; i++)
        set_end(&b, &k->blocks[i]);
    return true;
}
