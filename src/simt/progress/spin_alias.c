/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes that no loop of the kernel waits for, because it looks elsewhere:
 *
 *   - in another state space;
 *   - at another object: an address made from another parameter or variable,
 *     or from a pointer that another place in memory holds. Two parameters
 *     that are one object are not expected to be a flag under both names;
 *   - in the same table, further on than the lanes of a warp lie apart. So do
 *     look-back scans: block b writes at b and looks at b - 1, b - 2, ...
 *
 * What a lane waits for may come from a block that waits for another lane of
 * this warp. Hence all polls of the kernel count, and within a table all
 * look the same way: then no thread waits for itself round a corner.
 *
 * Addresses are sums of registers, parameters and special registers with
 * constant factors. A table is taken not to be so large that an index wraps.
 *
 * Needs:  dominators, shapes, ranges.
 */
#include "simt/progress/progress.h"

#define MOST_TERMS 8
#define MOST_DEPTH 24
#define MOST_DEFS  4
#define MOST_TRIES 1000

enum root { ROOT_REG, ROOT_PARAM, ROOT_VAR, ROOT_SREG };

/* One summand of an address: factor * root. */
struct term {
    enum root root;
    uint32_t reg;
    struct simt_place def; /* definition of the register */
    const struct ptx_var *var;
    int64_t at; /* offset in a parameter */
    enum ptx_sreg sreg;
    bool is_pointer;
    struct simt_shape shape;
    int64_t factor;
};

/* A sum, and what a counter has added: a multiple of `step`. */
struct sum {
    struct term terms[MOST_TERMS];
    unsigned count;
    int64_t offset, step;
    bool has_stepped; /* at least once */
};

struct look {
    const struct simt_work *w;
    const struct simt_kernel *k;
    unsigned depth;
    unsigned tries; /* ways back multiply */
    struct sum *sum;
};

/* Adds the operand of the instruction at `at`. */
static bool add_operand(struct look *l, const struct ptx_operand *o,
                        struct simt_place at, int64_t factor);

/* ---- definitions -------------------------------------------------------- */

/* Number of definitions; those that fit are in `defs`. */
static unsigned find_defs(const struct simt_kernel *k, uint32_t reg,
                          struct simt_place defs[MOST_DEFS])
{
    unsigned count = 0;

    for (struct simt_place at = simt_start(k, 0);
         simt_find_def(k, reg, k->block_count - 1, &at); at.inst++) {
        if (count < MOST_DEFS)
            defs[count] = at;
        count++;
    }
    return count;
}

static bool comes_before(const struct simt_kernel *k, struct simt_place a,
                         struct simt_place b)
{
    if (a.block == b.block)
        return a.inst < b.inst;
    return simt_dominates(k, a.block, b.block);
}

/* Can control get from behind a to b without passing `reset`? */
static bool can_follow(const struct simt_kernel *k, struct simt_place a,
                       struct simt_place b, struct simt_place reset)
{
    uint64_t *seen =
        arena_array(k->arena, uint64_t, bits_words((size_t)k->block_count + 1));
    uint32_t *stack = arena_array(k->arena, uint32_t, k->block_count + 1);
    uint32_t count = 0, at = a.block;

    assert(a.block < k->block_count && b.block < k->block_count);
    if (a.block == b.block && a.inst < b.inst)
        return true;
    for (;;) {
        const struct simt_block *bb = &k->blocks[at];
        for (unsigned e = 0; e < bb->edge_count; e++) {
            uint32_t to = bb->edges[e].to;
            if (to >= k->block_count || bits_has(seen, to))
                continue;
            if (to == b.block && !(to == reset.block && reset.inst < b.inst))
                return true;
            bits_add(seen, to);
            if (to != reset.block)
                stack[count++] = to;
        }
        if (!count)
            return false;
        at = stack[--count];
    }
}

/* The constant that an addition adds to the register; 0: it is no such
 * addition. */
static int64_t added_constant(const struct ptx_inst *in, uint32_t reg)
{
    const struct ptx_operand *o = in->operand;

    if ((in->op != PTX_OP_add && in->op != PTX_OP_sub) ||
        in->guard != PTX_NO_REG || o[1].kind != PTX_OPERAND_reg ||
        o[1].reg != reg || o[2].kind != PTX_OPERAND_imm)
        return 0;
    return in->op == PTX_OP_add ? o[2].imm : -o[2].imm;
}

/* What a definition adds to the register itself, directly or by a copy of the
 * sum; 0: it does something else. */
