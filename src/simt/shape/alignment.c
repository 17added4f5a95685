/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The low bits of registers, as far as they are the same in all lanes at all
 * times: which addresses are multiples of what. Most addresses are a kernel's
 * parameter plus multiples of the element's size, so what is known depends on
 * parameters: "a multiple of 4 if the eight bytes at 16 of the parameters are".
 * The launch looks there (core/launch.c), once, instead of every access.
 *
 * For each register and each power of two up to 16: the residue, and which
 * parameters have to be multiples of what for it. All definitions of a
 * register count, wherever they stand. Optimistic, to the fixed point: a
 * register that is not written yet is left out.
 *
 * Needs:  nothing but the function and the block shape.
 * Leaves: never better than the truth.
 */
#include "simt/internal.h"

enum {
    LEVELS = 5,      /* 1, 2, 4, 8, 16 */
    SET_NEEDS = 4,   /* parameters that one fact may depend on */
    SET_LIMIT = 250, /* parameters that one fact may depend on */
    NOTHING = 0,     /* different sets in a function */
    NOT_KNOWN = 255,
    PASSES_MAX = 8,
};

struct needs {
    unsigned count;
    struct simt_need need[SET_NEEDS]; /* by offset */
};

/* A value modulo 1 << level is `low`, if the parameters are as set[level]
 * says. */
struct residue {
    bool is_seen;
    uint8_t low;
    uint8_t set[LEVELS];
};

struct simt_alignments {
    const struct simt_kernel *k;
    struct residue *regs;
    struct needs sets[SET_LIMIT];
    unsigned set_count;
    bool has_changed, is_hasty;
};

/* ---- sets of parameters ------------------------------------------------- */

static bool is_same(const struct needs *a, const struct needs *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->need[i].offset_bytes != b->need[i].offset_bytes ||
            a->need[i].align_bytes != b->need[i].align_bytes)
            return false;
    return true;
}

static uint8_t number_of(struct simt_alignments *a, const struct needs *n)
{
    for (unsigned i = 0; i < a->set_count; i++)
        if (is_same(&a->sets[i], n))
            return (uint8_t)i;
    if (a->set_count == SET_LIMIT)
        return NOT_KNOWN;
    a->sets[a->set_count] = *n;
    return (uint8_t)a->set_count++;
}

static uint8_t unite_needs(struct simt_alignments *a, uint8_t x, uint8_t y)
{
    if (x == y || y == NOTHING)
        return x;
    if (x == NOTHING)
        return y;
    if (x == NOT_KNOWN || y == NOT_KNOWN)
        return NOT_KNOWN;
    const struct needs *l = &a->sets[x], *r = &a->sets[y];
    struct needs n = {0};
    for (unsigned i = 0, j = 0; i < l->count || j < r->count;) {
        bool is_left = j == r->count ||
                       (i < l->count &&
                        l->need[i].offset_bytes <= r->need[j].offset_bytes);
        struct simt_need next = is_left ? l->need[i] : r->need[j];
        if (is_left && j < r->count &&
            r->need[j].offset_bytes == next.offset_bytes) {
            if (r->need[j].align_bytes > next.align_bytes)
                next = r->need[j];
            j++;
        }
        i += is_left;
        j += !is_left;
        if (n.count == SET_NEEDS)
            return NOT_KNOWN;
        n.need[n.count++] = next;
    }
    return number_of(a, &n);
}

/* ---- values ------------------------------------------------------------- */

static const struct residue unknown = {
    .is_seen = true,
    .set = {NOTHING, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN}};

static struct residue constant_residue(int64_t v)
{
    return (struct residue){.is_seen = true, .low = (uint8_t)(v & 15)};
}

static uint8_t residue_at(const struct residue *r, unsigned level)
{
    assert(level <= LEVELS);
    return r->low & (uint8_t)((1u << level) - 1);
}

/* A multiple of `align_bytes`, plus `offset`. */
static struct residue multiple_residue(unsigned align_bytes, int64_t offset)
{
    struct residue r = constant_residue(offset);

