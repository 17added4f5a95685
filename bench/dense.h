/* SPDX-License-Identifier: Apache-2.0 */
/* What dense.cu and dense-twins.c share: sizes and numbers. */
#ifndef WEFT_BENCH_DENSE_H
#define WEFT_BENCH_DENSE_H

#include "timing.h"

enum {
    DENSE_SIZE = 1024, /* of a matrix, if the name has no other: sgemm-4096 */
    DENSE_VECTOR = 1 << 24,
    BATCH_SIZE = 32, /* of a matrix */
    BATCH_COUNT = 4096
};

static inline int dense_size(const char *name)
{
    const char *dash = strchr(name, '-');
    return dash ? atoi(dash + 1) : DENSE_SIZE;
}

static inline int dense_is(const char *name, const char *work)
{
    size_t length = strlen(work);
    return !strncmp(name, work, length) &&
           (name[length] == '-' || !name[length]);
}

/* bfloat16 and bytes, from -3 to 3. */
static inline void dense_fill_narrow(unsigned short *halves, signed char *bytes,
                                     long count)
{
    static const unsigned short numbers[] = {0xc040, 0xc000, 0xbf80, 0,
                                             0x3f80, 0x4000, 0x4040};
    for (long i = 0; i < count; i++) {
        int x = (int)((unsigned)i * 2654435761u >> 13) % 7;
        halves[i] = numbers[x];
        bytes[i] = (signed char)(x - 3);
    }
}

static inline double dense_number(long i)
{
    return (double)((unsigned)i * 2654435761u >> 8) / (1 << 24) - 0.5;
}

/* Symmetric with a large diagonal, for Cholesky and LU. */
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
