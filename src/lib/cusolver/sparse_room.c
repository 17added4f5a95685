/* SPDX-License-Identifier: Apache-2.0 */
/* Rooms, which are lists of allocations, and matrices in them. */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

struct sparse_block {
    struct sparse_block *before, *after;
    _Alignas(16) char data[]; /* as malloc gives */
};

static struct sparse_block *block_of(void *at)
{
    return (void *)((char *)at - offsetof(struct sparse_block, data));
}

static void *enter_block(struct sparse_room *room, struct sparse_block *b)
{
    b->before = NULL;
    b->after = room->blocks;
    if (b->after)
        b->after->before = b;
    room->blocks = b;
    return b->data;
}

static void take_out(struct sparse_room *room, struct sparse_block *b)
{
    if (b->after)
        b->after->before = b->before;
    if (b->before)
        b->before->after = b->after;
    else
        room->blocks = b->after;
}

void *sparse_new(struct sparse_room *room, int64_t count, size_t bytes)
{
    size_t all = (size_t)(count > 0 ? count : 1) * bytes;
    struct sparse_block *b = calloc(1, sizeof *b + all);
    if (!b)
        longjmp(room->out, 1);
    return enter_block(room, b);
}

void *sparse_grow(struct sparse_room *room, void *at, size_t bytes)
{
    struct sparse_block *b = block_of(at);
    take_out(room, b);
    struct sparse_block *larger = realloc(b, sizeof *b + bytes);
    enter_block(room, larger ? larger : b);
    if (!larger)
        longjmp(room->out, 1);
    return larger->data;
}

void sparse_free(struct sparse_room *room, void *at)
{
    if (!at)
        return;
    take_out(room, block_of(at));
    free(block_of(at));
}

void sparse_leave(struct sparse_room *room)
{
    while (room->blocks)
        sparse_free(room, room->blocks->data);
}

/* ---- matrices --------------------------------------------------------- */

int sparse_count(const struct sparse *a)
{
    return a->start[a->m] - a->base;
}

struct sparse sparse_transpose(struct sparse_room *room, const struct sparse *a)
{
    size_t bytes = blas_bytes(a->type);
    int count = sparse_count(a);
    int *start = sparse_new(room, a->n + 1, sizeof *start);
    int *next = sparse_new(room, a->n + 1, sizeof *next);
    int *index = sparse_new(room, count, sizeof *index);
    char *value = a->value ? sparse_new(room, count, bytes) : NULL;
    for (int p = 0; p < count; p++)
        start[a->index[p] - a->base + 1]++;
    for (int j = 0; j < a->n; j++)
        start[j + 1] += start[j];
    memcpy(next, start, (size_t)a->n * sizeof *next);
    for (int i = 0; i < a->m; i++) {
        for (int p = a->start[i] - a->base; p < a->start[i + 1] - a->base;
             p++) {
            int to = next[a->index[p] - a->base]++;
            index[to] = i;
            if (value)
                memcpy(value + (size_t)to * bytes,
                       (const char *)a->value + (size_t)p * bytes, bytes);
        }
    }
    sparse_free(room, next);
    return (struct sparse){a->type, a->n, a->m, 0, start, index, value};
}

/* Counts the columns that share a row with column j and are not seen yet
 * (seen[column] != j + 1), and writes them to `to`, if it is not NULL. t: the
 * transpose of A. */
static int add_columns(const struct sparse *a, const struct sparse *t, int j,
                       int *seen, int *to)
{
    int count = 0;
    for (int p = t->start[j]; p < t->start[j + 1]; p++) {
        int row = t->index[p];
        for (int r = a->start[row] - a->base; r < a->start[row + 1] - a->base;
             r++) {
            int column = a->index[r] - a->base;
            if (seen[column] == j + 1)
                continue;
            seen[column] = j + 1;
            if (to)
                to[count] = column;
            count++;
        }
    }
    return count;
}

struct sparse sparse_normal(struct sparse_room *room, const struct sparse *a)
{
    struct sparse pattern = *a;
    pattern.value = NULL;
    struct sparse t = sparse_transpose(room, &pattern);
    int *seen = sparse_new(room, a->n, sizeof *seen);
    int *start = sparse_new(room, a->n + 1, sizeof *start);
    for (int j = 0; j < a->n; j++)
        start[j + 1] = start[j] + add_columns(a, &t, j, seen, NULL);
    int *index = sparse_new(room, start[a->n], sizeof *index);
    memset(seen, 0, (size_t)a->n * sizeof *seen);
    for (int j = 0; j < a->n; j++)
        add_columns(a, &t, j, seen, index + start[j]);
    return (struct sparse){a->type, a->n, a->n, 0, start, index, NULL};
}

int *sparse_steps(struct sparse_room *room, const struct sparse_factor *f,
                  int *p, int *q)
{
    int *step = sparse_new(room, f->n, sizeof *step);
    for (int k = 0; k < f->n; k++) {
        step[f->row[k]] = k;
        p[k] = f->row[k];
        q[k] = f->order[k];
    }
    return step;
}

int sparse_singular(const struct sparse_factor *f, double tol)
{
    for (int k = 0; k < f->n; k++) {
        if (!(f->diagonal[k] > tol))
            return k;
    }
    return -1;
}
