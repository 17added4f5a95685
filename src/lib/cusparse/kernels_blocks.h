/* SPDX-License-Identifier: Apache-2.0 */
/* Into blocks of another size, and out of blocks. */

/* The values of one row of blocks of c, up to the block `to`, whose columns are
 * known; slot[j] is where the block of column j is. */
static void OF(fill_blocks)(const struct work *w, int64_t block, int64_t to,
                            const int64_t *slot)
{
    const struct sparse *c = &w->c;
    int64_t area = c->block_rows * c->block_cols;
    int64_t from = sparse_start(c, block) * area, i = block * c->block_rows;
    T *val = c->values;
    memset(val + from, 0, (size_t)(to * area - from) * sizeof *val);
    for (int64_t r = 0; r < c->block_rows && i + r < w->a.majors; r++)
        for (struct cursor e = sparse_row(&w->a, i + r); sparse_next(&e);) {
            int64_t j = e.minor / c->block_cols, k = e.minor % c->block_cols;
            val[slot[j] * area + r * c->row_step + k * c->col_step] =
                OF(entry)(&w->a, e.at);
        }
}

/* c has its offsets; its columns and values are made. */
static void OF(reblock)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t rows = w->c.majors / w->c.block_rows;
    int64_t high = rows * (int64_t)end / w->pieces;
    int64_t columns = w->c.minors / w->c.block_cols;
    int64_t *slot = calloc((size_t)columns * 2 + 1, sizeof *slot);
    if (!slot)
        __builtin_trap();
    for (int64_t i = rows * (int64_t)first / w->pieces; i < high; i++) {
        int64_t to = structure_block_row(w, i, slot + columns);
        for (int64_t s = sparse_start(&w->c, i); s < to; s++)
            slot[sparse_inside(sparse_minor(&w->c, s), columns)] = s;
        OF(fill_blocks)(w, i, to, slot);
    }
    free(slot);
}

/* a's blocks, to c as rows: with all numbers of them, zeros too. Without
 * values where a has none. */
static void OF(unblock)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    const struct sparse *a = &w->a;
    int64_t high = a->majors * (int64_t)end / w->pieces;
    for (int64_t i = a->majors * (int64_t)first / w->pieces; i < high; i++) {
        int64_t block = i / a->block_rows, from = sparse_start(a, block);
        int64_t to = from * a->block_rows * a->block_cols +
                     i % a->block_rows * sparse_width(a, i);
        list_set(w->c.major, i, to + w->c.base);
        for (struct cursor e = sparse_row(a, i); sparse_next(&e); to++) {
            list_set(w->c.minor, to, e.minor + w->c.base);
            if (a->values)
                ((T *)w->c.values)[to] = OF(entry)(a, e.at);
        }
        if (i + 1 == a->majors)
            list_set(w->c.major, i + 1, to + w->c.base);
    }
}
