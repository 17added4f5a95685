/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse with dense vectors: a has the entries as its minors, x is dense. */

/* x = beta x; x is not read where beta is 0. */
static void OF(scale)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T beta = OF(value)(&w->beta);
    int64_t i = w->x.rows * (int64_t)first / w->pieces;
    int64_t high = w->x.rows * (int64_t)end / w->pieces;
    if (beta == 1)
        return;
    if (w->x.type != NATIVE) {
        for (; i < high; i++)
            OF(blend)(w->x.type, w->x.at, i, beta, 0);
        return;
    }
    T *x = w->x.at;
    if (beta == 0)
        memset(x + i, 0, (size_t)(high - i) * sizeof *x);
    else
        for (; i < high; i++)
            x[i] *= beta;
}

/* x += alpha a. No index is in a twice. */
static void OF(axpy)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha);
    int64_t high = w->a.nnz * (int64_t)end / w->pieces;
    for (int64_t e = w->a.nnz * (int64_t)first / w->pieces; e < high; e++)
        OF(add)(&w->x, sparse_minor(&w->a, e), 0, alpha * OF(entry)(&w->a, e));
}

static void OF(take)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t high = w->a.nnz * (int64_t)end / w->pieces;
    for (int64_t e = w->a.nnz * (int64_t)first / w->pieces; e < high; e++)
        OF(store)
    (w->a.type, w->a.values, e, OF(read)(&w->x, sparse_minor(&w->a, e), 0));
}

static void OF(put)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    int64_t high = w->a.nnz * (int64_t)end / w->pieces;
    for (int64_t e = w->a.nnz * (int64_t)first / w->pieces; e < high; e++)
        OF(store)
    (w->x.type, w->x.at, sparse_minor(&w->a, e), OF(entry)(&w->a, e));
}

static void OF(rot)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T c = OF(value)(&w->alpha), s = OF(value)(&w->beta);
    int64_t high = w->a.nnz * (int64_t)end / w->pieces;
    for (int64_t e = w->a.nnz * (int64_t)first / w->pieces; e < high; e++) {
        int64_t j = sparse_minor(&w->a, e);
        T x = OF(entry)(&w->a, e), y = OF(read)(&w->x, j, 0);
        OF(store)(w->a.type, w->a.values, e, c * x + s * y);
        OF(store)(w->x.type, w->x.at, j, c * y - s * x);
    }
}

/* The result is y's only number. */
static void OF(dot)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T sum = 0;
    (void)first, (void)end;
    for (int64_t e = 0; e < w->a.nnz; e++)
        sum += OF(entry)(&w->a, e) * OF(read)(&w->x, sparse_minor(&w->a, e), 0);
    OF(store)(w->y.type, w->y.at, 0, sum);
}

/* y = alpha x a + beta y: x dense, a a vector. */
static void OF(gemvi)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    T alpha = OF(value)(&w->alpha), beta = OF(value)(&w->beta);
    int64_t high = w->y.rows * (int64_t)end / w->pieces;
    for (int64_t i = w->y.rows * (int64_t)first / w->pieces; i < high; i++) {
        T sum = 0;
        for (int64_t e = 0; e < w->a.nnz; e++)
            sum += OF(entry)(&w->a, e) *
                   OF(read)(&w->x, i, sparse_minor(&w->a, e));
        OF(blend)(w->y.type, w->y.at, i, beta, alpha * sum);
    }
}
