/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop looks at while it waits: its end depends on memory that others
 * write (volatile, uncached, relaxed or stronger loads, atomics that look), or
 * on shared memory to which the loop writes what it has read so.
 *
 * A retry loop is no wait: a compare-and-swap with a value that was read in
 * the same iteration fails only when somebody else has got on. Neither is a
 * loop that takes numbers from a counter, nor one that looks at one element
 * after the other until it has seen all.
 *
 * Needs:  dominators.
 * Leaves: SIMT_WAITS at what a loop looks at.
 */
#include "simt/waits.h"

static bool is_shared_space(enum ptx_space s)
{
    return s != PTX_SPACE_local && s != PTX_SPACE_param &&
           s != PTX_SPACE_const && s != PTX_SPACE_reg;
}

/* Whoever reads so expects others to write. */
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

/* An atomic operation that leaves memory as it is, or takes a lock. */
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

/* Done twice, it does what it did the first time: what it gives changes only
 * when others write. */
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
    switch (in->op) {
    case PTX_OP_st:
        return is_shared_space(in->space);
    case PTX_OP_atom:
    case PTX_OP_red:
        return true;
    default:
        return false;
    }
}

bool simt_is_watching(const struct ptx_inst *in)
{
    return (is_load(in) && is_strong(in)) || is_looking_atomic(in) ||
           is_mbarrier_test(in);
}

/* ---- what a loop's end depends on --------------------------------------- */

static void want(void *data, uint32_t reg)
{
    struct simt_waits *s = data;

    if (reg == PTX_NO_REG || bits_has(s->seen, reg))
        return;
    bits_add(s->seen, reg);
    s->stack[s->stack_count++] = reg;
}

/* The branches of the loop that decide whether `block` is reached. */
static void want_control(struct simt_waits *s, uint32_t block)
{
    const struct simt_block *blocks = s->k->blocks;

    while (block != s->loop->first) {
        uint32_t above = blocks[block].idom;
        if (above >= s->k->block_count || !simt_is_inside(s->loop, above))
            return;
        if (blocks[above].edge_count > 1 && blocks[above].ipdom != block)
            want(s, blocks[above].condition);
        block = above;
    }
}

<<<<<<< ours
=======
/* What one question may look at: the ways back multiply. */
enum { TRIES_MAX = 20000 };

typedef void def_fn(struct simt_waits *s, uint32_t inst, uint32_t block,
                    void *data);

static void for_each_def_inside(struct simt_waits *s, uint32_t reg, def_fn *fn,
                                void *data)
{
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++) {
        const struct simt_block *bb = &s->k->blocks[b];
        simt_can_go_on(s->w, UINT64_C(30) * (bb->end - bb->first));
        for (uint32_t i = bb->first; i < bb->end; i++)
            if (ptx_defines(&s->k->func->insts[i], reg))
                fn(s, i, b, data);
    }
}

>>>>>>> theirs
struct origin {
    unsigned depth;
    unsigned tries; /* instructions looked at */
    bool is_read;   /* from memory, in the loop */
};

static void look_for_origin(const struct simt_waits *s, uint32_t reg,
                            struct origin *o);

