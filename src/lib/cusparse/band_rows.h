/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a band: neighbours that have as many entries each, each entry a
 * column behind the one in the row before, as differences on a grid have them.
 * Their columns of x are neighbours too, so that a vector of rows takes one
 * load for a column instead of as many as there are rows.
 */
#ifndef WEFT_CUSPARSE_BAND_ROWS_H
#define WEFT_CUSPARSE_BAND_ROWS_H

#include <stdint.h>

/* CSR with int indices, and vectors whose elements are neighbours. */
struct csr_rows {
    const int *ptr, *ind;
    const void *val, *x; /* x stands `base` before its start */
    void *y;
    int64_t base, nnz;
};

/* y = alpha a x + beta y for the rows from `first` on that are a band, several
 * at a time. Returns the row behind them, `first` if there are none, at most
 * `end`. y is not read where beta is 0. */
int64_t cusparse_band_rows_s(const struct csr_rows *r, int64_t first,
                             int64_t end, float alpha, float beta);
int64_t cusparse_band_rows_d(const struct csr_rows *r, int64_t first,
                             int64_t end, double alpha, double beta);

#endif
