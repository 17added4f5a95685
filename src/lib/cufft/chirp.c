/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a convolution (Bluestein) needs: the chirp exp(-i pi k^2 / n), and its
 * spectrum over the padded length, by a transform in double that is done once
 * for a plan. A long one is a matrix: columns, twiddles, rows (Bailey), whose
 * lines a cache holds, and is shared among threads.
 */
#include "fft.h"

#include <stdatomic.h>
#include <stdlib.h>

static void chirp_at(const struct fft_wide *roots, uint64_t k, long double *w)
{
    uint64_t turns = (uint64_t)((unsigned __int128)k * k % roots->n);
    fft_wide_root(roots, turns, w);
}

/* Short ones are not worth it. */
static void share_pieces(fft_share *share,
                         void (*fn)(void *data, uint64_t first, uint64_t end),
                         void *data, uint64_t count, uint64_t numbers)
{
    enum { SHARED_MIN = 1 << 16 };
    if (share && numbers >= SHARED_MIN)
        share(fn, data, count);
    else
        fn(data, 0, count);
}

struct chirp {
    const struct fft_engine *engine;
    void *table;
    double *x; /* of `padded` numbers */
    uint64_t padded;
    struct fft_wide roots;
};

static void fill_table(void *data, uint64_t first, uint64_t end)
{
    const struct chirp *c = data;
    for (uint64_t k = first; k < end; k++) {
        long double w[2];
        chirp_at(&c->roots, k, w);
        fft_put_number(c->engine, c->table, k, w);
    }
}

void *fft_chirp(const struct fft_engine *e, uint64_t n, fft_share *share)
{
    struct chirp c = {.engine = e, .table = fft_allocate_numbers(e, n)};
    if (!fft_wide_init(&c.roots, 2 * n, n)) {
        free(c.table);
        return NULL;
    }
    if (c.table)
        share_pieces(share, fill_table, &c, n, n);
    fft_wide_fini(&c.roots);
    return c.table;
}

/* ---- the transform: complex numbers, powers of 2 ---------------------- */

static double *make_roots(uint64_t n)
{
    double *roots = fft_allocate(n * sizeof *roots);
    for (uint64_t k = 0; roots && k < n / 2; k++) {
        long double w[2];
        fft_root(k, n, w);
        roots[2 * k] = (double)w[0];
        roots[2 * k + 1] = (double)w[1];
    }
    return roots;
}

static void swap_numbers(double *a, double *b)
{
    for (unsigned c = 0; c < 2; c++) {
        double t = a[c];
        a[c] = b[c];
        b[c] = t;
    }
}

/* A line in place, radix 2. */
static void transform_line(double *x, uint64_t n, const double *roots)
{
    for (uint64_t i = 1, j = 0; i < n; i++) {
        uint64_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j)
            swap_numbers(x + 2 * i, x + 2 * j);
    }
    for (uint64_t half = 1; half < n; half *= 2) {
        for (uint64_t i = 0; i < n; i += 2 * half) {
            for (uint64_t k = 0; k < half; k++) {
                double *a = x + 2 * (i + k), *b = a + 2 * half;
                const double *w = roots + 2 * (k * (n / 2 / half));
                double r = b[0] * w[0] - b[1] * w[1];
                double s = b[0] * w[1] + b[1] * w[0];
                b[0] = a[0] - r;
                b[1] = a[1] - s;
                a[0] += r;
                a[1] += s;
            }
        }
    }
}

/* Element (r, c) at r * columns + c; its spectrum is that of r + rows * c. */
struct matrix {
    double *x;
    uint64_t rows, columns;
    double *row_roots, *column_roots; /* of lines as long as those */
    struct fft_wide twiddles;
    atomic_bool has_failed;
};

enum { TOGETHER = 8 }; /* columns: whole cache lines */

static void transform_group(const struct matrix *m, uint64_t first,
                            double *lines)
{
    for (uint64_t r = 0; r < m->rows; r++) {
        const double *from = m->x + 2 * (r * m->columns + first);
        for (uint64_t c = 0; c < TOGETHER; c++) {
            lines[2 * (c * m->rows + r)] = from[2 * c];
            lines[2 * (c * m->rows + r) + 1] = from[2 * c + 1];
        }
    }
    for (uint64_t c = 0; c < TOGETHER; c++)
        transform_line(lines + 2 * c * m->rows, m->rows, m->row_roots);
    for (uint64_t r = 0; r < m->rows; r++) {
        double *to = m->x + 2 * (r * m->columns + first);
        for (uint64_t c = 0; c < TOGETHER; c++) {
            const double *v = lines + 2 * (c * m->rows + r);
            long double w[2];
            fft_wide_root(&m->twiddles, r * (first + c), w);
            double re = (double)w[0], im = (double)w[1];
            to[2 * c] = v[0] * re - v[1] * im;
            to[2 * c + 1] = v[0] * im + v[1] * re;
        }
    }
}

