/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse factors in four types; sparse_lu.h, sparse_qr.h and sparse_cholesky.h
 * have the methods. */
#include "sparse.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Makes room for `more` entries of `bytes` behind those that are there. */
static void part_reserve(struct sparse_room *room, struct sparse_part *p,
                         int64_t more, size_t bytes)
{
    if (p->index && p->count + more <= p->room)
        return;
    int64_t wanted = 2 * p->room + more + 64;
    if (!p->index) {
        p->index = sparse_new(room, wanted, sizeof *p->index);
        p->value = sparse_new(room, wanted, bytes);
    } else {
        p->index =
            sparse_grow(room, p->index, (size_t)wanted * sizeof *p->index);
        p->value = sparse_grow(room, p->value, (size_t)wanted * bytes);
    }
    p->room = wanted;
}

/* Empty factors of A. */
static struct sparse_factor *make_factor(struct sparse_room *room,
                                         enum sparse_kind kind,
                                         const struct sparse *a,
                                         const int *order)
{
    struct sparse_factor *f = sparse_new(room, 1, sizeof *f);
    *f = (struct sparse_factor){
        .kind = kind,
        .m = a->m,
        .n = a->n,
        .order = sparse_new(room, a->n, sizeof(int)),
        .row = sparse_new(room, a->n, sizeof(int)),
        .diagonal = sparse_new(room, a->n, sizeof(double)),
        .scale = sparse_new(room, a->n, sizeof(double)),
        .stopped = a->n,
    };
    memcpy(f->order, order, (size_t)a->n * sizeof *order);
    f->l.start = sparse_new(room, a->n + 1, sizeof *f->l.start);
    f->u.start = sparse_new(room, a->n + 1, sizeof *f->u.start);
    return f;
}

/* ---- the order of elimination ----------------------------------------- */

/* The elimination tree of A^T A, columns taken in `order`: the parent of each
 * step, -1: it is a root. first[row]: the first step whose column has the row,
 * or -1. */
static int *column_tree(struct sparse_room *room,
                        const struct sparse *by_column, const int *order,
                        int *first)
{
    int n = by_column->m, m = by_column->n;
    int *parent = sparse_new(room, n, sizeof *parent);
    int *ancestor = sparse_new(room, n, sizeof *ancestor);
    int *last = sparse_new(room, m, sizeof *last);
    for (int i = 0; i < m; i++)
        first[i] = last[i] = -1;
    for (int k = 0; k < n; k++) {
        int j = order[k];
        parent[k] = ancestor[k] = -1;
        for (int p = by_column->start[j]; p < by_column->start[j + 1]; p++) {
            int row = by_column->index[p];
            if (first[row] < 0)
                first[row] = k;
            for (int i = last[row], up; i != -1 && i < k; i = up) {
                up = ancestor[i];
                ancestor[i] = k;
                if (up == -1)
                    parent[i] = k;
            }
            last[row] = k;
        }
    }
    return parent;
}

#define ELEMENT    float
#define REAL       float
#define NAME(name) name##_S
#include "sparse_typed.h"

#define ELEMENT    double
#define REAL       double
#define NAME(name) name##_D
#include "sparse_typed.h"

#define ELEMENT    float complex
#define REAL       float
#define NAME(name) name##_C
#include "sparse_typed.h"

#define ELEMENT    double complex
#define REAL       double
#define NAME(name) name##_Z
#include "sparse_typed.h"

#define ENGINE(T)                                                              \
    {                                                                          \
        .lu = lu_##T, .qr = qr_##T, .cholesky = cholesky_##T,                  \
        .solve = solve_##T, .shift = shift_##T, .iterate = iterate_##T,        \
        .split = split_##T                                                     \
    }
const struct sparse_engine sparse_engines[4] = {
    [BLAS_S] = ENGINE(S),
    [BLAS_D] = ENGINE(D),
    [BLAS_C] = ENGINE(C),
    [BLAS_Z] = ENGINE(Z),
};
