/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What changes between iterations of a loop: blocks that every iteration
 * passes, counters that end the loop, registers with a new value each time. A
 * loop that makes progress in such a way does not wait.
 *
 * Needs: dominators.
 */
#include "simt/progress/progress.h"

bool simt_is_invariant(const struct simt_waits *s, const struct ptx_operand *o)
{
    if ((o->kind != PTX_OPERAND_reg && o->kind != PTX_OPERAND_address) ||
        o->reg == PTX_NO_REG)
        return true;
    struct simt_place at = simt_start_inside(s);
    return !simt_find_def(s->k, o->reg, s->loop->last, &at);
}

/* ---- every iteration, and counters ------------------------------------- */

static bool is_only_branch(const struct simt_kernel *k, uint32_t block)
{
    for (uint32_t i = k->blocks[block].first; i < k->blocks[block].end; i++)
        if (k->func->insts[i].op != PTX_OP_bra)
            return false;
    return true;
}

/* The value that a block gives a predicate: 0, 1, KNOWN_NOT, or KNOWN_BEFORE
 * if the block leaves it unchanged. */
enum { KNOWN_NOT = -1, KNOWN_BEFORE = -2 };

static int known_in_block(const struct simt_kernel *k, uint32_t block,
                          uint32_t reg)
{
    assert(reg < k->func->reg_count);
    for (uint32_t i = k->blocks[block].end; i-- > k->blocks[block].first;) {
        const struct ptx_inst *in = &k->func->insts[i];
        if (!ptx_defines(in, reg))
            continue;
        if (in->op != PTX_OP_mov || in->guard != PTX_NO_REG ||
            in->operand[1].kind != PTX_OPERAND_imm)
            return KNOWN_NOT;
        return in->operand[1].imm != 0;
    }
    return KNOWN_BEFORE;
}

#define KNOWN_BLOCKS 128 /* of a loop; nothing is known in longer ones */

/* The predicate's value at the end of the block, if it is the same on all ways
 * there in this iteration: 0, 1 or KNOWN_NOT. */
static int known_behind(const struct simt_waits *s, uint32_t block,
                        uint32_t reg)
{
    const struct simt_kernel *k = s->k;
    uint32_t first = s->loop->first, stack[KNOWN_BLOCKS], count = 0;
    uint64_t seen[KNOWN_BLOCKS / 64] = {0};
    int value = KNOWN_BEFORE;

    if (s->loop->last - first >= KNOWN_BLOCKS)
        return KNOWN_NOT;
    bits_add(seen, block - first);
    stack[count++] = block;
    while (count) {
        uint32_t b = stack[--count];
        int here = known_in_block(k, b, reg);
        if (here == KNOWN_NOT || (here >= 0 && value >= 0 && here != value))
            return KNOWN_NOT;
        if (here >= 0) {
            value = here;
            continue;
        }
        if (b == first)
            return KNOWN_NOT;
        for (unsigned i = 0; i < k->blocks[b].pred_count; i++) {
            uint32_t pred = k->blocks[b].preds[i];
            if (!simt_is_inside(s->loop, pred))
                return KNOWN_NOT;
            if (bits_has(seen, pred - first))
                continue;
            bits_add(seen, pred - first);
            stack[count++] = pred;
        }
    }
    return value == KNOWN_BEFORE ? KNOWN_NOT : value;
}

/* True: lanes that go from `from` to `to`, which has only a branch, leave the
 * loop. */
static bool leaves_through(const struct simt_waits *s, uint32_t from,
                           uint32_t to)
{
    const struct simt_block *bb = &s->k->blocks[to];

    assert(from < s->k->block_count && to < s->k->block_count);
    if (bb->edge_count != 2 || bb->condition == PTX_NO_REG)
        return false;
    int value = known_behind(s, from, bb->condition);
    if (value == KNOWN_NOT)
        return false;
    bool is_taken = value != bb->condition_negated;
    return !simt_is_inside(s->loop, bb->edges[is_taken ? 0 : 1].to);
}

/* Has every lane that goes back to the loop's header from the end of `pred`
 * passed `block`? */
static bool is_behind(const struct simt_waits *s, uint32_t block, uint32_t pred)
{
    const struct simt_kernel *k = s->k;

    if (simt_dominates(k, block, pred))
        return true;
    if (pred == s->loop->first || !is_only_branch(k, pred))
        return false;
    /* Paths that go round and paths that leave may join in `pred`, which then
     * tells them apart by a predicate. */
    for (unsigned i = 0; i < k->blocks[pred].pred_count; i++) {
        uint32_t from = k->blocks[pred].preds[i];
        if (!simt_is_inside(s->loop, from) ||
            (!simt_dominates(k, block, from) && !leaves_through(s, from, pred)))
            return false;
    }
    return true;
}

bool simt_is_in_every_iteration(const struct simt_waits *s, uint32_t block)
{
    const struct simt_block *head = &s->k->blocks[s->loop->first];

    assert(block < s->k->block_count);
    simt_can_go_on(s->w, 1000);
    for (unsigned i = 0; i < head->pred_count; i++)
        if (simt_is_inside(s->loop, head->preds[i]) &&
            !is_behind(s, block, head->preds[i]))
            return false;
    return true;
}

/* The register's only definition in the loop; NULL: it has none or several, or
 * the definition has a guard. */
