/* SPDX-License-Identifier: Apache-2.0 */
/* LU factors column by column with pivots (Gilbert, Peierls: "Sparse partial
 * pivoting in time proportional to arithmetic operations", 1988).
 * sparse_typed.h includes this once for each type: no guard. */

/* The state of a factorisation. */
struct NAME(left) {
    struct sparse_factor *f;
    struct sparse by_column;
    int *step; /* the step whose pivot a row is, or -1 */
    int *mark, *stack, *path;
    int64_t *at;
    ELEMENT *x; /* the column, by rows of A; else zeros */
    int spare;  /* rows before it are all pivots */
};

/* Finds, depth first, the rows that an entry in `row` reaches through L, and
 * puts them on the stack, which grows downwards from `top`: each before those
 * that depend on it. Returns the new top. */
static int NAME(reach_row)(struct NAME(left) * s, int row, int k, int top)
{
    const struct sparse_part *l = &s->f->l;
    int depth = 0;
    s->path[0] = row;
    s->mark[row] = k + 1;
    s->at[0] = s->step[row] < 0 ? 0 : l->start[s->step[row]];
    while (depth >= 0) {
        int j = s->step[s->path[depth]];
        int64_t end = j < 0 ? 0 : l->start[j + 1];
        while (s->at[depth] < end && s->mark[l->index[s->at[depth]]] == k + 1)
            s->at[depth]++;
        if (s->at[depth] >= end) {
            s->stack[--top] = s->path[depth--];
            continue;
        }
        int next = l->index[s->at[depth]++];
        s->mark[next] = k + 1;
        s->path[++depth] = next;
        s->at[depth] = s->step[next] < 0 ? 0 : l->start[s->step[next]];
    }
    return top;
}

/* x = L^-1 times the column of step k; rows that are pivots become the column
 * of U. The rows of x are on the stack, from the returned top on. */
static int NAME(solve_column)(struct sparse_room *room, struct NAME(left) * s,
                              int k)
{
    struct sparse_factor *f = s->f;
    const struct sparse *a = &s->by_column;
    int j = f->order[k], top = f->n;
    for (int p = a->start[j]; p < a->start[j + 1]; p++) {
        if (s->mark[a->index[p]] != k + 1)
            top = NAME(reach_row)(s, a->index[p], k, top);
    }
    for (int p = a->start[j]; p < a->start[j + 1]; p++)
        s->x[a->index[p]] += ((const ELEMENT *)a->value)[p];
    for (int i = top; i < f->n; i++) {
        int row = s->stack[i], step = s->step[row];
        if (step < 0)
            continue;
        ELEMENT x = s->x[row];
        NAME(add)(room, &f->u, step, x);
        for (int64_t p = f->l.start[step]; p < f->l.start[step + 1]; p++)
            s->x[f->l.index[p]] -= ((const ELEMENT *)f->l.value)[p] * x;
    }
    return top;
}

/* The row of the largest entry, or the diagonal's if it is large enough. In a
 * column of zeros any row that is no pivot yet. */
static int NAME(find_pivot)(struct NAME(left) * s, int k, int top,
                            double threshold)
{
    int best = -1, diagonal = s->f->order[k];
    double most = -1;
    for (int i = top; i < s->f->n; i++) {
        int row = s->stack[i];
        double size = NAME(size)(s->x[row]);
        if (s->step[row] < 0 && size > most) {
            most = size;
            best = row;
        }
    }
    if (s->step[diagonal] < 0 && s->mark[diagonal] == k + 1 && most > 0 &&
        NAME(size)(s->x[diagonal]) >= threshold * most)
        return diagonal;
    if (best >= 0 && most > 0)
        return best;
    if (s->step[diagonal] < 0)
        return diagonal;
    while (s->step[s->spare] >= 0)
        s->spare++;
    return best >= 0 ? best : s->spare;
}

