/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wgmma: products of matrices in shared memory by the four warps of a
 * warpgroup. Each warp computes its 16 rows when it comes to the instruction,
 * so nothing is left to wait for; yet the warps of the group meet at
 * wgmma.fence and wgmma.wait_group, as those order their accesses.
 */
#include "emu/check.h"
#include "emu/matrix.h"

#include <stdlib.h>

enum { CHUNK_BYTES = 16 };

/* A matrix in shared memory, as its descriptor says. PTX ISA, "Matrix
 * Descriptor Format" and "Strides". */
struct view {
    const struct emu_warp *w;
    const struct ptx_inst *in;
    const uint8_t *shared;
    uint32_t start, lead, stride; /* bytes */
    uint32_t width;               /* of a line: 16, or the swizzle's */
    bool is_transposed;           /* elements along m or n are neighbours */
};

static struct view make_view(const struct emu_warp *w,
                             const struct ptx_inst *in, emu_bits descriptor,
                             bool is_transposed)
{
    unsigned mode = (unsigned)(descriptor >> 62);

    return (struct view){.w = w,
                         .in = in,
                         .shared = w->b->w->shared,
                         .start = (uint32_t)(descriptor & 0x3fff) << 4,
                         .lead = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
                         .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
                         .width = 16u << (mode ? 4 - mode : 0),
                         .is_transposed = is_transposed};
}

/* The 16 bytes of chunk `chunk` of line `line`: zeros, if they are not there.
 */
static const uint8_t *chunk_at(const struct view *v, uint32_t line,
                               uint32_t chunk)
{
    uint32_t per_line = v->width / 16, group = line / 8;
    uint32_t at = v->start + line % 8 * v->width;

    if (!v->is_transposed)
        at += group * v->stride + chunk * (per_line > 1 ? 16 : v->lead);
    else if (per_line == 1)
        at += chunk * v->stride + group * v->lead;
    else
        at += chunk % per_line * 16 + chunk / per_line * v->lead +
              group * v->stride;
    at ^= at >> 3 & (v->width - 16);
    const uint8_t *p = v->shared + at;
    static const uint8_t zeros[CHUNK_BYTES];
    struct emu_thread *t = &v->w->threads[__builtin_ctz(v->w->mask)];
    return emu_touch(v->w->b, t, v->in, PTX_SPACE_shared, p, CHUNK_BYTES,
                     EMU_READS)
               ? p
               : zeros;
}

/* Element k of row (or column) `outer`. */
static emu_bits element_at(const struct view *v, unsigned bits, uint32_t outer,
                           uint32_t k)
{
    uint32_t line = v->is_transposed ? k : outer;
    uint32_t at_bit = (v->is_transposed ? outer : k) * bits;
    const uint8_t *p = chunk_at(v, line, at_bit / 128);
    emu_bits value = 0;

    if (bits == 1)
        return p[at_bit % 128 / 8] >> at_bit % 8 & 1;
    memcpy(&value, p + at_bit % 128 / 8, bits / 8);
    return value;
}

static emu_bits negate_element(enum ptx_type t, emu_bits v)
{
    return v ^ UINT64_C(1) << (8 * ptx_type_size(t) - 1);
}

static void fill_a(const struct emu_warp *w, struct emu_product *p,
                   const struct ptx_wgmma_operands *o)
{
    const struct ptx_fragment *f = &p->mma.a;
    struct emu_thread *first = &w->threads[__builtin_ctz(w->mask)];

    if (o->is_a_in_registers) {
        emu_collect(w, f, 1, p->a);
    } else {
        uint32_t rank = (uint32_t)(w->threads - w->b->threads) / 32 % 4;
        struct view v = make_view(
            w, p->in, emu_read(w->b, first, &p->in->operand[1], PTX_TYPE_b64),
            o->is_a_transposed);
        for (unsigned i = 0; i < f->rows * f->columns; i++)
            p->a[i] = element_at(&v, f->element_bits,
                                 16 * rank + i / f->columns, i % f->columns);
    }
    for (unsigned i = 0; o->is_negated && i < f->rows * f->columns; i++)
        p->a[i] = negate_element(f->type, p->a[i]);
    emu_choose_rows(w, p);
}

/* Reads eight columns of D from registers `first` and up into p->c, or writes
 * p->d there. */
static void move_sums(const struct emu_warp *w, struct emu_product *p,
                      unsigned first, bool is_load)
{
    const struct ptx_fragment *f = &p->mma.d;

    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned r = 0; w->mask >> lane & 1 && r < f->reg_count; r++) {
            struct emu_thread *t = &w->threads[lane];
            const struct ptx_operand *o =
                &emu_inst(t)->operand[0].items[first + r];
            emu_bits v = is_load ? emu_read(w->b, t, o, PTX_TYPE_b32) : 0;
            for (unsigned part = 0; part < f->per_reg; part++) {
                struct ptx_cell c = ptx_fragment_cell(f, lane, r, part);
                unsigned at = part * f->element_bits;
                emu_bits *cell = (is_load ? p->c : p->d) + c.row * 8 + c.column;
                emu_bits mask = (UINT64_C(1) << f->element_bits) - 1;
                if (is_load)
                    *cell = v >> at & mask;
                else
                    v |= (*cell & mask) << at;
            }
            if (!is_load)
                emu_write(t, o, v);
        }
}

void emu_multiply_shared(const struct emu_warp *w, const struct ptx_inst *in)
{
    if (in->sub != PTX_SUB_mma)
        return;
    struct emu_thread *first = &w->threads[__builtin_ctz(w->mask)];
    struct ptx_wgmma_operands o = ptx_find_wgmma_operands(in);
    struct emu_product *p = calloc(1, sizeof *p);

    if (!p)
        w->b->launch->helpers->trap(w->b->w);
    p->in = in;
    ptx_describe_wgmma(in, &p->mma); /* checked by emu_refuse_matrix */
    fill_a(w, p, &o);
    struct view b =
        make_view(w, in, emu_read(w->b, first, &in->operand[2], PTX_TYPE_b64),
                  o.is_b_transposed);
    bool has_c =
        emu_read(w->b, first, &in->operand[o.scale_d], PTX_TYPE_pred) & 1;
    for (unsigned tile = 0; tile < ptx_wgmma_columns(in) / 8; tile++) {
        memset(p->c, 0, sizeof p->c);
        if (has_c)
            move_sums(w, p, tile * p->mma.d.reg_count, true);
        for (unsigned i = 0; i < p->mma.k * 8; i++)
            p->b[i] =
                element_at(&b, p->mma.b.element_bits, 8 * tile + i % 8, i / 8);
        emu_multiply_cells(p);
        move_sums(w, p, tile * p->mma.d.reg_count, false);
    }
    free(p);
}
