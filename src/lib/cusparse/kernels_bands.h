/* SPDX-License-Identifier: Apache-2.0 */
/* Systems of three and five diagonals, with partial pivoting. A tile for each:
 * a.major_stride between the elements of a diagonal, a.value_stride between
 * systems. */

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

/* ---- five diagonals --------------------------------------------------- */

/* Row i has columns i - 2 to i + 4, the last two for exchanges of rows. */
enum { OF(BAND) = 7 };

static T *OF(band)(T *rows, int64_t i, int64_t j)
{
    return rows + i * OF(BAND) + (j - i + 2);
}

static void OF(gpsv_step)(T *rows, int64_t i, int64_t n, const struct dense *x)
{
    int64_t low = i + 3 < n ? i + 3 : n, high = i + 5 < n ? i + 5 : n, p = i;
    for (int64_t r = i + 1; r < low; r++)
        if (MAGNITUDE(*OF(band)(rows, r, i)) > MAGNITUDE(*OF(band)(rows, p, i)))
            p = r;
    for (int64_t j = i; p != i && j < high; j++)
        OF(exchange)(OF(band)(rows, i, j), OF(band)(rows, p, j));
    if (p != i)
        OF(exchange)(OF(cell)(x, i, 0), OF(cell)(x, p, 0));
    for (int64_t r = i + 1; r < low; r++) {
        T factor = *OF(band)(rows, r, i) / *OF(band)(rows, i, i);
        for (int64_t j = i + 1; j < high; j++)
            *OF(band)(rows, r, j) -= factor * *OF(band)(rows, i, j);
        *OF(cell)(x, r, 0) -= factor * *OF(cell)(x, i, 0);
    }
}

static void OF(gpsv_back)(T *rows, int64_t n, const struct dense *x)
{
    for (int64_t i = n - 1; i >= 0; i--) {
        T v = *OF(cell)(x, i, 0);
        for (int64_t j = i + 1; j < i + 5 && j < n; j++)
            v -= *OF(band)(rows, i, j) * *OF(cell)(x, j, 0);
        *OF(cell)(x, i, 0) = v / *OF(band)(rows, i, i);
    }
}

/* diagonals: from the lowest. out: 7 n elements for each. */
static void OF(gpsv)(const void *args, uint64_t first, uint64_t end)
{
    const struct work *w = args;
    const T *const *diagonals = (const T *const *)w->diagonals;
    for (uint64_t t = first; t < end; t++) {
        int64_t at = (int64_t)t * w->a.value_stride;
        T *rows = (T *)w->out + (int64_t)t * OF(BAND) * w->n;
        struct dense x = w->x;
        x.at = (T *)x.at + (int64_t)t * x.batch_stride;
        memset(rows, 0, (size_t)(OF(BAND) * w->n) * sizeof *rows);
        for (int64_t i = 0; i < w->n; i++)
            for (int d = 0; d < 5; d++)
                if (i + d >= 2 && i + d - 2 < w->n)
                    rows[i * OF(BAND) + d] =
                        diagonals[d][at + i * w->a.major_stride];
        for (int64_t i = 0; i < w->n; i++)
            OF(gpsv_step)(rows, i, w->n, &x);
        OF(gpsv_back)(rows, w->n, &x);
    }
}
