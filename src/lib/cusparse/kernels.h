/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for the type T; REAL is its real part's. No guard: kernels.c
 * includes this four times. */

static T OF(value)(const struct scalar *s)
{
    if (s->at)
        return *(const T *)s->at;
#if IS_COMPLEX
    T v;
    ((REAL *)&v)[0] = (REAL)s->real;
    ((REAL *)&v)[1] = (REAL)s->imag;
    return v;
#else
    return (T)s->real;
#endif
}

static inline T *OF(cell)(const struct dense *d, int64_t row, int64_t col)
{
    return (T *)d->at + row * d->row_step + col * d->col_step;
}

static inline T OF(read)(const struct dense *d, int64_t row, int64_t col)
{
    T v = *OF(cell)(d, row, col);
    return d->is_conjugate ? CONJ(v) : v;
}

/* y = beta y + v; y is not read where beta is 0. */
static inline void OF(blend)(T *y, T beta, T v)
{
    *y = beta == 0 ? v : beta * *y + v;
}

static inline T OF(entry)(const struct sparse *s, int64_t e)
{
    T v = ((const T *)s->values)[e];
    return s->is_conjugate ? CONJ(v) : v;
}

/* The members of a batch that this tile computes with. */
static struct work OF(member)(const struct work *w, int64_t batch)
{
    struct work m = *w;
    m.a.major.at = (const char *)w->a.major.at +
                   batch * w->a.major_stride * (w->a.major.is_wide ? 8 : 4);
    m.a.minor.at = (const char *)w->a.minor.at +
                   batch * w->a.minor_stride * (w->a.minor.is_wide ? 8 : 4);
    m.a.values = (T *)w->a.values + batch * w->a.value_stride;
    m.x.at = (T *)w->x.at + batch * w->x.batch_stride;
    m.y.at = (T *)w->y.at + batch * w->y.batch_stride;
    return m;
}

/* ---- products with dense matrices: y = alpha a x + beta y ------------- */

static T OF(row_narrow)(const T *restrict val, const int *restrict ind,
                        int64_t n, const T *restrict x)
{
    T sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += val[i] * x[ind[i]];
    return sum;
}

static T OF(row)(const struct work *w, int64_t from, int64_t to, int64_t col)
{
    T sum = 0;
    for (int64_t e = from; e < to; e++)
        sum +=
            OF(entry)(&w->a, e) * OF(read)(&w->x, sparse_minor(&w->a, e), col);
    return sum;
}

/* A contiguous block of columns of a row: entries are read once. */
static void OF(block)(const struct work *w, int64_t from, int64_t to,
                      int64_t row, int64_t col, int64_t width, T alpha, T beta)
{
    T sum[16] = {0};
    for (int64_t e = from; e < to; e++) {
        T v = OF(entry)(&w->a, e);
        int64_t j = sparse_minor(&w->a, e);
        for (int64_t c = 0; c < width; c++)
            sum[c] += v * OF(read)(&w->x, j, col + c);
    }
    for (int64_t c = 0; c < width; c++)
        OF(blend)(OF(cell)(&w->y, row, col + c), beta, alpha * sum[c]);
}

static void OF(gather_rows)(const struct work *w, int64_t first, int64_t end)
{
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta);
    bool is_plain = w->y.cols == 1 && !w->a.minor.is_wide &&
                    w->x.row_step == 1 && !w->a.is_conjugate;
    const T *x = (const T *)w->x.at - w->a.base;
    int64_t from = sparse_start(&w->a, first);
    for (int64_t i = first; i < end; i++) {
        int64_t to = sparse_start(&w->a, i + 1);
        if (is_plain) {
            T sum =
                OF(row_narrow)((const T *)w->a.values + from,
                               (const int *)w->a.minor.at + from, to - from, x);
            OF(blend)(OF(cell)(&w->y, i, 0), beta, alpha * sum);
        } else if (w->y.cols == 1) {
            OF(blend)
            (OF(cell)(&w->y, i, 0), beta, alpha * OF(row)(w, from, to, 0));
        } else {
            for (int64_t c = 0; c < w->y.cols; c += 16)
                OF(block)
            (w, from, to, i, c, w->y.cols - c < 16 ? w->y.cols - c : 16, alpha,
             beta);
        }
        from = to;
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
                OF(blend)(OF(cell)(&w.y, i, c), beta, 0);
        for (int64_t i = 0, e = 0; i < w.a.majors; i++) {
            int64_t to = sparse_start(&w.a, i + 1);
            for (; e < to; e++) {
                int64_t j = sparse_minor(&w.a, e);
                if (j < low || j >= high)
                    continue;
                T v = alpha * OF(entry)(&w.a, e);
                for (int64_t c = 0; c < w.y.cols; c++)
                    *OF(cell)(&w.y, j, c) += v * OF(read)(&w.x, i, c);
            }
        }
    }
}

