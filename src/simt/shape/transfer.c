/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one instruction makes of the shapes of its operands. Every rule states
 * a fact of modular arithmetic on base + stride * lane; where no rule holds
 * the result is varying, or, if every operand is the same within its groups,
 * the same within the smallest of those groups.
 */
#include "simt/internal.h"

enum { SMALLEST_GROUP = 8, ALL_ZEROS = 64 };

static const struct simt_value varying = {.is_known = true};

static struct simt_value make_value(unsigned group, int64_t stride,
                                    unsigned zeros, bool is_conditional)
{
    assert((group & (group - 1)) == 0);
    if (group < SMALLEST_GROUP)
        return varying;
    return (struct simt_value){
        .is_known = true,
        .shape = {.group = (uint16_t)group,
                  .is_conditional = is_conditional && stride != 0,
                  .stride = stride},
        .zeros = (uint8_t)(zeros > ALL_ZEROS ? ALL_ZEROS : zeros)};
}

static unsigned trailing_zeros(int64_t v)
{
    return v ? (unsigned)__builtin_ctzll((uint64_t)v) : ALL_ZEROS;
}

static unsigned lesser_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool is_power_of_2(int64_t v)
{
    assert(v != INT64_MIN);
    return v > 0 && (v & (v - 1)) == 0;
}

