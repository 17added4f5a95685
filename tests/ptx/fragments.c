/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrix fragments: for every shape and type each element has a place, each
 * place an element, and the places that the manual draws are where it draws
 * them.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/matrix.h"

static int failures;

static void fail(const char *what, unsigned line)
{
    printf("fragments.c:%u: %s\n", line, what);
    failures++;
}
#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition))                                                      \
            fail(#condition, __LINE__);                                        \
    } while (0)

/* ---- every element once ------------------------------------------------ */

static void check_fragment(const struct ptx_fragment *f, unsigned groups,
                           unsigned copies)
{
    static unsigned seen[4 * PTX_MATRIX_MAX_CELLS];
    static struct ptx_place places[4 * PTX_MATRIX_MAX_CELLS];
    unsigned count = groups * f->rows * f->columns;

    memset(seen, 0, sizeof seen);
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned r = 0; r < f->reg_count; r++)
            for (unsigned p = 0; p < f->per_reg; p++) {
                struct ptx_cell c = ptx_fragment_cell(f, lane, r, p);
                CHECK(c.row < f->rows && c.column < f->columns &&
                      c.group < groups);
                seen[(c.group * f->rows + c.row) * f->columns + c.column]++;
            }
    ptx_fragment_places(f, places);
    for (unsigned i = 0; i < count; i++) {
        CHECK(seen[i] == copies);
        struct ptx_place at = places[i];
        struct ptx_cell c = ptx_fragment_cell(f, at.lane, at.reg, at.part);
        CHECK((c.group * f->rows + c.row) * f->columns + c.column == i);
    }
}

/* Every bit pair of metadata is used once in each row and selects an element
 * of the chunk. */
static void check_selectors(const struct ptx_mma *mma, unsigned selector)
{
    static unsigned char used[32][32];

    memset(used, 0, sizeof used);
    for (unsigned row = 0; row < mma->m; row++)
        for (unsigned c = 0; c < mma->a.columns; c++) {
            struct ptx_selector s = ptx_sparse_selector(mma, row, c, selector);
            CHECK(s.lane < 32 && s.shift < 32 && s.lane / 4 == row % 8);
            unsigned pair = mma->a.element_bits == 4 ? c % 2 : 0;
            CHECK(!(used[s.lane][s.shift] >> pair & 1));
            used[s.lane][s.shift] |= (unsigned char)(1 << pair);
            for (unsigned v = 0; v < 4; v++)
                CHECK(s.k[v] < mma->k && s.k[v] / 8 == 2 * c / 8);
        }
}

