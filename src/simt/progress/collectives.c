/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives from several places: a .sync operation waits for the lanes in
 * its member mask, at whichever instruction of its kind they are. A warp in
 * step executes one instruction at a time, so a kernel where two instructions
 * may belong to one collective is compiled for one lane to a call.
 *
 * Two instructions belong together if, while some lanes are at the first,
 * others are on their way to the second with the same mask, and no other
 * operation of all lanes is in between. If all lanes join behind the first,
 * the second does not belong to it: a program in which only some come through
 * the first is wrong, and does what it seems to mean.
 *
 * Needs: the schedule, shapes.
 */
#include "simt/progress/progress.h"

/* Kinds of collectives whose members meet. */
enum kind { SHUFFLE, VOTE, MATCH, REDUX, BARRIER, ELECT, OTHER, KINDS };

/* The kinds in a function and its callees: those with all lanes as members,
 * and those with others. A mask made of the active lanes belongs to one place;
 * kind OTHER may have any mask. */
enum {
    ALL = 0,
    OTHERS = 8,
    OF_ALL_LANES = (1 << KINDS) - 1, /* any kind */
    VISITED = 1 << 15,
};

struct place {
    uint32_t inst, block;
    /* bits of kinds, shifted by ALL and OTHERS */
    uint16_t kinds;
    const struct ptx_operand *members; /* NULL: a call, or OTHER */
    bool is_apart; /* others may be on their way to a collective */
};

struct search {
    const struct simt_work *w;
    const struct simt_kernel *k;
    uint16_t *kinds; /* by function */
    uint64_t *leads; /* blocks from which a collective can be reached */
    struct place *places;
    size_t count;
    uint64_t *at, *done; /* blocks */
};

/* Does it wait for lanes that are elsewhere? Its suffixes tell; an opcode that
 * this file does not know does. */
static bool meets_others(const struct ptx_inst *in)
{
    return in->flags & PTX_FLAG_sync && !(in->flags & PTX_FLAG_aligned);
}

static int kind_of(const struct ptx_inst *in)
{
    assert(in->op < PTX_OP_COUNT);
    switch (in->op) {
    case PTX_OP_shfl:
        return SHUFFLE;
    case PTX_OP_vote:
        return VOTE;
    case PTX_OP_match:
        return MATCH;
    case PTX_OP_redux:
        return REDUX;
    case PTX_OP_bar:
    case PTX_OP_barrier:
        return BARRIER;
    case PTX_OP_elect:
        return ELECT;
    default:
        return meets_others(in) ? OTHER : KINDS;
    }
}

/* ---- member masks -------------------------------------------------------- */

/* Follows moves: an immediate, or a register with its definition if it has
 * only one. */
static const struct ptx_operand *resolve_operand(const struct ptx_func *f,
                                                 const struct ptx_operand *o,
                                                 const struct ptx_inst **def)
{
    for (unsigned depth = 0; depth < 8; depth++) {
        *def = NULL;
        if (o->kind != PTX_OPERAND_reg)
            return o;
        *def = ptx_only_def(f, o->reg);
        if (!*def || (*def)->op != PTX_OP_mov || (*def)->guard != PTX_NO_REG ||
            (*def)->operand[1].kind == PTX_OPERAND_vector)
            return o;
        o = &(*def)->operand[1];
    }
    return o;
}

/* Do the same operands give the same result in every lane? */
static bool is_function(const struct ptx_inst *in)
{
    return ptx_only_computes(in) && ptx_facts[in->op].result == PTX_RESULT_SAME;
}

static bool is_same_mask(const struct ptx_func *f, const struct ptx_operand *a,
                         const struct ptx_operand *b, unsigned depth)
{
    const struct ptx_inst *of_a, *of_b;

    a = resolve_operand(f, a, &of_a);
    b = resolve_operand(f, b, &of_b);
    if (a->kind != b->kind)
        return false;
    if (a->kind == PTX_OPERAND_imm)
        return (uint32_t)a->imm == (uint32_t)b->imm;
    if (a->kind == PTX_OPERAND_sreg)
        return a->sreg == b->sreg;
    if (a->kind != PTX_OPERAND_reg)
        return false;
    if (a->reg == b->reg)
        return true;
    if (!of_a || !of_b || depth > 4 || of_a->op != of_b->op ||
        of_a->operand_count != of_b->operand_count || !is_function(of_a))
        return false;
    for (unsigned i = 1; i < of_a->operand_count; i++)
        if (!is_same_mask(f, &of_a->operand[i], &of_b->operand[i], depth + 1))
            return false;
    return true;
}

