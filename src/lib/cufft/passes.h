/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transform of vectors in two buffers: Stockham's algorithm, decimating in
 * frequency. With s * m * r = n, a pass of radix r takes
 *     x[q + s (p + m k)], k < r,  to  y[q + s (r p + k)]  times  w^(p k)
 * for all q < s, p < m, w a root of order m r. The last has m = 1, no roots.
 */
#ifndef WEFT_FFT_PASSES_H
#define WEFT_FFT_PASSES_H

#include "butterfly.h"

/* One pass from x to y: m * s vectors for each of r inputs; w has the r - 1
 * roots of each p, `roots` those of the butterfly. */
INLINE void radix_pass(unsigned r, const struct cv *restrict x,
                       struct cv *restrict y, size_t m, size_t s, const real *w,
                       const real *roots)
{
    struct cv a[FFT_PRIME_MAX + 1];
    for (size_t p = 0; p < m; p++, w += 2 * (r - 1)) {
        for (size_t q = 0; q < s; q++) {
#pragma GCC unroll 16
            for (unsigned k = 0; k < r; k++)
                a[k] = x[q + s * (p + m * k)];
            butterfly(r, a, roots);
            y[q + s * r * p] = a[0];
#pragma GCC unroll 16
            for (unsigned k = 1; k < r; k++)
                y[q + s * (r * p + k)] = times_root(a[k], w + 2 * (k - 1));
        }
    }
}

/* The same where m is 1. */
INLINE void last_pass(unsigned r, const struct cv *restrict x,
                      struct cv *restrict y, size_t s, const real *roots)
{
    struct cv a[FFT_PRIME_MAX + 1];
    for (size_t q = 0; q < s; q++) {
#pragma GCC unroll 16
        for (unsigned k = 0; k < r; k++)
            a[k] = x[q + s * k];
        butterfly(r, a, roots);
#pragma GCC unroll 16
        for (unsigned k = 0; k < r; k++)
            y[q + s * k] = a[k];
    }
}

/* The last pass of a line over all lanes: the numbers go to memory. */
INLINE void storing_pass(unsigned r, const struct cv *x, char *out, bool swap,
                         size_t s, const real *roots)
{
    struct cv a[FFT_PRIME_MAX + 1];
    for (size_t q = 0; q < s; q++) {
#pragma GCC unroll 16
        for (unsigned k = 0; k < r; k++)
            a[k] = x[q + s * k];
        butterfly(r, a, roots);
#pragma GCC unroll 16
        for (unsigned k = 0; k < r; k++)
            store_pairs(out + (q + s * k) * 2 * sizeof(vec),
                        swap_if(swap, a[k]));
    }
}

struct pass_at {
    const struct cv *x;
    struct cv *y;
    char *out; /* not NULL: of the last pass */
    bool swap;
    size_t m, s;
    const real *w;
};

INLINE void pass_of(unsigned r, const struct pass_at *at, const real *roots)
{
    if (at->out && at->swap)
        storing_pass(r, at->x, at->out, true, at->s, roots);
    else if (at->out)
        storing_pass(r, at->x, at->out, false, at->s, roots);
    else if (at->m == 1)
        last_pass(r, at->x, at->y, at->s, roots);
    else
        radix_pass(r, at->x, at->y, at->m, at->s, at->w, roots);
}

#define PASS_OF(r)                                                             \
    static __attribute__((noinline)) void pass_##r(const struct pass_at *at)   \
    {                                                                          \
        pass_of(r, at, NULL);                                                  \
    }
PASS_OF(2)
PASS_OF(3)
PASS_OF(4)
PASS_OF(5)
PASS_OF(8)

static __attribute__((noinline)) void
pass_odd(unsigned r, const struct pass_at *at, const real *roots)
{
    if (r == 7)
        pass_of(7, at, roots);
    else if (r == 11)
        pass_of(11, at, roots);
    else if (r == 13)
        pass_of(13, at, roots);
    else
        pass_of(r, at, roots);
}

static void radix_pass_of(unsigned r, const struct pass_at *at,
                          const real *roots)
{
    switch (r) {
    case 2:
        return pass_2(at);
    case 3:
        return pass_3(at);
    case 4:
        return pass_4(at);
    case 5:
        return pass_5(at);
    case 8:
        return pass_8(at);
    default:
        return pass_odd(r, at, roots);
    }
}

/* Passes from x to y, from y to x and so on; returns the buffer that has the
 * result. out: memory that the last pass writes instead; or NULL. */
static struct cv *transform_smooth(const struct fft_core *c, struct cv *x,
                                   struct cv *y, char *out, bool swap)
{
    struct pass_at at = {.s = 1, .m = c->n, .w = c->twiddles, .swap = swap};
    for (unsigned i = 0; i < c->radix_count; i++) {
        unsigned r = c->radix[i];
        const real *roots = NULL;
        at.m /= r;
        at.x = x;
        at.y = y;
        at.out = i + 1 == c->radix_count ? out : NULL;
        if (r % 2 && r > 5) {
            roots = at.w;
            at.w += 2 * r;
        }
        radix_pass_of(r, &at, roots);
        at.w += 2 * at.m * (r - 1);
        at.s *= r;
        struct cv *t = x;
        x = y;
        y = t;
    }
    return x;
}

/* Bluestein: a convolution with the chirp. */
static struct cv *transform_bluestein(const struct fft_core *c, struct cv *x,
                                      struct cv *y)
{
    const real *chirp = c->chirp, *spectrum = c->spectrum;
    size_t n = c->n, padded = c->convolution->n;
    for (size_t k = 0; k < n; k++)
        x[k] = times_root(x[k], chirp + 2 * k);
    for (size_t k = n; k < padded; k++)
        x[k] = (struct cv){{0}, {0}};
    struct cv *z = transform_smooth(c->convolution, x, y, NULL, false);
    for (size_t k = 0; k < padded; k++)
        z[k] = swap_if(true, times_root(z[k], spectrum + 2 * k));
    z = transform_smooth(c->convolution, z, z == x ? y : x, NULL, false);
    for (size_t k = 0; k < n; k++)
        z[k] = times_root(swap_if(true, z[k]), chirp + 2 * k);
    return z;
}

static struct cv *transform_lanes(const struct fft_core *c, struct cv *x,
                                  struct cv *y)
{
    return c->radix_count || c->n == 1 ? transform_smooth(c, x, y, NULL, false)
                                       : transform_bluestein(c, x, y);
}

#endif