static void look_at_origin(const struct simt_waits *s,
                           const struct ptx_inst *in, struct origin *o)
{
    if (is_load(in) || in->op == PTX_OP_atom || in->op == PTX_OP_call ||
        o->depth > 16 || o->tries++ > TRIES_MAX) {
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

/* Does the operand come from memory, as read in the loop itself? */
static bool is_read_inside(const struct simt_waits *s,
                           const struct ptx_operand *o)
{
    struct origin origin = {0};

    if (o->kind == PTX_OPERAND_reg)
        look_for_origin(s, o->reg, &origin);
    return origin.is_read;
}

<<<<<<< ours
/* ---- what it looks at --------------------------------------------------- */
=======
static void note_any(struct simt_waits *s, uint32_t inst, uint32_t block,
                     void *data)
{
    (void)s;
    (void)inst;
    (void)block;
    *(bool *)data = true;
}

static bool is_invariant(struct simt_waits *s, const struct ptx_operand *o)
{
    bool is_defined = false;

    if ((o->kind == PTX_OPERAND_reg || o->kind == PTX_OPERAND_address) &&
        o->reg != PTX_NO_REG)
        for_each_def_inside(s, o->reg, note_any, &is_defined);
    return !is_defined;
}

/* ---- loops that count -----------------------------------------------------
 */

bool simt_dominates(const struct simt_kernel *k, uint32_t a, uint32_t b)
{
    while (b != a) {
        uint32_t above = k->blocks[b].idom;
        if (above >= k->block_count || above == b)
            return false;
        b = above;
    }
    return true;
}

static bool is_only_branch(const struct simt_kernel *k, uint32_t block)
{
    for (uint32_t i = k->blocks[block].first; i < k->blocks[block].end; i++)
        if (k->func->insts[i].op != PTX_OP_bra)
            return false;
    return true;
}

/* What a block leaves in a predicate: KNOWN_NOT, 0, 1, or KNOWN_BEFORE if it
 * leaves that alone. */
enum { KNOWN_NOT = -1, KNOWN_BEFORE = -2 };

static int known_in_block(const struct simt_kernel *k, uint32_t block,
                          uint32_t reg)
{
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

#define KNOWN_BLOCKS 128 /* of a loop; for longer ones nothing is known */

/* The predicate's value behind the block, the same on all ways there in this
 * iteration: 0, 1 or KNOWN_NOT. */
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

/* Whoever comes from `from` to `to`, where nothing is but a branch, leaves the
 * loop. */
static bool leaves_through(const struct simt_waits *s, uint32_t from,
                           uint32_t to)
{
    const struct simt_block *bb = &s->k->blocks[to];

    if (bb->edge_count != 2 || bb->condition == PTX_NO_REG)
        return false;
    int value = known_behind(s, from, bb->condition);
    if (value == KNOWN_NOT)
        return false;
    bool is_taken = value != bb->condition_negated;
    return !simt_is_inside(s->loop, bb->edges[is_taken ? 0 : 1].to);
}

/* Has everybody who goes back to the loop's head from the end of `pred` come
 * through `block`? */
static bool is_behind(const struct simt_waits *s, uint32_t block, uint32_t pred)
{
    const struct simt_kernel *k = s->k;

    if (simt_dominates(k, block, pred))
        return true;
    if (pred == s->loop->first || !is_only_branch(k, pred))
        return false;
    /* Ways back and ways out that meet for a branch on what they are. */
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

    for (unsigned i = 0; i < head->pred_count; i++)
        if (simt_is_inside(s->loop, head->preds[i]) &&
            !is_behind(s, block, head->preds[i]))
            return false;
    return true;
}

struct single_def {
    unsigned count;
    uint32_t inst, block;
};

static void note_def(struct simt_waits *s, uint32_t inst, uint32_t block,
                     void *data)
{
    struct single_def *d = data;

    (void)s;
    d->count++;
    d->inst = inst;
    d->block = block;
}

/* The register's only definition in the loop, if every iteration has it. */
static const struct ptx_inst *step_of(struct simt_waits *s, uint32_t reg)
{
    struct single_def d = {0};

    for_each_def_inside(s, reg, note_def, &d);
    if (d.count != 1 || !simt_is_in_every_iteration(s, d.block))
        return NULL;
    const struct ptx_inst *in = &s->k->func->insts[d.inst];
    return in->guard == PTX_NO_REG ? in : NULL;
}

/* From iteration to iteration it grows, or shrinks, by the same amount. */
static bool is_counter(struct simt_waits *s, const struct ptx_operand *o)
{
    uint32_t reg = o->kind == PTX_OPERAND_reg ? o->reg : PTX_NO_REG;
    bool has_grown = false;

    for (unsigned depth = 0; reg != PTX_NO_REG && depth < 4; depth++) {
        const struct ptx_inst *in = step_of(s, reg);
        if (!in || in->operand[1].kind != PTX_OPERAND_reg)
            return false;
        if (in->op == PTX_OP_add || in->op == PTX_OP_sub) {
            if (!is_invariant(s, &in->operand[2]))
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

static bool counts_to_end(struct simt_waits *s, uint32_t block)
{
    uint32_t condition = s->k->blocks[block].condition;
    struct single_def d = {0};

    if (condition == PTX_NO_REG || !simt_is_in_every_iteration(s, block))
        return false;
    for_each_def_inside(s, condition, note_def, &d);
    const struct ptx_inst *in = &s->k->func->insts[d.inst];
    if (d.count != 1 || in->op != PTX_OP_setp || in->guard != PTX_NO_REG)
        return false;
    const struct ptx_operand *a = &in->operand[2], *b = &in->operand[3];
    return (is_counter(s, a) && is_invariant(s, b)) ||
           (is_counter(s, b) && is_invariant(s, a));
}

/* ---- what it looks at ------------------------------------------------------
 */

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

struct steps {
    bool is_plain; /* one in every iteration, others put it back */
    uint32_t inst, block;
    unsigned count;
};

static void note_step(struct simt_waits *s, uint32_t inst, uint32_t block,
                      void *data)
{
    const struct ptx_inst *in = &s->k->func->insts[inst];
    struct steps *d = data;

    /* At the end of a table it begins again. */
    if (in->op == PTX_OP_mov && is_invariant(s, &in->operand[1]))
        return;
    d->is_plain &=
        in->guard == PTX_NO_REG && simt_is_in_every_iteration(s, block);
    d->inst = inst;
    d->block = block;
    d->count++;
}

/* Where an instruction of the loop has a register from: from above in its
 * block, or else from the one place that every iteration comes to. */
static bool find_source(struct simt_waits *s, uint32_t reg, uint32_t *inst,
                        uint32_t *block)
{
    for (uint32_t i = *inst; i-- > s->k->blocks[*block].first;) {
        const struct ptx_inst *in = &s->k->func->insts[i];
        if (!ptx_defines(in, reg))
            continue;
        *inst = i;
        return in->guard == PTX_NO_REG;
    }
    struct steps d = {.is_plain = true};
    for_each_def_inside(s, reg, note_step, &d);
    *inst = d.inst;
    *block = d.block;
    return d.is_plain && d.count == 1;
}

struct path {
    const struct path *up;
    uint32_t inst;
    bool has_mixed; /* on the way from `up` */
    unsigned depth;
};

/* Does every iteration make another value of the register that an instruction
 * reads, from its own last one? */
static bool moves_on(struct simt_waits *s, uint32_t reg, uint32_t inst,
                     uint32_t block, const struct path *up, unsigned *tries)
{
    bool has_mixed = false;

    if ((up && up->depth > 12) || (*tries)++ > TRIES_MAX ||
        !find_source(s, reg, &inst, &block))
        return false;
    for (const struct path *p = up; p; p = p->up) {
        has_mixed |= p->has_mixed;
        if (p->inst == inst)
            return has_mixed;
    }
    const struct ptx_inst *in = &s->k->func->insts[inst];
    bool is_copy =
        in->op == PTX_OP_mov || in->op == PTX_OP_cvt || in->op == PTX_OP_cvta;
    if (!is_copy && !is_mixing(in->op))
        return false;
    struct path here = {up, inst, !is_copy, up ? up->depth + 1 : 0};
    for (unsigned i = ptx_dest_count(in); i < in->operand_count; i++) {
        const struct ptx_operand *o = &in->operand[i];
        bool is_reg = o->kind == PTX_OPERAND_reg ||
                      (o->kind == PTX_OPERAND_address && o->reg != PTX_NO_REG);
        if (is_reg && moves_on(s, o->reg, inst, block, &here, tries))
            return true;
    }
    return false;
}
>>>>>>> theirs

/* An address that each iteration changes: the loop goes through a table or a
 * list, and does not come back to see what has become of an element. */
static bool is_passing_by(const struct simt_waits *s, uint32_t inst,
                          uint32_t block)
{
    uint32_t base = s->k->func->insts[inst].operand[1].reg;
    unsigned tries = 0;

<<<<<<< ours
    return base != PTX_NO_REG &&
           simt_moves_on(s, base, (struct simt_place){inst, block});
=======
    return base != PTX_NO_REG && moves_on(s, base, inst, block, NULL, &tries);
>>>>>>> theirs
}

static bool is_same_address(const struct ptx_operand *a,
                            const struct ptx_operand *b)
{
    return a->kind == b->kind && a->reg == b->reg && a->var == b->var &&
           a->imm == b->imm;
}

static bool undoes(const struct ptx_inst *in, const struct ptx_inst *other)
{
    /* A reduction has no result: its operands stand one place before. */
    unsigned at = other->op == PTX_OP_atom ? 1 : 0;
    const struct ptx_operand *o = other->operand;

    if ((other->op != PTX_OP_atom && other->op != PTX_OP_red) ||
        !is_same_address(&in->operand[1], &o[at]))
        return false;
    if (in->sub == PTX_SUB_inc || in->sub == PTX_SUB_dec)
        return other->sub != in->sub;
    return other->sub == PTX_SUB_add &&
           in->operand[2].kind == PTX_OPERAND_imm &&
           simt_is_imm(&o[at + 1], -in->operand[2].imm);
}

/* A number taken from a counter, and given back in the loop if it was not the
 * wanted one: a lock. */
static bool is_taken_back(const struct simt_waits *s, const struct ptx_inst *in)
{
    if (in->op != PTX_OP_atom ||
        (in->sub != PTX_SUB_add && in->sub != PTX_SUB_inc &&
         in->sub != PTX_SUB_dec))
        return false;
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++)
            if (undoes(in, &s->k->func->insts[i]))
                return true;
    return false;
}

/* May others make this give something else, for which the loop waits? */
static bool is_watch(const struct simt_waits *s, uint32_t i, uint32_t block)
{
    const struct ptx_inst *in = &s->k->func->insts[i];

    if (is_load(in) && simt_is_invariant(s, &in->operand[1]))
        return is_strong(in) || s->is_spinning;
    if (is_load(in))
        return is_strong(in) && !s->is_counting && !is_passing_by(s, i, block);
    if (is_looking_atomic(in) || is_setting_atomic(in) || is_taken_back(s, in))
        return !is_read_inside(s, &in->operand[2]) &&
               !is_passing_by(s, i, block);
    if (in->op == PTX_OP_call)
        return simt_summary_of_call(s, in) & SIMT_SUMMARY_WATCHES;
    return is_mbarrier_test(in);
}

/* One thread looks and writes down, for its block or for itself, what it has
 * seen: from what is read there to what the loop writes there. */
static void follow_stores(struct simt_waits *s, const struct ptx_inst *load)
{
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++) {
            const struct ptx_inst *in = &s->k->func->insts[i];
            if (in->op != PTX_OP_st || in->space != load->space ||
                !is_same_address(&in->operand[0], &load->operand[1]))
                continue;
            ptx_for_each_use(in, want, s);
            want(s, in->guard);
            want_control(s, b);
        }
}

static void note_watch(struct simt_waits *s, uint32_t inst, uint32_t block)
{
    s->k->inst_flags[inst] |= SIMT_WAITS;
    for (unsigned i = 0; i < s->watch_count && i < SIMT_WATCHES; i++)
        if (s->watches[i].inst == inst)
            return;
    if (s->watch_count < SIMT_WATCHES)
        s->watches[s->watch_count] = (struct simt_place){inst, block};
    s->watch_count++;
}

static bool gives(const struct ptx_inst *call, const struct ptx_operand *o)
{
    if (call->op != PTX_OP_call || o->var == NULL)
        return false;
    for (unsigned i = 0; i < call->call->ret_count; i++)
        if (call->call->rets[i].var == o->var)
            return true;
    return false;
}

static void follow_def(struct simt_waits *s, uint32_t i, uint32_t block);

/* From a result in a .param variable to the calls that leave it there. */
static void follow_result(struct simt_waits *s, const struct ptx_inst *load)
{
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++)
            if (gives(&s->k->func->insts[i], &load->operand[1]))
                follow_def(s, i, b);
}

static void follow_def(struct simt_waits *s, uint32_t i, uint32_t block)
{
    const struct ptx_inst *in = &s->k->func->insts[i];

    if (is_watch(s, i, block)) {
        note_watch(s, i, block);
        s->has_found = true;
        s->is_between_threads |= in->op != PTX_OP_mbarrier;
        s->is_for_mbarrier |= in->op == PTX_OP_mbarrier;
        return;
    }
    want(s, in->guard);
    want_control(s, block);
    if (in->op == PTX_OP_ld && in->space == PTX_SPACE_param)
        follow_result(s, in);
    if (in->op == PTX_OP_ld && in->space != PTX_SPACE_global)
        follow_stores(s, in);
    if (!is_load(in) && in->op != PTX_OP_atom)
        ptx_for_each_use(in, want, s);
}

static bool does_nothing_but_look(const struct simt_waits *s)
{
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = s->k->blocks[b].first; i < s->k->blocks[b].end; i++) {
            const struct ptx_inst *in = &s->k->func->insts[i];
            if (simt_is_write(in) || in->op == PTX_OP_call ||
                in->op == PTX_OP_bar || in->op == PTX_OP_barrier)
                return false;
        }
    return true;
}

static bool leaves(const struct simt_waits *s, uint32_t block)
{
    const struct simt_block *bb = &s->k->blocks[block];

    for (unsigned i = 0; i < bb->edge_count; i++)
        if (!simt_is_inside(s->loop, bb->edges[i].to))
            return true;
    return false;
}

/* Does the block go back to the loop's head, or on in the loop? A loop that
 * waits may share its head with one around it, and be no loop of its own. */
static bool is_way_back(const struct simt_waits *s, uint32_t block)
{
    const struct simt_block *bb = &s->k->blocks[block];
    bool goes_back = false, goes_on = false;

    for (unsigned i = 0; i < bb->edge_count; i++) {
        goes_back |= bb->edges[i].to == s->loop->first;
        goes_on |= bb->edges[i].to != s->loop->first;
    }
    return goes_back && goes_on;
}

void simt_find_watches(struct simt_waits *s)
{
    s->has_found = s->is_between_threads = s->is_for_mbarrier = false;
    s->stack_count = 0;
    memset(s->seen, 0, s->w->reg_words * sizeof *s->seen);
    s->is_spinning = does_nothing_but_look(s);
    s->is_counting = false;
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        s->is_counting |= leaves(s, b) && simt_counts_to_end(s, b);
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++) {
        if (!leaves(s, b) && !is_way_back(s, b))
            continue;
        want(s, s->k->blocks[b].condition);
        want_control(s, b);
    }
    while (s->stack_count) {
        uint32_t reg = s->stack[--s->stack_count];
        simt_for_each_def_inside(s, reg, at) follow_def(s, at.inst, at.block);
    }
}
