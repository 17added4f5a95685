/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this machine can do at most, as `make demo` measures it: the bandwidth
 * of a triad over arrays much larger than the caches, and the rate of fused
 * multiply-adds that stay in registers. Prints "GB/s GFLOP/s".
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIAD_FLOATS = 1 << 26, ROUNDS = 5, LANES = 16, CHAINS = 12,
       FMA_STEPS = 4000000 };

static double triad_gbs(void)
{
    size_t bytes = sizeof(float) * TRIAD_FLOATS;
    float *a = aligned_alloc(64, bytes), *b = aligned_alloc(64, bytes),
          *c = aligned_alloc(64, bytes);
    double best = 1e30;
    if (!a || !b || !c)
        return 0;
#pragma omp parallel for
    for (size_t i = 0; i < TRIAD_FLOATS; i++)
        a[i] = 0, b[i] = 1, c[i] = 2;
    for (int round = 0; round < ROUNDS; round++) {
        double start = omp_get_wtime();
#pragma omp parallel for simd
        for (size_t i = 0; i < TRIAD_FLOATS; i++)
            a[i] = b[i] + 3.0f * c[i];
        double seconds = omp_get_wtime() - start;
        best = seconds < best ? seconds : best;
    }
    return 3.0 * (double)bytes / best * 1e-9;
}

/* Independent chains, so that latency does not count. */
static double fma_gflops(void)
{
    typedef float vector __attribute__((vector_size(4 * LANES)));
    double start = omp_get_wtime();
    volatile float sink = 0;
    int thread_count = 1;
#pragma omp parallel
    {
        vector x[CHAINS], m = { 0 }, s = { 0 };
        m += 0.999f;
        s += 0.001f;
        for (int k = 0; k < CHAINS; k++)
            x[k] = s + (float)k;
        for (int i = 0; i < FMA_STEPS; i++)
            for (int k = 0; k < CHAINS; k++)
                x[k] = x[k] * m + s;
        for (int k = 0; k < CHAINS; k++)
            sink = sink + x[k][0];
#pragma omp single
        thread_count = omp_get_num_threads();
    }
    double seconds = omp_get_wtime() - start;
    return 2.0 * LANES * CHAINS * (double)FMA_STEPS * thread_count / seconds *
           1e-9;
}

int main(void)
{
    printf("%.1f %.1f\n", triad_gbs(), fma_gflops());
    return 0;
}
