/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes and layouts of matrix fragments.
 *
 * With one exception all fragments are laid out alike. Lanes form eight groups
 * of four. A tile of A is 8 rows by 4 registers' worth of columns: the group
 * is the row, the lane within it the register. A tile of B is the same with
 * columns as rows. A tile of C is 8 by 8: the group is the row, and each of
 * its lanes has two neighbouring columns. Larger matrices consist of several
 * tiles: first the second eight rows of sixteen, then along k, then the next
 * sixteen rows or eight columns. The manual leaves the layout of wmma's
 * fragments open; they have this one.
 */
#include "ptx/matrix.h"

#include "ptx/internal.h"

enum density { dense, sparse };

static const struct shape_row {
    enum ptx_op op;
    enum density density;
    uint16_t m, n, k;
    uint64_t sources, sums;
} rows[] = {
#define MATRIX(op, density, m, n, k, sources, sums)                            \
    {PTX_OP_##op, density, m, n, k, sources, sums},
#include "ptx/matrix.def"
};

/* ---- fragments --------------------------------------------------------- */

static unsigned element_bits(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_b1:
        return 1;
    case PTX_TYPE_u4:
    case PTX_TYPE_s4:
        return 4;
    default:
        return 8 * ptx_type_size(t);
    }
}

static struct ptx_fragment make_fragment(enum ptx_role role, enum ptx_type type,
                                         unsigned row_count,
                                         unsigned column_count)
{
    struct ptx_fragment f = {.role = role,
                             .type = type,
                             .rows = row_count,
                             .columns = column_count,
                             .element_bits = element_bits(type)};
    f.reg_bits = f.element_bits == 64 ? 64 : 32;
    f.per_reg = f.reg_bits / f.element_bits;
    f.reg_count = row_count * column_count / 32 / f.per_reg;
    return f;
}

static bool has_type(uint64_t types, enum ptx_type t)
{
    return types >> t & 1;
}

/* ---- where elements are ------------------------------------------------ */

static struct ptx_cell cell_of_a(const struct ptx_fragment *f, unsigned lane,
                                 unsigned reg, unsigned part)
{
    unsigned halves = f->rows >= 16 ? 2 : 1;
    unsigned steps = f->columns / (4 * f->per_reg);
    unsigned tile = reg / (halves * steps), rest = reg % (halves * steps);

    return (struct ptx_cell){
        .row = 16 * tile + 8 * (rest % halves) + lane / 4,
        .column = (rest / halves * 4 + lane % 4) * f->per_reg + part};
}

static struct ptx_cell cell_of_b(const struct ptx_fragment *f, unsigned lane,
                                 unsigned reg, unsigned part)
{
    unsigned steps = f->rows / (4 * f->per_reg);

    return (struct ptx_cell){.row = (reg % steps * 4 + lane % 4) * f->per_reg +
                                    part,
                             .column = 8 * (reg / steps) + lane / 4};
}

static struct ptx_cell cell_of_c(const struct ptx_fragment *f, unsigned lane,
                                 unsigned reg, unsigned part)
{
    unsigned halves = f->rows >= 16 ? 2 : 1, tiles = f->columns / 8;
    unsigned i = reg * f->per_reg + part, pair = i / 2;
    unsigned tile = pair / halves;

    return (struct ptx_cell){
        .row = 16 * (tile / tiles) + 8 * (pair % halves) + lane / 4,
        .column = 8 * (tile % tiles) + 2 * (lane % 4) + i % 2};
}

/* mma.m8n8k4 of f16: lanes 16 and up have the second four rows of A and C,
 * and the second four columns of B. */
static struct ptx_cell cell_of_four(const struct ptx_fragment *f, unsigned lane,
                                    unsigned i)
{
    unsigned high = lane / 16 * 4, low = lane % 4;
    struct ptx_cell c = {.group = lane / 4 % 4};

    if (f->form == PTX_BY_PAIR) {
        c.row = (lane & 1) + (i & 2) + high;
        c.column = (i & 4) + (lane & 2) + (i & 1);
        return c;
    }
    bool is_row = f->form == PTX_BY_ROW;
    c.row = is_row ? low : i;
    c.column = is_row ? i : low;
    if (f->role == PTX_ROLE_b)
        c.column += high;
    else
        c.row += high;
    return c;
}

/* Registers that hold an element once; wmma's f16 fragments have more. */
unsigned ptx_fragment_distinct_regs(const struct ptx_fragment *f)
{
    unsigned lanes = f->form == PTX_WHOLE_WARP ? 32 : 8;
    return f->rows * f->columns / lanes / f->per_reg;
}

