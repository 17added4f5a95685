/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transforms of a few numbers in registers, in place, in natural order.
 * `r` is a constant wherever these are inlined.
 */
#ifndef WEFT_FFT_BUTTERFLY_H
#define WEFT_FFT_BUTTERFLY_H

#include "vec.h"

INLINE struct cv add(struct cv a, struct cv b)
{
    return (struct cv){a.r + b.r, a.i + b.i};
}

INLINE struct cv sub(struct cv a, struct cv b)
{
    return (struct cv){a.r - b.r, a.i - b.i};
}

INLINE struct cv times(struct cv a, struct cv w)
{
    return (struct cv){a.r * w.r - a.i * w.i, a.r * w.i + a.i * w.r};
}

/* Times w[0] + i w[1], the same in all lanes. */
INLINE struct cv times_root(struct cv a, const real *w)
{
    return (struct cv){a.r * w[0] - a.i * w[1], a.r * w[1] + a.i * w[0]};
}

INLINE struct cv times_minus_i(struct cv a)
{
    return (struct cv){a.i, -a.r};
}

INLINE void butterfly_2(struct cv *a, struct cv *b)
{
    struct cv d = sub(*a, *b);
    *a = add(*a, *b);
    *b = d;
}

INLINE void butterfly_4(struct cv *a, struct cv *b, struct cv *c, struct cv *d)
{
    struct cv s = add(*a, *c), t = sub(*a, *c);
    struct cv u = add(*b, *d), v = sub(*b, *d);
    *a = add(s, u);
    *c = sub(s, u);
    *b = (struct cv){t.r + v.i, t.i - v.r};
    *d = (struct cv){t.r - v.i, t.i + v.r};
}

#define COS_45 ((real)0.70710678118654752440)
#define COS_22 ((real)0.92387953251128675613)
#define SIN_22 ((real)0.38268343236508977173)

/* Times exp(-i pi / 4), exp(-3 i pi / 4). */
INLINE struct cv eighth(struct cv a)
{
    return (struct cv){(a.r + a.i) * COS_45, (a.i - a.r) * COS_45};
}

INLINE struct cv three_eighths(struct cv a)
{
    return (struct cv){(a.i - a.r) * COS_45, (a.r + a.i) * -COS_45};
}

INLINE void butterfly_8(struct cv *x)
{
    butterfly_4(&x[0], &x[2], &x[4], &x[6]);
    butterfly_4(&x[1], &x[3], &x[5], &x[7]);
    struct cv b1 = eighth(x[3]), b2 = times_minus_i(x[5]);
    struct cv b3 = three_eighths(x[7]);
    struct cv a0 = x[0], a1 = x[2], a2 = x[4], a3 = x[6], b0 = x[1];
    x[0] = add(a0, b0);
    x[4] = sub(a0, b0);
    x[1] = add(a1, b1);
    x[5] = sub(a1, b1);
    x[2] = add(a2, b2);
    x[6] = sub(a2, b2);
    x[3] = add(a3, b3);
    x[7] = sub(a3, b3);
}

INLINE void butterfly_16(struct cv *x)
{
    static const real w1[] = {COS_22, -SIN_22}, w3[] = {SIN_22, -COS_22},
                      w9[] = {-COS_22, SIN_22};
#pragma GCC unroll 4
    for (unsigned j = 0; j < 4; j++)
        butterfly_4(&x[j], &x[j + 4], &x[j + 8], &x[j + 12]);
    x[5] = times_root(x[5], w1);
    x[6] = eighth(x[6]);
    x[7] = times_root(x[7], w3);
    x[9] = eighth(x[9]);
    x[10] = times_minus_i(x[10]);
    x[11] = three_eighths(x[11]);
    x[13] = times_root(x[13], w3);
    x[14] = three_eighths(x[14]);
    x[15] = times_root(x[15], w9);
    struct cv y[16];
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; k++) {
        butterfly_4(&x[4 * k], &x[4 * k + 1], &x[4 * k + 2], &x[4 * k + 3]);
#pragma GCC unroll 4
        for (unsigned j = 0; j < 4; j++)
            y[k + 4 * j] = x[4 * k + j];
    }
