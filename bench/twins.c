/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMP side of `make bench`: each algorithm as one would write it in C
 * for this machine, in the form that gcc makes fastest. Memory is touched first
 * by the thread that uses it and asks for huge pages, as device memory does.
 */
#define _GNU_SOURCE
#include <math.h>
#include <omp.h>
#include <sys/mman.h>

#include "timing.h"

static float *x, *y, *z;
static const int n = VECTOR_LENGTH;
static double total;

static float *filled(size_t count, float base, float step)
{
    const size_t page = 2 << 20;
    size_t bytes = (count * sizeof(float) + page - 1) / page * page;
    float *p = aligned_alloc(page, bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    madvise(p, bytes, MADV_HUGEPAGE);
#pragma omp parallel for simd
    for (size_t i = 0; i < count; i++)
        p[i] = base + step * (float)(i % 64);
    return p;
}

static void triad(void)
{
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
        z[i] = x[i] + 0.5f * y[i];
}

static double run_triad(void)
{
    x = filled(n, 1, 0);
    y = filled(n, 2, 0);
    z = filled(n, 0, 0);
    double ms = measure_ms(triad);
    return z[n / 2 + 7] == 2 ? ms : -1;
}

/* A part for each thread. */
static void copy(void)
{
#pragma omp parallel
    {
        size_t threads = (size_t)omp_get_num_threads();
        size_t part = (n + threads - 1) / threads;
        size_t first = part * (size_t)omp_get_thread_num();
        if (first < n)
            memcpy(y + first, x + first,
                   (first + part < n ? part : n - first) * sizeof(float));
    }
}

static double run_copy(void)
{
    x = filled(n, 1, 0);
    y = filled(n, 0, 0);
    double ms = measure_ms(copy);
    return y[n - 1] == 1 ? ms : -1;
}

static int runs;

static void saxpy(void)
{
    const float a = 0.5f;
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
    runs++;
}

static double run_saxpy(void)
{
    x = filled(n, 1, 0);
    y = filled(n, 0, 0);
    double ms = measure_ms(saxpy);
    return y[n / 2 + 7] == 0.5f * (float)runs ? ms : -1;
}

static void reduction(void)
{
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
    total = sum;
}

/* As the kernel does it: every thread of 512 blocks takes each 131072nd. */
static void reduction_in_order(void)
{
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int block = 0; block < STRIDED_BLOCKS; block++) {
        float mine[BLOCK_SIZE] = {0};
        for (int i = block * BLOCK_SIZE; i < n; i += STRIDE)
#pragma omp simd
            for (int t = 0; t < BLOCK_SIZE; t++)
                mine[t] += x[i + t];
        for (int t = 0; t < BLOCK_SIZE; t++)
            sum += mine[t];
    }
    total = sum;
}

static double measure_reduction(void (*work)(void))
{
    x = filled(n, 1, 0.0078125f);
    double ms = measure_ms(work);
    /* Sums of floats, and large ones: the answer is not exact. */
    double want = n + 0.0078125 * (63 * 64 / 2) * (n / 64);
    return fabs(total - want) < 0.05 * want ? ms : -1;
}

static double run_reduction(void)
{
    return measure_reduction(reduction);
}

static double run_reduction_in_order(void)
{
    return measure_reduction(reduction_in_order);
}

static int *picture;

static void mandelbrot(void)
{
    const int size = PICTURE_SIZE;
#pragma omp parallel for schedule(dynamic, 4)
    for (int py = 0; py < size; py++) {
        for (int px = 0; px < size; px++) {
            float cx = -2.0f + 2.5f * (float)px / size;
            float cy = -1.25f + 2.5f * (float)py / size;
            float zx = 0, zy = 0;
            int i = 0;
            while (i < PICTURE_LIMIT && zx * zx + zy * zy < 4.0f) {
                float next = zx * zx - zy * zy + cx;
                zy = 2.0f * zx * zy + cy;
                zx = next;
                i++;
            }
            picture[py * size + px] = i;
        }
    }
}

static double run_mandelbrot(void)
{
    const int size = PICTURE_SIZE;
    picture = (int *)filled((size_t)size * size, 0, 0);
    double ms = measure_ms(mandelbrot);
    int ok = picture[size / 2 * size + size * 3 / 4] == PICTURE_LIMIT &&
             picture[0] == 1;
    return ok ? ms : -1;
}

/* The plain loop nest, as gcc takes it. */
static void matmul(void)
{
    const int size = MATRIX_SIZE;
    memset(z, 0, sizeof(float) * size * size);
#pragma omp parallel for
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            for (int j = 0; j < size; j++)
                z[i * size + j] += x[i * size + k] * y[k * size + j];
}

/* The same with all the help that gcc can use. */
static void matmul_tuned(void)
{
    const int size = MATRIX_SIZE;
#pragma omp parallel for
    for (int i = 0; i < size; i++) {
        float *restrict row = z + (size_t)i * size;
        memset(row, 0, size * sizeof(float));
        for (int k = 0; k < size; k++) {
            float a = x[(size_t)i * size + k];
            const float *restrict b = y + (size_t)k * size;
#pragma omp simd
            for (int j = 0; j < size; j++)
                row[j] += a * b[j];
        }
    }
}

static double run_product(void (*work)(void))
{
    const int size = MATRIX_SIZE;
    x = filled((size_t)size * size, 0.5f, 0);
    y = filled((size_t)size * size, 0, 0.25f);
    z = filled((size_t)size * size, 0, 0);
    double ms = measure_ms(work);
    float want = 0.5f * 0.25f * (77 % 64) * size;
    return fabsf(z[300 * size + 77] - want) <= 1e-4f * want ? ms : -1;
}

static double run_matmul(void)
{
    return run_product(matmul);
}

static double run_matmul_tuned(void)
{
    return run_product(matmul_tuned);
}

int main(int argc, char **argv)
{
    const struct program programs[] = {
        {"triad", run_triad},
        {"saxpy", run_saxpy},
        {"copy", run_copy},
        {"reduction", run_reduction},
        {"reduction-in-order", run_reduction_in_order},
        {"reduction-blocks", run_reduction},
        {"mandelbrot", run_mandelbrot},
        {"matmul", run_matmul},
        {"matmul-tuned", run_matmul_tuned},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
