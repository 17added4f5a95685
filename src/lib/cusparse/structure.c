/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that look at no value. */
#include "structure.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* How many columns row i of a b has. seen[j] is i + 1 if j is one of them;
 * columns: where they go, or NULL. */
static int64_t row_columns(const struct work *w, int64_t i, int64_t *seen,
                           int64_t *columns)
{
    int64_t n = 0, to = sparse_start(&w->a, i + 1);
    for (int64_t e = sparse_start(&w->a, i); e < to; e++) {
        int64_t k = sparse_minor(&w->a, e), end = sparse_start(&w->b, k + 1);
        for (int64_t f = sparse_start(&w->b, k); f < end; f++) {
            int64_t j = sparse_minor(&w->b, f);
            if (seen[j] == i + 1)
                continue;
            seen[j] = i + 1;
            if (columns)
                columns[n] = j;
            n++;
        }
    }
    return n;
}

void structure_row(const struct work *w, int64_t i, int64_t *seen)
{
    int64_t from = w->counts[i], n = w->counts[i + 1] - from;
    int64_t *columns = malloc((size_t)(n + 1) * sizeof *columns);
    if (!columns)
        __builtin_trap();
    row_columns(w, i, seen, columns);
    qsort(columns, (size_t)n, sizeof *columns, compare);
    for (int64_t k = 0; k < n; k++)
        list_set(w->c.minor, from + k, columns[k] + w->c.base);
    list_set(w->c.major, i, from + w->c.base);
    if (i + 1 == w->a.majors)
        list_set(w->c.major, i + 1, w->counts[i + 1] + w->c.base);
    free(columns);
}

/* One tile: counts[i] is where row i of a b begins. */
static void count_product(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t n = 0, *seen = calloc((size_t)w->b.minors + 1, sizeof *seen);
    (void)first, (void)end;
    if (!seen)
        __builtin_trap();
    for (int64_t i = 0; i < w->a.majors; i++) {
        w->counts[i] = n;
        n += row_columns(w, i, seen, NULL);
    }
    w->counts[w->a.majors] = n;
    free(seen);
}

const struct native_kernel structure_spgemm = {
    "cusparse_spgemm_count", count_product, sizeof(struct work), 0};

/* One tile: offsets of a + b into c, and the number into out (and more). */
static void count_sum(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t n = 0;
    (void)first, (void)end;
    for (int64_t i = 0; i < w->a.majors; i++) {
        int64_t e = sparse_start(&w->a, i), e_to = sparse_start(&w->a, i + 1);
        int64_t f = sparse_start(&w->b, i), f_to = sparse_start(&w->b, i + 1);
        list_set(w->c.major, i, n + w->c.base);
        for (; e < e_to || f < f_to; n++) {
            int64_t j = e < e_to ? sparse_minor(&w->a, e) : INT64_MAX;
            int64_t k = f < f_to ? sparse_minor(&w->b, f) : INT64_MAX;
            e += j <= k;
            f += k <= j;
        }
    }
    list_set(w->c.major, w->a.majors, n + w->c.base);
    if (w->out)
        *(int *)w->out = (int)n;
}

const struct native_kernel structure_geam = {"cusparse_geam_count", count_sum,
                                             sizeof(struct work), 0};