/* c = alpha (x y on the entries of c) + beta c. */
static void OF(sddmm)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta);
    int64_t low = sparse_cut(&w->c, (int64_t)first, w->pieces);
    int64_t high = sparse_cut(&w->c, (int64_t)end, w->pieces);
    for (int64_t i = low, e = sparse_start(&w->c, low); i < high; i++)
        for (int64_t to = sparse_start(&w->c, i + 1); e < to; e++) {
            int64_t j = sparse_minor(&w->c, e);
            int64_t row = w->c.is_transposed ? j : i;
            int64_t col = w->c.is_transposed ? i : j;
            T sum = 0;
            for (int64_t k = 0; k < w->x.cols; k++)
                sum += OF(read)(&w->x, row, k) * OF(read)(&w->y, k, col);
            OF(blend)((T *)w->c.values + e, beta, alpha * sum);
        }
}

/* ---- vectors: a has the entries as its minors, x is dense ------------- */

static void OF(axpby)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta), *y = w->x.at;
    int64_t low = w->x.rows * (int64_t)first / w->pieces;
    int64_t high = w->x.rows * (int64_t)end / w->pieces;
    for (int64_t i = low; i < high; i++)
        OF(blend)(y + i, beta, 0);
    for (int64_t e = 0; e < w->a.nnz; e++) {
        int64_t j = sparse_minor(&w->a, e);
        if (j >= low && j < high)
            y[j] += alpha * OF(entry)(&w->a, e);
    }
}

static void OF(take)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t high = w->a.nnz * (int64_t)end / w->pieces;
    for (int64_t e = w->a.nnz * (int64_t)first / w->pieces; e < high; e++)
        ((T *)w->a.values)[e] = ((const T *)w->x.at)[sparse_minor(&w->a, e)];
}

static void OF(put)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t high = w->a.nnz * (int64_t)end / w->pieces;
    for (int64_t e = w->a.nnz * (int64_t)first / w->pieces; e < high; e++)
        ((T *)w->x.at)[sparse_minor(&w->a, e)] = ((const T *)w->a.values)[e];
}

static void OF(rot)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T c = OF(value)(&w->alpha), s = OF(value)(&w->beta);
    int64_t high = w->a.nnz * (int64_t)end / w->pieces;
    for (int64_t e = w->a.nnz * (int64_t)first / w->pieces; e < high; e++) {
        T *x = (T *)w->a.values + e;
        T *y = (T *)w->x.at + sparse_minor(&w->a, e), was = *x;
        *x = c * was + s * *y;
        *y = c * *y - s * was;
    }
}

static void OF(dot)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T sum = 0;
    (void)first, (void)end;
    for (int64_t e = 0; e < w->a.nnz; e++)
        sum +=
            OF(entry)(&w->a, e) * ((const T *)w->x.at)[sparse_minor(&w->a, e)];
    *(T *)w->out = sum;
}

/* ---- between sparse a and dense x ------------------------------------- */

static T *OF(place)(const struct work *w, int64_t major, int64_t minor)
{
    return w->a.is_transposed ? OF(cell)(&w->x, minor, major)
                              : OF(cell)(&w->x, major, minor);
}

static void OF(densify)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t low = w->a.majors * (int64_t)first / w->pieces;
    int64_t high = w->a.majors * (int64_t)end / w->pieces;
    for (int64_t i = low; i < high; i++) {
        int64_t to = sparse_start(&w->a, i + 1);
        for (int64_t j = 0; j < w->a.minors; j++)
            *OF(place)(w, i, j) = 0;
        for (int64_t e = sparse_start(&w->a, i); e < to; e++)
            *OF(place)(w, i, sparse_minor(&w->a, e)) = OF(entry)(&w->a, e);
    }
}

/* One tile: offsets of a, if it has them, and how many entries into *out. */
static void OF(count)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t n = 0;
    (void)first, (void)end;
    for (int64_t i = 0; i < w->a.majors; i++) {
        if (!w->a.is_coo)
            list_set(w->a.major, i, n + w->a.base);
        for (int64_t j = 0; j < w->a.minors; j++)
            n += *OF(place)(w, i, j) != 0;
    }
    if (!w->a.is_coo)
        list_set(w->a.major, w->a.majors, n + w->a.base);
    *(int64_t *)w->out = n;
}

static void OF(sparsify)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t low = w->a.majors * (int64_t)first / w->pieces;
    int64_t high = w->a.majors * (int64_t)end / w->pieces;
    int64_t e = w->a.is_coo ? 0 : sparse_start(&w->a, low);
    for (int64_t i = low; i < high; i++)
        for (int64_t j = 0; j < w->a.minors; j++) {
            T v = *OF(place)(w, i, j);
            if (v == 0)
                continue;
            if (w->a.is_coo)
                list_set(w->a.major, e, i + w->a.base);
            list_set(w->a.minor, e, j + w->a.base);
            ((T *)w->a.values)[e++] = v;
        }
}

