/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose threads run one after the other because vectors would not pay
 * (cost_model.c), while the costly cases may be rare. Rows of a sparse matrix
 * often have equally many entries, lie behind each other in memory, and refer
 * to neighbouring columns. So there is a second form of the kernel, for 32
 * threads in step, without masks. It tests at every branch whether all go the
 * same way, and at every load whether the addresses are at equal distances,
 * not far apart. If not, it gives up, and the threads run one after the other
 * from the kernel's start. So nothing that others can see may happen before a
 * place where it may give up.
 */
#include "simt/plan/internal.h"

enum {
    INSTS_MAX = 256, /* of a kernel, which is compiled twice */
    LOADS_MAX = 32,  /* with a test */
};

static void refuse_lockstep(struct simt_plan *p, enum simt_reason why,
                            int64_t line)
{
    plan_note(p, (struct simt_note){.of = SIMT_OF_KERNEL,
                                    .decision = SIMT_DECIDED_LOCKSTEP,
                                    .reason = why,
                                    .number = line});
}

bool plan_may_be_lockstep(const struct simt_kernel *k)
{
    const uint32_t *n = k->spec.block;

    return k->func->is_entry && (uint64_t)n[0] * n[1] * n[2] >= SIMT_LANES &&
           !k->has_calls && !k->has_barrier && !k->has_warp_ops &&
           !k->has_waits && !k->spec.is_cluster && !k->spec.tests_alignment &&
           k->func->inst_count <= INSTS_MAX;
}

static bool has_loop(const struct simt_kernel *k)
{
    for (uint32_t b = 0; b < k->block_count; b++)
        if (k->blocks[b].loop_depth > 0)
            return true;
    return false;
}

/* ---- loads and stores ---------------------------------------------------- */

/* A load at an unknown address that can be tested. */
static bool is_spaced(const struct simt_access_plan *plan)
{
    const struct simt_access *a = &plan->access;

    return plan->way == SIMT_WAY_EACH && simt_is_varying(a->shape) &&
           !a->is_volatile && !a->is_own && !a->is_whole &&
           (a->size == 4 || a->size == 8) &&
           (a->space == PTX_SPACE_global || a->space == PTX_SPACE_generic ||
            a->space == PTX_SPACE_const);
}

/* Does it take no longer in step than one after the other? */
static bool is_cheap(const struct simt_access_plan *plan)
{
    const struct simt_access *a = &plan->access;
    int64_t stride = a->shape.stride;

    return plan->way != SIMT_WAY_EACH || simt_is_uniform(a->shape) ||
           (!simt_is_varying(a->shape) && stride <= SIMT_NEAR_BYTES &&
            stride >= -SIMT_NEAR_BYTES);
}

static bool is_plain_access(const struct ptx_inst *in)
{
    return (in->op == PTX_OP_ld || in->op == PTX_OP_ldu ||
            in->op == PTX_OP_st) &&
           ptx_is_relaxed(in->sem) && in->space != PTX_SPACE_local &&
           !(in->flags & (PTX_FLAG_async | PTX_FLAG_bulk));
}

struct reach {
    const struct simt_kernel *k;
    uint64_t *regs; /* registers that the address is made of */
    bool has_grown, is_loaded;
};

static void see_reg(void *data, uint32_t reg)
{
    struct reach *r = data;

    r->has_grown |= !bits_has(r->regs, reg);
    bits_add(r->regs, reg);
}

static void see_definition(struct reach *r, uint32_t b, uint32_t i)
{
    const struct ptx_inst *in = &r->k->func->insts[i];
    const struct ptx_operand *d = &in->operand[0];

    if (d->kind != PTX_OPERAND_reg || ptx_writes_memory(in) ||
        !bits_has(r->regs, d->reg) || simt_is_uniform(r->k->shapes[d->reg]))
        return;
    if (ptx_address_of(in))
        r->is_loaded |= r->k->blocks[b].loop_depth > 0;
    else
        ptx_for_each_use(in, see_reg, r);
}

/* Is the address made of what a loop loads? */
static bool is_indirect(const struct simt_kernel *k, uint32_t reg)
{
    struct reach r = {.k = k};

    r.regs = arena_array(k->arena, uint64_t, bits_words(k->func->reg_count));
    see_reg(&r, reg);
    while (r.has_grown && !r.is_loaded) {
        r.has_grown = false;
        plan_for_each_inst(k, b, i) see_definition(&r, b, i);
    }
    return r.is_loaded;
}

/* Can the instruction be done in step? Marks loads that are tested. */
static bool see_inst(struct simt_plan *s, uint32_t i)
{
    const struct ptx_inst *in = s->k->func->insts + i;
    struct simt_access_plan *plan = &s->insts[i].access;

    if (!s->code[i])
        return true; /* part of another access */
    if (!ptx_address_of(in) && !ptx_reads_memory(in) && !ptx_writes_memory(in))
        return ptx_only_computes(in) || ptx_ends_block(in);
    if (!is_plain_access(in))
        return false;
    if (is_cheap(plan))
        return true;
    plan->is_spaced =
        in->op == PTX_OP_ld && in->guard == PTX_NO_REG && is_spaced(plan);
    plan->is_indirect =
        plan->is_spaced && is_indirect(s->k, ptx_address_of(in)->reg);
    return plan->is_spaced;
}

