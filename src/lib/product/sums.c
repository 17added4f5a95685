/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/product/sums.h"

#include <math.h>

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) &&                    \
    !defined(__SANITIZE_ADDRESS__)
#define FAST __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define FAST
#endif

/* Partial sums that are added up side by side, whatever a register holds. */
enum { LANES = 32 };

/* Adds the sum of `term`, i < n, to `sum`; partial sums have the type acc. */
#define SUM(sum, acc, n, term)                                                 \
    do {                                                                       \
        acc lane[LANES] = {0};                                                 \
        size_t whole = (n) - (n) % LANES;                                      \
        for (size_t base = 0; base < whole; base += LANES) {                   \
            for (size_t l = 0; l < LANES; l++) {                               \
                size_t i = base + l;                                           \
                lane[l] += (acc)(term);                                        \
            }                                                                  \
        }                                                                      \
        for (size_t i = whole; i < (n); i++)                                   \
            lane[i - whole] += (acc)(term);                                    \
        for (size_t width = LANES / 2; width; width /= 2) {                    \
            for (size_t l = 0; l < width; l++)                                 \
                lane[l] += lane[l + width];                                    \
        }                                                                      \
        (sum) += lane[0];                                                      \
    } while (0)

/* The body of a function: sums block by block; `next` moves x and y on. */
#define BLOCKS(acc, term, next)                                                \
    double sum = 0;                                                            \
    for (; n > SUMS_BLOCK; n -= SUMS_BLOCK, next)                              \
        SUM(sum, acc, SUMS_BLOCK, term);                                       \
    SUM(sum, acc, n, term);                                                    \
    return sum

FAST double sum_products_f(const float *x, const float *y, size_t n)
{
    BLOCKS(float, x[i] * y[i], (x += SUMS_BLOCK, y += SUMS_BLOCK));
}

FAST double sum_products_d(const double *x, const double *y, size_t n)
{
    BLOCKS(double, x[i] * y[i], (x += SUMS_BLOCK, y += SUMS_BLOCK));
}

FAST double sum_absolute_f(const float *x, size_t n)
{
    BLOCKS(float, __builtin_fabsf(x[i]), x += SUMS_BLOCK);
}

FAST double sum_absolute_d(const double *x, size_t n)
{
    BLOCKS(double, __builtin_fabs(x[i]), x += SUMS_BLOCK);
}

FAST double sum_squares_f(const float *x, size_t n)
{
    double sum = 0;
    SUM(sum, double, n, (double)x[i] * (double)x[i]);
    return sum;
}

FAST double sum_squares_d(const double *x, size_t n)
{
    double sum = 0;
    SUM(sum, double, n, x[i] * x[i]);
    return sum;
}

/* The body of a function. Lane by lane `plain` has re*re and im*im in turn,
 * `crossed` re*im and im*re. */
#define COMPLEX(real)                                                          \
    real plain[LANES] = {0}, crossed[LANES] = {0};                             \
    size_t whole = n - n % LANES;                                              \
    for (size_t base = 0; base < whole; base += LANES) {                       \
        for (size_t l = 0; l < LANES; l++) {                                   \
            plain[l] += x[base + l] * y[base + l];                             \
            crossed[l] += x[base + l] * y[base + (l ^ 1)];                     \
        }                                                                      \
    }                                                                          \
    for (size_t i = whole; i < n; i++) {                                       \
        plain[i - whole] += x[i] * y[i];                                       \
        crossed[i - whole] += x[i] * y[i ^ 1];                                 \
    }                                                                          \
    double rr = 0, ii = 0, ri = 0, ir = 0;                                     \
    for (size_t l = 0; l < LANES; l += 2) {                                    \
        rr += plain[l];                                                        \
        ii += plain[l + 1];                                                    \
        ri += crossed[l];                                                      \
        ir += crossed[l + 1];                                                  \
    }                                                                          \
    out[0] = conj ? rr + ii : rr - ii;                                         \
    out[1] = conj ? ri - ir : ri + ir

FAST void sum_complex_f(const float *x, const float *y, size_t n, int conj,
                        double out[2])
{
    COMPLEX(float);
}

FAST void sum_complex_d(const double *x, const double *y, size_t n, int conj,
                        double out[2])
{
    COMPLEX(double);
}

/* The body of a function. Comparisons are false for NaN, which is left out. */
#define LARGEST(real, fabs)                                                    \
    real lane[LANES];                                                          \
    size_t whole = n - n % LANES;                                              \
    for (size_t l = 0; l < LANES; l++)                                         \
        lane[l] = -1;                                                          \
    for (size_t base = 0; base < whole; base += LANES) {                       \
        for (size_t l = 0; l < LANES; l++) {                                   \
            real a = fabs(x[base + l]);                                        \
            lane[l] = a > lane[l] ? a : lane[l];                               \
        }                                                                      \
    }                                                                          \
    for (size_t i = whole; i < n; i++)                                         \
        lane[0] = fabs(x[i]) > lane[0] ? fabs(x[i]) : lane[0];                 \
    for (size_t l = 1; l < LANES; l++)                                         \
        lane[0] = lane[l] > lane[0] ? lane[l] : lane[0];                       \
    return lane[0]

FAST double largest_f(const float *x, size_t n)
{
    LARGEST(float, __builtin_fabsf);
}

FAST double largest_d(const double *x, size_t n)
{
    LARGEST(double, __builtin_fabs);
}
