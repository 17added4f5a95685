/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Value ranges of integer registers, as signed intervals, over all lanes and
 * all times. They serve to show that widening a 32-bit index cannot wrap, and
 * that `or` and `and` do not disturb an affine value. A register with several
 * definitions that keeps growing is soon given up.
 *
 * What the launch guarantees (simt_spec.is_grid_small, the block shape, the
 * limits of grids) enters through special registers.
 */
#include "simt/internal.h"

typedef __int128 wide;

static struct simt_range full_range(unsigned bits)
{
    if (bits >= 64)
        return (struct simt_range){INT64_MIN, INT64_MAX};
    if (bits == 0)
        bits = 1;
    return (struct simt_range){-(INT64_C(1) << (bits - 1)),
                               (INT64_C(1) << (bits - 1)) - 1};
}

bool simt_range_is_full(struct simt_range r, unsigned bits)
{
    assert(r.lo <= r.hi);
    struct simt_range full = full_range(bits);
    return r.lo <= full.lo && r.hi >= full.hi;
}

/* [lo, hi] if it fits `bits` signed bits; else the full range. */
static struct simt_range fit_range(wide lo, wide hi, unsigned bits)
{
    struct simt_range full = full_range(bits);

    assert(lo <= hi);
    if (lo < full.lo || hi > full.hi)
        return full;
    return (struct simt_range){(int64_t)lo, (int64_t)hi};
}

