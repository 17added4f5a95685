/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a band: neighbours that have as many entries each, each entry a
 * column behind the one in the row before, as differences on a grid have them.
 * Their columns of x are neighbours too, so that a vector of rows takes one
 * load for a column instead of as many as there are rows.
 */
#ifndef WEFT_CUSPARSE_BAND_ROWS_H
#define WEFT_CUSPARSE_BAND_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* CSR with int indices, and vectors whose elements are neighbours. */
struct csr_rows {
    const int *ptr, *ind;
    const void *val, *x; /* x stands `base` before its start */
    void *y;
    int64_t base, nnz;
    bool is_large;   /* its entries are fetched ahead */
    bool is_x_large; /* so are elements of x where rows are short */
    bool has_short_rows;
};

/* So many bytes ahead of where they are read the entries of a matrix larger
 * than FETCHED_BYTES are fetched: a core's own prefetcher stops at a page's
 * end. */
enum { FETCH_AHEAD = 6144, FETCHED_BYTES = 8 << 20, CACHE_LINE = 64 };
/* An x of more bytes is fetched from ahead; rows of fewer entries on average
 * are short. */
enum { FETCHED_X_BYTES = 512 << 10, SHORT_ROW = 24 };

/* Prefetches into the second-level cache; an address behind the end is
 * harmless. */
static inline __attribute__((always_inline)) void fetch_ahead(const void *p,
                                                              int64_t bytes)
{
    const char *line = (const char *)((uintptr_t)p + FETCH_AHEAD);
    for (int64_t i = 0; i < bytes; i += CACHE_LINE)
        __builtin_prefetch(line + i, 0, 2);
}

/* Prefetches what lies FETCH_AHEAD bytes behind these entries. */
static inline __attribute__((always_inline)) void
fetch_entries(const struct csr_rows *r, int64_t from, int64_t count,
              int64_t value_bytes)
{
    fetch_ahead(r->ind + from, count * (int64_t)sizeof *r->ind);
    fetch_ahead((const char *)r->val + from * value_bytes, count * value_bytes);
}

/* y = alpha a x + beta y for the rows from `first` on that are a band, several
 * at a time, on any thread. Returns the row behind them, `first` if there are
 * none, at most `end`. y is not read where beta is 0. */
int64_t cusparse_band_rows_s(const struct csr_rows *r, int64_t first,
                             int64_t end, float alpha, float beta);
int64_t cusparse_band_rows_d(const struct csr_rows *r, int64_t first,
                             int64_t end, double alpha, double beta);

#endif
