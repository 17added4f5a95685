/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What math.cu and math-sleef.c share: how many numbers, which, and when an
 * answer is right. Plain C that is C++ as well.
 */
#ifndef WEFT_BENCH_MATH_NUMBERS_H
#define WEFT_BENCH_MATH_NUMBERS_H

#include <math.h>

enum {
    MATH_LENGTH = 1 << 16, /* of one array: the second-level cache holds all */
    MATH_REPEATS = 200
};

/* The i-th of the numbers between `from` and `to`. */
static inline double math_number(unsigned i, double from, double to,
                                 unsigned seed)
{
    i = (i ^ seed << 20) * 2654435761u;
    i = (i ^ i >> 15) * 0x2c1b3c6du;
    i ^= i >> 13;
    return from + (to - from) * (i * 0x1p-32);
}

/* Within 8 units in the last place of the C library's, or nearly 0. */
static inline int math_is_close(double got, double want, int is_double)
{
    double unit = is_double ? 0x1p-52 : 0x1p-23;
    return fabs(got - want) <= 8 * unit * (fabs(want) + 1e-3);
}

#endif
