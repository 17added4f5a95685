/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How registers are kept: as floats or as integers, and whether from block to
 * block. A register that lives in one block needs no initial value.
 */
#include "simt/plan/internal.h"

/* Registers that floating-point instructions use more often than integer ones
 * are kept as floats, which saves moves between register files. */
struct flavour {
    const struct ptx_func *func;
    int *score;
    int step;
};

static void count_use(void *data, uint32_t reg)
{
    struct flavour *f = data;
    f->score[reg] += f->step;
}

static void find_floats(struct simt_plan *p)
{
    const struct ptx_func *func = p->k->func;
    struct flavour f = {.func = func};

    f.score = arena_array(p->k->arena, int, func->reg_count + 1);
    for (size_t i = 0; i < func->inst_count; i++) {
        const struct ptx_inst *inst = &func->insts[i];
        enum ptx_type type = inst->type[0];
        if (inst->type_count != 1 || ptx_type_kind(type) == PTX_KIND_bits ||
            ptx_type_kind(type) == PTX_KIND_pred)
            continue;
        bool is_float = type == PTX_TYPE_f32 || type == PTX_TYPE_f64;
        f.step = is_float ? 1 : -1;
        ptx_for_each_use(inst, count_use, &f);
        if (inst->op != PTX_OP_setp)
            ptx_for_each_def(inst, count_use, &f);
    }
    for (size_t i = 0; i < func->reg_count; i++)
        p->regs[i].is_float = f.score[i] > 0;
}

/* Which registers may be read before their block has written them? */
struct exposure {
    struct simt_reg_plan *regs;
    uint32_t *written_in; /* by register: 1 + the block */
    uint32_t block;
    /* lanes of the instruction's destination that keep the old value */
    bool keeps_old;
};

static void expose_use(void *data, uint32_t reg)
{
    struct exposure *x = data;
    if (x->written_in[reg] != x->block + 1)
        x->regs[reg].is_exposed = true;
}

static void expose_def(void *data, uint32_t reg)
{
    struct exposure *x = data;
    if (x->keeps_old)
        expose_use(data, reg);
    x->written_in[reg] = x->block + 1;
}

static void find_exposed(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;
    struct exposure x = {
        .regs = p->regs,
        .written_in = arena_array(k->arena, uint32_t, k->func->reg_count + 1),
    };

    for (x.block = 0; x.block < k->block_count; x.block++)
        for (uint32_t i = k->blocks[x.block].first; i < k->blocks[x.block].end;
             i++) {
            const struct ptx_inst *inst = &k->func->insts[i];
            ptx_for_each_use(inst, expose_use, &x);
            x.keeps_old =
                inst->guard != PTX_NO_REG || (k->inst_flags[i] & SIMT_BLEND);
            ptx_for_each_def(inst, expose_def, &x);
        }
}

void plan_registers(struct simt_plan *p)
{
    p->regs = arena_array(p->k->arena, struct simt_reg_plan,
                          p->k->func->reg_count + 1);
    find_floats(p);
    find_exposed(p);
}
