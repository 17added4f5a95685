/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Roots of unity and what is made of them. All are computed in long double and
 * rounded once, to double or to float; in long tables they are products of two.
 */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

/* ---- roots ------------------------------------------------------------ */

/* exp(-2 pi i k / n), k < n. The angle is taken to its eighth of the circle,
 * so that symmetries hold exactly. */
void fft_root(uint64_t k, uint64_t n, long double *w)
{
    const long double turn = 6.283185307179586476925286766559L;
    bool below = 2 * k > n;
    if (below)
        k = n - k;
    bool left = 4 * k > n;
    uint64_t k4 = left ? 2 * n - 4 * k : 4 * k; /* in n-ths of a quarter */
    bool steep = 2 * k4 > n;
    if (steep)
        k4 = n - k4;
    long double angle = turn / 4 * (long double)k4 / (long double)n;
    long double c = cosl(angle), s = sinl(angle);
    w[0] = steep ? s : c;
    w[1] = steep ? -c : -s;
    if (left)
        w[0] = -w[0];
    if (below)
        w[1] = -w[1];
}

void fft_put_number(const struct fft_engine *e, void *table, uint64_t k,
                    const long double *w)
{
    for (unsigned i = 0; i < 2; i++) {
        if (e->real_bytes == sizeof(double))
            ((double *)table)[2 * k + i] = (double)w[i];
        else
            ((float *)table)[2 * k + i] = (float)w[i];
    }
}

void *fft_allocate(size_t bytes)
{
    return aligned_alloc(64, (bytes + 64 + 63) / 64 * 64);
}

void *fft_allocate_numbers(const struct fft_engine *e, uint64_t count)
{
    return fft_allocate(count * 2 * e->real_bytes);
}

/* Sines cost ten times a product: from here on roots are products. */
enum { MANY = 1 << 16 };

bool fft_wide_init(struct fft_wide *r, uint64_t n, uint64_t count)
{
    *r = (struct fft_wide){.n = n};
    if (count < MANY)
        return true;
    while ((uint64_t)1 << 2 * r->shift < n)
        r->shift++;
    uint64_t low = (uint64_t)1 << r->shift, high = (n >> r->shift) + 1;
    r->low = malloc((low + high) * 2 * sizeof *r->low);
    if (!r->low)
        return false;
    r->high = r->low + 2 * low;
    for (uint64_t k = 0; k < low; k++)
        fft_root(k % n, n, r->low + 2 * k);
    for (uint64_t k = 0; k < high; k++)
        fft_root((k << r->shift) % n, n, r->high + 2 * k);
    return true;
}

void fft_wide_fini(struct fft_wide *r)
{
    free(r->low);
}

void fft_wide_root(const struct fft_wide *r, uint64_t k, long double *w)
{
    if (!r->low) {
        fft_root(k, r->n, w);
        return;
    }
    const long double *a = r->high + 2 * (k >> r->shift);
    const long double *b = r->low + 2 * (k & (((uint64_t)1 << r->shift) - 1));
    w[0] = a[0] * b[0] - a[1] * b[1];
    w[1] = a[0] * b[1] + a[1] * b[0];
}

void *fft_root_table(const struct fft_engine *e, uint64_t n, uint64_t count)
{
    struct fft_wide roots;
    void *table = fft_allocate_numbers(e, count);
    if (!fft_wide_init(&roots, n, count)) {
        free(table);
        return NULL;
    }
    for (uint64_t k = 0; table && k < count; k++) {
        long double w[2];
        fft_wide_root(&roots, k % n, w);
        fft_put_number(e, table, k, w);
    }
    fft_wide_fini(&roots);
    return table;
}

void fft_roots_destroy(struct fft_roots *r)
{
    if (!r)
        return;
    free(r->high);
    free(r->low);
    free(r->own_low);
    free(r);
}

static void fill_roots(uint64_t n, uint64_t step, uint64_t count, double *to)
{
    for (uint64_t k = 0; k < count; k++) {
        long double w[2];
        fft_root(k * step % n, n, w);
        to[2 * k] = (double)w[0];
        to[2 * k + 1] = (double)w[1];
    }
}

struct fft_roots *fft_roots_create(const struct fft_engine *e, uint64_t n)
{
    struct fft_roots *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->n = n;
    r->shift = 4;
    while ((uint64_t)1 << 2 * r->shift < n)
        r->shift++;
    uint64_t low = (uint64_t)1 << r->shift, high = (n >> r->shift) + 1;
    r->high = fft_allocate(high * 2 * sizeof(double));
    r->low = fft_allocate(low * 2 * sizeof(double));
    r->own_low = fft_root_table(e, n, low);
    if (!r->high || !r->low || !r->own_low) {
        fft_roots_destroy(r);
        return NULL;
    }
    fill_roots(n, 1, low, r->low);
    fill_roots(n, low, high, r->high);
    return r;
}

