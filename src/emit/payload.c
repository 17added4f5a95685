/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one NaN of singles. Whatever computes one on a GPU gives 0x7fffffff, here
 * machines keep an operand's payload, and their own NaN is negative. Arithmetic
 * does not care, so nothing is done about it until a register's bits are looked
 * at: stored, moved to where integers are, converted to a double.
 *
 * A register that all its definitions compute is made that NaN when it is
 * looked at. One that may also hold what came from elsewhere (a load) keeps its
 * payload then; what is computed into it is made that NaN at once, but not in
 * loops, where sums are of this kind, and would take three times as long. What
 * is stored to shared and local memory stays as it is: sums in shared memory
 * would take half as long again.
 */
#include "emit/internal.h"

enum role {
    COMPUTES, /* gives that NaN, or a number */
    NUMBERS,  /* gives numbers only */
    COPIES,
    OTHER, /* gives anything */
};

enum {
    IS_COMPUTED = 1, /* by some definition */
    IS_OTHER = 2,    /* by some definition */
    IS_SEEN = 4,     /* somebody looks at its bits */
};

struct part {
    enum role role;
    bool looks; /* at its sources' bits */
};

static bool is_other_half(enum ptx_type t)
{
    return t == PTX_TYPE_f16 || t == PTX_TYPE_f16x2 || t == PTX_TYPE_bf16 ||
           t == PTX_TYPE_bf16x2;
}

static struct part part_of_cvt(const struct ptx_inst *inst)
{
    enum ptx_type to = inst->type[0], from = inst->type[1];
    bool is_plain = inst->rnd == PTX_RND_none &&
                    !(inst->flags & (PTX_FLAG_ftz | PTX_FLAG_sat));

    if (to == PTX_TYPE_f32 && from == PTX_TYPE_f32)
        return (struct part){is_plain ? COPIES : COMPUTES, false};
    if (to == PTX_TYPE_f32 && !ptx_type_is_float(from))
        return (struct part){NUMBERS, true};
    if (to == PTX_TYPE_f32 && from == PTX_TYPE_f16)
        return (struct part){COMPUTES, true};
    return (struct part){OTHER,
                         from != PTX_TYPE_f32 ||
                             (ptx_type_is_float(to) && !is_other_half(to))};
}

static bool is_word_copy(const struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operand[i].kind == PTX_OPERAND_vector)
            return false;
    return ptx_type_size(inst->type[0]) == 4;
}

static struct part part_of(const struct ptx_inst *inst)
{
    static const struct part other = {OTHER, true};
    bool is_single = inst->type_count > 0 && inst->type[0] == PTX_TYPE_f32;

    switch (ptx_facts[inst->op].nan) {
    case PTX_NAN_COMPUTES:
        return is_single ? (struct part){COMPUTES, false} : other;
    case PTX_NAN_TESTS:
        return (struct part){OTHER, !is_single};
    case PTX_NAN_CHOOSES:
        return (struct part){NUMBERS, inst->type[1] != PTX_TYPE_f32};
    case PTX_NAN_ADDS:
        return (struct part){OTHER, !is_single || inst->sub != PTX_SUB_add};
    case PTX_NAN_CONVERTS:
        return part_of_cvt(inst);
    case PTX_NAN_COPIES:
        return is_word_copy(inst) ? (struct part){COPIES, false} : other;
    case PTX_NAN_STORES:
        return (struct part){OTHER, inst->space != PTX_SPACE_shared &&
                                        inst->space != PTX_SPACE_local};
    default:
        return other;
    }
}

/* ---- what registers hold ----------------------------------------------- */

struct search {
    const struct ptx_func *func;
    uint8_t *is; /* by register */
    uint8_t set; /* for add() */
    bool has_changed;
};

static void add(void *data, uint32_t reg)
{
    struct search *s = data;
    uint8_t is = s->is[reg] | s->set;

    s->has_changed |= is != s->is[reg];
    s->is[reg] = is;
}

