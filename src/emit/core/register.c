/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers: one alloca for a vector, or one for each group's scalar (LLVM
 * turns them into SSA values).
 */
#include "emit/core/masks.h"
#include "emit/core/values.h"

/* Registers that floating point instructions use more than integer ones are
 * kept as floats, which spares moves between register files. */
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

static const bool *find_floats(struct emit *e)
{
    const struct ptx_func *func = e->f->k->func;
    struct flavour f = {.func = func};

    f.score = arena_array(e->arena, int, func->reg_count + 1);
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
    bool *is_float = arena_array(e->arena, bool, func->reg_count + 1);
    for (size_t i = 0; i < func->reg_count; i++)
        is_float[i] = f.score[i] > 0;
    return is_float;
}

static LLVMTypeRef storage_type(struct emit *e, enum ptx_type type,
                                bool is_float)
{
    if (type == PTX_TYPE_pred)
        return e->i1;
    unsigned bytes = ptx_type_size(type);
    if (is_float && bytes == 4)
        return e->f32;
    if (is_float && bytes == 8)
        return e->f64;
    return LLVMIntTypeInContext(e->cx, 8 * bytes);
}

LLVMTypeRef emit_slot_type(struct emit *e, const struct emit_reg *r)
{
    return simt_is_varying(r->shape) ? LLVMVectorType(r->type, e->lanes)
                                     : r->type;
}

void emit_make_reg(struct emit *e, uint32_t i)
{
    const struct simt_kernel *k = e->f->k;
    struct emit_reg *r = &e->f->regs[i];

    *r = (struct emit_reg){.shape = k->shapes[i]};
    r->type = storage_type(e, k->func->regs[i].type, e->f->is_float[i]);
    r->slot_count = simt_is_varying(r->shape)
                        ? e->f->warps
                        : emit_team_group_count(e, r->shape);
    LLVMTypeRef vector = LLVMVectorType(r->type, e->lanes);
    r->slot = arena_array(e->arena, struct emit_slot, r->slot_count);
    for (unsigned s = 0; s < r->slot_count; s++)
        r->slot[s].var =
            emit_alloca(e, emit_slot_type(e, r), 0, k->func->regs[i].name);
    if (!r->shape.is_conditional)
        return;
    r->ok = emit_alloca(e, e->i1, 0, "ok");
    if (emit_replays(e, i))
        return;
    for (unsigned w = 0; w < e->f->warps; w++)
        r->shadow[w] = emit_alloca(e, vector, 64, "shadow");
}

/* Which registers may be read before a block has written them? */
struct exposure {
    bool *is_exposed;
    uint32_t *written_in; /* by register: block + 1 */
    uint32_t block;
    bool keeps_old; /* the instruction's destination, in some lanes */
};

static void expose_use(void *data, uint32_t reg)
{
    struct exposure *x = data;
    if (x->written_in[reg] != x->block + 1)
        x->is_exposed[reg] = true;
}

static void expose_def(void *data, uint32_t reg)
{
    struct exposure *x = data;
    if (x->keeps_old)
        expose_use(data, reg);
    x->written_in[reg] = x->block + 1;
}

static bool *find_exposed(struct emit *e)
{
    const struct simt_kernel *k = e->f->k;
    size_t count = k->func->reg_count;
    struct exposure x = {
        .is_exposed = arena_array(e->arena, bool, count + 1),
        .written_in = arena_array(e->arena, uint32_t, count + 1),
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
    return x.is_exposed;
}

void emit_plan_regs(struct emit *e)
{
    const struct ptx_func *func = e->f->k->func;

    e->f->regs = arena_array(e->arena, struct emit_reg, func->reg_count + 1);
    e->f->is_float = find_floats(e);
    e->f->is_exposed = find_exposed(e);
    emit_find_replays(e);
}

/* Scalars and predicates start as zero so that a branch never sees undefined
 * bits; vectors start undefined, which lets blends of first writes vanish.
 * What lives in one block only needs no start: LLVM makes values of such
 * variables much faster. */
void emit_reset_reg(struct emit *e, uint32_t reg)
{
    const struct emit_reg *r = &e->f->regs[reg];

    if (!e->f->is_exposed[reg])
        return;
    bool is_undef = simt_is_varying(r->shape) && r->type != e->i1;
    LLVMTypeRef t = emit_slot_type(e, r);
    LLVMValueRef first = is_undef ? LLVMGetUndef(t) : LLVMConstNull(t);
    for (unsigned s = 0; s < r->slot_count; s++)
        ir_store(e, first, r->slot[s].var, 0);
    if (r->ok)
        ir_store(e, LLVMConstInt(e->i1, 1, 0), r->ok, 0);
}
