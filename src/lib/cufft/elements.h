/* SPDX-License-Identifier: Apache-2.0 */
/* Passes that go element by element: around transforms of long lines. */
#ifndef WEFT_FFT_ELEMENTS_H
#define WEFT_FFT_ELEMENTS_H

#include "moves.h"
#include "reals.h"

struct row {
    char *in, *out;
    bool swap_in, swap_out;
};

static struct number read_number(const struct fft_side *s, const char *at,
                                 uint64_t k, bool swap)
{
    struct number a = {0, 0};
    at += (int64_t)k * s->element;
    a.r = get_real(at, s->format);
    if (s->imaginary)
        a.i = get_real(at + s->imaginary, s->format);
    return swap ? (struct number){a.i, a.r} : a;
}

static void write_number(const struct fft_side *s, char *at, uint64_t k,
                         bool swap, struct number a)
{
    at += (int64_t)k * s->element;
    put_real(at, s->format, swap ? a.i : a.r);
    if (s->imaginary)
        put_real(at + s->imaginary, s->format, swap ? a.r : a.i);
}

static struct number multiply_number(struct number a, const real *w)
{
    return (struct number){a.r * w[0] - a.i * w[1], a.r * w[1] + a.i * w[0]};
}

static bool is_packed(const struct fft_side *s)
{
    return s->element == 2 * (int64_t)sizeof(real) &&
           s->imaginary == (int64_t)sizeof(real) && s->format == FFT_OWN;
}

/* Elements from k on of packed lines, V at a time. Returns the first element
 * that is left. */
static uint64_t map_many(const struct fft_pass *p, const struct row *at,
                         uint64_t k, uint64_t end)
{
    const struct number *x = (const void *)at->in;
    struct number *z = (void *)at->out;
    const real *table = p->table;
    if (end > p->n)
        end = p->n;
    for (; k + V <= end; k += V) {
        struct cv a = swap_if(at->swap_in, load_pairs(x + k));
        if (table)
            a = times(a, load_pairs(table + 2 * k));
        store_pairs(z + k, swap_if(at->swap_out, a));
    }
    return k;
}

static void map_elements(const struct fft_pass *p, const struct row *at,
                         uint64_t first, uint64_t end)
{
    const real *table = p->table;
    bool packed = is_packed(&p->out);
    if (packed && is_packed(&p->in) && first < p->n)
        first = map_many(p, at, first, end);
    for (uint64_t k = first; k < end; k++) {
        struct number a = {0, 0};
        if (packed && k >= p->n) {
            memset((struct number *)at->out + k, 0, (end - k) * sizeof a);
            break;
        }
        if (k < p->n)
            a = read_number(&p->in, at->in, k, at->swap_in);
        if (table && k < p->n)
            a = multiply_number(a, table + 2 * k);
        write_number(&p->out, at->out, k, at->swap_out, a);
    }
}

static void mirror_elements(const struct fft_pass *p, const struct row *at,
                            uint64_t first, uint64_t end)
{
    for (uint64_t k = first; k < end; k++) {
        struct number a = read_number(&p->in, at->in, k, at->swap_in);
        if (k == 0 || 2 * k == p->n)
            a.i = 0;
        write_number(&p->out, at->out, k, at->swap_out, a);
        if (k)
            write_number(&p->out, at->out, p->n - k, at->swap_out,
                         (struct number){a.r, -a.i});
    }
}

/* V roots from k on. All roots of a segment share one number of high. */
INLINE struct cv roots_from(const struct fft_roots *roots, uint64_t k)
{
    const double *high = roots->high + 2 * (k >> roots->shift);
    const real *low = roots->own_low, h[] = {(real)high[0], (real)high[1]};
    uint64_t mask = ((uint64_t)1 << roots->shift) - 1;
    return times_root(load_pairs(low + 2 * (k & mask)), h);
}

static void root_at(const struct fft_roots *roots, uint64_t e, double *w)
{
    const double *a = roots->high + 2 * (e >> roots->shift);
    const double *b =
        roots->low + 2 * (e & (((uint64_t)1 << roots->shift) - 1));
    w[0] = a[0] * b[0] - a[1] * b[1];
    w[1] = a[0] * b[1] + a[1] * b[0];
}

/* Element k and its mirror, n - k. */
static void split_or_join(const struct fft_pass *p, const struct row *at,
                          uint64_t k)
{
    bool splits = p->kind == FFT_SPLIT_REAL;
    uint64_t far = p->n - k;
    double w[2];
    struct number a = read_number(&p->in, at->in, k, false);
    struct number b = a;
    if (k || !splits)
        b = read_number(&p->in, at->in, far, false);
    if (!k && !splits)
        a.i = b.i = 0;
    root_at(p->real_roots, k, w);
    real own[] = {(real)w[0], (real)w[1]};
    if (splits)
        split_one(&a, &b, own);
    else
        join_one(&a, &b, own);
    if (!k && splits)
        a.i = b.i = 0;
    write_number(&p->out, at->out, k, false, a);
    if (k || splits)
        write_number(&p->out, at->out, far, false, b);
}

/* Elements from k on, V at a time while they and their mirrors do not overlap.
 * Returns the first element that is left. */
static uint64_t split_or_join_many(const struct fft_pass *p,
                                   const struct row *at, uint64_t k,
                                   uint64_t end)
{
    const struct number *x = (const void *)at->in;
    struct number *z = (void *)at->out;
    uint64_t n = p->n;
    for (; k + V <= end && are_apart(k, n); k += V) {
        uint64_t far = n - k - V + 1;
        struct cv a = load_pairs(x + k), b = load_pairs(x + far);
        struct cv w = roots_from(p->real_roots, k);
        b = (struct cv){reverse(b.r), reverse(b.i)};
        if (p->kind == FFT_SPLIT_REAL)
            split(&a, &b, w);
        else
            join(&a, &b, w);
        store_pairs(z + k, a);
        store_pairs(z + far, (struct cv){reverse(b.r), reverse(b.i)});
    }
    return k;
}

static void by_element(const struct fft_pass *p, const struct row *at,
                       uint64_t segment)
{
    uint64_t size = fft_segment(p), first = segment * size, end = first + size;
    if (end > fft_extent(p))
        end = fft_extent(p);
    if (p->kind == FFT_MIRROR)
        return mirror_elements(p, at, first, end);
    if (p->kind != FFT_SPLIT_REAL && p->kind != FFT_JOIN_REAL)
        return map_elements(p, at, first, end);
    if (first == 0)
        split_or_join(p, at, first++);
    if (is_packed(&p->in) && is_packed(&p->out))
        first = split_or_join_many(p, at, first, end);
    for (; first < end; first++)
        split_or_join(p, at, first);
}

#endif