static int64_t sign_extend(int64_t value, unsigned bits)
{
    assert(bits > 0 && bits <= 64);
    if (bits >= 64)
        return value;
    return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

/* The same value seen in smaller groups. */
struct simt_value simt_view(struct simt_value v, unsigned group)
{
    assert((group & (group - 1)) == 0);
    if (!v.is_known || simt_is_varying(v.shape) || v.shape.group <= group)
        return v;
    unsigned step = trailing_zeros(v.shape.stride * (int64_t)group);
    return make_value(group, v.shape.stride, lesser_of(v.zeros, step),
                      v.shape.is_conditional);
}

/* ---- sources ------------------------------------------------------------ */

/* A group of at most `lanes`; if the coarse warp has no more, all lanes. */
static unsigned group_of(const struct simt_spec *spec, unsigned lanes)
{
    return lanes < simt_coarse_lanes(spec) ? lanes : SIMT_ALL_LANES;
}

/* The same in all lanes of a warp, but not of a coarse warp. */
static struct simt_value of_warp(const struct simt_spec *spec)
{
    return make_value(group_of(spec, spec->lane_count), 0, 0, false);
}

/* tid.d, of which one step takes `product` threads, up to `extent`. */
static struct simt_value tid_value(const struct simt_spec *spec,
                                   uint32_t product, uint32_t extent,
                                   bool is_last)
{
    unsigned lanes = simt_coarse_lanes(spec);

    if (extent == 1)
        return make_value(SIMT_ALL_LANES, 0, ALL_ZEROS, false);
    if (product == 1) {
        if (is_last) /* tid counts on through the whole block */
            return make_value(SIMT_ALL_LANES, 1, trailing_zeros(lanes), false);
        unsigned group = lesser_of(lanes, 1u << trailing_zeros(extent));
        unsigned zeros = group == extent ? ALL_ZEROS : trailing_zeros(group);
        return make_value(group_of(spec, group), 1, zeros, false);
    }
    unsigned group = lesser_of(lanes, 1u << trailing_zeros(product));
    return make_value(group_of(spec, group), 0, 0, false);
}

struct simt_value simt_sreg_value(const struct simt_spec *spec,
                                  enum ptx_sreg sreg)
{
    const uint32_t *n = spec->block;

    assert(sreg < PTX_SREG_COUNT);
    switch (sreg) {
    case PTX_SREG_tid_x:
        if (n[0] == 0)
            return varying;
        return tid_value(spec, 1, n[0], n[1] == 1 && n[2] == 1);
    case PTX_SREG_tid_y:
        if (n[0] == 0)
            return varying;
        return tid_value(spec, n[0], n[1], n[2] == 1);
    case PTX_SREG_tid_z:
        if (n[0] == 0)
            return varying;
        return tid_value(spec, n[0] * n[1], n[2], true);
    case PTX_SREG_ntid_x:
    case PTX_SREG_ntid_y:
    case PTX_SREG_ntid_z:
        return make_value(SIMT_ALL_LANES, 0,
                          trailing_zeros(n[sreg - PTX_SREG_ntid_x]) % 64,
                          false);
    case PTX_SREG_laneid:
        return make_value(group_of(spec, spec->lane_count), 1, ALL_ZEROS,
                          false);
    case PTX_SREG_warpid:
        return of_warp(spec);
    case PTX_SREG_lanemask_eq:
    case PTX_SREG_lanemask_le:
    case PTX_SREG_lanemask_lt:
    case PTX_SREG_lanemask_ge:
    case PTX_SREG_lanemask_gt:
        return varying;
    default:
        return make_value(SIMT_ALL_LANES, 0, 0, false);
    }
}

static struct simt_value operand_value(struct simt_work *w,
                                       const struct ptx_operand *o);
static struct simt_value vector_value(struct simt_work *w,
                                      const struct ptx_operand *o);

/* The operand without what is beside it in its brackets. */
static struct simt_value plain_value(struct simt_work *w,
                                     const struct ptx_operand *o)
{
    switch (o->kind) {
    case PTX_OPERAND_reg:
        return w->values[o->reg];
    case PTX_OPERAND_imm:
        return make_value(SIMT_ALL_LANES, 0, trailing_zeros(o->imm), false);
    case PTX_OPERAND_sreg:
        return simt_sreg_value(&w->k->spec, o->sreg);
    case PTX_OPERAND_var:
    case PTX_OPERAND_address:
        return simt_address_value(w, o);
    case PTX_OPERAND_vector:
        return vector_value(w, o);
    default:
        return make_value(SIMT_ALL_LANES, 0, 0, false);
    }
}

/* The value of both together: uniform within the smaller group. */
static struct simt_value join_values(struct simt_value a, struct simt_value b)
{
    if (!a.is_known || !b.is_known)
        return a.is_known ? b : a;
    if (simt_is_varying(a.shape) || a.shape.stride != 0 ||
        simt_is_varying(b.shape) || b.shape.stride != 0)
        return varying;
    return make_value(lesser_of(a.shape.group, b.shape.group), 0, 0, false);
}

static struct simt_value vector_value(struct simt_work *w,
                                      const struct ptx_operand *o)
{
    struct simt_value v = make_value(SIMT_ALL_LANES, 0, 0, false);
    for (unsigned i = 0; i < o->item_count; i++)
        v = join_values(v, operand_value(w, &o->items[i]));
    return v;
}

/* A texture is with its coordinates: [t, {x, y}]. */
static struct simt_value operand_value(struct simt_work *w,
                                       const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_vector || o->item_count == 0)
        return plain_value(w, o);
    return join_values(plain_value(w, o), vector_value(w, o));
}

uint32_t simt_local_pitch(const struct ptx_var *var)
{
    assert(var->align_bytes > 0);
    uint64_t align = var->align_bytes ? var->align_bytes : 1;
    return (uint32_t)((var->size_bytes + align - 1) / align * align);
}

/* Every lane has its own copy of the parameters of calls and of device
 * functions. An address in a register can only be that of a kernel's
 * parameter. */
static bool is_kernel_parameter(const struct ptx_func *func,
                                const struct ptx_var *var)
{
    return var ? ptx_is_kernel_param(func, var) : func->is_entry;
}

