/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS from four threads at once, without CUDA: each has its own buffers.
 */
#include "../exec/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/blas/blas.h"

enum { ELEMENTS = 2 * 92 * 92, THREADS = 4, TURNS = 1000 };

static double a[ELEMENTS], b[ELEMENTS], start[ELEMENTS], expected[ELEMENTS];

static void multiply(double *c)
{
    int n = 32, k = 67, ld = 91;
    double alpha[2] = {0.75, -0.5}, beta[2] = {-0.25, 0};
    memcpy(c, start, sizeof start);
    weft_blas[BLAS_Z].gemm("N", "C", &n, &n, &k, alpha, a, &ld, b, &ld, beta, c,
                           &ld);
    weft_blas[BLAS_Z].her2k("L", "N", &n, &k, alpha, a, &ld, b, &ld, beta, c,
                            &ld);
}

static void *work(void *wrong)
{
    double *c = malloc(sizeof start);
    for (int i = 0; i < TURNS; i++) {
        multiply(c);
        *(int *)wrong += memcmp(c, expected, sizeof start) != 0;
    }
    free(c);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    int wrong[THREADS] = {0};
    for (int i = 0; i < ELEMENTS; i++) {
        a[i] = i % 101 / 50.0 - 1;
        b[i] = i % 97 / 50.0 - 1;
        start[i] = i % 89 / 50.0 - 1;
    }
    multiply(expected);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, &wrong[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        CHECK_EQUAL(wrong[i], 0);
    }
    return check_result();
}
