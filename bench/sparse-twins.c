/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP side of sparse.cu. spmv: CSR, rows divided among threads. philox and
 * xorwow: what the numbers cannot be written faster than, a fill of as many
 * floats.
 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "sparse.h"

static double *values, *x, *y;
static int *offsets, *columns;
static float *numbers;

static void *reserve(size_t bytes)
{
    const size_t page = 2 << 20;
    void *p = aligned_alloc(page, (bytes + page - 1) / page * page);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static void spmv(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < BAND_ROWS; i++) {
        double sum = 0;
        for (int e = offsets[i]; e < offsets[i + 1]; e++)
            sum += values[e] * x[columns[e]];
        y[i] = sum;
    }
}

static double run_spmv(void)
{
    size_t entries = (size_t)BAND_ROWS * BAND_WIDTH;
    values = reserve(entries * sizeof *values);
    columns = reserve(entries * sizeof *columns);
    offsets = reserve((BAND_ROWS + 1) * sizeof *offsets);
    x = reserve(BAND_ROWS * sizeof *x);
    y = reserve(BAND_ROWS * sizeof *y);
    band_fill(values, offsets, columns, x);
    double ms = measure_ms(spmv);
    return band_check(y) ? ms : -1;
}

static void fill(void)
{
#pragma omp parallel for simd
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = 0.5f;
}

static double run_fill(void)
{
    numbers = reserve(NUMBERS * sizeof *numbers);
    return measure_ms(fill);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    double ms = -1;
    if (!strcmp(name, "spmv"))
        ms = run_spmv();
    if (!strcmp(name, "philox") || !strcmp(name, "xorwow"))
        ms = run_fill();
    printf("%g\n", ms);
    return ms < 0;
}
