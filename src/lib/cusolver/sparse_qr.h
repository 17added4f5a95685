/* SPDX-License-Identifier: Apache-2.0 */
/*
 * QR factors by reflectors, column by column. A step works on the rows whose
 * first column it is and on the rows that its children in the elimination tree
 * of A^T A leave. Its reflector makes the first of them a row of R and leaves
 * the others to its parent. A column that depends (nearly) on those before
 * makes no row of R. sparse_typed.h includes this once for each type: no guard.
 */

/* The state of a factorisation; -1 ends lists. */
struct NAME(qr) {
    struct sparse_factor *f;
    struct sparse by_column;
    int *parent, *first;    /* column_tree's */
    int *child, *sibling;   /* the children of a step */
    int *row_of, *next_row; /* the rows whose first step it is */
    int *mark, *stack, *path;
    ELEMENT *x; /* the column, by rows of A; else zeros */
    double tol;
};

/* Puts the column's entries into x, and the steps whose reflectors change it on
 * the stack, children before parents. Returns its top. */
static int NAME(reach_tree)(struct NAME(qr) * s, int k)
{
    const struct sparse *a = &s->by_column;
    int j = s->f->order[k], top = s->f->n;
    s->mark[k] = k + 1;
    for (int p = a->start[j]; p < a->start[j + 1]; p++) {
        int length = 0;
        for (int i = s->first[a->index[p]]; s->mark[i] != k + 1;
             i = s->parent[i]) {
            s->path[length++] = i;
            s->mark[i] = k + 1;
        }
        while (length > 0)
            s->stack[--top] = s->path[--length];
        s->x[a->index[p]] += ((const ELEMENT *)a->value)[p];
    }
    return top;
}

/* Applies a step's reflector to x. */
static void NAME(reflect)(const struct sparse_factor *f, int step, ELEMENT *x)
{
    const ELEMENT *v = f->l.value;
    int64_t first = f->l.start[step], end = f->l.start[step + 1];
    ELEMENT along = 0;
    for (int64_t p = first; p < end; p++)
        along += NAME(conjugate)(v[p]) * x[f->l.index[p]];
    along *= (REAL)f->scale[step];
    for (int64_t p = first; p < end; p++)
        x[f->l.index[p]] -= v[p] * along;
}

/* Moves the rows of step k from x to its reflector. */
static void NAME(gather_rows)(struct sparse_room *room, struct NAME(qr) * s,
                              int k)
{
    struct sparse_part *l = &s->f->l;
    for (int row = s->row_of[k]; row >= 0; row = s->next_row[row])
        NAME(add)(room, l, row, s->x[row]);
    for (int c = s->child[k]; c >= 0; c = s->sibling[c]) {
        for (int64_t p = l->start[c] + (s->f->row[c] >= 0); p < l->start[c + 1];
             p++) {
            part_reserve(room, l, 1, sizeof(ELEMENT));
            NAME(add)(room, l, l->index[p], s->x[l->index[p]]);
        }
    }
    l->start[k + 1] = l->count;
    for (int64_t p = l->start[k]; p < l->count; p++)
        s->x[l->index[p]] = 0;
}

/* Makes the reflector (v and its scale) that maps the step's rows to a multiple
 * of the first; returns the multiple, which is R's diagonal. */
static ELEMENT NAME(make_reflector)(struct NAME(qr) * s, int k)
{
    struct sparse_factor *f = s->f;
    int64_t first = f->l.start[k], end = f->l.start[k + 1];
    ELEMENT *v = f->l.value;
    double norm = 0;
    for (int64_t p = first; p < end; p++)
        norm += NAME(squared)(v[p]);
    norm = sqrt(norm);
    f->diagonal[k] = norm;
    f->row[k] = -1;
    f->scale[k] = 0;
    if (!(norm > s->tol))
        return 0;
    double size = NAME(size)(v[first]);
    ELEMENT direction = size > 0 ? v[first] / (REAL)size : 1;
    ELEMENT diagonal = -direction * (REAL)norm;
    f->row[k] = f->l.index[first];
    f->scale[k] = 1 / (norm * (norm + size));
    v[first] -= diagonal;
    return diagonal;
}

