/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the lanes of most warps do, though nothing guarantees it. Most of an
 * image is away from its edges, so that a clamped or wrapped index is mostly
 * unchanged. Rows are longer than warps, so that the lanes of a warp are
 * mostly in one row: a quotient by the width is uniform, and a remainder grows
 * as the dividend does. Such a guess is worth a test only where memory is
 * accessed (emit/memory/speculative.c).
 */
#include "simt/internal.h"

static const struct simt_value varying = {.is_known = true};

static bool is_affine(struct simt_value v)
{
    return v.is_known && !simt_is_varying(v.shape);
}

static struct simt_value with_stride(struct simt_value v, int64_t stride)
{
    assert(v.is_known);
    v.shape.stride = stride;
    v.shape.is_conditional = false;
    v.zeros = 0;
    return v;
}

struct simt_value simt_speculate_either(struct simt_value a,
                                        struct simt_value b)
{
    if (!is_affine(a) || !is_affine(b))
        return varying;
    unsigned group =
        a.shape.group < b.shape.group ? a.shape.group : b.shape.group;
    a = simt_view(a, group);
    b = simt_view(b, group);
    if (!is_affine(a) || !is_affine(b))
        return varying;
    if (b.shape.stride == 0 || a.shape.stride == b.shape.stride)
        return with_stride(a, a.shape.stride);
    return a.shape.stride == 0 ? with_stride(b, b.shape.stride) : varying;
}

/* Do the values of all lanes differ by less than `than` steps? */
static bool spans_less(const struct simt_work *w, struct simt_value v,
                       uint64_t than)
{
    unsigned lanes = simt_coarse_lanes(&w->k->spec);
    uint64_t stride = (uint64_t)v.shape.stride, span;

    assert(!simt_is_varying(v.shape));
    if (v.shape.stride < 0)
        stride = 0 - stride;
    if (v.shape.group < lanes)
        lanes = v.shape.group;
    return !__builtin_mul_overflow(stride, lanes, &span) && span <= than;
}

/* Is the divisor uniform, and probably large? */
static bool is_big(const struct simt_work *w, struct simt_value v,
                   const struct ptx_operand *o, struct simt_value by,
                   unsigned bits)
{
    int64_t n;

    if (!is_affine(by) || by.shape.stride != 0)
        return false;
    return !simt_operand_constant(w, o, bits, &n) ||
           spans_less(w, v, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static struct simt_value speculate_divide(struct simt_work *w,
                                          const struct ptx_inst *in,
                                          struct simt_value a,
                                          struct simt_value b)
{
    bool is_rem = in->op == PTX_OP_rem;
    unsigned bits = ptx_type_bits(in->type[0]);

    if (!is_affine(a) || !is_big(w, a, &in->operand[2], b, bits))
        return varying;
    a = simt_view(a, b.shape.group);
    return is_affine(a) ? with_stride(a, is_rem ? a.shape.stride : 0) : varying;
}

/* The high half of a product, as of a division by a constant. */
static struct simt_value speculate_high(struct simt_work *w,
                                        const struct ptx_inst *in,
                                        struct simt_value a)
{
    unsigned bits = ptx_type_bits(in->type[0]);
    int64_t factor, stride;

    if (in->half != PTX_HALF_hi || bits != 32 || !is_affine(a) ||
        !simt_operand_constant(w, &in->operand[2], bits, &factor) ||
        __builtin_mul_overflow(a.shape.stride, factor < 0 ? -factor : factor,
                               &stride) ||
        !spans_less(w, with_stride(a, stride), UINT64_C(1) << bits))
        return varying;
    return with_stride(a, 0);
}

static struct simt_value speculate_shift(struct simt_work *w,
                                         const struct ptx_inst *in,
                                         struct simt_value a)
{
    int64_t n;

    if (!is_affine(a) || !simt_operand_constant(w, &in->operand[2], 32, &n) ||
        n < 0 || n >= 63 || !spans_less(w, a, UINT64_C(1) << n))
        return varying;
    return with_stride(a, 0);
}

static struct simt_value speculate_mask(struct simt_work *w,
                                        const struct ptx_inst *in,
                                        struct simt_value a)
{
    int64_t mask;

    if (!is_affine(a) ||
        !simt_operand_constant(w, &in->operand[2], ptx_type_bits(in->type[0]),
                               &mask) ||
        mask <= 0 || mask == INT64_MAX || (mask & (mask + 1)) != 0 ||
        !spans_less(w, a, (uint64_t)mask))
        return varying;
    return with_stride(a, a.shape.stride);
}

struct simt_value simt_speculate(struct simt_work *w, const struct ptx_inst *in,
                                 struct simt_value a, struct simt_value b)
{
    assert(w->speculation != SIMT_SPECULATE_NOTHING);
    if (in->type_count == 0 || ptx_type_is_float(in->type[0]) ||
        in->type[0] == PTX_TYPE_pred)
        return varying;
    switch (in->op) {
    case PTX_OP_selp:
    case PTX_OP_min:
    case PTX_OP_max:
        return simt_speculate_either(a, b);
    case PTX_OP_div:
    case PTX_OP_rem:
        return speculate_divide(w, in, a, b);
    case PTX_OP_mul:
        return speculate_high(w, in, a);
    case PTX_OP_shr:
        return speculate_shift(w, in, a);
    case PTX_OP_and:
        return speculate_mask(w, in, a);
    default:
        return varying;
    }
}