static uint16_t kinds_of_inst(const struct ptx_func *f,
                              const struct ptx_inst *in)
{
    const struct ptx_inst *def;
    const struct ptx_operand *o = ptx_members(in);
    int kind = kind_of(in);

    if (kind == OTHER)
        return 1 << (OTHER + OTHERS);
    if (!o || o->kind == PTX_OPERAND_none || kind == KINDS)
        return 0;
    o = resolve_operand(f, o, &def);
    if (o->kind == PTX_OPERAND_imm)
        return (uint16_t)(1
                          << (kind +
                              ((uint32_t)o->imm == UINT32_MAX ? ALL : OTHERS)));
    bool is_of_those_here =
        def && (def->op == PTX_OP_activemask || def->op == PTX_OP_vote ||
                def->op == PTX_OP_match);
    return is_of_those_here ? 0 : (uint16_t)(1 << (kind + OTHERS));
}

/* ---- functions ----------------------------------------------------------- */

static uint16_t kinds_of_function(struct search *s, const struct ptx_func *f);

static uint16_t kinds_of_call(struct search *s, const struct ptx_inst *in)
{
    const struct ptx_module *m = s->k->module;
    uint16_t kinds = 0;

    if (in->call->func)
        return kinds_of_function(s, in->call->func);
    for (size_t i = 0; i < m->func_count; i++)
        if (m->funcs[i]->is_address_taken && !m->funcs[i]->is_entry)
            kinds |= kinds_of_function(s, m->funcs[i]);
    return kinds;
}

static uint16_t kinds_of_function(struct search *s, const struct ptx_func *f)
{
    uint16_t kinds = VISITED;

    if (s->kinds[f->index])
        return s->kinds[f->index] & (uint16_t)~VISITED;
    s->kinds[f->index] = VISITED;
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        kinds |=
            in->op == PTX_OP_call ? kinds_of_call(s, in) : kinds_of_inst(f, in);
    }
    s->kinds[f->index] = kinds;
    return kinds & (uint16_t)~VISITED;
}

/* ---- places -------------------------------------------------------------- */

static bool has_varying_guard(const struct simt_kernel *k,
                              const struct ptx_inst *in)
{
    return in->guard != PTX_NO_REG && simt_is_varying(k->shapes[in->guard]);
}

/* Do lanes that make the call together go into different functions? */
static bool is_varying_call(const struct simt_kernel *k,
                            const struct ptx_inst *in)
{
    return in->op == PTX_OP_call && !in->call->func &&
           !simt_is_uniform(k->shapes[in->call->reg]);
}

static void find_places(struct search *s)
{
    const struct simt_kernel *k = s->k;

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *in = &k->func->insts[i];
            const struct ptx_operand *o = ptx_members(in);
            int kind = kind_of(in);
            uint16_t kinds = 0;
            if (in->op == PTX_OP_call)
                kinds = kinds_of_call(s, in);
            else if (kind == OTHER)
                kinds = kinds_of_inst(k->func, in);
            else if (kind != KINDS && o && o->kind != PTX_OPERAND_none)
                kinds = (uint16_t)(1 << kind);
            if (!kinds)
                continue;
            s->places[s->count++] = (struct place){i, b, kinds, o, false};
            bits_add(s->leads, b);
        }
}

/* Adds the blocks from which those in `leads` can be reached. */
static void find_ways(struct search *s)
{
    const struct simt_kernel *k = s->k;
    bool has_grown = true;

    while (has_grown) {
        has_grown = false;
        for (uint32_t b = k->block_count; b-- > 0;)
            for (unsigned e = 0; e < k->blocks[b].edge_count; e++) {
                uint32_t to = k->blocks[b].edges[e].to;
                if (bits_has(s->leads, b) || to >= k->block_count ||
                    !bits_has(s->leads, to))
                    continue;
                bits_add(s->leads, b);
                has_grown = true;
            }
    }
}

static bool is_apart(const struct search *s, const struct place *p)
{
    const uint64_t *others = s->k->blocks[p->block].apart;

    for (uint32_t b = 0; b < s->k->block_count; b++)
        if (bits_has(others, b) && bits_has(s->leads, b))
            return true;
    return has_varying_guard(s->k, &s->k->func->insts[p->inst]);
}

/* ---- from one place to another ------------------------------------------- */

static bool belong_together(const struct search *s, const struct place *a,
                            const struct place *b)
{
    const struct ptx_func *f = s->k->func;

    if (a->members && b->members)
        return a->kinds == b->kinds &&
               is_same_mask(f, a->members, b->members, 0);
    if (!a->members && !b->members)
        return a->kinds & b->kinds;
    const struct place *inst = a->members ? a : b, *call = a->members ? b : a;
    uint16_t own = kinds_of_inst(f, &f->insts[inst->inst]);
    return own & call->kinds || own & (call->kinds >> OTHERS);
}

