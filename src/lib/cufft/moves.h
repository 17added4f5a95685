/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of memory to vectors and back. Lane l has line order[l] of a group;
 * lanes whose line does not exist hold 0.
 */
#ifndef WEFT_FFT_MOVES_H
#define WEFT_FFT_MOVES_H

#include <string.h>

#include "vec.h"

struct lines {
    char *at;
    int64_t lane, element, imaginary; /* bytes */
    size_t count;                     /* of lines */
    enum fft_format format;
    bool swap;
};

/* ---- single numbers --------------------------------------------------- */

static real get_real(const char *at, enum fft_format format)
{
    uint16_t bits;
    if (format == FFT_OWN)
        return *(const real *)at;
    if (format == FFT_HALF)
        return (real) * (const _Float16 *)at;
    memcpy(&bits, at, 2);
    uint32_t wide = (uint32_t)bits << 16;
    float f;
    memcpy(&f, &wide, 4);
    return (real)f;
}

/* To the nearest, ties to even; NaN stays one. */
static uint16_t bfloat_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    if ((u & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(u >> 16 | 0x40);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static void put_real(char *at, enum fft_format format, real value)
{
    if (format == FFT_OWN) {
        *(real *)at = value;
    } else if (format == FFT_HALF) {
        *(_Float16 *)at = (_Float16)value;
    } else {
        uint16_t bits = bfloat_of((float)value);
        memcpy(at, &bits, 2);
    }
}

static void load_singly(struct cv *x, size_t n, const struct lines *l)
{
    for (size_t j = 0; j < n; j++) {
        struct cv a = {{0}, {0}};
        for (unsigned lane = 0; lane < V; lane++) {
            const char *p =
                l->at + order[lane] * l->lane + (int64_t)j * l->element;
            if (order[lane] >= l->count)
                continue;
            a.r[lane] = get_real(p, l->format);
            if (l->imaginary)
                a.i[lane] = get_real(p + l->imaginary, l->format);
        }
        x[j] = swap_if(l->swap, a);
    }
}

static void store_singly(const struct cv *x, size_t n, const struct lines *l)
{
    for (size_t j = 0; j < n; j++) {
        struct cv a = swap_if(l->swap, x[j]);
        for (unsigned lane = 0; lane < V; lane++) {
            char *p = l->at + order[lane] * l->lane + (int64_t)j * l->element;
            if (order[lane] >= l->count)
                continue;
            put_real(p, l->format, a.r[lane]);
            if (l->imaginary)
                put_real(p + l->imaginary, l->format, a.i[lane]);
        }
    }
}

/* ---- whole vectors ---------------------------------------------------- */

static bool is_pairs(const struct lines *l)
{
    return l->count == V && l->format == FFT_OWN &&
           l->imaginary == (int64_t)sizeof(real);
}

/* The lines lie beside each other. */
static void load_columns(struct cv *x, size_t n, const struct lines *l)
{
    const char *at = l->at;
    for (size_t j = 0; j < n; j++, at += l->element)
        x[j] = swap_if(l->swap, load_pairs(at));
}

static void store_columns(const struct cv *x, size_t n, const struct lines *l)
{
    char *at = l->at;
    for (size_t j = 0; j < n; j++, at += l->element)
        store_pairs(at, swap_if(l->swap, x[j]));
}

/* Each line is contiguous. */
static size_t load_rows(struct cv *x, size_t n, const struct lines *l)
{
    size_t j = 0;
    for (; j + V <= n; j += V) {
        vec r[V], i[V];
#pragma GCC unroll 16
        for (unsigned k = 0; k < V; k++) {
            struct cv a =
                load_pairs(l->at + order[k] * l->lane + j * 2 * sizeof(real));
            r[k] = a.r;
            i[k] = a.i;
        }
        transpose(r);
        transpose(i);
#pragma GCC unroll 16
        for (unsigned k = 0; k < V; k++)
            x[j + order[k]] = swap_if(l->swap, (struct cv){r[k], i[k]});
    }
    return j;
}

static size_t store_rows(const struct cv *x, size_t n, const struct lines *l)
{
    size_t j = 0;
    for (; j + V <= n; j += V) {
        vec r[V], i[V];
#pragma GCC unroll 16
        for (unsigned k = 0; k < V; k++) {
            struct cv a = swap_if(l->swap, x[j + order[k]]);
            r[k] = a.r;
            i[k] = a.i;
        }
        transpose(r);
        transpose(i);
#pragma GCC unroll 16
        for (unsigned k = 0; k < V; k++)
            store_pairs(l->at + order[k] * l->lane + j * 2 * sizeof(real),
                        (struct cv){r[k], i[k]});
    }
    return j;
}

static void load_lines(struct cv *x, size_t n, const struct lines *l)
{
    struct lines rest = *l;
    size_t done = 0;
    if (is_pairs(l) && l->lane == 2 * (int64_t)sizeof(real))
        return load_columns(x, n, l);
    if (is_pairs(l) && l->element == 2 * (int64_t)sizeof(real))
        done = load_rows(x, n, l);
    rest.at += (int64_t)done * l->element;
    load_singly(x + done, n - done, &rest);
}

static void store_lines(const struct cv *x, size_t n, const struct lines *l)
{
    struct lines rest = *l;
    size_t done = 0;
    if (is_pairs(l) && l->lane == 2 * (int64_t)sizeof(real))
        return store_columns(x, n, l);
    if (is_pairs(l) && l->element == 2 * (int64_t)sizeof(real))
        done = store_rows(x, n, l);
    rest.at += (int64_t)done * l->element;
    store_singly(x + done, n - done, &rest);
}

#endif
