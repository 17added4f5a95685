/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overflow guards. A register that is affine unless a sum has wrapped has a
 * flag and, for cold code where the flag is false, an exact vector. If all
 * uses are behind the definition in its block, and its operands are still
 * there, the vector is rematerialised where it is needed; otherwise it is kept
 * in memory from the definition on.
 */
#include "simt/plan/internal.h"

/* Positions count from 1; 0: none. */
struct search {
    const struct simt_kernel *k;
    uint32_t *def;             /* by register: its only definition */
    uint32_t *last_def;        /* by register: the last one in this block */
    enum simt_reason *why_not; /* by register */
    uint32_t at;
    bool holds; /* of the sources that are being visited */
    uint32_t made_at;
    unsigned depth;
};

static bool is_conditional(const struct search *s, uint32_t reg)
{
    return s->k->shapes[reg].is_conditional;
}

static bool can_be_made(struct search *s, uint32_t reg);

static void check_source(void *data, uint32_t reg)
{
    struct search *s = data;

    if (s->last_def[reg] >= s->made_at)
        s->holds = false;
    else if (is_conditional(s, reg) && s->last_def[reg] != 0)
        s->holds &= can_be_made(s, reg);
}

/* At s->at: are the register's operands still there? */
static bool can_be_made(struct search *s, uint32_t reg)
{
    enum { DEPTH_MAX = 6 };
    uint32_t made_at = s->made_at;
    bool holds = s->holds;

    assert(reg < s->k->func->reg_count);
    if (s->def[reg] == 0 || s->last_def[reg] != s->def[reg] ||
        s->depth >= DEPTH_MAX)
        return false;
    s->made_at = s->def[reg];
    s->holds = true;
    s->depth++;
    ptx_for_each_use(&s->k->func->insts[s->made_at - 1], check_source, s);
    s->depth--;
    bool result = s->holds;
    s->made_at = made_at;
    s->holds = holds;
    return result;
}

static void check_use(void *data, uint32_t reg)
{
    struct search *s = data;

    if (is_conditional(s, reg) && !can_be_made(s, reg))
        s->why_not[reg] = SIMT_REASON_SOURCES_GONE;
}

static void note_def(void *data, uint32_t reg)
{
    struct search *s = data;
    const struct ptx_inst *inst = &s->k->func->insts[s->at - 1];

    assert(s->at > 0);
    s->last_def[reg] = s->at;
    if (s->def[reg] != 0 || inst->guard != PTX_NO_REG ||
        ptx_dest_count(inst) != 1 || inst->operand[0].kind != PTX_OPERAND_reg)
        s->why_not[reg] = SIMT_REASON_DEFINITIONS;
    s->def[reg] = s->at;
}

static void forget_def(void *data, uint32_t reg)
{
    struct search *s = data;
    s->last_def[reg] = 0;
}

static void note_reg(struct simt_plan *p, const struct search *s, uint32_t reg)
{
    struct simt_note n = {.of = SIMT_OF_INST,
                          .at = s->def[reg] - 1,
                          .decision = SIMT_DECIDED_REMATERIALISED,
                          .reason = s->why_not[reg]};

    if (s->def[reg] != 0)
        plan_note(p, n);
}

void plan_rematerialised(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;
    size_t regs = k->func->reg_count;
    struct search s = {.k = k};

    assert(p->regs);
    s.def = arena_array(k->arena, uint32_t, regs + 1);
    s.last_def = arena_array(k->arena, uint32_t, regs + 1);
    s.why_not = arena_array(k->arena, enum simt_reason, regs + 1);
    for (uint32_t b = 0; b < k->block_count; b++) {
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            s.at = i + 1;
            ptx_for_each_use(&k->func->insts[i], check_use, &s);
            ptx_for_each_def(&k->func->insts[i], note_def, &s);
        }
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++)
            ptx_for_each_def(&k->func->insts[i], forget_def, &s);
    }
    for (uint32_t r = 0; r < regs; r++) {
        if (!k->shapes[r].is_conditional)
            continue;
        note_reg(p, &s, r);
        if (s.why_not[r] == SIMT_TAKEN)
            p->regs[r].remade_by = s.def[r];
    }
}