struct simt_value simt_address_value(struct simt_work *w,
                                     const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_address && o->reg != PTX_NO_REG) {
        struct simt_value v = w->values[o->reg];
        v.zeros = (uint8_t)lesser_of(v.zeros, trailing_zeros(o->imm));
        return v;
    }
    if (simt_interleaved_var(w->k, o))
        return make_value(SIMT_ALL_LANES, 0,
                          trailing_zeros(o->var->align_bytes | o->imm), false);
    if (o->var && (o->var->space == PTX_SPACE_local ||
                   (o->var->space == PTX_SPACE_param &&
                    !is_kernel_parameter(w->k->func, o->var))))
        return make_value(SIMT_ALL_LANES, simt_local_pitch(o->var), 0, false);
    if (o->var && o->var->space == PTX_SPACE_shared)
        return make_value(SIMT_ALL_LANES, 0,
                          trailing_zeros(o->var->align_bytes | o->imm), false);
    return make_value(SIMT_ALL_LANES, 0, 0, false);
}

/* ---- rules -------------------------------------------------------------- */

struct rule {
    struct simt_work *w;
    const struct ptx_inst *in;
    unsigned bits; /* of the result */
    uint8_t *flags;
    struct simt_value a, b, c; /* sources 1, 2, 3 */
};

/* If every operand is uniform within its groups, so is the result. */
static struct simt_value pointwise_value(const struct rule *r)
{
    unsigned group = SIMT_ALL_LANES;

    for (unsigned i = ptx_dest_count(r->in); i < r->in->operand_count; i++) {
        struct simt_value v = operand_value(r->w, &r->in->operand[i]);
        if (!v.is_known)
            return v;
        if (simt_is_varying(v.shape) || v.shape.stride != 0)
            return varying;
        group = lesser_of(group, v.shape.group);
    }
    return make_value(group, 0, 0, false);
}

static struct simt_value combine_values(struct simt_value a,
                                        struct simt_value b, int64_t sign,
                                        unsigned bits)
{
    assert(sign == 1 || sign == -1);
    if (simt_is_varying(a.shape) || simt_is_varying(b.shape))
        return varying;
    unsigned group = lesser_of(a.shape.group, b.shape.group);
    bool is_conditional = a.shape.is_conditional || b.shape.is_conditional;
    a = simt_view(a, group);
    b = simt_view(b, group);
    uint64_t stride =
        (uint64_t)a.shape.stride + (uint64_t)sign * (uint64_t)b.shape.stride;
    /* Two wraps need not cancel where two strides do. */
    if (is_conditional && sign_extend((int64_t)stride, bits) == 0)
        return varying;
    return make_value(group, sign_extend((int64_t)stride, bits),
                      lesser_of(a.zeros, b.zeros), is_conditional);
}

static struct simt_value scale_value(struct simt_value a, int64_t factor,
                                     unsigned bits)
{
    assert(bits <= 64);
    if (simt_is_varying(a.shape))
        return varying;
    int64_t stride = (int64_t)((uint64_t)a.shape.stride * (uint64_t)factor);
    return make_value(a.shape.group, sign_extend(stride, bits),
                      a.zeros + trailing_zeros(factor), a.shape.is_conditional);
}

static struct simt_value product_value(const struct rule *r,
                                       struct simt_value a, struct simt_value b,
                                       unsigned bits)
{
    int64_t factor;
    unsigned half = ptx_type_bits(r->in->type[0]);

    assert(bits <= 64);
    if (simt_operand_constant(r->w, &r->in->operand[2], half, &factor))
        return scale_value(a, factor, bits);
    if (simt_operand_constant(r->w, &r->in->operand[1], half, &factor))
        return scale_value(b, factor, bits);
    if (simt_is_varying(a.shape) || simt_is_varying(b.shape) ||
        a.shape.stride != 0 || b.shape.stride != 0)
        return varying;
    return make_value(lesser_of(a.shape.group, b.shape.group), 0,
                      lesser_of(a.zeros + b.zeros, 63), false);
}

/* Number of lanes in each group of a value. */
static unsigned lanes_of(const struct rule *r, struct simt_value v)
{
    return lesser_of(v.shape.group, simt_coarse_lanes(&r->w->k->spec));
}

