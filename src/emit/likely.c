/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses that would be neighbours if lanes had never parted. A loop whose
 * trip count differs between lanes makes everything that it leaves behind
 * varying, though mostly all lanes leave it together: nvcc begins every
 * unrolled loop with one. Such addresses are looked at when they are used: to
 * compare them costs a tenth of a gather.
 */
#include "emit/internal.h"

/* What the addresses are made of: a vector that grows by `step`. */
struct series {
    LLVMValueRef v;
    int64_t step;
    bool is_signed; /* is widened to an address */
};

static bool find_series(struct emit *e, const struct ptx_operand *o,
                        int64_t stride, struct series *s)
{
    struct emit_parts p = emit_parts_of(e, o);

    if (p.index && p.base && p.scale != 0 && stride % p.scale == 0)
        *s = (struct series){p.index, stride / p.scale, p.is_signed};
    else
        *s = (struct series){ir_as_int(e, emit_read_reg(e, o->reg)), stride,
                             false};
    return ir_bits(s->v) >= 32;
}

/* first + step * lane stays in its type for all lanes. */
static LLVMValueRef does_not_wrap(struct emit *e, const struct series *s,
                                  LLVMValueRef first)
{
    unsigned bits = ir_bits(first);
    int64_t span = s->step * (e->lanes - 1);

    if (bits == 64 || span == 0)
        return NULL;
    if (!s->is_signed)
        return ir_icmp(e, LLVMIntULT, first,
                       ir_int(first, (int64_t)UINT32_MAX - span));
    return ir_icmp(e, LLVMIntSLT, first, ir_int(first, INT32_MAX - span));
}

static LLVMValueRef is_series(struct emit *e, const struct series *s)
{
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, ir_bits(s->v));
    LLVMValueRef steps[EMIT_MAX_LANES];
    LLVMValueRef first = ir_extract(e, s->v, 0);

    for (unsigned i = 0; i < e->lanes; i++)
        steps[i] = LLVMConstInt(t, (uint64_t)(s->step * i), 0);
    LLVMValueRef want = ir_add(e, ir_splat(e, first, e->lanes),
                               LLVMConstVector(steps, e->lanes));
    LLVMValueRef ok = emit_all(e, ir_icmp(e, LLVMIntEQ, s->v, want));
    LLVMValueRef fits = does_not_wrap(e, s, first);
    return fits ? ir_and(e, ok, fits) : ok;
}

bool emit_likely_row(struct emit *e, const struct ptx_operand *address,
                     enum ptx_space space, int64_t size_bytes,
                     struct emit_row *row)
{
    struct emit_fn *f = e->f;
    struct simt_shape likely = f->k->likely_address[f->index];
    struct series s;

    if (address->reg == PTX_NO_REG || f->is_cold || e->lanes == 1 ||
        simt_is_varying(likely) || likely.group < e->lanes ||
        (likely.stride != size_bytes && likely.stride != 0) ||
        !find_series(e, address, likely.stride, &s))
        return false;
    row->test = is_series(e, &s);
    if (f->mask)
        row->test = ir_and(e, emit_all(e, f->mask), row->test);
    row->pointer = emit_pointer(e, address, space, 0, 0);
    row->is_one_place = likely.stride == 0;
    return true;
}