static int64_t step_of(const struct simt_kernel *k, uint32_t def, uint32_t reg)
{
    const struct ptx_inst *in = &k->func->insts[def];
    struct simt_place defs[MOST_DEFS];

    if (in->op != PTX_OP_mov || in->guard != PTX_NO_REG ||
        in->operand[1].kind != PTX_OPERAND_reg)
        return added_constant(in, reg);
    if (find_defs(k, in->operand[1].reg, defs) != 1)
        return 0;
    return added_constant(&k->func->insts[defs[0].inst], reg);
}

/* ---- sums --------------------------------------------------------------- */

static bool is_same_root(const struct term *a, const struct term *b)
{
    if (a->root != b->root)
        return false;
    switch (a->root) {
    case ROOT_REG:
        return a->reg == b->reg;
    case ROOT_PARAM:
        return a->var == b->var && a->at == b->at;
    case ROOT_VAR:
        return a->var == b->var;
    case ROOT_SREG:
        return a->sreg == b->sreg;
    }
    return false;
}

static bool add_term(struct look *l, struct term t)
{
    struct sum *s = l->sum;

    for (unsigned i = 0; i < s->count; i++)
        if (is_same_root(&s->terms[i], &t)) {
            s->terms[i].factor += t.factor;
            return true;
        }
    if (s->count == MOST_TERMS)
        return false;
    s->terms[s->count++] = t;
    return true;
}

/* A register that starts with one value and then steps in one direction. */
struct counter {
    struct simt_place start;
    int64_t least; /* of the steps */
    bool may_have_stepped, has_stepped;
};

/* False: the register is no counter. `at`: where it is read. */
static bool find_counter(const struct simt_kernel *k, uint32_t reg,
                         struct simt_place at, struct counter *c)
{
    struct simt_place defs[MOST_DEFS];
    int64_t steps[MOST_DEFS];
    unsigned count = find_defs(k, reg, defs), starts = 0;

    assert(reg < k->func->reg_count);
    *c = (struct counter){0};
    if (count > MOST_DEFS)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (k->func->insts[defs[i].inst].guard != PTX_NO_REG)
            return false;
        steps[i] = step_of(k, defs[i].inst, reg);
        if (steps[i])
            continue;
        c->start = defs[i];
        starts++;
    }
    if (starts != 1)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (!steps[i])
            continue;
        if (c->least && (steps[i] < 0) != (c->least < 0))
            return false;
        if (!c->least ||
            (steps[i] < 0 ? steps[i] > c->least : steps[i] < c->least))
            c->least = steps[i];
        c->may_have_stepped |= can_follow(k, defs[i], at, c->start);
        c->has_stepped |=
            comes_before(k, c->start, defs[i]) && comes_before(k, defs[i], at);
    }
    return true;
}

/* The greatest value that the register, if never negative, has in block `to`,
 * to which only the branch of block `from` leads; INT64_MAX: any. */
static int64_t most_behind(const struct simt_kernel *k, uint32_t from,
                           uint32_t to, uint32_t reg)
{
    const struct simt_block *bb = &k->blocks[from];
    struct simt_place defs[MOST_DEFS];

    if (bb->edge_count != 2 || bb->condition == PTX_NO_REG ||
        bb->edges[0].to == bb->edges[1].to ||
        find_defs(k, bb->condition, defs) != 1 ||
        !simt_is_only_way(k, from, to))
        return INT64_MAX;
    const struct ptx_inst *in = &k->func->insts[defs[0].inst];
    if (in->op != PTX_OP_setp || in->guard != PTX_NO_REG ||
        in->sub != PTX_SUB_none || in->operand[0].kind != PTX_OPERAND_reg ||
        in->operand[0].reg != bb->condition ||
        in->operand[2].kind != PTX_OPERAND_reg || in->operand[2].reg != reg ||
        in->operand[3].kind != PTX_OPERAND_imm || in->operand[3].imm < 0)
        return INT64_MAX;
    bool is_true = (bb->edges[0].to == to) != bb->condition_negated;
    int64_t bound = in->operand[3].imm;
    switch (in->cmp) {
    case PTX_CMP_lt:
    case PTX_CMP_lo:
        return is_true ? bound - 1 : INT64_MAX;
    case PTX_CMP_le:
    case PTX_CMP_ls:
        return is_true ? bound : INT64_MAX;
    case PTX_CMP_gt:
    case PTX_CMP_hi:
        return is_true ? INT64_MAX : bound;
    case PTX_CMP_ge:
    case PTX_CMP_hs:
        return is_true ? INT64_MAX : bound - 1;
    default:
        return INT64_MAX;
    }
}

/* The greatest value of the register behind the branches that lead to the
 * block; negative: not known, or it may be negative. */
