/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop polls while it waits: its end depends on memory that others
 * write (volatile, uncached, relaxed or stronger loads, atomics that only
 * read), or on shared memory to which the loop writes what it has read in this
 * way.
 *
 * A retry loop does not wait: a compare-and-swap with a value read in the same
 * iteration fails only if another thread has made progress. Neither does a
 * loop that takes numbers from a counter, nor one that reads one element after
 * the other until it has seen all.
 *
 * Needs: dominators. Leaves: SIMT_WAITS at the instructions that poll.
 */
#include "simt/progress/progress.h"

static bool is_shared_space(enum ptx_space s)
{
    return s != PTX_SPACE_local && s != PTX_SPACE_param &&
           s != PTX_SPACE_const && s != PTX_SPACE_reg;
}

/* Who reads like this expects others to write. */
static bool is_strong(const struct ptx_inst *in)
{
    return (in->sem != PTX_SEM_none && in->sem != PTX_SEM_weak) ||
           in->flags & PTX_FLAG_fresh;
}

bool simt_is_imm(const struct ptx_operand *o, int64_t value)
{
    return o->kind == PTX_OPERAND_imm && o->imm == value;
}

static bool is_mbarrier_test(const struct ptx_inst *in)
{
    return in->op == PTX_OP_mbarrier &&
           (in->sub == PTX_SUB_test_wait || in->sub == PTX_SUB_try_wait);
}

/* An atomic operation that leaves memory unchanged, or takes a lock. */
static bool is_looking_atomic(const struct ptx_inst *in)
{
    if (in->op != PTX_OP_atom)
        return false;
    switch (in->sub) {
    case PTX_SUB_cas:
    case PTX_SUB_exch:
        return true;
    case PTX_SUB_add:
    case PTX_SUB_or:
    case PTX_SUB_xor:
        return simt_is_imm(&in->operand[2], 0);
    case PTX_SUB_and:
        return simt_is_imm(&in->operand[2], -1) ||
               simt_is_imm(&in->operand[2], UINT32_MAX);
    default:
        return false;
    }
}

/* Repeated, it has the same effect: its result changes only when others
 * write. */
static bool is_setting_atomic(const struct ptx_inst *in)
{
    return in->op == PTX_OP_atom &&
           (in->sub == PTX_SUB_or || in->sub == PTX_SUB_and ||
            in->sub == PTX_SUB_min || in->sub == PTX_SUB_max);
}

static bool is_load(const struct ptx_inst *in)
{
    return in->op == PTX_OP_ld && is_shared_space(in->space) &&
           !(in->flags & PTX_FLAG_nc);
}

bool simt_is_write(const struct ptx_inst *in)
{
    return ptx_writes_memory(in) && is_shared_space(in->space);
}

bool simt_is_poll(const struct ptx_inst *in)
{
    return (is_load(in) && is_strong(in)) || is_looking_atomic(in) ||
           is_mbarrier_test(in);
}

/* ---- what a loop's end depends on --------------------------------------- */

static void want_register(void *data, uint32_t reg)
{
    struct simt_waits *s = data;

    if (reg == PTX_NO_REG || bits_has(s->seen, reg))
        return;
    bits_add(s->seen, reg);
    s->stack[s->stack_count++] = reg;
}

/* Adds the branches of the loop that decide whether `block` is reached. */
static void want_control(struct simt_waits *s, uint32_t block)
{
    const struct simt_block *blocks = s->k->blocks;

    while (block != s->loop->first) {
        uint32_t above = blocks[block].idom;
        if (above >= s->k->block_count || !simt_is_inside(s->loop, above))
            return;
        if (blocks[above].edge_count > 1 && blocks[above].ipdom != block)
            want_register(s, blocks[above].condition);
        block = above;
        simt_can_go_on(s->w, 5);
    }
}

struct origin {
    unsigned depth;
    unsigned tries; /* instructions visited */
    bool is_read;   /* it is read from memory in the loop */
};

static void look_for_origin(const struct simt_waits *s, uint32_t reg,
                            struct origin *o);