    assert((align_bytes & (align_bytes - 1)) == 0);
    for (unsigned level = 1; level < LEVELS; level++)
        if (align_bytes == 0 || align_bytes % (1u << level) != 0)
            r.set[level] = NOT_KNOWN;
    return r;
}

static struct residue of_var(const struct simt_alignments *a,
                             const struct ptx_var *var, int64_t offset)
{
    if (simt_is_interleaved(a->k, var))
        return constant_residue(SIMT_INTERLEAVED_BASE + offset);
    if (var->space == PTX_SPACE_param && !ptx_is_kernel_param(a->k->func, var))
        return unknown;
    return multiple_residue(var->align_bytes, offset);
}

static struct residue of_operand(const struct simt_alignments *a,
                                 const struct ptx_operand *o)
{
    switch (o->kind) {
    case PTX_OPERAND_reg:
        return o->negated ? unknown : a->regs[o->reg];
    case PTX_OPERAND_imm:
        return o->is_float_imm ? unknown : constant_residue(o->imm);
    case PTX_OPERAND_var:
        return o->var ? of_var(a, o->var, o->imm) : unknown;
    case PTX_OPERAND_vector: /* packed: the first item is lowest */
        return of_operand(a, &o->items[0]);
    case PTX_OPERAND_sreg:
        if (o->sreg >= PTX_SREG_ntid_x && o->sreg <= PTX_SREG_ntid_z &&
            a->k->spec.block[o->sreg - PTX_SREG_ntid_x])
            return constant_residue(
                a->k->spec.block[o->sreg - PTX_SREG_ntid_x]);
        return unknown;
    default:
        return unknown;
    }
}

/* Of two values that an operation combines; `low` is its result for their
 * residues. */
static struct residue combined_residue(struct simt_alignments *a,
                                       struct residue x, struct residue y,
                                       unsigned low)
{
    struct residue r = {.is_seen = x.is_seen && y.is_seen,
                        .low = (uint8_t)(low & 15)};

    for (unsigned level = 1; level < LEVELS; level++)
        r.set[level] = unite_needs(a, x.set[level], y.set[level]);
    return r;
}

static struct residue sum_residue(struct simt_alignments *a, struct residue x,
                                  struct residue y)
{
    return combined_residue(a, x, y, x.low + y.low);
}

static struct residue shifted_residue(struct residue x, unsigned by)
{
    struct residue r = x;

    assert(by < 64);
    r.low = (uint8_t)(by < 4 ? x.low << by & 15 : 0);
    for (unsigned level = 1; level < LEVELS; level++)
        r.set[level] = level > by ? x.set[level - by] : NOTHING;
    return r;
}

static struct residue times_constant(struct residue x, int64_t factor)
{
    if (factor == 0)
        return constant_residue(0);
    unsigned by = (unsigned)__builtin_ctzll((uint64_t)factor);
    struct residue r = shifted_residue(x, by);
    if (by < 4)
        r.low = (uint8_t)(x.low * (factor & 15) & 15);
    return r;
}

/* If one factor is 0, the other may be anything. */
static struct residue product_residue(struct simt_alignments *a,
                                      const struct ptx_operand *left,
                                      const struct ptx_operand *right)
{
    struct residue x = of_operand(a, left), y = of_operand(a, right);

    if (right->kind == PTX_OPERAND_imm && !right->is_float_imm)
        return times_constant(x, right->imm);
    if (left->kind == PTX_OPERAND_imm && !left->is_float_imm)
        return times_constant(y, left->imm);
    struct residue r = combined_residue(a, x, y, x.low * y.low);
    for (unsigned level = 1; level < LEVELS; level++) {
        if (x.set[level] != NOT_KNOWN && residue_at(&x, level) == 0 &&
            r.set[level] != NOTHING)
            r.set[level] = x.set[level];
        if (y.set[level] != NOT_KNOWN && residue_at(&y, level) == 0 &&
            r.set[level] != NOTHING &&
            (r.set[level] == NOT_KNOWN || y.set[level] == NOTHING))
            r.set[level] = y.set[level];
    }
    return r;
}