/* ---- a transform's twiddles ------------------------------------------- */

/* Radices 8, then 4 and 2, then odd ones. False: a prime factor is above
 * FFT_PRIME_MAX. */
static bool factor_length(struct fft_core *c)
{
    uint32_t n = c->n;
    unsigned twos = 0;
    c->radix_count = 0;
    for (; n % 2 == 0; n /= 2)
        twos++;
    for (; twos >= 5 || twos == 3; twos -= 3)
        c->radix[c->radix_count++] = 8;
    for (; twos >= 2; twos -= 2)
        c->radix[c->radix_count++] = 4;
    if (twos)
        c->radix[c->radix_count++] = 2;
    for (uint32_t f = 3; f <= FFT_PRIME_MAX; f += 2) {
        for (; n % f == 0; n /= f)
            c->radix[c->radix_count++] = (uint8_t)f;
    }
    return n == 1;
}

bool fft_is_smooth(uint64_t n)
{
    for (uint64_t f = 2; f <= FFT_PRIME_MAX; f++) {
        while (n % f == 0)
            n /= f;
    }
    return n == 1;
}

uint64_t fft_power_of_2_from(uint64_t n)
{
    uint64_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

static bool has_roots(unsigned radix)
{
    return radix % 2 && radix > 5;
}

static bool make_twiddles(const struct fft_engine *e, struct fft_core *c)
{
    uint64_t count = 0, m = c->n, at = 0;
    for (unsigned i = 0; i < c->radix_count; i++) {
        m /= c->radix[i];
        count +=
            m * (c->radix[i] - 1u) + (has_roots(c->radix[i]) ? c->radix[i] : 0);
    }
    c->twiddles = fft_allocate_numbers(e, count);
    if (!c->twiddles)
        return false;
    m = c->n;
    for (unsigned i = 0; i < c->radix_count; i++) {
        uint64_t r = c->radix[i], n = m;
        long double w[2];
        m /= r;
        for (uint64_t k = 0; has_roots((unsigned)r) && k < r; k++) {
            fft_root(k, r, w);
            w[1] = -w[1];
            fft_put_number(e, c->twiddles, at++, w);
        }
        for (uint64_t p = 0; p < m; p++) {
            for (uint64_t k = 1; k < r; k++) {
                fft_root(p * k % n, n, w);
                fft_put_number(e, c->twiddles, at++, w);
            }
        }
    }
    return true;
}

/* Of a line of lanes * m: w^(p k), p over lanes, k = 1 .. lanes - 1. */
static bool make_front(const struct fft_engine *e, struct fft_core *c)
{
    unsigned lanes = e->lanes;
    uint64_t n = (uint64_t)c->n * lanes, at = 0;
    char *front = fft_allocate_numbers(e, (uint64_t)c->n * (lanes - 1));
    c->front = front;
    if (!front)
        return false;
    for (uint64_t p = 0; p < c->n; p += lanes) {
        for (unsigned k = 1; k < lanes; k++, at += 2 * lanes * e->real_bytes) {
            for (unsigned l = 0; l < lanes; l++) {
                long double w[2];
                fft_root((p + fft_line_of_lane(e, l)) * k % n, n, w);
                for (unsigned i = 0; i < 2; i++) {
                    char *to = front + at + (i * lanes + l) * e->real_bytes;
                    if (e->real_bytes == sizeof(double))
                        *(double *)to = (double)w[i];
                    else
                        *(float *)to = (float)w[i];
                }
            }
        }
    }
    return true;
}

static bool make_bluestein(const struct fft_engine *e, struct fft_core *c)
{
    uint64_t padded = fft_power_of_2_from(2 * (uint64_t)c->n - 1);
    c->radix_count = 0;
    c->convolution = fft_core_create(e, (uint32_t)padded, false);
    c->chirp = fft_chirp(e, c->n, NULL);
    c->spectrum = fft_chirp_spectrum(e, c->n, padded, NULL);
    return c->convolution && c->chirp && c->spectrum;
}

struct fft_core *fft_core_create(const struct fft_engine *e, uint32_t n,
                                 bool across_lanes)
{
    struct fft_core *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->n = across_lanes ? n / e->lanes : n;
    bool done = factor_length(c) ? make_twiddles(e, c) : make_bluestein(e, c);
    if (done && across_lanes)
        done = make_front(e, c);
    if (!done) {
        fft_core_destroy(c);
        return NULL;
    }
    return c;
}

void fft_core_destroy(struct fft_core *c)
{
    if (!c)
        return;
    fft_core_destroy(c->convolution);
    free(c->twiddles);
    free(c->chirp);
    free(c->spectrum);
    free(c->front);
    free(c);
}
