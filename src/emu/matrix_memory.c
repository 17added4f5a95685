/* SPDX-License-Identifier: Apache-2.0 */
/* Moves matrices between memory and the registers of a warp, and transposes
 * them there. */
#include "emu/check.h"
#include "emu/matrix.h"

/* ---- wmma.load, wmma.store --------------------------------------------- */

struct stored {
    struct emu_block *b;
    struct emu_thread *t;
    const struct ptx_inst *in;
    const struct ptx_fragment *f;
    uint8_t *base;
    uint64_t stride; /* elements from one row (or column) to the next */
    bool is_row_major;
};

static uint64_t element_index(const struct stored *s, struct ptx_cell c)
{
    return s->is_row_major ? c.row * s->stride + c.column
                           : c.column * s->stride + c.row;
}

/* May the lane access element i, of 8 bits at least? */
static bool may_use(const struct stored *s, uint64_t i, unsigned access)
{
    unsigned bytes = s->f->element_bits / 8;

    return emu_touch(s->b, s->t, s->in, s->in->space, s->base + i * bytes,
                     bytes, access);
}

static emu_bits load_element(const struct stored *s, uint64_t i)
{
    unsigned bits = s->f->element_bits;
    emu_bits v = 0;

    if (bits >= 8 ? !may_use(s, i, EMU_READS)
                  : !emu_touch(s->b, s->t, s->in, s->in->space,
                               s->base + i * bits / 8, 1, EMU_READS))
        return 0;
    if (bits >= 8) {
        memcpy(&v, s->base + i * (bits / 8), bits / 8);
        return v;
    }
    return s->base[i * bits / 8] >> (i * bits % 8) & ((1u << bits) - 1);
}

static void load_lane(struct emu_thread *t, const struct ptx_operand *d,
                      const struct stored *s)
{
    const struct ptx_fragment *f = s->f;

    for (unsigned r = 0; r < f->reg_count; r++) {
        emu_bits v = 0;
        for (unsigned p = 0; p < f->per_reg; p++) {
            struct ptx_cell c = ptx_fragment_cell(f, t->lane, r, p);
            v |= load_element(s, element_index(s, c)) << (p * f->element_bits);
        }
        emu_write(t, ptx_operand_item(d, r), v);
    }
}

/* Only C and D are stored, whose elements are whole bytes. */
static void store_lane(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_operand *o, const struct stored *s)
{
    const struct ptx_fragment *f = s->f;
    unsigned bytes = f->element_bits / 8;

    for (unsigned r = 0; r < f->reg_count; r++) {
        emu_bits v = emu_read(b, t, ptx_operand_item(o, r), PTX_TYPE_b64);
        for (unsigned p = 0; p < f->per_reg; p++) {
            struct ptx_cell c = ptx_fragment_cell(f, t->lane, r, p);
            emu_bits part = v >> (p * f->element_bits);
            uint64_t at = element_index(s, c);
            if (may_use(s, at, EMU_WRITES))
                memcpy(s->base + at * bytes, &part, bytes);
        }
    }
}

static void move_fragment(const struct emu_warp *w, struct emu_thread *t,
                          const struct ptx_inst *in)
{
    bool is_load = in->sub == PTX_SUB_load;
    const struct ptx_operand *o = in->operand;
    struct ptx_mma mma;

    ptx_describe_mma(in, &mma);
    const struct ptx_fragment *f = in->sub2 == PTX_SUB_a   ? &mma.a
                                   : in->sub2 == PTX_SUB_b ? &mma.b
                                   : is_load               ? &mma.c
                                                           : &mma.d;
    struct stored s = {.b = w->b,
                       .t = t,
                       .in = in,
                       .f = f,
                       .base = emu_address(w->b, t, in, &o[is_load ? 1 : 0]),
                       .is_row_major = in->layout[0] != PTX_LAYOUT_col};
    s.stride = s.is_row_major ? f->columns : f->rows;
    if (in->operand_count > 2 && o[2].kind != PTX_OPERAND_none)
        s.stride = (uint32_t)emu_read(w->b, t, &o[2], PTX_TYPE_u32);
    if (is_load)
        load_lane(t, &o[0], &s);
    else
        store_lane(w->b, t, &o[1], &s);
}

/* ---- 8 by 8 matrices of 16 bits ---------------------------------------- */

