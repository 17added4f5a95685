/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP twins of halves.cu. gcc 12 converts halves one by one, so both
 * say which instruction they want; without it, they are what gcc makes.
 */
#define _GNU_SOURCE
#include <math.h>
#include <sys/mman.h>
#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "timing.h"

static const int n = VECTOR_LENGTH;
static _Float16 *x, *y;

enum { WIDTH = 16 };
typedef float floats __attribute__((vector_size(4 * WIDTH), aligned(4)));

static inline floats widen(const _Float16 *p)
{
#if defined(__AVX512F__)
    return (floats)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
#else
    floats v;
#if defined(__F16C__)
    for (int i = 0; i < WIDTH; i += 8)
        _mm256_storeu_ps((float *)&v + i, _mm256_cvtph_ps(_mm_loadu_si128(
                                              (const __m128i *)(p + i))));
#else
    for (int i = 0; i < WIDTH; i++)
        v[i] = (float)p[i];
#endif
    return v;
#endif
}

static void *array(size_t bytes)
{
    const size_t page = 2 << 20;
    bytes = (bytes + page - 1) / page * page;
    void *p = aligned_alloc(page, bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static _Float16 *filled(size_t count, float base, float step)
{
    _Float16 *p = array(count * sizeof *p);
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        p[i] = (_Float16)(base + step * (float)(i % 64));
    return p;
}

static double total;

static void dot(void)
{
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        floats mine[4] = {{0}};
#pragma omp for nowait
        for (int i = 0; i < n; i += 4 * WIDTH)
            for (int j = 0; j < 4; j++)
                mine[j] += widen(x + i + j * WIDTH) * widen(y + i + j * WIDTH);
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < WIDTH; k++)
                sum += mine[j][k];
    }
    total = sum;
}

/* As the kernel does it: every thread of 512 blocks takes each 131072nd pair. */
static void dot_in_order(void)
{
    enum { ROW = 2 * BLOCK_SIZE / WIDTH };
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int block = 0; block < STRIDED_BLOCKS; block++) {
        floats mine[ROW] = {{0}};
        for (int i = 2 * block * BLOCK_SIZE; i < n; i += 2 * STRIDE)
            for (int j = 0; j < ROW; j++)
                mine[j] += widen(x + i + j * WIDTH) * widen(y + i + j * WIDTH);
        for (int j = 0; j < ROW; j++)
            for (int k = 0; k < WIDTH; k++)
                sum += mine[j][k];
    }
    total = sum;
}

static double measure_dot(void (*work)(void))
{
    x = filled(n, 1, 0.0625f);
    y = filled(n, 0.5f, 0);
    double ms = measure_ms(work);
    double want = 0.5 * (64 + 0.0625 * (63 * 64 / 2)) * (n / 64);
    return fabs(total - want) < 1e-3 * want ? ms : -1;
}

static double run_dot(void)
{
    return measure_dot(dot);
}

static double run_dot_in_order(void)
{
    return measure_dot(dot_in_order);
}

static float *z;

static void matmul(void)
{
    const int size = MATRIX_SIZE;
#pragma omp parallel for
    for (int i = 0; i < size; i++) {
        float *row = z + (size_t)i * size;
        memset(row, 0, size * sizeof *row);
        for (int k = 0; k < size; k++) {
            float a = (float)x[(size_t)i * size + k];
            const _Float16 *b = y + (size_t)k * size;
            for (int j = 0; j < size; j += WIDTH)
                *(floats *)(row + j) += a * widen(b + j);
        }
    }
}

static double run_matmul(void)
{
    const int size = MATRIX_SIZE;
    x = filled((size_t)size * size, 0.5f, 0);
    y = filled((size_t)size * size, 0, 0.25f);
    z = array((size_t)size * size * sizeof *z);
    double ms = measure_ms(matmul);
    float want = 0.5f * 0.25f * (77 % 64) * size;
    return fabsf(z[300 * size + 77] - want) <= 1e-4f * want ? ms : -1;
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {
        {"dot-half", run_dot},
        {"dot-half-in-order", run_dot_in_order},
        {"matmul-mma", run_matmul},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
