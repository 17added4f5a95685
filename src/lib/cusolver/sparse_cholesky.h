/* SPDX-License-Identifier: Apache-2.0 */
/* Cholesky factors row by row ("up-looking": Davis, "Direct Methods for Sparse
 * Linear Systems", chapter 4). sparse_typed.h includes this once for each type:
 * no guard. */

/* The upper triangle of P A P^T by columns, from the lower triangle of A, whose
 * conjugate it is. */
static struct sparse NAME(upper)(struct sparse_room *room,
                                 const struct sparse *a, const int *order)
{
    int n = a->n, count = sparse_count(a);
    int *place = sparse_new(room, n, sizeof *place);
    int *start = sparse_new(room, n + 2, sizeof *start);
    int *index = sparse_new(room, count, sizeof *index);
    ELEMENT *value = sparse_new(room, count, sizeof *value);
    for (int k = 0; k < n; k++)
        place[order[k]] = k;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            for (int p = a->start[i] - a->base; p < a->start[i + 1] - a->base;
                 p++) {
                int j = a->index[p] - a->base, row = place[j], k = place[i];
                if (j > i)
                    continue;
                ELEMENT x = ((const ELEMENT *)a->value)[p];
                bool is_above = row <= k;
                int column = is_above ? k : row;
                if (pass == 0) {
                    start[column + 2]++;
                    continue;
                }
                int to = start[column + 1]++;
                index[to] = is_above ? row : k;
                value[to] = is_above ? NAME(conjugate)(x) : x;
            }
        }
        for (int k = 0; pass == 0 && k < n; k++)
            start[k + 2] += start[k + 1];
    }
    return (struct sparse){a->type, n, n, 0, start, index, value};
}

/* The elimination tree: the parent of each column, -1: it is a root. */
static int *NAME(tree)(struct sparse_room *room, const struct sparse *upper)
{
    int n = upper->n;
    int *parent = sparse_new(room, n, sizeof *parent);
    int *ancestor = sparse_new(room, n, sizeof *ancestor);
    for (int k = 0; k < n; k++) {
        parent[k] = ancestor[k] = -1;
        for (int p = upper->start[k]; p < upper->start[k + 1]; p++) {
            for (int i = upper->index[p], up; i != -1 && i < k; i = up) {
                up = ancestor[i];
                ancestor[i] = k;
                if (up == -1)
                    parent[i] = k;
            }
        }
    }
    return parent;
}

/* Finds the columns of row k of L: stack[top] to stack[n - 1], each behind
 * those that it depends on. Returns top. */
static int NAME(reach_up)(const struct sparse *upper, int k, const int *parent,
                          int *mark, int *stack, int *path)
{
    int top = upper->n;
    mark[k] = k + 1;
    for (int p = upper->start[k]; p < upper->start[k + 1]; p++) {
        int length = 0;
        for (int i = upper->index[p]; mark[i] != k + 1; i = parent[i]) {
            path[length++] = i;
            mark[i] = k + 1;
        }
        while (length > 0)
            stack[--top] = path[--length];
    }
    return top;
}

/* The state of a factorisation. */
struct NAME(up) {
    struct sparse upper;
    int *parent, *mark, *stack, *path;
    int64_t *next; /* where a column's next entry goes */
    ELEMENT *x;
};

/* Makes f->l.start: how many entries each column of L has. */
static void NAME(count_columns)(struct NAME(up) * u, struct sparse_factor *f)
{
    int n = f->n;
    for (int k = 0; k < n; k++) {
        int top =
            NAME(reach_up)(&u->upper, k, u->parent, u->mark, u->stack, u->path);
        f->l.start[k + 1]++;
        for (; top < n; top++)
            f->l.start[u->stack[top] + 1]++;
    }
    for (int k = 0; k < n; k++)
        f->l.start[k + 1] += f->l.start[k];
    memset(u->mark, 0, (size_t)n * sizeof *u->mark);
    memcpy(u->next, f->l.start, (size_t)n * sizeof *u->next);
}

/* Computes row k of L; false: its diagonal is not positive. */
static bool NAME(cholesky_row)(struct NAME(up) * u, struct sparse_factor *f,
                               int k)
{
    const struct sparse *c = &u->upper;
    ELEMENT *value = f->l.value, *x = u->x;
    int top = NAME(reach_up)(c, k, u->parent, u->mark, u->stack, u->path);
    for (int p = c->start[k]; p < c->start[k + 1]; p++)
        x[c->index[p]] += ((const ELEMENT *)c->value)[p];
    double left = creal(x[k]);
    x[k] = 0;
    for (; top < f->n; top++) {
        int i = u->stack[top];
        ELEMENT entry = x[i] / value[f->l.start[i]];
        x[i] = 0;
        for (int64_t p = f->l.start[i] + 1; p < u->next[i]; p++)
            x[f->l.index[p]] -= value[p] * entry;
        left -= NAME(squared)(entry);
        f->l.index[u->next[i]] = k;
        value[u->next[i]++] = NAME(conjugate)(entry);
    }
    f->diagonal[k] = left > 0 ? sqrt(left) : 0;
    f->l.index[u->next[k]] = k;
    value[u->next[k]++] = (REAL)f->diagonal[k];
    return left > 0;
}

static struct sparse_factor *NAME(cholesky)(struct sparse_room *room,
                                            const struct sparse *a,
                                            const int *order)
{
    struct sparse_factor *f = make_factor(room, SPARSE_CHOLESKY, a, order);
    int n = f->n;
    struct NAME(up) u = {
        .upper = NAME(upper)(room, a, order),
        .mark = sparse_new(room, n, sizeof(int)),
        .stack = sparse_new(room, n, sizeof(int)),
        .path = sparse_new(room, n, sizeof(int)),
        .next = sparse_new(room, n, sizeof(int64_t)),
        .x = sparse_new(room, n, sizeof(ELEMENT)),
    };
    u.parent = NAME(tree)(room, &u.upper);
    NAME(count_columns)(&u, f);
    part_reserve(room, &f->l, f->l.start[n], sizeof(ELEMENT));
    f->l.count = f->l.start[n];
    f->stopped = 0;
    while (f->stopped < n && NAME(cholesky_row)(&u, f, f->stopped))
        f->stopped++;
    return f;
}

static void NAME(cholesky_solve)(const struct sparse_factor *f,
                                 const ELEMENT *b, ELEMENT *y)
{
    const struct sparse_part *l = &f->l;
    const ELEMENT *value = l->value;
    for (int k = 0; k < f->n; k++)
        y[k] = b[f->order[k]];
    for (int k = 0; k < f->n; k++) {
        y[k] /= value[l->start[k]];
        for (int64_t p = l->start[k] + 1; p < l->start[k + 1]; p++)
            y[l->index[p]] -= value[p] * y[k];
    }
    for (int k = f->n - 1; k >= 0; k--) {
        for (int64_t p = l->start[k] + 1; p < l->start[k + 1]; p++)
            y[k] -= NAME(conjugate)(value[p]) * y[l->index[p]];
        y[k] /= value[l->start[k]];
    }
}
