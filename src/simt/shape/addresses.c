/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers that are addresses in a thread's own memory, and at which of its
 * bytes: in the .local variables of a function, or in whatever a parameter of a
 * function points to. An address is followed through moves, sums and choices;
 * what else happens to it is for the caller to judge.
 *
 * A register that may point into two variables makes both told: their
 * addresses are seen by somebody who is not followed.
 */
#include "simt/internal.h"

enum { MOST_GROWTH = 4 };

/* Beyond every offset. */
#define REACH (INT64_C(1) << 40)

static const struct simt_span anywhere = {-REACH, REACH};

static void mark_told(struct simt_addresses *a, uint32_t into)
{
    if (into)
        a->is_told[into - 1] = true;
}

bool simt_is_own_local(const struct ptx_func *f, const struct ptx_var *var)
{
    return var && var->space == PTX_SPACE_local && var >= f->vars &&
           var < f->vars + f->var_count;
}

static struct simt_span moved_by(struct simt_span s, int64_t lo, int64_t hi)
{
    assert(s.lo <= s.hi && lo <= hi);
    if (s.lo <= -REACH || s.hi >= REACH || lo <= -REACH || hi >= REACH ||
        s.lo + lo <= -REACH || s.hi + hi >= REACH)
        return anywhere;
    return (struct simt_span){s.lo + lo, s.hi + hi};
}

uint32_t simt_points_into(const struct simt_addresses *a,
                          const struct ptx_operand *o, struct simt_span *at)
{
    bool is_place =
        o->kind == PTX_OPERAND_var || o->kind == PTX_OPERAND_address;

    if ((is_place || o->kind == PTX_OPERAND_reg) && o->reg != PTX_NO_REG) {
        int64_t offset = is_place ? o->imm : 0;
        *at = moved_by(a->at[o->reg], offset, offset);
        return a->into[o->reg];
    }
    *at = (struct simt_span){o->imm, o->imm};
    return is_place && !a->param && simt_is_own_local(a->func, o->var)
               ? (uint32_t)(o->var - a->func->vars) + 1
               : 0;
}

/* ---- what makes an address of an address -------------------------------- */

bool simt_loads_pointer(const struct simt_addresses *a,
                        const struct ptx_inst *in)
{
    const struct ptx_operand *o = &in->operand[1];

    return a->param && in->op == PTX_OP_ld && in->space == PTX_SPACE_param &&
           in->operand[0].kind == PTX_OPERAND_reg && o->var == a->param &&
           o->reg == PTX_NO_REG && o->imm == 0 &&
           ptx_type_size(in->type[0]) == a->param->size_bytes;
}

/* Bits of the sources that may be the address; 0: the result is no address. */
static unsigned address_sources(const struct ptx_inst *in)
{
    const enum ptx_type type = in->type[0];
    bool is_plain = in->operand[0].kind == PTX_OPERAND_reg &&
                    in->type_count == 1 && !ptx_type_is_float(type) &&
                    type != PTX_TYPE_pred && ptx_type_size(type) >= 4;

    if (!is_plain || in->flags & ~(uint64_t)PTX_FLAG_to)
        return 0;
    switch (in->op) {
    case PTX_OP_mov:
        return 1 << 1;
    case PTX_OP_cvta:
        return in->space == PTX_SPACE_local ? 1 << 1 : 0;
    case PTX_OP_sub:
        return 1 << 1;
    case PTX_OP_add:
    case PTX_OP_or: /* sets bits that are free by the variable's alignment */
    case PTX_OP_selp:
        return 1 << 1 | 1 << 2;
    case PTX_OP_mad:
        return in->half == PTX_HALF_lo || in->half == PTX_HALF_wide ? 1 << 3
                                                                    : 0;
    default:
        return 0;
    }
}

static bool is_source(const struct ptx_inst *in, unsigned i)
{
    return address_sources(in) >> i & 1;
}

/* Where the result of the instruction is, if source s is the address. */
static struct simt_span result_at(const struct ptx_inst *in, unsigned s,
                                  struct simt_span at)
{
    assert(s < in->operand_count);
    if (in->op == PTX_OP_mov || in->op == PTX_OP_cvta || in->op == PTX_OP_selp)
        return at;
    const struct ptx_operand *other = &in->operand[s == 1 ? 2 : 1];
    if (in->op == PTX_OP_mad || other->kind != PTX_OPERAND_imm)
        return anywhere;
    if (in->op == PTX_OP_or) /* adds some of the bits */
        return other->imm < 0 ? anywhere : moved_by(at, 0, other->imm);
    if (other->imm <= -REACH || other->imm >= REACH)
        return anywhere;
    int64_t by = in->op == PTX_OP_sub ? -other->imm : other->imm;
    return moved_by(at, by, by);
}

