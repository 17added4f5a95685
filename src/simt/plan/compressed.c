/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed stores: active lanes store side by side, as a compaction by
 * ballots, prefix sums or aggregated atomics does. An active lane's place is
 * the first one's, plus the number of active lanes below it. No analysis shows
 * that, but it costs little to test at run time; then values are compressed in
 * registers and written at once. A scatter takes about as long as a store for
 * each lane.
 *
 * The test is made where an address comes from something that ranks lanes: a
 * count of bits, or another lane's value. That is a guess about programs, not
 * a fact about opcodes; where it is wrong, a test was useless, or a scatter
 * stays one.
 */
#include "simt/plan/internal.h"

enum { STEPS_MAX = 10, ROUNDS_MAX = 3 };

static bool is_ranking(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_popc || inst->op == PTX_OP_shfl ||
           inst->op == PTX_OP_atom;
}

struct search {
    const struct simt_kernel *k;
    /* by register: steps that may follow; 0: it is not made from ranks */
    uint8_t *left;
    uint8_t made;  /* of the present instruction */
    bool has_changed;
};

static void look_at_source(void *data, uint32_t reg)
{
    struct search *s = data;

    if (simt_is_varying(s->k->shapes[reg]) && s->left[reg] > s->made + 1)
        s->made = s->left[reg] - 1;
}

static void note_def(void *data, uint32_t reg)
{
    struct search *s = data;

    if (s->left[reg] < s->made) {
        s->left[reg] = s->made;
        s->has_changed = true;
    }
}

/* Visits the function, twice, as a loop may carry ranks back. */
static void find_ranks(struct search *s)
{
    const struct ptx_func *f = s->k->func;
    bool has_any = false;

    for (size_t i = 0; i < f->inst_count && !has_any; i++)
        has_any = is_ranking(&f->insts[i]);
    s->has_changed = has_any;
    for (int round = 0; round < ROUNDS_MAX && s->has_changed; round++) {
        s->has_changed = false;
        for (size_t i = 0; i < f->inst_count; i++) {
            s->made = is_ranking(&f->insts[i]) ? STEPS_MAX : 0;
            if (!s->made && f->insts[i].op != PTX_OP_ld)
                ptx_for_each_use(&f->insts[i], look_at_source, s);
            if (s->made)
                ptx_for_each_def(&f->insts[i], note_def, s);
        }
    }
}

/* By register: is it made from ranks? Computed at the first call. */
static const uint8_t *ranks_of(struct simt_plan *p)
{
    if (!p->ranks) {
        p->ranks = arena_array(p->k->arena, uint8_t, p->k->func->reg_count + 1);
        find_ranks(&(struct search){.k = p->k, .left = p->ranks});
    }
    return p->ranks;
}

bool plan_may_compress(struct simt_plan *p, uint32_t i, unsigned size)
{
    const struct simt_kernel *k = p->k;
    uint32_t reg = p->code[i]->operand[0].reg;

    assert(size > 0 && i < p->k->func->inst_count);
    return p->machine->has_avx512 && k->spec.lane_count == SIMT_LANES &&
           (size == 4 || size == 8) && reg != PTX_NO_REG &&
           simt_is_varying(k->shapes[reg]) && ranks_of(p)[reg] > 0;
}
