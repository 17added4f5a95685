/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transforms of 2 n reals as transforms of n complex numbers z = (even, odd):
 *     X[k] = E + w^k O, X[n - k] = conj(E - w^k O),
 *     E = (Z[k] + conj Z[n - k]) / 2, O = (Z[k] - conj Z[n - k]) / 2i,
 * w a root of order 2 n; and back, without the division by 2.
 */
#ifndef WEFT_FFT_REALS_H
#define WEFT_FFT_REALS_H

#include "butterfly.h"

/* a = Z[k], b = Z[n - k] become X[k], X[n - k]. w: V roots. */
INLINE void split(struct cv *a, struct cv *b, struct cv w)
{
    struct cv e = {(a->r + b->r) * (real)0.5, (a->i - b->i) * (real)0.5};
    struct cv o = {(a->i + b->i) * (real)0.5, (b->r - a->r) * (real)0.5};
    o = times(o, w);
    *a = (struct cv){e.r + o.r, e.i + o.i};
    *b = (struct cv){e.r - o.r, o.i - e.i};
}

/* a = X[k], b = X[n - k] become Z[k], Z[n - k], twice. */
INLINE void join(struct cv *a, struct cv *b, struct cv w)
{
    struct cv e = {a->r + b->r, a->i - b->i};
    struct cv d = {a->r - b->r, a->i + b->i};
    struct cv o = times(d, (struct cv){w.r, -w.i});
    *a = (struct cv){e.r - o.i, e.i + o.r};
    *b = (struct cv){e.r + o.i, o.r - e.i};
}

INLINE struct cv everywhere(const real *w)
{
    vec zero = {0};
    return (struct cv){zero + w[0], zero + w[1]};
}

/* A line per lane; x has n + 1 numbers afterwards. */
static void split_lanes(struct cv *x, size_t n, const real *w)
{
    struct cv z = x[0];
    x[0] = (struct cv){z.r + z.i, {0}};
    x[n] = (struct cv){z.r - z.i, {0}};
    for (size_t k = 1; k <= n / 2; k++) {
        struct cv a = x[k], b = x[n - k];
        split(&a, &b, everywhere(w + 2 * k));
        x[n - k] = b;
        x[k] = a;
    }
}

static void join_lanes(struct cv *x, size_t n, const real *w)
{
    struct cv first = x[0], last = x[n];
    x[0] = (struct cv){first.r + last.r, first.r - last.r};
    for (size_t k = 1; k <= n / 2; k++) {
        struct cv a = x[k], b = x[n - k];
        join(&a, &b, everywhere(w + 2 * k));
        x[n - k] = b;
        x[k] = a;
    }
}

/* Makes n numbers of a line's first half: X[n - k] = conj X[k]. */
static void mirror_lanes(struct cv *x, size_t n)
{
    x[0].i = (vec){0};
    for (size_t k = 1; k <= n / 2; k++)
        x[n - k] = (struct cv){x[k].r, -x[k].i};
}

/* ---- a line in memory ------------------------------------------------- */

struct number {
    real r, i;
};

static void split_one(struct number *x, struct number *y, const real *w)
{
    real er = (x->r + y->r) / 2, ei = (x->i - y->i) / 2;
    real dr = (x->i + y->i) / 2, di = (y->r - x->r) / 2;
    real or = dr * w[0] - di * w[1], oi = dr * w[1] + di * w[0];
    *x = (struct number){er + or, ei + oi};
    *y = (struct number){er - or, oi - ei};
}

static void join_one(struct number *x, struct number *y, const real *w)
{
    real er = x->r + y->r, ei = x->i - y->i;
    real dr = x->r - y->r, di = x->i + y->i;
    real or = dr * w[0] + di * w[1], oi = di * w[0] - dr * w[1];
    *x = (struct number){er - oi, ei + or };
    *y = (struct number){er + oi, or -ei};
}

/* Do numbers k to k + V - 1 of a line not overlap with their mirrors? */
INLINE bool are_apart(size_t k, size_t n)
{
    return 2 * k + 2 * V <= n + 1;
}

static void split_row(struct number *x, size_t n, const real *w)
{
    size_t k = 1;
    struct number z = x[0];
    x[0] = (struct number){z.r + z.i, 0};
    x[n] = (struct number){z.r - z.i, 0};
    for (; are_apart(k, n); k += V) {
        struct number *far = x + n - k - V + 1;
        struct cv a = load_pairs(x + k), b = load_pairs(far);
        b = (struct cv){reverse(b.r), reverse(b.i)};
        split(&a, &b, load_pairs(w + 2 * k));
        store_pairs(x + k, a);
        store_pairs(far, (struct cv){reverse(b.r), reverse(b.i)});
    }
    for (; k < n - k; k++)
        split_one(x + k, x + n - k, w + 2 * k);
    if (k == n - k)
        x[k].i = -x[k].i;
}

/* From x to z, which are different, or the same. */
static void join_row(const struct number *x, struct number *z, size_t n,
                     const real *w)
{
    size_t k = 1;
    real first = x[0].r, last = x[n].r;
    z[0] = (struct number){first + last, first - last};
    for (; are_apart(k, n); k += V) {
        const struct number *far = x + n - k - V + 1;
        struct cv a = load_pairs(x + k), b = load_pairs(far);
        b = (struct cv){reverse(b.r), reverse(b.i)};
        join(&a, &b, load_pairs(w + 2 * k));
        store_pairs(z + k, a);
        store_pairs(z + n - k - V + 1, (struct cv){reverse(b.r), reverse(b.i)});
    }
    for (; k < n - k; k++) {
        struct number a = x[k], b = x[n - k];
        join_one(&a, &b, w + 2 * k);
        z[k] = a;
        z[n - k] = b;
    }
    if (k == n - k)
        z[k] = (struct number){2 * x[k].r, -2 * x[k].i};
}

#endif