/* Column k of R, and the reflector of step k. */
static void NAME(qr_column)(struct sparse_room *room, struct NAME(qr) * s,
                            int k)
{
    struct sparse_factor *f = s->f;
    for (int top = NAME(reach_tree)(s, k); top < f->n; top++) {
        int step = s->stack[top];
        if (f->row[step] < 0)
            continue;
        NAME(reflect)(f, step, s->x);
        NAME(add)(room, &f->u, step, s->x[f->row[step]]);
        s->x[f->row[step]] = 0;
    }
    NAME(gather_rows)(room, s, k);
    NAME(add)(room, &f->u, k, NAME(make_reflector)(s, k));
    f->u.start[k + 1] = f->u.count;
}

static struct sparse_factor *NAME(qr)(struct sparse_room *room,
                                      const struct sparse *a, const int *order,
                                      double tol)
{
    int n = a->n;
    struct NAME(qr) s = {
        .f = make_factor(room, SPARSE_QR, a, order),
        .by_column = sparse_transpose(room, a),
        .first = sparse_new(room, a->m, sizeof(int)),
        .child = sparse_new(room, n, sizeof(int)),
        .sibling = sparse_new(room, n, sizeof(int)),
        .row_of = sparse_new(room, n, sizeof(int)),
        .next_row = sparse_new(room, a->m, sizeof(int)),
        .mark = sparse_new(room, n, sizeof(int)),
        .stack = sparse_new(room, n, sizeof(int)),
        .path = sparse_new(room, n, sizeof(int)),
        .x = sparse_new(room, a->m, sizeof(ELEMENT)),
        .tol = tol,
    };
    s.parent = column_tree(room, &s.by_column, order, s.first);
    memset(s.child, -1, (size_t)n * sizeof *s.child);
    memset(s.row_of, -1, (size_t)n * sizeof *s.row_of);
    for (int k = n - 1; k >= 0; k--) {
        int up = s.parent[k];
        if (up < 0)
            continue;
        s.sibling[k] = s.child[up];
        s.child[up] = k;
    }
    for (int i = a->m - 1; i >= 0; i--) {
        if (s.first[i] < 0)
            continue;
        s.next_row[i] = s.row_of[s.first[i]];
        s.row_of[s.first[i]] = i;
    }
    part_reserve(room, &s.f->l, sparse_count(a), sizeof(ELEMENT));
    part_reserve(room, &s.f->u, sparse_count(a), sizeof(ELEMENT));
    for (int k = 0; k < n; k++)
        NAME(qr_column)(room, &s, k);
    return s.f;
}

/* y, in the order of steps, makes |b - A x| least; returns that norm. b is used
 * as scratch. */
static double NAME(qr_solve)(const struct sparse_factor *f, ELEMENT *b,
                             ELEMENT *y)
{
    const ELEMENT *u = f->u.value;
    double left = 0;
    for (int k = 0; k < f->n; k++) {
        y[k] = 0;
        if (f->row[k] < 0)
            continue;
        NAME(reflect)(f, k, b);
        y[k] = b[f->row[k]];
        b[f->row[k]] = 0;
    }
    for (int i = 0; i < f->m; i++)
        left += NAME(squared)(b[i]);
    for (int k = f->n - 1; k >= 0; k--) {
        int64_t diagonal = f->u.start[k + 1] - 1;
        if (f->row[k] < 0)
            continue;
        y[k] /= u[diagonal];
        for (int64_t p = f->u.start[k]; p < diagonal; p++)
            y[f->u.index[p]] -= u[p] * y[k];
    }
    return sqrt(left);
}
