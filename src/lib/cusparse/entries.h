/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the entries of a sparse matrix are, whatever its format: a cursor
 * visits the entries of a major, those of blocks one by one.
 */
#ifndef WEFT_CUSPARSE_ENTRIES_H
#define WEFT_CUSPARSE_ENTRIES_H

static inline int64_t list_get(struct list l, int64_t i)
{
    return l.is_wide ? ((const int64_t *)l.at)[i] : ((const int *)l.at)[i];
}

static inline void list_set(struct list l, int64_t i, int64_t value)
{
    if (l.is_wide)
        ((int64_t *)l.at)[i] = value;
    else
        ((int *)l.at)[i] = (int)value;
}

/* The first slot of a row of blocks; behind the last row: their number. */
static inline int64_t sparse_start(const struct sparse *s, int64_t major)
{
    if (!s->is_coo)
        return list_get(s->major, major) - s->base;
    int64_t low = 0, high = s->nnz;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (list_get(s->major, middle) - s->base < major)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* 0 where a matrix has no minors. */
static inline int64_t sparse_minor(const struct sparse *s, int64_t slot)
{
    return s->minor.at ? list_get(s->minor, slot) - s->base : 0;
}

/* For tables of a kernel's own with `count` places: an index that a matrix has
 * wrong is a fault, as an access outside of the program's memory is. */
static inline int64_t sparse_inside(int64_t index, int64_t count)
{
    if ((uint64_t)index >= (uint64_t)count)
        __builtin_trap();
    return index;
}

/* An entry: its minor, and where its value is. The rest is the cursor's. */
struct cursor {
    int64_t minor, at;
    const struct sparse *s;
    int64_t slot, slot_step, slots, value, col;
};

static inline struct cursor sparse_slice(const struct sparse *s, int64_t major)
{
    int64_t slice = major / s->slice, from = sparse_start(s, slice);
    int64_t slot = from + major % s->slice;
    return (struct cursor){.s = s,
                           .slot = slot,
                           .slot_step = s->slice,
                           .slots =
                               (sparse_start(s, slice + 1) - from) / s->slice,
                           .value = slot,
                           .col = 1};
}

/* Stands before the first entry of a major. */
static inline struct cursor sparse_row(const struct sparse *s, int64_t major)
{
    if (s->slice)
        return sparse_slice(s, major);
    int64_t block = s->block_rows == 1 ? major : major / s->block_rows;
    int64_t from =
        s->ell_blocks ? block * s->ell_blocks : sparse_start(s, block);
    int64_t to = s->ell_blocks ? from + s->ell_blocks
                 : s->ends.at  ? list_get(s->ends, block) - s->base
                               : sparse_start(s, block + 1);
    int64_t inside = major - block * s->block_rows;
    return (struct cursor){.s = s,
                           .slot = from,
                           .slot_step = 1,
                           .slots = to - from,
                           .value = from * s->block_rows * s->block_cols +
                                    inside * s->row_step,
                           .col = s->block_cols};
}

/* The next entry, if there is one. Padding is skipped. */
static inline bool sparse_next(struct cursor *c)
{
    const struct sparse *s = c->s;
    if (++c->col < s->block_cols) {
        c->minor++;
        c->at += s->col_step;
        return true;
    }
    while (c->slots > 0) {
        int64_t minor = sparse_minor(s, c->slot);
        c->at = c->value;
        c->slot += c->slot_step;
        c->value += s->block_step;
        c->slots--;
        if (minor < 0)
            continue;
        c->minor = minor * s->block_cols;
        c->col = 0;
        return true;
    }
    return false;
}

/* Entries of a major, padding among them. */
static inline int64_t sparse_width(const struct sparse *s, int64_t major)
{
    struct cursor c = sparse_row(s, major);
    return c.slots * s->block_cols;
}

/* The first major of piece p: pieces have equally many slots, rows of blocks
 * counted as slots too. */
static inline int64_t sparse_cut(const struct sparse *s, int64_t p,
                                 int64_t pieces)
{
    int64_t rows = s->majors / s->block_rows;
    if (s->slice || s->ell_blocks || p == pieces)
        return rows * p / pieces * s->block_rows;
    int64_t total = sparse_start(s, rows) + rows;
    int64_t goal = (int64_t)((__int128)total * p / pieces);
    int64_t low = 0, high = rows;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (sparse_start(s, middle) + middle < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return low * s->block_rows;
}

#endif