static void look_at_origin(const struct simt_waits *s,
                           const struct ptx_inst *in, struct origin *o)
{
    if (is_load(in) || in->op == PTX_OP_atom || in->op == PTX_OP_call ||
        o->depth > 16 || o->tries++ > SIMT_TRIES_MAX) {
        o->is_read = true;
        return;
    }
    o->depth++;
    for (unsigned j = ptx_dest_count(in); j < in->operand_count; j++)
        if (in->operand[j].kind == PTX_OPERAND_reg && !o->is_read)
            look_for_origin(s, in->operand[j].reg, o);
    o->depth--;
}

static void look_for_origin(const struct simt_waits *s, uint32_t reg,
                            struct origin *o)
{
    simt_for_each_def_inside(s, reg, at)
        look_at_origin(s, &s->k->func->insts[at.inst], o);
}

/* Does the operand come from memory that the loop itself reads? */
static bool is_read_inside(const struct simt_waits *s,
                           const struct ptx_operand *o)
{
    struct origin origin = {0};

    if (o->kind == PTX_OPERAND_reg)
        look_for_origin(s, o->reg, &origin);
    return origin.is_read;
}

/* ---- what it looks at --------------------------------------------------- */

/* Each iteration changes the address: the loop goes through a table or a list,
 * and does not return to see what has become of an element. */
static bool is_passing_by(const struct simt_waits *s, uint32_t inst,
                          uint32_t block)
{
    uint32_t base = s->k->func->insts[inst].operand[1].reg;

    return base != PTX_NO_REG &&
           simt_moves_on(s, base, (struct simt_place){inst, block});
}

static bool undoes_atomic(const struct ptx_inst *in,
                          const struct ptx_inst *other)
{
    /* A reduction has no result, so its operands are one place earlier. */
    unsigned at = other->op == PTX_OP_atom ? 1 : 0;
    const struct ptx_operand *o = other->operand;

    if ((other->op != PTX_OP_atom && other->op != PTX_OP_red) ||
        !ptx_is_same_operand(&in->operand[1], &o[at]))
        return false;
    if (in->sub == PTX_SUB_inc || in->sub == PTX_SUB_dec)
        return other->sub != in->sub;
    return other->sub == PTX_SUB_add &&
           in->operand[2].kind == PTX_OPERAND_imm &&
           simt_is_imm(&o[at + 1], -in->operand[2].imm);
}

/* A number is taken from a counter, and given back in the loop if it is not
 * the wanted one: a lock. */
static bool is_taken_back(const struct simt_waits *s, const struct ptx_inst *in)
{
    if (in->op != PTX_OP_atom ||
        (in->sub != PTX_SUB_add && in->sub != PTX_SUB_inc &&
         in->sub != PTX_SUB_dec))
        return false;
    simt_look_through(s);
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++)
            if (undoes_atomic(in, &s->k->func->insts[i]))
                return true;
    return false;
}

/* Can others change the result, so that the loop may wait for it? */
static bool is_poll(const struct simt_waits *s, uint32_t i, uint32_t block)
{
    const struct ptx_inst *in = &s->k->func->insts[i];

    assert(i < s->k->func->inst_count);
    if (is_load(in) && simt_is_invariant(s, &in->operand[1]))
        return is_strong(in) || s->is_spinning;
    if (is_load(in))
        return is_strong(in) && !s->is_counting && !is_passing_by(s, i, block);
    if (is_looking_atomic(in) || is_setting_atomic(in) || is_taken_back(s, in))
        return !is_read_inside(s, &in->operand[2]) &&
               !is_passing_by(s, i, block);
    switch (in->op) {
    case PTX_OP_ld:
    case PTX_OP_atom:
        return false;
    case PTX_OP_call:
        return simt_summary_of_call(s, in) & SIMT_SUMMARY_WATCHES;
    case PTX_OP_mbarrier:
        return is_mbarrier_test(in);
    default: /* nothing more is known of other opcodes */
        return ptx_facts[in->op].waits == PTX_WAITS_MAYBE;
    }
}

/* One thread polls and stores what it has seen, for its block or itself: from
 * the load to what the loop stores there. */
static void follow_stores(struct simt_waits *s, const struct ptx_inst *load)
{
    simt_look_through(s);
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++) {
            const struct ptx_inst *in = &s->k->func->insts[i];
            if (in->op != PTX_OP_st || in->space != load->space ||
                !ptx_is_same_operand(&in->operand[0], &load->operand[1]))
                continue;
            ptx_for_each_use(in, want_register, s);
            want_register(s, in->guard);
            want_control(s, b);
        }
}

