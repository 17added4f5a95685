/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A misaligned address ends the kernel. Where simt/shape/alignment.c shows
 * that an address is aligned if the launch's arguments are, the code has no
 * test: the launch tests its arguments, and takes a kernel made with
 * tests_alignment if one is misaligned.
 */
#include "simt/plan/internal.h"

static_assert(PTX_MAX_ACCESSES <= 8, "a bit for each in alignment_tests");

static bool add_needs(struct simt_plan *p, const struct simt_need *needs,
                      unsigned count)
{
    struct simt_need all[SIMT_MAX_NEEDS];
    uint32_t n = p->need_count;

    assert(p->need_count <= SIMT_MAX_NEEDS);
    memcpy(all, p->needs, sizeof all);
    for (unsigned i = 0; i < count; i++) {
        uint32_t at = 0;
        while (at < n && all[at].offset_bytes != needs[i].offset_bytes)
            at++;
        if (at == SIMT_MAX_NEEDS)
            return false;
        if (at == n)
            all[n++] = needs[i];
        else if (all[at].align_bytes < needs[i].align_bytes)
            all[at] = needs[i];
    }
    memcpy(p->needs, all, sizeof all);
    p->need_count = n;
    return true;
}

/* A parameter, or another variable of the function, by its name. */
static bool is_named(const struct ptx_access *a)
{
    return a->address->reg == PTX_NO_REG && a->address->var &&
           a->space == PTX_SPACE_param;
}

/* Why the access is tested; SIMT_TAKEN: it is not. */
static enum simt_reason why_test(struct simt_plan *p,
                                 const struct simt_alignments *known,
                                 const struct ptx_access *a)
{
    const struct simt_need *needs;
    unsigned count;

    assert(a->align_bytes > 1);
    if (is_named(a))
        return SIMT_TAKEN;
    if (!simt_is_aligned(known, a->address, a->align_bytes, &needs, &count))
        return SIMT_REASON_UNKNOWN_BITS;
    if (count == 0)
        return SIMT_TAKEN;
    if (p->k->spec.tests_alignment)
        return SIMT_REASON_ODD_ARGUMENT;
    return add_needs(p, needs, count) ? SIMT_TAKEN : SIMT_REASON_MANY_ARGUMENTS;
}

/* The load is dropped, as nothing reads its result. */
static bool is_dropped(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    bool is_weak = inst->sem == PTX_SEM_none || inst->sem == PTX_SEM_weak;

    return (inst->op == PTX_OP_ld || inst->op == PTX_OP_ldu) && is_weak &&
           k->inst_flags[i] & SIMT_DEAD;
}

static void plan_inst(struct simt_plan *p, const struct simt_alignments *known,
                      uint32_t i)
{
    struct ptx_access accesses[PTX_MAX_ACCESSES];
    unsigned count = ptx_accesses(&p->k->func->insts[i], accesses);

    assert(i < p->k->func->inst_count);
    if (count == 0 || is_dropped(p->k, i))
        return;
    for (unsigned n = 0; n < count; n++) {
        enum simt_reason why = why_test(p, known, &accesses[n]);
        if (why == SIMT_TAKEN)
            continue;
        p->insts[i].alignment_tests |= 1u << n;
        plan_refuse(p, i, SIMT_DECIDED_ALIGNED, why);
    }
}

void plan_alignment(struct simt_plan *p)
{
    const struct simt_alignments *known =
        simt_find_alignments(p->k->arena, p->k);

    plan_for_each_inst(p->k, b, i)
    {
        if (p->code[i])
            plan_inst(p, known, i);
    }
    if (p->need_count > 0)
        plan_note(p, (struct simt_note){.of = SIMT_OF_KERNEL,
                                        .decision = SIMT_DECIDED_ALIGNED,
                                        .number = p->need_count});
}
