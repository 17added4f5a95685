/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over contiguous components, in a fixed order: lanes, then a tree. The
 * same numbers give the same sum on every processor whatever its vectors are,
 * since a lane is a number and not a register; products and their sums are two
 * roundings (no contraction).
 */
#ifndef WEFT_LIB_SUMS_H
#define WEFT_LIB_SUMS_H

#include <stddef.h>

/* Products and magnitudes are added up in blocks of so many components, whose
 * sums are added in double. */
enum { SUMS_BLOCK = 2048 };

/* x[i] * y[i], |x[i]| and x[i]^2 of n components; 0 of none. Any thread. */
double sum_products_f(const float *x, const float *y, size_t n);
double sum_products_d(const double *x, const double *y, size_t n);
double sum_absolute_f(const float *x, size_t n);
double sum_absolute_d(const double *x, size_t n);
double sum_squares_f(const float *x, size_t n); /* no overflow */
double sum_squares_d(const double *x, size_t n);
/* The real and the imaginary part of sum x*y; conj: of x. n: components. */
void sum_complex_f(const float *x, const float *y, size_t n, int conj,
                   double out[2]);
void sum_complex_d(const double *x, const double *y, size_t n, int conj,
                   double out[2]);
/* The largest |x|, NaN aside; complex: of |re| + |im|. -1: there is none. */
double largest_f(const float *x, size_t n);
double largest_d(const double *x, size_t n);

#endif
