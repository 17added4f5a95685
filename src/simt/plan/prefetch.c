/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads in loops prefetch what a later iteration loads, while other warps have
 * their turns: the next iteration of a loop with barriers, the next turn of a
 * grid-stride loop. The latter goes into the second-level cache only, as the
 * first has no room for it: 5 to 12% faster for sums of 2^26 floats; into the
 * first, a third slower. So do loops with barriers where one call runs the
 * block: the next iteration comes at once, and rows of a tile that lie 4 KB
 * apart are one set of the first-level cache. Products in tiles of 16x16 take
 * 6 to 8% less.
 */
#include "simt/plan/internal.h"

struct loop {
    const struct simt_kernel *k;
    uint32_t header;
};

static bool is_inside(const struct loop *l, uint32_t block)
{
    return l->k->blocks[block].loop_header == l->header;
}

/* The addition that moves a register on in each iteration. */
struct step {
    const struct ptx_operand *by; /* uniform or constant; NULL: there is none */
    enum ptx_type type;
    int64_t stride; /* stride of the register */
};

/* add r, r, by in the loop, for this register. */
static struct step step_of_reg(const struct loop *l, uint32_t reg)
{
    const struct simt_kernel *k = l->k;

    assert(reg < l->k->func->reg_count);
    for (uint32_t b = 0; b < k->block_count; b++) {
        if (!is_inside(l, b))
            continue;
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *inst = &k->func->insts[i];
            const struct ptx_operand *o = inst->operand;
            if (inst->op != PTX_OP_add || o[0].kind != PTX_OPERAND_reg ||
                o[0].reg != reg || o[1].kind != PTX_OPERAND_reg ||
                o[1].reg != reg)
                continue;
            bool is_uniform = o[2].kind == PTX_OPERAND_imm ||
                              (o[2].kind == PTX_OPERAND_reg &&
                               simt_is_uniform(k->shapes[o[2].reg]));
            if (is_uniform)
                return (struct step){&o[2], inst->type[0],
                                     k->shapes[reg].stride};
        }
    }
    return (struct step){0};
}

static const struct ptx_inst *def_of(const struct simt_kernel *k, uint32_t reg)
{
    for (size_t i = 0; i < k->func->inst_count; i++) {
        const struct ptx_inst *inst = &k->func->insts[i];
        if (ptx_dest_count(inst) > 0 &&
            inst->operand[0].kind == PTX_OPERAND_reg &&
            inst->operand[0].reg == reg)
            return inst;
    }
    return NULL;
}

/* reg = add(affine, counter), where the counter has a step in the loop. */
static struct step step_of_counter(const struct loop *l,
                                   const struct ptx_inst *inst, uint32_t reg)
{
    for (unsigned i = 1; inst->op == PTX_OP_add && i <= 2; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        if (o->kind != PTX_OPERAND_reg ||
            !simt_is_uniform(l->k->shapes[o->reg]))
            continue;
        struct step found = step_of_reg(l, o->reg);
        found.stride = l->k->shapes[reg].stride;
        if (found.by)
            return found;
    }
    return (struct step){0};
}

/* The step of the register that an address is computed from. */
static struct step step_behind(const struct loop *l, uint32_t reg)
{
    for (int depth = 0; depth < 8; depth++) {
        struct step found = step_of_reg(l, reg);
        if (found.by)
            return found;
        const struct ptx_inst *inst = def_of(l->k, reg);
        uint32_t next = PTX_NO_REG;
        if (!inst || inst->op == PTX_OP_ld)
            break;
        found = step_of_counter(l, inst, reg);
        if (found.by)
            return found;
        for (unsigned i = 1; i < inst->operand_count; i++) {
            const struct ptx_operand *o = &inst->operand[i];
            if (o->kind != PTX_OPERAND_reg)
                continue;
            struct simt_shape s = l->k->shapes[o->reg];
            if (!simt_is_varying(s) && s.stride != 0)
                next = o->reg;
        }
        if (next == PTX_NO_REG)
            break;
        reg = next;
    }
    return (struct step){0};
}

static struct simt_prefetch find_prefetch(const struct simt_plan *p,
                                          uint32_t header, uint32_t i)
{
    static const struct simt_prefetch none;
    const struct simt_kernel *k = p->k;
    const struct simt_loop_plan *loop = &p->loops[header];
    const struct ptx_operand *address = ptx_address_of(&k->func->insts[i]);

    assert(header < p->k->block_count);
    if ((!loop->has_barrier && !loop->jumps) || !address ||
        address->reg == PTX_NO_REG || !plan_is_neighbouring(k, i))
        return none;
    struct step step = step_behind(&(struct loop){k, header}, address->reg);
    struct simt_shape s = k->address[i];
    if (!step.by || step.stride == 0 || s.stride % step.stride != 0)
        return none;
    bool is_soon = loop->has_barrier && !p->is_in_step;
    return (struct simt_prefetch){
        .step = step.by,
        .type = step.type,
        .scale = s.stride / step.stride,
        .iterations = loop->has_barrier || loop->is_heavy ? 1 : loop->turn,
        .is_next = is_soon || loop->is_heavy};
}

void plan_prefetches(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    if (!k->func->is_entry || k->spec.lane_count == 1 || simt_split_insts(k))
        return;
    plan_for_each_inst(k, b, i)
    {
        uint32_t header = k->blocks[b].loop_header;
        const struct ptx_inst *inst = &k->func->insts[i];
        if (header == SIMT_NO_BLOCK ||
            (inst->op != PTX_OP_ld && inst->op != PTX_OP_ldu) ||
            simt_is_varying(k->address[i]) || k->address[i].stride == 0)
            continue;
        struct simt_prefetch found = find_prefetch(p, header, i);
        p->insts[i].prefetch = found;
        if (found.step)
            plan_note(p, (struct simt_note){SIMT_OF_INST, i,
                                            found.is_next
                                                ? SIMT_DECIDED_PREFETCH_NEAR
                                                : SIMT_DECIDED_PREFETCH,
                                            SIMT_TAKEN, found.iterations});
    }
}
