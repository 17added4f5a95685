/* SPDX-License-Identifier: Apache-2.0 */
/* Products with dense matrices: y = alpha a x + beta y. */

/* The work of one member of a batch. */
static struct work OF(member)(const struct work *w, int64_t batch)
{
    struct work m = *w;
    int64_t bytes_a = cusparse_type_bytes(w->a.type);
    m.a.major.at = (const char *)w->a.major.at +
                   batch * w->a.major_stride * (w->a.major.is_wide ? 8 : 4);
    m.a.minor.at = (const char *)w->a.minor.at +
                   batch * w->a.minor_stride * (w->a.minor.is_wide ? 8 : 4);
    m.a.values = (char *)w->a.values + batch * w->a.value_stride * bytes_a;
    m.x.at = (char *)w->x.at +
             batch * w->x.batch_stride * cusparse_type_bytes(w->x.type);
    m.y.at = (char *)w->y.at +
             batch * w->y.batch_stride * cusparse_type_bytes(w->y.type);
    return m;
}

/* ---- rows of a: y[i] -------------------------------------------------- */

static void OF(plain_rows)(const struct csr_rows *r, int64_t first, int64_t end,
                           T alpha, T beta)
{
    const int *ptr = r->ptr, *ind = r->ind;
    const T *val = r->val, *x = r->x;
    T *y = r->y;
    int64_t e = ptr[first] - r->base;
    for (int64_t i = first; i < end; i++) {
        int64_t to = ptr[i + 1] - r->base;
        T sum = 0;
        for (; e < to; e++)
            sum += val[e] * x[ind[e]];
        y[i] = beta == 0 ? alpha * sum : beta * y[i] + alpha * sum;
    }
}

/* Rows by 16, each time with a prefetch of what follows. */
static void OF(large_rows)(const struct csr_rows *r, int64_t first, int64_t end,
                           T alpha, T beta)
{
    for (int64_t i = first, next; i < end; i = next) {
        next = end - i < 16 ? end : i + 16;
        fetch_entries(r, r->ptr[i] - r->base, r->ptr[next] - r->ptr[i],
                      sizeof(T));
        OF(plain_rows)(r, i, next, alpha, beta);
    }
}

/* Bands by BAND_ROWS, other rows one by one. Where no band is found, twice as
 * many rows are done before the next look, so that looking costs a matrix
 * without bands nothing. */
static void OF(csr_rows)(const struct work *w, int64_t first, int64_t end,
                         T alpha, T beta)
{
    const struct csr_rows r = {
        .ptr = w->a.major.at,
        .ind = w->a.minor.at,
        .val = w->a.values,
        .x = (const T *)w->x.at - w->a.base,
        .y = w->y.at,
        .base = w->a.base,
        .nnz = w->a.nnz,
        .is_large =
            w->a.nnz * (int64_t)(sizeof(T) + sizeof(int)) > FETCHED_BYTES,
        .is_x_large = w->a.minors * (int64_t)sizeof(T) > FETCHED_X_BYTES,
        .has_short_rows = w->a.nnz < SHORT_ROW * w->a.majors,
    };
    for (int64_t rows = 16; first < end; rows *= 2) {
        int64_t behind = BAND_ROWS(&r, first, end, alpha, beta);
        if (behind > first)
            rows = 16;
        first = end - behind < rows ? end : behind + rows;
        if (r.has_short_rows)
            OF(cusparse_short_rows)(&r, behind, first, alpha, beta);
        else if (r.is_large)
            OF(large_rows)(&r, behind, first, alpha, beta);
        else
            OF(plain_rows)(&r, behind, first, alpha, beta);
    }
}

static bool OF(is_plain)(const struct work *w)
{
    const struct sparse *a = &w->a;
    return w->y.cols == 1 && w->y.row_step == 1 && w->x.row_step == 1 &&
           !w->x.is_conjugate && w->x.type == NATIVE && w->y.type == NATIVE &&
           a->type == NATIVE && !a->is_conjugate && !a->is_coo &&
           !a->minor.is_wide && !a->major.is_wide && !a->slice &&
           !a->ell_blocks && a->block_rows * a->block_cols == 1;
}

/* A block of columns of a row: entries are read once. */
static void OF(wide_row)(const struct work *w, int64_t row, int64_t col,
                         int64_t width, T alpha, T beta)
{
    T sum[16] = {0};
    bool is_near = w->x.type == NATIVE && w->x.col_step == 1 &&
                   !w->x.is_conjugate && width == 16;
    for (struct cursor e = sparse_row(&w->a, row); sparse_next(&e);) {
        T v = OF(entry)(&w->a, e.at);
        if (is_near) {
            const T *x = OF(cell)(&w->x, e.minor, col);
            for (int c = 0; c < 16; c++)
                sum[c] += v * x[c];
        } else {
            for (int64_t c = 0; c < width; c++)
                sum[c] += v * OF(read)(&w->x, e.minor, col + c);
        }
    }
    for (int64_t c = 0; c < width; c++)
        OF(blend)
    (w->y.type, w->y.at, OF(place)(&w->y, row, col + c), beta, alpha * sum[c]);
}

