/* SPDX-License-Identifier: Apache-2.0 */
/* What sparse.cu and sparse-twins.c share: a matrix of 9 diagonals. */
#ifndef WEFT_BENCH_SPARSE_H
#define WEFT_BENCH_SPARSE_H

#include "timing.h"

enum { BAND_ROWS = 1000000, BAND_WIDTH = 9, NUMBERS = 1 << 25 };

static inline int band_fill(double *values, int *offsets, int *columns,
                            double *x)
{
    static const int steps[BAND_WIDTH] = {-1000, -100, -10, -1,  0,
                                          1,     10,   100, 1000};
    int n = 0;
    for (int i = 0; i < BAND_ROWS; i++) {
        offsets[i] = n;
        x[i] = 1;
        for (int k = 0; k < BAND_WIDTH; k++) {
            int j = i + steps[k];
            if (j < 0 || j >= BAND_ROWS)
                continue;
            columns[n] = j;
            values[n++] = k + 1;
        }
    }
    offsets[BAND_ROWS] = n;
    return n;
}

static inline int band_check(const double *y)
{
    return y[BAND_ROWS / 2] == 45;
}

#endif
