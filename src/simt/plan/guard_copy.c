/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks behind a bounds test, `if (i < n)`. Most warps pass it as a whole, as
 * the first and the last lane show: they run a copy of the block without
 * masks. This pays with AVX-512, too: a masked store of 64 bytes takes some
 * cycles, and the masks of a warp's parts fill the mask registers. So a test
 * that nothing else asks for is not made before some lane may fail it. One that
 * stands in an earlier block is asked again if what it compares never changes:
 * loads and stores of an unrolled loop often have their tests in common.
 */
#include "simt/plan/internal.h"

enum { COPY_INSTS = 64 };

static bool is_lone(const struct simt_kernel *k, uint32_t from, uint32_t b)
{
    const struct simt_block *bb = &k->blocks[b];

    return b > from && bb->pred_count == 1 && bb->preds[0] == from &&
           (bb->kind == SIMT_END_JUMP || bb->kind == SIMT_END_RETURN) &&
           bb->has_mask_variable &&
           bb->loop_depth == k->blocks[from].loop_depth &&
           !bb->ends_with_turn && bb->end - bb->first <= COPY_INSTS;
}

static bool is_worth_it(const struct simt_plan *p)
{
    const struct simt_machine *m = p->machine;

    return m->is_x86 && p->k->spec.lane_count > 1 && p->k->func->is_entry &&
           p->part_count == 0;
}

/* By register. Instructions count from 1. */
struct definitions {
    const struct simt_kernel *k;
    uint32_t *def;           /* the only definition; 0: none; or SEVERAL */
    bool *is_kept;           /* made once, and never changed */
    uint32_t *uses, *guards; /* instructions; blocks with a copy behind it */
    uint32_t at, block;
};
enum { SEVERAL = UINT32_MAX };

static void count_def(void *data, uint32_t reg)
{
    struct definitions *d = data;

    d->is_kept[reg] =
        d->def[reg] == 0 && d->k->blocks[d->block].loop_depth == 0;
    d->def[reg] = d->def[reg] ? SEVERAL : d->at;
}

static void count_use_of(void *data, uint32_t reg)
{
    struct definitions *d = data;

    d->uses[reg]++;
}

static struct definitions find_definitions(const struct simt_kernel *k)
{
    size_t regs = k->func->reg_count + 1;
    struct definitions d = {
        .k = k,
        .def = arena_array(k->arena, uint32_t, regs),
        .is_kept = arena_array(k->arena, bool, regs),
        .uses = arena_array(k->arena, uint32_t, regs),
        .guards = arena_array(k->arena, uint32_t, regs),
    };

    plan_for_each_inst(k, b, i)
    {
        d.at = i + 1;
        d.block = b;
        ptx_for_each_def(&k->func->insts[i], count_def, &d);
        ptx_for_each_use(&k->func->insts[i], count_use_of, &d);
    }
    return d;
}

static bool is_kept_operand(const struct definitions *d,
                            const struct ptx_operand *o)
{
    assert(o);
    return o->kind == PTX_OPERAND_imm ||
           (o->kind == PTX_OPERAND_reg && d->is_kept[o->reg]);
}

/* Has an earlier block made the condition, once and for all? */
static bool is_early_exit(struct simt_plan *p, const struct definitions *d,
                          uint32_t b, unsigned edge,
                          struct simt_affine_compare *pass)
{
    uint32_t condition = p->k->blocks[b].condition;
    const struct ptx_inst *insts = p->k->func->insts;

    if (!d->is_kept[condition] ||
        !plan_is_affine_exit_by(p->k, b, edge, &insts[d->def[condition] - 1],
                                pass) ||
        !is_kept_operand(d, pass->affine) || !is_kept_operand(d, pass->uniform))
        return false;
    p->regs[pass->affine->reg].is_exposed = true;
    if (pass->uniform->kind == PTX_OPERAND_reg)
        p->regs[pass->uniform->reg].is_exposed = true;
    return true;
}

/* The condition's definition, if all it makes is this condition; else 0. */
static uint32_t lone_test(const struct definitions *d, uint32_t condition)
{
    uint32_t def = d->def[condition];

    assert(def != 0);
    if (def == SEVERAL)
        return 0;
    const struct ptx_inst *test = &d->k->func->insts[def - 1];
    return test->operand[1].kind == PTX_OPERAND_reg ? 0 : def; /* p|q */
}

static void plan_guard(struct simt_plan *p, struct definitions *d, uint32_t b)
{
    const struct simt_block *bb = &p->k->blocks[b];
    struct simt_affine_compare pass;

    assert(p->guards[b].guarded == 0);
    if (bb->kind != SIMT_END_VARYING || bb->edge_count != 2 ||
        bb->condition == PTX_NO_REG || p->loops[b].has_full_copy)
        return;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t to = bb->edges[i].to;
        if (to == SIMT_NO_BLOCK || !is_lone(p->k, b, to) ||
            (!plan_is_affine_exit(p->k, b, i, &pass) &&
             !is_early_exit(p, d, b, i, &pass)))
            continue;
        /* What is affine unless it wraps is whole at its definition only. */
        bool is_certain = !p->k->shapes[pass.affine->reg].is_conditional;
        p->guards[b] = (struct simt_guard_plan){
            to, pass, is_certain ? lone_test(d, bb->condition) : 0};
        d->guards[bb->condition]++;
        plan_note(p, (struct simt_note){.of = SIMT_OF_BLOCK,
                                        .at = to,
                                        .decision = SIMT_DECIDED_GUARD_COPY});
        return;
    }
}

/* A test that guards ask, and nothing else, is made where lanes may fail. */
static void put_off_tests(struct simt_plan *p, const struct definitions *d)
{
    for (uint32_t b = 0; b < p->k->block_count; b++) {
        struct simt_guard_plan *g = &p->guards[b];
        uint32_t condition = p->k->blocks[b].condition;
        if (!g->late_test)
            continue;
        assert(g->guarded && d->uses[condition] >= d->guards[condition]);
        if (d->uses[condition] != d->guards[condition]) {
            g->late_test = 0;
            continue;
        }
        if (p->code[g->late_test - 1])
            plan_take(p, g->late_test - 1, SIMT_DECIDED_LATE_TEST);
        p->code[g->late_test - 1] = NULL;
    }
}

void plan_guard_copies(struct simt_plan *p)
{
    assert(p->regs); /* is_exposed is known, and grows */
    if (!is_worth_it(p))
        return;
    struct definitions d = find_definitions(p->k);
    for (uint32_t b = 0; b < p->k->block_count; b++)
        plan_guard(p, &d, b);
    put_off_tests(p, &d);
}