/* base + stride * lane, where the lanes' part is below the set bits of the
 * base and below the two top bits: no carry between the two parts, none lost,
 * and all lanes have one sign. For powers of two only. */
static bool is_split_cleanly(const struct rule *r, struct simt_value v,
                             unsigned bits)
{
    int64_t stride = v.shape.stride;
    unsigned lanes = lanes_of(r, v);

    return is_power_of_2(stride) &&
           stride < (int64_t)((UINT64_C(1) << (bits - 1)) / lanes) &&
           v.zeros >= trailing_zeros(stride * lanes);
}

/* Keeps bits from `cut` on: the result steps every 2^cut / stride lanes. */
static struct simt_value keep_high(const struct rule *r, struct simt_value a,
                                   unsigned cut, unsigned shift)
{
    int64_t stride = a.shape.stride;

    assert(cut <= 64);
    if (simt_is_varying(a.shape))
        return varying;
    if (stride == 0)
        return make_value(a.shape.group, 0,
                          a.zeros >= shift ? a.zeros - shift : 0, false);
    if (!is_split_cleanly(r, a, r->bits) || a.shape.is_conditional || cut >= 63)
        return varying;
    int64_t step = INT64_C(1) << cut;
    if (stride >= step)
        return make_value(a.shape.group, stride >> shift, a.zeros - shift,
                          false);
    if (stride * lanes_of(r, a) <= step)
        return make_value(a.shape.group, 0,
                          a.zeros >= shift ? a.zeros - shift : 0, false);
    return make_value((unsigned)(step / stride), 0, cut - shift, false);
}

static struct simt_value keep_low(const struct rule *r, struct simt_value a,
                                  unsigned cut)
{
    int64_t stride = a.shape.stride;
    /* nothing is left of a base whose low bits are zero */
    unsigned zeros = a.zeros >= cut ? ALL_ZEROS : a.zeros;

    assert(cut <= 64);
    if (simt_is_varying(a.shape))
        return varying;
    if (stride == 0)
        return make_value(a.shape.group, 0, zeros, false);
    if (!is_split_cleanly(r, a, r->bits) || a.shape.is_conditional || cut >= 63)
        return varying;
    int64_t step = INT64_C(1) << cut;
    if (stride >= step)
        return make_value(a.shape.group, 0, zeros, false);
    if (stride * lanes_of(r, a) <= step)
        return make_value(a.shape.group, stride, zeros, false);
    return make_value((unsigned)(step / stride), stride, zeros, false);
}

static struct simt_value and_rule(const struct rule *r)
{
    int64_t mask;
    struct simt_value a = r->a;
    const struct ptx_operand *value = &r->in->operand[1];

    if (!simt_operand_constant(r->w, &r->in->operand[2], r->bits, &mask)) {
        if (!simt_operand_constant(r->w, value, r->bits, &mask))
            return pointwise_value(r);
        a = r->b;
        value = &r->in->operand[2];
    }
    if (mask >= 0 && mask < INT64_MAX && is_power_of_2(mask + 1)) {
        struct simt_range range = simt_operand_range(r->w, value, r->bits);
        if (range.lo >= 0 && range.hi <= mask)
            return a;
        return keep_low(r, a, trailing_zeros(mask + 1));
    }
    if (mask == 0)
        return pointwise_value(r);
    unsigned zeros = trailing_zeros(mask);
    struct simt_value high = keep_high(r, a, zeros, 0);
    int64_t ones = (int64_t)((uint64_t)mask >> zeros);
    if (mask != INT64_MIN && is_power_of_2(-mask))
        return high;
    /* clang removes bits of a mask that the value cannot have: x & ~31 may be
     * x & 992. */
    if (!simt_is_varying(high.shape) && high.shape.stride == 0)
        return make_value(high.shape.group, 0, high.zeros, false);
    if (mask > 0 && ones < INT64_MAX && is_power_of_2(ones + 1))
        return keep_low(r, high, 64 - (unsigned)__builtin_clzll(mask));
    return pointwise_value(r);
}