static void note_poll(struct simt_waits *s, uint32_t inst, uint32_t block)
{
    assert(inst < s->k->func->inst_count && block < s->k->block_count);
    s->k->inst_flags[inst] |= SIMT_WAITS;
    for (unsigned i = 0; i < s->poll_count && i < SIMT_POLLS; i++)
        if (s->polls[i].inst == inst)
            return;
    if (s->poll_count < SIMT_POLLS)
        s->polls[s->poll_count] = (struct simt_place){inst, block};
    s->poll_count++;
}

static bool gives_result(const struct ptx_inst *call,
                         const struct ptx_operand *o)
{
    if (call->op != PTX_OP_call || o->var == NULL)
        return false;
    for (unsigned i = 0; i < call->call->ret_count; i++)
        if (call->call->rets[i].var == o->var)
            return true;
    return false;
}

static void follow_def(struct simt_waits *s, uint32_t i, uint32_t block);

/* From a result in a .param variable to the calls that write it. */
static void follow_result(struct simt_waits *s, const struct ptx_inst *load)
{
    simt_look_through(s);
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++)
            if (gives_result(&s->k->func->insts[i], &load->operand[1]))
                follow_def(s, i, b);
}

static void follow_def(struct simt_waits *s, uint32_t i, uint32_t block)
{
    const struct ptx_inst *in = &s->k->func->insts[i];

    if (is_poll(s, i, block)) {
        note_poll(s, i, block);
        s->has_found = true;
        s->is_between_threads |= in->op != PTX_OP_mbarrier;
        s->is_for_mbarrier |= in->op == PTX_OP_mbarrier;
        return;
    }
    want_register(s, in->guard);
    want_control(s, block);
    if (in->op == PTX_OP_ld && in->space == PTX_SPACE_param)
        follow_result(s, in);
    if (in->op == PTX_OP_ld && in->space != PTX_SPACE_global)
        follow_stores(s, in);
    if (!is_load(in) && in->op != PTX_OP_atom)
        ptx_for_each_use(in, want_register, s);
}

static bool does_nothing_but_look(const struct simt_waits *s)
{
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++) {
            const struct ptx_inst *in = &s->k->func->insts[i];
            if (simt_is_write(in) || in->op == PTX_OP_call ||
                ptx_is_barrier(in))
                return false;
        }
    return true;
}

static bool leaves_loop(const struct simt_waits *s, uint32_t block)
{
    const struct simt_block *bb = &s->k->blocks[block];

    assert(block < s->k->block_count);
    for (unsigned i = 0; i < bb->edge_count; i++)
        if (!simt_is_inside(s->loop, bb->edges[i].to))
            return true;
    return false;
}

/* Does the block go back to the loop's header, or on within the loop? A loop
 * that waits may share its header with one around it, and not be a loop of its
 * own. */
static bool is_way_back(const struct simt_waits *s, uint32_t block)
{
    const struct simt_block *bb = &s->k->blocks[block];
    bool goes_back = false, goes_on = false;

    assert(block < s->k->block_count);
    for (unsigned i = 0; i < bb->edge_count; i++) {
        goes_back |= bb->edges[i].to == s->loop->first;
        goes_on |= bb->edges[i].to != s->loop->first;
    }
    return goes_back && goes_on;
}

void simt_find_polls(struct simt_waits *s)
{
    s->has_found = s->is_between_threads = s->is_for_mbarrier = false;
    s->stack_count = 0;
    memset(s->seen, 0, s->w->reg_words * sizeof *s->seen);
    s->is_spinning = does_nothing_but_look(s);
    s->is_counting = false;
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        s->is_counting |= leaves_loop(s, b) && simt_counts_to_end(s, b);
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++) {
        if (!leaves_loop(s, b) && !is_way_back(s, b))
            continue;
        want_register(s, s->k->blocks[b].condition);
        want_control(s, b);
    }
    while (s->stack_count && simt_can_go_on(s->w, 0)) {
        uint32_t reg = s->stack[--s->stack_count];
        simt_for_each_def_inside(s, reg, at) follow_def(s, at.inst, at.block);
    }
}