static void point_into(struct simt_addresses *a, uint32_t reg, uint32_t into,
                       struct simt_span at)
{
    struct simt_span *old = &a->at[reg];

    assert(reg < a->func->reg_count);
    if (!into)
        return;
    if (a->into[reg] && a->into[reg] != into) {
        mark_told(a, a->into[reg]);
        mark_told(a, into);
        return;
    }
    if (!a->into[reg]) {
        a->into[reg] = into;
        *old = at;
    } else if (at.lo < old->lo || at.hi > old->hi) {
        old->lo = at.lo < old->lo ? at.lo : old->lo;
        old->hi = at.hi > old->hi ? at.hi : old->hi;
        if (++a->growth[reg] > MOST_GROWTH)
            *old = anywhere;
    } else {
        return;
    }
    a->has_grown = true;
}

static void follow_inst(struct simt_addresses *a, const struct ptx_inst *in)
{
    unsigned sources = address_sources(in);
    struct simt_span at;

    if (simt_loads_pointer(a, in))
        point_into(a, in->operand[0].reg, 1, (struct simt_span){0, 0});
    if (in->op == PTX_OP_sub && simt_points_into(a, &in->operand[2], &at))
        return; /* a distance */
    for (unsigned s = 1; sources >> s; s++) {
        if (!(sources >> s & 1))
            continue;
        uint32_t into = simt_points_into(a, &in->operand[s], &at);
        point_into(a, in->operand[0].reg, into, result_at(in, s, at));
    }
}

void simt_follow_addresses(struct arena *arena, struct simt_addresses *a)
{
    const struct ptx_func *f = a->func;

    assert(f && !a->into);
    a->into = arena_array(arena, uint32_t, f->reg_count + 1);
    a->at = arena_array(arena, struct simt_span, f->reg_count + 1);
    a->growth = arena_array(arena, uint8_t, f->reg_count + 1);
    a->is_told = arena_array(arena, bool, f->var_count + 1);
    do {
        a->has_grown = false;
        for (size_t i = 0; i < f->inst_count; i++)
            follow_inst(a, &f->insts[i]);
    } while (a->has_grown);
}

struct simt_addresses simt_same_addresses(struct arena *arena,
                                          const struct simt_addresses *a)
{
    struct simt_addresses copy = *a;

    copy.is_told = arena_array(arena, bool, a->func->var_count + 1);
    memcpy(copy.is_told, a->is_told,
           a->func->var_count * sizeof *copy.is_told);
    return copy;
}

/* ---- where addresses go ------------------------------------------------- */

uint32_t simt_result_into(const struct simt_addresses *a,
                          const struct ptx_inst *in)
{
    uint32_t found = 0;
    unsigned count = 0, all = in->op == PTX_OP_selp ? 2 : 1;
    struct simt_span at;

    if (simt_loads_pointer(a, in))
        return 1;
    for (unsigned i = 1; i < in->operand_count; i++) {
        uint32_t into = simt_points_into(a, &in->operand[i], &at);
        if (!into)
            continue;
        if (!is_source(in, i) || (found && into != found))
            return 0;
        found = into;
        count++;
    }
    return count == all ? found : 0;
}

struct definition {
    struct simt_addresses *a;
    uint32_t into;
};

static void check_definition(void *data, uint32_t reg)
{
    struct definition *d = data;
    if (d->a->into[reg] != d->into)
        mark_told(d->a, d->a->into[reg]);
}

void simt_check_definitions(struct simt_addresses *a, const struct ptx_inst *in)
{
    struct definition d = {.a = a, .into = simt_result_into(a, in)};

    ptx_for_each_def(in, check_definition, &d);
}

void simt_tell_all(struct simt_addresses *a, const struct ptx_operand *o,
                   unsigned count)
{
    struct simt_span at;

    for (unsigned i = 0; i < count; i++) {
        mark_told(a, simt_points_into(a, &o[i], &at));
        if (a->param && o[i].var == a->param)
            mark_told(a, 1);
        simt_tell_all(a, o[i].items, o[i].item_count);
    }
}

bool simt_compares_addresses(const struct simt_addresses *a,
                             const struct ptx_inst *in)
{
    bool is_compare = in->op == PTX_OP_setp;
    struct simt_span at;

    if ((!is_compare && in->op != PTX_OP_sub) ||
        ptx_type_size(in->type[0]) < 4 || ptx_type_is_float(in->type[0]) ||
        in->flags & PTX_FLAG_cc)
        return false;
    const struct ptx_operand *o =
        &in->operand[is_compare ? ptx_dest_count(in) : 1];
    uint32_t into = simt_points_into(a, &o[0], &at);
    return into && into == simt_points_into(a, &o[1], &at);
}