/* ---- triangles: a y = alpha x, a tile for each column ----------------- */

/* Takes what is known from row i, or gives y[i] to the rows behind. */
static void OF(solve_major)(const struct work *w, int64_t i, int64_t col)
{
    const struct sparse *a = &w->a;
    T *y = OF(cell)(&w->y, i, col), diagonal = 0, sum = 0;
    int64_t from = sparse_start(a, i), to = sparse_start(a, i + 1);
    for (int64_t e = from; e < to; e++) {
        int64_t j = sparse_minor(a, e);
        if (j == i)
            diagonal = OF(entry)(a, e);
        else if ((j < i) == a->is_lower && !a->is_transposed)
            sum += OF(entry)(a, e) * *OF(cell)(&w->y, j, col);
    }
    T v = *y - sum;
    *y = a->is_unit ? v : v / diagonal;
    if (!a->is_transposed)
        return;
    for (int64_t e = from; e < to; e++) {
        int64_t j = sparse_minor(a, e);
        if (j != i && (j < i) == a->is_lower)
            *OF(cell)(&w->y, j, col) -= OF(entry)(a, e) * *y;
    }
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

/* ---- sums and products of sparse matrices ----------------------------- */

/* c = alpha a b + beta c; counts: where the rows of c begin. */
static void OF(spgemm)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta),
      *c = w->c.values;
    int64_t low = sparse_cut(&w->a, (int64_t)first, w->pieces);
    int64_t high = sparse_cut(&w->a, (int64_t)end, w->pieces);
    int64_t *seen = calloc((size_t)w->b.minors * 2 + 1, sizeof *seen);
    int64_t *at = seen + w->b.minors;
    if (!seen)
        __builtin_trap();
    for (int64_t i = low; i < high; i++) {
        structure_row(w, i, seen);
        for (int64_t e = w->counts[i]; e < w->counts[i + 1]; e++) {
            OF(blend)(c + e, beta, 0);
            at[sparse_minor(&w->c, e)] = e;
        }
        for (int64_t e = sparse_start(&w->a, i); e < sparse_start(&w->a, i + 1);
             e++) {
            int64_t k = sparse_minor(&w->a, e);
            T v = alpha * OF(entry)(&w->a, e);
            int64_t to = sparse_start(&w->b, k + 1);
            for (int64_t f = sparse_start(&w->b, k); f < to; f++)
                c[at[sparse_minor(&w->b, f)]] += v * OF(entry)(&w->b, f);
        }
    }
    free(seen);
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

/* ---- incomplete factors, in place; *out: the first zero pivot or -1 --- */

static int64_t OF(find)(const struct sparse *a, int64_t row, int64_t col)
{
    int64_t to = sparse_start(a, row + 1);
    for (int64_t e = sparse_start(a, row); e < to; e++)
        if (sparse_minor(a, e) == col)
            return e;
    return -1;
}

static void OF(report)(const struct work *w, int64_t row)
{
    int64_t *at = w->out;
    if (*at < 0)
        *at = row + w->a.base;
}

/* Row i minus factor times what row k has behind its diagonal. */
static void OF(eliminate)(const struct work *w, int64_t k, T factor,
                          const int64_t *at)
{
    T *val = w->a.values;
    int64_t to = sparse_start(&w->a, k + 1);
    for (int64_t f = sparse_start(&w->a, k); f < to; f++) {
        int64_t j = sparse_minor(&w->a, f);
        if (j > k && at[j] >= 0)
            val[at[j]] -= factor * val[f];
    }
}

static void OF(ilu)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t n = w->a.majors, *at = malloc((size_t)(n + 1) * sizeof *at);
    T *val = w->a.values;
    (void)first, (void)end;
    if (!at)
        __builtin_trap();
    memset(at, -1, (size_t)n * sizeof *at);
    *(int64_t *)w->out = -1;
    for (int64_t i = 0; i < n; i++) {
        int64_t from = sparse_start(&w->a, i), to = sparse_start(&w->a, i + 1);
        for (int64_t e = from; e < to; e++)
            at[sparse_minor(&w->a, e)] = e;
        for (int64_t e = from; e < to; e++) {
            int64_t k = sparse_minor(&w->a, e);
            int64_t d = k < i ? OF(find)(&w->a, k, k) : -1;
            if (d < 0)
                continue;
            val[e] /= val[d];
            OF(eliminate)(w, k, val[e], at);
        }
        if (at[i] < 0 || val[at[i]] == 0)
            OF(report)(w, i);
        for (int64_t e = from; e < to; e++)
            at[sparse_minor(&w->a, e)] = -1;
    }
    free(at);
}

