/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that wait, and for whom. Warps and blocks that wait need yield points.
 * Lanes that wait for lanes of their own warp need more, as a warp in step
 * executes what is behind a loop only when its last lane has left it: such a
 * kernel is compiled for one lane to a call.
 *
 * Lanes may wait for each other if, while some are in the loop, others are
 * where they could go on to write memory, and no barrier or warp operation of
 * all lanes keeps them from it. Where others may be is what apart.c leaves of
 * the pending sets.
 *
 * Needs: the schedule, shapes, dominators. Leaves: has_waits, lanes_may_wait;
 * what spin_loops.c leaves.
 */
#include "simt/progress/progress.h"

/* ---- functions as a whole ----------------------------------------------- */

/* An atomic operation with a number that the caller gives, with which it may
 * change nothing. */
static bool is_as_told(const struct ptx_func *f, const struct ptx_inst *in)
{
    if (in->op != PTX_OP_atom || f->is_entry)
        return false;
    const struct ptx_operand *o = &in->operand[2];
    for (unsigned depth = 0; depth < 4; depth++) {
        if (o->kind != PTX_OPERAND_reg)
            return false;
        const struct ptx_inst *def = ptx_only_def(f, o->reg);
        if (!def) /* a parameter that is a register */
            return true;
        if (def->op != PTX_OP_mov)
            return def->op == PTX_OP_ld && def->space == PTX_SPACE_param;
        o = &def->operand[1];
    }
    return false;
}

static void summarise_function(struct simt_waits *s, const struct ptx_func *f)
{
    uint8_t found = SIMT_SUMMARY_VISITED;

    s->summary[f->index] = SIMT_SUMMARY_VISITED;
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (simt_is_poll(in) || is_as_told(f, in))
            found |= SIMT_SUMMARY_WATCHES;
        if (simt_is_write(in))
            found |= SIMT_SUMMARY_WRITES;
        if (in->op != PTX_OP_call)
            continue;
        const struct ptx_func *callee = in->call->func;
        if (!callee) { /* indirect: any function */
            found |= SIMT_SUMMARY_WATCHES | SIMT_SUMMARY_WRITES;
            continue;
        }
        if (!s->summary[callee->index])
            summarise_function(s, callee);
        found |= s->summary[callee->index];
    }
    s->summary[f->index] = found;
}

uint8_t simt_summary_of_call(const struct simt_waits *s,
                             const struct ptx_inst *in)
{
    assert(in->op == PTX_OP_call);
    const struct ptx_func *callee = in->call->func;
    return callee ? s->summary[callee->index]
                  : SIMT_SUMMARY_WATCHES | SIMT_SUMMARY_WRITES;
}

/* ---- who it may wait for ------------------------------------------------ */

static bool names_all_lanes(const struct ptx_func *f,
                            const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_reg) {
        const struct ptx_inst *def = ptx_only_def(f, o->reg);
        if (!def || def->op != PTX_OP_mov || def->guard != PTX_NO_REG)
            return false;
        o = &def->operand[1];
    }
    return simt_is_imm(o, -1) || simt_is_imm(o, UINT32_MAX);
}

static bool is_coarse(const struct simt_waits *s)
{
    return s->k->spec.warp_count > 1;
}

/* No lane passes this before all lanes of its warp have come; in a coarse
 * warp, before all warps of the block have. */
static bool is_collective(const struct simt_waits *s, const struct ptx_inst *in)
{
    const struct ptx_func *f = s->k->func;
    bool is_barrier = ptx_is_barrier(in);

    if (in->guard != PTX_NO_REG)
        return false;
    if (is_coarse(s) && (!is_barrier || in->sub == PTX_SUB_warp))
        return false;
    const struct ptx_operand *members = ptx_members(in);
    return members ? names_all_lanes(f, members)
                   : is_barrier && in->sub != PTX_SUB_arrive;
}

/* May the instruction write what a loop waits for? */
static bool may_be_waited_for(struct simt_waits *s, uint32_t inst,
                              uint32_t block, uint64_t *leans_on)
{
    const struct ptx_inst *in = &s->k->func->insts[inst];

    assert(inst < s->k->func->inst_count && block < s->k->block_count);
    if (in->op == PTX_OP_call)
        return simt_summary_of_call(s, in) & SIMT_SUMMARY_WRITES;
    if (in->op == PTX_OP_cp)
        return is_coarse(s);
    if (in->op == PTX_OP_mbarrier) /* divergent_sync.c does these */
        return false;
    return simt_is_write(in) &&
           !simt_writes_elsewhere(s, inst, block, leans_on);
}

/* Can lanes at the blocks `at` come to write memory for which the loop may
 * wait? Adds the blocks that they reach to the set. */