struct ptx_cell ptx_fragment_cell(const struct ptx_fragment *f, unsigned lane,
                                  unsigned reg, unsigned part)
{
    reg %= ptx_fragment_distinct_regs(f);
    if (f->form != PTX_WHOLE_WARP)
        return cell_of_four(f, lane, reg * f->per_reg + part);
    switch (f->role) {
    case PTX_ROLE_a:
        return cell_of_a(f, lane, reg, part);
    case PTX_ROLE_b:
        return cell_of_b(f, lane, reg, part);
    default:
        return cell_of_c(f, lane, reg, part);
    }
}

void ptx_fragment_places(const struct ptx_fragment *f, struct ptx_place *out)
{
    unsigned regs = ptx_fragment_distinct_regs(f);

    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned reg = 0; reg < regs; reg++)
            for (unsigned part = 0; part < f->per_reg; part++) {
                struct ptx_cell c = ptx_fragment_cell(f, lane, reg, part);
                size_t i = (c.group * f->rows + c.row) * f->columns + c.column;
                out[i] = (struct ptx_place){(uint8_t)lane, (uint8_t)reg,
                                            (uint8_t)part};
            }
}

/* ---- sparse A ---------------------------------------------------------- */

/*
 * Metadata has two bits for each stored element of 16 bits (f16, bf16), of 8
 * bits, for each half of a tf32 and for each pair of 4-bit elements; two such
 * make a chunk, which stands for four of the row. With 16-bit units a
 * register has four chunks of a row in its low half and four of the row eight
 * below in its high half; with 8-bit units it has eight chunks of one row, and
 * the next lane has the row eight below. `selector` tells which lanes of each
 * four have the metadata where one or two of them do.
 */
struct ptx_selector ptx_sparse_selector(const struct ptx_mma *mma, unsigned row,
                                        unsigned column, unsigned selector)
{
    enum ptx_type type = mma->a.type;
    bool is_tf32 = type == PTX_TYPE_tf32, is_byte = mma->a.element_bits <= 8;
    unsigned pair = mma->a.element_bits == 4 ? 2 : 1;
    unsigned unit = is_tf32 ? 2 * column : column / pair;
    unsigned chunk = unit / 2, chunks = mma->a.columns / pair / (2 - is_tf32);
    struct ptx_selector s = {.shift = 2 * (unit % 2)};

    if (is_byte) {
        s.lane = row / 8 + 2 * (chunk / 8) + (chunks == 8 ? 2 * selector : 0);
        s.shift += 4 * (chunk % 8);
    } else {
        s.lane = chunk / 4 + (chunks == 8 ? 2 * selector : selector);
        s.shift += 4 * (chunk % 4) + 16 * (row / 8);
    }
    s.lane = s.lane % 4 + 4 * (row % 8);
    for (unsigned v = 0; v < 4; v++)
        s.k[v] = (uint16_t)(is_tf32 ? 2 * chunk + v / 2
                                    : (4 * chunk + v) * pair + column % pair);
    return s;
}

/* ---- instructions ------------------------------------------------------ */

struct types {
    enum ptx_type a, b, c, d; /* none: not written */
};

static bool is_product(const struct ptx_inst *in)
{
    return in->op == PTX_OP_mma || in->sub == PTX_SUB_mma;
}

static struct types types_of(const struct ptx_inst *in)
{
    const enum ptx_type *t = in->type;

    if (!is_product(in)) {
        bool is_sum = in->sub2 == PTX_SUB_c || in->sub2 == PTX_SUB_d;
        return is_sum ? (struct types){.c = t[0], .d = t[0]}
                      : (struct types){.a = t[0], .b = t[0]};
    }
    if (in->type_count == 2) /* wmma.mma of f16 */
        return (struct types){PTX_TYPE_f16, PTX_TYPE_f16, t[1], t[0]};
    return (struct types){t[1], t[2], t[3], t[0]};
}

static bool takes_type(uint64_t types, enum ptx_type t)
{
    return !t || has_type(types, t);
}

static const struct shape_row *find_row(const struct ptx_inst *in,
                                        struct types t)
{
    enum density density = in->flags & PTX_FLAG_sparse ? sparse : dense;

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct shape_row *r = &rows[i];
        if (r->op == in->op && r->density == density &&
            PTX_SHAPE(r->m, r->n, r->k) == in->shape &&
            takes_type(r->sources, t.a) && takes_type(r->sources, t.b) &&
            takes_type(r->sums, t.c) && takes_type(r->sums, t.d))
            return r;
    }
    return NULL;
}

static void set_four(struct ptx_fragment *f, bool is_row)
{
    f->form = f->role == PTX_ROLE_c && f->type == PTX_TYPE_f32 ? PTX_BY_PAIR
              : is_row                                         ? PTX_BY_ROW
                                                               : PTX_BY_COLUMN;
    f->reg_count = ptx_fragment_distinct_regs(f);
}

static enum ptx_type known_type(enum ptx_type t, uint64_t types)
{
    return t ? t : (enum ptx_type)__builtin_ctzll(types);
}

