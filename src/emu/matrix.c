/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices that the lanes of a warp hold together: the operands
 * are collected from the registers into plain arrays, multiplied as
 * ptx/matrix.h defines, and the result is spread again.
 */
#include "emu/matrix.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

bool emu_is_matrix(const struct ptx_inst *in)
{
    return emu_ops[in->op].how == EMU_MATRIX;
}

const char *emu_refuse_matrix(const struct ptx_inst *in)
{
    struct ptx_mma mma;

    if (in->op == PTX_OP_mma || in->op == PTX_OP_wmma)
        return ptx_describe_mma(in, &mma);
    if (in->op == PTX_OP_wgmma)
        return in->sub == PTX_SUB_mma ? ptx_describe_wgmma(in, &mma) : NULL;
    return in->shape == PTX_SHAPE(8, 8, 0) ? NULL
                                           : "has another shape than m8n8";
}

/* ---- elements ---------------------------------------------------------- */

static emu_bits part_of(const struct ptx_fragment *f, emu_bits reg,
                        unsigned part)
{
    reg >>= part * f->element_bits;
    return f->element_bits == 64 ? reg
                                 : reg & ((UINT64_C(1) << f->element_bits) - 1);
}

static size_t index_of(const struct ptx_fragment *f, struct ptx_cell c)
{
    return (c.group * f->rows + c.row) * f->columns + c.column;
}

/* The elements of lanes outside the mask are zeros. */
void emu_collect(const struct emu_warp *w, const struct ptx_fragment *f,
                 unsigned operand, emu_bits *out)
{
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned r = 0; r < f->reg_count; r++) {
            emu_bits v = 0;
            if (w->mask >> lane & 1) {
                struct emu_thread *t = &w->threads[lane];
                const struct ptx_operand *o = &emu_inst(t)->operand[operand];
                v = emu_read(w->b, t, ptx_operand_item(o, r), PTX_TYPE_b64);
            }
            for (unsigned p = 0; p < f->per_reg; p++)
                out[index_of(f, ptx_fragment_cell(f, lane, r, p))] =
                    part_of(f, v, p);
        }
}

static void spread_result(const struct emu_warp *w,
                          const struct ptx_fragment *f, unsigned operand,
                          const emu_bits *values)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(w->mask >> lane & 1))
            continue;
        struct emu_thread *t = &w->threads[lane];
        const struct ptx_operand *o = &emu_inst(t)->operand[operand];
        for (unsigned r = 0; r < f->reg_count; r++) {
            emu_bits v = 0;
            for (unsigned p = 0; p < f->per_reg; p++)
                v |= values[index_of(f, ptx_fragment_cell(f, lane, r, p))]
                     << (p * f->element_bits);
            emu_write(t, ptx_operand_item(o, r), v);
        }
    }
}

static float matrix_float(enum ptx_type t, emu_bits v)
{
    switch (t) {
    case PTX_TYPE_bf16:
        return float_of_bits((uint32_t)v << 16);
    case PTX_TYPE_tf32: /* the low bits are ignored */
        return float_of_bits((uint32_t)v & ~UINT32_C(0x1fff));
    default:
        return (float)emu_to_double(t, v);
    }
}

static int64_t integer_value(enum ptx_type t, emu_bits v)
{
    switch (t) {
    case PTX_TYPE_s8:
        return (int8_t)v;
    case PTX_TYPE_s4:
        return (int)(v & 15) - (v & 8 ? 16 : 0);
    default:
        return (int64_t)v;
    }
}

/* ---- sums -------------------------------------------------------------- */

struct sum {
    const struct emu_product *p;
    size_t a; /* first element of A's row */
    size_t b; /* first element of B's column */
    emu_bits c;
};

static size_t b_index(const struct sum *s, unsigned i)
{
    return s->b + (size_t)s->p->k_of[s->a + i] * s->p->mma.n;
}

static emu_bits float_sum(const struct sum *s)
{
    const struct emu_product *p = s->p;
    float sum = (float)emu_to_double(p->mma.c.type, s->c);

    for (unsigned i = 0; i < p->mma.a.columns; i++)
        sum = fmaf(p->fa[s->a + i], p->fb[b_index(s, i)], sum);
    if (isnan(sum))
        return p->mma.d.type == PTX_TYPE_f16 ? 0x7fff : 0x7fffffff;
    return emu_from_double(p->mma.d.type, sum);
}

