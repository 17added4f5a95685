/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a convolution (Bluestein) needs: the chirp exp(-i pi k^2 / n), and its
 * spectrum over the padded length, by a transform in double that is done once
 * for a plan. A long one is a matrix: columns, twiddles, rows (Bailey), whose
 * lines a cache holds.
 */
#include "fft.h"

#include <stdlib.h>

static void chirp_at(const struct fft_wide *roots, uint64_t k, long double *w)
{
    uint64_t turns = (uint64_t)((unsigned __int128)k * k % roots->n);
    fft_wide_root(roots, turns, w);
}

void *fft_chirp(const struct fft_engine *e, uint64_t n)
{
    struct fft_wide roots;
    void *table = fft_allocate_numbers(e, n);
    if (!fft_wide_init(&roots, 2 * n, n)) {
        free(table);
        return NULL;
    }
    for (uint64_t k = 0; table && k < n; k++) {
        long double w[2];
        chirp_at(&roots, k, w);
        fft_put_number(e, table, k, w);
    }
    fft_wide_fini(&roots);
    return table;
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
};

enum { TOGETHER = 8 }; /* columns: whole cache lines */

static void transform_columns(struct matrix *m, double *lines)
{
    for (uint64_t first = 0; first < m->columns; first += TOGETHER) {
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
}

static bool transform_matrix(struct matrix *m)
{
    bool is_done = false;
    double *lines = NULL;
    m->column_roots = make_roots(m->columns);
    m->row_roots = make_roots(m->rows);
    uint64_t n = m->rows * m->columns;
    if (m->column_roots && m->row_roots && fft_wide_init(&m->twiddles, n, n)) {
        lines = fft_allocate(TOGETHER * m->rows * 2 * sizeof *lines);
        is_done = m->rows == 1 || lines;
    }
    if (is_done && m->rows > 1)
        transform_columns(m, lines);
    for (uint64_t r = 0; is_done && r < m->rows; r++)
        transform_line(m->x + 2 * r * m->columns, m->columns, m->column_roots);
    fft_wide_fini(&m->twiddles);
    free(lines);
    free(m->column_roots);
    free(m->row_roots);
    return is_done;
}

/* ---- the chirp's spectrum --------------------------------------------- */

static bool fill_chirp(double *x, uint64_t n, uint64_t padded)
{
    struct fft_wide roots;
    if (!fft_wide_init(&roots, 2 * n, n))
        return false;
    for (uint64_t k = 0; k < n; k++) {
        long double w[2];
        chirp_at(&roots, k, w);
        uint64_t from_end = (padded - k) % padded;
        x[2 * k] = x[2 * from_end] = (double)w[0];
        x[2 * k + 1] = x[2 * from_end + 1] = (double)-w[1];
    }
    fft_wide_fini(&roots);
    return true;
}

static void put_spectrum(const struct fft_engine *e, void *table,
                         const struct matrix *m)
{
    long double n = (long double)(m->rows * m->columns);
    for (uint64_t i = 0; i < m->rows * m->columns; i++) {
        /* TOGETHER columns, row by row: both sides by whole cache lines. */
        uint64_t group = i / (TOGETHER * m->rows);
        uint64_t r = m->rows > 1 ? i / TOGETHER % m->rows : 0;
        uint64_t c = m->rows > 1 ? group * TOGETHER + i % TOGETHER : i;
        const double *x = m->x + 2 * (r * m->columns + c);
        long double w[] = {(long double)x[0] / n, (long double)x[1] / n};
        fft_put_number(e, table, c * m->rows + r, w);
    }
}

void *fft_chirp_spectrum(const struct fft_engine *e, uint64_t n,
                         uint64_t padded)
{
    enum { LINE = 1 << 13 }; /* that a cache holds */
    struct matrix m = {.rows = 1, .columns = padded};
    while (m.columns > LINE && m.columns > m.rows && m.columns > TOGETHER) {
        m.columns /= 2;
        m.rows *= 2;
    }
    void *table = fft_allocate_numbers(e, padded);
    m.x = calloc(2 * padded, sizeof *m.x);
    if (table && m.x && fill_chirp(m.x, n, padded) && transform_matrix(&m)) {
        put_spectrum(e, table, &m);
    } else {
        free(table);
        table = NULL;
    }
    free(m.x);
    return table;
}