static int64_t sign_extend(int64_t value, unsigned bits)
{
    if (bits >= 64)
        return value;
    return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static struct simt_range sreg_range(const struct simt_spec *s,
                                    enum ptx_sreg sreg)
{
    static const int64_t grid_limit[3] = {INT32_MAX, 65535, 65535};
    int64_t most = INT32_MAX;
    unsigned d;

    switch (sreg) {
    case PTX_SREG_tid_x:
    case PTX_SREG_tid_y:
    case PTX_SREG_tid_z:
        d = sreg - PTX_SREG_tid_x;
        return (struct simt_range){0, s->block[d] ? s->block[d] - 1 : 1023};
    case PTX_SREG_ntid_x:
    case PTX_SREG_ntid_y:
    case PTX_SREG_ntid_z:
        d = sreg - PTX_SREG_ntid_x;
        if (s->block[d])
            return (struct simt_range){s->block[d], s->block[d]};
        return (struct simt_range){1, 1024};
    case PTX_SREG_ctaid_x:
    case PTX_SREG_ctaid_y:
    case PTX_SREG_ctaid_z:
    case PTX_SREG_nctaid_x:
    case PTX_SREG_nctaid_y:
    case PTX_SREG_nctaid_z:
        d = (sreg - PTX_SREG_ctaid_x) % 3;
        if (grid_limit[d] < most)
            most = grid_limit[d];
        if (s->is_grid_small && s->block[d] &&
            (INT64_C(1) << 31) / s->block[d] < most)
            most = (INT64_C(1) << 31) / s->block[d];
        if (sreg >= PTX_SREG_nctaid_x)
            return (struct simt_range){1, most};
        return (struct simt_range){0, most - 1};
    case PTX_SREG_laneid:
    case PTX_SREG_warpid:
        return (struct simt_range){0, 31};
    case PTX_SREG_nwarpid:
        return (struct simt_range){1, 64};
    default:
        return full_range(64);
    }
}
static_assert(PTX_SREG_nctaid_x == PTX_SREG_ctaid_x + 3,
              "sreg_range takes the two triples as one run");

struct simt_range simt_operand_range(const struct simt_work *w,
                                     const struct ptx_operand *o, unsigned bits)
{
    switch (o->kind) {
    case PTX_OPERAND_imm: {
        int64_t v = sign_extend(o->imm, bits);
        return (struct simt_range){v, v};
    }
    case PTX_OPERAND_reg: {
        struct simt_range r = w->ranges[o->reg];
        return fit_range(r.lo, r.hi, bits);
    }
    case PTX_OPERAND_sreg: {
        struct simt_range r = sreg_range(&w->k->spec, o->sreg);
        return fit_range(r.lo, r.hi, bits);
    }
    default:
        return full_range(bits);
    }
}

bool simt_operand_constant(const struct simt_work *w,
                           const struct ptx_operand *o, unsigned bits,
                           int64_t *value)
{
    struct simt_range r = simt_operand_range(w, o, bits);

    *value = r.lo;
    return r.lo == r.hi;
}

static struct simt_range multiply_ranges(struct simt_range a,
                                         struct simt_range b, unsigned bits)
{
    wide p[4] = {(wide)a.lo * b.lo, (wide)a.lo * b.hi, (wide)a.hi * b.lo,
                 (wide)a.hi * b.hi};
    wide lo = p[0], hi = p[0];

    assert(a.lo <= a.hi && b.lo <= b.hi);
    for (int i = 1; i < 4; i++) {
        lo = p[i] < lo ? p[i] : lo;
        hi = p[i] > hi ? p[i] : hi;
    }
    return fit_range(lo, hi, bits);
}

/* The range of a value of `bits` bits, read as unsigned if is_unsigned. */
static struct simt_range reread_range(struct simt_range r, unsigned bits,
                                      bool is_unsigned)
{
    assert(r.lo <= r.hi);
    if (!is_unsigned || r.lo >= 0)
        return r;
    if (bits >= 63)
        return full_range(64);
    return (struct simt_range){0, (INT64_C(1) << bits) - 1};
}

static struct simt_range shift_right(struct simt_range a, struct simt_range n,
                                     unsigned bits, bool is_unsigned)
{
    assert(n.lo <= n.hi);
    if (n.lo != n.hi || n.lo < 0 || n.lo >= bits)
        return full_range(bits);
    a = reread_range(a, bits, is_unsigned);
    return fit_range(a.lo >> n.lo, a.hi >> n.lo, bits);
}

static struct simt_range bitwise_and(struct simt_range a, struct simt_range b,
                                     unsigned bits)
{
    assert(a.lo <= a.hi && b.lo <= b.hi);
    if (a.lo < 0 && b.lo < 0)
        return full_range(bits);
    if (a.lo < 0)
        return (struct simt_range){0, b.hi};
    if (b.lo < 0)
        return (struct simt_range){0, a.hi};
    return (struct simt_range){0, a.hi < b.hi ? a.hi : b.hi};
}

/* Also for xor: no bit is above the highest of both. */
static struct simt_range bitwise_or(struct simt_range a, struct simt_range b,
                                    unsigned bits)
{
    uint64_t most;

    assert(a.lo <= a.hi && b.lo <= b.hi);
    if (a.lo < 0 || b.lo < 0)
        return full_range(bits);
    most = (uint64_t)(a.hi | b.hi);
    most = most ? UINT64_MAX >> __builtin_clzll(most) : 0;
    return fit_range(0, most, bits);
}

static struct simt_range divide_ranges(struct simt_range a, struct simt_range b,
                                       unsigned bits, bool is_remainder)
{
    assert(a.lo <= a.hi && b.lo <= b.hi);
    if (a.lo < 0 || b.lo <= 0)
        return full_range(bits);
    if (is_remainder)
        return (struct simt_range){0, a.hi < b.hi - 1 ? a.hi : b.hi - 1};
    return (struct simt_range){a.lo / b.hi, a.hi / b.lo};
}

static struct simt_range shift_left(struct simt_range a, struct simt_range n,
                                    unsigned bits)
{
    assert(a.lo <= a.hi && n.lo <= n.hi);
    if (n.lo != n.hi || n.lo < 0 || n.lo >= 63)
        return full_range(bits);
    return fit_range((wide)a.lo * (INT64_C(1) << n.lo),
                     (wide)a.hi * (INT64_C(1) << n.lo), bits);
}

/* Read as unsigned, negative numbers are large. */
static struct simt_range minimum_range(struct simt_range a, struct simt_range b,
                                       unsigned bits, bool is_unsigned)
{
    assert(a.lo <= a.hi && b.lo <= b.hi);
    if (is_unsigned && (a.lo < 0 || b.lo < 0))
        return full_range(bits);
    return (struct simt_range){a.lo < b.lo ? a.lo : b.lo,
                               a.hi < b.hi ? a.hi : b.hi};
}

static struct simt_range maximum_range(struct simt_range a, struct simt_range b,
                                       unsigned bits, bool is_unsigned)
{
    assert(a.lo <= a.hi && b.lo <= b.hi);
    if (is_unsigned && (a.lo < 0 || b.lo < 0))
        return full_range(bits);
    return (struct simt_range){a.lo > b.lo ? a.lo : b.lo,
                               a.hi > b.hi ? a.hi : b.hi};
}

static struct simt_range hull_of(struct simt_range a, struct simt_range b)
{
    assert(a.lo <= a.hi && b.lo <= b.hi);
    return (struct simt_range){a.lo < b.lo ? a.lo : b.lo,
                               a.hi > b.hi ? a.hi : b.hi};
}

/* A value of a type that is narrower than its register, loaded or
 * converted. */
static struct simt_range type_range(enum ptx_type t, unsigned bits)
{
    unsigned own = ptx_type_bits(t);

    if (own < bits && ptx_type_kind(t) == PTX_KIND_unsigned && own < 63)
        return (struct simt_range){0, (INT64_C(1) << own) - 1};
    if (own < bits && ptx_type_kind(t) == PTX_KIND_signed)
        return full_range(own);
    return full_range(bits);
}

static struct simt_range convert_range(const struct simt_work *w,
                                       const struct ptx_inst *in, unsigned bits)
{
    enum ptx_type from = in->type[1];

    if (ptx_type_is_float(from) || ptx_type_is_float(in->type[0]))
        return type_range(in->type[0], bits);
    struct simt_range r =
        simt_operand_range(w, &in->operand[1], ptx_type_bits(from));
    r = reread_range(r, ptx_type_bits(from),
                     ptx_type_kind(from) == PTX_KIND_unsigned);
    unsigned to = ptx_type_bits(in->type[0]);
    if (ptx_type_kind(in->type[0]) == PTX_KIND_unsigned && to < bits)
        return r.lo >= 0 && r.hi < (INT64_C(1) << to)
                   ? r
                   : type_range(in->type[0], bits);
    return fit_range(r.lo, r.hi, to);
}

static struct simt_range wide_product(const struct simt_work *w,
                                      const struct ptx_inst *in)
{
    unsigned half = ptx_type_bits(in->type[0]);
    bool is_unsigned = ptx_type_kind(in->type[0]) == PTX_KIND_unsigned;
    struct simt_range a = reread_range(
        simt_operand_range(w, &in->operand[1], half), half, is_unsigned);
    struct simt_range b = reread_range(
        simt_operand_range(w, &in->operand[2], half), half, is_unsigned);

    return multiply_ranges(a, b, half * 2);
}

/* a * b, in the forms of mul and mad. */
static struct simt_range product_range(const struct simt_work *w,
                                       const struct ptx_inst *in,
                                       struct simt_range a, struct simt_range b,
                                       unsigned bits)
{
    if (in->half == PTX_HALF_wide)
        return wide_product(w, in);
    return in->half == PTX_HALF_hi ? full_range(bits)
                                   : multiply_ranges(a, b, bits);
}

static struct simt_range sum_ranges(struct simt_range a, struct simt_range b,
                                    unsigned bits)
{
    return fit_range((wide)a.lo + b.lo, (wide)a.hi + b.hi, bits);
}

/* Unsigned bfe: `length` bits of a from bit `at` on. */
static struct simt_range extract_range(struct simt_range a,
                                       struct simt_range at,
                                       struct simt_range length, unsigned bits)
{
    if (length.lo < 0 || length.hi >= bits)
        return full_range(bits);
    struct simt_range r = {0, (INT64_C(1) << length.hi) - 1};
    if (a.lo >= 0 && at.lo >= 0 && at.lo < bits && a.hi >> at.lo < r.hi)
        r.hi = a.hi >> at.lo;
    return r;
}

static struct simt_range result_range(const struct simt_work *w,
                                      const struct ptx_inst *in, unsigned bits)
{
    bool is_unsigned = ptx_type_kind(in->type[0]) == PTX_KIND_unsigned;
    struct simt_range a = full_range(bits), b = a, c = a;

    if (in->operand_count > 1)
        a = simt_operand_range(w, &in->operand[1], bits);
    if (in->operand_count > 2)
        b = simt_operand_range(w, &in->operand[2], bits);
    if (in->operand_count > 3)
        c = simt_operand_range(w, &in->operand[3], bits);

    switch (in->op) {
    case PTX_OP_mov:
        return a;
    case PTX_OP_add:
        return sum_ranges(a, b, bits);
    case PTX_OP_sub:
        return fit_range((wide)a.lo - b.hi, (wide)a.hi - b.lo, bits);
    case PTX_OP_mul:
        return product_range(w, in, a, b, bits);
    case PTX_OP_mad:
        return in->half == PTX_HALF_hi
                   ? full_range(bits)
                   : sum_ranges(product_range(w, in, a, b, bits), c, bits);
    case PTX_OP_shl:
        return shift_left(a, b, bits);
    case PTX_OP_shr:
        return shift_right(a, b, bits, !ptx_type_is_signed(in->type[0]));
    case PTX_OP_and:
        return bitwise_and(a, b, bits);
    case PTX_OP_or:
    case PTX_OP_xor:
        return bitwise_or(a, b, bits);
    case PTX_OP_bfe:
        return is_unsigned ? extract_range(a, b, c, bits) : full_range(bits);
    case PTX_OP_div:
    case PTX_OP_rem:
        return divide_ranges(a, b, bits, in->op == PTX_OP_rem);
    case PTX_OP_min:
        return minimum_range(a, b, bits, is_unsigned);
    case PTX_OP_max:
        return maximum_range(a, b, bits, is_unsigned);
    case PTX_OP_selp:
        return hull_of(a, b);
    case PTX_OP_cvt:
        return convert_range(w, in, bits);
    case PTX_OP_ld:
    case PTX_OP_ldu:
        return type_range(in->type[0], bits);
    default:
        return full_range(bits);
    }
}

static bool is_integer_register(const struct simt_work *w, uint32_t reg)
{
    enum ptx_type_kind kind = ptx_type_kind(w->k->func->regs[reg].type);

    return kind == PTX_KIND_bits || kind == PTX_KIND_signed ||
           kind == PTX_KIND_unsigned;
}

static bool result_is_integer(const struct ptx_inst *in)
{
    return in->type_count > 0 && !ptx_type_is_float(in->type[0]) &&
           in->type[0] != PTX_TYPE_pred;
}

struct visit {
    struct simt_work *w;
    const struct ptx_inst *in;
    uint64_t *is_defined;
    uint8_t *growth; /* how often each register grew */
    bool changed;
};

enum { MOST_GROWTH = 3 };

static void widen_range(void *data, uint32_t reg)
{
    struct visit *v = data;
    struct simt_work *w = v->w;

    if (!is_integer_register(w, reg))
        return;
    unsigned bits = ptx_type_bits(w->k->func->regs[reg].type);
    struct simt_range r = full_range(bits);
    if (result_is_integer(v->in) && ptx_dest_count(v->in) == 1 &&
        v->in->operand[0].kind == PTX_OPERAND_reg)
        r = result_range(w, v->in, bits);
    if (bits_has(v->is_defined, reg)) {
        struct simt_range old = w->ranges[reg];
        r = hull_of(r, old);
        if (r.lo == old.lo && r.hi == old.hi)
            return;
        if (++v->growth[reg] > MOST_GROWTH)
            r = full_range(bits);
    }
    bits_add(v->is_defined, reg);
    w->ranges[reg] = r;
    v->changed = true;
}

void simt_find_ranges(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    size_t regs = k->func->reg_count;
    struct visit v = {.w = w,
                      .is_defined =
                          arena_array(k->arena, uint64_t, w->reg_words),
                      .growth = arena_array(k->arena, uint8_t, regs + 1)};

    w->ranges = arena_array(k->arena, struct simt_range, regs + 1);
    for (size_t r = 0; r < regs; r++) /* undefined so far: anything */
        w->ranges[r] = full_range(64);
    do {
        v.changed = false;
        for (uint32_t b = 0; b < k->block_count; b++)
            for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
                v.in = &k->func->insts[i];
                ptx_for_each_def(v.in, widen_range, &v);
            }
    } while (v.changed);
}