/* ---- where it may give up ------------------------------------------------ */

/* Can the code give up behind instruction i of block b, within the block? */
static bool gives_up_behind(const struct simt_plan *s, uint32_t b, uint32_t i)
{
    const struct simt_block *bb = &s->k->blocks[b];

    for (uint32_t j = i; j < bb->end; j++)
        if (s->insts[j].access.is_spaced)
            return true;
    return bb->condition != PTX_NO_REG &&
           !simt_is_uniform(s->k->shapes[bb->condition]);
}

static void add_successors(const struct simt_kernel *k, uint32_t b,
                           uint64_t *reached)
{
    for (unsigned e = 0; e < k->blocks[b].edge_count; e++)
        if (k->blocks[b].edges[e].to != SIMT_NO_BLOCK)
            bits_add(reached, k->blocks[b].edges[e].to);
}

/* Can the code still give up once it has stored at i of block b? */
static bool gives_up_after(const struct simt_plan *s, uint32_t b, uint32_t i)
{
    const struct simt_kernel *k = s->k;
    size_t words = bits_words(k->block_count);
    uint64_t *reached = arena_array(k->arena, uint64_t, words);
    uint64_t *seen = arena_array(k->arena, uint64_t, words);

    if (gives_up_behind(s, b, i))
        return true;
    add_successors(k, b, reached);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t at = 0; at < k->block_count; at++) {
            if (!bits_has(reached, at) || bits_has(seen, at))
                continue;
            if (gives_up_behind(s, at, k->blocks[at].first))
                return true;
            bits_add(seen, at);
            add_successors(k, at, reached);
            changed = true;
        }
    }
    return false;
}

/* ---- all ----------------------------------------------------------------- */

/* False: it cannot, and why has been noted. *loads: number of tested loads in
 * loops. */
static bool see_all(struct simt_plan *p, struct simt_plan *s, unsigned *loads)
{
    const struct simt_kernel *k = s->k;
    unsigned all = 0;

    plan_for_each_inst(k, b, i)
    {
        if (k->inst_flags[i] & SIMT_DEAD)
            continue;
        if (!see_inst(s, i)) {
            refuse_lockstep(p, SIMT_REASON_NO_LOCKSTEP, k->func->insts[i].line);
            return false;
        }
        all += s->insts[i].access.is_spaced;
        *loads += s->insts[i].access.is_spaced && k->blocks[b].loop_depth > 0;
    }
    if (*loads > 0 && all <= LOADS_MAX)
        return true;
    refuse_lockstep(p, SIMT_REASON_NO_LOOP, 0);
    return false;
}

static bool can_give_up(struct simt_plan *p, const struct simt_plan *s)
{
    plan_for_each_inst(s->k, b, i)
    {
        const struct ptx_inst *in = &s->k->func->insts[i];
        if (!ptx_writes_memory(in) || !gives_up_after(s, b, i))
            continue;
        refuse_lockstep(p, SIMT_REASON_SEEN_BEFORE, in->line);
        return false;
    }
    return true;
}

/* Do both plans expect the same arguments and the same mode of the machine? */
static bool is_alike(const struct simt_plan *p, const struct simt_plan *s)
{
    return p->flushes == s->flushes && !s->takes_turns && s->part_count == 0 &&
           !s->has_nontemporal && p->need_count == s->need_count &&
           memcmp(p->needs, s->needs, p->need_count * sizeof *p->needs) == 0;
}

void plan_lockstep(struct simt_plan *p)
{
    struct simt_spec spec = p->k->spec;
    struct diag ignored;
    unsigned loads = 0;

    if (p->choice.why_scalar != SIMT_REASON_COSTS || p->part_count ||
        !plan_may_be_lockstep(p->k))
        return;
    if (!has_loop(p->k)) {
        refuse_lockstep(p, SIMT_REASON_NO_LOOP, 0);
        return;
    }
    spec.lane_count = SIMT_LANES;
    spec.warp_count = 1;
    spec.in_lockstep = true;
    diag_init(&ignored);
    const struct simt_kernel *k =
        simt_build(p->k->arena, p->k->module, p->k->func, &spec, &ignored);
    diag_fini(&ignored);
    struct simt_plan *s =
        k ? simt_make_plan(k, p->machine, (struct simt_choice){0}) : NULL;
    if (!s || !is_alike(p, s) || !see_all(p, s, &loads) || !can_give_up(p, s))
        return;
    p->lockstep = s;
    plan_note(p, (struct simt_note){.of = SIMT_OF_KERNEL,
                                    .decision = SIMT_DECIDED_LOCKSTEP,
                                    .number = loads});
}