/* What rows i and k of the factor have in common before column k. */
static T OF(common)(const struct work *w, int64_t k, const int64_t *at)
{
    const T *val = w->a.values;
    int64_t to = sparse_start(&w->a, k + 1);
    T sum = 0;
    for (int64_t f = sparse_start(&w->a, k); f < to; f++) {
        int64_t j = sparse_minor(&w->a, f);
        if (j < k && at[j] >= 0)
            sum += val[at[j]] * CONJ(val[f]);
    }
    return sum;
}

static void OF(chol)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t n = w->a.majors, *at = malloc((size_t)(n + 1) * sizeof *at);
    T *val = w->a.values;
    (void)first, (void)end;
    if (!at)
        __builtin_trap();
    memset(at, -1, (size_t)n * sizeof *at);
    *(int64_t *)w->out = -1;
    for (int64_t i = 0; i < n; i++) {
        int64_t from = sparse_start(&w->a, i), to = sparse_start(&w->a, i + 1);
        for (int64_t e = from; e < to; e++)
            at[sparse_minor(&w->a, e)] = e;
        for (int64_t e = from; e < to; e++) {
            int64_t k = sparse_minor(&w->a, e);
            int64_t d = k < i ? OF(find)(&w->a, k, k) : -1;
            if (d >= 0)
                val[e] = (val[e] - OF(common)(w, k, at)) / val[d];
        }
        REAL pivot = 0;
        if (at[i] >= 0)
            pivot = (REAL)creal(val[at[i]] - OF(common)(w, i, at));
        if (at[i] >= 0)
            val[at[i]] = (REAL)sqrt(pivot);
        if (!(pivot > 0))
            OF(report)(w, i);
        for (int64_t e = from; e < to; e++)
            at[sparse_minor(&w->a, e)] = -1;
    }
    free(at);
}

/* ---- three diagonals, partial pivoting -------------------------------- */

struct OF(diagonals) {
    T *low, *mid, *up, *far; /* copies; far: what exchanges of rows fill in */
};

/* x: one right side. The diagonals of the factor grow with i. */
static void OF(exchange)(T *p, T *q)
{
    T t = *p;
    *p = *q;
    *q = t;
}

static void OF(gtsv_step)(struct OF(diagonals) * f, int64_t i,
                          const struct dense *x)
{
    if (MAGNITUDE(f->low[i + 1]) > MAGNITUDE(f->mid[i])) {
        OF(exchange)(&f->mid[i], &f->low[i + 1]);
        OF(exchange)(&f->up[i], &f->mid[i + 1]);
        OF(exchange)(&f->far[i], &f->up[i + 1]);
        for (int64_t c = 0; c < x->cols; c++)
            OF(exchange)(OF(cell)(x, i, c), OF(cell)(x, i + 1, c));
    }
    T factor = f->low[i + 1] / f->mid[i];
    f->mid[i + 1] -= factor * f->up[i];
    f->up[i + 1] -= factor * f->far[i];
    for (int64_t c = 0; c < x->cols; c++)
        *OF(cell)(x, i + 1, c) -= factor * *OF(cell)(x, i, c);
}

static void OF(gtsv_back)(const struct OF(diagonals) * f, int64_t n,
                          const struct dense *x)
{
    for (int64_t c = 0; c < x->cols; c++)
        for (int64_t i = n - 1; i >= 0; i--) {
            T v = *OF(cell)(x, i, c);
            if (i + 1 < n)
                v -= f->up[i] * *OF(cell)(x, i + 1, c);
            if (i + 2 < n)
                v -= f->far[i] * *OF(cell)(x, i + 2, c);
            *OF(cell)(x, i, c) = v / f->mid[i];
        }
}

/* a.values, b.values, c.values: diagonals; a.major_stride between elements,
 * a.value_stride between systems. A tile for each; out: 4 n elements each. */
static void OF(gtsv)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t n = w->n, step = w->a.major_stride;
    for (uint64_t t = first; t < end; t++) {
        int64_t at = (int64_t)t * w->a.value_stride;
        T *room = (T *)w->out + (int64_t)t * 4 * n;
        struct OF(diagonals) f = {room, room + n, room + 2 * n, room + 3 * n};
        struct dense x = w->x;
        x.at = (T *)x.at + (int64_t)t * x.batch_stride;
        for (int64_t i = 0; i < n; i++) {
            f.low[i] = i ? ((const T *)w->a.values)[at + i * step] : 0;
            f.mid[i] = ((const T *)w->b.values)[at + i * step];
            f.up[i] = i + 1 < n ? ((const T *)w->c.values)[at + i * step] : 0;
            f.far[i] = 0;
        }
        for (int64_t i = 0; i + 1 < n; i++)
            OF(gtsv_step)(&f, i, &x);
        OF(gtsv_back)(&f, n, &x);
    }
}