static int64_t most_at(const struct look *l, const struct ptx_operand *o,
                       uint32_t block)
{
    const struct simt_kernel *k = l->k;
    struct simt_range r = simt_operand_range(l->w, o, 32);

    if (r.lo < 0 || o->kind != PTX_OPERAND_reg)
        return r.lo < 0 ? -1 : r.hi;
    for (uint32_t b = block, above; b != 0; b = above) {
        above = k->blocks[b].idom;
        if (above >= k->block_count || above == b)
            break;
        int64_t most = most_behind(k, above, b, o->reg);
        r.hi = most < r.hi ? most : r.hi;
    }
    return r.hi;
}

/* Are all parts of the sum multiples of a power of two above `most`? */
static bool is_above(const struct sum *s, int64_t most)
{
    int64_t unit = 1;

    if (most < 0 || most > INT32_MAX)
        return false;
    while (unit <= most)
        unit *= 2;
    for (unsigned i = 0; i < s->count; i++)
        if (s->terms[i].factor % unit)
            return false;
    return s->offset % unit == 0 && s->step % unit == 0;
}

/* `or` of a multiple and something smaller is their sum. */
static bool add_or(struct look *l, struct simt_place at, int64_t factor)
{
    struct sum *whole = l->sum, high;

    for (unsigned i = 1; i <= 2; i++) {
        const struct ptx_operand *o = l->k->func->insts[at.inst].operand;
        const struct ptx_operand *a = &o[i], *b = &o[3 - i];
        high = (struct sum){0};
        l->sum = &high;
        bool is_sum = add_operand(l, a, at, 1) &&
                      is_above(&high, most_at(l, b, at.block));
        l->sum = whole;
        if (is_sum)
            return add_operand(l, a, at, factor) &&
                   add_operand(l, b, at, factor);
    }
    return false;
}

static bool is_widening(const struct ptx_inst *in)
{
    return in->op == PTX_OP_cvt && in->type_count == 2 &&
           !ptx_type_is_float(in->type[0]) && !ptx_type_is_float(in->type[1]) &&
           ptx_type_size(in->type[0]) >= ptx_type_size(in->type[1]);
}

/* Adds the result of the instruction, if that is a sum. */
static bool add_def(struct look *l, struct simt_place at, int64_t factor)
{
    const struct ptx_inst *in = &l->k->func->insts[at.inst];
    const struct ptx_operand *o = in->operand;
    bool is_times_constant = in->operand_count > 2 &&
                             o[2].kind == PTX_OPERAND_imm &&
                             in->half != PTX_HALF_hi;

    switch (in->op) {
    case PTX_OP_mov:
    case PTX_OP_cvta:
        return add_operand(l, &o[1], at, factor);
    case PTX_OP_cvt:
        return is_widening(in) && add_operand(l, &o[1], at, factor);
    case PTX_OP_add:
        return add_operand(l, &o[1], at, factor) &&
               add_operand(l, &o[2], at, factor);
    case PTX_OP_sub:
        return add_operand(l, &o[1], at, factor) &&
               add_operand(l, &o[2], at, -factor);
    case PTX_OP_shl:
        return is_times_constant && o[2].imm >= 0 && o[2].imm < 32 &&
               add_operand(l, &o[1], at, factor * (INT64_C(1) << o[2].imm));
    case PTX_OP_mul:
        return is_times_constant &&
               add_operand(l, &o[1], at, factor * o[2].imm);
    case PTX_OP_mad:
        return is_times_constant &&
               add_operand(l, &o[1], at, factor * o[2].imm) &&
               add_operand(l, &o[3], at, factor);
    case PTX_OP_or:
        return add_or(l, at, factor);
    default:
        return false;
    }
}

static bool add_param(struct look *l, const struct ptx_inst *in, int64_t factor)
{
    const struct ptx_operand *o = &in->operand[1];

    if (in->op != PTX_OP_ld || in->space != PTX_SPACE_param || in->vector > 1 ||
        !o->var || o->reg != PTX_NO_REG)
        return false;
    return add_term(l, (struct term){
                           .root = ROOT_PARAM,
                           .var = o->var,
                           .at = o->imm,
                           .is_pointer = ptx_type_size(in->type[0]) == 8,
                           .shape = {.group = SIMT_ALL_LANES},
                           .factor = factor,
                       });
}

static bool add_start(struct look *l, struct simt_place start, int64_t factor)
{
    const struct ptx_inst *in = &l->k->func->insts[start.inst];
    struct sum before = *l->sum;

    if (l->depth == MOST_DEPTH || l->tries++ >= MOST_TRIES)
        return false;
    l->depth++;
    bool is_sum = add_param(l, in, factor) || add_def(l, start, factor);
    l->depth--;
    if (!is_sum)
        *l->sum = before;
    return is_sum;
}