static bool fits_fragment(const struct ptx_operand *o,
                          const struct ptx_fragment *f)
{
    return ptx_operand_item_count(o) == f->reg_count;
}

/* The operands must have as many registers as the fragments. */
static bool has_good_operands(const struct ptx_inst *in,
                              const struct ptx_mma *mma)
{
    const struct ptx_operand *o = in->operand;

    if (is_product(in))
        return fits_fragment(&o[0], &mma->d) && fits_fragment(&o[1], &mma->a) &&
               fits_fragment(&o[2], &mma->b) && fits_fragment(&o[3], &mma->c);
    if (in->sub == PTX_SUB_store)
        return fits_fragment(&o[1], &mma->d);
    return fits_fragment(&o[0], in->sub2 == PTX_SUB_a   ? &mma->a
                                : in->sub2 == PTX_SUB_b ? &mma->b
                                                        : &mma->c);
}

const char *ptx_describe_mma(const struct ptx_inst *in, struct ptx_mma *out)
{
    struct types t = types_of(in);
    const struct shape_row *r = find_row(in, t);

    if (!r)
        return "has no such shape and types";
    if (is_product(in) && in->type_count != 4 &&
        !(in->op == PTX_OP_wmma && in->type_count == 2))
        return "lacks types";
    *out = (struct ptx_mma){.m = r->m, .n = r->n, .k = r->k, .group_count = 1};
    out->is_sparse = r->density == sparse;
    if (out->is_sparse) {
        out->metadata = 4;
        out->selector = (unsigned)in->operand[5].imm;
    }
    out->is_integer = has_type(r->sums, PTX_TYPE_s32);
    out->is_and = in->sub == PTX_SUB_and || in->sub2 == PTX_SUB_and;
    t.a = known_type(t.a, r->sources);
    t.b = known_type(t.b, r->sources);
    t.c = known_type(t.c, r->sums);
    t.d = known_type(t.d, r->sums);
    unsigned stored = r->density == sparse ? r->k / 2u : r->k;
    out->a = make_fragment(PTX_ROLE_a, t.a, r->m, stored);
    out->b = make_fragment(PTX_ROLE_b, t.b, r->k, r->n);
    out->c = make_fragment(PTX_ROLE_c, t.c, r->m, r->n);
    out->d = make_fragment(PTX_ROLE_c, t.d, r->m, r->n);
    if (in->op == PTX_OP_wmma && t.a == PTX_TYPE_f16)
        out->a.reg_count = out->b.reg_count = 8;
    if (in->op == PTX_OP_mma && r->m == 8 && t.a == PTX_TYPE_f16) {
        out->group_count = 4;
        set_four(&out->a, in->layout[0] != PTX_LAYOUT_col);
        set_four(&out->b, in->layout[1] != PTX_LAYOUT_col);
        set_four(&out->c, true);
        set_four(&out->d, true);
    }
    return has_good_operands(in, out) ? NULL
                                      : "has too few or too many registers";
}

/* ---- wgmma ------------------------------------------------------------- */

struct ptx_wgmma_operands ptx_find_wgmma_operands(const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;
    /* Metadata and selector stand in between. */
    unsigned scale = in->flags & PTX_FLAG_sparse ? 5 : 3;
    struct ptx_wgmma_operands w = {.scale_d = scale};
    bool has_layouts = ptx_type_size(in->type[1]) == 2;

    w.is_a_in_registers = o[1].kind == PTX_OPERAND_vector;
    if (in->operand_count > scale + 2)
        w.is_negated = o[scale + 1].imm * o[scale + 2].imm < 0;
    if (has_layouts && w.is_a_in_registers) {
        w.is_b_transposed = o[scale + 3].imm != 0;
    } else if (has_layouts) {
        w.is_a_transposed = o[scale + 3].imm != 0;
        w.is_b_transposed = o[scale + 4].imm != 0;
    }
    return w;
}

const char *ptx_describe_wgmma(const struct ptx_inst *in, struct ptx_mma *out)
{
    bool is_sparse = in->flags & PTX_FLAG_sparse;
    struct ptx_operand o[6];
    struct ptx_inst one = *in;

    memset(o, 0, sizeof o);
    for (unsigned i = 0; i < 4; i++)
        o[i] = (struct ptx_operand){.kind = PTX_OPERAND_vector,
                                    .item_count = i == 2 && !is_sparse ? 2 : 4};
    if (is_sparse)
        o[5] = in->operand[4];
    if (in->type[0] == PTX_TYPE_f16)
        o[0].item_count = o[3].item_count = 2;
    one.op = PTX_OP_mma;
    one.shape = PTX_SHAPE(16, 8, in->shape & 1023);
    one.type[3] = one.type[0];
    one.type_count = 4;
    one.operand = o;
    const char *wrong = ptx_describe_mma(&one, out);
    out->metadata = 3;
    return wrong;
}