static bool can_reach_write(struct simt_waits *s, uint64_t *at)
{
    const struct simt_kernel *k = s->k;
    bool has_grown = true;
    size_t words = bits_words((size_t)k->block_count + 1);
    uint64_t *leans_on = arena_array(k->arena, uint64_t, words);
    uint64_t *done = arena_array(k->arena, uint64_t, words);

    while (has_grown) {
        has_grown = false;
        for (uint32_t b = 0; b < k->block_count; b++) {
            const struct simt_block *bb = &k->blocks[b];
            if (!bits_has(at, b) || bits_has(done, b))
                continue;
            bits_add(done, b);
            uint32_t i = bb->first;
            for (; i < bb->end; i++) {
                const struct ptx_inst *in = &k->func->insts[i];
                if (is_collective(s, in))
                    break;
                if (may_be_waited_for(s, i, b, leans_on))
                    return true;
            }
            if (i < bb->end)
                continue;
            for (unsigned e = 0; e < bb->edge_count; e++) {
                uint32_t to = bb->edges[e].to;
                if (to == SIMT_NO_BLOCK) {
                    /* The caller may write. */
                    if (!k->func->is_entry)
                        return true;
                    continue;
                }
                if (!bits_has(at, to)) {
                    bits_add(at, to);
                    has_grown = true;
                }
            }
        }
    }
    for (uint32_t b = 0; b < k->block_count; b++)
        if (bits_has(done, b) && bits_has(leans_on, b))
            return true;
    return false;
}

/* All lanes of the warp meet in every iteration, so that no lane is
 * elsewhere. */
static bool keeps_lanes_together(const struct simt_waits *s)
{
    const struct simt_kernel *k = s->k;

    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++)
            if (is_collective(s, &k->func->insts[i]) &&
                !s->loop->is_irreducible && simt_is_in_every_iteration(s, b))
                return true;
    return false;
}

static bool may_wait_for_lanes(struct simt_waits *s)
{
    const struct simt_kernel *k = s->k;
    uint64_t *at = arena_array(k->arena, uint64_t, s->w->block_words);
    uint32_t one_lane = simt_one_lane_from(k, s->loop->first);

    if (keeps_lanes_together(s))
        return false;
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        bits_union(at, k->blocks[b].apart, s->w->block_words);
    for (uint32_t b = 0; b < k->block_count; b++) {
        if (!bits_has(at, b))
            continue;
        /* Inside, lanes have their turn in each iteration. Behind a loop of
         * one lane, no other lane is there while it runs. */
        if (simt_is_inside(s->loop, b) ||
            (one_lane != SIMT_NO_BLOCK && simt_dominates(k, one_lane, b)))
            bits_remove(at, b);
    }
    return can_reach_write(s, at);
}

/* ---- all loops ---------------------------------------------------------- */

typedef void loop_fn(struct simt_waits *s);

static void for_each_loop(struct simt_waits *s, loop_fn *fn)
{
    for (uint32_t b = 0; b < s->k->block_count && simt_can_go_on(s->w, 0); b++)
        for (s->loop = s->w->loop_of[b]; s->loop && s->loop->first == b;
             s->loop = s->loop->parent)
            fn(s);
}

static void look_at_loop(struct simt_waits *s)
{
    const struct simt_loop *l = s->loop;

    assert(s->loop);
    s->k->lanes_may_wait |= simt_has_divergent_votes(s->w, l);
    if (s->poll_count == 0)
        return;
    simt_find_polls(s);
    if (!s->has_found)
        return;
    s->k->has_waits = true;
    /* Lanes of one warp mostly come to an mbarrier together, warps do not. */
    if (is_coarse(s)
            ? s->is_for_mbarrier || may_wait_for_lanes(s)
            : (s->is_between_threads && may_wait_for_lanes(s)) ||
                  (s->is_for_mbarrier && simt_arrives_divergently(s->w, l)))
        s->k->lanes_may_wait = true;
}

/* Does the kernel call functions that may poll memory in loops of their
 * own? */
static bool calls_poll(const struct simt_waits *s)
{
    for (size_t i = 0; i < s->k->func->inst_count; i++)
        if (s->k->func->insts[i].op == PTX_OP_call &&
            simt_summary_of_call(s, &s->k->func->insts[i]) &
                SIMT_SUMMARY_WATCHES)
            return true;
    return false;
}

/* ---- calls that wait ----------------------------------------------------- */

static bool call_waits(const struct simt_waits *s, const struct ptx_inst *call)
{
    const struct ptx_module *m = s->k->module;
    const struct ptx_func *callee = call->call->func;

    assert(call->op == PTX_OP_call);
    if (callee)
        return s->summary[callee->index] & SIMT_SUMMARY_WAITS;
    for (size_t i = 0; i < m->func_count; i++)
        if (m->funcs[i]->is_address_taken && s->summary[i] & SIMT_SUMMARY_WAITS)
            return true;
    return false;
}