/* Stores column k of L and the diagonal of U; x becomes zeros. */
static void NAME(store_column)(struct sparse_room *room, struct NAME(left) * s,
                               int k, int top, int pivot)
{
    struct sparse_factor *f = s->f;
    ELEMENT x = s->x[pivot];
    s->step[pivot] = k;
    f->row[k] = pivot;
    f->diagonal[k] = NAME(size)(x);
    NAME(add)(room, &f->u, k, x);
    for (int i = top; i < f->n; i++) {
        int row = s->stack[i];
        if (s->step[row] < 0 && f->diagonal[k] > 0)
            NAME(add)(room, &f->l, row, s->x[row] / x);
        s->x[row] = 0;
    }
    f->l.start[k + 1] = f->l.count;
    f->u.start[k + 1] = f->u.count;
}

static struct sparse_factor *NAME(lu)(struct sparse_room *room,
                                      const struct sparse *a, const int *order,
                                      double threshold)
{
    int n = a->n;
    struct NAME(left) s = {
        .f = make_factor(room, SPARSE_LU, a, order),
        .by_column = sparse_transpose(room, a),
        .step = sparse_new(room, n, sizeof(int)),
        .mark = sparse_new(room, n, sizeof(int)),
        .stack = sparse_new(room, n, sizeof(int)),
        .path = sparse_new(room, n, sizeof(int)),
        .at = sparse_new(room, n, sizeof(int64_t)),
        .x = sparse_new(room, n, sizeof(ELEMENT)),
    };
    part_reserve(room, &s.f->l, 4 * (int64_t)sparse_count(a), sizeof(ELEMENT));
    part_reserve(room, &s.f->u, 4 * (int64_t)sparse_count(a), sizeof(ELEMENT));
    memset(s.step, -1, (size_t)n * sizeof *s.step);
    for (int k = 0; k < n; k++) {
        int top = NAME(solve_column)(room, &s, k);
        NAME(store_column)
        (room, &s, k, top, NAME(find_pivot)(&s, k, top, threshold));
    }
    return s.f;
}

/* y = A^-1 b, in the order of steps; b is used as scratch. */
static void NAME(lu_solve)(const struct sparse_factor *f, ELEMENT *b,
                           ELEMENT *y)
{
    const ELEMENT *l = f->l.value, *u = f->u.value;
    for (int k = 0; k < f->n; k++) {
        y[k] = b[f->row[k]];
        for (int64_t p = f->l.start[k]; p < f->l.start[k + 1]; p++)
            b[f->l.index[p]] -= l[p] * y[k];
    }
    for (int k = f->n - 1; k >= 0; k--) {
        int64_t diagonal = f->u.start[k + 1] - 1;
        y[k] /= u[diagonal];
        for (int64_t p = f->u.start[k]; p < diagonal; p++)
            y[f->u.index[p]] -= u[p] * y[k];
    }
}

/* Makes rows of columns. step: a row's number in the result; NULL: its own. */
static void NAME(turn)(const struct sparse_part *part, int n, const int *step,
                       int *start, int *index, ELEMENT *value)
{
    const ELEMENT *from = part->value;
    memset(start, 0, (size_t)(n + 1) * sizeof *start);
    for (int64_t p = 0; p < part->count; p++)
        start[(step ? step[part->index[p]] : part->index[p]) + 1]++;
    for (int i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (int k = 0; k < n; k++) {
        for (int64_t p = part->start[k]; p < part->start[k + 1]; p++) {
            int row = step ? step[part->index[p]] : part->index[p];
            index[start[row]] = k;
            value[start[row]++] = from[p];
        }
    }
    for (int i = n; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

static void NAME(split)(const struct sparse_factor *f, const int *step,
                        int *l_start, int *l_index, void *l_value, int *u_start,
                        int *u_index, void *u_value)
{
    NAME(turn)(&f->l, f->n, step, l_start, l_index, l_value);
    NAME(turn)(&f->u, f->n, NULL, u_start, u_index, u_value);
}