/* Number of low bits that are zero in every lane. */
static unsigned zeros_everywhere(struct simt_value v)
{
    if (simt_is_varying(v.shape))
        return 0;
    return lesser_of(v.zeros, trailing_zeros(v.shape.stride));
}

static bool fits_below(const struct rule *r, const struct ptx_operand *small,
                       struct simt_value big)
{
    struct simt_range range = simt_operand_range(r->w, small, r->bits);
    unsigned zeros = zeros_everywhere(big);

    return range.lo >= 0 && (zeros >= 63 || range.hi < (INT64_C(1) << zeros));
}

/* The low bits that are zero in every lane: below the stride, and between what
 * the lanes set and what the base does. */
static uint64_t zero_bits(const struct rule *r, struct simt_value v)
{
    unsigned below = lesser_of(zeros_everywhere(v), r->bits - 1);
    uint64_t bits = (UINT64_C(1) << below) - 1;

    assert(v.is_known);
    if (simt_is_varying(v.shape) || v.shape.is_conditional ||
        !is_split_cleanly(r, v, r->bits))
        return bits;
    uint64_t set_by_lanes = (uint64_t)v.shape.stride * lanes_of(r, v) - 1;
    unsigned set_by_base = lesser_of(v.zeros, r->bits - 1);
    return bits | (((UINT64_C(1) << set_by_base) - 1) & ~set_by_lanes);
}

/* Does a constant set only bits that are zero in every lane? clang's form of
 * `first + 32 * k` in an unrolled loop. */
static bool fits_between(const struct rule *r, const struct ptx_operand *small,
                         struct simt_value big)
{
    int64_t ones;

    return simt_operand_constant(r->w, small, r->bits, &ones) && ones >= 0 &&
           ((uint64_t)ones & ~zero_bits(r, big)) == 0;
}

static struct simt_value or_rule(const struct rule *r)
{
    const struct ptx_operand *a = &r->in->operand[1], *b = &r->in->operand[2];
    bool is_add = fits_below(r, b, r->a) || fits_below(r, a, r->b) ||
                  fits_between(r, b, r->a) || fits_between(r, a, r->b);

    if (!is_add || r->in->type[0] == PTX_TYPE_pred)
        return pointwise_value(r);
    return combine_values(r->a, r->b, 1, r->bits);
}

static struct simt_value shift_left(const struct rule *r)
{
    int64_t n;

    if (!simt_operand_constant(r->w, &r->in->operand[2], 32, &n) || n < 0 ||
        n >= r->bits)
        return pointwise_value(r);
    return scale_value(r->a, (int64_t)(UINT64_C(1) << n), r->bits);
}

static struct simt_value shift_right(const struct rule *r)
{
    int64_t n;

    if (!simt_operand_constant(r->w, &r->in->operand[2], 32, &n) || n < 0 ||
        n >= r->bits)
        return pointwise_value(r);
    return keep_high(r, r->a, (unsigned)n, (unsigned)n);
}

/* bfe d, a, position, length: clang's form of (tid >> 5) & 3. */
static struct simt_value extract_value(const struct rule *r)
{
    int64_t at, length;

    if (!simt_operand_constant(r->w, &r->in->operand[2], 32, &at) ||
        !simt_operand_constant(r->w, &r->in->operand[3], 32, &length) ||
        at < 0 || length <= 0 || at + length > r->bits)
        return pointwise_value(r);
    struct simt_value high = keep_high(r, r->a, (unsigned)at, (unsigned)at);
    if (simt_is_varying(high.shape) || high.shape.stride == 0)
        return high;
    if (ptx_type_is_signed(r->in->type[0]))
        return pointwise_value(r);
    return keep_low(r, high, (unsigned)length);
}