static const struct row {
    enum ptx_op op;
    bool is_sparse;
    unsigned m, n, k;
    uint64_t sources, sums;
} rows[] = {
#define T(name) (UINT64_C(1) << PTX_TYPE_##name)
#define dense   false
#define sparse  true
#define MATRIX(op, density, m, n, k, sources, sums)                            \
    {PTX_OP_##op, density, m, n, k, sources, sums},
#include "ptx/matrix.def"
#undef dense
#undef sparse
};

/* Registers as the manual counts them: mma's hold each element once. */
static void set_operands(struct ptx_inst *in, struct ptx_operand *operands,
                         unsigned a, unsigned b, unsigned c, unsigned d)
{
    unsigned counts[] = {d, a, b, c};

    for (unsigned i = 0; i < 4; i++) {
        operands[i].kind = PTX_OPERAND_vector;
        operands[i].item_count = counts[i];
    }
    in->operand = operands;
    in->operand_count = 4;
}

static void check_row(const struct row *row, enum ptx_type ab, enum ptx_type cd,
                      enum ptx_layout a_layout, enum ptx_layout b_layout)
{
    struct ptx_operand operands[6] = {{0}};
    struct ptx_inst in = {.op = row->op,
                          .sub = row->op == PTX_OP_wmma ? PTX_SUB_mma : 0,
                          .flags = row->is_sparse ? PTX_FLAG_sparse : 0,
                          .shape = PTX_SHAPE(row->m, row->n, row->k),
                          .type = {cd, ab, ab, cd},
                          .type_count = 4,
                          .layout = {a_layout, b_layout}};
    struct ptx_mma mma;
    bool is_four = row->op == PTX_OP_mma && row->m == 8 && ab == PTX_TYPE_f16;
    unsigned bits = ab == PTX_TYPE_b1 ? 1
                    : ab == PTX_TYPE_u4 || ab == PTX_TYPE_s4
                        ? 4
                        : 8 * ptx_type_size(ab);
    unsigned sum_bits = 8 * ptx_type_size(cd);
    unsigned reg = bits == 64 ? 64 : 32, sum_reg = sum_bits == 64 ? 64 : 32;
    unsigned lanes = is_four ? 8 : 32;
    unsigned a =
        row->m * row->k / (row->is_sparse ? 2 : 1) * bits / reg / lanes;
    unsigned b = row->n * row->k * bits / reg / lanes;
    unsigned c = row->m * row->n * sum_bits / sum_reg / lanes;
    bool repeats = row->op == PTX_OP_wmma && ab == PTX_TYPE_f16;

    set_operands(&in, operands, repeats ? 8 : a, repeats ? 8 : b, c, c);
    const char *wrong = ptx_describe_mma(&in, &mma);
    if (wrong) {
        printf("m%un%uk%u %s %s: ", row->m, row->n, row->k, ptx_type_name(ab),
               ptx_type_name(cd));
        fail(wrong, __LINE__);
        return;
    }
    check_fragment(&mma.a, mma.group_count, repeats ? 8 / a : 1);
    check_fragment(&mma.b, mma.group_count, repeats ? 8 / b : 1);
    check_fragment(&mma.c, mma.group_count, 1);
    check_fragment(&mma.d, mma.group_count, 1);
    if (row->is_sparse)
        for (unsigned i = 0; i < 4; i++)
            check_selectors(&mma, i);
}

/* ---- what the manual draws --------------------------------------------- */

static struct ptx_mma describe(enum ptx_op op, uint32_t shape, enum ptx_type ab,
                               enum ptx_type cd, const unsigned counts[4])
{
    struct ptx_operand operands[6] = {{0}};
    struct ptx_inst in = {.op = op,
                          .shape = shape,
                          .type = {cd, ab, ab, cd},
                          .type_count = 4,
                          .layout = {PTX_LAYOUT_row, PTX_LAYOUT_col}};
    struct ptx_mma mma = {0};

    set_operands(&in, operands, counts[0], counts[1], counts[2], counts[3]);
    CHECK(!ptx_describe_mma(&in, &mma));
    return mma;
}

static bool is_at(const struct ptx_fragment *f, unsigned lane, unsigned i,
                  unsigned row, unsigned column)
{
    struct ptx_cell c =
        ptx_fragment_cell(f, lane, i / f->per_reg, i % f->per_reg);
    return c.row == row && c.column == column;
}

static void check_drawings(void)
{
    struct ptx_mma m;

    m = describe(PTX_OP_mma, PTX_SHAPE(16, 8, 16), PTX_TYPE_f16, PTX_TYPE_f32,
                 (unsigned[]){4, 2, 4, 4});
    CHECK(is_at(&m.a, 0, 0, 0, 0) && is_at(&m.a, 1, 1, 0, 3));
    CHECK(is_at(&m.a, 5, 2, 9, 2) && is_at(&m.a, 31, 7, 15, 15));
    CHECK(is_at(&m.a, 4, 4, 1, 8));
    CHECK(is_at(&m.b, 4, 0, 0, 1) && is_at(&m.b, 31, 3, 15, 7));
    CHECK(is_at(&m.c, 6, 1, 1, 5) && is_at(&m.c, 6, 2, 9, 4));

    m = describe(PTX_OP_mma, PTX_SHAPE(16, 8, 32), PTX_TYPE_s8, PTX_TYPE_s32,
                 (unsigned[]){4, 2, 4, 4});
    CHECK(is_at(&m.a, 1, 3, 0, 7) && is_at(&m.a, 1, 4, 8, 4));
    CHECK(is_at(&m.a, 1, 8, 0, 20) && is_at(&m.a, 1, 15, 8, 23));
    CHECK(is_at(&m.b, 9, 5, 21, 2));

    m = describe(PTX_OP_mma, PTX_SHAPE(16, 8, 16), PTX_TYPE_f64, PTX_TYPE_f64,
                 (unsigned[]){8, 4, 4, 4});
    CHECK(is_at(&m.a, 5, 3, 9, 5) && is_at(&m.a, 5, 6, 1, 13));
    CHECK(is_at(&m.b, 5, 2, 9, 1));

    m = describe(PTX_OP_mma, PTX_SHAPE(16, 8, 64), PTX_TYPE_s4, PTX_TYPE_s32,
                 (unsigned[]){4, 2, 4, 4});
    CHECK(is_at(&m.a, 2, 9, 8, 17) && is_at(&m.a, 2, 16, 0, 48));

    m = describe(PTX_OP_mma, PTX_SHAPE(8, 8, 4), PTX_TYPE_f16, PTX_TYPE_f32,
                 (unsigned[]){2, 2, 8, 8});
    CHECK(is_at(&m.a, 17, 3, 5, 3) && is_at(&m.b, 18, 1, 1, 6));
    CHECK(is_at(&m.c, 3, 6, 3, 6) && is_at(&m.c, 16, 1, 4, 1));
}

int main(void)
{
    static const enum ptx_layout layouts[] = {PTX_LAYOUT_row, PTX_LAYOUT_col};

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        for (unsigned ab = 1; ab < PTX_TYPE_COUNT; ab++)
            for (unsigned cd = 1; cd < PTX_TYPE_COUNT; cd++)
                for (unsigned l = 0; l < 4; l++)
                    if (rows[i].sources >> ab & 1 && rows[i].sums >> cd & 1)
                        check_row(&rows[i], (enum ptx_type)ab,
                                  (enum ptx_type)cd, layouts[l & 1],
                                  layouts[l >> 1]);
    check_drawings();
    if (!failures)
        printf("%zu shapes\n", ARRAY_COUNT(rows));
    return failures != 0;
}