static struct residue masked_residue(struct simt_alignments *a,
                                     struct residue x,
                                     const struct ptx_operand *by)
{
    struct residue y = of_operand(a, by);
    struct residue r = combined_residue(a, x, y, x.low & y.low);

    if (by->kind != PTX_OPERAND_imm)
        return r;
    for (unsigned level = 1; level < LEVELS; level++)
        if ((by->imm & ((1 << level) - 1)) == 0)
            r.set[level] = NOTHING;
    return r;
}

/* Of a value that is either of the two. */
static struct residue join_residues(struct simt_alignments *a, struct residue x,
                                    struct residue y)
{
    if (!x.is_seen)
        return y;
    if (!y.is_seen)
        return x;
    struct residue r = combined_residue(a, x, y, x.low);
    for (unsigned level = 1; level < LEVELS; level++)
        if (residue_at(&x, level) != residue_at(&y, level))
            r.set[level] = NOT_KNOWN;
    return r;
}

/* ---- instructions ------------------------------------------------------- */

static bool is_integer(enum ptx_type t)
{
    return !ptx_type_is_float(t) && t != PTX_TYPE_pred && t != PTX_TYPE_f16x2 &&
           t != PTX_TYPE_bf16x2;
}

static struct residue of_product(struct simt_alignments *a,
                                 const struct ptx_inst *in)
{
    if (in->half == PTX_HALF_hi)
        return unknown;
    return product_residue(a, &in->operand[1], &in->operand[2]);
}

/* Of the first destination. */
static struct residue result_residue(struct simt_alignments *a,
                                     const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;

    for (unsigned i = 0; i < in->type_count; i++)
        if (!is_integer(in->type[i]))
            return unknown;
    switch (in->op) {
    case PTX_OP_mov:
    case PTX_OP_cvt:
    case PTX_OP_cvta: /* windows begin at multiples of more than 16 */
    case PTX_OP_mapa:
    case PTX_OP_shfl:
        if (in->flags & (PTX_FLAG_sat | PTX_FLAG_pack))
            return unknown;
        return of_operand(a, &o[in->op == PTX_OP_shfl ? 2 : 1]);
    case PTX_OP_add:
        return in->flags & PTX_FLAG_sat
                   ? unknown
                   : sum_residue(a, of_operand(a, &o[1]), of_operand(a, &o[2]));
    case PTX_OP_sub: {
        struct residue x = of_operand(a, &o[1]), y = of_operand(a, &o[2]);
        return in->flags & PTX_FLAG_sat
                   ? unknown
                   : combined_residue(a, x, y, x.low - y.low);
    }
    case PTX_OP_mul:
        return of_product(a, in);
    case PTX_OP_mad:
        return in->flags & PTX_FLAG_sat
                   ? unknown
                   : sum_residue(a, of_product(a, in), of_operand(a, &o[3]));
    case PTX_OP_shl:
        if (o[2].kind != PTX_OPERAND_imm || o[2].imm < 0)
            return unknown;
        return shifted_residue(of_operand(a, &o[1]),
                               (unsigned)(o[2].imm & 0xff));
    case PTX_OP_and:
        if (o[1].kind == PTX_OPERAND_imm)
            return masked_residue(a, of_operand(a, &o[2]), &o[1]);
        return masked_residue(a, of_operand(a, &o[1]), &o[2]);
    case PTX_OP_or: {
        struct residue x = of_operand(a, &o[1]), y = of_operand(a, &o[2]);
        return combined_residue(a, x, y, x.low | y.low);
    }
    case PTX_OP_min:
    case PTX_OP_max:
    case PTX_OP_selp:
        return join_residues(a, of_operand(a, &o[1]), of_operand(a, &o[2]));
    default:
        return unknown;
    }
}