static void OF(one_row)(const struct work *w, int64_t row, T alpha, T beta)
{
    T sum = 0;
    for (struct cursor e = sparse_row(&w->a, row); sparse_next(&e);)
        sum += OF(entry)(&w->a, e.at) * OF(read)(&w->x, e.minor, 0);
    OF(blend)
    (w->y.type, w->y.at, OF(place)(&w->y, row, 0), beta, alpha * sum);
}

static void OF(gather_rows)(const struct work *w, int64_t first, int64_t end)
{
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta);
    if (OF(is_plain)(w)) {
        OF(csr_rows)(w, first, end, alpha, beta);
        return;
    }
    for (int64_t i = first; i < end; i++) {
        if (w->y.cols == 1)
            OF(one_row)(w, i, alpha, beta);
        else
            for (int64_t c = 0; c < w->y.cols; c += 16)
                OF(wide_row)
        (w, i, c, w->y.cols - c < 16 ? w->y.cols - c : 16, alpha, beta);
    }
}

static void OF(gather)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *all = args;
    for (uint64_t t = first; t < end; t++) {
        int64_t p = (int64_t)t % all->pieces;
        struct work w = OF(member)(all, (int64_t)t / all->pieces);
        OF(gather_rows)
        (&w, sparse_cut(&w.a, p, all->pieces),
         sparse_cut(&w.a, p + 1, all->pieces));
    }
}

/* The rows of blocks that mask lists, n of them. */
static void OF(masked)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta);
    int64_t high = w->n * (int64_t)end / w->pieces;
    for (int64_t k = w->n * (int64_t)first / w->pieces; k < high; k++) {
        int64_t row = list_get(w->mask, k) - w->a.base;
        for (int64_t r = 0; r < w->a.block_rows; r++)
            OF(one_row)(w, row * w->a.block_rows + r, alpha, beta);
    }
}

/* ---- columns of a ----------------------------------------------------- */

static inline void OF(add)(const struct dense *y, int64_t row, int64_t col, T v)
{
    OF(blend)(y->type, y->at, OF(place)(y, row, col), 1, v);
}

/* Each tile owns some rows of y and looks at all entries. */
static void OF(scatter)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *all = args;
    T alpha = OF(value)(&all->alpha), beta = OF(value)(&all->beta);
    for (uint64_t t = first; t < end; t++) {
        int64_t p = (int64_t)t % all->pieces;
        struct work w = OF(member)(all, (int64_t)t / all->pieces);
        int64_t low = w.y.rows * p / all->pieces;
        int64_t high = w.y.rows * (p + 1) / all->pieces;
        for (int64_t i = low; i < high; i++)
            for (int64_t c = 0; c < w.y.cols; c++)
                OF(blend)
        (w.y.type, w.y.at, OF(place)(&w.y, i, c), beta, 0);
        for (int64_t i = 0; i < w.a.majors; i++)
            for (struct cursor e = sparse_row(&w.a, i); sparse_next(&e);) {
                if (e.minor < low || e.minor >= high)
                    continue;
                T v = alpha * OF(entry)(&w.a, e.at);
                for (int64_t c = 0; c < w.y.cols; c++)
                    OF(add)(&w.y, e.minor, c, v * OF(read)(&w.x, i, c));
            }
    }
}

/* ---- c = alpha (x y on the entries of a) + beta a ---------------------- */

static T OF(dense_dot)(const struct work *w, int64_t row, int64_t col)
{
    T sum = 0;
    for (int64_t k = 0; k < w->x.cols; k++)
        sum += OF(read)(&w->x, row, k) * OF(read)(&w->y, k, col);
    return sum;
}

static void OF(sddmm)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *all = args;
    T alpha = OF(value)(&all->alpha), beta = OF(value)(&all->beta);
    for (uint64_t t = first; t < end; t++) {
        int64_t p = (int64_t)t % all->pieces;
        struct work w = OF(member)(all, (int64_t)t / all->pieces);
        int64_t high = sparse_cut(&w.a, p + 1, all->pieces);
        for (int64_t i = sparse_cut(&w.a, p, all->pieces); i < high; i++)
            for (struct cursor e = sparse_row(&w.a, i); sparse_next(&e);) {
                T v = w.a.is_transposed ? OF(dense_dot)(&w, e.minor, i)
                                        : OF(dense_dot)(&w, i, e.minor);
                OF(blend)(w.a.type, w.a.values, e.at, beta, alpha * v);
            }
    }
}