static bool add_reg(struct look *l, uint32_t reg, struct simt_place at,
                    int64_t factor)
{
    struct counter c;
    unsigned bits = ptx_type_bits(l->k->func->regs[reg].type);

    assert(reg < l->k->func->reg_count);
    if (!find_counter(l->k, reg, at, &c))
        return false;
    if (c.may_have_stepped) {
        if (l->sum->step)
            return false;
        l->sum->step = c.least * factor;
        l->sum->has_stepped = c.has_stepped;
    }
    return add_start(l, c.start, factor) ||
           add_term(l, (struct term){.root = ROOT_REG,
                                     .reg = reg,
                                     .def = c.start,
                                     .is_pointer = bits == 64,
                                     .shape = l->k->shapes[reg],
                                     .factor = factor});
}

static bool add_operand(struct look *l, const struct ptx_operand *o,
                        struct simt_place at, int64_t factor)
{
    switch (o->kind) {
    case PTX_OPERAND_imm:
        l->sum->offset += factor * o->imm;
        return true;
    case PTX_OPERAND_reg:
        return add_reg(l, o->reg, at, factor);
    case PTX_OPERAND_sreg:
        return add_term(
            l,
            (struct term){.root = ROOT_SREG,
                          .sreg = o->sreg,
                          .shape = simt_sreg_value(&l->k->spec, o->sreg).shape,
                          .factor = factor});
    case PTX_OPERAND_var:
    case PTX_OPERAND_address:
        l->sum->offset += factor * o->imm;
        if (o->var &&
            !add_term(l, (struct term){.root = ROOT_VAR,
                                       .var = o->var,
                                       .is_pointer = true,
                                       .shape = {.group = SIMT_ALL_LANES},
                                       .factor = factor}))
            return false;
        return o->reg == PTX_NO_REG || add_reg(l, o->reg, at, factor);
    default:
        return false;
    }
}

/* ---- two accesses ------------------------------------------------------- */

struct access {
    const struct ptx_inst *in;
    struct sum sum;
    const struct term *object; /* the object of the address; NULL: not known */
    int64_t size;
};

static bool look_at(const struct simt_waits *s, uint32_t inst, uint32_t block,
                    struct access *a)
{
    const struct ptx_inst *in = &s->k->func->insts[inst];
    const struct ptx_operand *o = ptx_address_of(in);
    struct look l = {.w = s->w, .k = s->k, .sum = &a->sum};

    assert(inst < s->k->func->inst_count);
    *a = (struct access){.in = in};
    if (!o || in->type_count == 0 ||
        !add_operand(&l, o, (struct simt_place){inst, block}, 1))
        return false;
    a->size = (int64_t)ptx_type_size(in->type[0]) * ptx_vector_width(in);
    unsigned pointers = 0;
    for (unsigned i = 0; i < a->sum.count; i++)
        if (a->sum.terms[i].is_pointer && a->sum.terms[i].factor == 1) {
            a->object = &a->sum.terms[i];
            pointers++;
        }
    if (pointers != 1)
        a->object = NULL;
    return true;
}

/* Does each lane write as much as the accessed type says? Matrix stores do
 * not. */
static bool has_size(const struct ptx_inst *in)
{
    return in->op == PTX_OP_st || ptx_is_atomic(in);
}

static bool is_in_other_space(const struct ptx_inst *a,
                              const struct ptx_inst *b)
{
    return (a->space == PTX_SPACE_global && b->space == PTX_SPACE_shared) ||
           (a->space == PTX_SPACE_shared && b->space == PTX_SPACE_global);
}

/* How far apart the values of the term in two lanes may be; negative: any
 * distance. */
static int64_t term_spread(const struct simt_kernel *k, const struct term *t)
{
    int64_t stride = t->shape.stride * t->factor;

    if (t->shape.group != SIMT_ALL_LANES || t->shape.is_conditional ||
        stride > INT32_MAX || stride < -INT32_MAX)
        return -1;
    return (stride < 0 ? -stride : stride) * (simt_coarse_lanes(&k->spec) - 1);
}

/* Do the sums have the same summands, so that they differ only by their
 * offsets? */
static bool differ_by_offset(const struct sum *a, const struct sum *b)
{
    if (a->step || b->step || a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++) {
        unsigned j = 0;
        while (j < b->count && !is_same_root(&a->terms[i], &b->terms[j]))
            j++;
        if (j == b->count || a->terms[i].factor != b->terms[j].factor)
            return false;
    }
    return true;
}