/* A word of the parameters: its residue depends on that parameter. */
static struct residue of_parameter(struct simt_alignments *a,
                                   const struct ptx_operand *o, int64_t offset)
{
    struct residue r = constant_residue(0);
    int64_t at = (int64_t)o->var->offset_bytes + o->imm + offset;

    if (at < 0 || at > UINT16_MAX)
        return unknown;
    for (unsigned level = 1; level < LEVELS; level++) {
        struct needs n = {.count = 1,
                          .need = {{(uint16_t)at, (uint16_t)(1u << level)}}};
        r.set[level] = number_of(a, &n);
    }
    return r;
}

static void define_residue(struct simt_alignments *a,
                           const struct ptx_operand *d, struct residue v)
{
    assert(d->kind == PTX_OPERAND_reg);
    if (d->kind != PTX_OPERAND_reg || !v.is_seen)
        return;
    struct residue *r = &a->regs[d->reg];
    struct residue now = join_residues(a, *r, v);
    bool is_new = !r->is_seen;
    for (unsigned level = 1; level < LEVELS && !is_new; level++)
        is_new = now.set[level] != r->set[level];
    if (!is_new)
        return;
    *r = a->is_hasty ? unknown : now;
    a->has_changed = true;
}

struct definition {
    struct simt_alignments *a;
    const struct ptx_inst *in;
};

static void define_unknown(void *data, uint32_t reg)
{
    struct definition *d = data;
    const struct ptx_operand o = {.kind = PTX_OPERAND_reg, .reg = reg};

    define_residue(d->a, &o, unknown);
}

static bool is_parameter_load(const struct simt_alignments *a,
                              const struct ptx_inst *in)
{
    const struct ptx_operand *o = &in->operand[1];

    return in->op == PTX_OP_ld && o->reg == PTX_NO_REG && o->var &&
           o->var->space == PTX_SPACE_param &&
           ptx_is_kernel_param(a->k->func, o->var);
}

static void visit_inst(struct simt_alignments *a, const struct ptx_inst *in)
{
    struct definition d = {a, in};
    const struct ptx_operand *o = in->operand;

    if (ptx_dest_count(in) == 0)
        return;
    if (is_parameter_load(a, in)) {
        unsigned size = ptx_type_size(in->type[in->type_count - 1]);
        unsigned count = ptx_operand_item_count(o);
        for (unsigned i = 0; i < count; i++)
            define_residue(a, count > 1 ? &o->items[i] : o,
                           of_parameter(a, &o[1], (int64_t)i * size));
    } else if (ptx_dest_count(in) == 1 && o->kind == PTX_OPERAND_reg) {
        define_residue(a, o, result_residue(a, in));
    } else if (in->op == PTX_OP_shfl) {
        define_residue(a, &o[0], result_residue(a, in));
    } else {
        ptx_for_each_def(in, define_unknown, &d);
    }
}

struct simt_alignments *simt_find_alignments(struct arena *arena,
                                             const struct simt_kernel *k)
{
    struct simt_alignments *a = arena_new(arena, struct simt_alignments);

    a->k = k;
    a->regs = arena_array(arena, struct residue, k->func->reg_count + 1);
    a->set_count = 1; /* element NOTHING */
    for (unsigned pass = 0;; pass++) {
        a->has_changed = false;
        a->is_hasty = pass >= PASSES_MAX;
        for (size_t i = 0; i < k->func->inst_count; i++)
            visit_inst(a, &k->func->insts[i]);
        if (!a->has_changed)
            return a;
    }
}

bool simt_is_aligned(const struct simt_alignments *a,
                     const struct ptx_operand *o, unsigned align_bytes,
                     const struct simt_need **needs, unsigned *count)
{
    struct residue r = o->reg != PTX_NO_REG ? a->regs[o->reg]
                       : o->var             ? of_var(a, o->var, 0)
                                            : constant_residue(0);
    unsigned level = 0;

    assert((align_bytes & (align_bytes - 1)) == 0);
    while (1u << level < align_bytes)
        level++;
    *count = 0;
    if (!r.is_seen || level >= LEVELS || r.set[level] == NOT_KNOWN ||
        ((r.low + (uint64_t)o->imm) & (align_bytes - 1)) != 0)
        return false;
    *needs = a->sets[r.set[level]].need;
    *count = a->sets[r.set[level]].count;
    return true;
}