/* An unsigned division or remainder by a power of two. */
static struct simt_value divide_value(const struct rule *r)
{
    int64_t by;
    struct simt_range range =
        simt_operand_range(r->w, &r->in->operand[1], r->bits);

    if (!simt_operand_constant(r->w, &r->in->operand[2], r->bits, &by) ||
        !is_power_of_2(by) || range.lo < 0 || r->a.shape.stride == 0)
        return pointwise_value(r);
    unsigned n = trailing_zeros(by);
    return r->in->op == PTX_OP_rem ? keep_low(r, r->a, n)
                                   : keep_high(r, r->a, n, n);
}

/* A value of `from` bits, extended. */
static struct simt_value widen_value(const struct rule *r, struct simt_value a,
                                     const struct ptx_operand *o, unsigned from,
                                     bool is_unsigned)
{
    struct simt_range range = simt_operand_range(r->w, o, from);

    assert(from <= 64);
    if (simt_is_varying(a.shape) || a.shape.stride == 0)
        return a;
    if (a.shape.is_conditional)
        return varying;
    if (!simt_range_is_full(range, from) && (!is_unsigned || range.lo >= 0))
        return a;
    /* Lanes that only set bits which are zero in the base do not carry into
     * the top bit, or beyond it. */
    if (is_split_cleanly(r, a, from))
        return a;
    if (from != 32)
        return varying;
    *r->flags |= SIMT_CHECK_WRAP;
    return make_value(a.shape.group, a.shape.stride, a.zeros,
                      r->w->speculation != SIMT_SPECULATE_MOSTLY);
}

static struct simt_value convert_value(const struct rule *r)
{
    enum ptx_type to = r->in->type[0], from = r->in->type[1];
    unsigned to_bits = ptx_type_bits(to), from_bits = ptx_type_bits(from);

    if (ptx_type_is_float(to) || ptx_type_is_float(from) ||
        (r->in->flags & PTX_FLAG_sat))
        return pointwise_value(r);
    if (to_bits > from_bits)
        return widen_value(r, r->a, &r->in->operand[1], from_bits,
                           ptx_type_kind(from) == PTX_KIND_unsigned);
    if (to_bits < r->bits || simt_is_varying(r->a.shape))
        return pointwise_value(r); /* extended again to the register */
    return make_value(r->a.shape.group, sign_extend(r->a.shape.stride, to_bits),
                      r->a.zeros, r->a.shape.is_conditional);
}

/* a * b in twice the width. */
static struct simt_value wide_product(const struct rule *r)
{
    unsigned half = ptx_type_bits(r->in->type[0]);
    bool is_unsigned = ptx_type_kind(r->in->type[0]) == PTX_KIND_unsigned;
    int64_t factor;
    struct simt_value a = r->a;
    const struct ptx_operand *value = &r->in->operand[1];

    assert(r->in->half == PTX_HALF_wide);
    if (!simt_operand_constant(r->w, &r->in->operand[2], half, &factor)) {
        if (!simt_operand_constant(r->w, value, half, &factor))
            return product_value(r, r->a, r->b, half * 2);
        a = r->b;
        value = &r->in->operand[2];
    }
    if (is_unsigned && half < 64)
        factor = (int64_t)((uint64_t)factor & (UINT64_MAX >> (64 - half)));
    return scale_value(widen_value(r, a, value, half, is_unsigned), factor,
                       half * 2);
}

static struct simt_value multiply_value(const struct rule *r)
{
    switch (r->in->half) {
    case PTX_HALF_wide:
        return wide_product(r);
    case PTX_HALF_lo:
        return product_value(r, r->a, r->b, r->bits);
    default:
        return pointwise_value(r);
    }
}

static struct simt_value multiply_add(const struct rule *r)
{
    if (r->in->half != PTX_HALF_wide && r->in->half != PTX_HALF_lo)
        return pointwise_value(r);
    return combine_values(multiply_value(r), r->c, 1, r->bits);
}