/* Functions that call a function which waits do wait, too. */
static void histogram_waits(struct simt_waits *s)
{
    const struct ptx_module *m = s->k->module;
    bool has_grown = true;

    while (has_grown) {
        has_grown = false;
        for (size_t i = 0; i < m->func_count; i++) {
            const struct ptx_func *f = m->funcs[i];
            if (!s->summary[i] || s->summary[i] & SIMT_SUMMARY_WAITS)
                continue;
            for (size_t j = 0; j < f->inst_count; j++)
                if (f->insts[j].op == PTX_OP_call &&
                    call_waits(s, &f->insts[j])) {
                    s->summary[i] |= SIMT_SUMMARY_WAITS;
                    has_grown = true;
                    break;
                }
        }
    }
}

/* Lanes that make the call may go into different functions. */
static bool parts_lanes(const struct simt_kernel *k, const struct ptx_inst *in)
{
    return !in->call->func && !simt_is_uniform(k->shapes[in->call->reg]);
}

/* May lanes that have gone another way be about to write what others wait for
 * in a function that they call? */
static bool may_wait_in_call(struct simt_waits *s, uint32_t b, uint32_t inst)
{
    const struct simt_kernel *k = s->k;
    const struct ptx_inst *in = &k->func->insts[inst];
    uint64_t *at =
        arena_array(k->arena, uint64_t, bits_words((size_t)k->block_count + 1));
    uint32_t one_lane = simt_one_lane_from(k, b);

    if (!call_waits(s, in))
        return false;
    if (parts_lanes(k, in))
        return true;
    for (uint32_t p = 0; p < k->block_count; p++)
        if (bits_has(k->blocks[b].apart, p) &&
            (one_lane == SIMT_NO_BLOCK || !simt_dominates(k, one_lane, p)))
            bits_add(at, p);
    return can_reach_write(s, at);
}

/* For a function as it is compiled, k; the summaries are the kernel's. */
static bool has_waiting_calls(const struct simt_waits *of_kernel,
                              struct simt_kernel *k)
{
    struct simt_work w = {.k = k};
    struct simt_waits s = {.w = &w,
                           .k = k,
                           .summary = of_kernel->summary,
                           .has_hidden_polls = true};

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++)
            if (k->func->insts[i].op == PTX_OP_call &&
                may_wait_in_call(&s, b, i))
                return true;
    return false;
}

/* Analyses a function that the kernel calls and that has loops. */
static struct simt_kernel *look_at_callee(struct simt_waits *s,
                                          const struct ptx_func *f)
{
    struct diag ignored; /* reported when the function is compiled */
    struct simt_spec spec = s->k->spec;

    diag_init(&ignored);
    struct simt_kernel *k =
        simt_build(s->k->arena, s->k->module, f, &spec, &ignored);
    diag_fini(&ignored);
    if (!k)
        return NULL;
    s->k->has_waits |= k->has_waits;
    s->k->lanes_may_wait |= k->lanes_may_wait;
    if (k->has_waits)
        s->summary[f->index] |= SIMT_SUMMARY_WAITS;
    return k;
}

void simt_find_waits(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    struct simt_waits s = {.w = w, .k = k};
    size_t func_count = k->module->func_count;

    simt_find_apart(w);
    s.summary = arena_array(k->arena, uint8_t, func_count + 1);
    summarise_function(&s, k->func);
    simt_find_defs(&s);
    s.seen = arena_array(k->arena, uint64_t, w->reg_words);
    s.stack = arena_array(k->arena, uint32_t, k->func->reg_count + 1);
    for_each_loop(&s, simt_find_polls);
    s.has_hidden_polls = calls_poll(&s);
    for_each_loop(&s, look_at_loop);
    k->lanes_may_wait |= simt_has_divergent_collectives(w);
    if (!k->func->is_entry || !k->has_calls)
        return;
    struct simt_kernel **callees =
        arena_array(k->arena, struct simt_kernel *, func_count);
    for (size_t i = 0; i < func_count; i++) {
        const struct ptx_func *f = k->module->funcs[i];
        bool is_called =
            s.summary[i] || (k->has_indirect_calls && f->is_address_taken);
        if (f == k->func || f->is_declaration || f->is_prototype || !is_called)
            continue;
        if (!s.summary[i])
            summarise_function(&s, f);
        if (s.summary[i] & SIMT_SUMMARY_WATCHES ||
            simt_may_diverge_collectives(f))
            callees[i] = look_at_callee(&s, f);
    }
    if (!k->has_waits || k->lanes_may_wait)
        return;
    histogram_waits(&s);
    k->lanes_may_wait = has_waiting_calls(&s, k);
    for (size_t i = 0; i < func_count && !k->lanes_may_wait; i++)
        k->lanes_may_wait = callees[i] && has_waiting_calls(&s, callees[i]);
}
