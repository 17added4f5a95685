/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers that never hold a subnormal single: .ftz flushes its operands and
 * its result, so what such an instruction made need not be flushed again. Most
 * operands are of that kind in kernels that were compiled with -use_fast_math.
 *
 * A register counts if all that writes it, wherever, gives no subnormals.
 */
#include "emit/internal.h"

struct search {
    const struct ptx_func *func;
    bool *is_flushed; /* by register */
    bool has_changed;
};

static bool is_flushed_operand(const struct search *s,
                               const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_reg)
        return s->is_flushed[o->reg];
    uint32_t bits = (uint32_t)o->imm;
    return o->kind == PTX_OPERAND_imm &&
           ((bits & 0x7f800000) != 0 || (bits & 0x7fffffff) == 0);
}

static bool is_from_number(enum ptx_type from)
{
    /* The least half is a normal single. */
    return !ptx_type_is_float(from) || from == PTX_TYPE_f16;
}

static bool gives_no_subnormals(const struct search *s,
                                const struct ptx_inst *in)
{
    if (ptx_facts[in->op].nan == PTX_NAN_COMPUTES)
        return in->flags & PTX_FLAG_ftz && in->type[0] == PTX_TYPE_f32;
    switch (in->op) {
    case PTX_OP_cvt:
        return in->type[0] == PTX_TYPE_f32 && is_from_number(in->type[1]);
    case PTX_OP_mov:
        return ptx_type_size(in->type[0]) == 4 &&
               is_flushed_operand(s, &in->operand[1]);
    case PTX_OP_selp:
        return ptx_type_size(in->type[0]) == 4 &&
               is_flushed_operand(s, &in->operand[1]) &&
               is_flushed_operand(s, &in->operand[2]);
    default:
        return false;
    }
}

static void drop(void *data, uint32_t reg)
{
    struct search *s = data;

    s->has_changed |= s->is_flushed[reg];
    s->is_flushed[reg] = false;
}

static const bool *find(struct emit *e)
{
    const struct ptx_func *func = e->f->k->func;
    struct search s = {.func = func, .has_changed = true};

    s.is_flushed = arena_array(e->arena, bool, func->reg_count + 1);
    memset(s.is_flushed, true, func->reg_count + 1);
    while (s.has_changed) {
        s.has_changed = false;
        for (size_t i = 0; i < func->inst_count; i++)
            if (!gives_no_subnormals(&s, &func->insts[i]))
                ptx_for_each_def(&func->insts[i], drop, &s);
    }
    return s.is_flushed;
}

LLVMValueRef emit_read_flushed(struct emit *e, const struct ptx_operand *o,
                               enum ptx_type type)
{
    LLVMValueRef v = emit_read(e, o, type);

    if (type == PTX_TYPE_f32 && o->kind == PTX_OPERAND_reg) {
        if (!e->f->is_flushed)
            e->f->is_flushed = find(e);
        if (e->f->is_flushed[o->reg])
            return v;
    }
    return emit_flush(e, v);
}