static struct simt_value select_rule(const struct rule *r)
{
    if (!simt_is_uniform(r->c.shape) || simt_is_varying(r->a.shape) ||
        simt_is_varying(r->b.shape) || r->a.shape.stride != r->b.shape.stride)
        return pointwise_value(r);
    unsigned group = lesser_of(r->a.shape.group, r->b.shape.group);
    struct simt_value a = simt_view(r->a, group), b = simt_view(r->b, group);
    return make_value(group, a.shape.stride, lesser_of(a.zeros, b.zeros),
                      a.shape.is_conditional || b.shape.is_conditional);
}

/* a < c where c splits no group: all lanes of a group are on one side. So a
 * block's first threads are told from its other warps. */
static struct simt_value compare_value(const struct rule *r)
{
    const struct ptx_inst *in = r->in;
    unsigned first = ptx_dest_count(in);
    struct simt_value a = r->a;
    int64_t bound;

    if (in->operand_count != first + 2 || simt_is_varying(a.shape) ||
        a.shape.is_conditional || a.shape.stride <= 0 ||
        !simt_operand_constant(r->w, &in->operand[first + 1],
                               ptx_type_bits(in->type[0]), &bound))
        return pointwise_value(r);
    switch (in->cmp) {
    case PTX_CMP_lt:
    case PTX_CMP_lo:
    case PTX_CMP_ge:
    case PTX_CMP_hs:
        break;
    case PTX_CMP_le:
    case PTX_CMP_ls:
    case PTX_CMP_gt:
    case PTX_CMP_hi:
        bound++;
        break;
    default:
        return pointwise_value(r);
    }
    uint64_t reach = (uint64_t)a.shape.stride * (lanes_of(r, a) - 1);
    unsigned bits = reach ? 64 - (unsigned)__builtin_clzll(reach) : 0;
    if (bits > a.zeros || trailing_zeros(bound) < bits ||
        bits >= ptx_type_bits(in->type[0])) /* they have two signs */
        return pointwise_value(r);
    return make_value(a.shape.group, 0, 0, false);
}

static struct simt_value loaded_value(const struct rule *r)
{
    struct simt_value address = simt_address_value(r->w, &r->in->operand[1]);

    if (!address.is_known)
        return address;
    if (r->in->space == PTX_SPACE_param &&
        !is_kernel_parameter(r->w->k->func, r->in->operand[1].var))
        return varying;
    if (simt_loads_uniform(r->w, r->in, address))
        return make_value(SIMT_ALL_LANES, 0, 0, false);
    if (simt_is_varying(address.shape) || address.shape.stride != 0 ||
        simt_interleaved_var(r->w->k, &r->in->operand[1]))
        return varying;
    return make_value(address.shape.group, 0, 0, false);
}

static struct simt_value shuffle_value(const struct rule *r)
{
    int64_t clamp;
    struct simt_value value = r->a, lane = r->b;

    /* Whether the source lane is in the segment depends on the lane, even if
     * all lanes hold the same value. */
    bool is_predicate = r->bits < 32;
    if (simt_is_uniform(value.shape) && !is_predicate)
        return value;
    if (r->in->sub == PTX_SUB_idx && simt_is_uniform(lane.shape) &&
        simt_operand_constant(r->w, &r->in->operand[4], 32, &clamp) &&
        (clamp & 0x1f1f) == 0x1f)
        return of_warp(&r->w->k->spec);
    return varying;
}

/* Do all participating lanes get the same result? */
static bool has_common_result(const struct ptx_inst *in)
{
    return ptx_facts[in->op].result == PTX_RESULT_COMMON ||
           (in->op == PTX_OP_match && in->sub == PTX_SUB_all);
}