static emu_bits double_sum(const struct sum *s)
{
    const struct emu_product *p = s->p;
    double sum = emu_to_double(PTX_TYPE_f64, s->c);

    for (unsigned i = 0; i < p->mma.a.columns; i++)
        sum = fma(emu_to_double(PTX_TYPE_f64, p->a[s->a + i]),
                  emu_to_double(PTX_TYPE_f64, p->b[b_index(s, i)]), sum);
    return isnan(sum) ? UINT64_C(0x7fffffffffffffff)
                      : emu_from_double(PTX_TYPE_f64, sum);
}

static emu_bits integer_sum(const struct sum *s)
{
    const struct emu_product *p = s->p;
    enum ptx_type ta = p->mma.a.type, tb = p->mma.b.type;
    int64_t sum = (int32_t)s->c;

    for (unsigned i = 0; i < p->mma.a.columns; i++) {
        emu_bits a = p->a[s->a + i], b = p->b[b_index(s, i)];
        if (ta == PTX_TYPE_b1)
            sum += (int64_t)(p->mma.is_and ? a & b : a ^ b);
        else
            sum += integer_value(ta, a) * integer_value(tb, b);
    }
    if (p->in->flags & PTX_FLAG_satfinite)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static emu_bits one_sum(const struct sum *s)
{
    if (s->p->mma.is_integer)
        return integer_sum(s);
    return s->p->mma.a.type == PTX_TYPE_f64 ? double_sum(s) : float_sum(s);
}

void emu_multiply_cells(struct emu_product *p)
{
    const struct ptx_mma *m = &p->mma;
    size_t a_count = m->group_count * m->m * m->a.columns;
    size_t b_count = m->group_count * m->k * m->n;

    if (!m->is_integer && m->a.type != PTX_TYPE_f64) {
        for (size_t i = 0; i < a_count; i++)
            p->fa[i] = matrix_float(m->a.type, p->a[i]);
        for (size_t i = 0; i < b_count; i++)
            p->fb[i] = matrix_float(m->b.type, p->b[i]);
    }
    fesetround(emu_host_rounding(p->in->rnd));
    for (unsigned g = 0; g < m->group_count; g++)
        for (unsigned row = 0; row < m->m; row++)
            for (unsigned column = 0; column < m->n; column++) {
                size_t i = (g * m->m + row) * m->n + column;
                struct sum s = {.p = p,
                                .a = (g * m->m + row) * m->a.columns,
                                .b = (size_t)g * m->k * m->n + column,
                                .c = p->c[i]};
                p->d[i] = one_sum(&s);
            }
    fesetround(FE_TONEAREST);
}

/* ---- mma, wmma.mma ----------------------------------------------------- */

void emu_choose_rows(const struct emu_warp *w, struct emu_product *p)
{
    const struct ptx_mma *m = &p->mma;
    uint32_t metadata[32] = {0};

    for (unsigned i = 0; m->is_sparse && i < 32; i++)
        if (w->mask >> i & 1)
            metadata[i] =
                (uint32_t)emu_read(w->b, &w->threads[i],
                                   &p->in->operand[m->metadata], PTX_TYPE_b32);
    for (unsigned i = 0; i < m->group_count * m->m * m->a.columns; i++) {
        unsigned row = i / m->a.columns, column = i % m->a.columns;
        p->k_of[i] = (uint16_t)column;
        if (!m->is_sparse)
            continue;
        struct ptx_selector s =
            ptx_sparse_selector(m, row, column, m->selector);
        p->k_of[i] = s.k[metadata[s.lane] >> s.shift & 3];
    }
}

static void multiply_fragments(const struct emu_warp *w,
                               const struct ptx_inst *in)
{
    struct emu_product *p = calloc(1, sizeof *p);

    if (!p)
        w->b->launch->helpers->trap(w->b->w);
    p->in = in;
    ptx_describe_mma(in, &p->mma); /* checked by emu_refuse_matrix */
    emu_collect(w, &p->mma.a, 1, p->a);
    emu_collect(w, &p->mma.b, 2, p->b);
    emu_collect(w, &p->mma.c, 3, p->c);
    emu_choose_rows(w, p);
    emu_multiply_cells(p);
    spread_result(w, &p->mma.d, 0, p->d);
    free(p);
}

void emu_matrix(struct emu_block *b, struct emu_thread *warp, uint32_t mask)
{
    struct emu_warp w = {.b = b, .threads = warp, .mask = mask};
    const struct ptx_inst *in = emu_inst(&warp[__builtin_ctz(mask)]);

    if (in->op == PTX_OP_mma ||
        (in->op == PTX_OP_wmma && in->sub == PTX_SUB_mma))
        multiply_fragments(&w, in);
    else if (in->op == PTX_OP_wgmma)
        emu_multiply_shared(&w, in);
    else
        emu_move_matrix(&w, in);
}