/* Does this instruction stop the lanes until those at `from` come as well? */
static bool stops_lanes(const struct search *s, const struct place *from,
                        const struct ptx_inst *in)
{
    const struct ptx_operand *o = ptx_members(in);

    if (in->guard != PTX_NO_REG)
        return false;
    if (o)
        return kinds_of_inst(s->k->func, in) & OF_ALL_LANES ||
               (from->members && is_same_mask(s->k->func, from->members, o, 0));
    return simt_is_block_barrier(in);
}

/* Does it change the lane's members? */
static bool redefines_members(const struct place *from,
                              const struct ptx_inst *in)
{
    return from->members && from->members->kind == PTX_OPERAND_reg &&
           ptx_defines(in, from->members->reg);
}

static const struct place *place_at(const struct search *s, uint32_t inst)
{
    assert(inst < s->k->func->inst_count);
    for (size_t i = 0; i < s->count; i++)
        if (s->places[i].inst == inst)
            return &s->places[i];
    return NULL;
}

/* Do all lanes at `from` also come to block b? */
static bool comes_behind(const struct simt_kernel *k, uint32_t from, uint32_t b)
{
    assert(from < k->block_count && b < k->block_count);
    while (from < k->block_count && from != b)
        from = k->blocks[from].ipdom;
    return from == b;
}

/* Have lanes parted at block b that may be together at `from`? */
static bool parts_again(const struct search *s, uint32_t from, uint32_t b)
{
    const uint64_t *then = s->k->blocks[from].pending;
    const uint64_t *now = s->k->blocks[b].pending;

    for (uint32_t i = 0; i < s->k->block_count; i++)
        if (bits_has(now, i) && !bits_has(then, i) && i != from)
            return true;
    return false;
}

/* Follows one block on the way of lanes that are not at `from`. True: a
 * partner was found. */
static bool follow_block(struct search *s, const struct place *from, uint32_t b)
{
    const struct simt_kernel *k = s->k;
    const struct simt_block *bb = &k->blocks[b];

    for (uint32_t i = bb->first; i < bb->end; i++) {
        const struct ptx_inst *in = &k->func->insts[i];
        const struct place *p = kind_of(in) != KINDS || in->op == PTX_OP_call
                                    ? place_at(s, i)
                                    : NULL;
        if (p && belong_together(s, from, p) &&
            (p->is_apart || !comes_behind(k, from->block, b) ||
             parts_again(s, from->block, b)))
            return true;
        if (stops_lanes(s, from, in) || redefines_members(from, in))
            return false;
    }
    for (unsigned e = 0; e < bb->edge_count; e++)
        if (bb->edges[e].to < k->block_count)
            bits_add(s->at, bb->edges[e].to);
    return false;
}

/* Can lanes that are elsewhere come to an instruction that belongs to this
 * one? */
static bool has_partner(struct search *s, const struct place *from)
{
    const struct simt_kernel *k = s->k;
    const struct ptx_inst *in = &k->func->insts[from->inst];
    size_t words = s->w->block_words;
    bool has_more = true;

    if (is_varying_call(k, in))
        return true;
    memcpy(s->at, k->blocks[from->block].apart, words * sizeof *s->at);
    memset(s->done, 0, words * sizeof *s->done);
    if (has_varying_guard(k, in))
        bits_add(s->at, from->block);
    while (has_more) {
        has_more = false;
        for (uint32_t b = 0; b < k->block_count; b++) {
            if (!bits_has(s->at, b) || bits_has(s->done, b) ||
                !bits_has(s->leads, b))
                continue;
            bits_add(s->done, b);
            has_more = true;
            if (follow_block(s, from, b))
                return true;
        }
    }
    return false;
}

bool simt_may_diverge_collectives(const struct ptx_func *f)
{
    unsigned count = 0;

    for (size_t i = 0; i < f->inst_count && f->label_count > 0; i++)
        count += kinds_of_inst(f, &f->insts[i]) != 0 ||
                 f->insts[i].op == PTX_OP_call;
    return count > 1;
}

bool simt_has_divergent_collectives(const struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    struct search s = {
        .w = w,
        .k = k,
        .kinds = arena_array(k->arena, uint16_t, k->module->func_count + 1),
        .leads = arena_array(k->arena, uint64_t, w->block_words),
        .at = arena_array(k->arena, uint64_t, w->block_words),
        .done = arena_array(k->arena, uint64_t, w->block_words),
        .places = arena_array(k->arena, struct place, k->func->inst_count + 1),
    };

    if (!k->has_warp_ops)
        return false;
    find_places(&s);
    find_ways(&s);
    for (size_t i = 0; i < s.count; i++)
        s.places[i].is_apart = is_apart(&s, &s.places[i]);
    for (size_t i = 0; i < s.count; i++) {
        const struct ptx_inst *in = &k->func->insts[s.places[i].inst];
        if ((s.places[i].is_apart || is_varying_call(k, in)) &&
            has_partner(&s, &s.places[i]))
            return true;
    }
    return false;
}
