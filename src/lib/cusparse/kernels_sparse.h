/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and products of sparse matrices. */

/* c = alpha a b + beta c, where the columns of c are known. */
static void OF(spgemm)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta);
    int64_t high = sparse_cut(&w->a, (int64_t)end, w->pieces);
    int64_t i = sparse_cut(&w->a, (int64_t)first, w->pieces);
    T *c = w->c.values, *sum = calloc((size_t)w->b.minors + 1, sizeof *sum);
    if (!sum)
        __builtin_trap();
    for (; i < high; i++) {
        for (struct cursor e = sparse_row(&w->a, i); sparse_next(&e);) {
            T v = alpha * OF(entry)(&w->a, e.at);
            struct cursor f = sparse_row(&w->b, e.minor);
            while (sparse_next(&f))
                sum[sparse_inside(f.minor, w->b.minors)] +=
                    v * OF(entry)(&w->b, f.at);
        }
        for (struct cursor e = sparse_row(&w->c, i); sparse_next(&e);) {
            int64_t j = sparse_inside(e.minor, w->b.minors);
            OF(blend)(w->c.type, c, e.at, beta, sum[j]);
            sum[j] = 0;
        }
    }
    free(sum);
}

/* c = alpha a + beta b, rows sorted; the offsets of c are known. */
static void OF(geam)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta);
    int64_t high = w->a.majors * (int64_t)end / w->pieces;
    for (int64_t i = w->a.majors * (int64_t)first / w->pieces; i < high; i++) {
        int64_t e = sparse_start(&w->a, i), e_to = sparse_start(&w->a, i + 1);
        int64_t f = sparse_start(&w->b, i), f_to = sparse_start(&w->b, i + 1);
        for (int64_t g = sparse_start(&w->c, i); e < e_to || f < f_to; g++) {
            int64_t j = e < e_to ? sparse_minor(&w->a, e) : INT64_MAX;
            int64_t k = f < f_to ? sparse_minor(&w->b, f) : INT64_MAX;
            T v = 0;
            list_set(w->c.minor, g, (j < k ? j : k) + w->c.base);
            if (j <= k)
                v = alpha * OF(entry)(&w->a, e++);
            if (k <= j)
                v += beta * OF(entry)(&w->b, f++);
            ((T *)w->c.values)[g] = v;
        }
    }
}