/* Lanes that name different members get different results. */
static struct simt_value common_result(struct simt_work *w,
                                       const struct ptx_inst *in)
{
    const struct ptx_operand *members = ptx_members(in);

    if (ptx_is_barrier(in))
        return make_value(SIMT_ALL_LANES, 0, 0, false);
    if (!members)
        return of_warp(&w->k->spec);
    struct simt_value v = operand_value(w, members);
    if (v.is_known && !simt_is_uniform(v.shape))
        return varying;
    return v.is_known ? of_warp(&w->k->spec) : v;
}

/* May lanes with the same operands get different results? */
static bool has_own_result(const struct ptx_inst *in)
{
    bool has_carry = in->flags & PTX_FLAG_cc; /* a hidden operand */

    if (in->op == PTX_OP_mbarrier) /* each lane arrives by itself */
        return in->sub == PTX_SUB_arrive || in->sub == PTX_SUB_arrive_drop;
    return has_carry || ptx_facts[in->op].result == PTX_RESULT_OWN;
}

static struct simt_value apply_rule(struct rule *r)
{
    const struct ptx_inst *in = r->in;
    bool is_integer = in->type_count > 0 && !ptx_type_is_float(in->type[0]) &&
                      in->type[0] != PTX_TYPE_pred &&
                      !(in->flags & PTX_FLAG_sat);

    switch (in->op) {
    case PTX_OP_mov:
        if (in->operand[1].kind == PTX_OPERAND_vector ||
            in->operand[0].kind == PTX_OPERAND_vector)
            return pointwise_value(r);
        return r->a;
    case PTX_OP_cvta:
        return r->a;
    case PTX_OP_cvt:
        return convert_value(r);
    case PTX_OP_ld:
    case PTX_OP_ldu:
        return loaded_value(r);
    case PTX_OP_shfl:
        return shuffle_value(r);
    case PTX_OP_selp:
        return select_rule(r);
    default:
        break;
    }
    if (!is_integer)
        return pointwise_value(r);
    switch (in->op) {
    case PTX_OP_setp:
        return compare_value(r);
    case PTX_OP_add:
        return combine_values(r->a, r->b, 1, r->bits);
    case PTX_OP_sub:
        return combine_values(r->a, r->b, -1, r->bits);
    case PTX_OP_mul:
        return multiply_value(r);
    case PTX_OP_mad:
        return multiply_add(r);
    case PTX_OP_neg:
        return scale_value(r->a, -1, r->bits);
    case PTX_OP_shl:
        return shift_left(r);
    case PTX_OP_shr:
        return shift_right(r);
    case PTX_OP_and:
        return and_rule(r);
    case PTX_OP_or:
        return or_rule(r);
    case PTX_OP_bfe:
        return extract_value(r);
    case PTX_OP_div:
    case PTX_OP_rem:
        return divide_value(r);
    default:
        return pointwise_value(r);
    }
}

struct simt_value simt_transfer(struct simt_work *w, const struct ptx_inst *in,
                                unsigned dest_bits, uint8_t *flags)
{
    struct rule r = {.w = w, .in = in, .bits = dest_bits, .flags = flags};
    struct simt_value *source[3] = {&r.a, &r.b, &r.c};
    unsigned first = ptx_dest_count(in);

    *flags &= (uint8_t)~SIMT_CHECK_WRAP;
    if (w->k->spec.lane_count == 1)
        return make_value(SIMT_ALL_LANES, 0, 0, false);
    if (has_common_result(in))
        return common_result(w, in);
    if (has_own_result(in))
        return varying;
    if (in->op == PTX_OP_ld || in->op == PTX_OP_ldu)
        return loaded_value(&r);
    for (unsigned i = 0; i < 3 && first + i < in->operand_count; i++) {
        *source[i] = operand_value(w, &in->operand[first + i]);
        if (!source[i]->is_known)
            return *source[i];
    }
    struct simt_value v = apply_rule(&r);
    if (w->speculation == SIMT_SPECULATE_MOSTLY && v.is_known &&
        simt_is_varying(v.shape))
        return simt_speculate(w, in, r.a, r.b);
    return v;
}
