/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over contiguous components in a fixed order: 32 partial sums, which are
 * then added in a tree. So the same numbers give the same sum on every
 * processor, however wide its vectors are; products and sums are rounded
 * separately (no contraction). Any thread may call.
 */
#ifndef WEFT_LIB_SUMS_H
#define WEFT_LIB_SUMS_H

#include <stddef.h>

/* Products and magnitudes are summed in blocks of so many components; the sums
 * of blocks are added in double. */
enum { SUMS_BLOCK = 2048 };

/* Sums of x[i] * y[i], |x[i]| and x[i]^2 over n components; 0 of none. */
double sum_products_f(const float *x, const float *y, size_t n);
double sum_products_d(const double *x, const double *y, size_t n);
double sum_absolute_f(const float *x, size_t n);
double sum_absolute_d(const double *x, size_t n);
double sum_squares_f(const float *x, size_t n); /* in double: no overflow */
double sum_squares_d(const double *x, size_t n);
/* The real and the imaginary part of the sum of x*y, or of conj(x)*y. n counts
 * components: twice the complex numbers. */
void sum_complex_f(const float *x, const float *y, size_t n, int conj,
                   double out[2]);
void sum_complex_d(const double *x, const double *y, size_t n, int conj,
                   double out[2]);
/* The largest |x[i]| of n components, NaN aside; -1: there is none. */
double largest_f(const float *x, size_t n);
double largest_d(const double *x, size_t n);

#endif