/* Do both registers come from loads of different places, such as two members
 * of a structure? The same place may also be loaded twice. */
static bool are_from_different_places(const struct simt_waits *s,
                                      const struct term *a,
                                      const struct term *b)
{
    struct access from[2];
    const struct term *const t[2] = {a, b};

    for (unsigned i = 0; i < 2; i++)
        if (s->k->func->insts[t[i]->def.inst].op != PTX_OP_ld ||
            !look_at(s, t[i]->def.inst, t[i]->def.block, &from[i]))
            return false;
    if (a->def.inst == b->def.inst) /* a vector */
        return true;
    if (differ_by_offset(&from[0].sum, &from[1].sum)) {
        int64_t apart = from[0].sum.offset - from[1].sum.offset;
        return apart >= from[1].size || -apart >= from[0].size;
    }
    return from[0].object && from[1].object &&
           from[0].object->root != ROOT_REG &&
           from[1].object->root != ROOT_REG &&
           !is_same_root(from[0].object, from[1].object);
}

/* A pointer from memory may point anywhere, also to the object of another
 * register. */
static bool are_different_objects(const struct simt_waits *s,
                                  const struct term *a, const struct term *b)
{
    if (!a || !b || is_same_root(a, b))
        return false;
    if (a->root != ROOT_REG && b->root != ROOT_REG)
        return true;
    return a->root == ROOT_REG && b->root == ROOT_REG &&
           are_from_different_places(s, a, b);
}

/* The direction from the write to the poll, -1 or 1; 0: perhaps the same
 * place. */
static int way_to(const struct simt_kernel *k, const struct access *poll,
                  const struct access *write)
{
    const struct sum *a = &poll->sum, *b = &write->sum;
    int64_t apart = a->offset - b->offset, reach = 0;

    if (b->step || a->count != b->count)
        return 0;
    for (unsigned i = 0; i < a->count; i++) {
        unsigned j = 0;
        while (j < b->count && !is_same_root(&a->terms[i], &b->terms[j]))
            j++;
        int64_t more = term_spread(k, &a->terms[i]);
        if (j == b->count || a->terms[i].factor != b->terms[j].factor ||
            more < 0)
            return 0;
        reach += more;
    }
    if (a->has_stepped)
        apart += a->step;
    reach += poll->size > write->size ? poll->size : write->size;
    if (a->step && (a->step < 0) != (apart < 0))
        return 0;
    if (apart >= reach)
        return 1;
    return apart <= -reach ? -1 : 0;
}

/* May lanes that poll give the sum's registers other values before lanes that
 * write use them? */
static bool may_change(const struct simt_waits *s, const struct sum *sum,
                       uint32_t poll_block)
{
    for (unsigned i = 0; i < sum->count; i++) {
        if (sum->terms[i].root != ROOT_REG)
            continue;
        const struct simt_loop *l = s->w->loop_of[sum->terms[i].def.block];
        for (; l; l = l->parent)
            if (simt_is_inside(l, poll_block))
                return true;
    }
    return false;
}

bool simt_writes_elsewhere(struct simt_waits *s, uint32_t inst, uint32_t block,
                           uint64_t *leans_on)
{
    struct access write, poll[SIMT_POLLS];
    bool is_one_table = true;

    assert(inst < s->k->func->inst_count && block < s->k->block_count);
    if (s->poll_count > SIMT_POLLS || s->has_hidden_polls ||
        !s->k->func->is_entry)
        return false;
    bool is_known = look_at(s, inst, block, &write) && has_size(write.in);
    for (unsigned i = 0; i < s->poll_count; i++) {
        const struct simt_place *at = &s->polls[i];
        if (!look_at(s, at->inst, at->block, &poll[i]))
            return false;
        is_one_table = is_one_table && poll[i].object &&
                       is_same_root(poll[i].object, poll[0].object);
    }
    for (unsigned i = 0; i < s->poll_count; i++) {
        if (is_in_other_space(poll[i].in, write.in))
            continue;
        if (!is_known)
            return false;
        if (are_different_objects(s, poll[i].object, write.object))
            continue;
        int way = is_one_table ? way_to(s->k, &poll[i], &write) : 0;
        if (!way || (s->way && way != s->way) ||
            may_change(s, &write.sum, s->polls[i].block))
            return false;
        s->way = way;
        for (unsigned j = 0; j < write.sum.count; j++)
            if (write.sum.terms[j].root == ROOT_REG)
                bits_add(leans_on, write.sum.terms[j].def.block);
    }
    return true;
}
