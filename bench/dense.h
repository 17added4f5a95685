/* SPDX-License-Identifier: Apache-2.0 */
/* What dense.cu and dense-twins.c share: sizes and numbers. */
#ifndef WEFT_BENCH_DENSE_H
#define WEFT_BENCH_DENSE_H

#include "timing.h"

enum {
    DENSE_SIZE = 1024,
    DENSE_VECTOR = 1 << 24,
    BATCH_SIZE = 32, /* of a matrix */
    BATCH_COUNT = 4096
};

static inline double dense_number(long i)
{
    return (double)((unsigned)i * 2654435761u >> 8) / (1 << 24) - 0.5;
}

/* Symmetric with a large diagonal: Cholesky has it, LU too. */
static inline void dense_fill(double *a, int n)
{
    for (long j = 0; j < n; j++) {
        for (long i = 0; i <= j; i++) {
            double x = dense_number(i * n + j) + (i == j) * n;
            a[i + j * n] = a[j + i * n] = x;
        }
    }
}

static inline void dense_fill_floats(float *a, long count)
{
    for (long i = 0; i < count; i++)
        a[i] = (float)dense_number(i);
}

#endif
