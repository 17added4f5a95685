/* SPDX-License-Identifier: Apache-2.0 */
/* What depends on the type of elements. sparse_factor.c includes this once for
 * each type (so there is no guard) and defines ELEMENT, REAL and NAME. */

static ELEMENT NAME(conjugate)(ELEMENT x)
{
    return _Generic(x, float complex
                    : conjf(x), double complex
                    : conj(x), default
                    : x);
}

static double NAME(squared)(ELEMENT x)
{
    return (double)creal(x) * creal(x) + (double)cimag(x) * cimag(x);
}

static double NAME(size)(ELEMENT x)
{
    return sqrt(NAME(squared)(x));
}

/* Appends an entry. */
static void NAME(add)(struct sparse_room *room, struct sparse_part *p,
                      int index, ELEMENT value)
{
    part_reserve(room, p, 1, sizeof value);
    p->index[p->count] = index;
    ((ELEMENT *)p->value)[p->count++] = value;
}

#include "sparse_cholesky.h"
#include "sparse_lu.h"
#include "sparse_qr.h"

static double NAME(solve)(struct sparse_room *room,
                          const struct sparse_factor *f, const void *b, void *x)
{
    int most = f->m > f->n ? f->m : f->n;
    ELEMENT *work = sparse_new(room, most, sizeof *work);
    ELEMENT *y = sparse_new(room, f->n, sizeof *y);
    double left = 0;
    memcpy(work, b, (size_t)f->m * sizeof *work);
    if (f->kind == SPARSE_LU)
        NAME(lu_solve)(f, work, y);
    else if (f->kind == SPARSE_QR)
        left = NAME(qr_solve)(f, work, y);
    else
        NAME(cholesky_solve)(f, work, y);
    for (int k = 0; k < f->n; k++)
        ((ELEMENT *)x)[f->order[k]] = y[k];
    sparse_free(room, work);
    sparse_free(room, y);
    return left;
}

/* ---- eigenvalues ------------------------------------------------------ */

static struct sparse NAME(shift)(struct sparse_room *room,
                                 const struct sparse *a, const void *mu)
{
    int count = sparse_count(a), n = a->m, put = 0;
    int *start = sparse_new(room, n + 1, sizeof *start);
    int *index = sparse_new(room, count + n, sizeof *index);
    ELEMENT *value = sparse_new(room, count + n, sizeof *value);
    const ELEMENT *from = a->value;
    for (int i = 0; i < n; i++) {
        int at_diagonal = put;
        index[put] = i;
        value[put++] = -*(const ELEMENT *)mu;
        for (int p = a->start[i] - a->base; p < a->start[i + 1] - a->base;
             p++) {
            int j = a->index[p] - a->base;
            if (j == i) {
                value[at_diagonal] += from[p];
                continue;
            }
            index[put] = j;
            value[put++] = from[p];
        }
        start[i + 1] = put;
    }
    return (struct sparse){a->type, n, n, 0, start, index, value};
}

/* |A x - mu x|, with mu = x* A x; x is a unit vector, product n numbers of
 * scratch. */
static double NAME(rayleigh)(const struct sparse *a, const ELEMENT *x,
                             ELEMENT *product, ELEMENT *mu)
{
    const ELEMENT *value = a->value;
    double left = 0;
    *mu = 0;
    for (int i = 0; i < a->m; i++) {
        product[i] = 0;
        for (int p = a->start[i] - a->base; p < a->start[i + 1] - a->base; p++)
            product[i] += value[p] * x[a->index[p] - a->base];
        *mu += NAME(conjugate)(x[i]) * product[i];
    }
    for (int i = 0; i < a->m; i++)
        left += NAME(squared)(product[i] - *mu * x[i]);
    return sqrt(left);
}

static void NAME(normalise)(ELEMENT *x, int n)
{
    double norm = 0;
    for (int i = 0; i < n; i++)
        norm += NAME(squared)(x[i]);
    norm = sqrt(norm);
    for (int i = 0; i < n && norm > 0; i++)
        x[i] /= (REAL)norm;
}

static void NAME(iterate)(struct sparse_room *room, const struct sparse *a,
                          const struct sparse_factor *f, const void *x0,
                          int limit, double tol, void *mu, void *x)
{
    ELEMENT *product = sparse_new(room, a->m, sizeof *product);
    ELEMENT *at = sparse_new(room, a->m, sizeof *at);
    memcpy(at, x0, (size_t)a->m * sizeof *at);
    NAME(normalise)(at, a->m);
    for (int i = 0; i < limit; i++) {
        NAME(solve)(room, f, at, at);
        NAME(normalise)(at, a->m);
        if (NAME(rayleigh)(a, at, product, mu) <= tol)
            break;
    }
    if (limit <= 0)
        NAME(rayleigh)(a, at, product, mu);
    memcpy(x, at, (size_t)a->m * sizeof *at);
    sparse_free(room, at);
    sparse_free(room, product);
}

#undef ELEMENT
#undef REAL
#undef NAME