/* Of groups of columns. */
static void transform_columns(void *data, uint64_t first, uint64_t end)
{
    struct matrix *m = data;
    double *lines = fft_allocate(TOGETHER * m->rows * 2 * sizeof *lines);
    for (uint64_t i = first; lines && i < end; i++)
        transform_group(m, i * TOGETHER, lines);
    if (!lines)
        atomic_store_explicit(&m->has_failed, true, memory_order_relaxed);
    free(lines);
}

static void transform_rows(void *data, uint64_t first, uint64_t end)
{
    const struct matrix *m = data;
    for (uint64_t r = first; r < end; r++)
        transform_line(m->x + 2 * r * m->columns, m->columns, m->column_roots);
}

static bool transform_matrix(struct matrix *m, fft_share *share)
{
    m->column_roots = make_roots(m->columns);
    m->row_roots = make_roots(m->rows);
    uint64_t n = m->rows * m->columns;
    bool is_done =
        m->column_roots && m->row_roots && fft_wide_init(&m->twiddles, n, n);
    if (is_done && m->rows > 1)
        share_pieces(share, transform_columns, m, m->columns / TOGETHER, n);
    if (is_done)
        share_pieces(share, transform_rows, m, m->rows, n);
    fft_wide_fini(&m->twiddles);
    free(m->column_roots);
    free(m->row_roots);
    /* share returned after all pieces. */
    return is_done &&
           !atomic_load_explicit(&m->has_failed, memory_order_relaxed);
}

/* ---- the chirp's spectrum --------------------------------------------- */

static void fill_line(void *data, uint64_t first, uint64_t end)
{
    const struct chirp *c = data;
    for (uint64_t k = first; k < end; k++) {
        long double w[2];
        chirp_at(&c->roots, k, w);
        uint64_t from_end = (c->padded - k) % c->padded;
        c->x[2 * k] = c->x[2 * from_end] = (double)w[0];
        c->x[2 * k + 1] = c->x[2 * from_end + 1] = (double)-w[1];
    }
}

static bool fill_chirp(double *x, uint64_t n, uint64_t padded, fft_share *share)
{
    struct chirp c = {.x = x, .padded = padded};
    if (!fft_wide_init(&c.roots, 2 * n, n))
        return false;
    share_pieces(share, fill_line, &c, n, n);
    fft_wide_fini(&c.roots);
    return true;
}

struct spectrum {
    const struct fft_engine *engine;
    void *table;
    const struct matrix *matrix;
};

static void put_spectrum(void *data, uint64_t first, uint64_t end)
{
    const struct spectrum *s = data;
    const struct matrix *m = s->matrix;
    long double n = (long double)(m->rows * m->columns);
    for (uint64_t i = first; i < end; i++) {
        /* TOGETHER columns, row by row: both sides by whole cache lines. */
        uint64_t group = i / (TOGETHER * m->rows);
        uint64_t r = m->rows > 1 ? i / TOGETHER % m->rows : 0;
        uint64_t c = m->rows > 1 ? group * TOGETHER + i % TOGETHER : i;
        const double *x = m->x + 2 * (r * m->columns + c);
        long double w[] = {(long double)x[0] / n, (long double)x[1] / n};
        fft_put_number(s->engine, s->table, c * m->rows + r, w);
    }
}

void *fft_chirp_spectrum(const struct fft_engine *e, uint64_t n,
                         uint64_t padded, fft_share *share)
{
    enum { LINE = 1 << 13 }; /* that a cache holds */
    struct matrix m = {.rows = 1, .columns = padded};
    while (m.columns > LINE && m.columns > m.rows && m.columns > TOGETHER) {
        m.columns /= 2;
        m.rows *= 2;
    }
    struct spectrum s = {e, fft_allocate_numbers(e, padded), &m};
    m.x = calloc(2 * padded, sizeof *m.x);
    if (s.table && m.x && fill_chirp(m.x, n, padded, share) &&
        transform_matrix(&m, share)) {
        share_pieces(share, put_spectrum, &s, padded, padded);
    } else {
        free(s.table);
        s.table = NULL;
    }
    free(m.x);
    return s.table;
}
