/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Triangles and incomplete factors. Majors are done in their order by one
 * tile, or level by level (levels.c): those of a level at once, w->order[from]
 * to [end]. Columns of a row are sorted where factors are made.
 */

static void OF(report)(const struct work *w, int64_t major)
{
    uint64_t *at = w->out,
             row = (uint64_t)(major / w->a.block_rows) + w->a.base;
    uint64_t known = at ? __atomic_load_n(at, __ATOMIC_RELAXED) : 0;
    /* None, -1, is the largest. */
    while (at && row < known &&
           !__atomic_compare_exchange_n(at, &known, row, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* ---- a y = alpha x ---------------------------------------------------- */

/* Gives y[i] to the rows behind. */
static void OF(push_major)(const struct work *w, int64_t i, int64_t col)
{
    const struct sparse *a = &w->a;
    T y = *OF(cell)(&w->y, i, col);
    for (struct cursor e = sparse_row(a, i); sparse_next(&e);)
        if (e.minor != i && (e.minor < i) == a->is_lower)
            *OF(cell)(&w->y, e.minor, col) -= OF(entry)(a, e.at) * y;
}

/* From y[i], which has alpha x[i], and the rows that are known. */
static void OF(solve_major)(const struct work *w, int64_t i, int64_t col)
{
    const struct sparse *a = &w->a;
    T *y = OF(cell)(&w->y, i, col), diagonal = 0, sum = 0;
    for (struct cursor e = sparse_row(a, i); sparse_next(&e);) {
        if (e.minor == i)
            diagonal = OF(entry)(a, e.at);
        else if ((e.minor < i) == a->is_lower && !a->is_transposed)
            sum += OF(entry)(a, e.at) * *OF(cell)(&w->y, e.minor, col);
    }
    if (!a->is_unit && diagonal == 0)
        OF(report)(w, i);
    *y = a->is_unit ? *y - sum : (*y - sum) / diagonal;
    if (a->is_transposed)
        OF(push_major)(w, i, col);
}

static void OF(solve)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha);
    bool is_forward = w->a.is_lower != w->a.is_transposed;
    int64_t n = w->a.majors;
    for (int64_t col = (int64_t)first; col < (int64_t)end; col++) {
        for (int64_t i = 0; i < n; i++)
            *OF(cell)(&w->y, i, col) = alpha * OF(read)(&w->x, i, col);
        for (int64_t i = 0; i < n; i++)
            OF(solve_major)(w, is_forward ? i : n - 1 - i, col);
    }
}

/* Some of a level, or some levels in one tile; a is not transposed. */
static void OF(solve_rows)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha);
    int64_t n = w->end - w->from;
    int64_t high = w->from + n * (int64_t)end / w->pieces;
    for (int64_t k = w->from + n * (int64_t)first / w->pieces; k < high; k++)
        for (int64_t col = 0; col < w->y.cols; col++) {
            int64_t i = w->order[k];
            *OF(cell)(&w->y, i, col) = alpha * OF(read)(&w->x, i, col);
            OF(solve_major)(w, i, col);
        }
}

/* ---- incomplete factors, in place ------------------------------------- */

/* What row i has behind cursor `e`, minus factor times what k's has. */
static void OF(eliminate)(T *val, struct cursor e, struct cursor f, T factor)
{
    bool more = sparse_next(&e) && sparse_next(&f);
    while (more) {
        if (e.minor == f.minor)
            val[e.at] -= factor * val[f.at];
        more = e.minor < f.minor   ? sparse_next(&e)
               : e.minor > f.minor ? sparse_next(&f)
                                   : sparse_next(&e) && sparse_next(&f);
    }
}

static bool OF(find)(struct cursor *e, int64_t minor)
{
    while (sparse_next(e))
        if (e->minor >= minor)
            return e->minor == minor;
    return false;
}

/* beta stands for pivots that are no larger than alpha, where more is. */
static void OF(boost)(const struct work *w, T *pivot)
{
    if (w->more && MAGNITUDE(*pivot) <= creal(OF(value)(&w->alpha)))
        *pivot = OF(value)(&w->beta);
}

static void OF(ilu_row)(const struct work *w, int64_t i)
{
    T *val = w->a.values;
    struct cursor e = sparse_row(&w->a, i);
    while (sparse_next(&e) && e.minor < i) {
        struct cursor f = sparse_row(&w->a, e.minor);
        if (!OF(find)(&f, e.minor))
            continue;
        val[e.at] /= val[f.at];
        OF(eliminate)(val, e, f, val[e.at]);
    }
    struct cursor d = sparse_row(&w->a, i);
    bool has_pivot = OF(find)(&d, i);
    if (has_pivot)
        OF(boost)(w, &val[d.at]);
    if (!has_pivot || val[d.at] == 0)
        OF(report)(w, i);
}

/* What two rows of the factor have in common before column `end`. */
static T OF(common)(const T *val, struct cursor e, struct cursor f, int64_t end)
{
    T sum = 0;
    bool more = sparse_next(&e) && sparse_next(&f);
    while (more && e.minor < end && f.minor < end) {
        if (e.minor == f.minor)
            sum += val[e.at] * CONJ(val[f.at]);
        more = e.minor < f.minor   ? sparse_next(&e)
               : e.minor > f.minor ? sparse_next(&f)
                                   : sparse_next(&e) && sparse_next(&f);
    }
    return sum;
}

static void OF(chol_row)(const struct work *w, int64_t i)
{
    T *val = w->a.values;
    struct cursor row = sparse_row(&w->a, i), e = row;
    bool has_pivot = false;
    while (sparse_next(&e) && e.minor <= i) {
        int64_t k = e.minor;
        struct cursor f = sparse_row(&w->a, k);
        T v = val[e.at] - OF(common)(val, row, f, k);
        if (k < i && OF(find)(&f, k))
            val[e.at] = v / val[f.at];
        if (k < i)
            continue;
        has_pivot = creal(v) > 0;
        val[e.at] = (REAL)sqrt(creal(v));
    }
    if (!has_pivot)
        OF(report)(w, i);
}

#define FACTOR(name)                                                           \
    static void OF(name)(const void *args, uint64_t first, uint64_t end)       \
    {                                                                          \
        const struct work *w = args;                                           \
        int64_t n = w->end - w->from;                                          \
        int64_t high = w->from + n * (int64_t)end / w->pieces;                 \
        for (int64_t k = w->from + n * (int64_t)first / w->pieces; k < high;   \
             k++)                                                              \
            OF(name##_row)(w, w->order ? w->order[k] : k);                     \
    }
FACTOR(ilu)
FACTOR(chol)
#undef FACTOR