static const struct ptx_inst *only_def(const struct simt_waits *s, uint32_t reg,
                                       uint32_t *block)
{
    const struct ptx_inst *found = NULL;

    simt_for_each_def_inside(s, reg, at)
    {
        if (found)
            return NULL;
        found = &s->k->func->insts[at.inst];
        *block = at.block;
    }
    return found && found->guard == PTX_NO_REG ? found : NULL;
}

/* The same, if every iteration executes it. */
static const struct ptx_inst *step_of(const struct simt_waits *s, uint32_t reg)
{
    uint32_t block = 0;
    const struct ptx_inst *in = only_def(s, reg, &block);

    return in && simt_is_in_every_iteration(s, block) ? in : NULL;
}

/* Does the operand grow, or shrink, by the same amount in each iteration? */
static bool is_counter(const struct simt_waits *s, const struct ptx_operand *o)
{
    uint32_t reg = o->kind == PTX_OPERAND_reg ? o->reg : PTX_NO_REG;
    bool has_grown = false;

    for (unsigned depth = 0; reg != PTX_NO_REG && depth < 4; depth++) {
        const struct ptx_inst *in = step_of(s, reg);
        if (!in || in->operand[1].kind != PTX_OPERAND_reg)
            return false;
        if (in->op == PTX_OP_add || in->op == PTX_OP_sub) {
            if (!simt_is_invariant(s, &in->operand[2]))
                return false;
            has_grown = true;
        } else if (in->op != PTX_OP_mov) {
            return false;
        }
        reg = in->operand[1].reg;
        if (reg == o->reg)
            return has_grown;
    }
    return false;
}

bool simt_counts_to_end(const struct simt_waits *s, uint32_t block)
{
    uint32_t condition = s->k->blocks[block].condition, from;

    assert(block < s->k->block_count);
    if (condition == PTX_NO_REG || !simt_is_in_every_iteration(s, block))
        return false;
    const struct ptx_inst *in = only_def(s, condition, &from);
    if (!in || in->op != PTX_OP_setp)
        return false;
    const struct ptx_operand *a = &in->operand[2], *b = &in->operand[3];
    return (is_counter(s, a) && simt_is_invariant(s, b)) ||
           (is_counter(s, b) && simt_is_invariant(s, a));
}

/* ---- values that move on ------------------------------------------------ */

/* Does the opcode make a different number of a number? An opcode that is
 * missing here makes a loop look like one that waits, which is the safe
 * answer. */
static bool is_mixing(enum ptx_op op)
{
    switch (op) {
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mul:
    case PTX_OP_mad:
    case PTX_OP_rem:
    case PTX_OP_and:
    case PTX_OP_or:
    case PTX_OP_xor:
    case PTX_OP_shl:
    case PTX_OP_ld:
    case PTX_OP_atom:
        return true;
    default:
        return false;
    }
}

/* The register's definition in the loop, if every iteration executes it and
 * other definitions only reset the register to its start, as at the end of a
 * table. */
static bool find_step(const struct simt_waits *s, uint32_t reg,
                      struct simt_place *out)
{
    unsigned count = 0;

    assert(reg < s->k->func->reg_count);
    simt_for_each_def_inside(s, reg, at)
    {
        const struct ptx_inst *in = &s->k->func->insts[at.inst];
        if (in->op == PTX_OP_mov && simt_is_invariant(s, &in->operand[1]))
            continue;
        if (in->guard != PTX_NO_REG || !simt_is_in_every_iteration(s, at.block))
            return false;
        *out = at;
        count++;
    }
    return count == 1;
}

/* The definition that an instruction of the loop gets the register from: one
 * before it in its block, or else the only one, which every iteration
 * executes. */
static bool find_source(const struct simt_waits *s, uint32_t reg,
                        struct simt_place *at)
{
    if (simt_find_def_above(s->k, reg, at))
        return s->k->func->insts[at->inst].guard == PTX_NO_REG;
    return find_step(s, reg, at);
}

struct path {
    const struct path *up;
    uint32_t inst;
    bool has_mixed; /* on the way from `up` */
    unsigned depth;
};

static bool moves_on(const struct simt_waits *s, uint32_t reg,
                     struct simt_place at, const struct path *up,
                     unsigned *tries)
{
    bool has_mixed = false;

    if ((up && up->depth > 12) || (*tries)++ > SIMT_TRIES_MAX ||
        !find_source(s, reg, &at))
        return false;
    for (const struct path *p = up; p; p = p->up) {
        has_mixed |= p->has_mixed;
        if (p->inst == at.inst)
            return has_mixed;
    }
    const struct ptx_inst *in = &s->k->func->insts[at.inst];
    bool is_copy =
        in->op == PTX_OP_mov || in->op == PTX_OP_cvt || in->op == PTX_OP_cvta;
    if (!is_copy && !is_mixing(in->op))
        return false;
    struct path here = {up, at.inst, !is_copy, up ? up->depth + 1 : 0};
    for (unsigned i = ptx_dest_count(in); i < in->operand_count; i++) {
        const struct ptx_operand *o = &in->operand[i];
        bool is_reg = o->kind == PTX_OPERAND_reg ||
                      (o->kind == PTX_OPERAND_address && o->reg != PTX_NO_REG);
        if (is_reg && moves_on(s, o->reg, at, &here, tries))
            return true;
    }
    return false;
}

bool simt_moves_on(const struct simt_waits *s, uint32_t reg,
                   struct simt_place reader)
{
    unsigned tries = 0;

    assert(reg < s->k->func->reg_count);
    return moves_on(s, reg, reader, NULL, &tries);
}