/* What a copy takes: the operands that are its value. */
static uint8_t of_sources(const struct search *s, const struct ptx_inst *inst)
{
    unsigned first = ptx_dest_count(inst);
    unsigned end = first + (inst->op == PTX_OP_selp ? 2 : 1);
    uint8_t is = 0;

    for (unsigned i = first; i < end; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        bool is_nan =
            (o->imm & INT32_MAX) > 0x7f800000 && (uint32_t)o->imm != 0x7fffffff;
        if (o->kind == PTX_OPERAND_reg)
            is |= s->is[o->reg] & (IS_COMPUTED | IS_OTHER);
        else if (o->kind != PTX_OPERAND_imm || is_nan)
            is |= IS_OTHER;
    }
    return is;
}

static uint8_t seen_of(const struct search *s, const struct ptx_inst *inst)
{
    const struct ptx_operand *d = &inst->operand[0];

    return d->kind == PTX_OPERAND_reg ? s->is[d->reg] & IS_SEEN : 0;
}

static void search_defs(struct search *s, const struct ptx_inst *inst)
{
    switch (part_of(inst).role) {
    case COMPUTES:
        s->set = IS_COMPUTED;
        break;
    case COPIES:
        s->set = of_sources(s, inst);
        break;
    case NUMBERS:
        s->set = 0;
        break;
    default:
        s->set = IS_OTHER;
        break;
    }
    ptx_for_each_def(inst, add, s);
}

static void search_uses(struct search *s, const struct ptx_inst *inst)
{
    struct part part = part_of(inst);

    s->set = part.looks ? IS_SEEN : part.role == COPIES ? seen_of(s, inst) : 0;
    if (s->set)
        ptx_for_each_use(inst, add, s);
}

static bool computes_singles(const struct ptx_func *func)
{
    for (size_t i = 0; i < func->inst_count; i++)
        if (part_of(&func->insts[i]).role == COMPUTES)
            return true;
    return false;
}

void emit_find_payloads(struct emit *e)
{
    const struct ptx_func *func = e->f->k->func;
    struct search s = {.func = func, .has_changed = true};

    if (!computes_singles(func))
        return;
    s.is = arena_array(e->arena, uint8_t, func->reg_count + 1);
    while (s.has_changed) {
        s.has_changed = false;
        for (size_t i = 0; i < func->inst_count; i++)
            search_defs(&s, &func->insts[i]);
        for (size_t i = func->inst_count; i-- > 0;)
            search_uses(&s, &func->insts[i]);
    }
    e->f->payload = s.is;
}

/* ---- the instruction at hand ------------------------------------------- */

void emit_begin_payload(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;

    f->looks = f->makes_nan = false;
    if (!f->payload)
        return;
    struct part part = part_of(inst);
    const struct ptx_operand *d = &inst->operand[0];
    bool is_kept =
        d->kind == PTX_OPERAND_reg &&
        (f->payload[d->reg] & (IS_OTHER | IS_SEEN)) == (IS_OTHER | IS_SEEN) &&
        f->k->blocks[f->block].loop_depth == 0;

    f->looks = part.looks || (part.role == COPIES && is_kept);
    f->makes_nan = part.role == COMPUTES && is_kept;
}

bool emit_is_seen(const struct emit *e, const struct ptx_operand *o)
{
    const uint8_t *is = e->f->payload;

    return is && o->kind == PTX_OPERAND_reg && is[o->reg] & IS_SEEN;
}

LLVMValueRef emit_one_nan(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef x = ir_as(e, v, e->f32);

    x = ir_select(e, ir_is_nan(e, x), ir_bits_real(e, x, 0x7fffffff), x);
    return ir_as(e, x, ir_element(v));
}

LLVMValueRef emit_look_at(struct emit *e, uint32_t reg, LLVMValueRef v)
{
    const struct emit_fn *f = e->f;

    if (!f->looks ||
        (f->payload[reg] & (IS_COMPUTED | IS_OTHER)) != IS_COMPUTED ||
        ir_bits(v) != 32)
        return v;
    return emit_one_nan(e, v);
}