/* Which element half `half` of the lane's register holds. */
static struct ptx_cell small_cell(unsigned lane, unsigned half, bool is_trans)
{
    unsigned first = lane / 4, second = lane % 4 * 2 + half;

    return is_trans ? (struct ptx_cell){.row = second, .column = first}
                    : (struct ptx_cell){.row = first, .column = second};
}

enum { ROW_BYTES = 16 };

/* Lane 8 * i + r has the address of row r of matrix i. NULL: it has none that
 * may be accessed. */
static uint8_t *row_address(const struct emu_warp *w, const struct ptx_inst *in,
                            unsigned lane)
{
    bool is_load = in->op == PTX_OP_ldmatrix;
    struct emu_thread *t = &w->threads[lane];

    if (!(w->mask >> lane & 1) || lane / 8 >= in->vector)
        return NULL;
    uint8_t *p = emu_address(w->b, t, in, &in->operand[is_load ? 1 : 0]);
    return emu_touch(w->b, t, in, in->space, p, ROW_BYTES,
                     is_load ? EMU_READS : EMU_WRITES)
               ? p
               : NULL;
}

static void find_rows(const struct emu_warp *w, const struct ptx_inst *in,
                      uint8_t *rows[32])
{
    for (unsigned lane = 0; lane < 32; lane++)
        rows[lane] = row_address(w, in, lane);
}

static void load_small(const struct emu_warp *w, const struct ptx_inst *in)
{
    bool is_trans = in->flags & PTX_FLAG_trans;
    uint32_t v[32][4] = {{0}};
    uint8_t *rows[32];

    find_rows(w, in, rows);
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned i = 0; i < in->vector; i++)
            for (unsigned half = 0; half < 2; half++) {
                struct ptx_cell c = small_cell(lane, half, is_trans);
                const uint8_t *p = rows[8 * i + c.row];
                uint16_t x = 0;
                if (p)
                    memcpy(&x, p + 2 * c.column, sizeof x);
                v[lane][i] |= (uint32_t)x << (16 * half);
            }
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned i = 0; w->mask >> lane & 1 && i < in->vector; i++)
            emu_write(&w->threads[lane], ptx_operand_item(&in->operand[0], i),
                      v[lane][i]);
}

static void store_small(const struct emu_warp *w, const struct ptx_inst *in)
{
    bool is_trans = in->flags & PTX_FLAG_trans;
    uint8_t *rows[32];

    find_rows(w, in, rows);
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(w->mask >> lane & 1))
            continue;
        for (unsigned i = 0; i < in->vector; i++) {
            emu_bits v =
                emu_read(w->b, &w->threads[lane],
                         ptx_operand_item(&in->operand[1], i), PTX_TYPE_b32);
            for (unsigned half = 0; half < 2; half++) {
                struct ptx_cell c = small_cell(lane, half, is_trans);
                uint8_t *p = rows[8 * i + c.row];
                uint16_t x = (uint16_t)(v >> (16 * half));
                if (p)
                    memcpy(p + 2 * c.column, &x, sizeof x);
            }
        }
    }
}

static void transpose_small(const struct emu_warp *w, const struct ptx_inst *in)
{
    uint16_t m[8][8] = {{0}};

    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned half = 0; w->mask >> lane & 1 && half < 2; half++) {
            struct ptx_cell c = small_cell(lane, half, false);
            m[c.row][c.column] =
                (uint16_t)(emu_read(w->b, &w->threads[lane], &in->operand[1],
                                    PTX_TYPE_b32) >>
                           (16 * half));
        }
    for (unsigned lane = 0; lane < 32; lane++) {
        uint32_t v = 0;
        for (unsigned half = 0; half < 2; half++) {
            struct ptx_cell c = small_cell(lane, half, true);
            v |= (uint32_t)m[c.row][c.column] << (16 * half);
        }
        if (w->mask >> lane & 1)
            emu_write(&w->threads[lane], &in->operand[0], v);
    }
}

void emu_move_matrix(const struct emu_warp *w, const struct ptx_inst *in)
{
    switch (in->op) {
    case PTX_OP_ldmatrix:
        load_small(w, in);
        break;
    case PTX_OP_stmatrix:
        store_small(w, in);
        break;
    case PTX_OP_movmatrix:
        transpose_small(w, in);
        break;
    default:
        for (unsigned lane = 0; lane < 32; lane++)
            if (w->mask >> lane & 1)
                move_fragment(w, &w->threads[lane], in);
        break;
    }
}
