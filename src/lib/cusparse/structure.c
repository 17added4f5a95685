/* SPDX-License-Identifier: Apache-2.0 */
#include "structure.h"

#include <stdlib.h>

static int compare_wide(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t *marks_for(int64_t columns)
{
    int64_t *marks = calloc((size_t)columns + 1, sizeof *marks);
    if (!marks)
        __builtin_trap();
    return marks;
}

#define KERNEL(name, function)                                                 \
    const struct native_kernel structure_##name = {                            \
        "cusparse_structure_" #name, function, sizeof(struct work), 0}

/* ---- products --------------------------------------------------------- */

/* How many columns row i of a b has. marks[j] is i + 1 if j is one of them;
 * columns: where they go, or NULL. */
static int64_t product_row(const struct work *w, int64_t i, int64_t *marks,
                           struct list *columns, int64_t to)
{
    int64_t n = 0;
    for (struct cursor e = sparse_row(&w->a, i); sparse_next(&e);)
        for (struct cursor f = sparse_row(&w->b, e.minor); sparse_next(&f);) {
            int64_t j = sparse_inside(f.minor, w->b.minors);
            if (marks[j] == i + 1)
                continue;
            marks[j] = i + 1;
            if (columns)
                list_set(*columns, to + n, j);
            n++;
        }
    return n;
}

static void count_product(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t *marks = marks_for(w->b.minors);
    int64_t high = sparse_cut(&w->a, (int64_t)end, w->pieces);
    for (int64_t i = sparse_cut(&w->a, (int64_t)first, w->pieces); i < high;
         i++)
        w->counts[i + 1] = product_row(w, i, marks, NULL, 0);
    free(marks);
}
KERNEL(product, count_product);

/* Columns of each row sorted, their base added. */
static void fill_columns(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t *marks = marks_for(w->b.minors), *row = marks_for(w->b.minors);
    struct list list = {row, true};
    int64_t high = sparse_cut(&w->a, (int64_t)end, w->pieces);
    for (int64_t i = sparse_cut(&w->a, (int64_t)first, w->pieces); i < high;
         i++) {
        int64_t n = product_row(w, i, marks, &list, 0), to = w->counts[i];
        qsort(row, (size_t)n, sizeof *row, compare_wide);
        for (int64_t k = 0; k < n; k++)
            list_set(w->c.minor, to + k, row[k] + w->c.base);
        list_set(w->c.major, i, to + w->c.base);
        if (i + 1 == w->a.majors)
            list_set(w->c.major, i + 1, to + n + w->c.base);
    }
    free(row);
    free(marks);
}
KERNEL(columns, fill_columns);

static void count_products(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t n = 0;
    (void)first, (void)end;
    for (int64_t i = 0; i < w->a.majors; i++)
        for (struct cursor e = sparse_row(&w->a, i); sparse_next(&e);)
            n += sparse_width(&w->b, e.minor);
    *(int64_t *)w->out = n;
}
KERNEL(products, count_products);

/* ---- sums ------------------------------------------------------------- */

static int64_t sum_row(const struct work *w, int64_t i)
{
    int64_t n = 0;
    int64_t e = sparse_start(&w->a, i), e_to = sparse_start(&w->a, i + 1);
    int64_t f = sparse_start(&w->b, i), f_to = sparse_start(&w->b, i + 1);
    for (; e < e_to || f < f_to; n++) {
        int64_t j = e < e_to ? sparse_minor(&w->a, e) : INT64_MAX;
        int64_t k = f < f_to ? sparse_minor(&w->b, f) : INT64_MAX;
        e += j <= k;
        f += k <= j;
    }
    return n;
}

static void count_sum(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t high = w->a.majors * (int64_t)end / w->pieces;
    for (int64_t i = w->a.majors * (int64_t)first / w->pieces; i < high; i++)
        list_set(w->c.major, i + 1, sum_row(w, i));
}
KERNEL(sum, count_sum);

/* ---- blocks ----------------------------------------------------------- */

static int64_t block_row(const struct work *w, int64_t row, int64_t *marks,
                         struct list *columns, int64_t to)
{
    int64_t n = 0, i = row * w->c.block_rows;
    for (int64_t r = 0; r < w->c.block_rows && i + r < w->a.majors; r++)
        for (struct cursor e = sparse_row(&w->a, i + r); sparse_next(&e);) {
            int64_t j = sparse_inside(e.minor, w->c.minors) / w->c.block_cols;
            if (marks[j] == row + 1)
                continue;
            marks[j] = row + 1;
            if (columns)
                list_set(*columns, to + n, j + w->c.base);
            n++;
        }
    return n;
}

static int compare_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int64_t structure_block_row(const struct work *w, int64_t row, int64_t *marks)
{
    struct list columns = w->c.minor;
    int64_t from = sparse_start(&w->c, row);
    int64_t n = block_row(w, row, marks, &columns, from);
    qsort((int *)columns.at + from, (size_t)n, sizeof(int), compare_int);
    return from + n;
}

static void count_blocks(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t rows = w->c.majors / w->c.block_rows;
    int64_t *marks = marks_for(w->c.minors / w->c.block_cols);
    int64_t high = rows * (int64_t)end / w->pieces;
    for (int64_t i = rows * (int64_t)first / w->pieces; i < high; i++)
        list_set(w->c.major, i + 1, block_row(w, i, marks, NULL, 0));
    free(marks);
}
KERNEL(blocks, count_blocks);

/* ---- from counts to offsets ------------------------------------------- */

static void make_offsets(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t sum = 0;
    (void)first, (void)end;
    list_set(w->c.major, 0, w->c.base);
    for (int64_t i = 0; i < w->n; i++) {
        sum += list_get(w->c.major, i + 1);
        list_set(w->c.major, i + 1, sum + w->c.base);
    }
    if (w->total.at)
        list_set(w->total, 0, sum);
}
KERNEL(offsets, make_offsets);

static void make_total(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t sum = 0;
    (void)first, (void)end;
    for (int64_t i = 0; i < w->n; i++)
        sum += list_get(w->c.major, i + 1);
    list_set(w->total, 0, sum);
}
KERNEL(total, make_total);

cusparseStatus_t structure_finish(cusparseHandle_t handle, const struct work *w)
{
    return structure_end(handle, &structure_offsets, w);
}

cusparseStatus_t structure_end(cusparseHandle_t handle,
                               const struct native_kernel *k,
                               const struct work *w)
{
    CUresult err = lib_run(k, handle->stream, 1, w);
    bool waits =
        w->total.at && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    return err || !waits ? cusparse_status(err) : cusparse_wait(handle);
}

cusparseStatus_t structure_count(cusparseHandle_t handle,
                                 const struct native_kernel *k,
                                 const struct work *w)
{
    bool waits =
        w->total.at && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    if (waits && cusparse_check_wait(handle))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (w->n) {
        CUresult err = lib_run(k, handle->stream, (uint64_t)w->pieces, w);
        if (err)
            return cusparse_status(err);
    }
    return structure_finish(handle, w);
}