#pragma GCC unroll 16
    for (unsigned j = 0; j < 16; j++)
        x[j] = y[j];
}

/* Odd r; roots[2 j], roots[2 j + 1]: cos and sin of 2 pi j / r. */
INLINE void butterfly_odd(unsigned r, struct cv *x, const real *roots)
{
    struct cv sum[FFT_PRIME_MAX / 2 + 1], difference[FFT_PRIME_MAX / 2 + 1];
    struct cv first = x[0];
#pragma GCC unroll 6
    for (unsigned j = 1; j <= r / 2; j++) {
        sum[j] = add(x[j], x[r - j]);
        difference[j] = sub(x[j], x[r - j]);
        x[0] = add(x[0], sum[j]);
    }
#pragma GCC unroll 6
    for (unsigned k = 1; k <= r / 2; k++) {
        struct cv even = first, odd = {{0}, {0}};
#pragma GCC unroll 6
        for (unsigned j = 1, e = k; j <= r / 2; j++, e = (e + k) % r) {
            even.r += sum[j].r * roots[2 * e];
            even.i += sum[j].i * roots[2 * e];
            odd.r += difference[j].r * roots[2 * e + 1];
            odd.i += difference[j].i * roots[2 * e + 1];
        }
        x[k] = (struct cv){even.r + odd.i, even.i - odd.r};
        x[r - k] = (struct cv){even.r - odd.i, even.i + odd.r};
    }
}

INLINE void butterfly_3(struct cv *x)
{
    const real half_root = (real)0.86602540378443864676;
    struct cv s = add(x[1], x[2]), d = sub(x[1], x[2]);
    struct cv m = {x[0].r - s.r * (real)0.5, x[0].i - s.i * (real)0.5};
    x[0] = add(x[0], s);
    x[1] = (struct cv){m.r + d.i * half_root, m.i - d.r * half_root};
    x[2] = (struct cv){m.r - d.i * half_root, m.i + d.r * half_root};
}

INLINE void butterfly_5(struct cv *x)
{
    const real c1 = (real)0.30901699437494742410,
               c2 = (real)-0.80901699437494742410,
               s1 = (real)0.95105651629515357212,
               s2 = (real)0.58778525229247312917;
    struct cv a = add(x[1], x[4]), b = sub(x[1], x[4]);
    struct cv c = add(x[2], x[3]), d = sub(x[2], x[3]);
    struct cv p = {x[0].r + a.r * c1 + c.r * c2, x[0].i + a.i * c1 + c.i * c2};
    struct cv q = {x[0].r + a.r * c2 + c.r * c1, x[0].i + a.i * c2 + c.i * c1};
    struct cv u = {b.r * s1 + d.r * s2, b.i * s1 + d.i * s2};
    struct cv v = {b.r * s2 - d.r * s1, b.i * s2 - d.i * s1};
    x[0] = add(x[0], add(a, c));
    x[1] = (struct cv){p.r + u.i, p.i - u.r};
    x[4] = (struct cv){p.r - u.i, p.i + u.r};
    x[2] = (struct cv){q.r + v.i, q.i - v.r};
    x[3] = (struct cv){q.r - v.i, q.i + v.r};
}

INLINE void butterfly(unsigned r, struct cv *x, const real *roots)
{
    if (r == 2)
        butterfly_2(&x[0], &x[1]);
    else if (r == 3)
        butterfly_3(x);
    else if (r == 4)
        butterfly_4(&x[0], &x[1], &x[2], &x[3]);
    else if (r == 5)
        butterfly_5(x);
    else if (r == 8)
        butterfly_8(x);
    else if (r == 16)
        butterfly_16(x);
    else
        butterfly_odd(r, x, roots);
}

#endif
